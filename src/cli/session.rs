//! A run of the command line: its secret, its notes, and the files that it leaves.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::checkpoints::{CHECKPOINT, Checkpoints};
use super::display::Display;
use super::earlier::{FolderState, ResumePoint};
use super::help;
use super::host::follow;
use super::isolation::SandboxArgs;
use super::job::{Job, Ready, place_of_results};
use super::last_words::{SpareLogs, last_words};
use super::log::{Log, may_resume};
use super::threads::ThreadArgs;
use super::{Ended, secret};
use crate::report::{self, OutputFolder, PAGE, PageRun, PageSection, Report, Screen, Spool, SpooledRun, html_page};
use crate::run::{Extent, Run, RunOutcome, Segments, Shard, Snapshot};
use crate::stats::outlook;
use crate::toml_source::InputError;
use crate::tournament::{Control, GivenAway, Tournament, Unit, VariantRun};

/// How to play, and where to leave what.
#[derive(clap::Args)]
pub struct How {
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Write the results to this folder.
    ///
    /// By default `run` takes `out` of the config, or else results/NAME, and results/NAME-K-of-N for a shard.
    /// `duel` writes nothing by default.
    #[arg(long, help_heading = help::RESULTS, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write report.html to the results, too: one page that shows them.
    ///
    /// The page also shows the deals that made the difference.
    #[arg(long, help_heading = help::RESULTS)]
    pub report: bool,
    /// Write a log to this file: a row for each deal and seat.
    ///
    /// Its name ends with .csv, .csv.gz, .jsonl or .jsonl.gz. If the program was built with the feature
    /// `parquet`, it may end with .parquet. Shards keep their deals in their folders, and `merge --log`
    /// writes the file.
    #[arg(long, help_heading = help::RESULTS, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Check every play of the first N deals against the best play with all cards known.
    ///
    /// The results then say how much each bot gave away. N is 100 if you leave it out, and counts matches in a
    /// tournament of matches. The option overrides the key `analyse` of a config.
    #[arg(long, help_heading = help::RESULTS, value_name = "N")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "100")]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=GivenAway::MOST))]
    pub analyse: Option<u64>,
    /// Print nothing but errors.
    #[arg(long, help_heading = help::OUTPUT)]
    pub quiet: bool,
    /// Continue a run that was stopped, or that finished with fewer deals.
    ///
    /// It must have the same configuration.
    #[arg(long, help_heading = help::COURSE)]
    pub resume: bool,
    /// Start from the beginning, and replace other results in the folder.
    ///
    /// The checkpoint of another run is replaced, too.
    #[arg(long, help_heading = help::COURSE, conflicts_with = "resume")]
    pub force: bool,
    /// Play even if an external bot does not start.
    ///
    /// Each of its decisions is then a fault.
    #[arg(long, help_heading = help::EXTERNAL)]
    pub keep_going: bool,
    /// Write a checkpoint after each period of this length.
    #[arg(long, help_heading = help::COURSE, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    pub checkpoint: f64,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("give seconds, 0 to 86400".to_owned()),
    }
}

/// A run with the options of the command line.
struct Session<'a> {
    args: &'a How,
    /// The folder for the results; without one no files are left.
    out: Option<&'a Path>,
    shard: Option<Shard>,
    extent: Extent,
    log: Option<Log>,
    /// The files of a finished run.
    files: Vec<&'static str>,
    /// Whether the cards depend on a secret that the config does not name.
    draws_secret: bool,
}

/// Plays a tournament and reports it. Without the folder `out`, no files are left.
///
/// `blame` makes the error for a problem with the bot of a name.
///
/// # Errors
/// The reason why it cannot run, or the results that would be lost.
pub fn play(
    mut tournament: Tournament,
    args: &How,
    out: Option<&Path>,
    shard: Option<Shard>,
    blame: &dyn Fn(&str, String) -> InputError,
) -> Result<Ended, InputError> {
    tournament.analyse = args.analyse.unwrap_or(tournament.analyse);
    let session = Session::new(&tournament, args, out, shard)?;
    [out, args.log.as_deref()].into_iter().flatten().for_each(|place| tournament.hide(place));
    let spare = SpareLogs::new(&tournament, out);
    let control = Arc::new(Control::new(tournament.bots.len(), out.or(spare.path()).map(Path::to_owned)));
    let claimed = session.job(&control, blame).claim(&mut tournament.bots)?;
    session.take_secret(&mut tournament)?;
    let look = |folder: &Path| Ok(FolderState::of_run(folder, &session.files, &tournament, &session.extent));
    let (earlier, looked) = claimed.look(look)?;
    let begun = match earlier {
        ResumePoint::Finished => return looked.leave(|folder| session.leave_finished(folder)),
        ResumePoint::Begun(runs) => {
            session.check_log(&runs)?;
            runs
        }
        ResumePoint::Nothing => {
            session.draw_secret(&mut tournament)?;
            Vec::new()
        }
    };
    let Some(ready) = looked.prepare(&tournament.bots, &tournament.variants)? else { return Ok(Ended::Interrupted) };
    session.note(&tournament, begun.is_empty());
    if let Some(folder) = &ready.folder {
        session.clear(folder, &tournament, begun.is_empty())?;
    }
    let outcome = session.play(tournament, begun, &control, &ready)?;
    if !outcome.is_finished {
        return Ok(ready.interrupt(&reached(&outcome), outcome.runs.iter().any(|run| run.next > run.start)));
    }
    let is_faulty = outcome.runs.iter().any(VariantRun::has_faults);
    let words = if is_faulty { last_words(&outcome.tournament.bots) } else { None };
    let text = session.write(outcome, &ready)?;
    let ended = ready.finish(&text, &[], is_faulty);
    let place = if is_faulty { spare.keep() } else { None };
    words.into_iter().chain(place).for_each(|text| session.say(&text));
    Ok(ended)
}

impl<'a> Session<'a> {
    /// Returns a run with these options.
    ///
    /// # Errors
    /// The option that does not fit the others.
    fn new(
        tournament: &Tournament,
        args: &'a How,
        out: Option<&'a Path>,
        shard: Option<Shard>,
    ) -> Result<Session<'a>, InputError> {
        if args.report && (shard.is_some() || out.is_none()) {
            let problem = "needs a folder with whole results: name one with --out, and leave --shard out";
            return Err(InputError::plain(problem).at_key("--report"));
        }
        if args.log.is_some() && out.is_none() {
            let problem = "needs a folder for results, in which deals are kept meanwhile: name one with --out";
            return Err(InputError::plain(problem).at_key("--log"));
        }
        let may_replace = args.force || args.resume || shard.is_some();
        let log = args.log.as_ref().map(|file| Log::claim(file, may_replace)).transpose()?;
        let mut files = if shard.is_some() { report::SHARD_OUTPUTS.to_vec() } else { report::output_names() };
        files.extend(args.report.then_some(PAGE));
        let draws_secret = secret::is_wanted(tournament);
        Ok(Session { args, out, shard, extent: Extent::from(shard), log, files, draws_secret })
    }

    fn job(&self, control: &'a Control, blame: &'a dyn Fn(&str, String) -> InputError) -> Job<'a> {
        Job {
            name: "run",
            out: self.out,
            files: self.files.clone(),
            blame,
            stop: &control.stop,
            threads: self.args.threads,
            keep_going: Some(self.args.keep_going),
            quiet: self.args.quiet,
            resume: self.args.resume,
            force: self.args.force,
        }
    }

    fn say(&self, text: &str) {
        if !self.args.quiet {
            tell!("{text}");
        }
    }

    /// Takes the secret of an earlier run in the folder.
    ///
    /// A run recognises its earlier results only with the same secret.
    ///
    /// # Errors
    /// If it is a shard, which cannot draw a secret.
    fn take_secret(&self, tournament: &mut Tournament) -> Result<(), InputError> {
        if self.draws_secret && self.shard.is_some() {
            return Err(secret::for_shards());
        }
        if self.draws_secret && !self.args.force {
            tournament.secret = self.out.and_then(|out| secret::of_earlier(out, tournament, &self.extent));
        }
        Ok(())
    }

    /// Leaves the finished results of this run unchanged.
    ///
    /// # Errors
    /// If a log is requested that does not exist.
    fn leave_finished(&self, folder: &OutputFolder) -> Result<(), InputError> {
        if self.shard.is_some() {
            // A shard keeps its deals.
            return Ok(());
        }
        if let Some(log) = &self.log
            && !log.file().exists()
        {
            let problem = "is not there, and the deals of the finished run are not kept; play it again with --log and \
                           --force";
            return Err(InputError::file(log.file(), problem));
        }
        // A checkpoint of a longer run may need the deals.
        if !folder.path().join(CHECKPOINT).exists() {
            Spool::remove(folder.path());
        }
        Ok(())
    }

    /// Checks that this run can go on from `runs` with its log, or without one.
    ///
    /// # Errors
    /// If a log would lack deals, or if deals that were kept for a log would be lost.
    fn check_log(&self, runs: &[VariantRun]) -> Result<(), InputError> {
        self.out.map_or(Ok(()), |out| may_resume(out, runs, self.log.is_some()))
    }

    /// Draws the secret of a run that plays from the beginning, if it needs one.
    ///
    /// # Errors
    /// If the folder has results under another secret, or the system provides no random numbers.
    fn draw_secret(&self, tournament: &mut Tournament) -> Result<(), InputError> {
        if !self.draws_secret {
            return Ok(());
        }
        match self.out {
            Some(out) if tournament.secret.is_some() => Err(secret::of_finished(out)),
            _ => secret::draw(tournament),
        }
    }

    /// Prints notes on the coming results.
    fn note(&self, tournament: &Tournament, is_new: bool) {
        let Tournament { groups, groups_asked, secret, .. } = *tournament;
        if groups < groups_asked {
            self.say(&format!(
                "note: there are many line-ups, so results are kept in {groups} groups of deals instead of \
                 {groups_asked}, to save memory"
            ));
        }
        if is_new && let Some(outlook) = outlook(tournament) {
            self.say(&format!("note: {outlook}"));
        }
        if self.draws_secret
            && let Some(secret) = secret
        {
            let place = self.out.map_or("it is printed", |_| "config.toml will have it");
            self.say(&format!("cards come from a secret; {place} when all is played; its SHA-256: {}", secret.hash()));
        }
    }

    /// Removes remains of other runs from the folder, and writes the hash of the secret.
    ///
    /// # Errors
    /// If the hash cannot be written, or if a log is a link.
    fn clear(&self, folder: &OutputFolder, tournament: &Tournament, is_new: bool) -> Result<(), InputError> {
        secret::store_hash(folder, tournament)?;
        for bot in &tournament.bots {
            let log = folder.path().join(bot.log_name());
            if !self.args.resume {
                // Logs of earlier runs would seem to belong to this run.
                let _ = std::fs::remove_file(log);
            } else if bot.spec.process().is_some() && log.is_symlink() {
                let problem = format!("is a link, and the log of {} must not go where it leads; remove it", bot.name);
                return Err(InputError::file(&log, problem));
            }
        }
        if is_new {
            Spool::remove(folder.path());
        }
        Ok(())
    }

    /// Plays all that is left, with a display, checkpoints and the spool of a log.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn play(
        &self,
        tournament: Tournament,
        begun: Vec<VariantRun>,
        control: &Arc<Control>,
        ready: &Ready<'_>,
    ) -> Result<RunOutcome, InputError> {
        let every = Duration::from_secs_f64(self.args.checkpoint);
        let run = Run::new(tournament).on(&ready.threads).control(Arc::clone(control));
        let mut run = run.segments(Segments::Lasting(every)).resume(begun);
        if let Some(shard) = self.shard {
            run = run.shard(shard);
        }
        follow(control, run.games());
        let (folder, has_log) = (ready.folder.as_ref().map(OutputFolder::path), self.log.is_some());
        let mut display = Display::new(&run, control, self.args.quiet);
        let mut spool = if has_log { folder.map(Spool::new) } else { None };
        let mut checkpoints = folder.map(|folder| Checkpoints::new(folder, has_log, every));
        run = run.observer(&mut display);
        if let Some(spool) = &mut spool {
            run = run.observer(spool);
        }
        if let Some(checkpoints) = &mut checkpoints {
            run = run.observer(checkpoints);
        }
        run.play()
    }

    /// Writes the results of a finished run, and returns the text for the terminal.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn write(&self, outcome: RunOutcome, ready: &Ready<'_>) -> Result<String, InputError> {
        let (mut text, folder) = (played(&outcome), ready.folder.as_ref());
        if let Some(folder) = folder {
            text += &format!("; {}", place_of_results(folder.path(), self.shard));
        }
        if self.shard.is_some()
            && let Some(folder) = folder
        {
            let config = outcome.tournament.to_toml();
            let snapshot = Snapshot::finished(config.clone(), outcome.extent, outcome.runs);
            folder.write(&[(report::CONFIG, config.into_bytes()), (report::TALLY, snapshot.to_bytes())])?;
            return Ok(text + "\n");
        }
        let tournament = &outcome.tournament;
        let log = self.log.as_ref().zip(folder);
        if let Some((log, folder)) = log {
            log.write(tournament, &[SpooledRun::of(folder.path(), &outcome.runs)], &ready.threads)?;
        }
        let board = finish(folder, &outcome, Some(ready.threads.count()), self.args.report)?;
        if let Some((log, folder)) = log {
            Spool::remove(folder.path());
            text += &format!("; the log is {}", log.file().display());
        }
        if self.draws_secret
            && folder.is_none()
            && let Some(secret) = tournament.secret
        {
            self.say(&format!("the secret was {secret}"));
        }
        Ok(format!("{board}\n{text}\n"))
    }
}

/// Returns how far an interrupted run has come.
fn reached(outcome: &RunOutcome) -> String {
    let done = report::thousands(outcome.games_done());
    match outcome.tournament.stop {
        None => format!("after {done} of {} games played", report::thousands(outcome.games())),
        Some(_) => format!("after {done} games played"),
    }
}

/// Returns a text with the number of games or deals played and the time taken.
fn played(outcome: &RunOutcome) -> String {
    let deals: u64 = outcome.runs.iter().map(|run| run.deals).sum();
    let wall: Duration = outcome.runs.iter().map(|run| run.wall).sum();
    // A deal that is played in several seatings is one deal and several games.
    let what = match outcome.tournament.unit {
        Unit::Deal => "games",
        Unit::Match => "deals",
    };
    format!("{} {what} played in {:.1} s", report::thousands(deals), wall.as_secs_f64())
}

/// Computes the results of a run, writes their files, and returns the table for the terminal.
///
/// The page is written if `has_page`.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn finish(
    folder: Option<&OutputFolder>,
    outcome: &RunOutcome,
    threads: Option<usize>,
    has_page: bool,
) -> Result<String, InputError> {
    let report = Report { threads, ..Report::new(outcome) };
    if let Some(folder) = folder {
        report.write_ours(folder)?;
        if has_page {
            let version = env!("CARGO_PKG_VERSION");
            let run = PageRun { label: None, version, report: &report, explanation: None, analyse: false };
            folder.write(&[(PAGE, html_page(&[PageSection::Run(run)]))])?;
        } else {
            // A page of earlier results would seem to belong to these results.
            let _ = std::fs::remove_file(folder.path().join(PAGE));
        }
        // So would an explanation.
        for name in report::EXPLAIN_FILES {
            let _ = std::fs::remove_file(folder.path().join(name));
        }
    }
    Ok(report::leaderboard(&outcome.tournament, &report.results, Screen::current()))
}
