//! Expressions: integers and conditions of a game's options and of a deal.
//!
//! ```text
//! expr  = "if" expr "then" expr "else" expr | or
//! or    = and { "or" and }          and   = not { "and" not }        not = [ "not" ] cmp
//! cmp   = sum [ ("=" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//! sum   = term { ("+" | "-") term } term  = unary { ("*" | "div" | "mod") unary }
//! unary = [ "-" ] atom
//! atom  = NUMBER | NAME | NAME "." NAME | FUNCTION "(" expr { "," expr } ")" | "(" expr ")"
//! ```
//!
//! An expression is checked once, when its file is read. The intervals of its names prove that no step leaves
//! ±2^30, so that evaluation needs no checks.

mod check;
mod code;
mod interval;
mod names;
mod syntax;
mod token;
mod words;

use thiserror::Error;

pub use check::FUNCTIONS;
pub use code::Circumstances;
use code::ExpressionCode;
pub use interval::{IntegerInterval, LIMIT};
pub use names::{Name, NameScope, NameSource, ValueType};
use overtrick_cards::table::Seat;
pub use token::{is_name, is_reserved};
pub use words::{ExpressionWords, NameWords, SeatWords, in_words};

/// The error of an expression.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("column {column}: {problem}")]
pub struct ExpressionError {
    /// The column in the text of the expression, counted from 1.
    pub column: usize,
    /// The problem and the remedy.
    pub problem: String,
}

/// An expression that was checked, ready for evaluation.
#[derive(Clone, Debug)]
pub struct Expression {
    code: ExpressionCode,
    value_type: ValueType,
    interval: IntegerInterval,
}

impl Expression {
    /// Reads an integer or a condition.
    ///
    /// # Errors
    /// The first error in the text, with its column.
    pub fn read(text: &str, names: &NameScope) -> Result<Expression, ExpressionError> {
        let syntax = syntax::parse(text)?;
        check::check(&syntax, names)
    }

    /// Reads an integer.
    ///
    /// # Errors
    /// The first error in the text, with its column.
    pub fn integer(text: &str, names: &NameScope) -> Result<Expression, ExpressionError> {
        let read = Expression::read(text, names)?;
        match read.value_type {
            ValueType::Integer => Ok(read),
            _ => Err(whole_error(format!(
                "needs a number, and `{text}` is a condition; write `if {text} then 1 else 0`"
            ))),
        }
    }

    /// Reads a condition.
    ///
    /// # Errors
    /// The first error in the text, with its column.
    pub fn condition(text: &str, names: &NameScope) -> Result<Expression, ExpressionError> {
        let read = Expression::read(text, names)?;
        match read.value_type {
            ValueType::Condition => Ok(read),
            _ => Err(whole_error(format!("needs a condition, and `{text}` is a number; compare it"))),
        }
    }

    /// Returns an expression with a fixed value.
    pub fn constant(value_type: ValueType, value: i32) -> Expression {
        Expression { code: ExpressionCode::Constant(value), value_type, interval: IntegerInterval::of(value) }
    }

    /// Returns the type of the values.
    pub fn value_type(&self) -> ValueType {
        self.value_type
    }

    /// Returns an interval with all values that the expression can have.
    pub fn interval(&self) -> IntegerInterval {
        self.interval
    }

    /// Returns the value, if it is the same in all circumstances.
    pub fn as_constant(&self) -> Option<i32> {
        match self.code {
            ExpressionCode::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value for `seat`. A condition that holds is 1, and one that fails is 0.
    ///
    /// The values of the names must lie in their intervals.
    #[inline]
    pub fn value(&self, circumstances: &Circumstances<'_>, seat: Seat) -> i32 {
        self.code.value(circumstances, seat)
    }

    /// Returns whether the condition holds for `seat`.
    #[inline]
    pub fn holds(&self, circumstances: &Circumstances<'_>, seat: Seat) -> bool {
        self.value(circumstances, seat) != 0
    }

    /// Returns whether the value depends on a name whose source `asked` accepts.
    pub fn depends_on(&self, asked: impl Fn(NameSource) -> bool) -> bool {
        self.code.depends_on(&asked)
    }

    /// Returns whether the value may differ between the seats of a side.
    ///
    /// `asked` says whether a value of each seat, by its index in [`Circumstances::seats`], may differ.
    pub fn differs_between_partners(&self, asked: impl Fn(usize) -> bool) -> bool {
        self.code.differs_between_partners(&asked)
    }

    /// Returns whether the value may be the number of a seat.
    ///
    /// All other values stay the same if all seats are counted from another one.
    pub fn numbers_seats(&self) -> bool {
        self.code.numbers_seats()
    }
}

/// Returns the names in a text, or none if it has wrong words.
///
/// A name behind `declarer.` is that name.
pub fn names_in(text: &str) -> Vec<String> {
    let names = token::tokens(text).unwrap_or_default().into_iter().filter_map(|token| match token.kind {
        token::TokenKind::Name(name) => Some(name.strip_prefix("declarer.").unwrap_or(&name).to_owned()),
        _ => None,
    });
    names.collect()
}

/// Returns an error of an expression as a whole.
fn whole_error(problem: String) -> ExpressionError {
    ExpressionError { column: 1, problem }
}
