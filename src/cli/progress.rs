//! Progress lines for logs, one a minute, and bars that keep moving between steps.

use std::fmt::Write;
use std::io::IsTerminal;
use std::thread::Builder;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::report::thousands;

/// The time between two lines, and before the first.
const EVERY: Duration = Duration::from_secs(60);

/// The form of a bar of games in steps, each with a message.
pub const STEPS: &str = "[{bar:20}] {human_pos} of {human_len} games, {eta} left; {msg}";

/// The schedule of lines.
#[derive(Default)]
pub struct Lines {
    printed: u32,
}

impl Lines {
    /// Returns whether a line is due at `elapsed`, and counts it as printed.
    ///
    /// Lines missed while the machine slept are skipped.
    pub fn take_due(&mut self, elapsed: Duration) -> bool {
        let minutes = (elapsed.as_secs() / EVERY.as_secs()) as u32;
        minutes > std::mem::replace(&mut self.printed, minutes)
    }
}

/// A bar on a terminal, lines in a log, or nothing.
pub struct Meter {
    bar: ProgressBar,
    lines: Lines,
    start: Instant,
    is_quiet: bool,
}

impl Meter {
    /// Returns a display at `done` of `all`, whose bar has the form `template`.
    pub fn new(template: &str, done: u64, all: u64, is_quiet: bool) -> Meter {
        let (bar, lines) = (bar(template, done, all, is_quiet), Lines::default());
        Meter { bar, lines, start: Instant::now(), is_quiet }
    }

    /// Changes the message of the bar.
    pub fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Shows that `done` of `all` are done.
    ///
    /// `line` makes the line for a log from the time since the start.
    pub fn show(&mut self, done: u64, all: u64, line: impl FnOnce(Duration) -> String) {
        self.bar.set_length(all);
        self.bar.set_position(done);
        let elapsed = self.start.elapsed();
        if !self.is_quiet && self.bar.is_hidden() && self.lines.take_due(elapsed) {
            tell!("{}", line(elapsed));
        }
    }

    /// Writes a note between two states of the bar.
    pub fn note(&self, note: &str) {
        if !self.is_quiet {
            self.bar.suspend(|| tell!("{note}"));
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Returns a bar at `done` of `all`, hidden if `is_quiet` or without a terminal.
pub fn bar(template: &str, done: u64, all: u64, is_quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new(all).with_position(done);
    let is_shown = !is_quiet && std::io::stderr().is_terminal();
    bar.set_draw_target(if is_shown { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() });
    bar.set_style(style(template));
    if is_shown {
        keep_moving(&bar);
    }
    bar.reset_eta();
    bar
}

/// Returns the style of a bar. In its template, `rate` stands for the number in a second.
pub fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
    };
    ProgressStyle::with_template(template).expect("a template that parses").with_key("rate", rate)
}

/// Keeps the time of a bar running until it is finished or dropped. If no thread can be started, it stands
/// still.
fn keep_moving(bar: &ProgressBar) {
    let shown = bar.downgrade();
    let tick = move || {
        while let Some(bar) = shown.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            std::thread::sleep(Duration::from_millis(200));
        }
    };
    let _ = Builder::new().spawn(tick);
}

/// Returns a progress line: the variant, the `games` (`unit`) done, of the total `of` if it is known.
///
/// `played` is the number since the start, for the rate.
pub fn line(variant: &str, unit: &str, games: u64, of: Option<u64>, played: u64, elapsed: Duration) -> String {
    let rate = played as f64 / elapsed.as_secs_f64().max(1e-9);
    let done = thousands(games);
    let total = of.map_or(String::new(), |of| format!(" of {}", thousands(of)));
    let left = of.filter(|_| played > 0).map_or(String::new(), |of| {
        let left = Duration::from_secs_f64((of.saturating_sub(games) as f64 / rate).min(1e9));
        format!(", {} left", HumanDuration(left))
    });
    format!("{variant}: {done}{total} {unit} played, {}/s{left}", thousands(rate as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_due_once_a_minute_after_the_first() {
        let mut lines = Lines::default();
        let seconds = [0, 59, 60, 61, 119, 120, 400, 401, 420];
        let due = seconds.map(|seconds| lines.take_due(Duration::from_secs(seconds)));
        assert_eq!(due, [false, false, true, false, false, true, true, false, true]);
    }

    #[test]
    fn a_line_says_how_far_it_is_and_how_long_it_takes() {
        let minute = Duration::from_secs(60);
        let text = line("dumbo", "games", 1_500_000, Some(4_500_000), 1_200_000, minute);
        assert_eq!(
            text,
            format!(
                "dumbo: {} of {} games played, {}/s, 3 minutes left",
                thousands(1_500_000),
                thousands(4_500_000),
                thousands(20_000)
            )
        );
        assert_eq!(line("dumbo", "games", 600, None, 600, minute), "dumbo: 600 games played, 10/s");
        assert_eq!(line("dumbo", "games", 0, Some(60), 0, minute), "dumbo: 0 of 60 games played, 0/s");
    }
}
