//! Descriptions of a declared game in records, messages and tables of results.

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_cards::{CardSet, Strain, Suit};
use overtrick_game::{Aside, Contract, ContractKind, Describe, Game, Move, Moves, PublicExtras, State, texts_of};

use super::{DISCARD, DeclaredGame, DeclaredPhase, DeclaredPublic, REST, ROW, ROW_LAST, UP_CARD, pile};

/// The names of the places of row cards that were won.
const WON: [&str; 4] = ["won0", "won1", "won2", "won3"];

impl DeclaredGame {
    /// Returns the cards that are trumps if this suit is.
    fn trumps_of(&self, suit: Suit) -> CardSet {
        let order = &self.orders[if self.orders.len() > 1 { suit as usize } else { 0 }];
        let own = self.cards & CardSet::suit(suit);
        own.first().map_or(CardSet::EMPTY, |card| order.follow(card))
    }
}

impl Describe for DeclaredGame {
    fn move_texts(&self) -> Vec<(Move, String)> {
        let calls = self.rounds.as_ref().map_or(self.bid_bits(), |rounds| rounds.call_bits());
        let discards = self.rounds.as_ref().is_some_and(|rounds| rounds.taker.is_some()) || self.passing.is_some();
        texts_of(self, Moves::calls(calls), discards)
    }

    fn text_among_calls(&self, chosen: Move) -> Option<String> {
        match chosen.as_card() {
            Some(card) if self.passing.is_some() => Some(format!("pass {card}")),
            Some(card) => Some(format!("discard {card}")),
            None => self.call_text(chosen.as_call()?),
        }
    }

    fn reasons(&self, state: &State<DeclaredPublic>) -> Vec<String> {
        let (table, public) = (&state.table, &state.public);
        self.score.reasons(&self.facts(table, public), self.cards_won(table, public))
    }

    /// Returns whether a row that counts at any seat is exceptional.
    #[inline]
    fn is_exceptional(&self, over: &State<DeclaredPublic>, _scores: &BySeat<i32>) -> bool {
        let facts = self.facts(&over.table, &over.public);
        match &self.table {
            Some(table) => table.is_exceptional(&facts),
            None => self.score.results(&facts).iter().any(|(_, result)| result.exceptional),
        }
    }

    /// Returns the values of the row cards won so far, in games with a row.
    fn scores_so_far(&self, state: &State<DeclaredPublic>) -> Option<BySeat<i32>> {
        let facts = self.facts(&state.table, &state.public);
        self.dealing.row.then(|| facts.good.zip(facts.bad).map(|(good, bad)| good - bad))
    }

    fn asides(&self, dealt: &State<DeclaredPublic>, _over: &State<DeclaredPublic>) -> Vec<Aside> {
        let dealing = &self.dealing;
        let mut asides = Vec::new();
        if dealing.row {
            asides.push(Aside { name: "row", cards: dealt.public.row[..self.tricks].to_vec() });
        }
        if dealing.row_last {
            asides.push(Aside { name: "row-last", cards: dealt.table.at(ROW_LAST).iter().collect() });
        }
        if let Some(turned) = dealt.public.turned().filter(|_| self.dealing.turned) {
            asides.push(Aside { name: "up-card", cards: vec![turned] });
        }
        if dealing.rest > 0 {
            asides.push(Aside { name: "stock", cards: dealt.table.at(REST).sorted() });
        }
        asides
    }

    fn aside_name(&self, place: Place) -> Option<&'static str> {
        let dealing = &self.dealing;
        if dealing.row {
            let owner = Seat::all(self.layout.seats).find(|seat| pile(*seat) == place);
            return match place {
                ROW => Some("row"),
                ROW_LAST if dealing.row_last => Some("row-last"),
                _ => owner.map(|seat| WON[seat.index()]),
            };
        }
        match place {
            UP_CARD if dealing.turned => Some("up-card"),
            REST if dealing.rest > 0 => Some("stock"),
            DISCARD if self.rounds.as_ref().is_some_and(|rounds| rounds.taker.is_some()) => Some("discarded"),
            _ => None,
        }
    }

    fn contract(&self, state: &State<DeclaredPublic>) -> Option<Contract> {
        let (rounds, public) = (self.rounds.as_ref()?, &state.public);
        let declarer = public.declarer?;
        let trump = public.trump.map(|suit| Strain::from(suit).name());
        Some(Contract { declarer: Some(declarer), level: None, trump, kind: rounds.kind })
    }

    fn trumps(&self, state: &State<DeclaredPublic>) -> CardSet {
        let public = &state.public;
        // Where a player names the suit, any may become trumps.
        let names =
            |number: u8| self.rounds.as_ref().is_some_and(|rounds| rounds.rounds[usize::from(number)].names_suit);
        match public.trump {
            Some(suit) if public.phase != DeclaredPhase::Round || !names(public.round) => self.trumps_of(suit),
            _ => CardSet::EMPTY,
        }
    }

    fn contract_kinds(&self) -> Vec<ContractKind> {
        let rounds = self.rounds.iter().flat_map(|rounds| &rounds.rounds);
        rounds.flat_map(|round| round.kinds.clone()).collect()
    }

    fn public_extras(&self, public: &DeclaredPublic) -> PublicExtras {
        PublicExtras {
            up_card: public.turned(),
            row: if self.dealing.row { public.row[..self.tricks].to_vec() } else { Vec::new() },
            trump: public.trump.filter(|_| self.rounds.is_none()).map(|suit| Strain::from(suit).name()),
            ..PublicExtras::default()
        }
    }

    fn remarks(&self, dealt: &State<DeclaredPublic>, _deal: u64) -> Vec<String> {
        if self.dealing.row {
            return vec![self.row_values.remarks[usize::from(dealt.public.flipped)].clone()];
        }
        let turned = dealt.public.turned().filter(|_| self.dealing.dealers_last);
        turned.iter().map(|card| format!("the dealer's {card} is turned up")).collect()
    }
}
