//! Line-ups in which a bot sits twice, and the deviation ratings that they serve.

use std::fs;
use std::path::Path;

use crate::fixtures::sandbox::{CONFIG, SECRET, Sandbox, rows};
use overtrick::run::{Extent, Run, RunOutcome, Segments, Snapshot, Threads};
use overtrick::stats::{MetaRow, Results};
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament, replay};

const BOTS: [&str; 4] = [
    "\"rule-based\"",
    "\"random\"",
    "\"cautious\"",
    "{ bot = \"rule-based\", name = \"bold\", parameters = { \"dumbo.ambition\" = 0.4 } }",
];

/// Returns a tournament with line-ups of copies.
fn with_copies(lines: &str, bots: &[&str]) -> Tournament {
    resolved(&format!("copies = true\n{lines}"), bots)
}

fn resolved(lines: &str, bots: &[&str]) -> Tournament {
    let text = format!("seed = 3\ngroups = 16\n{lines}\nbots = [{}]", bots.join(", "));
    let source = Source::parse(Path::new("copies.toml"), text).unwrap();
    Tournament::resolve(&source, Overrides::default()).unwrap()
}

fn played(tournament: &Tournament) -> RunOutcome {
    Run::new(tournament.clone()).threads(2).play().unwrap()
}

/// Returns the row of a bot in a variant.
fn row<'a>(results: &'a Results, variant: &str, bot: &str) -> &'a MetaRow {
    results.meta.iter().find(|row| row.variant == variant && row.bot == bot).unwrap()
}

/// Checks that no rating moves, nor its interval, when the second bot is entered again by another name.
fn check_entered_twice(lines: &str, variant: &str) {
    let again = BOTS[1].replace("\"random\"", "{ bot = \"random\", name = \"again\" }");
    let alone = played(&with_copies(lines, &BOTS)).results();
    let twice = played(&with_copies(lines, &[&BOTS[..], &[again.as_str()]].concat())).results();
    for (bot, other) in [
        ("rule-based", "rule-based"),
        ("random", "random"),
        ("random", "again"),
        ("cautious", "cautious"),
        ("bold", "bold"),
    ] {
        let own = [&alone, &twice].map(|results| {
            let name = if std::ptr::eq(results, &alone) { bot } else { other };
            row(results, variant, name).deviation
        });
        for end in 0..3 {
            let [own, with_copy] = own.map(|it| [it.value, it.low, it.high][end].unwrap());
            assert!((own - with_copy).abs() < 1e-6, "{variant} {bot}: {own} {with_copy}");
        }
    }
    if variant == "colour-blind-2" {
        for own in alone.meta.iter().filter(|row| row.bot != "all") {
            let [skill, deviation] = [own.skill, own.deviation].map(|it| it.value.unwrap());
            assert!((skill - deviation).abs() < 1e-6, "{own:?}");
        }
    }
    let random = row(&alone, variant, "random").deviation;
    assert!(random.high.unwrap() < 0.0, "{random:?}");
    // A figure that depends on who has entered.
    let ahead =
        |results: &Results| results.ratings.iter().find(|row| row.bot == "cautious").unwrap().ahead.value.unwrap();
    assert!((ahead(&alone) - ahead(&twice)).abs() > 1e-3);
}

#[test]
fn a_bot_that_is_entered_twice_moves_no_deviation_rating_at_tables_of_three() {
    check_entered_twice("deals = 96\nvariants = [\"dumbo\"]", "dumbo");
}

#[test]
fn a_bot_that_is_entered_twice_moves_no_deviation_rating_in_matches_and_at_tables_of_two() {
    check_entered_twice("unit = \"match\"\nmatches = 16\nvariants = [\"dumbo\"]", "dumbo");
    check_entered_twice("deals = 96\nvariants = [\"colour-blind-2\"]", "colour-blind-2");
}

#[test]
fn margins_are_those_of_the_deals_as_replayed() {
    let tournament = with_copies("deals = 20\nvariants = [\"dumbo\"]", &BOTS[..3]);
    let tally = &played(&tournament).runs[0].tally;
    let mut seen = 0;
    for (number, line_up) in tournament.schedules[0].copies().enumerate() {
        let [a, b] = [line_up.twice, line_up.once].map(|bot| tournament.bot(bot).clone());
        let mut margins = vec![(0, 0); tournament.groups];
        for third in 0..3 {
            let mut bots = vec![a.clone(); 3];
            bots[third] = b.clone();
            for deal in 0..tournament.numbers {
                for record in replay(&tournament, 0, deal, &bots, false) {
                    let sum: i32 = record.scores.iter().sum();
                    let (margin, games) = &mut margins[usize::try_from(deal).unwrap() % tournament.groups];
                    *margin += i64::from(sum - 3 * record.scores[third]);
                    *games += 1;
                }
            }
        }
        let counted: Vec<_> = tally.copies().line_up(number).iter().map(|cell| (cell.margin, cell.games)).collect();
        assert_eq!(counted, margins, "{} twice with {}", a.name, b.name);
        seen += 1;
    }
    assert_eq!(seen, 6);
}

#[test]
fn tallies_do_not_depend_on_segments_threads_or_stems() {
    let tournament = with_copies("deals = 60\nvariants = [\"dumbo\"]", &BOTS);
    let whole = played(&tournament);
    assert_eq!(whole.games_done(), 60 * (4 * 6 + 12 * 3));
    assert_eq!(whole.games(), whole.games_done());
    let one_by_one = Threads::new(1).unwrap().playing_all(true);
    let apart = Run::new(tournament.clone()).on(&one_by_one).segments(Segments::Of(7)).play().unwrap();
    assert_eq!(whole.runs[0].tally, apart.runs[0].tally);
    // The file of tallies keeps them.
    let snapshot = Snapshot::finished(tournament.to_toml(), Extent::Whole, whole.runs.clone());
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("tallies"), snapshot.to_bytes()).unwrap();
    let read = Snapshot::read(&sandbox.path("tallies")).unwrap().unwrap();
    assert_eq!(read.runs[0].tally, whole.runs[0].tally);
    assert!(read.tournament().unwrap().copies);
}

#[test]
fn all_other_files_have_the_same_bytes_without_copies() {
    let sandbox = Sandbox::new();
    sandbox.write("copies.toml", &format!("copies = true\n{CONFIG}"));
    for (config, out, log) in [("t.toml", "plain", "plain.csv"), ("copies.toml", "copies", "copies.csv")] {
        let (code, _, stderr) = sandbox.run(&["run", config, "--out", out, "--log", log]);
        assert_eq!(code, 0, "{stderr}");
    }
    let log = |name: &str| fs::read(sandbox.path(name)).unwrap();
    assert!(log("plain.csv").len() > 10_000 && log("plain.csv") == log("copies.csv"));
    let mut same = 0;
    for entry in fs::read_dir(sandbox.path("plain")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let [plain, copies] = ["plain", "copies"].map(|folder| fs::read(sandbox.path(folder).join(&name)).unwrap());
        // Times, the config, the tallies, and what shows the ratings.
        let may_differ = ["timing.json", "config.toml", "tally.bin", "summary.json", "report.html", "meta.csv"];
        assert!(plain == copies || may_differ.contains(&name.as_str()), "{name}");
        same += usize::from(plain == copies);
    }
    assert!(same >= 10, "{same}");
    let without = |folder: &str| {
        let text = fs::read_to_string(sandbox.path(folder).join("meta.csv")).unwrap();
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let heading = lines.next().unwrap();
        let first = heading.iter().position(|key| key == "deviation").unwrap();
        let own: Vec<Vec<String>> = lines.collect();
        let ratings = own.iter().filter(|cells| !cells[first].is_empty()).count();
        (own.into_iter().map(|cells| [&cells[..first], &cells[first + 3..]].concat()).collect::<Vec<_>>(), ratings)
    };
    let ((plain, no_ratings), (copies, ratings)) = (without("plain"), without("copies"));
    assert_eq!(plain, copies);
    assert_eq!((no_ratings, ratings), (0, 6));
}

#[test]
fn shards_with_copies_are_merged_into_the_same_files() {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", &format!("copies = true\n{}", CONFIG.replace("deals = 300", "deals = 60")));
    for args in [
        &["run", "t.toml", "--out", "whole"][..],
        &["run", "t.toml", "--shard", "1/2", "--out", "one"],
        &["run", "t.toml", "--shard", "2/2", "--out", "two"],
        &["merge", "one", "two", "--out", "merged"],
    ] {
        let (code, _, stderr) = sandbox.run(args);
        assert_eq!(code, 0, "{args:?}: {stderr}");
    }
    for name in ["meta.csv", "summary.json"] {
        let [whole, merged] = ["whole", "merged"].map(|folder| fs::read(sandbox.path(folder).join(name)).unwrap());
        assert_eq!(whole, merged, "{name}");
    }
}

#[test]
fn copies_go_with_a_round_robin_alone() {
    for (format, bots) in
        [("duel", "\"one\", \"two\""), ("mirror", "\"one\""), ("gauntlet", "\"one\", \"two\", \"three\"")]
    {
        let sandbox = Sandbox::new();
        let candidate = if format == "gauntlet" { "candidate = \"one\"\n" } else { "" };
        sandbox.write(
            "t.toml",
            &format!("seed = 1\nformat = {format:?}\n{candidate}copies = true\ndeals = 10\nvariants = [\"dumbo\"]\nbots = [{bots}]\n"),
        );
        let message = sandbox.refused(&["run", "t.toml"]);
        assert_eq!(message.lines().count(), 1, "{message}");
        let problem = format!("`copies`: adds line-ups to a round-robin, and this is format = {format:?}");
        let line = if format == "gauntlet" { "t.toml:4" } else { "t.toml:3" };
        assert!(message.contains(&problem) && message.contains(line), "{message}");
        // Said to be off, they go with any format.
        let text = fs::read_to_string(sandbox.path("t.toml")).unwrap().replace("copies = true", "copies = false");
        sandbox.write("t.toml", &text);
        let (code, _, stderr) = sandbox.run(&["run", "t.toml"]);
        assert_eq!(code, 0, "{stderr}");
    }
    let sandbox = Sandbox::new();
    let message = sandbox.refused_config("seed = 7", "seed = 7\ncopies = \"yes\"");
    assert!(message.contains("copies"), "{message}");
    sandbox.write("t.toml", "seed = 1\ncopies = true\ndeals = 10\nvariants = [\"dumbo\"]\nbots = [\"one\"]\n");
    let message = sandbox.refused(&["run", "t.toml"]);
    assert!(message.lines().count() == 1 && message.contains("needs at least 3 bots, and there is 1"), "{message}");
}

#[test]
#[ignore = "long: waits for a bot that is started again and again"]
fn a_bot_that_forfeits_its_deals_is_the_worst_in_line_ups_of_copies_too() {
    let sandbox = Sandbox::new();
    let absent = "{ name = \"absent\", strategy = \"process\", parameters = { command = [\"false\"] } }";
    sandbox.write(
        "t.toml",
        &format!(
            "seed = 1\nsecret = {SECRET:?}\ncopies = true\ndeals = 16\ngroups = 8\nvariants = [\"dumbo\"]\n\
             faults.policy = \"forfeit-deal\"\nbots = [\"random\", \"rule-based\", {absent}]\n"
        ),
    );
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--keep-going", "--quiet", "--out", "out"]);
    assert_eq!(code, 1, "{stderr}");
    let row = |file: &str, bot: &str| {
        rows(&sandbox.path("out").join(file)).into_iter().find(|row| row["bot"] == bot).expect("a row of the bot")
    };
    let rating = |bot: &str| -> f64 { row("meta.csv", bot)["deviation"].parse().unwrap() };
    let ratings = ["absent", "random", "rule-based"].map(rating);
    assert!(ratings.is_sorted() && ratings[0] < ratings[1] && ratings[1] < ratings[2], "{ratings:?}");
    // It forfeits at each of its chairs once: one in twelve games of a deal, and both in six.
    assert_eq!(row("bots.csv", "absent")["faults"], (16 * (12 + 2 * 6)).to_string());
}
