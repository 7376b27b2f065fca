//! The duration of games, which limits the games in flight and the length of a segment.

use std::time::Duration;

use super::engine::IN_FLIGHT;

/// The longest time that the games in flight on a thread may take to end after an interruption.
const LANDING: Duration = Duration::from_secs(1);

/// The number of games in flight on a thread before any has been timed.
const FIRST: u64 = 4;

/// The pace of a variant's games.
pub(super) struct Pace {
    /// Whether there are external bots, whose processes take time to start.
    is_spread: bool,
    /// The time that a thread takes for a game; `None` before the first segment.
    game: Option<Duration>,
}

impl Pace {
    /// The time in which the pace is measured first.
    pub(super) const FIRST_MOMENT: Duration = Duration::from_millis(100);

    pub(super) fn new(is_spread: bool) -> Pace {
        Pace { is_spread, game: None }
    }

    /// Notes the time, summed over threads, in which `games` games were played.
    pub(super) fn note(&mut self, time: Duration, games: u64) {
        if games > 0 {
            self.game = Some(time.div_f64(games as f64));
        }
    }

    /// Returns the number of games that may be in flight on a thread.
    ///
    /// They must end soon after an interruption.
    pub(super) fn room(&self) -> u64 {
        let Some(game) = self.game else { return FIRST };
        let room = LANDING.as_secs_f64() / game.as_secs_f64().max(1e-9);
        (room as u64).clamp(1, IN_FLIGHT as u64)
    }

    /// Returns true if `games` games on a thread may take much longer than a segment.
    pub(super) fn takes_long(&self, games: u64) -> bool {
        self.is_spread || self.game.is_none_or(|game| game.as_secs_f64() * games as f64 > 3.0)
    }

    pub(super) fn is_known(&self) -> bool {
        self.game.is_some()
    }

    /// Returns the time after which no more games begin in a segment. `wall` is the time played so far.
    ///
    /// With external bots, processes are started after every segment. So the segments grow, up to an eighth
    /// of the time so far.
    pub(super) fn segment(&self, wall: Duration) -> Duration {
        if self.is_spread {
            (wall / 8).clamp(Duration::from_secs(4), Duration::from_secs(30))
        } else {
            Duration::from_secs(1)
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
