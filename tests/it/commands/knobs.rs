//! Parameters that an external bot declares: they are listed, checked before the first deal, and tuned without a
//! config.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use overtrick::cli::{Ended, Host};
use overtrick::strategies::Register;
use overtrick::tune::TunePlan;

use crate::fixtures::sandbox::{Sandbox, rows};
use crate::fixtures::tunings::{same_tuning, summary};

/// The parameters of a bot: whether it plays its highest card.
const HIGH: &str = r#"[{"name":"high","kind":"switch","default":false,"about":"plays its highest card"}]"#;
/// A parameter of each other kind.
const OTHERS: &str = r#"[{"name":"nerve","kind":"number","low":0,"high":1,"step":0.5,"default":0.5},
    {"name":"risk","kind":"integer","low":0,"high":5,"default":1,"about":"unseen cards"},
    {"name":"lead","kind":"choice","choices":["high","low"],"default":"low"},
    {"name":"book","kind":"text","default":"none"}]"#;

/// Writes the manifest of a bot with these parameters and settings, and returns its file.
fn bot(sandbox: &Sandbox, parameters: &str, settings: &str) -> String {
    let double = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/knobs.py");
    // Its folder is the only one that it may read.
    fs::copy(double, sandbox.path("bots/knobs.py")).unwrap();
    let manifest = format!(
        "name = \"mine\"\nstrategy = \"process\"\n[parameters]\nstart-timeout = 600\nmove-timeout = 600\n\
         command = [\"python3\", \"-S\", \"knobs.py\", '''{parameters}''']\n{settings}\n"
    );
    sandbox.write("bots/mine.toml", &manifest);
    sandbox.path("bots/mine.toml").display().to_string()
}

/// Runs a command in this process: how it ended and what it printed, or the error.
fn call(args: &[&str]) -> Result<(Ended, String), String> {
    let host = Arc::new(Host::new(Register::default(), None));
    let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
    let ended = host.call(&args).map_err(|error| error.to_string())?;
    Ok((ended, host.take_printed()))
}

/// The error of a command, one line, with the folder of the sandbox left out.
fn refused(sandbox: &Sandbox, args: &[&str]) -> String {
    let message = call(args).err().unwrap().replace(&sandbox.path("").display().to_string(), "");
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

#[test]
fn declared_parameters_are_listed_in_every_format() {
    let sandbox = Sandbox::new();
    let bot = bot(&sandbox, OTHERS, "");
    let list = |more: &[&str]| call(&[&["list", "parameters", &bot], more].concat()).unwrap().1;
    let csv = list(&["--format", "csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines,
        [
            "strategy,parameter,kind,default,low,high,about",
            "process,settings.nerve,number,0.5,0.0,1.0,",
            "process,settings.risk,whole number,1,0.0,5.0,unseen cards",
            "process,settings.lead,\"\"\"high\"\" or \"\"low\"\"\",\"\"\"low\"\"\",,,",
            "process,settings.book,text,\"\"\"none\"\"\",,,",
        ]
    );
    let json: serde_json::Value = serde_json::from_str(&list(&["--format", "json", "--variant", "dumbo"])).unwrap();
    assert_eq!((&json[1]["parameter"], &json[1]["high"]), (&"settings.risk".into(), &5.0.into()));
    let text = list(&[]);
    assert!(text.contains("settings.risk (of process, kind: whole number, default 1, range 0 to 5)"), "{text}");
    assert!(text.contains("unseen cards\n"), "{text}");
    let wrong = refused(&sandbox, &["list", "parameters", &bot, "--variant", "euchre-24"]);
    let plays = "mine does not start: wrong-handshake: it plays dumbo, colour-blind-2, and not euchre-24";
    assert!(wrong.starts_with(&format!("bots/mine.toml: {plays}; mend it")), "{wrong}");
}

/// The error of listing the parameters of a bot in Python with these settings, or what is printed.
fn list_python(sandbox: &Sandbox, settings: &str) -> Result<String, String> {
    let helper = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/examples/overtrick.py");
    fs::copy(helper, sandbox.path("bots/overtrick.py")).unwrap();
    let code = "import overtrick\nfrom overtrick import Knob\nchoose = lambda view: view.pick(view.legal)\n";
    sandbox.write("bots/ada.py", &format!("{code}overtrick.run(\"ada\", choose, settings={{{settings}}})\n"));
    let command = "command = [\"python3\", \"-S\", \"ada.py\"]\nstart-timeout = 600";
    sandbox.write("bots/ada.toml", &format!("name = \"ada\"\nstrategy = \"process\"\n[parameters]\n{command}\n"));
    let file = sandbox.path("bots/ada.toml").display().to_string();
    call(&["list", "parameters", &file, "--format", "csv"]).map(|(_, printed)| printed)
}

#[test]
fn the_helper_for_python_declares_every_kind() {
    let sandbox = Sandbox::new();
    let settings = "\"a\": Knob.number(0, 1, 0.5, \"nerve\", step=0.1), \"b\": Knob.integer(-3, 3, 0), \"c\": Knob.switch(True), \
                    \"d\": Knob.choice([\"x\", \"y\"], \"y\"), \"e\": Knob.text(\"\")";
    let csv = list_python(&sandbox, settings).unwrap();
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(
        rows,
        [
            "process,settings.a,number,0.5,0.0,1.0,nerve",
            "process,settings.b,whole number,0,-3.0,3.0,",
            "process,settings.c,true or false,true,,,",
            "process,settings.d,\"\"\"x\"\" or \"\"y\"\"\",\"\"\"y\"\"\",,,",
            "process,settings.e,text,\"\"\"\"\"\",,,",
        ]
    );
    let message = list_python(&sandbox, "\"a\": Knob.switch(True), \"b\": 3").unwrap_err();
    assert!(message.contains("b: not a Knob, while other settings are"), "{message}");
}

#[test]
fn a_bot_may_declare_nothing() {
    let sandbox = Sandbox::new();
    for (parameters, noted) in [("null", true), ("[]", false)] {
        let bot = bot(&sandbox, "[]", "settings.any = 3");
        let text = fs::read_to_string(&bot).unwrap().replace("'''[]'''", &format!("'''{parameters}'''"));
        fs::write(&bot, text).unwrap();
        let host = Arc::new(Host::default());
        let listed = host.call(&["list", "parameters", &bot, "--format", "json"].map(str::to_owned));
        if noted {
            assert!(matches!(listed, Ok(Ended::Done)) && host.take_printed() == "[]\n");
            assert_eq!(host.take_notes(), ["note: mine declares no parameters, so it takes any `settings`"]);
        } else {
            let message = listed.err().unwrap().to_string();
            assert!(message.contains("`parameters.settings.any`: is no parameter of the bot, which declares none"));
        }
        let message = refused(&sandbox, &["tune", &bot, "--variant", "dumbo"]);
        assert!(message.contains(if noted {
            "mine declares no parameters that can be tuned"
        } else {
            "declares none"
        }));
    }
}

#[test]
fn other_bots_have_the_parameters_of_their_strategy() {
    let list = |more: &[&str]| call(&[&["list", "parameters"], more, &["--format", "json"]].concat()).unwrap().1;
    assert_eq!(list(&["cautious"]), list(&["rule-based"]));
    let dumbo: Vec<serde_json::Value> = serde_json::from_str(&list(&["rule-based", "--variant", "dumbo"])).unwrap();
    assert!(dumbo.len() > 3 && dumbo.iter().all(|row| row["parameter"].as_str().unwrap().starts_with("dumbo.")));
    let unknown = call(&["list", "parameters", "pimx"]).err().unwrap();
    assert!(unknown.contains("no strategy \"pimx\" (did you mean pimc?)") && unknown.contains("`overtrick list bots`"));
}

#[test]
fn a_bad_declaration_is_refused_with_file_bot_and_key() {
    let sandbox = Sandbox::new();
    let bot = bot(&sandbox, r#"[{"name":"risk","kind":"integer","low":0,"default":1}]"#, "");
    let place = "bots/mine.toml: mine does not start: wrong-handshake: `parameters #1.high` is missing: give the \
                 greatest value";
    for args in [&["list", "parameters", &bot][..], &["tune", &bot, "--variant", "dumbo"]] {
        let message = refused(&sandbox, args);
        assert!(message.starts_with(place), "{message}");
    }
    let message = refused(&sandbox, &["duel", &bot, "random", "--variant", "dumbo", "--deals", "1"]);
    assert!(message.contains("mine does not start, so nothing was played: wrong-handshake: `parameters #1.high`"));
}

#[test]
fn settings_that_do_not_fit_are_refused_before_the_first_deal() {
    let sandbox = Sandbox::new();
    for (settings, said) in [
        ("settings.rsik = 1", "rsik`: is no parameter of the bot (did you mean risk?), which declares nerve, risk, "),
        ("settings.risk = 9", "risk`: is 9, but must be 0 to 5"),
        ("settings.nerve = \"1\"", "nerve`: is \"1\", but must be a number, 0 to 1"),
    ] {
        let bot = bot(&sandbox, OTHERS, settings);
        let message = refused(&sandbox, &["tune", &bot, "--variant", "dumbo"]);
        assert!(message.starts_with(&format!("bots/mine.toml:10: `parameters.settings.{said}")), "{message}");
        let message = refused(&sandbox, &["duel", &bot, "random", "--variant", "dumbo", "--deals", "1"]);
        let said = said.replace("`: ", "` ");
        assert!(message.contains(&format!("wrong-handshake: `settings.{said}")), "{message}");
    }
}

#[test]
fn values_that_a_config_tries_are_checked_too() {
    let sandbox = Sandbox::new();
    let bot = bot(&sandbox, OTHERS, "settings = { nerve = 0.5, lead = \"low\" }");
    let out = sandbox.path("out").display().to_string();
    let refused = |parameter: &str, said: &str| {
        let config = format!(
            "seed = 1\n[tune]\nbot = {bot:?}\nvariants = [\"dumbo\"]\nagainst = \"itself\"\ngames = 99999\n\
             [tune.parameters]\n{parameter}\n"
        );
        sandbox.write("t.toml", &config);
        let message = refused(&sandbox, &["tune", &sandbox.path("t.toml").display().to_string(), "--out", &out]);
        assert!(message.starts_with(&format!("t.toml:8: `tune.parameters.settings.{said}")), "{message}");
        assert!(!sandbox.path("out").exists());
    };
    refused("\"settings.nerve\" = { low = 0.0, high = 1.5 }", "nerve`: allows 1.5: is 1.5, but must be 0 to 1");
    refused("settings.lead = [\"low\", \"hihg\"]", "lead`: allows \"hihg\": is \"hihg\", but must be one of");
}

#[test]
fn processes_that_declare_different_parameters_are_refused() {
    let sandbox = Sandbox::new();
    let bot = bot(&sandbox, "\"fickle\"", "");
    let message = refused(&sandbox, &["tune", &bot, "--variant", "dumbo"]);
    let said = "mine does not start, so nothing was played: wrong-handshake: it declares other parameters than a process \
                of it did before: `nerve` is a whole number, 0 to ";
    assert!(message.contains(said), "{message}");
}

#[test]
fn a_bot_is_tuned_from_its_declaration() {
    let sandbox = Sandbox::new();
    let bot = bot(&sandbox, HIGH, "");
    let tune = |subject: &str, out: &str, more: &[&str]| {
        let out = sandbox.path(out).display().to_string();
        let (ended, printed) = call(&[&["tune", subject, "--out", &out, "--threads", "1"], more].concat()).unwrap();
        assert!(matches!(ended, Ended::Done), "{printed}");
        printed
    };
    let options = ["--variant", "colour-blind-2", "--against", "itself"];
    tune(&bot, "out", &options);
    let (out, again) = (sandbox.path("out"), sandbox.path("again"));
    let config: toml::Table = fs::read_to_string(out.join("config.toml")).unwrap().parse().unwrap();
    let tuned = &config["tune"];
    assert_eq!((config["name"].as_str(), config["seed"].as_integer()), (Some("tune-mine-colour-blind-2"), Some(1)));
    assert_eq!(tuned["bot"]["parameters"]["settings"]["high"].as_bool(), Some(false));
    assert_eq!(tuned["parameters"]["settings.high"].as_array().unwrap().len(), 2);
    let optimum = &rows(&out.join("optimum.csv"))[0];
    assert_eq!((optimum["parameter"].as_str(), optimum["start"].as_str()), ("settings.high", "false"));
    assert_eq!(summary(&out)["faults"], 0);
    assert!(tune(&bot, "out", &[&options[..], &["--resume"]].concat()).starts_with("nothing to do: "));
    // The config in the results is one like any other.
    tune(&out.join("config.toml").display().to_string(), "again", &[]);
    same_tuning(&out, &again);
    let games = tuned["games"].as_integer().unwrap();
    let fewer = (games - 1).to_string();
    let message = refused(&sandbox, &[&["tune", &bot, "--games", &fewer], &options[..]].concat());
    let said =
        format!("`--games`: is {fewer}; this takes at least {games}: give more, or fewer parameters or line-ups");
    assert!(message.starts_with(&said), "{message}");
}

#[test]
fn a_tuning_without_a_config_goes_on_where_it_was_stopped() {
    let sandbox = Sandbox::new();
    let bot = bot(&sandbox, HIGH, "");
    let args = |out: &str| {
        let out = sandbox.path(out).display().to_string();
        let fixed =
            ["tune", &bot, "--variant", "colour-blind-2", "--against", "itself", "--threads", "1", "--out", &out];
        fixed.map(str::to_owned).to_vec()
    };
    let host = Arc::new(Host::default());
    assert!(matches!(host.call(&args("whole")), Ok(Ended::Done)));
    let stopped = Arc::new(Host::default());
    let is_over = AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        // The first step of the race is over, or by now all of them.
        scope.spawn(|| {
            while stopped.progress().done == 0 && !is_over.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            stopped.stop();
        });
        let ended = stopped.call(&args("out"));
        is_over.store(true, Ordering::Relaxed);
        ended.map_err(|error| error.to_string()).unwrap()
    });
    assert_eq!(matches!(ended, Ended::Interrupted), sandbox.path("out/checkpoint.bin").exists());
    let resumed = Arc::new(Host::default());
    assert!(matches!(resumed.call(&[args("out"), vec!["--resume".to_owned()]].concat()), Ok(Ended::Done)));
    same_tuning(&sandbox.path("whole"), &sandbox.path("out"));
}

#[test]
fn a_strategy_is_tuned_by_the_parameters_of_its_game() {
    let sandbox = Sandbox::new();
    let out = sandbox.path("out").display().to_string();
    let options = ["--variant", "colour-blind-2", "--against", "itself", "--out", &out];
    call(&[&["tune", "rule-based"], &options[..]].concat()).unwrap();
    let plan = TunePlan::read(&sandbox.path("out/config.toml"), &Register::default()).unwrap();
    assert!(plan.space.axes.iter().all(|axis| axis.key.starts_with("colour-blind.")) && plan.space.axes.len() > 1);
    assert_eq!(plan.games, Some(plan.fewest_games()));
}

#[test]
fn parameters_that_take_time_are_left_alone() {
    let sandbox = Sandbox::new();
    let message = refused(&sandbox, &["tune", "pimc-20", "--variant", "euchre-24", "--games", "1"]);
    assert!(message.starts_with("`--games`: is 1; this takes at least "), "{message}");
    for bot in ["random", "restricted.toml"] {
        sandbox.write("restricted.toml", "name = \"r\"\nstrategy = \"restricted\"\n");
        let file = sandbox.path(bot).display().to_string();
        let bot = if bot == "random" { bot } else { &file };
        let message = refused(&sandbox, &["tune", bot, "--variant", "euchre-24"]);
        assert!(message.contains("has no parameters to tune in euchre-24 without a config"), "{message}");
    }
}

#[test]
fn options_and_subjects_must_go_together() {
    let sandbox = Sandbox::new();
    let message = refused(&sandbox, &["tune", "rule-based"]);
    assert!(message.starts_with("`--variant`: is missing: name the variant in which rule-based is tuned, or give a"));
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/tune-cautious.toml");
    for (option, value, key) in [
        ("--variant", "dumbo", "variants"),
        ("--games", "5", "games"),
        ("--against", "random", "against"),
        ("--seed", "5", "seed"),
    ] {
        let message = refused(&sandbox, &["tune", config, option, value]);
        assert!(message.starts_with(&format!("`{option}`: goes with a bot, and ")), "{message}");
        assert!(message.ends_with(&format!("is a config: change its key `{key}`")), "{message}");
    }
    for (args, said) in [
        (&["rule-basd", "--variant", "dumbo"][..], "there is no bot \"rule-basd\" (did you mean rule-based?)"),
        (&["rule-based", "--variant", "dumb"], "`--variant`: there is no variant \"dumb\" (did you mean dumbo?)"),
        (
            &["rule-based", "--variant", "dumbo", "--against", "random,radnom"],
            "`--against`: there is no bot \"radnom\"",
        ),
        (&["rule-based", "--variant", "dumbo", "--games", "0"], "invalid value '0' for '--games <GAMES>'"),
    ] {
        let message = call(&[&["tune"], args].concat()).err().unwrap();
        assert!(message.starts_with(said), "{message}");
    }
}
