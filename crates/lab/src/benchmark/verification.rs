//! Checks a result: first what it says of itself, then by playing a sample of its parts again.

use overtrick_games::{check_name, check_row_name};
use overtrick_toml::InputError;

use super::arena::{BenchmarkArena, BenchmarkPlay};
use super::definition::BenchmarkDefinition;
use super::duel_check::{MOST_QUOTED, check_duel, differs, same};
use super::entry::{BenchmarkClass, BenchmarkEntry, check_author};
use super::hashing::sha256_of;
use super::result_file::{BenchmarkId, BenchmarkProgram, BenchmarkResult, ReferenceId, references};
use super::round::BenchmarkRound;
use super::sampling::ReplaySample;
use super::scoring::{BenchmarkScore, ResultScore};

/// A result that is checked.
pub struct Verification<'a> {
    /// The result.
    pub result: &'a BenchmarkResult,
    /// The benchmark of this program.
    pub definition: &'a BenchmarkDefinition,
}

/// Returns a score in words.
fn score_text(score: Option<ResultScore>) -> String {
    match score {
        None => "absent".to_owned(),
        Some(ResultScore { value, low: Some(low), high: Some(high) }) => format!("{value} ({low} to {high})"),
        Some(ResultScore { value, .. }) => format!("{value} without an interval"),
    }
}

/// Checks that a reference of a result is that of the benchmark.
fn check_reference(theirs: &ReferenceId, own: &ReferenceId) -> Result<(), InputError> {
    let what = |field: &str| format!("references: {} {field}", own.name);
    same(&what("name"), &theirs.name, &own.name)?;
    same(&what("sha256"), &theirs.sha256, &own.sha256)?;
    same(&what("plays"), &theirs.plays, &own.plays)?;
    same(&what("first"), &theirs.first, &own.first)?;
    same(&what("deals"), &theirs.deals, &own.deals)
}

/// Checks the names in a result, which terminals and tables show.
fn check_names(result: &BenchmarkResult) -> Result<(), InputError> {
    let at = |key: &'static str| move |problem: String| InputError::plain(problem).at_key(key);
    let BenchmarkResult { bot, round, program, .. } = result;
    check_row_name(&bot.name).map_err(at("bot.name"))?;
    bot.author.as_deref().map_or(Ok(()), check_author).map_err(at("bot.author"))?;
    round.as_ref().map_or(Ok(()), |round| check_name(&round.name)).map_err(at("round.name"))?;
    program.commit.as_deref().map_or(Ok(()), check_commit).map_err(at("program.commit"))
}

/// Checks the hash of a commit, after which `-dirty` may follow.
fn check_commit(commit: &str) -> Result<(), String> {
    let digits = commit.strip_suffix("-dirty").unwrap_or(commit);
    if matches!(digits.len(), 40 | 64) && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Ok(());
    }
    let shown: String = commit.chars().take(MOST_QUOTED).collect();
    Err(format!("{shown:?} is no commit, which has 40 or 64 digits, each 0 to 9 or a to f"))
}

impl Verification<'_> {
    /// Checks everything that takes no games: versions, hashes, the round, the shape and the score.
    ///
    /// `plays` are the hashes of the play of the references in this program.
    ///
    /// # Errors
    /// The first value that differs, by its name.
    pub fn check(&self, plays: &[String], round: Option<&BenchmarkRound>) -> Result<(), InputError> {
        self.check_program()?;
        self.check_content(plays, round)
    }

    /// Checks what a table takes: all but the version of the program, and the play of references only as far as
    /// the definition has it. With a `round`, the result must be of it.
    ///
    /// # Errors
    /// The first value that differs, by its name.
    pub fn check_claims(&self, round: Option<&BenchmarkRound>) -> Result<(), InputError> {
        let theirs = self.result.references.iter().map(|reference| &reference.plays);
        let defined = self.definition.references.iter().map(|reference| reference.plays.as_ref());
        let plays: Vec<String> = defined.zip(theirs).map(|(own, theirs)| own.unwrap_or(theirs).clone()).collect();
        self.check_content(&plays, round)
    }

    fn check_content(&self, plays: &[String], round: Option<&BenchmarkRound>) -> Result<(), InputError> {
        let (result, definition) = (self.result, self.definition);
        check_names(result)?;
        self.check_entry()?;
        let benchmark = BenchmarkId::of(definition);
        same("benchmark.name", &result.benchmark.name, &benchmark.name)?;
        same("benchmark.version", &result.benchmark.version, &benchmark.version)?;
        same("benchmark.sha256", &result.benchmark.sha256, &benchmark.sha256)?;
        same("seed", &result.seed, &definition.seed)?;
        same("parts", &result.parts, &definition.parts)?;
        let own = references(definition, plays);
        same("references", &result.references.len(), &own.len())?;
        for (theirs, own) in result.references.iter().zip(&own) {
            check_reference(theirs, own)?;
        }
        self.check_round(round)?;
        self.check_shape()?;
        let score = BenchmarkScore::new(definition, &result.duels).rounded();
        if result.score == score { Ok(()) } else { Err(differs("score", score_text(result.score), score_text(score))) }
    }

    /// Checks that this program is of the version that played.
    ///
    /// # Errors
    /// If it is not, with both versions.
    pub fn check_program(&self) -> Result<(), InputError> {
        let (theirs, own) = (&self.result.program, BenchmarkProgram::this(None));
        let remedy = |mut error: InputError| {
            error.problem += ". Verify it with the version of Overtrick that played";
            error
        };
        same("program.version", &theirs.version, &own.version).map_err(remedy)?;
        same("program.seeding-version", &theirs.seeding_version, &own.seeding_version).map_err(remedy)
    }

    /// Checks that the hash and the class of the bot are those of its manifest.
    fn check_entry(&self) -> Result<(), InputError> {
        let bot = &self.result.bot;
        same("bot.sha256", &bot.sha256, &sha256_of(&bot.manifest))?;
        let class = BenchmarkClass::of(&bot.manifest, self.definition.wasm);
        same("bot.class", &bot.class.name(), &class.name())
    }

    fn check_round(&self, round: Option<&BenchmarkRound>) -> Result<(), InputError> {
        if let Some(played) = self.result.round.as_ref().filter(|played| !played.is_sound()) {
            return Err(differs("round.commitment", &played.commitment, played.secret.hash()));
        }
        let Some(round) = round else { return Ok(()) };
        match &self.result.round {
            None => Err(differs("round", "none", &round.name)),
            Some(played) => {
                same("round.name", &played.name, &round.name)?;
                same("round.commitment", &played.commitment, &round.commitment)
            }
        }
    }

    /// Checks that there are all duels with all parts, so that figures can be computed.
    ///
    /// # Errors
    /// The first duel that is not as the definition has it.
    pub fn check_shape(&self) -> Result<(), InputError> {
        same("duels", &self.result.duels.len(), &self.definition.duels().count())?;
        for ((variant, reference), sums) in self.definition.duels().zip(&self.result.duels) {
            check_duel(self.definition, variant, reference, sums)?;
        }
        Ok(())
    }

    /// Checks that a bot is the one of the result.
    ///
    /// # Errors
    /// The value that differs.
    pub fn check_bot(&self, entry: &BenchmarkEntry) -> Result<(), InputError> {
        let theirs = &self.result.bot;
        let same_bot = same("bot.sha256", &theirs.sha256, &entry.sha256);
        same_bot.map_err(|mut error| {
            error.problem += &format!(": {} is another bot", entry.name);
            error
        })?;
        same("bot.class", &theirs.class.name(), &entry.class.name())?;
        same(
            "bot.manifest",
            &theirs.manifest.to_string().replace('\n', " "),
            &entry.manifest.to_string().replace('\n', " "),
        )
    }

    /// Plays a part again and compares its sums; `false` if it was stopped.
    ///
    /// A result has the faults of each duel alone, so those of a part must be no more.
    ///
    /// # Errors
    /// The sums that differ.
    pub fn replay(
        &self,
        arena: &BenchmarkArena<'_>,
        play: &BenchmarkPlay<'_>,
        sample: ReplaySample,
    ) -> Result<bool, InputError> {
        let ReplaySample { variant, reference, part } = sample;
        let Some(again) = arena.play(play, variant, reference, part..part + 1)? else { return Ok(false) };
        let theirs = &self.result.duels[variant * self.definition.references.len() + reference];
        let what = format!("duels: {} with {}, part {part}", theirs.variant, theirs.reference);
        let part = usize::try_from(part).expect("few parts");
        let found = [again.margins[0], i64::try_from(again.ahead[0]).unwrap_or(i64::MAX)];
        let said = [theirs.margins[part], i64::try_from(theirs.ahead[part]).unwrap_or(i64::MAX)];
        if found != said {
            let problem = format!(
                "has the margin {} and the count {} in this result, and played again they are {} and {}",
                said[0], said[1], found[0], found[1]
            );
            return Err(InputError::plain(problem).at_key(what));
        }
        if again.faults > theirs.faults {
            let problem = format!(
                "has {} faults in this result, and played again this part alone has {}",
                theirs.faults, again.faults
            );
            return Err(InputError::plain(problem).at_key(what));
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use overtrick_run::Threads;
    use overtrick_strategies::{Bot, Register};
    use overtrick_tournament::Secret;

    use super::super::arena::BenchmarkControl;
    use super::super::calibration::check_references;
    use super::super::definition::tests::{SMALL, resolved};
    use super::super::progress::BenchmarkProgress;
    use super::super::round::PlayedRound;
    use super::super::sampling::samples;
    use super::*;

    /// A bot with its result in the small benchmark, and all that checks it.
    struct Played {
        definition: BenchmarkDefinition,
        bot: Bot,
        plays: Vec<String>,
        result: BenchmarkResult,
        threads: Threads,
        control: BenchmarkControl,
        register: Register,
    }

    impl Played {
        fn new(name: &str, threads: usize, round: Option<PlayedRound>) -> Played {
            let bot = Bot::built_in().find(|own| own.name == name).unwrap();
            let (definition, register) = (resolved(SMALL).unwrap(), Register::default());
            let (threads, control) = (Threads::new(threads).unwrap(), BenchmarkControl::default());
            let arena = BenchmarkArena { threads: &threads, control: &control, on_games: &|_| () };
            let plays = check_references(&definition, &arena).unwrap().unwrap();
            let secret = round.as_ref().map(|round| round.secret);
            let play = BenchmarkPlay { definition: &definition, bot: &bot, secret, register: &register };
            let mut progress = BenchmarkProgress::default();
            assert!(arena.play_all(&play, &mut progress, &|_| Ok(())).unwrap());
            let (entry, program) = (BenchmarkEntry::new(&bot, None, definition.wasm), BenchmarkProgram::this(None));
            let result = BenchmarkResult::new(&definition, program, entry, round, &plays, progress.duels);
            Played { definition, bot, plays, result, threads, control, register }
        }

        fn check(&self, result: &BenchmarkResult) -> Result<(), String> {
            let verification = Verification { result, definition: &self.definition };
            verification.check(&self.plays, None).map_err(|error| error.to_string())
        }

        /// Plays all parts of a result again.
        fn replay(&self, result: &BenchmarkResult) -> Result<(), String> {
            let arena = BenchmarkArena { threads: &self.threads, control: &self.control, on_games: &|_| () };
            let secret = result.round.as_ref().map(|round| round.secret);
            let (definition, bot) = (&self.definition, &self.bot);
            let play = BenchmarkPlay { definition, bot, secret, register: &self.register };
            let verification = Verification { result, definition };
            let all = samples(definition, u64::MAX, &mut |below| below - 1);
            assert_eq!(all.len(), 2 * 2 * 10);
            for sample in all {
                assert!(verification.replay(&arena, &play, sample).map_err(|error| error.to_string())?);
            }
            Ok(())
        }
    }

    #[test]
    fn fifty_runs_are_one_result_and_every_part_of_it_is_played_again() {
        let first = Played::new("cautious", 1, None);
        // Threads make no difference, and neither does trying again.
        for threads in [1, 2, 3] {
            assert_eq!(Played::new("cautious", threads, None).result.to_bytes(), first.result.to_bytes());
        }
        assert_eq!((first.check(&first.result), first.replay(&first.result)), (Ok(()), Ok(())));
        let round = PlayedRound {
            name: "r".to_owned(),
            commitment: "5947d7c33d783f94b3b4c1a96ebc8991ed28f1b069b71e03376cba8caa98a720".to_owned(),
            secret: "00112233445566778899aabbccddeeff".parse().unwrap(),
        };
        let sealed = Played::new("cautious", 2, Some(round));
        assert_ne!(sealed.result.duels, first.result.duels, "other cards");
        assert_eq!((sealed.check(&sealed.result), sealed.replay(&sealed.result)), (Ok(()), Ok(())));
    }

    #[test]
    fn forged_results_are_found_and_named() {
        let played = Played::new("cautious", 2, None);
        let forged = |change: &dyn Fn(&mut BenchmarkResult)| {
            let mut result = played.result.clone();
            change(&mut result);
            result
        };
        let said = |change: &dyn Fn(&mut BenchmarkResult)| played.check(&forged(change)).unwrap_err();
        assert!(
            said(&|it| it.program.version = "0.0.9".to_owned())
                .starts_with("`program.version`: is 0.0.9 in this result, and should be ")
        );
        assert!(said(&|it| it.program.seeding_version += 1).starts_with("`program.seeding-version`: is "));
        assert!(
            said(&|it| it.benchmark.version = 2)
                .starts_with("`benchmark.version`: is 2 in this result, and should be 1")
        );
        assert!(said(&|it| it.benchmark.sha256 = "0".to_owned()).starts_with("`benchmark.sha256`: is 0 in"));
        assert!(
            said(&|it| it.references[1].plays = "0".to_owned())
                .starts_with("`references: rule-based plays`: is 0 in this result")
        );
        assert!(said(&|it| it.bot.name = "all".to_owned()).starts_with("`bot.name`: \"all\" is the name for all"));
        assert!(said(&|it| it.bot.author = Some("=1+1".to_owned())).starts_with("`bot.author`: \"=1+1\" is no name"));
        for commit in ["\u{1b}[2J", "", "abc", &"g".repeat(40), &"é".repeat(20)] {
            let error = said(&|it| it.program.commit = Some(commit.to_owned()));
            assert!(error.starts_with("`program.commit`: ") && error.contains("is no commit"), "{error}");
        }
        for commit in ["0a".repeat(20), format!("{}-dirty", "0a".repeat(20))] {
            assert_eq!(played.check(&forged(&|it| it.program.commit = Some(commit.clone()))), Ok(()));
        }
        let secret: Secret = "00112233445566778899aabbccddeeff".parse().unwrap();
        let round = PlayedRound { name: "\u{1b}[2J".to_owned(), commitment: secret.hash(), secret };
        assert!(said(&|it| it.round = Some(round.clone())).starts_with("`round.name`: "));
        assert!(said(&|it| it.bot.sha256 = "0".repeat(64)).starts_with("`bot.sha256`: is 000"));
        assert!(said(&|it| it.bot.manifest.clear()).starts_with("`bot.sha256`: is "));
        assert!(
            said(&|it| it.bot.class = BenchmarkClass::Wasm)
                .starts_with("`bot.class`: is wasm in this result, and should be unlimited")
        );
        assert!(said(&|it| it.seed = 8).starts_with("`seed`: is 8"));
        assert!(said(&|it| it.duels[3].margins[0] += 1000).starts_with("`score`: is "));
        assert!(
            said(&|it| it.duels[3].margins[0] = i64::MIN)
                .starts_with("`duels: euchre-24 with rule-based`: has sums that no")
        );
        assert!(
            said(&|it| it.duels[0].ahead[0] = u64::MAX)
                .starts_with("`duels: colour-blind-2 with random`: has sums that no")
        );
        for faults in [1 << 63, u64::MAX] {
            assert!(
                said(&|it| it.duels.iter_mut().for_each(|duel| duel.faults = faults))
                    .starts_with("`duels: colour-blind-2 with random`: has sums that no")
            );
        }
        assert!(
            said(&|it| it.duels[0].ahead.truncate(3))
                .contains("`duels: colour-blind-2 with random, parts`: is 3 in this result, and should be 10")
        );
        assert!(said(&|it| it.duels.truncate(3)).starts_with("`duels`: is 3"));
        assert!(said(&|it| it.duels.swap(0, 1)).contains("is colour-blind-2 with rule-based in this result"));
        // A forger who keeps the score is found by playing again.
        let swapped = forged(&|it| it.duels[3].margins.swap(0, 1));
        let rounded = BenchmarkScore::new(&played.definition, &swapped.duels).rounded();
        let swapped = BenchmarkResult { score: rounded, ..swapped };
        assert_eq!(played.check(&swapped), Ok(()));
        let error = played.replay(&swapped).unwrap_err();
        assert!(error.starts_with("`duels: euchre-24 with rule-based, part 0`: has the margin "), "{error}");
    }

    #[test]
    fn another_bot_and_another_round_are_refused() {
        let played = Played::new("random", 1, None);
        let verification = Verification { result: &played.result, definition: &played.definition };
        let entry = |bot: &Bot| BenchmarkEntry::new(bot, None, played.definition.wasm);
        assert_eq!(verification.check_bot(&entry(&played.bot)), Ok(()));
        // Another bot under the same name.
        let other = Bot { name: "random".to_owned(), ..Bot::built_in().find(|bot| bot.name == "cautious").unwrap() };
        let error = verification.check_bot(&entry(&other)).unwrap_err().to_string();
        assert!(error.starts_with("`bot.sha256`: is ") && error.ends_with(": random is another bot"), "{error}");
        let classed = BenchmarkEntry { class: BenchmarkClass::Wasm, ..entry(&played.bot) };
        assert!(
            verification
                .check_bot(&classed)
                .unwrap_err()
                .to_string()
                .starts_with("`bot.class`: is unlimited in this result, and should be wasm")
        );
        let round = BenchmarkRound {
            name: "r".to_owned(),
            benchmark: String::new(),
            commitment: String::new(),
            file: Default::default(),
        };
        let error = verification.check(&played.plays, Some(&round)).unwrap_err().to_string();
        assert_eq!(error, "`round`: is none in this result, and should be r");
        assert_eq!(verification.check_claims(Some(&round)).unwrap_err().to_string(), error);
        let secret = "00112233445566778899aabbccddeeff".parse().unwrap();
        let unsound = PlayedRound { name: "r".to_owned(), commitment: "0".repeat(64), secret };
        let result = BenchmarkResult { round: Some(unsound), ..played.result.clone() };
        assert!(played.check(&result).unwrap_err().starts_with("`round.commitment`: is 000"));
    }
}
