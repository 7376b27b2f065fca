//! Stands in for `rein` where there are no Unix processes or the feature `process` is off.
//!
//! No value of the type ever exists.

use std::convert::Infallible;

/// A stand-in for the control over a bot's processes.
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
