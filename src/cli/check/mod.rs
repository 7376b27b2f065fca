//! `overtrick check`.

mod inside;
mod outside;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Ended, print};
use crate::arena::Clock;
use crate::games::Variant;
use crate::input::InputError;
use crate::report::{table, thousands, time_text};
use crate::strategies::{AnyRecipe, Bot};

/// Try a bot: legal moves, the same choices whenever asked the same, nothing from hidden cards; and how fast it is.
#[derive(clap::Args)]
pub struct Args {
    /// A bot's manifest, or the name of a bot: one in `bots/` or one that is built in.
    bot: String,
    /// Only this variant, by name or file; by default all that it plays.
    #[arg(long)]
    variant: Option<String>,
    /// How many deals of each variant.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    deals: u64,
}

/// What came of a bot's trial in a variant.
#[derive(Default)]
struct Finding {
    /// How long single decisions took.
    clock: Clock,
    /// How many decisions it makes in how long, in batches if it takes them.
    pace: (usize, Duration),
    /// What is wrong, a line each.
    problems: Vec<String>,
}

/// A tenth of the deals are played again, to see whether the choices are the same.
fn again(deals: u64) -> impl DoubleEndedIterator<Item = u64> {
    0..deals.div_ceil(10)
}

/// The most problems of a variant that are written out.
const SHOWN: usize = 5;

pub fn check(args: &Args) -> Result<Ended, InputError> {
    let bot = read(&args.bot)?;
    let variants = match &args.variant {
        Some(name) => vec![Variant::named(name)?],
        None => Variant::all(),
    };
    let stop = Arc::new(AtomicBool::new(false));
    if matches!(bot.recipe, AnyRecipe::Process(_)) {
        // The bot must not outlive an interrupted trial.
        let handler = Arc::clone(&stop);
        ctrlc::set_handler(move || handler.store(true, Ordering::Relaxed))
            .map_err(|error| InputError::plain(format!("Ctrl-C cannot be watched: {error}")))?;
    }
    let mut rows = Vec::new();
    let mut problems = String::new();
    let mut idle = Vec::new();
    let mut log = String::new();
    for variant in variants {
        let finding = match &bot.recipe {
            AnyRecipe::Process(params) => {
                let (finding, words) = outside::check(params, &variant, args.deals, &stop)?;
                log = words;
                finding
            }
            recipe => inside::check(recipe, &variant, args.deals),
        };
        if stop.load(Ordering::Relaxed) {
            return Ok(Ended::Interrupted);
        }
        let Some(finding) = finding else {
            idle.push(variant.name);
            continue;
        };
        rows.push(row(&variant, &finding));
        for problem in finding.problems.iter().take(SHOWN) {
            problems.push_str(&format!("{}: {problem}\n", variant.name));
        }
        if finding.problems.len() > SHOWN {
            problems.push_str(&format!("{}: {} more\n", variant.name, finding.problems.len() - SHOWN));
        }
        // Without a process there is nothing to be tried, here or in other variants.
        if finding.pace.0 == 0 {
            break;
        }
    }
    if rows.is_empty() {
        return Err(InputError::plain(format!("{} plays none of these: {}", bot.name, idle.join(", "))));
    }
    let headings = ["variant", "decisions", "a second", "median", "99 %", "longest", "problems"];
    print(&format!("{}\n", table(&headings, 1, rows)));
    if !idle.is_empty() {
        print(&format!("not played: {}\n", idle.join(", ")));
    }
    if problems.is_empty() {
        print(&format!("{} is fine\n", bot.name));
        return Ok(Ended::Done);
    }
    print(&problems);
    if !log.is_empty() {
        print(&format!("the end of its standard error:\n{log}\n"));
    }
    Ok(Ended::Faulty)
}

/// The bot of a manifest, or of a name in `bots/`, or a built-in one.
fn read(text: &str) -> Result<Bot, InputError> {
    if text.ends_with(".toml") {
        return Bot::read(Path::new(text));
    }
    let problem = |problem| InputError::plain(format!("{problem}; a manifest elsewhere ends in `.toml`"));
    Bot::find(text, &[PathBuf::from(format!("bots/{text}.toml"))]).map_err(problem)?
}

fn row(variant: &Variant, finding: &Finding) -> Vec<String> {
    let (decisions, time) = finding.pace;
    let rate = if time.is_zero() { 0.0 } else { decisions as f64 / time.as_secs_f64() };
    let timed = |share| time_text(finding.clock.quantile(share));
    let quantile = |share| if finding.clock.timed > 0 { timed(share) } else { "-".to_owned() };
    let problems = if finding.problems.is_empty() { "-".to_owned() } else { finding.problems.len().to_string() };
    vec![
        variant.name.clone(),
        thousands(decisions as u64),
        thousands(rate.round() as u64),
        quantile(0.5),
        quantile(0.99),
        quantile(1.0),
        problems,
    ]
}
