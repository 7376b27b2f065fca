//! Bots that try to do harm, shut in as all bots are by default: none succeeds, no process of theirs outlives the run,
//! and the honest get the results of a clean run.

use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::fixtures::sandbox::{SECRET as LUCK, Sandbox, same, wait_for};

const HOSTILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/hostile.py");
const SECRET: &str = "a secret of the organiser";

/// A folder with files that bots must not reach, and a config in which each of `ways` meets `one`. Processes that the
/// bots leave behind sleep for `mark` seconds.
fn sandbox(ways: &[&str], mark: &str, deals: u32) -> Sandbox {
    let sandbox = Sandbox::new();
    for folder in ["home", "bots/other", "bots/mine"] {
        std::fs::create_dir(sandbox.path(folder)).unwrap();
    }
    sandbox.write("home/secret", SECRET);
    sandbox.write("bots/other/secret", SECRET);
    std::fs::copy(HOSTILE, sandbox.path("bots/mine/hostile.py")).unwrap();
    write(&sandbox, "t.toml", mark, deals, &ways.iter().map(|way| (*way, *way)).collect::<Vec<_>>());
    sandbox
}

/// The config with these bots, each by its name and by what it does.
fn write(sandbox: &Sandbox, file: &str, mark: &str, deals: u32, bots: &[(&str, &str)]) {
    let base = sandbox.path("");
    let base = base.to_str().unwrap().trim_end_matches('/');
    let bot = |(name, how): &(&str, &str)| {
        format!(
            "{{name = {name:?}, strategy = \"process\", parameters = {{command = [\"python3\", \"-S\", \"hostile.py\", {how:?}, \
             {base:?}, {mark:?}], folder = \"bots/mine\", memory-limit = 512, processes = 1, move-timeout = 600, \
             start-timeout = 600}}}}"
        )
    };
    let bots: Vec<String> = bots.iter().map(bot).collect();
    let head = format!(
        "name = \"t\"\nseed = 5\nsecret = {LUCK:?}\nformat = \"gauntlet\"\ncandidate = \"one\"\nvariants = [\"colour-blind-2\"]"
    );
    sandbox.write(file, &format!("# {SECRET}\n{head}\ndeals = {deals}\nbots = [\"one\", {}]\n", bots.join(", ")));
}

fn command(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = sandbox.command(args);
    command.env("HOME", sandbox.path("home")).env("TOKEN", SECRET);
    // Managers of several Pythons start theirs by a script, which takes longer than the bots do.
    let python = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    let python = String::from_utf8(python.stdout).unwrap();
    let folder = std::path::Path::new(python.trim()).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap();
    let places = std::iter::once(folder).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(places).unwrap());
    command
}

/// A number of seconds that no other test has.
fn mark(number: u32) -> String {
    format!("3600.{}{number:02}", std::process::id())
}

/// The processes of this machine that sleep for `mark` seconds.
fn sleepers(mark: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    let is_one = |line: &Vec<u8>| line.starts_with(b"sleep\0") && line[6..].starts_with(mark.as_bytes());
    let lines = processes.filter_map(|place| std::fs::read(place.join("cmdline")).ok());
    lines.filter(is_one).map(|line| String::from_utf8_lossy(&line).into_owned()).collect()
}

/// The ways to do harm that the hostile bot knows.
fn all_ways() -> Vec<String> {
    let list = Command::new("python3").args([HOSTILE, "list", "", ""]).output().unwrap();
    let ways: Vec<String> = String::from_utf8(list.stdout).unwrap().lines().map(str::to_owned).collect();
    assert!(ways.len() >= 105, "{ways:?}");
    ways
}

/// Checks that none of these ways succeeds, and that the results are those of a run with honest bots.
fn check_harmless(ways: &[&str], mark: &str) {
    let sandbox = sandbox(ways, mark, 1);
    let run = |args: &[&str]| {
        let output = command(&sandbox, args).output().unwrap();
        assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
    };
    run(&["run", "t.toml", "--out", "out", "--quiet"]);
    assert_eq!(sleepers(mark), Vec::<String>::new());
    for way in ways {
        let log = std::fs::read_to_string(sandbox.path(&format!("out/{way}.log"))).unwrap_or_default();
        assert!(!log.contains("PROOF") && !log.contains("Traceback"), "{way}: {log}");
    }
    for place in ["", "out", "bots", "bots/mine", "home"] {
        for entry in std::fs::read_dir(sandbox.path(place)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(name != "harm" && !name.starts_with("meeting"), "{place}/{name}");
        }
    }
    write(&sandbox, "clean.toml", mark, 1, &ways.iter().map(|way| (*way, "honest")).collect::<Vec<_>>());
    run(&["run", "clean.toml", "--out", "clean", "--quiet"]);
    // The config names what the bots do, and the summary and the tally hold it.
    for name in same().into_iter().filter(|name| !["config.toml", "summary.json", "tally.bin"].contains(name)) {
        let read = |folder: &str| std::fs::read(sandbox.path(folder).join(name)).unwrap();
        assert!(read("out") == read("clean"), "{name} differs");
    }
}

#[test]
fn a_bot_of_each_kind_does_no_harm_and_the_honest_get_their_due() {
    // Files, processes, the memory of others, the network, the terminal, the kernel, room, collusion.
    let ways = ["read-home", "daemon", "read-memory", "tcp", "push-input", "unshare", "take-memory", "meet-in-tmp"];
    // Locks, semaphores, news of files, pages in memory, the processes of others, what was left open.
    let channels =
        ["lock-range", "meet-by-semaphore", "news-of-files", "pages-in-memory", "see-command-line", "inherited"];
    // Memory that no limit counts, and going on when stopped.
    let load = ["larger-socket", "pin-in-pipes", "go-on-by-signal", "go-on-by-timer"];
    let ways = [&ways[..], &channels, &load].concat();
    let all = all_ways();
    assert!(ways.iter().all(|way| all.iter().any(|known| known == way)), "{all:?}");
    check_harmless(&ways, &mark(11));
}

#[test]
#[ignore = "long: starts some hundred processes"]
fn no_bot_does_harm_and_the_honest_get_their_due() {
    let all = all_ways();
    let ways: Vec<&str> = all.iter().map(String::as_str).collect();
    check_harmless(&ways, &mark(1));
}

#[test]
fn without_isolation_harm_is_done() {
    let sandbox = sandbox(&["read-config"], &mark(2), 1);
    let args = ["run", "t.toml", "--out", "out", "--sandbox", "none"];
    let output = command(&sandbox, &args).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("note: external bots are not sandboxed"));
    let log = std::fs::read_to_string(sandbox.path("out/read-config.log")).unwrap();
    assert!(log.starts_with("PROOF read-config\n"), "{log}");
    let config = std::fs::read_to_string(sandbox.path("out/config.toml")).unwrap();
    assert!(config.contains("\nsandbox = \"none\"\n"), "{config}");
}

/// Ends a run with a signal once the bots have left something behind and, if `is_saved`, there is a checkpoint. Checks
/// that no process of it is left.
fn check_end(mark: &str, signal: Signal, code: Option<i32>, is_saved: bool) {
    let sandbox = sandbox(&["daemon", "child", "child-in-session"], mark, 1_000_000);
    let run = command(&sandbox, &["run", "t.toml", "--out", "out", "--quiet", "--checkpoint", "0"]);
    // Tests that are run under `nohup` have SIGHUP ignored, and programs are to keep to that.
    let mut harness = Command::new("env");
    harness.arg("--default-signal=HUP").arg(run.get_program()).args(run.get_args());
    harness.envs(run.get_envs().filter_map(|(key, value)| Some((key, value?)))).current_dir(sandbox.path(""));
    let mut harness = harness.stderr(Stdio::null()).spawn().unwrap();
    wait_for("what the bots leave", || sleepers(mark).len() >= 3);
    if is_saved {
        wait_for("a checkpoint", || sandbox.path("out/checkpoint.bin").exists());
    }
    kill_process(Pid::from_child(&harness), signal).unwrap();
    assert_eq!(harness.wait().unwrap().code(), code);
    assert!(!is_saved || sandbox.path("out/checkpoint.bin").exists());
    wait_for("the end of them all", || sleepers(mark).is_empty());
}

#[test]
fn nothing_outlives_a_harness_that_is_killed_or_terminated() {
    check_end(&mark(12), Signal::KILL, None, false);
    check_end(&mark(13), Signal::TERM, Some(143), false);
}

#[test]
#[ignore = "long: waits for the checkpoints of four runs"]
fn nothing_outlives_a_harness_that_is_killed() {
    check_end(&mark(3), Signal::KILL, None, true);
    check_end(&mark(4), Signal::TERM, Some(143), true);
    check_end(&mark(5), Signal::HUP, Some(129), true);
    check_end(&mark(6), Signal::INT, Some(130), true);
}

#[test]
fn a_bot_sees_neither_the_config_nor_the_results_beside_it() {
    let sandbox = sandbox(&["read-config", "read-results"], &mark(7), 1);
    let text = std::fs::read_to_string(sandbox.path("t.toml")).unwrap();
    std::fs::copy(HOSTILE, sandbox.path("hostile.py")).unwrap();
    sandbox.write("t.toml", &text.replace("folder = \"bots/mine\"", "folder = \".\""));
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--out", "out", "--quiet"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    for way in ["read-config", "read-results"] {
        let log = std::fs::read_to_string(sandbox.path(&format!("out/{way}.log"))).unwrap_or_default();
        assert!(!log.contains("PROOF"), "{way}: {log}");
    }
}

#[test]
fn what_a_bot_may_not_read_is_refused_with_the_remedy() {
    let sandbox = sandbox(&["honest"], &mark(8), 1);
    let text = std::fs::read_to_string(sandbox.path("t.toml")).unwrap();
    std::fs::create_dir(sandbox.path("elsewhere")).unwrap();
    std::fs::copy(HOSTILE, sandbox.path("elsewhere/hostile.py")).unwrap();
    let script = sandbox.path("elsewhere/hostile.py");
    let text = text.replace("\"hostile.py\"", &format!("{script:?}"));
    sandbox.write("t.toml", &text);
    let message = sandbox.refused(&["run", "t.toml"]);
    assert!(message.contains("`command` names ") && message.contains("--bots-may-read"), "{message}");
    sandbox.write("t.toml", &format!("bots-may-read = [\"elsewhere\"]\n{text}"));
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--quiet"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    // The home folder is none of a bot's.
    let home = sandbox.path("home");
    sandbox.write("t.toml", &text.replace("\"bots/mine\"", &format!("{home:?}")));
    let output = command(&sandbox, &["run", "t.toml", "--force"]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("holds more than the bot. Give the bot its own folder"), "{message}");
}

/// Checks that a command shuts a bot in by the keys of its config, which ends with what `text` makes of the bot.
fn check_keys(name: &str, text: impl Fn(&str) -> String) {
    let sandbox = sandbox(&[], &mark(10), 1);
    std::fs::create_dir(sandbox.path("elsewhere")).unwrap();
    std::fs::copy(HOSTILE, sandbox.path("elsewhere/hostile.py")).unwrap();
    let (base, script) = (sandbox.path("."), sandbox.path("elsewhere/hostile.py"));
    let bot = format!(
        "{{name = \"x\", strategy = \"process\", parameters = {{command = [\"python3\", \"-S\", {script:?}, \
         \"write-beside-config\", {base:?}, \"0\"], folder = \"bots/mine\", memory-limit = 512, move-timeout = 600, \
         start-timeout = 600}}}}"
    );
    let text = text(&bot);
    let run = |lines: &str, out: &str| {
        sandbox.write("t.toml", &format!("{lines}{text}"));
        // Each thread has its processes, which take longest to start.
        let output = command(&sandbox, &[name, "t.toml", "--threads", "1", "--out", out]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = run("", "none");
    assert!(code == Some(2) && said.contains("--bots-may-read"), "{said}");
    let (code, said) = run("bots-may-read = [\"elsewhere\"]\n", "kept");
    assert!(code == Some(0) && !sandbox.path("harm").exists(), "{said}");
    let config = std::fs::read_to_string(sandbox.path("kept/config.toml")).unwrap();
    assert!(config.contains("bots-may-read = ["), "{config}");
    let (code, said) = run("sandbox = \"none\"\n", "free");
    assert!(code == Some(0) && said.contains("note: external bots are not sandboxed"), "{said}");
    let (code, said) = run("sandbox = \"some\"\n", "none");
    assert!(code == Some(2) && said.contains("t.toml:1: `sandbox`"), "{said}");
}

#[test]
fn tuning_shuts_bots_in_by_the_same_keys() {
    check_keys("tune", |bot| {
        format!(
            "seed = 5\n[tune]\nbots = [\"random\", {bot}]\nvariants = [\"colour-blind-2\"]\nagainst = \"itself\"\n\
             unseen = []\ngames = 1100\n"
        )
    });
}

#[test]
fn sweeps_shut_bots_in_by_the_same_keys() {
    check_keys("sweep", |bot| {
        format!(
            "seed = 5\n[sweep]\nbase = \"colour-blind-2\"\ndeals = 4\npanel = [{bot}]\n\
             [sweep.axes]\nlowest-score = [-60, 0]\n[sweep.restrict]\nclubs = [\"?C\"]\n"
        )
    });
}

/// Runs the program under limits of the shell.
fn limited(sandbox: &Sandbox, limits: &str, args: &str) -> (Option<i32>, String) {
    let line = format!("{limits}; exec {} {args}", env!("CARGO_BIN_EXE_overtrick"));
    let program = command(sandbox, &[]);
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).envs(program.get_envs().filter_map(|(key, value)| Some((key, value?))));
    let output = shell.current_dir(sandbox.path("")).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn what_the_machine_lacks_is_no_fault_of_a_bot() {
    let sandbox = sandbox(&["a", "b", "c", "d"], &mark(9), 12);
    let text = std::fs::read_to_string(sandbox.path("t.toml")).unwrap().replace(", processes = 1", "");
    sandbox.write("t.toml", &text);
    let run = "run t.toml --out out --threads 2 --quiet --checkpoint 0";
    let (code, message) = limited(&sandbox, "ulimit -n 24", run);
    assert!(code == Some(2) && message.contains("allow more open files (`ulimit -n`)"), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    let (code, message) = limited(&sandbox, "ulimit -Sn 24", &format!("{run} --resume"));
    assert_eq!((code, message.contains("error")), (Some(0), false), "{message}");
    let limit = "ulimit -v 4000000";
    sandbox.write("t.toml", &text.replace("memory-limit = 512", "memory-limit = 8192"));
    let (code, message) = limited(&sandbox, limit, "run t.toml --out large --quiet");
    assert!(code == Some(2) && message.contains("raise this (`ulimit -Hv`)"), "{message}");
}

#[test]
fn what_is_open_in_the_harness_is_not_open_in_a_bot() {
    let sandbox = sandbox(&["inherited", "through-open-files"], &mark(14), 1);
    let (code, said) = limited(&sandbox, "exec 8</ 9<.", "run t.toml --out out --quiet");
    assert_eq!((code, said.as_str()), (Some(0), ""));
    for way in ["inherited", "through-open-files"] {
        let log = std::fs::read_to_string(sandbox.path(&format!("out/{way}.log"))).unwrap_or_default();
        assert!(!log.contains("PROOF") && !log.contains("Traceback"), "{way}: {log}");
    }
}
