//! How many worlds a second can be drawn for a view of Dumbo: after some tricks of random play, from the seat on the
//! dealer's left. With Dumbo face up two hands are hidden; with Dumbo seen by the dealer alone three are, and voids
//! make the draw a choice among forks.
//!
//! `cargo bench --profile dist --bench worlds`

use std::hint::black_box;
use std::time::Instant;

use overtrick::cards::SeedSource;
use overtrick::game::{Game, Move, Setup, Standing, State, View};
use overtrick::games::dumbo::{Dumbo, DumboExposed, DumboRules};
use overtrick::search::worlds::{self, Worlds};
use overtrick::table::Seat;

const DEALS: u64 = 200;
const WORLDS: u64 = 1000;

/// Deals after `tricks` tricks of random play.
fn deals(game: &Dumbo, tricks: usize) -> Vec<State<()>> {
    let rng = SeedSource::new(1, "bench", "worlds");
    let deal = |number| {
        let mut rng = rng.stream(number, 0);
        let mut state = game.deal(Setup::default(), &mut rng);
        while state.table.tricks_played() < tricks {
            let legal: Vec<Move> = game.legal(&state).iter().collect();
            game.play_unchecked(&mut state, legal[rng.random_below(legal.len() as u64) as usize]);
        }
        state
    };
    (0..DEALS).map(deal).collect()
}

fn main() {
    let mut rng = SeedSource::new(2, "bench", "worlds").stream(0, 0);
    let standing = Standing::default();
    println!("{:<24}{:>8}{:>14}{:>20}{:>20}", "", "tricks", "worlds", "states to play on", "one world a view");
    for (name, dumbo_exposed) in
        [("Dumbo face up", DumboExposed::BeforeLead), ("Dumbo hidden", DumboExposed::DealerOnly)]
    {
        let game = Dumbo::new(DumboRules { dumbo_exposed, ..DumboRules::default() }).expect("rules in range");
        for tricks in [0, 4, 8] {
            let deals = deals(&game, tricks);
            let views: Vec<View<'_, Dumbo>> =
                deals.iter().map(|state| View::new(&game, state, &standing, Seat::Seat1)).collect();
            let rate = |worlds_a_view: u64, work: &mut dyn FnMut(&View<'_, Dumbo>)| {
                let start = Instant::now();
                views.iter().for_each(work);
                (DEALS * worlds_a_view) as f64 / start.elapsed().as_secs_f64() / 1e6
            };
            let drawn = rate(WORLDS, &mut |view| {
                let worlds = Worlds::new(view);
                for _ in 0..WORLDS {
                    black_box(worlds.sample(&mut rng));
                }
            });
            let imagined = rate(WORLDS, &mut |view| {
                let worlds = Worlds::new(view);
                for _ in 0..WORLDS {
                    black_box(view.imagine(&worlds.sample(&mut rng)));
                }
            });
            let fresh = rate(WORLDS / 10, &mut |view| {
                for _ in 0..WORLDS / 10 {
                    black_box(worlds::sample(view, &mut rng));
                }
            });
            println!("{name:<24}{tricks:>8}{drawn:>14.3}{imagined:>20.3}{fresh:>20.3}");
        }
    }
    println!("millions a second");
}
