//! Bots that keep the processor busy: their load is no weapon against the time of others.

use crate::fixtures::sandbox::Sandbox;

const DOUBLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/double.py");

/// A double that has this number of seconds for an answer.
fn bot(how: &str, timeout: f64) -> String {
    format!(
        "{{name = {how:?}, strategy = \"process\", parameters = {{command = [\"python3\", \"-S\", {DOUBLE:?}, {how:?}], \
         move-timeout = {timeout}, start-timeout = 600, memory-limit = 512}}}}"
    )
}

/// The faults of a bot, as bots.csv has them.
fn faults(sandbox: &Sandbox, bot: &str) -> String {
    let mut reader = csv::Reader::from_path(sandbox.path("out/bots.csv")).unwrap();
    let column = reader.headers().unwrap().iter().position(|column| column == "fault-kinds").unwrap();
    let row = reader.records().map(Result::unwrap).find(|row| &row[1] == bot).unwrap();
    row[column].to_owned()
}

/// Each answer takes a twentieth of a second of the bot's own processor time, and it has two seconds. With a hundred
/// others on each of a few cores that would not suffice.
#[test]
#[ignore = "long: keeps the processor busy"]
fn spinning_children_of_one_bot_give_the_honest_one_no_time_out() {
    let sandbox = Sandbox::new();
    let bots = [bot("thinker", 2.0), bot("load", 600.0)].join(", ");
    let head = "seed = 11\ndeals = 1\naudit = 0.0\nvariants = [\"colour-blind-2\"]\n";
    sandbox.write("t.toml", &format!("{head}bots = [{bots}]\n"));
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--out", "out", "--threads", "2", "--quiet"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(["thinker", "load"].map(|bot| faults(&sandbox, bot)), ["", ""]);
}
