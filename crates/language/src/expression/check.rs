//! The check of an expression: its names, types and intervals.

use overtrick_cards::table::MAX_SEATS;
use overtrick_toml::did_you_mean;

use super::code::{ExpressionCode, Survey};
use super::syntax::{Operator, Syntax, SyntaxForm};
use super::{Expression, ExpressionError, IntegerInterval, LIMIT, Name, NameScope, NameSource, ValueType};

/// The functions of expressions, each with its form.
pub const FUNCTIONS: [&str; 12] =
    ["min", "max", "abs", "up", "mine", "others", "all", "any", "count", "same", "best", "most"];

/// Checks an expression under the names of its place.
pub(super) fn check(syntax: &Syntax, names: &NameScope) -> Result<Expression, ExpressionError> {
    Checker { names, surveyed: None }.check(syntax)
}

struct Checker<'a> {
    names: &'a NameScope,
    /// The function over seats inside which the part stands.
    surveyed: Option<&'a str>,
}

type Checked = Result<Expression, ExpressionError>;

fn error(column: usize, problem: impl Into<String>) -> ExpressionError {
    ExpressionError { column, problem: problem.into() }
}

/// Returns an expression, with its value in place of its code if it has only one.
fn made(code: ExpressionCode, value_type: ValueType, interval: IntegerInterval) -> Expression {
    let only = interval.only().and_then(|only| i32::try_from(only).ok());
    Expression { code: only.map_or(code, ExpressionCode::Constant), value_type, interval }
}

impl Checker<'_> {
    fn check(&self, syntax: &Syntax) -> Checked {
        let found = match &syntax.form {
            SyntaxForm::Number(number) => Expression::constant(ValueType::Integer, *number),
            SyntaxForm::Name(name) => self.name(name, syntax.column)?,
            SyntaxForm::Call(name, parts) => self.call(name, parts, syntax.column)?,
            SyntaxForm::Negative(part) => {
                let part = self.integer(part)?;
                made(ExpressionCode::Negative(Box::new(part.code)), ValueType::Integer, part.interval.negative())
            }
            SyntaxForm::Not(part) => {
                let part = self.condition(part)?;
                made(ExpressionCode::Not(Box::new(part.code)), ValueType::Condition, part.interval.not())
            }
            SyntaxForm::Two(operator, parts) => self.two(*operator, parts, syntax.column)?,
            SyntaxForm::If(parts) => self.branches(parts)?,
        };
        self.within_limit(found, syntax)
    }

    /// Refuses a value that could be too large.
    fn within_limit(&self, found: Expression, syntax: &Syntax) -> Checked {
        if found.interval.fits() {
            return Ok(found);
        }
        let remedy = match self.widest_option(syntax) {
            Some(name) => format!("narrow the range of option `{}`", name.text),
            None => "use smaller numbers".to_owned(),
        };
        let farthest = found.interval.farthest();
        Err(error(syntax.column, format!("could reach {farthest}, and values up to {LIMIT} fit; {remedy}")))
    }

    /// Returns the option of the largest range in a part.
    fn widest_option(&self, syntax: &Syntax) -> Option<&Name> {
        let inside: Vec<&Syntax> = match &syntax.form {
            SyntaxForm::Number(_) => Vec::new(),
            SyntaxForm::Name(text) => {
                let name = self.names.get(text)?;
                return matches!(name.source, NameSource::Option(_)).then_some(name);
            }
            SyntaxForm::Call(_, parts) => parts.iter().collect(),
            SyntaxForm::Negative(part) | SyntaxForm::Not(part) => vec![part],
            SyntaxForm::Two(_, parts) => parts.iter().collect(),
            SyntaxForm::If(parts) => parts.iter().collect(),
        };
        let options = inside.into_iter().filter_map(|part| self.widest_option(part));
        options.max_by_key(|name| name.interval.farthest().abs())
    }

    fn integer(&self, syntax: &Syntax) -> Checked {
        let found = self.check(syntax)?;
        match found.value_type {
            ValueType::Integer => Ok(found),
            _ => Err(error(syntax.column, "needs a number, and this is a condition; use `if ... then 1 else 0`")),
        }
    }

    fn condition(&self, syntax: &Syntax) -> Checked {
        let found = self.check(syntax)?;
        match found.value_type {
            ValueType::Condition => Ok(found),
            _ => Err(error(syntax.column, "needs a condition, and this is a number; compare it")),
        }
    }

    fn name(&self, text: &str, column: usize) -> Checked {
        let (of_declarer, name) = match self.names.get(text) {
            Some(name) => (false, name),
            None => {
                let inner = text.strip_prefix("declarer.").filter(|_| self.names.has_declarer());
                let found = inner.and_then(|inner| self.names.get(inner));
                (true, found.ok_or_else(|| error(column, self.no_name(text)))?)
            }
        };
        let code = match (name.source, of_declarer) {
            _ if name.value_type == ValueType::Word => {
                return Err(error(column, format!("`{text}` is a word, and words have no place in expressions")));
            }
            (NameSource::Option(value), false) => ExpressionCode::Constant(value),
            (NameSource::Deal(index), false) => ExpressionCode::Deal(index),
            (NameSource::Seat(index), true) => ExpressionCode::Declarer(index),
            (NameSource::Seat(index), false) if self.names.is_by_seat() || self.surveyed.is_some() => {
                ExpressionCode::Seat(index)
            }
            (NameSource::Seat(_), false) => {
                let problem = format!("`{text}` differs by seat, and this does not; write `best({text})` or the like");
                return Err(error(column, problem));
            }
            (_, true) => {
                let problem = format!("`{0}` is the same for all seats; write `{0}` alone", name.text);
                return Err(error(column, problem));
            }
        };
        Ok(made(code, name.value_type, name.interval))
    }

    fn no_name(&self, text: &str) -> String {
        if FUNCTIONS.contains(&text) {
            return format!("`{text}` is a function; write `{text}(...)`");
        }
        self.names.unknown(text)
    }

    fn branches(&self, parts: &[Syntax; 3]) -> Checked {
        let condition = self.condition(&parts[0])?;
        let (then, otherwise) = (self.check(&parts[1])?, self.check(&parts[2])?);
        if then.value_type != otherwise.value_type {
            let problem = "is of another type than the value of `then`; make both numbers or both conditions";
            return Err(error(parts[2].column, problem));
        }
        let interval = match condition.as_constant() {
            Some(0) => otherwise.interval,
            Some(_) => then.interval,
            None => then.interval.or(otherwise.interval),
        };
        let code = ExpressionCode::If(Box::new([condition.code, then.code, otherwise.code]));
        Ok(made(code, then.value_type, interval))
    }

    fn two(&self, operator: Operator, parts: &[Syntax; 2], column: usize) -> Checked {
        let logical = matches!(operator, Operator::Or | Operator::And);
        let part = |syntax| if logical { self.condition(syntax) } else { self.integer(syntax) };
        let (left, right) = (part(&parts[0])?, part(&parts[1])?);
        let (one, other) = (left.interval, right.interval);
        let is_division = matches!(operator, Operator::Div | Operator::Mod);
        if is_division && other.low < 1 {
            let wrong = if other.contains(0) { 0 } else { other.high };
            return Err(error(column, format!("could divide by {wrong}; divide by a number above 0")));
        }
        if is_division && right.as_constant().is_none() {
            return Err(error(parts[1].column, "divides by a value of the deal; divide by a number or an option"));
        }
        let (value_type, interval) = match operator {
            Operator::Or => (ValueType::Condition, one.max(other)),
            Operator::And => (ValueType::Condition, one.min(other)),
            Operator::Equal => (ValueType::Condition, one.equal(other)),
            Operator::NotEqual => (ValueType::Condition, one.equal(other).not()),
            Operator::Less => (ValueType::Condition, one.less(other)),
            Operator::LessOrEqual => (ValueType::Condition, other.less(one).not()),
            Operator::Greater => (ValueType::Condition, other.less(one)),
            Operator::GreaterOrEqual => (ValueType::Condition, one.less(other).not()),
            Operator::Plus => (ValueType::Integer, one.plus(other)),
            Operator::Minus => (ValueType::Integer, one.minus(other)),
            Operator::Times => (ValueType::Integer, one.times(other)),
            Operator::Div => (ValueType::Integer, one.div(other)),
            Operator::Mod => (ValueType::Integer, one.modulo(other)),
        };
        Ok(made(ExpressionCode::Two(operator, Box::new([left.code, right.code])), value_type, interval))
    }

    fn call(&self, name: &str, parts: &[Syntax], column: usize) -> Checked {
        let wants = match name {
            "min" | "max" => 2..=usize::MAX,
            "up" => 2..=2,
            _ => 1..=1,
        };
        let survey = match name {
            "min" | "max" | "abs" | "up" => None,
            "mine" => Some(Survey::Mine),
            "others" => Some(Survey::Others),
            "all" => Some(Survey::All),
            "any" => Some(Survey::Any),
            "count" => Some(Survey::Count),
            "same" => Some(Survey::Same),
            "best" => Some(Survey::Best),
            "most" => Some(Survey::Most),
            _ => return Err(error(column, self.no_function(name))),
        };
        if !wants.contains(&parts.len()) {
            let number = if name == "min" || name == "max" {
                "two values or more".to_owned()
            } else {
                format!("{}", wants.start())
            };
            return Err(error(column, format!("`{name}` takes {number}, and {} are here", parts.len())));
        }
        match survey {
            Some(survey) => self.survey(survey, name, &parts[0], column),
            None => self.plain_call(name, parts),
        }
    }

    fn no_function(&self, name: &str) -> String {
        if self.names.get(name).is_some() {
            return format!("`{name}` is no function; leave out the brackets");
        }
        let meant = did_you_mean(name, FUNCTIONS);
        format!("there is no function `{name}`{meant}; there are {}", FUNCTIONS.join(", "))
    }

    /// Checks a function of values at one seat.
    fn plain_call(&self, name: &str, parts: &[Syntax]) -> Checked {
        let parts_checked: Vec<Expression> = parts.iter().map(|part| self.integer(part)).collect::<Result<_, _>>()?;
        let intervals = || parts_checked.iter().map(|part| part.interval);
        let first = parts_checked[0].interval;
        let interval = match name {
            "min" => intervals().fold(first, IntegerInterval::min),
            "max" => intervals().fold(first, IntegerInterval::max),
            "abs" => first.abs(),
            _ => {
                if first.low < 1 || parts_checked[0].as_constant().is_none() {
                    let problem = "is no step for `up`; write a number or an option above 0";
                    return Err(error(parts[0].column, problem));
                }
                let least = parts_checked[1].interval;
                IntegerInterval::new(least.low, least.high + first.high - 1)
            }
        };
        let mut codes: Vec<ExpressionCode> = parts_checked.into_iter().map(|part| part.code).collect();
        let code = match name {
            "min" => ExpressionCode::Least(codes),
            "max" => ExpressionCode::Greatest(codes),
            "abs" => ExpressionCode::Absolute(Box::new(codes.remove(0))),
            _ => ExpressionCode::Up(Box::new([codes.remove(0), codes.remove(0)])),
        };
        Ok(made(code, ValueType::Integer, interval))
    }

    /// Checks a function over seats.
    fn survey(&self, survey: Survey, name: &str, part: &Syntax, column: usize) -> Checked {
        if let Some(outer) = self.surveyed {
            let problem = format!("`{name}` stands inside `{outer}`; name it in `let`, and use the name here");
            return Err(error(column, problem));
        }
        let needs_seat = matches!(survey, Survey::Mine | Survey::Others | Survey::Same);
        if needs_seat && !self.names.is_by_seat() {
            return Err(error(column, format!("`{name}` needs a seat, and this is the same for all; write `all`")));
        }
        let inside = Checker { names: self.names, surveyed: Some(name) };
        let is_condition = matches!(survey, Survey::Any | Survey::Count);
        let asked = if is_condition { inside.condition(part)? } else { inside.integer(part)? };
        let seats = i64::try_from(MAX_SEATS).unwrap_or(i64::MAX);
        // A sum over some seats lies between those over none and over all.
        let sum = asked.interval.times(IntegerInterval::new(0, seats));
        let interval = match survey {
            Survey::Mine | Survey::Others | Survey::All | Survey::Count => sum,
            Survey::Any | Survey::Best => asked.interval,
            Survey::Same => IntegerInterval::new(1, seats),
            Survey::Most => IntegerInterval::new(0, seats - 1),
        };
        let value_type = if survey == Survey::Any { ValueType::Condition } else { ValueType::Integer };
        Ok(made(ExpressionCode::Survey(survey, Box::new(asked.code)), value_type, interval))
    }
}
