//! The keys of a sweep config, each checked by itself.

use overtrick_games::Variant;
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::{MOST_NUMBERS, Unit, find_variant, resolve, whole_number};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::axis::{ReadAxis, SweepAxis};
use super::design::{GRID_AXES, MOST_POINTS};
use super::extent::{PointExtent, are_about_matches};
use super::restriction::Restriction;
use super::retune::Retune;
use super::wish::{SKILLS, SweepWish};

/// The default number of points, if there are too many axes for a grid.
const POINTS: i64 = 64;

/// The keys of a sweep config after its header, as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SweepConfig {
    pub(super) sweep: Table,
}

/// The keys of the table `sweep`, as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct SweepKeys {
    pub(super) base: Option<Value>,
    pub(super) unit: Option<Unit>,
    pub(super) deals: Option<i64>,
    pub(super) matches: Option<i64>,
    pub(super) panel: Vec<Value>,
    pub(super) axes: Table,
    pub(super) points: Option<i64>,
    pub(super) want: Table,
    #[serde(skip_serializing_if = "Table::is_empty")]
    pub(super) restrict: Table,
    pub(super) retune: Option<Table>,
}

/// Returns the path of a key of the table `sweep`.
pub(super) fn sweep_key(name: &str) -> Vec<String> {
    vec!["sweep".to_owned(), name.to_owned()]
}

impl SweepKeys {
    /// Reads the table `sweep` of a config.
    pub(super) fn read(source: &Source, table: &Table) -> Result<SweepKeys, InputError> {
        let at = key("sweep");
        if table.is_empty() {
            return Err(source.error(&at, "is missing: a table with `base`, `deals`, `panel` and `axes`"));
        }
        source.fields(&at, table)
    }

    /// Returns the variant whose rules are changed.
    pub(super) fn base(&self, source: &Source, register: &Register) -> Result<Variant, InputError> {
        let at = sweep_key("base");
        let Some(base) = &self.base else {
            let problem = "is missing: the variant whose rules are changed, by name, file or table";
            return Err(source.error(&at, problem));
        };
        find_variant(source, &at, base, register.games())
    }

    /// Returns the bots, the least skilled first.
    pub(super) fn panel(&self, source: &Source, register: &Register) -> Result<Vec<Bot>, InputError> {
        let at = sweep_key("panel");
        if self.panel.is_empty() {
            return Err(source.error(&at, "is missing: a list of bots, the least skilled first, by name or file"));
        }
        let bot = |at: &[String], value: &Value| register.find_bot(source, at, value);
        resolve(source, &at, &self.panel, bot, |bot| &bot.name)
    }

    /// Returns the bot that is tuned again at each point, if any.
    pub(super) fn retune(
        &self,
        source: &Source,
        panel: &[Bot],
        base: &Variant,
        seed: u64,
        register: &Register,
    ) -> Result<Option<Retune>, InputError> {
        let Some(table) = &self.retune else { return Ok(None) };
        Retune::read(source, &sweep_key("retune"), table, panel, base, seed, register).map(Some)
    }

    /// Returns the axes, and whether any of them changes the end of matches.
    pub(super) fn axes(
        &self,
        source: &Source,
        base: &Variant,
        register: &Register,
    ) -> Result<(Vec<SweepAxis>, bool), InputError> {
        let (mut axes, mut is_about_matches) = (Vec::new(), false);
        for (name, value) in &self.axes {
            let at = [sweep_key("axes"), vec![name.clone()]].concat();
            let ReadAxis { axis, variants } = SweepAxis::read(source, &at, name, value, base, register.games())?;
            is_about_matches |= are_about_matches(&variants);
            axes.push(axis);
        }
        Ok((axes, is_about_matches))
    }

    /// Returns the unit and the number to play at each point.
    ///
    /// Without `unit`, the key that has the number decides, or else an axis that is about matches.
    pub(super) fn extent(&self, source: &Source, is_about_matches: bool) -> Result<PointExtent, InputError> {
        let by_number = if self.matches.is_some() { Unit::Match } else { Unit::Deal };
        let unit = self.unit.unwrap_or(by_number);
        let [numbers, others] = match unit {
            Unit::Deal => [self.deals, self.matches],
            Unit::Match => [self.matches, self.deals],
        };
        let own = unit.plural();
        if others.is_some() {
            let other = if unit == Unit::Deal { Unit::Match } else { Unit::Deal };
            let problem = format!("does not go with `{own}`; a sweep plays either deals or matches");
            return Err(source.error(&sweep_key(other.plural()), problem));
        }
        let Some(numbers) = numbers else {
            let problem = format!("is missing: how many {own} does each bot play with itself at each point?");
            return Err(source.error(&sweep_key(own), problem));
        };
        let numbers = whole_number(source, &sweep_key(own), numbers, 1..=MOST_NUMBERS as i64)?;
        if self.unit.is_none() && unit == Unit::Deal && is_about_matches {
            return Ok(PointExtent::in_matches(numbers));
        }
        Ok(PointExtent { unit, numbers, is_chosen: false })
    }

    /// Returns the number of points that is asked for, if they are no grid.
    pub(super) fn points(&self, source: &Source, is_grid: bool) -> Result<u64, InputError> {
        let at = sweep_key("points");
        if is_grid && self.points.is_some() {
            let problem =
                format!("only goes with more than {GRID_AXES} axes. Up to {GRID_AXES}, all combinations are played");
            return Err(source.error(&at, problem));
        }
        whole_number(source, &at, self.points.unwrap_or(POINTS), 1..=MOST_POINTS as i64)
    }

    /// Returns the options whose worth is measured; `variants` has the variants of all points.
    pub(super) fn restrictions(
        &self,
        source: &Source,
        panel: &[Bot],
        variants: &[Variant],
        register: &Register,
    ) -> Result<Vec<Restriction>, InputError> {
        let mut restrictions = Vec::new();
        for (name, value) in &self.restrict {
            let at = [sweep_key("restrict"), vec![name.clone()]].concat();
            let restriction = Restriction::read(source, &at, name, value, panel, register)?;
            restriction.check(source, &at, variants)?;
            restrictions.push(restriction);
        }
        Ok(restrictions)
    }

    /// Returns the wishes; a bot that is tuned at each point is the last of the panel.
    pub(super) fn wishes(
        &self,
        source: &Source,
        panel: &[Bot],
        retune: Option<&Retune>,
        measures: &[String],
    ) -> Result<Vec<SweepWish>, InputError> {
        let is_first = |bot: usize| bot == 0 || (bot + 1 == panel.len() && retune.is_some_and(|own| own.bot == 0));
        let mut wishes = Vec::new();
        for (name, value) in &self.want {
            let at = [sweep_key("want"), vec![name.clone()]].concat();
            let wish = SweepWish::read(source, &at, name, value, panel, measures)?;
            if SKILLS.contains(&wish.measure.as_str()) && is_first(wish.bot) {
                let bot = &panel[wish.bot].name;
                let problem = format!("{bot} is the first of the panel, and {name} is the lead over the one before");
                return Err(source.error(&at, problem));
            }
            wishes.push(wish);
        }
        Ok(wishes)
    }
}
