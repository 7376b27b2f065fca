//! Adds faults to the tables of results.

use overtrick_external::process::{Isolation, Level};
use overtrick_strategy::ids::BotId;
use overtrick_tournament::{Faults, Tournament, Unit, VariantRun};

use super::results::Results;
use super::rows::FaultRow;

impl Results {
    /// Adds the faults of the bots in `runs`, by variant.
    pub fn add_faults(&mut self, tournament: &Tournament, runs: &[VariantRun]) {
        let isolation = match tournament.isolation().map(Isolation::level) {
            Some(Level::None) => Some("external bots were not sandboxed: they could do all that you can"),
            Some(Level::Available) => {
                Some("external bots were sandboxed by the parts that the system has (`sandbox` is \"available\")")
            }
            Some(Level::Strict) | None => None,
        };
        self.notes.extend(isolation.map(str::to_owned));
        for bot in &tournament.bots {
            if let Some(patience) = bot.spec.process().map(|params| &params.patience).filter(|all| all.is_spent()) {
                let most = patience.most().as_secs_f64();
                self.notes.push(format!(
                    "{} was given up after the run had waited in vain for it for {most} s in all; `waiting` in `[faults]` \
                     gives it more",
                    bot.name
                ));
            }
        }
        for (number, ran) in runs.iter().enumerate() {
            let variant = &tournament.variants[number].name;
            for &(bot, ref faults) in &ran.disqualified {
                let name = &tournament.bot(bot).name;
                self.notes.push(format!(
                    "{variant}: {name} was disqualified after {} faults, and all was played again without it",
                    faults.count()
                ));
            }
            if ran.is_void {
                self.notes.push(format!("{variant}: no bot is left to play"));
            }
            for bot in tournament.bot_ids() {
                let out = ran.disqualified.iter().find(|&&(own, _)| own == bot);
                let faults = out.map_or(&ran.faults[bot.index()], |(_, faults)| faults);
                self.add(tournament, number, bot, faults, out.is_some());
            }
        }
    }

    fn add(&mut self, tournament: &Tournament, variant: usize, bot: BotId, faults: &Faults, disqualified: bool) {
        let name = |bot: BotId| tournament.bot(bot).name.clone();
        let (seats, variant) = (tournament.schedules[variant].seats, &tournament.variants[variant].name);
        let is_own = |row: &&mut super::BotRow| row.variant == *variant && row.bot == name(bot);
        if let Some(row) = self.bots.iter_mut().find(is_own) {
            let kinds: Vec<String> = faults.kinds().map(|(kind, count)| format!("{kind} {count}")).collect();
            (row.faults, row.fault_kinds, row.disqualified) = (faults.count(), kinds.join("; "), disqualified);
        }
        for row in self.ratings.iter_mut().filter(|row| row.bot == name(bot)) {
            if row.variant == *variant || row.variant == "all" {
                row.faults += faults.count();
            }
        }
        let pairs = self.pairs.iter_mut().filter(|row| row.variant == *variant);
        for row in pairs.filter(|row| row.bot_a == name(bot) || row.bot_b == name(bot)) {
            row.faults += faults.count();
        }
        let row =
            |(moment, fault): (&overtrick_tournament::FaultPosition, &overtrick_tournament::NotedFault)| FaultRow {
                variant: variant.clone(),
                bot: name(bot),
                kind: fault.kind.name(),
                deal: moment.number,
                deal_of_match: (tournament.unit == Unit::Match).then_some(moment.deal),
                seat: fault.seat.index(),
                seating: fault.bots.of(seats).iter().map(|&bot| name(bot)).collect(),
                what: fault.what.clone(),
            };
        self.faults.extend(faults.first().map(row));
    }
}
