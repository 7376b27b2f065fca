//! `overtrick benchmark`, with a small benchmark.

use std::fs;

use overtrick::benchmark::BenchmarkResult;

use crate::fixtures::sandbox::Sandbox;

const SMALL: &str = include_str!("../../data/definition/small.toml");

/// A working folder with the small benchmark.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("small.toml", SMALL);
    sandbox
}

/// Returns the arguments of a benchmark by the small definition.
fn small<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&["benchmark"], args, &["--definition", "small.toml"]].concat()
}

/// Runs a command that succeeds and prints no notes; returns its output.
fn done(sandbox: &Sandbox, args: &[&str]) -> String {
    let (code, stdout, stderr) = sandbox.run(&small(args));
    assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}: {stdout}");
    stdout
}

fn refused(sandbox: &Sandbox, args: &[&str]) -> String {
    let message = sandbox.refused(&small(args));
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

fn read(sandbox: &Sandbox, file: &str) -> String {
    fs::read_to_string(sandbox.path(file)).unwrap()
}

#[test]
fn a_result_is_the_same_each_time_and_is_verified() {
    let sandbox = sandbox();
    let first = done(&sandbox, &["cautious", "--author", "Ann", "--threads", "1"]);
    assert!(first.starts_with("cautious scores ") && first.contains("in small 1 (class unlimited, open"), "{first}");
    assert!(first.contains("euchre-24") && first.contains("over rule-based"), "{first}");
    assert!(first.ends_with("the result is results/benchmark/cautious.json\n"), "{first}");
    let file = "results/benchmark/cautious.json";
    let bytes = read(&sandbox, file);
    for threads in ["2", "3"] {
        done(&sandbox, &["cautious", "--author", "Ann", "--threads", threads, "--force", "--quiet"]);
        assert_eq!(read(&sandbox, file), bytes);
    }
    let verified = done(&sandbox, &["--verify", file, "--sample", "10"]);
    assert!(verified.contains("10 of 40 parts were played again with the same sums (chosen by seed "), "{verified}");
    assert!(verified.contains("forged would pass with a chance of at most 34.87%"), "{verified}");
    let again = |seed: &str| done(&sandbox, &["--verify", file, "--sample", "10", "--seed", seed]);
    assert_eq!(again("5"), again("5"));
    let all = done(&sandbox, &["cautious", "--verify", file, "--sample", "1000"]);
    assert!(all.contains("40 of 40 parts") && !all.contains("chance"), "{all}");
    let message = refused(&sandbox, &["cautious"]);
    assert!(message.contains("`--out`: is there already") && message.contains("--force"), "{message}");
}

#[test]
fn forged_results_are_refused_by_name() {
    let sandbox = sandbox();
    done(&sandbox, &["cautious", "--out", "a.json", "--quiet"]);
    let text = read(&sandbox, "a.json");
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        sandbox.write("b.json", &text.replacen(from, to, 1));
        refused(&sandbox, &["--verify", "b.json"])
    };
    assert!(with("\"faults\":0", "\"faults\":1").starts_with("error: b.json: `sha256`: is "));
    assert!(with("\"form\": 1", "\"form\": 9").contains("b.json: `form`: is 9"));
    // Another bot under the same name, and another benchmark.
    sandbox.write("bots/cautious.toml", "name = \"cautious\"\nstrategy = \"random\"\n");
    let message = refused(&sandbox, &["cautious", "--verify", "a.json"]);
    assert!(message.contains("a.json: `bot.sha256`: is ") && message.contains("cautious is another bot"), "{message}");
    sandbox.write("small.toml", &SMALL.replace("seed = 7", "seed = 8"));
    assert!(refused(&sandbox, &["--verify", "a.json"]).contains("a.json: `benchmark.sha256`: is "));
    let own = sandbox.refused(&["benchmark", "--verify", "a.json"]);
    assert!(own.contains("`benchmark.name`: is small in this result, and should be overtrick-benchmark"), "{own}");
}

#[test]
fn a_sealed_round_is_played_when_its_secret_is_published() {
    let sandbox = sandbox();
    fs::create_dir(sandbox.path("forged")).unwrap();
    let begun = done(&sandbox, &["--commit", "2027"]);
    assert!(begun.contains("publish 2027.toml now, and 2027.secret when entries are closed"), "{begun}");
    let secret = read(&sandbox, "2027.secret");
    assert!(!begun.contains(secret.trim()) && !read(&sandbox, "2027.toml").contains(secret.trim()));
    assert!(refused(&sandbox, &["--commit", "2027"]).contains("2027.toml: is there already"));
    done(&sandbox, &["cautious", "--round", "2027.toml", "--quiet"]);
    done(&sandbox, &["cautious", "--quiet"]);
    let (sealed, open) = ("results/benchmark/2027/cautious.json", "results/benchmark/cautious.json");
    let margins = |file: &str| read(&sandbox, file).split("\"margins\"").nth(1).map(str::to_owned);
    assert_ne!(margins(sealed), margins(open));
    let verified = done(&sandbox, &["--verify", sealed, "--round", "2027.toml", "--sample", "40"]);
    assert!(verified.contains("40 of 40 parts") && !verified.contains("note: "), "{verified}");
    let alone = done(&sandbox, &["--verify", sealed, "--sample", "0"]);
    assert!(alone.contains("was not compared with the public file of round 2027: pass it with --round"), "{alone}");
    assert!(refused(&sandbox, &["--verify", open, "--round", "2027.toml"]).contains("`round`: is none in this result"));
    // Another round of the same name has another commitment.
    done(&sandbox, &["--commit", "forged/2027"]);
    done(&sandbox, &["random", "--round", "forged/2027.toml", "--quiet"]);
    let (code, table, stderr) =
        sandbox.run(&small(&["--table", "results/benchmark/2027", "--round", "2027.toml", "--format", "csv"]));
    assert_eq!((code, table.lines().count(), stderr.lines().count()), (0, 2, 1), "{table}{stderr}");
    assert!(stderr.contains("left out: results/benchmark/2027/random.json: `round.commitment`: is "), "{stderr}");
    // Another secret than the one that was committed to, or none yet.
    sandbox.write("2027.secret", "00112233445566778899aabbccddeeff\n");
    assert!(refused(&sandbox, &["random", "--round", "2027.toml"]).contains("2027.secret: has the SHA-256 5947d7c3"));
    fs::remove_file(sandbox.path("2027.secret")).unwrap();
    let message = refused(&sandbox, &["random", "--round", "2027.toml"]);
    assert!(message.contains("round 2027 is played when its secret is published"), "{message}");
}

#[test]
fn the_table_keeps_the_first_result_of_a_bot_and_shows_all_entries_of_an_author() {
    let sandbox = sandbox();
    for (number, (bot, author)) in
        [("random", "Ann"), ("cautious", "Ann"), ("rule-based", "Bob"), ("random", "Ann")].into_iter().enumerate()
    {
        let file = format!("all/{number}.json");
        done(&sandbox, &[bot, "--author", author, "--out", &file, "--quiet"]);
    }
    sandbox.write("all/bad.json", &read(&sandbox, "all/0.json").replacen("Ann", "Eve", 1));
    let args = small(&["--table", "all", "--out", "page/table.html"]);
    let (code, table, stderr) = sandbox.run(&args);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.starts_with("note: left out: all/bad.json: `sha256`: is ") && stderr.lines().count() == 1,
        "{stderr}"
    );
    assert!(table.contains("authors with several entries") && !table.contains("Eve"), "{table}");
    let (page, csv) = (read(&sandbox, "page/table.html"), read(&sandbox, "page/table.csv"));
    assert!(
        page.contains("default-src &#39;none&#39;") && page.contains("small 1") && page.contains("class unlimited")
    );
    let rows: Vec<csv::StringRecord> = csv::Reader::from_reader(csv.as_bytes()).records().map(Result::unwrap).collect();
    let shown: Vec<[&str; 4]> = rows.iter().map(|row| [&row[3], &row[4], &row[5], &row[6]]).collect();
    assert!(shown.contains(&["3", "random", "Ann", "2"]), "{shown:?}");
    let random = rows.iter().find(|row| &row[4] == "random").unwrap();
    assert_eq!((&random[11], &random[12]), ("2", "false"), "two files with the same result");
    let (_, json, _) = sandbox.run(&small(&["--table", "all", "--format", "json"]));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap().as_array().unwrap().len(), 3);
}

#[test]
fn arguments_that_cannot_be_are_refused() {
    let sandbox = sandbox();
    fs::create_dir(sandbox.path("empty")).unwrap();
    sandbox.write("text.json", "hello");
    for (args, said) in [
        (&[][..], "name a bot to measure, or a task: --verify, --commit or --table"),
        (&["rulebased"], "there is no bot \"rulebased\" (did you mean rule-based?)"),
        (&["random", "--author", "=1"], "`--author`: \"=1\" is no name of an author"),
        (&["random", "--round", "none.toml"], "none.toml: there is no such file"),
        (&["--verify", "none.json"], "none.json: there is no such file"),
        (&["--verify", "text.json"], "text.json:1: is no result of `overtrick benchmark`: expected value"),
        (&["--table", "empty"], "empty: has no result of small 1"),
        (&["--table", "none"], "none: there is no such file"),
        (&["--table", "empty", "--out", "table"], "table: `--out`: is no page"),
        (&["--commit", "a/b c"], "`--commit`: \"b c\" is no name"),
    ] {
        let message = refused(&sandbox, args);
        assert!(message.contains(said), "{args:?}: {message}");
    }
    let message = sandbox.refused(&small(&["random", "--sample", "3"]));
    assert!(message.contains("--verify"), "{message}");
}

/// The results that come with the program are of this program, and their scale is that of the benchmark.
#[test]
fn the_results_in_the_repository_are_verified() {
    let sandbox = Sandbox::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/benchmark/results");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut scores = Vec::new();
    for file in &files {
        let file = file.to_str().unwrap();
        // Bots that search take seconds for a part.
        let parts = if file.contains("pimc") { "1" } else { "4" };
        let (code, stdout, stderr) = sandbox.run(&["benchmark", "--verify", file, "--sample", parts, "--seed", "1"]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
        assert!(
            stdout.contains(&format!("{parts} of 2 700 parts ")) && stdout.contains("with the same sums"),
            "{stdout}"
        );
        let result: serde_json::Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        scores.push((result["bot"]["name"].as_str().unwrap().to_owned(), result["score"]["value"].as_f64().unwrap()));
    }
    assert!(
        scores.contains(&("random".to_owned(), 0.0)) && scores.contains(&("rule-based".to_owned(), 100.0)),
        "{scores:?}"
    );
    let (code, stdout, stderr) = sandbox.run(&["benchmark", "--table", folder, "--format", "csv"]);
    assert_eq!((code, stderr.as_str(), stdout.lines().count()), (0, "", 1 + files.len()));
    let table = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/benchmark/table.csv")).unwrap();
    assert_eq!(stdout, table);
}

/// A bot that makes the first legal move.
#[cfg(unix)]
const FIRST: &str = "import json, sys\n\
       for line in sys.stdin:\n    \
           message = json.loads(line)\n    \
           if 'hello' in message:\n        \
               answer = {'hello': {'name': 'first', 'protocol': 1, 'variants': ['all']}}\n    \
           elif 'decide' in message:\n        \
               answer = {'moves': [[d['id'], d['legal'][0]] for d in message['decide']]}\n    \
           else:\n        continue\n    \
           print(json.dumps(answer), flush=True)\n";

/// The manifest of a bot in the folder `mine`.
#[cfg(unix)]
const MINE: &str = "name = \"mine\"\nstrategy = \"process\"\n\
    [parameters]\ncommand = [\"python3\", \"bot.py\"]\nfolder = \"../mine\"\n";

/// Returns the small benchmark with one variant, since each start of a process takes long.
#[cfg(unix)]
fn smallest() -> String {
    SMALL.replace(", \"euchre-24\"]", "]").replace("euchre-24 = [[0.0, 2.0], [-2.0, 0.0]]\n", "")
}

/// A bot of another program is another bot, and its files are needed to verify it.
#[cfg(unix)]
#[test]
fn a_process_is_verified_with_its_files() {
    let sandbox = sandbox();
    fs::create_dir(sandbox.path("mine")).unwrap();
    sandbox.write("mine/bot.py", FIRST);
    sandbox.write("bots/mine.toml", MINE);
    sandbox.write("small.toml", &smallest());
    let sandboxed = ["--sandbox", "available", "--quiet"];
    done(&sandbox, &[&["mine", "--out", "a.json"], &sandboxed[..]].concat());
    // A result among the files of the bot is no part of the bot.
    fs::rename(sandbox.path("a.json"), sandbox.path("mine/a.json")).unwrap();
    done(&sandbox, &[&["mine", "--verify", "mine/a.json", "--sample", "0"], &sandboxed[..]].concat());
    fs::rename(sandbox.path("mine/a.json"), sandbox.path("a.json")).unwrap();
    // Neither are the files of a round, which playing and verifying hide, nor bytecode.
    fs::create_dir(sandbox.path("mine/__pycache__")).unwrap();
    sandbox.write("mine/__pycache__/bot.pyc", "bytes");
    done(&sandbox, &["--commit", "mine/2027", "--quiet"]);
    let round = ["--round", "mine/2027.toml"];
    done(&sandbox, &[&["mine", "--out", "mine/b.json"], &round[..], &sandboxed[..]].concat());
    done(&sandbox, &[&["mine", "--verify", "mine/b.json", "--sample", "0"], &round[..], &sandboxed[..]].concat());
    let hash = |file: &str| BenchmarkResult::read(&sandbox.path(file)).unwrap().bot.sha256;
    assert_eq!(hash("mine/b.json"), hash("a.json"));
    for file in ["mine/b.json", "mine/2027.toml", "mine/2027.secret"] {
        fs::remove_file(sandbox.path(file)).unwrap();
    }
    // Any other file may hold solved deals.
    for file in ["mine/.cards", "mine/data.toml", "mine/x.pyc"] {
        sandbox.write(file, "solved");
        let message = refused(&sandbox, &["mine", "--verify", "a.json"]);
        assert!(message.contains("`bot.sha256`: is ") && message.contains("mine is another bot"), "{message}");
        fs::remove_file(sandbox.path(file)).unwrap();
    }
    done(&sandbox, &[&["mine", "--verify", "a.json", "--sample", "2"], &sandboxed[..]].concat());
    let message = refused(&sandbox, &["--verify", "a.json"]);
    assert!(message.contains("a.json: mine needs its files to play again: name the bot, too"), "{message}");
    sandbox.write("mine/bot.py", &FIRST.replace("'first'", "'other'"));
    let message = refused(&sandbox, &["mine", "--verify", "a.json"]);
    assert!(message.contains("`bot.sha256`: is ") && message.contains("mine is another bot"), "{message}");
}

/// Faults are those of a duel, so playing a part again finds a result that has too few.
#[cfg(unix)]
#[test]
fn faults_that_a_result_conceals_are_found() {
    let sandbox = sandbox();
    fs::create_dir(sandbox.path("mine")).unwrap();
    sandbox.write("mine/bot.py", &FIRST.replace("d['legal'][0]", "'no move'"));
    sandbox.write("bots/mine.toml", MINE);
    sandbox.write("small.toml", &smallest());
    let sandboxed = ["--sandbox", "available", "--quiet"];
    let (_, _, stderr) = sandbox.run(&small(&[&["mine", "--out", "a.json"], &sandboxed[..]].concat()));
    assert!(stderr.contains("faults. A random legal move was made"), "{stderr}");
    let mut result = BenchmarkResult::read(&sandbox.path("a.json")).unwrap();
    done(&sandbox, &[&["mine", "--verify", "a.json", "--sample", "2"], &sandboxed[..]].concat());
    assert!(result.duels.iter().all(|duel| duel.faults > 0));
    result.duels.iter_mut().for_each(|duel| duel.faults = 0);
    fs::write(sandbox.path("a.json"), result.sealed().to_bytes()).unwrap();
    let message = refused(&sandbox, &[&["mine", "--verify", "a.json", "--sample", "2"], &sandboxed[..]].concat());
    assert!(message.contains("has 0 faults in this result, and played again this part alone has "), "{message}");
}
