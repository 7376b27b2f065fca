//! Three-handed euchre.

use super::cards::{SUITS, height, is_red, rank, suit};
use super::tricks::{Table, discards_of, follow, own, seat_of, strongest};
use super::{Contract, Game, Start};

#[derive(Clone, PartialEq)]
enum Phase {
    FirstRound,
    SecondRound,
    Discard,
    Play,
}

#[derive(Clone)]
pub struct Euchre {
    start: Start,
    table: Table,
    phase: Phase,
    /// Whose call it is.
    caller: usize,
    up_card: String,
    maker: usize,
    trump: String,
}

impl Euchre {
    pub fn new(start: &Start) -> Euchre {
        let mut table = Table::new(start);
        table.add("up-card", start.on_table("up-card"));
        table.add("stock", start.on_table("stock"));
        Euchre {
            start: start.clone(),
            table,
            phase: Phase::FirstRound,
            caller: (start.dealer + 1) % 3,
            up_card: start.on_table("up-card")[0].clone(),
            maker: 0,
            trump: String::new(),
        }
    }

    /// EU17: the other jack of the colour of trumps.
    fn is_left_bower(&self, card: &str) -> bool {
        rank(card) == "J" && suit(card) != self.trump && is_red(suit(card)) == is_red(&self.trump)
    }

    /// EU19: the suit that a card belongs to.
    fn suit(&self, card: &str) -> String {
        if self.is_left_bower(card) { self.trump.clone() } else { suit(card).to_string() }
    }

    fn strength(&self, card: &str, led: &str) -> i64 {
        if rank(card) == "J" && suit(card) == self.trump {
            300
        } else if self.is_left_bower(card) {
            200
        } else if suit(card) == self.trump {
            100 + height(card)
        } else if suit(card) == led {
            height(card)
        } else {
            0
        }
    }

    /// EU20: the dealer's left leads, for any maker.
    fn begin_play(&mut self) {
        self.phase = Phase::Play;
        self.table.begin((1..=3).map(|step| own((self.start.dealer + step) % 3)).collect());
    }
}

impl Game for Euchre {
    fn is_over(&self) -> bool {
        self.phase == Phase::Play && self.table.is_played_out()
    }

    fn seat(&self) -> usize {
        match self.phase {
            Phase::FirstRound | Phase::SecondRound => self.caller,
            Phase::Discard => self.start.dealer,
            Phase::Play => seat_of(&self.table.turn()),
        }
    }

    fn hand(&self) -> String {
        own(self.seat())
    }

    fn legal(&self) -> Vec<String> {
        match self.phase {
            Phase::FirstRound => vec!["order-up".to_string(), "pass".to_string()],
            Phase::SecondRound => {
                let mut calls = Vec::new();
                for suit_ in SUITS {
                    if suit_ != suit(&self.up_card) || self.start.is_on("turned-down-allowed") {
                        calls.push(format!("name {suit_}"));
                    }
                }
                if self.caller != self.start.dealer {
                    calls.push("pass".to_string());
                }
                calls
            }
            Phase::Discard => {
                let mut cards = self.table.cards(&own(self.start.dealer));
                if !self.start.is_on("may-discard-upcard") {
                    cards.retain(|card| *card != self.up_card);
                }
                cards.iter().map(|card| format!("discard {card}")).collect()
            }
            Phase::Play => {
                let led = self.table.trick.first().map(|(_, card)| self.suit(card));
                follow(&self.table.cards(&self.table.turn()), led.as_deref(), |card| self.suit(card))
            }
        }
    }

    fn apply(&mut self, text: &str) {
        let dealer = self.start.dealer;
        if text == "pass" {
            if self.caller == dealer {
                self.phase = Phase::SecondRound;
            }
            self.caller = (self.caller + 1) % 3;
        } else if text == "order-up" {
            self.maker = self.caller;
            self.trump = suit(&self.up_card).to_string();
            self.table.shift(&self.up_card, "up-card", &own(dealer));
            self.phase = Phase::Discard;
        } else if let Some(suit) = text.strip_prefix("name ") {
            self.maker = self.caller;
            self.trump = suit.to_string();
            self.begin_play();
        } else if let Some(card) = text.strip_prefix("discard ") {
            self.table.shift(card, &own(dealer), &discards_of(dealer));
            self.begin_play();
        } else if self.table.play(text) {
            let led = self.suit(&self.table.trick[0].1);
            let winner = strongest(&self.table.trick, |card| self.strength(card, &led));
            self.table.finish(&winner);
        }
    }

    fn table(&self) -> &Table {
        &self.table
    }

    fn scores(&self) -> Vec<i64> {
        let tricks = self.table.won(&own(self.maker));
        (0..3)
            .map(|seat| match (seat == self.maker, tricks) {
                (true, 5) => self.start.number("march-points"),
                (true, 3 | 4) => self.start.number("make-points"),
                (false, 0..=2) => self.start.number("euchre-points-each"),
                _ => 0,
            })
            .collect()
    }

    fn contract(&self) -> Option<Contract> {
        Some((Some(self.maker), None, Some(self.trump.clone()), "euchre".to_string()))
    }

    fn knows(&self, seat: usize, place: &str, card: &str) -> bool {
        // The dealer is known to hold the card taken up for as long as it cannot have been discarded.
        let still_held = self.phase == Phase::Discard || !self.start.is_on("may-discard-upcard");
        place == own(seat)
            || place == discards_of(seat)
            || place == "up-card"
            || (place == own(self.start.dealer) && card == self.up_card && still_held)
    }
}
