//! Plays judged with all cards known: what the sides give away adds up to how far the deal strays from its value.

use crate::fixtures::sandbox;
use std::sync::Arc;

use crate::fixtures::sandbox::Sandbox;
use crate::fixtures::{random_bots, tournament};
use overtrick::game::{FullGame, Standing};
use overtrick::games::{Variant, Visitor};
use overtrick::search::solver::{Position, Ranking, Solver};
use overtrick::tournament::{Seeds, Unit, replay};

struct Check<'a>(&'a str);

impl Visitor for Check<'_> {
    type Output = ();

    fn visit<G: FullGame>(self, game: &Arc<G>) {
        let name = self.0;
        let tournament = tournament(name, "deals = 1");
        let bots = random_bots(&Variant::preset(name).unwrap());
        let seeds = Seeds::new(tournament.seed, name, game.as_ref(), Unit::Deal);
        let mut solver = Solver::new(16 << 20);
        let (mut judged, mut lost) = (0, 0);
        for number in 0..12 {
            let record = &replay(&tournament, 0, number, &bots, true)[0];
            let mut state = seeds.deal(game.as_ref(), number, seeds.setup(game.as_ref(), number, &Standing::default()));
            let (mut value, mut to_lose) = (None, false);
            let mut plays = 0;
            for made in &record.moves {
                let sides = game.sides(&state);
                assert_eq!(made.given_away.is_some(), sides.is_some(), "{name}: {}", made.text);
                if let Some(sides) = sides {
                    if plays == 0 {
                        let ranking = Ranking::of(game.order(&state).unwrap(), game.anytime(&state.public)).unwrap();
                        let position = Position::of(&state.table, &ranking, |hand| sides.is_declarers(hand));
                        let position = if sides.to_lose { position.to_lose() } else { position };
                        to_lose = sides.to_lose;
                        value = Some(i32::from(solver.tricks(&position)));
                    }
                    plays += 1;
                    let given = i32::from(made.given_away.unwrap());
                    let declarers = sides.is_declarers(state.table.hand_to_move());
                    value = value.map(|value| if declarers == to_lose { value + given } else { value - given });
                    judged += 1;
                    lost += given;
                }
                let chosen = game.read_move(&state, &made.text).unwrap();
                game.play(&mut state, chosen).unwrap();
                if let (Some(value), Some(sides)) = (value, sides.filter(|_| game.is_over(&state))) {
                    let own = state.table.circle().filter(|&hand| sides.is_declarers(hand));
                    let won: u8 = own.map(|hand| state.table.tricks_won(hand)).sum();
                    assert_eq!(value, i32::from(won), "{name}, deal {number}");
                }
            }
        }
        assert!(judged > 100 && lost > 10, "{name}: {judged} plays, {lost} tricks given away");
    }
}

#[test]
fn what_is_given_away_adds_up_where_deals_are_quickly_judged() {
    for name in ["euchre-32", "humbug", "chameleon", "dummy-chameleon"] {
        Variant::preset(name).unwrap().game.visit(Check(name));
    }
}

#[test]
#[ignore = "long: judges every play with hands of thirteen cards"]
fn what_is_given_away_adds_up() {
    for name in
        ["euchre-32", "dummy-whist", "dummy-whist-jokers", "double-dummy", "humbug", "chameleon", "dummy-chameleon"]
    {
        Variant::preset(name).unwrap().game.visit(Check(name));
    }
}

#[test]
fn where_everybody_plays_for_himself_nothing_is_judged() {
    for name in ["dumbo", "colour-blind"] {
        let bots = random_bots(&Variant::preset(name).unwrap());
        let record = &replay(&tournament(name, "deals = 1"), 0, 3, &bots, true)[0];
        assert!(record.moves.iter().all(|made| made.given_away.is_none()));
    }
}

#[test]
fn replay_analyses_under_the_old_name_of_the_option_too() {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", &sandbox::CONFIG.replace("\"dumbo\"", "\"euchre-32\""));
    let replay = |variant: &str, option: &[&str]| {
        let (code, stdout, stderr) =
            sandbox.run(&[&["replay", "t.toml", "--deal", "1", "--variant", variant], option].concat());
        assert_eq!((code, stderr.as_str()), (0, ""));
        stdout
    };
    let analysed = replay("euchre-32", &["--analyse"]);
    assert!(analysed.contains("\n  analysis: -1 gave away a trick of its side"), "{analysed}");
    assert!(!replay("euchre-32", &[]).contains("analysis"));
    assert_eq!(replay("euchre-32", &["--par"]), analysed);
    assert!(replay("colour-blind-2", &["--analyse"]).contains("\n  analysis: there was no play between two sides"));
    let (_, help, _) = sandbox.run(&["replay", "--help"]);
    assert!(help.contains("--analyse") && !help.contains("--par"), "{help}");
}
