//! Stands in for `rein` where there are no Unix processes or the feature `process` is off: no value of it ever exists.

use std::convert::Infallible;

/// Stands in for what a bot's processes are held by.
pub struct Rein(Infallible);

impl Rein {
    pub fn stop(&self) {
        match self.0 {}
    }

    pub fn stop_and_say(&self) {
        match self.0 {}
    }

    pub fn await_stop(&self) {
        match self.0 {}
    }

    pub fn go(&self) {
        match self.0 {}
    }
}
