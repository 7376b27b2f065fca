//! Tests of the derivatives against finite differences, and of the scores of groups.

use super::super::records::canonical;
use super::super::{Entrant, Outcome};
use super::*;

/// Three players on four seats, some of them twice in a match, with ties of two and three.
fn likelihood() -> Likelihood {
    let outcome = |seats: &[(usize, usize)], places: &[u8], counts: &[(usize, u64)]| Outcome {
        entrants: seats.iter().map(|&(player, seat)| Entrant { player, seat: Some(seat) }).collect(),
        places: places.to_vec(),
        counts: counts.to_vec(),
    };
    let outcomes = [
        outcome(&[(0, 0), (1, 1), (2, 3)], &[0, 1, 2], &[(0, 3), (1, 2)]),
        outcome(&[(1, 0), (2, 1), (1, 3)], &[1, 0, 1], &[(0, 1), (2, 2)]),
        outcome(&[(2, 0), (2, 1), (0, 3), (1, 4)], &[0, 1, 0, 0], &[(1, 2)]),
        outcome(&[(0, 1), (2, 0)], &[1, 0], &[(2, 5)]),
    ];
    Likelihood::new(3, &canonical(3, 3, &outcomes, true).unwrap())
}

fn somewhere() -> DVector<f64> {
    DVector::from_vec(vec![0.4, -0.7, 0.2, 0.3, -0.5, 0.9, -1.1, 0.6])
}

#[test]
fn derivatives_agree_with_finite_differences() {
    let likelihood = likelihood();
    let at = somewhere();
    assert_eq!(likelihood.parameters().len(), at.len());
    let here = likelihood.evaluate(&at);
    let h = 1e-5;
    for p in 0..at.len() {
        let mut shift = DVector::zeros(at.len());
        shift[p] = h;
        let (after, before) = (likelihood.evaluate(&(&at + &shift)), likelihood.evaluate(&(&at - &shift)));
        let slope = (after.value - before.value) / (2.0 * h);
        assert!((slope - here.gradient[p]).abs() < 1e-8, "{p}: {slope}");
        let curvature = (before.gradient - after.gradient) / (2.0 * h);
        let error = (curvature - here.information.column(p)).amax();
        assert!(error < 1e-8, "{p}: {error}");
    }
}

#[test]
fn shifting_all_strengths_changes_nothing() {
    let likelihood = likelihood();
    let at = somewhere();
    let mut shifted = at.clone();
    shifted.rows_mut(0, 3).add_scalar_mut(2.5);
    let (here, there) = (likelihood.evaluate(&at), likelihood.evaluate(&shifted));
    assert!((here.value - there.value).abs() < 1e-12);
    assert!(here.gradient.rows(0, 3).sum().abs() < 1e-12);
}

#[test]
fn scores_of_groups_make_up_the_gradient() {
    // With a single group, the product of the only score with itself is that of the gradient.
    let mut likelihood = likelihood();
    let at = somewhere();
    for term in &mut likelihood.terms {
        term.counts.iter_mut().for_each(|count| count.0 = 7);
    }
    let gradient = likelihood.evaluate(&at).gradient;
    let (products, groups) = likelihood.score_products(&at);
    assert_eq!(groups, 1);
    assert!((products - &gradient * gradient.transpose()).amax() < 1e-11);
}
