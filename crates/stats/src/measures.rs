//! Measures of a game's balance where bots play with themselves.
//!
//! Each measure has the contribution of every group of deals to its error.

use overtrick_cards::table::Role;
use overtrick_games::AnyGame;
use overtrick_ratings::GroupSum;
use overtrick_strategy::ids::{BotId, LineUpId};
use overtrick_tournament::{Ends, Tally, Tournament, Unit};
use serde::{Deserialize, Serialize};

use super::contrast::Contrast;
use super::counted::Counted;
use super::widening::Widening;

/// The measures of how deals go and end.
const OF_DEALS: [&str; 7] = ["tied", "exceptional", "passed-out", "moves", "forced", "winner-leads", "lead-changes"];

/// A measure of a game, as a bot plays it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BalanceMeasure {
    /// The name of the measure.
    pub name: String,
    /// The bot that plays.
    pub bot: BotId,
    /// The estimate.
    pub contrast: Contrast,
}

/// The prefix of the names of the measures of seats.
pub const SEAT: &str = "seat-";

/// The measure of all seats together: how far the farthest seat is from the mean, in points a deal.
///
/// On each [`SeatScale`] its name ends as those of the seats do.
pub const SEAT_ADVANTAGE: &str = "seat-advantage";

/// The scale of the worth of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SeatScale {
    /// Points a deal over the mean of all seats.
    Points,
    /// The same over the standard deviation of a seat's score.
    Deviations,
    /// The share of games won, beyond an equal share.
    Won,
}

impl SeatScale {
    /// All scales.
    pub const ALL: [SeatScale; 3] = [SeatScale::Points, SeatScale::Deviations, SeatScale::Won];

    /// Returns the suffix of the names of measures on this scale.
    pub const fn suffix(self) -> &'static str {
        match self {
            SeatScale::Points => "",
            SeatScale::Deviations => "-sd",
            SeatScale::Won => "-won",
        }
    }

    /// Returns the scale of a measure of a seat, by its name; `None` for other measures.
    pub fn of(measure: &str) -> Option<SeatScale> {
        measure.strip_prefix(SEAT)?;
        for scale in [SeatScale::Deviations, SeatScale::Won] {
            if measure.ends_with(scale.suffix()) {
                return Some(scale);
            }
        }
        Some(SeatScale::Points)
    }

    /// Returns the name of the measure of all seats together on this scale.
    pub fn advantage(self) -> String {
        format!("{SEAT_ADVANTAGE}{}", self.suffix())
    }
}

/// The mean number of deals of a match, where matches are played.
const MATCH_LENGTH: &str = "match-length";

/// Returns the names of all measures of a game; [`measures`] returns those that a run has.
pub fn measure_names(game: &AnyGame, unit: Unit) -> Vec<String> {
    let kinds = game.contract_kinds();
    let mut names = vec!["points".to_owned()];
    let (seats, teams) = (game.layout().seats, game.layout().teams());
    // Partners have equal scores, so the first seat of each side stands for it.
    for role in Role::all(teams.count()) {
        names.extend(SeatScale::ALL.map(|scale| seat_name(role, seats, scale)));
    }
    names.extend(OF_DEALS.map(str::to_owned));
    if unit == Unit::Match {
        names.push(MATCH_LENGTH.to_owned());
    }
    names.extend(kinds.iter().map(|kind| contract_name(&kind.name)));
    if kinds.iter().any(|kind| kind.forced.is_some()) {
        names.push("made".to_owned());
    }
    names
}

fn seat_name(role: Role, seats: usize, scale: SeatScale) -> String {
    format!("{SEAT}{}{}", role.name(seats), scale.suffix())
}

fn contract_name(kind: &str) -> String {
    format!("contract {kind}")
}

/// Returns the measures of variant 0 of a tournament of mirrors, bot by bot.
///
/// Every tournament has:
///
/// - points a deal (`points`);
/// - the worth of each seat over the mean of all, in points a deal (`seat-dealer`...);
/// - the same over the standard deviation of scores (`seat-dealer-sd`);
/// - the share of games won of each seat, beyond an equal share (`seat-dealer-won`);
/// - the shares of deals that are tied (`tied`), exceptional (`exceptional`) or passed out (`passed-out`);
/// - the share of deals in which each contract was played (`contract NAME`);
/// - the share of contracts that the declarer made (`made`).
///
/// These measures are of the first deals, as in `curves.csv` but over all tricks:
///
/// - legal moves at a decision (`moves`);
/// - the share of forced decisions (`forced`);
/// - the share of wins in which the winner leads after the middle trick (`winner-leads`);
/// - lead changes a deal (`lead-changes`).
///
/// Matches also have their mean number of deals (`match-length`).
///
/// # Panics
/// If the tournament is no mirror.
pub fn measures(tournament: &Tournament, tally: &Tally) -> Vec<BalanceMeasure> {
    let counted = Counted::new(tournament, 0, tally);
    let mut all = Vec::new();
    for (line_up, members) in counted.schedule.line_up_ids().zip(&counted.schedule.line_ups) {
        assert_eq!(members.len(), 1, "a bot meets itself");
        let mut found = BotMeasures { bot: members[0], measures: Vec::new() };
        counted.measure(line_up, &mut found);
        all.extend(found.measures);
    }
    all
}

/// The measures of a bot.
struct BotMeasures {
    bot: BotId,
    measures: Vec<BalanceMeasure>,
}

impl BotMeasures {
    /// Adds a measure, if the run has it.
    fn add(&mut self, name: impl Into<String>, contrast: Option<Contrast>) {
        if let Some(contrast) = contrast {
            self.measures.push(BalanceMeasure { name: name.into(), bot: self.bot, contrast });
        }
    }
}

impl Counted<'_> {
    /// Adds the measures of a bot in the line-up that it has alone.
    fn measure(&self, line_up: LineUpId, found: &mut BotMeasures) {
        let every_role = self.groups(|own, _, _| own == line_up);
        let ends: Vec<Ends> = self.tally.group_ids().map(|group| self.tally.ends(Some(line_up), group)).collect();
        found.add("points", Contrast::of_mean(&every_role));
        self.add_seats(line_up, &every_role, found);
        found.add("tied", share_of_deals(&ends, |ends| ends.tied));
        found.add("exceptional", share_of_deals(&ends, |ends| ends.exceptional));
        found.add("passed-out", share_of_deals(&ends, |ends| ends.passed_out));
        if self.tournament.unit == Unit::Match {
            found.add(MATCH_LENGTH, self.match_length(line_up));
        }
        let [moves, forced, leads, changes] = self.courses(found.bot, line_up);
        found.add("moves", moves);
        found.add("forced", forced);
        found.add("winner-leads", leads);
        found.add("lead-changes", changes);
        self.add_contracts(&ends, found);
    }

    /// Adds the measures of each contract of a bot; `ends` are those of its deals, by group.
    fn add_contracts(&self, ends: &[Ends], found: &mut BotMeasures) {
        let bot = found.bot;
        let kinds = self.game.contract_kinds();
        // Deals without a declarer have no bot, and all bots of a mirror play the same numbers. Only if there
        // is a single bot do such deals belong to it.
        let is_alone = self.tournament.bots.len() == 1;
        let is_own = |declarer: Option<BotId>| declarer == Some(bot) || is_alone;
        for (number, kind) in kinds.iter().enumerate() {
            if kind.forced.is_none() && !is_alone {
                continue;
            }
            let mut shares = Vec::with_capacity(ends.len());
            for (group, ends) in self.tally.group_ids().zip(ends) {
                let cell = self.tally.contracts().sum(group, |declarer, kind| kind == number && is_own(declarer));
                shares.push(GroupSum::new(cell.deals, ends.deals));
            }
            found.add(contract_name(&kind.name), Contrast::of_mean(&shares));
        }
        let mut made = Vec::with_capacity(ends.len());
        for group in self.tally.group_ids() {
            let is_declared = |declarer, kind: usize| kinds[kind].forced.is_some() && is_own(declarer);
            let cell = self.tally.contracts().sum(group, is_declared);
            made.push(GroupSum::new(cell.made, cell.deals as u64));
        }
        found.add("made", Contrast::of_mean(&made));
    }

    /// Adds the measures of each seat of a bot's own line-up.
    ///
    /// `every_role` is the score of all seats, by group.
    fn add_seats(&self, line_up: LineUpId, every_role: &[GroupSum], found: &mut BotMeasures) {
        let (spread, seats) = (self.scores_of(Some(line_up)), self.schedule.seats);
        for role in self.first_roles() {
            let groups = self.groups(|own_line_up, _, own| own_line_up == line_up && own == role);
            let worth = Contrast::new(&groups, every_role);
            let mut deviations = None;
            if let (Some(worth), Some(spread)) = (&worth, &spread) {
                deviations = spread.under(worth);
            }
            found.add(seat_name(role, seats, SeatScale::Points), worth);
            found.add(seat_name(role, seats, SeatScale::Deviations), deviations);
            found.add(seat_name(role, seats, SeatScale::Won), self.won_by_seat(line_up, role));
        }
    }

    /// Returns the mean number of deals of a line-up's matches.
    fn match_length(&self, line_up: LineUpId) -> Option<Contrast> {
        let mut lengths = Vec::with_capacity(self.tally.groups());
        for group in self.tally.group_ids() {
            let mut matches = 0;
            for seating in self.schedule.seating_ids() {
                matches += self.tally.games(line_up, group, seating).sum::<u64>();
            }
            lengths.push(GroupSum::of_events(self.tally.ends(Some(line_up), group).deals, matches));
        }
        Contrast::of_mean(&lengths)
    }
}

/// Returns the share of deals that end in one way, from the ends of each group.
fn share_of_deals(ends: &[Ends], way: impl Fn(&Ends) -> u64) -> Option<Contrast> {
    let groups: Vec<GroupSum> = ends.iter().map(|ends| GroupSum::of_events(way(ends), ends.deals)).collect();
    Contrast::of_mean(&groups)
}

/// Returns by how many points the first of two bots is ahead of the second in a variant.
///
/// It is the sum over all deals that they played together; [`PairRow`](super::PairRow) divides it by their
/// number.
pub fn pair_points(tournament: &Tournament, variant: usize, tally: &Tally, pair: [BotId; 2]) -> i64 {
    let (low, high) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
    let mut pairs = Counted::new(tournament, variant, tally).pairs();
    let Some([of_low, of_high]) = pairs.remove(&(low, high)) else { return 0 };
    let ahead = GroupSum::total(&of_low).sum - GroupSum::total(&of_high).sum;
    if pair[0] == low { ahead } else { -ahead }
}

/// Returns the factor by which the run's sequential test widens the interval of a difference of two bots.
pub fn pair_widening(tournament: &Tournament, variant: usize, tally: &Tally) -> f64 {
    Widening::of(&Counted::new(tournament, variant, tally)).times()
}
