//! Resources that the machine does not give: room on standard error, threads, files of any size. Each is an error at
//! most, never a panic, and nothing half-written stays.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::fixtures::sandbox::{Sandbox, same_files};
use crate::fixtures::tunings;

/// Runs the program by a line of the shell, in which `overtrick` stands for it.
fn shell(sandbox: &Sandbox, line: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_overtrick");
    let line = line.replace("overtrick", program);
    Command::new("sh").args(["-c", &line]).current_dir(sandbox.path("")).output().unwrap()
}

/// The names of the files in a folder; none if it is not there.
fn names(sandbox: &Sandbox, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path(folder)).into_iter().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A small sweep.
const SWEEP: &str = include_str!("../../data/sweep/small.toml");

#[test]
fn a_standard_error_that_is_full_or_closed_changes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("tune.toml", &tunings::small());
    sandbox.write("sweep.toml", &SWEEP.replace("deals = 64", "deals = 16"));
    // Those that say something there, and those that are refused.
    let lines = [
        ("run t.toml --resume --out out", 0),
        ("run nowhere.toml", 2),
        ("duel one two --variant dumbo --deals 4", 0),
        ("tune tune.toml --resume --out tuned", 0),
        ("sweep sweep.toml --resume --out swept", 0),
        ("rate nowhere.csv", 2),
        ("run", 2),
    ];
    for target in ["2>/dev/full", "2>&-"] {
        for (line, code) in lines {
            for folder in ["out", "results", "tuned", "swept"] {
                let _ = fs::remove_dir_all(sandbox.path(folder));
            }
            let output = shell(&sandbox, &format!("exec overtrick {line} {target}"));
            // A panic is 101, an abort a signal.
            assert_eq!(output.status.code(), Some(code), "{line} {target}: {output:?}");
        }
    }
    // Where standard output is full, too, that is the error.
    let output = shell(&sandbox, "exec overtrick list >/dev/full 2>/dev/full");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// A user from `first` on of whom nothing runs, so that a limit on their processes is one on the program's threads;
/// `None` if this test has no right to be another user. (The limit does not bind root.)
fn stranger(first: u32) -> Option<String> {
    let by = |user: u32| format!("setpriv --reuid={user} --regid={user} --clear-groups");
    (first..first + 20).map(by).find(|by| {
        let check = Command::new("sh").args(["-c", &format!("{by} true")]).stderr(Stdio::null()).status();
        check.is_ok_and(|status| status.success())
    })
}

/// Runs commands as a user from `first` on under these limits on the number of threads.
fn check_threads(first: u32, limits: impl IntoIterator<Item = u32>, tune: &str, sweep: &str) {
    let Some(by) = stranger(first) else {
        println!("skipped: only root can run a program as a user of whom nothing else runs");
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.write("tune.toml", tune);
    sandbox.write("sweep.toml", sweep);
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", "whole"]).0, 0);
    // That user can read the program and write here.
    use std::os::unix::fs::PermissionsExt;
    for folder in ["", "whole"] {
        fs::set_permissions(sandbox.path(folder), fs::Permissions::from_mode(0o777)).unwrap();
    }
    let program = sandbox.path("program");
    fs::copy(env!("CARGO_BIN_EXE_overtrick"), &program).unwrap();
    let (mut refused, mut done) = (0, 0);
    for limit in limits {
        for line in [
            "run t.toml --out out --force --threads 4",
            "explain whole one two",
            "tune tune.toml --out tuned --force --threads 4",
            "sweep sweep.toml --out swept --force --threads 4",
            "play dumbo --with one --deals 1 --seed 3",
            "replay t.toml --variant dumbo --deal 1",
        ] {
            let line = format!("{by} prlimit --nproc={limit} {} {line} </dev/null", program.display());
            let output = Command::new("sh").args(["-c", &line]).current_dir(sandbox.path("")).output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!message.contains("panicked"), "{line}: {message}");
            match output.status.code() {
                Some(0) => done += 1,
                Some(2) => {
                    let errors: Vec<&str> = message.lines().filter(|line| line.starts_with("error: ")).collect();
                    assert!(errors.len() == 1 && errors[0].contains("thread"), "{line}: {message}");
                    refused += 1;
                }
                _ => panic!("{line}: {:?} {message}", output.status),
            }
            let parts = ["out", "tuned", "swept"].map(|folder| names(&sandbox, folder)).concat();
            assert!(!parts.iter().any(|name| name.ends_with(".part")), "{line}: {parts:?}");
        }
        if sandbox.path("out/tally.bin").exists() {
            same_files(&sandbox.path("whole"), &sandbox.path("out"));
        }
    }
    println!("{refused} commands were refused, {done} did their work");
    assert!(refused > 0 && done > 0);
}

#[test]
fn threads_that_cannot_be_started_are_an_error_or_are_done_without_under_a_few_limits() {
    check_threads(61_100, [1, 3, 8], &tunings::small(), &SWEEP.replace("deals = 64", "deals = 16"));
}

#[test]
#[ignore = "long: runs commands under eight limits"]
fn threads_that_cannot_be_started_are_an_error_or_are_done_without() {
    check_threads(61_000, 1..=8, tunings::CONFIG, SWEEP);
}

#[test]
fn files_that_may_not_grow_leave_nothing_half_written() {
    let sandbox = Sandbox::new();
    sandbox.write("tune.toml", tunings::CONFIG);
    sandbox.write("sweep.toml", SWEEP);
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", "whole"]).0, 0);
    for (line, folder) in [
        ("run t.toml --out out", "out"),
        ("run t.toml --out logged --log logged/deals.csv.gz", "logged"),
        ("tune tune.toml --out tuned", "tuned"),
        ("sweep sweep.toml --out swept", "swept"),
        ("report whole --out page/report.html", "page"),
        ("new-bot mine --lang python --folder new", "new"),
    ] {
        fs::create_dir_all(sandbox.path(folder)).unwrap();
        // A block is 512 bytes, or 1024: no file can be written but the smallest.
        let output = shell(&sandbox, &format!("ulimit -f 1; exec overtrick {line}"));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        let errors = message.lines().filter(|line| line.starts_with("error: ")).count();
        assert!(errors == 1 && message.contains("File too large"), "{line}: {message}");
        let left = names(&sandbox, folder);
        assert!(!left.iter().any(|name| name.ends_with(".part")), "{line}: {left:?}");
    }
    // The page's place is as it was, and a run can be done where one could not.
    assert_eq!(names(&sandbox, "page"), [""; 0]);
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--quiet", "--out", "out", "--force"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    same_files(&sandbox.path("whole"), &sandbox.path("out"));
}
