//! Silent Manille, from the rule texts at butinet.cat and gigietcram.net that the file names.

use super::{PlainCard, PlainDeal, PlainRules, assert_agree};
use crate::same_game::shipped;

/// The ranks, the highest first.
const RANKS: &str = "TAKQJ987";

struct PlainManille;

/// Returns whether a card takes the place of the best card so far.
fn is_higher(card: PlainCard, best: PlainCard, trump: char) -> bool {
    if card.1 == best.1 { RANKS.find(card.0) < RANKS.find(best.0) } else { card.1 == trump }
}

impl PlainRules for PlainManille {
    fn ranks(&self) -> &'static str {
        "789JQKAT"
    }

    fn trump(&self, deal: &PlainDeal) -> Option<char> {
        Some(deal.turned.expect("the last card is turned up").1)
    }

    fn playable(&self, deal: &PlainDeal) -> Vec<PlainCard> {
        let (cards, trump) = (deal.following(), self.trump(deal).unwrap());
        let Some(mut best) = deal.trick.first().copied() else { return cards };
        let mut winner = deal.leader;
        for (place, card) in deal.trick.iter().enumerate() {
            if is_higher(*card, best, trump) {
                (best, winner) = (*card, (deal.leader + place) % 4);
            }
        }
        let higher: Vec<PlainCard> = cards.iter().copied().filter(|card| is_higher(*card, best, trump)).collect();
        let partner_wins = winner == (deal.turn + 2) % 4;
        if partner_wins || higher.is_empty() { cards } else { higher }
    }

    fn scores(&self, deal: &PlainDeal) -> [i32; 4] {
        [0, 1, 2, 3].map(|player| {
            let mut points = 0;
            for member in [player, (player + 2) % 4] {
                points += deal.tricks_of(member) as i32;
                for card in deal.taken(member) {
                    points += match card.0 {
                        'T' => 5,
                        'A' => 4,
                        'K' => 3,
                        'Q' => 2,
                        'J' => 1,
                        _ => 0,
                    };
                }
            }
            (points - 34).max(0)
        })
    }
}

#[test]
fn manille_from_its_file_is_manille_as_written_a_second_time() {
    assert_agree(&shipped("manille"), &PlainManille, 300);
}

#[test]
#[ignore = "long: 10,000 deals"]
fn manille_agrees_in_ten_thousand_deals() {
    assert_agree(&shipped("manille"), &PlainManille, 10_000);
}
