//! The score of a deal: names, and rows of which the first that fits counts.

use std::ops::RangeInclusive;

use overtrick_cards::CardSet;
use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_toml::InputError;

use super::reason::{Reason, ReasonParts};
use super::resolver::{Resolver, Scopes};
use super::seating::Seating;
use crate::expression::{
    Circumstances, Expression, IntegerInterval, Name, NameSource, ValueType, is_name, is_reserved,
};
use crate::source::{ConditionSetting, ForWord};

/// The most points that a seat may win or lose in a deal.
///
/// With this limit the total of the longest match fits 32 bits.
const MOST_POINTS: i64 = 32_767;

/// The largest number of names in `let`.
const MOST_LETS: usize = 16;

/// The values of a seat that every score can use.
const SEAT_NAMES: usize = 7;
const TRICKS: usize = 0;
const DEALER: usize = 1;
const DECLARER: usize = 2;
const DEFENDER: usize = 3;
const POINTS: usize = 4;
const GOOD: usize = 5;
const BAD: usize = 6;

/// The values of a deal that every score can use: players, cards of a hand, and the tricks of two dummies.
const DEAL_NAMES: usize = 4;
const PLAYERS: usize = 0;
const HAND: usize = 1;
const DUMMIES: usize = 2;

/// The facts about a finished deal that its score depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreFacts {
    /// The dealer.
    pub dealer: Seat,
    /// The tricks won, by hand.
    pub won: [u8; Place::HANDS],
    /// The declarer, if there is one.
    pub declarer: Option<Seat>,
    /// The values of row cards won of the colour that counts its values, by seat.
    pub good: BySeat<i32>,
    /// The values of row cards won of the other colour without their sign, by seat.
    pub bad: BySeat<i32>,
}

impl ScoreFacts {
    /// Makes the facts of a deal without a declarer and without a row.
    #[inline]
    pub fn of(dealer: Seat, won: [u8; Place::HANDS]) -> ScoreFacts {
        ScoreFacts { dealer, won, declarer: None, good: BySeat::default(), bad: BySeat::default() }
    }
}

/// The shape of a game, as far as its score depends on it.
#[derive(Clone, Copy, Debug)]
pub struct ScoreShape<'a> {
    /// The players and the dummies.
    pub seating: &'a Seating,
    /// The number of cards of each hand.
    pub hand: u32,
    /// Whether there is a declarer.
    pub has_declarer: bool,
    /// The interval of the points that a seat wins from a row, if there is a row.
    pub row_points: Option<IntegerInterval>,
}

/// A row of the score.
#[derive(Clone, Debug)]
struct ScoreRow {
    seats: ForWord,
    when: Expression,
    points: Expression,
    name: Reason,
    exceptional: bool,
}

impl ScoreRow {
    fn fits(&self, at: &Circumstances<'_>, seat: Seat) -> bool {
        let is_for = match self.seats {
            ForWord::Each => true,
            ForWord::Declarer => seat == at.declarer,
            ForWord::Defenders => seat != at.declarer,
            ForWord::Dealer => seat == at.dealer,
        };
        is_for && self.when.holds(at, seat)
    }
}

/// The rows of a group, of which the first that fits counts.
#[derive(Clone, Debug)]
struct RowGroup {
    name: String,
    rows: Vec<ScoreRow>,
}

/// The score of a deal as its file has it.
#[derive(Clone, Debug)]
pub struct ScoreRules {
    players: usize,
    hand: i32,
    dummies: Vec<Place>,
    sides: BySeat<u8>,
    /// The expressions of `let`, in order.
    lets: Vec<Expression>,
    groups: Vec<RowGroup>,
    /// The condition on which the declarer makes the contract.
    made: Option<Expression>,
    lowest: i32,
    highest: i32,
    reason: Reason,
}

/// The result of a deal for one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreOfSeat {
    /// The points.
    pub points: i32,
    /// Whether one of the rows is exceptional.
    pub exceptional: bool,
}

impl ScoreRules {
    /// Makes the score of a file.
    ///
    /// # Errors
    /// The first wrong key of the table `score`.
    pub fn of(resolver: &Resolver<'_>, shape: &ScoreShape<'_>) -> Result<ScoreRules, InputError> {
        let mut scopes = names(resolver, shape)?;
        let seating = shape.seating;
        let lets = lets(resolver, &mut scopes)?;
        let keys = &resolver.file.keys().score;
        let limit = |key: &'static str, setting: &Option<_>, default| match setting {
            Some(setting) => resolver.amount(&["score", key], setting),
            None => Ok(default),
        };
        let lowest = limit("lowest", &keys.lowest, i32::MIN)?;
        let highest = limit("highest", &keys.highest, i32::MAX)?;
        if lowest > highest {
            return Err(resolver.error(&["score", "lowest"], format!("is above `highest`, {highest}; lower it")));
        }
        let text = keys.reason.as_deref().unwrap_or("{tricks} trick{s}: {row}");
        let rules = ScoreRules {
            players: seating.players,
            hand: i32::try_from(shape.hand).unwrap_or(0),
            dummies: seating.dummies.iter().map(|dummy| dummy.place).collect(),
            sides: BySeat::from_fn(|seat: Seat| 1 << seat.index()),
            lets,
            groups: groups(resolver, &scopes, shape.has_declarer)?,
            made: made(resolver, &scopes, shape.has_declarer)?,
            lowest,
            highest,
            reason: Reason::read(resolver, &["score", "reason"], text, &scopes)?,
        };
        let range = rules.interval();
        if range.farthest().abs() > MOST_POINTS {
            let problem = format!("a deal could score {} points, and {MOST_POINTS} fit; lower them", range.farthest());
            return Err(resolver.error(&["score"], problem));
        }
        Ok(rules)
    }

    /// Returns an interval with all scores.
    fn interval(&self) -> IntegerInterval {
        let mut sum = IntegerInterval::of(0);
        for group in &self.groups {
            // No row may fit.
            let mut points = IntegerInterval::of(0);
            for row in &group.rows {
                points = points.or(row.points.interval());
            }
            sum = IntegerInterval::new(sum.low + points.low, sum.high + points.high);
        }
        let clamp = |points: i64| points.clamp(i64::from(self.lowest), i64::from(self.highest));
        IntegerInterval::new(clamp(sum.low), clamp(sum.high))
    }

    /// Returns a range with all scores and 0.
    pub fn range(&self) -> RangeInclusive<i32> {
        let interval = self.interval();
        let end = |points: i64| i32::try_from(points).unwrap_or(0);
        end(interval.low).min(0)..=end(interval.high).max(0)
    }

    /// Runs `work` with the values of all names.
    fn with_values<T>(&self, facts: &ScoreFacts, work: impl FnOnce(&Circumstances<'_>) -> T) -> T {
        let mut deal = [0; DEAL_NAMES];
        deal[PLAYERS] = i32::try_from(self.players).unwrap_or(0);
        deal[HAND] = self.hand;
        for (value, place) in deal[DUMMIES..].iter_mut().zip(&self.dummies) {
            *value = i32::from(facts.won[place.index()]);
        }
        let mut seats = [BySeat::default(); SEAT_NAMES + MOST_LETS];
        seats[TRICKS] = BySeat::from_fn(|seat: Seat| i32::from(facts.won[seat.index()]));
        seats[DEALER] = BySeat::from_fn(|seat| i32::from(seat == facts.dealer));
        if let Some(declarer) = facts.declarer {
            seats[DECLARER] = BySeat::from_fn(|seat| i32::from(seat == declarer));
            seats[DEFENDER] = BySeat::from_fn(|seat| i32::from(seat != declarer));
        }
        (seats[GOOD], seats[BAD]) = (facts.good, facts.bad);
        seats[POINTS] = facts.good.zip(facts.bad).map(|(good, bad)| good - bad);
        for (number, expression) in self.lets.iter().enumerate() {
            let mut values = BySeat::default();
            for seat in Seat::all(self.players) {
                values[seat] = expression.value(&self.circumstances(facts, &deal, &seats), seat);
            }
            seats[SEAT_NAMES + number] = values;
        }
        work(&self.circumstances(facts, &deal, &seats))
    }

    fn circumstances<'a>(&'a self, facts: &ScoreFacts, deal: &'a [i32], seats: &'a [BySeat<i32>]) -> Circumstances<'a> {
        let (players, dealer, sides) = (self.players, facts.dealer, &self.sides);
        Circumstances { deal, seats, players, dealer, declarer: facts.declarer.unwrap_or(dealer), sides }
    }

    /// Returns the rows that count for a seat, one of each group that has one.
    fn rows<'a>(&'a self, at: &Circumstances<'_>, seat: Seat) -> impl Iterator<Item = &'a ScoreRow> {
        self.groups.iter().filter_map(move |group| group.rows.iter().find(|row| row.fits(at, seat)))
    }

    /// Returns the results by seat.
    pub fn results(&self, facts: &ScoreFacts) -> BySeat<ScoreOfSeat> {
        self.with_values(facts, |at| {
            BySeat::from_fn(|seat: Seat| {
                let mut result = ScoreOfSeat { points: 0, exceptional: false };
                if seat.index() < self.players {
                    for row in self.rows(at, seat) {
                        result.points += row.points.value(at, seat);
                        result.exceptional |= row.exceptional;
                    }
                    result.points = result.points.clamp(self.lowest, self.highest);
                }
                result
            })
        })
    }

    /// Returns the reasons by seat. `cards` has the row cards won, of the colour that counts its values and of the
    /// other.
    pub fn reasons(&self, facts: &ScoreFacts, cards: [BySeat<CardSet>; 2]) -> Vec<String> {
        self.with_values(facts, |at| {
            let reason = |seat| {
                let parts = ReasonParts { row: "", good: cards[0][seat], bad: cards[1][seat] };
                let names: Vec<String> = self.rows(at, seat).map(|row| row.name.text(at, seat, parts)).collect();
                self.reason.text(at, seat, ReasonParts { row: &names.join(", "), ..parts })
            };
            Seat::all(self.players).map(reason).collect()
        })
    }

    /// Returns whether the declarer made the contract.
    pub fn is_made(&self, facts: &ScoreFacts) -> bool {
        let (Some(made), Some(declarer)) = (&self.made, facts.declarer) else { return false };
        self.with_values(facts, |at| made.holds(at, declarer))
    }

    /// Returns the lowest score, if the score is the value won from a row, or the lowest score if that is more.
    ///
    /// `points` has all values.
    pub fn floor_of_row(&self, points: IntegerInterval) -> Option<i32> {
        let is_other = |source| {
            matches!(source, NameSource::Deal(_)) || matches!(source, NameSource::Seat(name) if name != POINTS)
        };
        let mut rows = self.groups.iter().flat_map(|group| &group.rows);
        if rows
            .any(|row| row.seats != ForWord::Each || row.when.depends_on(is_other) || row.points.depends_on(is_other))
        {
            return None;
        }
        let score = |points: i32| {
            let mut facts = ScoreFacts::of(Seat::Seat0, [0; Place::HANDS]);
            (facts.good[Seat::Seat0], facts.bad[Seat::Seat0]) = (points.max(0), (-points).max(0));
            self.results(&facts)[Seat::Seat0].points
        };
        let (low, high) = (i32::try_from(points.low).ok()?, i32::try_from(points.high).ok()?);
        let lowest = score(low);
        (low..=high).all(|points| score(points) == points.max(lowest)).then_some(lowest)
    }

    /// Returns whether a seat is read only by its place from the dealer.
    ///
    /// The scores then turn with the dealer.
    pub fn turns_with_dealer(&self) -> bool {
        let rows = self.groups.iter().flat_map(|group| &group.rows);
        let mut all = rows.flat_map(|row| [&row.when, &row.points]).chain(&self.lets);
        all.all(|expression| !expression.numbers_seats())
    }
}

/// Returns the names that scores can use.
fn names(resolver: &Resolver<'_>, shape: &ScoreShape<'_>) -> Result<Scopes, InputError> {
    let ScoreShape { seating, hand, has_declarer, row_points } = *shape;
    let mut scopes = resolver.scopes_by_seat(has_declarer);
    let tricks = IntegerInterval::new(0, hand);
    let players = i64::try_from(seating.players).unwrap_or(0);
    let mut add = |text: &str, value_type, interval, source| {
        let free = scopes.add(Name { text: text.to_owned(), value_type, interval, source });
        let problem = "is the name of a value of the deal, too; choose another name";
        if free { Ok(()) } else { Err(resolver.error(&["options", text], problem)) }
    };
    add("tricks", ValueType::Integer, tricks, NameSource::Seat(TRICKS))?;
    add("dealer", ValueType::Condition, IntegerInterval::CONDITION, NameSource::Seat(DEALER))?;
    if has_declarer {
        add("declarer", ValueType::Condition, IntegerInterval::CONDITION, NameSource::Seat(DECLARER))?;
        add("defender", ValueType::Condition, IntegerInterval::CONDITION, NameSource::Seat(DEFENDER))?;
    }
    if let Some(points) = row_points {
        let one_sign = IntegerInterval::new(points.low.min(0), points.high.max(0));
        add("points", ValueType::Integer, one_sign, NameSource::Seat(POINTS))?;
        add("good", ValueType::Integer, one_sign, NameSource::Seat(GOOD))?;
        add("bad", ValueType::Integer, one_sign, NameSource::Seat(BAD))?;
    }
    for (number, dummy) in seating.dummies.iter().enumerate() {
        add(&dummy.name, ValueType::Integer, tricks, NameSource::Deal(DUMMIES + number))?;
    }
    add("hand", ValueType::Integer, IntegerInterval::of(hand), NameSource::Deal(HAND))?;
    // An option may have this name, since it says the same.
    let known = resolver.file.options().iter().any(|option| option.name == "players");
    if !known {
        add("players", ValueType::Integer, IntegerInterval::of(players), NameSource::Deal(PLAYERS))?;
    }
    Ok(scopes)
}

/// Reads the names of `let`, and adds them to the scopes.
fn lets(resolver: &Resolver<'_>, scopes: &mut Scopes) -> Result<Vec<Expression>, InputError> {
    let texts = &resolver.file.keys().score.names;
    if texts.len() > MOST_LETS {
        let problem = format!("has {} names, and {MOST_LETS} fit; put some of them into one", texts.len());
        return Err(resolver.error(&["score", "let"], problem));
    }
    let mut found = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let place = number.to_string();
        let key = ["score", "let", place.as_str()];
        let Some((name, expression)) = text.split_once('=') else {
            return Err(resolver.error(&key, "has no `=`; write \"NAME = EXPRESSION\""));
        };
        let name = name.trim();
        if !is_name(name) || is_reserved(name) {
            let problem = format!("`{name}` is no name; use small letters and digits, with hyphens before letters");
            return Err(resolver.error(&key, problem));
        }
        let read = resolver.any(&key, expression, scopes)?;
        let (value_type, interval) = (read.exact.value_type(), read.exact.interval());
        let source = NameSource::Seat(SEAT_NAMES + number);
        if !scopes.add_read(Name { text: name.to_owned(), value_type, interval, source }, &read) {
            return Err(resolver.error(&key, format!("`{name}` has a meaning already; choose another name")));
        }
        found.push(read.exact);
    }
    Ok(found)
}

/// Reads the condition on which a contract is made.
fn made(resolver: &Resolver<'_>, scopes: &Scopes, has_declarer: bool) -> Result<Option<Expression>, InputError> {
    let key = ["score", "made"];
    match (&resolver.file.keys().score.made, has_declarer) {
        (Some(made), true) => resolver.condition(&key, made, scopes).map(Some),
        (None, false) => Ok(None),
        (Some(_), false) => Err(resolver.error(&key, "needs a declarer, and this game has none; leave it out")),
        (None, true) => {
            let problem = "needs `made`: the condition on which the declarer makes the contract";
            Err(resolver.error(&["score"], problem))
        }
    }
}

/// Reads the rows, by group.
fn groups(resolver: &Resolver<'_>, scopes: &Scopes, has_declarer: bool) -> Result<Vec<RowGroup>, InputError> {
    let rows = &resolver.file.listed().rows;
    if rows.is_empty() {
        return Err(resolver.error(&["score"], "has no row; add `[[score.row]]` with `points`"));
    }
    let mut groups: Vec<RowGroup> = Vec::new();
    for (number, keys) in rows.iter().enumerate() {
        let place = number.to_string();
        let at = |key: &'static str| ["score", "row", place.as_str(), key];
        let when = keys.when.as_ref().unwrap_or(&ConditionSetting::Value(true));
        let points = keys.points.as_ref().map_or("0", |points| points.0.as_str());
        let seats = keys.seats.unwrap_or(ForWord::Each);
        if matches!(seats, ForWord::Declarer | ForWord::Defenders) && !has_declarer {
            return Err(resolver.error(&at("for"), "needs a declarer, and this game has none; leave it out"));
        }
        let name = keys.name.clone().unwrap_or_else(|| format!("row {}", number + 1));
        let row = ScoreRow {
            seats,
            when: resolver.condition(&at("when"), when, scopes)?,
            points: resolver.integer(&at("points"), points, scopes)?,
            name: Reason::read(resolver, &at("name"), &name, scopes)?,
            exceptional: keys.exceptional.unwrap_or(false),
        };
        let name = keys.group.as_deref().unwrap_or("main");
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.rows.push(row),
            None => groups.push(RowGroup { name: name.to_owned(), rows: vec![row] }),
        }
    }
    Ok(groups)
}
