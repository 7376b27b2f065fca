//! A folder of results is of one run at a time, and a run that leaves nothing takes its folder away.

use std::fs::{self, File};

use crate::fixtures::sandbox::{CONFIG, SECRET, Sandbox};

/// A config of the program's own, by its path.
macro_rules! shipped {
    ($file:literal) => {
        concat!(env!("CARGO_MANIFEST_DIR"), "/configs/", $file)
    };
}

#[test]
fn a_second_run_into_a_folder_is_refused_before_it_looks_at_what_is_there() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("out")).unwrap();
    // A second run would otherwise report this file, which cannot be read.
    sandbox.write("out/checkpoint.bin", "half-written");
    let held = File::open(sandbox.path("out")).unwrap();
    held.lock().unwrap();
    let commands =
        [["run", "t.toml"], ["sweep", shipped!("sweeps/dumbo.toml")], ["tune", shipped!("tune-cautious.toml")]];
    let sandbox = &sandbox;
    std::thread::scope(|scope| {
        for command in commands {
            scope.spawn(move || {
                let message = sandbox.refused(&[&command[..], &["--out", "out", "--resume"]].concat());
                let told = "error: out: another run is using the folder; wait until it ends, or choose another with \
                            --out\n";
                assert_eq!(message, told, "{command:?}");
            });
        }
    });
    let left: Vec<_> = fs::read_dir(sandbox.path("out")).unwrap().collect();
    assert_eq!(left.len(), 1);
    drop(held);
    assert!(sandbox.refused(&["run", "t.toml", "--out", "out"]).contains("out/checkpoint.bin: would be replaced"));
}

#[test]
fn a_run_that_leaves_nothing_takes_the_folder_away_that_it_made() {
    let sandbox = Sandbox::new();
    let bot = "{name = \"mute\", strategy = \"process\", parameters = {command = [\"./no-such-program\"]}}";
    sandbox.write("t.toml", &CONFIG.replace("\"three\"", bot));
    let message = sandbox.refused(&["run", "t.toml", "--out", "new/deep/out"]);
    assert!(message.contains("mute does not start"), "{message}");
    assert!(!sandbox.path("new").exists());
    // A folder that was there is the user's.
    fs::create_dir(sandbox.path("mine")).unwrap();
    sandbox.refused(&["run", "t.toml", "--out", "mine"]);
    assert!(sandbox.path("mine").exists());
}

#[cfg(unix)]
#[test]
fn a_log_does_not_follow_a_link() {
    let sandbox = Sandbox::new();
    let bot = format!(
        "{{name = \"loud\", strategy = \"process\", parameters = {{command = [\"python3\", \"-S\", {:?}]}}}}",
        concat!(env!("CARGO_MANIFEST_DIR"), "/bots/examples/simple.py")
    );
    let config = CONFIG.replace("\"three\"", &bot).replace("seed = 7", &format!("seed = 7\nsecret = {SECRET:?}"));
    sandbox.write("t.toml", &config.replace("300", "2"));
    sandbox.write("precious", "mine");
    fs::create_dir(sandbox.path("out")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("precious"), sandbox.path("out/loud.log")).unwrap();
    let message = sandbox.refused(&["run", "t.toml", "--out", "out", "--resume", "--quiet"]);
    let told = "error: out/loud.log: is a link, and the log of loud must not go where it leads; remove it\n";
    assert_eq!(message, told);
    assert_eq!(fs::read_to_string(sandbox.path("precious")).unwrap(), "mine");
}
