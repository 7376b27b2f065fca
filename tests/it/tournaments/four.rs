//! Tournaments of a game for four, each for itself and with partners, against the records of their deals.

use std::collections::BTreeMap;
use std::path::Path;

use overtrick::report::{OUTPUTS, PageRun, PageSection, Report, Screen, html_page, leaderboard};
use overtrick::run::{Kin, Run, Segments, Snapshot, Threads};
use overtrick::stats::{Results, lead};
use overtrick::strategies::Register;
use overtrick::table::Teams;
use overtrick::toml_source::Source;
use overtrick::tournament::{DealRecord, Overrides, Tally, Tournament};

use super::{curves, swings};
use crate::fixtures::four_whist::FourWhist;
use crate::fixtures::{play, records};
use crate::thrifty;

const VARIANTS: [&str; 2] = ["four-whist", "four-whist-partners"];
const ROLES: [&str; 4] = ["dealer", "forehand", "middlehand", "rearhand"];

fn register() -> Register {
    Register::default().game::<FourWhist>().unwrap().strategy::<thrifty::Params>().unwrap()
}

/// A tournament of the first `bots` of four bots, whose greed differs.
fn tournament(variant: &str, bots: usize, lines: &str) -> Tournament {
    let bot = |number: usize| {
        format!("{{name = \"b{number}\", strategy = \"thrifty\", parameters = {{greed = 0.{}}}}}", 9 - 3 * number)
    };
    let bots: Vec<String> = (0..bots).map(bot).collect();
    resolve(variant, &bots.join(", "), lines)
}

fn resolve(variant: &str, bots: &str, lines: &str) -> Tournament {
    let text = format!("seed = 7\n{lines}\nvariants = [{variant:?}]\nbots = [{bots}]\n");
    let source = Source::parse(Path::new("four.toml"), text).unwrap();
    Tournament::resolve_with(&source, Overrides::default(), &register()).unwrap()
}

/// The tournaments of the tests below: each for itself, and with partners.
fn all(deals: u32) -> Vec<Tournament> {
    let deals = format!("deals = {deals}");
    let duel = format!("{deals}\nformat = \"duel\"");
    let gauntlet = format!("{deals}\nformat = \"gauntlet\"\ncandidate = \"b1\"");
    vec![
        tournament("four-whist", 4, &deals),
        tournament("four-whist", 2, &duel),
        tournament("four-whist-partners", 3, &deals),
        tournament("four-whist-partners", 2, &duel),
        tournament("four-whist-partners", 3, &gauntlet),
    ]
}

fn has_partners(tournament: &Tournament) -> bool {
    tournament.schedules[0].teams == Teams::PARTNERS
}

/// Returns the place in the order of roles of each seat of a deal.
fn role(record: &DealRecord, seat: usize) -> usize {
    (seat + 4 - record.dealer.index()) % 4
}

/// Returns how many teams share the best score of a deal, and whether a seat is in one of them.
fn winners(record: &DealRecord, partners: bool) -> (usize, [bool; 4]) {
    let best = record.scores.iter().max();
    let wins: [bool; 4] = std::array::from_fn(|seat| Some(&record.scores[seat]) == best);
    let seats = wins.iter().filter(|&&wins| wins).count();
    (if partners { seats / 2 } else { seats }, wins)
}

fn close(found: Option<f64>, expected: f64, what: &str) {
    assert!((found.unwrap() - expected).abs() < 1e-9, "{what}: {found:?} is not {expected}");
}

/// Sums and counts, with their mean.
#[derive(Default)]
struct Mean(f64, f64);

impl Mean {
    fn add(&mut self, value: f64) {
        *self = Mean(self.0 + value, self.1 + 1.0);
    }

    fn value(&self) -> f64 {
        self.0 / self.1
    }
}

#[test]
fn four_have_seats_and_partners_sit_opposite() {
    for tournament in all(3) {
        for record in records(&tournament) {
            assert_eq!((record.seating.len(), record.scores.len(), record.tricks[0].plays.len()), (4, 4, 4));
            if has_partners(&tournament) {
                assert_eq!([&record.seating[0], &record.seating[1]], [&record.seating[2], &record.seating[3]]);
                assert_eq!((record.scores[0], record.scores[1]), (record.scores[2], record.scores[3]));
                assert_eq!(record.scores[0] + record.scores[1], 13);
            } else {
                assert_eq!(record.scores.iter().sum::<i32>(), 13);
            }
        }
    }
}

#[test]
fn means_and_wins_by_bot_and_seat_are_those_of_the_records() {
    for tournament in all(50) {
        let results = Results::new(&tournament, &[&play(&tournament, 7)]);
        let partners = has_partners(&tournament);
        // By bot (or all) and role (or all): scores, and games won, tied and lost.
        let mut means: BTreeMap<(String, &str), [Mean; 4]> = BTreeMap::new();
        for record in records(&tournament) {
            let (first, wins) = winners(&record, partners);
            for seat in 0..4 {
                for bot in [record.seating[seat].as_str(), "all"] {
                    for role in [ROLES[role(&record, seat)], "all"] {
                        let [score, won, tied, lost] = means.entry((bot.to_owned(), role)).or_default();
                        score.add(record.scores[seat].into());
                        won.add(f64::from(wins[seat] && first == 1));
                        tied.add(f64::from(wins[seat] && first > 1));
                        lost.add(f64::from(!wins[seat]));
                    }
                }
            }
        }
        for row in &results.bots {
            let [score, won, tied, lost] = &means[&(row.bot.clone(), "all")];
            for (found, expected) in [(row.mean, score), (row.won, won), (row.tied, tied), (row.lost, lost)] {
                close(found.value, expected.value(), &row.bot);
            }
        }
        assert_eq!(results.seats.len(), 4 * (1 + tournament.bots.len()));
        for (number, row) in results.seats.iter().enumerate() {
            assert_eq!(row.seat, ROLES[number % 4]);
            let [score, won, tied, lost] = &means[&(row.bot.clone(), row.seat)];
            for (found, expected) in [(row.mean, score), (row.won, won), (row.tied, tied), (row.lost, lost)] {
                close(found.value, expected.value(), row.seat);
            }
            close(row.advantage.value, score.value() - means[&(row.bot.clone(), "all")][0].value(), row.seat);
        }
        let tied = results.balance[0].tied.value;
        let shared = |record: &DealRecord| f64::from(winners(record, partners).0 > 1);
        let records = records(&tournament);
        close(tied, records.iter().map(shared).sum::<f64>() / records.len() as f64, "ties");
    }
}

#[test]
fn swings_are_those_of_the_records() {
    for tournament in all(40) {
        assert!(swings::check(&tournament) > 10);
    }
    assert!(swings::check(&tournament("four-whist", 4, "unit = \"match\"\nmatches = 8")) > 10);
    assert!(swings::check(&tournament("four-whist-partners", 3, "unit = \"match\"\nmatches = 20")) > 10);
}

#[test]
fn curves_are_those_of_the_records() {
    for tournament in all(8) {
        curves::check_tournament(&tournament);
    }
}

/// Returns the shares of the variance of scores by bot, seat, cards and rest, from a table of all scores.
///
/// Partners have equal scores, so the dealer's side and the other side are two seats.
fn variance_shares(tournament: &Tournament) -> [f64; 4] {
    let seats = if has_partners(tournament) { 2 } else { 4 };
    let mut scores = Vec::new();
    for record in records(tournament) {
        for seat in (0..4).filter(|&seat| role(&record, seat) < seats) {
            scores.push((
                record.seating[seat].clone(),
                role(&record, seat),
                record.deal,
                f64::from(record.scores[seat]),
            ));
        }
    }
    let count = scores.len() as f64;
    let mean = scores.iter().map(|score| score.3).sum::<f64>() / count;
    let (mut bots, mut roles, mut deals) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (bot, role, deal, score) in &scores {
        bots.entry(bot).or_insert_with(Mean::default).add(*score);
        roles.entry(role).or_insert_with(Mean::default).add(*score);
        deals.entry((role, deal)).or_insert_with(Mean::default).add(*score);
    }
    // The effects of the analysis of variance, and their sums of squares.
    let mut squares = [0.0; 4];
    for (bot, role, deal, score) in &scores {
        let of_bot = bots[bot].value() - mean;
        let of_role = roles[role].value() - mean;
        let of_deal = deals[&(role, deal)].value() - roles[role].value();
        let rest = score - mean - of_bot - of_role - of_deal;
        for (sum, effect) in squares.iter_mut().zip([of_bot, of_role, of_deal, rest]) {
            *sum += effect * effect;
        }
    }
    let (each, numbers) = (count / seats as f64, deals.len() as f64 / seats as f64);
    let times = each / numbers;
    let freedom = [bots.len() as f64 - 1.0, seats as f64 - 1.0, seats as f64 * (numbers - 1.0)];
    let rest = squares[3] / (count - 1.0 - freedom.iter().sum::<f64>());
    let deal = squares[2] / freedom[2];
    let a_bot = count / bots.len() as f64;
    let parts = [
        (squares[0] / freedom[0] - rest) / a_bot,
        (squares[1] / freedom[1] - deal) / each,
        (deal - rest) / times,
        rest,
    ];
    let parts = parts.map(|part: f64| part.max(0.0));
    parts.map(|part| part / parts.iter().sum::<f64>())
}

#[test]
fn shares_of_variance_are_those_of_an_analysis_of_all_scores() {
    // A gauntlet plays its bots unequally often, which this analysis leaves out.
    for tournament in &all(50)[..4] {
        let row = &Results::new(tournament, &[&play(tournament, 7)]).balance[0];
        let found = [row.variance_bot, row.variance_seat, row.variance_deal, row.variance_rest];
        for (found, expected) in found.into_iter().zip(variance_shares(tournament)) {
            close(found.value, expected, &tournament.variants[0].name);
        }
    }
}

#[test]
fn points_given_away_add_up_over_roles_and_tricks() {
    // The search for points takes long, so there are few games.
    for (variant, deals, parts) in [(VARIANTS[0], 1, 3.0), (VARIANTS[1], 4, 1.0)] {
        let mut tournament = tournament(variant, 2, &format!("deals = {deals}\nformat = \"duel\""));
        tournament.analyse = deals;
        let rows = Results::new(&tournament, &[&play(&tournament, 7)]).given_away;
        // By bot: the cards and the points lost, over all, over roles and over tricks.
        let mut sums: BTreeMap<&str, [(u64, f64); 3]> = BTreeMap::new();
        for row in &rows {
            assert_eq!(row.unit, "points");
            let lost = row.given_away.value.unwrap() * row.deals as f64;
            assert!((lost * parts - (lost * parts).round()).abs() < 1e-9, "{row:?}");
            let kind = match (row.role, row.trick) {
                ("all", None) => 0,
                (role, None) => {
                    assert!(ROLES.contains(&role));
                    1
                }
                ("all", Some(_)) => 2,
                _ => continue,
            };
            let sum = &mut sums.entry(&row.bot).or_default()[kind];
            *sum = (sum.0 + row.plays, sum.1 + lost);
        }
        assert!(sums.values().any(|[(_, lost), ..]| *lost > 0.0));
        for [all, by_role, by_trick] in sums.into_values() {
            assert_eq!((all.0, all.0), (by_role.0, by_trick.0));
            assert!((all.1 - by_role.1).abs() < 1e-9 && (all.1 - by_trick.1).abs() < 1e-9);
        }
    }
}

#[test]
fn two_names_of_one_bot_are_exactly_level() {
    let bots = "{name = \"one\", strategy = \"thrifty\"}, {name = \"other\", strategy = \"thrifty\"}";
    for variant in VARIANTS {
        let tournament = resolve(variant, bots, "deals = 30\nformat = \"duel\"");
        let results = Results::new(&tournament, &[&play(&tournament, 7)]);
        assert_eq!(results.pairs[0].difference.value, Some(0.0), "{variant}");
        assert_eq!(results.bots[0].won.value, results.bots[1].won.value, "{variant}");
        assert!(results.swings.is_empty(), "{variant}");
    }
}

/// Checks that a lead in a duel is what the records say: points, and the share of games won.
#[test]
fn a_lead_has_points_and_elo() {
    for variant in VARIANTS {
        let tournament = tournament(variant, 2, "deals = 600\nformat = \"duel\"");
        let tally = play(&tournament, 100);
        let [one, other] = [0, 1].map(|bot| tournament.bot_ids().nth(bot).unwrap());
        let found = lead(&tournament, &tally, one, other).unwrap();
        let (mut points, mut won, partners) =
            ([Mean::default(), Mean::default()], Mean::default(), has_partners(&tournament));
        for record in records(&tournament) {
            let (_, wins) = winners(&record, partners);
            let all = wins.iter().filter(|&&wins| wins).count() as f64;
            let own = |seat: &usize| record.seating[*seat] == "b0";
            (0..4).for_each(|seat| points[usize::from(!own(&seat))].add(record.scores[seat].into()));
            won.add((0..4).filter(own).filter(|&seat| wins[seat]).count() as f64 / all);
        }
        close(Some(found.points.value()), points[0].value() - points[1].value(), variant);
        close(Some(found.won.unwrap().value()), won.value(), variant);
        // The greedy bot is far ahead, and Elo in matches of twelve deals says so.
        let elo = found.elo.expect("both win matches").value();
        assert!(elo > 20.0, "{variant}: {elo}");
    }
}

/// Checks that Elo from matches that are put together from deals is that of matches that are played.
#[test]
fn elo_from_deals_agrees_with_matches_played() {
    for (variant, bots) in [(VARIANTS[0], 4), (VARIANTS[1], 3)] {
        let ratings = |lines: &str| {
            let tournament = tournament(variant, bots, lines);
            let mut rows = Results::new(&tournament, &[&play(&tournament, 100)]).ratings;
            rows.retain(|row| row.variant == variant);
            rows.sort_by(|one, other| one.bot.cmp(&other.bot));
            rows
        };
        let (from_deals, played) = (ratings("deals = 400"), ratings("unit = \"match\"\nmatches = 150"));
        assert_eq!((from_deals.len(), played.len()), (bots, bots));
        assert_eq!((from_deals[0].elo_from, played[0].elo_from), ("deals", "matches"));
        for (one, other) in from_deals.iter().zip(&played) {
            let (one, other) = (one.elo, other.elo);
            let se = one.se.unwrap().hypot(other.se.unwrap());
            assert!((one.value.unwrap() - other.value.unwrap()).abs() < 4.0 * se, "{variant}: {one:?} {other:?}");
        }
        assert!(played[0].elo.value > played[bots - 1].elo.value, "{variant}");
    }
}

#[test]
fn results_do_not_depend_on_threads_or_on_how_games_are_played() {
    for tournament in all(30) {
        let tally = |threads: usize, segment: u64, plays_all: bool| -> Tally {
            let threads = Threads::new(threads).unwrap().playing_all(plays_all);
            let run = Run::new(tournament.clone()).on(&threads).segments(Segments::Of(segment));
            run.play().unwrap().runs.swap_remove(0).tally
        };
        let once = tally(1, 30, false);
        assert!(once == tally(2, 7, false) && once == tally(1, 30, true));
    }
}

#[test]
fn outputs_are_written_and_tallies_read() {
    for tournament in all(30) {
        let outcome = Run::new(tournament).threads(1).play().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let report = Report::new(&outcome);
        report.write(folder.path(), &[]).unwrap();
        for output in OUTPUTS {
            assert!(std::fs::metadata(folder.path().join(output.name)).unwrap().len() > 0, "{}", output.name);
        }
        let snapshot = Snapshot::read_with(&folder.path().join("tally.bin"), &register()).unwrap().unwrap();
        assert_eq!(snapshot.kin(&outcome.tournament, &outcome.extent), Ok(Kin::Same));
        assert!(snapshot.runs[0].tally == outcome.runs[0].tally);
    }
}

#[test]
fn pages_and_tables_have_four_seats() {
    for tournament in all(20) {
        let outcome = Run::new(tournament).threads(1).play().unwrap();
        let report = Report::new(&outcome);
        let run = PageRun { label: None, version: "0", report: &report, explanation: None, analyse: false };
        let page = String::from_utf8(html_page(&[PageSection::Run(run)])).unwrap();
        let table = leaderboard(&outcome.tournament, &outcome.results(), Screen { width: 120, ascii: false });
        for role in ROLES {
            assert!(page.contains(role) && table.contains(role), "{role}");
        }
        // The page can play the swings again, with all four hands.
        assert!(["p0", "p1", "p2", "p3"].iter().all(|hand| page.contains(&format!("\"{hand}\""))));
    }
}
