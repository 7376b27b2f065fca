//! Detects a bot whose program changed between a run and its `--resume`, or between two shards.

use std::collections::BTreeSet;

/// Lines of a resolved configuration that do not concern the bots.
///
/// A run may continue with more numbers, and takes over a secret only if all other lines are equal.
const OF_THE_RUN: [&str; 3] = ["deals = ", "matches = ", "secret = "];

/// The key of a bot's program in a resolved configuration.
const DIGEST: &str = "digest = ";

/// Returns the first bot whose program in `own` differs from that in `theirs`.
///
/// `None` if no program differs, or if the configurations differ in more than programs, numbers and secret.
pub fn changed_program<'a>(theirs: &str, own: &'a str) -> Option<&'a str> {
    if !rest(theirs).eq(rest(own)) {
        return None;
    }
    let known: BTreeSet<_> = programs(theirs).collect();
    programs(own).find(|program| !known.contains(program)).map(|(bot, _)| bot)
}

/// Returns the lines that must be equal although programs, numbers or secret differ.
fn rest(config: &str) -> impl Iterator<Item = &str> {
    let is_left_out = |line: &str| OF_THE_RUN.iter().chain([&DIGEST]).any(|start| line.starts_with(start));
    config.lines().filter(move |line| !is_left_out(line))
}

/// Returns each bot with the line of its digest. A bot's name stands before its parameters.
fn programs(config: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut name = "";
    config.lines().filter_map(move |line| {
        if let Some(text) = line.strip_prefix("name = ") {
            name = text.trim_matches('"');
        }
        line.starts_with(DIGEST).then_some((name, line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(deals: u32, digests: [&str; 2]) -> String {
        let bot = |name: &str, digest: &str| {
            format!("[[bots]]\nname = {name:?}\n\n[bots.parameters]\ncommand = []\n{digest}\n")
        };
        format!("deals = {deals}\nname = \"run\"\n{}{}", bot("a", digests[0]), bot("b", digests[1]))
    }

    #[test]
    fn the_bot_with_another_program_is_named() {
        let [one, two] = ["digest = \"1\"", "digest = \"2\""];
        let before = config(3, [one, two]);
        assert_eq!(changed_program(&before, &before), None);
        assert_eq!(changed_program(&before, &config(3, [one, one])), Some("b"));
        assert_eq!(changed_program(&before, &config(9, [two, two])), Some("a"));
        assert_eq!(changed_program(&config(3, [one, ""]), &before.replace(two, one)), None);
        assert_eq!(changed_program(&before.replace("run", "walk"), &config(3, [one, one])), None);
    }
}
