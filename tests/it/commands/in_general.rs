//! The commands as their user meets them: results, messages, exit codes.

use std::fs;

use crate::fixtures::sandbox::{CONFIG, Sandbox, same, same_files};

#[test]
fn results_do_not_depend_on_threads_and_follow_from_their_own_config() {
    for unit in ["unit = \"deal\"\ndeals = 300", "unit = \"match\"\nmatches = 60"] {
        let sandbox = Sandbox::new();
        sandbox.write("t.toml", &CONFIG.replace("deals = 300", unit));
        for threads in ["1", "2", "7"] {
            let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--threads", threads, "--out", threads]);
            assert_eq!((code, stderr.as_str()), (0, ""));
        }
        same_files(&sandbox.path("1"), &sandbox.path("2"));
        same_files(&sandbox.path("1"), &sandbox.path("7"));
        let (code, ..) = sandbox.run(&["run", "1/config.toml", "--quiet", "--out", "again"]);
        assert_eq!(code, 0);
        same_files(&sandbox.path("1"), &sandbox.path("again"));
        let (code, ..) = sandbox.run(&["run", "t.toml", "--seed", "8", "--out", "other"]);
        assert_eq!(code, 0);
        assert_ne!(fs::read(sandbox.path("1/bots.csv")).unwrap(), fs::read(sandbox.path("other/bots.csv")).unwrap());
    }
}

#[test]
fn an_anchor_has_elo_nothing_without_error() {
    let sandbox = Sandbox::new();
    let config = CONFIG.replace("\"one\", \"two\"", "{name = \"one\", strategy = \"rule-based\"}, \"two\"");
    let elo = |anchor: &str, folder: &str| {
        sandbox.write("t.toml", &format!("{anchor}\n{config}"));
        assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", folder]).0, 0);
        let mut file = csv::Reader::from_path(sandbox.path(folder).join("ratings.csv")).unwrap();
        let rows = file.records().map(Result::unwrap).filter(|row| &row[0] == "all");
        rows.map(|row| (row[1].to_owned(), [2, 3].map(|column| row[column].parse::<f64>().unwrap())))
            .collect::<Vec<_>>()
    };
    let (free, anchored) = (elo("", "free"), elo("anchor = \"three\"", "anchored"));
    let of = |rows: &[(String, [f64; 2])], bot: &str| rows.iter().find(|row| row.0 == bot).unwrap().1;
    assert_eq!(of(&anchored, "three"), [0.0, 0.0]);
    let shift = of(&free, "three")[0];
    for bot in ["one", "two"] {
        assert!((of(&anchored, bot)[0] - (of(&free, bot)[0] - shift)).abs() < 2e-6);
    }
    assert!(of(&anchored, "one")[1] > 0.0);
    // It is part of the configuration that the run leaves.
    let again = std::fs::read_to_string(sandbox.path("anchored/config.toml")).unwrap();
    assert!(again.contains("anchor = \"three\""), "{again}");
    for (line, problem) in
        [("anchor = \"four\"", "`anchor`: \"four\" is none"), ("anchor = \"one\"\nformat = \"mirror\"", "rates no bot")]
    {
        sandbox.write("t.toml", &format!("{line}\n{CONFIG}"));
        let message = sandbox.refused(&["run", "t.toml"]);
        assert!(message.contains("t.toml:1") && message.contains(problem), "{message}");
    }
}

#[test]
fn a_run_leaves_every_file_and_nothing_else() {
    let sandbox = Sandbox::new();
    let (code, stdout, _) = sandbox.run(&["run", "t.toml"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("dumbo") && stdout.contains("results/t"), "{stdout}");
    let mut names: Vec<String> = fs::read_dir(sandbox.path("results/t"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let mut expected: Vec<String> = same().iter().map(|name| (*name).to_owned()).collect();
    expected.push("timing.json".into());
    expected.sort();
    assert_eq!(names, expected);
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(sandbox.path("results/t/summary.json")).unwrap()).unwrap();
    assert_eq!(summary["schema-version"], 3);
    assert_eq!(summary["seed"], 7);
    for table in ["bots", "ratings", "pairs", "seats"] {
        let text = fs::read_to_string(sandbox.path(&format!("results/t/{table}.csv"))).unwrap();
        assert_eq!(text.lines().count() - 1, summary[table].as_array().unwrap().len(), "{table}");
    }
    let (_, quiet, _) = sandbox.run(&["run", "t.toml", "--quiet"]);
    assert_eq!(quiet, "");
}

#[test]
fn identical_bots_differ_by_exactly_nothing() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "t.toml"]);
    let pairs = fs::read_to_string(sandbox.path("results/t/pairs.csv")).unwrap();
    let mut rows = 0;
    for row in csv::Reader::from_reader(pairs.as_bytes()).records().map(Result::unwrap) {
        assert_eq!([&row[4], &row[5], &row[8], &row[9], &row[13]], ["0.0", "0.0", "0.0", "0.0", "1.0"], "{row:?}");
        rows += 1;
    }
    assert_eq!(rows, 6);
    // With too few deals for matches there is no Elo, and a note says so.
    let (_, few, _) = sandbox.run(&["run", "t.toml", "--deals", "20", "--out", "few"]);
    assert!(few.contains("note: dumbo: no Elo: ") && !few.contains("Elo ± 95%"), "{few}");
}

#[test]
fn deals_that_are_played_once_have_a_design_effect_of_about_one() {
    let sandbox = Sandbox::new();
    let config =
        CONFIG.replace("deals = 300", "deals = 20000\nformat = \"mirror\"").replace(", \"two\", \"three\"", "");
    sandbox.write("t.toml", &config);
    assert_eq!(sandbox.run(&["run", "t.toml"]).0, 0);
    let bots = fs::read_to_string(sandbox.path("results/t/bots.csv")).unwrap();
    let mut bots = csv::Reader::from_reader(bots.as_bytes());
    let column = bots.headers().unwrap().iter().position(|name| name == "design-effect").unwrap();
    for row in bots.records().map(Result::unwrap) {
        let effect: f64 = row[column].parse().unwrap();
        assert!((0.7..1.4).contains(&effect), "{row:?}");
    }
}

#[test]
fn the_design_effect_of_a_bot_is_that_of_its_own_deals() {
    let sandbox = Sandbox::new();
    let config = CONFIG.replace("deals = 300", "deals = 90\nformat = \"mirror\"").replace(", \"three\"", "");
    sandbox.write("t.toml", &config.replace("\"two\"", "{name = \"two\", strategy = \"rule-based\"}"));
    assert_eq!(sandbox.run(&["run", "t.toml"]).0, 0);
    let mut bots = csv::Reader::from_path(sandbox.path("results/t/bots.csv")).unwrap();
    let column = bots.headers().unwrap().iter().position(|name| name == "design-effect").unwrap();
    let dumbo = |row: &csv::StringRecord| row[0] == *"dumbo";
    let effects: Vec<f64> =
        bots.records().map(Result::unwrap).filter(dumbo).map(|row| row[column].parse().unwrap()).collect();
    // Whether the other bot plays those deals, too, is nothing to it.
    assert_eq!(effects.len(), 2);
    let alone = config.replace("\"one\", \"two\"", "\"one\"");
    sandbox.write("t.toml", &alone);
    assert_eq!(sandbox.run(&["run", "t.toml", "--force"]).0, 0);
    let mut bots = csv::Reader::from_path(sandbox.path("results/t/bots.csv")).unwrap();
    let row = bots.records().map(Result::unwrap).find(|row| dumbo(row)).unwrap();
    assert_eq!(row[column].parse::<f64>().unwrap(), effects[0]);
}

#[test]
fn every_format_runs() {
    // How often a seat is reported: for all bots together, and for each.
    for (format, bots, line_ups, told) in [
        ("round-robin", r#"["one", "two", "three"]"#, 1, 4),
        ("duel", r#"["one", "two"]"#, 1, 3),
        ("gauntlet\"\ncandidate = \"two", r#"["one", "two", "three"]"#, 1, 4),
        ("mirror", r#"["one", "two"]"#, 2, 2),
    ] {
        let sandbox = Sandbox::new();
        let config = CONFIG.replace(r#"["one", "two", "three"]"#, bots);
        sandbox.write("t.toml", &format!("format = \"{format}\"\n{config}"));
        let (code, _, stderr) = sandbox.run(&["run", "t.toml"]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{format}");
        let summary: serde_json::Value =
            serde_json::from_slice(&fs::read(sandbox.path("results/t/summary.json")).unwrap()).unwrap();
        assert_eq!(summary["variants"][0]["line-ups"], line_ups, "{format}");
        let seats = fs::read_to_string(sandbox.path("results/t/seats.csv")).unwrap();
        assert_eq!(seats.lines().count(), 1 + told * (3 + 2), "{format}");
    }
}

#[test]
fn what_is_listed_is_listed_for_programs_too() {
    let sandbox = Sandbox::new();
    let json = |args: &[&str]| -> serde_json::Value {
        let (code, stdout, stderr) = sandbox.run(&[args, &["--format", "json"]].concat());
        assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}");
        serde_json::from_str(&stdout).unwrap()
    };
    let all = json(&["list"]);
    let keys: Vec<&str> = all.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["bots", "games", "strategies", "variants"]);
    let bots = json(&["list", "bots"]);
    assert_eq!(bots, all["bots"]);
    assert_eq!(bots[1]["bot"], "three");
    assert_eq!((&bots[1]["strategy"], &bots[1]["file"]), (&"random".into(), &"bots/three.toml".into()));
    let spite = json(&["list", "parameters", "pimc"]);
    let spite = spite.as_array().unwrap().iter().find(|row| row["parameter"] == "spite").unwrap().clone();
    assert_eq!((&spite["kind"], &spite["default"]), (&"number".into(), &"1.0".into()));
    assert_eq!((&spite["low"], &spite["high"]), (&0.0.into(), &2.0.into()));
    assert!(json(&["list", "parameters"]).as_array().unwrap().len() > 40);
    let (_, table, _) = sandbox.run(&["list", "parameters", "pimc"]);
    assert!(table.contains("0 to 1000000000") && table.contains("\"random\" or \"rule-based-calls\""), "{table}");
    let (_, csv, _) = sandbox.run(&["list", "strategies", "--format", "csv"]);
    assert!(csv.starts_with("strategy,about\nrandom,"), "{csv}");
    assert!(sandbox.refused(&["list", "--format", "csv"]).contains("CSV holds one table. Name the list: games,"));
    assert!(sandbox.refused(&["list", "parameters", "pimx"]).contains("no strategy \"pimx\" (did you mean pimc?)"));
    assert!(sandbox.refused(&["list", "bots", "pimc"]).contains("goes with `list parameters` only"));
    let rules = json(&["rules", "dumbo"]);
    assert_eq!((&rules["name"], &rules["base"]), (&"dumbo".into(), &"dumbo".into()));
    assert!(rules["rules"]["match-bonus"].is_i64(), "{rules}");
}

#[test]
fn the_commit_is_told() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet"]).0, 0);
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(sandbox.path("results/t/summary.json")).unwrap()).unwrap();
    let (_, version, _) = sandbox.run(&["--version"]);
    match summary["commit"].as_str() {
        Some(commit) => assert_eq!(
            (&version[..version.find('(').unwrap()], commit.contains("-dirty")),
            (concat!("overtrick ", env!("CARGO_PKG_VERSION"), " "), version.contains("-dirty)")),
            "{version} {commit}"
        ),
        None => assert_eq!(version, concat!("overtrick ", env!("CARGO_PKG_VERSION"), "\n")),
    }
    assert!(summary.as_object().unwrap().contains_key("commit"));
    // A separate checkout knows.
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let head = std::process::Command::new("git").current_dir(root).args(["rev-parse", "HEAD"]).output();
    if let Some(head) = head.ok().filter(|head| head.status.success() && root.join(".git").exists()) {
        let head = String::from_utf8(head.stdout).unwrap();
        assert!(summary["commit"].as_str().unwrap().starts_with(head.trim()), "{version} {head}");
        assert!(version.contains(&head[..12]), "{version} {head}");
    }
}

#[test]
fn bad_configs_are_refused_with_file_line_key_and_remedy() {
    let sandbox = Sandbox::new();
    let cases = [
        (
            "\"dumbo\"",
            "\"dumbbo\"",
            "t.toml:4: `variants #1`: there is no variant \"dumbbo\" (did you mean dumbo?); `overtrick list variants`",
        ),
        ("\"dumbo\"", "\"my.toml\"", "t.toml:4: `variants #1`: there is no file my.toml"),
        (
            "\"two\"",
            "\"too\"",
            "t.toml:5: `bots #2`: there is no bot \"too\" (did you mean two?); looked for bots/too.toml, ../bots/too.toml; built in are cautious, ",
        ),
        ("deals = 300", "deals = 0", "t.toml:3: `deals`: is 0, but must be 1"),
        ("deals = 300", "dealz = 300", "t.toml:3: `dealz`: unknown key `dealz` (did you mean deals?)"),
        ("deals = 300", "deals = \"many\"", "t.toml:3: `deals`: is of the wrong kind"),
        ("deals = 300", "", "`deals`: is missing"),
        ("deals = 300", "matches = 300", "t.toml:3: `matches`: does not go with this unit; write `deals`"),
        ("seed = 7", "seed = \"lucky\"", "t.toml:2: `seed`: is of the wrong kind"),
        ("seed = 7", "seed = -1", "t.toml:2: `seed`: is -1, but must be 0"),
        ("seed = 7", "", "`seed`: is missing"),
        ("\"three\"", "\"one\"", "t.toml:5: `bots #3`: \"one\" is listed twice"),
        (
            ", \"three\"",
            "",
            "t.toml:5: `bots`: dumbo: a round-robin of a game for 3 needs at least 3 bots, and there are 2",
        ),
        ("deals = 300", "deals = 3\nformat = \"duel\"", "t.toml:6: `bots`: dumbo: a duel needs exactly two bots"),
        ("deals = 300", "deals = 3\nformat = \"gauntlet\"", "needs `candidate`"),
        (
            "deals = 300",
            "deals = 3\nformat = \"gauntlet\"\ncandidate = \"x\"",
            "t.toml:5: `candidate`: \"x\" is none of",
        ),
        ("deals = 300", "deals = 3\ncandidate = \"one\"", "`candidate`: only goes with format"),
        ("deals = 300", "deals = 3\nformat = \"knockout\"", "t.toml:4: `format`: unknown choice"),
        ("[\"one\", \"two\", \"three\"]", "[]", "t.toml:5: `bots`: a tournament needs `bots`"),
        ("\"two\"", "2", "t.toml:5: `bots #2`: is neither a name"),
        ("seed = 7", "seed = ", "t.toml:2: "),
    ];
    for (from, to, expected) in cases {
        let message = sandbox.refused_config(from, to);
        assert!(message.contains(expected), "{to}: {message}");
    }
}

#[test]
fn bad_bots_and_variants_are_refused_in_their_own_files() {
    let sandbox = Sandbox::new();
    sandbox.write("bots/two.toml", "name = \"two\"\nstrategy = \"random\"\n[parameters]\nnerve = 1\n");
    let message = sandbox.refused(&["run", "t.toml"]);
    assert!(message.contains("bots/two.toml:4: `parameters.nerve`: unknown key"), "{message}");
    let sandbox = Sandbox::new();
    sandbox.write("mine.toml", "name = \"mine\"\nbase = \"dumbo\"\n\n[rules]\nmatch-bonus = 5000\n");
    let message = sandbox.refused_config("\"dumbo\"", "\"mine.toml\"");
    assert!(message.contains("mine.toml:5: `rules.match-bonus`: is 5000, but must be -1000 to 1000"), "{message}");
}

#[test]
fn bad_usage_is_refused() {
    let sandbox = Sandbox::new();
    assert!(sandbox.refused(&["run", "nowhere.toml"]).contains("nowhere.toml: there is no such file"));
    fs::create_dir(sandbox.path("configs")).unwrap();
    sandbox.write("configs/quick.toml", CONFIG);
    for (command, typed) in [("run", "quik.toml"), ("tune", "configs/quikc.toml"), ("sweep", "quick.toml")] {
        let expected = format!("error: {typed}: there is no such file (did you mean configs/quick.toml?)");
        assert!(sandbox.refused(&[command, typed]).starts_with(&expected));
    }
    assert!(sandbox.refused(&["run", "t.toml", "--seed", "lucky"]).contains("--seed"));
    assert!(sandbox.refused(&["run", "t.toml", "--deals", "0"]).contains("--deals"));
    assert!(sandbox.refused(&["rules", "chess"]).contains("there is no variant \"chess\"; there are dumbo"));
    assert!(sandbox.refused(&["replay", "t.toml", "--deal", "1"]).contains("name a variant with --variant: dumbo"));
    assert!(sandbox.refused(&["replay", "t.toml", "--deal", "1", "--variant", "x"]).contains("no variant of this"));
    let short = ["replay", "t.toml", "--deal", "1", "--variant", "dumbo", "--lineup", "one,two"];
    assert!(sandbox.refused(&short).contains("dumbo seats 3, and --lineup names 2"));
    let stranger = ["replay", "t.toml", "--deal", "1", "--variant", "dumbo", "--lineup", "one,two,x"];
    assert!(sandbox.refused(&stranger).contains("\"x\" is no bot of this tournament"));
    assert!(sandbox.refused(&["bench", "--variant", "chess"]).contains("there is no variant"));
}

#[test]
fn a_folder_that_cannot_be_written_is_found_out_before_the_first_deal() {
    let sandbox = Sandbox::new();
    sandbox.write("file", "precious");
    // To play all these deals would take hours.
    let message = sandbox.refused(&["run", "t.toml", "--deals", "900000000000", "--out", "file"]);
    assert!(message.contains("file: results cannot be written there") && message.contains("--out"), "{message}");
    assert_eq!(fs::read_to_string(sandbox.path("file")).unwrap(), "precious");
    let message = sandbox.refused(&["run", "t.toml", "--deals", "900000000000", "--out", "/proc/nowhere"]);
    assert!(message.contains("/proc/nowhere: results cannot be written there"), "{message}");
    fs::create_dir_all(sandbox.path("out/ratings.csv")).unwrap();
    let message = sandbox.refused(&["run", "t.toml", "--deals", "900000000000", "--out", "out"]);
    assert!(message.contains("out/ratings.csv: is a folder where a file must go"), "{message}");
}

#[test]
fn rules_are_a_page_to_read() {
    let (code, page, _) = Sandbox::new().run(&["rules", "humbug", "--text"]);
    assert!(code == 0 && page == include_str!("../../../docs/rules/dummy-whist.md"), "{page}");
}

#[test]
fn rules_can_be_changed_and_fed_back() {
    let sandbox = Sandbox::new();
    let (code, rules, _) = sandbox.run(&["rules", "dumbo"]);
    assert_eq!(code, 0);
    let mine = rules.replace("name = \"dumbo\"", "name = \"mine\"").replace("match-bonus = 10", "match-bonus = 5");
    assert_ne!(rules, mine);
    sandbox.write("mine.toml", &mine);
    sandbox.write("t.toml", &CONFIG.replace("\"colour-blind-2\"", "\"mine.toml\""));
    let (code, _, stderr) = sandbox.run(&["run", "t.toml"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let bots = fs::read_to_string(sandbox.path("results/t/bots.csv")).unwrap();
    assert!(bots.contains("\nmine,one,"), "{bots}");
    let (_, again, _) = sandbox.run(&["rules", "mine.toml"]);
    assert!(again.contains("match-bonus = 5"));
}

#[test]
fn replays_show_the_same_deal_as_text_and_as_json() {
    let sandbox = Sandbox::new();
    let line_up = ["--variant", "dumbo", "--lineup", "two,one,two"];
    let (code, text, _) = sandbox.run(&[&["replay", "t.toml", "--deal", "3"], &line_up[..]].concat());
    assert_eq!(code, 0);
    assert!(text.contains("dumbo, deal 3, seed 7") && text.contains("(dealer)") && text.contains("tricks:"), "{text}");
    let (_, json, _) =
        sandbox.run(&[&["replay", "t.toml", "--deal", "3", "--format", "json", "--count", "4"], &line_up[..]].concat());
    assert_eq!(json.lines().count(), 4);
    let record: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    for key in [
        "schema-version",
        "variant",
        "rules",
        "seed",
        "deal",
        "dealer",
        "players",
        "seating",
        "hands",
        "table",
        "moves",
        "tricks",
        "contract",
        "tricks-won",
        "scores",
        "totals-before",
        "totals-after",
    ] {
        assert!(record.get(key).is_some(), "no {key}");
    }
    assert_eq!(record["seating"], serde_json::json!(["two", "one", "two"]));
    assert_eq!(record["moves"].as_array().unwrap().len(), 52);
    assert_eq!(record["hands"]["dummy"].as_array().unwrap().len(), 13);
    assert_eq!(record["contract"], serde_json::Value::Null);
    // Every trick of the JSON stands in the text.
    for trick in record["tricks"].as_array().unwrap() {
        let card = trick["plays"][0][1].as_str().unwrap();
        assert!(text.contains(card));
    }
}

#[test]
fn lists_name_everything() {
    let sandbox = Sandbox::new();
    let (code, text, _) = sandbox.run(&["list"]);
    assert_eq!(code, 0);
    for name in ["dumbo", "colour-blind-2-courts", "random", "bots/three.toml"] {
        assert!(text.contains(name), "{name} is not in {text}");
    }
    let (_, variants, _) = sandbox.run(&["list", "variants"]);
    assert!(variants.contains("colour-blind-2") && !variants.contains("bots/three.toml"));
}

#[test]
fn names_that_mean_something_else_are_refused() {
    let sandbox = Sandbox::new();
    let message = sandbox.refused_config("\"dumbo\"", "{name = \"all\", base = \"dumbo\", rules.target = 9}");
    assert!(message.contains("`variants #1.name`") && message.contains("all bots or variants together"), "{message}");
    let message = sandbox.refused_config("\"one\"", "{name = \"all\", strategy = \"random\"}");
    assert!(message.contains("all bots or variants together"), "{message}");
    for rules in ["base = \"dumbo\", rules.target = 9", "base = \"euchre-24\""] {
        let message = sandbox.refused_config("\"dumbo\"", &format!("{{name = \"dumbo\", {rules}}}"));
        assert!(message.contains("comes with overtrick, and these rules differ"), "{message}");
    }
    // The preset itself may be written out.
    sandbox.write("t.toml", &CONFIG.replace("\"dumbo\"", "{name = \"dumbo\", base = \"dumbo\", rules.target = 31}"));
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet"]).0, 0);
}

#[test]
fn rules_under_which_totals_could_overflow_are_refused() {
    let sandbox = Sandbox::new();
    let rules = "base = \"humbug\", rules = {book-points = 100, double-factor = 20, both-keep-factor = 100}";
    let message = sandbox.refused_config("\"colour-blind-2\"", &format!("{{name = \"rich\", {rules}}}"));
    assert!(message.contains("`variants #2.rules`") && message.contains("keep it within 32767"), "{message}");
}

#[test]
fn a_match_that_does_not_end_is_told_of() {
    let sandbox = Sandbox::new();
    let endless = "{name = \"endless\", base = \"euchre-24\", rules = {target = 100000, make-points = 0, march-points = 0, \
                   euchre-points-each = 0}}";
    let config = CONFIG
        .replace("\"dumbo\", \"colour-blind-2\"", endless)
        .replace("deals = 300", "unit = \"match\"\nmatches = 1");
    sandbox.write("t.toml", &config);
    let (code, stdout, _) = sandbox.run(&["run", "t.toml"]);
    assert!(code == 0 && stdout.contains("note: endless: 6 matches did not end within 65536 deals"), "{stdout}");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let sandbox = Sandbox::new();
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for args in [&["rules", "dumbo"][..], &["list"], &["replay", "t.toml", "--variant", "dumbo", "--deal", "1"]] {
        let output = sandbox.command(args).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("the output cannot be written"));
    }
}

#[test]
fn a_config_can_come_from_standard_input() {
    let sandbox = Sandbox::new();
    let config = format!("name = \"t\"\n{CONFIG}");
    sandbox.write("t.toml", &config);
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--out", "file"]).0, 0);
    let (code, _, stderr) = sandbox.run_on(&config, &["run", "-", "--quiet", "--out", "input"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    same_files(&sandbox.path("file"), &sandbox.path("input"));
    let (code, _, stderr) = sandbox.run_on(&config.replace("\"dumbo\"", "\"dumb\""), &["run", "-"]);
    assert!(code == 2 && stderr.starts_with("error: standard input:5: `variants #1`: there is no variant"), "{stderr}");
    let (code, replayed, _) = sandbox.run_on(&config, &["replay", "-", "--variant", "dumbo", "--deal", "3"]);
    assert_eq!((code, replayed), (0, sandbox.run(&["replay", "t.toml", "--variant", "dumbo", "--deal", "3"]).1));
}

#[test]
fn a_config_of_another_command_is_refused_with_that_command() {
    let sandbox = Sandbox::new();
    sandbox.write("run.toml", CONFIG);
    sandbox.write("tune.toml", "seed = 1\n\n[tune]\nbot = \"one\"\n");
    sandbox.write("sweep.toml", "seed = 1\n\n[sweep]\nbase = \"dumbo\"\n");
    for command in ["run", "tune", "sweep"] {
        for other in ["run", "tune", "sweep"] {
            if other == command {
                continue;
            }
            let file = format!("{other}.toml");
            let message = sandbox.refused(&[command, &file]);
            let expected = format!(
                "belongs to a config of `overtrick {other}`, not of `overtrick {command}`: run `overtrick {other} {file}`"
            );
            assert!(message.contains(&expected) && message.starts_with(&format!("error: {file}:")), "{message}");
        }
    }
}
