//! The commands, run as programs.

mod analysis;
mod check;
mod compare;
mod faults;
mod in_general;
mod longer;
mod manual;
mod new_bot;
mod no_checkout;
mod outputs;
mod partial;
mod play;
mod rate;
mod replacing;
mod report;
mod restricted;
mod resume;
mod retune;
mod set;
mod solve;
mod stop;
mod sweep;
mod tables;
mod tune;
mod tune_input;
mod tune_resume;
