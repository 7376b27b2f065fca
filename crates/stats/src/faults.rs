//! The faults of external bots in the tables of results.

use overtrick_external::process::{Isolation, Level};
use overtrick_strategy::ids::BotId;
use overtrick_tournament::{Faults, Tournament, Unit, VariantRun};

use super::counted::Counted;
use super::rows::FaultRow;

impl<'a> Counted<'a> {
    /// Returns the tally of a variant of a tournament, with its run.
    pub(super) fn of_run(tournament: &'a Tournament, variant: usize, run: &'a VariantRun) -> Counted<'a> {
        Counted { run: Some(run), ..Counted::new(tournament, variant, &run.tally) }
    }

    /// Returns the faults of a bot; `None` where only the tally is known.
    fn all_faults(&self, bot: BotId) -> Option<&'a Faults> {
        let run = self.run?;
        let out = run.disqualified.iter().find(|&&(own, _)| own == bot);
        Some(out.map_or(&run.faults[bot.index()], |(_, faults)| faults))
    }

    /// Returns the number of faults of a bot.
    pub(super) fn faults(&self, bot: BotId) -> u64 {
        self.all_faults(bot).map_or(0, Faults::count)
    }

    /// Writes the number of faults of a bot by kind, as `crash 3; time-out 1`.
    pub(super) fn fault_kinds(&self, bot: BotId) -> String {
        let Some(faults) = self.all_faults(bot) else { return String::new() };
        let kinds: Vec<String> = faults.kinds().map(|(kind, count)| format!("{kind} {count}")).collect();
        kinds.join("; ")
    }

    /// Returns whether a bot was disqualified.
    pub(super) fn is_disqualified(&self, bot: BotId) -> bool {
        self.run.is_some_and(|run| run.disqualified.iter().any(|&(own, _)| own == bot))
    }

    /// Returns the rows of the first faults of each bot.
    pub(super) fn fault_rows(&self) -> Vec<FaultRow> {
        let name = |bot: BotId| self.tournament.bot(bot).name.clone();
        let mut rows = Vec::new();
        for bot in self.tournament.bot_ids() {
            for (moment, fault) in self.all_faults(bot).into_iter().flat_map(Faults::first) {
                rows.push(FaultRow {
                    variant: self.variant.to_owned(),
                    bot: name(bot),
                    kind: fault.kind.name(),
                    deal: moment.number,
                    deal_of_match: (self.tournament.unit == Unit::Match).then_some(moment.deal),
                    seat: fault.seat.index(),
                    seating: fault.bots.of(self.schedule.seats).iter().map(|&bot| name(bot)).collect(),
                    what: fault.what.clone(),
                });
            }
        }
        rows
    }
}

/// Returns notes on the sandbox, and on bots that were given up or disqualified.
pub(super) fn fault_notes(tournament: &Tournament, runs: &[VariantRun]) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(isolation_note(tournament).map(str::to_owned));
    for bot in &tournament.bots {
        if let Some(params) = bot.spec.process()
            && params.patience.is_spent()
        {
            let most = params.patience.most().as_secs_f64();
            notes.push(format!(
                "{} was given up after the run had waited in vain for it for {most} s in all; `waiting` in `[faults]` \
                 gives it more",
                bot.name
            ));
        }
    }
    for (run, variant) in runs.iter().zip(&tournament.variants) {
        let variant = &variant.name;
        for &(bot, ref faults) in &run.disqualified {
            let name = &tournament.bot(bot).name;
            notes.push(format!(
                "{variant}: {name} was disqualified after {} faults, and all was played again without it",
                faults.count()
            ));
        }
        if run.is_void {
            notes.push(format!("{variant}: no bot is left to play"));
        }
    }
    notes
}

/// Returns the note on external bots that were less isolated than a sandbox can do.
fn isolation_note(tournament: &Tournament) -> Option<&'static str> {
    match tournament.isolation().map(Isolation::level)? {
        Level::None => Some("external bots were not sandboxed: they could do all that you can"),
        Level::Available => {
            Some("external bots were sandboxed by the parts that the system has (`sandbox` is \"available\")")
        }
        Level::Strict => None,
    }
}
