//! Elo from finishing orders: Ann, Bob and Cy, rated with intervals by the matches that they played.

use overtrick_ratings::{Entrant, FitError, FitOptions, Outcome, fit};

fn main() -> Result<(), FitError> {
    let entrant = |player| Entrant { player, seat: None };
    // Three kinds of result, and how often each came about in each of forty groups (of matches that share no luck).
    let outcome = |places: [u8; 3], times: fn(usize) -> u64| Outcome {
        entrants: [0, 1, 2].map(entrant).to_vec(),
        places: places.to_vec(),
        counts: (0..40).map(|group| (group, times(group))).collect(),
    };
    let outcomes = [
        outcome([0, 1, 2], |group| 2 + group as u64 % 3),
        outcome([1, 0, 2], |group| 1 + group as u64 % 2),
        outcome([2, 1, 0], |group| u64::from(group % 4 == 0)),
        // Bob and Cy share the second place.
        outcome([0, 1, 1], |group| u64::from(group % 5 == 0)),
    ];
    let fitted = fit(3, 40, &outcomes, &FitOptions::default())?;
    for (player, name) in ["Ann", "Bob", "Cy"].iter().enumerate() {
        let elo = fitted.elo(player);
        println!("{name}: {:.0} ± {:.0}", elo.mean, elo.half_width.unwrap_or(f64::NAN));
    }
    let better = fitted.likelihood_of_superiority(0, 1).expect("both played");
    println!("Ann is better than Bob with a chance of {:.1}%", 100.0 * better);
    Ok(())
}
