//! The tables of a league: each bot, and each two bots.

use overtrick_league::{BotStatus, LeagueQuestion, PairMargin};
use overtrick_stats::{Figure, Interval, rows};

use super::leaguing::Leaguing;
use super::plan::LeaguePlan;

rows! {
    /// A bot of a league.
    pub struct LeagueBotRow {
        /// Its place, from 1: bots that are in come first, then those that are open, and then those that are out.
        place: u64,
        /// The bot.
        bot: String,
        /// `in` if the bot is certainly in the answer, `out` if it certainly is not, else `open`. For a ranking,
        /// `in` says that its place is settled. `reference` is the bot that others are compared with.
        status: &'static str,
        /// Whether it is in the answer; without an answer, in the best guess.
        chosen: bool,
        /// The round in which its status was settled, from 1.
        round: Option<u64>,
        /// Points a deal ahead of the other bots of its line-ups, over all line-ups with bots of the league. It is
        /// from the deals that measured all bots.
        rating: Interval as [
            rating,
            /// Its standard error.
            se,
            /// The lower end of its 95% interval, for this bot alone.
            low,
            /// The upper end.
            high,
        ],
        /// The mean lead over the deals that compared the bot with others, without those for ratings alone. It has no
        /// interval, since a bot that is out was left when it looked bad.
        mean: Figure,
        /// The deals that compared the bot with others, without those for ratings alone.
        deals: u64,
        /// The games of the line-ups that measured the bot on these deals.
        games: u64,
        /// How often an external bot failed to answer, and a random legal move was made.
        faults: u64,
        /// How many decisions it answered differently when it was asked again.
        irreproducible: u64,
    }

    /// Two bots of a league, the one with the better place first.
    pub struct LeaguePairRow {
        /// The bot with the better place.
        bot_a: String,
        /// The other bot.
        bot_b: String,
        /// The bot that is better by the interval of the pair; empty if that is not decided. The error rate of the
        /// league is that of all pairs that the answer rests on. Each other pair errs by itself at the level of a pair.
        ahead: String,
        /// The round in which that was decided, from 1.
        round: Option<u64>,
        /// Points a deal by which `bot-a` is ahead of `bot-b`, with an interval at the level of a pair. All
        /// intervals that the answer rests on hold together and at every look, but for its error rate.
        margin: Interval as [
            margin,
            /// The lower end of its interval.
            low,
            /// The upper end.
            high,
        ],
        /// The margin of `bot-a` in the round in which it was decided.
        decided: Interval as [
            decided,
            /// The lower end of its interval.
            decided_low,
            /// The upper end.
            decided_high,
        ],
        /// The deals that compared both bots, without those for ratings alone.
        deals: u64,
    }
}

/// The tables of a league.
#[derive(Clone, Debug)]
pub struct LeagueTables {
    /// The bots, best first.
    pub bots: Vec<LeagueBotRow>,
    /// Each two bots, in the order of the bots.
    pub pairs: Vec<LeaguePairRow>,
}

/// Returns a margin with its interval.
fn interval(margin: PairMargin) -> Interval {
    let ends = margin.half_width.map(|half| (margin.margin - half, margin.margin + half));
    Interval::new(Some(margin.margin), ends)
}

impl LeagueTables {
    /// Returns the tables of a league, as far as it was played.
    pub fn new(plan: &LeaguePlan, leaguing: &Leaguing) -> LeagueTables {
        let standings = leaguing.league.standings();
        let chosen = leaguing.answer().bots;
        let is_ranking = plan.question == LeagueQuestion::Ranking;
        let games = u64::try_from(plan.shape().games).expect("few seatings");
        let mut bots = Vec::with_capacity(standings.len());
        for (place, standing) in (1..).zip(&standings) {
            let (status, round) = status(standing.status);
            bots.push(LeagueBotRow {
                place,
                bot: plan.bots[standing.bot].name.clone(),
                status,
                chosen: is_ranking || chosen.contains(&standing.bot),
                round,
                rating: standing.rating.into(),
                mean: standing.mean.into(),
                deals: standing.deals,
                games: standing.deals * games,
                faults: leaguing.faults[standing.bot].failures,
                irreproducible: leaguing.faults[standing.bot].irreproducible,
            });
        }
        let order: Vec<usize> = standings.iter().map(|standing| standing.bot).collect();
        LeagueTables { bots, pairs: pairs(plan, leaguing, &order) }
    }
}

/// Returns a status as tables have it, with the round in which it was settled.
fn status(status: BotStatus) -> (&'static str, Option<u64>) {
    match status {
        BotStatus::In(round) => ("in", Some(round)),
        BotStatus::Out(round) => ("out", Some(round)),
        BotStatus::Open => ("open", None),
        BotStatus::Reference => ("reference", None),
    }
}

/// Returns the rows of each two bots, which are in this order.
fn pairs(plan: &LeaguePlan, leaguing: &Leaguing, order: &[usize]) -> Vec<LeaguePairRow> {
    let count = order.len();
    let mut decisions = vec![None; count * count];
    for decision in leaguing.league.decisions() {
        decisions[decision.better.min(decision.worse) * count + decision.better.max(decision.worse)] = Some(decision);
    }
    let mut rows = Vec::with_capacity(count * count.saturating_sub(1) / 2);
    for (place, &one) in order.iter().enumerate() {
        for &other in &order[place + 1..] {
            let decision = decisions[one.min(other) * count + one.max(other)];
            let margin = leaguing.league.pair(one, other);
            let at_decision = decision.map(|decision| {
                let own = interval(decision.at_decision);
                if decision.better == one { own } else { own.turned() }
            });
            rows.push(LeaguePairRow {
                bot_a: plan.bots[one].name.clone(),
                bot_b: plan.bots[other].name.clone(),
                ahead: decision.map_or_else(String::new, |decision| plan.bots[decision.better].name.clone()),
                round: decision.map(|decision| decision.round),
                margin: interval(margin),
                decided: at_decision.unwrap_or_default(),
                deals: margin.deals,
            });
        }
    }
    rows
}
