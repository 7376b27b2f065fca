//! A bot on the types of Overtrick. In last place it wins a trick as cheaply as possible. In other places it
//! plays its highest winning card, and its lowest card when it cannot win. In auctions it passes, or makes
//! the first legal call.
//!
//! Its manifest has `strategy = "process"` and `command = ["target/release/examples/highlow"]`. Build it
//! first with `cargo build --release --example highlow`.

use std::io;

use overtrick_cards::{Card, Rank, Strain, Suit};
use overtrick_strategy::protocol::bot::{Bot, run};
use overtrick_strategy::protocol::{Batching, Decision, Hello, VariantSeen};

/// The bot, which remembers the game of the current variant.
#[derive(Default)]
struct HighLow {
    game: String,
    /// Whether a card of the rank led beats all others (Dumbo).
    snapping: bool,
}

impl Bot for HighLow {
    fn hello(&self) -> Hello {
        let (name, variants) = ("highlow".to_owned(), vec!["all".to_owned()]);
        Hello { name, variants, batch: Batching(64), deals: false, ..Hello::default() }
    }

    fn variant(&mut self, variant: VariantSeen) {
        self.game = variant.game;
        self.snapping = variant.rules.get("snapping").and_then(toml::Value::as_bool).unwrap_or_default();
    }

    fn choose(&mut self, decision: &Decision<'_>) -> usize {
        let legal = &decision.legal;
        if legal.len() == 1 {
            return 0;
        }
        let number = |(nth, text): (usize, &str)| text.parse::<Card>().ok().map(|card| (nth, card));
        let cards: Vec<(usize, Card)> = legal.iter().map(|text| &**text).enumerate().filter_map(number).collect();
        if cards.is_empty() {
            return call(decision);
        }
        let strength = |card: Card| self.strength(decision, decision.led.unwrap_or(card), card);
        let trick = decision.tricks.last().filter(|trick| trick.winner.is_none());
        let best = trick.map_or(0, |trick| trick.cards.iter().map(|&card| strength(card)).max().unwrap_or(0));
        let last = trick.is_some_and(|trick| trick.cards.len() + 1 == decision.circle.len());
        // Of equal cards, the last one played wins.
        let wins = |&&(_, card): &&(usize, Card)| strength(card) >= best.max(1);
        let height = |&&(_, card): &&(usize, Card)| (strength(card), card.rank(), card);
        let lowest = cards.iter().min_by_key(height);
        let chosen = if tricks_hurt(decision) {
            let losing = cards.iter().filter(|card| !wins(card));
            losing.max_by_key(height).or(lowest)
        } else {
            let winning = cards.iter().filter(wins);
            if last { winning.min_by_key(height) } else { winning.max_by_key(height) }.or(lowest)
        };
        chosen.expect("there are cards").0
    }
}

impl HighLow {
    /// Returns the strength of `card` in a trick that `led` began, or 0 if it cannot win.
    fn strength(&self, decision: &Decision<'_>, led: Card, card: Card) -> u8 {
        let contract = decision.contract.as_ref();
        let height = card.rank().map_or(0, Rank::strength);
        match self.game.as_str() {
            "colour-blind" => return height,
            "dumbo" if card.suit() == led.suit() => return height,
            "dumbo" => return if self.snapping && card.rank() == led.rank() { 20 } else { 0 },
            _ => {}
        }
        let letter = contract.and_then(|contract| contract.trump.as_deref()).or(decision.trump.as_deref());
        let trump = Suit::ALL.into_iter().find(|suit| letter == Some(Strain::from(*suit).name()));
        let jack = card.rank() == Some(Rank::Jack);
        let is_left = |card: Card| {
            let same_colour =
                |trump: Suit| card.suit().is_some_and(|suit| suit != trump && suit.is_red() == trump.is_red());
            self.game == "euchre" && card.rank() == Some(Rank::Jack) && trump.is_some_and(same_colour)
        };
        let suit = |card: Card| if is_left(card) || card.is_joker() { trump } else { card.suit() };
        let downtown = contract.is_some_and(|contract| contract.kind == "downtown");
        let height = match height {
            0 if trump.is_none() => return 0,
            0 => {
                if card == Card::BIG_JOKER {
                    15
                } else {
                    14
                }
            }
            _ if is_left(card) => 14,
            _ if self.game == "euchre" && jack && card.suit() == trump => 15,
            // The ace stays highest.
            1..13 if downtown => 13 - height,
            _ => height,
        };
        if trump.is_some() && suit(card) == trump {
            16 + height
        } else if suit(card) == suit(led) {
            height
        } else {
            0
        }
    }
}

/// Returns whether the seat has declared a misère.
fn tricks_hurt(decision: &Decision<'_>) -> bool {
    let misere = |contract: &overtrick_strategy::protocol::ContractSeen| {
        contract.kind.starts_with("misere") && contract.declarer == Some(decision.seat)
    };
    decision.contract.as_ref().is_some_and(misere)
}

/// Returns the index of a pass, of the lowest discard, or else of the first legal move.
fn call(decision: &Decision<'_>) -> usize {
    let legal = || decision.legal.iter().map(|text| &**text).enumerate();
    let discard = |(nth, text): (usize, &str)| Some((text.strip_prefix("discard ")?.parse::<Card>().ok()?.rank(), nth));
    let pass = legal().find(|(_, text)| *text == "pass").map(|(nth, _)| nth);
    pass.or_else(|| legal().filter_map(discard).min().map(|(_, nth)| nth)).unwrap_or(0)
}

fn main() -> io::Result<()> {
    // With a large buffer, a whole batch is read with one call.
    run(&mut HighLow::default(), io::BufReader::with_capacity(1 << 18, io::stdin()), io::stdout().lock())
}
