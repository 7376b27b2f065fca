//! Bots outside of the process as their user meets them: where they are found, and what is said when they do not start.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::DirEntry;
use std::path::Path;

use crate::fixtures::sandbox::{SECRET, Sandbox, same_files};

/// A bot that plays its first legal move.
const FIRST: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        print(json.dumps({"hello": {"name": "x", "protocol": 1, "variants": ["all"], "batch": 64}}), flush=True)
    elif "decide" in message:
        print(json.dumps({"moves": [[d["id"], d["legal"][0]] for d in message["decide"]]}), flush=True)
"#;

/// A sandbox with a bot `x`, of which `x.py` is the script, and a duel with it.
fn sandbox(script: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("bots/x.py", script);
    manifest(&sandbox, "command = [\"python3\", \"-S\", \"x.py\"]");
    sandbox.write(
        "t.toml",
        &format!(
            "seed = 5\ndeals = 20\nformat = \"duel\"\nvariants = [\"colour-blind-2\"]\nbots = [\"one\", \"x\"]\n\
             secret = {SECRET:?}\n"
        ),
    );
    sandbox
}

fn manifest(sandbox: &Sandbox, parameters: &str) {
    sandbox.write("bots/x.toml", &format!("name = \"x\"\nstrategy = \"process\"\n[parameters]\n{parameters}\n"));
}

#[test]
fn results_can_be_had_again_from_any_folder() {
    let sandbox = sandbox(FIRST);
    let fine = |folder: &str, args: &[&str]| {
        let output = sandbox.command(args).current_dir(sandbox.path(folder)).output().unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8(output.stderr).unwrap()),
            (Some(0), String::new()),
            "{args:?}"
        );
    };
    fine("", &["run", "t.toml", "--quiet"]);
    let first = sandbox.path("results/t");
    std::fs::create_dir_all(sandbox.path("far/away/bots")).unwrap();
    let config = first.join("config.toml");
    fine("far/away", &["run", config.to_str().unwrap(), "--quiet"]);
    same_files(&first, &sandbox.path("far/away/results/t"));
    fine("far", &["run", "../results/t/config.toml", "--out", "out", "--quiet"]);
    same_files(&first, &sandbox.path("far/out"));
    // However the folder was reached, it is named alike.
    fine("far/away", &["run", "../../t.toml", "--out", "out", "--quiet"]);
    same_files(&first, &sandbox.path("far/away/out"));
    std::os::unix::fs::symlink(sandbox.path(""), sandbox.path("far/link")).unwrap();
    fine("far", &["run", "link/t.toml", "--out", "linked", "--quiet"]);
    same_files(&first, &sandbox.path("far/linked"));
}

#[test]
fn shards_are_put_together_though_their_bots_lay_in_different_folders() {
    let (here, there) = (sandbox(FIRST), sandbox(FIRST));
    assert_eq!(here.run(&["run", "t.toml", "--out", "whole", "--quiet"]).0, 0);
    assert_eq!(here.run(&["run", "t.toml", "--out", "a", "--shard", "1/2", "--quiet"]).0, 0);
    assert_eq!(there.run(&["run", "t.toml", "--out", "b", "--shard", "2/2", "--quiet"]).0, 0);
    let other = there.path("b");
    let (code, _, stderr) = here.run(&["merge", "a", other.to_str().unwrap(), "--out", "merged"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.starts_with("note: external bots lay in another folder for shard 2/2"), "{stderr}");
    same_files(&here.path("whole"), &here.path("merged"));
    // Anything else that differs still matters.
    manifest(&there, "command = [\"python3\", \"-S\", \"x.py\"]\nmove-timeout = 9");
    assert_eq!(there.run(&["run", "t.toml", "--out", "b", "--shard", "2/2", "--force", "--quiet"]).0, 0);
    let message = here.refused(&["merge", "a", other.to_str().unwrap(), "--out", "merged"]);
    assert!(message.contains("it has `move-timeout = 9.0` where that one has `move-timeout = 5.0`"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_down_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let sandbox = sandbox(FIRST);
    let odd = sandbox.path("").join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    std::fs::rename(sandbox.path("bots"), &odd).unwrap();
    sandbox.write(
        "t.toml",
        "seed = 5\ndeals = 20\nvariants = [\"colour-blind-2\"]\nbots = [{name = \"x\", strategy = \"process\", \
                parameters = {command = [\"python3\", \"-S\", \"x.py\"], folder = \"link\"}}]\n",
    );
    std::os::unix::fs::symlink(&odd, sandbox.path("link")).unwrap();
    let message = sandbox.refused(&["run", "t.toml"]);
    assert!(
        message.contains("t.toml:4: `bots #1.parameters.folder`: is ") && message.contains("not UTF-8"),
        "{message}"
    );
}

/// Every file of a folder with its content.
fn files(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let file = |entry: std::io::Result<DirEntry>| {
        let entry = entry.unwrap();
        (entry.file_name(), std::fs::read(entry.path()).unwrap())
    };
    std::fs::read_dir(folder).unwrap().map(file).collect()
}

#[test]
fn a_bot_that_does_not_start_ends_the_run_before_the_first_deal() {
    let sandbox = sandbox(FIRST);
    assert_eq!(sandbox.run(&["run", "t.toml", "--out", "earlier", "--quiet"]).0, 0);
    let before = files(&sandbox.path("earlier"));
    let python = "command = [\"python3\", \"-S\", \"x.py\"]";
    let refused = |script: &str, parameters: &str| {
        sandbox.write("bots/x.py", script);
        manifest(&sandbox, parameters);
        let message = sandbox.refused(&["run", "t.toml", "--threads", "1", "--quiet"]);
        assert!(message.starts_with("error: t.toml:5: `bots #2`: x does not start"), "{message}");
        assert!(message.contains("--keep-going"), "{message}");
        assert_eq!(message.matches("x does not start").count(), 1, "{message}");
        assert!(!sandbox.path("results").exists());
        for args in [&["--threads", "3"][..], &["--resume", "--quiet"], &["--shard", "1/2"]] {
            sandbox.refused(&[&["run", "t.toml", "--out", "new"][..], args].concat());
        }
        assert!(!sandbox.path("new").exists());
        sandbox.refused(&["run", "t.toml", "--out", "earlier"]);
        assert!(files(&sandbox.path("earlier")) == before);
        message
    };
    let message = refused(FIRST, "command = [\"pyhton3\", \"x.py\"]");
    assert!(message.contains("no-start: \"pyhton3\" cannot be started: No such file"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    let message = refused(FIRST, &format!("{python}\nfolder = \"nowhere\""));
    assert!(message.contains("there is no folder ") && message.contains("/bots/nowhere"), "{message}");
    let message = refused("import json\nimport no_such_module\n", python);
    assert!(
        message.contains("it ended with code 1") && message.contains("\nthe end of its standard error:\n"),
        "{message}"
    );
    assert!(message.ends_with("ModuleNotFoundError: No module named 'no_such_module'\n"), "{message}");
    let message = refused("import time\ntime.sleep(600)\n", &format!("{python}\nstart-timeout = 0.2"));
    assert!(message.contains("no answer in time (`start-timeout` is 0.2 s)"), "{message}");
    let message = refused("print('ready', flush=True)\ninput()\ninput()\n", python);
    assert!(message.contains("wrong-handshake: ") && message.contains("the line: ready"), "{message}");
    let message = refused(&FIRST.replace("[\"all\"]", "[\"dumbo\"]"), python);
    assert!(message.contains("it plays dumbo, and not colour-blind-2"), "{message}");
    // A finished run needs no bots.
    sandbox.write("bots/x.py", "raise SystemExit");
    let (code, stdout, _) = sandbox.run(&["run", "earlier/config.toml", "--out", "earlier", "--resume"]);
    assert!(code == 0 && stdout.starts_with("nothing to do"), "{stdout}");
}

/// This takes games that are short compared with the second of the start. On a busy machine they may be long, so it is
/// tried several times.
#[test]
#[ignore = "long: waits for a slow bot, and depends on the speed of the machine"]
fn who_starts_slowly_is_asked_much_at_a_time_all_the_same() {
    let counts = "\"decide\" in message:\n        print(len(message[\"decide\"]), file=sys.stderr)";
    let counting = FIRST.replace("\"decide\" in message:", counts);
    let sandbox = sandbox(&format!("import time\ntime.sleep(1)\n{counting}"));
    // Decisions that are asked again come many at a time in any case.
    let config = std::fs::read_to_string(sandbox.path("t.toml")).unwrap();
    sandbox.write("t.toml", &format!("audit = 0.0\n{config}"));
    let most = || {
        let args = ["run", "t.toml", "--deals", "300", "--threads", "1", "--quiet", "--force"];
        let (code, _, stderr) = sandbox.run(&args);
        assert_eq!((code, stderr.as_str()), (0, ""));
        let log = std::fs::read_to_string(sandbox.path("results/t/x.log")).unwrap();
        log.lines().map(|line| line.parse::<u32>().unwrap()).max()
    };
    // Four games are in flight until it is known how long games take.
    assert!((0..5).any(|_| most() > Some(4)));
}

#[test]
fn who_wants_to_keep_going_gets_faults() {
    let sandbox = sandbox("raise SystemExit");
    let (code, stdout, stderr) = sandbox.run(&["run", "t.toml", "--keep-going", "--out", "out"]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    // Twenty deals of thirteen tricks in two seatings.
    assert!(stdout.contains("faults of x: ") && stdout.contains("no-start"), "{stdout}");
    let bots = std::fs::read_to_string(sandbox.path("out/bots.csv")).unwrap();
    assert!(bots.contains("no-start 520"), "{bots}");
}

#[test]
fn a_replay_keeps_its_bots_and_tells_them_of_deals() {
    let note = "    elif \"deal\" in message:\n        open(\"told\", \"a\").write(\"deal %d\\n\" % message[\"deal\"][\"deal\"])\n";
    let sandbox = sandbox(&format!("open(\"told\", \"a\").write(\"start\\n\"){FIRST}{note}"));
    let replay = |args: &[&str]| {
        let (code, stdout, stderr) = sandbox
            .run(&[&["replay", "t.toml", "--lineup", "x,one", "--format", "json", "--sandbox", "none"], args].concat());
        let note = "note: external bots are not sandboxed: they may do all that you may do\n";
        assert_eq!((code, stderr.as_str()), (0, note));
        stdout
    };
    let together = replay(&["--deal", "3", "--count", "4"]);
    let told = || {
        let text = std::fs::read_to_string(sandbox.path("bots/told")).unwrap();
        std::fs::remove_file(sandbox.path("bots/told")).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let first = told();
    assert_eq!(first.iter().map(|line| &line[..5]).collect::<Vec<_>>(), ["start", "deal ", "deal ", "deal ", "deal "]);
    let alone: String = ["3", "4", "5", "6"].into_iter().map(|deal| replay(&["--deal", deal])).collect();
    assert_eq!(together, alone);
    // By the same numbers, which say nothing of the deals' own.
    let numbers: Vec<String> = told().into_iter().filter(|line| line != "start").collect();
    assert_eq!(numbers, first[1..]);
    assert!(numbers.iter().all(|line| line.len() > 12), "{numbers:?}");
}

#[test]
fn replays_say_which_deals_were_never_played() {
    let sandbox = sandbox(FIRST);
    let notes = |args: &[&str]| {
        let (code, stdout, stderr) = sandbox.run(&[&["replay", "t.toml", "--lineup", "one,one"], args].concat());
        assert!(code == 0 && !stdout.is_empty(), "{stderr}");
        stderr
    };
    assert_eq!(notes(&["--deal", "19"]), "");
    assert_eq!(notes(&["--deal", "17", "--count", "3"]), "");
    let rest = "none of this tournament's, which plays deals 0 to 19. It is shown as it would have played\n";
    assert_eq!(notes(&["--deal", "99999999"]), format!("note: deal 99999999 is {rest}"));
    assert_eq!(notes(&["--deal", "18", "--count", "3"]), format!("note: deal 20 is {rest}"));
    assert_eq!(notes(&["--deal", "18", "--count", "4"]), format!("note: deals 20 to 21 are {rest}"));
    let text = std::fs::read_to_string(sandbox.path("t.toml")).unwrap();
    sandbox.write("t.toml", &text.replace("deals = 20", "unit = \"match\"\nmatches = 2"));
    assert_eq!(notes(&["--deal", "1", "--count", "3"]), "");
    assert!(
        notes(&["--deal", "2"]).starts_with("note: match 2 is none of this tournament's, which plays matches 0 to 1.")
    );
}

#[test]
fn replays_know_where_a_run_has_stopped() {
    let sandbox = Sandbox::new();
    let bots = "format = \"duel\"\nvariants = [\"colour-blind-2\"]\nbots = [\"one\", \"two\"]";
    sandbox.write("t.toml", &format!("seed = 5\n{bots}\nstop = {{half-width = 100.0}}\n"));
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--quiet"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let snapshot = overtrick::run::Snapshot::read(&sandbox.path("results/t/tally.bin")).unwrap().unwrap();
    let played = snapshot.runs[0].next;
    let stderr = |deal: u64| sandbox.run(&["replay", "results/t/config.toml", "--deal", &deal.to_string()]).2;
    assert_eq!(stderr(played - 1), "");
    assert!(stderr(played).starts_with(&format!("note: deal {played} is none")), "{}", stderr(played));
}

#[test]
fn memory_has_a_limit_that_can_be_lifted_and_is_named_when_it_is_met() {
    let limit = "import resource, sys\nsys.stderr.write(\"%d\\n\" % resource.getrlimit(resource.RLIMIT_AS)[0])\n";
    let sandbox = sandbox(&format!("{limit}{FIRST}"));
    let own = rustix::process::getrlimit(rustix::process::Resource::As).current;
    let none = own.map_or("-1".to_owned(), |own| own.to_string());
    let python = "command = [\"python3\", \"-S\", \"x.py\"]";
    for (parameter, expected, written) in [
        ("", (8192u64 << 20).to_string(), "8192"),
        ("memory-limit = 256", (256 << 20).to_string(), "256"),
        ("memory-limit = 0", none.clone(), "0"),
        ("memory-limit = \"none\"", none, "0"),
    ] {
        manifest(&sandbox, &format!("{python}\n{parameter}"));
        let run = ["run", "t.toml", "--deals", "2", "--threads", "1", "--out", "out", "--force", "--quiet"];
        assert_eq!(sandbox.run(&run).0, 0, "{parameter}");
        let log = std::fs::read_to_string(sandbox.path("out/x.log")).unwrap();
        assert!(log.lines().all(|limit| limit == expected), "{parameter}: {log}");
        let config = std::fs::read_to_string(sandbox.path("out/config.toml")).unwrap();
        assert!(config.contains(&format!("memory-limit = {written}\n")), "{config}");
    }
    let refused = |script: &str, parameter: &str| {
        sandbox.write("bots/x.py", script);
        manifest(&sandbox, &format!("{python}\n{parameter}"));
        sandbox.refused(&["run", "t.toml"])
    };
    let message = refused("hoard = bytearray(1 << 30)\n", "memory-limit = 256");
    let met =
        "memory-limit: no `hello`: it ended; it got no memory beyond its `memory-limit`, 256 MiB of address space";
    assert!(message.contains(met), "{message}");
    let linker = "raise ImportError('libtorch_cpu.so: failed to map segment from shared object')\n";
    assert!(refused(linker, "memory-limit = 256").contains(met));
    assert!(refused(linker, "memory-limit = \"none\"").contains("though it has no `memory-limit`"));
    for (value, problem) in [
        ("8", "is 8, but must be 16 to 1048576, or is 0 for no limit"),
        ("-1", "expected a whole number of MiB, or \"none\" for no limit"),
        ("\"lots\"", "expected a whole number of MiB, or \"none\" for no limit"),
        ("1.5", "expected a whole number of MiB, or \"none\" for no limit"),
    ] {
        let message = refused(FIRST, &format!("memory-limit = {value}"));
        assert!(message.contains("x.toml:5: `parameters.memory-limit`: ") && message.contains(problem), "{message}");
    }
}

#[test]
fn a_limit_of_memory_is_named_when_it_is_met_before_a_time_out_too() {
    let sandbox = sandbox("");
    let waits = "command = [\"sh\", \"-c\", \"echo Cannot allocate memory >&2; exec sleep 600\"]\nmemory-limit = 256\nstart-timeout = 2";
    manifest(&sandbox, waits);
    let message = sandbox.refused(&["run", "t.toml"]);
    assert!(message.contains("no answer in time") && message.contains("its `memory-limit`, 256 MiB"), "{message}");
}
