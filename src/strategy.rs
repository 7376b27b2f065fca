//! What a strategy is: a way to choose moves from views.

use crate::cards::Stream;
use crate::game::{Game, Move, Moves, Standing, State, View};
use crate::table::{BySeat, Seat};

/// A way to choose moves. A choice may depend on the view, the legal moves and the stream of random numbers, and on nothing else:
/// what a strategy keeps from one decision to the next (a cache, say) must not show in its moves, because decisions of many deals
/// come mixed.
pub trait Strategy<G: Game>: Send {
    /// Chooses one of the `legal` moves, of which there is at least one.
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, luck: &mut Stream) -> Move;

    /// Chooses for many deals at once. Strategies that gain by batching answer in their own way; the moves must be those that
    /// [`Strategy::choose`] would choose.
    fn choose_many(&mut self, batch: &mut Batch<'_, G>) {
        batch.answer_each(|view, legal, luck| self.choose(view, legal, luck));
    }
}

/// A deal in which somebody is to decide.
#[derive(Clone)]
pub struct Pending<G: Game> {
    pub(crate) state: State<G::Public>,
    pub(crate) standing: Standing,
    pub(crate) luck: BySeat<Stream>,
    pub(crate) legal: Moves,
    pub(crate) seat: Seat,
    pub(crate) answer: Move,
    pub(crate) bots: BySeat<u16>,
}

/// Decisions that one bot is to make, in deals that go on side by side.
pub struct Batch<'a, G: Game> {
    game: &'a G,
    deals: &'a mut [Pending<G>],
    which: &'a [u16],
}

impl<'a, G: Game> Batch<'a, G> {
    /// The decisions due in those of `deals` that `which` numbers.
    pub(crate) fn new(game: &'a G, deals: &'a mut [Pending<G>], which: &'a [u16]) -> Batch<'a, G> {
        Batch { game, deals, which }
    }

    /// How many decisions.
    pub fn len(&self) -> usize {
        self.which.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.which.is_empty()
    }

    /// Answers every decision with what `choose` makes of its view, its legal moves and its stream.
    #[inline(always)]
    pub fn answer_each(&mut self, mut choose: impl FnMut(&View<'_, G>, Moves, &mut Stream) -> Move) {
        for &number in self.which {
            let Pending { state, standing, luck, legal, seat, answer, .. } = &mut self.deals[number as usize];
            let view = View::new(self.game, state, standing, *seat);
            *answer = choose(&view, *legal, &mut luck[*seat]);
        }
    }
}
