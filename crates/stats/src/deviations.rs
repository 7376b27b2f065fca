//! Deviation ratings of the bots of a variant, with intervals over groups of deals.
//!
//! See [`deviation_ratings`]. The payoff of a chair is how far it is ahead of the mean of the other chairs, in
//! points or in wins less losses. So payoffs of a table add up to zero, and a bot that has all its chairs has a
//! payoff of zero. The intervals are percentiles over [resamples](Resampling) of groups.

use overtrick_cards::Stream;
use overtrick_cards::table::{ByRole, Role};
use overtrick_meta::{PayoffTable, deviation_ratings};
use overtrick_ratings::GroupSum;
use overtrick_strategy::ids::{BotId, LineUpId};
use overtrick_tournament::Unit;

use super::contrast::Contrast;
use super::counted::Counted;
use super::figure::Interval;
use super::ranking::Ranking;
use super::resampling::{Resampling, percentiles};

/// The most bots that are rated.
///
/// The ratings of a table of three and of 1,000 resamples took 0.3 s for 8 bots on one thread, 1.5 s for 12, 4.5 s
/// for 16, 11 s for 20 and 23 s for 24. At tables of two they took 0.4 s for 16.
const MOST_RATED: usize = 16;

/// The payoffs of bots, by the others at the table. Bots are numbered by their place in the order.
struct Payoffs {
    bots: usize,
    seats: usize,
    /// The payoffs that are not zero by definition.
    known: Vec<Contrast>,
    /// By bot and the others at its table: the index in `known`.
    places: Vec<Option<usize>>,
}

impl Payoffs {
    /// Returns the payoffs of a variant; `None` if some line-up was not played.
    fn of(ranking: &Ranking<'_>) -> Option<Payoffs> {
        let (counted, bots) = (ranking.counted, ranking.order.len());
        let seats = counted.schedule.seats;
        let seated = u32::try_from(seats).expect("a few seats");
        let mut payoffs = Payoffs { bots, seats, known: Vec::new(), places: vec![None; bots.pow(seated)] };
        let place_of = |bot: BotId| ranking.order.iter().position(|&own| own == bot);
        for (line_up, members) in counted.schedule.line_up_ids().zip(&counted.schedule.line_ups) {
            for &bot in members {
                let mut others = Vec::with_capacity(seats - 1);
                for &other in members.iter().filter(|&&other| other != bot) {
                    others.push(place_of(other)?);
                }
                payoffs.add(place_of(bot)?, others, counted.mean(&counted.leads(line_up, bot))?);
            }
        }
        for (number, line_up) in counted.schedule.copies().enumerate() {
            let mut margins = Vec::with_capacity(counted.tally.groups());
            for cell in counted.tally.copies().line_up(number) {
                margins.push(GroupSum::new(cell.margin, cell.games));
            }
            let margin = counted.mean(&margins)?;
            let [twice, once] = [place_of(line_up.twice)?, place_of(line_up.once)?];
            payoffs.add(twice, vec![twice, once], margin.times(0.5));
            payoffs.add(once, vec![twice, twice], margin.reversed());
        }
        payoffs.are_complete().then_some(payoffs)
    }

    /// Adds how far a bot is ahead of the others at its table, summed over them.
    fn add(&mut self, bot: usize, mut others: Vec<usize>, lead: Contrast) {
        others.sort_unstable();
        let at = self.at(bot, &others);
        self.places[at] = Some(self.known.len());
        self.known.push(lead.times(1.0 / (self.seats - 1) as f64));
    }

    /// Returns the index in `places` of a bot with others, who are in ascending order.
    fn at(&self, bot: usize, others: &[usize]) -> usize {
        others.iter().fold(bot, |at, other| at * self.bots + other)
    }

    /// Returns whether all payoffs are there: of each bot, by each set of others with a bot that is not itself.
    fn are_complete(&self) -> bool {
        let mut others = self.bots;
        for seat in 2..self.seats {
            others = others * (self.bots + seat - 1) / seat;
        }
        self.known.len() == self.bots * (others - 1)
    }

    /// Returns the ratings by payoffs in the order of `known`.
    fn ratings(&self, payoffs: &[f64]) -> Option<Vec<f64>> {
        let payoff = |bot: usize, others: &[usize]| self.places[self.at(bot, others)].map_or(0.0, |at| payoffs[at]);
        deviation_ratings(&PayoffTable::new(self.bots, self.seats, payoff))
    }
}

impl Ranking<'_> {
    /// Returns the deviation rating of each bot, by its place in the order.
    ///
    /// There are no intervals where too little is known of a payoff, or if rounding prevents them. `None` in a run
    /// without line-ups of copies, with more than sixteen bots, or if rounding prevents the ratings.
    pub(super) fn deviations(&self, stream: &mut Stream) -> Option<Vec<Interval>> {
        if !self.counted.tournament.copies || self.order.len() > MOST_RATED {
            return None;
        }
        let payoffs = Payoffs::of(self)?;
        rated(&payoffs, self.widening, stream)
    }
}

/// Returns the rating of each bot with its interval; `None` if rounding prevents it.
fn rated(payoffs: &Payoffs, widening: f64, stream: &mut Stream) -> Option<Vec<Interval>> {
    let values: Vec<f64> = payoffs.known.iter().map(Contrast::value).collect();
    let ratings = payoffs.ratings(&values)?;
    let resampling = Resampling::of(&payoffs.known, widening);
    let drawn = resampling.and_then(|resampling| resampling.each(stream, |values| payoffs.ratings(values)));
    let Some(drawn) = drawn else {
        return Some(ratings.into_iter().map(|rating| Interval::new(Some(rating), None)).collect());
    };
    let own = |(bot, rating): (usize, f64)| percentiles(rating, drawn.iter().map(|drawn| drawn[bot]));
    Some(ratings.into_iter().enumerate().map(own).collect())
}

impl Counted<'_> {
    /// Returns a mean over groups of leads, in the measure of the tournament.
    fn mean(&self, leads: &[GroupSum]) -> Option<Contrast> {
        match self.tournament.unit {
            Unit::Deal => Contrast::of_mean(leads),
            Unit::Match => Contrast::of_signs(leads),
        }
    }

    /// Returns by group how far a bot is ahead of the others in a line-up of different bots, summed over them.
    fn leads(&self, line_up: LineUpId, bot: BotId) -> Vec<GroupSum> {
        let mut leads = vec![GroupSum::default(); self.tally.groups()];
        let places = self.places();
        for seating in self.schedule.seating_ids() {
            let mut roles = Role::all(self.schedule.seats);
            let Some(role) = roles.find(|&role| self.bot(line_up, seating, role) == bot) else { continue };
            for (group, sum) in self.tally.group_ids().zip(&mut leads) {
                match self.tournament.unit {
                    Unit::Deal => {
                        let score = |role| self.tally.score(line_up, group, seating, role);
                        let lead = Role::all(self.schedule.seats).map(|other| score(role) - score(other)).sum();
                        *sum += GroupSum::new(lead, self.tally.deals(line_up, group, seating));
                    }
                    Unit::Match => {
                        for (places, games) in places.iter().zip(self.tally.games(line_up, group, seating)) {
                            let count = i64::try_from(games).expect("a number of games");
                            *sum += GroupSum::new(count * self.others_behind(places, role), games);
                        }
                    }
                }
            }
        }
        leads
    }

    /// Returns the number of roles behind a role less that of roles ahead of it.
    fn others_behind(&self, places: &ByRole<u8>, role: Role) -> i64 {
        let lead = |other: Role| (i64::from(places[other]) - i64::from(places[role])).signum();
        Role::all(self.schedule.seats).map(lead).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::normal;
    use overtrick_cards::SeedSource;

    const BOTS: usize = 4;

    /// Builds payoffs of four bots at tables of three over groups, each with an error that has this spread.
    ///
    /// A bot has its strength less the mean of the others, and a bonus against a rival. Players from `bots` on
    /// are the bots that `copied` names.
    fn drawn(groups: usize, noise: f64, copied: &[usize], stream: &mut Stream) -> Payoffs {
        let form: Vec<Vec<Vec<f64>>> = (0..groups).map(|_| noisy(noise, stream)).collect();
        let players = BOTS + copied.len();
        let own = |player: usize| if player < BOTS { player } else { copied[player - BOTS] };
        let mut payoffs = Payoffs { bots: players, seats: 3, known: Vec::new(), places: vec![None; players.pow(3)] };
        for player in 0..players {
            for one in 0..players {
                for other in one..players {
                    if one == player && other == player {
                        continue;
                    }
                    let lead = |form: &Vec<Vec<f64>>| {
                        // Rounded by pair, so that points of a table add up to zero.
                        let of = |other: usize| {
                            (1e6 * (truth(own(player), own(other)) + form[own(player)][own(other)])) as i64
                        };
                        GroupSum::new(of(one) + of(other), 30)
                    };
                    let leads: Vec<GroupSum> = form.iter().map(lead).collect();
                    payoffs.add(player, vec![one, other], Contrast::of_mean(&leads).unwrap().times(30.0 / 1e6));
                }
            }
        }
        assert!(payoffs.are_complete());
        payoffs
    }

    /// Returns how far a bot is ahead of another: three in a circle, all of them ahead of the last.
    fn truth(one: usize, other: usize) -> f64 {
        match (one, other) {
            _ if one == other => 0.0,
            (3, _) => -1.0,
            (_, 3) => 1.0,
            _ if (one + 1) % 3 == other => 0.5,
            _ => -0.5,
        }
    }

    /// Draws the errors of a group, by bot and other bot.
    fn noisy(noise: f64, stream: &mut Stream) -> Vec<Vec<f64>> {
        let mut errors = vec![vec![0.0; BOTS]; BOTS];
        for pair in 0..BOTS * BOTS {
            let (one, other) = (pair / BOTS, pair % BOTS);
            if other < one {
                errors[one][other] = noise * normal(stream);
                errors[other][one] = -errors[one][other];
            }
        }
        errors
    }

    fn stream(number: u64) -> Stream {
        SeedSource::new(number, "test", "deviations").stream(0, 0)
    }

    #[test]
    fn a_bot_that_is_entered_twice_moves_no_rating_and_no_interval() {
        let rate = |copied: &[usize]| {
            let payoffs = drawn(32, 0.5, copied, &mut stream(1));
            rated(&payoffs, 1.0, &mut stream(2)).unwrap()
        };
        let alone = rate(&[]);
        assert!(alone[3].value.unwrap() < -0.3 && alone[3].ends().is_some(), "{alone:?}");
        for copied in [&[0][..], &[3], &[1, 3]] {
            let twice = rate(copied);
            let own = alone.iter().chain(copied.iter().map(|&bot| &alone[bot]));
            for (own, with_copy) in own.zip(&twice) {
                for end in [|it: &Interval| it.value, |it: &Interval| it.low, |it: &Interval| it.high] {
                    let [own, with_copy] = [own, with_copy].map(|it| end(it).unwrap());
                    assert!((own - with_copy).abs() < 1e-6, "{copied:?}: {own} {with_copy}");
                }
            }
        }
    }

    /// Counts the intervals of the last bot that hold its true rating.
    fn held(runs: u64, groups: usize, noise: f64) -> usize {
        let truth = drawn(8, 0.0, &[], &mut stream(0));
        let values: Vec<f64> = truth.known.iter().map(Contrast::value).collect();
        let rating = truth.ratings(&values).unwrap()[3];
        let is_held = |seed: &u64| {
            let mut stream = stream(100 + seed);
            let payoffs = drawn(groups, noise, &[], &mut stream);
            let (low, high) = rated(&payoffs, 1.0, &mut stream).unwrap()[3].ends().unwrap();
            low <= rating && rating <= high
        };
        (0..runs).filter(is_held).count()
    }

    #[test]
    #[ignore = "long: proves coverage by simulation"]
    fn intervals_of_deviation_ratings_hold_over_few_and_many_groups() {
        for (groups, noise) in [(8, 0.2), (16, 0.3), (64, 0.5), (256, 1.0)] {
            let held = held(480, groups, noise);
            println!("{groups} groups, noise {noise}: {held} of 480");
            // 95% of 480 are 456, give or take 4.8.
            assert!(held >= 437, "{groups} groups: {held}");
        }
    }

    #[test]
    fn intervals_of_deviation_ratings_mostly_hold() {
        let held = held(12, 16, 0.3);
        assert!(held >= 9, "{held}");
    }

    #[test]
    fn too_few_groups_have_ratings_without_intervals() {
        let ratings = rated(&drawn(7, 0.3, &[], &mut stream(3)), 1.0, &mut stream(4)).unwrap();
        assert!(ratings.iter().all(|rating| rating.value.is_some() && rating.ends().is_none()), "{ratings:?}");
    }
}
