//! Tournaments from the library, and what their statistics are worth.

mod assembled;
mod balance;
mod changed_bots;
mod curves;
mod headline_signs;
mod intervals;
mod library;
mod newcomers;
mod outside;
mod real_coverage;
mod sight;
mod stopping;
mod swings;
mod tuning;
