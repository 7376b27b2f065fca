//! Sueca, from the rule text at pagat.com/aceten/sueca.html.

use super::{PlainDeal, PlainRules, assert_agree};
use crate::same_game::shipped;

struct PlainSueca;

impl PlainRules for PlainSueca {
    fn ranks(&self) -> &'static str {
        "23456QJK7A"
    }

    fn trump(&self, deal: &PlainDeal) -> Option<char> {
        Some(deal.turned.expect("the last card is turned up").1)
    }

    fn scores(&self, deal: &PlainDeal) -> [i32; 4] {
        [0, 1, 2, 3].map(|player| {
            let side = [player, (player + 2) % 4];
            let tricks: usize = side.iter().map(|player| deal.tricks_of(*player)).sum();
            let taken = side.iter().flat_map(|player| deal.taken(*player));
            let points: i32 = taken
                .map(|card| match card.0 {
                    'A' => 11,
                    '7' => 10,
                    'K' => 4,
                    'J' => 3,
                    'Q' => 2,
                    _ => 0,
                })
                .sum();
            match points {
                _ if tricks == 10 => 4,
                91.. => 2,
                61.. => 1,
                _ => 0,
            }
        })
    }
}

#[test]
fn sueca_from_its_file_is_sueca_as_written_a_second_time() {
    assert_agree(&shipped("sueca"), &PlainSueca, 300);
}

#[test]
#[ignore = "long: 10,000 deals"]
fn sueca_agrees_in_ten_thousand_deals() {
    assert_agree(&shipped("sueca"), &PlainSueca, 10_000);
}
