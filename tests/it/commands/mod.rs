//! The commands, run as programs.

mod analysis;
mod check;
mod commands;
mod compare;
mod faults;
mod longer;
mod manual;
mod new_bot;
mod no_checkout;
mod partial;
mod rate;
mod replacing;
mod resume;
mod solve;
mod stop;
mod tables;
