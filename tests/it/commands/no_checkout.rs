//! The program by itself, as `cargo install` leaves it: no bots or configs but those that its user writes.

use std::fs;

use crate::fixtures::sandbox::{CONFIG, Sandbox, same_files};

/// A working folder with nothing in it but `t.toml`, whose bots are built in.
fn bare() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::remove_dir_all(sandbox.path("bots")).unwrap();
    sandbox.write("t.toml", &CONFIG.replace(r#""one", "two", "three""#, r#""random", "rule-based", "cautious""#));
    sandbox
}

#[test]
fn built_in_bots_play_in_any_folder() {
    let sandbox = bare();
    let (code, stdout, stderr) = sandbox.run(&["run", "t.toml"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("cautious"), "{stdout}");
    let (code, stdout, _) = sandbox.run(&["check", "rule-based", "--variant", "dumbo", "--deals", "2"]);
    assert!(code == 0 && stdout.contains("rule-based is fine"), "{stdout}");
}

#[test]
fn a_list_says_which_bots_are_built_in() {
    let sandbox = bare();
    let line = |bot: &str| {
        let (code, stdout, stderr) = sandbox.run(&["list", "bots"]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        let of_bot: Vec<String> = stdout.lines().filter(|line| line.starts_with(bot)).map(str::to_owned).collect();
        assert_eq!(of_bot.len(), 1, "{stdout}");
        of_bot.concat()
    };
    for bot in ["cautious (", "ismcts-10k (", "ismcts-1k (", "pimc-100 (", "pimc-20 (", "random (", "rule-based ("] {
        assert!(line(bot).contains("(built in)"));
    }
    fs::create_dir(sandbox.path("bots")).unwrap();
    sandbox.write("bots/pimc-20.toml", "name = \"pimc-20\"\nstrategy = \"random\"\n");
    assert!(line("pimc-20 (").contains("bots/pimc-20.toml"));
}

#[test]
fn a_duel_is_the_run_that_a_config_would_describe() {
    let sandbox = bare();
    let config = "name = \"cautious-vs-random\"\nseed = 5\nformat = \"duel\"\nvariants = [\"dumbo\"]\nbots = [\"cautious\", \"random\"]\n";
    for (unit, numbers) in [("unit = \"deal\"\ndeals = 60", "--deals"), ("unit = \"match\"\nmatches = 60", "--matches")]
    {
        sandbox.write("t.toml", &format!("{unit}\n{config}"));
        let (_, run, _) = sandbox.run(&["run", "t.toml", "--force"]);
        let args = ["duel", "cautious", "random", "--variant", "dumbo", "--seed", "5", numbers, "60", "--threads", "1"];
        let (code, duel, stderr) = sandbox.run(&[&args[..], &["--out", "duel", "--force"]].concat());
        assert_eq!((code, stderr.as_str()), (0, ""));
        same_files(&sandbox.path("results/cautious-vs-random"), &sandbox.path("duel"));
        // Without a folder: the same tables, and nothing is left.
        let before = fs::read_dir(sandbox.path("")).unwrap().count();
        let (code, alone, stderr) = sandbox.run(&args);
        assert_eq!((code, stderr.as_str()), (0, ""));
        let tables = |text: &str| text.rsplit_once("\n\n").unwrap().0.to_owned();
        assert!(tables(&alone) == tables(&duel) && tables(&alone) == tables(&run), "{alone}");
        assert!(duel.contains("results are in duel") && !alone.contains("results are in"), "{alone}");
        assert_eq!(fs::read_dir(sandbox.path("")).unwrap().count(), before);
    }
}

#[test]
fn a_duel_takes_files_and_says_which_argument_is_wrong() {
    let sandbox = bare();
    sandbox.write("mine.toml", "name = \"mine\"\nstrategy = \"random\"\n");
    sandbox.write("short.toml", "name = \"short\"\nbase = \"dumbo\"\nrules.target = 9\n");
    let (code, stdout, stderr) =
        sandbox.run(&["duel", "mine.toml", "random", "--variant", "short.toml", "--deals", "30"]);
    assert!(code == 0 && stdout.contains("mine") && stdout.contains("short: "), "{stdout}{stderr}");
    let refused = |args: &[&str], expected: &str| {
        let message = sandbox.refused(&[&["duel"], args].concat());
        assert!(message.starts_with(&format!("error: {expected}")) && message.lines().count() == 1, "{message}");
    };
    refused(&["missing", "random", "--variant", "dumbo"], "there is no bot \"missing\"; looked for bots/missing.toml");
    refused(&["random", "no.toml", "--variant", "dumbo"], "there is no bot \"no.toml\"; looked for no.toml");
    refused(&["random", "random", "--variant", "dumbo"], "\"random\" is listed twice");
    refused(&["random", "mine.toml", "--variant", "chess"], "`--variant`: there is no variant \"chess\"");
    refused(&["random", "mine.toml", "--variant", "c.toml"], "`--variant`: there is no file c.toml");
    refused(&["random", "mine.toml", "--variant", "dumbo", "--resume"], "--resume needs --out");
    sandbox.write("mine.toml", "name = \"mine\"\nstrategy = \"random\"\nluck = 1\n");
    refused(&["random", "mine.toml", "--variant", "dumbo"], "mine.toml:3: `luck`: unknown key");
}
