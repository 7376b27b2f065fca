//! `overtrick tune`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::Ended;
use super::checkpoints::save;
use super::earlier::{FolderState, ResumePoint};
use super::help;
use super::host::{set_progress, workers};
use super::isolation::SandboxArgs;
use super::job::{CourseArgs, INTERRUPTED_BEFORE, Job, Ready, faults_text, place_of_results};
use super::progress::{Meter, STEPS};
use super::report::{Found, add_page, page_of};
use super::tune_subject::{TuneSubject, WithoutConfig};
use crate::report::{
    PAGE, Screen, TUNE_FILES, TuneResults, output_names, pilot_text, tune_files, tune_progress, tune_text,
};
use crate::strategies::Bot;
use crate::toml_source::InputError;
use crate::tune::{self, Arena, Stage, TuneControl, TuneOutcome, TunePlan, TuneSnapshot, Tuning};

/// Find better parameters for a bot, and prove their gain.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("Better parameters for the bot cautious", "tune configs/tune-cautious.toml"),
    ("All parameters of a bot, without a config", "tune rule-based --variant dumbo --games 300000"),
    ("Go on after Ctrl-C, and write a page", "tune configs/tune-cautious.toml --resume --report"),
]))]
pub struct Args {
    /// The tuning config file, `-` for standard input, or a bot.
    ///
    /// A bot, by name or as a .toml file, goes with --variant. All its parameters are tuned: those that an
    /// external bot declares, or those of a strategy.
    subject: String,
    #[command(flatten)]
    without_config: WithoutConfig,
    #[command(flatten)]
    course: CourseArgs,
    /// Write the results to this folder.
    ///
    /// The default is `out` of the config, or else results/NAME.
    #[arg(long, help_heading = help::RESULTS, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write report.html to the results, too: one page that shows them.
    #[arg(long, help_heading = help::RESULTS)]
    report: bool,
    /// Print nothing but errors.
    #[arg(long, help_heading = help::OUTPUT)]
    quiet: bool,
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
}

pub fn tune(args: &Args) -> Result<Ended, InputError> {
    let Some(subject) = TuneSubject::find(&args.subject, &args.without_config)? else {
        tell!("{INTERRUPTED_BEFORE}");
        return Ok(Ended::Interrupted);
    };
    let mut plan = subject.plan.clone();
    let out = args.out.clone().or(plan.out.clone()).unwrap_or_else(|| Path::new("results").join(&plan.name));
    plan.hide(&out);
    let control = Arc::new(TuneControl::default());
    let blame = |bot: &str, problem: String| subject.blame(bot, problem);
    let job = Job {
        name: "tuning",
        out: Some(&out),
        files: [&TUNE_FILES[..], &[PAGE]].concat(),
        blame: &blame,
        stop: &control.stop,
        threads: args.course.threads,
        keep_going: None,
        quiet: args.quiet,
        resume: args.course.resume,
        force: args.course.force,
    };
    let claimed = job.claim(plan.all_bots())?;
    let (earlier, looked) =
        claimed.look(|folder| Ok(FolderState::of_plan(folder, &TUNE_FILES, &plan, plan.to_toml())))?;
    let begun = match earlier {
        ResumePoint::Finished => return looked.leave(|folder| add_page(folder, args.report, page)),
        ResumePoint::Begun(begun) => begun,
        ResumePoint::Nothing => TuneSnapshot { tuning: Tuning::new(&plan.task()), faults: 0 },
    };
    let bots: Vec<Bot> = plan.entrants().into_iter().map(|(_, bot)| bot.clone()).collect();
    let check = || subject.check_declared();
    let Some(ready) = looked.prepare_if(&bots, &plan.variants, check)? else { return Ok(Ended::Interrupted) };
    if let Some(note) = subject.note().filter(|_| !args.quiet) {
        tell!("{note}");
    }
    control.faults.store(begun.faults, Ordering::Relaxed);
    let mut tuning = begun.tuning;
    let outcome = match play(&plan, &mut tuning, &control, &ready, args.quiet) {
        Ok(outcome) => outcome,
        Err(tune::NoResult::Failed(error)) => return Err(error),
        Err(tune::NoResult::Stopped) => {
            let stage = if tuning.is_over() { "the last comparisons" } else { tuning.stage.name() };
            return Ok(ready.interrupt(&format!("in {stage}"), tuning.games > 0));
        }
    };
    if let Some(folder) = &ready.folder {
        folder.write(&tune_files(&plan, &tuning, &outcome))?;
        page_of(folder, args.report, page)?;
    }
    let faults = faults_text(outcome.faults);
    let text = tune_text(&plan, &tuning, &outcome, Screen::current());
    let text = format!("{text}{faults}{}\n", place_of_results(&out, None));
    Ok(ready.finish(&text, &output_names(), outcome.faults > 0))
}

/// Plays the stages that are left and the last comparisons.
///
/// Each step ends with a checkpoint.
fn play(
    plan: &TunePlan,
    tuning: &mut Tuning,
    control: &Arc<TuneControl>,
    ready: &Ready<'_>,
    is_quiet: bool,
) -> Result<TuneOutcome, tune::NoResult> {
    let (task, config) = (plan.task(), plan.to_toml());
    let mut arena = Arena::new(plan, &ready.threads, control)?;
    if let Some(workers) = workers() {
        arena = arena.with_workers(workers);
    }
    let mut meter = Meter::new(STEPS, tuning.games, tuning.budget.max(1), is_quiet);
    while !tuning.is_over() {
        meter.say(tune_progress(tuning));
        let (was_pilot, began) = (matches!(tuning.stage, Stage::Pilot), Instant::now());
        tuning.step(&task, &mut arena)?;
        if was_pilot {
            let rate = tuning.games as f64 / began.elapsed().as_secs_f64().max(1e-3);
            meter.note(pilot_text(plan, tuning, rate).trim_end());
        }
        let all = tuning.budget.max(tuning.games);
        set_progress(tuning.games, all);
        meter.show(tuning.games, all, |_| {
            format!("{}; {} of {} games played", tune_progress(tuning), tuning.games, tuning.budget)
        });
        if let Some(folder) = &ready.folder {
            save(&TuneSnapshot { tuning: tuning.clone(), faults: arena.faults() }, &config, folder.path())?;
        }
    }
    meter.say("the result meets bots that tuning has not met".to_owned());
    TuneOutcome::new(plan, tuning, &arena)
}

/// Reads the results for their page.
fn page(folder: &Path) -> Result<Found, InputError> {
    Ok(Found::Tune(TuneResults::read(folder)?))
}
