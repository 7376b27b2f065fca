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
pub fn refused(tables: &str, message: &str) {
    let found = make(tables).err().unwrap_or_else(|| panic!("accepted: {tables}"));
    assert!(found.starts_with(message), "{tables}\n{found}\n{message}");
    assert_line(&found);
}

/// Checks that an error is one line with a remedy.
#[track_caller]
pub fn assert_line(found: &str) {
    assert_eq!(found.lines().count(), 1, "{found}");
    // The remedy follows a semicolon, unless the error says which values there are.
    let remedies = [";", "did you mean", "must", "expected", "needs"];
    assert!(remedies.iter().any(|remedy| found.contains(remedy)), "no remedy: {found}");
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
fn wrong_rows_of_prizes_are_refused() {
    let row = |deal: &str, more: &str| format!("[deal]\nhand = 13\n{deal}\n{more}");
    refused(&row("row = 12", ""), "t.toml:6: `deal.row`: has 12 cards for 13 tricks; give each trick one");
    refused(&row("row-last = 1", ""), "t.toml:6: `deal.row-last`: lies at the end of a row; set `row`");
    refused(
        &row("row-last-to = \"last-trick\"", ""),
        "t.toml:6: `deal.row-last-to`: is for a card that lies face down",
    );
    refused(
        "[deal]\nhand = 12\nrow = 12",
        "t.toml:6: `deal.row`: finds no place next to other cards; leave out `turn-up` and deal all cards",
    );
    refused(
        "[seats]\nplayers = 3\ndummies = [{}]\n[deal]\nhand = 10\nrow = 10",
        "t.toml:9: `deal.row`: finds no place next to four hands; leave out the row",
    );
    let base = |base: &str| row("row = 13", &format!("[score]\nrow = [{{}}]\n[score.row-values.base]\n{base}"));
    refused(&base("\"AX\" = 1"), "t.toml:10: `score.row-values.base.AX`: `AX` names no cards");
    refused(
        &base("\"A*\" = 1\nAS = 2"),
        "t.toml:11: `score.row-values.base.AS`: names AS, which another pattern names; name it once",
    );
    refused(
        "[score]\nrow = [{}]\nrow-values = { flip-when = \"red > 3\" }",
        "t.toml:6: `score.row-values`: do nothing without a row; set `deal.row`",
    );
    refused(
        &row("row = 13", "[score]\nrow = [{}]\nrow-values = { flip-when = \"blue > 3\" }"),
        "t.toml:9: `score.row-values.flip-when`: column 1: `blue` is no name here; there are red, black",
    );
    refused(
        "[[score.row]]\npoints = \"points\"",
        "t.toml:5: `score.row #1.points`: column 1: `points` is no name here",
    );
}

/// Returns a game with one card turned up and these rounds.
fn rounds(rounds: &str) -> String {
    format!(
        "[deck]\nranks = \"789TJQKA\"\n[deal]\nhand = 5\nturn-up = \"next\"\n\
         [score]\nmade = \"tricks > 2\"\nrow = [{{ for = \"declarer\", points = \"tricks\" }}]\n\
         [trumps]\nsuit = \"rounds\"\n{rounds}"
    )
}

#[test]
fn wrong_rounds_are_refused() {
    let named = "[[trumps.rounds]]\ncall = \"name\"\nlast = \"must\"\n";
    let game = make(&rounds(named)).unwrap();
    let texts: Vec<String> = game.contract_kinds().into_iter().map(|kind| kind.name).collect();
    assert_eq!(
        (texts, game.call_text(1), game.call_text(5)),
        (vec!["name".to_owned(), "name by the dealer".to_owned()], Some("name C".to_owned()), None,)
    );
    for (text, message) in [
        ("", "t.toml:13: `trumps.suit`: is made in rounds; add `[[trumps.rounds]]`"),
        ("[[trumps.rounds]]\ncall = \"name\"", "t.toml:14: `trumps.rounds`: may end without trumps"),
        ("[[trumps.rounds]]\nlast = \"must\"", "t.toml:14: `trumps.rounds #1`: needs `call`"),
        ("[[trumps.rounds]]\ncall = \"pass\"", "t.toml:14: `trumps.rounds #1`: needs `call`"),
        (
            "[[trumps.rounds]]\ncall = \"up\"\nsuit = \"turned\"\nnot-turned = true",
            "t.toml:17: `trumps.rounds #1.not-turned`: refuses the only suit of this round; leave it out",
        ),
        (
            "[[trumps.rounds]]\ncall = \"up\"\ntaker = \"middlehand\"",
            "t.toml:16: `trumps.rounds #1.taker`: is no role in a game for 3",
        ),
        (
            "[[trumps.rounds]]\ncall = \"a\"\ntaker = \"dealer\"\n[[trumps.rounds]]\ncall = \"b\"\ntaker = \"forehand\"",
            "t.toml:19: `trumps.rounds #2.taker`: is another player than in a round before; name the same",
        ),
    ] {
        refused(&rounds(text), message);
    }
    refused(
        &rounds(&format!("{named}{named}")),
        "t.toml:18: `trumps.rounds #2.call`: is the call of a round before, too; give it another text",
    );
    // A table has room for 32 calls.
    let many = |number: usize| (1..=number).map(|n| named.replace("name", &format!("name{n}"))).collect::<String>();
    assert!(make(&rounds(&many(10))).is_ok());
    refused(&rounds(&many(11)), "t.toml:14: `trumps.rounds`: are 11, and 10 fit in a game for 3; leave out some");
    let plain = rounds(&format!("{named}suit = \"turned\"")).replace("turn-up = \"next\"", "");
    refused(&plain, "t.toml:17: `trumps.rounds #1.suit`: needs a card that is turned up; set `deal.turn-up`");
    refused(
        &rounds(named).replace("[deck]", "[deck]\njokers = 1"),
        "t.toml:14: `trumps.suit`: is decided in each deal, and",
    );
    refused(
        &rounds(named).replace("made = \"tricks > 2\"", ""),
        "t.toml:9: `score`: needs `made`: the condition on which the declarer makes the contract",
    );
    refused("[trumps]\nkind = \"x\"", "t.toml:5: `trumps.kind`: does nothing; set `trumps.suit = \"rounds\"`");
    refused(
        &format!("[trumps]\nsuit = \"C\"\n{named}"),
        "t.toml:6: `trumps.rounds`: do nothing; set `trumps.suit = \"rounds\"`",
    );
    refused(
        "[seats]\nplayers = 3\nfirst-of = \"JC\"",
        "t.toml:6: `seats.first-of`: does nothing; set `first-dealer = \"first-of\"`",
    );
    refused(
        "[score]\nreason = \"{good-cards}\"\nrow = [{}]",
        "t.toml:5: `score.reason`: has `{good-cards}`, and there is no row; leave it out",
    );
    refused(
        "[[score.row]]\nfor = \"declarer\"",
        "t.toml:5: `score.row #1.for`: needs a declarer, and this game has none",
    );
    refused(
        "[score]\nmade = true\nrow = [{}]",
        "t.toml:5: `score.made`: needs a declarer, and this game has none; leave it out",
    );
    refused(
        "[seats]\nplayers = 3\nfirst-dealer = \"first-of\"",
        "t.toml:6: `seats.first-dealer`: is the player who gets the first of some cards; set `seats.first-of`",
    );
    refused(
        "[seats]\nplayers = 3\nfirst-dealer = \"first-of\"\nfirst-of = \"*C\"",
        "t.toml:7: `seats.first-of`: names 13 cards, and must name 1 to 4",
    );
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
        let mut state = game.deal(Setup { dealer, ..Setup::default() }, &mut rng);
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
