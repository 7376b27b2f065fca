//! Exploitation, sweeps, tuning and leagues in a game for four, each for itself and with partners.

use std::path::Path;
use std::sync::Arc;

use overtrick::exploit::{ExploitControl, Exploitation, Responder, ResponderKind};
use overtrick::games::Variant;
use overtrick::league::LeaguePlan;
use overtrick::run::Threads;
use overtrick::strategies::{Bot, Register};
use overtrick::sweep::{SweepOutcome, SweepRow};
use overtrick::toml::Value;
use overtrick::toml_source::Source;
use overtrick::tune::{Arena, Chair, TuneControl, TuneOutcome, TunePlan, Tuning};

use super::sweeps::swept;
use crate::fixtures::four_whist::FourWhist;
use crate::thrifty;

const VARIANTS: [&str; 2] = ["four-whist", "four-whist-partners"];

fn register() -> Register {
    Register::default().game::<FourWhist>().unwrap().strategy::<thrifty::Params>().unwrap()
}

fn variant(name: &str) -> Variant {
    register().games().preset(name).unwrap()
}

fn thrifty(name: &str, greed: f64) -> Bot {
    let text = format!("name = {name:?}\nstrategy = \"thrifty\"\nparameters = {{greed = {greed:?}}}");
    let source = Source::parse(Path::new("bot.toml"), text).unwrap();
    register().find_bot(&source, &[], &Value::Table(source.table().clone())).unwrap()
}

/// Returns how far a responder is ahead of a bot, with an interval, and the games that this takes.
fn exploited(variant: &Variant, responder: Bot, bot: &Bot) -> (f64, Option<f64>, u64) {
    let responders = [Responder { bot: responder, kind: ResponderKind::Named }];
    let question = Exploitation { bot, variant, responders: &responders, first_round: 32, deals: 300, seed: 3 };
    let (threads, control) = (Threads::new(2).unwrap(), ExploitControl::default());
    let answer = question.answer(&threads, &control, &|_| {}).unwrap().unwrap();
    (answer.responders[0].ahead.value.unwrap(), answer.responders[0].ahead.low, question.games())
}

#[test]
fn a_responder_has_one_of_four_chairs_or_one_of_two_sides() {
    let (greedy, idle) = (thrifty("greedy", 0.9), thrifty("idle", 0.1));
    let mut found = Vec::new();
    for (name, games) in [(VARIANTS[0], 4 * 300), (VARIANTS[1], 2 * 300)] {
        let variant = variant(name);
        let (ahead, low, played) = exploited(&variant, greedy.clone(), &idle);
        assert_eq!(played, games, "{name}");
        assert!(low.unwrap() > 0.0, "{name}: {ahead} {low:?}");
        found.push(ahead);
        // A copy of the bot under another name is level with it in all its seatings.
        assert!(exploited(&variant, thrifty("copy", 0.1), &idle).0.abs() < 1e-12, "{name}");
    }
    // Two greedy partners win more from two idle ones than one from three.
    assert!(found[1] > found[0], "{found:?}");
}

fn sweep(base: &str) -> SweepOutcome {
    let bots = "{name = \"idle\", strategy = \"thrifty\", parameters = {greed = 0.1}}, {name = \"greedy\", strategy = \
                \"thrifty\"}";
    let config =
        format!("seed = 1\n[sweep]\nbase = {base:?}\ndeals = 512\npanel = [{bots}]\n[sweep.axes]\ngift = [0, 2]\n");
    swept(&config, &register()).1
}

fn difference(outcome: &SweepOutcome, measure: &str) -> Option<f64> {
    let is_meant = |row: &&SweepRow| row.point == 1 && row.measure == measure && row.bot == 1;
    outcome.rows.iter().find(is_meant).map(|row| row.difference.unwrap().value)
}

#[test]
fn a_gift_for_the_dealer_is_found_at_its_seat_or_its_side() {
    let close = |found: Option<f64>, expected: f64| assert!((found.unwrap() - expected).abs() < 1e-9, "{found:?}");
    let alone = sweep(VARIANTS[0]);
    close(difference(&alone, "seat-dealer"), 1.5);
    for role in ["forehand", "middlehand", "rearhand"] {
        close(difference(&alone, &format!("seat-{role}")), -0.5);
    }
    let sides = sweep(VARIANTS[1]);
    close(difference(&sides, "seat-dealer"), 1.0);
    close(difference(&sides, "seat-forehand"), -1.0);
    // The other seats are those of the same two sides.
    assert_eq!(difference(&sides, "seat-middlehand"), None);
}

fn plan(variant: &str, lines: &str) -> Result<TunePlan, String> {
    let config = format!(
        "seed = 7\n[tune]\nbot = {{name = \"idle\", strategy = \"thrifty\", parameters = {{greed = 0.1}}}}\n\
         variants = [{variant:?}]\n{lines}\n[tune.parameters]\ngreed = {{low = 0.0, high = 1.0}}\n"
    );
    let source = Source::parse(Path::new("tune.toml"), config).unwrap();
    TunePlan::resolve(&source, &register()).map_err(|error| error.to_string())
}

#[test]
fn tuned_bots_meet_others_on_each_number_of_chairs() {
    let (me, it, other) = (Chair::Candidate, Chair::Incumbent, Chair::Other(0));
    let chairs = |variant: &str| -> Vec<Vec<Chair>> {
        plan(variant, "games = 60000").unwrap().tables.into_iter().map(|table| table.chairs).collect()
    };
    assert_eq!(
        chairs(VARIANTS[0]),
        [[me, it, it, it], [me, me, it, it], [me, me, me, it], [me, other, other, other], [me, it, other, other]]
    );
    assert_eq!(chairs(VARIANTS[1]), [[me, it], [me, other]]);
    let line_up = |players: &str| format!("games = 60000\nagainst = [{{line-up = [\"candidate\", {players}]}}]");
    let refused = plan(VARIANTS[1], &line_up("\"random\", \"itself\"")).err().unwrap();
    assert!(refused.ends_with("seats 2 sides of partners; name a player for each side"), "{refused}");
    assert!(plan(VARIANTS[1], &line_up("\"random\"")).is_ok());
    assert!(plan(VARIANTS[0], &line_up("\"random\"")).err().unwrap().contains("has 2 players, and four-whist seats 4"));
}

#[test]
fn tuning_finds_that_greed_pays() {
    for variant in VARIANTS {
        let plan = plan(variant, "games = 9360\nagainst = \"itself\"\nunseen = [\"random\"]").unwrap();
        let (threads, control) = (Threads::new(2).unwrap(), Arc::new(TuneControl::default()));
        let mut arena = Arena::new(&plan, &threads, &control).unwrap();
        let (task, mut tuning) = (plan.task(), Tuning::new(&plan.task()));
        while !tuning.is_over() {
            tuning.step(&task, &mut arena).unwrap();
        }
        let outcome = TuneOutcome::new(&plan, &tuning, &arena).unwrap();
        let row = &outcome.confirm[0];
        assert!(row.gain.low.unwrap() > 0.5, "{variant}: {row:?}");
    }
}

#[test]
fn a_league_of_partners_plays_duels() {
    let shape = |variant: &str| {
        let bots = ["0.9", "0.6", "0.3", "0.0"]
            .map(|greed| format!("{{name = \"b{greed}\", strategy = \"thrifty\", parameters = {{greed = {greed}}}}}"));
        let config = format!(
            "seed = 7\n[league]\nvariant = {variant:?}\nquestion = {{top = 1}}\nresolution = 0.05\nbots = [{}]\n",
            bots.join(", ").replace("b0.", "b")
        );
        let source = Source::parse(Path::new("league.toml"), config).unwrap();
        let shape = LeaguePlan::resolve(&source, &register()).unwrap().shape();
        (shape.size, shape.seats, shape.games)
    };
    assert_eq!([shape(VARIANTS[0]), shape(VARIANTS[1])], [(4, 4, 24), (2, 2, 2)]);
}
