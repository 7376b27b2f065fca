//! Values contracts, and chooses bids, discards and final contracts by their values.

use overtrick_cards::{Card, CardSet, Strain, Suit};
use overtrick_game::{Game, Move, Moves, View};
use overtrick_games::chameleon::{Bid, CONCEDE, Chameleon, ChameleonRules, LOWEST, PASS, name};

use super::Params;
use super::hand::{best_suit, danger, others, spare, survival, tricks};
use crate::rule_based::choice::smooth_step;

/// The spread of tricks about the expected number: at this distance, the outcome is taken as certain.
const SPREAD: f32 = 1.9;
/// The spread before the declarer has seen the talon.
const WIDE_SPREAD: f32 = 2.5;

/// The spread without trumps.
const NO_TRUMP_SPREAD: f32 = 3.0;

/// The estimate of a hand before the talon is seen.
struct HandEstimate {
    /// The expected tricks, by trump suit.
    tricks: [f32; 4],
    /// The expected danger at misère.
    danger: f32,
}

/// The contracts to win no trick.
const MISERES: [Bid; 2] = [Bid::Misere, Bid::MisereOuverte];
/// The number of levels of contracts for tricks.
const LEVELS: usize = (10 - LOWEST + 1) as usize;

/// The worth of contracts to a declarer, in points above the mean of the others.
struct ContractWorths {
    /// By trump suit, then by level.
    tricks: [[f32; LEVELS]; 4],
    /// By contract of [`MISERES`].
    miseres: [f32; 2],
}

/// Rates contracts by their score above the others.
pub(super) struct Bidder<'a> {
    params: &'a Params,
    rules: &'a ChameleonRules,
    /// The weight of danger, by contract of [`MISERES`].
    risks: [f32; 2],
}

/// The kind of contract that a declarer discards for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    Tricks(Strain),
    Misere,
}

impl<'a> Bidder<'a> {
    pub(super) fn new(params: &'a Params, rules: &'a ChameleonRules) -> Bidder<'a> {
        // With a dummy the opponent sees two hands, which is almost as good as an open third hand. The weights were
        // set by hand: no comparison of values is recorded.
        let risks = if rules.with_dummy() { [1.6, 2.1] } else { [1.0, 2.1] };
        Bidder { params, rules, risks: risks.map(|risk| params.misere * risk) }
    }

    /// Returns the chance to win at least `level` tricks if `expected` are expected.
    fn chance(level: u8, expected: f32, spread: f32) -> f32 {
        smooth_step(0.5 + (expected + 0.5 - f32::from(level)) / (2.0 * spread))
    }

    /// Returns the worth of a contract to its declarer, in points above the mean of the others.
    fn worth(&self, bid: Bid, chance: f32, expected: f32) -> f32 {
        let (stake, trick) = bid.stakes(self.rules);
        let counted = if self.rules.opponents_score_on_failure { 1.0 } else { chance };
        // The other tricks are assumed to be split evenly between the two opponents, or the opponent and
        // Dummy.
        let others = counted * trick as f32 * (10.0 - expected) / 2.0;
        stake as f32 * (2.0 * chance - 1.0) - self.params.spite * others
    }

    /// Returns the worth of a misère, open or not, with this danger.
    fn misere(&self, bid: Bid, danger: f32) -> f32 {
        let chance = survival(self.risks[usize::from(bid == Bid::MisereOuverte)] * danger);
        self.worth(bid, chance, 0.0)
    }

    /// Returns the worth of a contract with these ten cards, if the others may hold `theirs`.
    fn with_hand(&self, bid: Bid, hand: CardSet, theirs: CardSet) -> f32 {
        match bid {
            Bid::Tricks { level, strain } => {
                let expected = tricks(hand, strain.suit());
                let spread = if strain == Strain::NoTrump { NO_TRUMP_SPREAD } else { SPREAD };
                self.worth(bid, Bidder::chance(level, expected, spread), expected)
            }
            Bid::Misere | Bid::MisereOuverte => self.misere(bid, danger(hand, theirs)),
        }
    }

    /// Returns the best legal contract with these ten cards, and its worth.
    fn best_contract(&self, hand: CardSet, theirs: CardSet, legal: impl Fn(Bid) -> bool) -> Option<(Bid, f32)> {
        let weigh = |bid: Bid| (bid, self.with_hand(bid, hand, theirs));
        Bid::contracts().filter(|&bid| legal(bid)).map(weigh).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Chooses the contract to announce.
    pub(super) fn contract(&self, hand: CardSet, theirs: CardSet, legal: Moves) -> Move {
        let best = self.best_contract(hand, theirs, |bid| legal.contains(bid.contract_call()));
        best.expect("a bid can be confirmed").0.contract_call()
    }

    /// Chooses the declarer's next discard from `cards`, looking ahead to the best contract after it.
    pub(super) fn discard(&self, hand: CardSet, theirs: CardSet, cards: CardSet, bid: Bid) -> Card {
        let aims = Strain::ALL.into_iter().map(Aim::Tricks).chain([Aim::Misere]);
        let plan = |aim: Aim| {
            let value = |rest: CardSet| match aim {
                Aim::Tricks(strain) => tricks(rest, strain.suit()),
                Aim::Misere => -danger(rest, theirs),
            };
            let first = spare(hand, cards, value);
            let mut rest = hand.without(first);
            if rest.len() > 10 {
                rest -= CardSet::of(spare(rest, rest, value));
            }
            let fits = |contract: Bid| {
                contract.confirms_or_raises(bid, self.rules)
                    && match contract {
                        Bid::Tricks { strain, .. } => aim == Aim::Tricks(strain),
                        _ => aim == Aim::Misere,
                    }
            };
            (first, self.best_contract(rest, theirs, fits).map_or(f32::MIN, |(_, worth)| worth))
        };
        aims.map(plan).max_by(|a, b| a.1.total_cmp(&b.1)).expect("there are aims").0
    }

    /// Estimates ten cards of a declarer who takes the talon.
    fn estimate(&self, hand: CardSet) -> HandEstimate {
        // Two of twelve cards are discarded: sometimes the worst of these ten, sometimes the worst two. The
        // numbers were set by hand.
        let value = |rest: CardSet| -danger(rest, others(rest));
        let one = hand.without(spare(hand, hand, value));
        let two = one.without(spare(one, one, value));
        let left = danger(one, others(one)) + danger(two, others(two));
        HandEstimate {
            tricks: Suit::ALL.map(|trump| 0.88 * tricks(hand, Some(trump)) + self.params.talon),
            danger: 0.1 + 0.45 * left,
        }
    }

    /// Returns the worth of each contract with this estimate.
    fn contracts(&self, estimate: &HandEstimate) -> ContractWorths {
        let mut tricks = [[0.0; LEVELS]; 4];
        for (worths, &expected) in tricks.iter_mut().zip(&estimate.tricks) {
            for (level, worth) in (LOWEST..).zip(worths) {
                let contract = Bid::Tricks { level, strain: Strain::Spades };
                *worth = self.worth(contract, Bidder::chance(level, expected, WIDE_SPREAD), expected);
            }
        }
        let misere = |contract: Bid| self.misere(contract, estimate.danger);
        ContractWorths { tricks, miseres: MISERES.map(misere) }
    }

    /// Returns the worth of becoming declarer with `bid`, these ten cards and the talon.
    fn bid_worth(&self, contracts: &ContractWorths, bid: Bid) -> f32 {
        let mut best = -1e4_f32;
        for (trump, worths) in Suit::ALL.into_iter().zip(&contracts.tricks) {
            for (level, &worth) in (LOWEST..).zip(worths) {
                if (Bid::Tricks { level, strain: trump.into() }).confirms_or_raises(bid, self.rules) {
                    best = best.max(worth);
                }
            }
        }
        for (contract, worth) in MISERES.into_iter().zip(contracts.miseres) {
            if contract.confirms_or_raises(bid, self.rules) {
                // The declarer chooses between tricks and misère after seeing the talon.
                let apart = best - worth;
                best = (best + worth + (apart * apart + self.params.hedge * self.params.hedge).sqrt()) / 2.0;
            }
        }
        best
    }

    /// Chooses the lowest bid among the best, since a bid can always be raised later, or a pass.
    pub(super) fn bid(&self, view: &View<'_, Chameleon>, legal: Moves) -> Move {
        let contracts = self.contracts(&self.estimate(view.own()));
        let mut best: Option<(f32, Bid)> = None;
        for bid in Bid::all().filter(|bid| legal.contains(bid.call())) {
            let worth = self.bid_worth(&contracts, bid);
            if best.is_none_or(|(most, _)| worth > most + 0.01) {
                best = Some((worth, bid));
            }
        }
        let others = (view.game().layout().seats - 1) as f32;
        let passing = view.public().bid().map_or(0.0, |bid| {
            let expected = bid.level().map_or(0.0, f32::from) + 0.5;
            -self.worth(bid, self.params.respect, expected) / others
        });
        match best {
            Some((worth, bid)) if worth - self.params.caution >= passing || !legal.contains(PASS) => bid.call(),
            _ => PASS,
        }
    }

    /// Chooses trumps for Dummy's hand after six in dummy, or concedes.
    pub(super) fn name(&self, hand: CardSet, legal: Moves) -> Move {
        let (suit, _) = best_suit(hand, |suit| legal.contains(name(suit)));
        let bid = Bid::Tricks { level: LOWEST, strain: suit.into() };
        let worth = self.bid_worth(&self.contracts(&self.estimate(hand)), bid);
        if worth >= -(self.rules.concession as f32) || !legal.contains(CONCEDE) { name(suit) } else { CONCEDE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> CardSet {
        text.parse().unwrap()
    }

    fn asked<T>(bidder: impl Fn(&Bidder) -> T) -> T {
        bidder(&Bidder::new(&Params::default(), &ChameleonRules::default()))
    }

    #[test]
    fn chances_rise_with_what_is_expected() {
        assert_eq!(Bidder::chance(6, 5.5, SPREAD), 0.5);
        assert_eq!(Bidder::chance(6, 9.0, SPREAD), 1.0);
        assert_eq!(Bidder::chance(9, 6.0, SPREAD), 0.0);
        assert!(Bidder::chance(7, 6.0, SPREAD) < Bidder::chance(6, 6.0, SPREAD));
    }

    #[test]
    fn a_contract_is_worth_what_it_scores_above_the_others() {
        let six = Bid::Tricks { level: 6, strain: Strain::Hearts };
        // 36 points for making six, and 4 for each of the four other tricks, half of them to each opponent.
        assert_eq!(asked(|bidder| bidder.worth(six, 1.0, 6.0)), 28.0);
        assert_eq!(asked(|bidder| bidder.worth(Bid::Misere, 0.5, 0.0)), 0.0);
    }

    #[test]
    fn ten_cards_without_danger_are_shown() {
        let low = cards("7S 9S JS 7H 9H JH 7D 9D 7C 9C");
        let everything = Moves::calls(!0);
        assert_eq!(asked(|bidder| bidder.contract(low, others(low), everything)), Bid::MisereOuverte.contract_call());
    }

    #[test]
    fn a_strong_hand_is_raised_as_far_as_it_goes() {
        let strong = cards("AS KS QS JS TS 9S 8S 7S AH AD");
        let contract = asked(|bidder| bidder.contract(strong, others(strong), Moves::calls(!0)));
        assert_eq!(Bid::of_contract(contract).and_then(Bid::level), Some(10));
    }

    #[test]
    fn discards_look_ahead_to_the_contract() {
        let six = Bid::Tricks { level: 6, strain: Strain::Spades };
        let strong = cards("AS KS QS JS TS 9S AH KH AD KD 7C 8D");
        assert_eq!(asked(|bidder| bidder.discard(strong, others(strong), strong, six)), "7C".parse().unwrap());
        let low = cards("7S 9S JS 7H 9H JH 7D 9D 7C 9C AC KD");
        assert!(asked(
            |bidder| ["AC", "KD"].contains(&bidder.discard(low, others(low), low, Bid::Misere).to_string().as_str())
        ));
    }
}
