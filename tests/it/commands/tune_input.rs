//! Each problem of a tuning config is reported in one line that names file, line and key, and nothing is written.

use std::path::Path;

use overtrick::strategies::Register;
use overtrick::toml_source::Source;
use overtrick::tune::TunePlan;

use crate::fixtures::sandbox::Sandbox;
use crate::plain::Plain;

const CONFIG: &str = "seed = 7
[tune]
bot = \"rule-based\"
variants = [\"euchre-24\"]
games = 30000
[tune.parameters]
\"euchre.courage\" = { low = 0.0, high = 5.0 }
\"euchre.ace\" = { low = 0.0, high = 2.0 }
";

/// The message for a config, which is one line and starts with a place in it.
fn refused_whole(config: &str, place: &str, parts: &[&str]) {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", config);
    let files = || std::fs::read_dir(sandbox.path("")).unwrap().count();
    let before = files();
    let message = sandbox.refused(&["tune", "t.toml"]);
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.starts_with(&format!("error: t.toml:{place}: ")), "not at {place}: {message}");
    assert!(parts.iter().all(|part| message.contains(part)), "{parts:?}: {message}");
    assert_eq!(files(), before, "a refused tuning left something behind");
}

/// The same for the config with one thing replaced.
fn refused(from: &str, to: &str, place: &str, parts: &[&str]) {
    assert_eq!(CONFIG.matches(from).count(), 1, "{from}");
    refused_whole(&CONFIG.replace(from, to), place, parts);
}

/// The same for what is said of the parameter `euchre.ace`.
fn refused_ace(said: &str, problem: &str) {
    refused("{ low = 0.0, high = 2.0 }", said, "8: `tune.parameters.euchre.ace`", &[problem]);
}

#[test]
fn what_is_missing_is_named() {
    let (without_parameters, _) = CONFIG.split_once("[tune.parameters]").unwrap();
    refused_whole("seed = 7\n", " `tune`", &["is missing: a table with `bot`, `variants` and `parameters`"]);
    refused_whole("seed = 7\n[tune]\n", "2: `tune`", &["is missing"]);
    refused("seed = 7\n", "", " `seed`", &["is missing: give a whole number"]);
    refused("bot = \"rule-based\"\n", "", "2: `tune.bot`", &["is missing: the bot to start from"]);
    refused("variants = [\"euchre-24\"]\n", "", "2: `tune.variants`", &["is missing: a list of names or files"]);
    refused("games = 30000\n", "", "2: `tune.games`", &["how many games may be played? Or give `precision`"]);
    let missing = "is missing: which parameters are tried? `overtrick list parameters rule-based` has them";
    refused_whole(without_parameters, "2: `tune.parameters`", &[missing]);
    refused_whole(&format!("{without_parameters}[tune.parameters]\n"), "6: `tune.parameters`", &[missing]);
    let empty = "is an empty table: which parameters in it are tried? `overtrick list parameters rule-based` has them";
    refused_whole(
        &format!("{without_parameters}parameters = {{ euchre = {{}} }}\n"),
        "6: `tune.parameters.euchre`",
        &[empty],
    );
    refused("\"euchre.courage\" =", "euchre = {}\n\"euchre.courage\" =", "7: `tune.parameters.euchre`", &[empty]);
}

#[test]
fn budgets_that_buy_nothing_are_refused() {
    for games in ["0", "-5", "3000000000000"] {
        refused("30000", games, "5: `tune.games`", &[&format!("is {games}, but must be 1 to 1099511627776")]);
    }
    // The confirmation alone compares three and two candidates on 48 deals, in 51 and 36 games for each, and one on 150
    // deals, in 21.
    let least = "is 29303; this takes at least 29304: give more, or fewer parameters or line-ups (`against`)";
    refused("30000", "29303", "5: `tune.games`", &[least]);
    refused("30000", "\"many\"", "5: `tune.games`", &["is of the wrong kind", "a whole number"]);
    for precision in ["0.0", "-0.1", "nan", "1e9"] {
        refused(
            "games = 30000",
            &format!("precision = {precision}"),
            "5: `tune.precision`",
            &["but must be 0.000001 to"],
        );
    }
    let race = "seed = 7\n[tune]\nbots = [\"random\", \"rule-based\", \"cautious\"]\nvariants = [\"euchre-24\"]\n\
                against = \"itself\"\ngames = 1000\n";
    // Two line-ups in three seatings each, three candidates, 128 deals, and as many games to confirm the best.
    refused_whole(
        race,
        "6: `tune.games`",
        &["is 1000; this takes at least 4608: give more, or fewer bots or line-ups"],
    );
}

#[test]
fn parameters_must_be_those_of_the_strategy() {
    let unknown = "`rule-based` has no parameter euchre.corage (did you mean euchre.courage?)";
    let list = "`overtrick list parameters rule-based` has them";
    refused("euchre.courage", "euchre.corage", "7: `tune.parameters.euchre.corage`", &[unknown, list]);
    refused("\"euchre.courage\"", "euchre.corage", "7: `tune.parameters.euchre.corage`", &[unknown]);
    refused("\"euchre.courage\"", "luck", "7: `tune.parameters.luck`", &["has no parameter luck"]);
    refused("rule-based", "random", "3: `tune.bot`", &["random: the strategy `random` has no parameters"]);
    let (head, _) = CONFIG.split_once("[tune.parameters]").unwrap();
    refused_whole(&head.replace("rule-based", "random"), "3: `tune.bot`", &["the strategy `random` has no parameters"]);
    let twice = format!("{CONFIG}[tune.parameters.euchre]\nace = {{ low = 0.0, high = 1.0 }}\n");
    refused_whole(&twice, "8: `tune.parameters.euchre.ace`", &["euchre.ace is listed twice; leave one out"]);
    refused_whole(&format!("{CONFIG}\"euchre.ace\" = [1.0, 2.0]\n"), "9", &["duplicate key"]);
}

#[test]
fn ranges_must_lie_within_what_the_strategy_allows() {
    refused_ace("{ low = 0.0, high = 2.5 }", "runs from 0 to 2.5; the strategy allows 0 to 2");
    refused_ace("{ low = -1.0 }", "runs from -1 to 2; the strategy allows 0 to 2");
    refused_ace("{ low = 1.5, high = 0.5 }", "runs from 1.5 to 0.5; `low` must be below `high`");
    refused_ace("{ low = 0.7, high = 0.7 }", "`low` must be below `high`");
    refused_ace("{ low = nan, high = 1.0 }", "`low` must be below `high`");
    refused_ace("{ low = 0.0, high = 2.0, step = 0.0 }", "has a step of 0; it must be above 0 and at most 2");
    refused_ace("{ low = 0.0, high = 2.0, step = -0.1 }", "has a step of -0.1; it must be above 0 and at most 2");
    refused_ace("{ low = 0.0, high = 2.0, step = 2.5 }", "has a step of 2.5; it must be above 0 and at most 2");
    refused_ace("{ low = 0.0, high = 2.0, step = nan }", "has a step of NaN; it must be above 0");
    refused_ace("{ low = 0.0, high = 2.0, step = 1e-7 }", "has more than 1000000 values; give a longer `step`");
    let widen =
        "rule-based starts with 0.7, which is none of the values to try; widen them, or start from another value";
    refused_ace("{ low = 1.0, high = 2.0 }", widen);
    refused_ace("[0.6, 0.8]", widen);
    refused_ace("0.5", "is neither a table with `low` and `high` nor a list of choices");
    let place = "8: `tune.parameters.euchre.ace.hihg`";
    refused("high = 2.0", "hihg = 2.0", place, &["unknown key `hihg` (did you mean high?)"]);
    refused("low = 0.0, high = 2.0", "low = \"0\"", "8: `tune.parameters.euchre.ace.low`", &["is of the wrong kind"]);
}

#[test]
fn choices_must_be_several_and_allowed() {
    refused_ace("[0.7]", "has fewer than two choices, so there is nothing to choose");
    refused_ace("[]", "has fewer than two choices");
    refused_ace("[0.7, 0.9, 0.7]", "has the choice 0.7 twice");
    refused_ace("[0.7, 9.5]", "allows 9.5: is 9.5, but must be 0 to 2");
    refused_ace("[0.7, \"much\"]", "allows \"much\": is of the wrong kind");
    refused_ace("{ choices = [0.7, 0.9], low = 0.5 }", "has choices; `low`, `high` and `step` do not go with them");
    let many: Vec<String> = (0..200).map(|number| format!("{}", f64::from(number) / 100.0)).collect();
    refused_ace(&format!("[{}, 9.5]", many.join(", ")), "allows 9.5: ");
    let pimc = |said: &str, place: &str, problem: &str| {
        let (head, _) = CONFIG.split_once("\"euchre.courage\"").unwrap();
        refused_whole(&format!("{}{said}\n", head.replace("rule-based", "pimc-20")), place, &[problem]);
    };
    pimc(
        "rollout = [\"rule-based\", \"rule-base\"]",
        "7: `tune.parameters.rollout`",
        "allows \"rule-base\": there is no bot \"rule-base\" (did you mean rule-based?)",
    );
    pimc(
        "rollout = { low = 0.0, high = 1.0 }",
        "7: `tune.parameters.rollout`",
        "has choices; `low`, `high` and `step`",
    );
    pimc("worlds = { low = 1.5, high = 30.0 }", "7: `tune.parameters.worlds`", "is a whole number, and so are `low`");
    pimc(
        "nodes = {}",
        "7: `tune.parameters.nodes`",
        "has more than 1000000 values; give a longer `step` or a smaller range",
    );
    let process = |said: &str, place: &str, problem: &str| {
        let bot =
            "{ name = \"x\", strategy = \"process\", parameters = { command = [\"true\"], settings = { risk = 2 } } }";
        let (head, _) = CONFIG.split_once("\"euchre.courage\"").unwrap();
        refused_whole(&format!("{}{said}\n", head.replace("\"rule-based\"", bot)), place, &[problem]);
    };
    let list = "is a list of texts and has no range; give a list of choices";
    process("command = { low = 0.0, high = 1.0 }", "7: `tune.parameters.command`", list);
    // A bot alone knows which settings it may have: all but those that the start gives.
    let risk = "7: `tune.parameters.settings.risk`";
    process("settings.risk = { low = 0 }", risk, "needs `low` and `high`: its strategy has no range for it");
    process("settings.risk = { low = 0, high = 2.5 }", risk, "is a whole number, and so are `low`, `high` and `step`");
    process("\"settings.risk\" = { low = 3, high = 5 }", risk, "x starts with 2, which is none of the values to try");
    let missing = "x does not set it; give it the value to start from";
    process("settings.nerve = { low = 0, high = 1 }", "7: `tune.parameters.settings.nerve`", missing);
}

#[test]
fn bots_and_variants_must_be_there() {
    refused("rule-based", "rule-basd", "3: `tune.bot`", &["there is no bot \"rule-basd\" (did you mean rule-based?)"]);
    refused("euchre-24", "euchre-42", "4: `tune.variants #1`", &["euchre-42", "(did you mean euchre-24?)"]);
    refused("euchre-24", "mine.toml", "4: `tune.variants #1`", &["there is no file mine.toml"]);
    refused("[\"euchre-24\"]", "[\"euchre-24\", \"euchre-24\"]", "4: `tune.variants #2`", &["is listed twice"]);
    refused("games", "unseen = [\"cautius\"]\ngames", "5: `tune.unseen #1`", &["did you mean cautious?"]);
    refused("games", "bots = [\"random\"]\ngames", "5: `tune.bots`", &["does not go with `bot`"]);
    let choice = |bots: &str, place: &str, part: &str| {
        let (head, parameters) = CONFIG.split_once("[tune.parameters]").unwrap();
        let head = head.replace("bot = \"rule-based\"", bots);
        refused_whole(&head, place, &[part]);
        let with = "do not go with `bots`, a choice among several; give one `bot`";
        let both = head.replace(bots, "bots = [\"random\", \"cautious\"]") + "[tune.parameters]" + parameters;
        refused_whole(&both, "6: `tune.parameters`", &[with]);
    };
    choice("bots = [\"rule-based\"]", "3: `tune.bots`", "names one bot; give at least two to choose from");
    choice("bots = [\"random\", \"radnom\"]", "3: `tune.bots #2`", "did you mean random?");
    choice("bots = [\"random\", \"random\"]", "3: `tune.bots #2`", "\"random\" is listed twice; rename one of them");
    refused("games", "budget = 3\ngames", "5: `tune.budget`", &["unknown key `budget`"]);
    refused("seed", "deals = 3\nseed", "1: `deals`", &["unknown key `deals`"]);
    refused("seed = 7", "seed = -7", "1: `seed`", &["is -7, but must be 0"]);
    refused("seed = 7", "seed = 7\nname = \"a/b\"", "2: `name`", &["\"a/b\" is no name"]);
    let sandbox = Sandbox::new();
    assert!(sandbox.refused(&["tune", "nowhere.toml"]).starts_with("error: nowhere.toml: there is no such file"));
}

#[test]
fn line_ups_must_seat_a_candidate_and_others() {
    let against = |value: &str, place: &str, part: &str| {
        refused("games", &format!("against = {value}\ngames"), &format!("5: `tune.against{place}`"), &[part]);
    };
    let neither = "is neither \"mixed\", \"itself\" nor a list of bots and line-ups";
    for wrong in ["3", "\"nobody\"", "[]", "{ line-up = [\"candidate\"] }"] {
        against(wrong, "", neither);
    }
    against("[3]", " #1", "is neither a name, a file nor a table");
    against("[\"rule-basd\"]", " #1", "did you mean rule-based?");
    against("[\"random\", \"candidate\"]", " #2", "is the bot itself; write \"itself\"");
    against("[{ line-up = [\"candidate\", \"itself\"] }]", " #1.line-up", "has 2 players, and euchre-24 seats 3");
    let needs = "needs \"candidate\" and another player, such as \"itself\" or a bot";
    against("[\"random\", { line-up = [\"itself\", \"random\", \"random\"] }]", " #2.line-up", needs);
    against("[{ line-up = [\"candidate\", \"candidate\", \"candidate\"] }]", " #1.line-up", needs);
    against("[{ line-up = [] }]", " #1.line-up", needs);
    against("[{ line-up = \"candidate\" }]", " #1.line-up", "is of the wrong kind");
    against("[{ line-up = [\"candidate\", \"itself\", \"radnom\"] }]", " #1.line-up #3", "did you mean random?");
    let weighed =
        |weight: &str| format!("[{{ line-up = [\"candidate\", \"itself\", \"random\"], weight = {weight} }}]");
    for weight in ["0", "-1.0", "nan", "inf"] {
        against(&weighed(weight), " #1.weight", "it must be above 0");
    }
    against(&weighed("1, wieght = 1"), " #1.wieght", "unknown key `wieght` (did you mean weight?)");
    against(&weighed("1, variant = \"dumbo\""), " #1.variant", "is none of the variants of `tune.variants`: euchre-24");
    let two = |value: &str, place: &str, part: &str| {
        let two = CONFIG.replace("[\"euchre-24\"]", "[\"euchre-24\", \"colour-blind-2\"]");
        let config =
            two.replace("games", &format!("against = [{{ line-up = [\"candidate\", \"itself\"{value} }}]\ngames"));
        refused_whole(&config, &format!("5: `tune.against{place}`"), &[part]);
    };
    let hint = "has 2 players, and euchre-24 seats 3; `variant` says which variant a line-up is for";
    two("]", " #1.line-up", hint);
    two("], variant = \"colour-blind-2\"", "", "has no line-up for euchre-24");
}

#[test]
fn bots_that_do_not_start_are_named_before_anything_is_played() {
    let absent = "{ name = \"absent\", strategy = \"process\", parameters = { command = [\"/no/such/program\"] } }";
    let parts = ["absent does not start, so nothing was played", "overtrick check"];
    refused("games", &format!("against = [{absent}]\ngames"), "5: `tune.against`", &parts);
    refused("games", &format!("unseen = [\"random\", {absent}]\ngames"), "5: `tune.unseen #2`", &parts);
    let (head, _) = CONFIG.split_once("[tune.parameters]").unwrap();
    let bots = head.replace("bot = \"rule-based\"", &format!("bots = [\"random\", {absent}]"));
    refused_whole(&bots, "3: `tune.bots #2`", &parts);
}

#[test]
fn bots_that_do_not_play_the_variant_are_named() {
    let register = Register::default().game::<Plain>().unwrap();
    let refused = |bot: &str, more: &str| {
        let text = format!("seed = 7\n[tune]\n{bot}\nvariants = [\"plain\"]\ngames = 99999\n{more}\n");
        let source = Source::parse(Path::new("t.toml"), text).unwrap();
        TunePlan::resolve(&source, &register).err().unwrap().to_string()
    };
    let choice = "bots = [\"random\", \"rule-based\"]";
    let expected = "t.toml:3: `tune.bots #2`: rule-based: the strategy `rule-based` does not play plain; `random`";
    assert!(refused(choice, "").starts_with(expected), "{}", refused(choice, ""));
    let ace = "[tune.parameters]\n\"euchre.ace\" = {}";
    let message = refused("bot = \"rule-based\"", ace);
    assert!(message.starts_with("t.toml:3: `tune.bot`: rule-based: the strategy"), "{message}");
    // A bot that plays it, with values with which it would not.
    let pimc = "bot = { name = \"x\", strategy = \"pimc\", parameters = { rollout = \"random\", trust = 0.0 } }";
    let message = refused(pimc, "[tune.parameters]\nrollout = [\"random\", \"rule-based\"]");
    assert!(message.starts_with("t.toml:7: `tune.parameters.rollout`: allows \"rule-based\": x: "), "{message}");
    assert!(message.contains("plain has none"), "{message}");
    let message = refused(pimc, "unseen = [\"cautious\"]\n[tune.parameters]\nworlds = { low = 1, high = 30 }");
    assert!(message.starts_with("t.toml:6: `tune.unseen #1`: cautious: the strategy"), "{message}");
    let message = refused(pimc, "against = [\"cautious\"]\n[tune.parameters]\nworlds = { low = 1, high = 30 }");
    assert!(message.starts_with("t.toml:6: `tune.against #1`: cautious: the strategy"), "{message}");
}
