//! The example bots play every variant without a slip, and the same whether batched or not.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::fixtures::each_variant;
use overtrick::game::FullGame;
use overtrick::games::Visitor;
use overtrick::protocol::{Message, VariantSeen};
use overtrick::strategies::process::trial::{Played, Trial};
use overtrick::strategies::process::{Params, Session};

/// Plays these deals with this number of decisions in a message.
struct Play<'a>(&'a mut Session, &'a str, Vec<u64>, usize);

impl Visitor for Play<'_> {
    type Output = Played;
    fn visit<G: FullGame>(self, game: &Arc<G>) -> Played {
        let Play(session, name, deals, batch) = self;
        session.tell(&Message::Variant(VariantSeen::of(game.as_ref(), name, name))).unwrap();
        Trial::new(game.as_ref(), name).play(session, deals, batch)
    }
}

fn plays_every_variant(bot: &str, params: &Params) {
    let mut session =
        Session::start(params, None, &Default::default()).unwrap_or_else(|fault| panic!("{bot}: {fault}"));
    let batch = session.hello().batch.0 as usize;
    assert!(batch >= 64, "{bot}");
    each_variant(|variant| {
        let mut play = |deals, batch| {
            let played = variant.game.visit(Play(&mut session, &variant.name, deals, batch));
            assert!(played.end.is_none() && played.illegal.is_empty(), "{bot} in {}: {played:?}", variant.name);
            played
        };
        let together = play((0..12).collect(), batch);
        assert!(together.decisions() >= 24, "{bot} in {}", variant.name);
        let mut alone = play((0..12).rev().collect(), 1);
        alone.moves.reverse();
        assert!(alone.moves == together.moves, "{bot} in {} plays otherwise alone", variant.name);
    });
    session.close(Duration::from_secs(2));
}

fn python(bot: &str) -> Params {
    let file = format!("{}/bots/examples/{bot}", env!("CARGO_MANIFEST_DIR"));
    Params { command: vec!["python3".to_owned(), "-S".to_owned(), file], ..patient() }
}

/// Limits for which any machine is fast enough.
fn patient() -> Params {
    Params { start_timeout: 600.0, move_timeout: 600.0, ..Params::default() }
}

#[test]
fn simple_plays_every_variant() {
    plays_every_variant("simple.py", &python("simple.py"));
}

#[test]
fn counting_plays_every_variant() {
    plays_every_variant("counting.py", &python("counting.py"));
}

#[test]
fn highlow_plays_every_variant() {
    // It lies in the folder of the tests. A run of all tests has built it already.
    let build = ["build", "--quiet", "--offline", "--locked", "--example", "highlow"];
    assert!(Command::new(env!("CARGO")).args(build).status().unwrap().success());
    let tests = std::env::current_exe().unwrap();
    let examples = tests.parent().and_then(Path::parent).unwrap().join("examples");
    let command = vec!["./highlow".to_owned()];
    plays_every_variant("highlow", &Params { command, folder: examples, ..patient() });
}
