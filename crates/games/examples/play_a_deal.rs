//! Plays a deal of Euchre move by move, always with the first legal move.

use overtrick_cards::SeedSource;
use overtrick_game::{Describe, Game, Setup};
use overtrick_games::euchre::{Euchre, EuchreRules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Euchre::new(EuchreRules::default())?;
    // Every random choice follows from a seed, a purpose and a subject. This is deal number 7 of seed 1.
    let mut rng = SeedSource::new(1, "cards", "euchre").stream(7, 0);
    let mut state = game.deal(Setup::default(), &mut rng);
    while !game.is_over(&state) {
        let chosen = game.legal(&state).iter().next().expect("a deal that goes on has legal moves");
        let text = game.move_text(&state, chosen).expect("a legal move has a text");
        println!("seat {}: {text}", state.table.seat_to_move().index());
        game.play(&mut state, chosen)?;
    }
    println!("scores {:?}", game.scores(&state).of(3));
    for (seat, reason) in game.reasons(&state).iter().enumerate() {
        println!("seat {seat}: {reason}");
    }
    Ok(())
}
