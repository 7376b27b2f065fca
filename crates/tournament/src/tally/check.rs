//! Checks that a tally read from a file is one that a run can produce.
//!
//! Counts that are kept in several places must agree, and other counts must be possible for the games played.

use overtrick_cards::table::Role;
use overtrick_strategy::ids::GroupId;

use super::played::{Flaw, Played, can_square, ensure};
use super::{Pattern, Tally};
use crate::{Format, Unit};

/// The deals, games, ties and scores of a set of cells.
#[derive(Clone, Copy, Default)]
struct Sums {
    deals: i128,
    games: i128,
    tied: i128,
    scores: [i128; 3],
}

impl Sums {
    fn add(&mut self, more: &Sums) {
        self.deals += more.deals;
        self.games += more.games;
        self.tied += more.tied;
        self.scores.iter_mut().zip(more.scores).for_each(|(sum, more)| *sum += more);
    }
}

impl Tally {
    /// Checks that the tally is possible for the games in `played`. Its shape must be right.
    ///
    /// # Errors
    /// Returns the flaw.
    pub fn check(&self, played: &Played<'_>) -> Result<(), Flaw> {
        let closed = played.closed(self.groups);
        let games = played.games(&closed);
        let mut by_group = vec![vec![Sums::default(); self.groups]; self.ends.len() / self.groups];
        let mut squares = vec![[0; 3]; by_group.len()];
        let mut by_bot = vec![[0_i128; 3]; played.bots];
        let mut ahead = 0;
        for line_up in played.schedule.line_up_ids() {
            let part = self.part(line_up);
            let mut of_groups = vec![Sums::default(); self.groups];
            for seating in played.schedule.seating_ids() {
                let mut of_seating = Sums::default();
                for group in self.group_ids() {
                    let cell = self.sums_of(played, self.cell(line_up, group, seating))?;
                    of_seating.add(&cell);
                    of_groups[group.index()].add(&cell);
                }
                let products = self.products[line_up.index() * self.seatings + seating.index()];
                check_products(played, &of_seating, &products)?;
                for role in Role::all(self.seats) {
                    let bot = played.schedule.bot_by_role(line_up, seating, role);
                    let (score, square) = (of_seating.scores[role.index()], products[role.index()]);
                    let sums = &mut by_bot[bot.index()];
                    (sums[0], sums[1], sums[2]) = (sums[0] + of_seating.deals, sums[1] + score, sums[2] + square);
                    squares[part][role.index()] += square;
                    ahead += if bot.index() == 0 { score } else { -score };
                }
            }
            for (group, sums) in of_groups.iter().enumerate() {
                ensure(
                    sums.games == i128::from(games[group][line_up.index()]),
                    "games are not those that were played",
                )?;
                ensure(sums.deals >= sums.games, "deals are fewer than its games")?;
                by_group[part][group].add(sums);
            }
        }
        self.check_ends(played, &by_group, &squares)?;
        for (histogram, [deals, score, square]) in self.scores.iter().zip(by_bot) {
            let counts = histogram.iter().map(|(score, count)| (i128::from(score), i128::from(count)));
            let sums = counts.fold([0; 3], |[all, sum, squares]: [i128; 3], (score, count)| {
                let sum = sum.saturating_add(score * count);
                [all + count, sum, squares.saturating_add((score * score).saturating_mul(count))]
            });
            ensure(sums == [deals, score, square], "scores by bot are not those by line-up")?;
        }
        let of_group = |group: GroupId| {
            let mut sums = Sums::default();
            by_group.iter().for_each(|part| sums.add(&part[group.index()]));
            sums
        };
        for group in self.group_ids() {
            let Sums { deals, mut scores, .. } = of_group(group);
            for open in played.open.iter().filter(|open| open.number % self.groups as u64 == group.index() as u64) {
                let roles = open.roles.into_array();
                scores.iter_mut().zip(roles).for_each(|(sum, open)| *sum -= i128::from(open));
                let most = deals * played.farthest();
                let margins = open.margins.iter().chain([&open.margin]);
                let is_small = |sum: &i64| i128::from(*sum).abs() <= most * 3;
                ensure(roles.iter().chain(margins).all(is_small), "sums of a number in progress are too large")?;
            }
            let sums = self.blocks.groups.get(group.index()).ok_or("blocks are not in groups")?;
            sums.check(closed[group.index()], scores, deals * played.farthest())?;
            self.contracts.check(played, group, deals)?;
        }
        let open: i128 = played.open.iter().map(|open| i128::from(open.margin)).sum();
        let is_duel = played.format == Format::Duel;
        ensure(is_duel || played.open.iter().all(|open| open.margin == 0), "margins are those of no duel")?;
        let deals: i128 = self.group_ids().map(|group| of_group(group).deals).sum();
        self.blocks.check(if is_duel { ahead - open } else { 0 }, 3 * deals * played.farthest())?;
        self.swings.check(played, 3 * deals * played.farthest())?;
        ensure(!is_duel || self.swings.widest() == self.blocks.widest_margin, "widest margin is that of no deal")?;
        self.sample.check(played)?;
        let of_part = |part: usize, group: usize| by_group[part][group].deals;
        self.curves.check(by_group.len(), self.groups, of_part)?;
        self.given_away.check(|bot| self.scores(bot).count(), played.farthest())?;
        self.check_sample(played)
    }

    /// Returns the sums of a cell.
    fn sums_of(&self, played: &Played<'_>, start: usize) -> Result<Sums, Flaw> {
        let cell = &self.cells[start..start + super::width(self.seats)];
        let (scores, counts) = cell.split_at(self.seats);
        ensure(counts.iter().all(|&count| (0..1 << 62).contains(&count)), "counts are below 0, or too large")?;
        let mut sums = Sums { deals: counts[0].into(), ..Sums::default() };
        for (number, &count) in counts[1..].iter().enumerate() {
            sums.games += i128::from(count);
            sums.tied += if Pattern::is_tied_at(number, self.seats) { i128::from(count) } else { 0 };
        }
        for (sum, &score) in sums.scores.iter_mut().zip(scores) {
            *sum = score.into();
            ensure(played.can_sum(*sum, sums.deals), "scores are beyond what its deals can give")?;
        }
        ensure(played.unit == Unit::Match || sums.games == sums.deals, "games are not its deals")?;
        Ok(sums)
    }

    /// Checks the ends of deals and matches, by part and group.
    fn check_ends(&self, played: &Played<'_>, sums: &[Vec<Sums>], squares: &[[i128; 3]]) -> Result<(), Flaw> {
        for ((part, sums), squares) in sums.iter().enumerate().zip(squares) {
            let mut of_groups = [0_i128; 3];
            for (group, sums) in sums.iter().enumerate() {
                let ends = &self.ends[part * self.groups + group];
                ensure(i128::from(ends.deals) == sums.deals, "ends of deals are not as many as its deals")?;
                let counts = [ends.tied, ends.exceptional, ends.passed_out];
                ensure(counts.iter().all(|&count| count <= ends.deals), "ends of deals are more than its deals")?;
                let is_deal = played.unit == Unit::Deal;
                ensure(!is_deal || i128::from(ends.tied) == sums.tied, "ties are not those of its games")?;
                for ((all, score), square) in of_groups.iter_mut().zip(sums.scores).zip(ends.squares) {
                    let can = can_square(sums.deals, score, square, played.farthest());
                    ensure(can, "squares of scores are not those of any")?;
                    *all += square;
                }
                let matches = &self.matches[part * self.groups + group];
                let due = if is_deal { (0, 0) } else { (sums.games, sums.deals) };
                matches.check(due.0, due.1)?;
                ensure(i128::from(ends.cut_off) <= due.0, "matches that were cut off are more than its matches")?;
            }
            ensure(of_groups == *squares, "squares of scores by group are not those by line-up")?;
        }
        Ok(())
    }

    /// Checks that the deals kept singly add up to the scores, if all deals are kept.
    fn check_sample(&self, played: &Played<'_>) -> Result<(), Flaw> {
        let last = played.numbers.last().map_or(0, |range| range.end);
        if last == 0 || !self.sample.keeps(last - 1) {
            return Ok(());
        }
        for group in self.group_ids() {
            let numbers: Vec<_> = self.sample.numbers().filter(|&number| self.group(number as u64) == group).collect();
            for (at, (line_up, seating)) in played.schedule.cell_ids().enumerate() {
                for role in Role::all(self.seats) {
                    let of_number = |&number: &usize| Some(i128::from(self.sample.number(number)?[at].scores[role]));
                    let sum: i128 = numbers.iter().filter_map(of_number).sum();
                    let due = i128::from(self.score(line_up, group, seating, role));
                    ensure(sum == due, "single deals do not add up to its scores")?;
                }
            }
        }
        Ok(())
    }
}

/// Checks the products of the scores of a line-up in a seating.
fn check_products(played: &Played<'_>, sums: &Sums, products: &[super::Products; 6]) -> Result<(), Flaw> {
    let flaw = "products of scores are not those of any";
    for (&product, (one, other)) in products.iter().zip(super::PRODUCTS) {
        if one == other {
            ensure(can_square(sums.deals, sums.scores[one], product, played.farthest()), flaw)?;
            continue;
        }
        // The Cauchy-Schwarz inequality for the deviations from the means.
        let about = |product: i128, one: usize, other: usize| {
            sums.deals.checked_mul(product)?.checked_sub(sums.scores[one].checked_mul(sums.scores[other])?)
        };
        let squares = [one, other].map(|role| about(products[role], role, role));
        let most = squares[0].zip(squares[1]).and_then(|(one, other)| one.checked_mul(other));
        let square = about(product, one, other).and_then(|about| about.checked_mul(about));
        ensure(square.zip(most).is_none_or(|(square, most)| square <= most), flaw)?;
        let most = products[one].max(products[other]);
        ensure(product.unsigned_abs() <= most.unsigned_abs(), flaw)?;
    }
    Ok(())
}
