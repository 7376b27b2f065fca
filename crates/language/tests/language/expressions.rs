//! Expressions: values by a table, and an error of each kind with its column.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_language::expression::{
    Circumstances, Expression, IntegerInterval, Name, NameScope, NameSource, ValueType,
};

fn name(text: &str, value_type: ValueType, interval: IntegerInterval, source: NameSource) -> Name {
    Name { text: text.to_owned(), value_type, interval, source }
}

/// Adds the names of the tests. `wide` gives the options their whole ranges.
fn fill(mut names: NameScope, wide: bool) -> NameScope {
    let option = |value: i32, low: i32, high: i32| {
        if wide { IntegerInterval::new(low, high) } else { IntegerInterval::of(value) }
    };
    for (text, value, low, high) in [("bonus", 10, -1000, 1000), ("factor", 3, 1, 1000), ("nil", 0, 0, 9)] {
        assert!(names.add(name(text, ValueType::Integer, option(value, low, high), NameSource::Option(value))));
    }
    assert!(names.add(name("strict", ValueType::Condition, option(1, 0, 1), NameSource::Option(1))));
    assert!(names.add(name("face", ValueType::Word, IntegerInterval::of(0), NameSource::Option(0))));
    for (place, text) in ["dummy", "level", "doubled"].into_iter().enumerate() {
        assert!(names.add(name(text, ValueType::Integer, IntegerInterval::new(0, 13), NameSource::Deal(place))));
    }
    for (place, text) in ["tricks", "bid", "total"].into_iter().enumerate() {
        let interval =
            if text == "total" { IntegerInterval::new(-100_000, 100_000) } else { IntegerInterval::new(0, 13) };
        assert!(names.add(name(text, ValueType::Integer, interval, NameSource::Seat(place))));
    }
    for (place, text) in ["dealer", "declarer"].into_iter().enumerate() {
        assert!(names.add(name(text, ValueType::Condition, IntegerInterval::CONDITION, NameSource::Seat(3 + place))));
    }
    assert!(!names.add(name("tricks", ValueType::Integer, IntegerInterval::of(0), NameSource::Deal(0))));
    names
}

/// Seats 0 to 2 won 5, 3 and 3 tricks and bid 5, 2 and 3, and a dummy won 2. Seat 1 deals, and seat 2 declares.
fn values(expression: &Expression) -> [i32; 3] {
    let by_seat = |values: [i32; 3]| BySeat::from_fn(|seat: Seat| values.get(seat.index()).copied().unwrap_or(0));
    let seats = [[5, 3, 3], [5, 2, 3], [-7, 40, 499], [0, 1, 0], [0, 0, 1]].map(by_seat);
    let sides = BySeat::from_fn(|seat: Seat| if seat == Seat::new(2) { 0b100 } else { 0b011 });
    let at = Circumstances {
        deal: &[2, 4, 1],
        seats: &seats,
        players: 3,
        dealer: Seat::new(1),
        declarer: Seat::new(2),
        sides: &sides,
    };
    std::array::from_fn(|seat| expression.value(&at, Seat::new(seat)))
}

/// Expressions, each with its values at the three seats. One value stands for three equal ones.
const VALUES: &str = "
0 -> 0
1000000 -> 1000000
  7   -> 7
-7 -> -7
-(-7) -> 7
1 + 2 -> 3
1+2 -> 3
1 - 2 - 3 -> -4
1 - (2 - 3) -> 2
2 + 3 * 4 -> 14
(2 + 3) * 4 -> 20
2 * 3 + 4 -> 10
2 * 3 * 4 -> 24
-2 * 3 -> -6
2 * -3 -> -6
-2 * -3 -> 6
10 - -3 -> 13
7 div 2 -> 3
-7 div 2 -> -4
7 mod 2 -> 1
-7 mod 2 -> 1
-1 mod 10 -> 9
10 mod 10 -> 0
100 div 10 div 2 -> 5
100 div 7 mod 4 -> 2
7 - 7 div 2 * 2 -> 1
6 * 7 div 4 -> 10
1000000 * 1000 -> 1000000000
tricks -> 5 3 3
tricks-bid2 - 1 ->
bonus -> 10
-bonus -> -10
bonus + factor -> 13
bonus * tricks -> 50 30 30
bonus div factor -> 3
bonus mod factor -> 1
total mod factor -> 2 1 1
total div factor -> -3 13 166
total mod 10 -> 3 0 9
dummy -> 2
level + dummy -> 6
tricks - dummy -> 3 1 1
tricks -dummy -> 3 1 1
tricks- dummy -> 3 1 1
tricks-1 -> 4 2 2
tricks - bid -> 0 1 0
tricks * tricks - bid * bid -> 0 5 0
1 = 1 -> 1
1 = 2 -> 0
1 != 1 -> 0
1 != 2 -> 1
1 < 2 -> 1
2 < 2 -> 0
2 <= 2 -> 1
3 <= 2 -> 0
3 > 2 -> 1
2 > 2 -> 0
2 >= 2 -> 1
1 >= 2 -> 0
tricks = 5 -> 1 0 0
tricks != 5 -> 0 1 1
tricks < bid -> 0
tricks <= bid -> 1 0 1
tricks > bid -> 0 1 0
tricks >= bid -> 1
tricks = bid -> 1 0 1
tricks + 1 = bid + 2 -> 0 1 0
tricks * 2 > 7 -> 1 0 0
0 <= tricks -> 1
tricks <= 13 -> 1
tricks > 13 -> 0
tricks = 14 -> 0
tricks != 14 -> 1
dealer -> 0 1 0
not dealer -> 1 0 1
not (dealer) -> 1 0 1
not (not dealer) -> 0 1 0
dealer and tricks = 3 -> 0 1 0
dealer or tricks = 5 -> 1 1 0
not dealer and tricks = 3 -> 0 0 1
not (dealer and tricks = 3) -> 1 0 1
not dealer or tricks = 3 -> 1 1 1
dealer and tricks = 3 or tricks = 5 -> 1 1 0
tricks = 5 or dealer and tricks = 3 -> 1 1 0
(tricks = 5 or dealer) and tricks = 3 -> 0 1 0
dealer or declarer or tricks = 9 -> 0 1 1
dealer and declarer and tricks = 3 -> 0
not tricks = 5 -> 0 1 1
strict -> 1
not strict -> 0
strict and dealer -> 0 1 0
not strict and dealer -> 0
strict or dealer -> 1
if dealer then 1 else 2 -> 2 1 2
if tricks = 5 then 50 else tricks -> 50 3 3
if tricks = 5 then 1 else if dealer then 2 else 3 -> 1 2 3
if tricks = 5 then if dealer then 1 else 2 else 3 -> 2 3 3
if dealer or tricks = 5 then 1 else 0 -> 1 1 0
if dealer then tricks = 3 else tricks = 5 -> 1 1 0
if strict then 1 else total * 5 -> 1
if not strict then total else 4 -> 4
(if dealer then 1 else 2) + 10 -> 12 11 12
10 + (if dealer then 1 else 2) -> 12 11 12
10 * (if dealer then 1 else 2) + 1 -> 21 11 21
if dealer then 1 else 2 + 10 -> 12 1 12
if (if dealer then tricks = 3 else dealer) then 1 else 0 -> 0 1 0
min(1, 2) -> 1
max(1, 2) -> 2
min(3, 2, 1) -> 1
max(1, 2, 3, 2) -> 3
min(tricks, 4) -> 4 3 3
max(tricks, 4) -> 5 4 4
min(tricks, bid, dummy) -> 2
max(tricks - 6, 0) -> 0
max(6 - tricks, 0) -> 1 3 3
max(min(tricks, 4), 2) -> 4 3 3
abs(-3) -> 3
abs(3) -> 3
abs(tricks - 4) -> 1
abs(total) -> 7 40 499
-abs(total) -> -7 -40 -499
up(10, 0) -> 0
up(10, 1) -> 10
up(10, 10) -> 10
up(10, 11) -> 20
up(10, -1) -> 0
up(10, -10) -> -10
up(factor, tricks) -> 6 3 3
up(24, max(level, tricks)) -> 24
up(10, total) -> 0 40 500
mine(tricks) -> 8 8 3
others(tricks) -> 3 3 8
all(tricks) -> 11
mine(bid) - others(bid) -> 4 4 -4
mine(1) -> 2 2 1
others(1) -> 1 1 2
all(1) -> 3
all(tricks) + dummy -> 13
all(tricks * bid) -> 40
all(if dealer then 0 else tricks) -> 8
mine(if bid > 2 then tricks else 0) -> 5 5 3
any(tricks = 5) -> 1
any(tricks = 4) -> 0
any(dealer and declarer) -> 0
any(dealer) -> 1
not any(tricks = 13) -> 1
any(tricks > 13) -> 0
count(tricks = 3) -> 2
count(tricks = dummy) -> 0
count(dealer) -> 1
count(strict) -> 3
count(tricks = bid) = 2 -> 1
same(tricks) -> 1 2 2
same(tricks) > 1 -> 0 1 1
same(bid) -> 1
same(dummy) -> 3
same(tricks - bid) -> 2 1 2
best(tricks) -> 5
best(bid) -> 5
best(-tricks) -> -3
best(tricks) = tricks -> 1 0 0
best(total) -> 499
most(tricks) -> 0
most(-tricks) -> 2
most(total) -> 2
most(1) -> 2
declarer.tricks -> 3
declarer.bid -> 3
declarer.total -> 499
declarer.dealer -> 0
declarer.declarer -> 1
declarer.tricks = tricks -> 0 1 1
mine(declarer.tricks) -> 6 6 3
nil -> 0
nil * total -> 0
tricks + nil * 3 -> 5 3 3
10 * level + max(tricks - level, 0) -> 41 40 40
if won2 then 1 else 0 ->
(((((((((((1))))))))))) -> 1
if tricks >= level then 10 * level + (tricks - level) else -10 * level -> 41 -40 -40
tricks + (if tricks = bid then 10 else 0) -> 15 3 13
if total mod 10 + tricks >= 10 then -bonus else 0 -> 0 0 -10
";

#[test]
fn expressions_have_their_values() {
    let names = [false, true].map(|wide| fill(NameScope::by_seat(true), wide));
    let mut cases = 0;
    for line in VALUES.lines().filter(|line| !line.is_empty()) {
        let (text, wanted) = line.split_once(" ->").unwrap();
        let wanted: Vec<i32> = wanted.split_whitespace().map(|word| word.parse().unwrap()).collect();
        // With ranges and with values of options, the results are the same.
        for names in &names {
            let read = Expression::read(text, names);
            match (&wanted[..], read) {
                ([], read) => assert!(read.is_err(), "{text}"),
                (_, Err(error)) => panic!("{text}: {error}"),
                (&[one], Ok(read)) => assert_eq!(values(&read), [one; 3], "{text}"),
                (many, Ok(read)) => assert_eq!(values(&read), many, "{text}"),
            }
        }
        cases += 1;
    }
    assert!(cases >= 170, "{cases} cases");
}

/// Texts with the column and a part of the message.
const ERRORS: &[(&str, usize, &str)] = &[
    ("", 1, "ends too early; write a number, a name or a function"),
    ("1 +", 4, "ends too early"),
    ("tricks = ", 10, "ends too early"),
    ("min(1,", 7, "ends too early"),
    ("(1 + 2", 7, "the end stands where `)` must follow"),
    ("min(1, 2", 9, "must follow the values of `min(`"),
    ("1)", 2, "`)` closes nothing"),
    ("1 2", 3, "`2` does not follow; put an operator before it"),
    ("tricks bid", 8, "`bid` does not follow"),
    ("1 + * 2", 5, "`*` stands where a number"),
    ("- - 1", 3, "`-` stands where"),
    ("not not dealer", 5, "`not` stands where"),
    ("tricks = 5 = 5", 12, "compares a comparison"),
    ("0 < tricks < 5", 12, "compares a comparison"),
    ("if dealer 1 else 2", 11, "`1` stands where `then` must follow the condition of `if`"),
    ("if dealer then 1", 17, "the end stands where `else` must follow"),
    ("1 + if dealer then 1 else 2", 5, "`if` needs brackets here"),
    ("tricks if dealer", 8, "`if` needs brackets here"),
    ("tricks == 5", 8, "there is no `==`; write `=`"),
    ("dealer && declarer", 8, "there is no `&&`; write `and`"),
    ("dealer || declarer", 8, "there is no `||`; write `or`"),
    ("!dealer", 1, "there is no `!`; write `not`"),
    ("tricks <> 5", 8, "there is no `<>`; write `!=`"),
    ("tricks / 2", 8, "there is no `/`; write `div`"),
    ("tricks % 2", 8, "there is no `%`; write `mod`"),
    ("tricks ^ 2", 8, "`^` has no meaning here"),
    ("tricks\t+ 1", 7, "`\\t` has no meaning here"),
    ("1000001", 1, "1000001 is too large; write a number up to 1000000"),
    ("99999999999999999999", 1, "is too large"),
    ("triks + 1", 1, "`triks` is no name here (did you mean tricks?); there are bonus, factor"),
    ("1 + zzz", 5, "`zzz` is no name here; there are bonus"),
    ("tricks-bid", 1, "`tricks-bid` is one name; write `tricks - bid` for a difference"),
    ("contract.grand", 1, "`contract.grand` is no name here"),
    ("declarer.triks", 1, "`declarer.triks` is no name here"),
    ("declarer.bonus", 1, "`bonus` is the same for all seats; write `bonus` alone"),
    ("declarer.dummy", 1, "`dummy` is the same for all seats"),
    ("face = 1", 1, "`face` is a word, and words have no place in expressions"),
    ("minn(1, 2)", 1, "there is no function `minn` (did you mean min?); there are min, max"),
    ("tricks(1)", 1, "`tricks` is no function; leave out the brackets"),
    ("min", 1, "`min` is a function; write `min(...)`"),
    ("min(1)", 1, "`min` takes two values or more, and 1 are here"),
    ("abs(1, 2)", 1, "`abs` takes 1, and 2 are here"),
    ("up(1)", 1, "`up` takes 2, and 1 are here"),
    ("any(dealer, dealer)", 1, "`any` takes 1, and 2 are here"),
    ("5 and dealer", 1, "needs a condition, and this is a number; compare it"),
    ("dealer and 5", 12, "needs a condition"),
    ("not tricks", 5, "needs a condition"),
    ("dealer + 1", 1, "needs a number, and this is a condition; use `if ... then 1 else 0`"),
    ("tricks = dealer", 10, "needs a number"),
    ("-dealer", 2, "needs a number"),
    ("min(1, dealer)", 8, "needs a number"),
    ("if tricks then 1 else 2", 4, "needs a condition"),
    ("if dealer then 1 else dealer", 23, "is of another type than the value of `then`"),
    ("any(tricks)", 5, "needs a condition"),
    ("count(1)", 7, "needs a condition"),
    ("all(dealer)", 5, "needs a number"),
    ("all(best(tricks))", 5, "`best` stands inside `all`; name it in `let`"),
    ("any(count(dealer) = 1)", 5, "`count` stands inside `any`"),
    ("tricks div 0", 8, "could divide by 0; divide by a number above 0"),
    ("tricks mod -3", 8, "could divide by -3"),
    ("tricks div bid", 8, "could divide by 0"),
    ("tricks div (bid + 1)", 17, "divides by a value of the deal; divide by a number or an option"),
    ("1 mod nil", 3, "could divide by 0"),
    ("up(0, tricks)", 4, "is no step for `up`"),
    ("up(bid + 1, tricks)", 8, "is no step for `up`"),
    ("1000000 * 2000", 9, "could reach 2000000000, and values up to 1073741824 fit; use smaller numbers"),
    ("bonus * total * factor", 15, "could reach 100000000000, and values up to 1073741824 fit; narrow the range of"),
    ("total * total", 7, "could reach 10000000000"),
    ("all(total * 5000)", 1, "could reach "),
    ("((((((((((((( 1 )))))))))))))", 15, "is nested more than 12 deep; name a part of it in `let`"),
];

#[test]
fn each_error_has_its_column_and_remedy() {
    let names = fill(NameScope::by_seat(true), true);
    for (text, column, part) in ERRORS {
        let error = Expression::read(text, &names).expect_err(text);
        assert_eq!(error.column, *column, "{text}: {error}");
        assert!(error.problem.contains(part), "{text}: {error}");
        assert!(error.to_string().starts_with(&format!("column {column}: ")), "{error}");
    }
}

#[test]
fn long_texts_are_refused() {
    let names = fill(NameScope::by_seat(true), true);
    let refused = |text: &str| Expression::read(text, &names).unwrap_err();
    let long = format!("{}1", "1 + ".repeat(50));
    assert_eq!((refused(&long).column, long.len()), (201, 201));
    assert!(refused(&long).problem.starts_with("has 201 characters, and 200 fit"));
    // 31 sums have 63 words and signs, and 32 have 65.
    let words = |sums: usize| format!("{}1", "1+".repeat(sums));
    assert!(Expression::read(&words(31), &names).is_ok());
    let error = refused(&words(32));
    assert_eq!((error.column, &error.problem[..22]), (65, "has more than 64 words"));
}

#[test]
fn a_type_is_asked_for() {
    let names = fill(NameScope::by_seat(true), true);
    assert!(Expression::integer("tricks + 1", &names).is_ok() && Expression::condition("dealer", &names).is_ok());
    let error = Expression::condition("tricks + 1", &names).unwrap_err();
    assert_eq!(error.to_string(), "column 1: needs a condition, and `tricks + 1` is a number; compare it");
    let error = Expression::integer("dealer", &names).unwrap_err();
    assert_eq!(
        error.to_string(),
        "column 1: needs a number, and `dealer` is a condition; write `if dealer then 1 else 0`"
    );
}

#[test]
fn an_expression_for_all_seats_reads_a_seat_only_through_a_function() {
    let names = fill(NameScope::for_all(), true);
    for (text, part) in [
        ("tricks + 1", "`tricks` differs by seat, and this does not; write `best(tricks)`"),
        ("mine(tricks)", "`mine` needs a seat, and this is the same for all; write `all`"),
        ("same(tricks)", "`same` needs a seat"),
        ("declarer.tricks", "`declarer.tricks` is no name here"),
    ] {
        let error = Expression::read(text, &names).expect_err(text);
        assert!(error.problem.contains(part), "{text}: {error}");
    }
    assert_eq!(values(&Expression::read("best(tricks) + dummy", &names).unwrap()), [7; 3]);
}

#[test]
fn intervals_come_from_the_ranges_of_names() {
    let (exact, wide) = (fill(NameScope::by_seat(true), false), fill(NameScope::by_seat(true), true));
    let interval = |text: &str, names: &NameScope| Expression::read(text, names).unwrap().interval();
    for (text, low, high) in [
        ("tricks + 1", 1, 14),
        ("tricks - bid", -13, 13),
        ("if dealer then 5 else tricks", 0, 13),
        ("if dealer then 20 else tricks", 0, 20),
        ("abs(tricks - 5)", 0, 8),
        ("tricks mod 5", 0, 4),
        ("tricks mod 20", 0, 13),
        ("tricks div 5", 0, 2),
        ("max(tricks, 4)", 4, 13),
        ("tricks >= 14", 0, 0),
        ("tricks >= 0", 1, 1),
        ("up(10, tricks)", 0, 22),
        ("any(tricks > 13)", 0, 0),
    ] {
        assert_eq!(interval(text, &wide), IntegerInterval::new(low, high), "{text}");
    }
    assert_eq!(
        (interval("bonus", &exact), interval("bonus", &wide)),
        (IntegerInterval::of(10), IntegerInterval::new(-1000, 1000))
    );
    assert_eq!(Expression::read("bonus * 2", &exact).unwrap().as_constant(), Some(20));
    assert_eq!(Expression::read("bonus * 2", &wide).unwrap().as_constant(), None);
}
