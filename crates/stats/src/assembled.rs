//! Estimates who would win matches from deals that were played one by one.
//!
//! A match is a sequence of deals. A bot that ignores the standing plays a deal of a match as it plays a
//! single deal. So deals are drawn at random without replacement, and scored as a match under the variant's
//! own ending. As in a tournament of matches, every line-up plays the same deals in every seating. In games
//! with a cycle of deals, each deal of a match is drawn from those at its place in the cycle.
//!
//! Deals drawn in this way are distributed as those of a real match, so shares of matches are estimated
//! without bias. Little precision is lost, since every deal is drawn in many orders. This is an incomplete
//! U-statistic whose kernel is a match (Hoeffding 1948, *Annals of Mathematical Statistics* 19; Blom 1976,
//! *Biometrika* 63). It is computed once in each of up to [`MOST_GROUPS`] groups that share no deal. So
//! intervals come from the spread over groups, like all others.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_cards::{SeedSource, Stream};
use overtrick_game::{DealResult, Ending, HalfTime, Setup, Standing};
use overtrick_ratings::Outcome;
use overtrick_strategy::ids::{LineUpId, SeatingId};
use overtrick_tournament::{MatchSums, Pattern, SampledDeal};

use super::counted::Counted;

/// The most groups into which deals are split.
///
/// There are fewer where a match would take too many of a group's deals.
const MOST_GROUPS: usize = 64;
/// The fewest groups: an interval from fewer is itself hardly known.
const FEWEST_GROUPS: usize = super::FEWEST_GROUPS;
/// The number of matches that are put together for each line-up and seating, over all groups.
const MATCHES: usize = 1 << 15;
/// The most matches that are put together over all line-ups and seatings.
const MOST_MATCHES: usize = 1 << 21;

/// The matches of a variant.
pub(super) struct Assembled {
    pub outcomes: Vec<Outcome>,
    /// The number of groups of matches, a power of two.
    pub groups: usize,
    /// The number of matches without shared deals that each of these is worth.
    ///
    /// It is the number of deals that were played, over the number that all matches take together.
    pub worth: f64,
    /// The mean number of deals of a match.
    pub length: f64,
    /// By group: how the matches went.
    pub courses: Vec<MatchSums>,
}

impl Assembled {
    /// Puts matches together from the deals that a tally kept.
    ///
    /// `None` if there are not enough deals for eight groups of matches, or if the score of a deal depends on the
    /// points before it.
    pub(super) fn new(counted: &Counted<'_>) -> Option<Assembled> {
        Assembled::under(counted, counted.game.ending())
    }

    /// Does the same with matches that end by `ending` instead of the rules of the variant.
    pub(super) fn under(counted: &Counted<'_>, ending: Ending) -> Option<Assembled> {
        if counted.game.counts_totals() {
            return None;
        }
        let numbers: Vec<usize> = counted.tally.sample().numbers().collect();
        let mut groups = MOST_GROUPS;
        while groups >= FEWEST_GROUPS {
            let assembly = Assembly { counted, ending, groups };
            let matches = (0..groups).map(|group| assembly.matches(group, &numbers)).collect::<Option<Vec<_>>>();
            if let Some(matches) = matches {
                let (mut count, mut deals) = (0, 0);
                for of_group in &matches {
                    count += of_group.course.matches();
                    deals += of_group.deals;
                }
                let worth = (numbers.len() * counted.schedule.games_a_number()) as f64 / deals as f64;
                let length = deals as f64 / count.max(1) as f64;
                let seatings = counted.schedule.seatings.len();
                let outcomes = counted.outcomes_by(groups, |group, line_up, seating| {
                    matches[group].patterns[line_up.index() * seatings + seating.index()].clone()
                });
                let courses = matches.into_iter().map(|of_group| of_group.course).collect();
                return Some(Assembled { outcomes, groups, worth, length, courses });
            }
            groups /= 2;
        }
        None
    }
}

/// Puts together the matches of a tally in `groups` groups.
struct Assembly<'a> {
    counted: &'a Counted<'a>,
    ending: Ending,
    groups: usize,
}

/// The matches of a group.
#[derive(Default)]
struct GroupMatches {
    /// By line-up and seating: the number of matches that ended in each pattern.
    patterns: Vec<Vec<u64>>,
    /// The number of deals of all matches.
    deals: u64,
    course: MatchSums,
}

impl Assembly<'_> {
    /// Puts the matches of a group together; `None` if a match takes too many deals.
    fn matches(&self, group: usize, numbers: &[usize]) -> Option<GroupMatches> {
        let schedule = self.counted.schedule;
        let games = schedule.games_a_number();
        let mut pile = self.pile(group, numbers)?;
        let source = SeedSource::new(self.counted.tournament.seed, "assembled matches", self.counted.variant);
        let mut stream = source.stream(group as u64, 0);
        let (seats, teams) = (schedule.seats, schedule.teams.count());
        let patterns = vec![vec![0; Pattern::count(teams)]; games];
        let mut matches = GroupMatches { patterns, ..GroupMatches::default() };
        let mut half_time = HalfTime::default();
        let mut left = MATCHES.min(MOST_MATCHES / games).div_ceil(self.groups);
        // An average over orders of a few deals is worth little. As long as there are enough groups, fewer
        // groups of more deals are better.
        let longest = if self.groups > FEWEST_GROUPS { pile.len() / 2 } else { pile.len() };
        while left > 0 {
            pile.shuffle(&mut stream);
            for first in 0..left.min(pile.shortest()) {
                for ((line_up, seating), patterns) in schedule.cell_ids().zip(&mut matches.patterns) {
                    let in_order = (0..longest).map(|deal| pile.deal(first, deal));
                    let (places, length) = self.play(in_order, line_up, seating, &mut half_time)?;
                    let values = places.map(|place| -i32::from(place));
                    patterns[Pattern::of(values.by_role(Seat::Seat0, seats), teams).index()] += 1;
                    let totals = half_time.totals();
                    matches.course.add_match(length, totals.of(seats), places.of(seats));
                    matches.deals += u64::from(length);
                }
            }
            left = left.saturating_sub(pile.shortest());
        }
        Some(matches)
    }

    /// Returns the deals of a group; `None` if it has none for a place in the cycle.
    fn pile(&self, group: usize, numbers: &[usize]) -> Option<DealPile<'_>> {
        let (seats, cycle) = (self.counted.schedule.seats, self.counted.game.cycle());
        let mut by_place = vec![Vec::new(); cycle as usize];
        for &number in numbers.iter().filter(|&number| number % self.groups == group) {
            if let Some(deal) = self.counted.tally.sample().number(number) {
                by_place[Setup::place_in_cycle(number as u64, seats, cycle) as usize].push(deal);
            }
        }
        let pile = DealPile { by_place };
        (pile.shortest() > 0).then_some(pile)
    }

    /// Plays a match of these deals in a line-up and a seating.
    ///
    /// Returns by seat the final places, and the number of deals; `None` if the match takes more deals. The
    /// member at seat 0 deals first. `half_time` follows the match.
    fn play<'a>(
        &self,
        deals: impl Iterator<Item = &'a [SampledDeal]>,
        line_up: LineUpId,
        seating: SeatingId,
        half_time: &mut HalfTime,
    ) -> Option<(BySeat<u8>, u32)> {
        let schedule = self.counted.schedule;
        let (seats, seatings) = (schedule.seats, schedule.seatings.len());
        let cells = BySeat::from_fn(|dealer| line_up.index() * seatings + schedule.by_role(seating, dealer).index());
        let mut standing = Standing::default();
        let mut dealer = Seat::Seat0;
        half_time.begin();
        for games in deals {
            let deal = &games[cells[dealer]];
            let mut scores = BySeat::default();
            let mut counts = deal.counts;
            match deal.thrown_in_earlier {
                Some(thrown_in_counts) if !self.ending.is_last(&standing) => counts = thrown_in_counts,
                _ => scores = deal.scores.by_seat(dealer, seats),
            }
            standing.add(&scores, counts);
            half_time.add(standing.totals);
            let declarer = deal.declarer.map(|role| role.seat(dealer, seats));
            let deal_result = DealResult { dealer, declarer, scores };
            if let Some(places) = self.ending.places(&standing, &deal_result, schedule.teams) {
                return Some((places, standing.deals));
            }
            dealer = dealer.left(1, seats);
        }
        None
    }
}

/// The deals of a group, by place in the cycle of deals.
struct DealPile<'a> {
    by_place: Vec<Vec<&'a [SampledDeal]>>,
}

impl<'a> DealPile<'a> {
    /// Returns the number of deals at the place with the fewest.
    fn shortest(&self) -> usize {
        self.by_place.iter().map(Vec::len).min().unwrap_or(0)
    }

    /// Returns the number of deals that a match can have without a deal twice.
    fn len(&self) -> usize {
        self.shortest() * self.by_place.len()
    }

    /// Shuffles the deals of each place: all orders are equally likely.
    fn shuffle(&mut self, stream: &mut Stream) {
        for deals in &mut self.by_place {
            for last in (1..deals.len()).rev() {
                deals.swap(last, stream.random_below(last as u64 + 1) as usize);
            }
        }
    }

    /// Returns deal `number` of the match that starts with the deal `first` of each place.
    ///
    /// After the last deal comes the first again.
    fn deal(&self, first: usize, number: usize) -> &'a [SampledDeal] {
        let cycle = self.by_place.len();
        let deals = &self.by_place[number % cycle];
        deals[(first + number / cycle) % deals.len()]
    }
}
