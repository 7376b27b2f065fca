//! The search: generations of candidates, which all meet the middle of their distribution on the same fresh
//! deals.

use overtrick_tournament::{Flaw, Window, ensure};
use serde::{Deserialize, Serialize};

use super::cmaes::{self, CmaEs, is_near_point};
use super::constants::{
    AGREEMENT, AVERAGED, AVERAGED_ALONE, BLOCK_GROWTH, BLOCK_SHRINKAGE, FEWEST_GENERATIONS, FEWEST_TO_COME,
    FIRST_BLOCK, FIRST_SPREAD, FOUND_REACH, GENERATIONS, GROWN, LAST_SPREAD, LEAST_REACH, NEW_INCUMBENT, NOISE, NOISY,
    ORDER_REACH, SEARCH_MISFIT,
};
use super::objective::{TuneObjective, moments, numbers_from};
use super::quadratic::{Quadratic, Region};
use super::random::stream;
use super::setting::Setting;
use super::space::{Space, TuneAxis};
use super::trial::TuneTrial;
use crate::no_result::NoResult;

/// A search in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneSearch {
    /// The distribution of the candidates.
    pub distribution: CmaEs,
    /// The best known setting: the last middle that was clearly better than the incumbent before it.
    pub incumbent: Setting,
    /// By generation: the middle of the distribution after it.
    means: Vec<Vec<f64>>,
    /// By generation: the spread of its candidates' margins, squared and relative to chance.
    noise: Vec<f64>,
    /// By generation: the variance of values off a local quadratic, in squared errors of its margins.
    misfit: Vec<f64>,
    /// All comparisons so far.
    pub trials: Vec<TuneTrial>,
    /// The number of generations so far.
    pub generations: u32,
    /// The count of deal numbers of the next generation.
    pub block: u64,
    /// The first deal number that was not used yet.
    pub next: u64,
    /// The number of games played so far.
    pub games: u64,
    /// The number of games that may be played.
    pub budget: u64,
}

impl TuneSearch {
    /// Returns a search from a setting, for `budget` games.
    pub fn new(space: &Space, begin: Setting, objective: &dyn TuneObjective, budget: u64) -> TuneSearch {
        let block = first_block(budget, objective.games(cmaes::candidates(space.dimensions()) + 1));
        TuneSearch {
            distribution: CmaEs::new(begin.to_vec(), FIRST_SPREAD),
            incumbent: begin,
            means: Vec::new(),
            noise: Vec::new(),
            misfit: Vec::new(),
            trials: Vec::new(),
            generations: 0,
            block,
            next: 0,
            games: 0,
            budget,
        }
    }

    /// Checks that it can go on in this number of dimensions, within `budget` games.
    ///
    /// `generation` is the number of games of a generation on one deal number.
    ///
    /// # Errors
    /// If it cannot, with the reason.
    pub(super) fn check(&self, dimensions: usize, generation: u64, budget: u64) -> Result<(), Flaw> {
        self.distribution.check(dimensions, self.generations)?;
        let fits = self.incumbent.is_of(dimensions)
            && self.means.iter().all(|mean| is_near_point(mean, dimensions))
            && [self.means.len(), self.noise.len(), self.misfit.len()] == [self.generations as usize; 3];
        ensure(fits, "search does not fit its parameters and generations")?;
        let is_noise = self.noise.iter().chain(&self.misfit).all(|times| *times >= 0.0);
        ensure(is_noise, "search has a noise or a misfit below 0")?;
        let is_affordable = self.block >= *FIRST_BLOCK.start()
            && self.next <= self.games
            && self.budget <= budget
            // The first generation is played even if it takes more than the budget.
            && self.games <= self.budget.max(generation);
        ensure(is_affordable, "search exceeds its budget")
    }

    /// Adds a parameter before parameter `axis`, with this coordinate in all settings so far.
    ///
    /// Candidates spread around it as at the beginning.
    pub(super) fn widen(&mut self, axis: usize, coordinate: f64) {
        self.distribution.widen(axis, coordinate, FIRST_SPREAD);
        self.incumbent.widen(axis, coordinate);
        self.means.iter_mut().for_each(|mean| mean.insert(axis, coordinate));
        self.trials.iter_mut().for_each(|trial| trial.widen(axis, coordinate));
    }

    /// Returns whether the budget is spent, or candidates can no longer be distinguished.
    ///
    /// Noise ends a search only if its blocks have no room to grow and values are those of a quadratic. One
    /// that is fitted to everything played then says more.
    pub fn is_over(&self, objective: &dyn TuneObjective) -> bool {
        let others = cmaes::candidates(self.incumbent.len());
        let generation = objective.games(others + 1);
        let is_spent = self.games + generation * FIRST_BLOCK.start() > self.budget;
        let is_narrow = self.distribution.spread().iter().all(|&spread| spread < LAST_SPREAD);
        let mut recent = self.trials.iter().rev().take(4 * others);
        let is_flat = self.generations > 4 && recent.all(|trial| trial.margin == 0.0 && trial.variance == 0.0);
        let is_noise =
            self.is_noise() && self.is_quadratic() && self.block as f64 >= GROWN * self.longest(generation) as f64;
        is_spent || is_narrow || is_flat || is_noise
    }

    /// Returns whether the margins of all generations have spread hardly more than chance explains.
    ///
    /// The order of candidates has then been noise from the start. A search whose candidates could once be
    /// distinguished goes on, since its generations together still find the way.
    fn is_noise(&self) -> bool {
        let generations = self.noise.len();
        generations >= NOISY && self.noise.iter().sum::<f64>() < NOISE * generations as f64
    }

    /// Returns whether values around the last candidates are those of a quadratic, as far as is known.
    pub fn is_quadratic(&self) -> bool {
        let recent = self.misfit.iter().rev().take(NOISY);
        recent.clone().sum::<f64>() <= SEARCH_MISFIT * recent.len() as f64
    }

    /// Returns the point that was found.
    ///
    /// It is the mean of the distribution's middle over the last generations, without much of the noise of
    /// each. See Polyak & Juditsky 1992, *SIAM Journal on Control and Optimization* 30. If values are those
    /// of a quadratic, it is instead the best point of a local quadratic. That point is at most a standard
    /// deviation of the candidates away from the mean.
    pub fn found(&self, space: &Space) -> Setting {
        let is_quadratic = self.is_quadratic();
        let share = if is_quadratic { AVERAGED } else { AVERAGED_ALONE };
        let later = &self.means[(self.means.len() as f64 * (1.0 - share)).ceil() as usize..];
        if later.is_empty() {
            return self.incumbent.clone();
        }
        let mean = |axis: usize| later.iter().map(|mean| mean[axis]).sum::<f64>() / later.len() as f64;
        let steady: Vec<f64> = (0..self.incumbent.len()).map(mean).collect();
        let region = self.reach(&steady, FOUND_REACH);
        let fit = is_quadratic.then(|| Quadratic::local(&region, &self.trials, None)).flatten();
        let Some((fit, _)) = fit else {
            return space.snap(&steady);
        };
        let best = fit.best(&[&steady]);
        let near = |(coordinate, (middle, half)): (&f64, (&f64, &f64))| {
            let most = half / FOUND_REACH;
            coordinate.clamp(middle - most, middle + most).clamp(0.0, 1.0)
        };
        space.snap(&best.iter().zip(steady.iter().zip(&region.half)).map(near).collect::<Vec<f64>>())
    }

    /// Returns the box around a point that reaches `deviations` standard deviations of the candidates.
    fn reach(&self, middle: &[f64], deviations: f64) -> Region {
        let half = self.distribution.spread().iter().map(|spread| (deviations * spread).max(LEAST_REACH)).collect();
        Region { middle: middle.to_vec(), half }
    }

    /// Returns the candidates of a generation, the best first.
    ///
    /// A local quadratic, fitted to all comparisons so far, takes noise out of their margins. The deviation
    /// of a margin from it counts by the part that is no noise. This is the posterior mean of a normal
    /// deviation from the trend. It follows the local meta-models of Kern, Hansen & Koumoutsakos 2006,
    /// *Parallel Problem Solving from Nature* 9. `self.trials` must include the trials of this generation.
    ///
    /// If a space has fewer settings than a generation has candidates, the incumbent and the middle are
    /// candidates, too. Otherwise the best of the others would win, though it is worse than they are.
    fn best_first(&mut self, incumbent: &TuneTrial, others: &[TuneTrial]) -> Vec<Setting> {
        let fit = Quadratic::local(&self.reach(&self.distribution.mean, ORDER_REACH), &self.trials, None);
        let error = others.iter().map(|trial| trial.se().powi(2)).sum::<f64>() / others.len() as f64;
        let excess = fit.as_ref().map_or(0.0, |(_, excess)| *excess);
        self.misfit.push(excess / error.max(1e-12));
        let value = |trial: &TuneTrial| match &fit {
            Some((fit, excess)) => {
                let said = fit.value(&trial.point) - fit.value(&trial.incumbent);
                let own = excess / (excess + trial.se().powi(2)).max(1e-12);
                said + own * (trial.margin - said)
            }
            None => trial.margin,
        };
        let mut order: Vec<(f64, &Setting)> = others.iter().map(|trial| (value(trial), &trial.point)).collect();
        if others.len() < cmaes::candidates(incumbent.point.len()) {
            // The middle is level with itself, and it may be the incumbent.
            order.push((0.0, &incumbent.incumbent));
            if incumbent.point != incumbent.incumbent {
                order.push((value(incumbent), &incumbent.point));
            }
        }
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        order.into_iter().map(|(_, point)| point.clone()).collect()
    }

    /// Returns the longest block that leaves room for the generations to come.
    ///
    /// Each deal number takes `each` games.
    fn longest(&self, each: u64) -> u64 {
        let to_come = FEWEST_GENERATIONS.saturating_sub(u64::from(self.generations));
        self.rest() / (to_come.max(FEWEST_TO_COME) * each)
    }

    /// Returns the number of games that may still be played.
    ///
    /// The first generation may have taken more than all.
    fn rest(&self) -> u64 {
        self.budget.saturating_sub(self.games)
    }

    /// Plays a generation.
    ///
    /// # Errors
    /// If [`TuneObjective::compare`] fails; nothing has changed then.
    pub fn step(&mut self, space: &Space, objective: &mut dyn TuneObjective, seed: u64) -> Result<(), NoResult> {
        let candidates = self.candidates(space, seed);
        let each = objective.games(candidates.len());
        let block = self.block.min(self.rest() / each).max(1);
        let numbers = numbers_from(Window::Search, self.next, block)?;
        // All candidates meet the middle: it is nearest to them, so it affects their margins least.
        let middle = space.snap(&self.distribution.mean);
        let margins = objective.compare(&candidates, &middle, numbers)?;
        let trials = TuneTrial::all(&candidates, &middle, &margins, objective.weights());
        self.games += each * block;
        self.next += block;
        self.generations += 1;
        self.trials.extend(trials.iter().cloned());
        let (incumbent, others) = trials.split_first().expect("the incumbent and others");
        let best_first = self.best_first(incumbent, others);
        self.distribution.learn(&best_first);
        self.means.push(self.distribution.mean.clone());
        let values: Vec<Vec<f64>> =
            (1..candidates.len()).map(|number| margins.weighted(number, objective.weights())).collect();
        self.noise.push(spread_over_noise(&values));
        let halves: Vec<[f64; 2]> = others.iter().map(TuneTrial::halves).collect();
        let growth = match kendall(&halves) {
            agreement if agreement < *AGREEMENT.start() => BLOCK_GROWTH,
            agreement if agreement > *AGREEMENT.end() => BLOCK_SHRINKAGE,
            _ => 1.0,
        };
        let longest = self.longest(each).max(self.block);
        self.block = ((self.block as f64 * growth) as u64).clamp(*FIRST_BLOCK.start(), longest);
        // The winner of many would look better than it is, but the middle was chosen before the deals.
        if incumbent.margin < -NEW_INCUMBENT * incumbent.se() {
            self.incumbent = middle;
        }
        Ok(())
    }

    /// Returns the candidates of the next generation.
    ///
    /// The first is the best known setting. The others are around the middle of the distribution. If there
    /// are enough settings, all of these are different, and none is the middle.
    fn candidates(&self, space: &Space, seed: u64) -> Vec<Setting> {
        let mut stream = stream(seed, "search", u64::from(self.generations));
        let half_step = |axis: &TuneAxis| if axis.values.is_coarse() { 0.5 * axis.values.coordinate(1) } else { 0.0 };
        let least: Vec<f64> = space.axes.iter().map(half_step).collect();
        let mut all = vec![self.incumbent.clone()];
        let middle = space.snap(&self.distribution.mean);
        for _ in 0..cmaes::candidates(space.dimensions()) {
            let mut sample = || space.snap(&self.distribution.sample(&least, &mut stream));
            let fresh = (0..20).map(|_| sample()).find(|point| !all.contains(point) && *point != middle);
            all.extend(fresh);
        }
        all
    }
}

/// Returns the count of deal numbers of the first generation, which takes `generation` games for each.
fn first_block(budget: u64, generation: u64) -> u64 {
    (budget / (GENERATIONS * generation)).clamp(*FIRST_BLOCK.start(), *FIRST_BLOCK.end())
}

/// Returns the spread of the means of rows, squared and relative to chance.
///
/// It is F of the two-way analysis of variance (Fisher 1925, *Statistical Methods for Research Workers*),
/// about 1 if all rows are equally good. All rows have the same deals as columns. The effect of a deal on all
/// candidates alike is no noise in their order.
fn spread_over_noise(rows: &[Vec<f64>]) -> f64 {
    let (candidates, deals) = (rows.len() as f64, rows.first().map_or(0, Vec::len));
    let means: Vec<f64> = rows.iter().map(|row| moments(row).0).collect();
    let (mean, between) = moments(&means);
    let left_over = |deal: usize| {
        let alike = rows.iter().map(|row| row[deal]).sum::<f64>() / candidates - mean;
        rows.iter().zip(&means).map(|(row, own)| (row[deal] - own - alike).powi(2)).sum::<f64>()
    };
    let squares: f64 = (0..deals).map(left_over).sum();
    let within = squares / ((candidates - 1.0) * (deals as f64 - 1.0)) / deals as f64;
    if within > 0.0 {
        between / within
    } else if between > 0.0 {
        1e9
    } else {
        0.0
    }
}

/// Returns Kendall's rank correlation of pairs of numbers, from -1 to 1; 1 if there are no pairs.
///
/// Ties count as neither.
fn kendall(pairs: &[[f64; 2]]) -> f64 {
    let (mut agreed, mut count) = (0.0, 0.0);
    for (number, a) in pairs.iter().enumerate() {
        for b in &pairs[..number] {
            agreed += sign(a[0] - b[0]) * sign(a[1] - b[1]);
            count += 1.0;
        }
    }
    if count > 0.0 { agreed / count } else { 1.0 }
}

fn sign(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_what_candidates_do_not_share() {
        // The means are 3, 5 and 7, the deals -3, -1, 1 and 3, and the squares of the rest add up to 6. So
        // the variance is 4 between, and 6 / 6 / 4 within.
        let left_over = [[0.5, -0.5, -0.5, 0.5], [0.5, -0.5, -0.5, 0.5], [-1.0, 1.0, 1.0, -1.0]];
        let row = |(mean, left): (f64, [f64; 4])| -> Vec<f64> {
            left.iter().zip([-3.0, -1.0, 1.0, 3.0]).map(|(left, deal)| mean + deal + left).collect()
        };
        let rows: Vec<Vec<f64>> = [3.0, 5.0, 7.0].into_iter().zip(left_over).map(row).collect();
        assert!((spread_over_noise(&rows) - 4.0 / (6.0 / 6.0 / 4.0)).abs() < 1e-9);
        assert_eq!(spread_over_noise(&[vec![1.0, 2.0], vec![1.0, 2.0]]), 0.0);
        assert_eq!(spread_over_noise(&[vec![1.0, 2.0], vec![2.0, 3.0]]), 1e9);
    }

    #[test]
    fn orders_agree_as_kendall_says() {
        let pairs = [[1.0, 1.0], [2.0, 3.0], [3.0, 2.0], [4.0, 4.0]];
        assert!((kendall(&pairs) - 4.0 / 6.0).abs() < 1e-12);
        assert_eq!(kendall(&[[1.0, 2.0], [2.0, 1.0]]), -1.0);
        assert_eq!(kendall(&[[1.0, 1.0], [1.0, 2.0]]), 0.0);
    }
}
