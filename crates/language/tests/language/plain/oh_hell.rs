//! Oh Hell, from the rule text at pagat.com/exact/ohhell.html.

use super::{PlainDeal, PlainRules, assert_agree};
use crate::same_game::shipped;

struct PlainOhHell;

/// The cards of each hand in the deals of a match.
const CARDS: [usize; 19] = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

impl PlainRules for PlainOhHell {
    fn trump(&self, deal: &PlainDeal) -> Option<char> {
        Some(deal.turned.expect("a card is turned up").1)
    }

    fn bids(&self, deal: &PlainDeal) -> Vec<usize> {
        let made: Vec<usize> = deal.bids.iter().flatten().copied().collect();
        let cards = CARDS[deal.place];
        match made.len() {
            4 => Vec::new(),
            // The dealer bids last, and the bids may not come out even with the tricks.
            3 => (0..=cards).filter(|bid| made.iter().sum::<usize>() + bid != cards).collect(),
            _ => (0..=cards).collect(),
        }
    }

    fn scores(&self, deal: &PlainDeal) -> [i32; 4] {
        [0, 1, 2, 3].map(|player| {
            let tricks = deal.tricks_of(player);
            tricks as i32 + if deal.bids[player] == Some(tricks) { 10 } else { 0 }
        })
    }
}

#[test]
fn oh_hell_from_its_file_is_oh_hell_as_written_a_second_time() {
    assert_agree(&shipped("oh-hell"), &PlainOhHell, 300);
}

#[test]
#[ignore = "long: 10,000 deals"]
fn oh_hell_agrees_in_ten_thousand_deals() {
    assert_agree(&shipped("oh-hell"), &PlainOhHell, 10_000);
}
