//! The trial of a game in a file.

use std::path::Path;

use overtrick_language::{DeclaredGame, GameSurvey, SurveyedMatches};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::output_format::{OutputFormat, print_json};
use super::super::{Ended, print};
use crate::games::{AnyGame, Variant, is_game_file};
use crate::report::{Column, Screen, sorted, thousands};
use crate::toml_source::{InputError, Source};

/// The deals that are played, unless `--deals` says otherwise.
const DEALS: u64 = 100_000;

/// The random matches that are played.
const MATCHES: u64 = 1_000;

const SEED: u64 = 1;

/// Returns whether this is the file of a game.
///
/// A file that cannot be read is none, so that its error is that of a bot.
pub(super) fn is_game(text: &str) -> bool {
    text.ends_with(".toml") && Source::read(Path::new(text)).is_ok_and(|source| is_game_file(&source))
}

/// Reads a game, plays it at random, and prints what that shows.
///
/// # Errors
/// If the file is wrong.
pub(super) fn check(file: &str, deals: Option<u64>, format: OutputFormat) -> Result<Ended, InputError> {
    let variant = Variant::read(Path::new(file))?;
    let AnyGame::Declared(game) = &variant.game else {
        return Err(InputError::plain(format!("{file} is no file of a game")));
    };
    let survey = game.survey(deals.unwrap_or(DEALS), MATCHES, SEED);
    if format == OutputFormat::Json {
        print_json(&sorted(&GameTrial::new(&variant.name, game, &survey)));
    } else {
        print(&in_words(&variant.name, game, &survey));
    }
    Ok(if survey.defects.is_empty() { Ended::Done } else { Ended::Faulty })
}

/// Returns the findings as text.
fn in_words(name: &str, game: &DeclaredGame, survey: &GameSurvey) -> String {
    let screen = Screen::current();
    let mut text = format!("{name}: {} random deals, seed {SEED}\n\n", thousands(survey.deals));
    let columns = [Column::text("role"), Column::figures("mean score"), Column::figures("95% interval")];
    let mut lines = Vec::new();
    for mean in &survey.means {
        let interval = format!("{:.3} to {:.3}", mean.mean - mean.half_width, mean.mean + mean.half_width);
        lines.push(vec![mean.role.to_owned(), format!("{:.3}", mean.mean), interval]);
    }
    text.push_str(&format!("{}\n", screen.table(&columns, &lines)));
    if !survey.contracts.is_empty() {
        let columns = [Column::text("contract"), Column::figures("deals"), Column::figures("made")];
        let mut lines = Vec::new();
        for contract in &survey.contracts {
            lines.push(vec![contract.name.clone(), thousands(contract.played), thousands(contract.made)]);
        }
        text.push_str(&format!("{}\n", screen.table(&columns, &lines)));
        text.push_str(&format!("longest auction: {} calls\n", survey.most_calls));
    }
    let possible = game_range(game);
    let (low, high) = survey.reached;
    text.push_str(&format!("scores: {low} to {high}, of {} to {} that the rules allow\n", possible[0], possible[1]));
    text.push_str(&matches_in_words(&survey.matches));
    if !survey.unseen.is_empty() {
        text.push_str("\nnever happened:\n");
        survey.unseen.iter().for_each(|remark| text.push_str(&format!("  {remark}\n")));
    }
    if survey.defects.is_empty() {
        return text + &format!("\n{name} is fine\n");
    }
    text.push_str("\nwrong:\n");
    survey.defects.iter().for_each(|defect| text.push_str(&format!("  {defect}\n")));
    text
}

fn matches_in_words(matches: &SurveyedMatches) -> String {
    match matches {
        SurveyedMatches { played: 0, most, .. } => format!("a match has {most} deals\n"),
        // All may be endless, which is a defect with its own line.
        SurveyedMatches { played, endless, .. } if endless == played => String::new(),
        SurveyedMatches { played, fewest, mean, most, .. } => {
            let played = thousands(*played);
            format!("a match takes {mean:.1} deals in the mean of {played}, and {fewest} to {most}\n")
        }
    }
}

fn game_range(game: &DeclaredGame) -> [i32; 2] {
    let range = overtrick_game::Game::score_range(game);
    [*range.start(), *range.end()]
}

/// The result of trying a game.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(in crate::cli) struct GameTrial<'a> {
    /// The game.
    game: &'a str,
    /// Whether nothing is wrong.
    fine: bool,
    /// The number of random deals.
    deals: u64,
    /// The seed of the deals.
    seed: u64,
    /// The mean scores by role, the dealer first.
    means: Vec<MeanRow<'a>>,
    /// The lowest and the highest score that was reached.
    reached: [i32; 2],
    /// The lowest and the highest score that the rules allow.
    possible: [i32; 2],
    /// The largest number of calls in a deal.
    most_calls: usize,
    /// The kinds of contract.
    contracts: Vec<ContractRow<'a>>,
    /// The random matches.
    matches: MatchesRow,
    /// The keys that cannot do anything and the matches that never end, a line each.
    wrong: Vec<String>,
    /// The rows, calls, bids and bars that did nothing, and random matches without an end, a line each.
    never: Vec<String>,
}

/// The mean score of a role.
#[derive(Serialize, JsonSchema)]
struct MeanRow<'a> {
    /// The role.
    role: &'a str,
    /// The mean.
    mean: f64,
    /// The lower end of the 95% interval.
    low: f64,
    /// The upper end of the 95% interval.
    high: f64,
}

/// A kind of contract.
#[derive(Serialize, JsonSchema)]
struct ContractRow<'a> {
    /// The kind.
    contract: &'a str,
    /// The number of deals with such a contract.
    deals: u64,
    /// The number of these in which it was made.
    made: u64,
}

/// The random matches.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct MatchesRow {
    /// How many were played; none if all have the same number of deals.
    played: u64,
    /// How many had no end after 1,000 deals.
    endless: u64,
    /// The fewest deals of the others; none if there are no others.
    fewest_deals: Option<u32>,
    /// Their mean number of deals.
    mean_deals: Option<f64>,
    /// Their most deals.
    most_deals: Option<u32>,
}

impl<'a> GameTrial<'a> {
    fn new(name: &'a str, game: &DeclaredGame, survey: &'a GameSurvey) -> GameTrial<'a> {
        let mut means = Vec::new();
        for mean in &survey.means {
            let (low, high) = (mean.mean - mean.half_width, mean.mean + mean.half_width);
            means.push(MeanRow { role: mean.role, mean: mean.mean, low, high });
        }
        let mut contracts = Vec::new();
        for contract in &survey.contracts {
            contracts.push(ContractRow { contract: &contract.name, deals: contract.played, made: contract.made });
        }
        let SurveyedMatches { played, endless, fewest, mean, most } = survey.matches;
        let has_end = played == 0 || endless < played;
        GameTrial {
            game: name,
            fine: survey.defects.is_empty(),
            deals: survey.deals,
            seed: SEED,
            means,
            reached: [survey.reached.0, survey.reached.1],
            possible: game_range(game),
            most_calls: survey.most_calls,
            contracts,
            matches: MatchesRow {
                played,
                endless,
                fewest_deals: has_end.then_some(fewest),
                mean_deals: has_end.then_some(mean),
                most_deals: has_end.then_some(most),
            },
            wrong: survey.defects.iter().map(ToString::to_string).collect(),
            never: survey.unseen.iter().map(ToString::to_string).collect(),
        }
    }
}
