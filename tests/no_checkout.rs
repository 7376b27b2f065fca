//! The program by itself, as `cargo install` leaves it: no bots or configs beside it but what its user writes.

mod desk;

use std::fs;

use desk::{CONFIG, Desk};

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
        let of_bot: Vec<String> = stdout.lines().filter(|line| line.contains(bot)).map(str::to_owned).collect();
        assert_eq!(of_bot.len(), 1, "{stdout}");
        of_bot.concat()
    };
    for bot in ["cautious", "ismcts-10k", "ismcts-1k", "pimc-100", "pimc-20", "any legal move", "parameters, written"] {
        assert!(line(bot).contains("(built in)"));
    }
    fs::create_dir(desk.path("bots")).unwrap();
    desk.write("bots/pimc-20.toml", "name = \"pimc-20\"\nstrategy = \"random\"\n");
    assert!(line("pimc-20").contains("bots/pimc-20.toml"));
}
