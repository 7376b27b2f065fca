//! Hearts, from the rule text at pagat.com/reverse/hearts.html.

use super::{PlainCard, PlainDeal, PlainRules, assert_agree};
use crate::same_game::shipped;

struct PlainHearts;

fn is_heart(card: PlainCard) -> bool {
    card.1 == 'H'
}

fn is_point(card: PlainCard) -> bool {
    is_heart(card) || card == ('Q', 'S')
}

impl PlainRules for PlainHearts {
    fn leader(&self, deal: &PlainDeal) -> usize {
        deal.hands.iter().position(|hand| hand.contains(&('2', 'C'))).unwrap()
    }

    fn passing(&self, deal: &PlainDeal) -> Option<(usize, usize)> {
        // To the left, to the right, across, and not at all.
        [Some((3, 1)), Some((3, 3)), Some((3, 2)), None][deal.place]
    }

    fn playable(&self, deal: &PlainDeal) -> Vec<PlainCard> {
        let own = deal.own().to_vec();
        if deal.trick.is_empty() && deal.tricks.is_empty() {
            return vec![('2', 'C')];
        }
        if deal.trick.is_empty() {
            let plain: Vec<PlainCard> = own.iter().copied().filter(|card| !is_heart(*card)).collect();
            return if deal.was_played(is_heart) || plain.is_empty() { own } else { plain };
        }
        let follow = deal.following();
        let harmless: Vec<PlainCard> = follow.iter().copied().filter(|card| !is_point(*card)).collect();
        if deal.tricks.is_empty() && !harmless.is_empty() { harmless } else { follow }
    }

    fn scores(&self, deal: &PlainDeal) -> [i32; 4] {
        let points = [0, 1, 2, 3].map(|player| {
            let taken = deal.taken(player);
            let hearts = taken.iter().filter(|card| is_heart(**card)).count() as i32;
            hearts + if taken.contains(&('Q', 'S')) { 13 } else { 0 }
        });
        match points.iter().position(|points| *points == 26) {
            Some(shooter) => [0, 1, 2, 3].map(|player| if player == shooter { 0 } else { -26 }),
            None => points.map(|points| -points),
        }
    }
}

#[test]
fn hearts_from_its_file_is_hearts_as_written_a_second_time() {
    assert_agree(&shipped("hearts"), &PlainHearts, 300);
}

#[test]
#[ignore = "long: 10,000 deals"]
fn hearts_agrees_in_ten_thousand_deals() {
    assert_agree(&shipped("hearts"), &PlainHearts, 10_000);
}
