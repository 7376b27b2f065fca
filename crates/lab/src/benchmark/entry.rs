//! The bot of a result: its manifest without places, its hash and its class.

use overtrick_strategies::Bot;
use overtrick_toml::printable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::hashing::sha256_of;

/// The compute that a WebAssembly module of the class `wasm` may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct WasmBudget {
    /// The most fuel of a decision.
    pub fuel: u64,
    /// The most memory, in MiB.
    pub memory_limit: u64,
}

/// The class of a bot, within which results are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BenchmarkClass {
    /// WebAssembly modules within the budget of the benchmark: equal compute and the same bytes on any machine.
    Wasm,
    /// All other bots.
    Unlimited,
}

impl BenchmarkClass {
    /// Returns the class of a bot by its manifest.
    pub fn of(manifest: &Table, budget: WasmBudget) -> BenchmarkClass {
        let is_within = |key: &str, most: u64| {
            let value = manifest.get("parameters").and_then(|parameters| parameters.get(key)?.as_integer());
            value.is_some_and(|value| u64::try_from(value).is_ok_and(|value| value <= most))
        };
        let is_wasm = manifest.get("strategy").and_then(Value::as_str) == Some(WASM);
        if is_wasm && is_within("fuel", budget.fuel) && is_within("memory-limit", budget.memory_limit) {
            BenchmarkClass::Wasm
        } else {
            BenchmarkClass::Unlimited
        }
    }

    /// Returns the name of the class in files.
    pub const fn name(self) -> &'static str {
        match self {
            BenchmarkClass::Wasm => "wasm",
            BenchmarkClass::Unlimited => "unlimited",
        }
    }
}

/// A bot that was entered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BenchmarkEntry {
    /// The name of the bot.
    pub name: String,
    /// The author, if one is named.
    pub author: Option<String>,
    /// The class.
    pub class: BenchmarkClass,
    /// The SHA-256 of its strategy and parameters, among them the hashes of its files.
    pub sha256: String,
    /// The strategy and its parameters, without the places of files.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub manifest: Table,
}

impl BenchmarkEntry {
    /// Returns the entry of a bot whose programs have their digests.
    pub fn new(bot: &Bot, author: Option<String>, budget: WasmBudget) -> BenchmarkEntry {
        let manifest = manifest(bot);
        let sha256 = sha256_of(&manifest);
        let class = BenchmarkClass::of(&manifest, budget);
        BenchmarkEntry { name: bot.name.clone(), author, class, sha256, manifest }
    }

    /// Returns the hash of a bot, which depends neither on its name nor on the places of its files.
    pub fn sha256_of(bot: &Bot) -> String {
        sha256_of(&manifest(bot))
    }

    /// Returns the manifest as a file has it, if the bot needs no files.
    pub fn whole_manifest(&self) -> Option<Table> {
        if needs_files(&self.manifest) {
            return None;
        }
        let mut whole = self.manifest.clone();
        whole.insert("name".to_owned(), Value::from(self.name.as_str()));
        Some(whole)
    }
}

/// The longest name of an author, in characters.
const LONGEST_AUTHOR: usize = 60;

/// Checks the name of an author, which tables show.
///
/// # Errors
/// If it is long, does not begin with a letter or a digit, or has control characters.
pub fn check_author(name: &str) -> Result<(), String> {
    let is_plain = name.chars().next().is_some_and(char::is_alphanumeric)
        && name == printable(name)
        && name.chars().count() <= LONGEST_AUTHOR;
    if is_plain {
        return Ok(());
    }
    Err(format!(
        "{name:?} is no name of an author: begin it with a letter, and use at most {LONGEST_AUTHOR} characters"
    ))
}

/// The parameters that name files or folders, by strategy.
const PLACES: [(&str, &str); 3] = [("process", "folder"), (WASM, "module"), ("onnx", "model")];
/// The strategy of WebAssembly modules.
const WASM: &str = "wasm";
/// The strategy of code that a Python program has provided, which no file has.
const CALLABLE: &str = "python";

/// The table of `rule-based` for games from files, which no benchmark has.
const TABLE_OF_FILES: &str = overtrick_strategies::rule_based::declared::TABLE;

/// Returns the strategy and its parameters, without the places of files and parameters of games from files.
fn manifest(bot: &Bot) -> Table {
    let parameters = Value::Table(bot.spec.parameters());
    let strategy = Value::from(bot.spec.name());
    let mut manifest = Table::from_iter([("strategy".to_owned(), strategy), ("parameters".to_owned(), parameters)]);
    drop_places(&mut manifest);
    drop_games_from_files(&mut manifest);
    manifest
}

/// Returns the parameter of a manifest's strategy that names a place, if there is one.
fn place_of(manifest: &Table) -> Option<&'static str> {
    let strategy = manifest.get("strategy")?.as_str()?;
    PLACES.iter().find(|(name, _)| *name == strategy).map(|(_, place)| *place)
}

/// Removes the places of files from a manifest and from the bots inside.
fn drop_places(manifest: &mut Table) {
    let place = place_of(manifest);
    let Some(Value::Table(parameters)) = manifest.get_mut("parameters") else { return };
    if let Some(place) = place {
        parameters.remove(place);
    }
    for (_, inner) in parameters.iter_mut() {
        if let Value::Table(inner) = inner {
            drop_places(inner);
        }
    }
}

/// Removes the parameters of games from files from a manifest and from the bots inside.
fn drop_games_from_files(manifest: &mut Table) {
    let is_by_rule = manifest.get("strategy").and_then(Value::as_str) == Some("rule-based");
    let Some(Value::Table(parameters)) = manifest.get_mut("parameters") else { return };
    if is_by_rule {
        parameters.remove(TABLE_OF_FILES);
    }
    for (_, inner) in parameters.iter_mut() {
        if let Value::Table(inner) = inner {
            drop_games_from_files(inner);
        }
    }
}

/// Returns whether a bot, or a bot inside, cannot be made from its manifest alone.
fn needs_files(manifest: &Table) -> bool {
    let strategy = manifest.get("strategy").and_then(Value::as_str);
    if place_of(manifest).is_some() || strategy == Some(CALLABLE) {
        return true;
    }
    let parameters = manifest.get("parameters").and_then(Value::as_table);
    parameters.into_iter().flatten().any(|(_, inner)| inner.as_table().is_some_and(needs_files))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use overtrick_strategies::{AnySpec, Register, wasm};
    use overtrick_toml::Source;

    use super::*;

    const BUDGET: WasmBudget = WasmBudget { fuel: 1000, memory_limit: 16 };

    fn bot(text: &str) -> Bot {
        let source = Source::parse(Path::new("/tmp/b.toml"), text.to_owned()).unwrap();
        Register::default().find_bot(&source, &[], &Value::Table(source.table().clone())).unwrap()
    }

    #[test]
    fn a_hash_is_that_of_the_play_and_not_of_the_name() {
        let hash = |text: &str| BenchmarkEntry::new(&bot(text), None, BUDGET).sha256;
        let plain = hash("name = \"a\"\nstrategy = \"rule-based\"");
        assert_eq!(plain, hash("name = \"b\"\nabout = \"other\"\nstrategy = \"rule-based\""));
        assert_ne!(plain, hash("name = \"a\"\nstrategy = \"rule-based\"\nparameters.dumbo.ambition = 0.5"));
        let process = |folder: &str, command: &str| {
            hash(&format!(
                "name = \"a\"\nstrategy = \"process\"\nparameters = {{ command = [{command:?}], folder = {folder:?} }}"
            ))
        };
        assert_eq!(process("/one", "x"), process("/two", "x"));
        assert_ne!(process("/one", "x"), process("/one", "y"));
    }

    #[test]
    fn a_module_beyond_the_budget_is_unlimited() {
        let class = |fuel, memory_limit| {
            let mut module = wasm::Params::default();
            (module.fuel, module.memory_limit) = (fuel, memory_limit);
            let bot = Bot { name: "m".to_owned(), about: String::new(), spec: AnySpec::Wasm(module) };
            let entry = BenchmarkEntry::new(&bot, None, BUDGET);
            assert_eq!(entry.whole_manifest(), None);
            entry.class.name()
        };
        assert_eq!(
            [class(1000, 16), class(1, 1), class(1001, 16), class(1000, 17)],
            ["wasm", "wasm", "unlimited", "unlimited"]
        );
    }

    #[test]
    fn authors_have_plain_names() {
        assert!(["Ann", "Élodie 2", "0x"].iter().all(|name| check_author(name).is_ok()));
        for wrong in ["", " Ann", "=1+1", "-", "A\u{1b}[2J", "A\u{202e}", &"a".repeat(61)] {
            assert!(check_author(wrong).unwrap_err().contains("is no name of an author"), "{wrong}");
        }
    }

    #[test]
    fn a_bot_without_files_comes_back_from_its_manifest() {
        let made = bot(
            "name = \"mine\"\nstrategy = \"restricted\"\nparameters = { forbid = [\"pass\"], bot = \"rule-based\" }",
        );
        let entry = BenchmarkEntry::new(&made, Some("Ann".to_owned()), BUDGET);
        let text = serde_json::to_string(&entry).unwrap();
        let read: BenchmarkEntry = serde_json::from_str(&text).unwrap();
        assert_eq!(read, entry);
        let process = bot("name = \"a\"\nstrategy = \"process\"\nparameters.command = [\"x\"]");
        assert_eq!(BenchmarkEntry::new(&process, None, BUDGET).whole_manifest(), None);
        assert_eq!(BenchmarkClass::of(&manifest(&process), BUDGET), BenchmarkClass::Unlimited);
        let plain = bot("name = \"mine\"\nstrategy = \"rule-based\"\nparameters.dumbo.ambition = 0.5");
        let entry = BenchmarkEntry::new(&plain, None, BUDGET);
        assert_eq!(bot(&toml::to_string(&entry.whole_manifest().unwrap()).unwrap()), plain);
    }
}
