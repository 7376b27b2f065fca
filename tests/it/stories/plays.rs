//! The plays of stories: small tournaments, sweeps and tuning, and the result of each if nothing goes wrong.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use super::calls::Call;
use super::clock::Clock;
use super::disk::{Disk, files};
use super::supervisor::{self, World};
use crate::fixtures::sandbox::{SECRET, Sandbox};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/scripted.sh");

/// Something to play.
pub struct Play {
    pub name: &'static str,
    args: &'static [&'static str],
    /// The exit code of a whole run: 1 if a bot has faults.
    pub code: i32,
    /// Whether bots are processes, which go by the clock of the machine.
    pub has_processes: bool,
    /// How many of a hundred stories are about it.
    pub weight: u64,
}

const fn play(name: &'static str, args: &'static [&'static str], code: i32, weight: u64) -> Play {
    let has_processes = matches!(args[1].as_bytes(), b"honest.toml" | b"dies.toml" | b"lies.toml" | b"stalls.toml");
    Play { name, args, code, has_processes, weight }
}

impl Play {
    /// Whether all that happens follows from the story's clock, if one thread plays.
    pub fn is_steady(&self) -> bool {
        self.args[0] == "run" && !self.has_processes
    }
}

pub const PLAYS: [Play; 13] = [
    play("run", &["run", "run.toml", "--checkpoint", "0"], 0, 28),
    play("page", &["run", "run.toml", "--checkpoint", "0", "--report"], 0, 4),
    play("log", &["run", "run.toml", "--checkpoint", "0", "--log", "log.csv"], 0, 20),
    play("packed", &["run", "run.toml", "--checkpoint", "0", "--log", "log.jsonl.gz"], 0, 6),
    play("sweep", &["sweep", "sweep.toml"], 0, 14),
    play("shard", &["sweep", "sweep.toml", "--shard", "2/2"], 0, 10),
    play("merge", &["merge", "first", "second", "--log", "log.csv"], 0, 6),
    play("tune", &["tune", "tune.toml"], 0, 4),
    play("league", &["league", "league.toml"], 0, 4),
    play("honest", &["run", "honest.toml", "--checkpoint", "0"], 0, 4),
    play("dies", &["run", "dies.toml", "--checkpoint", "0", "--log", "log.csv"], 1, 4),
    play("lies", &["run", "lies.toml", "--checkpoint", "0"], 1, 4),
    play("stalls", &["run", "stalls.toml", "--checkpoint", "0", "--log", "log.csv"], 1, 4),
];

/// The result of a play if nothing goes wrong.
#[derive(Clone, Debug, Default)]
pub struct Whole {
    /// The files that are left, with their content if it is the same each time.
    pub files: BTreeMap<String, Option<Vec<u8>>>,
    /// The calls that changed files.
    pub calls: Vec<Call>,
}

impl Whole {
    /// Returns the content of a folder.
    pub fn found(root: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
        let root = root.canonicalize().unwrap();
        let entry = |path: &std::path::PathBuf| {
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            // Times differ, and so does what bots write that were started again.
            let varies = name.ends_with("timing.json") || name.ends_with("scripted.log");
            let content = (!varies).then(|| fs::read(path).unwrap());
            (name, content)
        };
        files(&root).iter().map(entry).filter(|(name, _)| !name.ends_with("scripted.log")).collect()
    }
}

/// The configurations of all plays, and what these come to.
pub struct Library {
    configs: Sandbox,
    wholes: [OnceLock<Whole>; PLAYS.len()],
    /// Set when the shards that are merged have been played.
    shards: OnceLock<()>,
}

impl Library {
    pub fn new() -> Library {
        let configs = Sandbox::new();
        let duel = "seed = 7\ndeals = 9\ngroups = 8\nformat = \"duel\"\nvariants = [\"colour-blind-2\", \"euchre-24\"]\n\
                    bots = [\"one\", \"two\"]\n";
        configs.write("run.toml", duel);
        let axes = "deals = 8\npanel = [\"random\"]\n[sweep.axes]\nmarch-points = [3, 2]\n";
        configs.write("sweep.toml", &format!("seed = 7\n[sweep]\nbase = \"euchre-24\"\n{axes}"));
        let tune = "bot = \"rule-based\"\nvariants = [\"colour-blind-2\"]\nagainst = \"itself\"\ngames = 1200\n";
        let range = "[tune.parameters]\n\"colour-blind.hope\" = { low = 0.0, high = 3.0 }\n";
        configs.write("tune.toml", &format!("seed = 7\n[tune]\n{tune}{range}"));
        let league = "variant = \"colour-blind-2\"\nbots = [\"one\", \"two\"]\nquestion = \"best\"\ngames = 800\n";
        configs.write("league.toml", &format!("seed = 7\n[league]\n{league}"));
        let drops = "policy = \"disqualify\"\nlimit = 3";
        configs.write("honest.toml", &scripted(2, "honest", 1, 600.0, "policy = \"random-move\""));
        configs.write("dies.toml", &scripted(3, "die", 5, 600.0, drops));
        configs.write("lies.toml", &scripted(2, "lie", 5, 600.0, "policy = \"forfeit-deal\""));
        // It answers nothing, so that no answer can be late on a busy machine.
        configs.write("stalls.toml", &scripted(3, "stall", 1, 0.05, drops));
        Library { configs, wholes: Default::default(), shards: OnceLock::new() }
    }

    /// Returns the program as a story starts it, in the folder `out` of where it works. It goes on with what an earlier
    /// run has left there, or may begin.
    pub fn command(&self, play: usize, threads: u64, goes_on: bool) -> Command {
        let threads = ["--threads", &threads.to_string()].map(str::to_owned);
        let mut args: Vec<String> = PLAYS[play].args.iter().map(|&arg| arg.to_owned()).collect();
        let is_merge = args[0] == "merge";
        let files = if is_merge { 1..3 } else { 1..2 };
        for file in &mut args[files] {
            *file = self.configs.path(file).to_str().unwrap().to_owned();
        }
        args.extend(["--quiet", "--out", "out"].map(str::to_owned));
        if is_merge {
            self.play_shards();
            args.extend(goes_on.then(|| "--force".to_owned()));
        } else {
            args.extend(threads);
            args.extend(goes_on.then(|| "--resume".to_owned()));
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        self.configs.command(&args)
    }

    /// Plays the shards that are merged, the first time.
    fn play_shards(&self) {
        self.shards.get_or_init(|| {
            for (shard, out) in [("1/2", "first"), ("2/2", "second")] {
                let args =
                    ["run", "run.toml", "--quiet", "--shard", shard, "--out", out, "--log", &format!("{out}.csv")];
                assert_eq!(self.configs.run(&args), (0, String::new(), String::new()));
            }
        });
    }

    /// The result of a play if nothing goes wrong.
    pub fn whole(&self, play: usize) -> &Whole {
        self.wholes[play].get_or_init(|| {
            let root = TempDir::new().unwrap();
            let command = self.command(play, 1, false);
            let clock = (!PLAYS[play].has_processes).then(Clock::steady);
            let world = World { root: root.path(), disk: &mut Disk::new(root.path()), clock };
            let ending = supervisor::run(command, world, None);
            let Play { name, code, .. } = &PLAYS[play];
            assert_eq!((ending.status.code(), ending.stderr.as_str()), (Some(*code), ""), "{name}");
            Whole { files: Whole::found(root.path()), calls: ending.calls }
        })
    }
}

/// A tournament of a scripted bot and one of this program, or two where it may be disqualified.
fn scripted(deals: u32, how: &str, often: u32, timeout: f64, policy: &str) -> String {
    let (format, others) = match policy.contains("disqualify") {
        true => ("round-robin", "\"one\", \"two\""),
        false => ("duel", "\"one\""),
    };
    let command = format!("[\"sh\", {SCRIPT:?}, {how:?}, \"{often}\"]");
    let times = format!("move-timeout = {timeout:?}, start-timeout = 600.0");
    let bot =
        format!("{{ name = \"scripted\", strategy = \"process\", parameters = {{ command = {command}, {times} }} }}");
    format!(
        "seed = 7\nsecret = {SECRET:?}\ndeals = {deals}\ngroups = 8\naudit = 0.0\nformat = {format:?}\n\
         variants = [\"colour-blind-2\"]\nbots = [{others}, {bot}]\n[faults]\n{policy}\n"
    )
}
