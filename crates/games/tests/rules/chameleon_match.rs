//! Tests of Chameleon's match, rules CH3, CH4, CH29, CH30 and DC26, and of the options in a variant file.

use overtrick_game::{DealResult, Describe, Ending, Game, Standing};
use overtrick_games::Variant;
use overtrick_games::chameleon::Chameleon;
use overtrick_tournament::{Seeds, Unit};

use crate::fixtures::chameleon;
use crate::fixtures::chameleon::{Deal, any, chameleon, open, say};
use crate::fixtures::rules::{assert_deals_follow, by_totals, matches, play_out, rng, variant};

/// A deal of a match: its dealer, whether it was the last, its kind, and the places and totals after it.
#[derive(Debug)]
struct Played {
    dealer: usize,
    last_deal: bool,
    kind: &'static str,
    places: Option<Vec<u8>>,
    totals: Vec<i32>,
}

/// Plays a match in which all pass in the deals that `passes` selects by number.
///
/// In the other deals forehand plays six clubs.
fn pass_some(rules: &str, passes: impl Fn(usize) -> bool) -> Vec<Played> {
    let game = chameleon(rules);
    let seats = game.layout().seats;
    let seeds = Seeds::new(1, "passing", &game, Unit::Match);
    let (mut standing, mut played) = (Standing::default(), Vec::new());
    loop {
        let setup = seeds.setup(&game, 0, &standing);
        let mut state = seeds.deal(&game, seeds.deal_id(0, &standing), setup);
        bid_or_pass(&game, &mut state, passes(played.len()));
        let deal_result = DealResult::of(&game, &state);
        standing.add(&deal_result.scores, game.counts(&state));
        let places = game.ending().places(&standing, &deal_result, seats).map(|places| places.of(seats).to_vec());
        let over = places.is_some();
        played.push(Played {
            dealer: setup.dealer.index(),
            last_deal: setup.last_deal,
            kind: game.contract(&state).unwrap().kind,
            places,
            totals: standing.totals.of(seats).to_vec(),
        });
        if over {
            return played;
        }
    }
}

/// Plays the deal to its end, with an auction that all pass or that forehand wins.
fn bid_or_pass(game: &Chameleon, state: &mut Deal, pass: bool) {
    if !pass {
        say(game, state, "bid 6 C");
    }
    while !game.is_over(state) && open(game, state).contains(&"pass".to_owned()) {
        say(game, state, "pass");
    }
    while !game.is_over(state) && game.order(state).is_none() {
        any(game, state, 1);
    }
    play_out(game, state, &mut rng("passing", 0), |_| {});
}

/// Returns the kinds of the deals of such a match, and checks the dealer of each.
fn kinds(rules: &str, passes: impl Fn(usize) -> bool) -> Vec<&'static str> {
    let played = pass_some(rules, passes);
    let players = played[0].totals.len();
    for (number, deal) in played.iter().enumerate() {
        // The deal passes on, even if it was thrown in.
        assert_eq!(deal.dealer, number % players);
        assert_eq!(deal.places.is_some(), number + 1 == played.len());
    }
    played.iter().map(|deal| deal.kind).collect()
}

#[test]
fn ch3_the_deal_passes_to_the_left() {
    for (number, rule) in ["seat-0", "seat-1", "seat-2"].into_iter().enumerate() {
        matches("chameleon", &format!("first-dealer = {rule:?}"), 3)
            .iter()
            .for_each(|records| assert_deals_follow(records, number));
    }
    for (number, rule) in ["seat-0", "seat-1"].into_iter().enumerate() {
        matches("dummy-chameleon", &format!("first-dealer = {rule:?}"), 3)
            .iter()
            .for_each(|records| assert_deals_follow(records, number));
    }
    let random = matches("chameleon", "first-dealer = \"random\"\nn-deals = 3", 60);
    for seat in 0..3 {
        let deals = random.iter().filter(|records| records[0].dealer.index() == seat).count();
        // 20 expected. A number outside 6 to 34 occurs less than once in ten thousand.
        assert!((6..=34).contains(&deals), "seat {seat} deals first in {deals} of 60");
    }
}

#[test]
fn ch4_a_match_has_six_deals_or_as_many_as_asked_for() {
    for (players, base) in [(3, "chameleon"), (2, "dummy-chameleon")] {
        assert_eq!(chameleon(&format!("players = {players}")).ending(), Ending::Deals(6));
        for deals in [players, 6, 4 * players] {
            for records in matches(base, &format!("n-deals = {deals}"), 3) {
                assert_eq!(records.len(), deals);
                assert_deals_follow(&records, 0);
                // All players have dealt equally often.
                for seat in 0..players {
                    let dealt = records.iter().filter(|record| record.dealer.index() == seat).count();
                    assert_eq!(dealt, deals / players);
                }
            }
        }
    }
}

#[test]
fn ch4_the_deals_are_a_multiple_of_the_players() {
    for (base, bad) in [("chameleon", [1, 2, 4, 5, 7]), ("dummy-chameleon", [1, 3, 5, 7, 9])] {
        for deals in bad {
            let error = variant(base, &format!("n-deals = {deals}")).err().unwrap();
            assert!(error.contains("n-deals") && error.contains("CH4"), "{error}");
        }
    }
}

#[test]
fn ch4_the_highest_total_wins_and_ties_are_shared() {
    let mut shared = 0;
    for records in matches("chameleon", "n-deals = 3", 150) {
        let last = records.last().unwrap();
        assert_eq!(last.places, Some(by_totals(&last.totals_after)));
        shared += usize::from(last.places.as_ref().unwrap().iter().filter(|&&place| place == 0).count() > 1);
    }
    assert!(shared > 0);
    let drawn = pass_some("", |_| true);
    assert_eq!((drawn.len(), &drawn[5].totals, &drawn[5].places), (6, &vec![0; 3], &Some(vec![0; 3])));
}

#[test]
fn ch29_deals_that_are_thrown_in_count() {
    for rules in ["", "passed-deal-counts = true"] {
        assert_eq!(
            kinds(rules, |number| number != 2),
            ["passed-out", "passed-out", "suit", "passed-out", "passed-out", "passed-out"]
        );
        let two = format!("players = 2\n{rules}");
        assert_eq!(
            kinds(&two, |number| number > 0),
            ["suit", "passed-out", "passed-out", "passed-out", "passed-out", "passed-out"]
        );
    }
}

#[test]
fn ch29_or_they_do_not() {
    let rules = "passed-deal-counts = false\nn-deals = 3";
    let wanted = ["passed-out", "suit", "passed-out", "suit", "passed-out", "suit"];
    assert_eq!(kinds(rules, |number| number % 2 == 0), wanted);
    let wanted = ["passed-out", "passed-out", "passed-out", "suit", "suit"];
    assert_eq!(kinds("players = 2\npassed-deal-counts = false\nn-deals = 2", |number| number < 3), wanted);
    // A concession is not a thrown-in deal: it has a score.
    let game = chameleon("players = 2\npassed-deal-counts = false");
    let mut state = chameleon::deal(&game, 0, 0);
    say(&game, &mut state, "pass, pass, six-in-dummy, concede");
    assert!(game.counts(&state));
    let mut state = chameleon::deal(&game, 0, 0);
    say(&game, &mut state, "pass, pass, pass, pass");
    assert!(!game.counts(&state));
}

#[test]
fn ch30_dc20_only_the_last_deal_is_played_if_all_pass() {
    for players in [3, 2] {
        let rules = format!("players = {players}\nlast-deal-variant = true");
        let played = pass_some(&rules, |_| true);
        assert!(played.iter().enumerate().all(|(number, deal)| deal.last_deal == (number == 5)));
        let wanted = ["passed-out", "passed-out", "passed-out", "passed-out", "passed-out", "last-deal"];
        assert_eq!(kinds(&rules, |_| true), wanted);
        // If a player bids in it, it is an ordinary deal.
        assert_eq!(kinds(&rules, |number| number < 5)[5], "suit");
    }
}

#[test]
fn ch30_the_last_deal_is_the_last_that_counts() {
    for players in [3, 2] {
        let rules =
            format!("players = {players}\nlast-deal-variant = true\npassed-deal-counts = false\nn-deals = {players}");
        let game = chameleon(&rules);
        assert_eq!(game.ending(), Ending::Deals(players));
        // One deal is thrown in after each deal that counts, until the last deal is due, which is played.
        let wanted = ["suit", "passed-out", "suit", "last-deal"];
        let wanted = if players == 3 { &wanted[..] } else { &["suit", "last-deal"] };
        assert_eq!(kinds(&rules, |number| number % 2 == 1), wanted);
        let wanted = [vec!["passed-out"; 3], vec!["suit"; players as usize - 1], vec!["last-deal"]].concat();
        assert_eq!(kinds(&rules, |number| number < 3 || number >= 2 + players as usize), wanted);
    }
}

#[test]
fn ch30_dc26_without_the_variant_the_last_deal_is_thrown_in_too() {
    for players in [3, 2] {
        assert_eq!(kinds(&format!("players = {players}"), |_| true), ["passed-out"; 6]);
    }
}

#[test]
fn dc26_single_deals_are_last_deals_in_the_variants_alone() {
    for (name, last) in [
        ("chameleon", false),
        ("chameleon-variant", true),
        ("dummy-chameleon", false),
        ("dummy-chameleon-variant", true),
    ] {
        let rules = Variant::preset(name).unwrap().game.rules();
        let players = if name.starts_with("dummy") { 2 } else { 3 };
        assert_eq!(rules["last-deal-variant"].as_bool(), Some(last));
        assert_eq!(rules["players"].as_integer(), Some(players));
        let game = chameleon(&toml::to_string(&rules).unwrap());
        let seeds = Seeds::new(1, name, &game, Unit::Deal);
        for number in 0..6 {
            let setup = seeds.setup(&game, number, &Standing::default());
            assert_eq!((setup.last_deal, setup.dealer.index()), (last, number as usize % players as usize));
            let mut state = seeds.deal(&game, number, setup);
            bid_or_pass(&game, &mut state, true);
            assert_eq!(game.contract(&state).unwrap().kind, if last { "last-deal" } else { "passed-out" });
        }
    }
}

#[test]
fn every_option_keeps_to_its_range() {
    let two = "players = 2\nlast-deal-variant = true\n";
    let three = "last-deal-variant = true\n";
    let numbers = [
        ("misere-score", three, 0, 10_000),
        ("ouverte-score", three, 0, 10_000),
        ("concession", two, 0, 10_000),
        ("last-deal-points", three, 0, 1000),
        ("last-deal-points", two, 0, 1000),
        ("last-deal-dealer-par", three, 0, 10),
        ("last-deal-opponent-par", three, 0, 10),
        ("last-deal-two-par", two, 0, 10),
    ];
    for (key, rules, low, high) in numbers {
        for value in [low, high] {
            let accepted = variant("chameleon", &format!("{rules}{key} = {value}")).unwrap();
            assert_eq!(accepted.game.rules()[key].as_integer(), Some(value));
        }
        for value in [low - 1, high + 1] {
            let refused = variant("chameleon", &format!("{rules}{key} = {value}")).err().expect(key);
            assert!(
                refused.contains(key) && (value < 0 || refused.contains(&format!("must be {low} to {high}"))),
                "{refused}"
            );
        }
    }
    for (key, most) in [("level-scores", 10_000), ("opponent-trick-scores", 1000)] {
        for place in 0..5 {
            let row = |value: i32| {
                let mut row = [1; 5];
                row[place] = value;
                variant("chameleon", &format!("{key} = {row:?}"))
            };
            assert!([0, most].into_iter().all(|value| row(value).is_ok()));
            assert!([-1, most + 1].into_iter().all(|value| row(value).err().unwrap().contains(key)));
        }
        assert!(variant("chameleon", &format!("{key} = [1, 2, 3, 4]")).is_err());
    }
    for deals in [3, 65_535] {
        assert!(variant("chameleon", &format!("n-deals = {deals}")).is_ok());
    }
    for deals in [0, -3, 65_538] {
        assert!(variant("chameleon", &format!("n-deals = {deals}")).err().unwrap().contains("n-deals"));
    }
    for players in [1, 4] {
        assert!(variant("chameleon", &format!("players = {players}")).err().unwrap().contains("must be 2 to 3"));
    }
    let words = [
        ("first-dealer", &["seat-0", "seat-1", "seat-2", "random"][..], "seat-3"),
        ("mo-vs-slam", &["mo-higher", "equal", "slam-higher"], "lower"),
        ("ouverte-exposed", &["before-lead", "after-first-trick"], "never"),
        ("dummy-exposed", &["after-contract", "before-talon"], "never"),
    ];
    for (key, good, bad) in words {
        let base = if key == "dummy-exposed" { "dummy-chameleon" } else { "chameleon" };
        for word in good {
            let accepted = variant(base, &format!("{key} = {word:?}")).unwrap();
            assert_eq!(accepted.game.rules()[key].as_str(), Some(*word));
        }
        assert!(variant(base, &format!("{key} = {bad:?}")).err().unwrap().contains(key));
    }
    let flags = ["passed-deal-counts", "last-deal-variant", "opponents-score-on-failure"];
    for (key, value) in flags.into_iter().flat_map(|key| [(key, true), (key, false)]) {
        assert_eq!(variant("chameleon", &format!("{key} = {value}")).unwrap().game.rules()[key].as_bool(), Some(value));
    }
    // Nothing is missing above. Two number keys occur twice, and there are rows of scores, players and deals.
    let all = variant("chameleon", "").unwrap().game.rules().len();
    assert_eq!(all, numbers.len() - 1 + 2 + 2 + words.len() + flags.len());
}

#[test]
fn an_option_that_means_nothing_is_refused() {
    for (base, rule) in [
        ("chameleon", "dummy-exposed = \"before-talon\""),
        ("chameleon", "concession = 30"),
        ("chameleon", "last-deal-points = 4"),
        ("chameleon", "last-deal-dealer-par = 5"),
        ("chameleon", "last-deal-opponent-par = 4"),
        ("chameleon-variant", "last-deal-two-par = 4"),
        ("dummy-chameleon", "last-deal-two-par = 4"),
        ("dummy-chameleon", "last-deal-points = 4"),
        ("dummy-chameleon-variant", "last-deal-dealer-par = 5"),
        ("dummy-chameleon-variant", "last-deal-opponent-par = 4"),
        ("dummy-chameleon", "first-dealer = \"seat-2\""),
    ] {
        let error = variant(base, rule).err().unwrap_or_else(|| panic!("{rule} in {base}"));
        let key = rule.split(' ').next().unwrap();
        assert!(error.contains(key) && (error.contains("CH") || error.contains("DC")), "{error}");
    }
}
