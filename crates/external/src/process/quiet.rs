//! Lets bots run while they are asked and stops the others, so that none slows another down.
//!
//! A bot can also be asked alone: then no other bot runs.

#![cfg_attr(not(all(unix, feature = "process")), allow(dead_code))]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::rein::Rein;

/// The bots of this program, and which of them run.
pub struct Quiet {
    all: Mutex<All>,
    changed: Condvar,
}

/// The bots of this program, across all its runs.
pub static QUIET: Quiet = Quiet::new();

struct All {
    bots: Vec<Arc<Bot>>,
    /// The number of bots that start, are asked or end.
    busy: usize,
    is_one_alone: bool,
    /// The number of bots that wait to be asked alone, as soon as no other is busy.
    waiting: usize,
}

/// A bot that runs. Its state changes only under the lock of `All`.
struct Bot {
    rein: Rein,
    is_asked: AtomicBool,
    is_stopped: AtomicBool,
}

impl Bot {
    fn go(&self) {
        self.is_asked.store(true, Ordering::Relaxed);
        if self.is_stopped.swap(false, Ordering::Relaxed) {
            self.rein.go();
        }
    }

    fn stop(&self) {
        if !self.is_stopped.swap(true, Ordering::Relaxed) {
            self.rein.stop();
        }
    }
}

impl Quiet {
    const fn new() -> Quiet {
        let all = All { bots: Vec::new(), busy: 0, is_one_alone: false, waiting: 0 };
        Quiet { all: Mutex::new(all), changed: Condvar::new() }
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'q>(&self, all: MutexGuard<'q, All>) -> MutexGuard<'q, All> {
        self.changed.wait(all).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no bot is alone or waits to be alone, and counts one more busy bot.
    fn enter(&self) -> MutexGuard<'_, All> {
        let mut all = self.all();
        while all.is_one_alone || all.waiting > 0 {
            all = self.wait(all);
        }
        all.busy += 1;
        all
    }

    /// Waits for the turn in which a bot is started. A thread that has a turn must not wait for another.
    pub fn start(&'static self) -> Turn {
        drop(self.enter());
        Turn { quiet: self, bot: None, is_alone: false }
    }
}

/// A bot's place among the running bots. It is given up when the bot ends.
pub struct Place {
    quiet: &'static Quiet,
    bot: Arc<Bot>,
}

impl Place {
    /// Returns the place of a bot that has just been started, during the turn for its start.
    pub fn new(rein: Rein) -> Place {
        Place::among(&QUIET, rein)
    }

    fn among(quiet: &'static Quiet, rein: Rein) -> Place {
        let bot = Arc::new(Bot { rein, is_asked: true.into(), is_stopped: false.into() });
        quiet.all().bots.push(Arc::clone(&bot));
        Place { quiet, bot }
    }

    /// Assigns the turn in which the bot was started to the bot.
    pub fn take(&self, mut turn: Turn) -> Turn {
        turn.bot = Some(Arc::clone(&self.bot));
        turn
    }

    /// Lets the bot run until the turn is over. Waits while another bot is alone.
    pub fn turn(&self) -> Turn {
        let _all = self.quiet.enter();
        self.bot.go();
        Turn { quiet: self.quiet, bot: Some(Arc::clone(&self.bot)), is_alone: false }
    }

    /// Lets only this bot run until the turn is over.
    ///
    /// Waits until the turns of all others are over, and stops them. The bot must not have a turn.
    pub fn turn_alone(&self) -> Turn {
        let mut all = self.quiet.all();
        all.waiting += 1;
        while all.is_one_alone || all.busy > 0 {
            all = self.quiet.wait(all);
        }
        all.waiting -= 1;
        all.is_one_alone = true;
        let others: Vec<Arc<Bot>> = all.bots.iter().filter(|bot| !Arc::ptr_eq(bot, &self.bot)).cloned().collect();
        for bot in &others {
            bot.is_stopped.store(true, Ordering::Relaxed);
            bot.rein.stop_and_say();
        }
        drop(all);
        for bot in &others {
            bot.rein.await_stop();
        }
        let _all = self.quiet.all();
        self.bot.go();
        Turn { quiet: self.quiet, bot: Some(Arc::clone(&self.bot)), is_alone: true }
    }

    /// Stops all bots that are not being asked.
    pub fn stop_idle_bots(&self) {
        let all = self.quiet.all();
        all.bots.iter().filter(|bot| !bot.is_asked.load(Ordering::Relaxed)).for_each(|bot| bot.stop());
    }

    /// Returns whether there are other bots.
    pub fn has_others(&self) -> bool {
        self.quiet.all().bots.len() > 1
    }

    /// Gives the place up, so that the bot's processes are left alone from now on.
    ///
    /// The bot is busy until the turn is over.
    pub fn leave(&self) -> Turn {
        let mut all = self.quiet.all();
        all.bots.retain(|bot| !Arc::ptr_eq(bot, &self.bot));
        all.busy += 1;
        Turn { quiet: self.quiet, bot: None, is_alone: false }
    }
}

/// The time in which a bot may run.
pub struct Turn {
    quiet: &'static Quiet,
    bot: Option<Arc<Bot>>,
    is_alone: bool,
}

impl Turn {
    /// Ends the turn and stops the bot.
    pub fn end_and_stop(self) {
        let _all = self.quiet.all();
        if let Some(bot) = &self.bot {
            bot.stop();
        }
        drop(_all);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut all = self.quiet.all();
        if let Some(bot) = &self.bot {
            bot.is_asked.store(false, Ordering::Relaxed);
        }
        if self.is_alone {
            all.is_one_alone = false;
        } else {
            all.busy -= 1;
        }
        self.quiet.changed.notify_all();
    }
}

#[cfg(all(unix, feature = "process"))]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::rein::{GO, STOP, STOP_AND_SAY};
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    /// Returns a bot, and the other end of the line that controls it.
    fn bot(quiet: &'static Quiet) -> (Place, UnixStream) {
        let (line, end) = UnixStream::pair().unwrap();
        end.set_nonblocking(true).unwrap();
        (Place::among(quiet, Rein::inside(line)), end)
    }

    /// Returns the requests to a bot since the last call.
    fn asked(mut end: &UnixStream) -> Vec<u8> {
        let mut bytes = vec![0; 16];
        let count = end.read(&mut bytes).unwrap_or(0);
        bytes.truncate(count);
        bytes
    }

    #[test]
    fn who_is_not_asked_is_stopped_and_goes_on_with_the_next_turn() {
        static QUIET: Quiet = Quiet::new();
        let [(first, one), (second, two)] = [bot(&QUIET), bot(&QUIET)];
        drop((first.take(QUIET.start()), second.take(QUIET.start())));
        assert_eq!((asked(&one), asked(&two)), (vec![], vec![]));
        let turn = first.turn();
        first.stop_idle_bots();
        second.stop_idle_bots();
        assert_eq!((asked(&one), asked(&two)), (vec![], vec![STOP]));
        turn.end_and_stop();
        first.stop_idle_bots();
        assert_eq!((asked(&one), asked(&two)), (vec![STOP], vec![]));
        drop((first.turn(), second.turn()));
        drop((first.turn(), second.turn()));
        assert_eq!((asked(&one), asked(&two)), (vec![GO], vec![GO]));
    }

    #[test]
    fn who_is_alone_has_all_others_stopped_and_waiting() {
        static QUIET: Quiet = Quiet::new();
        let [(first, one), (second, mut two), (third, three)] = [bot(&QUIET), bot(&QUIET), bot(&QUIET)];
        drop([&first, &second, &third].map(|bot| bot.take(QUIET.start())));
        assert!(first.has_others());
        // The second bot replies that it has stopped; the third has no processes left.
        two.write_all(b"S").unwrap();
        three.shutdown(std::net::Shutdown::Write).unwrap();
        first.turn().end_and_stop();
        let alone = first.turn_alone();
        assert_eq!([&one, &two, &three].map(asked), [vec![STOP, GO], vec![STOP_AND_SAY], vec![STOP_AND_SAY]]);
        std::thread::scope(|scope| {
            let next = scope.spawn(|| drop(second.turn()));
            let start = scope.spawn(|| drop(QUIET.start()));
            assert!(asked(&two).is_empty() && !next.is_finished() && !start.is_finished());
            drop(third.leave());
            drop(alone);
        });
        assert_eq!(asked(&two), [GO]);
    }

    #[test]
    fn many_that_are_asked_alone_and_together_do_not_wait_for_ever() {
        static QUIET: Quiet = Quiet::new();
        static ALONE: AtomicBool = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for thread in 0..6 {
                scope.spawn(move || {
                    let (place, end) = bot(&QUIET);
                    end.shutdown(std::net::Shutdown::Write).unwrap();
                    drop(place.take(QUIET.start()));
                    for number in 0..200 {
                        let turn = place.turn();
                        assert!(!ALONE.load(Ordering::SeqCst));
                        drop(turn);
                        if number % 7 == thread {
                            let turn = place.turn_alone();
                            assert!(!ALONE.swap(true, Ordering::SeqCst));
                            ALONE.store(false, Ordering::SeqCst);
                            turn.end_and_stop();
                        }
                        asked(&end);
                    }
                    drop(place.leave());
                });
            }
        });
        assert!(QUIET.all().bots.is_empty() && QUIET.all().busy == 0);
    }
}
