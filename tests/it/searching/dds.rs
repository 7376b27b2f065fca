//! The solver against DDS: full deals, every strain, every leader.
//!
//! `cargo test --profile long --features dds --test it dds`

use crate::fixtures::stream;
use overtrick::cards::{Card, CardSet, Deck, Order, Pack, Rank, Suit};
use overtrick::search::solver::{Position, Ranking, Solver};

const DEALS: u64 = 200;

#[test]
fn full_deals_in_all_strains_from_all_leaders() {
    let mut own = Solver::new(64 << 20);
    let mut other = dds_bridge::Solver::default();
    for number in 0..DEALS {
        let mut rng = stream("dds", number);
        let mut pack = Pack::new(Deck::Full52.cards(), &mut rng);
        let hands = [pack.take(13), pack.take(13), pack.take(13), pack.take(13)];
        for trump in Suit::ALL.map(Some).into_iter().chain([None]) {
            let order = Order::with_trumps(trump, Card::suit, |card| card.rank().map_or(0, Rank::strength));
            let ranking = Ranking::of(&order, CardSet::EMPTY).unwrap();
            // Results for one leader help with the next, but belong to this deal.
            own.forget();
            for leader in 0..4 {
                let sides: Vec<(CardSet, bool)> =
                    hands.iter().enumerate().map(|(hand, &cards)| (cards, hand % 2 == leader % 2)).collect();
                let position = Position::new(&sides, leader, &[], &ranking).unwrap();
                let theirs = dds::answer(&mut other, &dds::question(&hands, leader, trump));
                assert_eq!(own.tricks(&position), theirs, "deal {number}, {trump:?}, led by {leader}: {hands:?}");
            }
        }
    }
}
