//! The rows of the tables that a run reports, one type for each table.
//!
//! After `as` stand the keys of an [`Interval`] in files, with descriptions where the usual ones do not fit
//! ([`rows!`](crate::rows!)).
//!
//! Numbers are rounded to six decimals, since files are compared byte by byte. This hides the last bit of a
//! logarithm, which may differ from one machine to the next.

pub use super::figure::{Bounded, Figure, Interval};
use super::standing::Standing;
use crate::rows;

rows! {
    /// One bot in one variant. Scores are points a deal; a game is a deal, or a match in a tournament of
    /// matches.
    pub struct BotRow {
        /// The variant.
        variant: String,
        /// The bot.
        bot: String,
        /// Deals that the bot played, counted once for each seat it had.
        deals: u64,
        /// Games that the bot played, counted once for each seat it had.
        games: u64,
        /// Mean score a deal.
        mean: Interval as [mean, se, low, high],
        /// Standard deviation of the score of a deal.
        sd: Figure,
        /// Lowest score of a deal.
        min: Option<i64>,
        /// Median score of a deal.
        median: Figure,
        /// Highest score of a deal.
        max: Option<i64>,
        /// Share of games won alone.
        won: Interval,
        /// Share of games in which the first place was shared.
        tied: Interval,
        /// Share of games in which another player was better.
        lost: Interval,
        /// Share of its deals in which it was declarer by choice; none in games without a declarer.
        declared: Figure,
        /// Share of these in which it made the contract.
        made: Figure,
        /// Design effect: the variance that the mean would have if all deals were independent, over its real
        /// variance.
        design_effect: Figure,
        /// Number of faults, for an external bot.
        faults: u64,
        /// Number of faults by kind, as `crash 3; time-out 1`.
        fault_kinds: String,
        /// Whether it was disqualified: then nothing that was played with it counts, here or elsewhere.
        disqualified: bool,
    }

    /// A fault of an external bot: one of the first in the order of deals.
    pub struct FaultRow {
        /// The variant.
        variant: String,
        /// The bot.
        bot: String,
        /// The kind of fault.
        kind: &'static str,
        /// The number of the deal, or of the match.
        deal: u64,
        /// In a match, the number of the deal in it.
        deal_of_match: Option<u32>,
        /// The bot's seat.
        seat: usize,
        /// By seat: the name of the bot.
        seating: Vec<String>,
        /// The description of the fault.
        what: String,
    }

    /// The rating of one bot, in one variant or over all of them.
    pub struct RatingRow {
        /// The variant, or `all`.
        variant: String,
        /// The bot.
        bot: String,
        /// Elo in matches; the mean of all bots is 0, or the anchor is.
        elo: Interval as [elo, /** Its standard error. */ se, low, high],
        /// Matches played, counted once for each seat; none in a tournament of deals.
        games: Option<u64>,
        /// Matches won alone.
        won: Option<u64>,
        /// Matches in which the first place was shared.
        tied: Option<u64>,
        /// Matches in which another player was better.
        lost: Option<u64>,
        /// Lower end of the 95% interval of Elo that holds together with those of all bots of the variant.
        all: Interval as [all_low, /** Upper end of it. */ all_high],
        /// The best place that the bot may really have, 1 being the first: one more than the number of bots
        /// that are better beyond chance. Better in points a deal in a tournament of deals, else in matches.
        /// The ranges of all bots hold together in 95%. None in a gauntlet of deals, where bots met different
        /// others.
        place_low: Option<u64>,
        /// The worst place that it may really have.
        place_high: Option<u64>,
        /// Two-sided p-value of the hypothesis that the bot and the next one in the table are equally good,
        /// corrected for the choice among all pairs.
        p_next: Figure,
        /// Whether pseudo-results had to be added for Elo, because a bot always won or always lost; there is
        /// then no interval.
        regularised: bool,
        /// Points a deal that the bot is ahead of those it met, each of them counting as much as the others;
        /// in a gauntlet, ahead of the candidate.
        ahead: Interval as [ahead, ahead_se, ahead_low, ahead_high],
        /// Lower end of the 95% interval of `ahead` that holds together with those of all bots of the
        /// variant.
        ahead_all: Interval as [ahead_all_low, /** Upper end of it. */ ahead_all_high],
        /// Faults of the bot, if it is an external bot.
        faults: u64,
        /// The source of Elo: `matches` that were played, or matches put together from `deals`; empty if
        /// there is none.
        elo_from: &'static str,
    }
}

impl RatingRow {
    /// Fills in the figures of this place that come from all bots together.
    pub(super) fn set_standing(&mut self, standing: &Standing, place: usize) {
        let (low, high) = standing.places[place];
        (self.place_low, self.place_high) = (Some(low as u64), Some(high as u64));
        self.p_next = Figure(standing.p[place].get(place + 1).copied().flatten());
    }
}

rows! {
    /// The result of one variant in a sentence.
    pub struct HeadlineRow {
        /// The variant.
        variant: String,
        /// A sentence that says who is ahead of whom, by how much, and how sure that is.
        text: String,
        /// The first of three or more bots: how far it is ahead, in the measure of the sentence, corrected
        /// for being picked because it came first.
        first: Interval as [
            first,
            /// Lower end of its 95% interval, corrected in the same way.
            first_low,
            /// Upper end of it.
            first_high,
        ],
        /// Of three or more bots that all met: the p-value of the hypothesis that one number for each bot
        /// explains who beats whom, and by how much.
        one_number_p: Figure,
        /// Bots that beat one another in a circle, each the next and the last the first, beyond chance.
        cycle: Vec<String>,
    }

    /// Two bots in one variant, over the deals that both played.
    pub struct PairRow {
        /// The variant.
        variant: String,
        /// The first bot.
        bot_a: String,
        /// The second bot.
        bot_b: String,
        /// Deals in line-ups with both, counted once for each seat of the first.
        deals: u64,
        /// Mean score of the first minus mean score of the second, points a deal.
        difference: Interval as [difference, se, low, high],
        /// Elo in matches of the first minus that of the second.
        elo_difference: Figure,
        /// Its standard error.
        elo_se: Figure,
        /// Lower end of the 95% interval of the difference that holds together with those of all pairs of the
        /// variant.
        all: Interval as [all_low, /** Upper end of it. */ all_high],
        /// Two-sided p-value of the hypothesis that the two are equally good, of this pair alone: in points a
        /// deal in a tournament of deals, else in matches.
        p: Figure,
        /// The same, corrected for the choice among all pairs of the variant.
        all_p: Figure,
        /// Variance of the difference if all deals were independent, over its real variance: what duplicate
        /// dealing and full rotation bought.
        design_effect: Figure,
        /// The number of deals without anything in common that would say as much about the difference.
        worth: Figure,
        /// Faults of the two, where they are external bots.
        faults: u64,
    }

    /// One role at the table, of one bot or over all.
    pub struct SeatRow {
        /// The variant.
        variant: String,
        /// The bot, or `all`. Where each bot plays with itself alone, there is no `all` for several bots:
        /// they have nothing in common.
        bot: String,
        /// The role: `dealer`, `forehand` (to the dealer's left), `middlehand` (opposite the dealer, with four
        /// players), `rearhand` (to the dealer's right).
        seat: &'static str,
        /// Number of deals.
        deals: u64,
        /// Mean score a deal.
        mean: Interval as [mean, se, low, high],
        /// Mean score a deal less that of the average seat (of the same bot).
        advantage: Interval,
        /// Standard deviation of the score of a deal.
        sd: Figure,
        /// Share of games won alone.
        won: Interval,
        /// Share of games in which the first place was shared.
        tied: Interval,
        /// Share of games in which another player was better.
        lost: Interval,
    }

    /// How one variant plays, all seats together.
    pub struct BalanceRow {
        /// The variant.
        variant: String,
        /// `all`, or the bot where several play with themselves alone.
        bot: String,
        /// Deals, each time that one was played.
        deals: u64,
        /// Different deal or match numbers.
        blocks: u64,
        /// Standard deviation of the score of a seat in a deal.
        sd: Figure,
        /// The score that 5% of the seats do not exceed.
        p05: Option<i64>,
        /// The score that 25% of the seats do not exceed.
        p25: Option<i64>,
        /// The score that half of the seats do not exceed.
        p50: Option<i64>,
        /// The score that 75% of the seats do not exceed.
        p75: Option<i64>,
        /// The score that 95% of the seats do not exceed.
        p95: Option<i64>,
        /// Share of deals in which the best score was shared.
        tied: Interval,
        /// Share of deals that ended in one of the game's exceptional scores.
        exceptional: Interval,
        /// Share of deals that no one played: no declarer, and no trick.
        passed_out: Interval,
        /// Share of the variance of scores that is due to which bot plays.
        variance_bot: Interval,
        /// Share of the variance of scores that is due to the seat.
        variance_seat: Interval,
        /// Share of the variance of scores that is due to the cards that the seat holds and faces.
        variance_deal: Interval,
        /// Share of the variance of scores that is left: the interplay of bots and cards.
        variance_rest: Interval,
        /// How far the chance to win is spread over seats in deals: the standard deviation from an equal
        /// chance.
        win_sd: Interval,
        /// From the chance to win that 5% of seats in deals do not exceed to the one that 95% do not.
        span: Figure,
        /// Where the figures of matches come from: `matches` that were played, or matches put together from
        /// `deals`.
        matches_from: Option<&'static str>,
        /// The number of deals that half of the matches do not exceed.
        match_deals: Interval,
        /// The number of deals that 95% of the matches do not exceed.
        match_deals_p95: Interval,
        /// Share of matches, of those not level at half time, that were won by who led then.
        leader_wins: Interval,
        /// Share of the same that were won by who was last then.
        comebacks: Interval,
    }

    /// A point of a curve: what deals are like in one trick.
    pub struct CurveRow {
        /// The variant.
        variant: String,
        /// The bot, or `all`.
        bot: String,
        /// The number of the trick, from 1; 0 for what comes before the first.
        trick: usize,
        /// The measure: `moves`, `forced`, `winner-leads` or `lead-changes`.
        measure: &'static str,
        /// How many cases the value was taken over: decisions, wins or deals.
        cases: u64,
        /// The mean or the share.
        value: Interval as [value, low, high],
    }

    /// How the stopping rules of a run stood at its end, in one variant.
    pub struct StopRow {
        /// The variant.
        variant: String,
        /// Deal or match numbers played.
        blocks: u64,
        /// Whether a rule stopped the run; else all its numbers were played.
        stopped: bool,
        /// Half the width of the widest 95% interval of a difference of two bots, where the config gives a
        /// half-width.
        half_width: Figure,
        /// The log-likelihood ratio of H1 to H0, where the config has a test.
        llr: Figure,
        /// The log-likelihood ratio at or below which H0 is accepted.
        lower_bound: Figure,
        /// The log-likelihood ratio at or above which H1 is accepted.
        upper_bound: Figure,
        /// The hypothesis that was accepted.
        accepted: Option<&'static str>,
        /// The plain estimate in addition to a test: the first bot's mean less the second's, points a deal (a
        /// match, in a tournament of matches). Since the test stops at a moment that depends on it, it is
        /// biased away from the middle of the bounds.
        difference: Interval as [
            difference,
            /// Lower end of its 95% interval, which is wider for the test.
            low,
            high,
        ],
    }

    /// How the stopping rules of a run stood at a look, in one variant.
    pub struct LookRow {
        /// The variant.
        variant: String,
        /// Deal or match numbers played.
        blocks: u64,
        /// Half the width of the widest 95% interval of a difference of two bots, where the config gives a
        /// half-width.
        half_width: Figure,
        /// The log-likelihood ratio of H1 to H0, where the config has a test.
        llr: Figure,
    }

    /// One kind of contract in one variant, played by one bot as declarer, or by all.
    pub struct ContractRow {
        /// The variant.
        variant: String,
        /// The contract; `chosen` and `forced` take together all that the declarer chose to play and all that
        /// they had to.
        contract: String,
        /// The declarer, or `all`.
        bot: String,
        /// Deals with this contract.
        deals: u64,
        /// Their share of all deals; for a bot, of the deals that it played, counted once for each seat it
        /// had.
        share: Interval,
        /// Share of them in which the declarer made it.
        made: Interval,
        /// Mean score of the declarer, points a deal.
        declarer: Interval,
        /// Mean score of each of the others.
        others: Interval,
    }

    /// The worth of an option to a bot that meets itself without it: a bot of strategy `restricted`.
    pub struct OptionRow {
        /// The variant.
        variant: String,
        /// The moves that the other bot may not make, as its parameter `forbid` has them.
        option: String,
        /// The bot that may make them.
        bot: String,
        /// The bot that is the same but may not make them.
        without: String,
        /// By how many points a deal the first is ahead of the second, as in `pairs`.
        worth: Interval as [worth, /** Its standard error. */ se, low, high],
        /// All that in a sentence.
        text: String,
    }
}
