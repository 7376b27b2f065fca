//! `overtrick tune`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::absence::absence;
use super::earlier::CHECKPOINT;
use super::going_on::{Asked, Earlier};
use super::host::{elsewhere, read_config, register, set_progress};
use super::isolation::say_shortfall;
use super::report::{Found, page_of};
use super::signals;
use super::{Ended, print, programs, progress};
use crate::report::{
    self, OutputFolder, PAGE, Screen, TUNE_FILES, TuneResults, pilot_text, tune_files, tune_progress, tune_text,
};
use crate::run::{Threads, remove_staged};
use crate::strategies::Bot;
use crate::toml_source::InputError;
use crate::tournament::first_start_failure;
use crate::tune::{self, Arena, Stage, TuneControl, TuneOutcome, TunePlan, TuneSnapshot, Tuning};

/// Find the parameters with which a bot plays best, and say what that is worth.
#[derive(clap::Args)]
pub struct Args {
    /// The tuning config file; `-` reads it from standard input.
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
    /// Start from the beginning, and replace the results or the checkpoint of other runs that the folder has.
    #[arg(long, conflicts_with = "resume")]
    force: bool,
}

pub fn tune(args: &Args) -> Result<Ended, InputError> {
    let mut plan = TunePlan::resolve(&read_config(&args.config)?, &register())?;
    let out = args.out.clone().or(plan.out.clone()).unwrap_or_else(|| Path::new("results").join(&plan.name));
    plan.hide(&out);
    let same = settle_programs(args, &mut plan)?;
    let config = plan.to_toml();
    let asked = Asked {
        out: &out,
        config: &config,
        files: &TUNE_FILES,
        part: None,
        others: &[],
        what: "tuning",
        resume: args.resume,
        force: args.force,
    };
    let control = Arc::new(TuneControl::default());
    let handler = Arc::clone(&control);
    signals::watch(move || handler.stop.store(true, Ordering::Relaxed))?;
    let folder = OutputFolder::lock(&out)?;
    let mut tuning = match asked.earlier::<TuneSnapshot>(&plan)? {
        Earlier::Finished => {
            leave_finished(args, &folder)?;
            return Ok(Ended::Done);
        }
        Earlier::Begun(snapshot) => {
            control.faults.store(snapshot.faults, Ordering::Relaxed);
            snapshot.tuning
        }
        Earlier::Nothing => {
            if args.resume && !args.quiet {
                asked.note_the_beginning();
            }
            Tuning::new(&plan.task())
        }
    };
    same?;
    let threads = args.threads.map_or_else(Threads::all, |threads| Threads::new(threads.into()));
    let threads = threads.map_err(|error| InputError::plain(format!("{error}; try --threads 1")))?;
    check_starts(args, &plan, &threads, &control)?;
    say_shortfall(plan.isolation(), args.quiet);
    if control.stop.load(Ordering::Relaxed) {
        tell!("interrupted before the first deal: nothing was written");
        return Ok(Ended::Interrupted);
    }
    folder.check(&[&TUNE_FILES[..], &[PAGE, CHECKPOINT]].concat())?;
    let outcome = Tuner { plan: &plan, asked: &asked, quiet: args.quiet }.play(&mut tuning, &threads, &control);
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(tune::NoResult::Failed(error)) => return Err(error),
        Err(tune::NoResult::Stopped) => {
            let place = match tuning.games > 0 {
                true => format!("go on with --resume; the checkpoint is in {}", out.display()),
                false => format!("nothing was written to {}", out.display()),
            };
            let stage = if tuning.is_over() { "the last comparisons" } else { tuning.stage.name() };
            tell!("interrupted in {stage}: {place}");
            return Ok(Ended::Interrupted);
        }
    };
    folder.write(&tune_files(&plan, &tuning, &outcome))?;
    write_page(&folder, args.report)?;
    // All results are written, so the checkpoint goes, and with --force so do files of other runs.
    let others = report::output_names().into_iter().filter(|name| args.force && !TUNE_FILES.contains(name));
    for name in others.chain([CHECKPOINT]) {
        let _ = std::fs::remove_file(out.join(name));
    }
    let faults = outcome.faults;
    if !args.quiet {
        let faults = if faults > 0 { format!("note: bots had {faults} faults\n") } else { String::new() };
        let text = tune_text(&plan, &tuning, &outcome, Screen::current());
        print(&format!("{text}{faults}results are in {}\n", out.display()));
    }
    Ok(if faults > 0 { Ended::Faulty } else { Ended::Done })
}

/// Writes the page of the results in a folder, or removes an earlier page.
fn write_page(folder: &OutputFolder, has_page: bool) -> Result<(), InputError> {
    page_of(folder, has_page, |path| Ok(Found::Tune(TuneResults::read(path)?)))
}

/// Leaves the finished results of this tuning unchanged, except for the page.
fn leave_finished(args: &Args, folder: &OutputFolder) -> Result<(), InputError> {
    remove_staged(folder.path(), &[&TUNE_FILES[..], &[CHECKPOINT]].concat());
    if args.report {
        folder.check(&[PAGE])?;
        write_page(folder, true)?;
    }
    if !args.quiet {
        print(&format!("nothing to do: {} holds the results of this tuning\n", folder.path().display()));
    }
    Ok(())
}

/// Records the digests of the programs of all external bots.
fn settle_programs(args: &Args, plan: &mut TunePlan) -> Result<Result<(), InputError>, InputError> {
    let names: Vec<String> = plan.all_bots().map(|bot| bot.name.clone()).collect();
    let entered: Vec<_> = plan.entrants().into_iter().map(|(at, bot)| (at, bot.name.clone())).collect();
    programs::settle(plan.all_bots(), args.quiet, |bot, problem| {
        let at = entered.iter().find(|(_, name)| *name == names[bot]).map(|(at, _)| at);
        match (read_config(&args.config), at) {
            (Ok(source), Some(at)) => source.error(at, problem),
            _ => InputError::file(&args.config, problem),
        }
    })
}

/// Checks that all external bots start.
fn check_starts(args: &Args, plan: &TunePlan, threads: &Threads, control: &TuneControl) -> Result<(), InputError> {
    let entrants = plan.entrants();
    let bots: Vec<Bot> = entrants.iter().map(|(_, bot)| (*bot).clone()).collect();
    match first_start_failure(&bots, &plan.variants, threads.pool(), &control.stop) {
        Some((bot, no_show)) if !control.stop.load(Ordering::Relaxed) => {
            let (at, bot) = &entrants[bot.index()];
            Err(read_config(&args.config)?.error(at, absence(bot, &no_show, "")))
        }
        _ => Ok(()),
    }
}

struct Tuner<'a> {
    plan: &'a TunePlan,
    asked: &'a Asked<'a>,
    quiet: bool,
}

impl Tuner<'_> {
    fn play(
        &self,
        tuning: &mut Tuning,
        threads: &Threads,
        control: &Arc<TuneControl>,
    ) -> Result<TuneOutcome, tune::NoResult> {
        let task = self.plan.task();
        let mut arena = Arena::new(self.plan, threads, control)?;
        if let Some(elsewhere) = elsewhere() {
            arena = arena.elsewhere(elsewhere);
        }
        let bar = self.bar(tuning);
        let mut lines = progress::Lines::default();
        let start = Instant::now();
        while !tuning.is_over() {
            bar.set_message(tune_progress(tuning));
            let (was_pilot, began) = (matches!(tuning.stage, Stage::Pilot), Instant::now());
            tuning.step(&task, &mut arena)?;
            bar.set_length(tuning.budget.max(tuning.games));
            bar.set_position(tuning.games);
            set_progress(tuning.games, tuning.budget.max(tuning.games));
            if was_pilot && !self.quiet {
                let rate = tuning.games as f64 / began.elapsed().as_secs_f64().max(1e-3);
                bar.suspend(|| tell!("{}", pilot_text(self.plan, tuning, rate).trim_end()));
            }
            if !self.quiet && bar.is_hidden() && lines.due(start.elapsed()) {
                tell!("{}; {} of {} games played", tune_progress(tuning), tuning.games, tuning.budget);
            }
            self.asked.save(&TuneSnapshot { tuning: tuning.clone(), faults: arena.faults() })?;
        }
        bar.set_message("the result meets bots that tuning has not met");
        let outcome = TuneOutcome::new(self.plan, tuning, &arena);
        bar.finish_and_clear();
        outcome
    }

    fn bar(&self, tuning: &Tuning) -> ProgressBar {
        let bar = ProgressBar::new(tuning.budget.max(1)).with_position(tuning.games);
        let is_shown = !self.quiet && std::io::stderr().is_terminal();
        let target = if is_shown { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() };
        bar.set_draw_target(target);
        let style = "[{bar:20}] {human_pos} of {human_len} games, {eta} left; {msg}";
        bar.set_style(ProgressStyle::with_template(style).expect("a template that parses"));
        progress::keep_moving(&bar);
        bar.reset_eta();
        bar
    }
}
