//! Checks that the bots of a config can play its variants.

use std::sync::Arc;

use overtrick_external::BuildContext;
use overtrick_game::{FieldError, FullGame};
use overtrick_games::{Variant, Visitor};
use overtrick_strategies::{AnySpec, Bot, places, unfolded};
use overtrick_toml::{InputError, Source, key};
use toml::{Table, Value};

use super::BotChange;

/// The places in the config and on the command line that define a bot.
pub(super) struct Origin<'a> {
    /// The bot's entry in the list `bots`; `None` if a change added the bot.
    pub(super) value: Option<&'a Value>,
    /// The changes to this bot, in their order.
    pub(super) changes: Vec<&'a BotChange>,
}

/// Checks that every bot can play every variant. `origins` has one entry for each bot.
pub(super) fn check(
    source: &Source,
    origins: &[Origin<'_>],
    bots: &[Bot],
    variants: &[Variant],
) -> Result<(), InputError> {
    for (number, (origin, bot)) in origins.iter().zip(bots).enumerate() {
        for variant in variants {
            if let Err(error) = variant.game.visit(Plays(&bot.spec, variant)) {
                return Err(misfit(source, number, origin, bot, variant, error));
            }
        }
    }
    Ok(())
}

/// Checks that a bot can play every variant.
///
/// # Errors
/// Returns the reason why it cannot.
pub fn check_eligible(bot: &Bot, variants: &[Variant]) -> Result<(), String> {
    variants.iter().try_for_each(|variant| match variant.game.visit(Plays(&bot.spec, variant)) {
        Ok(()) => Ok(()),
        Err(error) if error.key.is_empty() => Err(does_not_play(bot, variant, &error.problem)),
        Err(error) => {
            Err(format!("{}: `parameters.{}` {} (variant {})", bot.name, error.key, error.problem, variant.name))
        }
    })
}

/// Returns the error of a bot whose strategy has this problem with a variant, with the remedy.
fn does_not_play(bot: &Bot, variant: &Variant, problem: &str) -> String {
    let of = if variant.name == variant.game.name() { String::new() } else { format!(" (variant {})", variant.name) };
    let remedy = "`random` plays every game, and so do `pimc` and `ismcts` with `rollout = \"random\"`";
    format!("{}: the strategy `{}` {problem}{of}; {remedy}", bot.name, bot.spec.name())
}

/// Returns the error for bot `number`, which cannot play a variant. If a parameter causes it, the error names
/// the place where the parameter is set or could be set.
fn misfit(
    source: &Source,
    number: usize,
    origin: &Origin<'_>,
    bot: &Bot,
    variant: &Variant,
    error: FieldError,
) -> InputError {
    let at = [key("bots"), key(&number.to_string())].concat();
    let parameter = [key("parameters"), key(error.key)].concat();
    let last = || origin.changes.last().filter(|_| origin.value.is_none());
    let change = origin.changes.iter().rfind(|change| change.sets(error.key)).or_else(last);
    if error.key.is_empty() {
        let problem = does_not_play(bot, variant, &error.problem);
        return change.map_or_else(|| source.error(&at, &problem), |change| change.error(&problem));
    }
    let problem = format!("{} (variant {}, bot {})", error.problem, variant.name, bot.name);
    let elsewhere = format!("`{}` {problem}", parameter.join("."));
    if let Some(change) = change {
        return change.error(elsewhere);
    }
    let base = match origin.value {
        Some(Value::String(text)) => Some(text.as_str()),
        Some(Value::Table(table)) if !sets(table, &parameter) => table.get("bot").and_then(Value::as_str),
        _ => None,
    };
    match base.and_then(|text| places(source, text).into_iter().find(|file| file.exists())) {
        Some(file) => Source::read(&file).map_or_else(|error| error, |manifest| manifest.error(&parameter, problem)),
        // A built-in bot has no file to name.
        None if origin.value.is_some_and(Value::is_str) => source.error(&at, elsewhere),
        None => source.error(&[at, parameter].concat(), problem),
    }
}

/// Returns true if a bot's table sets a parameter, as a dotted key or in a nested table.
fn sets(table: &Table, parameter: &[String]) -> bool {
    let whole = unfolded(table).map(Value::Table);
    whole.is_ok_and(|whole| parameter.iter().try_fold(&whole, |value, part| value.get(part)).is_some())
}

struct Plays<'a>(&'a AnySpec, &'a Variant);

impl Visitor for Plays<'_> {
    type Output = Result<(), FieldError>;
    fn visit<G: FullGame>(self, _game: &Arc<G>) -> Result<(), FieldError> {
        self.0.build::<G>(&BuildContext::of(self.1)).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the error for a changed bot with the entry `bot`, which cannot play Dumbo because of `field`.
    fn said(folder: &std::path::Path, bot: &str, changes: &[&str], field: &'static str, problem: &str) -> String {
        let text = format!("seed = 1\nbots = [\n  {bot}\n]\n");
        let source = Source::parse(&folder.join("c.toml"), text).unwrap();
        let value = source.table()["bots"].get(0).cloned();
        let spec = AnySpec::Pimc(Default::default());
        let bot = Bot { name: "mine".to_owned(), about: String::new(), spec };
        let error = FieldError { key: field, problem: problem.to_owned() };
        let variant = Variant::preset("dumbo").unwrap();
        let changes: Vec<BotChange> = changes.iter().map(|text| text.parse().unwrap()).collect();
        let origin = Origin { value: value.as_ref(), changes: changes.iter().collect() };
        misfit(&source, 0, &origin, &bot, &variant, error).to_string().replace(&format!("{}/", folder.display()), "")
    }

    #[test]
    fn the_parameter_to_blame_is_named_where_it_stands() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = "name = \"mine\"\nstrategy = \"pimc\"\n\n[parameters]\nworlds = 5\nrollout = \"rule-based\"\n";
        std::fs::write(folder.path().join("mine.toml"), manifest).unwrap();
        let changed = |bot: &str, changes: &[&str], field| said(folder.path(), bot, changes, field, "is wrong");
        let said = |bot: &str, field, problem: &str| said(folder.path(), bot, &[], field, problem);
        let rollout = "is wrong: write \"random\"";
        assert_eq!(
            said("\"mine.toml\"", "rollout", rollout),
            "mine.toml:6: `parameters.rollout`: is wrong: write \"random\" (variant dumbo, bot mine)"
        );
        // A default that is written nowhere is reported where it could be set.
        assert!(said("\"mine.toml\"", "trust", "is 1").starts_with("mine.toml:4: `parameters.trust`: is 1"));
        // An overridden parameter is reported in the config, and any other in the bot's own file.
        let other = "{bot = \"mine.toml\", name = \"x\", parameters = {\"worlds\" = 6, rollout = \"rule-based\"}}";
        let place = "c.toml:3: `bots #1.parameters.rollout`: ";
        assert!(said(other, "rollout", rollout).starts_with(place), "{}", said(other, "rollout", rollout));
        let unchanged = "{bot = \"mine.toml\", name = \"x\", parameters = {worlds = 6}}";
        assert!(said(unchanged, "rollout", rollout).starts_with("mine.toml:6: `parameters.rollout`: "));
        // The same holds for changes from the command line. They alone are reported for a bot that they add.
        let sets = ["mine:rollout=random", "mine:worlds=6"];
        assert_eq!(
            changed("\"mine.toml\"", &sets, "rollout"),
            "`--set mine:rollout=random`: `parameters.rollout` is wrong (variant dumbo, bot mine)"
        );
        assert!(changed("\"mine.toml\"", &sets, "trust").starts_with("mine.toml:4: `parameters.trust`: is wrong"));
        assert!(changed("", &sets, "trust").starts_with("`--set mine:worlds=6`: `parameters.trust` is wrong"));
        assert!(changed("", &sets, "").starts_with("`--set mine:worlds=6`: mine: the strategy `pimc` is wrong"));
        assert!(changed("\"mine.toml\"", &sets, "").starts_with("c.toml:3: `bots #1`: mine: the strategy"));
        let inline = "{name = \"mine\", strategy = \"pimc\"}";
        assert_eq!(
            said(inline, "rollout", rollout),
            "c.toml:3: `bots #1.parameters.rollout`: is wrong: write \"random\" (variant dumbo, bot mine)"
        );
        assert_eq!(
            said(inline, "", "does not play dumbo"),
            "c.toml:3: `bots #1`: mine: the strategy `pimc` does not play dumbo; `random` plays every game, and so do `pimc` and `ismcts` with `rollout = \"random\"`"
        );
    }
}
