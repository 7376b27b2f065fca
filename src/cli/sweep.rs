//! `overtrick sweep`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Ended;
use super::checkpoints::save;
use super::earlier::{FolderState, OF_OTHERS, ResumePoint, refusal};
use super::help;
use super::host::{read_config, register, set_progress};
use super::isolation::SandboxArgs;
use super::job::{CourseArgs, Job, Ready, faults_text, place_of_results};
use super::progress::{Meter, STEPS};
use super::report::{Found, add_page, page_of};
use super::run::own_folder;
use crate::report::{
    self, CONFIG, OutputFolder, PAGE, POINTS, RETUNED, SWEEP_FILES, Screen, SweepResults, sweep_file_names,
    sweep_files, sweep_text,
};
use crate::run::{Progress, Shard};
use crate::sweep::{SweepControl, SweepOutcome, SweepPlan, Sweeping};
use crate::toml_source::InputError;

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
    #[command(flatten)]
    course: CourseArgs,
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
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
}

pub fn sweep(args: &Args) -> Result<Ended, InputError> {
    let mut plan = SweepPlan::resolve(&read_config(&args.config)?, &register())?;
    plan.shard = args.shard;
    let out = args.out.clone().unwrap_or_else(|| own_folder(&plan.out, &plan.name, args.shard));
    plan.hide(&out);
    let control = SweepControl::default();
    let panel: Vec<String> = plan.panel.iter().map(|bot| bot.name.clone()).collect();
    let blame = |bot: &str, problem| match (read_config(&args.config), panel.iter().position(|name| name == bot)) {
        (Ok(source), Some(number)) => source.error(&SweepPlan::place_of_bot(number), problem),
        _ => InputError::file(&args.config, problem),
    };
    let job = Job {
        name: "sweep",
        out: Some(&out),
        files: all_files(&plan),
        blame: &blame,
        stop: &control.stop,
        threads: args.course.threads,
        keep_going: None,
        quiet: args.quiet,
        resume: args.course.resume,
        force: args.course.force,
    };
    let claimed = job.claim(plan.all_bots())?;
    let (earlier, looked) = claimed.look(|folder| look(&plan, folder))?;
    let mut sweeping = match earlier {
        ResumePoint::Finished => return looked.leave(|folder| add_page(folder, args.report, page)),
        ResumePoint::Begun(sweeping) => sweeping,
        ResumePoint::Nothing => Sweeping::new(args.shard),
    };
    let variants: Vec<_> = plan.points[plan.points_to_play()].iter().map(|point| point.variant.clone()).collect();
    let Some(ready) = looked.prepare(plan.given(), &variants)? else { return Ok(Ended::Interrupted) };
    if plan.has_chosen_matches && !args.quiet {
        let matches = report::thousands(plan.numbers);
        tell!(
            "note: an axis changes matches alone, so the deals of each point are played as {matches} matches (`unit` in \
             the config chooses)"
        );
    }
    if !play(&plan, &mut sweeping, &control, &ready, args.quiet)? {
        let place = format!("at point {} of {}", sweeping.points.len().max(1), plan.points_to_play().len());
        return Ok(ready.interrupt(&place, sweeping.games > 0));
    }
    let mut text = String::new();
    if let Some(folder) = &ready.folder {
        text = match args.shard {
            None => finish(&plan, &sweeping, folder)?,
            Some(_) => finish_shard(&plan, &sweeping, folder)?,
        };
        page_of(folder, args.report, page)?;
    }
    text += &format!("{}\n", place_of_results(&out, args.shard));
    Ok(ready.finish(&text, &files_of_others(), sweeping.faults > 0))
}

/// Plays the remaining points. Returns false if it was stopped.
fn play(
    plan: &SweepPlan,
    sweeping: &mut Sweeping,
    control: &SweepControl,
    ready: &Ready<'_>,
    is_quiet: bool,
) -> Result<bool, InputError> {
    let (config, points) = (plan.to_toml(), plan.points_to_play().len());
    let mut meter = Meter::new(STEPS, sweeping.games, plan.games().max(1), is_quiet);
    let mut saved = None::<Instant>;
    let mut is_whole = true;
    while is_whole && !sweeping.is_over(plan) {
        let point = format!("point {} of {points}", (sweeping.points.len() + 1).min(points));
        meter.say(point.clone());
        is_whole = sweeping.step(plan, &ready.threads, control)?;
        let (done, all) = (sweeping.games, plan.games());
        set_progress(done, all);
        meter.show(done, all, |_| format!("{point}; {done} of {all} games played"));
        if done > 0
            && let Some(folder) = &ready.folder
            && (!is_whole || saved.is_none_or(|saved| saved.elapsed() > EVERY))
        {
            save(sweeping, &config, folder.path())?;
            saved = Some(Instant::now());
        }
    }
    Ok(is_whole)
}

/// Reads the results for their page.
fn page(folder: &Path) -> Result<Found, InputError> {
    Ok(Found::Sweep(SweepResults::read(folder)?))
}

/// Returns the files that a sweep or a shard writes, with the page.
pub(super) fn all_files(plan: &SweepPlan) -> Vec<&'static str> {
    [&sweep_file_names(plan)[..], &[PAGE]].concat()
}

/// Returns the files of other work that a sweep replaces with `--force`.
pub(super) fn files_of_others() -> Vec<&'static str> {
    report::output_names().into_iter().chain(SWEEP_FILES).chain([RETUNED, POINTS]).collect()
}

/// Looks for earlier work in the folder of a sweep or a shard.
///
/// # Errors
/// If a whole sweep and a shard, or two shards, would be in the same folder, although their config is equal.
pub(super) fn look(plan: &SweepPlan, folder: &Path) -> Result<FolderState<Sweeping>, InputError> {
    let (config, other) = (plan.to_toml(), if plan.shard.is_some() { SWEEP_FILES[0] } else { POINTS });
    if folder.join(other).is_file() {
        return Err(refusal(folder, other, OF_OTHERS));
    }
    if plan.shard.is_some()
        && let Err(why) = Sweeping::load(plan, &config, &folder.join(POINTS))
    {
        return Err(refusal(folder, POINTS, &format!("would be replaced: it {why}")));
    }
    Ok(FolderState::of_plan(folder, &sweep_file_names(plan), plan, config))
}

/// Computes the outcome of a finished sweep, writes its files, and returns the summary.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn finish(plan: &SweepPlan, sweeping: &Sweeping, folder: &OutputFolder) -> Result<String, InputError> {
    let outcome = SweepOutcome::new(plan, sweeping);
    folder.write(&sweep_files(plan, sweeping, &outcome))?;
    Ok(sweep_text(plan, &outcome, Screen::current()) + &faults_text(sweeping.faults))
}

/// Writes the files of a shard and returns the summary.
fn finish_shard(plan: &SweepPlan, sweeping: &Sweeping, folder: &OutputFolder) -> Result<String, InputError> {
    let config = plan.to_toml();
    folder.write(&[(CONFIG, config.clone().into_bytes())])?;
    let file = folder.path().join(POINTS);
    sweeping.save(&config, &file).map_err(|error| {
        let problem = format!("cannot be written: {error}; nothing is lost: make room and go on with --resume");
        InputError::file(&file, problem)
    })?;
    let points = sweeping.points.len();
    let noun = if points == 1 { "point" } else { "points" };
    Ok(format!("{}{points} {noun} played; ", faults_text(sweeping.faults)))
}
