//! The program by itself, as `cargo install` leaves it: no bots or configs beside it but what its user writes.

mod desk;

use std::fs;

use desk::{CONFIG, Desk, same_files};

/// A working folder with nothing in it but `t.toml`, whose bots are built in.
fn bare() -> Desk {
    let desk = Desk::new();
    fs::remove_dir_all(desk.path("bots")).unwrap();
    desk.write("t.toml", &CONFIG.replace(r#""one", "two", "three""#, r#""random", "rule-based", "cautious""#));
    desk
}

#[test]
fn built_in_bots_play_in_any_folder() {
    let desk = bare();
    let (code, stdout, stderr) = desk.run(&["run", "t.toml"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("cautious"), "{stdout}");
    let (code, stdout, _) = desk.run(&["check", "rule-based", "--variant", "dumbo", "--deals", "2"]);
    assert!(code == 0 && stdout.contains("rule-based is fine"), "{stdout}");
}

#[test]
fn a_list_says_which_bots_are_built_in() {
    let desk = bare();
    let line = |bot: &str| {
        let (code, stdout, stderr) = desk.run(&["list", "bots"]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        let of_bot: Vec<String> = stdout.lines().filter(|line| line.starts_with(bot)).map(str::to_owned).collect();
        assert_eq!(of_bot.len(), 1, "{stdout}");
        of_bot.concat()
    };
    for bot in ["cautious (", "ismcts-10k (", "ismcts-1k (", "pimc-100 (", "pimc-20 (", "random (", "rule-based ("] {
        assert!(line(bot).contains("(built in)"));
    }
    fs::create_dir(desk.path("bots")).unwrap();
    desk.write("bots/pimc-20.toml", "name = \"pimc-20\"\nstrategy = \"random\"\n");
    assert!(line("pimc-20 (").contains("bots/pimc-20.toml"));
}

#[test]
fn a_duel_is_the_run_that_a_config_would_describe() {
    let desk = bare();
    let config = "name = \"cautious-vs-random\"\nseed = 5\nformat = \"duel\"\nvariants = [\"dumbo\"]\nbots = [\"cautious\", \"random\"]\n";
    for (unit, numbers) in [("unit = \"deal\"\ndeals = 60", "--deals"), ("unit = \"match\"\nmatches = 60", "--matches")]
    {
        desk.write("t.toml", &format!("{unit}\n{config}"));
        let (_, run, _) = desk.run(&["run", "t.toml", "--force"]);
        let args = ["duel", "cautious", "random", "--variant", "dumbo", "--seed", "5", numbers, "60", "--threads", "1"];
        let (code, duel, stderr) = desk.run(&[&args[..], &["--out", "duel", "--force"]].concat());
        assert_eq!((code, stderr.as_str()), (0, ""));
        same_files(&desk.path("results/cautious-vs-random"), &desk.path("duel"));
        // Without a folder: the same tables, and nothing is left.
        let before = fs::read_dir(desk.path("")).unwrap().count();
        let (code, alone, stderr) = desk.run(&args);
        assert_eq!((code, stderr.as_str()), (0, ""));
        let tables = |text: &str| text.rsplit_once("\n\n").unwrap().0.to_owned();
        assert!(tables(&alone) == tables(&duel) && tables(&alone) == tables(&run), "{alone}");
        assert!(duel.contains("results are in duel") && !alone.contains("results are in"), "{alone}");
        assert_eq!(fs::read_dir(desk.path("")).unwrap().count(), before);
    }
}

#[test]
fn a_duel_takes_files_and_says_which_argument_is_wrong() {
    let desk = bare();
    desk.write("mine.toml", "name = \"mine\"\nstrategy = \"random\"\n");
    desk.write("short.toml", "name = \"short\"\nbase = \"dumbo\"\nrules.target = 9\n");
    let (code, stdout, stderr) = desk.run(&["duel", "mine.toml", "random", "--variant", "short.toml", "--deals", "30"]);
    assert!(code == 0 && stdout.contains("mine") && stdout.contains("short: "), "{stdout}{stderr}");
    let refused = |args: &[&str], expected: &str| {
        let message = desk.refused(&[&["duel"], args].concat());
        assert!(message.starts_with(&format!("error: {expected}")) && message.lines().count() == 1, "{message}");
    };
    refused(
        &["nobody", "random", "--variant", "dumbo"],
        "`A`: there is no bot \"nobody\"; looked for bots/nobody.toml",
    );
    refused(&["random", "no.toml", "--variant", "dumbo"], "`B`: there is no bot \"no.toml\"; looked for no.toml");
    refused(&["random", "random", "--variant", "dumbo"], "`B`: \"random\" is there twice");
    refused(&["random", "mine.toml", "--variant", "chess"], "`--variant`: there is no variant \"chess\"");
    refused(&["random", "mine.toml", "--variant", "c.toml"], "`--variant`: there is no file c.toml");
    refused(&["random", "mine.toml", "--variant", "dumbo", "--resume"], "--resume needs --out");
    desk.write("mine.toml", "name = \"mine\"\nstrategy = \"random\"\nluck = 1\n");
    refused(&["random", "mine.toml", "--variant", "dumbo"], "mine.toml:3: `luck`: unknown key");
}
