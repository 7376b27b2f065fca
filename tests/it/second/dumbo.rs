//! Dumbo.

use super::cards::{height, rank, suit};
use super::tricks::{Table, follow_printed, own, seat_of, strongest};
use super::{Contract, Game, Start};

#[derive(Clone)]
pub struct Dumbo {
    start: Start,
    table: Table,
}

impl Dumbo {
    pub fn new(start: &Start) -> Dumbo {
        let mut table = Table::new(start);
        let (dealer, left, right) = (start.dealer, (start.dealer + 1) % 3, (start.dealer + 2) % 3);
        // DU5, DU11: Dumbo lies opposite the dealer, who leads.
        table.begin(vec![own(dealer), own(left), "dummy".to_string(), own(right)]);
        Dumbo { start: start.clone(), table }
    }
}

/// DU13 to DU19: the last snap wins, and if there is none, or no such thing, the highest card of the suit led.
fn winner(trick: &[(String, String)], snapping: bool) -> String {
    let led = &trick[0].1;
    let snap = trick[1..].iter().rfind(|(_, card)| rank(card) == rank(led));
    if let (true, Some((hand, _))) = (snapping, snap) {
        return hand.clone();
    }
    strongest(trick, |card| if suit(card) == suit(led) { height(card) } else { 0 })
}

/// Returns the score of each player, given the tricks of all.
pub fn score(start: &Start, players: [i64; 3], dumbo: i64) -> Vec<i64> {
    let matching = players.iter().filter(|&&tricks| tricks == dumbo).count();
    (0..3)
        .map(|seat| {
            let mine = players[seat];
            let others = [players[(seat + 1) % 3], players[(seat + 2) % 3]];
            let plain = mine * start.number("trick-points");
            if mine == 13 {
                start.number("sweep-score")
            } else if others.contains(&13) {
                0
            } else if dumbo == 13 {
                if seat == start.dealer { start.number("dumbo-sweep-score") } else { 0 }
            } else if matching == 2 {
                plain + if mine == dumbo { start.number("double-match-bonus") } else { 0 }
            } else if others.contains(&mine) {
                start.number("tie-score")
            } else if mine != dumbo {
                plain
            } else if dumbo == 0 {
                plain + start.number("zero-match-bonus")
            } else {
                plain + start.number("match-bonus")
            }
        })
        .collect()
}

impl Game for Dumbo {
    fn is_over(&self) -> bool {
        self.table.is_played_out()
    }

    fn seat(&self) -> usize {
        let hand = self.hand();
        if hand == "dummy" { self.start.dealer } else { seat_of(&hand) }
    }

    fn hand(&self) -> String {
        self.table.turn()
    }

    fn legal(&self) -> Vec<String> {
        follow_printed(&self.table)
    }

    fn apply(&mut self, text: &str) {
        if self.table.play(text) {
            let winner = winner(&self.table.trick, self.start.is_on("snapping"));
            self.table.finish(&winner);
        }
    }

    fn table(&self) -> &Table {
        &self.table
    }

    fn scores(&self) -> Vec<i64> {
        let players = [0, 1, 2].map(|seat| self.table.won(&own(seat)));
        score(&self.start, players, self.table.won("dummy"))
    }

    fn contract(&self) -> Option<Contract> {
        None
    }

    fn knows(&self, seat: usize, place: &str, _: &str) -> bool {
        if place != "dummy" {
            return place == own(seat);
        }
        match self.start.text("dumbo-exposed").as_str() {
            "before-lead" => true,
            "after-lead" => !self.table.trick.is_empty() || !self.table.done.is_empty(),
            "dealer-only" => seat == self.start.dealer,
            other => panic!("dumbo-exposed = {other}"),
        }
    }
}
