//! The result of a bot as a file: a digest shows damage, and sums by parts let anyone play a sample again.

use std::fs;
use std::io::Read;
use std::path::Path;

use overtrick_cards::SEEDING_VERSION;
use overtrick_toml::InputError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::definition::{BenchmarkDefinition, FrozenBot};
use super::duel_sums::DuelSums;
use super::entry::BenchmarkEntry;
use super::hashing::sha256_of;
use super::layout::lines_of_json;
use super::round::PlayedRound;
use super::scoring::{BenchmarkScore, ResultScore};

/// The version of the form of result files.
const FORM: u32 = 1;
/// The most characters of a problem that an error quotes.
const MOST_QUOTED: usize = 200;
/// The largest result file in bytes.
const LARGEST: u64 = 16 << 20;

/// A benchmark by name, version and content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchmarkId {
    /// The name.
    pub name: String,
    /// The version.
    pub version: u64,
    /// The SHA-256 of the text of its definition.
    pub sha256: String,
}

impl BenchmarkId {
    /// Returns the id of a benchmark.
    pub fn of(definition: &BenchmarkDefinition) -> BenchmarkId {
        BenchmarkId { name: definition.name.clone(), version: definition.version, sha256: definition.sha256.clone() }
    }
}

/// The program that played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BenchmarkProgram {
    /// The version of Overtrick.
    pub version: String,
    /// The commit that it was built from, if it is known.
    pub commit: Option<String>,
    /// The version of the method that deals cards from the seed.
    pub seeding_version: u32,
}

impl BenchmarkProgram {
    /// Returns this program, built from a commit if it is known.
    pub fn this(commit: Option<&str>) -> BenchmarkProgram {
        BenchmarkProgram {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit.map(str::to_owned),
            seeding_version: SEEDING_VERSION,
        }
    }
}

/// A reference bot as it played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ReferenceId {
    /// The name.
    pub name: String,
    /// The SHA-256 of its strategy and parameters.
    pub sha256: String,
    /// The SHA-256 of its scores on the deals by which its play is recognised.
    pub plays: String,
    /// The number of the first deal that was played against it.
    pub first: u64,
    /// The number of deals that were played against it in each variant.
    pub deals: u64,
}

/// The result of a bot in a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BenchmarkResult {
    /// The version of this form.
    pub form: u32,
    /// The benchmark.
    pub benchmark: BenchmarkId,
    /// The program.
    pub program: BenchmarkProgram,
    /// The bot.
    pub bot: BenchmarkEntry,
    /// The master seed.
    pub seed: u64,
    /// The round, if the cards also follow from its secret.
    pub round: Option<PlayedRound>,
    /// The number of parts of each duel.
    pub parts: u64,
    /// The reference bots.
    pub references: Vec<ReferenceId>,
    /// The score, if the benchmark has a scale.
    pub score: Option<ResultScore>,
    /// The duels, by variant and then reference.
    pub duels: Vec<DuelSums>,
    /// The SHA-256 of all of the above, written as JSON without spaces and with an empty text here.
    pub sha256: String,
}

impl BenchmarkResult {
    /// Returns the result of a bot that has played all duels.
    pub fn new(
        definition: &BenchmarkDefinition,
        program: BenchmarkProgram,
        bot: BenchmarkEntry,
        round: Option<PlayedRound>,
        plays: &[String],
        duels: Vec<DuelSums>,
    ) -> BenchmarkResult {
        let score = BenchmarkScore::new(definition, &duels).rounded();
        let result = BenchmarkResult {
            form: FORM,
            benchmark: BenchmarkId::of(definition),
            program,
            bot,
            seed: definition.seed,
            round,
            parts: definition.parts,
            references: references(definition, plays),
            score,
            duels,
            sha256: String::new(),
        };
        result.sealed()
    }

    /// Returns the digest of the content.
    fn digest(&self) -> String {
        sha256_of(&BenchmarkResult { sha256: String::new(), ..self.clone() })
    }

    /// Returns the same result with the digest of its content.
    pub fn sealed(self) -> BenchmarkResult {
        BenchmarkResult { sha256: self.digest(), ..self }
    }

    /// Returns the content of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        lines_of_json(self)
    }

    /// Reads a file and checks its digest.
    ///
    /// # Errors
    /// If it cannot be read, is no result, or has another digest.
    pub fn read(file: &Path) -> Result<BenchmarkResult, InputError> {
        let unreadable = |error| InputError::unreadable(file, &error);
        // A device or a pipe has no length, and may have no end.
        if !fs::metadata(file).map_err(unreadable)?.is_file() {
            return Err(InputError::file(file, "is no plain file, and a result is one"));
        }
        let mut bytes = Vec::new();
        fs::File::open(file).and_then(|open| open.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
        if u64::try_from(bytes.len()).expect("a bounded length") > LARGEST {
            return Err(InputError::file(file, format!("has more than {} MiB, and no result does", LARGEST >> 20)));
        }
        BenchmarkResult::parse(&bytes).map_err(|error| error.in_file(file))
    }

    /// Reads the content of a file and checks its digest.
    ///
    /// # Errors
    /// If it is no result, or has another digest.
    pub fn parse(bytes: &[u8]) -> Result<BenchmarkResult, InputError> {
        let read: Result<BenchmarkResult, _> = serde_json::from_slice(bytes);
        let result = read.map_err(|error| {
            let text = error.to_string();
            let problem: String = text.split(" at line ").next().unwrap_or(&text).chars().take(MOST_QUOTED).collect();
            InputError::plain(format!("is no result of `overtrick benchmark`: {problem}")).at_line(error.line().max(1))
        })?;
        if result.form != FORM {
            let problem = format!("is {}, and this program reads form {FORM}", result.form);
            return Err(InputError::plain(problem).at_key("form"));
        }
        let found = result.digest();
        if found != result.sha256 {
            let said: String = result.sha256.chars().take(MOST_QUOTED).collect();
            let problem = format!("is {said}, and the content makes {found}: it was damaged or changed");
            return Err(InputError::plain(problem).at_key("sha256"));
        }
        Ok(result)
    }
}

/// Returns the references of a benchmark with the hashes of their play.
pub(super) fn references(definition: &BenchmarkDefinition, plays: &[String]) -> Vec<ReferenceId> {
    let id = |(reference, plays): (&FrozenBot, &String)| ReferenceId {
        name: reference.bot.name.clone(),
        sha256: BenchmarkEntry::sha256_of(&reference.bot),
        plays: plays.clone(),
        first: reference.first,
        deals: reference.deals,
    };
    definition.references.iter().zip(plays).map(id).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use overtrick_strategies::Bot;

    use super::super::definition::tests::{SMALL, resolved};
    use super::*;

    /// A made-up result of the small benchmark, whose margins are `by` times the number of the part.
    pub fn made_up(bot: &str, by: i64, author: Option<&str>) -> BenchmarkResult {
        let definition = resolved(SMALL).unwrap();
        let bot = Bot::built_in().find(|own| own.name == bot).unwrap();
        let sums = |(variant, reference): (usize, usize)| DuelSums {
            variant: definition.variants[variant].name.clone(),
            reference: definition.references[reference].bot.name.clone(),
            faults: 0,
            margins: (0..10).map(|part| part * by).collect(),
            ahead: vec![4; 10],
        };
        let duels = definition.duels().map(sums).collect();
        let entry = BenchmarkEntry::new(&bot, author.map(str::to_owned), definition.wasm);
        let plays = ["1".to_owned(), "2".to_owned()];
        BenchmarkResult::new(&definition, BenchmarkProgram::this(None), entry, None, &plays, duels)
    }

    #[test]
    fn a_result_is_read_as_it_is_written() {
        let result = made_up("cautious", 3, Some("Ann \"A\" É"));
        let bytes = result.to_bytes();
        assert_eq!(BenchmarkResult::parse(&bytes), Ok(result.clone()));
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text.lines().filter(|line| line.contains("\"margins\"")).count(), 4, "{text}");
    }

    #[test]
    fn numbers_of_seventeen_digits_come_back_exactly() {
        // Read with fewer digits, the first comes back as 0.9537046252193648.
        let mut numbers = vec![0.953_704_625_219_364_9, 0.1 + 0.2, 5e-324, f64::MAX, 1.0 / 3.0];
        let mut bits = 1_u64;
        while numbers.len() < 500 {
            // The multiplier of Knuth's MMIX generator.
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            numbers.extend(Some(f64::from_bits(bits)).filter(|number| number.is_finite()));
        }
        let mut result = made_up("random", 3, None);
        result.bot.manifest.insert("parameters".to_owned(), numbers.into());
        let result = result.sealed();
        assert_eq!(BenchmarkResult::parse(&result.to_bytes()), Ok(result));
    }

    #[test]
    fn each_changed_letter_of_a_value_is_noticed() {
        let text = String::from_utf8(made_up("random", 3, None).to_bytes()).unwrap();
        for (from, to) in [
            ("\"random\"", "\"rondom\""),
            ("[0,3,6", "[0,3,7"),
            ("\"faults\":0", "\"faults\":1"),
            ("\"author\": null", "\"author\": \"Bob\""),
            ("\"seed\": 7", "\"seed\": 8"),
            ("\"parts\": 10", "\"parts\": 11"),
            ("\"unlimited\"", "\"wasm\""),
        ] {
            assert!(text.contains(from), "{from}");
            let error = BenchmarkResult::parse(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("`sha256`: is ") && error.ends_with("it was damaged or changed"), "{error}");
        }
    }

    #[test]
    fn other_files_are_refused_with_a_line() {
        let refused = |text: &str| BenchmarkResult::parse(text.as_bytes()).unwrap_err().to_string();
        let text = String::from_utf8(made_up("random", 3, None).to_bytes()).unwrap();
        assert!(refused("").starts_with("is no result of `overtrick benchmark`: EOF"), "{}", refused(""));
        assert!(refused("{\n\"form\": 1}").contains("missing field `benchmark`"));
        assert!(refused(&text.replacen("\"form\"", "\"from\"", 1)).contains("unknown field `from`"));
        assert!(refused(&text.replacen("\"form\": 1", "\"form\": 2", 1)).starts_with("`form`: is 2"));
    }

    #[test]
    fn what_is_no_file_or_is_endless_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.json");
        let refused = || BenchmarkResult::read(&file).unwrap_err().to_string();
        fs::File::create(&file).unwrap().set_len(LARGEST + 1).unwrap();
        assert!(refused().ends_with("x.json: has more than 16 MiB, and no result does"), "{}", refused());
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert!(refused().ends_with("x.json: is no plain file, and a result is one"), "{}", refused());
        #[cfg(unix)]
        {
            fs::remove_dir(&file).unwrap();
            std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
            assert!(refused().ends_with("x.json: is no plain file, and a result is one"), "{}", refused());
        }
    }
}
