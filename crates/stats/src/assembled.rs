//! Estimates who would win matches from deals that were played one by one.
//!
//! A match is a sequence of deals. A bot that ignores the standing plays a deal of a match as it plays a
//! single deal. So deals are drawn at random without replacement, and scored as a match under the variant's
//! own ending. As in a tournament of matches, every line-up plays the same deals in every seating.
//!
//! Deals drawn in this way are distributed as those of a real match, so shares of matches are estimated
//! without bias. Little precision is lost, since every deal is drawn in many orders. This is an incomplete
//! U-statistic whose kernel is a match (Hoeffding 1948, *Annals of Mathematical Statistics* 19; Blom 1976,
//! *Biometrika* 63). It is computed once in each of up to [`MOST_GROUPS`] groups that share no deal. So
//! intervals come from the spread over groups, like all others.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_cards::{SeedSource, Stream};
use overtrick_game::{DealResult, Ending, HalfTime, Standing};
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
    /// `None` if there are not enough deals for eight groups of matches.
    pub(super) fn new(counted: &Counted<'_>) -> Option<Assembled> {
        Assembled::under(counted, counted.game.ending())
    }

    /// Does the same with matches that end by `ending` instead of the rules of the variant.
    pub(super) fn under(counted: &Counted<'_>, ending: Ending) -> Option<Assembled> {
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
        let own = numbers.iter().filter(|&number| number % self.groups == group);
        let mut deals: Vec<&[SampledDeal]> =
            own.filter_map(|&number| self.counted.tally.sample().number(number)).collect();
        if deals.is_empty() {
            return None;
        }
        let source = SeedSource::new(self.counted.tournament.seed, "assembled matches", self.counted.variant);
        let mut stream = source.stream(group as u64, 0);
        let (seats, teams) = (schedule.seats, schedule.teams.count());
        let patterns = vec![vec![0; Pattern::count(teams)]; games];
        let mut matches = GroupMatches { patterns, ..GroupMatches::default() };
        let mut half_time = HalfTime::default();
        let mut left = MATCHES.min(MOST_MATCHES / games).div_ceil(self.groups);
        // An average over orders of a few deals is worth little. As long as there are enough groups, fewer
        // groups of more deals are better.
        let longest = if self.groups > FEWEST_GROUPS { deals.len() / 2 } else { deals.len() };
        while left > 0 {
            shuffle(&mut deals, &mut stream);
            for first in 0..left.min(deals.len()) {
                for ((line_up, seating), patterns) in schedule.cell_ids().zip(&mut matches.patterns) {
                    // After the last deal comes the first again.
                    let in_order = deals[first..].iter().chain(&deals[..first]).take(longest);
                    let (places, length) = self.play(in_order, line_up, seating, &mut half_time)?;
                    let values = places.map(|place| -i32::from(place));
                    patterns[Pattern::of(values.by_role(Seat::Seat0, seats), teams).index()] += 1;
                    let totals = half_time.totals();
                    matches.course.add_match(length, totals.of(seats), places.of(seats));
                    matches.deals += u64::from(length);
                }
            }
            left = left.saturating_sub(deals.len());
        }
        Some(matches)
    }

    /// Plays a match of these deals in a line-up and a seating.
    ///
    /// Returns by seat the final places, and the number of deals; `None` if the match takes more deals. The
    /// member at seat 0 deals first. `half_time` follows the match.
    fn play<'a>(
        &self,
        deals: impl Iterator<Item = &'a &'a [SampledDeal]>,
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

/// Shuffles deals: all orders are equally likely.
fn shuffle(deals: &mut [&[SampledDeal]], stream: &mut Stream) {
    for last in (1..deals.len()).rev() {
        deals.swap(last, stream.random_below(last as u64 + 1) as usize);
    }
}
