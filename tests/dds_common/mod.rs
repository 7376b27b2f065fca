//! Bo Haglund's DDS, which knows four hands of natural cards and two partnerships.

use contract_bridge::{PartialDeal, Seat, Strain};
use dds_bridge::{Board, CurrentTrick, Objective, Solver, Target};
use overtrick::cards::{CardSet, Suit};

/// The hands in its text form, from north clockwise.
fn text(hands: &[CardSet]) -> String {
    let suit = |hand: CardSet, suit: Suit| {
        let cards = (hand & CardSet::suit(suit)).sorted();
        cards.iter().map(|card| card.to_string().remove(0)).collect::<String>()
    };
    let hand =
        |&hand: &CardSet| Suit::ALL.map(|number| suit(hand, number)).into_iter().rev().collect::<Vec<_>>().join(".");
    format!("N:{}", hands.iter().map(hand).collect::<Vec<_>>().join(" "))
}

/// What the solver is to be asked.
pub fn question(hands: &[CardSet], leader: usize, trump: Option<Suit>) -> Objective {
    let strains = [Strain::Clubs, Strain::Diamonds, Strain::Hearts, Strain::Spades];
    let strain = trump.map_or(Strain::Notrump, |suit| strains[suit as usize]);
    let leader = [Seat::North, Seat::East, Seat::South, Seat::West][leader];
    let deal: PartialDeal = text(hands).parse().expect("four hands");
    let trick = CurrentTrick::from_slice(strain, leader, &[]).expect("no card yet");
    Objective { board: Board::try_new(deal, trick).expect("a deal"), target: Target::Any(None) }
}

/// The tricks of the side that leads.
pub fn answer(solver: &mut Solver, question: &Objective) -> u8 {
    solver.solve_board(question).plays[0].score.get()
}
