//! Bots that may not make some moves, as their user meets them.

use crate::fixtures::sandbox::{CONFIG, Sandbox, in_a_line, same_files};

/// A sandbox with a config whose third bot is a table with these parameters, on a separate line.
fn sandbox(variant: &str, parameters: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let table = format!("\n{{ name = \"three\", strategy = \"restricted\", parameters = {{ {parameters} }} }}");
    let config = CONFIG.replace("\"three\"", &table).replace("300", "20");
    sandbox.write("t.toml", &config.replace("\"dumbo\", \"colour-blind-2\"", &format!("{variant:?}")));
    sandbox
}

/// The same with a quarter of the deals, for bots outside of the process.
fn few_deals(variant: &str, parameters: &str) -> Sandbox {
    let sandbox = sandbox(variant, parameters);
    let config = std::fs::read_to_string(sandbox.path("t.toml")).unwrap();
    sandbox.write("t.toml", &config.replace("deals = 20", "audit = 0.0\ndeals = 5"));
    sandbox
}

#[test]
fn results_give_themselves_again_whatever_the_threads() {
    let sandbox =
        sandbox("chameleon", "bot = { bot = \"pimc-20\", parameters.worlds = 2 }, forbid = [\"bid 7*\", \"misere\"]");
    let run = |args: &[&str], out: &str| {
        let (code, _, stderr) = sandbox.run(&[&["run"], args, &["--quiet", "--out", out]].concat());
        assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}");
    };
    run(&["t.toml", "--threads", "1"], "one");
    run(&["t.toml", "--threads", "3"], "two");
    same_files(&sandbox.path("one"), &sandbox.path("two"));
    // The configuration that results keep needs no other file.
    std::fs::remove_dir_all(sandbox.path("bots")).unwrap();
    run(&["one/config.toml"], "again");
    same_files(&sandbox.path("one"), &sandbox.path("again"));
    run(&["one/config.toml", "--set", "three:bot.parameters.worlds=1", "--set", "three:forbid=[\"?S\"]"], "changed");
    let config = std::fs::read_to_string(sandbox.path("changed/config.toml")).unwrap();
    assert!(config.contains("worlds = 1\n") && config.contains("forbid = [\"?S\"]\n"), "{config}");
    let (code, shown, _) = sandbox.run(&["replay", "one/config.toml", "--deal", "3", "--lineup", "one,two,three"]);
    assert!(code == 0 && !shown.is_empty());
}

#[test]
fn what_is_wrong_is_told_with_file_line_and_key_and_nothing_is_written() {
    for (variant, parameters, expected) in [
        (
            "dumbo",
            "forbid = [\"AS\", \"pass\"]",
            "t.toml:6: `bots #3.parameters.forbid`: has \"pass\", which no move of dumbo matches; moves are written as in \
             `overtrick replay`, such as \"2C\" or \"AS\" (variant dumbo, bot three)",
        ),
        (
            "chameleon",
            "forbid = [\"bid 6 HH\"]",
            "t.toml:6: `bots #3.parameters.forbid`: has \"bid 6 HH\", which no move of chameleon matches (did you mean \
             bid 6 H?)",
        ),
        // The rules of the variant count, not the game's: a humbug hand of thirteen discards nothing.
        ("humbug", "forbid = [\"discard*\"]", "t.toml:6: `bots #3.parameters.forbid`: has \"discard*\", which no move"),
        (
            "euchre-32",
            "forbid = [\"2?\"]",
            "t.toml:6: `bots #3.parameters.forbid`: has \"2?\", which no move of euchre",
        ),
        ("dumbo", "forbid = [\"\"]", "t.toml:6: `bots #3.parameters.forbid`: has \"\", which no move of dumbo"),
        ("dumbo", "forbid = \"AS\"", "t.toml:6: `bots #3.parameters.forbid`: is of the wrong kind"),
        (
            "dumbo",
            "forbids = [\"AS\"]",
            "t.toml:6: `bots #3.parameters.forbids`: unknown key `forbids` (did you mean forbid?)",
        ),
        (
            "dumbo",
            "bot = \"ranodm\"",
            "t.toml:6: `bots #3.parameters.bot`: there is no bot \"ranodm\" (did you mean random?)",
        ),
        ("dumbo", "bot = 3", "t.toml:6: `bots #3.parameters.bot`: is neither a name, a file nor a table"),
        (
            "dumbo",
            "bot = { bot = \"rule-based\", parameters.dumbo.ambition = 9 }",
            "t.toml:6: `bots #3.parameters.bot.parameters.dumbo.ambition`: is 9, but must be",
        ),
        ("dumbo", "bot = { strategy = \"random\" }", "t.toml:6: `bots #3.parameters.bot`: a bot needs `name`"),
    ] {
        let sandbox = sandbox(variant, parameters);
        let message = sandbox.refused(&["run", "t.toml"]);
        let start = format!("error: {expected}");
        assert!(message.starts_with(&start) && message.lines().count() == 1, "{parameters}: {message}");
        assert!(!sandbox.path("results").exists(), "{parameters}");
    }
    // A manifest is named as itself, and one that names itself is no end of bots.
    let sandbox = sandbox("dumbo", "bot = \"own\"");
    sandbox.write("bots/own.toml", "name = \"own\"\nstrategy = \"restricted\"\n[parameters]\nbot = \"own\"\n");
    let message = sandbox.refused(&["run", "t.toml"]);
    let expected = "bots/own.toml:4: `parameters.bot`: bots are nested more than 8 deep: does one contain itself?";
    assert!(message.contains(expected) && message.lines().count() == 1, "{message}");
    sandbox.write("bots/own.toml", "name = \"own\"\nstrategy = \"restricted\"\n[parameters]\nforbid = [\"1S\"]\n");
    let message = sandbox.refused(&["duel", "own", "one", "--variant", "dumbo"]);
    assert!(message.contains("bots/own.toml:4: `parameters.forbid`: has \"1S\", which no move of dumbo"), "{message}");
    let set = ["duel", "three", "one", "--variant", "dumbo", "--set", "three:strategy=1"];
    assert!(sandbox.refused(&set).starts_with("error: `--set three:strategy=1`: "));
}

#[test]
fn its_parameters_are_listed_and_it_passes_the_check() {
    let sandbox = sandbox("chameleon", "forbid = []");
    let (code, listed, _) = sandbox.run(&["list", "parameters", "restricted", "--format", "csv"]);
    assert_eq!(code, 0);
    for line in ["restricted,bot,text,\"\"\"rule-based\"\"\"", "restricted,forbid,list of texts,[]"] {
        assert!(listed.contains(line), "{listed}");
    }
    let manifest = |bot: &str, forbid: &str| {
        let text = format!("name = \"r\"\nstrategy = \"restricted\"\n[parameters]\nbot = {bot:?}\nforbid = {forbid}\n");
        sandbox.write("bots/r.toml", &text);
    };
    for bot in ["random", "rule-based"] {
        manifest(bot, "[\"?S\", \"*7*\"]");
        let (code, checked, stderr) = sandbox.run(&["check", "r", "--deals", "8"]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{checked}");
        assert!(checked.contains("dummy-chameleon-variant") && checked.ends_with("r is fine\n"), "{checked}");
    }
    // Only where there is such a move.
    manifest("rule-based", "[\"misere\"]");
    let (code, checked, _) = sandbox.run(&["check", "r", "--deals", "3"]);
    assert!(code == 0 && checked.contains("not played: dumbo, euchre-32, "), "{checked}");
    let message = sandbox.refused(&["check", "r", "--variant", "dumbo"]);
    let expected = "r plays none of these: dumbo. r: `parameters.forbid` has \"misere\", which no move of dumbo";
    assert!(message.contains(expected), "{message}");
}

/// An external bot gets the moves that are left, and can make no other.
#[test]
fn a_program_may_be_restricted() {
    let script = "import json, sys\nfor line in sys.stdin:\n    message = json.loads(line)\n    reply = None\n    \
                  if 'hello' in message:\n        reply = {'hello': {'name': 'x', 'protocol': 1, 'variants': ['all'], 'batch': 16}}\n    \
                  if 'decide' in message:\n        moves = []\n        for d in message['decide']:\n            \
                  spades = [m for m in d['legal'] if m[-1] == 'S' and len(m) == 2]\n            \
                  assert not spades or len(spades) == len(d['legal']), d\n            \
                  cheat = [c for c in d['seen'].get(d['hand'], []) if c[-1] == 'S'] if len(sys.argv) > 1 else []\n            \
                  moves.append([d['id'], (cheat if len(d['legal'][0]) == 2 and cheat else d['legal'])[0]])\n        \
                  reply = {'moves': moves}\n    if reply:\n        print(json.dumps(reply), flush=True)\n";
    let program = |more: &str| {
        format!(
            "bot = {{ name = \"x\", strategy = \"process\", parameters = {{ command = [\"python3\", \"-S\", \"x.py\"{more}], \
             start-timeout = 600, move-timeout = 600 }} }}, forbid = [\"?S\"]"
        )
    };
    for variant in ["dumbo", "dummy-whist", "chameleon"] {
        let sandbox = few_deals(variant, &program(""));
        sandbox.write("x.py", script);
        for out in ["first", "second"] {
            // The config of the first has its secret.
            let (config, threads) = if out == "first" { ("t.toml", "1") } else { ("first/config.toml", "2") };
            let args = ["run", config, "--quiet", "--threads", threads, "--out", out];
            let (code, _, stderr) = sandbox.run(&args);
            assert_eq!((code, stderr.as_str()), (0, ""), "{variant}");
        }
        same_files(&sandbox.path("first"), &sandbox.path("second"));
    }
    // Where reneges are taken, any card of the hand is; but not one that is forbidden.
    let sandbox = few_deals("mine.toml", &program(", \"cheat\""));
    sandbox.write("x.py", script);
    sandbox.write("mine.toml", "name = \"mine\"\nbase = \"dummy-whist\"\n[rules]\nallow-renege = true\n");
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--quiet", "--out", "cheat"]);
    assert_eq!(code, 1, "{stderr}");
    let summary = std::fs::read_to_string(sandbox.path("cheat/summary.json")).unwrap();
    assert!(summary.contains("is forbidden to this bot (`forbid`)"), "{summary}");
}

#[test]
fn a_run_says_what_the_absence_of_an_option_costs() {
    let sandbox = Sandbox::new();
    // Bots that bid on everything lose by it, so being kept from that is a gain; bids that a bot never makes are worth
    // nothing; and another bot's lack says nothing about this one.
    let table = |name: &str, bot: &str, forbid: &str| {
        format!(
            "{{ name = {name:?}, strategy = \"restricted\", parameters = {{ bot = {bot:?}, forbid = [{forbid:?}] }} }}"
        )
    };
    let bots = [
        table("quiet", "random", "bid *"),
        "\"random\"".to_owned(),
        "\"rule-based\"".to_owned(),
        table("no-misere", "rule-based", "misere*"),
        table("no-bidding", "rule-based", "bid *"),
        table("no-slam", "cautious", "bid 10 C"),
    ];
    let config = format!("seed = 4\ndeals = 300\nvariants = [\"chameleon\"]\nbots = [{}]\n", bots.join(", "));
    sandbox.write("t.toml", &config);
    let (code, stdout, stderr) = sandbox.run(&["run", "t.toml", "--out", "out"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let summary: serde_json::Value =
        serde_json::from_slice(&std::fs::read(sandbox.path("out/summary.json")).unwrap()).unwrap();
    let options = summary["options"].as_array().unwrap();
    let names: Vec<[&str; 3]> =
        options.iter().map(|row| ["option", "bot", "without"].map(|key| row[key].as_str().unwrap())).collect();
    let (bids, rules) = ("bid *", "rule-based");
    assert_eq!(names, [[bids, "random", "quiet"], ["misere*", rules, "no-misere"], [bids, rules, "no-bidding"]]);
    // The worth is the difference of the two, in either order.
    for row in options {
        let pairs = summary["pairs"].as_array().unwrap();
        let is_theirs = |pair: &&serde_json::Value| {
            let both = [&pair["bot-a"], &pair["bot-b"]];
            both == [&row["bot"], &row["without"]] || both == [&row["without"], &row["bot"]]
        };
        let pair = pairs.iter().find(is_theirs).unwrap();
        let sign = if pair["bot-a"] == row["bot"] { 1.0 } else { -1.0 };
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        assert_eq!(number(&row["worth"]), sign * number(&pair["difference"]));
        let (low, high) = if sign > 0.0 { ("low", "high") } else { ("high", "low") };
        assert_eq!(
            (number(&row["low"]), number(&row["high"])),
            (sign * number(&pair[low]), sign * number(&pair[high]))
        );
        let text = row["text"].as_str().unwrap();
        assert!(in_a_line(&stdout).contains(&in_a_line(text)), "{stdout}");
    }
    let text = |row: usize| options[row]["text"].as_str().unwrap();
    assert!(
        text(0).starts_with("random does better without bid * against these opponents: it is worth -"),
        "{}",
        text(0)
    );
    assert!(text(2).starts_with("bid * is worth ") && text(2).ends_with("(without it: no-bidding)"), "{}", text(2));
    // A bot that is kept from what it never does plays just as it would.
    let never = table("never", "rule-based", "concede");
    sandbox.write(
        "t.toml",
        &format!(
            "seed = 4\nformat = \"duel\"\ndeals = 30\nvariants = [\"dummy-chameleon\"]\nbots = [\"rule-based\", {never}]\n"
        ),
    );
    let (_, stdout, _) = sandbox.run(&["run", "t.toml", "--out", "out", "--force"]);
    let expected = "concede makes no difference to rule-based against these opponents: never scored exactly like it";
    assert!(in_a_line(&stdout).contains(&in_a_line(expected)), "{stdout}");
}
