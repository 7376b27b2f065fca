//! Whist, from the rule text at pagat.com/whist/whist.html.

use super::{PlainDeal, PlainRules, assert_agree};
use crate::same_game::shipped;

struct PlainWhist;

impl PlainRules for PlainWhist {
    fn trump(&self, deal: &PlainDeal) -> Option<char> {
        Some(deal.turned.expect("the last card is turned up").1)
    }

    fn scores(&self, deal: &PlainDeal) -> [i32; 4] {
        let side = |player: usize| (deal.tricks_of(player) + deal.tricks_of((player + 2) % 4)) as i32;
        [0, 1, 2, 3].map(|player| if side(player) > 6 { side(player) - 6 } else { 0 })
    }
}

#[test]
fn whist_from_its_file_is_whist_as_written_a_second_time() {
    assert_agree(&shipped("whist"), &PlainWhist, 300);
}

#[test]
#[ignore = "long: 10,000 deals"]
fn whist_agrees_in_ten_thousand_deals() {
    assert_agree(&shipped("whist"), &PlainWhist, 10_000);
}
