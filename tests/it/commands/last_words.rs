//! The end of a bot's standard error is shown with its first fault.

use crate::fixtures::sandbox::Sandbox;

/// A bot that says something at its first decision, and ends.
const BOT: &str = r#"import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "hello" in m: print(json.dumps({"hello": {"name": "t", "protocol": 1, "variants": ["all"]}}), flush=True)
    elif "decide" in m:
        sys.stderr.write("\x1b[31mno model: [Errno 101] Network is unreachable\n")
        sys.exit(3)
"#;

#[test]
fn a_bot_that_gets_no_connection_is_seen_to_want_one() {
    let sandbox = Sandbox::new();
    sandbox.write("llm.py", BOT);
    let parameters = "command = [\"python3\", \"-S\", \"llm.py\"]\nmove-timeout = 600\nstart-timeout = 600";
    sandbox.write("llm.toml", &format!("name = \"llm\"\nstrategy = \"process\"\n[parameters]\n{parameters}\n"));
    let args = ["duel", "llm.toml", "one", "--variant", "colour-blind-2", "--deals", "1", "--threads", "1"];
    let (code, stdout, stderr) = sandbox.run(&args);
    assert!(code == 1 && stdout.contains("faults of llm"), "{stdout}{stderr}");
    let words = "the end of the standard error of llm at its first fault:\n\\u{1b}[31mno model: [Errno 101] Network is \
                 unreachable\n";
    assert!(stderr.contains(words), "{stderr}");
    if cfg!(target_os = "linux") {
        assert!(stderr.contains("there is no network in the sandbox"), "{stderr}");
    }
    // A duel leaves no results, but the log can be read.
    let folder = stderr.lines().find_map(|line| line.strip_prefix("the logs of bots are in ")).expect(&stderr);
    let log = std::fs::read_to_string(std::path::Path::new(folder).join("llm.log")).unwrap();
    assert!(log.starts_with("\u{1b}[31mno model"), "{log}");
    std::fs::remove_dir_all(folder).unwrap();
    // Where results are left, the log is among them; and with `--quiet` there is no message.
    let (_, _, stderr) = sandbox.run(&[&args[..], &["--out", "out", "--quiet"]].concat());
    assert_eq!(stderr, "");
    assert!(sandbox.path("out/llm.log").exists());
}
