//! Charts as SVG, with selectable text, colours by class, and descriptions for screen readers.

use std::fmt::Write;

use overtrick_stats::Interval;

use super::text::escaped;

/// The width of a chart in its own units. The page scales it.
pub(super) const WIDTH: f64 = 440.0;
/// The width of the names at the left.
const NAMES: f64 = 104.0;
/// The left end of a plot.
const LEFT: f64 = 40.0;
/// The right end of a plot.
const RIGHT: f64 = WIDTH - 14.0;
/// The height of the ticks and the name of the axis below a plot.
const BELOW: f64 = 34.0;
/// The height of a row of dots.
const ROW: f64 = 20.0;

/// Rounds a coordinate to tenths. Written as a number, it has no needless zero.
pub(super) fn tenths(coordinate: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (coordinate * 10.0).round() / 10.0 + 0.0
}

/// A value with its interval, if that is known.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
}

impl Point {
    /// Returns the ends of the interval, or the value twice if there is none. The value is never beyond them.
    pub(super) fn ends(&self) -> [f64; 2] {
        self.interval.map_or([self.value; 2], |(low, high)| [low.min(self.value), high.max(self.value)])
    }
}

/// Returns the point of a figure as in its file, if there is one.
pub(super) fn point(figure: Interval) -> Option<Point> {
    let figure = figure.rounded();
    figure.value.map(|value| Point { value, interval: figure.ends() })
}

/// How the intervals of a line are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Intervals {
    Hidden,
    Band,
    BandAndBars,
}

/// A row of a chart of dots: a name, and a point for each series.
pub(super) struct DotRow {
    pub(super) name: String,
    /// Whether the name is a bot's.
    pub(super) is_bot: bool,
    pub(super) points: Vec<Option<Point>>,
}

impl DotRow {
    /// Makes a row with one point.
    pub(super) fn new(name: &str, is_bot: bool, figure: Interval) -> DotRow {
        DotRow { name: name.to_owned(), is_bot, points: vec![point(figure)] }
    }
}

/// A line of a chart of lines.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) is_bot: bool,
    /// The positions on the axis, each with its value and interval.
    pub(super) points: Vec<(f64, Point)>,
}

/// The title of a chart, its description, and the name of its axis.
pub(super) struct Title<'a> {
    /// An id that is unique on the page.
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) about: &'a str,
    pub(super) axis: &'a str,
}

/// A scale from values to positions, in units of the chart.
pub(super) struct Scale {
    /// The lowest value.
    pub(super) low: f64,
    /// The highest value.
    pub(super) high: f64,
    /// The difference between two round values.
    step: f64,
    /// The position of the lowest value.
    pub(super) from: f64,
    /// The position of the highest value.
    pub(super) to: f64,
}

impl Scale {
    /// Makes a scale that contains these values and ends at round values.
    pub(super) fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let step = step((high - low).max(high.abs().max(1e-9) * 1e-3));
        let low = (low / step).floor() * step;
        Scale { low, high: ((high / step).ceil() * step).max(low + step), step, from, to }
    }

    pub(super) fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Returns the round values on the scale, with their texts.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let step = self.step;
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let count = ((self.high - self.low) / step + 1e-6) as usize;
        let tick = |number: usize| {
            let value = self.low + number as f64 * step;
            let value = if value.abs() < step / 2.0 { 0.0 } else { value };
            (value, format!("{value:.decimals$}").replace('-', "−"))
        };
        (0..=count).map(tick).collect()
    }
}

/// Returns a round step that divides a length into four to eight parts.
fn step(length: f64) -> f64 {
    let power = 10_f64.powf((length / 4.0).log10().floor());
    let times = [5.0, 2.0, 1.0].into_iter().find(|times| power * times * 4.0 <= length);
    power * times.unwrap_or(1.0)
}

/// An SVG under construction.
pub(super) struct Svg(String);

impl Svg {
    pub(super) fn new(title: &Title<'_>, height: f64) -> Svg {
        let (id, name, about) = (escaped(title.id), escaped(title.name), escaped(title.about));
        Svg(format!(
            "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 {WIDTH} {height}\" aria-labelledby=\"{id}-t {id}-d\">\
             <title id=\"{id}-t\">{name}</title><desc id=\"{id}-d\">{about}</desc>\n"
        ))
    }

    pub(super) fn add(&mut self, text: std::fmt::Arguments<'_>) {
        self.0.write_fmt(text).expect("text goes into memory");
    }

    pub(super) fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        self.add(format_args!("<text x=\"{x:.0}\" y=\"{y:.0}\" class=\"{class}\">{}</text>", escaped(text)));
    }

    /// Draws a horizontal or vertical line.
    pub(super) fn line(&mut self, class: &str, ends: [f64; 4]) {
        self.path(class, &[ends]);
    }

    /// Draws horizontal or vertical lines as a single path.
    fn path(&mut self, class: &str, lines: &[[f64; 4]]) {
        self.add(format_args!("<path class=\"{class}\" d=\""));
        for [x1, y1, x2, y2] in lines {
            self.add(format_args!("M{} {y1:.0}", tenths(*x1)));
            if y1 == y2 {
                self.add(format_args!("H{}", tenths(*x2)));
            } else {
                self.add(format_args!("V{y2:.0}"));
            }
        }
        self.0.push_str("\"/>");
    }

    /// Draws a line at each round value of a scale. `ends` returns the ends of the line at a position.
    fn grid(&mut self, scale: &Scale, ends: impl Fn(f64) -> [f64; 4]) {
        let (mut grid, mut zero) = (Vec::new(), Vec::new());
        for (value, _) in scale.ticks() {
            if value == 0.0 { &mut zero } else { &mut grid }.push(ends(scale.at(value)));
        }
        for (class, lines) in [("grid", grid), ("zero", zero)] {
            if !lines.is_empty() {
                self.path(class, &lines);
            }
        }
    }

    /// Draws the round values of a vertical scale, at the left of lines between these positions.
    pub(super) fn levels(&mut self, up: &Scale, from: f64, to: f64) {
        self.grid(up, |y| [from, y, to, y]);
        self.0.push_str("<g class=\"name\">");
        for (value, text) in up.ticks() {
            let (x, y) = (from - 6.0, up.at(value) + 4.0);
            self.add(format_args!("<text x=\"{x:.0}\" y=\"{y:.0}\">{}</text>", escaped(&text)));
        }
        self.end();
    }

    /// Draws a mark, with a different shape and colour for each series.
    pub(super) fn mark(&mut self, series: usize, x: f64, y: f64) {
        let (shape, colour, x) = (series % 4, series % 8, tenths(x));
        self.add(format_args!("<use href=\"#m{shape}\" class=\"c{colour}\" x=\"{x}\" y=\"{y:.0}\"/>"));
    }

    /// Begins a group that is highlighted with its bot.
    pub(super) fn begin(&mut self, bot: Option<&str>) {
        match bot {
            Some(bot) => self.add(format_args!("<g data-bot=\"{}\">", escaped(bot))),
            None => self.add(format_args!("<g>")),
        }
    }

    pub(super) fn end(&mut self) {
        self.0.push_str("</g>\n");
    }

    /// Draws a line along one scale and up another.
    pub(super) fn curve(&mut self, which: usize, line: &Line, [along, up]: [&Scale; 2], intervals: Intervals) {
        let place = |x: f64, y: f64| format!("{} {}", tenths(along.at(x)), tenths(up.at(y)));
        let colour = which % 8;
        self.begin(line.is_bot.then_some(line.name.as_str()));
        let mut banded = Vec::new();
        if intervals != Intervals::Hidden {
            banded.extend(line.points.iter().filter_map(|(x, point)| Some((*x, point.interval?))));
        }
        if banded.len() > 1 {
            let there = banded.iter().map(|&(x, (_, high))| place(x, high));
            let back = banded.iter().rev().map(|&(x, (low, _))| place(x, low));
            let path = there.chain(back).collect::<Vec<_>>().join("L");
            self.add(format_args!("<path class=\"band c{colour}\" d=\"M{path}z\"/>"));
        }
        if intervals == Intervals::BandAndBars {
            for (x, (low, high)) in banded {
                let x = along.at(x);
                self.line(&format!("range c{colour}"), [x, up.at(low), x, up.at(high)]);
            }
        }
        let path = line.points.iter().map(|(x, point)| place(*x, point.value)).collect::<Vec<_>>().join("L");
        self.add(format_args!("<path class=\"line c{colour} dash{}\" d=\"M{path}\"/>", which % 4));
        self.end();
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push_str("</svg>");
        self.0
    }

    /// Draws the marks and names of series in rows, and returns their height.
    pub(super) fn legend(&mut self, names: &[&str], from: f64) -> f64 {
        let (mut x, mut y) = (8.0, from + 10.0);
        for (series, name) in names.iter().enumerate() {
            let name = shortened(name, 24);
            let width = 26.0 + name.chars().count() as f64 * 7.6;
            if x + width > WIDTH && x > 8.0 {
                (x, y) = (8.0, y + 16.0);
            }
            self.mark(series, x + 4.0, y - 4.0);
            self.text(x + 13.0, y, "label", &name);
            x += width;
        }
        y + 8.0 - from
    }
}

/// Returns the height of the legend of these names.
pub(super) fn legend_height(names: &[&str]) -> f64 {
    if names.len() < 2 { 0.0 } else { Svg(String::new()).legend(names, 0.0) }
}

pub(super) fn shortened(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most - 1).chain(['…']).collect()
}

/// Draws a row for each name, with a dot and its interval for each series.
pub(super) fn dots(title: &Title<'_>, series: &[&str], rows: &[DotRow], has_zero: bool) -> String {
    let legend = legend_height(series);
    let spread = ROW + if series.len() > 1 { 5.0 * (series.len() - 1) as f64 } else { 0.0 };
    let bottom = legend + rows.len() as f64 * spread;
    let mut svg = Svg::new(title, bottom + BELOW);
    if series.len() > 1 {
        svg.legend(series, 0.0);
    }
    let ends = rows.iter().flat_map(|row| row.points.iter().flatten()).flat_map(Point::ends);
    let scale = Scale::new(ends.chain(has_zero.then_some(0.0)), NAMES + 6.0, RIGHT);
    svg.grid(&scale, |x| [x, legend, x, bottom]);
    for (value, text) in scale.ticks() {
        svg.text(scale.at(value), bottom + 13.0, "tick", &text);
    }
    svg.text((NAMES + WIDTH) / 2.0, bottom + 28.0, "axis", title.axis);
    for (number, row) in rows.iter().enumerate() {
        let top = legend + number as f64 * spread;
        svg.begin(row.is_bot.then_some(row.name.as_str()));
        svg.text(NAMES, top + spread / 2.0 + 4.0, "name", &shortened(&row.name, 16));
        for (which, point) in row.points.iter().enumerate() {
            let Some(point) = point else { continue };
            let y = (top + (which as f64 + 1.0) * spread / (row.points.len() as f64 + 1.0)).round();
            if let Some((low, high)) = point.interval {
                svg.line(&format!("range c{}", which % 8), [scale.at(low), y, scale.at(high), y]);
            }
            svg.mark(which, scale.at(point.value), y);
        }
        svg.end();
    }
    svg.finish()
}

/// Draws lines over whole numbers. Only the first line has the band of its intervals.
pub(super) fn lines(title: &Title<'_>, lines: &[Line]) -> String {
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    let top = legend_height(&names) + 8.0;
    let bottom = top + 150.0;
    let mut svg = Svg::new(title, bottom + BELOW);
    if lines.len() > 1 {
        svg.legend(&names, 0.0);
    }
    let points = || lines.iter().flat_map(|line| line.points.iter());
    let up = Scale::new(points().flat_map(|(_, point)| point.ends()).chain([0.0]), bottom, top);
    let last = points().map(|(x, _)| *x).fold(1.0, f64::max);
    let along = Scale { low: 0.0, high: last, step: 1.0, from: LEFT, to: RIGHT };
    svg.levels(&up, along.from, along.to);
    for tick in 0..=last as usize {
        svg.text(along.at(tick as f64), bottom + 14.0, "tick", &tick.to_string());
    }
    svg.text((along.from + along.to) / 2.0, bottom + 29.0, "axis", title.axis);
    for (which, line) in lines.iter().enumerate() {
        svg.curve(which, line, [&along, &up], if which == 0 { Intervals::Band } else { Intervals::Hidden });
    }
    svg.finish()
}

/// Draws bars for the frequency of values. `bars` are the labels with their shares.
pub(super) fn histogram(title: &Title<'_>, bars: &[(String, f64)]) -> String {
    let (top, bottom) = (8.0, 138.0);
    let mut svg = Svg::new(title, bottom + BELOW);
    let down = Scale::new(bars.iter().map(|bar| bar.1).chain([0.0]), bottom, top);
    svg.levels(&down, LEFT, RIGHT);
    let wide = (RIGHT - LEFT) / bars.len().max(1) as f64;
    let mut path = String::new();
    let every = (bars.len() as f64 * 30.0 / (RIGHT - LEFT)).ceil().max(1.0) as usize;
    for (number, (name, share)) in bars.iter().enumerate() {
        let (x, y) = (LEFT + number as f64 * wide, down.at(*share));
        let [left, right] = [x + 0.5, x + (wide - 1.0).max(0.5)].map(tenths);
        let height = tenths((bottom - y).max(0.0));
        path.push_str(&format!("M{left} {bottom}v-{height}H{right}v{height}z"));
        if number % every == 0 {
            svg.text(x + wide / 2.0, bottom + 14.0, "tick", name);
        }
    }
    svg.add(format_args!("<path class=\"bar c0\" d=\"{path}\"/>"));
    svg.text((LEFT + RIGHT) / 2.0, bottom + 29.0, "axis", title.axis);
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_at_round_values_and_hold_all() {
        for (low, high) in [(-0.8, 0.93), (0.0, 1.0), (3.0, 3.0), (-120.0, 5000.0), (0.413, 0.4131)] {
            let scale = Scale::new([low, high].into_iter(), 0.0, 100.0);
            assert!(scale.low <= low + 1e-9 && scale.high >= high - 1e-9 && scale.low < scale.high, "{low} {high}");
            let ticks = scale.ticks();
            assert!((2..=14).contains(&ticks.len()), "{low} {high}: {ticks:?}");
        }
    }

    #[test]
    fn names_cannot_break_out() {
        let title = Title { id: "a", name: "<script>", about: "\"", axis: "&" };
        let row =
            DotRow { name: "</svg>'".into(), is_bot: true, points: vec![Some(Point { value: 1.0, interval: None })] };
        let svg = dots(&title, &["x"], &[row], true);
        assert!(!svg.contains("<script") && svg.matches("</svg>").count() == 1, "{svg}");
    }
}
