//! Each problem of a league config is reported in one line that names file, line and key, and nothing is written.

use crate::fixtures::sandbox::Sandbox;

const CONFIG: &str = "seed = 7
[league]
variant = \"colour-blind-2\"
bots = [\"random\", \"cautious\", \"rule-based\"]
question = \"best\"
error = 0.05
resolution = 0.1
games = 60000
";

const GRID: &str = "seed = 7
[league]
variant = \"euchre-24\"
question = { top = 2 }
resolution = 0.1
[league.grid]
bot = \"rule-based\"
[league.grid.parameters]
\"euchre.courage\" = [1.0, 2.0, 3.0]
";

/// Checks the message for a config, which is one line and starts with a place in it.
fn refused_whole(config: &str, place: &str, parts: &[&str]) {
    let sandbox = Sandbox::new();
    sandbox.write("l.toml", config);
    let files = || std::fs::read_dir(sandbox.path("")).unwrap().count();
    let before = files();
    let message = sandbox.refused(&["league", "l.toml"]);
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.starts_with(&format!("error: l.toml:{place}")), "not at {place}: {message}");
    assert!(parts.iter().all(|part| message.contains(part)), "{parts:?}: {message}");
    assert_eq!(files(), before, "a refused league left something behind");
}

/// The same for the config with one thing replaced.
fn refused(from: &str, to: &str, place: &str, parts: &[&str]) {
    assert_eq!(CONFIG.matches(from).count(), 1, "{from}");
    refused_whole(&CONFIG.replace(from, to), place, parts);
}

/// The same for the grid with one thing replaced.
fn refused_grid(from: &str, to: &str, place: &str, parts: &[&str]) {
    assert_eq!(GRID.matches(from).count(), 1, "{from}");
    refused_whole(&GRID.replace(from, to), place, parts);
}

#[test]
fn what_is_missing_is_named() {
    refused_whole("seed = 7\n", " `league`: ", &["is missing: a table with `variant`"]);
    refused_whole("seed = 7\n[league]\n", "2: `league`: ", &["is missing"]);
    refused("seed = 7\n", "", " `seed`: ", &["is missing: give a whole number"]);
    refused("variant = \"colour-blind-2\"\n", "", "2: `league.variant`: ", &["is missing: the variant that is played"]);
    let list = "is missing: a list of names or files, or a `grid` of settings";
    refused("bots = [\"random\", \"cautious\", \"rule-based\"]\n", "", "2: `league.bots`: ", &[list]);
    refused("question = \"best\"\n", "", "2: `league.question`: ", &["is missing: \"best\", \"ranking\", { top = 5 }"]);
    let endless = CONFIG.replace("resolution = 0.1\n", "").replace("games = 60000\n", "");
    refused_whole(&endless, "2: `league.resolution`: ", &["is missing: which difference", "Or give `games`"]);
    refused_grid(
        "bot = \"rule-based\"\n",
        "",
        "6: `league.grid.bot`: ",
        &["is missing: the bot whose parameters vary"],
    );
}

#[test]
fn a_question_is_one_that_has_an_answer() {
    let question = |text: &str, place: &str, part: &str| {
        refused("\"best\"", text, &format!("5: `league.question{place}`: "), &[part]);
    };
    question("{ top = 3 }", ".top", "is 3, and there are 3 bots; ask for at most 2");
    question("{ top = 30 }", ".top", "is 30, and there are 3 bots; ask for at most 2");
    question("{ top = 0 }", ".top", "is 0, but must be 1 to 2");
    question("{ top = -1 }", ".top", "is -1, but must be 1 to 2");
    question("{ top = \"5\" }", ".top", "is of the wrong kind");
    question("{ top = 1, better-than = \"random\" }", "", "asks two questions; ask `top` or `better-than`");
    question("{}", "", "asks nothing: write \"best\", \"ranking\"");
    question("{ better-than = \"rule-basd\" }", ".better-than", "is none of the bots (did you mean rule-based?)");
    question("{ better-than = \"pimc-20\" }", ".better-than", "is none of the bots; add it to `bots`");
    question("{ better = \"random\" }", ".better", "unknown key `better`");
    question("\"worst\"", "", "is \"worst\", and must be \"best\", \"ranking\"");
    question("5", "", "is 5, and must be \"best\"");
}

#[test]
fn numbers_lie_in_their_ranges() {
    for error in ["0", "0.0", "-0.05", "1", "0.6", "nan", "inf"] {
        refused("0.05", error, "6: `league.error`: ", &["but must be 0.000000001 to 0.5"]);
    }
    for resolution in ["0.0", "-0.1", "nan", "inf", "1e9"] {
        refused("0.1", resolution, "7: `league.resolution`: ", &["but must be 0.000001 to 1000, in points a deal"]);
    }
    for games in ["0", "-5", "3000000000000"] {
        refused("60000", games, "8: `league.games`: ", &[&format!("is {games}, but must be 1 to 1099511627776")]);
    }
    refused("60000", "99999999999999999999", "8", &["l.toml:8"]);
    refused_grid("top = 2", "top = 99999999999999999999", "4", &["l.toml:4"]);
    refused("60000", "\"many\"", "8: `league.games`: ", &["is of the wrong kind"]);
    refused("60000", "5", "8: `league.games`: ", &["is 5; the first deals take "]);
}

#[test]
fn bots_are_several_and_each_is_one() {
    let bots = |list: &str, place: &str, part: &str| {
        refused("[\"random\", \"cautious\", \"rule-based\"]", list, &format!("4: `league.bots{place}`: "), &[part]);
    };
    bots("[\"rule-based\"]", "", "names one bot; give at least two to choose from");
    bots("[]", "", "is missing: a list of names or files");
    bots("[\"random\", \"cautious\", \"random\"]", " #3", "\"random\" is listed twice; rename one of them");
    bots("[\"random\", \"cautius\"]", " #2", "did you mean cautious?");
    bots("\"random\"", "", "is of the wrong kind");
    let many: Vec<String> = (0..513).map(|number| format!("{{ bot = \"random\", name = \"b{number}\" }}")).collect();
    bots(&format!("[{}]", many.join(", ")), "", "names 513 bots; give at most 512");
    refused("colour-blind-2", "colour-blnd-2", "3: `league.variant`: ", &["(did you mean colour-blind-2?)"]);
    let list = "is a list, and a league has one variant";
    refused(
        "\"colour-blind-2\"",
        "[\"colour-blind-2\"]",
        "3: `league.variant`: ",
        &[list, "a config for each variant"],
    );
    refused("games", "deals = 3\ngames", "8: `league.deals`: ", &["unknown key `deals`"]);
    refused("seed = 7", "seed = 7\ndeals = 3", "2: `deals`: ", &["unknown key `deals`"]);
    let absent = "{ name = \"absent\", strategy = \"process\", parameters = { command = [\"/no/such/program\"] } }";
    let list = format!("[\"random\", {absent}]");
    bots(&list, " #2", "absent does not start, so nothing was played");
}

#[test]
fn a_grid_has_settings_that_the_bot_can_play() {
    let values = |list: &str, part: &str| {
        refused_grid("[1.0, 2.0, 3.0]", list, "9: `league.grid.parameters.euchre.courage`: ", &[part]);
    };
    values("[]", "has fewer than two choices");
    values("[1.0, 2.0, 1.0]", "has the choice 1.0 twice");
    values("[1.0, 9.5]", "has 9.5: is 9.5, but must be 0 to 5");
    values("[1.0, \"much\"]", "has \"much\": is of the wrong kind");
    values("{ low = 0.0, high = 9.0, step = 1.0 }", "runs from 0 to 9; the strategy allows 0 to 5");
    let missing = "is missing: which parameters are tried? `overtrick list parameters rule-based` has them";
    let (head, _) = GRID.split_once("\"euchre.courage\"").unwrap();
    refused_whole(head, "8: `league.grid.parameters`: ", &[missing]);
    refused_grid("euchre.courage", "euchre.corage", "9: `league.grid.parameters.euchre.corage`: ", &["did you mean"]);
    refused_grid("rule-based", "random", "7: `league.grid.bot`: ", &["the strategy `random` has no parameters"]);
    let many = "has more than 512 settings; give fewer values, or longer steps";
    refused_grid("[1.0, 2.0, 3.0]", "{}", "8: `league.grid.parameters`: ", &[many]);
    refused_grid("bot = ", "bots = ", "7: `league.grid.bots`: ", &["unknown key `bots`"]);
    let twice = "[{ bot = \"rule-based\", name = \"courage-2.0\" }]\nquestion";
    refused_grid("question", &format!("bots = {twice}"), "7: `league.grid`: ", &["makes a bot \"courage-2.0\""]);
}

#[test]
fn a_config_of_another_command_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("l.toml", CONFIG);
    let message = sandbox.refused(&["tune", "l.toml"]);
    assert!(message.contains("belongs to a config of `overtrick league`, not of `overtrick tune`"), "{message}");
    let message = sandbox.refused(&["league", "t.toml"]);
    assert!(message.contains("belongs to a config of `overtrick run`, not of `overtrick league`"), "{message}");
    assert!(sandbox.refused(&["league", "nowhere.toml"]).starts_with("error: nowhere.toml: there is no such file"));
}
