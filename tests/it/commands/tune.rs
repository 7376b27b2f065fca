//! `overtrick tune` as its user meets it: files, the sentence, the same bytes each time, races, parameters that do
//! nothing.

use std::fs;
use std::sync::Arc;

use overtrick::run::Threads;
use overtrick::strategies::Register;
use overtrick::tournament::{Numbers, Window};
use overtrick::tune::{Arena, NoResult, Setting, TuneControl, TuneMargins, TuneObjective, TunePlan, Tuning};

use crate::fixtures::sandbox::{Sandbox, in_a_line, rows, wait_for};
use crate::fixtures::tunings::{CONFIG, same_tuning, small, summary, tune};

#[test]
fn a_small_tuning_leaves_its_files_and_says_what_it_found() {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", CONFIG);
    let (code, stdout, stderr) = sandbox.run(&["tune", "t.toml"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.starts_with("forecast: about ") && stderr.contains(" points a deal\n"), "{stderr}");
    let out = sandbox.path("results/t");
    let mut names: Vec<String> =
        fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["best.toml", "config.toml", "confirm.csv", "optimum.csv", "summary.json", "tune.csv"]);
    let summary = summary(&out);
    let sentence = summary["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("best.toml is better than timid by 0."), "{sentence}");
    assert!(sentence.ends_with(" deals that tuning did not see"), "{sentence}");
    let said = in_a_line(&stdout);
    assert!(said.starts_with(&in_a_line(sentence)) && said.ends_with(" results are in results/t"), "{stdout}");
    assert_eq!((&summary["better"], &summary["faults"], &summary["budget"]), (&true.into(), &0.into(), &36_000.into()));
    let optimum = rows(&out.join("optimum.csv"));
    let parameters: Vec<&str> = optimum.iter().map(|row| row["parameter"].as_str()).collect();
    assert_eq!(parameters, ["euchre.ace", "euchre.courage"]);
    assert_eq!((optimum[1]["start"].as_str(), optimum[1]["change"].as_str()), ("4.9", "changed"));
    let best: toml::Table = fs::read_to_string(out.join("best.toml")).unwrap().parse().unwrap();
    assert_eq!(
        (best["name"].as_str(), best["about"].as_str()),
        (Some("timid-tuned"), Some("tuned from timid: calls late"))
    );
    assert_eq!(best["parameters"]["euchre"]["courage"].to_string(), optimum[1]["best"]);
    let kinds: Vec<String> =
        rows(&out.join("confirm.csv")).into_iter().map(|mut row| row.remove("what").unwrap()).collect();
    assert_eq!(kinds, ["gain", "line-up", "line-up", "line-up", "line-up", "unseen", "unseen"]);
    // The result is a bot like any other.
    let manifest = "results/t/best.toml";
    let (code, stdout, stderr) = sandbox.run(&["check", manifest, "--variant", "euchre-24", "--deals", "5"]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    let duel = ["duel", manifest, "rule-based", "--variant", "euchre-24", "--deals", "50"];
    let (code, stdout, stderr) = sandbox.run(&duel);
    assert!(code == 0 && stdout.contains("timid-tuned"), "{stdout}{stderr}");
}

#[test]
fn the_same_small_tuning_gives_the_same_bytes() {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", &small());
    tune(&sandbox, &["t.toml", "--threads", "1", "--out", "one"]);
    tune(&sandbox, &["one/config.toml", "--threads", "2", "--out", "two"]);
    same_tuning(&sandbox.path("one"), &sandbox.path("two"));
    // Another time in the same folder.
    tune(&sandbox, &["t.toml", "--out", "two"]);
    same_tuning(&sandbox.path("one"), &sandbox.path("two"));
    sandbox.write("t.toml", &small().replace("seed = 7", "seed = 8"));
    tune(&sandbox, &["t.toml", "--out", "other"]);
    let trials = |folder: &str| fs::read(sandbox.path(folder).join("tune.csv")).unwrap();
    assert!(trials("one") != trials("other"), "the seed changes nothing");
}

#[test]
#[ignore = "long: tunes ten times, in two variants too"]
fn the_same_tuning_gives_the_same_bytes() {
    // Also with variants of different sizes, and with line-ups whose shares are no round numbers.
    let other = "{bot = \"cautious\", name = \"other\", parameters.euchre.ace = 0.1}";
    let line_up = "{line-up = [\"candidate\", \"candidate\", \"itself\"], weight = 0.1, variant = \"euchre-24\"}";
    let against = format!("against = [\"random\", \"itself\", \"cautious\", {other}, \"rule-based\", {line_up}]\n");
    let uneven = CONFIG
        .replace("36000", "64000")
        .replace("[\"euchre-24\"]", "[\"euchre-24\", \"colour-blind-2\"]")
        .replace("[tune.parameters]", &format!("{against}[tune.parameters]"));
    for config in [CONFIG, &uneven] {
        let sandbox = Sandbox::new();
        sandbox.write("t.toml", config);
        tune(&sandbox, &["t.toml", "--threads", "1", "--out", "one"]);
        tune(&sandbox, &["t.toml", "--threads", "2", "--out", "two"]);
        same_tuning(&sandbox.path("one"), &sandbox.path("two"));
        tune(&sandbox, &["one/config.toml", "--out", "again"]);
        same_tuning(&sandbox.path("one"), &sandbox.path("again"));
        // Another time in the same folder.
        tune(&sandbox, &["t.toml", "--out", "two"]);
        same_tuning(&sandbox.path("one"), &sandbox.path("two"));
    }
    let sandbox = Sandbox::new();
    let trials = |seed: &str| {
        sandbox.write("t.toml", &CONFIG.replace("seed = 7", seed));
        tune(&sandbox, &["t.toml", "--out", "out", "--force"]);
        fs::read(sandbox.path("out/tune.csv")).unwrap()
    };
    assert!(trials("seed = 7") != trials("seed = 8"), "the seed changes nothing");
}

/// Tunes with these seeds from a start that can hardly be improved.
fn check_unproven(seeds: std::ops::RangeInclusive<u32>) {
    let sandbox = Sandbox::new();
    // The start is about as good as it can be.
    let good = CONFIG.replace("courage = 4.9", "courage = 2.1");
    let mut unproven = 0;
    for seed in seeds {
        sandbox.write("t.toml", &good.replace("seed = 7", &format!("seed = {seed}")));
        tune(&sandbox, &["t.toml", "--out", "out", "--force"]);
        let summary = summary(&sandbox.path("out"));
        let sentence = summary["sentence"].as_str().unwrap();
        let changes: Vec<String> =
            rows(&sandbox.path("out/optimum.csv")).iter().map(|row| row["change"].clone()).collect();
        let confirmed = rows(&sandbox.path("out/confirm.csv"));
        if changes.iter().all(|change| change == "same") {
            // Without a change there is nothing to confirm.
            assert!(confirmed.is_empty() && sentence.contains("is the best that was tried"), "{sentence}");
        } else {
            // Where nothing matters alone, all of it meets the start together.
            let what = if summary["better"] == true { "changed" } else { "unproven" };
            assert!(changes.iter().any(|change| change == what), "{changes:?}");
            assert!(
                confirmed[0]["deals"].parse::<u64>().unwrap() > 0 && !sentence.contains("on 0 deals"),
                "{sentence}"
            );
        }
        if summary["better"] == false {
            unproven += 1;
            assert!(sentence.starts_with("no improvement found: "), "{sentence}");
            let best: toml::Table = fs::read_to_string(sandbox.path("out/best.toml")).unwrap().parse().unwrap();
            assert_eq!((best["name"].as_str(), &best["about"]), (Some("timid"), &"calls late".into()));
            assert_eq!(best["parameters"]["euchre"]["courage"].as_float(), Some(2.1));
        }
    }
    assert!(unproven > 0, "something always mattered");
}

#[test]
fn a_change_that_is_not_shown_to_matter_is_no_result() {
    check_unproven(1..=1);
}

#[test]
#[ignore = "long: tunes with six seeds"]
fn changes_that_cannot_be_told_to_matter_are_no_result() {
    check_unproven(1..=6);
}

/// An arena that counts what it compares.
struct Counting<'a> {
    arena: Arena<'a>,
    /// Of comparisons for search and surface: the candidates and the deal numbers.
    compared: Vec<(usize, u64)>,
}

impl TuneObjective for Counting<'_> {
    fn weights(&self) -> &[f64] {
        self.arena.weights()
    }

    fn games(&self, candidates: usize) -> u64 {
        self.arena.games(candidates)
    }

    fn compare(
        &mut self,
        candidates: &[Setting],
        incumbent: &Setting,
        numbers: Numbers,
    ) -> Result<TuneMargins, NoResult> {
        if numbers.window() == Window::Search {
            let within = numbers.within();
            self.compared.push((candidates.len(), within.end - within.start));
        }
        self.arena.compare(candidates, incumbent, numbers)
    }
}

#[test]
fn every_comparison_has_a_row() {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", CONFIG);
    tune(&sandbox, &["t.toml", "--out", "out"]);
    let plan = TunePlan::read(&sandbox.path("t.toml"), &Register::default()).unwrap();
    let control = Arc::new(TuneControl::default());
    let arena = Arena::new(&plan, &Threads::new(2).unwrap(), &control).unwrap();
    let mut counting = Counting { arena, compared: Vec::new() };
    let (task, mut tuning) = (plan.task(), Tuning::new(&plan.task()));
    while !tuning.is_over() {
        tuning.step(&task, &mut counting).unwrap();
    }
    let expected: Vec<String> =
        counting.compared.iter().flat_map(|&(candidates, deals)| vec![deals.to_string(); candidates]).collect();
    let rows = rows(&sandbox.path("out/tune.csv"));
    let deals: Vec<&str> = rows.iter().map(|row| row["deals"].as_str()).collect();
    assert!(deals.len() > 20 && deals == expected, "{} rows, {} comparisons", deals.len(), expected.len());
    for row in &rows {
        let number = |column: &str| row[column].parse::<f64>().unwrap_or_else(|_| panic!("{column}: {row:?}"));
        assert!(
            (0.0..=5.0).contains(&number("euchre.courage")) && (0.0..=2.0).contains(&number("euchre.ace")),
            "{row:?}"
        );
        assert!(number("se") >= 0.0 && number("margin").is_finite() && number("round") >= 1.0, "{row:?}");
        assert!(["search", "surface"].contains(&row["stage"].as_str()), "{row:?}");
        assert!(row["against"].starts_with("euchre.ace = "), "{row:?}");
    }
    // Games are counted as they are played. New bots were met in six games for each deal, for a tenth of the budget.
    let new: Vec<u64> = self::rows(&sandbox.path("out/confirm.csv"))
        .iter()
        .filter(|row| row["what"] == "unseen")
        .map(|row| row["deals"].parse().unwrap())
        .collect();
    assert_eq!(new, [300, 300]);
    let games = tuning.games + 6 * 2 * 300;
    assert_eq!(summary(&sandbox.path("out"))["games"], games);
    assert!(games <= 36_000, "{games}");
}

#[test]
fn the_start_keeps_its_own_values_between_those_that_are_tried() {
    let sandbox = Sandbox::new();
    let steps = CONFIG
        .replace("courage = 4.9", "courage = 4.9, ace = 0.7, gift = 0.3")
        .replace("{ low = 0.0, high = 2.0 }", "{ low = 0.0, high = 2.0, step = 0.5 }");
    sandbox.write("t.toml", &steps);
    tune(&sandbox, &["t.toml", "--out", "out"]);
    let optimum = rows(&sandbox.path("out/optimum.csv"));
    assert_eq!((optimum[0]["parameter"].as_str(), optimum[0]["start"].as_str()), ("euchre.ace", "0.7"));
    let values: std::collections::BTreeSet<String> =
        rows(&sandbox.path("out/tune.csv")).into_iter().map(|mut row| row.remove("euchre.ace").unwrap()).collect();
    assert!(values.contains("0.7") && !values.contains("0.5"), "{values:?}");
    let plan = TunePlan::read(&sandbox.path("t.toml"), &Register::default()).unwrap();
    assert_eq!(plan.bot_at(&plan.start_point).unwrap(), plan.start);
}

#[test]
fn a_race_is_won_by_the_better() {
    let sandbox = Sandbox::new();
    let race = "seed = 7\n[tune]\nbots = [\"random\", \"rule-based\", \"cautious\"]\n\
                variants = [\"colour-blind-2-courts\"]\ngames = 12000\n";
    sandbox.write("t.toml", race);
    let (code, stdout, stderr) = sandbox.run(&["tune", "t.toml", "--out", "out"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let summary = summary(&sandbox.path("out"));
    let sentence = summary["sentence"].as_str().unwrap();
    let best = fs::read_to_string(sandbox.path("out/best.toml")).unwrap();
    let winner = best.parse::<toml::Table>().unwrap()["name"].as_str().unwrap().to_owned();
    assert!(["rule-based", "cautious"].contains(&winner.as_str()), "{winner}");
    assert!(sentence.starts_with(&format!("{winner} is better than random by ")), "{sentence}");
    assert!(in_a_line(&stdout).contains(&in_a_line(sentence)), "{stdout}");
    let settings = rows(&sandbox.path("out/tune.csv"));
    let names: Vec<&str> = settings.iter().map(|row| row["bot"].as_str()).collect();
    assert_eq!(names, ["random", "rule-based", "cautious"]);
    // Random leaves the race after its first deals.
    let deals = |row: usize| settings[row]["deals"].parse::<u64>().unwrap();
    assert!(deals(0) == 128 && deals(1) > 128, "{settings:?}");
    tune(&sandbox, &["out/config.toml", "--out", "again", "--threads", "1"]);
    same_tuning(&sandbox.path("out"), &sandbox.path("again"));
    // Who starts as the best has no better.
    sandbox.write("t.toml", &race.replace("\"random\", \"rule-based\", \"cautious\"", "\"rule-based\", \"random\""));
    let (_, stdout, _) = sandbox.run(&["tune", "t.toml", "--out", "other"]);
    assert!(stdout.contains("no improvement found: rule-based is the best that was tried"), "{stdout}");
}

#[test]
fn a_parameter_of_choices_is_raced_for() {
    let sandbox = Sandbox::new();
    let pimc = "seed = 7\n[tune]\n\
                bot = { bot = \"pimc-20\", parameters = { rollout = \"random\", worlds = 1, solve = 0, endgame = 0, caution = 0.0 } }\n\
                variants = [\"euchre-24\"]\nagainst = \"itself\"\nunseen = []\ngames = 4000\n\
                [tune.parameters]\nrollout = [\"random\", \"rule-based\"]\n";
    sandbox.write("t.toml", pimc);
    tune(&sandbox, &["t.toml", "--out", "out"]);
    let sentence = summary(&sandbox.path("out"))["sentence"].as_str().unwrap().to_owned();
    assert!(sentence.starts_with("best.toml is better than pimc-20 by "), "{sentence}");
    let best: toml::Table = fs::read_to_string(sandbox.path("out/best.toml")).unwrap().parse().unwrap();
    assert_eq!(best["parameters"]["rollout"].as_str(), Some("rule-based"));
    let optimum = &rows(&sandbox.path("out/optimum.csv"))[0];
    assert_eq!((optimum["start"].as_str(), optimum["best"].as_str()), ("\"random\"", "\"rule-based\""));
}

/// Tunes one number that has a value every `step` from 0 to 1, with these seeds: 1 is the best by far. Returns in how
/// many it was found.
fn found_among_few(step: f64, games: u32, seeds: std::ops::RangeInclusive<u32>) -> usize {
    let sandbox = Sandbox::new();
    let mut found = 0;
    for seed in seeds {
        let config = CONFIG
            .replace("courage = 4.9", "courage = 0.0")
            .replace("{ low = 0.0, high = 5.0 }", &format!("{{ low = 0.0, high = 1.0, step = {step:?} }}"))
            .replace("\"euchre.ace\" = { low = 0.0, high = 2.0 }\n", "")
            .replace("games = 36000", &format!("games = {games}"))
            .replace("seed = 7", &format!("seed = {seed}"));
        sandbox.write("t.toml", &config);
        tune(&sandbox, &["t.toml", "--out", "out", "--force"]);
        found += usize::from(rows(&sandbox.path("out/optimum.csv"))[0]["best"] == "1.0");
    }
    found
}

#[test]
fn the_best_of_few_values_is_found() {
    for (step, games) in [(1.0, 36_000), (0.25, 120_000)] {
        assert_eq!(found_among_few(step, games, 1..=1), 1, "step {step}");
    }
    // Too few games to try each value.
    assert_eq!(found_among_few(0.5, 24_000, 1..=1), 1);
}

#[test]
#[ignore = "long: tunes eighty times"]
fn the_best_of_few_values_is_found_with_most_seeds() {
    for (step, games) in [(1.0, 36_000), (0.5, 60_000), (0.25, 120_000), (0.25, 36_000)] {
        let found = found_among_few(step, games, 1..=20);
        println!("step {step}, {games} games: {found} of 20");
        assert!(found >= 19, "step {step}: {found} of 20");
    }
}

#[test]
fn a_race_for_a_precision_ends_where_nothing_can_be_told_apart() {
    let sandbox = Sandbox::new();
    let twins = "seed = 7\n[tune]\nbots = [\"rule-based\", {bot = \"rule-based\", name = \"twin\"}, \"random\"]\n\
                 variants = [\"colour-blind-2-courts\"]\nagainst = \"itself\"\nprecision = 0.5\n";
    sandbox.write("t.toml", twins);
    let (code, stdout, stderr) = sandbox.run(&["tune", "t.toml", "--out", "out"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("no improvement found: rule-based is the best that was tried"), "{stdout}");
}

#[test]
fn parameters_that_do_nothing_are_named() {
    let sandbox = Sandbox::new();
    let some = CONFIG
        .replace("36000", "50000")
        .replace("\"euchre.ace\"", "\"dumbo.ambition\" = {}\n\"dumbo.spite\" = {}\n\"euchre.ace\"");
    sandbox.write("t.toml", &some);
    let (code, _, stderr) = sandbox.run(&["tune", "t.toml", "--out", "out"]);
    assert_eq!(code, 0, "{stderr}");
    let (dead, forecast) = stderr.split_once('\n').unwrap();
    assert!(
        dead.starts_with("none of ")
            && dead.ends_with(" deals changed with dumbo.ambition, dumbo.spite: they are looked at again later"),
        "{stderr}"
    );
    assert!(forecast.starts_with("forecast: about "), "{stderr}");
    let optimum = rows(&sandbox.path("out/optimum.csv"));
    let changes: Vec<&str> = optimum.iter().map(|row| row["change"].as_str()).collect();
    assert_eq!([changes[0], changes[1], changes[3]], ["dead", "dead", "changed"]);
    let best: toml::Table = fs::read_to_string(sandbox.path("out/best.toml")).unwrap().parse().unwrap();
    assert_eq!(best["parameters"]["dumbo"]["ambition"].to_string(), optimum[0]["start"]);
    // Nothing else is tuned.
    let (head, _) = CONFIG.split_once("\"euchre.courage\"").unwrap();
    sandbox.write("t.toml", &format!("{head}\"dumbo.ambition\" = {{}}\n"));
    let (code, stdout, stderr) = sandbox.run(&["tune", "t.toml", "--out", "dead"]);
    assert!(code == 0 && stderr.ends_with(" deals changed with dumbo.ambition\n"), "{stderr}");
    let sentence = summary(&sandbox.path("dead"))["sentence"].as_str().unwrap().to_owned();
    let deals = sentence.strip_prefix("no improvement found: no value of any parameter changed one of ");
    let deals: u64 = deals.and_then(|rest| rest.strip_suffix(" deals")).unwrap().replace(' ', "").parse().unwrap();
    // There is nothing else to do with the games.
    assert!((200..2000).contains(&deals), "{sentence}");
    assert!(stdout.starts_with(&format!("{sentence}\n\n")) && stdout.ends_with("\nresults are in dead\n"), "{stdout}");
    let dead = sandbox.path("dead");
    assert_eq!((&summary(&dead)["sentence"], &summary(&dead)["better"]), (&sentence.as_str().into(), &false.into()));
    let best: toml::Table = fs::read_to_string(dead.join("best.toml")).unwrap().parse().unwrap();
    assert_eq!((best["name"].as_str(), best["parameters"]["euchre"]["courage"].as_float()), (Some("timid"), Some(4.9)));
    assert!(rows(&dead.join("tune.csv")).is_empty() && rows(&dead.join("confirm.csv")).is_empty());
    tune(&sandbox, &["dead/config.toml", "--out", "again"]);
    same_tuning(&dead, &sandbox.path("again"));
    // Nothing is printed with `--quiet`.
    let (code, stdout, stderr) = sandbox.run(&["tune", "t.toml", "--out", "dead", "--quiet"]);
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""));
}

/// A bot in Python that plays the card of the number `settings.place`, or the last that it may.
fn own_bot(sandbox: &Sandbox) {
    let script = "import json, sys\nfor line in sys.stdin:\n    message = json.loads(line)\n    reply = None\n    \
                  if 'hello' in message:\n        place = message['hello']['settings']['place']\n        \
                  reply = {'hello': {'name': 'own', 'protocol': 1, 'variants': ['all'], 'batch': 64}}\n    \
                  if 'decide' in message:\n        decided = message['decide']\n        \
                  reply = {'moves': [[d['id'], (d['legal'][:place + 1])[-1]] for d in decided]}\n    \
                  if reply:\n        print(json.dumps(reply), flush=True)\n";
    sandbox.write("bots/own.py", script);
    sandbox.write(
        "bots/own.toml",
        "name = \"own\"\nstrategy = \"process\"\n[parameters]\ncommand = [\"python3\", \"-S\", \"own.py\"]\n\
         start-timeout = 600\nmove-timeout = 600\nsettings = { place = 3 }\n",
    );
}

/// A tuning of that bot in `games` games, with these values of its setting.
fn own_tuning(games: u32, values: &str) -> String {
    format!(
        "seed = 7\n[tune]\nbot = \"own\"\nvariants = [\"colour-blind-2\"]\nagainst = \"itself\"\ngames = {games}\n\
         unseen = []\n[tune.parameters]\nsettings.place = {values}\n"
    )
}

/// Checks the results in `out` of a tuning that tried some of these values, and no other.
fn check_places(sandbox: &Sandbox, places: &[&str]) {
    let optimum = &rows(&sandbox.path("out/optimum.csv"))[0];
    assert_eq!((optimum["parameter"].as_str(), optimum["start"].as_str()), ("settings.place", "3"));
    let tried: std::collections::BTreeSet<String> =
        rows(&sandbox.path("out/tune.csv")).into_iter().map(|mut row| row.remove("settings.place").unwrap()).collect();
    assert!(tried.len() > 1 && tried.iter().all(|place| places.contains(&place.as_str())), "{tried:?}");
    let best: toml::Table = fs::read_to_string(sandbox.path("out/best.toml")).unwrap().parse().unwrap();
    let summary = summary(&sandbox.path("out"));
    let kept = if summary["better"] == true { "best" } else { "start" };
    assert_eq!(best["parameters"]["settings"]["place"].to_string(), optimum[kept]);
    assert_eq!(summary["faults"], 0);
}

/// A race takes few comparisons, for each of which bots outside of the process are started.
#[test]
fn settings_of_bots_outside_of_the_process_are_raced_for() {
    let sandbox = Sandbox::new();
    own_bot(&sandbox);
    sandbox.write("t.toml", &own_tuning(1024, "[0, 3]"));
    let (code, stdout, stderr) = sandbox.run(&["tune", "t.toml", "--out", "out"]);
    assert!(code == 0 && !stdout.contains("faults"), "{stdout}{stderr}");
    check_places(&sandbox, &["0", "3"]);
}

#[test]
#[ignore = "long: starts a bot outside of the process for each comparison"]
fn settings_of_bots_outside_of_the_process_are_tuned() {
    let sandbox = Sandbox::new();
    own_bot(&sandbox);
    // A number that is no whole one would make it fail.
    sandbox.write("t.toml", &own_tuning(1300, "{ low = 0, high = 6 }"));
    let (code, stdout, stderr) = sandbox.run(&["tune", "t.toml", "--out", "out"]);
    assert!(code == 0 && !stdout.contains("faults") && stderr.starts_with("forecast: "), "{stdout}{stderr}");
    check_places(&sandbox, &["0", "1", "2", "3", "4", "5", "6"]);
    tune(&sandbox, &["out/config.toml", "--out", "again", "--threads", "1"]);
    same_tuning(&sandbox.path("out"), &sandbox.path("again"));
}

/// Tunes into the folder `out` with a bot that knows no legal move with another setting than its own, and checks that
/// its faults are counted.
fn check_faults(sandbox: &Sandbox, config: &str) {
    own_bot(sandbox);
    let script = fs::read_to_string(sandbox.path("bots/own.py")).unwrap();
    sandbox.write("bots/own.py", &script.replace("[-1]]", "[-1] if place == 3 else 'none']"));
    sandbox.write("t.toml", config);
    let (code, stdout, stderr) = sandbox.run(&["tune", "t.toml", "--out", "out"]);
    assert_eq!(code, 1, "{stdout}{stderr}");
    let faults = summary(&sandbox.path("out"))["faults"].as_u64().unwrap();
    assert!(faults > 100 && stdout.contains(&format!("note: bots had {faults} faults\n")), "{stdout}");
}

#[test]
fn faults_of_a_race_are_counted() {
    check_faults(&Sandbox::new(), &own_tuning(1024, "[0, 3]"));
}

#[test]
#[ignore = "long: starts a bot outside of the process for each comparison"]
fn faults_are_counted_and_told() {
    let sandbox = Sandbox::new();
    check_faults(&sandbox, &own_tuning(1300, "{ low = 0, high = 6 }"));
    // Those before a checkpoint are not forgotten.
    let args = ["tune", "t.toml", "--out", "again", "--quiet", "--threads", "1"];
    let mut child = sandbox.command(&args).spawn().unwrap();
    wait_for("a checkpoint", || {
        sandbox.path("again/checkpoint.bin").exists() || sandbox.path("again/best.toml").exists()
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let (code, ..) = sandbox.run(&["tune", "t.toml", "--out", "again", "--quiet", "--resume"]);
    // If it was over before it was killed, there was nothing to do.
    assert!(code == 1 || sandbox.path("again/best.toml").exists());
    same_tuning(&sandbox.path("out"), &sandbox.path("again"));
}
