//! Games of a number that are played together have the results that they have one by one.

use std::path::Path;

use crate::fixtures::each_variant;
use overtrick::run::{Observer, Run, SoFar, Threads};
use overtrick::toml_source::{InputError, Source};
use overtrick::tournament::{LoggedDeal, Overrides, Tournament, VariantRun};

/// A bot that chooses as `rule-based` does but for a few decisions.
const CLOSE: &str = "{ bot = \"rule-based\", name = \"close\", parameters = { \"dumbo.ambition\" = 1.25, \
                     \"euchre.courage\" = 2.0, \"colour-blind.thrift\" = 0.93, \"dummy-whist.surety\" = 0.38, \
                     \"chameleon.caution\" = 1.0 } }";

/// Bots that search, with little effort.
const SEARCHING: [&str; 2] = [
    "{ name = \"pimc\", strategy = \"pimc\", parameters = { worlds = 4, few = 4 } }",
    "{ name = \"ismcts\", strategy = \"ismcts\", parameters = { iterations = 30 } }",
];

fn tournament(variant: &str, lines: &str, bots: &[&str]) -> Tournament {
    let text = format!("seed = 11\n{lines}\nvariants = [{variant:?}]\nbots = [{}]\n", bots.join(", "));
    let source = Source::parse(Path::new("test.toml"), text).unwrap();
    Tournament::resolve(&source, Overrides::default()).unwrap()
}

/// Keeps all deals.
#[derive(Default)]
struct Deals(Vec<LoggedDeal>);

impl Observer for Deals {
    fn wants_deals(&self) -> bool {
        true
    }

    fn deals(&mut self, _so_far: &SoFar<'_>, deals: &[LoggedDeal]) -> Result<(), InputError> {
        self.0.extend_from_slice(deals);
        Ok(())
    }
}

/// Plays a tournament of one variant.
fn played(tournament: &Tournament, threads: usize, plays_all: bool) -> (VariantRun, Vec<LoggedDeal>) {
    let (mut deals, threads) = (Deals::default(), Threads::new(threads).unwrap().playing_all(plays_all));
    let outcome = Run::new(tournament.clone()).on(&threads).observer(&mut deals).play().unwrap();
    (outcome.runs.into_iter().next().unwrap(), deals.0)
}

/// Returns the number of decisions that bots were asked for.
fn asked(run: &VariantRun) -> u64 {
    run.clocks.iter().map(|clock| clock.decisions).sum()
}

/// Checks that both ways to play a tournament give the same results.
fn check_same(tournament: &Tournament, threads: usize) {
    let ((together, deals), (one_by_one, all_deals)) =
        (played(tournament, threads, false), played(tournament, 1, true));
    let name = &tournament.variants[0].name;
    assert!(together.tally == one_by_one.tally && together.deals == one_by_one.deals, "{name}");
    assert!(deals == all_deals && !deals.is_empty(), "{name}");
    assert!(asked(&together) <= asked(&one_by_one), "{name}");
}

#[test]
fn games_of_a_number_have_the_same_results_together_and_one_by_one() {
    let bots = ["\"random\"", "\"rule-based\"", "\"cautious\"", CLOSE];
    each_variant(|variant| {
        check_same(&tournament(&variant.name, "deals = 25", &bots), 2);
        check_same(&tournament(&variant.name, "deals = 25\nformat = \"duel\"", &bots[2..]), 1);
    });
}

#[test]
#[ignore = "long: plays every pair of bots in every variant"]
fn every_pair_of_bots_has_the_same_results_together_and_one_by_one() {
    let bots = [&["\"random\"", "\"rule-based\"", "\"cautious\"", CLOSE], &SEARCHING[..]].concat();
    each_variant(|variant| {
        for (number, one) in bots.iter().enumerate() {
            for other in &bots[number + 1..] {
                check_same(&tournament(&variant.name, "deals = 40\nformat = \"duel\"", &[one, other]), 2);
            }
        }
        check_same(&tournament(&variant.name, "deals = 10", &bots), 2);
    });
}

#[test]
fn two_close_bots_at_a_table_of_three_are_asked_for_less_than_half() {
    for variant in ["dumbo", "euchre-32", "dummy-whist", "colour-blind", "chameleon"] {
        let tournament = tournament(variant, "deals = 300\nformat = \"duel\"", &["\"rule-based\"", CLOSE]);
        let [together, one_by_one] = [false, true].map(|plays_all| asked(&played(&tournament, 1, plays_all).0));
        println!("{variant}: {:.2}", one_by_one as f64 / together as f64);
        assert!(2 * together < one_by_one, "{variant}: {together} of {one_by_one}");
    }
}
