//! The surface: a quadratic fitted near the best, by rounds of designed points around it.

mod fitted;

use overtrick_cards::Stream;
use overtrick_tournament::{Flaw, Window, ensure};
use serde::{Deserialize, Serialize};

use super::constants::{
    BETWEEN, CLEAR_CURVATURE, FIRST_REACH, LEAST_HALF, NARROWING, RESIZING, ROUND_SHARES, SLOPES_SHARE, SURFACE_MISFIT,
    TRIAL_GROUPS,
};
use super::objective::{TuneObjective, numbers_from};
use super::quadratic::{Quadratic, Region};
use super::random::{stream, uniform};
use super::search::TuneSearch;
use super::setting::Setting;
use super::space::Space;
use super::trial::TuneTrial;
use crate::no_result::NoResult;

pub use fitted::{FittedSurface, FittedValue, Interaction, ParameterOptimum};

/// The weight of the surface's best against the search's finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum SurfaceTrust {
    /// The search ended early, so the surface has learnt from more deals. Its best stands unless it is
    /// clearly worse.
    Alone,
    /// The search took most of the games, and values are those of a quadratic.
    ///
    /// Both come from much the same deals with separate errors. The result lies between them, where the
    /// error is smaller.
    Beside,
    /// Values are not those of a quadratic, so the surface's best must be better.
    Behind,
}

impl SurfaceTrust {
    fn after(search: &TuneSearch, budget: u64) -> SurfaceTrust {
        match (search.is_quadratic(), search.games > budget) {
            (true, false) => SurfaceTrust::Alone,
            (true, true) => SurfaceTrust::Beside,
            (false, _) => SurfaceTrust::Behind,
        }
    }

    /// Returns the least lead over the search's finding with which the surface's result stands, in standard
    /// errors.
    fn least(self) -> f64 {
        match self {
            SurfaceTrust::Alone => -3.0,
            SurfaceTrust::Beside => -1.0,
            SurfaceTrust::Behind => 1.0,
        }
    }
}

/// A comparison of two settings that is still to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Encounter {
    one: Setting,
    other: Setting,
    /// The count of deal numbers.
    numbers: u64,
}

/// A surface in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// The region in which it is fitted.
    pub region: Region,
    /// The best known point.
    pub best: Setting,
    /// The point that the search found, which meets the best of the surface in the end.
    champion: Setting,
    /// The weight of the surface's best against that point.
    standing: SurfaceTrust,
    /// All comparisons so far, including those of the search.
    pub trials: Vec<TuneTrial>,
    /// The number of rounds so far.
    pub rounds: u32,
    /// The comparisons that the round in progress still has to play.
    todo: Vec<Encounter>,
    /// The first deal number that was not used yet.
    pub next: u64,
    /// The number of games played so far.
    pub games: u64,
    /// The number of games that may be played.
    pub budget: u64,
}

impl Surface {
    /// Returns a surface around the search's finding, for `budget` games.
    pub fn new(search: &TuneSearch, space: &Space, budget: u64) -> Surface {
        let half: Vec<f64> =
            search.distribution.spread().iter().map(|spread| (FIRST_REACH * spread).clamp(LEAST_HALF, 0.5)).collect();
        let found = search.found(space);
        Surface {
            region: Region::around(&found, &half),
            best: found.clone(),
            champion: found,
            standing: SurfaceTrust::after(search, budget),
            trials: search.trials.clone(),
            rounds: 0,
            todo: Vec::new(),
            next: search.next,
            games: 0,
            budget,
        }
    }

    /// Checks that it can go on in this number of dimensions, within `budget` games.
    ///
    /// Each deal number takes `each` games.
    ///
    /// # Errors
    /// If it cannot, with the reason.
    pub(super) fn check(&self, dimensions: usize, each: u64, budget: u64) -> Result<(), Flaw> {
        self.region.check(dimensions)?;
        let is_comparison = |due: &Encounter| {
            due.one.is_of(dimensions) && due.other.is_of(dimensions) && due.numbers >= TRIAL_GROUPS as u64
        };
        let todo = self.todo.iter().try_fold(0_u64, |sum, due| sum.checked_add(due.numbers.checked_mul(each)?));
        let fits = self.best.is_of(dimensions)
            && self.champion.is_of(dimensions)
            && self.rounds as usize <= ROUND_SHARES.len() + 1
            && self.todo.iter().all(is_comparison);
        ensure(fits, "surface does not fit its parameters and rounds")?;
        let is_affordable = self.next <= budget
            && self.budget <= budget
            && self.budget.checked_sub(self.games).is_some_and(|rest| todo.is_some_and(|todo| todo <= rest));
        ensure(is_affordable, "surface exceeds its budget")
    }

    /// Returns whether all rounds are played, and the match with the search's finding.
    pub fn is_over(&self) -> bool {
        self.rounds as usize > ROUND_SHARES.len()
    }

    /// Returns whether only the match with the search's finding is left.
    fn is_final(&self) -> bool {
        self.rounds as usize == ROUND_SHARES.len()
    }

    /// Plays a comparison.
    ///
    /// After the last comparison of a round, it fits the surface and moves to its best point.
    ///
    /// # Errors
    /// If [`TuneObjective::compare`] fails; nothing has been played then.
    pub fn step(&mut self, space: &Space, objective: &mut dyn TuneObjective, seed: u64) -> Result<(), NoResult> {
        if self.todo.is_empty() {
            self.todo = if self.is_final() {
                let (one, other) = (self.best.clone(), self.champion.clone());
                vec![Encounter { one, other, numbers: self.rest(objective) }]
            } else {
                self.design(space, objective, seed)
            };
            self.todo.retain(|due| due.one != due.other && due.numbers >= TRIAL_GROUPS as u64);
        }
        let is_played = !self.todo.is_empty();
        if let Some(Encounter { one, other, numbers }) = self.todo.first().cloned() {
            // Each comparison has fresh deals, so that errors are independent.
            let one = [one];
            let margins = objective.compare(&one, &other, numbers_from(Window::Search, self.next, numbers)?)?;
            self.trials.extend(TuneTrial::all(&one, &other, &margins, objective.weights()));
            self.games += objective.games(1) * numbers;
            self.next += numbers;
            self.todo.remove(0);
        }
        if self.todo.is_empty() {
            self.end_round(space, is_played);
            self.rounds += 1;
        }
        Ok(())
    }

    /// Returns the count of deal numbers that the rest of the budget pays for.
    fn rest(&self, objective: &dyn TuneObjective) -> u64 {
        (self.budget - self.games) / objective.games(1)
    }

    /// Fits the surface and moves to its best point.
    ///
    /// In the last round, it may move only part of the way there from the search's finding. After the match,
    /// it moves back to that finding unless the surface's best stands.
    fn end_round(&mut self, space: &Space, is_played: bool) {
        if self.is_final() {
            let is_kept = match self.trials.last().filter(|_| is_played) {
                Some(trial) => trial.margin >= self.standing.least() * trial.se(),
                None => self.standing != SurfaceTrust::Behind,
            };
            if !is_kept {
                self.best = self.champion.clone();
            }
            return;
        }
        let is_last = self.rounds as usize + 1 == ROUND_SHARES.len();
        let fit = if is_last { self.final_fit(None) } else { Quadratic::fit(&self.region, &self.trials, None) };
        if let Some(fit) = fit.filter(|_| is_played) {
            let mut best = fit.best(&[&self.best]);
            if is_last && self.standing == SurfaceTrust::Beside {
                let between = |(found, best): (&f64, &f64)| found + BETWEEN * (best - found);
                best = self.champion.iter().zip(&best).map(between).collect();
            }
            self.best = space.snap(&best);
            if !is_last {
                self.region = Region::around(&self.best, &self.next_half(&fit));
            }
        }
    }

    /// Returns the quadratic of the last region, without the deals of a group if it is given.
    ///
    /// Trials count by their nearness to the middle. If values are not those of a quadratic all over the
    /// region, trials at its border would move the best.
    fn final_fit(&self, without: Option<usize>) -> Option<Quadratic> {
        let local = Quadratic::local(&self.region, &self.trials, without).map(|(fit, _)| fit.falling());
        local.or_else(|| Quadratic::fit(&self.region, &self.trials, without))
    }

    /// Returns the comparisons of the next round.
    fn design(&self, space: &Space, objective: &dyn TuneObjective, seed: u64) -> Vec<Encounter> {
        let mut stream = stream(seed, "surface", u64::from(self.rounds));
        let share = (self.budget - self.games) as f64 * ROUND_SHARES[self.rounds as usize];
        // Opposite corners of the region show slopes best: they are twice as far apart as each is from the
        // middle.
        let corners = self.points(space, 2 * space.dimensions(), false, &mut stream);
        let opposite = corners.into_iter().map(|corner| {
            let other = space.snap(&self.region.mirrored(&corner));
            (corner, other)
        });
        // Curvatures show in comparisons with the middle.
        let middle = space.snap(&self.region.middle);
        let points = self.points(space, 2 * space.dimensions() + 4, true, &mut stream);
        let around = points.into_iter().map(|point| (point, middle.clone()));
        let parts: [(Vec<(Setting, Setting)>, f64); 2] =
            [(opposite.collect(), SLOPES_SHARE), (around.collect(), 1.0 - SLOPES_SHARE)];
        let mut all = Vec::new();
        for (pairs, part) in parts {
            let block = (share * part / (objective.games(1) * pairs.len().max(1) as u64) as f64) as u64;
            all.extend(pairs.into_iter().map(|(one, other)| Encounter { one, other, numbers: block }));
        }
        all
    }

    /// Returns the half-widths of the next region: smaller where the curvature is clear, larger where it is
    /// not.
    fn next_half(&self, fit: &Quadratic) -> Vec<f64> {
        let next = |(axis, half): (usize, &f64)| {
            let (term, error) = fit.curvature(axis);
            // Curvature in half-widths grows with their square, but its error does not.
            let times = (CLEAR_CURVATURE * error / (-term).max(0.1 * error)).sqrt();
            let widest = if fit.misfit > SURFACE_MISFIT { half * NARROWING } else { 0.5 };
            (half * times.clamp(*RESIZING.start(), *RESIZING.end())).min(widest)
        };
        self.region.half.iter().enumerate().map(next).collect()
    }

    /// Returns different random points of the region.
    ///
    /// Each parameter is at its low or its high end, or with `middle` also in the middle.
    fn points(&self, space: &Space, count: usize, middle: bool, stream: &mut Stream) -> Vec<Setting> {
        let mut points: Vec<Setting> = Vec::new();
        for _ in 0..4 * count {
            let relative: Vec<f64> = (0..space.dimensions())
                .map(|_| match uniform(stream) {
                    u if middle && u < 0.25 => 0.0,
                    u if u < 0.625 => -1.0,
                    _ => 1.0,
                })
                .collect();
            let point = space.snap(&self.region.absolute(&relative));
            if points.len() < count && !points.contains(&point) {
                points.push(point);
            }
        }
        points
    }
}
