//! Errors that quote what strangers wrote give the terminal no orders.

use crate::fixtures::sandbox::{CONFIG, Sandbox};

#[test]
fn keys_choices_columns_and_folders_of_strangers_are_printable() {
    let sandbox = Sandbox::new();
    let orders = "\\u001b]0;x\\u0007\\u202e";
    let config = |keys: &str| format!("{keys}\n{CONFIG}");
    let files = [
        ("key.toml", config(&format!("\"{orders}\" = 1"))),
        ("choice.toml", config(&format!("format = \"{orders}\""))),
        ("policy.toml", format!("{CONFIG}[faults]\npolicy = \"{orders}\"\n")),
        ("inner.toml", format!("{CONFIG}[faults]\n\"{orders}\\nerror: x\" = 1\n")),
        ("bot.toml", CONFIG.replace("\"one\"", &format!("\"{orders}\""))),
        ("file.toml", CONFIG.replace("\"one\"", &format!("\"{orders}.toml\""))),
        ("variant.toml", CONFIG.replace("\"dumbo\"", &format!("\"{orders}\""))),
        ("read.toml", config(&format!("bots-may-read = [\"{orders}\"]"))),
        ("out.toml", config(&format!("out = \"bots/one.toml/{orders}\""))),
    ];
    for (name, text) in files {
        sandbox.write(name, &text);
        let message = sandbox.refused(&["run", name]);
        check(&message);
    }
    sandbox.write("m.csv", "match,player,score,\u{1b}[2J\n1,a\u{1b}[2J,1,1\n1,a\u{1b}[2J,2,1\n");
    check(&sandbox.refused(&["rate", "m.csv"]));
    sandbox.write("m.csv", "match,match,\u{1b}[2J\n");
    check(&sandbox.refused(&["rate", "m.csv"]));
    sandbox.write("d.jsonl", "{\"hands\": {\"\\u001b[2J\": []}, \"\\u001b[2J\": 1}\n");
    check(&sandbox.refused(&["solve", "d.jsonl"]));
    check(&sandbox.refused(&["run", "\u{1b}[2J.toml"]));
    check(&sandbox.refused(&["report", "\u{1b}[2J"]));
}

/// Checks that a message is a line that shows what it quotes.
fn check(message: &str) {
    let line = message.strip_suffix('\n').unwrap();
    assert!(!line.contains(|letter: char| letter.is_control() || letter == '\u{202e}'), "{line:?}");
}
