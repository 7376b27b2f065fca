//! The game that a file declares.

mod describe;
mod infer;
mod rules;

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_cards::{CardSet, Deck, Generator, Order, Pack, Stream, Suit};
use overtrick_game::{Ending, FieldError, Game, Layout, Move, Moves, Preset, Setup, State};
use overtrick_toml::InputError;

pub use rules::FileRules;

use crate::compile::{
    DeckOfGame, Resolver, ScoreFacts, ScoreRules, ScoreTable, Seating, ending, fixed_trump, intern, order_with,
};
use crate::source::{FaceWord, GameFile, OptionValues, table_of};

/// The place of cards that are dealt to no hand.
const REST: Place = Place::Pile4;

/// The public state of a declared game in addition to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredPublic;

/// A game that a file declares, under values of its options.
pub struct DeclaredGame {
    file: Arc<GameFile>,
    rules: FileRules,
    layout: Layout,
    cards: CardSet,
    /// The number of cards of each hand.
    hand: u32,
    /// The number of cards that no hand gets.
    rest: u32,
    /// The number of tricks.
    tricks: usize,
    seating: Seating,
    /// Whether the cards of a dummy are turned up after the first lead.
    reveals: bool,
    trump: Option<Suit>,
    order: Order,
    score: ScoreRules,
    /// The scores, where they depend on tricks alone.
    table: Option<ScoreTable>,
    ending: Ending,
    texts: GameTexts,
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
        let trump = fixed_trump(&resolver)?;
        let order = order_with(&resolver, &deck, trump)?;
        let seating = Seating::of(&resolver)?;
        let hand = cards_of_hand(&resolver, deck.cards.len(), seating.hands())?;
        let hands = u32::try_from(seating.hands()).unwrap_or(1);
        let score = ScoreRules::of(&resolver, &seating, hand)?;
        let tricks = u8::try_from(hand).unwrap_or(0);
        let table = if score.turns_with_dealer() {
            ScoreTable::of(&score, seating.players, seating.hands(), tricks)
        } else {
            None
        };
        let cite = &file.keys().cite;
        let texts = GameTexts {
            name: intern(file.name()),
            about: intern(file.about()),
            follow: intern(cite.follow.as_deref().unwrap_or("play.must")),
            turn: intern(cite.turn.as_deref().unwrap_or("play")),
        };
        Ok(DeclaredGame {
            rules: FileRules(table_of(values)),
            layout: Layout {
                seats: seating.players,
                deck: Deck::of(deck.cards),
                cards_each: usize::from(tricks),
                hands: seating.hand_names,
            },
            cards: deck.cards,
            hand,
            rest: deck.cards.len() - hand * hands,
            tricks: usize::from(tricks),
            reveals: seating.dummies.iter().any(|dummy| dummy.face == FaceWord::AfterLead),
            ending: ending(&resolver)?,
            seating,
            trump,
            order,
            score,
            table,
            texts,
            file,
        })
    }

    /// Returns the file.
    pub fn file(&self) -> &Arc<GameFile> {
        &self.file
    }

    /// Starts a deal whose cards lie on the table.
    #[inline(always)]
    fn open(&self, table: &mut Table) {
        let dealer = table.dealer();
        if let Some(circles) = &self.seating.circles {
            table.set_circle(&circles[dealer.index()]);
            for dummy in &self.seating.dummies {
                let player = dealer.left(dummy.played_by, self.seating.players);
                table.entrust(dummy.place, player);
                match dummy.face {
                    FaceWord::Up => table.expose(table.at(dummy.place)),
                    FaceWord::AfterLead => {}
                    FaceWord::Player => table.show(dummy.place, player),
                }
            }
        }
        table.give_turn(Place::hand(dealer.left(self.seating.leads, self.seating.players)));
    }

    /// Turns up the cards of dummies after the first lead.
    #[cold]
    fn reveal(&self, table: &mut Table) {
        for dummy in self.seating.dummies.iter().filter(|dummy| dummy.face == FaceWord::AfterLead) {
            table.expose(table.at(dummy.place));
        }
    }

    /// Returns the facts that the score of a finished deal depends on.
    #[inline]
    fn facts(&self, table: &Table) -> ScoreFacts {
        let hand = |number: usize| table.tricks_won(Place::ALL[number]);
        ScoreFacts { dealer: table.dealer(), won: std::array::from_fn(hand) }
    }
}

/// Returns the number of cards of each hand.
fn cards_of_hand(resolver: &Resolver<'_>, cards: u32, hands: usize) -> Result<u32, InputError> {
    let key = ["deal", "hand"];
    let hands = u32::try_from(hands).unwrap_or(1);
    let even = cards / hands;
    let Some(setting) = &resolver.file.keys().deal.hand else {
        if !cards.is_multiple_of(hands) {
            let problem = format!("the {cards} cards do not come out even for {hands} hands; set `deal.hand`");
            return Err(resolver.error(&["deal"], problem));
        }
        return check_tricks(resolver, even);
    };
    let hand = u32::try_from(resolver.amount(&key, setting)?).unwrap_or(0);
    if hand > even {
        let problem = format!("needs {} cards, and the deck has {cards}; deal fewer or put ranks back", hand * hands);
        return Err(resolver.error(&key, problem));
    }
    check_tricks(resolver, hand)
}

/// Checks that a table has room for the tricks of a deal.
fn check_tricks(resolver: &Resolver<'_>, hand: u32) -> Result<u32, InputError> {
    const MOST_TRICKS: u32 = 16;
    if hand > MOST_TRICKS {
        let problem = format!("gives {hand} tricks, and {MOST_TRICKS} are supported so far; deal fewer cards");
        return Err(resolver.error(&["deal", "hand"], problem));
    }
    Ok(hand)
}

impl Game for DeclaredGame {
    const NAME: &'static str = "a game of a file";

    const ABOUT: &'static str = "the game that a file declares";

    const PRESETS: &'static [Preset] = &[];

    // The file has the numbers of rules.
    const FOLLOW_RULE: &'static str = "";

    const TURN_RULE: &'static str = "";

    type Rules = FileRules;

    type Public = DeclaredPublic;

    fn name(&self) -> &'static str {
        self.texts.name
    }

    fn about(&self) -> &'static str {
        self.texts.about
    }

    fn follow_rule(&self) -> &'static str {
        self.texts.follow
    }

    fn turn_rule(&self) -> &'static str {
        self.texts.turn
    }

    #[inline(always)]
    fn in_step(&self) -> bool {
        true
    }

    fn new(_rules: FileRules) -> Result<DeclaredGame, FieldError> {
        let problem = "do not say which file they are of: make the game by DeclaredGame::of".to_owned();
        Err(FieldError { key: "", problem })
    }

    fn rules(&self) -> &FileRules {
        &self.rules
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn ending(&self) -> Ending {
        self.ending
    }

    fn first_dealer(&self, rng: impl FnOnce() -> Stream) -> Seat {
        self.seating.first_dealer(rng)
    }

    #[inline(always)]
    fn lay_out<R: Generator>(&self, table: &mut Table, _setup: Setup, rng: &mut Stream<R>) -> DeclaredPublic {
        let mut pack = Pack::new(self.cards, rng);
        for hand in &Place::ALL[..self.layout.hands.len()] {
            table.lay(*hand, pack.take(self.hand));
        }
        if self.rest > 0 {
            table.lay(REST, pack.take(u32::MAX));
        }
        self.open(table);
        DeclaredPublic
    }

    #[inline(always)]
    fn legal(&self, state: &State<DeclaredPublic>) -> Moves {
        state.table.legal_plays(&self.order)
    }

    #[inline(always)]
    fn play_unchecked(&self, state: &mut State<DeclaredPublic>, chosen: Move) {
        state.table.play(chosen.to_card(), &self.order);
        if self.reveals && state.table.plays().len() == 1 {
            self.reveal(&mut state.table);
        }
    }

    #[inline(always)]
    fn is_over(&self, state: &State<DeclaredPublic>) -> bool {
        state.table.tricks_played() == self.tricks
    }

    #[inline]
    fn scores(&self, state: &State<DeclaredPublic>) -> BySeat<i32> {
        let facts = self.facts(&state.table);
        match &self.table {
            Some(table) => table.scores(&facts),
            None => self.score.results(&facts).map(|result| result.points),
        }
    }

    fn score_range(&self) -> RangeInclusive<i32> {
        match &self.table {
            Some(table) => table.range(),
            None => self.score.range(),
        }
    }

    fn order(&self, _state: &State<DeclaredPublic>) -> Option<&Order> {
        Some(&self.order)
    }
}
