//! `overtrick league` as its user meets it: files, the sentence, the same bytes each time, also after a stop.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use overtrick::cli::{Ended, Host};
use overtrick::report::LEAGUE_FILES;
use overtrick::run::{sealed, unsealed};
use overtrick::strategies::Register;
use overtrick::strategies::python::Provided;
use overtrick::toml_source::InputError;
use overtrick::tune::RemoteWorkers;

use crate::fixtures::elsewhere::{Careless, Here};
use crate::fixtures::leagues::{CONFIG, league, same_league};
use crate::fixtures::mutations::Mutator;
use crate::fixtures::sandbox::{Row, Sandbox, in_a_line, rows, wait_for};
use crate::fixtures::tunings::summary;

/// The names of all files in the folder `out`.
fn files(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path("out")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The files of a finished league, sorted.
fn all_files() -> Vec<&'static str> {
    let mut names = LEAGUE_FILES.to_vec();
    names.sort_unstable();
    names
}

#[test]
fn a_small_league_leaves_its_files_and_says_its_answer() {
    let sandbox = Sandbox::new();
    sandbox.write("l.toml", CONFIG);
    let (code, stdout, stderr) = sandbox.run(&["league", "l.toml", "--out", "out"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(files(&sandbox), all_files());
    let summary = summary(&sandbox.path("out"));
    let sentence = summary["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("the best 2 of 6 bots are "), "{sentence}");
    let guarantee = ": with at most 5% error for the whole answer, no other bot is more than 0.05 points a deal better \
                     than any of them";
    assert!(sentence.ends_with(guarantee), "{sentence}");
    let said = in_a_line(&stdout);
    assert!(said.starts_with(&in_a_line(sentence)) && said.ends_with(" results are in out"), "{stdout}");
    assert_eq!((&summary["answered"], &summary["faults"], &summary["budget"]), (&true.into(), &0.into(), &().into()));
    // The bots are in order, each once.
    let bots = rows(&sandbox.path("out/league-bots.csv"));
    let mut names: Vec<&str> = bots.iter().map(|row| row["bot"].as_str()).collect();
    let chosen: Vec<&str> = bots.iter().filter(|row| row["chosen"] == "true").map(|row| row["bot"].as_str()).collect();
    assert_eq!(serde_json::json!(chosen), summary["answer"]);
    assert_eq!(bots[5]["bot"], "random");
    let deals = |row: &Row| row["deals"].parse::<u64>().unwrap();
    assert!(bots[5]["status"] == "out" && deals(&bots[5]) < deals(&bots[0]), "{:?}", bots[5]);
    names.sort_unstable();
    assert_eq!(names, ["cautious", "courage-1.0", "courage-2.0", "courage-3.0", "courage-4.0", "random"]);
    // Each two bots have a row, and those that are decided have the round and a margin that excludes 0.
    let pairs = rows(&sandbox.path("out/league.csv"));
    assert_eq!(pairs.len(), 15);
    let decided: Vec<_> = pairs.iter().filter(|row| !row["ahead"].is_empty()).collect();
    assert!(decided.len() >= 5, "random is behind each other bot");
    for row in decided {
        let number = |column: &str| row[column].parse::<f64>().unwrap();
        let is_first = row["ahead"] == row["bot-a"];
        assert!(if is_first { number("decided-low") > 0.0 } else { number("decided-high") < 0.0 }, "{row:?}");
        assert!(number("round") >= 1.0 && number("round") <= summary["rounds"].as_f64().unwrap());
    }
    let games = |key: &str| summary[key].as_f64().unwrap();
    assert_eq!(games("round-robin-games"), games("deals") * 20.0 * 6.0);
    assert!(games("games") * 4.0 < games("round-robin-games"), "{summary}");
}

#[test]
fn the_same_league_gives_the_same_bytes() {
    let sandbox = Sandbox::new();
    sandbox.write("l.toml", CONFIG);
    league(&sandbox, &["l.toml", "--threads", "1", "--out", "one"]);
    league(&sandbox, &["one/config.toml", "--threads", "3", "--out", "two"]);
    same_league(&sandbox.path("one"), &sandbox.path("two"));
    league(&sandbox, &["l.toml", "--threads", "2", "--play-all", "--out", "all"]);
    same_league(&sandbox.path("one"), &sandbox.path("all"));
    // Another time in the same folder.
    league(&sandbox, &["l.toml", "--out", "two"]);
    same_league(&sandbox.path("one"), &sandbox.path("two"));
    sandbox.write("l.toml", &CONFIG.replace("seed = 7", "seed = 8"));
    league(&sandbox, &["l.toml", "--out", "other"]);
    let bots = |folder: &str| fs::read(sandbox.path(folder).join("league-bots.csv")).unwrap();
    assert!(bots("one") != bots("other"), "the seed changes nothing");
}

/// Asks a question of three bots and four settings in Euchre, and returns the sentence.
fn asked(question: &str) -> (String, serde_json::Value) {
    let sandbox = Sandbox::new();
    sandbox.write("l.toml", &CONFIG.replace("question = { top = 2 }", question));
    league(&sandbox, &["l.toml", "--out", "out"]);
    let summary = summary(&sandbox.path("out"));
    (summary["sentence"].as_str().unwrap().to_owned(), summary)
}

#[test]
fn each_question_has_its_answer() {
    let at_most = "with at most 5% error for the whole answer";
    let (said, summary) = asked("question = \"best\"");
    let best = summary["answer"][0].as_str().unwrap();
    let rest = format!("{best} is the best of 6 bots: {at_most}, no other bot is more than 0.05 points a deal better");
    assert!(said.starts_with(&rest) && summary["answer"].as_array().unwrap().len() == 1, "{said}");
    let (said, _) = asked("question = { better-than = \"random\" }");
    assert!(said.contains(" better than random") && said.contains(&format!(": {at_most}, ")), "{said}");
    let (said, summary) = asked("question = { better-than = \"courage-2.0\" }");
    let none = "none of the 5 other bots is better than courage-2.0";
    assert_eq!(said, format!("{none}: {at_most}, no bot is more than 0.05 points a deal better than courage-2.0"));
    assert_eq!(summary["answer"], serde_json::json!([]));
    let (said, summary) = asked("question = \"ranking\"\ngames = 60000");
    assert_eq!(summary["answer"].as_array().unwrap().len(), 6);
    assert!(said.contains(at_most), "{said}");
}

#[test]
fn a_league_without_enough_games_says_who_is_left() {
    let sandbox = Sandbox::new();
    sandbox.write("l.toml", &CONFIG.replace("resolution = 0.05", "games = 9000\nerror = 0.01"));
    let (code, stdout, stderr) = sandbox.run(&["league", "l.toml", "--out", "out"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let summary = summary(&sandbox.path("out"));
    let games = summary["games"].as_u64().unwrap();
    assert!(games <= 9000 && summary["answered"] == false && summary["budget"] == 9000, "{summary}");
    let possible = summary["possible"].as_array().unwrap().len();
    assert!((3..6).contains(&possible), "{summary}");
    let said = in_a_line(&stdout);
    let games = overtrick::report::thousands(games);
    let start =
        format!("{games} games do not decide which 2 of 6 bots are the best; with at most 1% error for the whole");
    assert!(said.starts_with(&start), "{stdout}");
    assert!(said.contains(&format!("they are among these {possible}: ")), "{stdout}");
}

#[test]
fn two_bots_at_a_table_of_three_play_duels() {
    let sandbox = Sandbox::new();
    let two = "seed = 7\n[league]\nvariant = \"euchre-24\"\nbots = [\"cautious\", \"random\"]\nquestion = \"best\"\n";
    sandbox.write("l.toml", &format!("{two}resolution = 0.05\n"));
    league(&sandbox, &["l.toml", "--out", "out"]);
    let summary = summary(&sandbox.path("out"));
    assert_eq!(summary["answer"], serde_json::json!(["cautious"]));
    assert_eq!(summary["games"].as_u64().unwrap(), summary["deals"].as_u64().unwrap() * 6);
    // A duel on these deals has the same scores. Each bot is ahead or behind by the difference of the duel, and the
    // margin is the one value less the other.
    let deals = summary["deals"].to_string();
    let duel = ["duel", "cautious", "random", "--variant", "euchre-24", "--seed", "7", "--deals", &deals, "--out", "d"];
    assert_eq!(sandbox.run(&[&duel[..], &["--quiet"]].concat()).0, 0);
    let difference = |file: &str, column: &str| rows(&sandbox.path(file))[0][column].parse::<f64>().unwrap();
    let (own, theirs) = (difference("out/league.csv", "margin"), difference("d/pairs.csv", "difference"));
    assert!((own - 2.0 * theirs).abs() < 1e-5, "{own} and {theirs}");
}

#[test]
fn a_league_that_is_stopped_and_killed_ends_as_one_that_was_not() {
    let sandbox = Sandbox::new();
    sandbox.write("l.toml", &CONFIG.replace("0.05", "0.02"));
    league(&sandbox, &["l.toml", "--out", "whole"]);
    // Ctrl-C first, and then something worse.
    let mut command = sandbox.command(&["league", "l.toml", "--quiet", "--out", "out"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for("a checkpoint", || sandbox.path("out/checkpoint.bin").exists() || sandbox.path("out/league.csv").exists());
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    // It may be over before the signal comes.
    assert!([Some(130), Some(0)].contains(&child.wait().unwrap().code()));
    sandbox.kill_and_resume(&["league", "l.toml", "--out", "out"], "out/league.csv", (9, 4));
    same_league(&sandbox.path("whole"), &sandbox.path("out"));
    assert_eq!(files(&sandbox), all_files());
    let finished = sandbox.run(&["league", "l.toml", "--out", "out", "--resume"]);
    assert_eq!(finished, (0, "nothing to do: out holds the results of this league\n".to_owned(), String::new()));
}

#[test]
fn a_league_that_was_stopped_is_gone_on_with_or_given_up_by_name() {
    let sandbox = Sandbox::new();
    let config = CONFIG.replace("resolution = 0.05", "games = 60000");
    sandbox.write("l.toml", &config.replace("games = 60000", "games = 2000000000"));
    let mut command = sandbox.command(&["league", "l.toml", "--quiet", "--out", "out"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("a checkpoint", || sandbox.path("out/checkpoint.bin").exists());
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    let rest = ": go on with --resume; the checkpoint is in out\n";
    assert!(stderr.starts_with("interrupted in round ") && stderr.ends_with(rest), "{stderr}");
    assert_eq!(files(&sandbox), ["checkpoint.bin"]);
    let refused = |args: &[&str], part: &str| {
        let message = sandbox.refused(&[args, &["--out", "out"]].concat());
        assert!(message.lines().count() == 1 && message.contains(part), "{part}: {message}");
    };
    sandbox.write("other.toml", &config.replace("seed = 7", "seed = 8\nname = \"l\""));
    refused(&["league", "l.toml"], "this league was stopped there: go on with --resume");
    refused(&["league", "other.toml"], "would be replaced: it is of another plan");
    refused(&["league", "other.toml", "--resume"], "would be replaced: it is of another plan");
    refused(&["run", "t.toml"], "--force");
    let report = sandbox.refused(&["report", "out"]);
    assert!(report.contains("holds `overtrick league` that is not finished"), "{report}");
    let sound = fs::read(sandbox.path("out/checkpoint.bin")).unwrap();
    let mut damaged = sound.clone();
    damaged[sound.len() / 2] ^= 4;
    let cut = &sound[..sound.len() - 9];
    for (bytes, problem) in
        [(&damaged[..], "damaged"), (cut, "its length is wrong"), (b"something else\n", "no checkpoint of a league")]
    {
        fs::write(sandbox.path("out/checkpoint.bin"), bytes).unwrap();
        refused(&["league", "l.toml", "--resume"], problem);
    }
    sandbox.write("l.toml", CONFIG);
    league(&sandbox, &["l.toml", "--out", "out", "--force"]);
    assert_eq!(files(&sandbox), all_files());
}

#[test]
fn results_of_a_league_are_known_to_other_commands() {
    let sandbox = Sandbox::new();
    sandbox.write("l.toml", CONFIG);
    league(&sandbox, &["l.toml", "--out", "out"]);
    sandbox.write("other.toml", &CONFIG.replace("seed = 7", "seed = 8\nname = \"l\""));
    let refused = |args: &[&str], part: &str| {
        let message = sandbox.refused(args);
        assert!(message.lines().count() == 1 && message.contains(part), "{part}: {message}");
    };
    refused(&["league", "other.toml", "--out", "out"], "the folder holds the results of another run");
    refused(&["run", "t.toml", "--out", "out"], "is there already");
    refused(&["report", "out"], "holds results of `overtrick league`, which have no page");
    refused(&["merge", "out"], "holds results of `overtrick league`, which has no shards");
    refused(&["compare", "out", "out"], "overtrick");
    refused(&["explain", "out", "random", "cautious"], "holds results of `overtrick league`; give the folder of a run");
    // Results of another command are replaced by name alone.
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", "r"]).0, 0);
    refused(&["league", "l.toml", "--out", "r"], "the folder holds the results of another run");
    league(&sandbox, &["l.toml", "--out", "r", "--force"]);
    same_league(&sandbox.path("out"), &sandbox.path("r"));
    assert!(!sandbox.path("r/tally.bin").exists() && !sandbox.path("r/pairs.csv").exists());
}

/// Plays a league into the folder `out` of a sandbox, with pieces played elsewhere.
fn league_elsewhere(sandbox: &Sandbox, config: &str, workers: &Arc<Here>, out: &str) -> Result<Ended, InputError> {
    let host = Host::new(Register::default(), Some(config.to_owned()));
    let host = Arc::new(host.with_workers(Arc::clone(workers) as Arc<dyn RemoteWorkers>));
    let out = sandbox.path(out).display().to_string();
    host.call(&["league", "-", "--out", &out, "--threads", "1"].map(str::to_owned))
}

/// Plays a league here.
fn league_here(sandbox: &Sandbox, config: &str, out: &str) -> (Ended, String) {
    let host = Arc::new(Host::new(Register::default(), Some(config.to_owned())));
    let out = sandbox.path(out).display().to_string();
    let ended = host.call(&["league", "-", "--out", &out, "--threads", "2"].map(str::to_owned)).unwrap();
    (ended, host.take_printed())
}

#[test]
fn pieces_of_a_league_that_are_played_elsewhere_change_nothing() {
    let config = format!("name = \"l\"\n{CONFIG}");
    let sandbox = Sandbox::new();
    league_here(&sandbox, &config, "whole");
    let here = Arc::new(Here::new(7));
    assert!(matches!(league_elsewhere(&sandbox, &config, &here, "out"), Ok(Ended::Done)));
    same_league(&sandbox.path("whole"), &sandbox.path("out"));
    assert!(here.played.load(Ordering::Relaxed) > 7, "no round was cut");
    // A piece that is none is refused in a line.
    let pieces = here.asked.lock().unwrap().clone();
    let mut mutator = Mutator::new(&pieces[..2], 1);
    for _ in 0..300 {
        if let Err(error) = Host::default().play_piece(&mutator.next(), 1) {
            let error = error.to_string();
            assert!(!error.contains('\n') && error.contains("cannot be played here"), "{error}");
        }
    }
    let odd = Arc::new(Here { change: |played| played[1..].to_vec(), ..Here::new(7) });
    let error = league_elsewhere(&sandbox, &config, &odd, "few").err().unwrap().to_string();
    assert!(error.contains("a piece of a league came back odd: it is one of too many or too few"), "{error}");
    let cut = |played: Vec<Vec<u8>>| played.iter().map(|piece| piece[..piece.len() - 1].to_vec()).collect();
    let odd = Arc::new(Here { change: cut, ..Here::new(7) });
    let error = league_elsewhere(&sandbox, &config, &odd, "cut").err().unwrap().to_string();
    assert!(error.contains("a piece of a league came back odd: it is damaged"), "{error}");
    let odd = Arc::new(Here { change: with_many_points, ..Here::new(7) });
    let error = league_elsewhere(&sandbox, &config, &odd, "many").err().unwrap().to_string();
    assert!(error.contains("a piece of a league came back odd: it has more points than games give"), "{error}");
}

/// Returns results of pieces with more points than any games give.
fn with_many_points(played: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    /// The points by group, line-up and bot, and two kinds of faults by bot.
    type Answer = (Vec<Vec<Vec<i64>>>, Vec<(u64, u64)>);
    let form = "league-points 1";
    let change = |piece: &Vec<u8>| {
        let mut answer: Answer = unsealed(form, "piece", piece).unwrap();
        answer.0[0][0][0] = 1 << 40;
        sealed(form, &answer)
    };
    played.iter().map(change).collect()
}

#[test]
fn faults_are_counted_by_bot_here_and_elsewhere() {
    let careless = Provided::new("careless of a league", Arc::new(Careless));
    let bot = format!(
        "{{ name = \"careless\", strategy = \"python\", parameters = {{ callable = {:?} }} }}",
        careless.name()
    );
    let config = format!("name = \"l\"\n{}", CONFIG.replace("\"random\"", &bot));
    let sandbox = Sandbox::new();
    let (ended, printed) = league_here(&sandbox, &config, "whole");
    assert!(matches!(ended, Ended::Faulty));
    let bots = rows(&sandbox.path("whole/league-bots.csv"));
    let faults: u64 = bots.iter().map(|row| row["faults"].parse::<u64>().unwrap()).sum();
    let own = bots.iter().find(|row| row["bot"] == "careless").unwrap()["faults"].clone();
    assert!(faults > 100 && own == faults.to_string(), "{faults} and {own}");
    assert_eq!(summary(&sandbox.path("whole"))["faults"], faults);
    assert!(
        printed.contains("careless (!)") && in_a_line(&printed).contains("(!) careless failed to answer "),
        "{printed}"
    );
    let here = Arc::new(Here::new(3));
    assert!(matches!(league_elsewhere(&sandbox, &config, &here, "out"), Ok(Ended::Faulty)));
    assert!(here.played.load(Ordering::Relaxed) > 0);
    same_league(&sandbox.path("whole"), &sandbox.path("out"));
}

/// Writes a bot in Python that plays the first legal move, or by the flip of a coin the last.
fn moody_bot(sandbox: &Sandbox, place: &str) {
    let script = format!(
        "import json, random, sys\nfor line in sys.stdin:\n    message = json.loads(line)\n    reply = None\n    \
         if 'hello' in message:\n        \
         reply = {{'hello': {{'name': 'moody', 'protocol': 1, 'variants': ['all'], 'batch': 64}}}}\n    \
         if 'decide' in message:\n        reply = {{'moves': [[d['id'], d['legal'][{place}]] for d in message['decide']]}}\n    \
         if reply:\n        print(json.dumps(reply), flush=True)\n"
    );
    sandbox.write("bots/moody.py", &script);
    let command = "command = [\"python3\", \"-S\", \"moody.py\"]\nstart-timeout = 600\nmove-timeout = 600\n";
    sandbox.write("bots/moody.toml", &format!("name = \"moody\"\nstrategy = \"process\"\n[parameters]\n{command}"));
}

#[test]
fn a_bot_that_changes_its_mind_is_noticed() {
    let sandbox = Sandbox::new();
    let bots = "variant = \"colour-blind-2\"\nbots = [\"random\", \"moody\"]\nquestion = \"best\"\ngames = 1000\n";
    sandbox.write("l.toml", &format!("seed = 7\n[league]\n{bots}"));
    moody_bot(&sandbox, "random.randrange(-1, 1)");
    let (code, stdout, stderr) = sandbox.run(&["league", "l.toml", "--out", "out"]);
    assert_eq!(code, 1, "{stdout}{stderr}");
    let said = in_a_line(&stdout);
    assert!(said.contains("(!) moody answered ") && said.contains(" differently when it was asked again"), "{stdout}");
    assert!(summary(&sandbox.path("out"))["faults"].as_u64().unwrap() > 0);
    // One that does not is not, and its games may be played in any order.
    moody_bot(&sandbox, "-1");
    let run = |threads: &str, out: &str| sandbox.run(&["league", "l.toml", "--threads", threads, "--out", out]);
    let (code, stdout, _) = run("1", "one");
    assert!(code == 0 && !stdout.contains("(!)"), "{stdout}");
    assert_eq!(run("2", "two").0, 0);
    same_league(&sandbox.path("one"), &sandbox.path("two"));
}
