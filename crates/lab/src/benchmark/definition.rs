//! The definition of a benchmark, which is data: variants, reference bots, deals, and the scale of the score.

use std::collections::BTreeMap;
use std::path::Path;

use overtrick_games::{Variant, check_name};
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::{check_eligible, find_variant, whole_number};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::entry::{BenchmarkEntry, WasmBudget};
use super::hashing::{sha256, sha256_of};

/// The definition of the benchmark that comes with the program, as TOML.
pub const BENCHMARK: &str = include_str!("v1.toml");

/// The name of that text in errors.
const OWN_FILE: &str = "the benchmark of this program";
/// The default number of deals by which the play of a reference is recognised.
const CALIBRATION: i64 = 16;
/// The most deals of a reference, and the highest number of its first deal.
const MOST_DEALS: i64 = 1 << 32;
/// The fewest and the most parts: an interval takes some, and a file has a line for each.
const PARTS: std::ops::RangeInclusive<i64> = 10..=1000;

/// A benchmark, resolved and checked.
#[derive(Clone)]
pub struct BenchmarkDefinition {
    /// The name of the benchmark.
    pub name: String,
    /// The version of the benchmark. Results of different versions cannot be compared.
    pub version: u64,
    /// The master seed.
    pub seed: u64,
    /// The number of parts into which the deals of each duel are divided.
    pub parts: u64,
    /// The budget of the class of WebAssembly modules.
    pub wasm: WasmBudget,
    /// The variants.
    pub variants: Vec<Variant>,
    /// The reference bots.
    pub references: Vec<FrozenBot>,
    /// The index of the reference whose score is 0.
    pub floor: usize,
    /// The index of the reference whose score is 100 and whose Elo is 0.
    pub level: usize,
    /// By variant, then reference: the ends of the scale. Without a scale there are no scores.
    pub scale: Option<Vec<Vec<ScaleEnds>>>,
    /// The SHA-256 of the text of the definition.
    pub sha256: String,
}

/// A reference bot whose play never changes within a version of a benchmark.
#[derive(Clone)]
pub struct FrozenBot {
    /// The bot.
    pub bot: Bot,
    /// The number of the first deal that is played against it.
    pub first: u64,
    /// The number of deals that are played against it in each variant, each in every seating.
    pub deals: u64,
    /// The SHA-256 of its strategy and parameters, if the definition has it.
    pub sha256: Option<String>,
    /// The number of deals by which its play is recognised.
    pub calibration: u64,
    /// The SHA-256 of its scores on these deals, if the definition has it.
    pub plays: Option<String>,
}

/// The points a deal by which two bots are ahead of a reference: the ends of the scale of a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct ScaleEnds {
    /// The lead of the bot whose score is 0.
    pub zero: f64,
    /// The lead of the bot whose score is 100.
    pub hundred: f64,
}

impl From<[f64; 2]> for ScaleEnds {
    fn from([zero, hundred]: [f64; 2]) -> ScaleEnds {
        ScaleEnds { zero, hundred }
    }
}

impl From<ScaleEnds> for [f64; 2] {
    fn from(ends: ScaleEnds) -> [f64; 2] {
        [ends.zero, ends.hundred]
    }
}

/// The keys of a definition, as written.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct DefinitionKeys {
    name: String,
    version: i64,
    seed: i64,
    parts: i64,
    rules: Option<String>,
    variants: Vec<Value>,
    floor: String,
    level: String,
    wasm: WasmBudget,
    references: Vec<Table>,
    scale: Option<BTreeMap<String, Vec<ScaleEnds>>>,
}

/// The keys of a reference, as written.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct ReferenceKeys {
    bot: Option<Value>,
    first: i64,
    deals: i64,
    sha256: Option<String>,
    calibration: Option<i64>,
    plays: Option<String>,
}

impl BenchmarkDefinition {
    /// Returns the benchmark that comes with the program.
    ///
    /// # Errors
    /// If its rules or references have changed, which is a fault of the program.
    pub fn own() -> Result<BenchmarkDefinition, InputError> {
        BenchmarkDefinition::resolve(
            &Source::parse(Path::new(OWN_FILE), BENCHMARK.to_owned())?,
            BENCHMARK,
            &Register::default(),
        )
    }

    /// Reads a definition from a file.
    ///
    /// # Errors
    /// The fault of the file, with line and key.
    pub fn read(file: &Path, register: &Register) -> Result<BenchmarkDefinition, InputError> {
        let text = std::fs::read_to_string(file).map_err(|error| InputError::unreadable(file, &error))?;
        BenchmarkDefinition::resolve(&Source::parse(file, text.clone())?, &text, register)
    }

    /// Reads a definition from a document with this `text`.
    fn resolve(source: &Source, text: &str, register: &Register) -> Result<BenchmarkDefinition, InputError> {
        let keys: DefinitionKeys = source.fields(&[], source.table())?;
        check_name(&keys.name).map_err(|problem| source.error(&key("name"), problem))?;
        let whole = |name: &str, value, range| whole_number(source, &key(name), value, range);
        let parts = whole("parts", keys.parts, PARTS)?;
        let mut definition = BenchmarkDefinition {
            version: whole("version", keys.version, 1..=1 << 30)?,
            seed: whole("seed", keys.seed, 0..=i64::MAX)?,
            parts,
            wasm: keys.wasm,
            variants: variants(source, &keys, register)?,
            references: Vec::new(),
            floor: 0,
            level: 0,
            scale: None,
            sha256: sha256(text.as_bytes()),
            name: keys.name,
        };
        for (number, table) in keys.references.iter().enumerate() {
            let at = [key("references"), key(&number.to_string())].concat();
            let reference = definition.reference(source, &at, table, register)?;
            definition.references.push(reference);
        }
        definition.floor = definition.index_of(source, "floor", &keys.floor)?;
        definition.level = definition.index_of(source, "level", &keys.level)?;
        definition.scale = keys.scale.map(|scale| definition.scale(source, &scale)).transpose()?;
        Ok(definition)
    }

    /// Reads a reference, whose deals are those of an earlier one or none of its deals.
    fn reference(
        &self,
        source: &Source,
        at: &[String],
        table: &Table,
        register: &Register,
    ) -> Result<FrozenBot, InputError> {
        let keys: ReferenceKeys = source.fields(at, table)?;
        let within = |name: &str| [at, &key(name)].concat();
        let whole = |name: &str, value, range| whole_number(source, &within(name), value, range);
        let value = keys.bot.ok_or_else(|| source.error(&within("bot"), "is missing: the reference bot"))?;
        let bot = register.find_bot(source, &within("bot"), &value)?;
        check_eligible(&bot, &self.variants).map_err(|problem| source.error(&within("bot"), problem))?;
        if BenchmarkEntry::new(&bot, None, self.wasm).whole_manifest().is_none() {
            let problem = "needs files, and a reference must play the same anywhere; give a bot without files";
            return Err(source.error(&within("bot"), problem));
        }
        if self.references.iter().any(|other| other.bot.name == bot.name) {
            return Err(source.error(&within("bot"), format!("{:?} is listed twice", bot.name)));
        }
        let first = whole("first", keys.first, 0..=MOST_DEALS)?;
        let deals = whole("deals", keys.deals, 1..=MOST_DEALS)?;
        if !deals.is_multiple_of(self.parts) {
            let problem = format!("is {deals}, and must be a multiple of `parts`, {}", self.parts);
            return Err(source.error(&within("deals"), problem));
        }
        let own = first..first + deals;
        for other in &self.references {
            let theirs = other.first..other.first + other.deals;
            if own != theirs && own.start < theirs.end && theirs.start < own.end {
                let problem = format!(
                    "makes the deals {} to {}, some of which {} has; give all of its deals or none",
                    own.start,
                    own.end - 1,
                    other.bot.name
                );
                return Err(source.error(&within("first"), problem));
            }
        }
        let found = BenchmarkEntry::sha256_of(&bot);
        if let Some(wanted) = keys.sha256.as_ref().filter(|wanted| **wanted != found) {
            let problem = format!("is {wanted}, and the strategy and parameters of {} make {found}", bot.name);
            return Err(source.error(&within("sha256"), problem));
        }
        let calibration = whole("calibration", keys.calibration.unwrap_or(CALIBRATION), 1..=10_000)?;
        Ok(FrozenBot { bot, first, deals, sha256: keys.sha256, calibration, plays: keys.plays })
    }

    /// Returns the index of the reference that a key names.
    fn index_of(&self, source: &Source, name: &str, reference: &str) -> Result<usize, InputError> {
        self.references.iter().position(|own| own.bot.name == reference).ok_or_else(|| {
            let names: Vec<&str> = self.references.iter().map(|own| own.bot.name.as_str()).collect();
            let problem = format!("is {reference:?}, and must be a reference: {}", names.join(", "));
            source.error(&key(name), problem)
        })
    }

    /// Returns the scale by variant and reference.
    fn scale(
        &self,
        source: &Source,
        written: &BTreeMap<String, Vec<ScaleEnds>>,
    ) -> Result<Vec<Vec<ScaleEnds>>, InputError> {
        let at = |name: &str| [key("scale"), vec![name.to_owned()]].concat();
        let is_known = |name: &&String| self.variants.iter().any(|variant| variant.name == **name);
        if let Some(name) = written.keys().find(|name| !is_known(name)) {
            return Err(source.error(&at(name), "is none of `variants`"));
        }
        let mut scale = Vec::with_capacity(self.variants.len());
        for Variant { name, .. } in &self.variants {
            let ends =
                written.get(name).ok_or_else(|| source.error(&at(name), "is missing: a scale has all variants"))?;
            let references = self.references.len();
            if ends.len() != references {
                let problem =
                    format!("has {} pairs, and must have one for each of {references} references", ends.len());
                return Err(source.error(&at(name), problem));
            }
            // This also refuses what is no number.
            if !ends.iter().all(|ends| ends.hundred - ends.zero > 0.0 && (ends.hundred - ends.zero).is_finite()) {
                let problem =
                    "must have pairs of a lower and a higher number: the points at which the score is 0 and 100";
                return Err(source.error(&at(name), problem));
            }
            scale.push(ends.clone());
        }
        Ok(scale)
    }

    /// Returns the indices of all duels: a variant and a reference.
    pub fn duels(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let references = self.references.len();
        (0..self.variants.len()).flat_map(move |variant| (0..references).map(move |reference| (variant, reference)))
    }

    /// Returns the number of players in a variant.
    pub fn seats(&self, variant: usize) -> u64 {
        u64::try_from(self.variants[variant].game.layout().seats).expect("few seats")
    }

    /// Returns the number of games of a duel for each deal number: all seatings in which both bots sit.
    pub fn games_a_deal(&self, variant: usize) -> u64 {
        (1 << self.seats(variant)) - 2
    }

    /// Returns the number of games that a bot plays.
    pub fn games(&self) -> u64 {
        self.duels().map(|(variant, reference)| self.games_of(variant, reference)).sum()
    }

    /// Returns the number of games of a duel.
    pub fn games_of(&self, variant: usize, reference: usize) -> u64 {
        self.games_a_deal(variant) * self.references[reference].deals
    }

    /// Returns the name and version, as in `overtrick-benchmark 1`.
    pub fn title(&self) -> String {
        format!("{} {}", self.name, self.version)
    }
}

/// Returns the variants of a definition, and checks their rules.
fn variants(source: &Source, keys: &DefinitionKeys, register: &Register) -> Result<Vec<Variant>, InputError> {
    let at = key("variants");
    let mut variants: Vec<Variant> = Vec::new();
    for (number, value) in keys.variants.iter().enumerate() {
        let at = [&at[..], &[number.to_string()]].concat();
        let variant = find_variant(source, &at, value, register.games())?;
        if variants.iter().any(|other| other.name == variant.name) {
            return Err(source.error(&at, format!("{:?} is listed twice", variant.name)));
        }
        variants.push(variant);
    }
    if variants.is_empty() {
        return Err(source.error(&at, "needs at least one variant"));
    }
    let rules: Vec<Table> = variants.iter().map(|variant| variant.game.rules()).collect();
    let found = sha256_of(&rules);
    match &keys.rules {
        Some(wanted) if *wanted != found => {
            let problem = format!("is {wanted}, and the rules of all variants make {found}");
            Err(source.error(&key("rules"), problem))
        }
        _ => Ok(variants),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A small benchmark for tests.
    pub const SMALL: &str = "name = \"small\"\nversion = 1\nseed = 7\nparts = 10\n\
         variants = [\"colour-blind-2\", \"euchre-24\"]\nfloor = \"random\"\nlevel = \"rule-based\"\n\
         wasm = { fuel = 100_000, memory-limit = 4 }\n\
         [[references]]\nbot = { name = \"random\", strategy = \"random\" }\ndeals = 40\n\
         [[references]]\nbot = { name = \"rule-based\", strategy = \"rule-based\" }\ndeals = 40\n\
         [scale]\ncolour-blind-2 = [[0.0, 20.0], [-20.0, 0.0]]\neuchre-24 = [[0.0, 2.0], [-2.0, 0.0]]\n";

    pub fn resolved(text: &str) -> Result<BenchmarkDefinition, String> {
        let source = Source::parse(Path::new("b.toml"), text.to_owned()).map_err(|error| error.to_string())?;
        BenchmarkDefinition::resolve(&source, text, &Register::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_own_benchmark_has_every_preset() {
        let own = BenchmarkDefinition::own().unwrap();
        let names: Vec<&str> = own.variants.iter().map(|variant| variant.name.as_str()).collect();
        assert_eq!(names, Variant::names());
        assert!(own.scale.is_some());
        assert_eq!(
            (own.references[own.floor].bot.name.as_str(), own.references[own.level].bot.name.as_str()),
            ("random", "rule-based")
        );
        assert!(own.references.iter().all(|reference| reference.sha256.is_some() && reference.plays.is_some()));
        let shipped: Vec<Bot> = Bot::built_in().collect();
        for reference in &own.references {
            let name = &reference.bot.name;
            assert!(shipped.iter().any(|bot| bot.spec == reference.bot.spec && bot.name == *name), "{name}");
        }
    }

    #[test]
    fn games_are_all_mixed_seatings() {
        let small = resolved(SMALL).unwrap();
        assert_eq!((small.games_a_deal(0), small.games_a_deal(1)), (2, 6));
        assert_eq!(small.games(), 2 * 40 * (2 + 6));
    }

    #[test]
    fn bad_definitions_are_refused_with_line_and_key() {
        for (from, to, said) in [
            ("name = \"small\"", "name = \"a b\"", "b.toml:1: `name`: \"a b\" is no name"),
            ("parts = 10", "parts = 9", "b.toml:4: `parts`: is 9"),
            (
                "deals = 40",
                "deals = 45",
                "b.toml:11: `references #1.deals`: is 45, and must be a multiple of `parts`, 10",
            ),
            (
                "level = \"rule-based\"",
                "level = \"rules\"",
                "b.toml:7: `level`: is \"rules\", and must be a reference: random, rule-based",
            ),
            ("euchre-24\"]", "euchre-25\"]", "`variants #2`: there is no variant \"euchre-25\" (did you mean"),
            ("euchre-24\"]", "colour-blind-2\"]", "`variants #2`: \"colour-blind-2\" is listed twice"),
            ("euchre-24 = [[0.0, 2.0]", "euchre-24 = [[2.0, 0.0]", "`scale.euchre-24`: must have pairs of a lower"),
            ("euchre-24 = [[0.0, 2.0], ", "euchre-24 = [", "`scale.euchre-24`: has 1 pairs"),
            ("euchre-24 = [[", "euchre = [[", "`scale.euchre`: is none of `variants`"),
            ("fuel = ", "feul = ", "b.toml:8: `wasm.feul`: unknown key"),
            ("[scale]", "sha256 = \"00\"\n[scale]", "`references #2.sha256`: is 00, and the strategy and parameters"),
            (
                "[scale]",
                "first = 1\n[scale]",
                "`references #2.first`: makes the deals 1 to 40, some of which random has",
            ),
            ("seed = 7", "seed = 7\nrules = \"00\"", "b.toml:4: `rules`: is 00, and the rules of all variants make "),
            (
                "strategy = \"random\" }",
                "strategy = \"process\", parameters.command = [\"x\"] }",
                "`references #1.bot`: needs files",
            ),
        ] {
            let error = resolved(&SMALL.replacen(from, to, 1)).err().unwrap_or_else(|| panic!("{to}"));
            assert!(error.contains(said), "{to}: {error}");
        }
    }
}
