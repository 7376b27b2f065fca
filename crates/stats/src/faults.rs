//! Adds faults to the tables of results.

use overtrick_external::process::{Isolation, Level};
use overtrick_strategy::ids::BotId;
use overtrick_tournament::{Faults, Tournament, Unit, VariantRun};

use super::results::Results;
use super::rows::FaultRow;

impl Results {
    /// Adds the faults of the bots in `runs`, by variant.
    pub fn add_faults(&mut self, tournament: &Tournament, runs: &[VariantRun]) {
        self.notes.extend(isolation_note(tournament).map(str::to_owned));
        for bot in &tournament.bots {
            if let Some(params) = bot.spec.process()
                && params.patience.is_spent()
            {
                let most = params.patience.most().as_secs_f64();
                self.notes.push(format!(
                    "{} was given up after the run had waited in vain for it for {most} s in all; `waiting` in `[faults]` \
                     gives it more",
                    bot.name
                ));
            }
        }
        for (number, run) in runs.iter().enumerate() {
            let variant = &tournament.variants[number].name;
            for &(bot, ref faults) in &run.disqualified {
                let name = &tournament.bot(bot).name;
                self.notes.push(format!(
                    "{variant}: {name} was disqualified after {} faults, and all was played again without it",
                    faults.count()
                ));
            }
            if run.is_void {
                self.notes.push(format!("{variant}: no bot is left to play"));
            }
            for bot in tournament.bot_ids() {
                let out = run.disqualified.iter().find(|&&(own, _)| own == bot);
                let faults = out.map_or(&run.faults[bot.index()], |(_, faults)| faults);
                self.add_faults_of(tournament, number, bot, faults, out.is_some());
            }
        }
    }

    /// Adds the faults of a bot in a variant.
    fn add_faults_of(&mut self, tournament: &Tournament, number: usize, bot: BotId, faults: &Faults, is_out: bool) {
        let name = &tournament.bot(bot).name;
        let variant = &tournament.variants[number].name;
        for row in &mut self.bots {
            if row.variant == *variant && row.bot == *name {
                let kinds: Vec<String> = faults.kinds().map(|(kind, count)| format!("{kind} {count}")).collect();
                (row.faults, row.fault_kinds, row.disqualified) = (faults.count(), kinds.join("; "), is_out);
            }
        }
        for row in &mut self.ratings {
            if row.bot == *name && (row.variant == *variant || row.variant == "all") {
                row.faults += faults.count();
            }
        }
        for row in &mut self.pairs {
            if row.variant == *variant && (row.bot_a == *name || row.bot_b == *name) {
                row.faults += faults.count();
            }
        }
        let seats = tournament.schedules[number].seats;
        for (moment, fault) in faults.first() {
            self.faults.push(FaultRow {
                variant: variant.clone(),
                bot: name.clone(),
                kind: fault.kind.name(),
                deal: moment.number,
                deal_of_match: (tournament.unit == Unit::Match).then_some(moment.deal),
                seat: fault.seat.index(),
                seating: fault.bots.of(seats).iter().map(|&bot| tournament.bot(bot).name.clone()).collect(),
                what: fault.what.clone(),
            });
        }
    }
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
