//! Descriptions of Euchre in records, messages and tables of results.

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_cards::{Card, CardSet, Rank, Strain};
use overtrick_game::{Aside, Contract, ContractKind, Describe, Move, Moves, PublicExtras, State, texts_of};

use super::{DISCARD, Euchre, Making, Phase, SEATS, STOCK, UP_CARD};

impl Describe for Euchre {
    fn move_texts(&self) -> Vec<(Move, String)> {
        texts_of(self, Moves::calls(!0), true)
    }

    fn reasons(&self, state: &State<Making>) -> Vec<String> {
        let (own, others) = Euchre::tricks(state);
        let tricks = |count: u8| format!("{count} trick{}", if count == 1 { "" } else { "s" });
        let explain = |seat: Seat| match (seat == state.public.maker, own) {
            (true, 5) => "made trumps and won all five tricks (EU23)".to_owned(),
            (true, 3..=4) => format!("made trumps and won {} (EU23)", tricks(own)),
            (true, _) => format!("made trumps and won {} of five: euchred (EU24)", tricks(own)),
            (false, 0..=2) => format!("the defenders won {} (EU24, EU25)", tricks(others)),
            (false, _) => format!("the maker won {} (EU23)", tricks(own)),
        };
        Seat::all(SEATS).map(explain).collect()
    }

    /// Returns whether the deal was a march or a euchre.
    #[inline]
    fn is_exceptional(&self, over: &State<Making>, _scores: &BySeat<i32>) -> bool {
        !(3..=4).contains(&Euchre::tricks(over).0)
    }

    fn asides(&self, dealt: &State<Making>, _over: &State<Making>) -> Vec<Aside> {
        vec![
            Aside { name: "up-card", cards: vec![dealt.public.up_card] },
            Aside { name: "stock", cards: dealt.table.at(STOCK).sorted() },
        ]
    }

    fn aside_name(&self, place: Place) -> Option<&'static str> {
        match place {
            UP_CARD => Some("up-card"),
            STOCK => Some("stock"),
            DISCARD => Some("discarded"),
            _ => None,
        }
    }

    fn public_extras(&self, public: &Making) -> PublicExtras {
        PublicExtras { up_card: Some(public.up_card), ..PublicExtras::default() }
    }

    fn contract(&self, state: &State<Making>) -> Option<Contract> {
        let making = &state.public;
        making.maker()?;
        Some(Contract {
            declarer: making.maker(),
            level: None,
            trump: Some(Strain::from(making.trump).name()),
            kind: "euchre",
        })
    }

    fn trumps(&self, state: &State<Making>) -> CardSet {
        let making = &state.public;
        // In round two any suit may become trumps, except the suit turned down.
        let is_open = making.phase == Phase::Name;
        if is_open { CardSet::EMPTY } else { self.order_of(making.trump).follow(Card::new(Rank::Ten, making.trump)) }
    }

    fn contract_kinds(&self) -> Vec<ContractKind> {
        // In round two the dealer must name a suit (EU15).
        let kinds = [("ordered-up", false), ("taken-up", false), ("named", false), ("named by the dealer", true)];
        kinds.map(|(name, forced)| ContractKind { name: name.to_owned(), forced: Some(forced) }).into()
    }
}
