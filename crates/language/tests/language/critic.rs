//! Planted defects, each found at its line: keys that cannot do anything, and what random deals did not show.

use crate::same_game::{declared, game_file, shipped};
use crate::survey::lines;
use crate::wrong_games::make;

/// Checks that a survey of a game for three finds these defects and no others.
#[track_caller]
fn finds(tables: &str, wanted: &[&str]) {
    let game = make(tables).unwrap_or_else(|error| panic!("{error}\n{tables}"));
    let found = lines(&game.survey(20, 2, 1).defects);
    assert_eq!(found, wanted, "{tables}");
}

const FOUR: &str = "[seats]\nplayers = 4\npartners = \"opposite\"\n[[score.row]]\npoints = \"mine(tricks)\"\n";

#[test]
fn options_that_nothing_uses_are_found() {
    let option = "[options]\nbonus = { default = 3, range = [0, 9], about = \"x\" }\n";
    let unused = "t.toml:5: `options.bonus`: nothing uses it; use \"=bonus\" or leave it out";
    let more = "bonus-points = { default = true, about = \"bonus\" }\n";
    finds(option, &[unused]);
    finds(&format!("{option}[[score.row]]\npoints = \"tricks\"\nname = \"bonus\""), &[unused]);
    finds(&format!("{option}{more}[[score.row]]\npoints = \"if bonus-points then 3 else tricks\""), &[unused]);
    for use_of in [
        "[[score.row]]\npoints = \"tricks + bonus\"",
        "[[score.row]]\nwhen = \"tricks > 9 - bonus\"\npoints = 1\n[[score.row]]\npoints = 2",
        "[[score.row]]\npoints = \"tricks\"\nname = \"of {bonus}\"",
        "[score]\nlet = [\"plus = max(tricks,bonus)\"]\nrow = [{ points = \"plus\" }]",
        "[score]\nreason = \"{tricks + bonus}\"\nrow = [{ points = \"tricks\" }]",
        "[deal]\nhand = \"=bonus + 3\"",
    ] {
        finds(&format!("{option}{use_of}"), &[]);
    }
}

#[test]
fn bids_that_no_one_can_make_are_found() {
    let with = |keys: &str| format!("{FOUR}[auction]\nstyle = \"exact\"\n{keys}\n[deal]\nhand = 13");
    finds(&with(""), &[]);
    finds(&with("sum-not = 52"), &[]);
    finds(
        &with("levels = [0, 5]\nsum-not = 21"),
        &["t.toml:12: `auction.sum-not`: does nothing: bids sum to 0 to 20; choose such a number"],
    );
    finds(
        &with("side-most = 26"),
        &["t.toml:11: `auction.side-most`: does nothing: two bids sum to at most 26; lower it or leave it out"],
    );
    finds(
        &with("levels = [2, 13]\nside-most = 12"),
        &["t.toml:11: `auction.levels`: has 13, and `side-most` leaves at most 10 to a player; lower it"],
    );
    finds(
        &with("side-most = 12"),
        &["t.toml:9: `auction`: `levels` has 13, and `side-most` leaves at most 12 to a player; lower it"],
    );
    // An option may lower the levels.
    let option = "[options]\nlevel = { default = 5, range = [1, 13], about = \"x\" }\n";
    finds(&format!("{option}{}", with("levels = [0, \"=level\"]\nsum-not = 21")), &[]);
}

#[test]
fn bars_that_can_never_matter_are_found() {
    let all = "[[play.bar]]\ncards = \"*H *S *D *C\"\nwhen = \"lead\"";
    let problem =
        "t.toml:4: `play.bar #1`: can never matter: it bars all cards, and then any may be played; name fewer";
    finds(all, &[problem]);
    finds(&all.replace(" *C", ""), &[]);
    let one = "[deal]\nhand = 1\n[[play.bar]]\ncards = \"*H\"";
    finds(one, &["t.toml:6: `play.bar #1`: can never matter: a hand has one card; leave it out"]);
    // They are not among those that did not matter.
    assert!(make(all).unwrap().survey(20, 2, 1).unseen.is_empty());
}

#[test]
fn duties_that_can_never_bind_are_found() {
    let with = |words: &str, more: &str| format!("[play]\nmust = [{words}]\n{more}");
    let trumps = "[trumps]\nsuit = \"H\"";
    let lacks =
        |word: &str| format!("t.toml:5: `play.must`: \"{word}\" can never bind: there are no trumps; leave it out");
    finds(&with("\"follow\", \"trump\"", ""), &[&lacks("trump")]);
    finds(&with("\"follow\", \"trump\", \"beat-if-trump\"", ""), &[&lacks("trump"), &lacks("beat-if-trump")]);
    finds(&with("\"follow\", \"trump\", \"beat-if-trump\"", trumps), &[]);
    finds(&with("\"follow\", \"beat\"", ""), &[]);
    finds(&with("\"follow\", \"trump\"", "[trumps]\ntop = \"AS KS\""), &[]);
    // An option may have trumps.
    let option = "[options]\nsuit = { default = \"none\", values = [\"none\", \"S\"], about = \"x\" }\n";
    finds(&format!("{option}{}", with("\"follow\", \"trump\"", "[trumps]\nsuit = \"=suit\"")), &[]);
    let one = format!("[deal]\nhand = 1\n{}", with("\"beat\"", ""));
    finds(&one, &["t.toml:7: `play.must`: \"beat\" can never bind: a hand has one card; leave it out"]);
    // They are not among those that did not matter.
    let survey = make(&with("\"follow\", \"trump\", \"beat\"", "")).unwrap().survey(20, 2, 1);
    assert!(survey.unseen.is_empty(), "{:?}", lines(&survey.unseen));
    // With one suit, each hand follows.
    let one_suit = format!("[deck]\nsuits = \"H\"\n[deal]\nhand = 4\n{}", with("\"follow\", \"beat\"", ""));
    let found = lines(&make(&one_suit).unwrap().survey(20, 2, 1).unseen);
    assert!(
        found.contains(&"t.toml:9: `play.must`: \"follow\" did not matter in 20 random deals".to_owned()),
        "{found:?}"
    );
}

#[test]
fn values_of_cards_that_the_deck_lacks_are_found() {
    let with = |deck: &str| {
        format!("[deck]\n{deck}\n[score]\nvalues = {{ \"7*\" = 1, AS = 2, BJ = 3 }}\nrow = [{{ points = \"points\" }}]")
    };
    let lacks = |card: &str| {
        format!("t.toml:7: `score.values.{card}`: names {card}, which the deck does not have; leave it out")
    };
    finds(&with("jokers = 1"), &[]);
    finds(&with("suits = \"CDHS\""), &[&lacks("BJ")]);
    finds(
        &with("without = \"AS\"\njokers = 2").replace("values", "\nvalues"),
        &["t.toml:9: `score.values.AS`: names AS, which the deck does not have; leave it out"],
    );
    // A deck of options may have it.
    let option = "[options]\njokers = { default = 0, range = [0, 2], about = \"x\" }\n";
    finds(&format!("{option}{}", with("jokers = \"=jokers\"")), &[]);
    let row = "[deal]\nhand = 13\nrow = 13\n[score]\nrow = [{ points = \"points\" }]\n[score.row-values.base]\n";
    finds(
        &format!("{row}\"A*\" = 1\nBJ = 2"),
        &["t.toml:11: `score.row-values.base.BJ`: names BJ, which the deck does not have; leave it out"],
    );
}

#[test]
fn limits_that_no_score_passes_are_found() {
    let with = |limits: &str| format!("[score]\n{limits}\nrow = [{{ points = \"tricks\" }}]");
    finds(
        &with("lowest = 0"),
        &["t.toml:5: `score.lowest`: does nothing: scores are 0 to 13 without it; leave it out"],
    );
    finds(
        &with("highest = 14"),
        &["t.toml:5: `score.highest`: does nothing: scores are 0 to 13 without it; leave it out"],
    );
    finds(&with("lowest = 1\nhighest = 12"), &[]);
}

/// Returns a game in which trumps are made.
fn rounds(made: &str) -> String {
    format!(
        "[deal]\nhand = 5\n[trumps]\nsuit = \"rounds\"\nrounds = [{{ call = \"name\", last = \"must\" }}]\n\
         [score]\nmade = \"{made}\"\nrow = [{{ for = \"declarer\", points = \"tricks\" }}]"
    )
}

#[test]
fn contracts_that_no_one_can_make_are_found() {
    finds(&rounds("tricks > 2"), &[]);
    finds(
        &rounds("tricks > 5"),
        &["t.toml:10: `score.made`: can never hold: no fall of the tricks makes a contract; change the condition"],
    );
    let survey = make(&rounds("tricks = 5")).unwrap().survey(3, 2, 1);
    let remark = "t.toml:8: `trumps.rounds`: no contract `name` was made in 3 random deals";
    assert!(lines(&survey.unseen).contains(&remark.to_owned()), "{:?}", lines(&survey.unseen));
}

#[test]
fn bids_and_bars_that_did_not_matter_are_remarks() {
    let survey = shipped("spades").survey(2_000, 2, 1);
    assert!(survey.defects.is_empty(), "{:?}", lines(&survey.defects));
    let found = lines(&survey.unseen);
    let missed = &found[0];
    assert!(
        missed.contains("`auction.levels`: no player who bid ") && missed.contains("12, 13 won exactly"),
        "{missed}"
    );
    // With one deal, most bids are missing.
    let found = lines(&shipped("oh-hell").survey(1, 1, 1).unseen);
    assert!(found.iter().any(|line| line.contains("`auction`: no player bid 0, 2, 3, 5, 6, 7, 8 in")), "{found:?}");
    let bar = "[[play.bar]]\ncards = \"2C\"\nwhen = \"first-trick\"\nuntil-played = \"**\"";
    let found = lines(&make(bar).unwrap().survey(1, 1, 3).unseen);
    assert!(found.contains(&"t.toml:4: `play.bar #1`: did not matter in 1 random deals".to_owned()), "{found:?}");
    assert!(make(bar).unwrap().survey(500, 1, 3).unseen.is_empty());
    assert!(shipped("hearts").survey(200, 2, 1).unseen.iter().all(|line| !line.to_string().contains("play")));
}

/// The shipped games, and those of the tests, have no defects.
#[test]
fn shipped_games_have_no_defects() {
    let shipped = ["call-break", "hearts", "manille", "oh-hell", "spades", "sueca", "whist"].map(shipped);
    let own = ["euchre.toml", "dumbo.toml", "colour-blind.toml", "colour-blind-2.toml"];
    let own = own.map(|name| declared(&game_file(name), &toml::Table::new()));
    for game in shipped.into_iter().chain(own) {
        let defects = lines(&game.survey(50, 2, 1).defects);
        assert!(defects.is_empty(), "{defects:?}");
    }
}
