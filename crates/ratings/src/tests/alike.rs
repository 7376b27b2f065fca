//! Tests that symmetric players are equal to the last bit.

use super::*;

/// Returns the orders in which equal bots share out `places` by seat, over all seatings of three.
fn rotated(lineup: [usize; 3], places: [u8; 3], counts: &[(usize, u64)]) -> Vec<Outcome> {
    let seatings = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    seatings.map(|seating| seated(&seating.map(|who| lineup[who]), &places, counts)).to_vec()
}

#[test]
fn identical_bots_are_exactly_equal() {
    let outcomes = [
        rotated([0, 1, 2], [0, 1, 2], &[(0, 7), (3, 2)]),
        rotated([0, 1, 2], [1, 0, 0], &[(0, 1), (1, 4)]),
        rotated([0, 1, 2], [2, 0, 1], &[(2, 3), (4, 1)]),
        rotated([0, 1, 2], [0, 0, 0], &[(5, 1)]),
    ]
    .concat();
    for fit in [plain(3, 6, &outcomes), with_seats(3, 6, &outcomes)] {
        assert!(!fit.regularised());
        assert_eq!(fit.theta(), [0.0; 3]);
        for a in 0..3 {
            assert_eq!((fit.elo(a).mean, fit.elo(a).se), (0.0, Some(0.0)));
            for b in 0..3 {
                let difference = fit.difference(a, b);
                assert_eq!((difference.mean, difference.se), (0.0, Some(0.0)));
                assert_eq!(fit.likelihood_of_superiority(a, b), Some(0.5));
            }
        }
    }
}

#[test]
fn two_identical_bots_and_another() {
    for fit in [plain(3, 5, &two_alike()), with_seats(3, 5, &two_alike())] {
        assert!(!fit.regularised());
        assert!(fit.theta()[0] == fit.theta()[1] && fit.theta()[2] > fit.theta()[0] + 0.1);
        let same = fit.difference(0, 1);
        assert_eq!((same.mean, same.se), (0.0, Some(0.0)));
        assert_eq!(fit.likelihood_of_superiority(1, 0), Some(0.5));
        assert_eq!(fit.difference(0, 2), fit.difference(1, 2));
        assert_eq!(fit.elo(0), fit.elo(1));
        assert!(fit.difference(0, 2).se.unwrap() > 1.0);
    }
}

#[test]
fn equal_in_total_but_not_in_each_group() {
    let outcomes = [outcome(&[(0, 0), (1, 1)], &[(0, 3), (1, 1)]), outcome(&[(1, 0), (0, 1)], &[(0, 1), (1, 3)])];
    let difference = plain(2, 2, &outcomes).difference(0, 1);
    assert_eq!(difference.mean, 0.0);
    // The influences w/W - l/L are 1/2 and -1/2, times G/(G-1) = 2.
    close(difference.se.unwrap(), ELO_PER_LOG_STRENGTH, 1e-9);
}
