//! Every measure of a sweep against what the records of the same deals say, worked out from nothing but those.

use std::collections::BTreeMap;
use std::path::Path;

use overtrick::strategies::{Bot, Register};
use overtrick::sweep::{SweepOutcome, SweepPlan, SweepRow};
use overtrick::toml_source::Source;
use overtrick::tournament::{DealRecord, Overrides, Tournament, replay};

use super::swept;
use crate::fixtures::records;
use crate::tournaments::curves::points;

const PANEL: [&str; 2] = ["random", "rule-based"];
const DEALS: u64 = 24;

/// By bot and measure.
type Measures = BTreeMap<(String, String), f64>;

fn tournament(variant: &str, format: &str, bots: &str) -> Tournament {
    let text = format!("seed = 3\nformat = {format:?}\ndeals = {DEALS}\nvariants = [{variant:?}]\nbots = {bots}\n");
    let source = Source::parse(Path::new("t.toml"), text).unwrap();
    Tournament::resolve(&source, Overrides::default()).unwrap()
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.into_iter().collect();
    values.iter().sum::<f64>() / values.len() as f64
}

fn share(records: &[DealRecord], happened: impl Fn(&DealRecord) -> bool) -> f64 {
    mean(records.iter().map(|record| f64::from(u8::from(happened(record)))))
}

/// The scores of the seats of all deals that `pick` takes, by deal and seat.
fn scores(records: &[DealRecord], pick: impl Fn(&DealRecord, usize) -> bool) -> f64 {
    let of_deal = |record: &DealRecord| -> Vec<f64> {
        let seats = 0..record.scores.len();
        seats.filter(|&seat| pick(record, seat)).map(|seat| f64::from(record.scores[seat])).collect()
    };
    mean(records.iter().flat_map(of_deal))
}

/// The standard deviation of the scores of all seats.
fn deviation(records: &[DealRecord]) -> f64 {
    let all: Vec<f64> = records.iter().flat_map(|record| record.scores.iter().map(|&score| f64::from(score))).collect();
    let middle = mean(all.iter().copied());
    mean(all.iter().map(|score| (score - middle).powi(2))).sqrt()
}

/// The share of deals that the seats which `pick` takes win, a shared win in parts.
fn wins(records: &[DealRecord], pick: impl Fn(&DealRecord, usize) -> bool) -> f64 {
    let of_deal = |record: &DealRecord| {
        let highest = record.scores.iter().max();
        let first: Vec<usize> =
            (0..record.scores.len()).filter(|&seat| Some(&record.scores[seat]) == highest).collect();
        first.iter().filter(|&&seat| pick(record, seat)).count() as f64 / first.len() as f64
    };
    mean(records.iter().map(of_deal))
}

/// The tricks of a deal's declarer, with those of the dummy that they play.
fn own_tricks(record: &DealRecord) -> Option<i32> {
    let declarer = format!("p{}", record.contract?.declarer?.index());
    let with_dummy = record.variant == "dummy-whist";
    let own = record.tricks_won.iter().filter(|(hand, _)| *hand == declarer || with_dummy && *hand == "dummy");
    Some(own.map(|&(_, tricks)| i32::from(tricks)).sum())
}

/// The declarer's contract as tables name it, and whether it was made.
fn contract(record: &DealRecord) -> Option<(String, bool)> {
    let contract = record.contract?;
    let (declarer, own) = (contract.declarer?, own_tricks(record)?);
    let said = |text: &str| record.moves.iter().find(|made| made.text.starts_with(text));
    let level = contract.level.map(i32::from);
    match record.variant.as_str() {
        "euchre-32" => {
            let is_dealer = declarer == record.dealer;
            let name = match (said("order-up").is_some(), is_dealer) {
                (true, false) => "ordered-up",
                (true, true) => "taken-up",
                (false, false) => "named",
                (false, true) => "named by the dealer",
            };
            Some((name.to_owned(), own >= 3))
        }
        "dummy-whist" => {
            let is_bid = |text: &str| text.starts_with("bid ");
            let passes = record.moves.iter().position(|made| is_bid(&made.text)).unwrap();
            // The record has the direction that was named after a bid of no trump.
            let bid = record.moves.iter().rfind(|made| is_bid(&made.text)).unwrap().text.trim_start_matches("bid ");
            // Who speaks after all others have passed must bid.
            let forced = if passes + 1 == record.scores.len() { " (forced)" } else { "" };
            Some((format!("{bid}{forced}"), own >= 6 + level?))
        }
        _ => {
            let kind = level.map_or(contract.kind.to_owned(), |level| format!("{level} {}", contract.kind));
            let in_dummy = if said("six-in-dummy").is_some() { " (in dummy)" } else { "" };
            Some((format!("{kind}{in_dummy}"), level.map_or(own == 0, |level| own >= level)))
        }
    }
}

fn is_exceptional(record: &DealRecord) -> bool {
    let reason = |part: &str| record.reasons.iter().any(|reason| reason.contains(part));
    match record.variant.as_str() {
        "dumbo" => reason("(E"),
        "euchre-32" => !(3..=4).contains(&own_tricks(record).unwrap()),
        "dummy-whist" => reason(", times "),
        "colour-blind" | "colour-blind-2" => {
            let lowest = record.rules["lowest-score"].as_integer().unwrap();
            record.scores.iter().any(|&score| i64::from(score) == lowest)
        }
        _ => record.contract.is_none_or(|own| !["suit", "no-trump"].contains(&own.kind) || own.level == Some(10)),
    }
}

/// Adds the measures of the deals of a bot with copies of itself.
fn of_mirror(records: &[DealRecord], bot: &str, found: &mut Measures) {
    let mut add = |name: &str, value: f64| {
        found.insert((bot.to_owned(), name.to_owned()), value);
    };
    let seats = records[0].scores.len();
    let all = scores(records, |_, _| true);
    add("points", all);
    for (place, role) in ["dealer", "forehand", "rearhand"].into_iter().enumerate().take(seats) {
        let in_role = |record: &DealRecord, seat: usize| (seat + seats - record.dealer.index()) % seats == place;
        let worth = scores(records, in_role) - all;
        add(&format!("seat-{role}"), worth);
        add(&format!("seat-{role}-sd"), worth / deviation(records));
        let won = wins(records, |record, seat| in_role(record, seat));
        add(&format!("seat-{role}-won"), won - 1.0 / seats as f64);
    }
    let is_tied = |record: &DealRecord| {
        let highest = record.scores.iter().max();
        record.scores.iter().filter(|&score| Some(score) == highest).count() > 1
    };
    add("tied", share(records, is_tied));
    add("exceptional", share(records, is_exceptional));
    add("passed-out", share(records, |record| record.contract.is_some_and(|own| own.kind == "passed-out")));
    let contracts: Vec<(String, bool)> = records.iter().filter_map(contract).collect();
    for (name, _) in &contracts {
        let name = name.as_str();
        let is_meant = |record: &DealRecord| contract(record).is_some_and(|(own, _)| own == name);
        add(&format!("contract {name}"), share(records, is_meant));
    }
    if !contracts.is_empty() {
        add("made", mean(contracts.iter().map(|&(_, made)| f64::from(u8::from(made)))));
    }
    let curves = points(records);
    let sums = |measure: &str| -> (f64, f64) {
        let own = curves.iter().filter(|((who, _, name), _)| who == "all" && *name == measure);
        own.fold((0.0, 0.0), |(sum, cases), (_, point)| (sum + point.0 as f64, cases + point.1 as f64))
    };
    for measure in ["moves", "forced"] {
        let (sum, cases) = sums(measure);
        add(measure, sum / cases);
    }
    add("lead-changes", sums("lead-changes").0 / records.len() as f64);
    let tricks = records.iter().map(|record| record.tricks.len()).max().unwrap();
    if let Some((sum, cases)) = curves.get(&("all".to_owned(), tricks.div_ceil(2), "winner-leads")) {
        add("winner-leads", *sum as f64 / *cases as f64);
    }
}

/// How far a bot that is not allowed some moves falls behind its copies, over all chairs: in points, and over the
/// standard deviation of all scores.
fn worth(variant: &str, forbid: &str) -> [f64; 2] {
    let restricted = format!(
        "{{ name = \"rule-based-restricted\", strategy = \"restricted\", parameters = {{ bot = \"rule-based\", forbid = \
         [{forbid:?}] }} }}"
    );
    let tournament = tournament(variant, "duel", &format!("[{restricted}, \"rule-based\"]"));
    let [restricted, free]: [&Bot; 2] = [&tournament.bots[0], &tournament.bots[1]];
    let seats = tournament.schedules[0].seats;
    let behind = |chair: usize| -> (f64, Vec<DealRecord>) {
        let bots: Vec<Bot> = (0..seats).map(|seat| if seat == chair { restricted } else { free }.clone()).collect();
        let records: Vec<DealRecord> =
            (0..DEALS).flat_map(|number| replay(&tournament, 0, number, &bots, false)).collect();
        (scores(&records, |_, seat| seat != chair) - scores(&records, |_, seat| seat == chair), records)
    };
    let (behind, records): (Vec<f64>, Vec<Vec<DealRecord>>) = (0..seats).map(behind).unzip();
    let points = mean(behind);
    [points, points / deviation(&records.concat())]
}

/// All measures of a variant, from records.
fn expected(variant: &str, option: Option<&str>) -> Measures {
    let panel = format!("{PANEL:?}");
    let mirror = records(&tournament(variant, "mirror", &panel));
    let mut found = Measures::new();
    for bot in PANEL {
        let own: Vec<DealRecord> = mirror.iter().filter(|record| record.seating[0] == bot).cloned().collect();
        assert_eq!(own.len() as u64, DEALS);
        of_mirror(&own, bot, &mut found);
    }
    let duels = records(&tournament(variant, "duel", &panel));
    let [before, own] = PANEL.map(|bot| scores(&duels, |record, seat| record.seating[seat] == bot));
    let mut add = |name: &str, value: f64| found.insert((PANEL[1].to_owned(), name.to_owned()), value);
    let lead = (own - before) / deviation(&duels);
    add("skill", own - before);
    add("skill-sd", lead);
    add("skill-won", wins(&duels, |record, seat| record.seating[seat] == PANEL[1]));
    // Between the bots lies the square of half the lead; as a component of variance of two bots it counts twice.
    add("skill-variance", lead * lead / 2.0 / (lead * lead / 2.0 + 1.0 - lead * lead / 4.0));
    if let Some(forbid) = option {
        let [points, deviations] = worth(variant, forbid);
        add("worth it", points);
        add("worth-sd it", deviations);
        let is_used = |record: &DealRecord| record.moves.iter().any(|made| fits(forbid, &made.text));
        let own: Vec<DealRecord> = mirror.into_iter().filter(|record| record.seating[0] == PANEL[1]).collect();
        add("used it", share(&own, is_used));
    }
    found
}

/// Whether a move has the text of an option, in which one star stands for any text. A call need not be named as a
/// whole.
fn fits(option: &str, text: &str) -> bool {
    let said = [Some(text), text.split_once(' ').map(|(_, said)| said)];
    said.into_iter().flatten().any(|text| match option.split_once('*') {
        Some((before, after)) => text.starts_with(before) && text.ends_with(after),
        None => text == option,
    })
}

/// Checks that the farthest seat is no farther than the farthest of the estimates, which is too far on average.
fn check_farthest(row: &SweepRow, plan: &SweepPlan, outcome: &SweepOutcome) {
    let suffix = row.measure.strip_prefix("seat-advantage").unwrap();
    let seats = ["dealer", "forehand", "rearhand"].map(|role| format!("seat-{role}{suffix}"));
    let own = outcome.rows.iter().filter(|other| other.bot == row.bot && seats.contains(&other.measure));
    let farthest = own.map(|row| row.value.value.abs()).fold(0.0, f64::max);
    let bot = &plan.panel[row.bot].name;
    assert!((0.0..=farthest + 1e-12).contains(&row.value.value), "{bot} {row:?} {farthest}");
}

fn check(variant: &str, option: Option<&str>) {
    let restrict = option.map_or(String::new(), |forbid| format!("[sweep.restrict]\nit = [{forbid:?}]\n"));
    let config = format!("seed = 3\n[sweep]\nbase = {variant:?}\ndeals = {DEALS}\npanel = {PANEL:?}\n{restrict}");
    let (plan, outcome) = swept(&config, &Register::default());
    let mut expected = expected(variant, option);
    for row in &outcome.rows {
        if row.measure.starts_with("seat-advantage") {
            check_farthest(row, &plan, &outcome);
            continue;
        }
        let key = (plan.panel[row.bot].name.clone(), row.measure.clone());
        let own = expected.remove(&key).unwrap_or_else(|| panic!("{variant} {key:?}: {:?}", row.value));
        assert!((row.value.value - own).abs() < 1e-9, "{variant} {key:?}: {} and not {own}", row.value.value);
    }
    // A measure that is 0 everywhere has no row.
    assert!(expected.values().all(|value| *value == 0.0), "{variant} {expected:?}");
}

#[test]
fn every_measure_agrees_with_the_records_of_the_deals() {
    check("dumbo", None);
    check("colour-blind", None);
    check("colour-blind-2", None);
    check("euchre-32", Some("order-up"));
    check("dummy-whist", Some("bid * no-trump"));
    check("chameleon", Some("misere*"));
    check("dummy-chameleon", Some("bid 6 *"));
}
