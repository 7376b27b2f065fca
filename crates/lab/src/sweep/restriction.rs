//! Options whose worth is measured.
//!
//! The worth is how far a bot that may not use an option falls behind copies of itself that may. See Jaffe et
//! al. 2012, "Evaluating competitive game balance with restricted play", *AIIDE*.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use overtrick_cards::Card;
use overtrick_games::Variant;
use overtrick_run::Threads;
use overtrick_stats::{Contrast, GroupSum};
use overtrick_strategies::{AnySpec, Bot, Register};
use overtrick_toml::{InputError, Source};
use overtrick_tournament::{DealRecord, Tournament, check_eligible, replay_each};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::wish::in_panel;
use crate::exploit::habit;

/// The prefix of the names of measures of worth.
const WORTH: &str = "worth";
/// The number of deals, or matches, in which the uses of an option are counted.
pub const USED_DEALS: u64 = 1000;
/// The number of deals in a part that one thread plays.
const PART: u64 = 8;

/// An option whose worth is measured.
#[derive(Clone, Debug)]
pub struct Restriction {
    /// The name of the option.
    pub name: String,
    /// The number of the bot in the panel.
    pub bot: usize,
    /// The patterns of the forbidden moves, by their text.
    pub forbid: Vec<String>,
    /// The bot that may not make them, with the parameters that it has in the panel.
    restricted: Bot,
}

/// The keys of a restriction, as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct RestrictionKeys {
    bot: Option<String>,
    forbid: Vec<String>,
}

impl Restriction {
    /// Reads the option at `at`.
    ///
    /// Without `bot`, the option is about the last bot of the panel.
    pub(super) fn read(
        source: &Source,
        at: &[String],
        name: &str,
        written: &Value,
        panel: &[Bot],
        register: &Register,
    ) -> Result<Restriction, InputError> {
        let written: RestrictionKeys = match written {
            Value::Array(_) => source.fields(at, &Table::from_iter([("forbid".to_owned(), written.clone())]))?,
            Value::Table(table) => source.fields(at, table)?,
            _ => return Err(source.error(at, "is neither a list of moves nor a table with `bot` and `forbid`")),
        };
        if written.forbid.is_empty() {
            return Err(source.error(at, "forbids nothing: give `forbid`, a list of moves such as [\"misere\"]"));
        }
        let bot = in_panel(source, at, written.bot.as_deref(), panel)?;
        let manifest = habit(&panel[bot], &format!("{}-restricted", panel[bot].name), &written.forbid);
        let restricted = register.find_bot(source, at, &manifest)?;
        Ok(Restriction { name: name.to_owned(), bot, forbid: written.forbid, restricted })
    }

    /// Checks that every pattern matches a move of each variant.
    pub(super) fn check(&self, source: &Source, at: &[String], variants: &[Variant]) -> Result<(), InputError> {
        check_eligible(&self.restricted, variants).map_err(|problem| source.error(at, problem))
    }

    /// Returns `bot` with these moves forbidden.
    ///
    /// `bot` is the bot of the panel, perhaps with other parameters.
    ///
    /// # Errors
    /// If the strategy does not allow the parameters.
    pub(super) fn restricted(&self, bot: &Bot, register: &Register) -> Result<Bot, InputError> {
        let inner = Table::from_iter([("bot".to_owned(), Value::Table(bot.to_table()))]);
        let mut restricted = register.changed(&self.restricted, &self.restricted.name, &inner)?;
        // A manifest does not carry the isolation of its bot, so it was lost on the way.
        if let Some(params) = bot.spec.process() {
            restricted.spec.isolate(&params.isolation);
        }
        Ok(restricted)
    }

    /// Returns the names of its measures: worth in points, worth in standard deviations, and frequency of
    /// use.
    pub fn measures(&self) -> [String; 3] {
        [format!("{WORTH} {}", self.name), format!("{WORTH}-sd {}", self.name), self.used_measure()]
    }

    /// Returns the name of the measure of its worth in points.
    pub fn worth_measure(&self) -> String {
        let [points, ..] = self.measures();
        points
    }

    /// Returns the name of the measure of its frequency of use.
    pub fn used_measure(&self) -> String {
        format!("used {}", self.name)
    }

    /// Returns the share of the first deals in which the option is used.
    ///
    /// All seats are copies of the bot that may use it. `tournament` is the one in which one copy may not.
    /// `None` for external bots, which would take the same time again. The result is meaningless once `stop`
    /// is set.
    pub(super) fn used(&self, tournament: &Tournament, threads: &Threads, stop: &AtomicBool) -> Option<Contrast> {
        let free = &tournament.bots[1];
        let AnySpec::Restricted(forbidden) = &self.restricted.spec else { return None };
        if free.spec.process().is_some() {
            return None;
        }
        let seats = tournament.schedules[0].seats;
        let is_used = |record: &DealRecord| {
            record.moves.iter().any(|made| forbidden.forbids(&made.text, made.text.parse::<Card>().is_err()))
        };
        let bots = vec![free.clone(); seats];
        let count = |numbers: Range<u64>| {
            let mut groups = vec![GroupSum::default(); (numbers.end - numbers.start) as usize];
            if stop.load(Ordering::Relaxed) {
                return groups;
            }
            replay_each(tournament, 0, numbers.clone(), &bots, false, &mut |deal| {
                groups[(deal.game.unwrap_or(deal.deal) - numbers.start) as usize] +=
                    GroupSum::of_events(u64::from(is_used(&deal)), 1);
            });
            groups
        };
        let end = tournament.numbers.min(USED_DEALS);
        let parts: Vec<Range<u64>> =
            (0..end).step_by(PART as usize).map(|start| start..end.min(start + PART)).collect();
        let counted: Vec<Vec<GroupSum>> = threads.pool().install(|| parts.into_par_iter().map(count).collect());
        let mut groups = counted.concat();
        groups.resize(USED_DEALS as usize, GroupSum::default());
        Contrast::of_mean(&groups)
    }

    /// Returns the option as a config has it.
    pub(super) fn to_value(&self, panel: &[Bot]) -> Value {
        let keys = RestrictionKeys { bot: Some(panel[self.bot].name.clone()), forbid: self.forbid.clone() };
        Value::try_from(keys).expect("plain values")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::SweepPlan;
    use crate::sweep::leg::Leg;

    #[test]
    fn uses_are_counted_alike_on_any_number_of_threads_and_not_after_a_stop() {
        let config = "seed = 1\n[sweep]\nbase = \"chameleon\"\nmatches = 20\npanel = [\"random\"]\n[sweep.restrict]\n\
                      misere = [\"misere*\"]\n";
        let source = Source::parse(std::path::Path::new("s.toml"), config.to_owned()).unwrap();
        let plan = SweepPlan::resolve(&source, &Register::default()).unwrap();
        let leg = Leg::Option { bot: 0, number: 0 };
        let tournament = plan.tournament(plan.base, &leg, &plan.panel).unwrap();
        let used = |threads: usize, is_stopped: bool| {
            plan.restrictions[0].used(&tournament, &Threads::new(threads).unwrap(), &AtomicBool::new(is_stopped))
        };
        let alone = used(1, false).expect("deals are counted");
        assert!(alone.value() > 0.0 && alone.groups() == USED_DEALS as usize);
        assert_eq!(used(3, false), Some(alone));
        assert_eq!(used(3, true), None);
    }
}
