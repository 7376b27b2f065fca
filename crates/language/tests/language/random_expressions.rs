//! Random expressions against a slow evaluator in 128 bits.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_language::expression::{
    Circumstances, Expression, IntegerInterval, LIMIT, Name, NameScope, NameSource, ValueType,
};
use proptest::prelude::*;

/// An expression as the slow evaluator sees it.
#[derive(Clone, Debug)]
enum Tree {
    Number(i32),
    /// A name by its place in `NAMES`.
    Name(usize),
    /// A condition of a seat.
    Flag,
    Negative(Box<Tree>),
    Not(Box<Tree>),
    Two(&'static str, Box<Tree>, Box<Tree>),
    If(Box<Tree>, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
}

const PLAYERS: usize = 3;
/// The names with their ranges. The first two are options, the next two values of the deal, the last two of a seat.
const NAMES: [(&str, i32, i32); 6] =
    [("opt", -40, 60), ("step", 1, 12), ("dummy", 0, 13), ("level", 1, 7), ("tricks", 0, 13), ("total", -500, 500)];

/// The values of all names: options and values of the deal in the first column, flags last.
type Assigned = [[i32; PLAYERS]; NAMES.len() + 1];

impl Tree {
    /// The text, with brackets around every part that is no atom.
    fn text(&self) -> String {
        match self {
            Tree::Number(number) => number.to_string(),
            Tree::Name(place) => NAMES[*place].0.to_owned(),
            Tree::Flag => "flag".to_owned(),
            Tree::Negative(part) => format!("-({})", part.text()),
            Tree::Not(part) => format!("not ({})", part.text()),
            Tree::Two(sign, left, right) => format!("({}) {sign} ({})", left.text(), right.text()),
            Tree::If(condition, then, otherwise) => {
                format!("if {} then {} else {}", condition.text(), then.text(), otherwise.text())
            }
            Tree::Call(name, parts) => {
                format!("{name}({})", parts.iter().map(Tree::text).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The value, and the largest step on the way to it.
    fn value(&self, at: &Assigned, seat: usize, largest: &mut i128) -> i128 {
        let mut part = |tree: &Tree, seat| tree.value(at, seat, largest);
        let value = match self {
            Tree::Number(number) => i128::from(*number),
            Tree::Name(place) => i128::from(at[*place][if *place < 4 { 0 } else { seat }]),
            Tree::Flag => i128::from(at[NAMES.len()][seat]),
            Tree::Negative(inner) => -part(inner, seat),
            Tree::Not(inner) => 1 - part(inner, seat),
            Tree::Two(sign, left, right) => {
                let (left, right) = (part(left, seat), part(right, seat));
                match *sign {
                    "+" => left + right,
                    "-" => left - right,
                    "*" => left * right,
                    "div" => left.div_euclid(right),
                    "mod" => left.rem_euclid(right),
                    "=" => i128::from(left == right),
                    "<" => i128::from(left < right),
                    ">=" => i128::from(left >= right),
                    "and" => left.min(right),
                    _ => left.max(right),
                }
            }
            Tree::If(condition, then, otherwise) => {
                if part(condition, seat) == 1 {
                    part(then, seat)
                } else {
                    part(otherwise, seat)
                }
            }
            Tree::Call(name, parts) => {
                let here: Vec<i128> = parts.iter().map(|inner| part(inner, seat)).collect();
                let seats: Vec<i128> = (0..PLAYERS).map(|other| part(&parts[0], other)).collect();
                match *name {
                    "min" => here.into_iter().min().unwrap(),
                    "max" => here.into_iter().max().unwrap(),
                    "abs" => here[0].abs(),
                    "mine" => here[0],
                    "others" => seats.iter().sum::<i128>() - here[0],
                    "best" => seats.into_iter().max().unwrap(),
                    "same" => seats.iter().filter(|&&other| other == here[0]).count() as i128,
                    _ => seats.iter().sum(),
                }
            }
        };
        *largest = (*largest).max(value.abs());
        value
    }
}

/// Integers of up to this depth. `surveys` says whether functions over seats may stand in it.
fn integer(depth: u32, surveys: bool) -> BoxedStrategy<Tree> {
    let leaf = prop_oneof![
        (0..=12i32).prop_map(Tree::Number),
        (900_000..=1_000_000i32).prop_map(Tree::Number),
        (0..NAMES.len()).prop_map(Tree::Name),
        (0..NAMES.len()).prop_map(Tree::Name),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let (below, flags) = (integer(depth - 1, surveys), condition(depth - 1, surveys));
    let two = (prop_oneof![Just("+"), Just("-"), Just("*")], below.clone(), below.clone())
        .prop_map(|(sign, left, right)| Tree::Two(sign, Box::new(left), Box::new(right)));
    let divisor = prop_oneof![(1..=9i32).prop_map(Tree::Number), Just(Tree::Name(1))];
    let division = (prop_oneof![Just("div"), Just("mod")], below.clone(), divisor)
        .prop_map(|(sign, left, right)| Tree::Two(sign, Box::new(left), Box::new(right)));
    let branch = (flags.clone(), below.clone(), below.clone())
        .prop_map(|(flag, then, otherwise)| Tree::If(Box::new(flag), Box::new(then), Box::new(otherwise)))
        .boxed();
    let call = (prop_oneof![Just("min"), Just("max")], prop::collection::vec(below.clone(), 2..4))
        .prop_map(|(name, parts)| Tree::Call(name, parts));
    let negative = below.clone().prop_map(|part| Tree::Negative(Box::new(part)));
    let absolute = below.prop_map(|part| Tree::Call("abs", vec![part]));
    let plain = prop_oneof![leaf, two, division, branch_in_brackets(branch), call, negative, absolute].boxed();
    if !surveys {
        return plain;
    }
    let name = prop_oneof![Just("mine"), Just("others"), Just("best"), Just("same"), Just("all")];
    let survey = (name, integer(depth - 1, false)).prop_map(|(name, part)| Tree::Call(name, vec![part]));
    let count = condition(depth - 1, false).prop_map(|part| Tree::Call("count", vec![part]));
    prop_oneof![5 => plain, 1 => survey, 1 => count].boxed()
}

/// A branch stands in brackets where it is a part: `max` of it and itself is the same value.
fn branch_in_brackets(branch: BoxedStrategy<Tree>) -> BoxedStrategy<Tree> {
    branch.prop_map(|tree| Tree::Call("max", vec![tree.clone(), tree])).boxed()
}

fn condition(depth: u32, surveys: bool) -> BoxedStrategy<Tree> {
    if depth == 0 {
        return Just(Tree::Flag).boxed();
    }
    let (numbers, below) = (integer(depth - 1, surveys), condition(depth - 1, surveys));
    let comparison = (prop_oneof![Just("="), Just("<"), Just(">=")], numbers.clone(), numbers)
        .prop_map(|(sign, left, right)| Tree::Two(sign, Box::new(left), Box::new(right)));
    let logical = (prop_oneof![Just("and"), Just("or")], below.clone(), below.clone())
        .prop_map(|(sign, left, right)| Tree::Two(sign, Box::new(left), Box::new(right)));
    let not = below.prop_map(|part| Tree::Not(Box::new(part)));
    prop_oneof![1 => Just(Tree::Flag), 3 => comparison, 1 => logical, 1 => not].boxed()
}

fn assigned() -> impl Strategy<Value = Assigned> {
    let value = |place: usize| match NAMES.get(place) {
        Some(&(_, low, high)) => low..=high,
        None => 0..=1,
    };
    let values: Vec<_> = (0..=NAMES.len()).map(|place| [value(place), value(place), value(place)]).collect();
    values.prop_map(|values| values.try_into().unwrap())
}

/// The names, with the options of `at` as values or, if `wide`, as ranges.
fn names(at: &Assigned, wide: bool) -> NameScope {
    let mut names = NameScope::by_seat(false);
    for (place, &(text, low, high)) in NAMES.iter().enumerate() {
        let source = match place {
            0 | 1 => NameSource::Option(at[place][0]),
            2 | 3 => NameSource::Deal(place - 2),
            _ => NameSource::Seat(place - 4),
        };
        let interval =
            if place < 2 && !wide { IntegerInterval::of(at[place][0]) } else { IntegerInterval::new(low, high) };
        names.add(Name { text: text.to_owned(), value_type: ValueType::Integer, interval, source });
    }
    let (value_type, interval) = (ValueType::Condition, IntegerInterval::CONDITION);
    names.add(Name { text: "flag".to_owned(), value_type, interval, source: NameSource::Seat(2) });
    names
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn expressions_agree_with_the_slow_evaluator(tree in prop_oneof![integer(3, true), condition(3, true)], at in assigned()) {
        let text = tree.text();
        for wide in [false, true] {
            let read = match Expression::read(&text, &names(&at, wide)) {
                Ok(read) => read,
                Err(error) => {
                    let is_limit = ["could reach", "characters", "words and signs", "deep"];
                    prop_assert!(is_limit.iter().any(|part| error.problem.contains(part)), "{}: {}", text, error);
                    continue;
                }
            };
            let by_seat = |place: usize| BySeat::from_fn(|seat: Seat| at[place].get(seat.index()).copied().unwrap_or(0));
            let seats = [by_seat(4), by_seat(5), by_seat(6)];
            let sides = BySeat::from_fn(|seat: Seat| 1 << seat.index());
            let circumstances = Circumstances {
                deal: &[at[2][0], at[3][0]],
                seats: &seats,
                players: PLAYERS,
                dealer: Seat::Seat0,
                declarer: Seat::Seat0,
                sides: &sides,
            };
            for seat in Seat::all(PLAYERS) {
                let mut largest = 0;
                let wanted = tree.value(&at, seat.index(), &mut largest);
                prop_assert_eq!(i128::from(read.value(&circumstances, seat)), wanted, "{}", &text);
                prop_assert!(largest <= i128::from(LIMIT), "{} reaches {}", &text, largest);
                prop_assert!(read.interval().contains(i64::try_from(wanted).unwrap()), "{}", &text);
            }
        }
    }
}
