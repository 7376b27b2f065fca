//! Surveys of games by random deals.

use overtrick_game::Game;

use crate::same_game::{declared, game_file};
use crate::wrong_games::make;

/// Returns the lines of errors.
pub fn lines(errors: &[overtrick_toml::InputError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn a_row_that_earlier_rows_cover_is_found() {
    let rows = "[[score.row]]\nwhen = \"tricks > 4\"\npoints = \"1\"\n[[score.row]]\nwhen = \"tricks > 6\"\npoints = \"2\"\n\
                [[score.row]]\npoints = \"0\"";
    let survey = make(rows).unwrap().survey(2_000, 10, 1);
    let problem = "t.toml:7: `score.row #2`: never counts: no result fits it that an earlier row does not cover; \
                   drop it or move it up";
    assert_eq!(lines(&survey.defects), [problem]);
    assert!(survey.unseen.is_empty(), "{:?}", lines(&survey.unseen));
    // Put first, it counts.
    let rows = "[[score.row]]\nwhen = \"tricks > 6\"\npoints = \"2\"\n[[score.row]]\nwhen = \"tricks > 4\"\npoints = \"1\"\n\
                [[score.row]]\npoints = \"0\"";
    let survey = make(rows).unwrap().survey(2_000, 10, 1);
    assert!(survey.defects.is_empty() && survey.unseen.is_empty());
    assert_eq!(survey.reached, (0, 2));
}

#[test]
fn a_row_that_random_play_does_not_reach_is_no_defect() {
    let rows = "[[score.row]]\nwhen = \"tricks = 13\"\npoints = \"9\"\n[[score.row]]\npoints = \"tricks\"";
    let survey = make(rows).unwrap().survey(50, 10, 1);
    assert!(survey.defects.is_empty());
    assert_eq!(lines(&survey.unseen), ["t.toml:4: `score.row #1`: did not count in 50 random deals"]);
}

#[test]
fn a_match_without_an_end_is_found() {
    let survey = make("[[score.row]]\npoints = \"0\"\n[match]\ntarget = 10").unwrap().survey(10, 20, 1);
    let problem = "t.toml:6: `match`: never ends: no deal scores towards `target`; set `end = \"deals\"` and `deals`";
    assert_eq!(lines(&survey.defects), [problem]);
    assert!(survey.unseen.is_empty(), "{:?}", lines(&survey.unseen));
    // Random players who lose more than they win may still reach it.
    let survey = make("[[score.row]]\npoints = \"if tricks = 13 then 1 else -1\"\n[match]\ntarget = 10").unwrap();
    let survey = survey.survey(10, 20, 1);
    assert!(survey.defects.is_empty(), "{:?}", lines(&survey.defects));
    let remark = "t.toml:6: `match`: 20 of 20 random matches had no end after 1000 deals";
    assert_eq!(lines(&survey.unseen), [remark]);
    // A fixed number of deals is the end.
    let survey = make("[[score.row]]\npoints = \"0\"\n[match]\nend = \"deals\"\ndeals = 7").unwrap().survey(10, 20, 1);
    assert!(survey.defects.is_empty());
    assert_eq!((survey.matches.played, survey.matches.fewest, survey.matches.most), (0, 7, 7));
}

#[test]
fn means_are_those_of_the_tricks() {
    let survey = make("").unwrap().survey(3_000, 50, 1);
    // Thirteen tricks are shared among three who play alike.
    let sum: f64 = survey.means.iter().map(|mean| mean.mean).sum();
    assert!((sum - 13.0).abs() < 1e-9, "{sum}");
    let names: Vec<&str> = survey.means.iter().map(|mean| mean.role).collect();
    assert_eq!(names, ["dealer", "forehand", "rearhand"]);
    for mean in &survey.means {
        assert!((mean.mean - 13.0 / 3.0).abs() < 3.0 * mean.half_width, "{mean:?}");
        // The tricks of a hand have a standard deviation of one to three.
        let deviation = mean.half_width / 1.96 * 3_000.0_f64.sqrt();
        assert!((1.0..3.0).contains(&deviation), "{deviation}");
    }
    // A match to ten takes two or three deals of four tricks each, or a few more.
    assert!((2.0..4.0).contains(&survey.matches.mean) && survey.matches.endless == 0, "{:?}", survey.matches);
}

#[test]
fn contracts_and_calls_are_counted() {
    let file = game_file("euchre.toml");
    let game = declared(&file, &toml::Table::new());
    let survey = game.survey(5_000, 20, 1);
    let played: u64 = survey.contracts.iter().map(|contract| contract.played).sum();
    assert_eq!(played, 5_000, "every deal has a declarer");
    assert!(survey.contracts.iter().all(|contract| 0 < contract.made && contract.made < contract.played));
    assert!(survey.defects.is_empty() && survey.unseen.is_empty(), "{:?}", lines(&survey.unseen));
    // Three pass, two pass, one names: six calls; or three, an order and a discard.
    assert_eq!(survey.most_calls, 6);
    let range = game.score_range();
    assert!(range.contains(&survey.reached.0) && range.contains(&survey.reached.1));
    // The same seed gives the same survey.
    let again = game.survey(5_000, 20, 1);
    assert_eq!(format!("{survey:?}"), format!("{again:?}"));
    assert_ne!(format!("{survey:?}"), format!("{:?}", game.survey(5_000, 20, 2)));
}
