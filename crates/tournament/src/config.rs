//! The configuration of a tournament: reads a config file, resolves its names and checks it.

use std::path::{Path, PathBuf};

use overtrick_external::process::{Isolation, LastWords};
use overtrick_games::Variant;
use overtrick_strategies::{Bot, Register};
use overtrick_strategy::ids::BotId;
use overtrick_toml::{InputError, Source, key};
use toml::Table;

use super::header::Header;
use super::isolation::{hide, isolation_of};
use super::run_keys::{AUDIT, GROUPS, RunKeys};
use super::{
    BotChange, DrawError, FaultPolicy, Format, Luck, Schedule, ScheduleError, Secret, StoppingRule, Unit, memory,
};

/// Values from the command line, which replace values of the config file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The master seed.
    pub seed: Option<u64>,
    /// The number of deals (or matches) that every line-up plays.
    pub numbers: Option<u64>,
    /// Changes to the bots, applied in this order.
    pub changes: Vec<BotChange>,
}

/// A tournament, resolved and checked. No part of it depends on another file.
#[derive(Clone)]
#[non_exhaustive]
pub struct Tournament {
    /// The tournament's name, which is also the name of its folder of results.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// The secret that cards and seeds follow from, in addition to the seed.
    ///
    /// It is set if the config names one, or by [`Tournament::draw_secret`].
    pub secret: Option<Secret>,
    /// The format, which determines the line-ups.
    pub format: Format,
    /// Whether single deals or matches are simulated.
    pub unit: Unit,
    /// The number of deals or matches that every line-up plays; a maximum if the run may stop earlier.
    pub numbers: u64,
    /// The rule that may stop the run earlier.
    pub stop: Option<StoppingRule>,
    /// The policy for faults.
    pub faults: FaultPolicy,
    /// The share of the decisions of external bots, 0 to 1, that a process without history is asked again.
    pub audit: f64,
    /// The number of deals or matches, from the first, whose plays get a double-dummy analysis. It is at most
    /// [`GivenAway::MOST`](super::GivenAway::MOST).
    pub analyse: u64,
    /// The number of groups in which tallies are kept. It may be below `groups_asked`, so that they fit into
    /// memory.
    pub groups: usize,
    /// The number of groups that the config asks for.
    pub groups_asked: usize,
    /// Whether line-ups in which a bot sits twice are played too.
    pub copies: bool,
    /// The candidate, if the format is a gauntlet.
    pub candidate: Option<BotId>,
    /// The bot whose Elo is 0; `None` if the mean Elo is 0.
    pub anchor: Option<BotId>,
    /// The folder for results, if the config names one.
    pub out: Option<PathBuf>,
    /// The variants, in the order of the config file.
    pub variants: Vec<Variant>,
    /// The bots in the order of the config file, indexed by bot id.
    pub bots: Vec<Bot>,
    /// By variant: the line-ups and seatings, without disqualified bots.
    pub schedules: Vec<Schedule>,
    /// The games and strategies in which the names of the file were looked up.
    pub register: Register,
}

impl Tournament {
    /// Reads a config file.
    ///
    /// # Errors
    /// Returns an error with the file, line and key if the config or a file that it names is wrong.
    pub fn read(file: &Path, overrides: Overrides) -> Result<Tournament, InputError> {
        Tournament::read_with(file, overrides, &Register::default())
    }

    /// Reads a config file that may name games and strategies of other crates, from `register`.
    ///
    /// # Errors
    /// As for [`Tournament::read`].
    pub fn read_with(file: &Path, overrides: Overrides, register: &Register) -> Result<Tournament, InputError> {
        Tournament::resolve_with(&Source::read(file)?, overrides, register)
    }

    /// Reads a configuration from a document.
    ///
    /// # Errors
    /// Returns an error with the file, line and key if the config or a file that it names is wrong.
    pub fn resolve(source: &Source, overrides: Overrides) -> Result<Tournament, InputError> {
        Tournament::resolve_with(source, overrides, &Register::default())
    }

    /// Reads a configuration that may name games and strategies of other crates, from `register`.
    ///
    /// # Errors
    /// As for [`Tournament::resolve`].
    pub fn resolve_with(source: &Source, overrides: Overrides, register: &Register) -> Result<Tournament, InputError> {
        let (header, keys): (Header, RunKeys) = Header::read(source, "run")?;
        let name = header.name(source)?;
        let seed = overrides.seed.map_or_else(|| header.seed(source), Ok)?;
        let (audit, analyse) = (keys.audit(source)?, keys.analyse(source)?);
        let secret = keys.secret(source)?;
        keys.check_unit(source)?;
        let copies = keys.copies(source)?;
        let stop = keys.stop(source)?;
        let numbers = overrides.numbers.map_or_else(|| keys.numbers(source, stop.is_some()), Ok)?;
        let asked = keys.groups(source)?;
        keys.check_size(source)?;
        let variants = keys.variants(source, register.games())?;
        let mut bots = keys.bots(source, &overrides.changes, &variants, register)?;
        let isolation = header.isolation(source)?;
        bots.iter_mut().for_each(|bot| bot.spec.isolate(&isolation));
        let faults = keys.faults(source)?;
        for params in bots.iter_mut().filter_map(|bot| bot.spec.process_mut()) {
            (params.patience, params.last_words) = (faults.patience(), LastWords::default());
        }
        let (candidate, anchor) = (keys.candidate(source, &bots)?, keys.anchor(source, &bots)?);
        let schedule = |variant: &Variant| keys.schedule(source, candidate, variant, bots.len());
        let schedules: Vec<Schedule> = variants.iter().map(schedule).collect::<Result<_, _>>()?;
        let groups = memory::affordable_groups(asked, &variants, &schedules, bots.len());
        memory::check_tallies(groups, &variants, &schedules, bots.len())
            .map_err(|error| source.error(&key(error.key), error.problem))?;
        keys.check_groups(source, stop, asked, groups)?;
        Ok(Tournament {
            name,
            seed,
            secret,
            format: keys.format,
            unit: keys.unit,
            numbers,
            stop,
            faults,
            audit,
            analyse,
            groups,
            groups_asked: asked,
            copies,
            candidate,
            anchor,
            out: header.out(),
            variants,
            bots,
            schedules,
            register: register.clone(),
        })
    }

    /// Makes a tournament of single deals of one variant, without a config file.
    ///
    /// # Errors
    /// If there are too few or too many bots for the format.
    pub fn of(
        seed: u64,
        format: Format,
        deals: u64,
        variant: Variant,
        bots: Vec<Bot>,
        register: &Register,
    ) -> Result<Tournament, ScheduleError> {
        let schedules = vec![Schedule::new(format, bots.len(), None, variant.game.layout().teams())?];
        let variants = vec![variant];
        Ok(Tournament {
            name: variants[0].name.clone(),
            seed,
            secret: None,
            format,
            unit: Unit::Deal,
            numbers: deals,
            stop: None,
            faults: FaultPolicy::default(),
            audit: AUDIT,
            analyse: 0,
            groups: memory::affordable_groups(GROUPS, &variants, &schedules, bots.len()),
            groups_asked: GROUPS,
            copies: false,
            candidate: None,
            anchor: None,
            out: None,
            variants,
            bots,
            schedules,
            register: register.clone(),
        })
    }

    /// Returns the config with everything resolved, so that it gives the same results anywhere.
    pub fn to_toml(&self) -> String {
        let keys = RunKeys {
            secret: self.secret.map(|secret| secret.to_string()),
            format: self.format,
            unit: self.unit,
            deals: (self.unit == Unit::Deal).then_some(self.numbers as i64),
            matches: (self.unit == Unit::Match).then_some(self.numbers as i64),
            stop: self.stop.map(|rule| Table::try_from(rule).expect("plain values")),
            faults: Table::try_from(self.faults).expect("plain values"),
            audit: self.has_external_bots().then_some(self.audit),
            analyse: (self.analyse > 0).then_some(self.analyse as i64),
            groups: Some(self.groups as i64),
            copies: self.copies.then_some(true),
            candidate: self.name_of(self.candidate),
            anchor: self.name_of(self.anchor),
            variants: self.variants.iter().map(|variant| variant.to_table().into()).collect(),
            bots: self.bots.iter().map(|bot| bot.to_table().into()).collect(),
        };
        Header::of(&self.name, self.seed, self.isolation()).to_toml(keys)
    }

    fn name_of(&self, bot: Option<BotId>) -> Option<String> {
        bot.map(|bot| self.bot(bot).name.clone())
    }

    /// Returns the seed and the secret that all random choices follow from.
    pub fn luck(&self) -> Luck {
        Luck { seed: self.seed, secret: self.secret }
    }

    /// Returns true if a bot plays for which the run should have a secret.
    pub fn needs_secret(&self) -> bool {
        self.bots.iter().any(|bot| bot.spec.needs_secret())
    }

    /// Returns true if an external bot plays. It may remember deals, so it must meet none of them twice.
    pub fn has_external_bots(&self) -> bool {
        self.bots.iter().any(|bot| bot.spec.process().is_some())
    }

    /// Draws a secret, unless there is one already or no external bot plays.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn draw_secret(&mut self) -> Result<(), DrawError> {
        if self.secret.is_none() && self.needs_secret() {
            self.secret = Some(Secret::draw()?);
        }
        Ok(())
    }

    /// Returns the isolation of the external bots; `None` if all bots run inside the process.
    pub fn isolation(&self) -> Option<&Isolation> {
        isolation_of(&self.bots)
    }

    /// Hides a folder, such as the folder of results, from external bots.
    pub fn hide(&mut self, folder: &Path) {
        hide(&mut self.bots, folder);
    }

    /// Returns the ids of all bots, in order.
    pub fn bot_ids(&self) -> impl Iterator<Item = BotId> {
        BotId::all(self.bots.len())
    }

    /// Returns the bot with this id.
    pub fn bot(&self, id: BotId) -> &Bot {
        &self.bots[id.index()]
    }

    /// Removes the line-ups of a bot from a variant. Returns false and changes nothing if no line-up would be
    /// left.
    pub fn drop_bot(&mut self, variant: usize, bot: BotId) -> bool {
        self.schedules[variant].drop_bot(bot)
    }

    /// Returns the number of games in the tournament: numbers times line-ups times seatings, over all
    /// variants.
    pub fn games(&self) -> u64 {
        self.schedules.iter().map(|schedule| schedule.games_with_copies() as u64 * self.numbers).sum()
    }
}
