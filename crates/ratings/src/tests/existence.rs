//! Tests of results for which the likelihood has no maximum, or hardly one.

use super::*;

#[track_caller]
fn all_finite(fit: &Fit) {
    let deltas = fit.log_delta().iter().chain(fit.gamma()).map(|&(_, value)| value);
    let mut numbers: Vec<f64> = fit.theta().iter().copied().chain(deltas).collect();
    numbers.extend(fit.model_covariance().iter());
    numbers.extend(fit.covariance().into_iter().flatten());
    assert!(fit.log_likelihood().is_finite());
    assert!(numbers.iter().all(|x| x.is_finite() && x.abs() < 100.0), "{numbers:?}");
}

#[test]
fn rare_upsets_are_no_separation() {
    let fit = plain(2, 1, &paired(0, 1, 100_000_000, 1, 0));
    assert!(!fit.regularised());
    close(fit.theta()[0] - fit.theta()[1], 1e8_f64.ln(), 1e-6);
}

#[test]
fn a_bot_that_always_wins_stays_finite() {
    let fit = plain(2, 2, &[outcome(&[(0, 0), (1, 1)], &[(0, 400), (1, 600)])]);
    assert!(fit.regularised());
    all_finite(&fit);
    // At the maximum 1000 expected losses balance the pull of the half wins.
    let theta = fit.theta()[0];
    close(fit.theta()[1], -theta, 1e-12);
    close(1000.0 / (1.0 + (2.0 * theta).exp()), (theta / 2.0).tanh() / 2.0, 1e-9);
}

#[test]
fn players_who_never_met_are_not_compared() {
    let apart = [paired(0, 1, 5, 3, 1), paired(2, 3, 5, 3, 1)];
    let apart = apart.as_flattened();
    let error = fit(4, 1, apart, &FitOptions::default()).unwrap_err();
    assert_eq!(error, FitError::Apart { players: [0, 2] });
    let parts = components(4, apart).unwrap();
    let [one, other] = [&parts[0], &parts[1]].map(|part| plain(2, 1, &part.outcomes));
    assert_eq!((one.theta(), one.log_delta()), (other.theta(), other.log_delta()));
    assert!(!one.regularised());
}

/// Five players who each beat the next in 16 of 20 matches, each match in a separate group.
fn chain() -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for link in 0..4 {
        for number in 0..20 {
            let winner = usize::from(number < 4);
            outcomes.push(outcome(&[(link + winner, 0), (link + 1 - winner, 1)], &[(20 * link + number, 1)]));
        }
    }
    outcomes
}

/// Checks that players 0 to 4 stand as they do in the chain alone.
#[track_caller]
fn stand_as_in_the_chain(fit: &Fit) {
    let alone = plain(5, 80, &chain());
    for a in 0..5 {
        assert!(!fit.is_regularised(a));
        for b in 0..5 {
            let (own, other) = (alone.difference(a, b), fit.difference(a, b));
            close(other.mean, own.mean, 1e-9);
            close(other.se.unwrap(), own.se.unwrap(), 1e-9);
        }
    }
    assert_eq!(fit.groups(), 80);
}

#[test]
fn who_always_won_or_lost_moves_no_one_else() {
    let more = |extra: &[Outcome]| [&chain()[..], extra].concat();
    let star = |times| outcome(&[(5, 0), (2, 1)], &[(80, times), (81, times)]);
    for times in [1, 3, 1_000] {
        let fit = plain(6, 82, &more(&[star(times)]));
        assert!(fit.is_regularised(5) && fit.regularised());
        stand_as_in_the_chain(&fit);
        all_finite(&fit);
        // The expected result of 2 against the star balances the pull of half a win and half a loss.
        let middle = fit.theta()[..5].iter().sum::<f64>() / 5.0;
        let (over, pull) = (fit.theta()[5] - fit.theta()[2], fit.theta()[5] - middle);
        close(2.0 * times as f64 / (1.0 + over.exp()), (pull / 2.0).tanh() / 2.0, 1e-6);
    }
    // Two players who lost equally often to the same player stand alike.
    let lost = [outcome(&[(1, 0), (6, 1)], &[(80, 2)]), outcome(&[(1, 0), (7, 1)], &[(80, 2)])];
    let fit = plain(8, 82, &more(&[&lost[..], &[star(4)]].concat()));
    stand_as_in_the_chain(&fit);
    assert_eq!(fit.theta()[6], fit.theta()[7]);
    assert!(fit.theta()[6] < fit.theta()[1] && fit.theta()[5] > fit.theta()[2]);
    let options = FitOptions { anchor: Some(5), ..FitOptions::default() };
    let anchored = super::fit(8, 82, &more(&[&lost[..], &[star(4)]].concat()), &options).unwrap();
    assert_eq!(anchored.theta()[5], 0.0);
    stand_as_in_the_chain(&anchored);
}

#[test]
fn matches_with_who_always_wins_say_who_is_better_of_the_others() {
    let duels = [outcome(&[(0, 0), (1, 1)], &[(0, 3), (1, 4)]), outcome(&[(1, 0), (0, 1)], &[(0, 2), (2, 2)])];
    let with_star = [
        outcome(&[(0, 1), (2, 0), (1, 2)], &[(0, 3), (1, 4)]),
        outcome(&[(1, 1), (0, 2), (2, 0)], &[(0, 2), (2, 2)]),
        outcome(&[(2, 0), (0, 1)], &[(3, 7)]),
    ];
    let (alone, fit) = (plain(2, 3, &duels).difference(0, 1), plain(3, 4, &with_star).difference(0, 1));
    close(fit.mean, alone.mean, 1e-9);
    close(fit.se.unwrap(), alone.se.unwrap(), 1e-9);
    // With two sets of three, distances are measured from the first, and the other keeps its own distances.
    let circle = |first: usize| {
        let of = move |player: usize| first + player % 3;
        (0..3).map(move |player| outcome(&[(of(player), 0), (of(player + 1), 1)], &[(player, 2 + player as u64)]))
    };
    let apart = [outcome(&[(0, 0), (3, 1)], &[(0, 9)])];
    let both: Vec<Outcome> = circle(0).chain(circle(3)).chain(apart).collect();
    let fit = plain(6, 3, &both);
    assert_eq!(
        (0..6).map(|player| fit.is_regularised(player)).collect::<Vec<_>>(),
        [false, false, false, true, true, true]
    );
    for (a, b) in [(0, 1), (1, 2)] {
        close(fit.difference(a, b).mean, fit.difference(a + 3, b + 3).mean, 1e-9);
        close(fit.difference(a, b).se.unwrap(), fit.difference(a + 3, b + 3).se.unwrap(), 1e-9);
    }
    assert!(fit.theta()[3] < fit.theta()[0]);
}

#[test]
fn nothing_but_ties_stays_finite() {
    let pairs = plain(2, 3, &[outcome(&[(0, 0), (1, 0)], &[(0, 400), (1, 600), (2, 1)])]);
    let threes = plain(3, 2, &[outcome(&[(0, 0), (1, 0), (2, 0)], &[(0, 5), (1, 500)])]);
    let mixed =
        plain(3, 1, &[outcome(&[(0, 0), (1, 0), (2, 1)], &[(0, 9)]), outcome(&[(0, 0), (1, 1), (2, 1)], &[(0, 9)])]);
    for fit in [pairs, threes, mixed] {
        assert!(fit.regularised());
        all_finite(&fit);
    }
}

#[test]
fn ties_alone_do_not_keep_a_winner_finite() {
    // The players are connected, since ties count. But 0 never lost, so more strength with more ties is
    // always likelier.
    let fit = plain(2, 1, &paired(0, 1, 10, 0, 10));
    assert!(fit.regularised());
    all_finite(&fit);
    // A third player whose ties are known pins the tie size, and a maximum exists.
    let pinned = [paired(0, 1, 10, 0, 10), paired(0, 2, 5, 5, 5)];
    let fit = plain(3, 1, pinned.as_flattened());
    assert!(!fit.regularised());
    all_finite(&fit);
}

#[test]
fn seats_that_decide_stay_finite() {
    // Seat 1 always wins.
    let separable = [seated(&[0, 1], &[1, 0], &[(0, 50), (1, 50)]), seated(&[1, 0], &[1, 0], &[(0, 50), (1, 50)])];
    let fit = with_seats(2, 2, &separable);
    assert!(fit.regularised() && fit.gamma()[1].1 > 1.0);
    all_finite(&fit);
    assert_eq!(fit.theta(), [0.0, 0.0]);
    assert!(!plain(2, 2, &separable).regularised());
    // No player changes seats, so seat and player are confounded.
    let confounded = [seated(&[0, 1], &[1, 0], &[(0, 50), (1, 30)]), seated(&[0, 1], &[0, 1], &[(0, 20), (1, 25)])];
    let fit = with_seats(2, 2, &confounded);
    assert!(fit.regularised());
    all_finite(&fit);
}

#[test]
fn a_lone_player_is_average() {
    let fit = plain(1, 2, &[outcome(&[(0, 0), (0, 1)], &[(0, 3), (1, 4)])]);
    assert_eq!(fit.theta(), [0.0]);
    assert_eq!(fit.elo(0).se, Some(0.0));
}

#[test]
fn ties_among_many_entrants_converge() {
    // Forty players in shuffled orders, cut into ties of 1, 2, 5, 10 and 14. There are 10^10 ways to tie for
    // every way to win.
    let outcomes: Vec<Outcome> = (0..10_usize)
        .map(|game| {
            let tied = [1, 2, 5, 10, 14][game % 5];
            let order: Vec<(usize, u8)> =
                (0..40_usize).map(|rank| ((rank * [3, 7, 9][game % 3] + game) % 40, (rank / tied) as u8)).collect();
            outcome(&order, &[(game, 1)])
        })
        .collect();
    let fit = plain(40, 10, &outcomes);
    assert!(!fit.regularised() && fit.iterations() <= 10, "{}", fit.iterations());
    assert!(fit.log_delta().len() >= 3, "{:?}", fit.log_delta());
    all_finite(&fit);
}

/// Entrants as `(player, seat)`, their places, and the number of times.
type Match<'a> = (&'a [(usize, usize)], &'a [u8], u64);

fn of_matches(players: usize, matches: &[Match]) -> Fit {
    let outcomes: Vec<Outcome> = matches
        .iter()
        .map(|&(entrants, places, times)| Outcome {
            entrants: entrants.iter().map(|&(player, seat)| Entrant { player, seat: Some(seat) }).collect(),
            places: places.to_vec(),
            counts: vec![(0, times / 2), (1, times - times / 2)],
        })
        .collect();
    with_seats(players, 2, &outcomes)
}

#[test]
fn flat_directions_are_found_out_behind_rounding() {
    // Some seats coincide with a player or always win, next to a mass of results that say nothing about it.
    // The rounding errors that are left of the information can still be inverted.
    let cases: [(usize, &[Match]); 3] = [
        (2, &[(&[(1, 2), (1, 2)], &[1, 0], 127), (&[(0, 0), (1, 2)], &[0, 0], 6_851)]),
        (1, &[(&[(0, 0), (0, 2)], &[0, 1], 20_343), (&[(0, 2), (0, 2), (0, 2)], &[1, 1, 0], 12_570_416)]),
        (
            1,
            &[
                (&[(0, 0), (0, 2)], &[0, 1], 170_810),
                (&[(0, 1), (0, 1)], &[1, 0], 19),
                (&[(0, 2), (0, 1)], &[0, 0], 4_303_154),
            ],
        ),
    ];
    for (players, matches) in cases {
        let fit = of_matches(players, matches);
        assert!(fit.regularised());
        all_finite(&fit);
    }
}

#[test]
fn a_seat_shared_by_all_has_no_effect() {
    let both_on = |seat| [vec![(0, seat), (1, seat)], vec![(1, seat), (0, seat)]];
    let [ahead, behind] = both_on(0);
    let [ahead_on_two, behind_on_two] = both_on(2);
    for many in [1, 1_000_003] {
        let fit = of_matches(
            2,
            &[
                (&ahead, &[0, 1], 30 * many),
                (&behind, &[0, 1], 20 * many),
                (&ahead_on_two, &[0, 1], 25 * many),
                (&behind_on_two, &[0, 1], 20 * many),
            ],
        );
        assert!(fit.regularised());
        assert_eq!(fit.gamma()[1].0, 2);
        close(fit.gamma()[1].1, 0.0, 1e-6);
        all_finite(&fit);
    }
}

#[test]
fn one_result_half_a_million_times_stays_finite() {
    // At this distance, pseudo-results hardly bend the likelihood. Steps never get short, or rounding swamps
    // the information.
    let matches: [&[Match]; 3] = [
        &[(&[(1, 3), (1, 2), (0, 1)], &[0, 0, 1], 507_981)],
        &[(&[(0, 2), (0, 1), (1, 0)], &[1, 1, 0], 3_967_074)],
        &[(&[(1, 2), (0, 3)], &[0, 1], 497), (&[(0, 0), (1, 3)], &[0, 0], 94_939)],
    ];
    for matches in matches {
        let fit = of_matches(2, matches);
        assert!(fit.regularised());
        assert!(fit.theta().iter().chain(fit.model_covariance()).all(|x| x.is_finite()));
        assert!(fit.difference(0, 1).se.is_some_and(f64::is_finite));
    }
}
