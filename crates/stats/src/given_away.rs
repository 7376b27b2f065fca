//! The tricks or points that plays gave away with all cards known, by bot, role and trick.

use overtrick_cards::table::Role;
use overtrick_ratings::interval::{GroupSum, grouped_mean};
use overtrick_strategy::ids::BotId;
use overtrick_tournament::{Loss, parts_of_a_point};

use super::counted::Counted;
use super::rows::Interval;
use crate::rows;

rows! {
    /// The tricks or points that a bot's plays gave away in the deals that were judged with all cards known.
    /// They are no measure of skill by themselves: the best play for a player who does not see all cards
    /// gives away something, too.
    pub struct GivenAwayRow {
        /// The variant.
        variant: String,
        /// The bot.
        bot: String,
        /// In which deals: `all`, where it was `dealer`, `forehand`, `middlehand` or `rearhand`, or where it was
        /// `declarer` or `defender`, in contracts of one side against another.
        role: &'static str,
        /// The number of the trick, from 1; none for all tricks together.
        trick: Option<usize>,
        /// The unit: `tricks` or, in games that never have two sides, `points`.
        unit: &'static str,
        /// The deals, counted once for each seat that the bot had.
        deals: u64,
        /// The cards that were judged. Points take many positions to find, so only the last tricks are
        /// judged.
        plays: u64,
        /// Tricks or points given away a deal: how much better the best card would have been, if all play as
        /// well as possible from then on. Points are those of the lead over the mean of the others.
        given_away: Interval as [given_away, low, high],
    }
}

/// The deals of a row.
#[derive(Clone, Copy, PartialEq)]
enum DealsOfBot {
    All,
    InRole(Role),
    /// As declarer, or as defender.
    OnSide {
        is_declarer: bool,
    },
}

impl DealsOfBot {
    /// Returns the deals of all rows in order; those of sides only if there are sides.
    fn all(seats: usize, has_sides: bool) -> Vec<DealsOfBot> {
        let mut all = vec![DealsOfBot::All];
        all.extend(Role::all(seats).map(DealsOfBot::InRole));
        if has_sides {
            all.extend([true, false].map(|is_declarer| DealsOfBot::OnSide { is_declarer }));
        }
        all
    }

    fn name(self, seats: usize) -> &'static str {
        match self {
            DealsOfBot::All => "all",
            DealsOfBot::InRole(role) => role.name(seats),
            DealsOfBot::OnSide { is_declarer: true } => "declarer",
            DealsOfBot::OnSide { is_declarer: false } => "defender",
        }
    }

    /// Returns whether a deal is among these, by the bot's role and side.
    fn has(self, role: Role, declares: bool) -> bool {
        match self {
            DealsOfBot::All => true,
            DealsOfBot::InRole(meant) => role == meant,
            DealsOfBot::OnSide { is_declarer } => declares == is_declarer,
        }
    }
}

impl Counted<'_> {
    /// Returns the rows by bot, then role, then trick.
    ///
    /// There are rows of sides only where contracts have sides.
    pub(super) fn given_away_rows(&self) -> Vec<GivenAwayRow> {
        let has_sides = !self.game.contract_kinds().is_empty();
        let mut rows = Vec::new();
        for bot in self.tournament.bot_ids() {
            for deals in DealsOfBot::all(self.schedule.seats, has_sides) {
                rows.extend(self.given_away_by_trick(bot, deals));
            }
        }
        rows
    }

    /// Returns the rows of a bot in these deals, first over all tricks.
    fn given_away_by_trick(&self, bot: BotId, meant: DealsOfBot) -> Vec<GivenAwayRow> {
        let of_a_point = f64::from(parts_of_a_point(self.schedule.teams.count()));
        let groups = self.tally.given_away().of_bot(bot, |role, declares| meant.has(role, declares));
        let count = groups.first().map_or(0, |(_, tricks)| tricks.len());
        let mut rows = Vec::new();
        for trick in 0..=count {
            let range = if trick == 0 { 0..count } else { trick - 1..trick };
            let (mut parts, mut plays) = (Vec::with_capacity(groups.len()), 0);
            for (deals, tricks) in &groups {
                let mut sum = Loss::default();
                tricks[range.clone()].iter().for_each(|loss| sum.add(loss));
                parts.push(GroupSum::of_events(sum.parts, *deals));
                plays += sum.plays;
            }
            if plays > 0 {
                let deals = GroupSum::total(&parts).count;
                let mean = grouped_mean(&parts).map(|mean| mean.if_known(deals));
                rows.push(GivenAwayRow {
                    variant: self.variant.to_owned(),
                    bot: self.tournament.bot(bot).name.clone(),
                    role: meant.name(self.schedule.seats),
                    trick: (trick > 0).then_some(trick),
                    unit: if self.game.contract_kinds().is_empty() { "points" } else { "tricks" },
                    deals,
                    plays,
                    given_away: Interval::from(mean).map(|parts| parts / of_a_point),
                });
            }
        }
        rows
    }
}
