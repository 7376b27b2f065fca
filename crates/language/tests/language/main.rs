//! Tests of games in files.

mod expressions;
mod random_expressions;
