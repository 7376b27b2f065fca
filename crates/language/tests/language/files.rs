//! Files: keys, options, their errors, and the schema for editors.

use std::path::Path;

use overtrick_language::compile::Resolver;
use overtrick_language::source::{GameFile, OptionValue};
use overtrick_toml::{Source, key};

const HEAD: &str = "game = \"test\"\nabout = \"a test\"\nsource = \"none\"\n";

fn parse(keys: &str) -> Result<GameFile, String> {
    GameFile::parse(Path::new("t.toml"), format!("{HEAD}{keys}")).map_err(|error| error.to_string())
}

#[track_caller]
fn refused(keys: &str, message: &str) {
    let found = parse(keys).err().unwrap_or_else(|| panic!("accepted: {keys}"));
    assert!(found.starts_with(message), "{keys}\n{found}\n{message}");
    crate::wrong_games::assert_line(&found);
}

#[test]
fn a_file_needs_a_name_a_line_about_it_and_a_source() {
    let parse = |text: &str| {
        GameFile::parse(Path::new("t.toml"), text.to_owned())
            .map(|file| file.name().to_owned())
            .map_err(|e| e.to_string())
    };
    assert_eq!(parse(HEAD).unwrap(), "test");
    for (text, message) in [
        ("", "t.toml: a game needs `game`: its name"),
        ("game = \"x\"", "t.toml: a game needs `about`: the game in one line"),
        ("game = \"x\"\nabout = \" \"", "t.toml: a game needs `about`"),
        ("game = \"x\"\nabout = \"a\\nb\"", "t.toml: a game needs `about`"),
        ("game = \"x\"\nabout = \"y\"", "t.toml: a game needs `source`: the rule text that the file follows"),
        ("game = \"a b\"\nabout = \"y\"\nsource = \"z\"", "t.toml:1: `game`: \"a b\" is no name; use letters"),
        ("game = \"all\"\nabout = \"y\"\nsource = \"z\"", "t.toml:1: `game`: \"all\" is no name"),
        ("game = 3", "t.toml:1: `game`: is of the wrong kind"),
        ("game = ", "t.toml:1: "),
    ] {
        assert!(parse(text).unwrap_err().starts_with(message), "{text}: {:?}", parse(text));
    }
}

#[test]
fn unknown_keys_are_refused_with_a_suggestion_and_later_keys_by_name() {
    refused("langauge = 1", "t.toml:4: `langauge`: unknown key `langauge` (did you mean language?)");
    refused("language = 2", "t.toml:4: `language`: is 2, and this program reads language 1; use a newer overtrick");
    refused("[deck]\nrank = \"AK\"", "t.toml:5: `deck.rank`: unknown key `rank` (did you mean ranks?)");
    refused("[seats]\nplayer = 3", "t.toml:5: `seats.player`: unknown key `player` (did you mean players?)");
    refused(
        "[[seats.dummies]]\nfaces = \"up\"",
        "t.toml:5: `seats.dummies #1.faces`: unknown key `faces` (did you mean face?)",
    );
    refused(
        "[[score.row]]\n[[score.row]]\npoint = 1",
        "t.toml:6: `score.row #2.point`: unknown key `point` (did you mean points?)",
    );
    refused("[seats]\nout = true", "t.toml:5: `seats.out`: is not supported yet; leave it out");
    refused("[passing]\ntogether = true", "t.toml:5: `passing.together`: is not supported yet; leave it out");
    refused("[play]\nsecond-must = []", "t.toml:5: `play.second-must`: is not supported yet; leave it out");
}

#[test]
fn values_of_the_wrong_kind_or_out_of_range_are_refused() {
    refused("[seats]\nplayers = 5", "t.toml:5: `seats.players`: is 5, and must be 2 to 4");
    refused("[seats]\nplayers = 3.5", "t.toml:5: `seats.players`: is of the wrong kind");
    refused("[seats]\nplayers = 99999999999", "t.toml:5: `seats.players`: is 99999999999, and must be 2 to 4");
    refused(
        "[seats]\nfirst-dealer = \"seat-4\"",
        "t.toml:5: `seats.first-dealer`: unknown choice `seat-4` (did you mean seat-0?)",
    );
    refused("[trumps]\nsnap = 1", "t.toml:5: `trumps.snap`: is of the wrong kind: integer `1`, expected true, false");
    refused(
        "[trumps]\nsnap = \"yes\"",
        "t.toml:5: `trumps.snap`: is the text \"yes\"; write true or false, or \"=NAME\"",
    );
    refused("[match]\ntarget = 0", "t.toml:5: `match.target`: is 0, and must be 1 to 100000");
    refused("[[score.row]]\npoints = true", "t.toml:5: `score.row #1.points`: is of the wrong kind");
    refused("[[score.row]]\nwhen = 3", "t.toml:5: `score.row #1.when`: is of the wrong kind");
}

#[test]
fn options_have_a_default_a_range_and_a_meaning() {
    let about = "about = \"x\"";
    for (keys, message) in [
        ("default = 3", "t.toml:5: `options.x`: needs `about`: the meaning of the option, in one line"),
        (about, "t.toml:5: `options.x`: needs `default`: a whole number, true or false, or a word"),
        ("default = 3, about = \"x\"", "t.toml:5: `options.x`: needs `range = [low, high]`"),
        ("default = 3, range = [4, 5], about = \"x\"", "t.toml:5: `options.x.default`: is 3, but must be 4 to 5"),
        ("default = 3, range = [5, 4], about = \"x\"", "t.toml:5: `options.x.range`: is empty, since 5 is above 4"),
        ("default = 3, range = [0, 100001], about = \"x\"", "t.toml:5: `options.x.range`: must lie within -100000"),
        ("default = 3, range = [0, 9], step = 0, about = \"x\"", "t.toml:5: `options.x.step`: is 0, and must be 1 to"),
        (
            "default = 3, range = [0, 9], step = 2, about = \"x\"",
            "t.toml:5: `options.x.default`: is 3, but must be a multiple of 2",
        ),
        ("default = true, range = [0, 1], about = \"x\"", "t.toml:5: `options.x.range`: is for numbers"),
        ("default = true, step = 3, about = \"x\"", "t.toml:5: `options.x.step`: is for numbers"),
        ("default = true, values = [\"a\"], about = \"x\"", "t.toml:5: `options.x.values`: is for words"),
        ("default = \"a\", about = \"x\"", "t.toml:5: `options.x`: needs `values`: the words that it may be"),
        ("default = \"a\", values = [], about = \"x\"", "t.toml:5: `options.x`: needs `values`"),
        (
            "default = \"a\", values = [\"b\", \"c\"], about = \"x\"",
            "t.toml:5: `options.x.default`: is \"a\", but must be one of b, c",
        ),
        ("default = 1.5, about = \"x\"", "t.toml:5: `options.x.default`: must be a whole number, true or false"),
        ("defalt = 1", "t.toml:5: `options.x.defalt`: unknown key `defalt` (did you mean default?)"),
    ] {
        refused(&format!("[options]\nx = {{ {keys} }}"), message);
    }
    for name in ["X", "1a", "a-1", "a_b", "if", "mod"] {
        let text = format!("[options]\n\"{name}\" = {{ default = true, about = \"x\" }}");
        refused(&text, &format!("t.toml:5: `options.{name}`: is no name for an option"));
    }
}

const OPTIONS: &str = "[options]
players = { default = 3, range = [2, 4], about = \"a\" }
face = { default = \"up\", values = [\"up\", \"after-lead\"], about = \"b\" }
snapping = { default = true, about = \"c\" }
points = { default = 20, range = [0, 100], step = 10, about = \"d\" }
";

#[test]
fn variants_set_options() {
    let file = parse(OPTIONS).unwrap();
    let set = |text: &str| {
        let source = Source::parse(Path::new("v.toml"), format!("[rules]\n{text}")).unwrap();
        let changes = source.table()["rules"].as_table().unwrap().clone();
        file.values(&changes, &source, &key("rules")).map_err(|error| error.to_string())
    };
    assert_eq!(set("").unwrap(), file.defaults());
    let values = set("face = \"after-lead\"\npoints = 30").unwrap();
    assert_eq!(values["face"], OptionValue::Word("after-lead".to_owned()));
    assert_eq!((&values["points"], &values["players"]), (&OptionValue::Integer(30), &OptionValue::Integer(3)));
    for (text, message) in [
        ("pionts = 30", "v.toml:2: `rules.pionts`: is no option of test (did you mean points?); there are face, "),
        ("points = 35", "v.toml:2: `rules.points`: is 35, but must be a multiple of 10"),
        ("points = 110", "v.toml:2: `rules.points`: is 110, but must be 0 to 100"),
        ("points = true", "v.toml:2: `rules.points`: is of the wrong kind: write a whole number"),
        ("snapping = 1", "v.toml:2: `rules.snapping`: is of the wrong kind: write true or false"),
        ("face = \"down\"", "v.toml:2: `rules.face`: is \"down\", but must be one of up, after-lead"),
        ("face = 1", "v.toml:2: `rules.face`: is of the wrong kind: write a word"),
    ] {
        assert!(set(text).unwrap_err().starts_with(message), "{text}: {:?}", set(text));
    }
}

#[test]
fn keys_take_the_values_of_options() {
    let keys = format!(
        "{OPTIONS}[seats]\nplayers = \"=players - 1\"\n[trumps]\nsnap = \"=snapping and points > 10\"\n\
         [[seats.dummies]]\nface = \"=face\"\n[match]\ntarget = \"=points\"\ndeals = \"=plyers\"\nties = \"=snapping\""
    );
    let file = parse(&keys).unwrap();
    let values = file.defaults();
    let resolver = Resolver { file: &file, values: &values };
    let players = file.keys().seats.players.as_ref().unwrap();
    let error = resolver.amount(&["seats", "players"], players).unwrap_err().to_string();
    assert!(error.starts_with("t.toml:10: `seats.players`: could be 1, and must be 2 to 4; narrow"), "{error}");
    assert_eq!(resolver.flag(&["trumps", "snap"], file.keys().trumps.snap.as_ref().unwrap()), Ok(true));
    let deals = file.keys().end.deals.as_ref().unwrap();
    let error = resolver.amount(&["match", "deals"], deals).unwrap_err().to_string();
    assert!(error.contains("`match.deals`: column 2: `plyers` is no name here (did you mean players?)"), "{error}");
    let target = file.keys().end.target.as_ref().unwrap();
    let error = resolver.amount(&["match", "target"], target).unwrap_err().to_string();
    assert!(error.contains("`match.target`: could be 0, and must be 1 to 100000"), "{error}");
    let ties = file.keys().end.ties.as_ref().unwrap();
    let error = resolver.choice(&["match", "ties"], ties).unwrap_err().to_string();
    assert!(error.contains("`match.ties`: needs a word, and option `snapping` is none"), "{error}");
}

/// Every key has a comment, and the schema closes every table.
#[cfg(feature = "schema")]
#[test]
fn the_schema_describes_every_key() {
    fn look(schema: &serde_json::Value, path: &str, count: &mut usize) {
        if let Some(properties) = schema["properties"].as_object() {
            assert_eq!(schema["additionalProperties"], false, "{path} is closed");
            for (key, inner) in properties {
                let text = inner["description"].as_str().unwrap_or_default();
                assert!(text.len() > 8, "{path}.{key} has a comment: {inner}");
                *count += 1;
            }
        }
        match schema {
            serde_json::Value::Object(parts) => {
                parts.iter().for_each(|(key, part)| look(part, &format!("{path}.{key}"), count));
            }
            serde_json::Value::Array(parts) => parts.iter().for_each(|part| look(part, path, count)),
            _ => {}
        }
    }
    let schema = overtrick_language::source::file_schema().to_value();
    let mut count = 0;
    look(&schema, "", &mut count);
    assert!(count > 40, "{count} keys");
    assert!(schema.to_string().contains("\"minimum\":2") && schema.to_string().contains("\"pattern\":\"^=\""));
}

const PAGE: &str = include_str!("../../../../docs/games-in-a-file.md");

/// The page of the language lists every key with its comment.
#[cfg(feature = "schema")]
#[test]
fn the_page_of_the_language_has_every_key() {
    let schema = overtrick_language::source::file_schema().to_value();
    let tables = schema["$defs"].as_object().unwrap().values().chain([&schema]);
    let mut count = 0;
    for (key, field) in tables.filter_map(|table| table["properties"].as_object()).flatten() {
        let about = field["description"].as_str().unwrap();
        let is_table = field["$ref"].is_string() || key == "options";
        let listed = PAGE.contains(&format!("| `{key}` | {about} |"));
        assert!(listed || is_table && PAGE.contains(&format!("## `{key}`")), "{key}: {about}");
        count += 1;
    }
    assert!(count > 60, "{count} keys");
}

#[test]
fn the_example_of_the_page_is_a_game() {
    let (_, rest) = PAGE.split_once("```toml\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let file = GameFile::parse(Path::new("three-trumps.toml"), example.to_owned()).unwrap();
    let values = file.defaults();
    let game = overtrick_language::DeclaredGame::of(std::sync::Arc::new(file), &values).unwrap();
    assert_eq!(overtrick_game::Game::score_range(&game), 0..=18);
}
