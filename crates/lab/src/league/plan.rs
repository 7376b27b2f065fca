//! The plan of a league: its config, read, resolved and checked.

use std::path::{Path, PathBuf};

use overtrick_cards::table::Teams;
use overtrick_external::process::Isolation;
use overtrick_games::Variant;
use overtrick_league::{League, LeagueError, LeagueQuestion, LeagueSettings, LineUpShape};
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::{Header, Schedule, hide, isolation_of};
use toml::Table;

use super::chairs::chairs_of;
use super::entrants;
use super::league_keys::{LeagueConfig, LeagueKeys, league_key, question_value};

/// The plan of a league, resolved and checked.
#[derive(Clone)]
pub struct LeaguePlan {
    /// The name of the plan, which is also the name of the results folder.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// The folder for results, if the file names one.
    pub out: Option<PathBuf>,
    /// The variant.
    pub variant: Variant,
    /// The bots: those that are listed, and then those of the grid.
    pub bots: Vec<Bot>,
    /// The number of bots that are listed.
    listed: usize,
    /// The question.
    pub question: LeagueQuestion,
    /// The probability with which any part of the answer may be wrong.
    pub error: f64,
    /// The difference in points a deal below which two bots count as equal.
    pub resolution: f64,
    /// The number of games that may be played.
    pub games: Option<u64>,
    /// Any line-up, with which players are made.
    pub(super) any_line_up: Schedule,
}

impl LeaguePlan {
    /// Reads a league config.
    ///
    /// # Errors
    /// If the config or a file that it names is wrong, with file, line and key.
    pub fn read(file: &Path, register: &Register) -> Result<LeaguePlan, InputError> {
        LeaguePlan::resolve(&Source::read(file)?, register)
    }

    /// Reads a league config from a document.
    ///
    /// # Errors
    /// If the config or a file that it names is wrong, with file, line and key.
    pub fn resolve(source: &Source, register: &Register) -> Result<LeaguePlan, InputError> {
        let (header, LeagueConfig { league }) = Header::read(source, "league")?;
        let own = LeagueKeys::read(source, &league)?;
        let (name, seed) = (header.name(source)?, header.seed(source)?);
        let variant = own.variant(source, register)?;
        let (error, resolution, games) = (own.error(source)?, own.resolution(source)?, own.games(source)?);
        let bots = entrants::read(source, &own, &variant, register)?;
        let question = own.question(source, &bots)?;
        let isolation = header.isolation(source)?;
        let (out, listed, teams) = (header.out(), own.bots.len(), variant.game.layout().teams());
        let any_line_up = Schedule::listed(&[vec![0; teams.count()]], teams).expect("a bot for every chair");
        let mut plan =
            LeaguePlan { name, seed, out, variant, bots, listed, question, error, resolution, games, any_line_up };
        plan.bots.iter_mut().for_each(|bot| bot.spec.isolate(&isolation));
        plan.check(source)?;
        Ok(plan)
    }

    /// Returns the place of a bot in the config.
    pub fn place_of_bot(&self, bot: usize) -> Vec<String> {
        if bot < self.listed { [league_key("bots"), vec![bot.to_string()]].concat() } else { league_key("grid") }
    }

    /// Returns the isolation of external bots; `None` if no bot is external.
    pub fn isolation(&self) -> Option<&Isolation> {
        isolation_of(&self.bots)
    }

    /// Hides a folder, such as the results folder, from bots.
    pub fn hide(&mut self, folder: &Path) {
        hide(&mut self.bots, folder);
    }

    /// Returns the names of the bots.
    pub fn names(&self) -> Vec<&str> {
        self.bots.iter().map(|bot| bot.name.as_str()).collect()
    }

    /// Returns whether any bot runs outside the process.
    pub fn has_external(&self) -> bool {
        self.bots.iter().any(|bot| bot.spec.process().is_some())
    }

    /// Returns the teams at the table.
    pub fn teams(&self) -> Teams {
        self.variant.game.layout().teams()
    }

    /// Returns the line-ups: a bot for every seat or side of partners, or duels if there are fewer bots.
    ///
    /// A side of partners counts as one seat.
    pub fn shape(&self) -> LineUpShape {
        let teams = self.teams();
        let seats = teams.count();
        let size = if self.bots.len() < seats { 2 } else { seats };
        let line_up: Vec<usize> = (0..size).collect();
        let schedule = Schedule::listed(&chairs_of(&line_up, seats), teams).expect("a bot for every chair");
        LineUpShape { size, seats, games: schedule.games_a_number() }
    }

    /// Returns the settings of the statistics.
    pub fn settings(&self) -> LeagueSettings {
        LeagueSettings {
            resolution: self.resolution,
            error: self.error,
            most_games: self.games,
            ..LeagueSettings::new(self.bots.len(), self.shape(), self.question, self.seed)
        }
    }

    /// Returns the games of a round-robin of the bots on a number of deals.
    pub fn games_of_round_robin(&self, deals: u64) -> f64 {
        let shape = self.shape();
        let mut line_ups = 1.0;
        for chosen in 0..shape.size {
            line_ups *= (self.bots.len() - chosen) as f64 / (chosen + 1) as f64;
        }
        line_ups.round() * shape.games as f64 * deals as f64
    }

    /// Checks that a league can begin, with games for the first deals.
    fn check(&self, source: &Source) -> Result<(), InputError> {
        match League::new(self.settings()) {
            Ok(_) => Ok(()),
            Err(LeagueError::Games { games, needed }) => {
                let problem = format!("is {games}; the first deals take {needed}: give more, or fewer bots");
                Err(source.error(&league_key("games"), problem))
            }
            Err(other) => Err(source.error(&key("league"), other.to_string())),
        }
    }

    /// Returns the configuration with everything resolved, which runs anywhere and gives the same results.
    pub fn to_toml(&self) -> String {
        let own = LeagueKeys {
            variant: Some(self.variant.to_table().into()),
            bots: self.bots.iter().map(|bot| bot.to_table().into()).collect(),
            grid: None,
            question: Some(question_value(self.question, &self.bots)),
            error: Some(self.error),
            resolution: Some(self.resolution).filter(|&resolution| resolution > 0.0),
            games: self.games.map(|games| i64::try_from(games).expect("read from an i64")),
        };
        let league = Table::try_from(own).expect("plain values");
        Header::of(&self.name, self.seed, self.isolation()).to_toml(LeagueConfig { league })
    }
}
