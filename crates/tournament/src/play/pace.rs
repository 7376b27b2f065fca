//! How long games take: how many may be in flight, and when a segment is broken off.

use std::time::Duration;

use super::engine::IN_FLIGHT;

/// How long games of one thread in flight may take to end: what an interruption may cost.
const LANDING: Duration = Duration::from_secs(1);

/// How many games are in flight on a thread before any has been timed.
const FIRST: u64 = 4;

/// The pace of a variant's games.
pub(super) struct Pace {
    /// Whether bots come from outside, whose processes take time to start.
    is_spread: bool,
    /// The time that a thread takes for a game; `None` before the first segment.
    game: Option<Duration>,
}

impl Pace {
    /// The time in which the pace is found out.
    pub(super) const FIRST_MOMENT: Duration = Duration::from_millis(100);

    pub(super) fn new(is_spread: bool) -> Pace {
        Pace { is_spread, game: None }
    }

    /// Notes the time of all threads together in which so many games were played.
    pub(super) fn note(&mut self, time: Duration, games: u64) {
        if games > 0 {
            self.game = Some(time.div_f64(games as f64));
        }
    }

    /// How many games may be in flight on a thread, so that they end soon when no more begin.
    pub(super) fn room(&self) -> u64 {
        let Some(game) = self.game else { return FIRST };
        let room = LANDING.as_secs_f64() / game.as_secs_f64().max(1e-9);
        (room as u64).clamp(1, IN_FLIGHT as u64)
    }

    /// Whether so many games of a thread may take much longer than a segment.
    pub(super) fn takes_long(&self, games: u64) -> bool {
        self.is_spread || self.game.is_none_or(|game| game.as_secs_f64() * games as f64 > 3.0)
    }

    /// Whether it is known yet.
    pub(super) fn is_known(&self) -> bool {
        self.game.is_some()
    }

    /// After what time no more games begin in a segment of a variant that has been played for `wall`. Where bots come
    /// from outside, some processes are started after every segment; so they grow, up to an eighth of the whole.
    pub(super) fn segment(&self, wall: Duration) -> Duration {
        match self.is_spread {
            true => (wall / 8).clamp(Duration::from_secs(4), Duration::from_secs(30)),
            false => Duration::from_secs(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_games_leave_few_in_flight() {
        let mut pace = Pace::new(false);
        assert!(pace.takes_long(1) && pace.room() == FIRST);
        pace.note(Duration::from_secs(2), 1_000_000);
        assert!(!pace.takes_long(500_000) && pace.room() == IN_FLIGHT as u64);
        pace.note(Duration::from_secs(4), 40);
        assert_eq!((pace.takes_long(50), pace.room()), (true, 10));
        pace.note(Duration::from_secs(40), 2);
        assert_eq!((pace.takes_long(1), pace.room()), (true, 1));
    }
}
