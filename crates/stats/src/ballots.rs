//! Variants as voters: an order of bots over all variants that adds up no scores.
//!
//! In each variant a bot that beats another beyond chance has one vote over it. Scores and Elo of different
//! games have different scales, and votes have none.

use overtrick_meta::{Votes, maximal_lottery, ranked_pairs, schulze};
use overtrick_tournament::Tournament;

use super::meta::MetaRow;
use super::nash_mix::MOST_MIXED;
use super::pairwise::sign;
use super::ranking::Ranking;
use super::rows::{Figure, RatingRow};

/// The votes of variants in which all bots of the tournament met.
#[derive(Default)]
pub(super) struct Ballots {
    variants: Vec<String>,
    /// `None` before the first variant.
    votes: Option<Votes>,
}

impl Ballots {
    /// Adds the votes of a variant, unless some bots did not meet.
    pub(super) fn add(&mut self, ranking: &Ranking<'_>) {
        let tournament = ranking.counted.tournament;
        if !ranking.is_full() || ranking.order.len() != tournament.bots.len() {
            return;
        }
        let votes = self.votes.get_or_insert_with(|| Votes::new(tournament.bots.len()));
        for one in tournament.bot_ids() {
            for other in tournament.bot_ids() {
                if sign(ranking.judged(), one, other) > 0.0 {
                    votes.add(one.index(), other.index(), 1.0);
                }
            }
        }
        self.variants.push(ranking.counted.variant.to_owned());
    }

    /// Returns the rows over all variants, best first by ranked pairs.
    ///
    /// There are none with fewer than two variants. `ratings` has the Elo over all variants, if there is one.
    pub(super) fn rows(&self, tournament: &Tournament, ratings: &[RatingRow]) -> Vec<MetaRow> {
        let Some(votes) = self.votes.as_ref().filter(|_| self.variants.len() > 1) else { return Vec::new() };
        let (ranked, schulze, winner) = (ranked_pairs(votes), schulze(votes), votes.condorcet_winner());
        let has_lottery = votes.players() <= MOST_MIXED;
        let lottery = if has_lottery { maximal_lottery(votes) } else { None };
        let mut rows = Vec::with_capacity(tournament.bots.len());
        for player in ranked.order() {
            let bot = &tournament.bots[player].name;
            let rating = ratings.iter().find(|row| row.variant == "all" && row.bot == *bot);
            rows.push(MetaRow {
                variant: "all".to_owned(),
                bot: bot.clone(),
                variants: self.variants.join("; "),
                elo: Figure(rating.and_then(|row| row.elo.value)),
                ranked_pairs: Some(ranked.places[player]),
                schulze: Some(schulze.places[player]),
                lottery: Figure(lottery.as_ref().map(|lottery| lottery[player])),
                condorcet: Some(winner == Some(player)),
                ..MetaRow::default()
            });
        }
        rows
    }
}
