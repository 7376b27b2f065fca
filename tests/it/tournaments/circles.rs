//! Bots that beat one another in a circle: tallies drawn from a model, through the same road that every run takes.

use std::path::Path;

use crate::fixtures;
use overtrick::stats::{MetaRow, Results};
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
            let seated = ByRole::new(schedule.bots(line_up, seating).into_array::<3>());
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

#[test]
fn a_circle_is_in_the_mix_and_no_bot_has_the_votes_of_all_variants() {
    let results = played_in(&["double-dummy", "dummy-whist"], |one, other| in_a_circle(one, other, None));
    for variant in ["double-dummy", "dummy-whist"] {
        let (whole, bots) = meta_of(&results, variant);
        assert!(whole.cycle.contains("paper beats rock") && whole.one_number_p.0.unwrap() < 0.01, "{whole:?}");
        // In wins less losses a match, far below the steps.
        assert!((0.01..0.2).contains(&whole.nameable.0.unwrap()), "{whole:?}");
        for row in &bots {
            let (is_stone, weight) = (row.bot == "stone", row.weight.value.unwrap());
            assert!(if is_stone { weight == 0.0 } else { (0.2..0.5).contains(&weight) }, "{row:?}");
            assert_eq!(row.chosen.0, Some(if is_stone { 0.0 } else { 1.0 }), "{row:?}");
            assert_eq!(is_stone, row.skill.value.unwrap() < 0.0, "{row:?}");
        }
    }
    let all: Vec<&MetaRow> = results.meta.iter().filter(|row| row.variant == "all").collect();
    for row in &all {
        assert_eq!((row.variants.as_str(), row.condorcet), ("double-dummy; dummy-whist", Some(false)));
        let (place, share) = if row.bot == "stone" { (4, 0.0) } else { (1, 1.0 / 3.0) };
        assert_eq!((row.ranked_pairs, row.schulze), (Some(place), Some(place)), "{row:?}");
        assert!((row.lottery.0.unwrap() - share).abs() < 1e-6 && row.elo.0.is_some(), "{row:?}");
    }
    assert_eq!(all.len(), 4);
}

#[test]
fn an_order_has_a_mix_of_one_and_a_winner_of_all_variants() {
    let results = played_in(&["double-dummy", "dummy-whist"], |one, other| if one > other { 0.8 } else { 0.2 });
    let (whole, bots) = meta_of(&results, "double-dummy");
    assert!(whole.cycle.is_empty() && whole.nameable.0.is_some(), "{whole:?}");
    assert_eq!((bots[0].bot.as_str(), bots[0].weight.value, bots[0].chosen.0), ("stone", Some(1.0), Some(1.0)));
    let all: Vec<_> = results.meta.iter().filter(|row| row.variant == "all").collect();
    let places: Vec<_> = all.iter().map(|row| (row.bot.as_str(), row.ranked_pairs, row.condorcet)).collect();
    let expected = [("stone", 1, true), ("scissors", 2, false), ("paper", 3, false), ("rock", 4, false)];
    assert_eq!(places, expected.map(|(bot, place, wins)| (bot, Some(place), Some(wins))));
    assert_eq!(all[0].lottery.0, Some(1.0));
}

/// Returns the row of a variant as a whole, and those of its bots.
fn meta_of<'a>(results: &'a Results, variant: &str) -> (&'a MetaRow, Vec<&'a MetaRow>) {
    let mut rows: Vec<&MetaRow> = results.meta.iter().filter(|row| row.variant == variant).collect();
    let whole = rows.remove(0);
    assert_eq!((whole.bot.as_str(), rows.len()), ("all", 4));
    (whole, rows)
}
