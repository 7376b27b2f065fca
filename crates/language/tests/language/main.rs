//! Tests of games in files.

mod expressions;
mod files;
mod orders;
mod random_expressions;
