//! The game that docs/adding-a-game.md builds: it is what the page shows, and it plays.

use crate::fixtures::{points_among_random, stream};
use crate::plain::{Plain, PlainRules};
use overtrick::game::{Game, Options, Setup};
use overtrick::strategies::{BuildContext, StrategySpec, ismcts, pimc, rule_based};
use overtrick::strategy::Strategy;
use overtrick::table::Seat;

#[test]
fn the_page_shows_the_game_that_is_tested() {
    let page = include_str!("../../../docs/adding-a-game.md");
    assert!(page.contains(include_str!("../../../examples/outside/plain.rs")));
}

#[test]
fn the_registers_are_as_the_page_says() {
    let page = include_str!("../../../docs/adding-a-game.md");
    let program = include_str!("../../../examples/outside/main.rs");
    let (from, to) = (program.find("    let register").unwrap(), program.find("    let outcome").unwrap());
    assert!(program[from..to].lines().all(|line| page.contains(line.trim())));
    let line = "register! {\n    Dumbo(dumbo::Dumbo),\n";
    assert!(page.contains(line) && include_str!("../../../crates/games/src/lib.rs").contains(line));
}

#[test]
fn the_game_of_the_page_plays() {
    let game = Plain::new(PlainRules { trick_points: 2, ..PlainRules::default() }).unwrap();
    assert!(PlainRules { trick_points: -1, ..PlainRules::default() }.validate().is_err());
    for number in 0..50 {
        let mut rng = stream(Plain::NAME, number);
        let mut state = game.deal(Setup { dealer: Seat::new(number as usize % 3), ..Setup::default() }, &mut rng);
        while !game.is_over(&state) {
            let card = rng.card(game.legal(&state).card_set());
            game.play(&mut state, overtrick::game::Move::card(card)).unwrap();
        }
        assert_eq!(game.scores(&state).of(3).iter().sum::<i32>(), 26);
    }
}

/// A bot that plays the game.
const BOT: &str = "{ name = \"any\", strategy = \"random\" }";

/// A strategy for the game, or why there is none.
fn build<R: StrategySpec>(parameters: &str) -> Result<Box<dyn Strategy<Plain>>, (String, String)> {
    let spec: R = toml::from_str(parameters).unwrap();
    spec.validate().unwrap();
    spec.build::<Plain>(&BuildContext::default()).map_err(|error| (error.key.to_owned(), error.problem))
}

#[test]
fn strategies_that_search_play_the_game_of_the_page_without_a_rule_based_player() {
    assert_eq!(build::<rule_based::Params>("").err().unwrap().1, "does not play plain");
    // A point a trick: random players win a third each.
    let game = Plain::new(PlainRules::default()).unwrap();
    let (deals, fair) = (30, 30 * 13 / 3);
    for (name, searching) in [
        ("pimc", build::<pimc::Params>("worlds = 40\nendgame = 2\nrollout = \"random\"")),
        ("ismcts", build::<ismcts::Params>("iterations = 300\nrollout = \"random\"")),
        ("expects a bot", build::<pimc::Params>(&format!("worlds = 40\nendgame = 2\nrollout = {BOT}\ntrust = 1"))),
    ] {
        let won = points_among_random(&game, searching.unwrap(), deals);
        assert!(won * 5 > fair * 6, "{name}: {won} where {fair} are fair");
    }
}

#[test]
fn what_takes_a_rule_based_player_is_refused_by_name() {
    // The defaults are refused, too.
    for (parameters, key, problem) in [
        ("", "rollout", "asks for a rule-based player, and plain has none: write \"random\""),
        ("rollout = \"rule-based-calls\"", "rollout", "write \"random\""),
        ("rollout = \"random\"\ntrust-cards = 1", "trust-cards", "is 1, but plain has no rule-based player"),
        ("rollout = \"cautious\"", "rollout", "is cautious, whose strategy `rule-based` does not play plain"),
        (
            "rollout = \"random\"\ntrust = 0.5",
            "trust",
            "is 0.5, but plain has no rule-based player, who would say what moves mean: write 0",
        ),
    ] {
        let (found, said) = build::<pimc::Params>(parameters).err().unwrap();
        assert!(found == key && said.contains(problem), "{parameters}: {found} {said}");
    }
    assert_eq!(build::<ismcts::Params>("").err().unwrap().0, "rollout");
}
