//! Finds which bots beat which others directly, and whether one number for each bot explains it.
//!
//! Three bots may beat one another in a circle. A rating then has an order without meaning: the first is
//! first because of whom the others beat. Each pair is judged by the deals in which the two met, all pairs at
//! once. A circle counts if each of its steps is beyond chance.
//!
//! A test also checks whether one number for each bot explains all pairs. It uses the largest difference that
//! such numbers leave unexplained, by least squares. For paired comparisons see Kendall & Babington Smith
//! (1940), "On the method of paired comparisons", *Biometrika* 31.

use overtrick_ratings::Estimate;
use overtrick_strategy::ids::BotId;

use super::contrast::Contrast;
use super::pairwise::{Pairs, sign};
use super::regularised::listed;
use super::simultaneous::judge;

/// The bots of a variant pair by pair, numbered by their place in the given order.
pub(super) struct Direct {
    bots: usize,
    /// By two bots: whether the first beats the second beyond chance.
    beats: Vec<bool>,
    /// By two bots: whether the first beats the second, or beats a bot that does, and so on.
    reaches: Vec<bool>,
    /// The p-value of the hypothesis that one number for each bot explains all pairs.
    ///
    /// `None` if some never met, if there are two bots, or if too little is known of every difference that
    /// such numbers leave unexplained.
    pub one_number: Option<f64>,
}

impl Direct {
    /// Puts the pairs of bots in this order together.
    ///
    /// `judged` says who beats whom beyond chance. `scaled` is how far the first of two bots is ahead, in the
    /// unit of the numbers that bots are ordered by. It may exist for one order of each pair only. `seed` and
    /// `name` decide the draws.
    pub(super) fn new<'a>(
        order: &[BotId],
        judged: &Pairs,
        scaled: impl Fn((BotId, BotId)) -> Option<&'a Contrast>,
        seed: u64,
        name: &str,
    ) -> Direct {
        let bots = order.len();
        let mut direct = Direct { bots, beats: vec![false; bots * bots], reaches: Vec::new(), one_number: None };
        if bots > 2 {
            let mut met = Vec::new();
            for a in 0..bots {
                for b in a + 1..bots {
                    let sign = sign(judged, order[a], order[b]);
                    direct.beats[a * bots + b] = sign > 0.0;
                    direct.beats[b * bots + a] = sign < 0.0;
                    let reversed = || scaled((order[b], order[a])).map(Contrast::reversed);
                    let ahead = scaled((order[a], order[b])).cloned().or_else(reversed);
                    met.extend(ahead.map(|contrast| (a, b, contrast)));
                }
            }
            if met.len() == bots * (bots - 1) / 2 {
                direct.one_number = one_number(bots, &met, seed, name);
            }
        }
        direct.reaches = reached(bots, &direct.beats);
        direct
    }

    /// Returns whether a bot beats another beyond chance where they met.
    ///
    /// Always false if there are only two bots, which have a single difference.
    pub(super) fn beats(&self, a: usize, b: usize) -> bool {
        self.beats[a * self.bots + b]
    }

    /// Returns whether two bots are in a cycle.
    pub(super) fn are_in_a_cycle(&self, a: usize, b: usize) -> bool {
        self.reaches[a * self.bots + b] && self.reaches[b * self.bots + a]
    }

    /// Returns the shortest cycle, from the bot that is first in the order.
    ///
    /// Each bot beats the next, and the last beats the first.
    pub(super) fn cycle(&self) -> Option<Vec<usize>> {
        let mut shortest: Option<Vec<usize>> = None;
        for start in (0..self.bots).filter(|&bot| self.are_in_a_cycle(bot, bot)) {
            let found = self.cycle_from(start);
            if shortest.as_ref().is_none_or(|shortest| found.len() < shortest.len()) {
                shortest = Some(found);
            }
        }
        shortest
    }

    /// Writes the shortest cycle, such as `a beats b, b beats c and c beats a`.
    pub(super) fn cycle_text<'a>(&self, name: impl Fn(usize) -> &'a str) -> Option<String> {
        let cycle = self.cycle()?;
        let mut steps = Vec::with_capacity(cycle.len());
        for (step, &winner) in cycle.iter().enumerate() {
            let loser = cycle[(step + 1) % cycle.len()];
            steps.push(format!("{} beats {}", name(winner), name(loser)));
        }
        Some(listed(steps.into_iter(), "and"))
    }

    /// Returns the shortest cycle through a bot that is in a cycle, by a breadth-first search.
    fn cycle_from(&self, start: usize) -> Vec<usize> {
        let mut paths = vec![vec![start]];
        let mut seen = vec![false; self.bots];
        loop {
            let mut longer = Vec::new();
            for path in paths {
                let last = path[path.len() - 1];
                if self.beats(last, start) {
                    return path;
                }
                for next in (0..self.bots).filter(|&next| self.beats(last, next)) {
                    if !std::mem::replace(&mut seen[next], true) {
                        longer.push([&path[..], &[next]].concat());
                    }
                }
            }
            paths = longer;
        }
    }
}

/// Returns the transitive closure of a relation (Warshall 1962).
fn reached(bots: usize, beats: &[bool]) -> Vec<bool> {
    let mut reached = beats.to_vec();
    for by in 0..bots {
        for from in 0..bots {
            if reached[from * bots + by] {
                for to in 0..bots {
                    reached[from * bots + to] |= reached[by * bots + to];
                }
            }
        }
    }
    reached
}

/// Returns the p-value of the hypothesis that one number for each bot explains the differences of all pairs.
fn one_number(bots: usize, pairs: &[(usize, usize, Contrast)], seed: u64, name: &str) -> Option<f64> {
    let strengths: Vec<Contrast> = (0..bots).map(|bot| strength(bot, bots, pairs)).collect();
    let mut left: Vec<Contrast> = Vec::with_capacity(pairs.len());
    for (a, b, contrast) in pairs {
        left.push(Contrast::sum(&[(1.0, contrast), (-1.0, &strengths[*a]), (1.0, &strengths[*b])]));
    }
    let family: Vec<(&Contrast, Estimate)> = left.iter().map(|one| (one, one.estimate_if_known())).collect();
    let judged = judge(&family, seed, &format!("{name} one number"));
    judged.iter().filter_map(|judged| judged.p).reduce(f64::min)
}

/// Returns the number of a bot by least squares.
///
/// Where every two met, it is its mean difference from all.
fn strength(bot: usize, bots: usize, pairs: &[(usize, usize, Contrast)]) -> Contrast {
    let weight = 1.0 / bots as f64;
    let mut terms = Vec::new();
    for (a, b, contrast) in pairs {
        if bot == *a {
            terms.push((weight, contrast));
        } else if bot == *b {
            terms.push((-weight, contrast));
        }
    }
    Contrast::sum(&terms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairwise::judge_pairs;
    use crate::random::normal;
    use crate::wins::Differences;
    use overtrick_cards::{SeedSource, Stream};
    use overtrick_ratings::GroupSum;

    /// Draws pairs of bots over 64 groups that differ by these points and by noise.
    fn pairs(differences: &[(usize, usize, f64)], stream: &mut Stream) -> Differences {
        let mut pairs = Differences::new();
        for &(a, b, difference) in differences {
            let mut score = || GroupSum::new((1000.0 * (difference + normal(stream))) as i64, 10);
            let scores: Vec<GroupSum> = (0..64).map(|_| score()).collect();
            pairs.insert((BotId::new(a), BotId::new(b)), Contrast::of_mean(&scores).unwrap());
        }
        pairs
    }

    fn direct(bots: usize, differences: &[(usize, usize, f64)], seed: u64) -> Direct {
        let mut stream = SeedSource::new(seed, "test", "direct").stream(0, 0);
        let met = pairs(differences, &mut stream);
        let judged = judge_pairs(met.clone(), 1.0, 1, "x");
        let order: Vec<BotId> = BotId::all(bots).collect();
        Direct::new(&order, &judged, |pair| met.get(&pair), 1, "x")
    }

    #[test]
    fn a_circle_is_named_and_none_in_it_is_better() {
        // 0 beats 1, 1 beats 2, 2 beats 0; all beat 3.
        let found = direct(4, &[(0, 1, 1.0), (1, 2, 1.0), (0, 2, -1.0), (0, 3, 2.0), (1, 3, 2.0), (2, 3, 2.0)], 1);
        assert_eq!(found.cycle(), Some(vec![0, 1, 2]));
        let text = found.cycle_text(|bot| ["a", "b", "c", "d"][bot]);
        assert_eq!(text.as_deref(), Some("a beats b, b beats c and c beats a"));
        assert!(found.beats(0, 1) && found.beats(2, 0) && !found.beats(0, 2));
        assert!(found.are_in_a_cycle(0, 2) && !found.are_in_a_cycle(0, 3));
        assert!(found.one_number.unwrap() < 0.001);
        // In an order there is no cycle, and one number for each bot explains all pairs.
        let found = direct(3, &[(0, 1, 1.0), (1, 2, 1.0), (0, 2, 2.0)], 2);
        assert_eq!(found.cycle(), None);
        assert!(found.beats(0, 2) && found.one_number.unwrap() > 0.01);
        // Two bots have one difference, which the standing judges.
        assert!(!direct(2, &[(0, 1, 9.0)], 3).beats(0, 1));
    }

    #[test]
    #[ignore = "long: proves an error rate by simulation"]
    fn equal_bots_are_seldom_in_a_circle_and_seldom_differ() {
        let all: Vec<(usize, usize, f64)> = (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b, 0.0))).collect();
        let (mut beaten, mut circles, mut rejected) = (0, 0, 0);
        for seed in 0..400 {
            let found = direct(8, &all, seed);
            beaten += usize::from((0..64).any(|pair| found.beats(pair / 8, pair % 8)));
            circles += usize::from(found.cycle().is_some());
            rejected += usize::from(found.one_number.unwrap() < 0.05);
        }
        println!("{beaten} {circles} {rejected} of 400");
        // 5% of 400 are 20, give or take 4.4.
        assert!((8..=34).contains(&beaten) && (8..=34).contains(&rejected) && circles < 5);
    }
}
