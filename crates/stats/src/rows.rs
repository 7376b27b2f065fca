//! The rows of the tables that a run reports, one type for each table.
//!
//! Numbers are rounded to six decimals, since files are compared byte by byte. This hides the last bit of a
//! logarithm, which may differ from one machine to the next.

use schemars::JsonSchema;
use serde::Serialize;

pub use super::figure::Figure;
use super::standing::Standing;
use overtrick_ratings::Estimate;

/// One bot in one variant. Scores are points a deal; a game is a deal, or a match in a tournament of matches.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct BotRow {
    /// The variant.
    pub variant: String,
    /// The bot.
    pub bot: String,
    /// Deals that the bot played, counted once for each seat it had.
    pub deals: u64,
    /// Games that the bot played, counted once for each seat it had.
    pub games: u64,
    /// Mean score a deal.
    pub mean: Figure,
    /// Its standard error, over groups of deals.
    pub se: Figure,
    /// Lower end of its 95% interval.
    pub low: Figure,
    /// Upper end of its 95% interval.
    pub high: Figure,
    /// Standard deviation of the score of a deal.
    pub sd: Figure,
    /// Lowest score of a deal.
    pub min: Option<i64>,
    /// Median score of a deal.
    pub median: Figure,
    /// Highest score of a deal.
    pub max: Option<i64>,
    /// Share of games won alone.
    pub won: Figure,
    /// Lower end of its 95% interval.
    pub won_low: Figure,
    /// Upper end of its 95% interval.
    pub won_high: Figure,
    /// Share of games in which the first place was shared.
    pub tied: Figure,
    /// Lower end of its 95% interval.
    pub tied_low: Figure,
    /// Upper end of its 95% interval.
    pub tied_high: Figure,
    /// Share of games in which another player was better.
    pub lost: Figure,
    /// Lower end of its 95% interval.
    pub lost_low: Figure,
    /// Upper end of its 95% interval.
    pub lost_high: Figure,
    /// Share of its deals in which it was declarer by choice; none in games without a declarer.
    pub declared: Figure,
    /// Share of these in which it made the contract.
    pub made: Figure,
    /// Design effect: the variance that the mean would have if all deals were independent, over its real variance.
    pub design_effect: Figure,
    /// Number of faults, for an external bot.
    pub faults: u64,
    /// Number of faults by kind, as `crash 3; time-out 1`.
    pub fault_kinds: String,
    /// Whether it was disqualified: then nothing that was played with it counts, here or elsewhere.
    pub disqualified: bool,
}

/// A fault of an external bot: one of the first in the order of deals.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct FaultRow {
    /// The variant.
    pub variant: String,
    /// The bot.
    pub bot: String,
    /// The kind of fault.
    pub kind: &'static str,
    /// The number of the deal, or of the match.
    pub deal: u64,
    /// In a match, the number of the deal in it.
    pub deal_of_match: Option<u32>,
    /// The bot's seat.
    pub seat: usize,
    /// By seat: the name of the bot.
    pub seating: Vec<String>,
    /// The description of the fault.
    pub what: String,
}

/// The rating of one bot, in one variant or over all of them.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct RatingRow {
    /// The variant, or `all`.
    pub variant: String,
    /// The bot.
    pub bot: String,
    /// Elo in matches; the mean of all bots is 0, or the anchor is.
    pub elo: Figure,
    /// Its standard error.
    pub se: Figure,
    /// Lower end of its 95% interval.
    pub low: Figure,
    /// Upper end of its 95% interval.
    pub high: Figure,
    /// Matches played, counted once for each seat; none in a tournament of deals.
    pub games: Option<u64>,
    /// Matches won alone.
    pub won: Option<u64>,
    /// Matches in which the first place was shared.
    pub tied: Option<u64>,
    /// Matches in which another player was better.
    pub lost: Option<u64>,
    /// Lower end of the 95% interval of Elo that holds together with those of all bots of the variant.
    pub all_low: Figure,
    /// Upper end of it.
    pub all_high: Figure,
    /// The best place that the bot may really have, 1 being the first: one more than the number of bots that are better
    /// beyond chance. Better in points a deal in a tournament of deals, else in matches. The ranges of all bots hold
    /// together in 95%. None in a gauntlet of deals, where bots met different others.
    pub place_low: Option<u64>,
    /// The worst place that it may really have.
    pub place_high: Option<u64>,
    /// Two-sided p-value of the hypothesis that the bot and the next one in the table are equally good, corrected for
    /// the choice among all pairs.
    pub p_next: Figure,
    /// Whether pseudo-results had to be added for Elo, because a bot always won or always lost; there is then no
    /// interval.
    pub regularised: bool,
    /// Points a deal that the bot is ahead of those it met, each of them counting as much as the others; in a gauntlet,
    /// ahead of the candidate.
    pub ahead: Figure,
    /// Its standard error, over groups of deals.
    pub ahead_se: Figure,
    /// Lower end of its 95% interval.
    pub ahead_low: Figure,
    /// Upper end of its 95% interval.
    pub ahead_high: Figure,
    /// Lower end of the 95% interval of `ahead` that holds together with those of all bots of the variant.
    pub ahead_all_low: Figure,
    /// Upper end of it.
    pub ahead_all_high: Figure,
    /// Faults of the bot, if it is an external bot.
    pub faults: u64,
    /// The source of Elo: `matches` that were played, or matches put together from `deals`; empty if there is none.
    pub elo_from: &'static str,
}

impl RatingRow {
    /// Fills in the figures of this place that come from all bots together.
    pub(super) fn set_standing(&mut self, standing: &Standing, place: usize) {
        let (low, high) = standing.places[place];
        (self.place_low, self.place_high) = (Some(low as u64), Some(high as u64));
        self.p_next = Figure(standing.p[place].get(place + 1).copied().flatten());
    }
}

/// The result of one variant in a sentence.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct HeadlineRow {
    /// The variant.
    pub variant: String,
    /// A sentence that says who is ahead of whom, by how much, and how sure that is.
    pub text: String,
    /// The first of three or more bots: how far it is ahead, in the measure of the sentence, corrected for being picked
    /// because it came first.
    pub first: Figure,
    /// Lower end of its 95% interval, corrected in the same way.
    pub first_low: Figure,
    /// Upper end of it.
    pub first_high: Figure,
    /// Of three or more bots that all met: the p-value of the hypothesis that one number for each bot explains who
    /// beats whom, and by how much.
    pub one_number_p: Figure,
    /// Bots that beat one another in a circle, each the next and the last the first, beyond chance.
    pub cycle: Vec<String>,
}

/// Two bots in one variant, over the deals that both played.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct PairRow {
    /// The variant.
    pub variant: String,
    /// The first bot.
    pub bot_a: String,
    /// The second bot.
    pub bot_b: String,
    /// Deals in line-ups with both, counted once for each seat of the first.
    pub deals: u64,
    /// Mean score of the first minus mean score of the second, points a deal.
    pub difference: Figure,
    /// Its standard error, over groups of deals.
    pub se: Figure,
    /// Lower end of its 95% interval.
    pub low: Figure,
    /// Upper end of its 95% interval.
    pub high: Figure,
    /// Elo in matches of the first minus that of the second.
    pub elo_difference: Figure,
    /// Its standard error.
    pub elo_se: Figure,
    /// Lower end of the 95% interval of the difference that holds together with those of all pairs of the variant.
    pub all_low: Figure,
    /// Upper end of it.
    pub all_high: Figure,
    /// Two-sided p-value of the hypothesis that the two are equally good, of this pair alone: in points a deal in a
    /// tournament of deals, else in matches.
    pub p: Figure,
    /// The same, corrected for the choice among all pairs of the variant.
    pub all_p: Figure,
    /// Variance of the difference if all deals were independent, over its real variance: what duplicate dealing and
    /// full rotation bought.
    pub design_effect: Figure,
    /// The number of deals without anything in common that would say as much about the difference.
    pub worth: Figure,
    /// Faults of the two, where they are external bots.
    pub faults: u64,
}

/// One role at the table, of one bot or over all.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct SeatRow {
    /// The variant.
    pub variant: String,
    /// The bot, or `all`. Where each bot plays with itself alone, there is no `all` for several bots: they have nothing
    /// in common.
    pub bot: String,
    /// The role: `dealer`, `forehand` (to the dealer's left), `rearhand` (to the dealer's right).
    pub seat: &'static str,
    /// Number of deals.
    pub deals: u64,
    /// Mean score a deal.
    pub mean: Figure,
    /// Its standard error, over groups of deals.
    pub se: Figure,
    /// Lower end of its 95% interval.
    pub low: Figure,
    /// Upper end of its 95% interval.
    pub high: Figure,
    /// Mean score a deal less that of the average seat (of the same bot).
    pub advantage: Figure,
    /// Lower end of its 95% interval.
    pub advantage_low: Figure,
    /// Upper end of its 95% interval.
    pub advantage_high: Figure,
    /// Standard deviation of the score of a deal.
    pub sd: Figure,
    /// Share of games won alone.
    pub won: Figure,
    /// Lower end of its 95% interval.
    pub won_low: Figure,
    /// Upper end of its 95% interval.
    pub won_high: Figure,
    /// Share of games in which the first place was shared.
    pub tied: Figure,
    /// Lower end of its 95% interval.
    pub tied_low: Figure,
    /// Upper end of its 95% interval.
    pub tied_high: Figure,
    /// Share of games in which another player was better.
    pub lost: Figure,
    /// Lower end of its 95% interval.
    pub lost_low: Figure,
    /// Upper end of its 95% interval.
    pub lost_high: Figure,
}

/// How one variant plays, all seats together.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct BalanceRow {
    /// The variant.
    pub variant: String,
    /// `all`, or the bot where several play with themselves alone.
    pub bot: String,
    /// Deals, each time that one was played.
    pub deals: u64,
    /// Different deal or match numbers.
    pub blocks: u64,
    /// Standard deviation of the score of a seat in a deal.
    pub sd: Figure,
    /// The score that 5% of the seats do not exceed.
    pub p05: Option<i64>,
    /// The score that 25% of the seats do not exceed.
    pub p25: Option<i64>,
    /// The score that half of the seats do not exceed.
    pub p50: Option<i64>,
    /// The score that 75% of the seats do not exceed.
    pub p75: Option<i64>,
    /// The score that 95% of the seats do not exceed.
    pub p95: Option<i64>,
    /// Share of deals in which the best score was shared.
    pub tied: Figure,
    /// Lower end of its 95% interval.
    pub tied_low: Figure,
    /// Upper end of its 95% interval.
    pub tied_high: Figure,
    /// Share of deals that ended in one of the game's exceptional scores.
    pub exceptional: Figure,
    /// Lower end of its 95% interval.
    pub exceptional_low: Figure,
    /// Upper end of its 95% interval.
    pub exceptional_high: Figure,
    /// Share of deals that no one played: no declarer, and no trick.
    pub passed_out: Figure,
    /// Lower end of its 95% interval.
    pub passed_out_low: Figure,
    /// Upper end of its 95% interval.
    pub passed_out_high: Figure,
    /// Share of the variance of scores that is due to which bot plays.
    pub variance_bot: Figure,
    /// Lower end of its 95% interval.
    pub variance_bot_low: Figure,
    /// Upper end of its 95% interval.
    pub variance_bot_high: Figure,
    /// Share of the variance of scores that is due to the seat.
    pub variance_seat: Figure,
    /// Lower end of its 95% interval.
    pub variance_seat_low: Figure,
    /// Upper end of its 95% interval.
    pub variance_seat_high: Figure,
    /// Share of the variance of scores that is due to the cards that the seat holds and faces.
    pub variance_deal: Figure,
    /// Lower end of its 95% interval.
    pub variance_deal_low: Figure,
    /// Upper end of its 95% interval.
    pub variance_deal_high: Figure,
    /// Share of the variance of scores that is left: the interplay of bots and cards.
    pub variance_rest: Figure,
    /// Lower end of its 95% interval.
    pub variance_rest_low: Figure,
    /// Upper end of its 95% interval.
    pub variance_rest_high: Figure,
    /// How far the chance to win is spread over seats in deals: the standard deviation from an equal chance.
    pub win_sd: Figure,
    /// Lower end of its 95% interval.
    pub win_sd_low: Figure,
    /// Upper end of its 95% interval.
    pub win_sd_high: Figure,
    /// From the chance to win that 5% of seats in deals do not exceed to the one that 95% do not.
    pub span: Figure,
    /// Where the figures of matches come from: `matches` that were played, or matches put together from `deals`.
    pub matches_from: Option<&'static str>,
    /// The number of deals that half of the matches do not exceed.
    pub match_deals: Figure,
    /// Lower end of its 95% interval.
    pub match_deals_low: Figure,
    /// Upper end of its 95% interval.
    pub match_deals_high: Figure,
    /// The number of deals that 95% of the matches do not exceed.
    pub match_deals_p95: Figure,
    /// Lower end of its 95% interval.
    pub match_deals_p95_low: Figure,
    /// Upper end of its 95% interval.
    pub match_deals_p95_high: Figure,
    /// Share of matches, of those not level at half time, that were won by who led then.
    pub leader_wins: Figure,
    /// Lower end of its 95% interval.
    pub leader_wins_low: Figure,
    /// Upper end of its 95% interval.
    pub leader_wins_high: Figure,
    /// Share of the same that were won by who was last then.
    pub comebacks: Figure,
    /// Lower end of its 95% interval.
    pub comebacks_low: Figure,
    /// Upper end of its 95% interval.
    pub comebacks_high: Figure,
}

/// A point of a curve: what deals are like in one trick.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct CurveRow {
    /// The variant.
    pub variant: String,
    /// The bot, or `all`.
    pub bot: String,
    /// The number of the trick, from 1; 0 for what comes before the first.
    pub trick: usize,
    /// The measure: `moves`, `forced`, `winner-leads` or `lead-changes`.
    pub measure: &'static str,
    /// How many cases the value was taken over: decisions, wins or deals.
    pub cases: u64,
    /// The mean or the share.
    pub value: Figure,
    /// Lower end of its 95% interval.
    pub low: Figure,
    /// Upper end of its 95% interval.
    pub high: Figure,
}

/// How the stopping rules of a run stood at its end, in one variant.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct StopRow {
    /// The variant.
    pub variant: String,
    /// Deal or match numbers played.
    pub blocks: u64,
    /// Whether a rule stopped the run; else all its numbers were played.
    pub stopped: bool,
    /// Half the width of the widest 95% interval of a difference of two bots, where the config gives a half-width.
    pub half_width: Figure,
    /// The log-likelihood ratio of H1 to H0, where the config has a test.
    pub llr: Figure,
    /// The log-likelihood ratio at or below which H0 is accepted.
    pub lower_bound: Figure,
    /// The log-likelihood ratio at or above which H1 is accepted.
    pub upper_bound: Figure,
    /// The hypothesis that was accepted.
    pub accepted: Option<&'static str>,
    /// The plain estimate in addition to a test: the first bot's mean less the second's, points a deal (a match, in a
    /// tournament of matches). Since the test stops at a moment that depends on it, it is biased away from the middle
    /// of the bounds.
    pub difference: Figure,
    /// Lower end of its 95% interval, which is wider for the test.
    pub low: Figure,
    /// Upper end of its 95% interval.
    pub high: Figure,
}

/// How the stopping rules of a run stood at a look, in one variant.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct LookRow {
    /// The variant.
    pub variant: String,
    /// Deal or match numbers played.
    pub blocks: u64,
    /// Half the width of the widest 95% interval of a difference of two bots, where the config gives a half-width.
    pub half_width: Figure,
    /// The log-likelihood ratio of H1 to H0, where the config has a test.
    pub llr: Figure,
}

/// One kind of contract in one variant, played by one bot as declarer, or by all.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct ContractRow {
    /// The variant.
    pub variant: String,
    /// The contract; `chosen` and `forced` take together all that the declarer chose to play and all that they had to.
    pub contract: String,
    /// The declarer, or `all`.
    pub bot: String,
    /// Deals with this contract.
    pub deals: u64,
    /// Their share of all deals; for a bot, of the deals that it played, counted once for each seat it had.
    pub share: Figure,
    /// Lower end of its 95% interval.
    pub share_low: Figure,
    /// Upper end of its 95% interval.
    pub share_high: Figure,
    /// Share of them in which the declarer made it.
    pub made: Figure,
    /// Lower end of its 95% interval.
    pub made_low: Figure,
    /// Upper end of its 95% interval.
    pub made_high: Figure,
    /// Mean score of the declarer, points a deal.
    pub declarer: Figure,
    /// Lower end of its 95% interval.
    pub declarer_low: Figure,
    /// Upper end of its 95% interval.
    pub declarer_high: Figure,
    /// Mean score of each of the others.
    pub others: Figure,
    /// Lower end of its 95% interval.
    pub others_low: Figure,
    /// Upper end of its 95% interval.
    pub others_high: Figure,
}

/// The worth of an option to a bot that meets itself without it: a bot of strategy `restricted`.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct OptionRow {
    /// The variant.
    pub variant: String,
    /// The moves that the other bot may not make, as its parameter `forbid` has them.
    pub option: String,
    /// The bot that may make them.
    pub bot: String,
    /// The bot that is the same but may not make them.
    pub without: String,
    /// By how many points a deal the first is ahead of the second, as in `pairs`.
    pub worth: Figure,
    /// Its standard error.
    pub se: Figure,
    /// Lower end of its 95% interval.
    pub low: Figure,
    /// Upper end of its 95% interval.
    pub high: Figure,
    /// All that in a sentence.
    pub text: String,
}

pub(super) fn ends(interval: Option<(f64, f64)>) -> [Figure; 2] {
    [Figure(interval.map(|(low, _)| low)), Figure(interval.map(|(_, high)| high))]
}

/// Returns the mean, standard error and interval.
pub(super) fn figures(estimate: Option<Estimate>) -> [Figure; 4] {
    [
        Figure(estimate.map(|estimate| estimate.mean)),
        Figure(estimate.and_then(|estimate| estimate.se)),
        Figure(estimate.and_then(|estimate| estimate.low())),
        Figure(estimate.and_then(|estimate| estimate.high())),
    ]
}
