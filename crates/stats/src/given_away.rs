//! The tricks or points that plays gave away with all cards known, by bot, role and trick.

use overtrick_cards::table::Role;
use overtrick_ratings::interval::grouped_mean;
use overtrick_strategy::ids::BotId;
use overtrick_tournament::Loss;

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
        /// In which deals: `all`, where it was `dealer`, `forehand` or `rearhand`, or where it was `declarer`
        /// or `defender`, in contracts of one side against another.
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

/// Picks the deals of a row by role, and by whether the bot is on the declarer's side.
type Pick = fn(Role, bool) -> bool;

/// The roles of rows, with the deals that each takes.
const ROLES: [(&str, Pick); 6] = [
    ("all", |_, _| true),
    ("dealer", |role, _| role == Role::Dealer),
    ("forehand", |role, _| role == Role::Forehand),
    ("rearhand", |role, _| role == Role::Rearhand),
    ("declarer", |_, is_declarer| is_declarer),
    ("defender", |_, is_declarer| !is_declarer),
];

impl Counted<'_> {
    /// Returns the rows by bot, then role, then trick.
    ///
    /// There are rows of sides only where contracts have sides.
    pub(super) fn given_away_rows(&self) -> Vec<GivenAwayRow> {
        let has_sides = !self.game.contract_kinds().is_empty();
        let roles = ROLES.iter().filter(|(name, _)| has_sides || !["declarer", "defender"].contains(name));
        let of_bot = |bot| roles.clone().flat_map(move |&(role, pick)| self.losses(bot, role, pick, has_sides));
        self.tournament.bot_ids().flat_map(of_bot).collect()
    }

    fn losses(&self, bot: BotId, role: &'static str, pick: Pick, has_sides: bool) -> Vec<GivenAwayRow> {
        let groups = self.tally.given_away().of_bot(bot, pick);
        let deals: u64 = groups.iter().map(|(deals, _)| deals).sum();
        let row = |trick: Option<usize>| {
            let of_trick = |tricks: &[Loss]| {
                let mut sum = Loss::default();
                let meant = tricks.iter().enumerate().filter(|(at, _)| trick.is_none_or(|trick| trick == at + 1));
                meant.for_each(|(_, loss)| sum.add(loss));
                sum
            };
            let losses: Vec<(u64, Loss)> = groups.iter().map(|(deals, tricks)| (*deals, of_trick(tricks))).collect();
            let plays: u64 = losses.iter().map(|(_, loss)| loss.plays).sum();
            let mean = grouped_mean(losses.iter().map(|(deals, loss)| (loss.halves as i64, *deals)));
            (plays > 0).then(|| GivenAwayRow {
                variant: self.variant.to_owned(),
                bot: self.tournament.bot(bot).name.clone(),
                role,
                trick,
                unit: if has_sides { "tricks" } else { "points" },
                deals,
                plays,
                given_away: Interval::from(mean.map(|mean| mean.if_known(deals))).map(|halves| halves / 2.0),
            })
        };
        let tricks = groups.first().map_or(0, |(_, tricks)| tricks.len());
        [None].into_iter().chain((1..=tricks).map(Some)).filter_map(row).collect()
    }
}
