//! Files whose keys can be read, but whose games cannot be made: one line each, with file, line, key and remedy.

use std::path::Path;
use std::sync::Arc;

use overtrick_cards::SeedSource;
use overtrick_cards::table::{Place, Seat};
use overtrick_game::{AtTarget, Describe, Ending, Game, Move, Setup, TieRule};
use overtrick_language::DeclaredGame;
use overtrick_language::source::GameFile;

/// Makes a game for three with these tables, and with a row and a target unless the tables have them.
pub fn make(tables: &str) -> Result<DeclaredGame, String> {
    let mut text = format!("game = \"test\"\nabout = \"a test\"\nsource = \"none\"\n{tables}\n");
    for (table, rest) in [("[seats]", "players = 3"), ("[deal]", "hand = 13"), ("[match]", "target = 10")] {
        if !tables.contains(table) {
            text.push_str(&format!("{table}\n{rest}\n"));
        }
    }
    if !tables.contains("[score]") && !tables.contains("[[score.row]]") {
        text.push_str("[[score.row]]\npoints = \"tricks\"\n");
    }
    let file = GameFile::parse(Path::new("t.toml"), text).map_err(|error| error.to_string())?;
    let values = file.defaults();
    DeclaredGame::of(Arc::new(file), &values).map_err(|error| error.to_string())
}

#[track_caller]
fn refused(tables: &str, message: &str) {
    let found = make(tables).err().unwrap_or_else(|| panic!("accepted: {tables}"));
    assert!(found.starts_with(message), "{tables}\n{found}\n{message}");
    assert_eq!(found.lines().count(), 1, "{found}");
}

#[test]
fn defaults_are_those_of_the_comments() {
    let game = make("").unwrap();
    let layout = game.layout();
    assert_eq!((layout.seats, layout.cards_each, layout.hands), (3, 13, &["p0", "p1", "p2"][..]));
    assert_eq!(
        (game.name(), game.about(), game.follow_rule(), game.turn_rule()),
        ("test", "a test", "play.must", "play")
    );
    let ties = AtTarget::Highest(TieRule::HighestThenExtraDeal);
    assert_eq!((game.ending(), game.score_range()), (Ending::Target { points: 10, ties }, 0..=13));
}

#[test]
fn wrong_seats_are_refused() {
    let dummy = |keys: &str| format!("[seats]\nplayers = 3\n[[seats.dummies]]\n{keys}\n[deal]\nhand = 13");
    refused(
        "[seats]\nplayers = 3\nfirst-dealer = \"seat-3\"",
        "t.toml:6: `seats.first-dealer`: names a seat that a game for 3 does not have",
    );
    refused(
        &dummy("opposite = \"middlehand\""),
        "t.toml:7: `seats.dummies #1.opposite`: is no role in a game for 3; choose",
    );
    refused("[play]\nleads = \"middlehand\"", "t.toml:5: `play.leads`: is no role in a game for 3");
    refused(&dummy("name = \"p1\""), "t.toml:7: `seats.dummies #1.name`: is no name for a dummy");
    refused(&dummy("name = \"A b\""), "t.toml:7: `seats.dummies #1.name`: is no name for a dummy");
    refused(
        "[seats]\nplayers = 2\n[[seats.dummies]]\n[deal]\nhand = 13",
        "t.toml:6: `seats.dummies`: lie opposite players, and that takes four hands",
    );
    refused(
        "[seats]\nplayers = 2\ndummies = [{ name = \"a\" }, { name = \"b\" }]",
        "t.toml:6: `seats.dummies`: lie opposite the same player; give each another player",
    );
    refused(
        "[seats]\nplayers = 2\ndummies = [{}, { opposite = \"forehand\" }]",
        "t.toml:6: `seats.dummies`: have the same name; name them apart",
    );
    refused(
        "[seats]\nplayers = 3\ndummies = [{}, { name = \"b\" }]",
        "t.toml:6: `seats.dummies`: and players are more than four hands; leave out some",
    );
}

#[test]
fn wrong_deals_are_refused() {
    refused(
        "[deck]\nranks = \"23\"",
        "t.toml:9: `deal.hand`: needs 39 cards, and the deck has 8; deal fewer or put ranks back",
    );
    refused("[deal]", "t.toml:4: `deal`: the 52 cards do not come out even for 3 hands; set `deal.hand`");
    refused("[deal]\nhand = 17", "t.toml:5: `deal.hand`: gives 17 tricks, and 16 are supported so far");
}

#[test]
fn wrong_scores_are_refused() {
    for (table, message) in [
        ("[score]", "t.toml:4: `score`: has no row; add `[[score.row]]` with `points`"),
        (
            "[[score.row]]\nwhen = \"triks = 1\"",
            "t.toml:5: `score.row #1.when`: column 1: `triks` is no name here (did you mean tricks?)",
        ),
        (
            "[[score.row]]\nwhen = \"tricks + 1\"",
            "t.toml:5: `score.row #1.when`: column 1: needs a condition, and `tricks + 1` is a number; compare it",
        ),
        ("[[score.row]]\npoints = \"tricks +\"", "t.toml:5: `score.row #1.points`: column 9: ends too early"),
        ("[[score.row]]\npoints = \"dealer\"", "t.toml:5: `score.row #1.points`: column 1: needs a number"),
        (
            "[[score.row]]\npoints = \"tricks * 10000\"",
            "t.toml:4: `score`: a deal could score 130000 points, and 32767 fit; lower them",
        ),
        (
            "[options]\nx = { default = 1, range = [0, 100000], about = \"x\" }\n[[score.row]]\npoints = \"x * x\"",
            "t.toml:7: `score.row #1.points`: column 3: could reach 10000000000, and values up to 1073741824 fit; \
             narrow the range of option `x`",
        ),
        (
            "[options]\ntricks = { default = 1, range = [0, 9], about = \"x\" }",
            "t.toml:5: `options.tricks`: is the name of a value of the deal, too; choose another name",
        ),
        ("[score]\nlet = [\"x\"]", "t.toml:5: `score.let #1`: has no `=`; write \"NAME = EXPRESSION\""),
        ("[score]\nlet = [\"X = 1\"]", "t.toml:5: `score.let #1`: `X` is no name"),
        ("[score]\nlet = [\"if = 1\"]", "t.toml:5: `score.let #1`: `if` is no name"),
        ("[score]\nlet = [\"tricks = 1\"]", "t.toml:5: `score.let #1`: `tricks` has a meaning already"),
        ("[score]\nlet = [\"x = y\"]", "t.toml:5: `score.let #1`: column 2: `y` is no name here"),
        ("[score]\nreason = \"{row\"\nrow = [{}]", "t.toml:5: `score.reason`: has `{` without `}`; close it"),
        ("[score]\nreason = \"{s}\"\nrow = [{}]", "t.toml:5: `score.reason`: has `{s}` before any number"),
        ("[score]\nreason = \"{dealer}\"\nrow = [{}]", "t.toml:5: `score.reason`: column 1: needs a number"),
        ("[score]\nlowest = 3\nhighest = 2\nrow = [{}]", "t.toml:5: `score.lowest`: is above `highest`, 2; lower it"),
    ] {
        refused(table, message);
    }
    let many: Vec<String> = (0..17).map(|number| format!("\"x{number} = 1\"")).collect();
    refused(&format!("[score]\nlet = [{}]", many.join(", ")), "t.toml:5: `score.let`: has 17 names, and 16 fit");
}

#[test]
fn wrong_matches_are_refused() {
    refused("[match]\nties = \"seat\"", "t.toml:4: `match`: needs `target`, the total that ends it");
    refused("[match]\nend = \"deals\"\ntarget = 3", "t.toml:4: `match`: needs `deals`, the number of deals");
    assert_eq!(make("[match]\nend = \"deals\"\ndeals = 3").unwrap().ending(), Ending::Deals(3));
}

/// Rows of several groups add up, and limits hold at the end.
#[test]
fn groups_add_up_and_scores_have_limits() {
    let game = make(
        "[score]\nlowest = 3\nhighest = 20\nlet = [\"double = 2 * tricks\"]\n\
         row = [{ when = \"dealer\", points = 1, name = \"deals\" }, { points = \"double\", name = \"plays\" },\n\
         { group = \"more\", when = \"tricks > 3\", points = 5, exceptional = true }]",
    )
    .unwrap();
    assert_eq!(game.score_range(), 0..=20);
    let mut exceptional = 0;
    for number in 0..100 {
        let mut rng = SeedSource::new(47, "groups", "").stream(number, 0);
        let dealer = Seat::new(usize::try_from(number).unwrap() % 3);
        let mut state = game.deal(Setup { dealer, last_deal: false }, &mut rng);
        game.play_out(&mut state, |state| Move::card(rng.card(game.legal(state).card_set())));
        let won = Seat::all(3).map(|seat| i32::from(state.table.tricks_won(Place::hand(seat))));
        let mut scores = Vec::new();
        for (seat, tricks) in Seat::all(3).zip(won.clone()) {
            let main = if seat == dealer { 1 } else { 2 * tricks };
            scores.push((main + if tricks > 3 { 5 } else { 0 }).clamp(3, 20));
            let name = if seat == dealer { "deals" } else { "plays" };
            let more = if tricks > 3 { ", row 3" } else { "" };
            let plural = if tricks == 1 { "" } else { "s" };
            assert_eq!(game.reasons(&state)[seat.index()], format!("{tricks} trick{plural}: {name}{more}"));
        }
        let found = game.scores(&state);
        assert_eq!(found.of(3), scores);
        assert_eq!(game.is_exceptional(&state, &found), won.clone().any(|tricks| tricks > 3));
        exceptional += u32::from(game.is_exceptional(&state, &found));
    }
    assert!(exceptional > 50, "{exceptional}");
}
