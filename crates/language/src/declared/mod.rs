//! The game that a file declares.

mod bids;
mod calls;
mod critic;
mod describe;
mod forecast;
mod infer;
mod passing;
mod play;
mod public;
mod rules;
mod stakes;
mod survey;
mod unseen;

use std::path::Path;
use std::sync::Arc;

use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_cards::{Card, CardSet, Deck, Order, Suit};
use overtrick_game::{Ending, Layout};
use overtrick_toml::InputError;

pub use forecast::{CardAmount, TrumpOffer};
pub use public::{DeclaredPhase, DeclaredPublic};
pub use rules::FileRules;
pub use survey::{GameSurvey, MeanScore, SurveyedContract, SurveyedMatches};

use crate::compile::{
    CardValues, Dealing, DeckOfGame, ExactBids, NO_BID, Passing, PlayBars, PlayDuties, Resolver, RowValues, ScoreFacts,
    ScoreRules, ScoreShape, ScoreTable, Seating, TrumpRounds, TrumpSource, check_suits, ending, intern, order_with,
    trump_source,
};
use crate::expression::IntegerInterval;
use crate::source::{FaceWord, GameFile, OptionValues, table_of};

/// The place of the card turned up.
const UP_CARD: Place = Place::Pile4;
/// The place of cards that are dealt to no hand.
const REST: Place = Place::Pile5;
/// The place of the card that was discarded.
const DISCARD: Place = Place::Pile6;
/// The place of the row.
const ROW: Place = Place::Hand3;
/// The place of the card of the row that lies face down.
const ROW_LAST: Place = Place::Pile7;

/// Returns the place of the row cards that a seat has won.
const fn pile(seat: Seat) -> Place {
    Place::ALL[4 + seat.index()]
}

/// A game that a file declares, under values of its options.
pub struct DeclaredGame {
    file: Arc<GameFile>,
    rules: FileRules,
    layout: Layout,
    cards: CardSet,
    dealing: Dealing,
    tricks: usize,
    /// The number of deals after which passing and the sizes of hands repeat.
    cycle: u32,
    seating: Seating,
    /// Whether something happens after a card is played: the end of a trick takes a prize, or a dummy is turned up.
    watches_plays: bool,
    /// The trump suit where it is the same in all deals.
    trump: Option<Suit>,
    /// Whether the suit of the card turned up is trumps.
    turns_trump: bool,
    /// The rounds in which trumps are made, if they are.
    rounds: Option<TrumpRounds>,
    /// The order in force, or by suit the orders of trumps that are made.
    orders: Vec<Order>,
    /// The cards that players pass, if they do.
    passing: Option<Passing>,
    /// By size of hands in the cycle, the bids before the play. There are none if players do not bid.
    bids: Vec<ExactBids>,
    /// The duties of players who do not lead.
    duties: PlayDuties,
    /// The cards that may not be played yet.
    bars: PlayBars,
    /// Whether a card may be played if it follows suit as it must.
    is_plain: bool,
    row_values: RowValues,
    score: ScoreRules,
    /// The scores, where they depend on tricks alone.
    table: Option<ScoreTable>,
    /// The lowest score, in games for two that the solver for prizes knows.
    lowest_of_row: Option<i32>,
    /// Whether the score sets the declarer against the others, trick by trick.
    has_sides: bool,
    ending: Ending,
    texts: GameTexts,
}

/// The most deals after which passing and the sizes of hands repeat.
const MOST_CYCLE: u32 = 1000;

/// The place of a deal in its match.
#[derive(Clone, Copy, Debug)]
struct MatchCourse {
    /// The place in the cycle of deals.
    deal: u16,
    /// The number of tricks.
    tricks: u8,
    /// The points before the deal.
    totals: BySeat<i32>,
}

/// The texts of a declared game that traits return for the rest of the program.
#[derive(Clone, Copy, Debug)]
struct GameTexts {
    name: &'static str,
    about: &'static str,
    follow: &'static str,
    turn: &'static str,
}

impl DeclaredGame {
    /// Makes the game of a file.
    ///
    /// # Errors
    /// If the file cannot be read or is wrong.
    pub fn read(file: &Path) -> Result<DeclaredGame, InputError> {
        let file = Arc::new(GameFile::read(file)?);
        let values = file.defaults();
        DeclaredGame::of(file, &values)
    }

    /// Makes the game of a file under values of its options.
    ///
    /// # Errors
    /// The first wrong key of the file.
    pub fn of(file: Arc<GameFile>, values: &OptionValues) -> Result<DeclaredGame, InputError> {
        let resolver = Resolver { file: &file, values };
        let deck = DeckOfGame::of(&resolver)?;
        let source = trump_source(&resolver)?;
        let seating = Seating::of(&resolver, deck.cards)?;
        let dealing = Dealing::of(&resolver, &seating, &deck)?;
        let orders = orders(&resolver, &deck, source)?;
        check_turned(&resolver, &dealing, source)?;
        let rounds = match source {
            TrumpSource::Rounds => Some(TrumpRounds::of(&resolver, &seating, dealing.turned)?),
            TrumpSource::Fixed(_) | TrumpSource::Turned => None,
        };
        check_unused(&resolver, &dealing, rounds.is_some())?;
        let duties = PlayDuties::of(&resolver, &deck, source, &orders, &seating)?;
        let bars = PlayBars::of(&resolver, &deck)?;
        let is_plain = duties.are_plain() && bars.is_empty();
        check_holder(&resolver, &seating, &dealing, &bars)?;
        let passing = Passing::of(&resolver, &seating, dealing.least_hand)?;
        if passing.is_some() && rounds.as_ref().is_some_and(|rounds| rounds.taker.is_some()) {
            let problem = "does not go with a card that is taken up yet; leave one out";
            return Err(resolver.error(&["passing", "cards"], problem));
        }
        let cycle = cycle(&resolver, &dealing, passing.as_ref())?;
        let bids = ExactBids::by_deal(&resolver, &seating, &dealing)?;
        if !bids.is_empty() && rounds.is_some() {
            let problem = "does not go with rounds yet; leave one out";
            return Err(resolver.error(&["auction", "style"], problem));
        }
        let card_values = CardValues::of(&resolver, deck.cards)?;
        if dealing.row && card_values.has_values() {
            let problem = "are of cards won in tricks, and prizes lie in a row; set `score.row-values`";
            return Err(resolver.error(&["score", "values"], problem));
        }
        let row_values = RowValues::of(&resolver)?;
        let prizes = usize::try_from(dealing.hand).unwrap_or(0) + usize::from(dealing.last_trick_takes);
        let shape = ScoreShape {
            seating: &seating,
            hand: dealing.hand,
            least_hand: dealing.least_hand,
            has_declarer: rounds.is_some(),
            row_points: dealing.row.then(|| row_values.interval(deck.cards, prizes)),
            bids: bids::limits(&bids).map(|(low, high)| IntegerInterval::new(low, high)),
            values: &card_values,
        };
        let score = ScoreRules::of(&resolver, &shape)?;
        let table = ScoreTable::of(&score, &shape);
        let has_sides = (rounds.is_some() || seating.partners) && seating.dummies.is_empty() && is_plain;
        let has_sides = has_sides && table.as_ref().is_some_and(|table| table.sets_sides_against_each_other(&score));
        let lowest_of_row = stakes::lowest_of_row(&resolver, &deck, &shape, &score)?.filter(|_| is_plain);
        let tricks = usize::try_from(dealing.hand).unwrap_or(0);
        let ending = ending(&resolver, score.penalty)?;
        Ok(DeclaredGame {
            rules: FileRules(table_of(values)),
            layout: Layout {
                seats: seating.players,
                deck: Deck::of(deck.cards),
                partners: seating.partners,
                cards_each: tricks,
                hands: seating.hand_names,
            },
            cards: deck.cards,
            watches_plays: dealing.row || seating.dummies.iter().any(|dummy| dummy.face == FaceWord::AfterLead),
            dealing,
            tricks,
            cycle,
            trump: if let TrumpSource::Fixed(trump) = source { trump } else { None },
            turns_trump: source == TrumpSource::Turned,
            rounds,
            orders,
            row_values,
            score,
            table,
            lowest_of_row,
            has_sides,
            ending,
            passing,
            bids,
            duties,
            bars,
            is_plain,
            texts: texts(&file),
            seating,
            file,
        })
    }

    /// Returns the file.
    pub fn file(&self) -> &Arc<GameFile> {
        &self.file
    }

    fn players(&self) -> usize {
        self.seating.players
    }

    /// Returns the seat that is a number of steps to the dealer's left.
    fn seat(&self, dealer: Seat, steps: usize) -> Seat {
        dealer.left(steps, self.players())
    }

    /// Starts a deal whose cards lie on the table. `row` has the row's cards in order.
    #[inline(always)]
    fn open(
        &self,
        table: &mut Table,
        course: MatchCourse,
        turned: Card,
        row: [Card; DeclaredPublic::ROW],
    ) -> DeclaredPublic {
        let dealer = table.dealer();
        if let Some(circles) = &self.seating.circles {
            table.set_circle(&circles[dealer.index()]);
            for dummy in &self.seating.dummies {
                let player = self.seat(dealer, dummy.played_by);
                table.entrust(dummy.place, player);
                match dummy.face {
                    FaceWord::Up => table.expose(table.at(dummy.place)),
                    FaceWord::AfterLead => {}
                    FaceWord::Player => table.show(dummy.place, player),
                }
            }
        }
        let mut public = DeclaredPublic {
            phase: DeclaredPhase::Play,
            round: 0,
            order: 0,
            flipped: false,
            ended: 0,
            bids: BySeat::from_fn(|_| NO_BID),
            declarer: None,
            deal: course.deal,
            tricks: course.tricks,
            totals: course.totals,
            turned,
            trump: self.trump,
            row,
        };
        if self.dealing.row {
            table.expose(table.at(ROW));
            public.flipped = self.row_values.flips(table.at(ROW));
        }
        if turned != Card::NONE {
            table.expose(CardSet::of(turned));
            if self.turns_trump {
                public.trump = turned.suit();
                public.order = turned.suit().map_or(0, |suit| suit as u8);
            }
        }
        if self.passing.is_none() || !self.begin_passing(table, &mut public) {
            self.after_passing(table, &mut public);
        }
        public
    }

    /// Begins the phase after the passing.
    #[inline(always)]
    fn after_passing(&self, table: &mut Table, public: &mut DeclaredPublic) {
        if let Some(rounds) = &self.rounds {
            self.begin_rounds(rounds, table, public);
        } else if let Some(bids) = self.bids_of(public) {
            self.begin_bids(bids, table, public);
        } else {
            let leader = self.begin_play(table, public);
            table.give_turn(leader);
        }
    }

    /// Returns the facts that the score of a finished deal depends on.
    #[inline(always)]
    fn facts(&self, table: &Table, public: &DeclaredPublic) -> ScoreFacts {
        let won = std::array::from_fn(|number| table.tricks_won(Place::ALL[number]));
        let mut facts = ScoreFacts {
            declarer: public.declarer,
            bids: public.bids,
            totals: public.totals,
            ..ScoreFacts::of(table.dealer(), won)
        };
        if self.dealing.row {
            let [good, bad] = self.cards_won(table, public);
            facts.good = good.map(|cards| self.row_values.total(public.flipped, cards));
            facts.bad = bad.map(|cards| -self.row_values.total(public.flipped, cards));
        }
        if self.score.reads_cards() {
            facts.amounts = self.score.values().won(taken(table));
        }
        facts
    }

    /// Returns the hand that leads to the first trick.
    #[inline(always)]
    fn first_leader(&self, table: &Table) -> Place {
        match (self.seating.leads, self.bars.first()) {
            (Some(steps), _) => Place::hand(self.seat(table.dealer(), steps)),
            (None, first) => {
                let holds = |hand: &Place| first.is_some_and(|card| table.at(*hand).contains(card));
                Place::ALL.into_iter().take(self.seating.hands()).find(holds).unwrap_or(Place::Hand0)
            }
        }
    }

    /// Returns the row cards that each seat has won, of the colour that counts its values and of the other.
    fn cards_won(&self, table: &Table, public: &DeclaredPublic) -> [BySeat<CardSet>; 2] {
        let good = RowValues::good(public.flipped);
        let mut won = [BySeat::default(); 2];
        if self.dealing.row {
            for seat in Seat::all(self.players()) {
                let cards = table.at(pile(seat));
                won[0][seat] = cards & good;
                won[1][seat] = cards - good;
            }
        }
        won
    }
}

/// Returns the cards that each hand has won in complete tricks.
fn taken(table: &Table) -> BySeat<CardSet> {
    let mut won = BySeat::default();
    for (number, cards) in table.plays().chunks_exact(table.hands_in_trick()).enumerate() {
        // There is no leader after the last trick that has room.
        let ends = number + 1 == table.tricks_played() && table.trick_length() == 0;
        let winner = if ends { table.hand_to_move() } else { table.leader(number + 1) };
        won[Seat::new(winner.index())] |= cards.iter().copied().collect::<CardSet>();
    }
    won
}

/// Returns the number of deals after which passing and the sizes of hands repeat.
fn cycle(resolver: &Resolver<'_>, dealing: &Dealing, passing: Option<&Passing>) -> Result<u32, InputError> {
    let directions = passing.map_or(1, Passing::cycle);
    let cycle = (1..=directions).map(|times| times * dealing.cycle()).find(|cycle| cycle.is_multiple_of(directions));
    let cycle = cycle.unwrap_or(directions * dealing.cycle());
    if cycle > MOST_CYCLE {
        let problem = format!(
            "has {} numbers and `passing.to` has {directions}, which repeat after {cycle} deals, and {MOST_CYCLE} fit; leave some out",
            dealing.cycle()
        );
        return Err(resolver.error(&["deal", "hands"], problem));
    }
    Ok(cycle)
}

/// Checks that the holder of the first card can be known where they lead.
fn check_holder(
    resolver: &Resolver<'_>,
    seating: &Seating,
    dealing: &Dealing,
    bars: &PlayBars,
) -> Result<(), InputError> {
    if seating.leads.is_some() {
        return Ok(());
    }
    let key = ["play", "leads"];
    let Some(first) = bars.first() else {
        return Err(resolver.error(&key, "is the holder of `first-card`, and there is none; set `play.first-card`"));
    };
    if dealing.rest > 0 || dealing.turned || dealing.row {
        let problem = format!("is the holder of {first}, which may lie in no hand; deal all cards or name a player");
        return Err(resolver.error(&key, problem));
    }
    if seating.dummies.iter().any(|dummy| dummy.face == FaceWord::AfterLead) {
        let problem = format!(
            "is the holder of {first}, which may lie in a dummy that no one sees yet; set its `face` to \"up\""
        );
        return Err(resolver.error(&key, problem));
    }
    Ok(())
}

/// Checks that a card is turned up where the trump suit needs one.
fn check_turned(resolver: &Resolver<'_>, dealing: &Dealing, source: TrumpSource) -> Result<(), InputError> {
    if source == TrumpSource::Turned && !dealing.turned && !dealing.dealers_last {
        return Err(resolver.error(&["trumps", "suit"], "is that of a card turned up; set `deal.turn-up`"));
    }
    if source == TrumpSource::Rounds && dealing.dealers_last {
        let problem = "lies in a hand, and trumps are made with a card of the table; set \"next\"";
        return Err(resolver.error(&["deal", "turn-up"], problem));
    }
    Ok(())
}

/// Returns the orders: the one in force, or one for each suit that can be made trumps.
fn orders(resolver: &Resolver<'_>, deck: &DeckOfGame, source: TrumpSource) -> Result<Vec<Order>, InputError> {
    if !matches!(source, TrumpSource::Fixed(_)) {
        check_suits(resolver, deck.cards)?;
    }
    source.suits().into_iter().map(|suit| order_with(resolver, deck, suit)).collect()
}

/// Refuses keys that do nothing in this game.
fn check_unused(resolver: &Resolver<'_>, dealing: &Dealing, has_rounds: bool) -> Result<(), InputError> {
    let keys = resolver.file.keys();
    if !has_rounds && !keys.trumps.rounds.is_empty() {
        return Err(resolver.error(&["trumps", "rounds"], "do nothing; set `trumps.suit = \"rounds\"`"));
    }
    if !has_rounds && keys.trumps.kind.is_some() {
        return Err(resolver.error(&["trumps", "kind"], "does nothing; set `trumps.suit = \"rounds\"`"));
    }
    let values = &keys.score.row_values;
    let has_values = !values.base.is_empty() || values.flip_when.is_some() || values.remark.is_some();
    if !dealing.row && has_values {
        return Err(resolver.error(&["score", "row-values"], "do nothing without a row; set `deal.row`"));
    }
    Ok(())
}

fn texts(file: &GameFile) -> GameTexts {
    let cite = &file.keys().cite;
    GameTexts {
        name: intern(file.name()),
        about: intern(file.about()),
        follow: intern(cite.follow.as_deref().unwrap_or("play.must")),
        turn: intern(cite.turn.as_deref().unwrap_or("play")),
    }
}
