//! Descriptions of Chameleon in records, messages and tables of results.

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_cards::{CardSet, Strain};
use overtrick_game::{Aside, Contract, ContractKind, Describe, Move, Moves, PublicExtras, State, texts_of};

use super::bids::{NAME_OR_CONCEDE, SIX_IN_DUMMY};
use super::{Bidding, Chameleon, DUMMY, DUMMY_TOP, LOWEST, Phase, TALON_NEXT, TALON_TOP, discards, scoring};

impl Describe for Chameleon {
    fn move_texts(&self) -> Vec<(Move, String)> {
        let missing = if self.rules.with_dummy() { 0 } else { NAME_OR_CONCEDE | SIX_IN_DUMMY.call_bit() };
        texts_of(self, Moves::calls(!missing), true)
    }

    fn reasons(&self, state: &State<Bidding>) -> Vec<String> {
        self.why_scored(state)
    }

    /// Returns whether the deal ended in an exceptional score.
    ///
    /// Exceptional are a misère, a bid of all tricks, a concession, and a deal that is thrown in or played
    /// without a bid.
    #[inline]
    fn is_exceptional(&self, over: &State<Bidding>, _scores: &BySeat<i32>) -> bool {
        self.is_unusual(&over.public)
    }

    fn dealt_hand(&self, dealt: &State<Bidding>, hand: Place) -> CardSet {
        let top = if hand == DUMMY { dealt.table.at(DUMMY_TOP) } else { CardSet::EMPTY };
        dealt.table.at(hand) | top
    }

    fn asides(&self, dealt: &State<Bidding>, over: &State<Bidding>) -> Vec<Aside> {
        let talon = dealt.table.at(TALON_TOP).iter().chain(dealt.table.at(TALON_NEXT).iter());
        let up_card = over.public.up_card().filter(|_| self.rules.with_dummy());
        let talon = Aside { name: "talon", cards: talon.collect() };
        [talon].into_iter().chain(up_card.map(|card| Aside { name: "up-card", cards: vec![card] })).collect()
    }

    fn aside_name(&self, place: Place) -> Option<&'static str> {
        match place {
            TALON_TOP => Some("talon"),
            TALON_NEXT => Some("talon-next"),
            DUMMY_TOP if self.rules.with_dummy() => Some("dummy-top"),
            _ => (Seat::all(self.layout.seats).zip(["discarded0", "discarded1", "discarded2"]))
                .find_map(|(seat, name)| (place == discards(seat)).then_some(name)),
        }
    }

    fn public_extras(&self, public: &Bidding) -> PublicExtras {
        PublicExtras { up_card: public.up_card(), last_deal: public.last_deal, ..PublicExtras::default() }
    }

    fn contract(&self, state: &State<Bidding>) -> Option<Contract> {
        let public = &state.public;
        let no_declarer = Contract { declarer: None, level: None, trump: None, kind: "passed-out" };
        match (public.phase, public.bid) {
            (Phase::Play, Some(bid)) => Some(Contract {
                declarer: public.declarer(),
                level: bid.level(),
                trump: Some(Strain::from(bid.trump()).name()),
                kind: bid.kind(),
            }),
            (Phase::Play, None) => {
                Some(Contract { trump: Some(Strain::from(public.trump()).name()), kind: "last-deal", ..no_declarer })
            }
            (Phase::Over, _) if public.in_dummy => {
                Some(Contract { declarer: public.declarer(), level: Some(LOWEST), trump: None, kind: "conceded" })
            }
            (Phase::Over, _) => Some(no_declarer),
            _ => None,
        }
    }

    fn contract_kinds(&self) -> Vec<ContractKind> {
        scoring::kinds()
    }
}
