//! `overtrick sweep`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::absence::absence;
use super::earlier::CHECKPOINT;
use super::going_on::{Asked, Earlier};
use super::help;
use super::host::{read_config, register, set_progress};
use super::isolation::{SandboxArgs, say_shortfall};
use super::report::{Found, page_of};
use super::run::own_folder;
use super::signals;
use super::{Ended, print, programs, progress};
use crate::report::{
    self, CONFIG, OutputFolder, PAGE, POINTS, RETUNED, SWEEP_FILES, Screen, SweepResults, sweep_file_names,
    sweep_files, sweep_text,
};
use crate::run::{Progress, Shard, Threads, remove_staged};
use crate::sweep::{SweepControl, SweepOutcome, SweepPlan, Sweeping};
use crate::toml_source::InputError;
use crate::tournament::first_start_failure;

/// The minimum time between two checkpoints.
const EVERY: Duration = Duration::from_secs(2);

/// Change rules, and see the effects on a game.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("The effect of each rule on seats, ties and skill", "sweep configs/sweeps/dumbo.toml"),
    ("The first of two parts, for `merge`", "sweep configs/sweeps/dumbo.toml --shard 1/2 --out part-1"),
]))]
pub struct Args {
    /// The sweep config file, or `-` for standard input.
    config: PathBuf,
    /// Play on this number of threads, in place of all cores.
    ///
    /// Results do not depend on it.
    #[arg(long, help_heading = help::COURSE, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Play a part of the points, for `merge`: 3/8 is the third of eight.
    #[arg(long, help_heading = help::PLAYED, value_name = "K/N")]
    shard: Option<Shard>,
    /// Write the results to this folder.
    ///
    /// The default is `out` of the config, or else results/NAME. For a shard, -K-of-N follows it.
    #[arg(long, help_heading = help::RESULTS, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write report.html to the results, too: one page that shows them.
    #[arg(long, help_heading = help::RESULTS, conflicts_with = "shard")]
    report: bool,
    /// Print nothing but errors.
    #[arg(long, help_heading = help::OUTPUT)]
    quiet: bool,
    /// Go on where an earlier run of the same configuration ended.
    ///
    /// It was stopped or killed.
    #[arg(long, help_heading = help::COURSE)]
    resume: bool,
    /// Start from the beginning, and replace other results in the folder.
    ///
    /// The checkpoint of another run is replaced, too.
    #[arg(long, help_heading = help::COURSE, conflicts_with = "resume")]
    force: bool,
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
}

pub fn sweep(args: &Args) -> Result<Ended, InputError> {
    let mut plan = SweepPlan::resolve(&read_config(&args.config)?, &register())?;
    plan.shard = args.shard;
    let out = args.out.clone().unwrap_or_else(|| own_folder(&plan.out, &plan.name, args.shard));
    plan.hide(&out);
    let panel = plan.panel.len();
    let same = programs::settle(plan.all_bots(), args.quiet, |bot, problem| match read_config(&args.config) {
        Ok(source) if bot < panel => source.error(&SweepPlan::place_of_bot(bot), problem),
        _ => InputError::file(&args.config, problem),
    })?;
    let config = plan.to_toml();
    let files = sweep_file_names(&plan);
    let mut asked = asked(&plan, &out, &config, &files);
    (asked.resume, asked.force) = (args.resume, args.force);
    let names = [&files[..], &[PAGE, CHECKPOINT]].concat();
    let control = SweepControl::default();
    let stop = Arc::clone(&control.stop);
    signals::watch(move || stop.store(true, Ordering::Relaxed))?;
    let folder = OutputFolder::lock(&out)?;
    let mut sweeping = match asked.earlier(&plan)? {
        Earlier::Finished => {
            remove_staged(&out, &names);
            if args.report {
                folder.check(&[PAGE])?;
                write_page(&folder, true)?;
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
            Sweeping::new(args.shard)
        }
    };
    same?;
    let threads = args.threads.map_or_else(Threads::all, |threads| Threads::new(threads.into()));
    let threads = threads.map_err(|error| InputError::plain(format!("{error}; try --threads 1")))?;
    check_starts(args, &plan, &threads, &control)?;
    say_shortfall(plan.isolation(), args.quiet);
    if plan.has_chosen_matches && !args.quiet {
        let matches = report::thousands(plan.numbers);
        tell!("note: an axis is about matches, so {matches} matches are played in place of single deals (`unit`)");
    }
    folder.check(&names)?;
    if !play(&plan, &mut sweeping, &threads, &control, &asked, args.quiet)? {
        let place = match sweeping.games > 0 {
            true => format!("go on with --resume; the checkpoint is in {}", out.display()),
            false => format!("nothing was written to {}", out.display()),
        };
        tell!("interrupted at point {} of {}: {place}", sweeping.points.len().max(1), plan.own().len());
        return Ok(Ended::Interrupted);
    }
    let text = match args.shard {
        None => finish(&plan, &sweeping, &folder)?,
        Some(_) => finish_shard(&sweeping, &folder, &config)?,
    };
    write_page(&folder, args.report)?;
    remove_others(&folder, &files, args.force);
    if !args.quiet {
        let place = out.display();
        match args.shard {
            None => print(&format!("{text}results are in {place}\n")),
            Some(shard) => {
                print(&format!("{text}shard {shard} is in {place}: put all together with `overtrick merge`\n"));
            }
        }
    }
    Ok(if sweeping.faults > 0 { Ended::Faulty } else { Ended::Done })
}

/// Returns the request for a sweep or a shard, which neither goes on nor replaces anything.
pub(super) fn asked<'a>(plan: &SweepPlan, out: &'a Path, config: &'a str, files: &'a [&'a str]) -> Asked<'a> {
    let (part, others) = match plan.shard {
        None => (None, &[POINTS][..]),
        Some(_) => (Some(POINTS), &SWEEP_FILES[..1]),
    };
    Asked { out, config, files, part, others, what: "sweep", resume: false, force: false }
}

/// Computes the outcome of a finished sweep, writes its files, and returns the summary.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn finish(plan: &SweepPlan, sweeping: &Sweeping, folder: &OutputFolder) -> Result<String, InputError> {
    let outcome = SweepOutcome::new(plan, sweeping);
    folder.write(&sweep_files(plan, sweeping, &outcome))?;
    Ok(sweep_text(plan, &outcome, Screen::current()) + &faults_text(sweeping))
}

/// Writes the files of a shard and returns the summary.
fn finish_shard(sweeping: &Sweeping, folder: &OutputFolder, config: &str) -> Result<String, InputError> {
    folder.write(&[(CONFIG, config.as_bytes().to_vec())])?;
    let file = folder.path().join(POINTS);
    sweeping.save(config, &file).map_err(|error| {
        let problem = format!("cannot be written: {error}; nothing is lost: make room and go on with --resume");
        InputError::file(&file, problem)
    })?;
    let points = sweeping.points.len();
    let noun = if points == 1 { "point" } else { "points" };
    Ok(format!("{}{points} {noun} played; ", faults_text(sweeping)))
}

fn faults_text(sweeping: &Sweeping) -> String {
    if sweeping.faults > 0 { format!("note: bots had {} faults\n", sweeping.faults) } else { String::new() }
}

/// Removes the checkpoint once all results are written.
///
/// If the folder `is_replaced`, also removes files of other runs that do not belong to these results.
pub(super) fn remove_others(folder: &OutputFolder, files: &[&str], is_replaced: bool) {
    let known = report::output_names().into_iter().chain(SWEEP_FILES).chain([RETUNED, POINTS]);
    let others = known.filter(|name| is_replaced && !files.contains(name));
    for name in others.chain([CHECKPOINT]) {
        let _ = std::fs::remove_file(folder.path().join(name));
    }
}

/// Writes the page of the results in a folder, or removes an earlier page.
fn write_page(folder: &OutputFolder, has_page: bool) -> Result<(), InputError> {
    page_of(folder, has_page, |path| Ok(Found::Sweep(SweepResults::read(path)?)))
}

/// Checks that all external bots start.
fn check_starts(args: &Args, plan: &SweepPlan, threads: &Threads, control: &SweepControl) -> Result<(), InputError> {
    let variants: Vec<_> = plan.points[plan.own()].iter().map(|point| point.variant.clone()).collect();
    match first_start_failure(plan.given(), &variants, threads.pool(), &control.stop) {
        Some((bot, no_show)) if !control.stop.load(Ordering::Relaxed) => {
            let at = SweepPlan::place_of_bot(bot.index());
            Err(read_config(&args.config)?.error(&at, absence(&plan.panel[bot.index()], &no_show, "")))
        }
        _ => Ok(()),
    }
}

/// Plays the remaining points. Returns false if it was stopped.
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
        let points = plan.own().len();
        let point = (sweeping.points.len() + 1).min(points);
        bar.set_message(format!("point {point} of {points}"));
        is_whole = sweeping.step(plan, threads, control)?;
        bar.set_position(sweeping.games);
        set_progress(sweeping.games, plan.games());
        if !quiet && bar.is_hidden() && lines.due(start.elapsed()) {
            tell!("point {point} of {points}; {} of {} games played", sweeping.games, plan.games());
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
