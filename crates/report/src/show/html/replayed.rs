//! A page of selected deals, played again or read from records.

use std::collections::HashMap;

use overtrick_games::Variant;
use overtrick_tournament::{DealRecord, Tournament};

use super::deals::Deals;
use super::viewer::{Deal, DealHeading};
use super::{ResultsSection, Subsection};

/// Deals for a page without a run.
pub struct PageDeals<'a> {
    /// The version of the program that shows them.
    pub version: &'a str,
    /// The variants with their deals.
    pub variants: Vec<(Variant, Vec<DealRecord>)>,
    /// Whether their plays should have a double-dummy analysis.
    pub analyse: bool,
    /// The tournament of the deals, and the command that shows them again with its config; `None` for
    /// records.
    pub again: Option<(&'a Tournament, String)>,
    /// Notes on the deals.
    pub notes: Vec<String>,
}

/// Returns the section of these deals.
pub(super) fn section(number: usize, page: &PageDeals<'_>) -> ResultsSection {
    let id = format!("r{number}");
    let subsections = (page.variants.iter().enumerate()).map(|(index, (variant, records))| Subsection {
        name: variant.name.clone(),
        about: variant.about.clone(),
        deals: deals(page, &format!("{id}-{index}"), variant, records),
        id: format!("{id}-{index}"),
        ..Subsection::default()
    });
    let count = |(variant, records): &(Variant, Vec<DealRecord>)| {
        let deals = if records.len() == 1 { "deal" } else { "deals" };
        format!("{} {deals} of {}", records.len(), variant.name)
    };
    let (tournament, command) = page.again.as_ref().map(|(tournament, command)| (*tournament, command)).unzip();
    ResultsSection {
        name: tournament.map_or_else(|| "Deals".to_owned(), |tournament| tournament.name.clone()),
        extent: format!("Shown: {}.", page.variants.iter().map(count).collect::<Vec<_>>().join(", ")),
        command: command.cloned().unwrap_or_default(),
        version: page.version.to_owned(),
        seed: tournament.map_or(0, |tournament| tournament.seed),
        subsections: subsections.collect(),
        notes: page.notes.clone(),
        config: tournament.map(Tournament::to_toml),
        id,
        ..ResultsSection::default()
    }
}

/// Returns the deals of a variant. Deals that differ only in the players, or belong to one match, share a
/// viewer.
fn deals(page: &PageDeals<'_>, id: &str, variant: &Variant, records: &[DealRecord]) -> Deals {
    let mut together: Vec<Vec<DealRecord>> = Vec::new();
    let mut known: HashMap<(u64, Option<u64>, u64), usize> = HashMap::new();
    for record in records {
        let key = (record.luck.seed, record.game, record.game.map_or(record.deal, |_| 0));
        let place = *known.entry(key).or_insert(together.len());
        together.resize_with(together.len().max(place + 1), Vec::new);
        together[place].push(record.clone());
    }
    let deal = |records: &Vec<DealRecord>| {
        let seed = records[0].luck.seed;
        let (unit, letter, number) = match records[0].game {
            Some(number) => ("Match", "m", number),
            None => ("Deal", "d", records[0].deal),
        };
        let heading = DealHeading {
            id: format!("{id}-{seed}-{letter}{number}"),
            text: format!("{unit} {number} of {}, seed {seed}", variant.name),
            sentences: Vec::new(),
            analyse: page.analyse,
            is_open: true,
            has_config: page.again.is_some(),
        };
        Deal::new(heading, variant, records)
    };
    Deals { heading: "The deals", deals: together.iter().map(deal).collect(), ..Deals::default() }
}
