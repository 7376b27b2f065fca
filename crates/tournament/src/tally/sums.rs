//! The sums that agree in every tally.

use overtrick_cards::table::Role;
use overtrick_strategy::ids::LineUpId;

use super::Tally;
use crate::{Flaw, OpenNumber, Schedule, ensure};

impl Tally {
    /// Checks the sums that agree in every tally of `schedule`; the numbers in `open` have unfinished games.
    ///
    /// # Errors
    /// Returns the flaw.
    pub fn check_sums(&self, schedule: &Schedule, open: &[OpenNumber]) -> Result<(), Flaw> {
        let games: Vec<_> = schedule.games().collect();
        let mut left = vec![0; schedule.line_ups_with_copies()];
        for &game in open.iter().flat_map(|open| &open.left) {
            left[games[game as usize].0.index()] += 1;
        }
        let begun = self.blocks.count + open.len() as u64;
        let mut deals = 0;
        let mut by_bot = vec![(0_i128, 0); self.score_sums.by_bot.len()];
        for line_up in schedule.line_up_ids() {
            // Seatings by role permute with the dealer, so only their sum over a line-up is fixed.
            let mut played = 0;
            for (seating, group) in
                schedule.seating_ids().flat_map(|seating| self.group_ids().map(move |group| (seating, group)))
            {
                let own = self.deals(line_up, group, seating);
                played += self.games(line_up, group, seating).sum::<u64>();
                deals += own;
                for role in Role::all(schedule.seats) {
                    let (score, count) = &mut by_bot[schedule.bot_by_role(line_up, seating, role).index()];
                    *score += i128::from(self.score(line_up, group, seating, role));
                    *count += own;
                }
            }
            let due = begun * schedule.played(line_up).len() as u64;
            ensure(played + left[line_up.index()] == due, "games do not add up to the games played")?;
        }
        for (copy, line_up) in LineUpId::all(left.len()).skip(schedule.line_ups.len()).enumerate() {
            let played: u64 = self.copies.line_up(copy).iter().map(|cell| cell.games).sum();
            let due = begun * schedule.played(line_up).len() as u64;
            ensure(played + left[line_up.index()] == due, "games of copies do not add up to the games played")?;
        }
        let ended: u64 = self.all_ends.0.iter().map(|ends| ends.deals).sum();
        ensure(ended == deals, "ends of deals do not add up to its deals")?;
        let scores = self.score_sums.by_bot.iter().map(|scores| (scores.sum(), scores.count()));
        ensure(by_bot.into_iter().eq(scores), "scores by bot do not add up to those by line-up")
    }
}
