//! Where two bots part: shares add up to the margin of pairs.csv, in every variant and format; the shadow's counts are
//! those of a recount; planted differences are named first.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::stream;
use overtrick::cards::{CardSet, Suit};
use overtrick::explain::{ExplainQuestion, ExplainedVariant, Explanation};
use overtrick::game::{Describe, Game, Setup};
use overtrick::games::Variant;
use overtrick::games::euchre::{Euchre, EuchreRules, PASS, left_bower, name};
use overtrick::ids::BotId;
use overtrick::run::{Run, RunOutcome, Threads};
use overtrick::stats::PairRow;
use overtrick::table::Seat;
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament, replay};

fn run(config: &str) -> RunOutcome {
    let source = Source::parse(Path::new("test.toml"), config.to_owned()).unwrap();
    Run::new(Tournament::resolve(&source, Overrides::default()).unwrap()).threads(2).play().unwrap()
}

fn explain(outcome: &RunOutcome, pair: [usize; 2], threads: usize, deals: Option<u64>) -> Explanation {
    let question = ExplainQuestion::new(outcome, pair.map(BotId::new), deals).unwrap();
    let threads = Threads::new(threads).unwrap();
    question.answer(&threads, &Arc::default(), &mut |_| {}).unwrap().unwrap()
}

/// Checks that every table adds up to the margin, and gives that in points and in points a deal.
fn add_up(variant: &ExplainedVariant) -> (i64, f64) {
    let margin = &variant.rows[0];
    assert_eq!(margin.table, "margin");
    assert_eq!((margin.partings, margin.decisions), (variant.parted, variant.differing));
    let mut tables: BTreeMap<&str, (i64, u64, u64)> = BTreeMap::new();
    for row in &variant.rows[1..] {
        let (points, partings, decisions) = tables.entry(row.table).or_default();
        *points += row.points;
        *partings += row.partings;
        *decisions += row.decisions;
        let share = row.points as f64 / variant.chairs as f64;
        assert!((row.share.value.unwrap() - share).abs() < 1e-12, "{row:?}");
    }
    for (table, sums) in tables {
        assert_eq!(sums, (margin.points, margin.partings, margin.decisions), "{table} of {}", variant.variant);
    }
    (margin.points, margin.share.value.unwrap())
}

/// A variant of each game, of those that are played quickly.
const QUICK: [&str; 5] = ["dumbo", "euchre-24", "humbug", "colour-blind-2", "chameleon"];

/// Checks an explanation of every two bots that met, either way, against the pairs of the results.
fn check_against_pairs(config: &str) {
    let outcome = run(config);
    let names: Vec<&str> = outcome.tournament.bots.iter().map(|bot| bot.name.as_str()).collect();
    let mut pairs: BTreeMap<[usize; 2], Vec<PairRow>> = BTreeMap::new();
    for pair in outcome.results().pairs {
        let bots = [&pair.bot_a, &pair.bot_b].map(|bot| names.iter().position(|name| name == bot).unwrap());
        pairs.entry(bots).or_default().push(pair);
    }
    let mut parted = 0;
    for (bots, pairs) in pairs {
        for (bots, sign) in [(bots, 1.0), ([bots[1], bots[0]], -1.0)] {
            let explanation = explain(&outcome, bots, 2, None);
            assert_eq!(explanation.notes, [""; 0]);
            assert_eq!(explanation.variants.len(), pairs.len());
            parted += explanation.variants.iter().map(|variant| variant.parted).sum::<u64>();
            for (variant, pair) in explanation.variants.iter().zip(&pairs) {
                check_against_pair(variant, pair, sign);
            }
        }
    }
    assert!(parted > 0);
}

fn check_against_pair(variant: &ExplainedVariant, pair: &PairRow, sign: f64) {
    assert_eq!(variant.variant, pair.variant);
    let (_, share) = add_up(variant);
    assert_eq!(variant.chairs, pair.deals);
    // Whole numbers and one division; pairs.csv takes the difference of two means.
    assert!((share - sign * pair.difference.value.unwrap()).abs() < 1e-12, "{}: {share} {pair:?}", pair.variant);
    let (own, of_pair) = (variant.rows[0].share, pair.difference);
    let ends = if sign > 0.0 { [of_pair.low, of_pair.high] } else { [of_pair.high, of_pair.low] };
    for (own, end) in [own.low, own.high].into_iter().zip(ends) {
        assert_eq!(own.is_some(), end.is_some(), "{}", pair.variant);
        assert!(own.zip(end).is_none_or(|(own, end)| (own - sign * end).abs() < 1e-9), "{own:?} {end:?}");
    }
}

const BOTS: &str = "bots = [\"rule-based\", \"cautious\", \"random\"]";

fn check_variants(names: &[&str]) {
    check_against_pairs(&format!("seed = 3\ndeals = 12\ngroups = 10\nvariants = {names:?}\n{BOTS}"));
}

#[test]
fn shares_add_up_to_the_margin_of_pairs_in_a_few_variants() {
    check_variants(&QUICK);
}

#[test]
#[ignore = "long: explains every pair in every variant"]
fn shares_add_up_to_the_margin_of_pairs_in_every_variant() {
    check_variants(&Variant::names());
}

/// The variants and the lines of a config of each format.
const FORMATS: [(&[&str], &str); 3] = [
    (&["dumbo", "euchre-24", "humbug", "colour-blind-2"], "format = \"duel\"\nbots = [\"rule-based\", \"random\"]"),
    (
        &["chameleon", "double-dummy"],
        "bots = [\"rule-based\", \"cautious\", \"random\", { name = \"other\", strategy = \"random\" }]",
    ),
    (
        &["dumbo", "euchre-32"],
        "format = \"gauntlet\"\ncandidate = \"rule-based\"\n\
         bots = [\"rule-based\", \"cautious\", \"random\", { name = \"other\", strategy = \"random\" }]",
    ),
];
/// The same of a run that ends before its last deal.
const STOPPED: (&[&str], &str) =
    (&["dumbo"], "groups = 32\nstop = { half-width = 3.0 }\nformat = \"duel\"\nbots = [\"rule-based\", \"random\"]");

fn check_format((variants, lines): (&[&str], &str), deals: u64) {
    check_against_pairs(&format!("seed = 4\ndeals = {deals}\nvariants = {variants:?}\n{lines}"));
}

#[test]
fn shares_of_a_few_deals_add_up_in_every_format() {
    FORMATS.into_iter().for_each(|format| check_format(format, 8));
    check_format(STOPPED, 60);
}

#[test]
#[ignore = "long: explains 60 deals of every pair"]
fn shares_add_up_in_every_format() {
    FORMATS.into_iter().chain([STOPPED]).for_each(|format| check_format(format, 60));
}

/// Bots without luck: what the first of three seats does in a deal says what the other would have done.
#[test]
fn the_first_parting_is_where_the_records_of_both_games_differ() {
    let outcome = run(&format!("seed = 9\ndeals = 40\nvariants = [\"euchre-32\"]\n{BOTS}"));
    let explanation = explain(&outcome, [0, 1], 2, None);
    let tournament = &outcome.tournament;
    let schedule = &tournament.schedules[0];
    let (mut parted, mut calls) = (0, BTreeMap::<String, u64>::new());
    for number in 0..40 {
        for &seating in schedule.played(Default::default()) {
            let bots = schedule.bots(Default::default(), seating);
            let seated = |other: bool| -> Vec<_> {
                let bot = |bot: BotId| if other && bot.index() == 0 { BotId::new(1) } else { bot };
                bots.of(3).iter().map(|&own| tournament.bot(bot(own)).clone()).collect()
            };
            let [real, without] =
                [false, true].map(|other| replay(tournament, 0, number, &seated(other), false).remove(0));
            let both = real.moves.iter().zip(&without.moves);
            let Some((did, would)) = both.into_iter().find(|(did, would)| did.text != would.text) else {
                assert_eq!(real.scores, without.scores);
                continue;
            };
            let own = Seat::all(3).find(|&seat| bots[seat].index() == 0).unwrap();
            assert_eq!((did.seat, would.seat), (own, own));
            parted += 1;
            let word = |text: &str| text.split(' ').next().unwrap().replace('-', " ");
            if did.text == "pass" || would.text == "pass" {
                *calls.entry(format!("{}, not {}", word(&did.text), word(&would.text))).or_default() += 1;
            }
        }
    }
    let variant = &explanation.variants[0];
    assert_eq!(variant.parted, parted);
    assert!(calls.len() > 1, "{calls:?}");
    for (call, count) in calls {
        let row = variant.rows.iter().find(|row| row.table == "choice" && row.category == call).unwrap();
        assert_eq!(row.partings, count, "{call}");
    }
}

#[test]
fn the_left_bower_is_a_trump_and_no_suit_is_one_where_any_may_become_it() {
    let game = Euchre::new(EuchreRules::default()).unwrap();
    let setup = Setup::default();
    let mut state = game.deal(setup, &mut stream("trumps", 1));
    let suit = state.public.up_card().suit().unwrap();
    let trumps = game.trumps(&state);
    assert_eq!(trumps, (CardSet::suit(suit)).with(left_bower(suit)));
    (0..3).for_each(|_| game.play(&mut state, PASS).unwrap());
    assert!(game.trumps(&state).is_empty());
    let other = Suit::ALL.into_iter().find(|other| *other != suit).unwrap();
    game.play(&mut state, name(other)).unwrap();
    assert_eq!(game.trumps(&state), CardSet::suit(other).with(left_bower(other)));
}

#[test]
fn explanations_do_not_depend_on_threads() {
    let outcome = run(&format!("seed = 5\ndeals = 60\nvariants = [\"dumbo\", \"dummy-whist\"]\n{BOTS}"));
    let json = |threads: usize| serde_json::to_string(&explain(&outcome, [0, 2], threads, None)).unwrap();
    assert_eq!(json(1), json(3));
}

#[test]
fn bots_that_choose_alike_are_parted_by_nothing_and_fewer_deals_are_the_first() {
    let same = "{ bot = \"rule-based\", name = \"twin\", parameters = {} }";
    let outcome = run(&format!(
        "seed = 6\ndeals = 60\nformat = \"duel\"\nvariants = [\"dumbo\"]\nbots = [\"rule-based\", {same}]"
    ));
    let variant = explain(&outcome, [0, 1], 2, None).variants.remove(0);
    assert_eq!((variant.parted, variant.differing, variant.rows.len()), (0, 0, 1));
    assert!(variant.sentence.contains("chose alike at all"), "{}", variant.sentence);
    let config = |deals: u64| format!("seed = 7\ndeals = {deals}\nvariants = [\"dumbo\"]\n{BOTS}");
    let [few, many] = [100, 200].map(|deals| run(&config(deals)));
    let [few, many] = [explain(&few, [0, 2], 2, None), explain(&many, [0, 2], 2, Some(100))];
    let rows = |explanation: &Explanation| serde_json::to_string(&explanation.rows()).unwrap();
    assert_eq!(rows(&few), rows(&many));
    assert!(many.notes[0].contains("only the first 100 deals"), "{:?}", many.notes);
}

/// A variant, a change of one parameter of the rule-based bot, and the kind of decision that carries most of its loss.
type Plant = (&'static str, &'static str, (&'static str, &'static str));

/// Settled by runs of 20,000 deals.
const PLANTED: [Plant; 4] = [
    ("euchre-32", "euchre.gift=-1.5", ("choice", "pass, not order up")),
    ("dummy-whist", "dummy-whist.surety=0.6", ("choice", "bid, not pass")),
    ("colour-blind", "colour-blind.thrift=0.3", ("phase", "lead")),
    ("humbug", "dummy-whist.keep=6", ("choice", "exchange, not keep")),
];

/// By plant: how many trials name it first, and how many there were. Prints in how many of them its interval holds the
/// truth, which is the mean over those trials.
fn trials(plants: &[Plant], seeds: std::ops::Range<u64>, deals: u64) -> Vec<(usize, usize)> {
    let threads = Threads::new(2).unwrap();
    let trial = |variant: &str, change: &str, seed: u64| {
        let source = Source::parse(
            Path::new("test.toml"),
            format!(
                "seed = {seed}\ndeals = {deals}\nformat = \"duel\"\nvariants = [{variant:?}]\nbots = [\"rule-based\", \
                 {{ bot = \"rule-based\", name = \"odd\", parameters = {{ {} }} }}]",
                change.replace('=', " = ")
            ),
        );
        let tournament = Tournament::resolve(&source.unwrap(), Overrides::default()).unwrap();
        let outcome = Run::new(tournament).on(&threads).play().unwrap();
        let question = ExplainQuestion::new(&outcome, [0, 1].map(BotId::new), None).unwrap();
        let variant = question.answer(&threads, &Arc::default(), &mut |_| {}).unwrap().unwrap().variants.remove(0);
        add_up(&variant);
        variant
    };
    let plant = |&(variant, change, (table, category)): &Plant| {
        let found: Vec<ExplainedVariant> = seeds.clone().map(|seed| trial(variant, change, seed)).collect();
        let findings = || found.iter().filter_map(|one| one.finding.as_ref());
        let named = findings().filter(|one| one.conditions[0] == (table, category.to_owned())).count();
        let alone: Vec<_> = findings().filter(|one| one.conditions == [(table, category.to_owned())]).collect();
        let truth = alone.iter().filter_map(|one| one.share.value).sum::<f64>() / alone.len().max(1) as f64;
        let holds = |one: &&&overtrick::explain::FindingRow| {
            one.share.ends().is_some_and(|(low, high)| (low..=high).contains(&truth))
        };
        println!(
            "{variant} {change}: {named} of {} name {category}; {} of {} intervals hold {truth:.4}",
            found.len(),
            alone.iter().filter(holds).count(),
            alone.len()
        );
        (named, found.len())
    };
    plants.iter().map(plant).collect()
}

fn together(plants: &[(usize, usize)]) -> (usize, usize) {
    plants.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// With the seeds of the test below.
#[test]
fn a_planted_difference_is_named_first() {
    let (named, of) = together(&trials(&PLANTED[..1], 1..4, 400));
    assert!(of == 3 && named >= 2, "{named} of {of}");
}

#[test]
#[ignore = "long: explains duels in four games"]
fn planted_differences_are_named_first() {
    let (named, of) = together(&trials(&PLANTED, 1..4, 400));
    // A run of this length may name the next best; with these seeds one does.
    assert!(of == 12 && named >= 11, "{named} of {of}");
}

#[test]
#[ignore = "long: explains two hundred duels in some minutes"]
fn two_hundred_plants_in_four_games() {
    let (named, of) = together(&trials(&PLANTED, 101..151, 1000));
    assert!(of == 200 && named * 100 >= of * 95, "{named} of {of}");
}
