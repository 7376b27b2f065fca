//! The plan of a sweep: its config, read, resolved and checked.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use overtrick_external::process::{Isolation, Level};
use overtrick_games::Variant;
use overtrick_run::{Run, Shard};
use overtrick_stats::{SeatScale, measure_names};
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::{
    Format, Tournament, Unit, check_eligible, find_variant, hiding, isolation, isolation_of, out_folder, run_name,
    write_isolation, written_for,
};
use serde::Deserialize;
use toml::{Table, Value};

use super::axis::SweepAxis;
use super::design::{GRID_AXES, MOST_POINTS, SweepPoint, filling, grid, grid_size};
use super::extent::{AskedExtent, extent};
use super::points::{LeftOut, points};
use super::restriction::Restriction;
use super::retune::{Retune, retuned_name};
use super::surface;
use super::tables::{read_axes, read_panel, read_restrictions, read_wishes, sweep, within};
use super::wish::{SKILLS, SweepWish};

/// The default number of points, if there are too many axes for a grid.
const POINTS: i64 = 64;
/// The number of deals on which the pace is measured.
const PACE_DEALS: u64 = 16;

/// The plan of a sweep, resolved and checked.
#[derive(Clone)]
pub struct SweepPlan {
    /// The name of the sweep, which is also the name of the results folder.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// The folder for results, if the file names one.
    pub out: Option<PathBuf>,
    /// Whether single deals or whole matches are played.
    pub unit: Unit,
    /// The number of deals or matches at each point.
    ///
    /// Each bot plays that number with itself, and each two bots play it in every seating.
    pub numbers: u64,
    /// Whether matches are played because an axis is about them, and not because the config says so.
    pub has_chosen_matches: bool,
    /// The bots, the least skilled first.
    ///
    /// With `retune`, the last is the bot that is tuned, with its parameters from before.
    pub panel: Vec<Bot>,
    /// The rules that change, and their values.
    pub axes: Vec<SweepAxis>,
    /// The points of the design.
    pub points: Vec<SweepPoint>,
    /// The index of the base among the points.
    pub base: usize,
    /// The combinations of values that the rules refuse, each with the reason. They are left out.
    pub left_out: Vec<LeftOut>,
    /// Whether the points are all combinations of the values of the axes.
    pub is_grid: bool,
    /// The wishes for measures.
    pub wishes: Vec<SweepWish>,
    /// The options whose worth is measured.
    pub restrictions: Vec<Restriction>,
    /// The bot that is tuned again at each point, if any.
    pub retune: Option<Retune>,
    /// The register in which games and strategies are looked up.
    pub register: Register,
    /// The part of the points that is played; all of them if `None`. No config sets it.
    pub shard: Option<Shard>,
    /// The number of points that is asked for, if they are no grid.
    pub(super) asked: i64,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct WrittenSweepFile {
    name: Option<String>,
    seed: Option<i64>,
    out: Option<PathBuf>,
    sandbox: Option<Level>,
    bots_may_read: Vec<PathBuf>,
    sweep: Table,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct WrittenSweep {
    base: Option<Value>,
    unit: Option<Unit>,
    deals: Option<i64>,
    matches: Option<i64>,
    panel: Vec<Value>,
    axes: Table,
    points: Option<i64>,
    want: Table,
    restrict: Table,
    retune: Option<Table>,
}

/// Returns the names of a bot's measures, except those of options.
///
/// `bots` is the number of bots.
fn measures(variant: &Variant, unit: Unit, bots: usize) -> Vec<String> {
    let mut measures = measure_names(&variant.game, unit);
    measures.extend(SeatScale::ALL.map(SeatScale::advantage));
    for name in SKILLS {
        if bots > 1 && (unit == Unit::Deal || name != "skill-elo") {
            measures.push(name.to_owned());
        }
    }
    measures
}

/// Checks that points that are no grid are enough for the effects of all axes.
///
/// `asked` is the number of points that the config gives.
fn check_enough(source: &Source, axes: &[SweepAxis], asked: i64, points: usize) -> Result<(), InputError> {
    let least = surface::terms(axes).len() + 1;
    if points >= least {
        return Ok(());
    }
    let problem = format!("is {asked}, which makes {points} different points; the effects of these axes take {least}");
    Err(source.error(&sweep("points"), problem))
}

impl SweepPlan {
    /// Reads a sweep config.
    ///
    /// # Errors
    /// If the config or a file that it names is wrong, with file, line and key.
    pub fn read(file: &Path, register: &Register) -> Result<SweepPlan, InputError> {
        SweepPlan::resolve(&Source::read(file)?, register)
    }

    /// Reads a sweep config from a document.
    ///
    /// # Errors
    /// If the config or a file that it names is wrong, with file, line and key.
    pub fn resolve(source: &Source, register: &Register) -> Result<SweepPlan, InputError> {
        written_for(source, "sweep")?;
        let written: WrittenSweepFile = source.fields(&[], source.table())?;
        let at = key("sweep");
        if written.sweep.is_empty() {
            return Err(source.error(&at, "is missing: a table with `base`, `deals`, `panel` and `axes`"));
        }
        let own: WrittenSweep = source.fields(&at, &written.sweep)?;
        let name = run_name(source, written.name)?;
        let seed = written.seed.ok_or_else(|| {
            source.error(&key("seed"), "is missing: give a whole number, so that the result can be repeated")
        })?;
        let seed = within(source, &key("seed"), seed, [0, i64::MAX])? as u64;
        let base = own.base.as_ref().ok_or_else(|| {
            source.error(&sweep("base"), "is missing: the variant whose rules are changed, by name, file or table")
        })?;
        let base = find_variant(source, &sweep("base"), base, register.games())?;
        let mut panel = read_panel(source, &own.panel, register)?;
        let isolation = isolation(source, written.sandbox, &written.bots_may_read)?;
        panel.iter_mut().for_each(|bot| bot.spec.isolate(&isolation));
        let retune = own.retune.as_ref();
        let retune = retune
            .map(|written| Retune::read(source, &sweep("retune"), written, &panel, &base, seed, register))
            .transpose()?;
        let (axes, is_about_matches) = read_axes(source, &own.axes, &base, register)?;
        let asked = AskedExtent { unit: own.unit, deals: own.deals, matches: own.matches };
        let extent = extent(source, &at, &asked, is_about_matches)?;
        let (unit, numbers) = (extent.unit, extent.numbers);
        let is_grid = axes.len() <= GRID_AXES;
        if let (true, Some(_)) = (is_grid, own.points) {
            let problem =
                format!("only goes with more than {GRID_AXES} axes. Up to {GRID_AXES}, all combinations are played");
            return Err(source.error(&sweep("points"), problem));
        }
        let asked = within(source, &sweep("points"), own.points.unwrap_or(POINTS), [1, MOST_POINTS as i64])?;
        let size = if is_grid { grid_size(&axes) } else { Some(asked as u64) };
        if size.is_none_or(|size| size > MOST_POINTS) {
            let tuned = retune.as_ref().map_or(0.0, |retune| retune.games as f64 / panel.len() as f64);
            let problem = too_many(size, pace(seed, unit, &base, &panel, register)? * (numbers as f64 + tuned));
            return Err(source.error(&sweep("axes"), problem));
        }
        let levels = if is_grid { grid(&axes) } else { filling(&axes, asked as usize, seed) };
        if !is_grid {
            check_enough(source, &axes, asked, levels.len())?;
        }
        let (points, base, left_out) = points(source, levels, &axes, &base, register)?;
        let mut measures = measures(&points[base].variant, unit, panel.len());
        let variants: Vec<Variant> = points.iter().map(|point| point.variant.clone()).collect();
        let restrictions = read_restrictions(source, &own.restrict, &panel, &variants, register)?;
        measures.extend(restrictions.iter().flat_map(Restriction::measures));
        if let Some(retune) = &retune {
            retune.check(source, &sweep("retune"), &variants)?;
            panel.push(Bot { name: retuned_name(&panel[retune.bot].name), ..panel[retune.bot].clone() });
        }
        let wishes = read_wishes(source, &own.want, &panel, retune.as_ref(), &measures)?;
        let plan = SweepPlan {
            name,
            seed,
            out: out_folder(written.out),
            unit,
            numbers,
            has_chosen_matches: extent.is_chosen,
            panel,
            axes,
            points,
            base,
            left_out,
            is_grid,
            wishes,
            restrictions,
            retune,
            register: register.clone(),
            shard: None,
            asked,
        };
        plan.check_bots(source)?;
        Ok(plan)
    }

    /// Checks that all bots play all variants.
    fn check_bots(&self, source: &Source) -> Result<(), InputError> {
        let variants: Vec<Variant> = self.points.iter().map(|point| point.variant.clone()).collect();
        for (number, bot) in self.given().iter().enumerate() {
            check_eligible(bot, &variants)
                .map_err(|problem| source.error(&SweepPlan::place_of_bot(number), problem))?;
        }
        Ok(())
    }

    /// Returns the isolation of external bots; `None` if no bot is external.
    pub fn isolation(&self) -> Option<&Isolation> {
        isolation_of(&self.panel)
    }

    /// Hides a folder, such as the results folder, from bots.
    pub fn hide(&mut self, folder: &Path) {
        let Some(isolation) = self.isolation().map(|isolation| hiding(isolation, folder)) else { return };
        self.panel.iter_mut().for_each(|bot| bot.spec.isolate(&isolation));
        if let Some(retune) = &mut self.retune {
            retune.isolate(&isolation);
        }
    }

    /// Returns all bots, to change them alike; the bots that the config names come first.
    pub fn all_bots(&mut self) -> impl Iterator<Item = &mut Bot> {
        self.panel.iter_mut().chain(self.retune.iter_mut().flat_map(|retune| retune.all_bots()))
    }

    /// Returns the bots that the config names, the least skilled first.
    pub fn given(&self) -> &[Bot] {
        &self.panel[..self.panel.len() - usize::from(self.retune.is_some())]
    }

    /// Returns the numbers of the bot that is tuned: before tuning, and after.
    pub fn retuned(&self) -> Option<(usize, usize)> {
        self.retune.as_ref().map(|retune| (retune.bot, self.panel.len() - 1))
    }

    /// Returns the numbers of the points that are played: all points, or those of the shard.
    pub fn own(&self) -> Range<usize> {
        let all = self.points.len() as u64;
        let own = self.shard.map_or(0..all, |shard| shard.range(all));
        own.start as usize..own.end as usize
    }

    /// Returns the place in the config of a bot that the config names.
    pub fn place_of_bot(number: usize) -> Vec<String> {
        [sweep("panel"), vec![number.to_string()]].concat()
    }

    /// Returns the name of a point: the values that differ from the base, or `base`.
    pub fn point_name(&self, point: usize) -> String {
        if point == self.base {
            return "base".to_owned();
        }
        let own = self.points[self.base].variant.game.rules();
        let levels = self.points[point].levels.iter().flatten();
        let changed =
            self.axes.iter().zip(levels).filter(|(axis, value)| own.get(&axis.key) != Some(&axis.values[**value]));
        changed.map(|(axis, &value)| format!("{} {}", axis.key, axis.text(value))).collect::<Vec<_>>().join(", ")
    }

    /// Returns the name of a point's rows in tables that `run` has, too.
    ///
    /// It is the name of the base, for other points with a number.
    pub fn row_name(&self, point: usize) -> String {
        let base = &self.points[self.base].variant.name;
        if point == self.base { base.clone() } else { format!("{base}.{}", point + 1) }
    }

    /// Returns the configuration with everything resolved, which runs anywhere and gives the same results.
    pub fn to_toml(&self) -> String {
        let base = &self.points[self.base].variant;
        let base = Table::from_iter([
            ("name".to_owned(), Value::from(base.name.as_str())),
            ("about".to_owned(), Value::from(base.about.as_str())),
            ("base".to_owned(), Value::from(base.base.as_str())),
            ("rules".to_owned(), Value::Table(base.game.rules())),
        ]);
        let axis = |axis: &SweepAxis| (axis.key.clone(), Value::Array(axis.values.clone()));
        let wish = |wish: &SweepWish| (wish.measure.clone(), wish.to_value(&self.panel));
        let mut own = Table::from_iter([
            ("base".to_owned(), Value::Table(base)),
            (self.unit.plural().to_owned(), Value::from(self.numbers as i64)),
            ("panel".to_owned(), Value::Array(self.given().iter().map(|bot| Value::Table(bot.to_table())).collect())),
            ("axes".to_owned(), Value::Table(self.axes.iter().map(axis).collect())),
            ("want".to_owned(), Value::Table(self.wishes.iter().map(wish).collect())),
        ]);
        // Written explicitly, so that single deals stay single deals regardless of the axes.
        own.insert("unit".to_owned(), Value::try_from(self.unit).expect("it is a word"));
        if !self.restrictions.is_empty() {
            let option = |option: &Restriction| (option.name.clone(), option.to_value(&self.panel));
            own.insert("restrict".to_owned(), Value::Table(self.restrictions.iter().map(option).collect()));
        }
        if let Some(retune) = &self.retune {
            own.insert("retune".to_owned(), retune.to_value());
        }
        if !self.is_grid {
            own.insert("points".to_owned(), Value::from(self.asked));
        }
        let mut whole = Table::from_iter([
            ("name".to_owned(), Value::from(self.name.as_str())),
            ("seed".to_owned(), Value::from(self.seed as i64)),
            ("sweep".to_owned(), Value::Table(own)),
        ]);
        if let Some(isolation) = self.isolation() {
            write_isolation(isolation, &mut whole);
        }
        toml::to_string(&whole).expect("a configuration is plain values")
    }
}

/// Returns the seconds that a deal or match takes, over all bots of the panel.
fn pace(seed: u64, unit: Unit, base: &Variant, panel: &[Bot], register: &Register) -> Result<f64, InputError> {
    check_all(panel, base)?;
    let tournament = Tournament::of(seed, Format::Mirror, PACE_DEALS, base.clone(), panel.to_vec(), register);
    let mut tournament = tournament.map_err(|error| InputError::plain(error.to_string()))?;
    tournament.unit = unit;
    let began = Instant::now();
    Run::new(tournament).play()?;
    Ok(began.elapsed().as_secs_f64() / PACE_DEALS as f64)
}

fn check_all(panel: &[Bot], base: &Variant) -> Result<(), InputError> {
    panel.iter().try_for_each(|bot| check_eligible(bot, std::slice::from_ref(base))).map_err(InputError::plain)
}

/// Returns why there are too many points, each of which takes `each` seconds.
fn too_many(size: Option<u64>, each: f64) -> String {
    let remedy = "give fewer values, or more than three axes, of which `points` says how many are played";
    match size {
        Some(size) => {
            let hours = each * size as f64 / 3600.0;
            let time = if hours < 48.0 { format!("{hours:.1} hours") } else { format!("{:.0} days", hours / 24.0) };
            format!("make {size} points, which would take about {time}; at most {MOST_POINTS} are played: {remedy}")
        }
        None => format!("make more points than can be counted; at most {MOST_POINTS} are played: {remedy}"),
    }
}
