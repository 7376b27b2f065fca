//! Descriptions of a declared game in records, messages and tables of results.

use overtrick_cards::Strain;
use overtrick_cards::table::{BySeat, Place};
use overtrick_game::{Aside, Describe, PublicExtras, State};

use super::{DeclaredGame, DeclaredPublic, REST};

impl Describe for DeclaredGame {
    fn reasons(&self, state: &State<DeclaredPublic>) -> Vec<String> {
        self.score.reasons(&self.facts(&state.table))
    }

    /// Returns whether a row that counts at any seat is exceptional.
    #[inline]
    fn is_exceptional(&self, over: &State<DeclaredPublic>, _scores: &BySeat<i32>) -> bool {
        let facts = self.facts(&over.table);
        match &self.table {
            Some(table) => table.is_exceptional(&facts),
            None => self.score.results(&facts).iter().any(|(_, result)| result.exceptional),
        }
    }

    fn asides(&self, dealt: &State<DeclaredPublic>, _over: &State<DeclaredPublic>) -> Vec<Aside> {
        let rest = dealt.table.at(REST).sorted();
        if rest.is_empty() { Vec::new() } else { vec![Aside { name: "stock", cards: rest }] }
    }

    fn public_extras(&self, _public: &DeclaredPublic) -> PublicExtras {
        PublicExtras { trump: self.trump.map(|suit| Strain::from(suit).name()), ..PublicExtras::default() }
    }

    fn aside_name(&self, place: Place) -> Option<&'static str> {
        (place == REST && self.rest > 0).then_some("stock")
    }
}
