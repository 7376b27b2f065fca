//! Runs that are stopped, killed, cut into shards or out of room: nothing may be lost, and the results are those of a
//! run in one go.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::fixtures::sandbox::{CONFIG, SECRET, Sandbox, same, same_files, wait_for};
use overtrick::run::Snapshot;

/// The deals of a run of a few seconds in the test profile.
const LONG: u64 = 50_000;

fn silent(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// How many numbers a checkpoint holds, over all variants.
fn saved(file: &Path) -> u64 {
    let snapshot = Snapshot::read(file).unwrap_or_else(|error| panic!("{error}"));
    snapshot.map_or(0, |snapshot| snapshot.runs.iter().map(|ran| ran.next - ran.start).sum())
}

/// The sandbox after a run with Ctrl-C in its midst; the checkpoint is in `out`. Gives how many deals the run was to
/// have, as an argument.
fn interrupted(sandbox: &Sandbox, more: &[&str]) -> String {
    let mut deals = LONG;
    loop {
        let all = deals.to_string();
        let args = [&["run", "t.toml", "--quiet", "--deals", &all, "--out", "out", "--checkpoint", "0"], more].concat();
        let mut child = silent(sandbox.command(&args));
        while !sandbox.path("out/checkpoint.bin").exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        if child.try_wait().unwrap().is_none() {
            assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        }
        let output = child.wait_with_output().unwrap();
        if output.status.success() {
            // It was over before the signal came.
            deals *= 4;
            if !more.contains(&"--force") {
                fs::remove_dir_all(sandbox.path("out")).unwrap();
            }
            continue;
        }
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with("interrupted after") && stderr.contains("--resume"), "{stderr}");
        let played = saved(&sandbox.path("out/checkpoint.bin"));
        assert!(0 < played && played < 2 * deals, "{played} of {deals} in each of two variants");
        return all;
    }
}

/// Kills a run of `deals` deals `kills` times, and goes on with it.
fn check_kills(deals: u32, kills: u32) {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", &CONFIG.replace("deals = 300", &format!("deals = {deals}")));
    let (code, ..) = sandbox.run(&["run", "t.toml", "--quiet", "--out", "whole"]);
    assert_eq!(code, 0);
    let checkpoint = sandbox.path("out/checkpoint.bin");
    // Some fixed moments that look random; the first few come before there is a checkpoint. Every fourth run is killed
    // only when it has got further than the last.
    let mut moment = 9u64;
    let mut before = 0;
    for kill in 0..kills {
        moment = moment * 75 % 65_537;
        let threads = if kill % 3 == 0 { "1" } else { "2" };
        let args = ["run", "t.toml", "--out", "out", "--resume", "--checkpoint", "0", "--threads", threads];
        let mut child = silent(sandbox.command(&args));
        std::thread::sleep(Duration::from_millis(5 + moment % 50));
        while kill % 4 == 3 && saved(&checkpoint) <= before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            // It was over before it was killed.
            break;
        }
        let now = saved(&checkpoint);
        assert!(now >= before, "{now} numbers after {before}");
        before = now;
    }
    assert!(before > 0, "no checkpoint was ever written");
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--out", "out", "--resume"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    same_files(&sandbox.path("whole"), &sandbox.path("out"));
    assert!(!checkpoint.exists());
    // Nothing of the killed runs is left.
    let left =
        fs::read_dir(sandbox.path("out")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = left.filter(|name| !same().contains(&name.as_str()) && name != "timing.json").collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_run_that_is_killed_four_times_ends_as_one_that_was_not() {
    check_kills(60_000, 4);
}

#[test]
#[ignore = "long: kills a run twenty times"]
fn a_run_that_is_killed_twenty_times_ends_as_one_that_was_not() {
    check_kills(250_000, 20);
}

#[test]
fn half_written_files_of_killed_runs_are_taken_away() {
    let sandbox = Sandbox::new();
    let parts =
        [".checkpoint.bin.part", ".bots.csv.part", ".tally.bin.part"].map(|name| sandbox.path("out").join(name));
    let of_others = sandbox.path("out/.notes.part");
    // A run from the beginning, one that has nothing to do, and one that goes on.
    for resume in [false, true, true] {
        fs::create_dir_all(sandbox.path("out")).unwrap();
        parts.iter().chain([&of_others]).for_each(|part| fs::write(part, "half").unwrap());
        let args = ["run", "t.toml", "--deals", "30", "--quiet", "--out", "out", "--resume"];
        let (code, _, stderr) = sandbox.run(&args[..if resume { 8 } else { 7 }]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        assert!(parts.iter().all(|part| !part.exists()) && of_others.exists());
        if resume {
            fs::remove_file(sandbox.path("out/bots.csv")).unwrap();
        }
    }
}

#[test]
fn ctrl_c_leaves_a_checkpoint_that_a_run_goes_on_from() {
    let sandbox = Sandbox::new();
    let deals = interrupted(&sandbox, &[]);
    sandbox.run(&["run", "t.toml", "--deals", &deals, "--quiet", "--out", "whole"]);
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--deals", &deals, "--out", "out", "--resume"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    same_files(&sandbox.path("whole"), &sandbox.path("out"));
}

#[test]
fn a_checkpoint_beside_the_results_of_another_run_is_resumed_from() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", "out", "--seed", "8"]).0, 0);
    let deals = interrupted(&sandbox, &["--force"]);
    sandbox.run(&["run", "t.toml", "--deals", &deals, "--quiet", "--out", "whole"]);
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--deals", &deals, "--out", "out", "--resume"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    same_files(&sandbox.path("whole"), &sandbox.path("out"));
}

#[test]
fn a_run_killed_on_its_way_to_more_deals_keeps_all_its_variants() {
    let sandbox = Sandbox::new();
    let deals = LONG.to_string();
    sandbox.run(&["run", "t.toml", "--deals", &deals, "--quiet", "--out", "whole"]);
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", "out"]).0, 0);
    let args = ["run", "t.toml", "--deals", &deals, "--out", "out", "--resume"];
    let mut child = silent(sandbox.command(&[&args[..], &["--checkpoint", "0"]].concat()));
    while saved(&sandbox.path("out/checkpoint.bin")) <= 600 {
        assert!(child.try_wait().unwrap().is_none(), "the run is too short to be killed");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let snapshot = Snapshot::read(&sandbox.path("out/checkpoint.bin")).unwrap().unwrap();
    assert!(snapshot.runs.len() == 2 && snapshot.runs.iter().all(|ran| ran.next >= 300));
    let (code, _, stderr) = sandbox.run(&args);
    assert_eq!((code, stderr.as_str()), (0, ""));
    same_files(&sandbox.path("whole"), &sandbox.path("out"));
}

#[test]
fn ctrl_c_before_anything_is_played_leaves_nothing() {
    let sandbox = Sandbox::new();
    let child = silent(sandbox.command(&["run", "t.toml", "--deals", "900000000000", "--out", "out"]));
    // Until it watches for Ctrl-C: signal 2 is the second bit of those that it catches.
    let status = || fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    wait_for("the handler of Ctrl-C", || {
        let caught = status().lines().find_map(|line| line.strip_prefix("SigCgt:")).map(str::trim).unwrap().to_owned();
        u64::from_str_radix(&caught, 16).unwrap() & 2 != 0
    });
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let stderr = String::from_utf8(output.stderr).unwrap();
    // It depends on the machine whether the folder was made and whether a first segment was over.
    let files = fs::read_dir(sandbox.path("out")).map_or(0, Iterator::count);
    assert!(
        if files == 0 { stderr.contains("nothing was written") } else { files == 1 && stderr.contains("--resume") },
        "{stderr}"
    );
}

#[test]
fn a_finished_run_is_left_alone() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["run", "t.toml"]).0, 0);
    let times = || {
        same()
            .into_iter()
            .map(|name| fs::metadata(sandbox.path("results/t").join(name)).unwrap().modified().unwrap())
            .collect::<Vec<_>>()
    };
    let before = times();
    let (code, stdout, stderr) = sandbox.run(&["run", "t.toml", "--resume"]);
    assert_eq!(
        (code, stdout.as_str(), stderr.as_str()),
        (0, "nothing to do: results/t holds the results of this run\n", "")
    );
    assert_eq!(times(), before);
    // Not if it is another run, or if a file is gone.
    let message = sandbox.refused(&["run", "t.toml", "--resume", "--seed", "8"]);
    assert!(message.contains("holds finished results") && message.contains("`seed = 8`"), "{message}");
    // A run may get longer, so more deals are not what is wrong.
    let message = sandbox.refused(&["run", "t.toml", "--resume", "--seed", "8", "--deals", "100000"]);
    assert!(message.contains("`seed = 8`") && !message.contains("deals ="), "{message}");
    let message = sandbox.refused(&["run", "t.toml", "--resume", "--deals", "2"]);
    assert!(message.contains("`deals = 2`: a run can only get longer"), "{message}");
    assert_eq!(times(), before);
    fs::remove_file(sandbox.path("results/t/pairs.csv")).unwrap();
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--resume"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(sandbox.path("results/t/pairs.csv").exists());
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--resume", "--out", "new"]);
    assert!(code == 0 && stderr.contains("there is no checkpoint"), "{stderr}");
    same_files(&sandbox.path("results/t"), &sandbox.path("new"));
}

/// A run that is killed when all but this was done leaves its checkpoint, and deals that it kept for a log.
#[test]
fn leftovers_of_a_finished_run_are_taken_away_and_those_of_a_longer_one_stay() {
    let sandbox = Sandbox::new();
    let args = ["run", "t.toml", "--quiet", "--out", "out", "--log", "log.csv", "--resume"];
    assert_eq!(sandbox.run(&args[..7]).0, 0);
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", "longer", "--deals", "400"]).0, 0);
    let [checkpoint, deals] = ["checkpoint.bin", "deals-2.rows"].map(|name| sandbox.path("out").join(name));
    for (left, stay) in [("longer", true), ("out", false)] {
        let mut snapshot = Snapshot::read(&sandbox.path(left).join("tally.bin")).unwrap().unwrap();
        snapshot.finished = false;
        fs::write(&checkpoint, snapshot.to_bytes()).unwrap();
        fs::write(&deals, "").unwrap();
        let (code, stdout, stderr) = sandbox.run(&args);
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""));
        assert_eq!([checkpoint.exists(), deals.exists()], [stay; 2]);
    }
}

#[test]
fn a_checkpoint_that_is_not_sound_or_not_its_own_is_refused() {
    let sandbox = Sandbox::new();
    let deals = interrupted(&sandbox, &[]);
    let file = sandbox.path("out/checkpoint.bin");
    let sound = fs::read(&file).unwrap();
    let refused = |bytes: &[u8], more: &[&str]| {
        fs::write(&file, bytes).unwrap();
        let args = [&["run", "t.toml", "--deals", &deals, "--out", "out", "--resume"], more].concat();
        let message = sandbox.refused(&args);
        assert!(message.starts_with("error: out/checkpoint.bin: ") && message.lines().count() == 1, "{message}");
        assert!(message.contains("cannot be resumed from: it ") && message.contains("with --force"), "{message}");
        assert_eq!(fs::read(&file).unwrap(), bytes);
        assert_eq!(fs::read_dir(sandbox.path("out")).unwrap().count(), 1);
        message
    };
    let middle = sound.len() / 2;
    for at in [sound.len() - 1, middle, 60] {
        let mut damaged = sound.clone();
        damaged[at] ^= 4;
        assert!(refused(&damaged, &[]).contains("damaged"));
    }
    for length in [sound.len() - 1, middle, 60] {
        assert!(refused(&sound[..length], &[]).contains("its length is wrong"));
    }
    assert!(refused(&[sound.as_slice(), b"x"].concat(), &[]).contains("its length is wrong"));
    for nothing in [&b""[..], b"\n", b"PK\x03\x04 something else\n", &sound[..5]] {
        assert!(refused(nothing, &[]).contains("no file of tallies"));
    }
    let older = [b"overtrick ledger 0, seeding 1\n", &sound[30..]].concat();
    assert!(refused(&older, &[]).contains("another version"));
    let message = refused(&sound, &["--seed", "8"]);
    assert!(message.contains("it has `seed = 7` where this one has `seed = 8`"), "{message}");
    let message = refused(&sound, &["--shard", "1/2"]);
    assert!(message.contains("it is of the whole run, and this is shard 1/2"), "{message}");
    sandbox.write("bots/two.toml", "name = \"two\"\nstrategy = \"rule-based\"\n");
    assert!(refused(&sound, &[]).contains("another run"));
}

#[test]
fn a_full_disk_stops_the_run_and_spares_the_last_checkpoint() {
    let sandbox = Sandbox::new();
    let deals = interrupted(&sandbox, &[]);
    sandbox.run(&["run", "t.toml", "--deals", &deals, "--quiet", "--out", "whole"]);
    let before = fs::read(sandbox.path("out/checkpoint.bin")).unwrap();
    // No file may grow beyond a few kilobytes, and the signal that would kill the program is ignored.
    let script = format!(
        "trap '' XFSZ; ulimit -f 4; exec {} run t.toml --deals {deals} --out out --resume --checkpoint 0",
        env!("CARGO_BIN_EXE_overtrick")
    );
    let output = Command::new("sh").current_dir(sandbox.path("")).args(["-c", &script]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("the checkpoint cannot be written") && stderr.contains("go on with --resume"), "{stderr}");
    assert!(!stderr.contains("panicked"));
    assert_eq!(fs::read(sandbox.path("out/checkpoint.bin")).unwrap(), before);
    assert_eq!(fs::read_dir(sandbox.path("out")).unwrap().count(), 1, "nothing else is left");
    let (code, ..) = sandbox.run(&["run", "t.toml", "--deals", &deals, "--out", "out", "--resume"]);
    assert_eq!(code, 0);
    same_files(&sandbox.path("whole"), &sandbox.path("out"));
}

#[test]
fn shards_put_together_are_the_whole_run() {
    for unit in ["deals = 300", "unit = \"match\"\nmatches = 40"] {
        let sandbox = Sandbox::new();
        sandbox.write("t.toml", &CONFIG.replace("deals = 300", unit));
        assert_eq!(sandbox.run(&["run", "t.toml", "--out", "whole"]).0, 0);
        for shard in ["1/3", "2/3", "3/3"] {
            let (code, stdout, _) = sandbox.run(&["run", "t.toml", "--shard", shard, "--out", &shard[..1]]);
            assert!(code == 0 && stdout.contains("overtrick merge"), "{stdout}");
        }
        let (code, stdout, stderr) = sandbox.run(&["merge", "3", "1", "2", "--out", "merged"]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        assert!(stdout.contains("3 shards put together; results are in merged"), "{stdout}");
        same_files(&sandbox.path("whole"), &sandbox.path("merged"));
        let (code, stdout, _) = sandbox.run(&["run", "t.toml", "--shard", "2/3", "--out", "2", "--resume"]);
        assert!(code == 0 && stdout.starts_with("nothing to do"), "{stdout}");
    }
}

#[test]
fn shards_that_do_not_make_a_whole_are_refused() {
    let sandbox = Sandbox::new();
    let shard = |which: &str, folder: &str, more: &[&str]| {
        let args = [&["run", "t.toml", "--quiet", "--shard", which, "--out", folder], more].concat();
        assert_eq!(sandbox.run(&args).0, 0);
    };
    for which in ["1/4", "2/4", "3/4", "4/4"] {
        shard(which, &which[..1], &[]);
    }
    shard("2/4", "2-again", &[]);
    shard("2/3", "of-three", &[]);
    shard("2/4", "other-seed", &["--seed", "9"]);
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", "whole"]).0, 0);
    fs::create_dir(sandbox.path("empty")).unwrap();
    let refused = |folders: &[&str], parts: &[&str]| {
        let message = sandbox.refused(&[&["merge", "--out", "merged"], folders].concat());
        assert!(parts.iter().all(|part| message.contains(part)) && message.lines().count() == 1, "{message}");
        assert!(!sandbox.path("merged").exists());
    };
    refused(&["1", "2", "4"], &["shard 3/4 is missing"]);
    refused(&["3"], &["shards 1/4, 2/4, 4/4 are missing"]);
    refused(&["1", "2", "2-again", "3", "4"], &["2-again: is shard 2/4, which 2 is, too"]);
    refused(&["1", "1", "2", "3", "4"], &["1: is shard 1/4, which 1 is, too"]);
    refused(&["1", "of-three", "3", "4"], &["of-three: is shard 2/3, and 1 is shard 1/4"]);
    refused(&["1", "other-seed", "3", "4"], &["other-seed: is of another run", "`seed = 9`", "`seed = 7`"]);
    refused(&["whole"], &["is no shard: it holds a whole run"]);
    refused(&["1", "2", "empty", "4"], &["empty: holds no finished shard"]);
    refused(&["1", "2", "nowhere", "4"], &["nowhere: holds no finished shard"]);
    let message = sandbox.refused(&["merge", "1", "2", "3", "4", "--out", "./2"]);
    assert!(message.contains("./2: holds shard 2/4, which the results would replace"), "{message}");
    // Without --out shards have separate folders.
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--shard", "1/2"]).0, 0);
    assert!(sandbox.path("results/t-1-of-2/tally.bin").exists());
    for wrong in ["0/3", "4/3", "1", "a/b", "1/0"] {
        assert!(sandbox.refused(&["run", "t.toml", "--shard", wrong]).contains("3/8"));
    }
}

/// A bot that waits before each of its decisions.
const SLOW: &str = "
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if 'hello' in message:
        print(json.dumps({'hello': {'name': 'slow', 'protocol': 1, 'variants': ['all']}}), flush=True)
    elif 'decide' in message:
        time.sleep(float(open('.seconds').read()) * len(message['decide']))
        print(json.dumps({'moves': [[d['id'], d['legal'][0]] for d in message['decide']]}), flush=True)
";

/// A number of a slow bot's games takes long; the games of it that are over are kept.
#[test]
#[ignore = "long: waits for a slow bot"]
fn a_checkpoint_may_fall_inside_of_a_number() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "t.toml",
        &format!(
            "seed = 3\nsecret = {SECRET:?}\ndeals = 10\nformat = \"duel\"\nvariants = [\"euchre-24\"]\nbots = [\"one\", \
             {{name = \"slow\", strategy = \"process\", parameters = {{command = [\"python3\", \"-S\", \"slow.py\"], \
             folder = \"bots\", move-timeout = 600, start-timeout = 600}}}}]\n"
        ),
    );
    let run = |args: &[&str]| sandbox.command(&[&["run", "t.toml", "--quiet", "--checkpoint", "0"], args].concat());
    sandbox.write("bots/slow.py", SLOW);
    // Hidden files are no part of a program, so that it stays the same.
    let wait = |seconds: &str| sandbox.write("bots/.seconds", seconds);
    wait("0");
    assert!(run(&["--out", "whole"]).status().unwrap().success());
    // Only in the run that is killed, and then for ten seconds in all: the first segment, of four games, ends before.
    wait("0.02");
    let mut child = run(&["--out", "out", "--threads", "1"]).spawn().unwrap();
    let checkpoint = sandbox.path("out/checkpoint.bin");
    wait_for("a number with some games over and some left", || {
        let snapshot = Snapshot::read(&checkpoint).unwrap();
        snapshot.is_some_and(|snapshot| snapshot.runs[0].open.iter().any(|open| open.left.len() < 6))
    });
    child.kill().unwrap();
    child.wait().unwrap();
    wait("0");
    // Such a run has a page.
    assert_eq!(sandbox.run(&["report", "out", "--out", "begun.html", "--quiet"]).0, 0);
    assert!(run(&["--out", "out", "--threads", "2", "--resume"]).status().unwrap().success());
    same_files(&sandbox.path("whole"), &sandbox.path("out"));
}
