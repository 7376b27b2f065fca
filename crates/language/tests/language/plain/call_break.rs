//! Call Break, from the rule text at callbreak.xyz/callbreak-rules.html.

use super::{PlainCard, PlainDeal, PlainRules, assert_agree};
use crate::same_game::shipped;

struct PlainCallBreak;

fn height(card: PlainCard) -> usize {
    "23456789TJQKA".find(card.0).unwrap()
}

impl PlainRules for PlainCallBreak {
    fn trump(&self, _deal: &PlainDeal) -> Option<char> {
        Some('S')
    }

    fn bids(&self, deal: &PlainDeal) -> Vec<usize> {
        if deal.bids.contains(&None) { (1..=8).collect() } else { Vec::new() }
    }

    fn playable(&self, deal: &PlainDeal) -> Vec<PlainCard> {
        let Some(led) = deal.trick.first().map(|card| card.1) else { return deal.own().to_vec() };
        let follow = deal.following();
        let spade = deal.trick.iter().copied().filter(|card| card.1 == 'S').map(height).max();
        let can_follow = follow.iter().any(|card| card.1 == led);
        let higher: Vec<PlainCard> = if can_follow && (spade.is_none() || led == 'S') {
            let of_suit = deal.trick.iter().copied().filter(|card| card.1 == led);
            let best = of_suit.map(height).max().unwrap();
            follow.iter().copied().filter(|card| height(*card) > best).collect()
        } else if can_follow {
            // Someone has trumped, and no card of the suit is higher than that.
            Vec::new()
        } else {
            follow
                .iter()
                .copied()
                .filter(|card| card.1 == 'S' && spade.is_none_or(|best| height(*card) > best))
                .collect()
        };
        if higher.is_empty() { follow } else { higher }
    }

    fn scores(&self, deal: &PlainDeal) -> [i32; 4] {
        [0, 1, 2, 3].map(|player| {
            let (bid, tricks) = (deal.bids[player].unwrap() as i32, deal.tricks_of(player) as i32);
            // In tenths of a point.
            if tricks < bid { -10 * bid } else { 10 * bid + (tricks - bid) }
        })
    }
}

#[test]
fn call_break_from_its_file_is_call_break_as_written_a_second_time() {
    assert_agree(&shipped("call-break"), &PlainCallBreak, 300);
}

#[test]
#[ignore = "long: 10,000 deals"]
fn call_break_agrees_in_ten_thousand_deals() {
    assert_agree(&shipped("call-break"), &PlainCallBreak, 10_000);
}
