//! Bots outside of the process as their user meets them: where they are found, and what is said when they do not start.

mod desk;

use desk::{Desk, same_files};

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

/// A desk with a bot `x`, of which `x.py` is the script, and a duel with it.
fn desk(script: &str) -> Desk {
    let desk = Desk::new();
    desk.write("bots/x.py", script);
    manifest(&desk, "command = [\"python3\", \"x.py\"]");
    desk.write(
        "t.toml",
        "seed = 5\ndeals = 20\nformat = \"duel\"\nvariants = [\"colour-blind-2\"]\nbots = [\"one\", \"x\"]\n",
    );
    desk
}

fn manifest(desk: &Desk, parameters: &str) {
    desk.write("bots/x.toml", &format!("name = \"x\"\nstrategy = \"process\"\n[parameters]\n{parameters}\n"));
}

#[test]
fn results_can_be_had_again_from_any_folder() {
    let desk = desk(FIRST);
    let fine = |folder: &str, args: &[&str]| {
        let output = desk.command(args).current_dir(desk.path(folder)).output().unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8(output.stderr).unwrap()),
            (Some(0), String::new()),
            "{args:?}"
        );
    };
    fine("", &["run", "t.toml", "--quiet"]);
    let first = desk.path("results/t");
    std::fs::create_dir_all(desk.path("far/away/bots")).unwrap();
    let config = first.join("config.toml");
    fine("far/away", &["run", config.to_str().unwrap(), "--quiet"]);
    same_files(&first, &desk.path("far/away/results/t"));
    fine("far", &["run", "../results/t/config.toml", "--out", "out", "--quiet"]);
    same_files(&first, &desk.path("far/out"));
    // However the folder was reached, it is named alike.
    fine("far/away", &["run", "../../t.toml", "--out", "out", "--quiet"]);
    same_files(&first, &desk.path("far/away/out"));
    std::os::unix::fs::symlink(desk.path(""), desk.path("far/link")).unwrap();
    fine("far", &["run", "link/t.toml", "--out", "linked", "--quiet"]);
    same_files(&first, &desk.path("far/linked"));
}

#[test]
fn shards_are_put_together_though_their_bots_lay_in_different_folders() {
    let (here, there) = (desk(FIRST), desk(FIRST));
    assert_eq!(here.run(&["run", "t.toml", "--out", "whole", "--quiet"]).0, 0);
    assert_eq!(here.run(&["run", "t.toml", "--out", "a", "--shard", "1/2", "--quiet"]).0, 0);
    assert_eq!(there.run(&["run", "t.toml", "--out", "b", "--shard", "2/2", "--quiet"]).0, 0);
    let other = there.path("b");
    let (code, _, stderr) = here.run(&["merge", "a", other.to_str().unwrap(), "--out", "merged"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.starts_with("note: bots outside of the process lay in another folder for shard 2/2"), "{stderr}");
    same_files(&here.path("whole"), &here.path("merged"));
    // Anything else that differs still matters.
    manifest(&there, "command = [\"python3\", \"x.py\"]\nmove-timeout = 9");
    assert_eq!(there.run(&["run", "t.toml", "--out", "b", "--shard", "2/2", "--quiet"]).0, 0);
    let message = here.refused(&["merge", "a", other.to_str().unwrap(), "--out", "merged"]);
    assert!(message.contains("it has `move-timeout = 9.0` where that one has `move-timeout = 5.0`"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_down_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let desk = desk(FIRST);
    let odd = desk.path("").join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    std::fs::rename(desk.path("bots"), &odd).unwrap();
    desk.write(
        "t.toml",
        "seed = 5\ndeals = 20\nvariants = [\"colour-blind-2\"]\nbots = [{name = \"x\", strategy = \"process\", \
                parameters = {command = [\"python3\", \"x.py\"], folder = \"link\"}}]\n",
    );
    std::os::unix::fs::symlink(&odd, desk.path("link")).unwrap();
    let message = desk.refused(&["run", "t.toml"]);
    assert!(
        message.contains("t.toml:4: `bots.0.parameters.folder`: is ") && message.contains("not UTF-8"),
        "{message}"
    );
}
