//! Descriptions of the whist family in records, messages and tables of results.

use overtrick_cards::Strain;
use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_game::{Aside, Contract, ContractKind, Describe, Move, Moves, PublicExtras, State, texts_of};

use super::bids::{CHOICES, DIRECTIONS, PASS, TRUMPS};
use super::{Bid, Contracting, DISCARDED, DummyDiscard, DummyWhist, Form, Kind, Phase, scoring};

impl Describe for DummyWhist {
    fn move_texts(&self) -> Vec<(Move, String)> {
        let rules = &self.rules;
        let auction = if rules.turns_up() { 0 } else { PASS.call_bit() | self.better[0] | TRUMPS | DIRECTIONS };
        let choices = if rules.form == Form::Humbug { CHOICES } else { 0 };
        texts_of(self, Moves::calls(auction | choices), rules.jokers && rules.dummy_discard == DummyDiscard::Seen)
    }

    fn reasons(&self, state: &State<Contracting>) -> Vec<String> {
        let public = &state.public;
        let [own, others] = self.books(state);
        let count = |books: i32| format!("{books} book{}", if books == 1 { "" } else { "s" });
        let reneges = if self.rules.allow_renege { self.reneges(state).len() } else { 0 };
        let mut note = String::new();
        if reneges > 0 {
            note += &format!(", after {reneges} renege{} (WH31)", if reneges == 1 { "" } else { "s" });
        }
        let factor = public.bid.map_or(1, |bid| self.rules.doubled(bid.level, bid.kind == Kind::NoTrump));
        if factor > 1 {
            note += &format!(", times {factor} (WH39-WH42)");
        }
        if self.rules.form == Form::Humbug {
            note += &format!(
                ", {} (HB6)",
                ["no one kept their hand", "one kept their hand", "both kept their hands"]
                    [usize::from(public.kept.min(2))]
            );
        }
        let explain = |seat: Seat| {
            let Some(bid) = public.bid else {
                let books = if seat == public.declarer { own } else { others };
                return format!("{}, {} over six{note} (HB7)", count(books), (books - scoring::SIX).max(0));
            };
            let made = own >= scoring::SIX + i32::from(bid.level);
            let (bid, own) = (format!("{} {}", bid.level, bid.kind.name()), count(own));
            match (seat == public.declarer, made) {
                (true, true) => format!("bid {bid} and won {own}{note} (WH36)"),
                (true, false) => format!("bid {bid} and won {own}: set{note} (WH37)"),
                (false, true) => format!("the declarer made {bid} with {own}{note} (WH36)"),
                (false, false) => format!("the declarer was set in {bid} with {own}{note} (WH37)"),
            }
        };
        Seat::all(self.layout.seats).map(explain).collect()
    }

    /// Returns whether the contract's score is doubled (WH39-WH42). Kept hands do not count.
    #[inline]
    fn is_exceptional(&self, over: &State<Contracting>, _scores: &BySeat<i32>) -> bool {
        over.public.bid.is_some_and(|bid| self.rules.doubled(bid.level, bid.kind == Kind::NoTrump) > 1)
    }

    fn asides(&self, dealt: &State<Contracting>, _over: &State<Contracting>) -> Vec<Aside> {
        let up_card = dealt.table.at(Place::hand(dealt.table.dealer())) & dealt.table.open();
        [("discarded", dealt.table.at(DISCARDED)), ("up-card", up_card)]
            .into_iter()
            .filter(|(_, cards)| !cards.is_empty())
            .map(|(name, cards)| Aside { name, cards: cards.sorted() })
            .collect()
    }

    fn aside_name(&self, place: Place) -> Option<&'static str> {
        (place == DISCARDED).then_some("discarded")
    }

    fn public_extras(&self, public: &Contracting) -> PublicExtras {
        let turned_up = public.trump.filter(|_| self.rules.turns_up());
        PublicExtras { trump: turned_up.map(|suit| Strain::from(suit).name()), ..PublicExtras::default() }
    }

    fn contract(&self, state: &State<Contracting>) -> Option<Contract> {
        let public = &state.public;
        if public.phase != Phase::Play {
            return None;
        }
        let kind = match (public.bid, public.downtown) {
            (None, _) => "turn-up",
            (_, false) => "uptown",
            (_, true) => "downtown",
        };
        let level = public.bid.map(|bid| bid.level);
        Some(Contract { declarer: public.declarer(), level, trump: Some(Strain::from(public.trump).name()), kind })
    }

    fn contract_kinds(&self) -> Vec<ContractKind> {
        let kind = |Bid { level, kind }: Bid, forced: bool| {
            let note = if forced { " (forced)" } else { "" };
            ContractKind { name: format!("{level} {}{note}", kind.name()), forced: Some(forced) }
        };
        let bids = [false, true].into_iter().flat_map(|forced| Bid::all().map(move |bid| kind(bid, forced)));
        bids.chain([ContractKind { name: "turn-up".to_owned(), forced: None }]).collect()
    }
}
