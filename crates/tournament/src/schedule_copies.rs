//! Line-ups in which a bot sits twice, for ratings that do not depend on who else has entered.
//!
//! A bot that has all seats of a table is never ahead of the table's mean, so such line-ups are not played. At
//! tables of two there are no others.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_strategy::ids::{BotId, LineUpId};

use super::Unit;
use super::schedule::{LineUp, MOST_LINE_UPS, Schedule};
use super::schedule_error::ScheduleError;

/// The seats of tables at which a bot can sit twice with another.
const SEATS: usize = 3;

/// A line-up in which a bot sits twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyLineUp {
    /// The bot that sits twice.
    pub twice: BotId,
    /// The bot that sits once.
    pub once: BotId,
}

impl CopyLineUp {
    /// Returns how far the two chairs of the bot that sits twice are ahead of the third, added up.
    ///
    /// `values` are by seat, and more is better. In matches a chair counts 1 if it finished ahead, and -1 if it
    /// finished behind.
    ///
    /// # Panics
    /// If the bot that sits once is not at the table.
    pub fn margin(self, bots: &BySeat<BotId>, values: &BySeat<i32>, unit: Unit) -> i64 {
        let third = Seat::all(SEATS).find(|&seat| bots[seat] == self.once).expect("the bot that sits once");
        let mut margin = 0;
        for seat in Seat::all(SEATS).filter(|&seat| seat != third) {
            let ahead = i64::from(values[seat]) - i64::from(values[third]);
            margin += if unit == Unit::Match { ahead.signum() } else { ahead };
        }
        margin
    }
}

impl Schedule {
    /// Adds, for tables of three, the line-ups of each bot twice with each other bot once.
    ///
    /// # Errors
    /// If there are too many, or if more than three players sit at a table.
    pub(super) fn with_copies(mut self, bots: usize) -> Result<Schedule, ScheduleError> {
        if self.seats > SEATS {
            return Err(ScheduleError::Copies(self.seats));
        }
        if self.seats != SEATS {
            return Ok(self);
        }
        let line_ups = self.line_ups.len() as u128 + bots as u128 * (bots as u128 - 1);
        if line_ups > MOST_LINE_UPS as u128 {
            return Err(ScheduleError::TooManyLineUps { bots, line_ups, most: MOST_LINE_UPS });
        }
        let ids = || (0..).take(bots);
        let mut chairs: Vec<Vec<u16>> = Vec::new();
        for twice in ids() {
            chairs.extend(ids().filter(|&once| once != twice).map(|once| vec![twice, twice, once]));
        }
        self.copies = Some(Box::new(Schedule::listed(&chairs, self.teams)?));
        Ok(self)
    }

    /// Returns the line-ups in which a bot sits twice, in order.
    pub fn copies(&self) -> impl Iterator<Item = CopyLineUp> {
        self.copies.iter().flat_map(|copies| copies.line_up_ids().map(move |line_up| copies.copy_line_up(line_up)))
    }

    /// Returns the number of games played for each deal or match number, with line-ups of copies.
    pub fn games_with_copies(&self) -> usize {
        self.games_a_number() + self.copies.as_ref().map_or(0, |copies| copies.games_a_number())
    }

    /// Returns the number of line-ups, with those of copies.
    pub fn line_ups_with_copies(&self) -> usize {
        self.line_ups.len() + self.copies.as_ref().map_or(0, |copies| copies.line_ups.len())
    }

    /// Returns the number of a line-up among those in which a bot sits twice; `None` for other line-ups.
    #[inline]
    pub fn copy_number(&self, line_up: LineUpId) -> Option<usize> {
        line_up.index().checked_sub(self.line_ups.len())
    }

    /// Returns whether a bot has several seats at some table.
    pub(super) fn seats_bots_twice(&self) -> bool {
        self.members() < self.seats || self.copies.is_some()
    }

    /// Returns who sits twice and who once in a line-up of two bots at a table of three.
    fn copy_line_up(&self, line_up: LineUpId) -> CopyLineUp {
        let members: &LineUp = &self.line_ups[line_up.index()];
        let seated = self.bots(line_up, self.played(line_up)[0]);
        let first = seated.of(self.seats).iter().filter(|&&bot| bot == members[0]).count();
        let [twice, once] = if first == 2 { [members[0], members[1]] } else { [members[1], members[0]] };
        CopyLineUp { twice, once }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    fn schedule(bots: usize, seats: usize) -> Schedule {
        Schedule::new(Format::RoundRobin, bots, None, seats).unwrap().with_copies(bots).unwrap()
    }

    fn texts(schedule: &Schedule) -> Vec<String> {
        let text = |(line_up, seating)| {
            let bots = schedule.bots(line_up, seating);
            bots.of(schedule.seats).iter().map(|bot| char::from(b'A' + bot.index() as u8)).collect()
        };
        schedule.games().map(text).collect()
    }

    #[test]
    fn each_bot_sits_twice_with_each_other_in_three_seatings() {
        let of_three = schedule(3, 3);
        let all = texts(&of_three);
        assert_eq!(all[..6], ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]);
        assert_eq!(all[6..12], ["AAB", "ABA", "BAA", "AAC", "ACA", "CAA"]);
        assert_eq!((all.len(), of_three.games_with_copies(), of_three.games_a_number()), (24, 24, 6));
        assert_eq!((of_three.line_ups_with_copies(), of_three.line_ups.len(), of_three.members()), (7, 1, 3));
        let copies: Vec<[usize; 2]> = of_three.copies().map(|it| [it.twice.index(), it.once.index()]).collect();
        assert_eq!(copies, [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]);
        let numbers: Vec<_> = LineUpId::all(3).map(|line_up| of_three.copy_number(line_up)).collect();
        assert_eq!(numbers, [None, Some(0), Some(1)]);
    }

    #[test]
    fn the_margin_is_that_of_both_chairs_over_the_third() {
        let [a, b] = [4, 1].map(BotId::new);
        let margin = |bots: [BotId; 3], values: [i32; 3], unit| {
            CopyLineUp { twice: a, once: b }.margin(&BySeat::new(bots), &BySeat::new(values), unit)
        };
        assert_eq!(margin([a, a, b], [10, -3, 2], Unit::Deal), 8 - 5);
        assert_eq!(margin([b, a, a], [10, -3, 2], Unit::Deal), -13 - 8);
        assert_eq!(margin([a, b, a], [10, -3, 2], Unit::Match), 2);
        assert_eq!(margin([a, b, a], [-3, -3, -4], Unit::Match), -1);
    }

    #[test]
    fn at_tables_of_two_there_are_no_copies() {
        let of_two = schedule(3, 2);
        assert_eq!(of_two, Schedule::new(Format::RoundRobin, 3, None, 2).unwrap());
        assert_eq!((of_two.copies().count(), of_two.seats_bots_twice()), (0, false));
        assert!(schedule(3, 3).seats_bots_twice());
    }

    #[test]
    fn at_tables_of_four_copies_are_refused() {
        let of_four = Schedule::new(Format::RoundRobin, 5, None, 4).unwrap().with_copies(5);
        assert_eq!(of_four, Err(ScheduleError::Copies(4)));
    }

    #[test]
    fn a_bot_that_is_dropped_leaves_the_line_ups_of_copies_too() {
        let mut schedule = schedule(4, 3);
        assert!(schedule.drop_bot(BotId::new(1)));
        assert_eq!(schedule.line_ups, [[0, 2, 3].map(BotId::new)]);
        let copies: Vec<[usize; 2]> = schedule.copies().map(|it| [it.twice.index(), it.once.index()]).collect();
        assert_eq!(copies, [[0, 2], [0, 3], [2, 0], [2, 3], [3, 0], [3, 2]]);
        assert_eq!(texts(&schedule)[6..9], ["AAC", "ACA", "CAA"]);
        assert!(!schedule.clone().drop_bot(BotId::new(0)));
    }

    #[test]
    fn too_many_line_ups_of_copies_are_refused_before_they_are_listed() {
        let one = Schedule::new(Format::RoundRobin, 3, None, 3).unwrap();
        let refused = one.with_copies(3000).unwrap_err().to_string();
        assert!(refused.contains("3000 bots make 8997001 line-ups"), "{refused}");
    }
}
