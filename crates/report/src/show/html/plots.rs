//! Charts of tunings and sweeps: lines with bands, heat maps, points with error bars.

use super::svg::{Intervals, Line, Point, Scale, Svg, Title, WIDTH, legend_height, shortened, tenths};

/// The height of a plot without its margins.
const HEIGHT: f64 = 170.0;
/// The left end of a plot.
const LEFT: f64 = 50.0;
/// The right end of a plot.
const END: f64 = WIDTH - 16.0;
/// The height of the ticks and the name of the axis below a plot.
const BELOW: f64 = 36.0;
/// The most letters of a word below a plot.
const LETTERS: usize = 14;

/// The horizontal axis of a plot: a scale of numbers, or a list of words.
pub(super) enum Along<'a> {
    Numbers,
    Words(Vec<&'a str>),
}

/// A point of a plot with error bars.
pub(super) struct Spot {
    pub(super) series: usize,
    pub(super) across: Point,
    pub(super) up: Point,
}

/// The marks of a plot in addition to its points.
#[derive(Default)]
pub(super) struct Marks {
    /// A marked range of the horizontal axis.
    pub(super) between: Option<(f64, f64)>,
    /// Marked values of the horizontal axis, with their names.
    pub(super) places: Vec<(f64, &'static str)>,
}

impl<'a> Along<'a> {
    /// Returns an axis of numbers if all texts are numbers, or else of words in their order.
    pub(super) fn of(texts: impl Iterator<Item = &'a str> + Clone) -> Along<'a> {
        if texts.clone().all(|text| text.parse::<f64>().is_ok_and(f64::is_finite)) {
            return Along::Numbers;
        }
        Along::Words(distinct(texts))
    }

    /// Returns the position of a text on the axis, in the axis's units.
    pub(super) fn place(&self, text: &str) -> Option<f64> {
        match self {
            Along::Numbers => text.parse().ok(),
            Along::Words(words) => words.iter().position(|word| *word == text).map(|number| number as f64),
        }
    }

    fn scale(&self, values: impl Iterator<Item = f64>) -> Scale {
        match self {
            Along::Numbers => Scale::new(values, LEFT, END),
            Along::Words(words) => Scale::new([-0.5, words.len() as f64 - 0.5].into_iter(), LEFT, END),
        }
    }

    fn ticks(&self, scale: &Scale) -> Vec<(f64, String)> {
        match self {
            Along::Numbers => scale.ticks(),
            Along::Words(words) => {
                let texts = words.iter().map(|word| shortened(word, LETTERS));
                texts.enumerate().map(|(number, text)| (number as f64, text)).collect()
            }
        }
    }
}

/// Returns each text once, in the order in which they come first.
pub(super) fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found = Vec::new();
    for text in texts {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// A plot with its horizontal and vertical scales.
struct Plot {
    svg: Svg,
    along: Scale,
    up: Scale,
    top: f64,
}

impl Plot {
    /// `heading` names the vertical axis. The title names the horizontal axis.
    fn new(title: &Title<'_>, heading: &str, series: &[&str], kind: &Along<'_>, along: &[f64], up: &[f64]) -> Plot {
        let legend = legend_height(series);
        let top = legend + 20.0;
        let bottom = top + HEIGHT;
        let mut svg = Svg::new(title, bottom + BELOW);
        if series.len() > 1 {
            svg.legend(series, 0.0);
        }
        svg.text(8.0, legend + 11.0, "label", heading);
        let up = Scale::new(up.iter().copied(), bottom, top);
        let along = kind.scale(along.iter().copied());
        svg.levels(&up, LEFT, END);
        let ticks = kind.ticks(&along);
        // Words that would touch are left out. The table has all of them.
        let room = (END - LEFT) / ticks.len().max(1) as f64;
        let longest = ticks.iter().map(|(_, text)| text.chars().count()).max().unwrap_or_default() as f64 * 7.5;
        let every = (longest / room).ceil().max(1.0) as usize;
        for (value, text) in ticks.iter().step_by(every) {
            let x = along.at(*value);
            svg.line("grid", [x, bottom, x, bottom + 4.0]);
            svg.text(x, bottom + 16.0, "tick", text);
        }
        svg.text((LEFT + END) / 2.0, bottom + 31.0, "axis", title.axis);
        Plot { svg, along, up, top }
    }

    fn mark_places(&mut self, marks: &Marks) {
        let bottom = self.top + HEIGHT;
        if let Some((low, high)) = marks.between {
            let [x, right] = [low, high].map(|value| tenths(self.along.at(value)));
            let top = self.top;
            self.svg
                .add(format_args!("<path class=\"band c2\" d=\"M{x} {bottom:.0}V{top:.0}H{right}V{bottom:.0}z\"/>"));
        }
        for (number, (value, name)) in marks.places.iter().enumerate() {
            let x = self.along.at(*value);
            self.svg.line("place", [x, self.top, x, bottom]);
            let is_right = x > (LEFT + END) / 2.0;
            let (x, class) = if is_right { (x - 4.0, "name") } else { (x + 4.0, "label") };
            self.svg.text(x, self.top + 10.0 + 12.0 * number as f64, class, name);
        }
    }
}

/// Draws lines, each with a band, for values measured along an axis.
pub(super) fn response(title: &Title<'_>, up: &str, kind: &Along<'_>, lines: &[Line], marks: &Marks) -> String {
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    let points = || lines.iter().flat_map(|line| line.points.iter());
    let values: Vec<f64> = points().flat_map(|(_, point)| point.ends()).collect();
    let places: Vec<f64> = points().map(|(x, _)| *x).collect();
    let mut plot = Plot::new(title, up, &names, kind, &places, &values);
    plot.mark_places(marks);
    let Plot { mut svg, along, up, .. } = plot;
    for (which, line) in lines.iter().enumerate().filter(|(_, line)| !line.points.is_empty()) {
        svg.curve(which, line, [&along, &up], Intervals::BandAndBars);
    }
    svg.finish()
}

/// Draws points with horizontal and vertical error bars.
pub(super) fn scatter(
    title: &Title<'_>,
    up: &str,
    kind: &Along<'_>,
    series: &[&str],
    spots: &[Spot],
    marks: &Marks,
) -> String {
    let ends_of = |of: fn(&Spot) -> &Point| spots.iter().flat_map(|spot| of(spot).ends()).collect::<Vec<_>>();
    let mut places = ends_of(|spot| &spot.across);
    places.extend(marks.between.iter().flat_map(|&(low, high)| [low, high]));
    places.extend(marks.places.iter().map(|(value, _)| *value));
    let mut plot = Plot::new(title, up, series, kind, &places, &ends_of(|spot| &spot.up));
    plot.mark_places(marks);
    let Plot { svg, along, up, .. } = &mut plot;
    // The error bars of a series are a single path, which keeps a page with many points small.
    for which in 0..series.len() {
        let mut path = String::new();
        for spot in spots.iter().filter(|spot| spot.series == which) {
            let [x, y] = [along.at(spot.across.value), up.at(spot.up.value)].map(tenths);
            if let Some((low, high)) = spot.up.interval {
                path += &format!("M{x} {}V{}", tenths(up.at(low)), tenths(up.at(high)));
            }
            if let Some((low, high)) = spot.across.interval {
                path += &format!("M{} {y}H{}", tenths(along.at(low)), tenths(along.at(high)));
            }
        }
        svg.add(format_args!("<path class=\"error c{which}\" d=\"{path}\"/>"));
    }
    for spot in spots {
        svg.mark(spot.series, along.at(spot.across.value), up.at(spot.up.value));
    }
    plot.svg.finish()
}

/// Draws a heat map, with a cell for each column of each row. `across` names the columns, and `down` the
/// rows.
pub(super) fn heat(
    title: &Title<'_>,
    across: &[&str],
    down: &[&str],
    value: impl Fn(usize, usize) -> Option<Heat>,
) -> String {
    let longest = down.iter().map(|word| word.chars().count().min(LETTERS)).max().unwrap_or_default();
    let left = (longest as f64 * 7.0 + 12.0).max(40.0);
    let (wide, high) = ((END - left) / across.len().max(1) as f64, if down.len() > 12 { 16.0 } else { 26.0 });
    let top = 6.0;
    let bottom = top + high * down.len() as f64;
    let mut svg = Svg::new(title, bottom + BELOW);
    for (row, name) in down.iter().enumerate() {
        let y = top + row as f64 * high;
        svg.text(left - 6.0, y + high / 2.0 + 4.0, "name", &shortened(name, LETTERS));
        for column in 0..across.len() {
            let Some(cell) = value(column, row) else { continue };
            let (x, width, height) = (left + column as f64 * wide, tenths(wide - 1.0), high - 1.0);
            svg.add(format_args!(
                "<path class=\"heat{}\" d=\"M{} {y:.0}h{width}v{height:.0}h-{width}z\"/>",
                cell.level,
                tenths(x)
            ));
            if cell.text.chars().count() as f64 * 7.0 < wide {
                svg.text(x + wide / 2.0, y + high / 2.0 + 4.0, "tick cell", &cell.text);
            }
        }
    }
    let longest = across.iter().map(|word| word.chars().count().min(LETTERS)).max().unwrap_or_default() as f64 * 7.5;
    let every = (longest / wide).ceil().max(1.0) as usize;
    for (column, name) in across.iter().enumerate().step_by(every) {
        svg.text(left + (column as f64 + 0.5) * wide, bottom + 15.0, "tick", &shortened(name, LETTERS));
    }
    svg.text((left + END) / 2.0, bottom + 31.0, "axis", title.axis);
    svg.finish()
}

/// A cell of a heat map.
pub(super) struct Heat {
    /// The shade, 0 to 4.
    pub(super) level: usize,
    pub(super) text: String,
}
