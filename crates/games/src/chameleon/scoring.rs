//! The scores of contracts, concessions and last deals.

use std::ops::RangeInclusive;

use overtrick_cards::Strain;
use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_game::{ContractKind, ContractResult, State};

use super::{Bid, Bidding, Chameleon, LOWEST, Phase, TRICKS};

/// The way a deal ended.
enum Outcome {
    /// All players passed and threw their hands in (CH6, DC18).
    PassedOut,
    /// Six in dummy was conceded (DC14).
    Conceded,
    /// A last deal that all had passed was played (CH31, DC25).
    LastDeal,
    /// A contract was played.
    Played(Bid),
}

fn outcome(public: &Bidding) -> Outcome {
    match public.bid {
        _ if public.phase == Phase::Over && public.in_dummy => Outcome::Conceded,
        _ if public.phase == Phase::Over => Outcome::PassedOut,
        _ if Chameleon::is_last_play(public) => Outcome::LastDeal,
        Some(bid) => Outcome::Played(bid),
        None => Outcome::PassedOut,
    }
}

/// Returns the tricks that a seat's own hand has won. Dummy's tricks count for no player (DC10).
fn won(table: &Table, seat: Seat) -> u8 {
    table.tricks_won(Place::hand(seat))
}

/// Returns the names of the kinds of contract, numbered as in [`ContractResult`].
///
/// First come six to ten in a suit and at no trump, then the misères. All of them follow again for a declarer
/// with Dummy's hand. The deals without a contract are last.
pub(super) fn kinds() -> Vec<ContractKind> {
    let tricks = (LOWEST..=10).flat_map(|level| ["suit", "no-trump"].map(|kind| format!("{level} {kind}")));
    let all: Vec<String> = tricks.chain(["misere", "misere-ouverte"].map(str::to_owned)).collect();
    let in_dummy = all.iter().map(|kind| format!("{kind} (in dummy)"));
    let declared = all.iter().cloned().chain(in_dummy).chain(["conceded".to_owned()]);
    let undeclared = ["passed-out", "last-deal"].map(|name| ContractKind { name: name.to_owned(), forced: None });
    declared.map(|name| ContractKind { name, forced: Some(false) }).chain(undeclared).collect()
}

/// The number of kinds of contracts that are played. The same number of kinds follows for a declarer with
/// Dummy's hand, then the kinds without a contract.
const PLAYED: u8 = 12;

impl Chameleon {
    /// Returns whether the declarer made `bid` (CH23, CH27).
    fn made(&self, state: &State<Bidding>, bid: Bid) -> bool {
        let tricks = won(&state.table, state.public.declarer);
        bid.level().map_or(tricks == 0, |level| tricks >= level)
    }

    /// Returns the tricks above which a seat scores in a last deal that all have passed (CH31, DC25).
    fn par(&self, table: &Table, seat: Seat) -> u8 {
        match seat {
            _ if self.rules.with_dummy() => self.rules.last_deal_two_par,
            seat if seat == table.dealer() => self.rules.last_deal_dealer_par,
            _ => self.rules.last_deal_opponent_par,
        }
    }

    /// Returns whether a deal did not end in a bid of six to nine tricks.
    pub(super) fn is_unusual(&self, public: &Bidding) -> bool {
        !matches!(outcome(public), Outcome::Played(Bid::Tricks { level: ..10, .. }))
    }

    pub(super) fn score(&self, state: &State<Bidding>) -> BySeat<i32> {
        let State { table, public } = state;
        let rules = &self.rules;
        let mut scores = BySeat::default();
        let each = |score: &dyn Fn(Seat) -> i32, scores: &mut BySeat<i32>| {
            Seat::all(self.layout.seats).for_each(|seat| scores[seat] = score(seat));
        };
        match outcome(public) {
            Outcome::PassedOut => {}
            Outcome::Conceded => scores[public.declarer] = -rules.concession,
            Outcome::LastDeal => {
                let above = |seat| i32::from(won(table, seat).saturating_sub(self.par(table, seat)));
                each(&|seat| rules.last_deal_points * above(seat), &mut scores);
            }
            Outcome::Played(bid) => {
                let made = self.made(state, bid);
                let (stake, trick) = bid.stakes(rules);
                let trick = if made || rules.opponents_score_on_failure { trick } else { 0 };
                each(&|seat| trick * i32::from(won(table, seat)), &mut scores);
                scores[public.declarer] = if made { stake } else { -stake };
            }
        }
        scores
    }

    /// Returns the reason for the score of each seat, with the number of the rule.
    pub(super) fn why_scored(&self, state: &State<Bidding>) -> Vec<String> {
        let State { table, public } = state;
        let explain = |seat: Seat| {
            let tricks = match won(table, seat) {
                1 => "1 trick".to_owned(),
                tricks => format!("{tricks} tricks"),
            };
            match outcome(public) {
                Outcome::PassedOut if self.rules.with_dummy() => "both passed twice: thrown in (DC18)".to_owned(),
                Outcome::PassedOut => "all passed: thrown in (CH6)".to_owned(),
                Outcome::Conceded if seat == public.declarer => "conceded six in dummy (DC14)".to_owned(),
                Outcome::Conceded => "the other conceded six in dummy (DC14)".to_owned(),
                Outcome::LastDeal => {
                    let rule = if self.rules.with_dummy() { "DC25" } else { "CH31" };
                    format!("last deal: {tricks}, par {} ({rule})", self.par(table, seat))
                }
                Outcome::Played(bid) => {
                    let made = self.made(state, bid);
                    let (own, others) = match bid.level() {
                        Some(_) if made || self.rules.opponents_score_on_failure => ("CH23", "CH24"),
                        Some(_) => ("CH23", "CH25"),
                        None => ("CH27", "CH27"),
                    };
                    if seat == public.declarer {
                        let verdict = if made { "made" } else { "failed" };
                        format!("{verdict} {} with {tricks} ({own})", bid.text())
                    } else {
                        let verdict = if made { "was made" } else { "failed" };
                        format!("{tricks} against {}, which {verdict} ({others})", bid.text())
                    }
                }
            }
        };
        Seat::all(self.layout.seats).map(explain).collect()
    }

    pub(super) fn extreme_scores(&self) -> RangeInclusive<i32> {
        let rules = &self.rules;
        let stakes = rules.level_scores.into_iter().chain([rules.misere_score, rules.ouverte_score]);
        let stake = stakes.max().unwrap_or(0);
        let tricks = TRICKS as i32;
        let trick = rules.opponent_trick_scores.into_iter().max().unwrap_or(0) * tricks;
        let last = if rules.last_deal_variant { rules.last_deal_points * tricks } else { 0 };
        let concession = if rules.with_dummy() { rules.concession } else { 0 };
        -stake.max(concession)..=stake.max(trick).max(last)
    }

    /// Returns the kind of contract, its declarer, and whether it was made.
    pub(super) fn undertaken(&self, over: &State<Bidding>) -> ContractResult {
        let public = &over.public;
        let no_declarer = |kind| ContractResult { kind: 2 * PLAYED + kind, declarer: None, made: false };
        match outcome(public) {
            Outcome::Conceded => ContractResult { declarer: Some(public.declarer), ..no_declarer(0) },
            Outcome::PassedOut => no_declarer(1),
            Outcome::LastDeal => no_declarer(2),
            Outcome::Played(bid) => {
                let kind = match bid {
                    Bid::Tricks { level, strain } => (level - LOWEST) * 2 + u8::from(strain == Strain::NoTrump),
                    Bid::Misere => 10,
                    Bid::MisereOuverte => 11,
                };
                let kind = kind + if public.in_dummy { PLAYED } else { 0 };
                ContractResult { kind, declarer: Some(public.declarer), made: self.made(over, bid) }
            }
        }
    }
}
