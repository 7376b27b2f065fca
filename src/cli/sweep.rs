//! `overtrick sweep`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::earlier::CHECKPOINT;
use super::going_on::{Asked, Earlier};
use super::host::{read_config, register, set_progress};
use super::isolation::shortfall;
use super::report::{Found, page_of};
use super::run::absence;
use super::signals;
use super::{Ended, print, progress};
use crate::report::{self, OutputFolder, PAGE, Screen, SweepResults, sweep_file_names, sweep_files, sweep_text};
use crate::run::{Threads, remove_staged};
use crate::sweep::{SweepControl, SweepOutcome, SweepPlan, Sweeping};
use crate::toml_source::InputError;
use crate::tournament::first_start_failure;

/// The least time between two checkpoints.
const EVERY: Duration = Duration::from_secs(2);

/// Change rules, and see what that does to a game.
#[derive(clap::Args)]
pub struct Args {
    /// The sweep config file; `-` reads it from standard input.
    config: PathBuf,
    /// How many threads; all cores by default. Results do not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The folder for the results, instead of the config's or results/NAME.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write report.html to the results, too: one page that shows them.
    #[arg(long)]
    report: bool,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
    /// Go on where an earlier run of the same configuration was stopped or killed.
    #[arg(long)]
    resume: bool,
    /// Start from the beginning, and replace whatever results or checkpoint of other runs the folder has.
    #[arg(long, conflicts_with = "resume")]
    force: bool,
}

pub fn sweep(args: &Args) -> Result<Ended, InputError> {
    let mut plan = SweepPlan::resolve(&read_config(&args.config)?, &register())?;
    let out = args.out.clone().or(plan.out.clone()).unwrap_or_else(|| Path::new("results").join(&plan.name));
    plan.hide(&out);
    let config = plan.to_toml();
    let files = sweep_file_names(&plan);
    let asked =
        Asked { out: &out, config: &config, files: &files, what: "sweep", resume: args.resume, force: args.force };
    let names = [&files[..], &[PAGE, CHECKPOINT]].concat();
    let mut sweeping = match asked.earlier(&plan)? {
        Earlier::Finished => {
            remove_staged(&out, &names);
            if args.report {
                write_page(&OutputFolder::claim(&out, &[PAGE])?, true)?;
            }
            if !args.quiet {
                print(&format!("nothing to do: {} holds the results of this sweep\n", out.display()));
            }
            return Ok(Ended::Done);
        }
        Earlier::Begun(sweeping) => sweeping,
        Earlier::Nothing => {
            if args.resume && !args.quiet {
                asked.note_the_beginning();
            }
            Sweeping::default()
        }
    };
    let threads = args.threads.map_or_else(Threads::all, |threads| Threads::new(threads.into()));
    let threads = threads.map_err(|error| InputError::plain(format!("{error}; try --threads 1")))?;
    let control = SweepControl::default();
    let stop = Arc::clone(&control.stop);
    signals::watch(move || stop.store(true, Ordering::Relaxed))?;
    check_starts(args, &plan, &threads, &control)?;
    if let Some(shortfall) = plan.isolation().and_then(shortfall).filter(|_| !args.quiet) {
        tell!("note: {shortfall}");
    }
    let folder = OutputFolder::claim(&out, &names)?;
    if !play(&plan, &mut sweeping, &threads, &control, &asked, args.quiet)? {
        let place = match sweeping.games > 0 {
            true => format!("go on with --resume; the checkpoint is in {}", out.display()),
            false => format!("nothing was written to {}", out.display()),
        };
        tell!("interrupted at point {} of {}: {place}", sweeping.points.len().max(1), plan.points.len());
        return Ok(Ended::Interrupted);
    }
    let outcome = SweepOutcome::new(&plan, &sweeping);
    folder.write(&sweep_files(&plan, &sweeping, &outcome))?;
    write_page(&folder, args.report)?;
    // Nothing can be lost any more. Files of a run that were to be replaced have no place beside these.
    let others = report::output_names().into_iter().chain([report::RETUNED]);
    let others = others.filter(|name| args.force && !files.contains(name));
    for name in others.chain([CHECKPOINT]) {
        let _ = std::fs::remove_file(out.join(name));
    }
    let faults = sweeping.faults;
    if !args.quiet {
        let faults = if faults > 0 { format!("note: bots had {faults} faults\n") } else { String::new() };
        let text = sweep_text(&plan, &outcome, Screen::current());
        print(&format!("{text}{faults}results are in {}\n", out.display()));
    }
    Ok(if faults > 0 { Ended::Faulty } else { Ended::Done })
}

/// Writes the page of the results of a folder, or takes an earlier one away.
fn write_page(folder: &OutputFolder, has_page: bool) -> Result<(), InputError> {
    page_of(folder, has_page, |path| Ok(Found::Sweep(SweepResults::read(path)?)))
}

/// Checks that all bots outside of the process start.
fn check_starts(args: &Args, plan: &SweepPlan, threads: &Threads, control: &SweepControl) -> Result<(), InputError> {
    let variants: Vec<_> = plan.points.iter().map(|point| point.variant.clone()).collect();
    match first_start_failure(plan.given(), &variants, threads.pool(), &control.stop) {
        Some((bot, no_show)) if !control.stop.load(Ordering::Relaxed) => {
            let at = SweepPlan::place_of_bot(bot.index());
            Err(read_config(&args.config)?.error(&at, absence(&plan.panel[bot.index()], &no_show, "")))
        }
        _ => Ok(()),
    }
}

/// Plays all that is left; false if it was stopped.
fn play(
    plan: &SweepPlan,
    sweeping: &mut Sweeping,
    threads: &Threads,
    control: &SweepControl,
    asked: &Asked<'_>,
    quiet: bool,
) -> Result<bool, InputError> {
    let bar = bar(plan, sweeping, quiet);
    let mut lines = progress::Lines::default();
    let (start, mut saved) = (Instant::now(), None::<Instant>);
    let mut is_whole = true;
    while is_whole && !sweeping.is_over(plan) {
        let point = (sweeping.points.len() + 1).min(plan.points.len());
        bar.set_message(format!("point {point} of {}", plan.points.len()));
        is_whole = sweeping.step(plan, threads, control)?;
        bar.set_position(sweeping.games);
        set_progress(sweeping.games, plan.games());
        if !quiet && bar.is_hidden() && lines.due(start.elapsed()) {
            tell!("point {point} of {}; {} of {} games played", plan.points.len(), sweeping.games, plan.games());
        }
        if sweeping.games > 0 && (!is_whole || saved.is_none_or(|saved| saved.elapsed() > EVERY)) {
            asked.save(sweeping)?;
            saved = Some(Instant::now());
        }
    }
    bar.finish_and_clear();
    Ok(is_whole)
}

fn bar(plan: &SweepPlan, sweeping: &Sweeping, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new(plan.games().max(1)).with_position(sweeping.games);
    let is_shown = !quiet && std::io::stderr().is_terminal();
    bar.set_draw_target(if is_shown { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() });
    let style = "[{bar:20}] {human_pos} of {human_len} games, {eta} left; {msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("a template that parses"));
    progress::keep_moving(&bar);
    bar.reset_eta();
    bar
}
