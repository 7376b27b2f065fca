//! Bots that are WebAssembly modules, in the commands.

use crate::fixtures::sandbox::{SECRET, Sandbox, rows, same_files};
use crate::fixtures::wasm::{REMEMBERS, binary, text};
use crate::module::{BY_SEED, endless};

/// A bot of this name with its module; `parameters` are more of its parameters.
fn bot(sandbox: &Sandbox, name: &str, module: &[u8], parameters: &str) {
    std::fs::write(sandbox.path(&format!("bots/{name}.wasm")), module).unwrap();
    let manifest =
        format!("name = {name:?}\nstrategy = \"wasm\"\n[parameters]\nmodule = \"{name}.wasm\"\n{parameters}");
    sandbox.write(&format!("bots/{name}.toml"), &manifest);
}

fn config(deals: u32, more: &str, bots: &[&str]) -> String {
    let head = format!("seed = 3\nsecret = {SECRET:?}\ndeals = {deals}\n");
    format!("{head}variants = [\"euchre-24\", \"colour-blind-2\"]\nbots = {bots:?}\n{more}")
}

#[test]
fn results_have_the_same_bytes_for_any_number_of_threads_and_after_kills() {
    let sandbox = Sandbox::new();
    bot(&sandbox, "seed", &binary(&text("", BY_SEED)), "");
    bot(&sandbox, "memory", &binary(&text("", REMEMBERS)), "");
    let kept = "name = \"kept\"\nstrategy = \"restricted\"\n[parameters]\nbot = \"seed\"\nforbid = [\"order-up\"]\n";
    sandbox.write("bots/kept.toml", kept);
    sandbox.write("t.toml", &config(3000, "", &["one", "seed", "memory"]));
    for threads in ["1", "2", "5"] {
        let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--threads", threads, "--out", threads, "--quiet"]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        same_files(&sandbox.path("1"), &sandbox.path(threads));
    }
    let args = ["run", "t.toml", "--out", "out", "--checkpoint", "0", "--quiet"];
    sandbox.kill_and_resume(&args, "out/summary.json", (5, 4));
    same_files(&sandbox.path("1"), &sandbox.path("out"));
    // Its own config gives the same results.
    let again = ["run", "1/config.toml", "--out", "again", "--quiet"];
    assert_eq!(sandbox.run(&again).0, 0);
    same_files(&sandbox.path("1"), &sandbox.path("again"));
    sandbox.write("kept.toml", &config(50, "", &["one", "kept", "seed"]).replace(", \"colour-blind-2\"", ""));
    assert_eq!(sandbox.run(&["run", "kept.toml", "--out", "kept", "--quiet"]).0, 0);
}

/// The author of a module may know the master seed beforehand, and so every card that comes from it alone.
#[test]
fn where_a_module_plays_cards_come_from_a_secret() {
    let sandbox = Sandbox::new();
    bot(&sandbox, "x", &binary(&text("", BY_SEED)), "");
    sandbox.write("t.toml", &config(30, "", &["one", "two", "x"]).replace(&format!("secret = {SECRET:?}\n"), ""));
    for out in ["a", "b"] {
        assert_eq!(sandbox.run(&["run", "t.toml", "--out", out, "--quiet"]).0, 0);
        assert!(sandbox.path(&format!("{out}/secret-hash.txt")).exists());
    }
    let read = |file: &str| std::fs::read_to_string(sandbox.path(file)).unwrap();
    assert_ne!(read("a/seats.csv"), read("b/seats.csv"));
    // It remembers nothing, so no answer is asked for twice.
    let written: toml::Table = read("a/config.toml").parse().unwrap();
    assert!(written.contains_key("secret") && !written.contains_key("audit"));
    assert_eq!(sandbox.run(&["run", "a/config.toml", "--out", "again", "--threads", "1", "--quiet"]).0, 0);
    same_files(&sandbox.path("a"), &sandbox.path("again"));
}

#[test]
fn who_fails_is_counted_and_the_honest_get_their_due() {
    let ways = [
        ("endless", "(loop (br 0)) (i32.const 0)", "out-of-fuel"),
        ("trapped", "unreachable", "trap"),
        ("greedy", "(drop (memory.grow (i32.const 999))) (i32.const 0)", "memory-limit"),
        ("cheat", "(i32.const 200)", "illegal-move"),
        ("odd-card", "(i32.const 319)", "illegal-move"),
    ];
    let sandbox = Sandbox::new();
    let honest = ["one", "two", "three"];
    let mut all = honest.to_vec();
    for (name, decide, _) in ways {
        bot(&sandbox, name, &binary(&text("", decide)), "fuel = 100000");
        all.push(name);
    }
    sandbox.write("t.toml", &config(4, "", &all).replace("\"euchre-24\", ", ""));
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--out", "t", "--quiet"]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    for row in rows(&sandbox.path("t/bots.csv")) {
        let decisions = 4 * 2 * (all.len() - 1) * 13;
        let way = ways.iter().find(|way| way.0 == row["bot"]);
        assert_eq!(row["fault-kinds"], way.map_or(String::new(), |way| format!("{} {decisions}", way.2)), "{row:?}");
    }
    // Who is disqualified leaves no trace.
    let lines = "[faults]\npolicy = \"disqualify\"\nlimit = 3\n";
    sandbox.write("all.toml", &config(20, lines, &["one", "two", "three", "trapped"]));
    sandbox.write("fair.toml", &config(20, "", &honest));
    assert_eq!(sandbox.run(&["run", "all.toml", "--out", "all", "--quiet"]).0, 1);
    assert_eq!(sandbox.run(&["run", "fair.toml", "--out", "fair", "--quiet"]).0, 0);
    for file in ["ratings.csv", "pairs.csv", "seats.csv", "balance.csv"] {
        let read = |out: &str| std::fs::read_to_string(sandbox.path(out).join(file)).unwrap();
        assert_eq!(read("all"), read("fair"), "{file}");
    }
    // One that does not start ends the run before the first deal.
    let never_starts = text(&format!("(func $s {}) (start $s)", endless()), BY_SEED);
    bot(&sandbox, "endless", &binary(&never_starts), "");
    let message = sandbox.refused(&["run", "t.toml", "--out", "none"]);
    assert!(message.contains("bots/endless.toml:4: `parameters.module`: does not start: out-of-fuel"), "{message}");
    assert!(!sandbox.path("none").exists());
}

#[test]
fn a_module_that_was_changed_is_refused_but_its_results_can_be_read() {
    let sandbox = Sandbox::new();
    bot(&sandbox, "x", &binary(&text("", BY_SEED)), "");
    sandbox.write("t.toml", &config(40, "", &["one", "two", "x"]));
    assert_eq!(sandbox.run(&["run", "t.toml", "--out", "old", "--quiet"]).0, 0);
    assert!(std::fs::read_to_string(sandbox.path("old/config.toml")).unwrap().contains("sha256 = \""));
    bot(&sandbox, "x", &binary(&text("", "(i32.const 0)")), "");
    let message = sandbox.refused(&["run", "t.toml", "--out", "old", "--resume"]);
    assert!(message.contains("sha256"), "{message}");
    let message = sandbox.refused(&["run", "old/config.toml", "--out", "new"]);
    assert!(message.contains("x does not start") && message.contains("has changed: its SHA-256 is"), "{message}");
    assert_eq!(sandbox.run(&["compare", "old", "old"]).0, 0);
    std::fs::remove_file(sandbox.path("bots/x.wasm")).unwrap();
    assert_eq!(sandbox.run(&["compare", "old", "old"]).0, 0);
    let message = sandbox.refused(&["run", "old/config.toml", "--out", "new"]);
    assert!(message.contains("x does not start") && message.contains("x.wasm cannot be read"), "{message}");
    let message = sandbox.refused(&["check", "x"]);
    assert!(
        message.contains("bots/x.toml:4: `parameters.module`: ") && message.contains("cannot be read"),
        "{message}"
    );
}

#[test]
fn check_tells_what_a_module_does_wrong() {
    let sandbox = Sandbox::new();
    let check = |decide: &str| {
        bot(&sandbox, "x", &binary(&text("", decide)), "fuel = 100000");
        let (code, stdout, stderr) = sandbox.run(&["check", "x", "--variant", "dumbo", "--deals", "5"]);
        assert_eq!(stderr, "");
        (code, stdout)
    };
    for decide in [BY_SEED, REMEMBERS] {
        let (code, stdout) = check(decide);
        assert!(code == 0 && stdout.contains("x is fine"), "{stdout}");
    }
    let (code, stdout) = check("(loop (br 0)) (i32.const 0)");
    assert!(code == 1 && stdout.contains("deal 0, move 0: out-of-fuel: it took more than its `fuel`"), "{stdout}");
    let (_, stdout) = check("(i32.const 77)");
    assert!(stdout.contains("illegal-move: it answered 77, where 13 moves are legal, from 0 up"), "{stdout}");
    let (code, stdout, _) = sandbox.run(&["list", "strategies"]);
    assert!(code == 0 && stdout.contains("wasm"), "{stdout}");
}

/// A module within the budget is in the class of equal compute, and its result has the same bytes for any threads.
#[test]
fn a_module_has_a_class_of_its_benchmark_and_is_verified_with_its_file() {
    let sandbox = Sandbox::new();
    sandbox.write("small.toml", include_str!("../data/definition/small.toml"));
    bot(&sandbox, "seed", &binary(&text("", BY_SEED)), "fuel = 100_000\nmemory-limit = 4\n");
    bot(&sandbox, "more", &binary(&text("", BY_SEED)), "fuel = 100_001\nmemory-limit = 4\n");
    let run = |args: &[&str]| sandbox.run(&[&["benchmark"], args, &["--definition", "small.toml", "--quiet"]].concat());
    let read = |file: &str| std::fs::read_to_string(sandbox.path(file)).unwrap();
    for threads in ["1", "2", "3"] {
        let (code, _, stderr) = run(&["seed", "--threads", threads, "--out", &format!("{threads}.json")]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        assert_eq!(read("1.json"), read(&format!("{threads}.json")));
    }
    assert!(read("1.json").contains("\"class\": \"wasm\""), "{}", read("1.json"));
    assert_eq!(run(&["more", "--out", "more.json"]).0, 0);
    assert!(read("more.json").contains("\"class\": \"unlimited\""));
    assert_eq!(run(&["seed", "--verify", "1.json", "--sample", "40"]).0, 0);
    let (code, _, stderr) = run(&["--verify", "1.json"]);
    assert!(code == 2 && stderr.contains("seed needs its files to play again"), "{stderr}");
    let (code, _, stderr) = run(&["more", "--verify", "1.json"]);
    assert!(code == 2 && stderr.contains("more is another bot"), "{stderr}");
}
