//! Settings of external bots: they get their settings, and play by them.

use std::fs;
use std::path::Path;

use crate::fixtures::sandbox::{CONFIG, Sandbox, same_files};
use overtrick::game::Game;
use overtrick::games::dumbo::Dumbo;
use overtrick::protocol::{Greeting, Message, VariantSeen};
use overtrick::strategies::process::trial::Trial;
use overtrick::strategies::process::{Params, Session};
use overtrick::strategies::{AnySpec, Bot, Register, StrategySpec};
use overtrick::toml_source::Source;

/// A manifest of the bot that counts cards.
fn manifest(settings: &str) -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/examples/counting.py");
    format!(
        "name = \"counting\"\nstrategy = \"process\"\n[parameters]\ncommand = [\"python3\", \"-S\", {file:?}]\n\
         start-timeout = 600\nmove-timeout = 600\n{settings}\n"
    )
}

fn read(settings: &str) -> Result<Bot, String> {
    let source = Source::parse(Path::new("b.toml"), manifest(settings)).unwrap();
    Bot::from_table(&source, &[], source.table()).map_err(|error| error.to_string())
}

fn params(bot: Bot) -> Params {
    match bot.spec {
        AnySpec::Process(params) => params,
        other => panic!("{other:?}"),
    }
}

/// The first message to a bot.
fn hello(params: &Params) -> String {
    let mut line = Vec::new();
    Message::Hello(Greeting { settings: params.settings.clone(), ..Greeting::default() }).write(&mut line);
    String::from_utf8(line).unwrap()
}

#[test]
fn settings_are_told_as_they_are_written_and_nothing_is_told_without_them() {
    let version = env!("CARGO_PKG_VERSION");
    let none = params(read("").unwrap());
    assert_eq!(hello(&none), format!("{{\"hello\":{{\"protocol\":1,\"overtrick\":\"{version}\"}}}}\n"));
    assert!(!StrategySpec::parameters(&none).contains_key("settings"));
    // The first number is one of 32 bits written in 64, which parameters of other strategies do not keep so.
    let settings = "[parameters.settings]\na = 0.10000000149011612\nb = 50331648.0\nc = -7\nd = true\ne = \"x\"\n\
                    f = [1, \"y\", [2.5]]\n\"g.h\" = 1\ni = 2026-01-31";
    let all = read(settings).unwrap();
    let told = "{\"a\":0.10000000149011612,\"b\":50331648.0,\"c\":-7,\"d\":true,\"e\":\"x\",\"f\":[1,\"y\",[2.5]],\
                \"g\":{\"h\":1},\"i\":\"2026-01-31\"}";
    assert!(hello(&params(all.clone())).ends_with(&format!(",\"settings\":{told}}}}}\n")), "{}", hello(&params(all)));
    let all = read(settings).unwrap();
    let again = Source::parse(Path::new("config.toml"), toml::to_string(&all.to_table()).unwrap()).unwrap();
    assert_eq!(Bot::from_table(&again, &[], again.table()).unwrap(), all);
}

#[test]
fn what_no_message_can_hold_is_refused_where_it_stands() {
    for (settings, start) in [
        ("[parameters.settings]\nx.y = nan", "b.toml:8: `parameters.settings.x.y`: nan cannot be sent to a bot"),
        ("settings.list = [1.0, [inf]]", "b.toml:7: `parameters.settings.list`: inf cannot be sent to a bot"),
        ("settings = 3", "b.toml:7: `parameters.settings`: is of the wrong kind: "),
    ] {
        let message = read(settings).unwrap_err();
        assert!(message.starts_with(start), "{settings}: {message}");
    }
}

#[test]
fn a_bot_plays_by_its_settings() {
    let game = Dumbo::new(Default::default()).unwrap();
    let moves = |settings: &str| {
        let mut session = Session::start(&params(read(settings).unwrap()), None, &Default::default()).unwrap();
        let declared = session.hello().parameters.as_ref().and_then(|knobs| knobs.get("risk"));
        assert_eq!(declared.map(|knob| knob.default.as_integer()), Some(Some(0)));
        session.tell(&Message::Variant(VariantSeen::of(&game, "dumbo", "dumbo"))).unwrap();
        let played = Trial::new(&game, "dumbo").play(&mut session, 0..12, 64);
        assert!(played.end.is_none() && played.illegal.is_empty(), "{played:?}");
        played.moves
    };
    let careful = moves("");
    assert!(careful == moves("settings.risk = 0"), "0 is the default");
    assert!(careful != moves("settings.risk = 5"), "it does not look at the setting");
}

#[test]
fn configs_and_options_change_settings_and_results_keep_them() {
    let sandbox = Sandbox::new();
    sandbox.write("bots/counting.toml", &manifest("settings.risk = 0"));
    let bold = "{ bot = \"counting\", name = \"bold\", parameters = { \"settings.risk\" = 5 } }";
    let config = CONFIG.replace("\"one\", \"two\", \"three\"", &format!("\"counting\", {bold}"));
    let config = config.replace("300", "6\naudit = 0.0\nformat = \"duel\"").replace("\"dumbo\", ", "");
    sandbox.write("t.toml", &config);
    let run = |args: &[&str]| {
        // Each thread has its processes, which take longest to start.
        let (code, _, stderr) = sandbox.run(&[&["run"], args, &["--threads", "1", "--quiet"]].concat());
        assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}");
    };
    let risks = |out: &str| {
        let text = fs::read_to_string(sandbox.path(out).join("config.toml")).unwrap();
        let config: toml::Table = text.parse().unwrap();
        let bots = config["bots"].as_array().unwrap().iter();
        bots.map(|bot| bot["parameters"]["settings"]["risk"].as_integer().unwrap()).collect::<Vec<_>>()
    };
    run(&["t.toml", "--out", "a"]);
    assert_eq!(risks("a"), [0, 5]);
    run(&["a/config.toml", "--out", "b"]);
    same_files(&sandbox.path("a"), &sandbox.path("b"));
    run(&["t.toml", "--out", "c", "--set", "counting:settings.risk=3"]);
    assert_eq!(risks("c"), [3, 5]);
    // A setting that the bot does not declare is refused.
    let message = sandbox.refused(&["run", "t.toml", "--out", "d", "--set", "counting:settings.rsik=3"]);
    assert!(message.contains("`settings.rsik` is no parameter of the bot (did you mean risk?)"), "{message}");
    assert!(!sandbox.path("d").exists());
}

#[test]
fn settings_are_listed_among_the_parameters() {
    let listed = Register::default().list_parameters("process").unwrap();
    let settings = listed.iter().find(|row| row.parameter == "settings").unwrap();
    assert_eq!((settings.kind.as_str(), settings.default.as_str()), ("table", ""));
    assert!(settings.about.contains("`hello`"), "{settings:?}");
}
