//! The score of a deal: names, and rows of which the first that fits counts.

use std::ops::RangeInclusive;

use overtrick_cards::CardSet;
use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_toml::InputError;

use super::card_values::{CardValues, WonAmounts};
use super::reason::{Reason, ReasonParts};
use super::resolver::Resolver;
use super::score_names::{
    ALL_SEAT_NAMES, BAD, BID, COUNTS, DEAL_NAMES, DEALER, DECLARER, DEFENDER, DUMMIES, GOOD, HAND, LETS, MOST_TOTAL,
    PLAYERS, POINTS, PartnerValues, ScoreShape, TOTAL, TRICKS, lets, names,
};
use super::score_rows::{RowGroup, ScoreRow, groups, made};
use crate::expression::{Circumstances, Expression, IntegerInterval, NameSource};
use crate::source::{ByWord, ForWord};

/// The most points that a seat may win or lose in a deal.
///
/// With this limit the total of the longest match fits 32 bits.
const MOST_POINTS: i64 = 32_767;

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
    /// The amounts won with cards, where the score depends on them.
    pub amounts: WonAmounts,
    /// The bids, by seat, where players bid.
    pub bids: BySeat<i8>,
    /// The points before the deal, by seat.
    pub totals: BySeat<i32>,
}

impl ScoreFacts {
    /// Makes the facts of a deal without a declarer and without a row.
    #[inline]
    pub fn of(dealer: Seat, won: [u8; Place::HANDS]) -> ScoreFacts {
        let (good, bad, amounts) = (BySeat::default(), BySeat::default(), WonAmounts::default());
        let (bids, totals) = (BySeat::default(), BySeat::default());
        ScoreFacts { dealer, won, declarer: None, good, bad, amounts, bids, totals }
    }
}

/// The score of a deal as its file has it.
#[derive(Clone, Debug)]
pub struct ScoreRules {
    players: usize,
    /// The cards of each hand, if all deals have as many.
    hand: Option<i32>,
    dummies: Vec<Place>,
    /// For each seat, the seats of its side, one bit for each.
    sides: BySeat<u8>,
    /// For each seat, the seats whose rows are asked together.
    units: BySeat<u8>,
    /// The expressions of `let`, in order.
    lets: Vec<Expression>,
    /// For each of these, whether partners have the same value.
    common_lets: Vec<bool>,
    groups: Vec<RowGroup>,
    /// The condition on which the declarer makes the contract.
    made: Option<Expression>,
    /// The values of cards won in tricks.
    values: CardValues,
    /// Whether points are bad.
    pub penalty: bool,
    lowest: i32,
    highest: i32,
    reason: Reason,
}

/// Returns whether the rows are asked by side.
fn by_side(resolver: &Resolver<'_>, partners: bool) -> Result<bool, InputError> {
    match &resolver.file.keys().score.by {
        Some(setting) if partners => Ok(resolver.choice(&["score", "by"], setting)? == ByWord::Side),
        Some(_) => Err(resolver.error(&["score", "by"], "does nothing without partners; set `seats.partners`")),
        None => Ok(partners),
    }
}

/// The result of a deal for one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreOfSeat {
    /// The points.
    pub points: i32,
    /// Whether one of the rows is exceptional.
    pub exceptional: bool,
}

/// Returns the first of some seats, of which there is one bit for each.
#[inline]
fn first_of(seats: u8) -> Seat {
    Seat::new(seats.trailing_zeros() as usize)
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
        let sides = seating.sides();
        let by_side = by_side(resolver, seating.partners)?;
        let mates = PartnerValues::of(&lets, by_side);
        let text = keys.reason.as_deref().unwrap_or("{tricks} trick{s}: {row}");
        let rules = ScoreRules {
            players: seating.players,
            hand: (shape.least_hand == shape.hand).then(|| i32::try_from(shape.hand).unwrap_or(0)),
            dummies: seating.dummies.iter().map(|dummy| dummy.place).collect(),
            sides,
            common_lets: mates.common_lets(lets.len()),
            units: if by_side { sides } else { BySeat::from_fn(|seat: Seat| 1 << seat.index()) },
            lets,
            groups: groups(resolver, &scopes, shape.has_declarer, &mates)?,
            made: made(resolver, &scopes, shape.has_declarer)?,
            values: shape.values.clone(),
            penalty: keys.penalty.as_ref().map_or(Ok(false), |flag| resolver.flag(&["score", "penalty"], flag))?,
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

    /// Returns an interval with all scores, as they are without `lowest` and `highest`.
    pub fn range_without_limits(&self) -> IntegerInterval {
        let mut sum = IntegerInterval::of(0);
        for group in &self.groups {
            // No row may fit.
            let mut points = IntegerInterval::of(0);
            for row in &group.rows {
                points = points.or(row.points.interval());
            }
            sum = IntegerInterval::new(sum.low + points.low, sum.high + points.high);
        }
        let shares = i64::from(self.shares());
        let [low, high] = if self.penalty { [-sum.high, -sum.low] } else { [sum.low, sum.high] };
        IntegerInterval::new(shares * low, shares * high)
    }

    /// Returns an interval with all scores.
    fn interval(&self) -> IntegerInterval {
        let range = self.range_without_limits();
        let clamp = |points: i64| points.clamp(i64::from(self.lowest), i64::from(self.highest));
        IntegerInterval::new(clamp(range.low), clamp(range.high))
    }

    /// Returns the number of seats whose points are added to the score of a side.
    fn shares(&self) -> u32 {
        self.sides[Seat::Seat0].count_ones() / self.units[Seat::Seat0].count_ones()
    }

    /// Returns, by seat, the seats of its side, one bit for each.
    pub fn sides(&self) -> &BySeat<u8> {
        &self.sides
    }

    /// Returns whether the score depends on the cards won in tricks.
    #[inline(always)]
    pub fn reads_cards(&self) -> bool {
        self.values.read_cards()
    }

    /// Returns the values of cards that are won in tricks.
    pub fn values(&self) -> &CardValues {
        &self.values
    }

    /// Returns whether an expression of the rows or of `let` reads a value whose source `asked` accepts.
    fn reads(&self, asked: impl Fn(NameSource) -> bool + Copy) -> bool {
        let rows = self.groups.iter().flat_map(|group| &group.rows);
        rows.flat_map(|row| [&row.when, &row.points]).chain(&self.lets).any(|part| part.depends_on(asked))
    }

    /// Returns whether rows read the tricks of a hand.
    pub fn reads_tricks(&self) -> bool {
        self.reads(|source| match source {
            NameSource::Seat(name) => name == TRICKS,
            NameSource::Deal(name) => name >= DUMMIES,
            _ => false,
        })
    }

    /// Returns whether rows read the points before the deal.
    pub fn reads_totals(&self) -> bool {
        self.reads(|source| matches!(source, NameSource::Seat(TOTAL)))
    }

    /// Returns whether rows read the value of the cards that a seat won.
    pub fn reads_points(&self) -> bool {
        self.reads(|source| matches!(source, NameSource::Seat(POINTS)))
    }

    /// Returns whether rows read a number of cards that a seat won, by its index in `counts`.
    pub fn reads_count(&self, count: usize) -> bool {
        self.reads(|source| matches!(source, NameSource::Seat(name) if name == COUNTS + count))
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
        // Each card of a hand is played to a trick that has a winner.
        deal[HAND] = self.hand.unwrap_or_else(|| facts.won.iter().map(|won| i32::from(*won)).sum());
        for (value, place) in deal[DUMMIES..].iter_mut().zip(&self.dummies) {
            *value = i32::from(facts.won[place.index()]);
        }
        let mut seats = [BySeat::default(); ALL_SEAT_NAMES];
        seats[TRICKS] = BySeat::from_fn(|seat: Seat| i32::from(facts.won[seat.index()]));
        seats[DEALER] = BySeat::from_fn(|seat| i32::from(seat == facts.dealer));
        if let Some(declarer) = facts.declarer {
            seats[DECLARER] = self.units.map(|unit| i32::from(unit >> declarer.index() & 1));
            seats[DEFENDER] = seats[DECLARER].map(|declares| 1 - declares);
        }
        (seats[GOOD], seats[BAD]) = (facts.good, facts.bad);
        seats[POINTS] = facts.good.zip(facts.bad).map(|(good, bad)| good - bad);
        seats[BID] = facts.bids.map(i32::from);
        seats[TOTAL] = facts.totals.map(|total| {
            let points = if self.penalty { -total } else { total };
            points.clamp(-MOST_TOTAL, MOST_TOTAL)
        });
        if self.values.has_values() {
            seats[POINTS] = facts.amounts.points;
        }
        let counts = facts.amounts.counts.iter().take(self.values.counts.len());
        seats[COUNTS..].iter_mut().zip(counts).for_each(|(values, count)| *values = *count);
        for (number, expression) in self.lets.iter().enumerate() {
            let mut values = BySeat::default();
            for seat in Seat::all(self.players) {
                values[seat] = match first_of(self.sides[seat]) {
                    first if self.common_lets[number] && first != seat => values[first],
                    _ => expression.value(&self.circumstances(facts, &deal, &seats), seat),
                };
            }
            seats[LETS + number] = values;
        }
        work(&self.circumstances(facts, &deal, &seats))
    }

    fn circumstances<'a>(&'a self, facts: &ScoreFacts, deal: &'a [i32], seats: &'a [BySeat<i32>]) -> Circumstances<'a> {
        let (players, dealer, sides) = (self.players, facts.dealer, &self.sides);
        Circumstances { deal, seats, players, dealer, declarer: facts.declarer.unwrap_or(dealer), sides }
    }

    /// Returns the rows that count for a seat, one of each group that has one.
    fn rows<'a>(&'a self, at: &Circumstances<'_>, seat: Seat) -> impl Iterator<Item = &'a ScoreRow> {
        self.groups.iter().filter_map(move |group| group.rows.iter().find(|row| row.fits(at, &self.units, seat)))
    }

    /// Returns the results by seat.
    pub fn results(&self, facts: &ScoreFacts) -> BySeat<ScoreOfSeat> {
        let mut results = self.with_values(facts, |at| {
            let mut results = BySeat::from_fn(|_| ScoreOfSeat { points: 0, exceptional: false });
            for seat in Seat::all(self.players) {
                let first = first_of(self.units[seat]);
                if first != seat {
                    // Seats of a unit have the same rows, with the same values.
                    results[seat] = results[first].clone();
                    continue;
                }
                for row in self.rows(at, seat) {
                    results[seat].points += row.points.value(at, seat);
                    results[seat].exceptional |= row.exceptional;
                }
            }
            results
        });
        if self.shares() > 1 {
            let own = results.clone().map(|result| result.points);
            for seat in Seat::all(self.players) {
                let mates = Seat::all(self.players).filter(|mate| self.sides[seat] >> mate.index() & 1 == 1);
                results[seat].points = mates.map(|mate| own[mate]).sum();
            }
        }
        for seat in Seat::all(self.players) {
            let points = results[seat].points;
            results[seat].points = if self.penalty { -points } else { points }.clamp(self.lowest, self.highest);
        }
        results
    }

    /// Notes the rows that count at any seat, by their place in the file.
    pub fn note_rows(&self, facts: &ScoreFacts, counted: &mut [bool]) {
        self.with_values(facts, |at| {
            for seat in Seat::all(self.players) {
                for row in self.rows(at, seat) {
                    counted[row.number] = true;
                }
            }
        });
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
