//! Measures of a game's balance where bots play with themselves.
//!
//! Each measure has the contribution of every group of deals to its error.

use overtrick_cards::table::Role;
use overtrick_games::AnyGame;
use overtrick_strategy::ids::{BotId, LineUpId, SeatingId};
use overtrick_tournament::{ContractCell, Ends, Tally, Tournament, Unit};
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
        let named = [SeatScale::Deviations, SeatScale::Won].into_iter().find(|scale| measure.ends_with(scale.suffix()));
        Some(named.unwrap_or(SeatScale::Points))
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
    let scales = |role: Role| SeatScale::ALL.map(|scale| seat_name(role, scale));
    let seats = Role::all(game.layout().seats).flat_map(scales);
    let kinds = game.contract_kinds();
    let contracts = kinds.iter().map(|kind| contract_name(&kind.name));
    let made = kinds.iter().any(|kind| kind.forced.is_some()).then(|| "made".to_owned());
    let all = ["points".to_owned()].into_iter().chain(seats).chain(OF_DEALS.map(str::to_owned));
    let length = (unit == Unit::Match).then(|| MATCH_LENGTH.to_owned());
    all.chain(length).chain(contracts).chain(made).collect()
}

fn seat_name(role: Role, scale: SeatScale) -> String {
    format!("{SEAT}{}{}", role.name(), scale.suffix())
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
    let kinds = counted.game.contract_kinds();
    let mut all = Vec::new();
    for (line_up, members) in counted.schedule.line_up_ids().zip(&counted.schedule.line_ups) {
        assert_eq!(members.len(), 1, "a bot meets itself");
        let bot = members[0];
        let mut add = |name: String, contrast: Option<Contrast>| {
            all.extend(contrast.map(|contrast| BalanceMeasure { name, bot, contrast }));
        };
        let own = |l: LineUpId, _: SeatingId, _: Role| l == line_up;
        let every_role = counted.groups(own);
        add("points".to_owned(), Contrast::of_mean(&every_role));
        for (name, worth) in counted.seat_measures(line_up, &every_role) {
            add(name, worth);
        }
        let ends: Vec<Ends> = tally.group_ids().map(|group| tally.ends(Some(line_up), group)).collect();
        let share = |part: fn(&Ends) -> u64| {
            Contrast::of_mean(&ends.iter().map(|ends| (part(ends) as i64, ends.deals)).collect::<Vec<_>>())
        };
        add("tied".to_owned(), share(|ends| ends.tied));
        add("exceptional".to_owned(), share(|ends| ends.exceptional));
        add("passed-out".to_owned(), share(|ends| ends.passed_out));
        if tournament.unit == Unit::Match {
            add(MATCH_LENGTH.to_owned(), counted.match_length(line_up));
        }
        let [moves, forced, leads, changes] = counted.courses(bot, line_up);
        add("moves".to_owned(), moves);
        add("forced".to_owned(), forced);
        add("winner-leads".to_owned(), leads);
        add("lead-changes".to_owned(), changes);
        // Deals without a declarer have no bot, and all bots of a mirror play the same numbers. Only if there
        // is a single bot do such deals belong to it.
        let is_alone = tournament.bots.len() == 1;
        let cells = |pick: &dyn Fn(usize) -> bool| -> Vec<ContractCell> {
            let meant = |declarer: Option<BotId>, kind| pick(kind) && (declarer == Some(bot) || is_alone);
            tally.group_ids().map(|group| tally.contracts().sum(group, meant)).collect()
        };
        for (number, kind) in kinds.iter().enumerate().filter(|(_, kind)| kind.forced.is_some() || is_alone) {
            let cells = cells(&|kind| kind == number);
            let shares: Vec<(i64, u64)> =
                cells.iter().zip(&ends).map(|(cell, ends)| (cell.deals, ends.deals)).collect();
            add(contract_name(&kind.name), Contrast::of_mean(&shares));
        }
        let declared = cells(&|kind| kinds[kind].forced.is_some());
        let made: Vec<(i64, u64)> = declared.iter().map(|cell| (cell.made, cell.deals as u64)).collect();
        add("made".to_owned(), Contrast::of_mean(&made));
    }
    all
}

impl Counted<'_> {
    /// Returns the measures of each seat of a bot's own line-up, by name.
    ///
    /// `every_role` is the score of all seats, by group.
    fn seat_measures(&self, line_up: LineUpId, every_role: &[(i64, u64)]) -> Vec<(String, Option<Contrast>)> {
        let spread = self.scores_of(Some(line_up));
        let mut found = Vec::new();
        for role in Role::all(self.schedule.seats) {
            let groups = self.groups(|l, _, r| l == line_up && r == role);
            let worth = Contrast::new(&groups, every_role);
            let deviations = worth.as_ref().zip(spread.as_ref()).and_then(|(worth, spread)| spread.under(worth));
            found.push((seat_name(role, SeatScale::Points), worth));
            found.push((seat_name(role, SeatScale::Deviations), deviations));
            found.push((seat_name(role, SeatScale::Won), self.won_by_seat(line_up, role)));
        }
        found
    }

    /// Returns the mean number of deals of a line-up's matches.
    fn match_length(&self, line_up: LineUpId) -> Option<Contrast> {
        let seatings = || self.schedule.seating_ids();
        let of_group = |group| {
            let matches = seatings().map(|seating| self.tally.games(line_up, group, seating).sum::<u64>()).sum();
            (self.tally.ends(Some(line_up), group).deals as i64, matches)
        };
        Contrast::of_mean(&self.tally.group_ids().map(of_group).collect::<Vec<_>>())
    }
}

/// Returns by how many points the first of two bots is ahead of the second in a variant.
///
/// It is the sum over all deals that they played together; [`PairRow`](super::PairRow) divides it by their
/// number.
pub fn pair_points(tournament: &Tournament, variant: usize, tally: &Tally, pair: [BotId; 2]) -> i64 {
    let sides = Counted::new(tournament, variant, tally).pairs().remove(&(pair[0].min(pair[1]), pair[0].max(pair[1])));
    let sum = |side: &[(i64, u64)]| side.iter().map(|&(points, _)| points).sum::<i64>();
    let sign = if pair[0] < pair[1] { 1 } else { -1 };
    sides.map_or(0, |[low, high]| sign * (sum(&low) - sum(&high)))
}

/// Returns the factor by which the run's sequential test widens the interval of a difference of two bots.
pub fn pair_widening(tournament: &Tournament, variant: usize, tally: &Tally) -> f64 {
    Widening::of(&Counted::new(tournament, variant, tally)).times()
}
