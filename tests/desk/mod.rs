//! A working folder for tests that run the program.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A working folder with a few bots and configs.
pub struct Desk(TempDir);

/// A small config.
pub const CONFIG: &str = r#"
seed = 7
deals = 300
variants = ["dumbo", "colour-blind-2"]
bots = ["one", "two", "three"]
"#;

impl Desk {
    pub fn new() -> Desk {
        let desk = Desk(tempfile::tempdir().unwrap());
        fs::create_dir(desk.path("bots")).unwrap();
        for name in ["one", "two", "three"] {
            desk.write(&format!("bots/{name}.toml"), &format!("name = {name:?}\nstrategy = \"random\"\n"));
        }
        desk.write("t.toml", CONFIG);
        desk
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_overtrick"));
        command.current_dir(self.0.path()).args(args).env("LC_ALL", "C.UTF-8").env_remove("COLUMNS");
        command
    }

    /// Runs a command: exit code, stdout, stderr.
    pub fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.command(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// The same with a text on standard input.
    pub fn run_on(&self, input: &str, args: &[&str]) -> (i32, String, String) {
        self.write("standard-input", input);
        let input = fs::File::open(self.path("standard-input")).unwrap();
        let output = self.command(args).stdin(input).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// Runs a command that is refused: the message, which is one line.
    pub fn refused(&self, args: &[&str]) -> String {
        let (code, stdout, stderr) = self.run(args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
        assert!(stderr.starts_with("error: ") && !stderr.contains("panicked"), "{stderr}");
        stderr
    }

    /// The message for `t.toml` with one thing replaced.
    pub fn refused_config(&self, from: &str, to: &str) -> String {
        assert!(CONFIG.contains(from));
        self.write("t.toml", &CONFIG.replace(from, to));
        let message = self.refused(&["run", "t.toml"]);
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(!self.path("results").exists(), "a refused run left something behind");
        message
    }
}

/// Waits for something to happen. The deadline only keeps a hang from lasting for ever: no machine is too slow for it.
pub fn wait_for(what: &str, happened: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(600);
    while !happened() {
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The files that two runs of one configuration have alike.
pub const SAME: [&str; 9] = [
    "summary.json",
    "bots.csv",
    "ratings.csv",
    "pairs.csv",
    "seats.csv",
    "balance.csv",
    "contracts.csv",
    "config.toml",
    "tally.bin",
];

/// Checks that two folders hold the same results.
pub fn same_files(one: &Path, other: &Path) {
    for name in SAME {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert!(read(one) == read(other), "{name} differs");
    }
}

/// What is printed, in one line, whatever the width of the terminal.
pub fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
