//! Curves and the figures of matches against what the records of the same deals say, worked out from nothing but those.

use std::collections::BTreeMap;

use overtrick::cards::{Card, Rank, Suit};
use overtrick::stats::Results;
use overtrick::tournament::{DealRecord, Tournament, Unit};

use crate::fixtures::{self, records};

/// By bot, trick and measure: the sum and the number of cases.
pub(super) type Points = BTreeMap<(String, usize, &'static str), (u64, u64)>;

/// Returns the count of a row card in Colour-blind.
fn count(card: Card) -> i32 {
    match card.rank() {
        Some(Rank::Ace) => 1,
        Some(rank) => rank as i32 + 2,
        None => 0,
    }
}

/// Returns by seat how far each is after `tricks` tricks.
fn progress(record: &DealRecord, tricks: usize) -> Vec<i32> {
    let seats = record.seating.len();
    let won = |hand: &str| record.tricks[..tricks].iter().filter(|trick| trick.winner == hand).count() as i32;
    let own = |seat: usize| won(&format!("p{seat}"));
    if let Some(row) = record.table.iter().find(|aside| aside.name == "row") {
        let is_red = |card: &Card| matches!(card.suit(), Some(Suit::Diamonds | Suit::Hearts));
        let good = row.cards.iter().filter(|card| is_red(card)).count() > 6;
        let worth = |card: &Card| if is_red(card) == good { count(*card) } else { -count(*card) };
        let mut totals = vec![0; seats];
        for (trick, card) in record.tricks[..tricks].iter().zip(&row.cards) {
            totals[trick.winner[1..].parse::<usize>().unwrap()] += worth(card);
        }
        return totals;
    }
    let is_dumbo = record.variant == "dumbo";
    let declarer = match &record.contract {
        Some(contract) => contract.declarer,
        None => None,
    };
    let has_partners = record.variant == "four-whist-partners";
    match declarer {
        _ if has_partners => (0..seats).map(|seat| own(seat) + own((seat + 2) % 4)).collect(),
        _ if is_dumbo => (0..seats).map(own).collect(),
        // No player bid: a last deal of Chameleon, in which each plays alone.
        None => (0..seats).map(own).collect(),
        Some(declarer) => {
            let declarer = declarer.index();
            let dummies = match record.variant.as_str() {
                "dummy-whist" => won("dummy"),
                "double-dummy" => won(&format!("dummy{declarer}")),
                _ => 0,
            };
            let of_declarer = own(declarer) + dummies;
            let is_misere = record.contract.is_some_and(|contract| contract.kind.starts_with("misere"));
            let (mine, theirs) = match is_misere {
                true => (i32::from(of_declarer == 0), i32::from(of_declarer > 0)),
                false => (of_declarer, tricks as i32 - of_declarer),
            };
            (0..seats).map(|seat| if seat == declarer { mine } else { theirs }).collect()
        }
    }
}

/// The seats with the highest value, unless all have it.
fn best(values: &[i32]) -> Vec<usize> {
    let highest = values.iter().max().unwrap();
    let best: Vec<usize> = (0..values.len()).filter(|&seat| values[seat] == *highest).collect();
    if best.len() == values.len() { Vec::new() } else { best }
}

/// The share of all.
fn share(counts: impl IntoIterator<Item = bool>) -> f64 {
    let counts: Vec<bool> = counts.into_iter().collect();
    counts.iter().filter(|&&happened| happened).count() as f64 / counts.len() as f64
}

pub(super) fn points(records: &[DealRecord]) -> Points {
    let mut points = Points::new();
    for record in records {
        let mut add = |seat: Option<usize>, trick: usize, measure: &'static str, value: u64| {
            let bots = ["all"].into_iter().chain(seat.map(|seat| record.seating[seat].as_str()));
            for bot in bots {
                let sums = points.entry((bot.to_owned(), trick, measure)).or_default();
                *sums = (sums.0 + value, sums.1 + 1);
            }
        };
        let in_tricks: usize = record.tricks.iter().map(|trick| trick.plays.len()).sum();
        let before = record.moves.len() - in_tricks;
        for (number, made) in record.moves.iter().enumerate() {
            let trick = match number.checked_sub(before) {
                Some(play) => 1 + play / record.tricks[0].plays.len(),
                None => 0,
            };
            add(Some(made.seat.index()), trick, "moves", u64::from(made.legal));
            add(Some(made.seat.index()), trick, "forced", u64::from(made.legal == 1));
        }
        let winners = best(&record.scores);
        let mut ahead: Vec<usize> = Vec::new();
        for trick in 1..=record.tricks.len() {
            let leaders = best(&progress(record, trick));
            let has_changed =
                !leaders.is_empty() && !ahead.is_empty() && leaders.iter().all(|seat| !ahead.contains(seat));
            add(None, trick, "lead-changes", u64::from(has_changed));
            // Who shares the lead still has it.
            let still: Vec<usize> = ahead.iter().copied().filter(|seat| leaders.contains(seat)).collect();
            if !still.is_empty() {
                ahead = still;
            } else if !leaders.is_empty() {
                ahead.clone_from(&leaders);
            }
            for &seat in &winners {
                add(Some(seat), trick, "winner-leads", u64::from(leaders.contains(&seat)));
            }
        }
    }
    points
}

/// Checks the curves of a tournament of three bots against its records.
fn check(variant: &str, lines: &str) {
    let mut tournament = fixtures::tournament(variant, lines);
    // One of the bots should know what it does.
    tournament.bots[0] = fixtures::bot("a", "rule-based", "");
    check_tournament(&tournament);
}

/// Checks the curves of a tournament against its records.
pub(super) fn check_tournament(tournament: &Tournament) {
    let variant = &tournament.variants[0].name;
    let results = Results::new(tournament, &[&fixtures::play(tournament, 7)]);
    let expected = points(&records(tournament));
    assert_eq!(results.curves.len(), expected.len(), "{variant}");
    for row in &results.curves {
        let key = (row.bot.clone(), row.trick, row.measure);
        let (sum, cases) = expected[&key];
        assert_eq!(row.cases, cases, "{variant} {key:?}");
        assert!((row.value.value.unwrap() - sum as f64 / cases as f64).abs() < 1e-12, "{variant} {row:?} {sum}");
        let is_within = |low: f64, high: f64| low <= row.value.value.unwrap() && row.value.value.unwrap() <= high;
        assert!(row.value.ends().is_none_or(|(low, high)| is_within(low, high)), "{variant} {row:?}");
    }
}

#[test]
fn curves_agree_with_the_records_of_the_deals() {
    for variant in ["dumbo", "euchre-32", "dummy-whist", "colour-blind", "chameleon", "chameleon-variant"] {
        check(variant, "deals = 8");
    }
    for variant in ["double-dummy", "humbug", "dummy-chameleon", "colour-blind-2"] {
        check(variant, "deals = 12");
    }
}

#[test]
fn curves_of_matches_agree_with_the_records_of_the_deals() {
    for variant in ["dumbo", "chameleon"] {
        check(variant, "unit = \"match\"\nmatches = 10\ngroups = 8");
    }
}

#[test]
fn curves_go_through_the_first_numbers_alone() {
    let tournament = fixtures::tournament("euchre-24", "deals = 1100\nformat = \"mirror\"");
    assert_eq!(tournament.unit, Unit::Deal);
    let results = Results::new(&tournament, &[&fixtures::play(&tournament, 500)]);
    // There are no common figures of bots that never met.
    assert!(results.curves.iter().all(|row| row.bot != "all"));
    let first_tricks: Vec<u64> = (results.curves.iter())
        .filter(|row| row.trick == 1 && row.measure == "lead-changes")
        .map(|row| row.cases)
        .collect();
    assert_eq!(first_tricks, [1024; 3]);
}

#[test]
fn deals_that_nobody_plays_are_those_that_records_call_passed_out() {
    // Where no deal is passed out, a few deals show it.
    for (variant, deals) in
        [("chameleon", 60), ("dummy-chameleon", 60), ("chameleon-variant", 20), ("humbug-turn-up", 20)]
    {
        let mut tournament = fixtures::tournament(variant, &format!("deals = {deals}"));
        tournament.bots.iter_mut().for_each(|bot| *bot = fixtures::bot(&bot.name, "rule-based", ""));
        let row = &Results::new(&tournament, &[&fixtures::play(&tournament, 7)]).balance[0];
        let passed_out = |record: &DealRecord| record.contract.is_some_and(|contract| contract.kind == "passed-out");
        let expected = share(records(&tournament).iter().map(passed_out));
        assert!((row.passed_out.value.unwrap() - expected).abs() < 1e-12, "{variant} {row:?} {expected}");
        assert_eq!(expected > 0.0, !variant.ends_with("variant") && variant != "humbug-turn-up", "{variant}");
    }
}

#[test]
fn the_chance_to_win_is_the_share_of_a_deals_games() {
    let mut tournament = fixtures::tournament("euchre-32", "deals = 200");
    tournament.bots[1] = fixtures::bot("b", "rule-based", "");
    let row = &Results::new(&tournament, &[&fixtures::play(&tournament, 7)]).balance[0];
    let mut chances: BTreeMap<(u64, usize), f64> = BTreeMap::new();
    for record in records(&tournament) {
        let highest = record.scores.iter().max();
        let winners: Vec<usize> = (0..3).filter(|&seat| Some(&record.scores[seat]) == highest).collect();
        for &seat in &winners {
            *chances.entry((record.deal, seat)).or_default() += 1.0 / winners.len() as f64 / 6.0;
        }
    }
    // Seats that never won have no entry.
    let squares: f64 = chances.values().map(|chance| (chance - 1.0 / 3.0).powi(2)).sum();
    let square = (squares + (600 - chances.len()) as f64 / 9.0) / 600.0;
    assert!((row.win_sd.value.unwrap() - square.sqrt()).abs() < 1e-9, "{row:?}");
    assert!(row.win_sd.low < row.win_sd.value && row.win_sd.value < row.win_sd.high, "{row:?}");
    let mut sorted: Vec<f64> = chances.into_values().chain([0.0; 600]).collect();
    sorted.sort_by(f64::total_cmp);
    let sorted = &sorted[sorted.len() - 600..];
    assert!((row.span.0.unwrap() - (sorted[569] - sorted[29])).abs() < 1e-9, "{row:?}");
}

/// Checks the figures of matches that were played against their records.
fn check_matches(variant: &str, lines: &str) {
    let tournament = fixtures::tournament(variant, &format!("unit = \"match\"\nmatches = 12\n{lines}"));
    let rows = Results::new(&tournament, &[&fixtures::play(&tournament, 5)]).balance;
    let records = records(&tournament);
    for row in &rows {
        let (mut lengths, mut led, mut came_back) = (Vec::new(), Vec::new(), Vec::new());
        for deals in records.split_inclusive(|record| record.places.is_some()) {
            if row.bot != "all" && deals[0].seating[0] != row.bot {
                continue;
            }
            lengths.push(deals.len());
            let totals = &deals[deals.len() / 2].totals_before;
            let (highest, lowest) = (totals.iter().max().unwrap(), totals.iter().min().unwrap());
            if highest == lowest {
                continue;
            }
            let places = deals[deals.len() - 1].places.as_ref().unwrap();
            let won = |total: &i32| totals.iter().zip(places).any(|(own, place)| own == total && *place == 0);
            led.push(won(highest));
            came_back.push(won(lowest));
        }
        lengths.sort_unstable();
        let rank = |part: f64| Some(lengths[(part * lengths.len() as f64).ceil() as usize - 1] as f64);
        assert_eq!((row.match_deals.value, row.match_deals_p95.value), (rank(0.5), rank(0.95)), "{variant} {row:?}");
        assert!((row.leader_wins.value.unwrap() - share(led)).abs() < 1e-12, "{variant} {row:?}");
        assert!((row.comebacks.value.unwrap() - share(came_back)).abs() < 1e-12, "{variant} {row:?}");
        assert_eq!(row.matches_from, Some("matches"));
    }
}

#[test]
fn figures_of_matches_agree_with_their_records() {
    for variant in ["dumbo", "euchre-24", "double-dummy", "colour-blind-2", "chameleon"] {
        check_matches(variant, "");
    }
    check_matches("humbug", "format = \"mirror\"");
}

#[test]
fn matches_that_are_put_together_go_as_those_that_are_played() {
    for variant in ["dumbo", "euchre-32"] {
        let results = |lines: &str| {
            let tournament = fixtures::tournament(variant, lines);
            Results::new(&tournament, &[&fixtures::play(&tournament, 500)]).balance.swap_remove(0)
        };
        let (from, played) = (results("deals = 4000"), results("unit = \"match\"\nmatches = 400"));
        assert_eq!((from.matches_from, played.matches_from), (Some("deals"), Some("matches")));
        assert!(
            (from.match_deals.value.unwrap() - played.match_deals.value.unwrap()).abs() <= 1.0,
            "{from:?} {played:?}"
        );
        for (one, other) in [(from.leader_wins, played.leader_wins), (from.comebacks, played.comebacks)] {
            assert!((one.value.unwrap() - other.value.unwrap()).abs() < 0.04, "{from:?} {played:?}");
        }
    }
}
