//! Deals of one variant that go on side by side, whatever game it is.

use std::sync::Arc;

use overtrick::encoding::Encoding;
use overtrick::game::{FullGame, Moves, Standing, State, View};
use overtrick::games::{Variant, Visitor};
use overtrick::table::Seat;
use overtrick::tournament::{Seeds, Unit};

/// Deals of one variant, numbered by row.
pub trait Deals: Send + Sync {
    /// Puts deal `number` into a row.
    fn deal(&mut self, row: usize, number: u64);
    /// Whether the deal of a row is over.
    fn is_over(&self, row: usize) -> bool;
    /// The seat that decides in a row.
    fn seat(&self, row: usize) -> usize;
    /// Whether a move, by its place among those of the encoding, is legal in a row.
    fn is_legal(&self, row: usize, action: usize) -> bool;
    /// Makes a legal move in a row.
    fn play(&mut self, row: usize, action: usize);
    /// Writes what `seat` sees in a row.
    fn write(&self, row: usize, seat: usize, numbers: &mut [f32]);
    /// Writes which moves are legal in a row.
    fn write_legal(&self, row: usize, mask: &mut [bool]);
    /// The points of a seat in a deal that is over.
    fn points(&self, row: usize, seat: usize) -> i32;
    /// Why a move is not legal in a row, or what it is called there.
    fn why_not(&self, row: usize, action: usize) -> String;
    /// The text of a legal move in a row.
    fn text(&self, row: usize, action: usize) -> String;
    /// The same deals once more.
    fn copy(&self) -> Box<dyn Deals>;
    /// How they are written.
    fn encoding(&self) -> &Encoding;
    /// The number of players.
    fn seats(&self) -> usize;
}

/// Deals of the game `G`.
struct DealsOf<G: FullGame> {
    game: Arc<G>,
    encoding: Arc<Encoding>,
    seeds: Arc<Seeds>,
    standing: Standing,
    rows: Vec<Row<G>>,
}

/// A deal in progress.
struct Row<G: FullGame> {
    state: State<G::Public>,
    /// None once it is over.
    legal: Moves,
}

impl<G: FullGame> Clone for Row<G> {
    fn clone(&self) -> Row<G> {
        Row { state: self.state, legal: self.legal }
    }
}

/// So many deals of `variant` with the cards of the master seed `seed`, those of numbers 0 and up.
pub fn deals(variant: &Variant, seed: u64, rows: usize) -> Box<dyn Deals> {
    struct Make<'a>(&'a str, u64, usize);
    impl Visitor for Make<'_> {
        type Output = Box<dyn Deals>;
        fn visit<G: FullGame>(self, game: &Arc<G>) -> Box<dyn Deals> {
            let Make(name, seed, rows) = self;
            let seeds = Arc::new(Seeds::new(seed, name, game.as_ref(), Unit::Deal));
            let encoding = Arc::new(Encoding::new(game.as_ref()));
            let standing = Standing::default();
            let first = |number| row(game.as_ref(), &seeds, &standing, number);
            let rows = (0..rows as u64).map(first).collect();
            Box::new(DealsOf { game: Arc::clone(game), encoding, seeds, standing, rows })
        }
    }
    variant.game.visit(Make(&variant.name, seed, rows))
}

/// Deal `number`, as it is dealt.
fn row<G: FullGame>(game: &G, seeds: &Seeds, standing: &Standing, number: u64) -> Row<G> {
    let state = seeds.deal(game, number, seeds.setup(game, number, standing));
    Row { legal: game.legal(&state), state }
}

impl<G: FullGame> Deals for DealsOf<G> {
    fn deal(&mut self, at: usize, number: u64) {
        self.rows[at] = row(self.game.as_ref(), &self.seeds, &self.standing, number);
    }

    fn is_over(&self, row: usize) -> bool {
        self.game.is_over(&self.rows[row].state)
    }

    fn seat(&self, row: usize) -> usize {
        self.rows[row].state.table.seat_to_move().index()
    }

    fn is_legal(&self, row: usize, action: usize) -> bool {
        self.encoding.moves().get(action).is_some_and(|&made| self.rows[row].legal.contains(made))
    }

    fn play(&mut self, row: usize, action: usize) {
        let Row { state, legal } = &mut self.rows[row];
        self.game.play_unchecked(state, self.encoding.moves()[action]);
        *legal = if self.game.is_over(state) { Moves::NONE } else { self.game.legal(state) };
    }

    fn write(&self, row: usize, seat: usize, numbers: &mut [f32]) {
        let view = View::new(self.game.as_ref(), &self.rows[row].state, &self.standing, Seat::new(seat));
        self.encoding.write(&view, numbers);
    }

    fn write_legal(&self, row: usize, mask: &mut [bool]) {
        self.encoding.write_legal(self.rows[row].legal, mask);
    }

    fn points(&self, row: usize, seat: usize) -> i32 {
        self.game.scores(&self.rows[row].state)[Seat::new(seat)]
    }

    fn why_not(&self, row: usize, action: usize) -> String {
        let Row { state, .. } = &self.rows[row];
        match self.encoding.moves().get(action) {
            _ if self.game.is_over(state) => "the deal is over".to_owned(),
            Some(&made) => self.game.why_not(state, made).to_string(),
            None => format!("moves are numbered 0 to {}", self.encoding.moves().len() - 1),
        }
    }

    fn text(&self, row: usize, action: usize) -> String {
        let made = self.encoding.moves()[action];
        self.game.move_text(&self.rows[row].state, made).unwrap_or_else(|| self.encoding.texts()[action].clone())
    }

    fn copy(&self) -> Box<dyn Deals> {
        Box::new(DealsOf {
            game: Arc::clone(&self.game),
            encoding: Arc::clone(&self.encoding),
            seeds: Arc::clone(&self.seeds),
            standing: self.standing,
            rows: self.rows.clone(),
        })
    }

    fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    fn seats(&self) -> usize {
        self.game.layout().seats
    }
}
