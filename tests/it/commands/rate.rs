//! `overtrick rate`: matches from any source.

use std::fmt::Write;
use std::fs;

use crate::fixtures::sandbox::{Sandbox, in_a_line};

/// The rows of the players of `m.csv`, by name, as objects.
fn rated(sandbox: &Sandbox, options: &[&str]) -> serde_json::Value {
    let (code, stdout, stderr) = sandbox.run(&[&["rate", "m.csv", "--format", "json"], options].concat());
    assert_eq!(code, 0, "{stderr}");
    serde_json::from_str(&stdout).unwrap()
}

/// The ratings of `text`.
fn rating_of(text: &str, options: &[&str]) -> serde_json::Value {
    let sandbox = Sandbox::new();
    sandbox.write("m.csv", text);
    rated(&sandbox, options)
}

fn row<'a>(rated: &'a serde_json::Value, player: &str) -> &'a serde_json::Value {
    let rows = rated["players"].as_array().unwrap();
    rows.iter().find(|row| row["player"] == player).unwrap_or_else(|| panic!("no {player} in {rated}"))
}

#[track_caller]
fn close(found: &serde_json::Value, expected: f64, tolerance: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

/// Matches in finishing order, best first, under the given names.
fn ranked(matches: &[&[&str]]) -> String {
    let mut text = "match,player,score\n".to_owned();
    for (number, order) in matches.iter().enumerate() {
        for (place, player) in order.iter().enumerate() {
            writeln!(text, "{number},{player},{}", order.len() - place).unwrap();
        }
    }
    text
}

#[test]
fn citations_among_four_journals() {
    let names = ["Biometrika", "CommStat", "JASA", "JRSS-B"];
    let wins = [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]];
    let mut matches: Vec<[&str; 2]> = Vec::new();
    for (winner, row) in names.iter().zip(wins) {
        for (loser, count) in names.iter().zip(row) {
            matches.extend(std::iter::repeat_n([*winner, *loser], count));
        }
    }
    let matches: Vec<&[&str]> = matches.iter().map(|order| &order[..]).collect();
    let rated = rating_of(&ranked(&matches), &["--anchor", "Biometrika"]);
    assert_eq!((&rated["matches"], &rated["groups"]), (&3_727.into(), &3_727.into()));
    assert_eq!(rated["anchor"], "Biometrika");
    let known = [("JRSS-B", 0.268_95), ("Biometrika", 0.0), ("JASA", -0.479_57), ("CommStat", -2.949_07)];
    for (place, (name, theta)) in known.into_iter().enumerate() {
        let row = &rated["players"][place];
        assert_eq!(row["player"], name);
        close(&row["theta"], theta, 5e-6);
        close(&row["elo"], theta * 173.717_793, 1e-3);
        let half = row["high"].as_f64().unwrap() - row["elo"].as_f64().unwrap();
        close(&row["se"], half / 1.96, 1e-3 * half);
        assert_eq!(row["regularised"], false);
    }
    let row = row(&rated, "CommStat");
    assert_eq!((&row["won"], &row["tied"], &row["lost"]), (&118.into(), &0.into(), &1_819.into()));
    assert_eq!(row["matches"], 1_937);
    // The anchor is what the others are measured from.
    assert_eq!((&rated["players"][1]["elo"], &rated["players"][1]["se"]), (&0.0.into(), &0.0.into()));
}

#[test]
fn rankings_of_different_lengths() {
    let rated = rating_of(&ranked(&[&["p0", "p1", "p2"], &["p3", "p2", "p0"], &["p1", "p3"]]), &[]);
    // The zero of the gradient, to all six digits that are printed.
    let known = [("p1", 0.695_068), ("p3", 0.418_850), ("p0", -0.443_308), ("p2", -0.670_610)];
    for (place, (name, theta)) in known.into_iter().enumerate() {
        assert_eq!(rated["players"][place]["player"], name);
        assert_eq!(rated["players"][place]["theta"], theta);
        assert!(rated["players"][place]["low"].is_null() && rated["players"][place]["se"].is_f64());
    }
    assert_eq!(
        rated["notes"],
        serde_json::json!(["there are no intervals: it takes 10 groups of matches of at least two players"])
    );
    assert_eq!(rated["seats"], serde_json::json!([]));
}

/// Three hundred matches of three out of five players on named seats, two matches a block.
fn club() -> Vec<[String; 5]> {
    let mut rows = Vec::new();
    for number in 0..300_usize {
        for seat in 0..3 {
            let player = (number * 7 + seat * (1 + number % 2)) % 5;
            let rng = (number * number * 31 + seat * 17 + player * 11) % 9;
            let score = rng as f64 * 0.5 - player as f64 + if seat == 1 { 1.5 } else { 0.0 };
            let texts = [format!("m{number}"), ["Ann", "Bob", "Cy", "Di", "Ed"][player].into(), format!("{score:.1}")];
            let [name, player, score] = texts;
            rows.push([name, player, score, format!("b{}", number / 2), ["10", "9", "dealer"][seat].into()]);
        }
    }
    rows
}

fn text(header: &str, rows: &[[String; 5]], columns: &[usize]) -> String {
    let line = |row: &[String; 5]| columns.iter().map(|&column| row[column].as_str()).collect::<Vec<_>>().join(",");
    std::iter::once(header.to_owned()).chain(rows.iter().map(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn neither_the_order_of_rows_and_columns_nor_the_way_of_writing_matters() {
    let sandbox = Sandbox::new();
    let mut rows = club();
    let show = |content: String| {
        sandbox.write("m.csv", &content);
        let (code, stdout, stderr) = sandbox.run(&["rate", "m.csv"]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        stdout
    };
    let plain = show(text("match,player,score,block,seat", &rows, &[0, 1, 2, 3, 4]));
    // Rows of a match apart, scores written differently.
    rows.sort_by(|a, b| (&a[1], b[0].len(), &b[0]).cmp(&(&b[1], a[0].len(), &a[0])));
    rows.iter_mut().for_each(|row| row[2] = format!(" {}00e0", row[2]));
    let shuffled = text("seat,score,block,match,player", &rows, &[4, 2, 3, 0, 1]);
    let windows = format!("\u{feff}{}\r\n\r\n", shuffled.replace('\n', "\r\n"));
    assert_eq!(show(windows), plain);
    assert!(plain.contains("300 matches in 150 groups; the mean Elo is 0"), "{plain}");
    // Whole numbers go before other names, in the order of numbers.
    let seats: Vec<&str> = plain.split_once("over seat 9").unwrap().1.lines().collect();
    for (line, seat) in [(4, "9 "), (5, "10 "), (6, "dealer ")] {
        assert!(seats[line].contains(&format!("│ {seat}")), "{plain}");
    }
}

#[test]
fn blocks_are_what_intervals_are_taken_over() {
    let rows = club();
    let once = rating_of(&text("match,player,score", &rows, &[0, 1, 2]), &[]);
    let once_in_blocks = rating_of(&text("match,player,score,block", &rows, &[0, 1, 2, 3]), &[]);
    // Every match again, as if it were new, and in the block of the first.
    let again = rows.iter().cloned().map(|mut row| {
        row[0].push('x');
        row
    });
    let twice: Vec<[String; 5]> = rows.iter().cloned().chain(again).collect();
    let taken_twice = rating_of(&text("match,player,score", &twice, &[0, 1, 2]), &[]);
    let in_blocks = rating_of(&text("match,player,score,block", &twice, &[0, 1, 2, 3]), &[]);
    for player in ["Ann", "Bob", "Cy", "Di", "Ed"] {
        let [once, taken, blocks] = [&once, &taken_twice, &in_blocks].map(|rated| row(rated, player));
        let known = row(&once_in_blocks, player);
        for key in ["elo", "theta"] {
            close(&taken[key], once[key].as_f64().unwrap(), 2e-6);
            assert_eq!(blocks[key], taken[key]);
        }
        for key in ["se", "low", "high"] {
            close(&blocks[key], known[key].as_f64().unwrap(), 2e-6);
        }
        close(&taken["se"], once["se"].as_f64().unwrap() / 2.0_f64.sqrt(), 0.01 * once["se"].as_f64().unwrap());
    }
    assert_eq!(in_blocks["groups"], 150);
    assert_eq!(taken_twice["groups"], 600);
}

#[test]
fn seats_have_effects() {
    let rows = club();
    let seated = rating_of(&text("match,player,score,block,seat", &rows, &[0, 1, 2, 3, 4]), &[]);
    let seats = seated["seats"].as_array().unwrap();
    assert_eq!(seats.len(), 3);
    assert_eq!(
        seats[0],
        serde_json::json!({"seat": "9", "component": 1, "elo": 0.0, "se": 0.0, "low": null, "high": null})
    );
    // Seat 9 has the bonus.
    for seat in &seats[1..] {
        assert!(seat["high"].as_f64().unwrap() < -50.0, "{seat}");
    }
    // A player may have several seats of a match.
    let mut text = "match,player,score,seat\n".to_owned();
    for number in 0..20 {
        let (winner, seat) = (number % 3 % 2, number % 2);
        writeln!(text, "{number},A,{winner},{seat}\n{number},B,{},{}\n{number},A,2,x", 1 - winner, 1 - seat).unwrap();
    }
    let twice = rating_of(&text, &[]);
    assert_eq!((&row(&twice, "A")["matches"], &row(&twice, "B")["matches"]), (&40.into(), &20.into()));
}

#[test]
fn a_match_of_fifty_with_ties() {
    let mut text = "match,player,score\n".to_owned();
    for number in 0..12_usize {
        for player in 0..50_usize {
            // Ties of two, three and, for the last, ten.
            let rng = (player * [7, 11, 13][number % 3] + number * 5) % 50;
            let score = if rng < 10 { 0 } else { (rng + player / 10) / (2 + number % 2) };
            writeln!(text, "{number},player {player},{score}").unwrap();
        }
    }
    let rated = rating_of(&text, &[]);
    let rows = rated["players"].as_array().unwrap();
    assert_eq!(rows.len(), 50);
    for row in rows {
        assert!(["elo", "se", "low", "high", "theta"].iter().all(|key| row[key].is_f64()), "{row}");
        assert!(row["matches"] == 12 && row["regularised"] == false, "{row}");
    }
    let sum: f64 = rows.iter().map(|row| row["elo"].as_f64().unwrap()).sum();
    assert!(sum.abs() < 1e-4, "{sum}");
}

#[test]
fn who_cannot_be_rated_without_pseudo_results_is_named() {
    let sandbox = Sandbox::new();
    let mut matches: Vec<&[&str]> = Vec::new();
    for _ in 0..6 {
        matches.extend([&["top", "mid", "other"][..], &["other", "mid"], &["mid", "low"], &["x", "y"], &["y", "x"]]);
    }
    sandbox.write("m.csv", &ranked(&matches));
    let (code, table, stderr) = sandbox.run(&["rate", "m.csv"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let apart = "note: no matches connect (low, mid, other and top) and (x and y): each of these 2 components is rated and \
                 ranked by itself";
    let note = "note: component 1: no other player ever finished ahead of or level with top; low never finished ahead of or \
                level with any other player: the ratings of low and top rest on added pseudo-results";
    assert!(in_a_line(&table).contains(apart) && in_a_line(&table).contains(note), "{table}");
    // A program reads its rows undisturbed.
    let (code, rows, stderr) = sandbox.run(&["rate", "m.csv", "--format", "csv"]);
    assert_eq!(code, 0);
    assert!(stderr.starts_with(apart) && stderr.lines().count() == 3, "{stderr}");
    let mut lines = rows.lines();
    let heads = "player,component,elo,se,low,high,interval,groups,matches,won,tied,lost,theta,regularised";
    assert_eq!(lines.next(), Some(heads));
    let order = ["top", "mid", "other", "low", "x", "y"];
    for (line, player) in lines.zip(order) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[0], player);
        assert_eq!(fields[1], if ["x", "y"].contains(&player) { "2" } else { "1" });
        let figures = [&fields[2..3], &fields[7..13]].concat();
        assert!(figures.iter().all(|field| field.parse::<f64>().is_ok_and(f64::is_finite)), "{line}");
        // mid and other beat each other; so do x and y.
        let joined = !["top", "low"].contains(&player);
        assert_eq!((fields[6], fields[13]), if joined { ("yes", "false") } else { ("open", "true") }, "{line}");
        assert!(fields[3..6].iter().all(|field| field.is_empty() != joined), "{line}");
    }
    assert_eq!(rows.lines().count(), 7);
    let notes = rated(&sandbox, &[])["notes"].clone();
    assert_eq!(notes.as_array().unwrap().len(), 3);
    assert_eq!(notes[2], "there is no interval of low and top: results leave open how far off they are");
}

/// Five of whom each beats the next in `won` of twenty matches.
fn chain(won: usize) -> String {
    let mut text = "match,player,score\n".to_owned();
    for link in 0..4 {
        for number in 0..20 {
            let scores = if number < won { [1, 0] } else { [0, 1] };
            for (player, score) in (link..).zip(scores) {
                writeln!(text, "{},E{player},{score}", 20 * link + number).unwrap();
            }
        }
    }
    text
}

#[test]
fn a_match_of_strangers_changes_no_row_of_the_others() {
    let sandbox = Sandbox::new();
    let csv = |text: &str, options: &[&str]| -> Vec<String> {
        sandbox.write("m.csv", text);
        let (code, stdout, stderr) = sandbox.run(&[&["rate", "m.csv", "--format", "csv"], options].concat());
        assert_eq!(code, 0, "{stderr}");
        stdout.lines().map(str::to_owned).collect()
    };
    for won in [10, 13, 19] {
        for options in [&[][..], &["--anchor", "E3"]] {
            let alone = csv(&chain(won), options);
            let strangers = format!("{}81,X,1\n81,Y,0\n82,A,1\n82,B,1\n", chain(won));
            let with = csv(&strangers, options);
            assert_eq!(with[..6], alone[..]);
            assert_eq!(with.len(), 10);
            for (line, player) in with[6..].iter().zip(["A,2", "B,2", "X,3", "Y,3"]) {
                assert!(line.starts_with(player), "{line}");
            }
        }
    }
    // The fewer results keep them together, the wider are the intervals for their standard errors.
    let width = |won: usize| {
        let rated = rating_of(&chain(won), &[]);
        let row = row(&rated, "E0");
        let of = |key: &str| row[key].as_f64().unwrap();
        (of("high") - of("elo")) / of("se")
    };
    // Student's t of 4 and 12 degrees of freedom, and the normal distribution.
    for (won, quantile) in [(19, 2.776_445), (17, 2.178_813), (14, 1.959_964)] {
        let width = width(won);
        assert!((width - quantile).abs() < 1e-4, "{won}: {width}");
    }
    // Strangers have places among themselves.
    sandbox.write("m.csv", &format!("{}81,X,1\n81,Y,0\n", chain(13)));
    let (_, table, _) = sandbox.run(&["rate", "m.csv"]);
    let cells = |line: &str| -> Vec<String> {
        line.split(['│', '┆']).map(|cell| cell.trim().to_owned()).filter(|cell| !cell.is_empty()).collect()
    };
    let place = |player: &str| {
        let mut rows = table.lines().map(cells);
        rows.find(|row| row.get(2).is_some_and(|name| name == player)).map(|row| row[..2].join("-")).unwrap()
    };
    assert_eq!([place("E0"), place("X"), place("Y")], ["1-1", "2-1", "2-2"], "{table}");
    let components = rated(&sandbox, &[])["components"].clone();
    assert_eq!(
        components[0],
        serde_json::json!({"component": 1, "players": 5, "matches": 80, "groups": 80, "mean-of": "all"})
    );
    assert_eq!(components[1]["matches"], 1);
}

#[test]
fn who_beat_one_of_the_others_moves_none_of_them() {
    let alone = rating_of(&chain(12), &[]);
    let with = rating_of(&format!("{}80,Star,1\n80,E2,0\n81,E4,1\n81,Weak,0\n", chain(12)), &[]);
    for player in ["E0", "E1", "E2", "E3", "E4"] {
        for key in ["elo", "se", "low", "high", "theta"] {
            close(&row(&with, player)[key], row(&alone, player)[key].as_f64().unwrap(), 2e-6);
        }
        assert_eq!(
            (&row(&with, player)["interval"], &row(&with, player)["regularised"]),
            (&"yes".into(), &false.into())
        );
    }
    for player in ["Star", "Weak"] {
        assert_eq!(
            (&row(&with, player)["interval"], &row(&with, player)["regularised"]),
            (&"open".into(), &true.into())
        );
    }
    assert_eq!(with["mean-of"], "interval");
}

/// Matches of five who meet equally often, and two newcomers: one with three matches, one who won all twelve.
fn newcomers() -> String {
    let mut rows = club();
    let matches = (0..3).map(|number| (number, "New", 1)).chain((0..12).map(|number| (20 + number, "Star", 9)));
    for (number, player, score) in matches {
        let other = ["Ann", "Bob", "Cy"][number % 3];
        for (player, score) in
            [(player, score * (1 - 2 * (number % 2) as i32 * i32::from(player == "New"))), (other, 0)]
        {
            rows.push([format!("n{number}"), player.into(), score.to_string(), format!("n{number}"), "9".into()]);
        }
    }
    text("match,player,score", &rows, &[0, 1, 2])
}

#[test]
fn who_played_too_little_has_no_interval() {
    let sandbox = Sandbox::new();
    sandbox.write("m.csv", &newcomers());
    let ratings = rated(&sandbox, &[]);
    assert_eq!(ratings["mean-of"], "interval");
    let (new, star) = (row(&ratings, "New"), row(&ratings, "Star"));
    assert_eq!((&new["interval"], &new["groups"]), (&"too few".into(), &3.into()));
    assert_eq!((&star["interval"], &star["groups"]), (&"open".into(), &12.into()));
    assert!(new["se"].as_f64().unwrap() > 100.0 && star["se"].is_null());
    assert!([new, star].iter().all(|row| row["low"].is_null() && row["high"].is_null() && row["elo"].is_f64()));
    let mut sum = 0.0;
    for player in ["Ann", "Bob", "Cy", "Di", "Ed"] {
        let row = row(&ratings, player);
        assert!(row["interval"] == "yes" && row["low"].is_f64(), "{row}");
        sum += row["elo"].as_f64().unwrap();
    }
    assert!(sum.abs() < 1e-4, "{sum}");
    let (_, table, _) = sandbox.run(&["rate", "m.csv"]);
    for text in [
        "the mean Elo of players with an interval is 0",
        "note: too few matches for an interval of New: it takes 10 groups of matches of a player",
        "note: there is no interval of Star: results leave open how far off they are",
    ] {
        assert!(in_a_line(&table).contains(text), "{table}");
    }
    let line = |player: &str| table.lines().find(|line| line.contains(player)).unwrap().to_owned();
    assert_eq!((line("New").matches("too few").count(), line("Star").matches("open").count()), (2, 2), "{table}");
    // No player is known better than the one they are measured from.
    let ratings = rated(&sandbox, &["--anchor", "New"]);
    assert_eq!((&row(&ratings, "Ann")["interval"], &row(&ratings, "Ann")["low"]), (&"too few".into(), &().into()));
    assert_eq!(ratings["notes"][1], "there are no intervals: it takes 10 groups of matches of the anchor, New");
}

#[test]
fn other_columns_are_passed_over_and_named() {
    let sandbox = Sandbox::new();
    sandbox
        .write("m.csv", "date,match,player,blocks,score\n1 May,1,A,x,1\n1 May,1,B,x,2\n2 May,2,A,x,2\n2 May,2,B,x,1\n");
    let ratings = rated(&sandbox, &[]);
    assert_eq!((&ratings["matches"], &ratings["groups"]), (&2.into(), &2.into()));
    let note = "columns that mean nothing here were passed over: \"date\", \"blocks\" (did you mean block?)";
    assert_eq!(ratings["notes"][0], note);
}

#[test]
fn matches_may_come_from_standard_input() {
    let sandbox = Sandbox::new();
    let matches = ranked(&[&["Ann", "Bob"], &["Bob", "Ann"]]);
    sandbox.write("m.csv", &matches);
    let from_file = sandbox.run(&["rate", "m.csv"]);
    assert_eq!(sandbox.run_on(&matches, &["rate", "-"]), from_file);
    let (code, _, stderr) = sandbox.run_on("match,player,score\n1,A,x\n", &["rate", "-"]);
    assert_eq!((code, stderr.starts_with("error: standard input:2: `score`: is \"x\"")), (2, true), "{stderr}");
}

#[test]
fn bad_files_are_refused_by_line_and_column() {
    let sandbox = Sandbox::new();
    let crowd: String = (0..51).map(|player| format!("1,p{player},0\n")).collect();
    let crowd = format!("match,player,score\n{crowd}");
    let cases = [
        ("", "m.csv: is empty; it needs a first line such as `match,player,score`"),
        ("match,player,score\n", "m.csv: has no rows; it needs one for each player"),
        ("match,player\n1,A\n", "m.csv:1: the column `score` is missing"),
        (
            "match;player;score\n",
            "m.csv:1: the column `match` is missing; there is \"match;player;score\", and the file needs a first line such as",
        ),
        (
            "match,player,elo\n1,A,1\n",
            "m.csv:1: the column `score` is missing; there is \"match\", \"player\", \"elo\"",
        ),
        ("match,score,player,score\n1,1,A,1\n", "m.csv:1: has the column `score` twice; leave one out"),
        ("match,player,score\n1,A,1\n1,B\n", "m.csv:3: has 2 fields where the first line has 3"),
        (
            "match,player,score\n1,Smith, A,1\n",
            "m.csv:2: has 4 fields where the first line has 3; a field with a comma",
        ),
        ("match,player,score\n1,A,nan\n", "m.csv:2: `score`: is \"nan\"; write a number such as"),
        ("match,player,score\r\n1,A,1\r\n\r\n1,B,-inf\r\n", "m.csv:4: `score`: is \"-inf\"; write a number"),
        ("match,player,score\n1,A,\"1,5\"\n", "m.csv:2: `score`: is \"1,5\"; write a number"),
        ("match,player,score\n1,A,\n", "m.csv:2: `score`: is empty; every row needs one"),
        (
            "match,player,score\n1,A,-9007199254740991\n1,B,9007199254740993\n",
            "m.csv:3: `score`: is 9007199254740993, so far",
        ),
        ("match,player,score\n\n1, ,1\n", "m.csv:3: `player`: is empty"),
        ("match,player,score\n,A,1\n", "m.csv:2: `match`: is empty"),
        ("match,player,score,seat\n1,A,1,N\n1,B,2,\n", "m.csv:3: `seat`: is empty"),
        ("match,player,score,block\n1,A,1,x\n1,B,2,\n", "m.csv:3: `block`: is empty"),
        (
            "match,score,player\n1,2,\"A\n1,3,B\"\n",
            "m.csv:2: `player`: has a line break in it, \"A\\n1,3,B\"; is a quotation mark missing?",
        ),
        (
            "match,player,score\n1,A\u{1b}[2J,1\n1,B,2\n",
            "m.csv:2: `player`: is \"A\\u{1b}[2J\", which has a control character",
        ),
        ("match,player,score\n1,A,1\n1,B,2\n1,A,3\n", "m.csv:4: `player`: \"A\" is in match \"1\" already (line 2)"),
        (
            "match,player,score,seat\n1,A,1,N\n1,B,2,N\n",
            "m.csv:3: `seat`: is \"N\", where another player sits already in match \"1\" (line 2)",
        ),
        (
            "match,player,score,block\n7,A,1,x\n7,B,2,y\n",
            "m.csv:3: `block`: is \"y\", but the match \"7\" is in another block on line 2",
        ),
        (
            "match,player,score\n1,A,1\n2,A,1\n2,B,1\n",
            "m.csv:2: `match`: has this one player only. A match has 2 to 50",
        ),
        (&crowd, "m.csv:52: `match`: \"1\" has more than 50 players"),
    ];
    for (content, expected) in cases {
        sandbox.write("m.csv", content);
        let message = sandbox.refused(&["rate", "m.csv", "--out", "never.txt"]);
        assert!(message.contains(expected), "{content}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(!sandbox.path("never.txt").exists());
    }
    fs::write(sandbox.path("m.csv"), b"match,player,score\n1,Bj\xf6rn,1\n").unwrap();
    assert!(sandbox.refused(&["rate", "m.csv"]).contains("m.csv:2: is not UTF-8 text; save the file as CSV in UTF-8"));
    assert!(sandbox.refused(&["rate", "nowhere.csv"]).contains("nowhere.csv: there is no such file"));
    assert!(sandbox.refused(&["rate", "bots"]).contains("bots: is a folder"));
}

#[test]
fn too_many_players_are_refused_at_once() {
    let sandbox = Sandbox::new();
    let rows = (0..1_501).map(|number| format!("{number},a{number},1\n{number},b{number},2\n")).collect::<String>();
    sandbox.write("m.csv", &format!("match,player,score\n{rows}"));
    assert!(sandbox.refused(&["rate", "m.csv"]).contains("m.csv: has 3002 players; at most 3000 are rated together"));
}

#[test]
fn an_anchor_must_have_played() {
    let sandbox = Sandbox::new();
    sandbox.write("m.csv", &ranked(&[&["Ann", "Bob"], &["Bob", "Ann"]]));
    let message = sandbox.refused(&["rate", "m.csv", "--anchor", "ann"]);
    assert!(
        message.contains("m.csv: has no player \"ann\" to be the anchor (did you mean Ann?). It has Ann, Bob"),
        "{message}"
    );
    let (_, table, _) = sandbox.run(&["rate", "m.csv", "--anchor", "Ann"]);
    assert!(table.contains("2 matches in 2 groups; Ann has Elo 0"), "{table}");
}

#[test]
fn ratings_go_into_a_file_whole_or_not_at_all() {
    let sandbox = Sandbox::new();
    let matches = ranked(&[&["Ann", "Bob"], &["Bob", "Ann"]]);
    sandbox.write("m.csv", &matches);
    let (_, printed, _) = sandbox.run(&["rate", "m.csv", "--format", "csv"]);
    let (code, stdout, stderr) = sandbox.run(&["rate", "m.csv", "--format", "csv", "--out", "new/r.csv"]);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    assert_eq!(fs::read_to_string(sandbox.path("new/r.csv")).unwrap(), printed);
    assert_eq!(fs::read_dir(sandbox.path("new")).unwrap().count(), 1);
    assert!(sandbox.refused(&["rate", "m.csv", "--out", "new"]).contains("new: is a folder where a file must go"));
    let message = sandbox.refused(&["rate", "m.csv", "--out", "new/../m.csv"]);
    assert!(message.contains("is the file to be rated. Choose another with --out"), "{message}");
    assert_eq!(fs::read_to_string(sandbox.path("m.csv")).unwrap(), matches);
}

#[test]
fn a_name_is_no_formula_in_csv_and_itself_elsewhere() {
    let sandbox = Sandbox::new();
    sandbox.write("m.csv", "match,player,score\n1,=1+1,1\n1,\"@SUM(A1,B1)\",0\n2,=1+1,0\n2,Ann,1\n");
    let (code, rows, stderr) = sandbox.run(&["rate", "m.csv", "--format", "csv"]);
    assert_eq!(code, 0);
    assert!(stderr.starts_with("note: names that begin as formulas of spreadsheets do"), "{stderr}");
    let mut names: Vec<String> =
        csv::Reader::from_reader(rows.as_bytes()).records().map(|row| row.unwrap()[0].to_owned()).collect();
    names.sort();
    assert_eq!(names, ["'=1+1", "'@SUM(A1,B1)", "Ann"]);
    assert_eq!(row(&rated(&sandbox, &["--anchor", "=1+1"]), "=1+1")["elo"], 0.0);
    let (_, table, stderr) = sandbox.run(&["rate", "m.csv"]);
    assert!(table.contains(" =1+1 ") && !table.contains("'=1+1") && stderr.is_empty(), "{table}");
}

#[test]
fn spellings_that_look_alike_are_named_as_a_likely_mistake() {
    let sandbox = Sandbox::new();
    let [composed, apart] = ["Jos\u{e9}", "Jose\u{301}"];
    sandbox.write("m.csv", &ranked(&[&[composed, "Ann"], &["Ann", apart], &[apart, composed]]));
    let notes = rated(&sandbox, &[])["notes"].to_string();
    assert!(notes.contains(&format!("{composed} is there in spellings that look alike")), "{notes}");
    assert!(notes.contains("a likely mistake; write each in one form"), "{notes}");
    assert!(in_a_line(&sandbox.run(&["rate", "m.csv"]).1).contains("a likely mistake"));
    // So is an anchor that is spelled in another way than in the file.
    sandbox.write("m.csv", &ranked(&[&[composed, "Ann"], &["Ann", composed]]));
    assert!(!rated(&sandbox, &[])["notes"].to_string().contains("alike"));
    let message = sandbox.refused(&["rate", "m.csv", "--anchor", apart]);
    assert!(message.contains("in this spelling") && message.ends_with(&format!("{composed}\n")), "{message}");
}

#[test]
fn players_who_beat_one_another_in_a_circle_are_named() {
    let mut circle = "match,player,score\n".to_owned();
    for number in 0..40 {
        for (winner, loser) in [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")] {
            // One match of ten is lost by the better.
            let (own, other) = if number % 10 == 3 { (0, 1) } else { (1, 0) };
            let name = format!("{number}-{winner}");
            writeln!(circle, "{name},{winner},{own}\n{name},{loser},{other}").unwrap();
        }
    }
    let rated = rating_of(&circle, &[]);
    let note = "no order holds: paper beats rock, rock beats scissors and scissors beats paper";
    assert!(rated["notes"][0].as_str().unwrap().starts_with(note), "{}", rated["notes"]);
    // Of five matches of each pair no such thing is sure.
    let few: String = circle.lines().take(1 + 6 * 5).map(|line| format!("{line}\n")).collect();
    assert!(!rating_of(&few, &[])["notes"].to_string().contains("no order holds"));
}
