//! `overtrick check`.

mod external;
mod game;
mod internal;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(super) use game::GameTrial;
use schemars::JsonSchema;
use serde::Serialize;

use super::isolation::{SandboxArgs, say_shortfall};
use super::output_format::{OutputFormat, print_json};
use super::signals;
use super::{Ended, arguments, help, print, programs};
use crate::report::{Column, Screen, sorted, thousands, time_text};
use crate::strategies::{Bot, ParameterChange, Register};
use crate::toml_source::InputError;
use crate::tournament::{Clock, check_eligible, isolation_of};

/// Try a bot, or the file of a game.
///
/// A bot must make legal moves, and the same choice whenever it is asked the same. Cards that it cannot see
/// may not change its choice.
///
/// A game is played at random. Rows of its score that can never count are errors, and so are matches that may
/// never end. The command also lists what did not happen, the scores, and the contracts.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("A bot in `bots/` or a built-in bot, in all variants", "check rule-based"),
    ("A bot of your own, in one variant", "check bots/cautious.toml --variant dumbo --deals 100"),
    ("A game of your own", "check results/mygame.toml"),
]))]
pub struct Args {
    /// The bot, by name or as a .toml file, or the file of a game.
    ///
    /// A name is that of a file in `bots/` or of a built-in bot.
    subject: String,
    /// Try it in this variant alone, by name or as a .toml file.
    ///
    /// The default is all variants that it plays.
    #[arg(long, help_heading = help::PLAYED)]
    variant: Option<String>,
    /// Play this number of deals.
    ///
    /// The default is 40 in each variant with a bot, and 100,000 of a game.
    #[arg(long, help_heading = help::PLAYED)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    deals: Option<u64>,
    /// Change a parameter of the bot.
    ///
    /// The value is TOML or a word: dumbo.ambition=0.4. You may give the option several times.
    #[arg(long, help_heading = help::PLAYED, value_name = "KEY=VALUE")]
    set: Vec<ParameterChange>,
    /// Print in this format: a text, or all of it as JSON.
    #[arg(long, help_heading = help::OUTPUT, value_parser = OutputFormat::text_or_json(), default_value = "text")]
    format: OutputFormat,
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
}

/// The findings of a bot's trial in a variant.
#[derive(Default)]
struct Finding {
    /// The times of single decisions.
    clock: Clock,
    /// The number of decisions and their total time, in batches if the bot takes batches.
    pace: (usize, Duration),
    /// The problems, one line each.
    problems: Vec<String>,
}

/// Returns a tenth of the deals, to play again and compare the choices.
fn again(deals: u64) -> impl DoubleEndedIterator<Item = u64> {
    0..deals.div_ceil(10)
}

/// The maximum number of problems that are printed for a variant.
const SHOWN: usize = 5;

/// The deals of each variant that a bot plays, unless `--deals` says otherwise.
const DEALS: u64 = 40;

pub fn check(args: &Args) -> Result<Ended, InputError> {
    if game::is_game(&args.subject) {
        if args.variant.is_some() || !args.set.is_empty() {
            let option = if args.variant.is_some() { "--variant" } else { "--set" };
            return Err(arguments::in_option(option, format!("is for bots, and {} is a game", args.subject)));
        }
        return game::check(&args.subject, args.deals, args.format);
    }
    check_bot(args)
}

fn check_bot(args: &Args) -> Result<Ended, InputError> {
    let deals = args.deals.unwrap_or(DEALS);
    let mut bot = args.set.iter().try_fold(read(&args.subject)?, changed)?;
    programs::settle([&mut bot], true, |_, problem| InputError::plain(problem))?.require_unchanged()?;
    let variants = arguments::variants(args.variant.as_deref())?;
    let stop = Arc::new(AtomicBool::new(false));
    if bot.spec.process().is_some() {
        // The bot must not outlive an interrupted trial.
        signals::stop_at(&stop)?;
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut idle = Vec::new();
    // The reason for not playing the first of the variants that the bot does not play.
    let mut why = None;
    let mut log = String::new();
    for variant in variants {
        let misfit = check_eligible(&bot, std::slice::from_ref(&variant)).err();
        let finding = match bot.spec.process() {
            _ if misfit.is_some() => None,
            Some(params) => {
                let (finding, words) = external::check(params, &variant, deals, &stop)?;
                log = words;
                finding
            }
            None => internal::check(&bot.spec, &variant, deals),
        };
        if stop.load(Ordering::Relaxed) {
            return Ok(Ended::Interrupted);
        }
        let Some(finding) = finding else {
            why = why.or(misfit);
            idle.push(variant.name);
            continue;
        };
        rows.push(Row::new(variant.name, finding));
        // Without a process no other variant can be tried, either.
        if rows.last().is_some_and(|row| row.decisions == 0) {
            break;
        }
    }
    if rows.is_empty() {
        let why = why.map(|why| format!(". {why}")).unwrap_or_default();
        return Err(InputError::plain(format!("{} plays none of these: {}{why}", bot.name, idle.join(", "))));
    }
    let fine = rows.iter().all(|row| row.problems.is_empty());
    say_shortfall(isolation_of([&bot]), false);
    if args.format == OutputFormat::Json {
        let standard_error = if fine { "" } else { &log };
        print_json(&sorted(&Trial { bot: &bot.name, fine, variants: &rows, not_played: &idle, standard_error }));
    } else {
        print(&in_words(&bot.name, &rows, &idle, &log));
    }
    Ok(if fine { Ended::Done } else { Ended::Faulty })
}

/// Returns the findings as text.
fn in_words(bot: &str, rows: &[Row], idle: &[String], log: &str) -> String {
    let columns = [
        Column::text("variant"),
        Column::figures("decisions").spare(3),
        Column::figures("a second"),
        Column::figures("median").spare(1),
        Column::figures("99 %").spare(2),
        Column::figures("longest"),
        Column::figures("problems"),
    ];
    let lines: Vec<Vec<String>> = rows.iter().map(Row::line).collect();
    let mut text = format!("{}\n", Screen::current().table(&columns, &lines));
    if !idle.is_empty() {
        text.push_str(&format!("not played: {}\n", idle.join(", ")));
    }
    if rows.iter().all(|row| row.problems.is_empty()) {
        return text + &format!("{bot} is fine\n");
    }
    for row in rows {
        let variant = &row.variant;
        row.problems.iter().take(SHOWN).for_each(|problem| text.push_str(&format!("{variant}: {problem}\n")));
        if row.problems.len() > SHOWN {
            text.push_str(&format!("{variant}: {} more\n", row.problems.len() - SHOWN));
        }
    }
    if !log.is_empty() {
        text.push_str(&format!("the end of its standard error:\n{log}\n"));
    }
    text
}

/// Reads a bot: a manifest, a bot in `bots/`, or a built-in bot.
fn read(text: &str) -> Result<Bot, InputError> {
    if text.ends_with(".toml") {
        return Bot::read(Path::new(text));
    }
    let problem = |unknown| InputError::plain(format!("{unknown}. A manifest elsewhere ends in `.toml`"));
    Bot::find(text, &[PathBuf::from(format!("bots/{text}.toml"))], &Register::default()).map_err(problem)?
}

/// Returns the bot with one parameter changed.
fn changed(bot: Bot, change: &ParameterChange) -> Result<Bot, InputError> {
    Register::default()
        .changed(&bot, &bot.name, &change.table())
        .map_err(|error| InputError::plain(error.problem).at_key(format!("--set {change}")))
}

/// The result of trying a bot.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Trial<'a> {
    /// The bot.
    bot: &'a str,
    /// Whether there was no problem.
    fine: bool,
    /// The variants that were tried.
    variants: &'a [Row],
    /// The variants that the bot does not play.
    not_played: &'a [String],
    /// The end of what an external bot wrote to standard error, if there was a problem.
    standard_error: &'a str,
}

/// The findings in a variant.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Row {
    /// The variant.
    variant: String,
    /// How many decisions were asked for.
    decisions: u64,
    /// How many the bot makes a second.
    decisions_per_second: f64,
    /// Of single decisions, in nanoseconds: the median, the 99% quantile, the longest; none if none was
    /// timed.
    nanoseconds: Option<[u64; 3]>,
    /// The problems, a line each.
    problems: Vec<String>,
}

impl Row {
    fn new(variant: String, finding: Finding) -> Row {
        let (decisions, time) = finding.pace;
        let rate = if time.is_zero() { 0.0 } else { decisions as f64 / time.as_secs_f64() };
        let quantiles = [0.5, 0.99, 1.0].map(|share| finding.clock.quantile(share).as_nanos() as u64);
        Row {
            variant,
            decisions: decisions as u64,
            decisions_per_second: rate.round(),
            nanoseconds: (finding.clock.timed > 0).then_some(quantiles),
            problems: finding.problems,
        }
    }

    /// Returns the cells of a table row.
    fn line(&self) -> Vec<String> {
        let timed = self.nanoseconds.map(|times| times.map(|time| time_text(Duration::from_nanos(time))));
        let [median, most, longest] = timed.unwrap_or_else(|| ["-"; 3].map(str::to_owned));
        let problems = if self.problems.is_empty() { "-".to_owned() } else { self.problems.len().to_string() };
        let (decisions, rate) = (thousands(self.decisions), thousands(self.decisions_per_second as u64));
        vec![self.variant.clone(), decisions, rate, median, most, longest, problems]
    }
}
