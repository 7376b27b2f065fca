//! Colour-blind, for three and for two.

use super::cards::{height, is_red, rank, suit};
use super::tricks::{Table, follow_printed, own, seat_of, strongest};
use super::{Contract, Game, Start};

#[derive(Clone)]
pub struct ColourBlind {
    start: Start,
    table: Table,
    players: usize,
}

/// Where the row cards lie that a seat has won.
fn won_by(seat: usize) -> String {
    format!("won by {seat}")
}

impl ColourBlind {
    pub fn new(start: &Start) -> ColourBlind {
        let players = start.number("players") as usize;
        let mut table = Table::new(start);
        table.add("row", start.on_table("row"));
        table.add("row-last", start.on_table("row-last"));
        // CB4, CB20: the dealer's left leads.
        table.begin((1..=players).map(|step| own((start.dealer + step) % players)).collect());
        ColourBlind { start: start.clone(), table, players }
    }

    /// CB3, CB17: whether red is the good colour, by the cards of the row that are turned up.
    fn red_is_good(&self) -> bool {
        let row = self.start.on_table("row");
        let red = row.iter().filter(|card| is_red(suit(card))).count();
        red > row.len() - red
    }

    /// CB10: what a row card counts, before its colour is considered.
    fn value(&self, card: &str) -> i64 {
        match rank(card) {
            "A" => self.start.number("ace-count"),
            "J" => self.start.number("jack-count"),
            "Q" => self.start.number("queen-count"),
            "K" => self.start.number("king-count"),
            _ => height(card),
        }
    }
}

impl Game for ColourBlind {
    fn is_over(&self) -> bool {
        self.table.is_played_out()
    }

    fn seat(&self) -> usize {
        seat_of(&self.hand())
    }

    fn hand(&self) -> String {
        self.table.turn()
    }

    fn legal(&self) -> Vec<String> {
        follow_printed(&self.table)
    }

    fn apply(&mut self, text: &str) {
        if !self.table.play(text) {
            return;
        }
        // CB6, CB7: the highest card of any suit, of equals the last.
        let winner = strongest(&self.table.trick, height);
        self.table.finish(&winner);
        let pile = won_by(seat_of(&winner));
        let row = self.table.cards("row");
        self.table.shift(&row[0], "row", &pile);
        if row.len() == 1 && self.start.text("last-row-card") == "last-trick" {
            for card in self.table.cards("row-last") {
                self.table.shift(&card, "row-last", &pile);
            }
        }
    }

    fn table(&self) -> &Table {
        &self.table
    }

    fn scores(&self) -> Vec<i64> {
        (0..self.players)
            .map(|seat| {
                let mut count = 0;
                for card in self.table.cards(&won_by(seat)) {
                    let good = is_red(suit(&card)) == self.red_is_good();
                    count += if good { self.value(&card) } else { -self.value(&card) };
                }
                count.max(self.start.number("lowest-score"))
            })
            .collect()
    }

    fn contract(&self) -> Option<Contract> {
        None
    }

    fn knows(&self, seat: usize, place: &str, _: &str) -> bool {
        place == own(seat) || place == "row"
    }
}
