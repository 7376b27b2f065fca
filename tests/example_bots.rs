//! The example bots play every variant without a slip, batched and not.

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{each_variant, stream};
use overtrick::game::{Game, Setup, Standing, State, View};
use overtrick::games::{Variant, Visitor};
use overtrick::protocol::{Asked, Decision, Message, VariantSeen};
use overtrick::strategies::process::{Params, Session};
use overtrick::table::Seat;

fn view<'a, G: Game>(game: &'a G, state: &'a State<G::Public>, standing: &'a Standing) -> View<'a, G> {
    View::new(game, state, standing, state.table.seat_to_move())
}

/// Plays a number of deals side by side with one bot in all seats; how many decisions it made, and in what time.
struct Play<'a>(&'a mut Session, &'a str, u64);

impl Visitor for Play<'_> {
    type Output = (usize, Duration);
    fn visit<G: Game>(self, game: &Arc<G>) -> (usize, Duration) {
        let Play(session, name, deals) = self;
        session.tell(&Message::Variant(VariantSeen::of(game.as_ref(), name, name))).unwrap();
        let seats = game.layout().seats;
        let setup = |deal: u64| Setup { dealer: Seat::new(deal as usize % seats), last_deal: deal % 2 == 1 };
        let mut states: Vec<State<G::Public>> =
            (0..deals).map(|deal| game.deal(setup(deal), &mut stream(name, deal))).collect();
        let standing = Standing::default();
        let (mut id, mut time) = (0, Duration::ZERO);
        loop {
            let mut going: Vec<&mut State<G::Public>> =
                states.iter_mut().filter(|state| !game.is_over(state)).collect();
            if going.is_empty() {
                return (id as usize, time);
            }
            for batch in going.chunks_mut(session.hello().batch.0 as usize) {
                let start = Instant::now();
                let decision = |(n, state): (usize, &&mut State<G::Public>)| {
                    Decision::of(&view(game.as_ref(), state, &standing), game.legal(state), id + n as u64, 0, n as u32)
                };
                let mut asked = Asked::new(batch.iter().enumerate().map(decision).collect());
                session.ask(&mut asked).unwrap_or_else(|fault| panic!("{name}: {fault}"));
                time += start.elapsed();
                id += batch.len() as u64;
                for (n, state) in batch.iter_mut().enumerate() {
                    let chosen =
                        asked.chosen(n, &view(game.as_ref(), state, &standing), game.legal(state)).expect("an answer");
                    game.try_move(state, chosen.unwrap_or_else(|fault| panic!("{name}: {fault}"))).unwrap();
                }
            }
        }
    }
}

fn start(bot: &str) -> Session {
    let file = format!("{}/bots/examples/{bot}", env!("CARGO_MANIFEST_DIR"));
    Session::start(
        &Params { command: vec!["python3".to_owned(), file], ..Params::default() },
        None,
        &Default::default(),
    )
    .unwrap()
}

#[test]
fn they_play_every_variant() {
    for bot in ["simple.py", "counting.py"] {
        let mut session = start(bot);
        each_variant(|variant| {
            let (decisions, _) = variant.game.visit(Play(&mut session, &variant.name, 12));
            assert!(decisions >= 24, "{bot} in {}: {decisions}", variant.name);
        });
        session.close(Duration::from_secs(2));
    }
}

/// `cargo test --release --test example_bots -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn how_fast_they_are() {
    for bot in ["simple.py", "counting.py"] {
        let mut session = start(bot);
        for name in ["dumbo", "euchre-24", "dummy-whist", "colour-blind", "chameleon"] {
            let game = Variant::preset(name).unwrap().game;
            let (decisions, time) = game.visit(Play(&mut session, name, 640));
            println!("{bot} {name}: {:.0} decisions/s", decisions as f64 / time.as_secs_f64());
        }
    }
}
