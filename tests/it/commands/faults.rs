//! Tournaments with bots that misbehave: they end by themselves, the honest bots' scores are right, and everything is
//! reported.

use crate::fixtures::sandbox;
use std::path::Path;
use std::process::Stdio;

use crate::fixtures::sandbox::{SECRET, Sandbox, same_files};
use overtrick::game::{Game, Standing, View};
use overtrick::games::Variant;
use overtrick::games::colour_blind::ColourBlind;
use overtrick::strategies::random::Random;
use overtrick::strategy::Strategy;
use overtrick::table::Seat;
use overtrick::tournament::{Luck, Seeds, Unit};
use serde_json::Value;

const DOUBLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/double.py");

/// A bot by name: one of the sandbox's, or a double that behaves as it is called.
fn bot(name: &str) -> String {
    if ["one", "two"].contains(&name) { format!("{name:?}") } else { double(name) }
}

/// A bot that misbehaves in some way.
fn double(how: &str) -> String {
    // Who answers has all the time in the world, so that a busy machine is not taken for a slow bot.
    let timeout = if how == "stall" { 0.3 } else { 600.0 };
    format!(
        "{{name = {how:?}, strategy = \"process\", parameters = {{command = [\"python3\", \"-S\", {DOUBLE:?}, {how:?}], \
         move-timeout = {timeout}, start-timeout = 600, memory-limit = 256}}}}"
    )
}

fn config(deals: u32, lines: &str, variants: &str, bots: &[String]) -> String {
    format!(
        "seed = 11\nsecret = {SECRET:?}\ndeals = {deals}\n{lines}\nvariants = [{variants}]\nbots = [{}]\n",
        bots.join(", ")
    )
}

fn summary(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("summary.json")).unwrap()).unwrap()
}

/// The row of a bot in bots.csv, by column.
fn row(folder: &Path, bot: &str) -> std::collections::HashMap<String, String> {
    let mut reader = csv::Reader::from_path(folder.join("bots.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let found = reader.records().map(Result::unwrap).find(|record| &record[1] == bot).expect(bot);
    header.iter().map(str::to_owned).zip(found.iter().map(str::to_owned)).collect()
}

/// A bot for each kind of fault, but for those that do not start: these are tried eight times, which takes seconds.
#[test]
fn one_of_each_kind_forfeits_its_deals_and_the_honest_get_their_due() {
    let ways = [
        ("crash", "crash"),
        ("exit", "exit"),
        ("stall", "time-out"),
        ("cheat", "illegal-move"),
        ("babble", "garbage"),
        ("mojibake", "not-utf-8"),
        ("mix-up", "wrong-id"),
        ("flood", "long-line"),
        ("brood", "memory-limit"),
        ("sockets", "memory-limit"),
        ("given-back", "memory-limit"),
    ];
    let sandbox = Sandbox::new();
    // Each meets one bot of the program in both seatings of a deal, and loses it with the first fault.
    let lines = "format = \"gauntlet\"\ncandidate = \"one\"\naudit = 0.0";
    let play = |out: &str, of_way: &dyn Fn(&str) -> String| {
        let ways = ways.iter().map(|way| of_way(way.0));
        let bots: Vec<String> = [bot("one")].into_iter().chain(ways).chain([double("honest")]).collect();
        let text = config(1, lines, "\"colour-blind-2\"", &bots);
        sandbox.write(&format!("{out}.toml"), &format!("{text}[faults]\npolicy = \"forfeit-deal\"\n"));
        let (code, _, stderr) = sandbox.run(&["run", &format!("{out}.toml"), "--out", out, "--quiet"]);
        assert_eq!(stderr, "");
        code
    };
    assert_eq!(play("bad", &double), 1);
    let bad = sandbox.path("bad");
    for (way, kind) in ways {
        let row = row(&bad, way);
        assert_eq!((row["fault-kinds"].as_str(), row["mean"].as_str()), (format!("{kind} 2").as_str(), "0.0"), "{way}");
    }
    // Where substitutes play from the start, the others score the same.
    let substitute = |way: &str| format!("{{name = {way:?}, strategy = \"rule-based\"}}");
    assert_eq!(play("fair", &substitute), 0);
    for way in ["one", "honest"] {
        let [bad, fair] = ["bad", "fair"].map(|out| row(&sandbox.path(out), way));
        assert_eq!((bad["faults"].as_str(), &bad["mean"]), ("0", &fair["mean"]), "{way}");
    }
}

#[test]
#[ignore = "long: every decision of fifteen bots fails"]
fn all_misbehave_at_once_and_the_honest_get_their_due() {
    let ways = [
        ("crash", "crash"),
        ("exit", "exit"),
        ("hang-up", "exit"),
        ("stall", "time-out"),
        ("cheat", "illegal-move"),
        ("mumble", "illegal-move"),
        ("babble", "garbage"),
        ("mojibake", "not-utf-8"),
        ("mix-up", "wrong-id"),
        ("flood", "long-line"),
        ("glutton", "memory-limit"),
        ("brood", "memory-limit"),
        ("stillborn", "no-start"),
        ("foreign", "wrong-handshake"),
        ("rude", "wrong-handshake"),
    ];
    let sandbox = Sandbox::new();
    let names: Vec<&str> =
        ["one", "two"].into_iter().chain(ways.iter().map(|way| way.0)).chain(["fork", "rant", "honest"]).collect();
    let bots: Vec<String> = names.iter().map(|name| bot(name)).collect();
    sandbox.write("all.toml", &config(2, "", "\"colour-blind-2\"", &bots));
    let (code, _, stderr) = sandbox.run(&["run", "all.toml", "--keep-going", "--out", "all", "--quiet"]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    let out = sandbox.path("all");
    for (way, kind) in ways {
        let row = row(&out, way);
        // Each deal of thirteen tricks, with every other bot, in both seatings.
        let decisions = 2 * 2 * (bots.len() - 1) * 13;
        assert_eq!(row["fault-kinds"], format!("{kind} {decisions}"), "{way}");
    }
    for way in ["one", "two", "fork", "rant", "honest"] {
        assert_eq!(row(&out, way)["faults"], "0", "{way}");
    }
    let means = in_process(&names, 2);
    for (name, mean) in names.iter().zip(means) {
        assert_eq!(row(&out, name)["mean"], format!("{}", (mean * 1e6).round() / 1e6), "{name}");
    }
}

/// The mean scores of bots in a round-robin of colour-blind-2, played here one deal after the other: those that
/// misbehave draw a move; the helpful doubles play their first legal move.
fn in_process(names: &[&str], deals: u64) -> Vec<f64> {
    let game = ColourBlind::new(Variant::preset("colour-blind-2").unwrap().game.rules().try_into().unwrap()).unwrap();
    let seeds = Seeds::new(Luck { seed: 11, secret: SECRET.parse().ok() }, "colour-blind-2", &game, Unit::Deal);
    let mut sums = vec![0; names.len()];
    let pairs = (0..names.len()).flat_map(|a| (0..names.len()).map(move |b| [a, b])).filter(|[a, b]| a != b);
    for (seating, number) in pairs.flat_map(|pair| (0..deals).map(move |number| (pair, number))) {
        let standing = Standing::default();
        let mut state = seeds.deal(&game, number, seeds.setup(&game, number, &standing));
        let mut rng = seeds.streams(number);
        while !game.is_over(&state) {
            let seat = state.table.seat_to_move();
            let (view, legal) = (View::new(&game, &state, &standing, seat), game.legal(&state));
            let own = &mut rng[seat];
            let chosen = match names[seating[seat.index()]] {
                "fork" | "rant" | "honest" => legal.iter().next().unwrap(),
                _ => Random.choose(&view, legal, own),
            };
            game.play_unchecked(&mut state, chosen);
        }
        for (seat, bot) in seating.into_iter().enumerate() {
            sums[bot] += game.scores(&state)[Seat::new(seat)];
        }
    }
    let games = 2 * (names.len() as u64 - 1) * deals;
    sums.into_iter().map(|sum| f64::from(sum) / games as f64).collect()
}

/// A duel of a double with a random bot under a policy.
fn duel(sandbox: &Sandbox, how: &str, policy: &str, deals: u32, args: &[&str]) -> (i32, String, String) {
    let text = config(deals, "format = \"duel\"", "\"euchre-24\"", &["\"one\"".to_owned(), double(how)]);
    sandbox.write("duel.toml", &format!("{text}[faults]\n{policy}\n"));
    sandbox.run(&[&["run", "duel.toml"], args].concat())
}

/// Plays duels with these doubles, each with these numbers of threads.
fn check_batches(deals: u32, doubles: &[(&str, &[&str])]) {
    let sandbox = Sandbox::new();
    for (how, threads) in doubles {
        for (number, threads) in threads.iter().enumerate() {
            let out = format!("{how}-{number}");
            let args = ["--threads", threads, "--out", &out, "--quiet"];
            let (code, _, stderr) = duel(&sandbox, how, "policy = \"random-move\"", deals, &args);
            assert_eq!((code, stderr.as_str()), (i32::from(*how == "picky"), ""));
            same_files(&sandbox.path(&format!("{how}-0")), &sandbox.path(&out));
        }
    }
    // It is the same bot, asked for one decision at a time and for many.
    for name in ["bots.csv", "pairs.csv"] {
        let read =
            |out: &str| std::fs::read_to_string(sandbox.path(out).join(name)).unwrap().replace("odd-batches", "odd");
        assert_eq!(read("odd-0"), read("odd-batches-0"));
    }
}

#[test]
fn results_of_a_few_deals_do_not_depend_on_threads_or_batches() {
    check_batches(2, &[("odd", &["1", "2"]), ("odd-batches", &["1"])]);
}

#[test]
#[ignore = "long: starts a bot again and again that fails now and then"]
fn results_do_not_depend_on_threads_processes_or_batches() {
    let all = &["1", "2", "5"];
    check_batches(12, &[("honest", all), ("odd", all), ("odd-batches", all), ("picky", all)]);
}

#[test]
fn a_forfeited_deal_is_played_again_with_a_substitute() {
    let sandbox = Sandbox::new();
    let (code, stdout, stderr) = duel(&sandbox, "cheat", "policy = \"forfeit-deal\"", 6, &["--out", "cheat"]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    assert!(stdout.contains("faults of cheat: ") && stdout.contains("illegal-move"), "{stdout}");
    // The honest bot scores as against the substitute, and the cheat the least that there is.
    let rule_based = "{name = \"cheat\", strategy = \"rule-based\"}".to_owned();
    sandbox.write("fair.toml", &config(6, "format = \"duel\"", "\"euchre-24\"", &["\"one\"".to_owned(), rule_based]));
    assert_eq!(sandbox.run(&["run", "fair.toml", "--out", "fair", "--quiet"]).0, 0);
    let [cheat, fair] = ["cheat", "fair"].map(|out| sandbox.path(out));
    assert_eq!(row(&cheat, "one")["mean"], row(&fair, "one")["mean"]);
    let (min, mean) = (row(&cheat, "cheat")["min"].clone(), row(&cheat, "cheat")["mean"].clone());
    assert_eq!((min.as_str(), mean.as_str()), ("0", "0.0"));
    // One fault for each of its seats: the deal is lost with the first.
    assert_eq!(row(&cheat, "cheat")["fault-kinds"], format!("illegal-move {}", 6 * 9));
}

/// Disqualifies a double among three other bots, with either number of threads.
fn check_disqualified(how: &str, deals: u32, threads: [&str; 2]) {
    let sandbox = Sandbox::new();
    let all = ["\"one\"".to_owned(), "\"two\"".to_owned(), "\"three\"".to_owned(), double(how)];
    let lines = "[faults]\npolicy = \"disqualify\"\nlimit = 3\n";
    sandbox.write("all.toml", &(config(deals, "", "\"dumbo\"", &all) + lines));
    sandbox.write("clean.toml", &config(deals, "", "\"dumbo\"", &all[..3]));
    for (threads, out) in threads.into_iter().zip(["few", "more"]) {
        let (code, stdout, _) = sandbox.run(&["run", "all.toml", "--threads", threads, "--out", out]);
        assert_eq!(code, 1);
        assert!(stdout.contains(&format!("{how} was disqualified after 3 faults")), "{stdout}");
    }
    assert_eq!(sandbox.run(&["run", "clean.toml", "--out", "clean", "--quiet"]).0, 0);
    same_files(&sandbox.path("few"), &sandbox.path("more"));
    for file in ["ratings.csv", "pairs.csv", "seats.csv", "balance.csv", "contracts.csv"] {
        let read = |out: &str| std::fs::read_to_string(sandbox.path(out).join(file)).unwrap();
        assert_eq!(read("few"), read("clean"), "{file}");
    }
    let row = row(&sandbox.path("few"), how);
    assert_eq!([&row["deals"], &row["faults"], &row["disqualified"]], ["0", "3", "true"]);
    let faults = summary(&sandbox.path("few"))["faults"].clone();
    assert_eq!(faults.as_array().unwrap().len(), 3);
}

#[test]
fn a_disqualified_cheat_leaves_no_trace_in_the_results_of_others() {
    check_disqualified("cheat", 4, ["1", "2"]);
}

#[test]
#[ignore = "long: starts a bot again and again that fails now and then"]
fn a_disqualified_bot_leaves_no_trace_in_the_results_of_others() {
    check_disqualified("picky", 30, ["1", "3"]);
}

#[test]
fn a_variant_in_which_all_are_disqualified_is_void() {
    let sandbox = Sandbox::new();
    let (code, stdout, stderr) = duel(&sandbox, "cheat", "policy = \"disqualify\"", 6, &["--out", "void"]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    assert!(stdout.contains("no bot is left to play"), "{stdout}");
}

#[test]
fn shards_and_bad_policies_are_refused() {
    let sandbox = Sandbox::new();
    let refused = |policy: &str, args: &[&str]| {
        let (code, _, stderr) = duel(&sandbox, "honest", policy, 6, args);
        assert_eq!(code, 2, "{stderr}");
        stderr
    };
    let message = refused("policy = \"disqualify\"", &["--shard", "1/2"]);
    assert!(message.contains("`faults.policy`: no shard knows the faults of the others"), "{message}");
    let message = refused("limit = 3", &[]);
    assert!(message.contains("duel.toml:8: `faults.limit`: only goes with policy = \"disqualify\""), "{message}");
    let message = refused("policy = \"forgive\"", &[]);
    assert!(message.contains("`faults.policy`") && message.contains("random-move"), "{message}");
}

#[test]
fn bots_are_told_of_deals_and_their_ends() {
    let sandbox = Sandbox::new();
    // Who is asked again hears of no deals.
    let text = config(20, "format = \"duel\"\naudit = 0", "\"euchre-24\"", &["\"one\"".to_owned(), double("witness")]);
    sandbox.write("duel.toml", &text);
    let (code, _, stderr) = sandbox.run(&["run", "duel.toml", "--out", "out", "--quiet"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let log = std::fs::read_to_string(sandbox.path("out/witness.log")).unwrap();
    // Twenty deals in six seatings, in which the witness has nine seats.
    let count = |what: &str| log.lines().filter(|line| *line == what).count();
    assert_eq!([count("deal"), count("end"), count("slip")], [180, 180, 0], "{log}");
}

#[test]
fn nothing_is_left_running_when_a_run_is_interrupted() {
    let sandbox = Sandbox::new();
    let text = config(1000, "", "\"colour-blind-2\"", &[double("fork"), double("stall").replace("0.3", "3600")]);
    sandbox.write("long.toml", &text);
    let mut child = sandbox.command(&["run", "long.toml", "--out", "long"]).stderr(Stdio::null()).spawn().unwrap();
    sandbox::wait_for("the log of a bot", || sandbox.path("long/fork.log").exists());
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    let log = std::fs::read_to_string(sandbox.path("long/fork.log")).unwrap();
    for child in log.lines().filter_map(|line| line.strip_prefix("child ")) {
        sandbox::wait_for("the end of what a bot had started", || {
            let stat = std::fs::read_to_string(format!("/proc/{child}/stat"));
            stat.map_or(true, |stat| stat.contains(") Z ") || !stat.contains("(sleep)"))
        });
    }
}

#[test]
fn a_comparison_marks_who_had_faults() {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", &config(4, "", "\"dumbo\"", &[bot("one"), bot("two"), bot("cheat")]));
    for out in ["a", "b"] {
        assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", out]).0, 1, "faults show in the exit code");
    }
    let (code, table, _) = sandbox.run(&["compare", "a", "b"]);
    assert_eq!(code, 0);
    assert!(table.contains("cheat (!)") && !table.contains("one (!)"), "{table}");
    let (_, json, _) = sandbox.run(&["compare", "a", "b", "--format", "json"]);
    let rows: Value = serde_json::from_str(&json).unwrap();
    for row in rows.as_array().unwrap() {
        assert_eq!(row["faults"].as_u64().unwrap() > 0, row["bot"] == "cheat", "{row}");
    }
}
