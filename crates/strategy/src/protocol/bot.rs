//! The bot's side of the protocol, for bots in Rust: reads messages, asks the bot, writes answers.
//!
//! ```
//! use overtrick_strategy::protocol::bot::{Bot, run};
//! use overtrick_strategy::protocol::{Batching, Decision, Hello};
//!
//! /// Plays any legal move.
//! struct Anything;
//!
//! impl Bot for Anything {
//!     fn hello(&self) -> Hello {
//!         let (name, variants) = ("anything".into(), vec!["all".into()]);
//!         Hello { name, variants, batch: Batching(64), deals: false, ..Hello::default() }
//!     }
//!     fn choose(&mut self, decision: &Decision<'_>) -> usize {
//!         decision.seed as usize % decision.legal.len()
//!     }
//! }
//!
//! let input = "{\"hello\":{\"protocol\":1,\"overtrick\":\"0.1.0\"}}\n{\"bye\":{}}\n";
//! let mut output = Vec::new();
//! run(&mut Anything, input.as_bytes(), &mut output).unwrap();
//! assert!(output.starts_with(b"{\"hello\":{\"name\":\"anything\""));
//! ```

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use serde::de::IgnoredAny;

use super::{DealEnd, DealStart, Decision, Hello, Message, Reply, VariantSeen};

/// A bot that answers the messages of the protocol.
pub trait Bot {
    /// Receives the bot's own settings from its manifest; called first.
    fn settings(&mut self, _settings: toml::Table) {}

    /// Returns the bot's introduction.
    fn hello(&self) -> Hello;

    /// Chooses a move and returns its index in `decision.legal`.
    fn choose(&mut self, decision: &Decision<'_>) -> usize;

    /// Receives a variant before its first deal.
    fn variant(&mut self, _variant: VariantSeen) {}

    /// Receives the beginning of a deal, if the bot's `hello` asks for `deals`.
    fn deal(&mut self, _deal: DealStart) {}

    /// Receives the end of a deal, if the bot's `hello` asks for `deals`.
    fn end(&mut self, _end: DealEnd) {}
}

/// Answers the messages of `input` until `bye` or the end of the input.
///
/// # Errors
/// If the input cannot be read or has a line that is not a message, or if the output cannot be written.
///
/// # Panics
/// If the bot returns an index outside `decision.legal`.
pub fn run(bot: &mut impl Bot, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let (mut line, mut answer) = (String::new(), Vec::new());
    while input.read_line(&mut line)? > 0 {
        match serde_json::from_str(&line) {
            Ok(Message::Decide(decisions)) => {
                let chosen = decisions.iter().map(|decision| {
                    let nth = bot.choose(decision);
                    (decision.id, decision.legal[nth].clone())
                });
                send(&Reply::Moves(chosen.collect()), &mut answer, &mut output)?;
            }
            Ok(Message::Hello(greeting)) => {
                bot.settings(greeting.settings);
                send(&Reply::Hello(bot.hello()), &mut answer, &mut output)?;
            }
            Ok(Message::Variant(variant)) => bot.variant(variant),
            Ok(Message::Deal(deal)) => bot.deal(deal),
            Ok(Message::End(end)) => bot.end(end),
            Ok(Message::Bye {}) => return Ok(()),
            // Later versions may have messages that this version does not know.
            Err(_) if is_unknown(&line) => {}
            Err(error) => return Err(error.into()),
        }
        line.clear();
    }
    Ok(())
}

/// Writes a line with one call.
fn send(reply: &Reply<'_>, line: &mut Vec<u8>, output: &mut impl Write) -> io::Result<()> {
    line.clear();
    serde_json::to_writer(&mut *line, reply)?;
    line.push(b'\n');
    output.write_all(line)?;
    output.flush()
}

/// Returns whether a line is a message of a kind that this version does not know.
fn is_unknown(line: &str) -> bool {
    let known = |name: &String| ["hello", "variant", "deal", "decide", "end", "bye"].contains(&name.as_str());
    serde_json::from_str::<BTreeMap<String, IgnoredAny>>(line).is_ok_and(|message| !message.keys().any(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts cards and settings, and asks for nothing.
    struct Idle(usize);

    impl Bot for Idle {
        fn settings(&mut self, settings: toml::Table) {
            self.0 += settings.len();
        }
        fn hello(&self) -> Hello {
            Hello { name: "idle".into(), variants: vec!["all".into()], deals: false, ..Hello::default() }
        }
        fn choose(&mut self, _decision: &Decision<'_>) -> usize {
            0
        }
        fn variant(&mut self, variant: VariantSeen) {
            self.0 += variant.deck.len();
        }
    }

    #[test]
    fn unknown_messages_and_keys_are_ignored_and_nonsense_is_an_error() {
        let variant = "{\"variant\":{\"variant\":\"v\",\"base\":\"b\",\"game\":\"g\",\"players\":3,\"hands\":[],\"deck\":[\"2C\"],\
                       \"rules\":{},\"weather\":\"fine\"}}\n";
        let mut bot = Idle(0);
        let mut output = Vec::new();
        let input = format!("{{\"tea\":{{}}}}\n{variant}{{\"bye\":{{}}}}\nnonsense\n");
        run(&mut bot, input.as_bytes(), &mut output).unwrap();
        assert_eq!((bot.0, output.len()), (1, 0));
        let hello = "{\"hello\":{\"protocol\":1,\"overtrick\":\"0.1.0\",\"settings\":{\"a\":1,\"b\":[true]}}}\n";
        run(&mut bot, hello.as_bytes(), &mut output).unwrap();
        assert_eq!(bot.0, 3);
        for nonsense in ["nonsense\n", "{\"decide\":7}\n", "{\"decide\":[{\"id\":1}]}\n"] {
            assert!(run(&mut bot, nonsense.as_bytes(), &mut output).is_err(), "{nonsense}");
        }
    }
}
