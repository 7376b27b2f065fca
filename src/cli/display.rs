//! Shows the progress of a run: a bar on a terminal, lines in a log.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::progress;
use crate::report::{thousands, time_text};
use crate::run::{Observer, Run};
use crate::tournament::{self, Control, Tournament};

/// The bar of a run of known length.
const WITH_TOTAL: &str = "{prefix} [{bar:20}] {human_pos} of {human_len} games played, {rate}/s, {eta} left{msg}";
/// The bar of a run that a rule stops.
const WITHOUT_TOTAL: &str = "{prefix} {human_pos} games played, {rate}/s{msg}";

/// A display of the progress of a run, until it is dropped.
pub struct Display {
    bar: ProgressBar,
    over: Arc<AtomicBool>,
    /// The thread that updates the display, also within a segment.
    watcher: Option<JoinHandle<()>>,
}

impl Display {
    /// Returns the display of the run that `control` steers; it shows nothing if `quiet`.
    pub fn new(run: &Run<'_>, control: &Arc<Control>, quiet: bool) -> Display {
        let tournament = run.tournament();
        let before = run.games_done();
        let bar = progress::bar(WITH_TOTAL, before, run.games(), quiet);
        let of = tournament.stop.is_none().then(|| run.games());
        if of.is_none() {
            // The total is not known.
            bar.set_length(0);
            bar.set_style(progress::style(WITHOUT_TOTAL));
        }
        let over = Arc::new(AtomicBool::new(false));
        if quiet {
            return Display { bar, over, watcher: None };
        }
        let names: Vec<String> = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
        let (log, start) = (bar.is_hidden(), Instant::now());
        let (shown, ended, control) = (bar.clone(), Arc::clone(&over), Arc::clone(control));
        let watch = move || {
            let mut lines = progress::Lines::default();
            while !ended.load(Ordering::Relaxed) {
                // Before the run begins, its games from earlier are not counted yet.
                let games = control.games_done().max(before);
                shown.set_position(games);
                shown.set_message(board(&names, &control.bot_progress()));
                if log && lines.take_due(start.elapsed()) {
                    let played = games.saturating_sub(before);
                    tell!("{}", progress::line(&shown.prefix(), "games", games, of, played, start.elapsed()));
                }
                std::thread::park_timeout(Duration::from_millis(100));
            }
        };
        // If no thread can be started, only the display is missing.
        Display { bar, over, watcher: std::thread::Builder::new().spawn(watch).ok() }
    }
}

impl Observer for Display {
    fn variant_begins(&mut self, tournament: &Tournament, variant: usize) {
        self.bar.set_prefix(tournament.variants[variant].name.clone());
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(watcher) = self.watcher.take() {
            watcher.thread().unpark();
            // If the thread has panicked, only the display is missing.
            let _ = watcher.join();
        }
        self.bar.finish_and_clear();
    }
}

/// The maximum number of bots in a progress display.
const SHOWN: usize = 8;

/// Returns a line for each bot, best first, with mean score, mean time of a move and faults.
fn board(names: &[String], paces: &[tournament::BotProgress]) -> String {
    let mut bots: Vec<(&String, &tournament::BotProgress)> =
        names.iter().zip(paces).filter(|(_, pace)| pace.mean.is_some()).collect();
    bots.sort_by(|(_, a), (_, b)| b.mean.partial_cmp(&a.mean).expect("means are numbers"));
    let line = |(name, pace): &(&String, &tournament::BotProgress)| {
        let mean = pace.mean.unwrap_or_default();
        let time = if pace.time.is_zero() { String::new() } else { format!(", {} a move", time_text(pace.time)) };
        let faults = if pace.faults == 0 { String::new() } else { format!(", {} faults", thousands(pace.faults)) };
        format!("\n  {name}: {mean:.2} a deal{time}{faults}")
    };
    bots.iter().take(SHOWN).map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::toml_source::Source;

    #[test]
    fn a_quiet_run_shows_no_bar_and_nobody_prints_lines() {
        let text = "seed = 1\ndeals = 5\nformat = \"mirror\"\nvariants = [\"dumbo\"]\nbots = [\"random\"]".to_owned();
        let source = Source::parse(Path::new("t.toml"), text).unwrap();
        let run = Run::new(Tournament::resolve(&source, Default::default()).unwrap());
        let control = Arc::new(Control::new(1, None));
        let quiet = Display::new(&run, &control, true);
        assert!(quiet.watcher.is_none() && quiet.bar.is_hidden());
        assert!(Display::new(&run, &control, false).watcher.is_some());
    }
}
