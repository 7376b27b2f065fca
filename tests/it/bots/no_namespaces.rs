//! Places like containers, where the system gives no namespaces: bots are refused there, or shut in by the rest.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::fixtures::sandbox::{SECRET, Sandbox};

const CONTAINER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/container.py");
const HOSTILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/hostile.py");

const NAMESPACES: &str = "namespaces (of users, processes, files and the network)";

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// A config with a bot that says who it is; all may read its folder.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("bot")).unwrap();
    std::fs::copy(HOSTILE, sandbox.path("bot/hostile.py")).unwrap();
    for (place, mode) in [("", 0o755), ("bot", 0o755), ("bot/hostile.py", 0o644)] {
        std::fs::set_permissions(sandbox.path(place), Permissions::from_mode(mode)).unwrap();
    }
    write(&sandbox, "python3");
    sandbox
}

/// Writes the config with this program.
fn write(sandbox: &Sandbox, program: &str) {
    let bot = format!(
        "{{name = \"who\", strategy = \"process\", parameters = {{command = [{program:?}, \"hostile.py\", \"who\", \
         \"..\", \"0.0\"], folder = \"bot\", memory-limit = 512, processes = 1, move-timeout = 600, start-timeout = 600}}}}"
    );
    // The bot looks for the words of the comment.
    let head = format!(
        "# a secret of the organiser\nname = \"t\"\nseed = 5\nsecret = {SECRET:?}\nvariants = [\"colour-blind-2\"]\ndeals = 2\n"
    );
    sandbox.write("t.toml", &format!("{head}bots = [\"one\", {bot}]\n"));
}

/// Runs the config in such a place: the code and what is said.
fn run(sandbox: &Sandbox, place: &str, level: &str) -> (Option<i32>, String) {
    let args = ["run", "t.toml", "--out", place, "--sandbox", level, "--force"];
    let program = sandbox.command(&args);
    let mut inside = Command::new("python3");
    inside.args([CONTAINER, place]).arg(program.get_program()).args(program.get_args());
    inside.current_dir(sandbox.path(""));
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => inside.env(name, value),
            None => inside.env_remove(name),
        };
    }
    // Root's own programs are not for others to run, but those of the system are.
    inside.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let output = inside.output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Returns the bot's report about itself under a name.
fn said(sandbox: &Sandbox, place: &str, name: &str) -> String {
    let log = std::fs::read_to_string(sandbox.path(&format!("{place}/who.log"))).unwrap();
    let line = log.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.unwrap_or_else(|| panic!("{name}: {log}")).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn where_a_part_is_missing_strict_refuses_and_available_says_so() {
    let sandbox = sandbox();
    for place in ["counted", "filtered"] {
        let (code, problem) = run(&sandbox, place, "strict");
        let refusal = format!("bots cannot be sandboxed here, since the system refuses {NAMESPACES}");
        assert!(code == Some(2) && problem.contains(&refusal), "{place}: {problem}");
        assert!(problem.contains("--sandbox available (root's bots are then the user 65534"), "{place}: {problem}");
        assert!(!sandbox.path(place).join("bots.csv").exists());
        let (code, problem) = run(&sandbox, place, "available");
        let missing = format!("are sandboxed except for {NAMESPACES} and a separate root folder");
        assert!(code == Some(0) && problem.contains(&missing), "{place}: {problem}");
        let summary = std::fs::read_to_string(sandbox.path(place).join("summary.json")).unwrap();
        assert!(summary.contains("were sandboxed by the parts that the system has"), "{summary}");
    }
}

#[test]
fn a_bot_of_root_is_an_ordinary_user_without_namespaces_too() {
    let sandbox = sandbox();
    for place in ["counted", "filtered"] {
        let (code, problem) = run(&sandbox, place, "available");
        assert_eq!(code, Some(0), "{place}: {problem}");
        for name in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
            assert_eq!(said(&sandbox, place, name), "0000000000000000", "{place}: {name}");
        }
        assert_eq!(said(&sandbox, place, "NoNewPrivs"), "1");
        if is_root() {
            assert_eq!(said(&sandbox, place, "CapBnd"), "0000000000000000", "{place}");
            assert_eq!(said(&sandbox, place, "Uid"), "65534 65534 65534", "{place}");
            assert_eq!(said(&sandbox, place, "Gid"), "65534 65534 65534", "{place}");
            assert_eq!(said(&sandbox, place, "Groups"), "", "{place}");
        }
    }
}

/// Whether the kernel limits files: a version that says so, of its Landlock.
fn has_landlock() -> bool {
    // SAFETY: it only asks for the version.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0, 1) };
    version >= 3
}

#[test]
fn files_of_the_run_are_out_of_reach_without_namespaces_too() {
    let sandbox = sandbox();
    for place in ["counted", "filtered"] {
        std::fs::create_dir_all(sandbox.path("out")).unwrap();
        let (code, problem) = run(&sandbox, place, "available");
        assert_eq!(code, Some(0), "{place}: {problem}");
        if has_landlock() {
            assert_eq!(said(&sandbox, place, "Done"), "", "{place}");
        } else {
            assert!(problem.contains("limits on files (Landlock)"), "{place}: {problem}");
        }
    }
}

#[test]
fn where_there_is_no_ordinary_user_root_is_refused() {
    let sandbox = sandbox();
    let (code, problem) = run(&sandbox, "alone", "available");
    match is_root() {
        true => assert!(code == Some(2) && problem.contains("Run Overtrick as another user"), "{problem}"),
        // This is an ordinary user by the name of root.
        false => assert_eq!(code, Some(0), "{problem}"),
    }
}

#[test]
fn what_an_ordinary_user_may_not_run_is_said() {
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.path("bot/private")).unwrap();
    std::fs::copy("/bin/true", sandbox.path("bot/private/program")).unwrap();
    std::fs::set_permissions(sandbox.path("bot/private"), Permissions::from_mode(0o700)).unwrap();
    write(&sandbox, "./private/program");
    let (code, problem) = run(&sandbox, "filtered", "available");
    assert_eq!(code, Some(2), "{problem}");
    assert!(!is_root() || problem.contains("bots run as the user 65534 here, who has to be allowed"), "{problem}");
}
