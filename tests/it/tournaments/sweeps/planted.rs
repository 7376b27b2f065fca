//! Imbalances that a game is known to have are found.

use overtrick::strategies::Register;
use overtrick::sweep::{SweepOutcome, SweepRow};

use super::swept;
use crate::fixtures::planted::Planted;

fn outcome(deals: u32, lines: &str) -> SweepOutcome {
    let register = Register::default().game::<Planted>().unwrap();
    swept(&format!("seed = 1\n[sweep]\nbase = \"planted\"\ndeals = {deals}\npanel = [\"random\"]\n{lines}"), &register)
        .1
}

fn find<'a>(outcome: &'a SweepOutcome, point: usize, measure: &str) -> &'a SweepRow {
    outcome.rows.iter().find(|row| row.point == point && row.measure == measure).unwrap()
}

#[test]
fn a_point_a_deal_for_a_seat_is_found_at_ten_standard_errors() {
    let outcome =
        outcome(3000, "[sweep.axes]\ngift = [0, 1]\n[sweep.want]\nseat-advantage = { max = 0.2, in = \"points\" }\n");
    for (seat, worth) in [("seat-dealer", 2.0 / 3.0), ("seat-forehand", -1.0 / 3.0), ("seat-rearhand", -1.0 / 3.0)] {
        let row = find(&outcome, 1, seat);
        // On the same deals nothing else is different, so the difference has no error.
        assert!((row.difference.unwrap().value - worth).abs() < 1e-9, "{row:?}");
        assert!(find(&outcome, 0, seat).value.interval.is_some_and(|(low, high)| low < 0.15 && high > -0.15));
    }
    let dealer = find(&outcome, 1, "seat-dealer").value;
    assert!(dealer.value > 10.0 * dealer.se.unwrap(), "{dealer:?}");
    let [base, gift] = [0, 1].map(|point| outcome.wishes[0][point].unwrap().verdict.unwrap());
    assert_eq!(format!("{base:?} {gift:?}"), "Met Missed");
}

#[test]
fn a_call_that_only_costs_is_worth_less_than_nothing() {
    let lines = "[sweep.axes]\ncost = [0, 2]\n[sweep.restrict]\nwaste = [\"waste\"]\npass = [\"pass\"]\n";
    let outcome = outcome(3000, lines);
    let worth = |point: usize, option: &str| find(&outcome, point, &format!("worth {option}")).value;
    let se = |point: usize, option: &str| worth(point, option).se.unwrap();
    // A bot that calls it half of the time loses a point by it, and would lose another without the other call.
    assert!(worth(1, "waste").value < -10.0 * se(1, "waste"), "{:?}", worth(1, "waste"));
    assert!(worth(1, "pass").value > 10.0 * se(1, "pass"), "{:?}", worth(1, "pass"));
    for (option, value) in [("waste", -1.0), ("pass", 1.0)] {
        assert!((worth(1, option).value - value).abs() < 5.0 * se(1, option), "{:?}", worth(1, option));
        // At the base the call does nothing, and a bot that may not make it plays as before.
        assert_eq!(worth(0, option).value, 0.0);
    }
}

#[test]
fn a_call_that_only_costs_is_named_in_a_sentence() {
    // The base itself has the cost.
    let base = "base = { name = \"costly\", base = \"planted\", rules = { cost = 2 } }";
    let register = Register::default().game::<Planted>().unwrap();
    let config = format!(
        "seed = 1\n[sweep]\n{base}\ndeals = 1000\npanel = [\"random\"]\n[sweep.restrict]\nwaste = [\"waste\"]\n"
    );
    let sentences = swept(&config, &register).1.sentences;
    let [used, sentence] = &sentences[..] else { panic!("{sentences:?}") };
    // Each of three calls it half of the time.
    assert!(used.starts_with("waste is used by random in 8") && used.ends_with(" of deals"), "{used}");
    assert!(sentence.starts_with("waste is worth -") && sentence.ends_with("to random: better not used"), "{sentence}");
}

#[test]
fn an_option_is_used_in_a_share_of_deals_where_matches_are_played() {
    let register = Register::default().game::<Planted>().unwrap();
    let config = "seed = 1\n[sweep]\nbase = \"planted\"\nmatches = 100\npanel = [\"random\"]\n[sweep.restrict]\n\
                  waste = [\"waste\"]\n";
    let used = &swept(config, &register).1.sentences[0];
    assert!(used.starts_with("waste is used by random in 8") && used.ends_with(" of deals"), "{used}");
}

#[test]
fn a_bonus_that_no_bot_reaches_is_named_as_dead() {
    let outcome = outcome(300, "[sweep.axes]\nbonus = [0, 10]\ngift = [0, 1]\n");
    assert_eq!(outcome.dead, [0]);
    assert_eq!(outcome.sentences, ["bonus changes nothing: no deal was different with 0, 10"]);
}
