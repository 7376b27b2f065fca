//! Tunings that are stopped or killed, and what a folder holds already: nothing may be lost, and the results are those
//! of a tuning in one go.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use overtrick::report::{TUNE_FILES, output_names};
use overtrick::run::Progress;
use overtrick::strategies::Register;
use overtrick::tune::{TunePlan, TuneSnapshot};

use crate::fixtures::sandbox::{Sandbox, wait_for};
use crate::fixtures::tunings::{CONFIG, same_tuning, small, tune};

fn silent(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// How many games the checkpoint in the folder `out` has of the tuning in `t.toml`.
fn saved(sandbox: &Sandbox) -> u64 {
    let plan = TunePlan::read(&sandbox.path("t.toml"), &Register::default()).unwrap();
    let snapshot = TuneSnapshot::load(&plan, &plan.to_toml(), &sandbox.path("out/checkpoint.bin"));
    snapshot.unwrap_or_else(|why| panic!("the checkpoint {why}")).map_or(0, |snapshot| snapshot.tuning.games)
}

/// The names and contents of all files in the folder `out`.
fn files(sandbox: &Sandbox) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(sandbox.path("out")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .map(|file| (file.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&file).unwrap()))
        .collect();
    files.sort();
    files
}

/// A refusal of one line, after which every file in the folder `out` is as it was.
fn refused(sandbox: &Sandbox, args: &[&str], parts: &[&str]) {
    let before = files(sandbox);
    let message = sandbox.refused(&[args, &["--out", "out"]].concat());
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(parts.iter().all(|part| message.contains(part)), "{parts:?}: {message}");
    assert!(files(sandbox) == before, "{args:?} changed something");
}

/// The sandbox after a tuning with Ctrl-C in its midst: `t.toml` is that tuning, and the checkpoint is in `out`.
fn interrupted(sandbox: &Sandbox) {
    let mut games = 36_000;
    loop {
        sandbox.write("t.toml", &CONFIG.replace("games = 36000", &format!("games = {games}")));
        let mut child = silent(sandbox.command(&["tune", "t.toml", "--quiet", "--out", "out"]));
        while !sandbox.path("out/checkpoint.bin").exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        if child.try_wait().unwrap().is_none() {
            assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        }
        let output = child.wait_with_output().unwrap();
        if output.status.success() {
            // It was over before the signal came.
            games *= 4;
            fs::remove_dir_all(sandbox.path("out")).unwrap();
            continue;
        }
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8(output.stderr).unwrap();
        let rest = "go on with --resume; the checkpoint is in out\n";
        assert!(stderr.starts_with("interrupted in ") && stderr.ends_with(rest), "{stderr}");
        assert!(saved(sandbox) > 0 && files(sandbox).len() == 1);
        return;
    }
}

/// Kills a tuning of `games` games `kills` times, and goes on with it.
fn check_kills(games: u32, kills: u32) {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", &CONFIG.replace("games = 36000", &format!("games = {games}")));
    tune(&sandbox, &["t.toml", "--out", "whole"]);
    // Some fixed moments that look random; the first few come before there is a checkpoint. Every second run is killed
    // only when it has got further than the last.
    let mut moment = 9u64;
    let mut before = 0;
    for kill in 0..kills {
        moment = moment * 75 % 65_537;
        let threads = if kill % 3 == 0 { "1" } else { "2" };
        let mut child = silent(sandbox.command(&["tune", "t.toml", "--out", "out", "--resume", "--threads", threads]));
        std::thread::sleep(Duration::from_millis(5 + moment % 50));
        while kill % 2 == 1 && saved(&sandbox) <= before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            // It was over before it was killed.
            break;
        }
        let now = saved(&sandbox);
        assert!(now >= before || sandbox.path("out/config.toml").exists(), "{now} games after {before}");
        before = now;
    }
    let (code, _, _) = sandbox.run(&["tune", "t.toml", "--out", "out", "--resume"]);
    assert_eq!(code, 0);
    same_tuning(&sandbox.path("whole"), &sandbox.path("out"));
    // Nothing of the killed runs is left.
    let names: Vec<String> = files(&sandbox).into_iter().map(|(name, _)| name).collect();
    assert!(
        names.len() == TUNE_FILES.len() && names.iter().all(|name| TUNE_FILES.contains(&name.as_str())),
        "{names:?}"
    );
}

#[test]
fn a_tuning_that_is_killed_four_times_ends_as_one_that_was_not() {
    check_kills(36_000, 4);
}

#[test]
#[ignore = "long: kills a tuning twenty times"]
fn a_tuning_that_is_killed_twenty_times_ends_as_one_that_was_not() {
    check_kills(100_000, 20);
}

#[test]
fn a_tuning_that_was_stopped_is_gone_on_with_or_given_up_by_name() {
    let sandbox = Sandbox::new();
    interrupted(&sandbox);
    let config = fs::read_to_string(sandbox.path("t.toml")).unwrap();
    sandbox.write("other.toml", &config.replace("seed = 7", "seed = 8\nname = \"t\""));
    sandbox.write("run.toml", crate::fixtures::sandbox::CONFIG);
    let checkpoint = "out/checkpoint.bin: ";
    refused(&sandbox, &["tune", "t.toml"], &[checkpoint, "this tuning was stopped there", "--resume", "--force"]);
    let other =
        [checkpoint, "would be replaced: it is of another plan", "`seed = 7` where this one has `seed = 8`", "--force"];
    refused(&sandbox, &["tune", "other.toml"], &other);
    refused(&sandbox, &["tune", "other.toml", "--resume"], &other);
    for args in [&["run", "run.toml"][..], &["run", "run.toml", "--resume"]] {
        refused(&sandbox, args, &[checkpoint, "--force"]);
    }
    assert!(sandbox.refused(&["tune", "t.toml", "--resume", "--force"]).contains("cannot be used with"));
    let sound = fs::read(sandbox.path("out/checkpoint.bin")).unwrap();
    let (middle, cut) = (sound.len() / 2, &sound[..sound.len() - 9]);
    let mut damaged = sound.clone();
    damaged[middle] ^= 4;
    for (bytes, problem) in
        [(&damaged[..], "damaged"), (cut, "its length is wrong"), (b"something else\n", "no checkpoint of tuning")]
    {
        fs::write(sandbox.path("out/checkpoint.bin"), bytes).unwrap();
        refused(&sandbox, &["tune", "t.toml", "--resume"], &[checkpoint, problem, "--force"]);
    }
    fs::write(sandbox.path("out/checkpoint.bin"), &sound).unwrap();
    tune(&sandbox, &["t.toml", "--out", "whole"]);
    let (code, _, stderr) = sandbox.run(&["tune", "t.toml", "--out", "out", "--resume", "--quiet"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    same_tuning(&sandbox.path("whole"), &sandbox.path("out"));
    assert_eq!(files(&sandbox).len(), TUNE_FILES.len());
    // From the beginning, with the checkpoint given up.
    fs::remove_dir_all(sandbox.path("out")).unwrap();
    fs::create_dir(sandbox.path("out")).unwrap();
    fs::write(sandbox.path("out/checkpoint.bin"), &damaged).unwrap();
    tune(&sandbox, &["t.toml", "--out", "out", "--force"]);
    same_tuning(&sandbox.path("whole"), &sandbox.path("out"));
    assert_eq!(files(&sandbox).len(), TUNE_FILES.len());
    // Killed when all was written, but the checkpoint not yet removed.
    fs::write(sandbox.path("out/checkpoint.bin"), &sound).unwrap();
    let (code, stdout, _) = sandbox.run(&["tune", "t.toml", "--out", "out", "--resume"]);
    assert_eq!((code, stdout.as_str()), (0, "nothing to do: out holds the results of this tuning\n"));
    assert_eq!(files(&sandbox).len(), TUNE_FILES.len());
}

#[test]
fn ctrl_c_ends_a_tuning_of_slow_bots_too() {
    let sandbox = Sandbox::new();
    // The pilot alone would take an hour.
    let parameters = ["worlds = { low = 10, high = 100 }", "caution = {}", "trust = {}", "spite = {}"].join("\n");
    let slow = format!(
        "seed = 7\n[tune]\nbot = {{ bot = \"pimc-100\", parameters.worlds = 20 }}\nvariants = [\"chameleon\"]\n\
         games = 100000000\n[tune.parameters]\n{parameters}\n"
    );
    sandbox.write("t.toml", &slow);
    let child = silent(sandbox.command(&["tune", "t.toml", "--out", "out"]));
    // It watches for Ctrl-C before it makes its folder.
    wait_for("the folder", || sandbox.path("out").exists());
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    // The folder is made before tuning begins, so the signal may come before that, too.
    let said = [
        "interrupted in pilot: nothing was written to out\n",
        "interrupted before the first deal: nothing was written\n",
    ];
    assert!(output.status.code() == Some(130) && said.contains(&stderr.as_str()), "{stderr}");
    assert!(!sandbox.path("out").exists());
}

#[test]
fn a_finished_tuning_is_left_alone_and_no_run_replaces_it() {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", &small());
    sandbox.write("other.toml", &small().replace("seed = 7", "seed = 8\nname = \"t\""));
    sandbox.write("run.toml", crate::fixtures::sandbox::CONFIG);
    let (code, _, stderr) = sandbox.run(&["tune", "t.toml", "--out", "out", "--resume"]);
    assert!(code == 0 && stderr.starts_with("note: there is no checkpoint, so tuning starts from the beginning\n"));
    let before = files(&sandbox);
    let (code, stdout, stderr) = sandbox.run(&["tune", "t.toml", "--out", "out", "--resume"]);
    assert_eq!(
        (code, stdout.as_str(), stderr.as_str()),
        (0, "nothing to do: out holds the results of this tuning\n", "")
    );
    assert!(files(&sandbox) == before);
    let another = ["the folder holds the results of another run", "--out", "--force"];
    refused(&sandbox, &["tune", "other.toml"], &another);
    refused(&sandbox, &["tune", "other.toml", "--resume"], &another);
    for args in [&["run", "run.toml"][..], &["run", "run.toml", "--resume"], &["run", "run.toml", "--shard", "1/2"]] {
        refused(&sandbox, args, &["is there already", "--force"]);
    }
    // A file that is gone is made again, and so are all if they were those of another tuning.
    fs::remove_file(sandbox.path("out/tune.csv")).unwrap();
    tune(&sandbox, &["t.toml", "--out", "out", "--resume"]);
    assert!(files(&sandbox) == before);
    tune(&sandbox, &["other.toml", "--out", "out", "--force"]);
    assert!(files(&sandbox) != before && files(&sandbox).len() == TUNE_FILES.len());
    tune(&sandbox, &["t.toml", "--out", "out", "--force"]);
    assert!(files(&sandbox) == before);
}

#[test]
fn the_results_of_a_run_are_replaced_by_name_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("run.toml", crate::fixtures::sandbox::CONFIG);
    assert_eq!(sandbox.run(&["run", "run.toml", "--out", "out", "--quiet"]).0, 0);
    sandbox.write("t.toml", CONFIG);
    for args in [&["tune", "t.toml"][..], &["tune", "t.toml", "--resume"]] {
        refused(&sandbox, args, &["the folder holds the results of another run", "--out", "--force"]);
    }
    tune(&sandbox, &["t.toml", "--out", "out", "--force"]);
    tune(&sandbox, &["t.toml", "--out", "whole"]);
    same_tuning(&sandbox.path("whole"), &sandbox.path("out"));
    // Tables of the run would look as if they were of the tuning.
    let names: Vec<String> = files(&sandbox).into_iter().map(|(name, _)| name).collect();
    let of_runs = output_names().into_iter().filter(|name| !TUNE_FILES.contains(name));
    assert!(names.len() == TUNE_FILES.len() && of_runs.clone().count() > 3, "{names:?}");
    assert!(of_runs.clone().all(|name| !names.iter().any(|other| other == name)), "{names:?}");
    // A shard has fewer files.
    fs::remove_dir_all(sandbox.path("out")).unwrap();
    assert_eq!(sandbox.run(&["run", "run.toml", "--shard", "1/2", "--out", "out", "--quiet"]).0, 0);
    refused(&sandbox, &["tune", "t.toml"], &["the folder holds the results of another run", "--force"]);
}
