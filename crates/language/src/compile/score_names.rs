//! The names that rows of the score can use.

use overtrick_toml::InputError;

use super::card_values::{CardValues, MOST_COUNTS};
use super::resolver::{Resolver, Scopes};
use super::seating::Seating;
use crate::expression::{Expression, IntegerInterval, Name, NameSource, ValueType, is_name, is_reserved};

/// The largest number of names in `let`.
pub(super) const MOST_LETS: usize = 16;

/// The values of a seat that every score can use.
pub(super) const SEAT_NAMES: usize = 9;
pub(super) const TRICKS: usize = 0;
pub(super) const DEALER: usize = 1;
pub(super) const DECLARER: usize = 2;
pub(super) const DEFENDER: usize = 3;
pub(super) const POINTS: usize = 4;
pub(super) const GOOD: usize = 5;
pub(super) const BAD: usize = 6;
pub(super) const BID: usize = 7;
pub(super) const TOTAL: usize = 8;

/// The largest total of a match that a score can read, without its sign. Totals beyond it count as this.
pub(super) const MOST_TOTAL: i32 = 1_000_000;

/// The place of the first number of cards with a name.
pub(super) const COUNTS: usize = SEAT_NAMES;
/// The place of the first value of `let`.
pub(super) const LETS: usize = COUNTS + MOST_COUNTS;
/// The number of all values of a seat.
pub(super) const ALL_SEAT_NAMES: usize = LETS + MOST_LETS;

/// The values of a deal that every score can use: players, cards of a hand, and the tricks of two dummies.
pub(super) const DEAL_NAMES: usize = 4;
pub(super) const PLAYERS: usize = 0;
pub(super) const HAND: usize = 1;
pub(super) const DUMMIES: usize = 2;

/// The shape of a game, as far as its score depends on it.
#[derive(Clone, Copy, Debug)]
pub struct ScoreShape<'a> {
    /// The players and the dummies.
    pub seating: &'a Seating,
    /// The most cards of a hand.
    pub hand: u32,
    /// The fewest cards of a hand.
    pub least_hand: u32,
    /// Whether there is a declarer.
    pub has_declarer: bool,
    /// The interval of the points that a seat wins from a row, if there is a row.
    pub row_points: Option<IntegerInterval>,
    /// The lowest and the highest bid, if players bid.
    pub bids: Option<IntegerInterval>,
    /// The values of cards that are won in tricks.
    pub values: &'a CardValues,
}

/// The values of a seat that may differ between partners, by index, where rows are asked by side.
#[derive(Clone, Debug, Default)]
pub(super) struct PartnerValues {
    differing: Option<Vec<bool>>,
}

impl PartnerValues {
    /// Makes the values of a score with these names of `let`. `by_side` says whether rows are asked by side.
    pub(super) fn of(lets: &[Expression], by_side: bool) -> PartnerValues {
        if !by_side {
            return PartnerValues::default();
        }
        let mut differing = vec![true; LETS];
        (differing[DECLARER], differing[DEFENDER], differing[TOTAL]) = (false, false, false);
        for expression in lets {
            let differs = expression.differs_between_partners(|index| differing[index]);
            differing.push(differs);
        }
        PartnerValues { differing: Some(differing) }
    }

    /// Returns, by name of `let`, whether partners are known to have the same value.
    pub(super) fn common_lets(&self, lets: usize) -> Vec<bool> {
        let is_common = |number: usize| self.differing.as_ref().is_some_and(|differing| !differing[LETS + number]);
        (0..lets).map(is_common).collect()
    }

    /// Checks that partners have the same value.
    pub(super) fn check(&self, resolver: &Resolver<'_>, key: &[&str], of: &Expression) -> Result<(), InputError> {
        let Some(differing) = &self.differing else { return Ok(()) };
        if of.differs_between_partners(|index| differing[index]) {
            let problem = "differs between partners, who score the same; write `mine(tricks)` for the sum of a side";
            return Err(resolver.error(key, problem));
        }
        Ok(())
    }
}

/// Returns the names that scores can use.
pub(super) fn names(resolver: &Resolver<'_>, shape: &ScoreShape<'_>) -> Result<Scopes, InputError> {
    let ScoreShape { seating, hand, least_hand, has_declarer, row_points, bids, values } = *shape;
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
    let totals = IntegerInterval::new(-MOST_TOTAL, MOST_TOTAL);
    add("total", ValueType::Integer, totals, NameSource::Seat(TOTAL))?;
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
    if let Some(bids) = bids {
        add("bid", ValueType::Integer, bids, NameSource::Seat(BID))?;
    }
    if values.has_values() {
        add("points", ValueType::Integer, values.interval(), NameSource::Seat(POINTS))?;
    }
    for (number, dummy) in seating.dummies.iter().enumerate() {
        add(&dummy.name, ValueType::Integer, tricks, NameSource::Deal(DUMMIES + number))?;
    }
    add("hand", ValueType::Integer, IntegerInterval::new(least_hand, hand), NameSource::Deal(HAND))?;
    // An option may have this name, since it says the same.
    let known = resolver.file.options().iter().any(|option| option.name == "players");
    if !known {
        add("players", ValueType::Integer, IntegerInterval::of(players), NameSource::Deal(PLAYERS))?;
    }
    for (number, count) in values.counts.iter().enumerate() {
        let key = ["score", "counts", count.name.as_str()];
        if !is_name(&count.name) || is_reserved(&count.name) {
            let problem = "is no name; use small letters and digits, with hyphens before letters";
            return Err(resolver.error(&key, problem));
        }
        let interval = IntegerInterval::new(0, count.cards.len());
        let (text, value_type, source) = (count.name.clone(), ValueType::Integer, NameSource::Seat(COUNTS + number));
        if !scopes.add(Name { text, value_type, interval, source }) {
            return Err(resolver.error(&key, "has a meaning already; choose another name"));
        }
    }
    Ok(scopes)
}

/// Reads the names of `let`, and adds them to the scopes.
pub(super) fn lets(resolver: &Resolver<'_>, scopes: &mut Scopes) -> Result<Vec<Expression>, InputError> {
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
        let source = NameSource::Seat(LETS + number);
        if !scopes.add_read(Name { text: name.to_owned(), value_type, interval, source }, &read) {
            return Err(resolver.error(&key, format!("`{name}` has a meaning already; choose another name")));
        }
        found.push(read.exact);
    }
    Ok(found)
}
