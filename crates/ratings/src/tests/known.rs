//! Tests against published and hand-derived answers.

use super::*;

#[test]
fn citations_among_journals() {
    // Stigler (1994): wins of row over column; Biometrika, CommStat, JASA, JRSS-B
    let wins = [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]];
    let mut outcomes = Vec::new();
    for (i, row) in wins.iter().enumerate() {
        for (j, &count) in row.iter().enumerate().filter(|&(j, _)| j != i) {
            outcomes.push(outcome(&[(i, 0), (j, 1)], &[(0, count)]));
        }
    }
    let fit = anchored(4, 1, &outcomes);
    let known = [(0.0, 0.0), (-2.949_07, 0.102_54), (-0.479_57, 0.060_59), (0.268_95, 0.070_83)];
    for (player, (theta, se)) in known.into_iter().enumerate() {
        close(fit.theta()[player], theta, 5e-6);
        close(model_se(&fit, player), se, 1e-5);
    }
    assert!(!fit.regularised() && fit.log_delta().is_empty());
    // One group says nothing about the spread over groups.
    assert_eq!((fit.groups(), fit.elo(1).se), (1, None));
    assert_eq!(fit.likelihood_of_superiority(0, 1), None);
}

#[test]
fn rankings_of_different_lengths() {
    let outcomes = [
        outcome(&[(0, 0), (1, 1), (2, 2)], &[(0, 1)]),
        outcome(&[(3, 0), (2, 1), (0, 2)], &[(1, 1)]),
        outcome(&[(1, 0), (3, 1)], &[(2, 1)]),
    ];
    let fit = plain(4, 3, &outcomes);
    // `known` is published, from an iteration that stopped where the gradient was still 2e-5. `exact` is the
    // zero of the gradient, found by plain ascent.
    let known = [-0.443_281, 0.695_062, -0.670_614, 0.418_833];
    let exact = [-0.443_308_489, 0.695_067_867, -0.670_609_570, 0.418_850_193];
    for (player, &theta) in fit.theta().iter().enumerate() {
        close(theta, known[player], 3e-5);
        close(theta, exact[player], 1e-9);
    }
    close(fit.theta().iter().sum(), 0.0, 1e-15);
    close(fit.elo(1).mean, 173.717_793 * 0.695_067_867, 1e-6);
    close(fit.log_likelihood(), -3.762_612_095, 1e-9);
}

#[test]
fn chocolate_puddings() {
    // Davidson (1970): i, j, wins of i, wins of j, ties. Estimates and errors are as published with
    // PlackettLuce, which stop after seven iterations. Worths were found by plain ascent.
    let tests = [
        (0, 1, 19, 22, 16),
        (0, 2, 16, 19, 12),
        (1, 2, 19, 19, 10),
        (0, 3, 18, 23, 13),
        (1, 3, 23, 19, 9),
        (2, 3, 19, 20, 15),
        (0, 4, 13, 19, 18),
        (1, 4, 16, 20, 12),
        (2, 4, 16, 15, 17),
        (3, 4, 17, 14, 16),
        (0, 5, 18, 21, 12),
        (1, 5, 22, 20, 12),
        (2, 5, 13, 18, 10),
        (3, 5, 14, 19, 18),
        (4, 5, 11, 21, 12),
    ];
    let outcomes = tests.map(|(i, j, wins, losses, ties)| paired(i, j, wins, losses, ties));
    let fit = anchored(6, 1, outcomes.as_flattened());
    let known = [
        (0.0, 0.0),
        (0.220_2, 0.187_2),
        (0.153_0, 0.193_5),
        (0.175_3, 0.188_2),
        (0.133_9, 0.192_7),
        (0.377_1, 0.192_4),
    ];
    for (player, (theta, se)) in known.into_iter().enumerate() {
        close(fit.theta()[player], theta, 3e-4);
        close(model_se(&fit, player), se, 1e-4);
    }
    close(fit.log_delta()[0].1, -0.291_9, 1e-4);
    let worths = [0.138_803_38, 0.173_001_50, 0.161_747_43, 0.165_372_96, 0.158_685_39, 0.202_389_34];
    for (player, worth) in worths.into_iter().enumerate() {
        close(fit.theta()[player].exp(), worth / worths[0], 1e-7);
    }
    close(fit.log_delta()[0].1.exp(), 0.746_822_99, 1e-7);
}

#[test]
fn fruit_with_a_tie_size_that_never_occurs() {
    // Rankings from the tests of PlackettLuce (a tie of two and one of four, none of three). The answers were
    // computed by enumeration with numerical derivatives.
    let outcomes = [
        outcome(&[(0, 0), (1, 1)], &[(0, 1)]),
        outcome(&[(1, 0), (2, 1), (3, 2), (0, 3)], &[(1, 1)]),
        outcome(&[(1, 0), (2, 0), (0, 1)], &[(2, 1)]),
        outcome(&[(0, 0), (1, 1), (2, 2)], &[(3, 1)]),
        outcome(&[(1, 0), (0, 1), (2, 2)], &[(4, 1)]),
        outcome(&[(0, 0), (3, 1), (2, 2)], &[(5, 1)]),
        outcome(&[(0, 0), (1, 0), (2, 0), (3, 0)], &[(6, 1)]),
    ];
    let fit = anchored(4, 7, &outcomes);
    assert!(!fit.regularised());
    let theta = [0.0, 0.499_705_797, -1.211_135_262, -0.364_529_466];
    let by_model = [0.0, 0.947_338, 1.071_303, 1.076_886];
    let over_groups = [0.0, 1.166_699, 1.470_691, 0.595_320];
    for player in 0..4 {
        close(fit.theta()[player], theta[player], 1e-8);
        close(model_se(&fit, player), by_model[player], 2e-6);
        close(clustered_se(&fit, player), over_groups[player], 2e-6);
    }
    let [(2, two), (4, four)] = fit.log_delta() else {
        panic!("{:?}", fit.log_delta());
    };
    close(*two, -1.966_571_152, 1e-8);
    close(*four, 1.733_328_392, 1e-8);
    close(fit.log_likelihood(), -13.537_787_903, 1e-8);
}

#[test]
fn two_players_by_hand() {
    // With all three results possible the model is saturated: theta = ln(W/L), nu = T/sqrt(WL). Per group W,
    // L, T:
    let groups = [(4, 1, 2), (3, 2, 0), (5, 1, 1), (2, 2, 3), (6, 0, 2), (3, 3, 1), (4, 2, 2), (3, 1, 1)];
    let counts =
        |pick: fn(&(u64, u64, u64)) -> u64| -> Vec<(usize, u64)> { groups.iter().map(pick).enumerate().collect() };
    let outcomes = [
        outcome(&[(0, 0), (1, 1)], &counts(|g| g.0)),
        outcome(&[(1, 0), (0, 1)], &counts(|g| g.1)),
        outcome(&[(1, 0), (0, 0)], &counts(|g| g.2)),
    ];
    let fit = fit(2, 8, &outcomes, &FitOptions { keep_influences: true, ..FitOptions::default() }).unwrap();
    let (wins, losses, ties) = (30.0_f64, 12.0_f64, 12.0_f64);
    close(fit.theta()[0] - fit.theta()[1], (wins / losses).ln(), 1e-12);
    assert_eq!(fit.log_delta()[0].0, 2);
    close(fit.log_delta()[0].1, (ties / (wins * losses).sqrt()).ln(), 1e-12);
    let by_model = fit.model_covariance()[(0, 0)] * 4.0;
    close(by_model, 1.0 / wins + 1.0 / losses, 1e-12);
    // The influence of a group on ln(W/L) is w/W - l/L.
    let influences = groups.iter().map(|&(w, l, _)| (w as f64 / wins - l as f64 / losses).powi(2));
    let se = ELO_PER_LOG_STRENGTH * (influences.sum::<f64>() * 8.0 / 7.0).sqrt();
    let influences = fit.influences().unwrap();
    for (group, &(w, l, _)) in groups.iter().enumerate() {
        close(influences[(0, group)] - influences[(1, group)], w as f64 / wins - l as f64 / losses, 1e-9);
    }
    let difference = fit.difference(0, 1);
    close(difference.se.unwrap(), se, 1e-9);
    close(difference.half_width.unwrap(), 2.364_624 * se, 1e-3);
    close(fit.elo(0).se.unwrap(), se / 2.0, 1e-9);
    assert_eq!(fit.difference(1, 0).se, difference.se);
    assert_eq!(fit.difference(1, 0).mean, -difference.mean);
    let superiority = Normal::standard().cdf(difference.mean / se);
    close(fit.likelihood_of_superiority(0, 1).unwrap(), superiority, 1e-12);
    close(fit.likelihood_of_superiority(1, 0).unwrap(), 1.0 - superiority, 1e-12);
}

#[test]
fn seats_by_hand() {
    // Odds of player 0: 30 to 10 on seat 0, 18 to 12 on seat 1. Half the difference of the two logits is the
    // seat's, their mean the player's.
    let outcomes = [
        seated(&[0, 1], &[0, 1], &[(0, 30)]),
        seated(&[0, 1], &[1, 0], &[(0, 10)]),
        seated(&[1, 0], &[1, 0], &[(0, 18)]),
        seated(&[1, 0], &[0, 1], &[(0, 12)]),
    ];
    let fit = with_seats(2, 1, &outcomes);
    let (first, second) = (3.0_f64.ln(), 1.5_f64.ln());
    close(fit.theta()[0] - fit.theta()[1], (first + second) / 2.0, 1e-12);
    let [(0, zero), (1, gamma)] = fit.gamma() else {
        panic!("{:?}", fit.gamma());
    };
    assert_eq!(*zero, 0.0);
    close(*gamma, (second - first) / 2.0, 1e-12);
    assert!(!fit.regularised());
    assert_eq!(fit.seat_effects()[1].1.se, None);
    let unseated = plain(2, 1, &outcomes);
    assert!(unseated.gamma().is_empty() && unseated.seat_effects().is_empty());
}

#[test]
fn seat_errors_by_hand() {
    // Per group: wins and losses of player 0 on seat 0, then on seat 1.
    let groups = [
        (5, 2, 3, 2),
        (4, 1, 2, 3),
        (6, 3, 4, 1),
        (3, 2, 5, 2),
        (5, 1, 1, 1),
        (4, 4, 3, 2),
        (6, 2, 2, 4),
        (2, 1, 4, 1),
    ];
    type Cell = (u64, u64, u64, u64);
    let counts = |pick: fn(&Cell) -> u64| -> Vec<(usize, u64)> { groups.iter().map(pick).enumerate().collect() };
    let outcomes = [
        seated(&[0, 1], &[0, 1], &counts(|g| g.0)),
        seated(&[0, 1], &[1, 0], &counts(|g| g.1)),
        seated(&[1, 0], &[1, 0], &counts(|g| g.2)),
        seated(&[1, 0], &[0, 1], &counts(|g| g.3)),
    ];
    let fit = with_seats(2, 8, &outcomes);
    let total = |pick: fn(&Cell) -> u64| groups.iter().map(pick).sum::<u64>() as f64;
    let [w, l, x, y] = [total(|g| g.0), total(|g| g.1), total(|g| g.2), total(|g| g.3)];
    // The effect is half the difference of the two logits, so the influence of a group is half the difference
    // of their influences.
    let influences = groups.map(|(a, b, c, d)| (c as f64 / x - d as f64 / y - a as f64 / w + b as f64 / l) / 2.0);
    let se = ELO_PER_LOG_STRENGTH * (influences.iter().map(|i| i * i).sum::<f64>() * 8.0 / 7.0).sqrt();
    let [(0, first), (1, second)] = fit.seat_effects()[..] else {
        panic!("{:?}", fit.seat_effects());
    };
    assert_eq!((first.mean, first.se), (0.0, Some(0.0)));
    close(second.mean, ELO_PER_LOG_STRENGTH * ((x / y).ln() - (w / l).ln()) / 2.0, 1e-9);
    close(second.se.unwrap(), se, 1e-9);
    close(second.half_width.unwrap(), 2.364_624 * se, 1e-3);
}
