//! Tests of refused input, of differences in input that must not matter, and of options and groups.

use super::*;

#[test]
fn the_order_of_outcomes_does_not_matter() {
    let whole = [
        outcome(&[(0, 0), (1, 1), (2, 1)], &[(0, 3), (1, 5), (4, 2)]),
        outcome(&[(2, 0), (0, 1), (1, 2)], &[(1, 2), (2, 2)]),
        outcome(&[(1, 0), (0, 1)], &[(3, 4), (4, 1)]),
    ];
    let pieces = [
        outcome(&[(0, 1), (1, 0)], &[(4, 1), (3, 1), (0, 0)]),
        outcome(&[(1, 1), (2, 1), (0, 0)], &[(4, 2), (1, 5)]),
        outcome(&[(1, 0), (0, 1)], &[(3, 3)]),
        outcome(&[(0, 1), (1, 2), (2, 0)], &[(2, 1), (1, 2), (2, 1)]),
        outcome(&[(2, 1), (0, 0), (1, 1)], &[(0, 3)]),
    ];
    let (a, b) = (plain(3, 5, &whole), plain(3, 5, &pieces));
    assert_eq!((a.theta(), a.log_delta()), (b.theta(), b.log_delta()));
    assert_eq!((a.covariance(), a.groups()), (b.covariance(), 5));
}

#[test]
fn the_anchor_only_moves_the_origin() {
    let outcomes = two_alike();
    let free = plain(3, 5, &outcomes);
    let options = FitOptions { seat_effects: false, anchor: Some(2), ..FitOptions::default() };
    let fixed = fit(3, 5, &outcomes, &options).unwrap();
    assert_eq!((fixed.elo(2).mean, fixed.elo(2).se), (0.0, Some(0.0)));
    for a in 0..3 {
        let (fixed_gap, free_gap) = (fixed.difference(a, 2), free.difference(a, 2));
        close(fixed_gap.mean, free_gap.mean, 1e-9);
        close(fixed_gap.se.unwrap(), free_gap.se.unwrap(), 1e-9);
        assert_eq!(fixed_gap, fixed.elo(a));
    }
}

#[test]
fn too_few_groups_give_no_interval() {
    let counts: Vec<(usize, u64)> = (0..8).map(|group| (group, 1 + group as u64 % 3)).collect();
    let outcomes =
        |groups: usize| [outcome(&[(0, 0), (1, 1)], &counts[..groups]), outcome(&[(1, 0), (0, 1)], &[(0, 2), (3, 1)])];
    // 100 groups, most of them empty.
    let seven = plain(2, 100, &outcomes(7)).difference(0, 1);
    assert_eq!((seven.groups, seven.half_width), (7, None));
    assert!(seven.se.unwrap() > 0.0);
    let eight = plain(2, 100, &outcomes(8)).difference(0, 1);
    assert!(eight.half_width.unwrap() > 2.0 * eight.se.unwrap());
}

#[test]
fn malformed_outcomes_are_named() {
    let good = outcome(&[(0, 0), (1, 1)], &[(0, 1)]);
    let refuse = |players, bad: Outcome| fit(players, 1, &[good.clone(), bad], &FitOptions::default()).unwrap_err();
    let once = [(0, 1)];
    assert_eq!(refuse(3, good.clone()), FitError::NeverPlayed { player: 2 });
    let never = outcome(&[(2, 0), (1, 1)], &[(0, 0)]);
    assert_eq!(refuse(3, never), FitError::NeverPlayed { player: 2 });
    let stranger = outcome(&[(0, 0), (5, 1)], &once);
    assert_eq!(refuse(2, stranger), FitError::UnknownPlayer { outcome: 1, player: 5 });
    let group = outcome(&[(0, 0), (1, 1)], &[(1, 1)]);
    assert_eq!(refuse(2, group), FitError::UnknownGroup { outcome: 1, group: 1 });
    let alone = outcome(&[(0, 0)], &once);
    assert_eq!(refuse(2, alone), FitError::EntrantCount { outcome: 1, entrants: 1 });
    let crowd = outcome(&[(0, 0); 51], &once);
    assert_eq!(refuse(2, crowd), FitError::EntrantCount { outcome: 1, entrants: 51 });
    for gap in [outcome(&[(0, 0), (1, 2)], &once), outcome(&[(0, 1), (1, 1)], &once)] {
        assert_eq!(refuse(2, gap), FitError::Places { outcome: 1 });
    }
    let mut short = good.clone();
    short.places.pop();
    assert_eq!(refuse(2, short), FitError::Places { outcome: 1 });
    let seat_effects = FitOptions { seat_effects: true, anchor: None, ..FitOptions::default() };
    let unseated = fit(2, 1, std::slice::from_ref(&good), &seat_effects).unwrap_err();
    assert_eq!(unseated, FitError::MissingSeat { outcome: 0 });
    let anchor = FitOptions { seat_effects: false, anchor: Some(2), ..FitOptions::default() };
    let unknown = fit(2, 1, &[good], &anchor).unwrap_err();
    assert_eq!(unknown, FitError::UnknownAnchor { anchor: 2 });
    let no_players = fit(0, 0, &[], &FitOptions::default()).unwrap_err();
    assert_eq!(no_players, FitError::NoPlayers);
}
