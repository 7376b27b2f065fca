//! Counts the tricks of a side when all cards are known and all players play as well as possible.

use overtrick_cards::{Card, CardSet, Order, Suit};
use overtrick_search::solver::{Position, Ranking, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Spades are trumps, and the ace is high.
    let order = Order::with_trumps(Some(Suit::Spades), Card::suit, |card| 1 + card.index() as u8 % 16);
    let ranking = Ranking::of(&order, CardSet::EMPTY).expect("one suit of trumps at most");
    // South leads, then west, north and east. The tricks of south and north are counted.
    let hands: Vec<CardSet> =
        ["4S 5S 2H", "KS JS 3H", "AS QS 4H", "2S AH KH"].iter().map(|hand| hand.parse()).collect::<Result<_, _>>()?;
    let sides: Vec<(CardSet, bool)> = hands.into_iter().zip([true, false, true, false]).collect();
    let position = Position::new(&sides, 0, &[], &ranking)?;
    let mut solver = Solver::new(16 << 20);
    println!("south and north win {} of 3 tricks", solver.tricks(&position));
    for (card, tricks) in solver.moves(&position) {
        println!("if south leads {card}: {tricks}");
    }
    Ok(())
}
