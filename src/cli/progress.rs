//! Progress lines for logs, one a minute, and bars that keep moving between steps.

use std::io::IsTerminal;
use std::thread::Builder;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::report::thousands;

/// The time between two lines, and before the first.
const EVERY: Duration = Duration::from_secs(60);

/// The schedule of lines.
#[derive(Default)]
pub struct Lines {
    printed: u32,
}

impl Lines {
    /// Returns whether a line is due at `elapsed` after the start. Lines missed while the machine slept are
    /// skipped.
    pub fn due(&mut self, elapsed: Duration) -> bool {
        let minutes = (elapsed.as_secs() / EVERY.as_secs()) as u32;
        minutes > std::mem::replace(&mut self.printed, minutes)
    }
}

/// Returns a bar for `all` deals or games (`unit`), hidden if `quiet` or without a terminal.
pub fn bar(all: u64, unit: &str, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new(all);
    let is_shown = !quiet && std::io::stderr().is_terminal();
    bar.set_draw_target(if is_shown { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() });
    let style = format!("[{{bar:20}}] {{human_pos}} of {{human_len}} {unit}, {{eta}} left");
    bar.set_style(ProgressStyle::with_template(&style).expect("a template that parses"));
    keep_moving(&bar);
    bar
}

/// Keeps the time of a bar running until it is finished or dropped. If no thread can be started, it stands
/// still.
pub fn keep_moving(bar: &ProgressBar) {
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
        let due = seconds.map(|seconds| lines.due(Duration::from_secs(seconds)));
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
