//! The bots of a tournament that played, rated.

use super::interval::Estimate;
use super::ratings::{Entrant, Fit, FitError, FitOptions, Outcome, fit};
use super::record::Record;
use super::regularised;
use super::rows::{Figure, RatingRow};
use crate::arena::{Format, Tournament};

/// Ratings of the bots that played: all but those that were disqualified.
pub(super) struct Field {
    fit: Fit,
    /// By player of the fit: the bot.
    bots: Vec<usize>,
}

impl Field {
    /// Ratings by `outcomes`, whose players are bots; `None` where bots only met themselves or nobody played.
    pub(super) fn rate(
        tournament: &Tournament,
        outcomes: &[Outcome],
        groups: usize,
        seat_effects: bool,
    ) -> Option<Result<Field, FitError>> {
        if tournament.format == Format::Mirror || outcomes.is_empty() {
            return None;
        }
        let mut bots: Vec<usize> =
            outcomes.iter().flat_map(|outcome| &outcome.entrants).map(|one| one.player).collect();
        bots.sort_unstable();
        bots.dedup();
        let player = |bot: usize| bots.binary_search(&bot).ok();
        let entrant = |one: &Entrant| Entrant { player: player(one.player).expect("it is one of them"), ..*one };
        let outcome =
            |outcome: &Outcome| Outcome { entrants: outcome.entrants.iter().map(entrant).collect(), ..outcome.clone() };
        let outcomes: Vec<Outcome> = outcomes.iter().map(outcome).collect();
        // Without the anchor, the mean of the others is 0.
        let anchor = tournament.anchor.and_then(|anchor| player(usize::from(anchor)));
        let fitted = fit(bots.len(), groups, &outcomes, &FitOptions { seat_effects, anchor });
        Some(fitted.map(|fit| Field { fit, bots }))
    }

    fn player(&self, bot: usize) -> usize {
        self.bots.binary_search(&bot).expect("the bot played")
    }

    /// Elo of one bot less that of another.
    pub(super) fn difference(&self, a: usize, b: usize) -> Estimate {
        self.fit.difference(self.player(a), self.player(b))
    }

    /// How likely a bot is better than another.
    pub(super) fn superiority(&self, a: usize, b: usize) -> Option<f64> {
        self.fit.likelihood_of_superiority(self.player(a), self.player(b))
    }

    /// Why pseudo-results had to be added, if they had to.
    pub(super) fn note(&self, tournament: &Tournament) -> Option<String> {
        regularised::note(&self.fit, |player| &tournament.bots[self.bots[player]].name)
    }

    /// The rows of a table, best first; `records` are by bot.
    pub(super) fn rows(&self, tournament: &Tournament, variant: &str, records: &[Record]) -> Vec<RatingRow> {
        let mut order = self.bots.clone();
        let elo = |bot: usize| self.fit.elo(self.player(bot));
        // Stable: equals stay as configured.
        order.sort_by(|&a, &b| elo(b).mean.total_cmp(&elo(a).mean));
        let row = |(place, &bot): (usize, &usize)| {
            let (elo, next) = (elo(bot), order.get(place + 1));
            RatingRow {
                variant: variant.to_owned(),
                bot: tournament.bots[bot].name.clone(),
                elo: elo.mean.into(),
                se: Figure(elo.se),
                low: Figure(elo.low()),
                high: Figure(elo.high()),
                games: records[bot].games(),
                won: records[bot].won,
                tied: records[bot].tied,
                lost: records[bot].lost,
                superiority_over_next: Figure(next.and_then(|&next| self.superiority(bot, next))),
                regularised: self.fit.regularised(),
            }
        };
        order.iter().enumerate().map(row).collect()
    }
}
