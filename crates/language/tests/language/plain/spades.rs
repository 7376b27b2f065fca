//! Spades without blind nil, from the rule text at pagat.com/auctionwhist/spades.html.

use super::{PlainCard, PlainDeal, PlainRules, assert_agree};
use crate::same_game::shipped;

struct PlainSpades;

impl PlainRules for PlainSpades {
    fn trump(&self, _deal: &PlainDeal) -> Option<char> {
        Some('S')
    }

    fn bids(&self, deal: &PlainDeal) -> Vec<usize> {
        if deal.bids.contains(&None) { (0..=13).collect() } else { Vec::new() }
    }

    fn playable(&self, deal: &PlainDeal) -> Vec<PlainCard> {
        let follow = deal.following();
        let others: Vec<PlainCard> = follow.iter().copied().filter(|card| card.1 != 'S').collect();
        let broken = deal.was_played(|card| card.1 == 'S');
        if deal.trick.is_empty() && !broken && !others.is_empty() { others } else { follow }
    }

    fn scores(&self, deal: &PlainDeal) -> [i32; 4] {
        [0, 1, 2, 3].map(|player| {
            let (mut level, mut won, mut helping, mut nil) = (0, 0, 0, 0);
            for member in [player, (player + 2) % 4] {
                let (bid, tricks) = (deal.bids[member].unwrap() as i32, deal.tricks_of(member) as i32);
                level += bid;
                won += tricks;
                if bid == 0 {
                    nil += if tricks == 0 { 100 } else { -100 };
                } else {
                    helping += tricks;
                }
            }
            // The tricks of a failed nil do not help the partner.
            if helping < level {
                return nil - 10 * level;
            }
            // Tricks above the bid are bags, and the tenth and the twentieth cost 100 points each.
            let bags = deal.totals[player].rem_euclid(10) + won - level;
            nil + 10 * level + (won - level) - 100 * (bags / 10)
        })
    }
}

#[test]
fn spades_from_its_file_is_spades_as_written_a_second_time() {
    assert_agree(&shipped("spades"), &PlainSpades, 300);
}

#[test]
#[ignore = "long: 10,000 deals"]
fn spades_agrees_in_ten_thousand_deals() {
    assert_agree(&shipped("spades"), &PlainSpades, 10_000);
}
