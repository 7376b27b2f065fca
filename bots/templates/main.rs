//! A bot for Overtrick. Change `choose`; then try it with `overtrick check`.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

/// The move to make: one of the texts in `decision["legal"]`. Overtrick's docs/protocol.md says what else is in a decision; `variant`
/// holds the rules of the game.
fn choose<'a>(decision: &'a Value, _variant: &Value) -> &'a Value {
    let legal = decision["legal"].as_array().expect("every decision has legal moves");
    // The seed is a random number below 2^32. A bot that has no other source of luck plays the same whenever it is asked the same.
    let seed = decision["seed"].as_u64().expect("every decision has a seed");
    &legal[((seed * legal.len() as u64) >> 32) as usize]
}

fn main() -> io::Result<()> {
    let mut variant = Value::Null;
    let mut output = io::stdout().lock();
    for line in io::BufReader::with_capacity(1 << 18, io::stdin()).lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let answer = if message.get("hello").is_some() {
            let name = env!("CARGO_PKG_NAME");
            // Up to 64 decisions come in one message, which saves time.
            json!({"hello": {"name": name, "protocol": 1, "variants": ["all"], "batch": 64, "deals": false}})
        } else if let Some(decisions) = message["decide"].as_array() {
            let moves: Vec<Value> =
                decisions.iter().map(|decision| json!([decision["id"], choose(decision, &variant)])).collect();
            json!({ "moves": moves })
        } else if message.get("bye").is_some() {
            break;
        } else {
            if let Some(told) = message.get("variant") {
                variant = told.clone();
            }
            continue;
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}
