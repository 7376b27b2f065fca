//! A module gets exactly the facts of the message `decide`.

use std::sync::Arc;

use crate::fixtures::{battery, stream};
use overtrick::cards::{Card, CardSet};
use overtrick::game::{FullGame, Move, Setup, Standing, View};
use overtrick::games::Visitor;
use overtrick::protocol::Decision;
use overtrick::strategies::wasm::Setup as Told;
use overtrick::strategies::wasm::layout::{NONE, SIZE, VERSION, at, encode};
use overtrick::table::Seat;

/// The facts that a guest finds in a decision, by the names and texts that it got at the start.
struct Guest<'a> {
    bytes: [u8; SIZE],
    setup: &'a serde_json::Value,
}

impl Guest<'_> {
    fn number(&self, at: usize) -> usize {
        usize::from(self.bytes[at])
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.bytes[at..at + 4].try_into().unwrap())
    }

    fn list(&self, at: usize, count: usize) -> &[u8] {
        &self.bytes[at..at + count]
    }

    fn place(&self, number: u8) -> String {
        self.setup["places"][usize::from(number)].as_str().unwrap().to_owned()
    }

    /// The cards of a set, by their numbers.
    fn cards(set: u64) -> Vec<Card> {
        let text = |number: usize| format!("{}{}", &"23456789TJQKA"[number % 16..][..1], &"CDHS"[number / 16..][..1]);
        let name = |number| match number {
            61 => "LJ".to_owned(),
            62 => "BJ".to_owned(),
            natural => text(natural),
        };
        (0..64).filter(|number| set >> number & 1 == 1).map(|number| name(number).parse().unwrap()).collect()
    }

    fn card(number: u8) -> Card {
        Guest::cards(1 << number)[0]
    }

    fn some_card(&self, at: usize) -> Option<Card> {
        (self.bytes[at] != NONE).then(|| Guest::card(self.bytes[at]))
    }

    fn suit(&self, at: usize) -> Option<String> {
        Some((*["C", "D", "H", "S", "NT"].get(self.number(at))?).to_owned())
    }

    fn call(&self, number: u8) -> Option<String> {
        match number {
            NONE => None,
            64.. => Some(self.setup["calls"][usize::from(number - 64)].as_str().unwrap().to_owned()),
            card => Some(format!("discard {}", Guest::card(card))),
        }
    }

    /// Checks that it says what the message says.
    fn check(&self, message: &Decision<'_>) {
        assert_eq!((self.word(at::VERSION), self.word(at::SEED)), (VERSION, message.seed));
        let legal = self.list(at::LEGAL, self.number(at::LEGAL_COUNT));
        assert_eq!(legal.len(), message.legal.len());
        for (&number, text) in legal.iter().zip(&message.legal) {
            let own = self.call(number).unwrap();
            assert!(**text == *own || **text == *own.trim_start_matches("discard "), "{own}: {}", &**text);
        }
        let cards = u64::from_le_bytes(self.bytes[at::LEGAL_CARDS..][..8].try_into().unwrap());
        let calls = u64::from_le_bytes(self.bytes[at::LEGAL_CALLS..][..8].try_into().unwrap());
        let bits = (0..128).filter(|bit| ((u128::from(calls) << 64 | u128::from(cards)) >> bit) & 1 == 1);
        assert!(bits.eq(legal.iter().copied()));
        assert_eq!((self.number(at::SEAT), self.number(at::DEALER)), (message.seat, message.dealer));
        assert_eq!(self.place(self.bytes[at::HAND]), &*message.hand);
        for place in 0..8 {
            let name = self.place(place);
            let place = usize::from(place);
            let seen = u64::from_le_bytes(self.bytes[at::SEEN + 8 * place..][..8].try_into().unwrap());
            assert_eq!(
                CardSet::from_iter(Guest::cards(seen)),
                message.seen.get(&name).copied().unwrap_or(CardSet::EMPTY)
            );
            assert_eq!(self.number(at::COUNTS + place), message.counts.get(&name).copied().unwrap_or(0));
        }
        let circle = self.list(at::CIRCLE, self.number(at::CIRCLE_COUNT)).to_vec();
        assert!(circle.iter().map(|&hand| self.place(hand)).eq(message.circle.iter().map(|hand| hand.to_string())));
        for hand in 0..4 {
            let (index, name) = (usize::from(hand), self.place(hand));
            let in_circle = circle.contains(&hand);
            let own = if index < message.standing.totals.len() { index } else { usize::from(NONE) };
            let decider = message.deciders.get(&name).copied().unwrap_or(own);
            assert_eq!(self.number(at::DECIDERS + index), if in_circle { decider } else { usize::from(NONE) });
            assert_eq!(self.number(at::WON + index), message.won.get(&name).copied().unwrap_or(usize::from(NONE)));
        }
        let calls = self.list(at::CALLS, 2 * self.number(at::CALL_COUNT)).chunks(2);
        let calls: Vec<_> = calls.map(|pair| (usize::from(pair[0]), self.call(pair[1]))).collect();
        let told = message.calls.iter().map(|(seat, call)| (*seat, call.as_ref().map(|call| call.to_string())));
        assert_eq!(calls, told.collect::<Vec<_>>());
        let kind = self.list(at::CONTRACT_KIND, at::TOTALS - at::CONTRACT_KIND);
        let kind = std::str::from_utf8(kind).unwrap().trim_end_matches('\0');
        assert!(kind.len() < at::TOTALS - at::CONTRACT_KIND, "{kind} may be cut off");
        assert_eq!(self.number(at::HAS_CONTRACT) == 1, message.contract.is_some());
        let contract = message.contract.as_ref();
        assert_eq!(kind, contract.map_or("", |contract| &*contract.kind));
        let some = |at: usize| (self.bytes[at] != NONE).then_some(self.number(at));
        assert_eq!(some(at::DECLARER), contract.and_then(|contract| contract.declarer));
        assert_eq!(some(at::LEVEL), contract.and_then(|contract| contract.level).map(usize::from));
        let trump = contract.and_then(|contract| contract.trump.as_ref());
        assert_eq!(self.suit(at::CONTRACT_TRUMP).as_deref(), trump.map(|trump| &**trump));
        let plays = self.list(at::PLAYS, self.number(at::PLAY_COUNT));
        let cards: Vec<Card> = plays.iter().map(|&card| Guest::card(card)).collect();
        let told: Vec<Card> = message.tricks.iter().flat_map(|trick| trick.cards.to_vec()).collect();
        assert_eq!(cards, told);
        for (number, trick) in message.tricks.iter().enumerate() {
            assert_eq!(self.place(self.bytes[at::LEADERS + number]), &*trick.leader);
            assert_eq!(number < self.number(at::TRICKS_PLAYED), trick.winner.is_some());
            if let Some(winner) = &trick.winner {
                assert_eq!(self.place(self.bytes[at::LEADERS + number + 1]), &**winner);
            }
        }
        assert_eq!((self.some_card(at::LED), self.some_card(at::UP_CARD)), (message.led, message.up_card));
        assert_eq!(some(at::WINNING).map(|hand| self.place(hand as u8)).as_deref(), message.winning.as_deref());
        let row = self.list(at::ROW, self.number(at::ROW_COUNT)).iter().map(|&card| Guest::card(card));
        assert!(row.eq(message.row.iter().copied()));
        assert_eq!(self.suit(at::TRUMP).as_deref(), message.trump.as_deref());
        assert_eq!(self.number(at::LAST_DEAL) == 1, message.last_deal);
        assert_eq!(self.number(at::PLAYERS), message.standing.totals.len());
        for (seat, total) in message.standing.totals.iter().enumerate() {
            assert_eq!(self.word(at::TOTALS + 4 * seat) as i32, *total);
        }
        assert_eq!((self.word(at::DEALS), self.word(at::COUNTED)), (message.standing.deals, message.standing.counted));
    }
}

battery!(a_module_is_told_what_a_message_says, game, name, {
    let settings = toml::Table::from_iter([("risk".to_owned(), toml::Value::from(2))]);
    let setup = Told::of(game.as_ref(), name, name, &settings).to_json();
    let setup: serde_json::Value = serde_json::from_slice(&setup).unwrap();
    assert_eq!((&setup["settings"]["risk"], &setup["variant"]["variant"]), (&2.into(), &name.into()));
    let mut rng = stream("layout", 0);
    let seats = game.layout().seats;
    for number in 0..40 {
        let setup_of = Setup { dealer: Seat::new(number % seats), last_deal: number % 2 == 1, ..Setup::default() };
        let mut state = game.deal(setup_of, &mut rng);
        let mut standing = Standing::default();
        (standing.deals, standing.counted) = (number as u32, 2);
        Seat::all(seats).for_each(|seat| standing.totals[seat] = 7 - 5 * seat.index() as i32);
        while !game.is_over(&state) {
            let legal = game.legal(&state);
            let view = View::new(game.as_ref(), &state, &standing, state.table.seat_to_move());
            let bytes = encode(&view, legal, 0xfedc_ba98);
            Guest { bytes, setup: &setup }.check(&Decision::of(&view, legal, 1, 2, 0xfedc_ba98));
            let moves: Vec<Move> = legal.iter().collect();
            game.play(&mut state, moves[rng.random_below(moves.len() as u64) as usize]).unwrap();
        }
    }
});
