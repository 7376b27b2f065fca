//! The checked form of an expression, and its evaluation.

use overtrick_cards::table::{BySeat, Seat};

use super::NameSource;
use super::syntax::Operator;

/// The values of names when an expression is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// The values of the deal, by index.
    pub deal: &'a [i32],
    /// The values of each seat, by index.
    pub seats: &'a [BySeat<i32>],
    /// The number of players.
    pub players: usize,
    /// The dealer, from whose left `most` counts.
    pub dealer: Seat,
    /// The declarer, or the dealer if there is none.
    pub declarer: Seat,
    /// For each seat, the seats of its side, one bit for each.
    pub sides: &'a BySeat<u8>,
}

impl Circumstances<'_> {
    fn all_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::all(self.players)
    }
}

/// A function that asks all seats or some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Survey {
    /// The sum over the own side.
    Mine,
    /// The sum over the other sides.
    Others,
    /// The sum over all seats.
    All,
    /// Whether a condition holds at any seat.
    Any,
    /// The number of seats at which a condition holds.
    Count,
    /// The number of seats at which a value is the same as here.
    Same,
    /// The highest value.
    Best,
    /// The first seat from the dealer's left with the highest value.
    Most,
}

/// A checked expression. Conditions are 1 if they hold and 0 if not.
#[derive(Clone, Debug)]
pub(super) enum ExpressionCode {
    Constant(i32),
    Deal(usize),
    Seat(usize),
    /// A value of the declarer's seat.
    Declarer(usize),
    Negative(Box<ExpressionCode>),
    Not(Box<ExpressionCode>),
    Absolute(Box<ExpressionCode>),
    Two(Operator, Box<[ExpressionCode; 2]>),
    If(Box<[ExpressionCode; 3]>),
    Least(Vec<ExpressionCode>),
    Greatest(Vec<ExpressionCode>),
    /// The least multiple of the first that is the second or more.
    Up(Box<[ExpressionCode; 2]>),
    Survey(Survey, Box<ExpressionCode>),
}

impl ExpressionCode {
    /// Returns the value for `seat`.
    pub(super) fn value(&self, at: &Circumstances<'_>, seat: Seat) -> i32 {
        match self {
            ExpressionCode::Constant(value) => *value,
            ExpressionCode::Deal(index) => at.deal[*index],
            ExpressionCode::Seat(index) => at.seats[*index][seat],
            ExpressionCode::Declarer(index) => at.seats[*index][at.declarer],
            ExpressionCode::Negative(part) => -part.value(at, seat),
            ExpressionCode::Not(part) => 1 - part.value(at, seat),
            ExpressionCode::Absolute(part) => part.value(at, seat).abs(),
            ExpressionCode::Two(operator, parts) => operator.apply(parts[0].value(at, seat), parts[1].value(at, seat)),
            ExpressionCode::If(parts) => {
                let branch = if parts[0].value(at, seat) != 0 { &parts[1] } else { &parts[2] };
                branch.value(at, seat)
            }
            ExpressionCode::Least(parts) => parts.iter().map(|part| part.value(at, seat)).fold(i32::MAX, i32::min),
            ExpressionCode::Greatest(parts) => parts.iter().map(|part| part.value(at, seat)).fold(i32::MIN, i32::max),
            ExpressionCode::Up(parts) => {
                let (step, least) = (parts[0].value(at, seat), parts[1].value(at, seat));
                least + (-least).rem_euclid(step)
            }
            ExpressionCode::Survey(survey, part) => survey.value(part, at, seat),
        }
    }

    /// Returns whether the code reads a value whose source `asked` accepts.
    pub(super) fn depends_on(&self, asked: &dyn Fn(NameSource) -> bool) -> bool {
        match self {
            ExpressionCode::Deal(index) => asked(NameSource::Deal(*index)),
            ExpressionCode::Seat(index) | ExpressionCode::Declarer(index) => asked(NameSource::Seat(*index)),
            _ => self.parts().into_iter().any(|part| part.depends_on(asked)),
        }
    }

    /// Returns whether a value of the code is the number of a seat.
    pub(super) fn numbers_seats(&self) -> bool {
        let is_number = matches!(self, ExpressionCode::Survey(Survey::Most, _));
        is_number || self.parts().into_iter().any(ExpressionCode::numbers_seats)
    }

    /// Returns whether two seats of a side may have different values.
    ///
    /// `asked` says whether a value of a seat, by its index, may differ between partners.
    pub(super) fn differs_between_partners(&self, asked: &dyn Fn(usize) -> bool) -> bool {
        match self {
            ExpressionCode::Seat(index) => asked(*index),
            ExpressionCode::Survey(survey, part) => *survey == Survey::Same && part.differs_between_partners(asked),
            _ => self.parts().into_iter().any(|part| part.differs_between_partners(asked)),
        }
    }

    /// Returns the parts that the code is made of.
    fn parts(&self) -> Vec<&ExpressionCode> {
        match self {
            ExpressionCode::Constant(_)
            | ExpressionCode::Deal(_)
            | ExpressionCode::Seat(_)
            | ExpressionCode::Declarer(_) => Vec::new(),
            ExpressionCode::Negative(part)
            | ExpressionCode::Not(part)
            | ExpressionCode::Absolute(part)
            | ExpressionCode::Survey(_, part) => vec![part],
            ExpressionCode::Two(_, parts) | ExpressionCode::Up(parts) => parts.iter().collect(),
            ExpressionCode::If(parts) => parts.iter().collect(),
            ExpressionCode::Least(parts) | ExpressionCode::Greatest(parts) => parts.iter().collect(),
        }
    }
}

impl Operator {
    #[inline]
    fn apply(self, left: i32, right: i32) -> i32 {
        match self {
            Operator::Or => left | right,
            Operator::And => left & right,
            Operator::Equal => i32::from(left == right),
            Operator::NotEqual => i32::from(left != right),
            Operator::Less => i32::from(left < right),
            Operator::LessOrEqual => i32::from(left <= right),
            Operator::Greater => i32::from(left > right),
            Operator::GreaterOrEqual => i32::from(left >= right),
            Operator::Plus => left + right,
            Operator::Minus => left - right,
            Operator::Times => left * right,
            Operator::Div => left.div_euclid(right),
            Operator::Mod => left.rem_euclid(right),
        }
    }
}

impl Survey {
    /// Returns the result of asking for the value of `part` at the seats.
    fn value(self, part: &ExpressionCode, at: &Circumstances<'_>, seat: Seat) -> i32 {
        let is_mine = |other: Seat| at.sides[seat] >> other.index() & 1 == 1;
        let sum_over = |asked: &dyn Fn(Seat) -> bool| {
            at.all_seats().filter(|&other| asked(other)).map(|other| part.value(at, other)).sum()
        };
        let best = || at.all_seats().map(|other| part.value(at, other)).fold(i32::MIN, i32::max);
        match self {
            Survey::Mine => sum_over(&is_mine),
            Survey::Others => sum_over(&|other| !is_mine(other)),
            Survey::All | Survey::Count => sum_over(&|_| true),
            Survey::Any => i32::from(at.all_seats().any(|other| part.value(at, other) != 0)),
            Survey::Same => {
                let own = part.value(at, seat);
                at.all_seats().map(|other| i32::from(part.value(at, other) == own)).sum()
            }
            Survey::Best => best(),
            Survey::Most => {
                let best = best();
                let mut from_left = (1..=at.players).map(|steps| at.dealer.left(steps, at.players));
                let first = from_left.find(|&other| part.value(at, other) == best);
                i32::try_from(first.unwrap_or(at.dealer).index()).unwrap_or(0)
            }
        }
    }
}
