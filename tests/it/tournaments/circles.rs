//! Bots that beat one another in a circle: tallies drawn from a model, through the same road that every run takes.

use std::path::Path;

use crate::fixtures;
use overtrick::stats::Results;
use overtrick::table::{ByRole, Role};
use overtrick::toml_source::Source;
use overtrick::tournament::{Block, Overrides, Tally, TallyPlan, Tournament};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

const GROUPS: usize = 64;

/// The results of 300 matches of each pair of rock, paper, scissors and stone. `chance` is that of the first, of two
/// bots in this order, to win.
fn played(chance: impl Fn(usize, usize) -> f64) -> Results {
    played_in(&["double-dummy"], chance)
}

/// The same in several variants.
fn played_in(variants: &[&str], chance: impl Fn(usize, usize) -> f64) -> Results {
    let text = format!(
        "seed = 1\nunit = \"match\"\nmatches = 300\ngroups = {GROUPS}\nvariants = {variants:?}\nbots = [{}]",
        ["rock", "paper", "scissors", "stone"]
            .map(|name| format!("{{ name = \"{name}\", strategy = \"random\" }}"))
            .join(", ")
    );
    let source = Source::parse(Path::new("circles.toml"), text).unwrap();
    let tournament = Tournament::resolve(&source, Overrides::default()).unwrap();
    let tallies: Vec<Tally> = (0..variants.len()).map(|variant| drawn(&tournament, variant, &chance)).collect();
    Results::new(&tournament, &tallies.iter().collect::<Vec<_>>())
}

/// The tally of a variant.
fn drawn(tournament: &Tournament, variant: usize, chance: impl Fn(usize, usize) -> f64) -> Tally {
    let plan = TallyPlan { range: -40..=40, ..TallyPlan::of(tournament, variant) };
    let (schedule, mut tally) = (plan.schedule, Tally::new(&plan));
    let mut rng = Pcg64Mcg::seed_from_u64(1 + variant as u64);
    for number in 0..tournament.numbers {
        let mut block = Block::default();
        for (line_up, seating) in schedule.cell_ids() {
            let seated = ByRole::new(schedule.bots(line_up, seating).into_array());
            let [one, other] = [0, 1].map(|role| seated[Role::all(2).nth(role).unwrap()].index());
            let drawn = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            let is_won = drawn < chance(one, other);
            let mut scores = ByRole::default();
            for (role, is_winner) in Role::all(2).zip([is_won, !is_won]) {
                scores[role] = if is_winner { 3 } else { 0 };
            }
            let deal = fixtures::finished(&tally, number, (line_up, seating), scores, seated);
            tally.add_deal(&deal, &mut ());
            tally.add_game(&fixtures::game_of(&deal));
            block.add_deal(2, scores, seated, |_| 0);
        }
        tally.add_block(number, &block, &[]);
    }
    tally
}

/// The chance of a bot against another where each beats the one before it in a circle of three; all lose to `boss`.
fn in_a_circle(one: usize, other: usize, boss: Option<usize>) -> f64 {
    match (one, other) {
        _ if Some(one) == boss => 0.9,
        _ if Some(other) == boss => 0.1,
        (3, _) => 0.3,
        (_, 3) => 0.7,
        _ if (other + 1) % 3 == one => 0.8,
        _ => 0.2,
    }
}

#[test]
fn a_circle_is_named_and_none_in_it_has_a_certain_place() {
    let results = played(|one, other| in_a_circle(one, other, None));
    let headline = &results.headlines[0];
    assert!(headline.text.starts_with("no order holds: "), "{}", headline.text);
    for step in ["paper beats rock", "scissors beats paper", "rock beats scissors"] {
        assert!(headline.text.contains(step), "{}", headline.text);
    }
    let mut circle = headline.cycle.clone();
    circle.sort();
    assert_eq!(circle, ["paper", "rock", "scissors"]);
    assert!(headline.one_number_p.0.unwrap() < 0.01);
    for row in results.ratings.iter().filter(|row| row.bot != "stone") {
        assert!(row.place_low == Some(1) && row.place_high >= Some(3), "{row:?}");
    }
}

#[test]
fn a_circle_behind_the_first_does_not_hide_who_is_first() {
    let results = played(|one, other| in_a_circle(one, other, Some(3)));
    let text = &results.headlines[0].text;
    assert!(text.starts_with("stone is first with Elo "), "{text}");
    assert!(text.contains("better than every other bot beyond chance; no order holds behind it: "), "{text}");
    assert_eq!(results.ratings[0].place_high, Some(1));
}

#[test]
fn an_order_has_no_circle() {
    let results = played(|one, other| if one > other { 0.8 } else { 0.2 });
    let headline = &results.headlines[0];
    assert!(headline.cycle.is_empty() && headline.text.starts_with("stone is first"), "{}", headline.text);
}

#[test]
fn over_all_variants_none_in_a_circle_has_a_certain_place() {
    // Rock beats scissors by far, so its Elo is the highest; paper beats it.
    let chance = |one: usize, other: usize| match (one, other) {
        (0, 2) => 0.98,
        (2, 0) => 0.02,
        _ => in_a_circle(one, other, None),
    };
    let results = played_in(&["double-dummy", "dummy-whist"], chance);
    let all: Vec<_> = results.ratings.iter().filter(|row| row.variant == "all" && row.bot != "stone").collect();
    assert_eq!((all.len(), all[0].bot.as_str()), (3, "rock"));
    for row in all {
        assert!(row.place_low == Some(1) && row.place_high >= Some(3), "{row:?}");
    }
}
