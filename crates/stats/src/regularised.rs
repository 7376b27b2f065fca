//! Explains why ratings rest on pseudo-results, and which players are the reason.

use overtrick_ratings::Fit;

/// The most names or sets that are listed; the rest are only counted.
const LISTED: usize = 6;

/// Returns the reason why pseudo-results were added, if they were.
pub(super) fn note<'a>(fit: &Fit, name: impl Fn(usize) -> &'a str) -> Option<String> {
    if !fit.regularised() {
        return None;
    }
    let set = |set: &Vec<usize>| match set[..] {
        [player] => name(player).to_owned(),
        _ => format!("({})", listed(set.iter().map(|&player| name(player).to_owned()), "and")),
    };
    let splits = fit.splits();
    let (ahead, behind) = (splits.ahead.iter(), splits.behind.iter());
    let reasons = if splits.ahead.is_empty() {
        "strengths cannot be distinguished from the values of seats, or from the frequency of ties".to_owned()
    } else {
        let ahead = format!("no other player ever finished ahead of or level with {}", listed(ahead.map(set), "or"));
        let behind = listed(behind.map(set), "and");
        format!("{ahead}; {behind} never finished ahead of or level with any other player")
    };
    Some(if fit.is_all_regularised() {
        let how = "half a win and half a loss of each player against a phantom of average strength";
        format!("{reasons}: ratings rest on added pseudo-results, {how}")
    } else {
        let how = "half a win and half a loss against a phantom of average strength, which move none of the others";
        let open = (0..fit.theta().len()).filter(|&player| fit.is_regularised(player));
        let open = listed(open.map(|player| name(player).to_owned()), "and");
        format!("{reasons}: the ratings of {open} rest on added pseudo-results, {how}")
    })
}

/// Joins items to one text; if there are too many, the rest is counted.
pub(super) fn listed(items: impl Iterator<Item = String>, and: &str) -> String {
    let mut items: Vec<String> = items.collect();
    if items.len() > LISTED {
        let more = items.len() - LISTED + 1;
        items.truncate(LISTED - 1);
        items.push(format!("{more} more"));
    }
    match items.pop() {
        Some(last) if !items.is_empty() => format!("{} {and} {last}", items.join(", ")),
        last => last.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_ratings::{Entrant, FitOptions, Outcome, fit};

    /// Returns the note on matches `(winner, loser, tie)` of two, which are ties where `tie` is true.
    fn note_on(players: usize, matches: &[(usize, usize, bool)]) -> Option<String> {
        let outcome = |&(one, other, tie): &(usize, usize, bool)| Outcome {
            entrants: [one, other].map(|player| Entrant { player, seat: None }).to_vec(),
            places: vec![0, u8::from(!tie)],
            counts: vec![(0, 1)],
        };
        let outcomes: Vec<Outcome> = matches.iter().map(outcome).collect();
        let fit = fit(players, 1, &outcomes, &FitOptions::default()).unwrap();
        let names: Vec<String> = (0..players).map(|player| format!("p{player}")).collect();
        note(&fit, |player| &names[player])
    }

    #[test]
    fn a_note_says_who() {
        assert_eq!(note_on(2, &[(0, 1, false), (1, 0, false)]), None);
        let winner = note_on(3, &[(0, 1, false), (1, 2, false), (2, 1, false)]).unwrap();
        let expected = "no other player ever finished ahead of or level with p0; (p1 and p2) never finished ahead of or level \
                        with any other player: the ratings of p0 rest on added pseudo-results, half a win";
        assert!(winner.starts_with(expected), "{winner}");
        let order = note_on(3, &[(0, 1, false), (1, 2, false)]).unwrap();
        let expected = "no other player ever finished ahead of or level with p0; p2 never finished ahead of or level with \
                        any other player: ratings rest on added pseudo-results, half a win and half a loss of each player";
        assert!(order.starts_with(expected), "{order}");
        let ties = note_on(2, &[(0, 1, true)]).unwrap();
        assert!(ties.starts_with("strengths cannot be distinguished from"), "{ties}");
        let many: Vec<_> = (1..10).map(|loser| (0, loser, false)).collect();
        let losers = note_on(10, &many).unwrap();
        assert!(losers.contains("; p1, p2, p3, p4, p5 and 4 more never finished"), "{losers}");
    }
}
