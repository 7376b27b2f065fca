//! Playing a tournament so that nothing is lost: leg by leg, with a checkpoint every few seconds.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::progress;
use crate::arena::{self, Control, Ran, Schedule, Tournament};
use crate::input::InputError;
use crate::report::{thousands, time_text};
use crate::run::{Extent, Page};
use crate::stats::{next_look, stop_row};

/// A leg should take so long: short enough for a prompt checkpoint, long enough that threads seldom wait for each other.
const LEG: Duration = Duration::from_secs(1);
/// Nor should it be shorter, whatever is asked for.
const SHORTEST_LEG: Duration = Duration::from_millis(20);
/// A checkpoint may take at most this share of the time.
const CHECKPOINT_SHARE: u32 = 20;

/// A run in progress.
pub struct Session {
    extent: Extent,
    /// Where checkpoints go, if any are kept.
    checkpoint: Option<PathBuf>,
    every: Duration,
    last: Instant,
    /// How long the last checkpoint took to write.
    cost: Duration,
}

impl Session {
    /// A run of the numbers of `extent` that keeps its checkpoint in `checkpoint` and writes one `every` so often.
    pub fn new(extent: Extent, checkpoint: Option<PathBuf>, every: Duration) -> Session {
        Session { extent, checkpoint, every, last: Instant::now(), cost: Duration::ZERO }
    }

    /// The numbers that it is to play.
    fn numbers(&self, tournament: &Tournament) -> std::ops::Range<u64> {
        self.extent.span(tournament.numbers)
    }

    /// How many games it is to play of a tournament.
    pub fn games(&self, tournament: &Tournament) -> u64 {
        let numbers = self.numbers(tournament);
        let games: u64 = tournament.schedules.iter().map(|schedule| schedule.games_a_number() as u64).sum();
        games * (numbers.end - numbers.start)
    }

    /// Plays on from `runs`, the variants so far, until all is played or `control` stops it; then the last checkpoint holds what there is.
    /// Bots that are disqualified leave the tournament.
    ///
    /// # Errors
    /// If a checkpoint cannot be written; the one before is as it was.
    pub fn play(
        &mut self,
        tournament: &mut Tournament,
        runs: &mut Vec<Ran>,
        pool: &rayon::ThreadPool,
        control: &Control,
        quiet: bool,
    ) -> Result<(), InputError> {
        control.add_games(games_done(tournament, runs));
        let unit = tournament.unit.plural();
        let bar = progress_bar(self.games(tournament), unit, control.games_done(), quiet);
        let names: Vec<String> = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
        if tournament.stop.is_some() {
            // Nobody knows when it ends.
            bar.set_length(0);
            bar.set_style(style(&format!("{{prefix}} {{human_pos}} {unit} played, {{rate}}/s{{msg}}")));
        }
        let over = AtomicBool::new(false);
        let (start, before, of) = (Instant::now(), control.games_done(), self.games(tournament));
        let of = tournament.stop.is_none().then_some(of);
        let log = bar.is_hidden() && !quiet;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut lines = progress::Lines::default();
                while !over.load(Ordering::Relaxed) {
                    let games = control.games_done();
                    bar.set_position(games);
                    bar.set_message(board(&names, &control.pace()));
                    if log && lines.due(start.elapsed()) {
                        let played = games.saturating_sub(before);
                        eprintln!("{}", progress::line(&bar.prefix(), unit, games, of, played, start.elapsed()));
                    }
                    std::thread::park_timeout(Duration::from_millis(100));
                }
            });
            let ended = (0..tournament.variants.len()).try_for_each(|variant| {
                bar.set_prefix(tournament.variants[variant].name.clone());
                self.play_variant(tournament, runs, variant, pool, control)
            });
            over.store(true, Ordering::Relaxed);
            ended
        })?;
        bar.finish_and_clear();
        if control.stop.load(Ordering::Relaxed) && runs.iter().any(|ran| ran.next > ran.start) {
            self.save(tournament, &runs.iter().collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// Plays on a variant; if a bot is disqualified, all of it again without that bot.
    fn play_variant(
        &mut self,
        tournament: &mut Tournament,
        runs: &mut Vec<Ran>,
        variant: usize,
        pool: &rayon::ThreadPool,
        control: &Control,
    ) -> Result<(), InputError> {
        let numbers = self.numbers(tournament);
        if control.stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        if runs.len() == variant {
            runs.push(Ran::new(tournament, variant, numbers.start));
        }
        let (before, now) = runs.split_at_mut(variant);
        // A run that goes on from fewer numbers has all its variants.
        let (ran, after) = now.split_first_mut().expect("the variant was there, or has just been added");
        loop {
            self.play_legs(tournament, [before, after], ran, pool, control)?;
            let Some(bot) = ran.beyond_limit(tournament) else {
                return Ok(());
            };
            if control.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            control.take_back((ran.next - ran.start) * tournament.schedules[variant].games_a_number() as u64);
            ran.disqualify(tournament, variant, bot);
        }
    }

    /// Plays on the variant between `before` and `after`, until its end or until a bot has had too many faults.
    fn play_legs(
        &mut self,
        tournament: &Tournament,
        [before, after]: [&[Ran]; 2],
        ran: &mut Ran,
        pool: &rayon::ThreadPool,
        control: &Control,
    ) -> Result<(), InputError> {
        let (numbers, variant) = (self.numbers(tournament), before.len());
        let mut pace = Pace::new(ran, pool.current_num_threads() as u64);
        arena::run(tournament, variant, pool, control, ran, &mut |ran| {
            let done = ran.next - ran.start;
            let may_stop = tournament.stop.is_some();
            // Rules are asked at fixed looks only, so that where a run stops depends on its deals alone.
            let look = may_stop && done > 0 && next_look(done - 1) == done;
            let stopped = || stop_row(tournament, variant, &ran.tally).is_some_and(|row| row.stopped);
            if ran.is_void || ran.beyond_limit(tournament).is_some() || ran.next == numbers.end || (look && stopped()) {
                return Ok(None);
            }
            if self.last.elapsed() >= self.every.max(self.cost * CHECKPOINT_SHARE) && ran.next > ran.start {
                self.save(tournament, &before.iter().chain([ran]).chain(after).collect::<Vec<_>>())?;
            }
            let leg = pace.after(ran.next, ran.wall, self.every.clamp(SHORTEST_LEG, LEG));
            let end = numbers.end.min(ran.next + leg);
            Ok(Some(if may_stop { end.min(ran.start + next_look(done)) } else { end }))
        })
    }

    /// Writes a checkpoint, where they are kept.
    fn save(&mut self, tournament: &Tournament, runs: &[&Ran]) -> Result<(), InputError> {
        let Some(file) = &self.checkpoint else {
            return Ok(());
        };
        let start = Instant::now();
        let config = tournament.to_toml();
        Page::new(&config, &self.extent, false, runs).write(file).map_err(|error| {
            let problem = format!(
                "the checkpoint cannot be written: {error}; the run stops, and what an earlier one holds is not lost: \
                 make room and go on with --resume"
            );
            InputError::file(file, problem)
        })?;
        self.cost = start.elapsed();
        self.last = Instant::now();
        Ok(())
    }
}

/// How many games `runs` have.
pub fn games_done(tournament: &Tournament, runs: &[Ran]) -> u64 {
    let games = |(ran, schedule): (&Ran, &Schedule)| (ran.next - ran.start) * schedule.games_a_number() as u64;
    runs.iter().zip(&tournament.schedules).map(games).sum()
}

/// The bots that a progress display has lines for.
const SHOWN: usize = 8;

/// How the bots go along, a line each, the best first.
fn board(names: &[String], paces: &[arena::Pace]) -> String {
    let mut bots: Vec<(&String, &arena::Pace)> =
        names.iter().zip(paces).filter(|(_, pace)| pace.mean.is_some()).collect();
    bots.sort_by(|(_, a), (_, b)| b.mean.partial_cmp(&a.mean).expect("means are numbers"));
    let line = |(name, pace): &(&String, &arena::Pace)| {
        let mean = pace.mean.unwrap_or_default();
        let time = if pace.time.is_zero() { String::new() } else { format!(", {} a move", time_text(pace.time)) };
        let faults = if pace.faults == 0 { String::new() } else { format!(", {} faults", thousands(pace.faults)) };
        format!("\n  {name}: {mean:.2} a deal{time}{faults}")
    };
    bots.iter().take(SHOWN).map(line).collect()
}

/// How many numbers a leg should have, by how long the last one took.
struct Pace {
    /// One for each thread at least, or some would have nothing to do.
    least: u64,
    numbers: u64,
    next: u64,
    wall: Duration,
}

impl Pace {
    /// At first every thread gets one: nobody knows how long that takes.
    fn new(ran: &Ran, threads: u64) -> Pace {
        Pace { least: threads, numbers: threads, next: ran.next, wall: ran.wall }
    }

    /// The numbers for the next leg, so that it takes about as long as `leg`, where `wall` was spent before number `next`.
    fn after(&mut self, next: u64, wall: Duration, leg: Duration) -> u64 {
        let (numbers, took) = (next - self.next, wall - self.wall);
        if numbers > 0 {
            let fitting = numbers as f64 * leg.as_secs_f64() / took.as_secs_f64().max(1e-6);
            let fitting = (fitting as u64).clamp(self.numbers / 8, self.numbers * 8);
            self.numbers = fitting.max(1).next_multiple_of(self.least);
        }
        (self.next, self.wall) = (next, wall);
        self.numbers
    }
}

fn progress_bar(games: u64, unit: &str, done: u64, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new(games).with_position(done);
    let shown = !quiet && std::io::IsTerminal::is_terminal(&std::io::stderr());
    bar.set_draw_target(if shown { ProgressDrawTarget::stderr_with_hz(5) } else { ProgressDrawTarget::hidden() });
    bar.set_style(style(&format!(
        "{{prefix}} [{{bar:20}}] {{human_pos}} of {{human_len}} {unit} played, {{rate}}/s, {{eta}} left{{msg}}"
    )));
    bar.reset_eta();
    bar
}

fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
    };
    ProgressStyle::with_template(template).expect("a template that parses").with_key("rate", rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The legs of a run on `threads` threads of which each number takes so long.
    fn legs(threads: u64, each: Duration, count: usize) -> Vec<u64> {
        let mut pace = Pace { least: threads, numbers: threads, next: 0, wall: Duration::ZERO };
        let (mut next, mut wall) = (0, Duration::ZERO);
        let leg = |_| {
            let numbers = pace.after(next, wall, Duration::from_secs(1));
            next += numbers;
            wall += each * numbers as u32 / threads as u32;
            numbers
        };
        (0..count).map(leg).collect()
    }

    #[test]
    fn legs_take_a_second_but_leave_no_thread_without_work() {
        assert_eq!(legs(2, Duration::from_secs(30), 3), [2, 2, 2]);
        assert_eq!(legs(3, Duration::from_millis(200), 4), [3, 15, 15, 15]);
        assert_eq!(legs(1, Duration::from_millis(1), 6), [1, 8, 64, 512, 1000, 1000]);
    }
}
