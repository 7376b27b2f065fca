//! The option `--set`: bots with other parameters, without a file for them.

use std::fs;

use crate::fixtures::sandbox::{CONFIG, Sandbox, same_files};

/// A sandbox whose config has a bot with parameters.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", &CONFIG.replace("\"three\"", "\"rule-based\"").replace("300", "40"));
    sandbox
}

/// Returns the bots of the run in `out`, with their parameters.
fn bots(sandbox: &Sandbox, out: &str) -> Vec<(String, toml::Table)> {
    let config: toml::Table = fs::read_to_string(sandbox.path(&format!("{out}/config.toml"))).unwrap().parse().unwrap();
    let bot =
        |bot: &toml::Value| (bot["name"].as_str().unwrap().to_owned(), bot["parameters"].as_table().unwrap().clone());
    config["bots"].as_array().unwrap().iter().map(bot).collect()
}

fn plays(sandbox: &Sandbox, out: &str, args: &[&str]) {
    let (code, _, stderr) = sandbox.run(&[args, &["--quiet", "--out", out]].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}");
}

#[test]
fn a_run_with_changed_and_added_bots_is_the_run_of_its_own_config() {
    let sandbox = sandbox();
    plays(&sandbox, "plain", &["run", "t.toml"]);
    let change = ["--set", "rule-based:dumbo.ambition=0.25", "--set", "rule-based:colour-blind.spite=0"];
    plays(&sandbox, "changed", &[&["run", "t.toml"][..], &change].concat());
    let (plain, changed) = (bots(&sandbox, "plain"), bots(&sandbox, "changed"));
    let mut expected = plain.clone();
    expected[2].1["dumbo"]["ambition"] = 0.25.into();
    expected[2].1["colour-blind"]["spite"] = 0.0.into();
    assert_eq!(changed, expected);
    // A new bot starts from what the changes before have made of the other; its name takes further ones.
    let more = ["--set", "bold=rule-based:dumbo.ambition=2", "--set", "bold=rule-based:dumbo.spite=0"];
    let more = [&more[..], &["--set", "bold:euchre.ace=0.5", "--set", "cautious:dumbo.ambition=0.5"]].concat();
    plays(&sandbox, "added", &[&["run", "t.toml"][..], &change[2..], &more].concat());
    let added = bots(&sandbox, "added");
    let names: Vec<&str> = added.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["one", "two", "rule-based", "bold", "cautious"]);
    let bold = &added[3].1;
    let of = |game: &str, key: &str| bold[game][key].as_float().unwrap();
    assert_eq!([of("dumbo", "ambition"), of("dumbo", "spite"), of("euchre", "ace")], [2.0, 0.0, 0.5]);
    assert_eq!((of("colour-blind", "spite"), &added[2].1["dumbo"]), (0.0, &plain[2].1["dumbo"]));
    assert_eq!(added[4].1["dumbo"]["ambition"], 0.5.into());
    for out in ["changed", "added"] {
        plays(&sandbox, "again", &["run", &format!("{out}/config.toml"), "--force"]);
        same_files(&sandbox.path(out), &sandbox.path("again"));
    }
    assert_ne!(fs::read(sandbox.path("plain/bots.csv")).unwrap(), fs::read(sandbox.path("changed/bots.csv")).unwrap());
}

#[test]
fn a_duel_may_be_one_of_a_bot_with_its_change() {
    let sandbox = sandbox();
    let duel = |a: &str, b: &str, set: &[&str], out: &str| {
        let args = ["duel", a, b, "--variant", "dumbo", "--deals", "30"];
        let set = set.iter().flat_map(|&text| ["--set", text]).collect::<Vec<_>>();
        plays(&sandbox, out, &[&args[..], &set].concat());
        bots(&sandbox, out)
    };
    let set = ["bold=rule-based:dumbo.ambition=0.25", "bold=rule-based:dumbo.spite=0"];
    let played = duel("rule-based", "bold", &set, "new");
    assert_eq!((played[0].0.as_str(), played[1].0.as_str()), ("rule-based", "bold"));
    let ambition = |bot: &(String, toml::Table)| bot.1["dumbo"]["ambition"].as_float();
    assert_eq!((ambition(&played[0]), ambition(&played[1])), (Some(1.15), Some(0.25)));
    assert_eq!(played[1].1["dumbo"]["spite"].as_float(), Some(0.0));
    let played = duel("cautious", "rule-based", &["rule-based:dumbo.ambition=0.25"], "old");
    assert_eq!(ambition(&played[1]), Some(0.25));
    let refused = |set: &str| sandbox.refused(&["duel", "rule-based", "bold", "--variant", "dumbo", "--set", set]);
    assert!(refused("bold=rlue-based:dumbo.ambition=1").starts_with(
        "error: `--set bold=rlue-based:dumbo.ambition=1`: there is no bot \"rlue-based\" (did you mean rule-based?)"
    ));
    let message = refused("bold=rule-based:dumbo.ambition=9");
    assert!(message.starts_with("error: `--set bold=rule-based:dumbo.ambition=9`: is 9, but must be"), "{message}");
    assert!(refused("blod=rule-based:dumbo.ambition=1").starts_with("error: there is no bot \"bold\""));
    let third = ["duel", "rule-based", "one", "--variant", "dumbo", "--set", "bold=one:x=1"];
    assert!(sandbox.refused(&third).starts_with("error: `--set bold=one:x=1`: unknown key `x`"));
    let third = ["duel", "rule-based", "one", "--variant", "dumbo", "--set", "bold=rule-based:dumbo.spite=1"];
    let message = sandbox.refused(&third);
    assert!(message.starts_with("error: `--set`: dumbo: a duel needs exactly two bots, and there are 3"), "{message}");
}

#[test]
fn a_deal_is_replayed_with_changed_bots() {
    let sandbox = sandbox();
    sandbox.write(
        "t.toml",
        "seed = 7\ndeals = 40\nformat = \"mirror\"\nvariants = [\"dumbo\"]\nbots = [\"rule-based\"]\n",
    );
    let replay = |set: &[&str]| {
        let args = ["replay", "t.toml", "--deal", "0", "--count", "20", "--format", "json"];
        let (code, stdout, stderr) = sandbox.run(&[&args[..], set].concat());
        assert_eq!((code, stderr.as_str()), (0, ""), "{set:?}");
        stdout
    };
    let plain = replay(&[]);
    assert_eq!(plain, replay(&["--set", "rule-based:dumbo.ambition=1.15"]));
    assert_ne!(plain, replay(&["--set", "rule-based:dumbo.ambition=0"]));
    let bold = replay(&["--set", "bold=rule-based:dumbo.ambition=0", "--lineup", "bold,bold,bold"]);
    assert!(bold.contains("\"bold\"") && !bold.contains("\"rule-based\""), "{bold}");
}

#[test]
fn a_changed_bot_is_tried() {
    let sandbox = sandbox();
    let check = ["check", "rule-based", "--variant", "dumbo", "--deals", "4", "--set"];
    let (code, stdout, _) = sandbox.run(&[&check[..], &["dumbo.ambition=0.25", "--set", "dumbo.spite=0"]].concat());
    assert_eq!(code, 0, "{stdout}");
    for (set, problem) in [
        ("dumbo.ambition=9", "`--set dumbo.ambition=9`: is 9, but must be 0 to 3"),
        ("dumbo.ambiton=1", "`--set dumbo.ambiton=1`: unknown key `ambiton` (did you mean ambition?)"),
        ("dumbo.ambition", "'dumbo.ambition' for '--set <KEY=VALUE>': there is no `=`"),
    ] {
        let message = sandbox.refused(&[&check[..], &[set]].concat());
        assert!(message.contains(problem), "{message}");
    }
}

#[test]
fn a_wrong_change_is_refused_with_its_text() {
    let sandbox = sandbox();
    let refused = |set: &[&str]| {
        let set = set.iter().flat_map(|&text| ["--set", text]).collect::<Vec<_>>();
        let message = sandbox.refused(&[&["run", "t.toml"][..], &set].concat());
        assert!(!sandbox.path("results").exists(), "a refused run left something behind");
        message
    };
    for (set, problem) in [
        ("rule-based:dumbo.ambition=9", "`: is 9, but must be 0 to 3"),
        ("rule-based:dumbo.ambition=bold", "`: is of the wrong kind: string \"bold\""),
        ("rule-based:dumbo.ambiton=1", "`: unknown key `ambiton` (did you mean ambition?)"),
        (
            "rlue-based:dumbo.ambition=1",
            "`: there is no bot \"rlue-based\" (did you mean rule-based?); looked for bots/",
        ),
        (
            "one=rule-based:dumbo.ambition=1",
            "`: there is a bot \"one\" already; write one:KEY=VALUE to change that one",
        ),
        ("bots/one.toml:x=1", "`: there is a bot \"one\" already; "),
    ] {
        let message = refused(&[set]);
        assert!(message.starts_with(&format!("error: `--set {set}{problem}")), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    // One name cannot be made from two bots.
    let message = refused(&["x=rule-based:dumbo.spite=1", "x=pimc-20:worlds=2"]);
    assert!(message.starts_with("error: `--set x=pimc-20:worlds=2`: there is a bot \"x\" already"), "{message}");
    for (text, problem) in [
        ("dumbo.ambition=1", "write BOT:KEY=VALUE"),
        ("rule-based:dumbo.ambition", "write BOT:KEY=VALUE"),
        ("all=rule-based:dumbo.ambition=1", "\"all\" is the name for all bots or variants"),
        ("rule-based:dumbo.ambition=0,5", "\"0,5\" is no value"),
    ] {
        let message = refused(&[text]);
        assert!(message.contains(&format!("'{text}' for '--set <[NEW=]BOT:KEY=VALUE>': {problem}")), "{message}");
    }
}

#[test]
fn a_bot_that_only_a_change_adds_and_that_does_not_start_is_named() {
    let sandbox = sandbox();
    sandbox.write("bots/odd.toml", "name = \"odd\"\nstrategy = \"process\"\n[parameters]\ncommand = [\"python3\"]\n");
    let message = sandbox.refused(&["run", "t.toml", "--set", "odd:command=[\"/no/such/program\"]"]);
    assert!(message.starts_with("error: `--set`: odd does not start"), "{message}");
}
