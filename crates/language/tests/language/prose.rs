//! The rules of game files as prose.

use std::path::Path;
use std::sync::Arc;

use overtrick_language::source::GameFile;
use overtrick_language::{DeclaredGame, rules_page};
use overtrick_toml::InputError;

use crate::same_game::{declared, game_file, shipped};

#[test]
fn the_pages_of_the_shipped_games_are_pinned() {
    for name in ["call-break", "euchre-4", "hearts", "manille", "oh-hell", "spades", "sueca", "whist"] {
        insta::assert_snapshot!(name, rules_page(&shipped(name), name).unwrap());
    }
    for name in ["euchre", "colour-blind", "dumbo"] {
        let game = declared(&game_file(&format!("{name}.toml")), &toml::Table::new());
        insta::assert_snapshot!(name, rules_page(&game, name).unwrap());
    }
}

/// Returns the page of a game with these tables.
#[track_caller]
fn page(text: &str) -> String {
    page_of(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn page_of(text: &str) -> Result<String, InputError> {
    let file = GameFile::parse(Path::new("t.toml"), text.to_owned())?;
    let values = file.defaults();
    rules_page(&DeclaredGame::of(Arc::new(file), &values)?, "test")
}

const PLAIN: &str = "game = \"test\"\nabout = \"a test\"\nsource = \"none\"
[seats]
players = 4
[deal]
hand = 13
[[score.row]]
points = \"mine(tricks)\"
[match]
target = 50
";

const TRIO: &str = "game = \"test\"\nabout = \"a test\"\nsource = \"none\"
[seats]
players = 3
[deal]
hand = 13
[[score.row]]
points = \"tricks\"
[match]
target = 50
";

/// A game of partners with bids and cards that count.
const PARTNERS: &str = "game = \"test\"\nabout = \"a test\"\nsource = \"none\"
cite = { follow = \"F1\", turn = \"T1\" }
[options]
bonus = { default = 4, range = [0, 20], step = 2, about = \"the bonus\" }
word = { default = \"23456789TJQKA\", values = [\"23456789TJQKA\", \"A23456789TJQK\"], about = \"the ranks\" }
[deck]
ranks = \"=word\"
suit-ranks = { H = \"A23456789TJQK\" }
[seats]
partners = \"opposite\"
first-dealer = \"first-of\"
first-of = \"JC JS\"
[deal]
hand = 12
turn-up = \"next\"
[trumps]
suit = \"turned\"
ranks = \"23456789TQKAJ\"
top = \"AS\"
[auction]
style = \"exact\"
first = \"dealer\"
levels = [1, 11]
sum-not = 12
[play]
leads = \"dealer\"
first-card = \"2C\"
must = [\"follow\", \"trump\", \"beat\"]
partner-wins = \"free\"
[[play.bar]]
cards = \"*H\"
when = \"lead\"
until-played = \"QS\"
[score]
by = \"side\"
penalty = false
values = { \"A*\" = 3 }
counts = { hearts = \"*H\" }
let = [\"won = mine(points + hearts)\"]
lowest = -9
highest = 99
[[score.row]]
when = \"won > 3\"
points = \"won + bonus\"
name = \"many\"
[[score.row]]
group = \"more\"
for = \"dealer\"
points = 1
exceptional = true
[match]
target = 50
ties = \"shared\"
";

/// A game in which cards are passed.
const PASSING: &str = "game = \"test\"\nabout = \"a test\"\nsource = \"none\"
[seats]
players = 4
[passing]
cards = 3
to = [\"left\", \"none\"]
[[score.row]]
points = \"tricks\"
[match]
target = 50
";

/// A game for three in which trumps are made.
const ROUNDS: &str = "game = \"test\"\nabout = \"a test\"\nsource = \"none\"
[seats]
players = 3
[[seats.dummies]]
name = \"blind\"
opposite = \"forehand\"
played-by = \"rearhand\"
face = \"player\"
[deal]
hand = 5
turn-up = \"next\"
[trumps]
suit = \"rounds\"
kind = \"making\"
[[trumps.rounds]]
call = \"up\"
suit = \"turned\"
taker = \"dealer\"
may-discard-taken = false
kind = \"ups\"
dealer-kind = \"own-ups\"
[[trumps.rounds]]
call = \"name\"
suit = \"any\"
not-turned = true
last = \"must\"
[score]
made = \"tricks > 2\"
reason = \"{tricks}\"
row = [{ for = \"declarer\", points = \"tricks\" }]
[match]
end = \"deals\"
deals = 9
";

/// A game with prizes and jokers.
const PRIZES: &str = "game = \"test\"\nabout = \"a test\"\nsource = \"none\"
language = 1
[deck]
suits = \"CDHS\"
without = \"2C\"
jokers = 2
[seats]
players = 3
[deal]
hand = 13
row = 13
row-last = 1
row-last-to = \"last-trick\"
[trumps]
compete = \"all\"
[score]
row-values = { base = { \"A*\" = 1 }, flip-when = \"red < black\", remark = \"{colour}\" }
row = [{ points = \"points\" }]
[match]
target = 9
";

/// A change of a key: its path, the game, the text that is replaced, and the new one.
type KeyChange = (&'static str, &'static str, &'static str, &'static str);

/// A change of every key that has an effect on the rules.
const CHANGES: &[KeyChange] = &[
    ("game", PARTNERS, "game = \"test\"", "game = \"other\""),
    ("about", PARTNERS, "about = \"a test\"", "about = \"another\""),
    ("source", PARTNERS, "source = \"none\"", "source = \"a book\""),
    ("cite.follow", PARTNERS, "\"F1\"", "\"F2\""),
    ("cite.turn", PARTNERS, "\"T1\"", "\"T2\""),
    ("options.default", PARTNERS, "default = 4", "default = 6"),
    ("options.range", PARTNERS, "[0, 20]", "[0, 22]"),
    ("options.step", PARTNERS, "step = 2", "step = 4"),
    ("options.values", PARTNERS, "[\"23456789TJQKA\", ", "[\"A23456789TJQK\", \"23456789TJQKA\", "),
    ("options.about", PARTNERS, "the bonus", "the extra"),
    ("deck.ranks", PARTNERS, "ranks = \"=word\"", "ranks = \"K23456789TJQA\""),
    (
        "deck.suits",
        PRIZES,
        "suits = \"CDHS\"\nwithout = \"2C\"\njokers = 2",
        "suits = \"HDCS\"\nwithout = \"2C\"\njokers = 2",
    ),
    ("deck.without", PRIZES, "\"2C\"", "\"3C\""),
    ("deck.jokers", PRIZES, "without = \"2C\"\njokers = 2", "jokers = 1"),
    ("deck.suit-ranks", PARTNERS, "{ H = ", "{ D = "),
    ("match.loss-at", PLAIN, "target = 50", "target = 50\nloss-at = -20"),
    ("passing.cards", PASSING, "cards = 3", "cards = 2"),
    ("passing.to", PASSING, "\"left\", ", "\"left\", \"across\", "),
    ("seats.players", PLAIN, "players = 4", "players = 3"),
    ("seats.partners", PLAIN, "players = 4", "players = 4\npartners = \"opposite\""),
    ("seats.first-dealer", PARTNERS, "first-dealer = \"first-of\"\nfirst-of = \"JC JS\"", "first-dealer = \"random\""),
    ("seats.first-of", PARTNERS, "\"JC JS\"", "\"JC\""),
    ("seats.dummies.name", ROUNDS, "\"blind\"", "\"open\""),
    ("seats.dummies.opposite", ROUNDS, "opposite = \"forehand\"", "opposite = \"dealer\""),
    ("seats.dummies.played-by", ROUNDS, "played-by = \"rearhand\"", "played-by = \"dealer\""),
    ("seats.dummies.face", ROUNDS, "face = \"player\"", "face = \"up\""),
    ("deal.hand", ROUNDS, "hand = 5", "hand = 6"),
    ("deal.hands", ROUNDS, "hand = 5", "hands = [5, 4]"),
    ("deal.row", TRIO, "hand = 13", "hand = 13\nrow = 13"),
    // A card less lies on the table, so the deck has one less, too. The last test asks for the sentence.
    (
        "deal.row-last",
        PRIZES,
        "jokers = 2\n[seats]\nplayers = 3\n[deal]\nhand = 13\nrow = 13\nrow-last = 1\nrow-last-to = \"last-trick\"",
        "jokers = 1\n[seats]\nplayers = 3\n[deal]\nhand = 13\nrow = 13\nrow-last = 0",
    ),
    ("deal.row-last-to", PRIZES, "\"last-trick\"", "\"none\""),
    ("deal.turn-up", PARTNERS, "turn-up = \"next\"", "turn-up = \"dealers-last\""),
    ("trumps.suit", PARTNERS, "suit = \"turned\"", "suit = \"H\""),
    ("trumps.ranks", PARTNERS, "ranks = \"23456789TQKAJ\"", "ranks = \"23456789TJQKA\""),
    ("trumps.top", PARTNERS, "top = \"AS\"", "top = \"KS\""),
    ("trumps.snap", PARTNERS, "top = \"AS\"", "top = \"AS\"\nsnap = true"),
    ("trumps.compete", PRIZES, "compete = \"all\"", "compete = \"led\""),
    ("trumps.rounds.call", ROUNDS, "call = \"up\"", "call = \"order\""),
    ("trumps.rounds.suit", ROUNDS, "suit = \"turned\"", "suit = \"any\""),
    ("trumps.rounds.taker", ROUNDS, "taker = \"dealer\"", "taker = \"forehand\""),
    ("trumps.rounds.may-discard-taken", ROUNDS, "may-discard-taken = false", "may-discard-taken = true"),
    ("trumps.rounds.not-turned", ROUNDS, "not-turned = true", "not-turned = false"),
    ("trumps.rounds.last", ROUNDS, "suit = \"turned\"", "suit = \"turned\"\nlast = \"must\""),
    ("trumps.rounds.kind", ROUNDS, "kind = \"ups\"", "kind = \"downs\""),
    ("trumps.rounds.dealer-kind", ROUNDS, "\"own-ups\"", "\"own-downs\""),
    ("auction.style", PARTNERS, "style = \"exact\"", "style = \"none\""),
    ("auction.first", PARTNERS, "first = \"dealer\"", "first = \"rearhand\""),
    ("auction.levels", PARTNERS, "[1, 11]", "[0, 11]"),
    ("auction.sum-not", PARTNERS, "sum-not = 12", "sum-not = 11"),
    ("auction.side-most", PARTNERS, "sum-not = 12", "side-most = 12"),
    ("play.leads", PARTNERS, "leads = \"dealer\"", "leads = \"rearhand\""),
    ("play.first-card", PARTNERS, "first-card = \"2C\"", "first-card = \"3C\""),
    ("play.must", PARTNERS, "\"beat\"", "\"beat-if-trump\""),
    ("play.partner-wins", PARTNERS, "\"free\"", "\"free-if-void\""),
    ("play.bar.cards", PARTNERS, "cards = \"*H\"", "cards = \"*S\""),
    ("play.bar.when", PARTNERS, "when = \"lead\"", "when = \"first-trick\""),
    ("play.bar.until-played", PARTNERS, "until-played = \"QS\"", "until-played = \"KS\""),
    ("score.by", PARTNERS, "by = \"side\"", "by = \"seat\""),
    ("score.penalty", PARTNERS, "penalty = false", "penalty = true"),
    ("score.values", PARTNERS, "{ \"A*\" = 3 }", "{ \"A*\" = 4 }"),
    ("score.counts", PARTNERS, "hearts = \"*H\"", "hearts = \"*D\""),
    ("score.let", PARTNERS, "mine(points + hearts)", "mine(points - hearts)"),
    ("score.made", ROUNDS, "made = \"tricks > 2\"", "made = \"tricks > 3\""),
    ("score.row-values.base", PRIZES, "{ \"A*\" = 1 }", "{ \"A*\" = 2 }"),
    ("score.row-values.flip-when", PRIZES, "red < black", "red > black"),
    ("score.lowest", PARTNERS, "lowest = -9", "lowest = -8"),
    ("score.highest", PARTNERS, "highest = 99", "highest = 98"),
    ("score.row.group", PARTNERS, "group = \"more\"", "group = \"less\""),
    ("score.row.for", PARTNERS, "for = \"dealer\"", "for = \"each\""),
    ("score.row.when", PARTNERS, "won > 3", "won > 4"),
    ("score.row.points", PARTNERS, "won + bonus", "won - bonus"),
    ("score.row.name", PARTNERS, "name = \"many\"", "name = \"most\""),
    ("score.row.exceptional", PARTNERS, "exceptional = true", "exceptional = false"),
    ("match.end", ROUNDS, "end = \"deals\"", "end = \"target\"\ntarget = 9"),
    ("match.target", PARTNERS, "target = 50", "target = 40"),
    ("match.deals", ROUNDS, "deals = 9", "deals = 8"),
    ("match.ties", PARTNERS, "ties = \"shared\"", "ties = \"seat\""),
];

/// Keys without an effect on how a game is played, each with the reason.
#[cfg(feature = "schema")]
const EXEMPT: &[(&str, &str)] = &[
    ("language", "there is one version"),
    ("trumps.kind", "a word of records"),
    ("score.reason", "a text of records"),
    ("score.row-values.remark", "a text of records"),
];

#[test]
fn a_change_of_any_key_changes_the_page() {
    let mut wrong = Vec::new();
    for (key, game, old, new) in CHANGES {
        assert_eq!(game.matches(old).count(), 1, "{key}: {old}");
        let before = page(game);
        match page_of(&game.replace(old, new)) {
            Err(error) => wrong.push(format!("{key}: {error}")),
            Ok(after) if after == before => wrong.push(format!("{key} has no effect")),
            Ok(after) => {
                let is_wide = |line: &str| line.chars().count() > 100 && !line.starts_with('|');
                wrong.extend(after.lines().filter(|line| is_wide(line)).map(|line| format!("{key}: {line}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Adds the keys of a schema's table to `keys`, as paths.
#[cfg(feature = "schema")]
fn add_keys(schema: &serde_json::Value, table: &serde_json::Value, path: &str, keys: &mut Vec<String>) {
    for (key, field) in table["properties"].as_object().unwrap() {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let inner = [&field["$ref"], &field["items"]["$ref"], &field["additionalProperties"]["$ref"]];
        let inner = inner.into_iter().find_map(|name| name.as_str()?.strip_prefix("#/$defs/"));
        match inner.map(|name| &schema["$defs"][name]).filter(|inner| inner["properties"].is_object()) {
            Some(inner) => add_keys(schema, inner, &path, keys),
            None => keys.push(path),
        }
    }
}

/// Returns all keys of the language, as paths with dots.
#[cfg(feature = "schema")]
pub fn schema_keys() -> Vec<String> {
    let schema = overtrick_language::source::file_schema().to_value();
    let mut keys = Vec::new();
    add_keys(&schema, &schema, "", &mut keys);
    keys
}

#[cfg(feature = "schema")]
#[test]
fn every_key_of_the_language_is_on_the_page() {
    let mut keys = schema_keys();
    let changed = CHANGES.iter().map(|(key, ..)| *key);
    let mut known: Vec<&str> = changed.chain(EXEMPT.iter().map(|(key, _)| *key)).collect();
    known.sort_unstable();
    keys.sort_unstable();
    assert_eq!(known, keys);
}

/// The page has the values of a variant, and not those of the file alone.
#[test]
fn a_variant_has_its_own_page() {
    let file = game_file("dumbo.toml");
    let changes: toml::Table = toml::from_str("snapping = false\nsweep-score = 77\nface = \"player\"").unwrap();
    let text = rules_page(&declared(&file, &changes), "my-dumbo").unwrap();
    assert!(text.starts_with("# my-dumbo\n") && text.contains("The game is `dumbo-file`"), "{text}");
    assert!(text.contains("| 77 (`sweep-score`) |") && text.contains("| `sweep-score` | 77 |"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Only the player who plays its cards sees them (`face`)."), "{text}");
    assert!(!words.contains("(`snapping`)"), "{text}");
}

/// Keys take an expression with an equals sign before it, too.
#[test]
fn an_equals_sign_before_an_expression_changes_nothing() {
    assert_eq!(page(&TRIO.replace("points = \"tricks\"", "points = \"=tricks\"")), page(TRIO));
}

#[test]
fn jokers_outside_the_trumps_and_a_last_prize_have_a_rule() {
    assert!(page(PRIZES).contains("One more card lies face down at the end of the row, and the winner of the last"));
    let joker = "A joker that is no trump is the lowest card";
    assert!(page(PRIZES).contains(joker));
    assert!(!page(&PRIZES.replace("compete = \"all\"", "top = \"BJ LJ\"")).contains(joker));
    assert!(!page(PLAIN).contains(joker));
}
