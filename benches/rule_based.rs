//! How many deals a second rule-based bots play on one core, and by how much that is more than with another build.
//!
//! `BEFORE=PROGRAM cargo bench --profile dist --bench rule_based` plays the same deals in turn with the overtrick at
//! PROGRAM, of a second checkout say, and with this one, so that a drift of the machine's speed meets both alike;
//! without `BEFORE` only this one plays. Counted is the time of the processor and not that of the wall, since others
//! may use the machine, and what a run of a few deals takes is taken off. `taskset -c 1` before it keeps both on one
//! core.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The variants, each with its deals in a round: about a second or less.
const VARIANTS: [(&str, u64); 12] = [
    ("dumbo", 12_000),
    ("dummy-whist", 12_000),
    ("dummy-whist-downtown", 12_000),
    ("dummy-whist-jokers", 12_000),
    ("double-dummy", 16_000),
    ("humbug", 12_000),
    ("humbug-turn-up", 12_000),
    ("chameleon", 30_000),
    ("dummy-chameleon", 30_000),
    ("colour-blind", 40_000),
    ("colour-blind-2", 40_000),
    ("euchre-32", 80_000),
];
/// Rounds; the best times and the median of their ratios count.
const ROUNDS: usize = 7;
/// The deals of a run that shows what a run costs beyond its deals.
const FEW: u64 = 64;

/// The seconds of processor time that all child processes have taken so far; of wall time where there is no `/proc`.
fn spent(since: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in brackets come the state and numbers; the time of children in the program is the fourteenth.
    let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Option<f64> = fields.nth(13).and_then(|ticks| ticks.parse().ok());
    ticks.map_or_else(|| since.elapsed().as_secs_f64(), |ticks| ticks / 100.0)
}

/// Plays with three rule-based bots, or two, and gives the seconds that it takes.
fn run(program: &Path, folder: &Path, variant: &str, deals: u64) -> f64 {
    let config = folder.join("bench.toml");
    // Each program plays by its own defaults: by its name a bot is looked for in the folder that we are in.
    let bot = "{ name = \"rules\", strategy = \"rule-based\" }";
    let text = format!("seed = 1\nformat = \"mirror\"\nvariants = [{variant:?}]\nbots = [{bot}]\n");
    std::fs::write(&config, text).expect("a temporary folder can be written");
    // Old programs have no --force.
    let out = folder.join("out");
    let _ = std::fs::remove_dir_all(&out);
    let start = Instant::now();
    let before = spent(start);
    let ended = Command::new(program)
        .arg("run")
        .arg(&config)
        .args(["--deals", &deals.to_string(), "--threads", "1", "--quiet", "--out"])
        .arg(&out)
        .status();
    assert!(ended.is_ok_and(|status| status.success()), "{} does not run", program.display());
    spent(start) - before
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let own = PathBuf::from(env!("CARGO_BIN_EXE_overtrick"));
    let programs: Vec<PathBuf> = std::env::var_os("BEFORE").map(PathBuf::from).into_iter().chain([own]).collect();
    println!(
        "variant                    deals a second{}",
        if programs.len() > 1 { "    before     ratio" } else { "" }
    );
    for (variant, deals) in VARIANTS {
        let mut times = vec![Vec::new(); programs.len()];
        for _ in 0..ROUNDS {
            for (program, times) in programs.iter().zip(&mut times) {
                times.push(run(program, folder.path(), variant, deals) - run(program, folder.path(), variant, FEW));
            }
        }
        let rate = |times: &Vec<f64>| (deals - FEW) as f64 / times.iter().copied().fold(f64::MAX, f64::min);
        let [own, before @ ..] = &*times.iter().rev().collect::<Vec<_>>() else { unreachable!("this one plays") };
        print!("{variant:25}{:16.0}", rate(own));
        if let [before] = before {
            let mut ratios: Vec<f64> = before.iter().zip(own.iter()).map(|(before, own)| before / own).collect();
            ratios.sort_by(f64::total_cmp);
            print!("{:10.0}{:10.2}", rate(before), ratios[ROUNDS / 2]);
        }
        println!();
    }
}
