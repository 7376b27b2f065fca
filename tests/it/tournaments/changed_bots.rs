//! Bots that a config names as changes of others.

use std::fs;
use std::path::Path;

use overtrick::strategies::{Bot, Register};
use overtrick::toml_source::{Source, key};
use overtrick::tournament::{Overrides, Tournament};
use tempfile::TempDir;

/// A folder with a bot `mine`, which is not one of those built in.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bots")).unwrap();
    let manifest = "name = \"mine\"\nabout = \"thinks\"\nstrategy = \"pimc\"\n[parameters]\nworlds = 5\nspite = 0.5\n";
    fs::write(folder.path().join("bots/mine.toml"), manifest).unwrap();
    folder
}

/// The bot that stands third in a list, after a line.
fn found(folder: &Path, element: &str) -> Result<Bot, String> {
    let text = format!("bots = [\"random\", \"rule-based\",\n{element}]\n");
    let source = Source::parse(&folder.join("t.toml"), text).unwrap();
    let bot = Register::default().find_bot(&source, &key("bots.2"), &source.table()["bots"][2]);
    bot.map_err(|error| error.to_string().replace(&format!("{}/", folder.display()), ""))
}

fn tournament(folder: &Path, element: &str) -> Result<Tournament, String> {
    let text =
        format!("seed = 1\ndeals = 10\nvariants = [\"dumbo\"]\nbots = [\"random\", \"rule-based\",\n{element}]\n");
    let source = Source::parse(&folder.join("t.toml"), text).unwrap();
    Tournament::resolve(&source, Overrides::default())
        .map_err(|error| error.to_string().replace(&format!("{}/", folder.display()), ""))
}

#[test]
fn a_change_in_each_spelling_is_the_bot_written_out() {
    let folder = folder();
    let rules = Bot::built_in().find(|bot| bot.name == "rule-based").unwrap();
    for parameters in [
        "\"dumbo.ambition\" = 0.25",
        "dumbo.ambition = 0.25",
        "dumbo = { ambition = 0.25 }",
        "\"dumbo\".ambition = 0.25",
    ] {
        let element = format!("{{ bot = \"rule-based\", name = \"bold\", parameters = {{ {parameters} }} }}");
        let bold = found(folder.path(), &element).unwrap();
        assert_eq!((bold.name.as_str(), &bold.about), ("bold", &rules.about), "{parameters}");
        let mut expected = rules.spec.parameters();
        expected["dumbo"]["ambition"] = 0.25.into();
        assert_eq!(bold.spec.parameters(), expected, "{parameters}");
    }
    // The base may be a file, in the config's folder or by its name, and keeps what is not changed.
    for base in ["mine", "bots/mine.toml"] {
        let element = format!("{{ bot = {base:?}, about = \"more\", parameters.worlds = 7 }}");
        let more = found(folder.path(), &element).unwrap();
        let parameters = more.spec.parameters();
        assert_eq!((more.name.as_str(), more.about.as_str()), ("mine", "more"));
        assert_eq!((&parameters["worlds"], &parameters["spite"]), (&7.into(), &0.5.into()));
    }
    // Names, files and whole manifests are found as before.
    assert_eq!(found(folder.path(), "\"mine\"").unwrap(), found(folder.path(), "\"bots/mine.toml\"").unwrap());
    assert_eq!(found(folder.path(), "{ name = \"x\", strategy = \"random\" }").unwrap().name, "x");
}

#[test]
fn manifests_take_keys_with_dots_in_quotes() {
    let folder = folder();
    let write = |parameters: &str| {
        let text = format!("name = \"q\"\nstrategy = \"rule-based\"\n[parameters]\n{parameters}\n");
        fs::write(folder.path().join("bots/q.toml"), text).unwrap();
        found(folder.path(), "\"q\"")
    };
    let quoted = write("\"dumbo.ambition\" = 0.25").unwrap();
    assert_eq!(quoted, write("dumbo.ambition = 0.25").unwrap());
    let message = write("\"dumbo.ambition\" = 9.0").unwrap_err();
    assert!(message.contains("q.toml:4: `parameters.dumbo.ambition`: is 9, but must be "), "{message}");
    let message = write("\"dumbo.ambition\" = 0.25\n\n[parameters.dumbo]\nambition = 0.5").unwrap_err();
    assert!(message.contains("q.toml:7: `parameters.dumbo.ambition`: is set twice, in two spellings"), "{message}");
}

#[test]
fn a_wrong_change_is_refused_where_it_stands() {
    let folder = folder();
    for (element, start) in [
        (
            "{ bot = \"rule-based\", name = \"x\", parameters = { \"dumbo.ambiton\" = 0.4 } }",
            "t.toml:2: `bots #3.parameters.dumbo.ambiton`: unknown key `ambiton` (did you mean ambition?)",
        ),
        (
            "{ bot = \"rule-based\", name = \"x\", parameters = {\n\"euchre.courage\" = 0.5,\n\"dumbo.ambition\" = 9 } }",
            "t.toml:4: `bots #3.parameters.dumbo.ambition`: is 9, but must be ",
        ),
        (
            "{ bot = \"mine\", name = \"x\", parameters = { worlds = \"many\" } }",
            "t.toml:2: `bots #3.parameters.worlds`: is of the wrong kind: ",
        ),
        (
            "{ bot = \"mine\", parameters = {\n\"a.b\" = 1,\na = { b = 2 } } }",
            "t.toml:4: `bots #3.parameters.a.b`: is set twice, in two spellings; take one of them out",
        ),
        (
            "{ bot = \"mine\",\nstrategy = \"pimc\" }",
            "t.toml:3: `bots #3.strategy`: does not go with `bot`, which has its own strategy: take out one",
        ),
        ("{ bot = \"mien\" }", "t.toml:2: `bots #3.bot`: there is no bot \"mien\" (did you mean mine?); looked for "),
        ("{ bot = 3 }", "t.toml:2: `bots #3.bot`: is of the wrong kind: "),
        ("{ bot = \"mine\", nmae = \"x\" }", "t.toml:2: `bots #3.nmae`: unknown key `nmae` (did you mean name?)"),
        (
            "{ bot = \"mine\", name = \"all\" }",
            "t.toml:2: `bots #3.name`: \"all\" is the name for all bots or variants",
        ),
        ("3", "t.toml:2: `bots #3`: is neither a name, a file nor a table"),
    ] {
        let message = found(folder.path(), element).unwrap_err();
        assert!(message.starts_with(start) && message.lines().count() == 1, "{element}: {message}");
    }
}

#[test]
fn a_tournament_plays_a_bot_beside_its_change() {
    let folder = folder();
    let bold = "{ bot = \"rule-based\", name = \"bold\", parameters = { \"dumbo.ambition\" = 0.25 } }";
    let tournament = tournament(folder.path(), bold).unwrap();
    let names: Vec<&str> = tournament.bots.iter().map(|bot| bot.name.as_str()).collect();
    assert_eq!(names, ["random", "rule-based", "bold"]);
    assert_ne!(tournament.bots[1].spec, tournament.bots[2].spec);
    // The configuration that results keep names nothing outside of it.
    let again = Source::parse(Path::new("config.toml"), tournament.to_toml()).unwrap();
    assert_eq!(Tournament::resolve(&again, Overrides::default()).unwrap().bots, tournament.bots);
    let message = self::tournament(folder.path(), "{ bot = \"rule-based\" }").err().unwrap();
    assert_eq!(message, "t.toml:5: `bots #3`: \"rule-based\" is listed twice; rename one of them");
}
