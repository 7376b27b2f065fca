//! Colour-blind (David Parlett), for three and for two (rules CB1-CB20).
//!
//! Tricks win row cards. Cards of one colour score points, and cards of the other cost points.

use std::ops::RangeInclusive;

use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_cards::{Card, CardSet, Deck, Generator, Order, Pack, Rank, Stream, Suit};
use overtrick_game::{
    Aside, AtTarget, Describe, EndMode, Ending, FieldError, FirstDealer, Game, Infer, Layout, Move, Moves, Options,
    Preset, Prizes, PublicExtras, Setup, State, TieRule,
};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const TRICKS: usize = 13;

/// The row of face-up cards.
pub const ROW: Place = Place::Hand3;
/// The face-down card at the end of the row for two.
pub const ROW_LAST: Place = Place::Pile7;

/// Returns the place of the row cards that a seat has won.
pub const fn pile(seat: Seat) -> Place {
    Place::ALL[4 + seat.index()]
}

/// The ranks left out of the pack for two (CB15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub enum Strip {
    /// Sevens, eights and nines.
    #[serde(rename = "789")]
    Middle,
    /// Jacks, queens and kings.
    #[serde(rename = "JQK")]
    Courts,
}

/// The use of the last, face-down card of the row for two (CB18, CB19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LastRowCard {
    /// No one takes it.
    Unused,
    /// It goes to the winner of the last trick.
    LastTrick,
}

/// The rules of Colour-blind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ColourBlindRules {
    /// The number of players: 3 (52 cards) or 2 (40 cards) (CB1, CB15).
    pub players: u8,
    /// The ranks left out of the pack for two: "789" or "JQK"; with three players it stays "789" and means nothing
    /// (CB15).
    pub strip: Strip,
    /// The fourteenth row card of the game for two: "unused" or "last-trick" (it goes to the winner of the last trick);
    /// with three players there is none and it stays "unused" (CB18, CB19).
    pub last_row_card: LastRowCard,
    /// Who deals first: "seat-0", "seat-1", "seat-2" (three players) or "random" (CB12).
    pub first_dealer: FirstDealer,
    /// The event that ends a match: "target" or "deals" (CB13).
    pub end_mode: EndMode,
    /// The total that ends a match, in points, 1 to 100000; counts with end-mode "target" (CB13).
    pub target: i32,
    /// How many deals a match has, 1 to 65536; a multiple of the players is fair; counts with end-mode "deals" (CB13).
    pub n_deals: u32,
    /// The effect of a shared lead at the target: "highest-then-extra-deal", "highest-then-shared" or
    /// "highest-then-seat" (first to the left of the dealer); counts with end-mode "target" (CB14).
    pub tie_rule: TieRule,
    /// The count of an ace, in points, 0 to 100 (CB10).
    pub ace_count: i32,
    /// The count of a jack, in points, 0 to 100 (CB10).
    pub jack_count: i32,
    /// The count of a queen, in points, 0 to 100 (CB10).
    pub queen_count: i32,
    /// The count of a king, in points, 0 to 100 (CB10).
    pub king_count: i32,
    /// The lowest score of a deal, in points, -2000 to 0: a lower count scores this (CB11).
    pub lowest_score: i32,
}

impl Default for ColourBlindRules {
    fn default() -> ColourBlindRules {
        ColourBlindRules {
            players: 3,
            strip: Strip::Middle,
            last_row_card: LastRowCard::Unused,
            first_dealer: FirstDealer::Seat0,
            end_mode: EndMode::Target,
            target: 100,
            n_deals: 6,
            tie_rule: TieRule::HighestThenExtraDeal,
            ace_count: 1,
            jack_count: 11,
            queen_count: 12,
            king_count: 13,
            lowest_score: 0,
        }
    }
}

impl Options for ColourBlindRules {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("players", self.players, 2..=3)?;
        FieldError::check("target", self.target, 1..=100_000)?;
        FieldError::check("n-deals", self.n_deals, 1..=65_536)?;
        FieldError::check("ace-count", self.ace_count, 0..=100)?;
        FieldError::check("jack-count", self.jack_count, 0..=100)?;
        FieldError::check("queen-count", self.queen_count, 0..=100)?;
        FieldError::check("king-count", self.king_count, 0..=100)?;
        FieldError::check("lowest-score", self.lowest_score, -2000..=0)?;
        let refuse = |key, problem: &str| {
            let problem = problem.to_owned();
            Err(FieldError { key, problem })
        };
        if self.players == 3 && self.strip != Strip::Middle {
            return refuse("strip", "strips the pack for two; set `players = 2` with it (CB15)");
        }
        if self.players == 3 && self.last_row_card != LastRowCard::Unused {
            return refuse("last-row-card", "is for two players; set `players = 2` with it (CB19)");
        }
        let standard = ColourBlindRules::default();
        for (key, count, unchanged) in [
            ("jack-count", self.jack_count, standard.jack_count),
            ("queen-count", self.queen_count, standard.queen_count),
            ("king-count", self.king_count, standard.king_count),
        ] {
            if self.players == 2 && self.strip == Strip::Courts && count != unchanged {
                return refuse(key, "is for a card that `strip = \"JQK\"` leaves out; do without it (CB15)");
            }
        }
        self.first_dealer.check(usize::from(self.players), "CB12")
    }
}

/// The public state in addition to the cards on the table: the row and its good colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    cards: [Card; TRICKS],
    good: CardSet,
    /// Counts are at most 100.
    worths: [i8; TRICKS],
}

impl Row {
    /// Returns the face-up row in the order in which it is taken. Card *t* goes to the winner of trick *t*
    /// (CB8).
    pub fn cards(&self) -> &[Card; TRICKS] {
        &self.cards
    }

    /// Returns the cards of the good colour, of which the row has more (CB3, CB17).
    pub fn good(&self) -> CardSet {
        self.good
    }

    /// Returns the worth of each card of the face-up row to its winner, in points (CB10).
    #[inline(always)]
    pub fn worths(&self) -> [i32; TRICKS] {
        self.worths.map(i32::from)
    }
}

const RED: CardSet = CardSet::from_bits(CardSet::suit(Suit::Diamonds).bits() | CardSet::suit(Suit::Hearts).bits());
const BLACK: CardSet = CardSet::from_bits(CardSet::suit(Suit::Clubs).bits() | CardSet::suit(Suit::Spades).bits());

/// Colour-blind under given rules.
pub struct ColourBlind {
    rules: ColourBlindRules,
    layout: Layout,
    order: Order,
    /// The worth of each card to its winner (CB10).
    ///
    /// The first index is whether black is the good colour, the second the card.
    ///
    /// A table, because each deal needs all cards of its row. The colours are random, so branches on them
    /// would mispredict.
    worths: [[i8; 64]; 2],
}

/// Returns the counts of each rank in points, two to ace (CB10).
fn counts(rules: &ColourBlindRules) -> [i8; Rank::COUNT] {
    let mut counts = std::array::from_fn(|rank| rank as i8 + 2);
    let court = |count: i32| i8::try_from(count).expect("a count of at most 100");
    counts[Rank::Jack.index()] = court(rules.jack_count);
    counts[Rank::Queen.index()] = court(rules.queen_count);
    counts[Rank::King.index()] = court(rules.king_count);
    counts[Rank::Ace.index()] = court(rules.ace_count);
    counts
}

/// Makes the table of a game's `worths`.
fn worths(rules: &ColourBlindRules) -> [[i8; 64]; 2] {
    let counts = counts(rules);
    let mut worths = [[0; 64]; 2];
    for card in Deck::Full52.cards().iter() {
        let count = card.rank().map_or(0, |rank| counts[rank.index()]);
        for (by_card, good) in worths.iter_mut().zip([RED, BLACK]) {
            by_card[card.index()] = if good.contains(card) { count } else { -count };
        }
    }
    worths
}

impl ColourBlind {
    /// Returns the count of a card in points, without the sign of its colour (CB10).
    pub fn count(&self, card: Card) -> i32 {
        i32::from(self.worths[0][card.index()]).abs()
    }

    /// Returns the worth of a card to its winner, in points (CB10).
    ///
    /// That is its count in the good colour, or minus its count in the bad colour.
    #[inline(always)]
    pub fn worth(&self, row: &Row, card: Card) -> i32 {
        i32::from(self.worths_if(row.good)[card.index()])
    }

    /// Returns the worth of each card where this colour is good.
    #[inline(always)]
    fn worths_if(&self, good: CardSet) -> &[i8; 64] {
        &self.worths[usize::from(good == BLACK)]
    }

    fn total(&self, row: &Row, won: CardSet) -> i32 {
        won.iter().map(|card| self.worth(row, card)).sum()
    }

    fn seats(&self) -> usize {
        self.layout.seats
    }

    /// Starts a deal whose cards lie on the table.
    #[inline(always)]
    fn open(&self, table: &mut Table) {
        table.expose(table.at(ROW));
        // The seat to the dealer's left leads (CB4, CB20).
        table.give_turn(Place::hand(table.dealer().left(1, self.seats())));
    }

    /// Returns the sum of the `number` highest counts of cards of one colour in the pack.
    fn highest_counts(&self, number: usize) -> i32 {
        let red = self.layout.deck.cards() & RED;
        let mut counts: Vec<i32> = red.iter().map(|card| self.count(card)).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        counts.iter().take(number).sum()
    }
}

impl Game for ColourBlind {
    const NAME: &'static str = "colour-blind";

    const ABOUT: &'static str = "win the row cards of the good colour, avoid the bad (Parlett)";

    const PRESETS: &'static [Preset] = &[
        Preset { name: "colour-blind", about: "for three, as published", rules: "" },
        Preset {
            name: "colour-blind-2",
            about: "for two, without sevens, eights and nines",
            rules: "players = 2\nstrip = \"789\"",
        },
        Preset {
            name: "colour-blind-2-last-card",
            about: "for two, without 7 8 9; the last trick also wins the last row card",
            rules: "players = 2\nstrip = \"789\"\nlast-row-card = \"last-trick\"",
        },
        Preset {
            name: "colour-blind-2-courts",
            about: "for two, without jacks, queens and kings",
            rules: "players = 2\nstrip = \"JQK\"",
        },
        Preset {
            name: "colour-blind-2-courts-last-card",
            about: "for two, without J Q K; the last trick also wins the last row card",
            rules: "players = 2\nstrip = \"JQK\"\nlast-row-card = \"last-trick\"",
        },
    ];

    const FOLLOW_RULE: &'static str = "CB5";

    const TURN_RULE: &'static str = "CB8";

    const IN_STEP: bool = true;

    type Rules = ColourBlindRules;

    type Public = Row;

    fn new(rules: ColourBlindRules) -> Result<ColourBlind, FieldError> {
        rules.validate()?;
        let (seats, deck, hands): (_, _, &[&str]) = match (rules.players, rules.strip) {
            (2, Strip::Middle) => (2, Deck::Without789, &["p0", "p1"]),
            (2, Strip::Courts) => (2, Deck::WithoutCourts, &["p0", "p1"]),
            _ => (3, Deck::Full52, &["p0", "p1", "p2"]),
        };
        Ok(ColourBlind {
            layout: Layout { seats, deck, cards_each: TRICKS, hands, partners: false },
            // The highest card of any suit wins, and the ace is high. Of equally high cards the last wins
            // (CB6, CB7).
            order: Order::new(Card::suit, |_, card| card.rank().map_or(0, Rank::strength)),
            worths: worths(&rules),
            rules,
        })
    }

    fn rules(&self) -> &ColourBlindRules {
        &self.rules
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn ending(&self) -> Ending {
        let rules = &self.rules;
        rules.end_mode.ending(rules.n_deals, rules.target, AtTarget::Highest(rules.tie_rule))
    }

    fn first_dealer(&self, rng: impl FnOnce() -> Stream) -> Seat {
        self.rules.first_dealer.draw(self.seats(), rng)
    }

    #[inline(always)]
    fn lay_out<R: Generator>(&self, table: &mut Table, _setup: Setup, rng: &mut Stream<R>) -> Row {
        let mut pack = Pack::new(self.layout.deck.cards(), rng);
        for seat in Seat::all(self.seats()) {
            table.lay(Place::hand(seat), pack.take(TRICKS as u32));
        }
        let cards: [Card; TRICKS] = std::array::from_fn(|_| pack.take_one().expect("row cards"));
        table.lay(ROW, cards.into_iter().collect());
        table.lay(ROW_LAST, pack.take(1));
        self.open(table);
        // Thirteen cards cannot be split evenly between the colours (CB3).
        let row = table.at(ROW);
        let good = if (row & RED).len() > (row & BLACK).len() { RED } else { BLACK };
        let worths = self.worths_if(good);
        Row { cards, good, worths: std::array::from_fn(|trick| worths[cards[trick].index()]) }
    }

    #[inline(always)]
    fn legal(&self, state: &State<Row>) -> Moves {
        state.table.legal_plays(&self.order)
    }

    #[inline(always)]
    fn play_unchecked(&self, state: &mut State<Row>, chosen: Move) {
        let card = chosen.to_card();
        let table = &mut state.table;
        let Some(winner) = table.play(card, &self.order) else {
            return;
        };
        let pile = Place::ALL[4 + winner.index()];
        let prize = CardSet::of(state.public.cards[table.tricks_played() - 1]);
        table.shift(prize, ROW, pile);
        if table.tricks_played() == TRICKS && self.rules.last_row_card == LastRowCard::LastTrick {
            let last = table.at(ROW_LAST);
            table.shift(last, ROW_LAST, pile);
            table.expose(last);
        }
    }

    #[inline(always)]
    fn is_over(&self, state: &State<Row>) -> bool {
        state.table.tricks_played() == TRICKS
    }

    fn scores(&self, state: &State<Row>) -> BySeat<i32> {
        let mut scores = BySeat::default();
        for seat in Seat::all(self.seats()) {
            let total = self.total(&state.public, state.table.at(pile(seat)));
            scores[seat] = total.max(self.rules.lowest_score);
        }
        scores
    }

    fn score_range(&self) -> RangeInclusive<i32> {
        let row = TRICKS + usize::from(self.rules.last_row_card == LastRowCard::LastTrick);
        // At most six of the thirteen cards are bad.
        let worst = -self.highest_counts(row - 7);
        worst.max(self.rules.lowest_score)..=self.highest_counts(row)
    }

    fn order(&self, _state: &State<Row>) -> Option<&Order> {
        Some(&self.order)
    }
}

impl Describe for ColourBlind {
    fn reasons(&self, state: &State<Row>) -> Vec<String> {
        let row = &state.public;
        let explain = |seat| {
            let won = state.table.at(pile(seat));
            let (good, bad) = (won & row.good, won - row.good);
            let plus = self.total(row, good);
            let minus = -self.total(row, bad);
            let list = |cards: CardSet| {
                if cards.is_empty() { "-".into() } else { cards.to_string() }
            };
            let floor = self.rules.lowest_score;
            let note = if plus - minus < floor { format!(", counts as {floor} (CB11)") } else { String::new() };
            format!("good {} ({plus}), bad {} ({minus}): {}{note}", list(good), list(bad), plus - minus)
        };
        Seat::all(self.seats()).map(explain).collect()
    }

    /// Returns whether a player has the lowest score, below which counts are cut off (CB11).
    #[inline]
    fn is_exceptional(&self, _over: &State<Row>, scores: &BySeat<i32>) -> bool {
        scores.of(self.seats()).contains(&self.rules.lowest_score)
    }

    /// Returns the counts of the row cards won so far. The lowest score does not apply before the end.
    fn scores_so_far(&self, state: &State<Row>) -> Option<BySeat<i32>> {
        let total = |seat: Seat| {
            if seat.index() < self.seats() { self.total(&state.public, state.table.at(pile(seat))) } else { 0 }
        };
        Some(BySeat::from_fn(total))
    }

    fn asides(&self, dealt: &State<Row>, _over: &State<Row>) -> Vec<Aside> {
        let row = Aside { name: "row", cards: dealt.public.cards.to_vec() };
        let last = Aside { name: "row-last", cards: dealt.table.at(ROW_LAST).iter().collect() };
        if last.cards.is_empty() { vec![row] } else { vec![row, last] }
    }

    fn aside_name(&self, place: Place) -> Option<&'static str> {
        match place {
            ROW => Some("row"),
            ROW_LAST => Some("row-last"),
            _ => ["won0", "won1", "won2"].get(place.index().checked_sub(pile(Seat::Seat0).index())?).copied(),
        }
    }

    fn public_extras(&self, public: &Row) -> PublicExtras {
        PublicExtras { row: public.cards.to_vec(), ..PublicExtras::default() }
    }

    fn remarks(&self, dealt: &State<Row>, _deal: u64) -> Vec<String> {
        let colour = if dealt.public.good == RED { "red" } else { "black" };
        vec![format!("the good colour is {colour} (CB3)")]
    }
}

impl Infer for ColourBlind {
    fn opening(&self, state: &State<Row>, _rng: &mut Stream) -> Option<State<Row>> {
        let mut places = state.table.hands_before_play();
        let row: CardSet = state.public.cards.into_iter().collect();
        for seat in Seat::all(self.seats()) {
            // A won card that is not in the row is the last row card.
            let won = std::mem::take(&mut places[pile(seat).index()]);
            places[ROW_LAST.index()] |= won - row;
        }
        places[ROW.index()] = row;
        let mut table = Table::laid(self.seats(), state.table.dealer(), &places);
        self.open(&mut table);
        Some(State { table, public: state.public })
    }

    /// Returns the row's cards as prizes, in the game for two.
    fn prizes(&self, state: &State<Row>) -> Option<Prizes> {
        let (table, row) = (&state.table, &state.public);
        if self.seats() != 2 {
            return None;
        }
        let played = table.tricks_played();
        let mut points = [0; TRICKS];
        points[..TRICKS - played].copy_from_slice(&row.worths()[played..]);
        if self.rules.last_row_card == LastRowCard::LastTrick && played < TRICKS {
            points[TRICKS - 1 - played] += table.at(ROW_LAST).first().map_or(0, |card| self.worth(row, card));
        }
        Some(Prizes {
            hands: [Place::Hand0, Place::Hand1].map(|hand| table.at(hand)),
            turn: table.hand_to_move().index(),
            led: (table.trick_length() > 0).then(|| table.led()),
            points,
            totals: [Seat::Seat0, Seat::Seat1].map(|seat| self.total(row, table.at(pile(seat)))),
            lowest: self.rules.lowest_score,
        })
    }
}
