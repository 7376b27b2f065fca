//! `overtrick check` reports the problems of a bot, and whether there are any.

use crate::fixtures::sandbox;
use crate::fixtures::sandbox::Sandbox;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

/// A bot that answers with what the Python expression `choice` makes of a decision `d`, and of `count`, the decisions
/// before it.
fn bot(sandbox: &Sandbox, choice: &str) {
    let script = format!(
        "import json, random, sys\ncount = 0\nfor line in sys.stdin:\n    message = json.loads(line)\n    reply = None\n    \
         if 'hello' in message:\n        reply = {{'hello': {{'name': 'x', 'protocol': 1, 'variants': ['dumbo'], 'batch': 16}}}}\n    \
         if 'decide' in message:\n        moves = []\n        for d in message['decide']:\n            \
         moves.append([d['id'], {choice}])\n            count += 1\n        reply = {{'moves': moves}}\n    \
         if reply:\n        print(json.dumps(reply), flush=True)\n"
    );
    sandbox.write("bots/x.py", &script);
    sandbox.write(
        "bots/x.toml",
        "name = \"x\"\nstrategy = \"process\"\n[parameters]\ncommand = [\"python3\", \"-S\", \"x.py\"]\n\
         start-timeout = 600\nmove-timeout = 3600\n",
    );
}

fn check(choice: &str) -> (i32, String) {
    let sandbox = Sandbox::new();
    bot(&sandbox, choice);
    let (code, stdout, stderr) = sandbox.run(&["check", "x", "--variant", "dumbo", "--deals", "20"]);
    assert_eq!(stderr, "");
    (code, stdout)
}

#[test]
fn what_is_found_is_told_to_programs_too() {
    let sandbox = Sandbox::new();
    let (code, stdout, _) = sandbox.run(&["check", "one", "--variant", "dumbo", "--deals", "5", "--format", "json"]);
    assert_eq!(code, 0, "{stdout}");
    let found: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&found["bot"], &found["fine"]), (&"one".into(), &true.into()));
    let row = &found["variants"][0];
    assert_eq!((&row["variant"], &row["problems"]), (&"dumbo".into(), &serde_json::json!([])));
    assert!(row["decisions"].as_u64().unwrap() > 0, "{found}");
    assert!(sandbox.refused(&["check", "thre"]).contains("no bot \"thre\" (did you mean three?)"));
}

#[test]
fn a_good_bot_is_fine() {
    let (code, stdout) = check("random.Random(d['seed']).choice(d['legal'])");
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("dumbo") && stdout.ends_with("x is fine\n"), "{stdout}");
}

#[test]
fn each_slip_is_told_with_its_line() {
    let (code, stdout) = check("random.choice(d['legal'])");
    assert_eq!(code, 1);
    assert!(stdout.contains("another choice when asked one by one") && stdout.contains("after a restart"), "{stdout}");
    let (code, stdout) = check("'BJ' if len(d['legal']) > 12 else d['legal'][0]");
    assert_eq!(code, 1);
    assert!(stdout.contains("dumbo: deal 0, move 0: illegal-move: ") && stdout.contains(" more\n"), "{stdout}");
    let (code, stdout) = check("'the ace'");
    assert_eq!(code, 1);
    assert!(stdout.contains("this is no move; the line: the ace"), "{stdout}");
    let (code, stdout) = check("7 if count > 30 else d['legal'][0]");
    assert_eq!(code, 1);
    assert!(stdout.contains("garbage: no message: ") && stdout.contains("the line: {\"moves\": [["), "{stdout}");
    let (code, stdout) = check("d['legal'][0] if count < 50 else 1 / 0");
    assert_eq!(code, 1);
    assert!(stdout.contains("exit: it ended with code 1") && stdout.contains("ZeroDivisionError"), "{stdout}");
}

#[test]
fn built_in_bots_are_tried_in_every_variant() {
    let sandbox = Sandbox::new();
    let (code, stdout, _) = sandbox.run(&["check", "one", "--deals", "4"]);
    assert_eq!(code, 0, "{stdout}");
    for variant in overtrick::games::Variant::names() {
        assert!(stdout.contains(variant), "{stdout}");
    }
}

#[test]
fn what_cannot_be_tried_is_refused_or_told() {
    let sandbox = Sandbox::new();
    assert!(sandbox.refused(&["check", "nobody"]).contains("looked for bots/nobody.toml; built in are"));
    bot(&sandbox, "d['legal'][0]");
    assert!(sandbox.refused(&["check", "x", "--variant", "euchre-24"]).contains("x plays none of these: euchre-24"));
    let (_, stdout, _) = sandbox.run(&["check", "bots/x.toml", "--deals", "2"]);
    assert!(stdout.contains("not played: ") && stdout.contains("euchre-24"), "{stdout}");
    sandbox.write("bots/x.py", "raise SystemExit('no, thank you')");
    let (code, stdout, _) = sandbox.run(&["check", "x"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("no-start: ") && stdout.contains("no, thank you"), "{stdout}");
    assert_eq!(stdout.matches("no-start").count(), 1, "{stdout}");
}

#[test]
fn ctrl_c_leaves_no_bot_behind() {
    let sandbox = Sandbox::new();
    bot(&sandbox, "open('pid', 'w').write(str(__import__('os').getpid()) + ' ') and __import__('time').sleep(3600)");
    // Without a sandbox, since the bot reports its number by a file, and inside a sandbox processes have other numbers.
    let mut command = sandbox.command(&["check", "x", "--variant", "dumbo", "--sandbox", "none"]);
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    let written = || std::fs::read_to_string(sandbox.path("bots/pid")).unwrap_or_default();
    sandbox::wait_for("a question to the bot", || written().ends_with(' '));
    let bot = Pid::from_raw(written().trim_end().parse().unwrap()).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(test_kill_process(bot).is_err(), "the bot is still there");
}
