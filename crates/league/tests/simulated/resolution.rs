//! Bots that tie at the edge of the answer, or nearly do.

use overtrick_league::{LeagueQuestion, LeagueSettings};

use crate::made_up::MadeUp;
use crate::parallel;

/// The resolution, in points a game.
const RESOLUTION: f64 = 0.02;

/// Returns eight bots of which the third is `gap` resolutions ahead of the fourth.
fn near_the_edge(gap: f64, seed: u64) -> MadeUp {
    let mut made_up = MadeUp { chance: 0.4, ..MadeUp::ladder(8, seed) };
    made_up.skills = vec![0.4, 0.3, 0.1, 0.1, 0.0, -0.1, -0.2, -0.3];
    let values = made_up.values();
    let a_point = (values[0] - values[3]) / 0.3;
    made_up.skills[3] -= gap * RESOLUTION / a_point;
    made_up
}

/// Returns whether a league is answered, and whether the answer is right up to the resolution.
fn answer(gap: f64, question: LeagueQuestion, seed: u64) -> (bool, bool) {
    let made_up = near_the_edge(gap, seed);
    let settings = LeagueSettings { resolution: RESOLUTION, ..made_up.settings(question) };
    let outcome = made_up.play_league(settings).outcome();
    let values = made_up.values();
    let edge = match question {
        LeagueQuestion::Top(count) => values[count - 1] - RESOLUTION,
        _ => f64::MIN,
    };
    let is_picked_well = outcome.bots.iter().all(|&bot| values[bot] >= edge - 1e-12);
    let is_ordered = outcome.bots.iter().enumerate().all(|(place, &bot)| {
        outcome.bots[place..].iter().all(|&after| values[after] <= values[bot] + RESOLUTION + 1e-12)
    });
    let is_right = if question == LeagueQuestion::Ranking { is_ordered } else { is_picked_well };
    (outcome.is_answered, is_right)
}

/// Plays leagues, and returns how many were open and how many wrong.
fn count(gap: f64, question: LeagueQuestion, runs: u64) -> (usize, usize) {
    let answers = parallel::each(runs, |seed| answer(gap, question, seed));
    let open = answers.iter().filter(|(is_answered, _)| !is_answered).count();
    let wrong = answers.iter().filter(|(is_answered, is_right)| *is_answered && !is_right).count();
    println!("| {question:?} | {gap} | {runs} | {open} | {wrong} |");
    (open, wrong)
}

#[test]
fn a_tie_at_the_edge_ends_by_resolution() {
    assert_eq!(count(0.0, LeagueQuestion::Top(3), 4).0, 0);
}

#[test]
#[ignore = "long: ties at the edge of the answer"]
fn answers_are_right_up_to_the_resolution() {
    println!("| question | gap in resolutions | leagues | open | wrong |\n|---|---|---|---|---|");
    for question in [LeagueQuestion::Top(3), LeagueQuestion::Ranking] {
        for gap in [0.0, 0.5, 1.05, 1.5] {
            let runs = if question == LeagueQuestion::Ranking { 200 } else { 400 };
            let (open, wrong) = count(gap, question, runs);
            // 5%, with room for three standard errors.
            let most = 0.05 * runs as f64 + 3.0 * (0.0475 * runs as f64).sqrt();
            assert!(open == 0 && (wrong as f64) <= most);
        }
    }
}
