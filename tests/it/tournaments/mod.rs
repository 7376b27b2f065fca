//! Tournaments from the library, and what their statistics are worth.

mod assembled;
mod balance;
mod changed_bots;
mod circle_bots;
mod circles;
mod copies;
mod course_coverage;
mod curves;
mod explain;
mod four;
mod four_lab;
mod given_away;
mod headline_signs;
mod intervals;
mod late_mistake;
mod leagues;
mod library;
mod newcomers;
mod outside;
mod real_coverage;
mod sight;
mod stems;
mod stopping;
mod sweeps;
mod swings;
mod tuning;
