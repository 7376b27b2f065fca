//! A run of the command line: the results it resumes, its notes, and the files it leaves.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::absence::absence;
use super::checkpoints::Checkpoints;
use super::display::Display;
use super::earlier::{CHECKPOINT, Earlier, Left};
use super::help;
use super::host::register;
use super::isolation::{SandboxArgs, say_shortfall};
use super::log::{Log, may_resume};
use super::renamed::checkpoint_elsewhere;
use super::{print, secret};
use crate::ids::BotId;
use crate::report::{self, OutputFolder, PAGE, PageRun, PageSection, Report, Screen, Spool, SpooledRun, html_page};
use crate::run::{Extent, Run, RunOutcome, Shard, Snapshot, Threads, remove_staged};
use crate::stats::outlook;
use crate::strategies::process::breakdown;
use crate::toml_source::InputError;
use crate::tournament::{Control, GivenAway, Tournament, Unit, VariantRun};

/// How to play, and where to leave what.
#[derive(clap::Args)]
pub struct How {
    /// Play on this number of threads, in place of all cores.
    ///
    /// Results do not depend on it.
    #[arg(long, help_heading = help::COURSE, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
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
    /// Judge all plays of the first NUMBERS deals with all cards known.
    ///
    /// The results then say how much each bot gave away. NUMBERS is 100 if you leave it out, and counts
    /// matches in a tournament of matches. The option goes before the key `analyse` of a config.
    #[arg(long, help_heading = help::RESULTS, value_name = "NUMBERS")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "100")]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=GivenAway::MOST))]
    pub analyse: Option<u64>,
    /// Print nothing but errors.
    #[arg(long, help_heading = help::OUTPUT)]
    pub quiet: bool,
    /// Go on where an earlier run of the same configuration ended.
    ///
    /// It was stopped or killed, or it ended after fewer deals or matches.
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
pub struct Session<'a> {
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

/// The observers of a run.
pub struct Watchers {
    display: Display,
    spool: Option<Spool>,
    checkpoints: Option<Checkpoints>,
}

impl<'a> Session<'a> {
    /// Returns a run with these options.
    ///
    /// # Errors
    /// The option that does not fit the others.
    pub fn new(
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

    /// Returns the files of a finished run and its checkpoint file.
    pub fn all_files(&self) -> Vec<&'static str> {
        [&self.files[..], &[CHECKPOINT]].concat()
    }

    /// Returns the time between two checkpoints.
    pub fn every(&self) -> Duration {
        Duration::from_secs_f64(self.args.checkpoint)
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
    pub fn take_secret(&self, tournament: &mut Tournament) -> Result<(), InputError> {
        if self.draws_secret && self.shard.is_some() {
            return Err(secret::for_shards());
        }
        if self.draws_secret && !self.args.force {
            tournament.secret = self.out.and_then(|out| secret::of_earlier(out, tournament, &self.extent));
        }
        Ok(())
    }

    /// Returns the results that the run goes on from, or `None` if nothing is left to play.
    ///
    /// The results are empty if it plays from the beginning.
    ///
    /// # Errors
    /// The results that would be lost, or the reason why it cannot go on.
    pub fn earlier(&self, tournament: &Tournament) -> Result<Option<Vec<VariantRun>>, InputError> {
        let Some(out) = self.out.filter(|_| !self.args.force) else { return Ok(Some(Vec::new())) };
        let left = Left::look(out, &self.files, tournament, &self.extent);
        let mut earlier = Vec::new();
        if !self.args.resume {
            left.may_begin()?;
        } else {
            match left.resume()? {
                Earlier::Finished => return self.leave_finished(out).map(|()| None),
                Earlier::Begun(runs) => earlier = runs,
                Earlier::Nothing => {
                    let read = |file: &Path| Some(Snapshot::read_with(file, &register()).ok()??.config);
                    if let Some(error) = checkpoint_elsewhere(out, &tournament.to_toml(), read) {
                        return Err(error);
                    }
                    self.say("note: there is no checkpoint, so the run starts from the beginning");
                }
            }
        }
        may_resume(out, &earlier, self.log.is_some())?;
        Ok(Some(earlier))
    }

    /// Leaves the finished results of this run unchanged.
    ///
    /// # Errors
    /// If a log is requested that does not exist.
    fn leave_finished(&self, out: &Path) -> Result<(), InputError> {
        remove_staged(out, &self.all_files());
        if let Some(log) = self.log.as_ref().filter(|log| self.shard.is_none() && !log.file().exists()) {
            let problem = "is not there, and the deals of the finished run are not kept; play it again with --log and \
                           --force";
            return Err(InputError::file(log.file(), problem));
        }
        // A shard keeps its deals, and a checkpoint of a longer run may need them.
        if self.shard.is_none() && !out.join(CHECKPOINT).exists() {
            Spool::remove(out);
        }
        if !self.args.quiet {
            print(&format!("nothing to do: {} holds the results of this run\n", out.display()));
        }
        Ok(())
    }

    /// Draws the secret of a run that plays from the beginning, if it needs a secret.
    ///
    /// # Errors
    /// If the folder has results under another secret, or the system provides no random numbers.
    pub fn draw_secret(&self, tournament: &mut Tournament) -> Result<(), InputError> {
        if !self.draws_secret {
            return Ok(());
        }
        if let Some(out) = self.out.filter(|_| tournament.secret.is_some()) {
            return Err(secret::of_finished(out));
        }
        secret::draw(tournament)
    }

    /// Checks that external bots start, and notes gaps in their isolation.
    ///
    /// # Errors
    /// The first bot that does not start, as `blame` reports it.
    pub fn check_bots(
        &self,
        run: &mut Run<'_>,
        control: &Control,
        blame: &dyn Fn(BotId, String) -> InputError,
    ) -> Result<(), InputError> {
        let no_show = if self.args.keep_going { None } else { run.first_start_failure()? };
        if let Some(why) = breakdown() {
            return Err(InputError::plain(why));
        }
        if let Some((bot, no_show)) = no_show
            && !control.stop.load(Ordering::Relaxed)
        {
            let otherwise = ", or have all its decisions count as faults with --keep-going";
            return Err(blame(bot, absence(run.tournament().bot(bot), &no_show, otherwise)));
        }
        say_shortfall(run.tournament().isolation(), self.args.quiet);
        Ok(())
    }

    /// Prints notes on the coming results.
    pub fn note(&self, tournament: &Tournament, is_new: bool) {
        if tournament.groups < tournament.groups_asked {
            self.say(&format!(
                "note: there are many line-ups, so results are kept in {} groups of deals instead of {}, to save memory",
                tournament.groups, tournament.groups_asked
            ));
        }
        if let Some(outlook) = outlook(tournament).filter(|_| is_new) {
            self.say(&format!("note: {outlook}"));
        }
        if let Some(secret) = tournament.secret.filter(|_| self.draws_secret) {
            let place = self.out.map_or("it is printed", |_| "config.toml will have it");
            self.say(&format!("cards come from a secret; {place} when all is played; its SHA-256: {}", secret.hash()));
        }
    }

    /// Removes remains of other runs from the folder, and writes the hash of the secret.
    ///
    /// # Errors
    /// If the hash cannot be written, or if a log is a link.
    pub fn prepare(
        &self,
        tournament: &Tournament,
        folder: Option<&OutputFolder>,
        is_new: bool,
    ) -> Result<(), InputError> {
        let Some(folder) = folder else { return Ok(()) };
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

    /// Returns the observers of a run: the display, and for a folder the spool and the checkpoints.
    pub fn watchers(&self, run: &Run<'_>, control: &Arc<Control>, folder: Option<&OutputFolder>) -> Watchers {
        let (folder, has_log) = (folder.map(OutputFolder::path), self.log.is_some());
        Watchers {
            display: Display::new(run, control, self.args.quiet),
            spool: folder.filter(|_| has_log).map(Spool::new),
            checkpoints: folder.map(|folder| Checkpoints::new(folder.to_owned(), has_log, self.every())),
        }
    }

    /// Writes the results of a finished run, and prints them.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(
        &self,
        outcome: RunOutcome,
        folder: Option<&OutputFolder>,
        threads: &Threads,
    ) -> Result<(), InputError> {
        let played = played(&outcome);
        if let (Some(folder), Some(shard)) = (folder, self.shard) {
            finish_shard(folder, outcome)?;
            if !self.args.quiet {
                let place = folder.path().display();
                print(&format!("{played}; shard {shard} is in {place}: put all together with `overtrick merge`\n"));
            }
            return Ok(());
        }
        let tournament = &outcome.tournament;
        if let Some((log, folder)) = self.log.as_ref().zip(folder) {
            log.write(tournament, &[SpooledRun::of(folder.path(), &outcome.runs)], threads)?;
        }
        let board = finish(folder, &outcome, Some(threads.count()), self.args.report)?;
        if let Some(folder) = folder.filter(|_| self.log.is_some()) {
            Spool::remove(folder.path());
        }
        if self.args.quiet {
            return Ok(());
        }
        let place = folder.map(|folder| format!("; results are in {}", folder.path().display()));
        let log = self.log.as_ref().map(|log| format!("; the log is {}", log.file().display()));
        let [place, log] = [place, log].map(Option::unwrap_or_default);
        if let Some(secret) = tournament.secret.filter(|_| self.draws_secret && place.is_empty()) {
            self.say(&format!("the secret was {secret}"));
        }
        print(&format!("{board}\n{played}{place}{log}\n"));
        Ok(())
    }
}

impl Watchers {
    /// Adds the observers to a run.
    pub fn watch<'r>(&'r mut self, mut run: Run<'r>) -> Run<'r> {
        run = run.observer(&mut self.display);
        if let Some(spool) = &mut self.spool {
            run = run.observer(spool);
        }
        if let Some(checkpoints) = &mut self.checkpoints {
            run = run.observer(checkpoints);
        }
        run
    }
}

/// Returns a text with the number of games or deals played and the time taken.
fn played(outcome: &RunOutcome) -> String {
    let deals: u64 = outcome.runs.iter().map(|ran| ran.deals).sum();
    let wall: Duration = outcome.runs.iter().map(|ran| ran.wall).sum();
    // A deal that is played in several seatings is one deal and several games.
    let what = match outcome.tournament.unit {
        Unit::Deal => "games",
        Unit::Match => "deals",
    };
    format!("{} {what} played in {:.1} s", report::thousands(deals), wall.as_secs_f64())
}

fn finish_shard(folder: &OutputFolder, outcome: RunOutcome) -> Result<(), InputError> {
    let config = outcome.tournament.to_toml();
    let snapshot = Snapshot::finished(config.clone(), outcome.extent, outcome.runs);
    folder.write(&[(report::CONFIG, config.into_bytes()), (report::TALLY, snapshot.to_bytes())])
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
