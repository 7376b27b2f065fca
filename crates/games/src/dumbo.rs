//! Dumbo (David Parlett): win the same number of tricks as the dummy, and as no other player. Rules DU1-DU27.

use std::ops::RangeInclusive;

use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_cards::{Card, CardSet, Deck, Generator, Order, Pack, Stream};
use overtrick_game::{
    Aside, AtTarget, Describe, EndMode, Ending, FieldError, FirstDealer, Game, Infer, Layout, Move, Moves, Options,
    Preset, Setup, State, TieRule,
};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const SEATS: usize = 3;
const TRICKS: u8 = 13;

/// Dumbo's hand.
pub const DUMBO: Place = Place::Hand3;

/// When Dumbo's cards can be seen (DU9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DumboExposed {
    /// They lie face up to all before the first lead.
    BeforeLead,
    /// They lie face up to all after the first lead.
    AfterLead,
    /// The dealer alone sees them.
    DealerOnly,
}

/// The kind of table (DU27). The order of play is the same at both; it changes what a replay shows of the seating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TableShape {
    /// Players keep their chairs, Dumbo moves.
    Round,
    /// Four chairs: after each deal the third player changes places with Dumbo.
    Square,
}

/// The rules of Dumbo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DumboRules {
    /// Who deals first: "seat-0", "seat-1", "seat-2" or "random" (DU7).
    pub first_dealer: FirstDealer,
    /// When Dumbo's cards can be seen: "before-lead" (face up to all), "after-lead" (face up to all once the first card
    /// is led) or "dealer-only" (DU9).
    pub dumbo_exposed: DumboExposed,
    /// Whether a card of the rank that was led snaps, if the hand cannot follow suit: true or false. If false, the
    /// highest card of the suit led always wins. This option is ours, for designers (DU14).
    pub snapping: bool,
    /// The table: "round" or "square". Play is the same; a replay of a square table shows who sits on which chair
    /// (DU27).
    pub table: TableShape,
    /// The event that ends a match: "target" or "deals" (DU23).
    pub end_mode: EndMode,
    /// The total that ends a match, in points, 1 to 100000; counts with end-mode "target" (DU23).
    pub target: i32,
    /// How many deals a match has, 1 to 65536; a multiple of three is fair; counts with end-mode "deals" (DU23, DU26).
    pub n_deals: u32,
    /// The effect of a shared lead at the target: "highest-then-extra-deal", "highest-then-shared" or
    /// "highest-then-seat" (first to the left of the dealer); counts with end-mode "target" (DU25).
    pub tie_rule: TieRule,
    /// Points for each trick won, -100 to 100 (B1, B2, E4).
    pub trick_points: i32,
    /// Bonus of the only player who wins as many tricks as Dumbo, if that is at least one, -1000 to 1000 (B1).
    pub match_bonus: i32,
    /// Bonus of the only player who wins no trick when Dumbo wins none, -1000 to 1000 (E3).
    pub zero_match_bonus: i32,
    /// Bonus of each of two players who both win as many tricks as Dumbo, -1000 to 1000 (E4).
    pub double_match_bonus: i32,
    /// Score of a player who wins as many tricks as another player, -1000 to 1000 (B3, B4).
    pub tie_score: i32,
    /// Score of a player who wins all 13 tricks; the others score 0; -1000 to 1000 (E1).
    pub sweep_score: i32,
    /// Score of the dealer when Dumbo wins all 13 tricks; the others score 0; -1000 to 1000 (E2).
    pub dumbo_sweep_score: i32,
}

impl Default for DumboRules {
    fn default() -> DumboRules {
        DumboRules {
            first_dealer: FirstDealer::Seat0,
            dumbo_exposed: DumboExposed::BeforeLead,
            snapping: true,
            table: TableShape::Round,
            end_mode: EndMode::Target,
            target: 31,
            n_deals: 6,
            tie_rule: TieRule::HighestThenExtraDeal,
            trick_points: 1,
            match_bonus: 10,
            zero_match_bonus: 20,
            double_match_bonus: 0,
            tie_score: 0,
            sweep_score: 13,
            dumbo_sweep_score: 13,
        }
    }
}

impl Options for DumboRules {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("target", self.target, 1..=100_000)?;
        FieldError::check("n-deals", self.n_deals, 1..=65_536)?;
        FieldError::check("trick-points", self.trick_points, -100..=100)?;
        for (key, score) in [
            ("match-bonus", self.match_bonus),
            ("zero-match-bonus", self.zero_match_bonus),
            ("double-match-bonus", self.double_match_bonus),
            ("tie-score", self.tie_score),
            ("sweep-score", self.sweep_score),
            ("dumbo-sweep-score", self.dumbo_sweep_score),
        ] {
            FieldError::check(key, score, -1000..=1000)?;
        }
        Ok(())
    }
}

/// The row of the scoring table that applies to a player's tricks (E1-E4, B1-B4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// E1: this player won all 13.
    Sweep,
    /// E1: another player won all 13.
    SweptOver,
    /// E2: Dumbo won all 13, and this player dealt.
    DumboSweepDealer,
    /// E2: Dumbo won all 13, and another player dealt.
    DumboSweep,
    /// E4: this player and exactly one other match Dumbo.
    DoubleMatch,
    /// E4: the two other players match Dumbo.
    Odd,
    /// B3, B4: another player won the same number of tricks.
    Tie,
    /// E3: this player alone matches Dumbo, at zero.
    ZeroMatch,
    /// B1: this player alone matches Dumbo, at one trick or more.
    Match,
    /// B2: none of these. Each trick scores a point.
    Plain,
}

impl Outcome {
    /// Returns the outcome for `seat`: the first line of the rules' decision procedure that applies.
    ///
    /// `tricks` has the tricks by seat, and `dumbo` is the number of Dumbo's tricks.
    pub fn of(seat: Seat, tricks: BySeat<u8>, dumbo: u8, dealer: Seat) -> Outcome {
        let own = tricks[seat];
        let matching = tricks.of(SEATS).iter().filter(|&&n| n == dumbo).count();
        let level = tricks.of(SEATS).iter().filter(|&&n| n == own).count();
        if own == TRICKS {
            Outcome::Sweep
        } else if tricks.of(SEATS).contains(&TRICKS) {
            Outcome::SweptOver
        } else if dumbo == TRICKS {
            if seat == dealer { Outcome::DumboSweepDealer } else { Outcome::DumboSweep }
        } else if matching == 2 {
            if own == dumbo { Outcome::DoubleMatch } else { Outcome::Odd }
        } else if level > 1 {
            Outcome::Tie
        } else if own != dumbo {
            Outcome::Plain
        } else if own == 0 {
            Outcome::ZeroMatch
        } else {
            Outcome::Match
        }
    }

    /// Returns the score of a player who won `tricks`.
    pub fn score(self, rules: &DumboRules, tricks: u8) -> i32 {
        let points = rules.trick_points * i32::from(tricks);
        match self {
            Outcome::Sweep => rules.sweep_score,
            Outcome::DumboSweepDealer => rules.dumbo_sweep_score,
            Outcome::SweptOver | Outcome::DumboSweep => 0,
            Outcome::DoubleMatch => points + rules.double_match_bonus,
            Outcome::Tie => rules.tie_score,
            Outcome::ZeroMatch => points + rules.zero_match_bonus,
            Outcome::Match => points + rules.match_bonus,
            Outcome::Plain | Outcome::Odd => points,
        }
    }

    /// Returns whether the outcome is one of the exceptions E1 to E4.
    const fn is_exceptional(self) -> bool {
        !matches!(self, Outcome::Tie | Outcome::Match | Outcome::Plain)
    }

    /// Returns the reason for the score, with the rule's number.
    const fn reason(self) -> &'static str {
        match self {
            Outcome::Sweep => "all 13 tricks (E1)",
            Outcome::SweptOver => "another player won all 13 tricks (E1)",
            Outcome::DumboSweepDealer => "Dumbo won all 13 tricks and this player dealt (E2)",
            Outcome::DumboSweep => "Dumbo won all 13 tricks (E2)",
            Outcome::DoubleMatch => "two players match Dumbo (E4)",
            Outcome::Odd => "the two others match Dumbo, so this player scores the tricks won (E4)",
            Outcome::Tie => "as many tricks as another player (B3, B4)",
            Outcome::ZeroMatch => "alone in matching Dumbo at zero (E3)",
            Outcome::Match => "alone in matching Dumbo (B1)",
            Outcome::Plain => "points for the tricks won (B2)",
        }
    }
}

/// Dumbo under given rules.
pub struct Dumbo {
    rules: DumboRules,
    layout: Layout,
    order: Order,
    /// The scores, by [`score_index`]. They are looked up because a processor cannot predict which line of
    /// the rules applies.
    scores: Vec<[i32; SEATS]>,
    /// Whether one of the exceptions E1 to E4 decided, by [`score_index`].
    exceptional: Vec<bool>,
    score_range: RangeInclusive<i32>,
}

/// The strength of a snap, above the strength of an ace of the suit led.
const SNAP: u8 = 14;

/// Returns the order of Dumbo.
///
/// The highest card of the suit led wins (DU13). With `snapping`, a card of the rank led in another suit is a
/// snap that beats all of these (DU14, DU15). Of several snaps the last wins (DU19).
fn order(snapping: bool) -> Order {
    Order::new(Card::suit, |led, card| match (led.rank(), card.rank()) {
        (_, Some(own)) if card.suit() == led.suit() => own.strength(),
        (Some(rank), Some(own)) if snapping && own == rank => SNAP,
        _ => 0,
    })
}

/// Returns the index of the players' tricks in a table of scores. The dealer matters only if Dumbo has all
/// 13.
fn score_index(tricks: BySeat<u8>) -> usize {
    let [a, b, c] = tricks.map(usize::from).into_array();
    (a * 14 + b) * 14 + c
}

/// Returns all ways in which the 13 tricks can fall: the players' tricks by seat, then Dumbo's.
pub fn trick_counts() -> impl Iterator<Item = (BySeat<u8>, u8)> {
    let counts = |a: u8| (0..=TRICKS - a).map(move |b| (a, b));
    (0..=TRICKS)
        .flat_map(counts)
        .flat_map(|(a, b)| (0..=TRICKS - a - b).map(move |c| (BySeat::new([a, b, c]), TRICKS - a - b - c)))
}

/// Returns the occupants of the four chairs of a square table, clockwise, in deal number `deal` (DU27).
///
/// `deal` is counted from 0. After each deal the dealer and the next dealer stay, and the third player
/// changes places with Dumbo.
pub fn square_chairs(first_dealer: Seat, deal: u64) -> [Place; 4] {
    let seat = |steps: usize| Place::hand(first_dealer.left(steps, SEATS));
    let mut chairs = [seat(0), seat(1), DUMBO, seat(2)];
    // The seating repeats after twelve deals.
    for past in 0..(deal % 12) as usize {
        let third = seat(past + 2);
        let find = |hand: Place| chairs.iter().position(|&chair| chair == hand);
        if let (Some(player), Some(dumbo)) = (find(third), find(DUMBO)) {
            chairs.swap(player, dumbo);
        }
    }
    chairs
}

impl Dumbo {
    /// Starts a deal whose cards lie on the table.
    #[inline(always)]
    fn open(&self, table: &mut Table) {
        // Dumbo lies opposite the dealer, who chooses its cards (DU5, DU8) and leads from their own hand
        // (DU11).
        let dealer = table.dealer();
        let seat = |steps: usize| Place::hand(dealer.left(steps, SEATS));
        table.set_circle(&[seat(0), seat(1), DUMBO, seat(2)]);
        table.entrust(DUMBO, dealer);
        table.give_turn(seat(0));
        match self.rules.dumbo_exposed {
            DumboExposed::BeforeLead => table.expose(table.at(DUMBO)),
            DumboExposed::AfterLead => {}
            DumboExposed::DealerOnly => table.show(DUMBO, dealer),
        }
    }

    /// Returns the scores when the players have won these tricks and Dumbo the others.
    #[inline]
    pub fn scores_of(&self, tricks: BySeat<u8>, dealer: Seat) -> BySeat<i32> {
        if tricks == BySeat::default() {
            // The only result that depends on the dealer (E2).
            let score = |seat| Outcome::of(seat, tricks, TRICKS, dealer).score(&self.rules, 0);
            return BySeat::new(Seat::THREE.map(score));
        }
        BySeat::new(self.scores[score_index(tricks)])
    }
}

impl Game for Dumbo {
    const NAME: &'static str = "dumbo";

    const ABOUT: &'static str = "win as many tricks as the dummy, with snap trumps (Parlett)";

    const PRESETS: &'static [Preset] =
        &[Preset { name: "dumbo", about: "as published; Dumbo face up from the start", rules: "" }];

    const FOLLOW_RULE: &'static str = "DU12";

    const TURN_RULE: &'static str = "DU21";

    const IN_STEP: bool = true;

    type Rules = DumboRules;

    type Public = ();

    fn new(rules: DumboRules) -> Result<Dumbo, FieldError> {
        rules.validate()?;
        let mut scores = vec![[0; SEATS]; score_index(BySeat::new([TRICKS, 0, 0])) + 1];
        let mut exceptional = vec![false; scores.len()];
        let (mut low, mut high) = (0, 0);
        for (tricks, dumbo) in trick_counts() {
            for dealer in Seat::THREE {
                let score = |seat| Outcome::of(seat, tricks, dumbo, dealer).score(&rules, tricks[seat]);
                let by_seat = Seat::THREE.map(score);
                scores[score_index(tricks)] = by_seat;
                exceptional[score_index(tricks)] =
                    Seat::THREE.into_iter().any(|seat| Outcome::of(seat, tricks, dumbo, dealer).is_exceptional());
                low = by_seat.into_iter().fold(low, i32::min);
                high = by_seat.into_iter().fold(high, i32::max);
            }
        }
        Ok(Dumbo {
            layout: Layout {
                seats: SEATS,
                deck: Deck::Full52,
                cards_each: usize::from(TRICKS),
                hands: &["p0", "p1", "p2", "dummy"],
                partners: false,
            },
            order: order(rules.snapping),
            scores,
            exceptional,
            score_range: low..=high,
            rules,
        })
    }

    fn rules(&self) -> &DumboRules {
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
        self.rules.first_dealer.draw(SEATS, rng)
    }

    #[inline(always)]
    fn lay_out<R: Generator>(&self, table: &mut Table, _setup: Setup, rng: &mut Stream<R>) {
        let mut pack = Pack::new(Deck::Full52.cards(), rng);
        for hand in [Place::Hand0, Place::Hand1, Place::Hand2, DUMBO] {
            table.lay(hand, pack.take(u32::from(TRICKS)));
        }
        self.open(table);
    }

    #[inline(always)]
    fn legal(&self, state: &State<()>) -> Moves {
        state.table.legal_plays(&self.order)
    }

    #[inline(always)]
    fn play_unchecked(&self, state: &mut State<()>, chosen: Move) {
        let card = chosen.to_card();
        state.table.play(card, &self.order);
        if self.rules.dumbo_exposed == DumboExposed::AfterLead && state.table.plays().len() == 1 {
            state.table.expose(state.table.at(DUMBO));
        }
    }

    #[inline(always)]
    fn is_over(&self, state: &State<()>) -> bool {
        state.table.tricks_played() == usize::from(TRICKS)
    }

    #[inline]
    fn scores(&self, state: &State<()>) -> BySeat<i32> {
        self.scores_of(won_by_seat(&state.table), state.table.dealer())
    }

    fn score_range(&self) -> RangeInclusive<i32> {
        self.score_range.clone()
    }

    fn order(&self, _state: &State<()>) -> Option<&Order> {
        Some(&self.order)
    }
}

impl Describe for Dumbo {
    /// Returns whether one of E1 to E4 decided the deal.
    #[inline]
    fn is_exceptional(&self, over: &State<()>, _scores: &BySeat<i32>) -> bool {
        self.exceptional[score_index(won_by_seat(&over.table))]
    }

    fn reasons(&self, state: &State<()>) -> Vec<String> {
        let table = &state.table;
        let (tricks, dumbo) = (won_by_seat(table), table.tricks_won(DUMBO));
        Seat::all(SEATS)
            .map(|seat| {
                let result = Outcome::of(seat, tricks, dumbo, table.dealer());
                format!(
                    "{} trick{}, Dumbo {dumbo}: {}",
                    tricks[seat],
                    if tricks[seat] == 1 { "" } else { "s" },
                    result.reason()
                )
            })
            .collect()
    }

    fn asides(&self, _dealt: &State<()>, _over: &State<()>) -> Vec<Aside> {
        Vec::new()
    }

    fn remarks(&self, dealt: &State<()>, deal: u64) -> Vec<String> {
        let dealer = dealt.table.dealer();
        if self.rules.table == TableShape::Round {
            return Vec::new();
        }
        let steps = (deal % SEATS as u64) as usize;
        let first = dealer.left(SEATS - steps, SEATS);
        let chairs = square_chairs(first, deal).map(|hand| self.layout.hands[hand.index()]);
        vec![format!("chairs clockwise: {}", chairs.join(", "))]
    }
}

impl Infer for Dumbo {
    fn opening(&self, state: &State<()>, _rng: &mut Stream) -> Option<State<()>> {
        let mut table = Table::laid(SEATS, state.table.dealer(), &state.table.hands_before_play());
        self.open(&mut table);
        Some(State { table, public: () })
    }
}

fn won_by_seat(table: &Table) -> BySeat<u8> {
    BySeat::new([table.tricks_won(Place::Hand0), table.tricks_won(Place::Hand1), table.tricks_won(Place::Hand2)])
}

/// Returns the cards that would snap `led`, where there is snapping: its rank in other suits (DU14, DU16).
pub fn snaps(led: Card) -> CardSet {
    match led.rank() {
        Some(rank) => CardSet::rank(rank).without(led),
        None => CardSet::EMPTY,
    }
}
