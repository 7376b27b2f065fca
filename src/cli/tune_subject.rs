//! The subject of `overtrick tune`: a config, or a bot with all its parameters.

use std::path::{Path, PathBuf};

use toml::Value;

use super::declared::start_to_declare;
use super::host::{read_config, register};
use super::{arguments, help};
use crate::report::thousands;
use crate::strategies::Bot;
use crate::toml_source::{InputError, STANDARD_INPUT, Source};
use crate::tune::{TunePlan, TuneRequest};

/// The options of a tuning without a config.
#[derive(clap::Args)]
pub struct WithoutConfig {
    /// Tune a bot in this variant, by name or as a .toml file.
    ///
    /// It goes with a bot. A config has its own variants.
    #[arg(long, help_heading = help::PLAYED)]
    variant: Option<String>,
    /// Play at most this number of games.
    ///
    /// The default is the fewest that the tuning takes. More games find better parameters.
    #[arg(long, help_heading = help::PLAYED, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    games: Option<u64>,
    /// Try candidates against these bots, by name or as .toml files.
    ///
    /// In place of bots it may be "itself", the bot before tuning. The default is "mixed", which adds another bot.
    #[arg(long, help_heading = help::PLAYED, value_name = "BOTS", value_delimiter = ',')]
    against: Vec<String>,
    /// Deal from this master seed. The default is 1.
    #[arg(long, help_heading = help::PLAYED, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
}

/// The plan of a tuning, with the place that its errors name.
pub struct TuneSubject {
    /// The plan.
    pub plan: TunePlan,
    place: TunePlace,
    /// Whether the number of games is the default.
    has_fewest_games: bool,
}

/// The place where a tuning is described.
enum TunePlace {
    Config(Source),
    /// The arguments name a bot, which may have a manifest.
    Arguments(Option<PathBuf>),
}

impl TuneSubject {
    /// Returns the subject that an argument names; `None` if the command was stopped.
    ///
    /// # Errors
    /// If the config, the bot or an option is wrong, or if an option does not go with the subject.
    pub fn find(name: &str, options: &WithoutConfig) -> Result<Option<TuneSubject>, InputError> {
        if let Some(config) = config(name)? {
            options.check_unused(name)?;
            let plan = TunePlan::resolve(&config, &register())?;
            return Ok(Some(TuneSubject { plan, place: TunePlace::Config(config), has_fewest_games: false }));
        }
        let Some(variant) = &options.variant else {
            let problem = format!(
                "is missing: name the variant in which {name} is tuned, or give a config. `overtrick list variants` has \
                 the names"
            );
            return Err(arguments::in_option("--variant", problem));
        };
        let played = arguments::variant("--variant", variant)?;
        let (bot, file) = (arguments::bot(None, name, &played)?, arguments::manifest(name)?);
        if !start_to_declare(&bot, file.as_deref(), &[played])? {
            return Ok(None);
        }
        let plan = options.plan(bot, variant).map_err(|error| blamed(error, file.as_deref()))?;
        let has_fewest_games = options.games.is_none();
        Ok(Some(TuneSubject { plan, place: TunePlace::Arguments(file), has_fewest_games }))
    }

    /// Returns the error for a problem with the bot of a name.
    pub fn blame(&self, bot: &str, problem: String) -> InputError {
        let entrants = self.plan.entrants();
        let place = entrants.iter().find(|(_, entrant)| entrant.name == bot).map(|(at, _)| at);
        match (&self.place, place) {
            (TunePlace::Config(source), Some(at)) => source.error(at, problem),
            (TunePlace::Config(source), None) => InputError::file(source.file(), problem),
            (TunePlace::Arguments(Some(file)), _) if bot == self.plan.start.name => InputError::file(file, problem),
            (TunePlace::Arguments(_), _) => InputError::plain(problem),
        }
    }

    /// Returns a note on the number of games, if the user has not chosen it.
    pub fn note(&self) -> Option<String> {
        let games = self.plan.games.filter(|_| self.has_fewest_games)?;
        let games = thousands(games);
        Some(format!("note: this tuning plays {games} games, the fewest that it takes. Give more with --games"))
    }

    /// Checks the values to try against the declaration of the bot, which has been started.
    ///
    /// # Errors
    /// The first value that the bot does not allow.
    pub fn check_declared(&self) -> Result<(), InputError> {
        match &self.place {
            TunePlace::Config(source) => self.plan.check_declared(source),
            // These values are those of the declaration.
            TunePlace::Arguments(_) => Ok(()),
        }
    }
}

impl WithoutConfig {
    fn plan(&self, bot: Bot, variant: &str) -> Result<TunePlan, InputError> {
        let against = match self.against.as_slice() {
            [] => None,
            [field] if ["mixed", "itself"].contains(&field.as_str()) => Some(Value::from(field.as_str())),
            bots => Some(Value::from(bots.to_vec())),
        };
        let request =
            TuneRequest { bot, variant: variant.to_owned(), against, games: self.games, seed: self.seed.unwrap_or(1) };
        request.plan(&register())
    }

    /// Checks that no option is given, since a config says all that they would.
    fn check_unused(&self, config: &str) -> Result<(), InputError> {
        let given = [
            ("--variant", "variants", self.variant.is_some()),
            ("--games", "games", self.games.is_some()),
            ("--against", "against", !self.against.is_empty()),
            ("--seed", "seed", self.seed.is_some()),
        ];
        match given.into_iter().find(|(.., is_given)| *is_given) {
            None => Ok(()),
            Some((option, key, _)) => {
                let problem = format!("goes with a bot, and {config} is a config: change its key `{key}`");
                Err(arguments::in_option(option, problem))
            }
        }
    }
}

/// Returns the config that an argument names; `None` if it names a bot.
///
/// A file is a bot if it is a manifest: it has the key `strategy`, and no key `tune`.
fn config(name: &str) -> Result<Option<Source>, InputError> {
    let file = Path::new(name);
    if name != STANDARD_INPUT && !name.ends_with(".toml") && !file.is_file() {
        return Ok(None);
    }
    let source = read_config(file)?;
    let has = |key: &str| source.table().contains_key(key);
    Ok(if has("strategy") && !has("tune") { None } else { Some(source) })
}

/// Returns an error of the config that stands for the arguments, which has no file, as one of the arguments.
fn blamed(error: InputError, manifest: Option<&Path>) -> InputError {
    if error.file.as_deref().is_some_and(|file| file != Path::new("")) {
        return error;
    }
    let key = error.key.clone().unwrap_or_default();
    for (own, option) in
        [("tune.variants", "--variant"), ("tune.against", "--against"), ("tune.games", "--games"), ("seed", "--seed")]
    {
        if key.starts_with(own) {
            return arguments::in_option(option, error.problem);
        }
    }
    match manifest {
        Some(file) => InputError::file(file, error.problem),
        None => InputError::plain(error.problem),
    }
}
