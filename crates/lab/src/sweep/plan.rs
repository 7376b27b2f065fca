//! The plan of a sweep: its config, read, resolved and checked.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use overtrick_external::process::Isolation;
use overtrick_games::Variant;
use overtrick_run::{Run, Shard};
use overtrick_stats::{SeatScale, measure_names};
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source};
use overtrick_tournament::{Format, Header, Tournament, Unit, check_eligible, hide, isolation_of};
use toml::{Table, Value};

use super::axis::SweepAxis;
use super::design::{GRID_AXES, MOST_POINTS, SweepPoint, filling, grid, grid_size};
use super::extent::PointExtent;
use super::points::{LeftOut, points};
use super::restriction::Restriction;
use super::retune::{Retune, retuned_name};
use super::surface;
use super::sweep_keys::{SweepConfig, SweepKeys, sweep_key};
use super::wish::{SKILLS, SweepWish};

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
    pub(super) asked: u64,
}

/// Returns the names of a bot's measures.
///
/// `bots` is the number of bots.
fn measures(variant: &Variant, unit: Unit, bots: usize, restrictions: &[Restriction]) -> Vec<String> {
    let mut measures = measure_names(&variant.game, unit);
    measures.extend(SeatScale::ALL.map(SeatScale::advantage));
    for name in SKILLS {
        if bots > 1 && (unit == Unit::Deal || name != "skill-elo") {
            measures.push(name.to_owned());
        }
    }
    measures.extend(restrictions.iter().flat_map(Restriction::measures));
    measures
}

/// Returns the levels of all points: a grid, or else `asked` points that fill the space.
///
/// # Errors
/// If points that are no grid are not enough for the effects of all axes.
fn levels(source: &Source, axes: &[SweepAxis], asked: u64, seed: u64) -> Result<Vec<Vec<usize>>, InputError> {
    if is_grid(axes) {
        return Ok(grid(axes));
    }
    let levels = filling(axes, asked as usize, seed);
    let (points, least) = (levels.len(), surface::terms(axes).len() + 1);
    if points >= least {
        return Ok(levels);
    }
    let problem = format!("is {asked}, which makes {points} different points; the effects of these axes take {least}");
    Err(source.error(&sweep_key("points"), problem))
}

/// Returns whether all combinations of the values of the axes are played.
fn is_grid(axes: &[SweepAxis]) -> bool {
    axes.len() <= GRID_AXES
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
        let (header, SweepConfig { sweep: table }) = Header::read(source, "sweep")?;
        let own = SweepKeys::read(source, &table)?;
        let (name, seed) = (header.name(source)?, header.seed(source)?);
        let base = own.base(source, register)?;
        let mut panel = own.panel(source, register)?;
        let isolation = header.isolation(source)?;
        panel.iter_mut().for_each(|bot| bot.spec.isolate(&isolation));
        let retune = own.retune(source, &panel, &base, seed, register)?;
        let (axes, is_about_matches) = own.axes(source, &base, register)?;
        let PointExtent { unit, numbers, is_chosen } = own.extent(source, is_about_matches)?;
        let is_grid = is_grid(&axes);
        let asked = own.points(source, is_grid)?;
        let size = if is_grid { grid_size(&axes) } else { Some(asked) };
        if size.is_none_or(|size| size > MOST_POINTS) {
            let tuned = retune.as_ref().map_or(0.0, |retune| retune.games as f64 / panel.len() as f64);
            let each = pace(seed, unit, &base, &panel, register)? * (numbers as f64 + tuned);
            return Err(source.error(&sweep_key("axes"), too_many(size, each)));
        }
        let levels = levels(source, &axes, asked, seed)?;
        let (points, base, left_out) = points(source, levels, &axes, &base, register)?;
        let variants: Vec<Variant> = points.iter().map(|point| point.variant.clone()).collect();
        let restrictions = own.restrictions(source, &panel, &variants, register)?;
        let measures = measures(&variants[base], unit, panel.len(), &restrictions);
        if let Some(retune) = &retune {
            retune.check(source, &sweep_key("retune"), &variants)?;
            panel.push(Bot { name: retuned_name(&panel[retune.bot].name), ..panel[retune.bot].clone() });
        }
        let wishes = own.wishes(source, &panel, retune.as_ref(), &measures)?;
        let plan = SweepPlan {
            name,
            seed,
            out: header.out(),
            unit,
            numbers,
            has_chosen_matches: is_chosen,
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
        plan.check_bots(source, &variants)?;
        Ok(plan)
    }

    /// Checks that all bots play all variants.
    fn check_bots(&self, source: &Source, variants: &[Variant]) -> Result<(), InputError> {
        for (number, bot) in self.given().iter().enumerate() {
            check_eligible(bot, variants).map_err(|problem| source.error(&SweepPlan::place_of_bot(number), problem))?;
        }
        Ok(())
    }

    /// Returns the isolation of external bots; `None` if no bot is external.
    pub fn isolation(&self) -> Option<&Isolation> {
        isolation_of(&self.panel)
    }

    /// Hides a folder, such as the results folder, from bots.
    pub fn hide(&mut self, folder: &Path) {
        hide(self.all_bots(), folder);
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

    /// Returns the indices of the points that are played: all points, or those of the shard.
    pub fn points_to_play(&self) -> Range<usize> {
        let all = self.points.len() as u64;
        let own = self.shard.map_or(0..all, |shard| shard.range(all));
        own.start as usize..own.end as usize
    }

    /// Returns the place in the config of a bot that the config names.
    pub fn place_of_bot(number: usize) -> Vec<String> {
        [sweep_key("panel"), vec![number.to_string()]].concat()
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
        let axis = |axis: &SweepAxis| (axis.key.clone(), Value::Array(axis.values.clone()));
        let wish = |wish: &SweepWish| (wish.measure.clone(), wish.to_value(&self.panel));
        let option = |option: &Restriction| (option.name.clone(), option.to_value(&self.panel));
        let own = SweepKeys {
            base: Some(self.points[self.base].variant.to_table().into()),
            // Written explicitly, so that single deals stay single deals regardless of the axes.
            unit: Some(self.unit),
            deals: (self.unit == Unit::Deal).then_some(self.numbers as i64),
            matches: (self.unit == Unit::Match).then_some(self.numbers as i64),
            panel: self.given().iter().map(|bot| bot.to_table().into()).collect(),
            axes: self.axes.iter().map(axis).collect(),
            points: (!self.is_grid).then_some(self.asked as i64),
            want: self.wishes.iter().map(wish).collect(),
            restrict: self.restrictions.iter().map(option).collect(),
            retune: self.retune.as_ref().map(Retune::to_table),
        };
        let sweep = Table::try_from(own).expect("plain values");
        Header::of(&self.name, self.seed, self.isolation()).to_toml(SweepConfig { sweep })
    }
}

/// Returns the seconds that a deal or match takes, over all bots of the panel.
fn pace(seed: u64, unit: Unit, base: &Variant, panel: &[Bot], register: &Register) -> Result<f64, InputError> {
    for bot in panel {
        check_eligible(bot, std::slice::from_ref(base)).map_err(InputError::plain)?;
    }
    let tournament = Tournament::of(seed, Format::Mirror, PACE_DEALS, base.clone(), panel.to_vec(), register);
    let mut tournament = tournament.map_err(|error| InputError::plain(error.to_string()))?;
    tournament.unit = unit;
    let began = Instant::now();
    Run::new(tournament).play()?;
    Ok(began.elapsed().as_secs_f64() / PACE_DEALS as f64)
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
