//! Programs of bots: a run goes on with the same files alone, and some folders are no bot's.

use crate::fixtures::sandbox::{SECRET, Sandbox, same_files};

/// A bot that answers with the legal move at the place `pick`, and loads a file of its folder.
fn program(pick: i32) -> String {
    format!(
        r#"import json, sys
import helper
for line in sys.stdin:
    m = json.loads(line)
    if "hello" in m: r = {{"hello": {{"name": "t", "protocol": 1, "variants": ["all"], "deals": False, "batch": 256}}}}
    elif "decide" in m: r = {{"moves": [[d["id"], d["legal"][{pick}]] for d in m["decide"]]}}
    else: continue
    print(json.dumps(r), flush=True)
"#
    )
}

/// A config with the bot of `own/bot.py`.
fn sandbox(keys: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("own")).unwrap();
    sandbox.write("own/bot.py", &program(0));
    sandbox.write("own/helper.py", "");
    let parameters = "command = [\"python3\", \"-S\", \"bot.py\"]\nmove-timeout = 600\nstart-timeout = 600\n";
    sandbox.write("own/own.toml", &format!("name = \"own\"\nstrategy = \"process\"\n[parameters]\n{parameters}"));
    let run = "seed = 9\nformat = \"duel\"\nvariants = [\"colour-blind-2\"]\nbots = [\"own/own.toml\", \"one\"]\n";
    sandbox.write("t.toml", &format!("{run}{keys}\n"));
    sandbox
}

#[test]
fn a_run_goes_on_with_the_same_program_alone() {
    let sandbox = sandbox(&format!("deals = 4\nsecret = {SECRET:?}"));
    let play = |args: &[&str]| sandbox.run(&[&["run", "t.toml", "--quiet"], args].concat());
    assert_eq!(play(&["--out", "out"]), (0, String::new(), String::new()));
    let config = std::fs::read_to_string(sandbox.path("out/config.toml")).unwrap();
    let digest = config.lines().find(|line| line.starts_with("digest = ")).unwrap().to_owned();
    // Files that runs and their user leave in the folder make no difference.
    std::fs::create_dir(sandbox.path("own/__pycache__")).unwrap();
    for name in ["__pycache__/helper.cpython-312.pyc", "own.log", "other.toml", ".notes"] {
        sandbox.write(&format!("own/{name}"), "");
    }
    assert_eq!(play(&["--out", "out", "--deals", "6", "--resume"]).0, 0);
    assert_eq!(play(&["--out", "whole", "--deals", "6"]).0, 0);
    same_files(&sandbox.path("out"), &sandbox.path("whole"));
    for (file, text) in [("bot.py", program(-1)), ("helper.py", "import os".to_owned())] {
        let before = std::fs::read_to_string(sandbox.path("own").join(file)).unwrap();
        sandbox.write(&format!("own/{file}"), &text);
        for args in [&["--deals", "9", "--resume"][..], &["--resume"], &[]] {
            let message = sandbox.refused(&[&["run", "t.toml", "--quiet", "--out", "out"], args].concat());
            let told = "the program of own has changed since: to go on, put back the files that it had";
            assert!(message.starts_with("error: out/tally.bin: ") && message.contains(told), "{message}");
        }
        // Results name the program, so they cannot be repeated with another one either.
        let message = sandbox.refused(&["run", "whole/config.toml", "--quiet", "--out", "again"]);
        assert!(message.contains("`bots #1`: own has another program than that of its `digest`"), "{message}");
        assert!(message.contains(digest.trim_start_matches("digest = ").trim_matches('"')), "{message}");
        sandbox.write(&format!("own/{file}"), &before);
    }
    assert_eq!(play(&["--out", "out", "--deals", "6", "--resume"]).0, 0);
}

#[test]
fn shards_of_two_programs_are_not_put_together() {
    let sandbox = sandbox(&format!("deals = 4\nsecret = {SECRET:?}"));
    let shard = |part: &str, out: &str| {
        let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--quiet", "--shard", part, "--out", out]);
        assert_eq!((code, stderr.as_str()), (0, ""));
    };
    shard("1/2", "a");
    sandbox.write("own/bot.py", &program(-1));
    shard("2/2", "b");
    let message = sandbox.refused(&["merge", "a", "b", "--out", "both"]);
    let told =
        "error: b: was played with another program of own than a: play one of the two again, with the same files\n";
    assert_eq!(message, told);
}

#[test]
fn the_rest_of_a_sweep_is_played_with_the_same_program_alone() {
    let sandbox = sandbox("deals = 4");
    let sweep = "seed = 7\n[sweep]\nbase = \"colour-blind-2\"\ndeals = 8\npanel = [\"own/own.toml\", \"one\"]\n\
                 [sweep.axes]\nace-count = [1, 14]\n";
    sandbox.write("s.toml", sweep);
    let shard = |part: &str| {
        let args = ["sweep", "s.toml", "--quiet", "--shard", part, "--out", &part[..1]];
        assert_eq!(sandbox.run(&args), (0, String::new(), String::new()));
    };
    shard("1/2");
    sandbox.write("own/bot.py", &program(-1));
    let message = sandbox.refused(&["sweep", "s.toml", "--shard", "1/2", "--out", "1", "--resume"]);
    assert!(message.contains("is of another program of own: to go on, put back the files that it had"), "{message}");
    shard("2/2");
    let message = sandbox.refused(&["merge", "1", "2", "--out", "both"]);
    assert!(message.starts_with("error: 2: was played with another program of own than 1"), "{message}");
}

#[test]
fn a_tuning_is_repeated_with_the_same_program_alone() {
    let sandbox = sandbox("deals = 4");
    let tuning = "seed = 7\n[tune]\nbot = \"own/own.toml\"\nvariants = [\"colour-blind-2\"]\nagainst = \"itself\"\n\
                  games = 1024\nunseen = []\n[tune.parameters]\nsettings.risk = [0, 3]\n";
    let manifest = std::fs::read_to_string(sandbox.path("own/own.toml")).unwrap();
    sandbox.write("own/own.toml", &format!("{manifest}settings = {{ risk = 3 }}\n"));
    sandbox.write("t.toml", tuning);
    assert_eq!(sandbox.run(&["tune", "t.toml", "--quiet", "--out", "out"]).0, 0);
    sandbox.write("own/bot.py", &program(-1));
    let message = sandbox.refused(&["tune", "out/config.toml", "--out", "again"]);
    assert!(message.contains("own has another program than that of its `digest`"), "{message}");
    let message = sandbox.refused(&["tune", "t.toml", "--out", "out", "--resume"]);
    assert!(message.contains("another"), "{message}");
}

/// Commands that start the bots of results, and those that take one with its digest.
#[test]
fn bots_are_looked_at_and_played_against_with_the_same_program_alone() {
    let sandbox = sandbox(&format!("deals = 4\nsecret = {SECRET:?}"));
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", "out"]).0, 0);
    let config = std::fs::read_to_string(sandbox.path("out/config.toml")).unwrap();
    let digest = config.lines().find(|line| line.starts_with("digest = ")).unwrap();
    let manifest = std::fs::read_to_string(sandbox.path("own/own.toml")).unwrap();
    sandbox.write("own/own.toml", &format!("{manifest}{digest}\n"));
    let commands = [
        &["replay", "out/config.toml", "--deal", "0"][..],
        &["explain", "out", "own", "one", "--quiet"],
        &["check", "own/own.toml", "--variant", "colour-blind-2", "--deals", "2"],
    ];
    for args in commands {
        let (code, _, stderr) = sandbox.run(args);
        assert!([0, 1].contains(&code), "{args:?}: {stderr}");
    }
    sandbox.write("own/bot.py", &program(-1));
    for args in commands {
        let message = sandbox.refused(args);
        assert!(message.contains("own has another program than that of its `digest`"), "{args:?}: {message}");
    }
}

#[test]
fn commands_say_that_bots_are_not_shut_in() {
    let sandbox = sandbox(&format!("deals = 4\nsecret = {SECRET:?}"));
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", "out"]).0, 0);
    for args in [
        &["replay", "t.toml", "--deal", "0", "--sandbox", "none"][..],
        &["explain", "out", "own", "one", "--sandbox", "none"],
        &["check", "own/own.toml", "--variant", "colour-blind-2", "--deals", "2", "--sandbox", "none"],
    ] {
        let (_, _, stderr) = sandbox.run(args);
        assert!(stderr.contains("note: external bots are not sandboxed"), "{args:?}: {stderr}");
    }
}

#[test]
fn a_secret_that_was_drawn_is_no_reason_to_take_another_program() {
    let sandbox = sandbox("deals = 4");
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", "out"]).0, 0);
    sandbox.write("own/bot.py", &program(-1));
    let message = sandbox.refused(&["run", "t.toml", "--quiet", "--out", "out", "--deals", "6", "--resume"]);
    assert!(message.contains("the program of own has changed since"), "{message}");
}

#[test]
fn folders_that_are_no_bots_are_refused() {
    let sandbox = sandbox("deals = 4");
    let manifest = std::fs::read_to_string(sandbox.path("own/own.toml")).unwrap();
    std::fs::create_dir_all(sandbox.path("own/.ssh/more")).unwrap();
    std::fs::create_dir(sandbox.path("out")).unwrap();
    let home = std::env::home_dir().unwrap();
    for (folder, told) in [
        (".ssh", "a folder of keys, which holds more than the bot. Give the bot its own folder"),
        (".ssh/more", "a folder of keys"),
        ("..", "which leads to all that lies around the file that names it"),
        ("../out", "the folder of this run's results"),
        ("/", "the root of all files"),
        (home.to_str().unwrap(), "your home folder or one around it"),
    ] {
        sandbox.write("own/own.toml", &format!("{manifest}folder = {folder:?}\n"));
        let message = sandbox.refused(&["run", "t.toml", "--out", "out"]);
        assert!(message.contains("folder`") && message.contains(told), "{folder}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    // So do commands that leave no results.
    sandbox.write("own/own.toml", &format!("{manifest}folder = \".ssh\"\n"));
    let (code, stdout, stderr) = sandbox.run(&["check", "own/own.toml", "--variant", "dumbo"]);
    assert!(code != 0 && format!("{stdout}{stderr}").contains("a folder of keys"), "{stdout}{stderr}");
}
