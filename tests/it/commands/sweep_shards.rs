//! `overtrick sweep --shard` and `merge`: shards put together are the whole sweep, byte for byte; what does not make a
//! whole is refused.

use std::fs;

use overtrick::report::{RETUNED, SWEEP_FILES};

use crate::fixtures::sandbox::Sandbox;

const CONFIG: &str = r#"
seed = 7
[sweep]
base = "dumbo"
deals = 20
panel = ["random", "cautious"]
[sweep.axes]
match-bonus = [0, 10, 20]
tie-score = [-4, 0]
[sweep.want]
skill-sd = "more"
"#;

/// A sandbox with a config of six points and the results of the whole sweep.
fn swept(config: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("s.toml", config);
    quiet(&sandbox, &["sweep", "s.toml", "--out", "whole"]);
    sandbox
}

fn quiet(sandbox: &Sandbox, args: &[&str]) {
    let (code, stdout, stderr) = sandbox.run(&[args, &["--quiet"]].concat());
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""), "{args:?}");
}

fn shard(sandbox: &Sandbox, which: &str, out: &str) {
    quiet(sandbox, &["sweep", "s.toml", "--shard", which, "--out", out]);
}

/// The names and contents of the files in a folder.
fn files(sandbox: &Sandbox, folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(sandbox.path(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .map(|file| (file.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&file).unwrap()))
        .collect();
    files.sort();
    files
}

fn same(sandbox: &Sandbox, one: &str, other: &str) {
    let [one, other] = [one, other].map(|folder| files(sandbox, folder));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    one.iter().zip(&other).for_each(|(one, other)| assert!(one == other, "{} differs", one.0));
}

/// Cuts a sweep into these numbers of shards, puts them together, and compares.
fn check_shards(config: &str, counts: &[u32]) {
    let sandbox = swept(config);
    for &of in counts {
        let folders: Vec<String> = (1..=of).rev().map(|number| format!("{number}-{of}")).collect();
        for folder in &folders {
            shard(&sandbox, &folder.replace('-', "/"), folder);
            assert_eq!(fs::read_dir(sandbox.path(folder)).unwrap().count(), 2);
        }
        let out = format!("merged-{of}");
        let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
        let (code, stdout, stderr) = sandbox.run(&[&["merge", "--out", &out], &folders[..]].concat());
        assert_eq!((code, stderr.as_str()), (0, ""));
        let noun = if of == 1 { "shard" } else { "shards" };
        assert!(stdout.ends_with(&format!("\n{of} {noun} put together; results are in {out}\n")), "{stdout}");
        same(&sandbox, "whole", &out);
        assert_eq!(files(&sandbox, &out).len(), SWEEP_FILES.len());
    }
    // Again: the results are the same ones.
    quiet(&sandbox, &["merge", "1-2", "2-2", "--out", "whole"]);
    same(&sandbox, "merged-2", "whole");
}

#[test]
fn shards_of_a_small_sweep_put_together_are_the_whole_of_it() {
    // Also more shards than points.
    check_shards(CONFIG, &[2, 9]);
}

#[test]
#[ignore = "long: sweeps five times"]
fn shards_put_together_are_the_whole_sweep() {
    check_shards(&CONFIG.replace("deals = 20", "deals = 200"), &[1, 2, 5, 9]);
}

#[test]
fn a_bot_is_tuned_in_the_shard_of_its_point() {
    let sandbox = swept(
        "seed = 7\n[sweep]\nbase = \"euchre-24\"\ndeals = 40\n\
         panel = [\"random\", { name = \"timid\", bot = \"rule-based\", parameters = { euchre = { courage = 4.9 } } }]\n\
         [sweep.axes]\neuchre-points-each = [1, 2]\n[sweep.retune]\ngames = 4000\n\
         [sweep.retune.parameters]\n\"euchre.courage\" = { low = 0.0, high = 5.0 }\n",
    );
    shard(&sandbox, "1/2", "1");
    shard(&sandbox, "2/2", "2");
    quiet(&sandbox, &["merge", "2", "1", "--out", "merged"]);
    same(&sandbox, "whole", "merged");
    assert!(sandbox.path("merged").join(RETUNED).exists());
}

/// Plays the shards of a sweep of `deals` deals, one of which is killed `kills` times.
fn check_kills(deals: u32, kills: u32) {
    let sandbox = swept(&CONFIG.replace("deals = 20", &format!("deals = {deals}")));
    let (code, stdout, stderr) = sandbox.run(&["sweep", "s.toml", "--shard", "1/4", "--out", "1"]);
    let told = "1 point played; shard 1/4 is in 1: put all together with `overtrick merge`\n";
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, told, ""));
    sandbox.kill_and_resume(&["sweep", "s.toml", "--shard", "2/4", "--out", "out"], "out/points.bin", (9, kills));
    fs::rename(sandbox.path("out"), sandbox.path("2")).unwrap();
    assert_eq!(fs::read_dir(sandbox.path("2")).unwrap().count(), 2);
    let (code, stdout, _) = sandbox.run(&["sweep", "s.toml", "--shard", "2/4", "--out", "2", "--resume"]);
    assert_eq!((code, stdout.as_str()), (0, "nothing to do: 2 holds the results of this sweep\n"));
    // Without --out shards have separate folders.
    quiet(&sandbox, &["sweep", "s.toml", "--shard", "3/4"]);
    shard(&sandbox, "4/4", "4");
    quiet(&sandbox, &["merge", "1", "2", "results/s-3-of-4", "4", "--out", "merged"]);
    same(&sandbox, "whole", "merged");
}

#[test]
fn a_small_shard_says_where_it_is_and_goes_on() {
    check_kills(60, 1);
}

#[test]
#[ignore = "long: kills a shard four times"]
fn a_shard_says_where_it_is_and_goes_on() {
    check_kills(2000, 4);
}

#[test]
fn shards_that_do_not_make_a_whole_sweep_are_refused() {
    let sandbox = swept(CONFIG);
    for which in ["1/3", "2/3", "3/3"] {
        shard(&sandbox, which, &which[..1]);
    }
    shard(&sandbox, "2/3", "2-again");
    shard(&sandbox, "2/4", "of-four");
    sandbox.write("other.toml", &CONFIG.replace("seed = 7", "seed = 8\nname = \"s\""));
    quiet(&sandbox, &["sweep", "other.toml", "--shard", "2/3", "--out", "other"]);
    quiet(&sandbox, &["run", "t.toml", "--shard", "2/3", "--out", "of-run"]);
    fs::create_dir(sandbox.path("empty")).unwrap();
    fs::create_dir(sandbox.path("damaged")).unwrap();
    let mut bytes = fs::read(sandbox.path("2/points.bin")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(sandbox.path("damaged/points.bin"), &bytes).unwrap();
    let refused = |args: &[&str], parts: &[&str]| {
        let message = sandbox.refused(&[&["merge", "--out", "merged"], args].concat());
        assert!(parts.iter().all(|part| message.contains(part)) && message.lines().count() == 1, "{message}");
        assert!(!sandbox.path("merged").exists());
    };
    refused(&["1", "3"], &["shard 2/3 is missing; give the folders of all 3"]);
    refused(&["3", "--partial"], &["shards 1/3, 2/3 are missing", "is of all its points"]);
    refused(&["1", "2", "2-again", "3"], &["2-again: is shard 2/3, which 2 is, too"]);
    refused(&["1", "of-four", "3"], &["of-four: is shard 2/4, and 1 is shard 1/3"]);
    refused(&["1", "other", "3"], &["other: is of another run than 1", "`seed = 8`", "`seed = 7`"]);
    refused(&["1", "of-run", "3"], &["1: holds a shard of a sweep, and of-run one of a run"]);
    refused(&["1", "empty", "3"], &["empty: holds no finished shard"]);
    refused(&["1", "damaged", "3"], &["damaged/points.bin: is damaged: its checksum is wrong"]);
    refused(&["1", "2", "3", "--log", "l.csv"], &["`--log`: is for shards of a run"]);
    let message = sandbox.refused(&["merge", "1", "2", "3", "--out", "./2"]);
    assert!(message.contains("./2: holds shard 2/3, which the results would replace"), "{message}");
    // Nothing is lost by accident.
    for (args, part) in [
        (
            &["sweep", "s.toml", "--shard", "1/3", "--out", "2"][..],
            "2/points.bin: would be replaced: it is of shard 2/3",
        ),
        (&["sweep", "s.toml", "--out", "2", "--resume"], "2/points.bin: the folder holds the results of another run"),
        (&["sweep", "s.toml", "--shard", "1/3", "--out", "whole"], "whole/sweep.csv: the folder holds the results"),
        (&["merge", "1", "2", "3", "--out", "other"], "other/points.bin: the folder holds the results of another run"),
        (&["run", "t.toml", "--out", "2"], "2/config.toml: is there already"),
        (&["report", "2"], "2/points.bin: is of a shard of a sweep. Put the shards together"),
        (&["sweep", "s.toml", "--shard", "1/3", "--report"], "cannot be used with"),
        (&["sweep", "s.toml", "--shard", "4/3"], "3/8"),
    ] {
        let before = files(&sandbox, "2");
        let message = sandbox.refused(args);
        assert!(message.contains(part), "{args:?}: {message}");
        assert!(files(&sandbox, "2") == before);
    }
    quiet(&sandbox, &["sweep", "s.toml", "--out", "2", "--force"]);
    same(&sandbox, "whole", "2");
}
