//! Draws deals that fit the view of seat 1, each equally likely.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, SeedSource};
use overtrick_game::{Game, Setup, Standing, View};
use overtrick_games::dumbo::{Dumbo, DumboRules};
use overtrick_search::worlds::Worlds;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Dumbo::new(DumboRules::default())?;
    let mut rng = SeedSource::new(1, "cards", "dumbo").stream(3, 0);
    let mut state = game.deal(Setup::default(), &mut rng);
    // After twenty cards some hands have shown out of a suit.
    for _ in 0..20 {
        let chosen = game.legal(&state).iter().next().expect("a legal move");
        game.play(&mut state, chosen)?;
    }
    let standing = Standing::default();
    let view = View::new(&game, &state, &standing, Seat::Seat1);
    println!("seat 1 holds {}", view.own());
    let worlds = Worlds::new(&view);
    let ace: Card = "AS".parse()?;
    let mut rng = SeedSource::new(1, "worlds", "dumbo").stream(0, 0);
    let held = (0..1000).filter(|_| worlds.sample(&mut rng).at(Place::Hand2).contains(ace)).count();
    println!("seat 2 holds {ace} in {held} of 1000 worlds");
    println!("in fact {}", if state.table.at(Place::Hand2).contains(ace) { "they do" } else { "they do not" });
    Ok(())
}
