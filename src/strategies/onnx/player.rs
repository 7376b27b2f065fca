//! The strategy that asks a net for its moves.

use std::sync::Arc;

use super::{Fitted, Net};
use crate::cards::Stream;
use crate::cards::select::Portable;
use crate::encoding::Encoding;
use crate::game::{FullGame, Move, Moves, View};
use crate::protocol::{DealKey, Fault, FaultKind};
use crate::strategies::numbers::{Questions, chosen};
use crate::strategies::random;
use crate::strategy::{Batch, Strategy};

/// Asks a net for moves.
pub(super) struct Player {
    net: Result<Arc<Net>, Fault>,
    /// The net made ready; nothing before the game is known.
    fitted: Option<Result<Fitted, Fault>>,
    variant: String,
    /// How decisions are written, and room for them; nothing before the game is known.
    coded: Option<(Encoding, Questions)>,
}

impl Player {
    pub(super) fn new(net: Result<&Arc<Net>, Fault>, fitted: Option<Result<Fitted, Fault>>, variant: String) -> Player {
        Player { net: net.cloned(), fitted, variant, coded: None }
    }

    /// The answers to the questions that `gather` adds: one for each, or a fault.
    fn ask<G: FullGame>(
        &mut self,
        game: &G,
        gather: impl FnOnce(&Encoding, &mut Questions),
    ) -> (Vec<Result<i64, Fault>>, &Encoding) {
        let Player { net, fitted, variant, coded } = self;
        let (encoding, questions) = coded.get_or_insert_with(|| {
            let encoding = Encoding::new(game);
            let questions = Questions::new(&encoding);
            (encoding, questions)
        });
        questions.clear();
        gather(encoding, questions);
        let fit = || {
            let fitted = net.clone()?.fit(encoding, variant);
            fitted.map_err(|problem| Fault::new(FaultKind::Failure, format!("the net {problem}")))
        };
        let failure = |what: String| Fault::new(FaultKind::Failure, what);
        let asked = fitted.get_or_insert_with(fit).clone().and_then(|net| net.best(questions).map_err(failure));
        let answers = match asked {
            Ok(answers) => answers.into_iter().map(|answer| answer.map_err(failure)).collect(),
            Err(fault) => vec![Err(fault); questions.len()],
        };
        (answers, encoding)
    }
}

impl<G: FullGame> Strategy<G> for Player {
    /// After a fault it makes a random move.
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move {
        self.try_choose(view, legal, rng).unwrap_or_else(|_| random::pick(legal, rng, Portable))
    }

    fn try_choose(&mut self, view: &View<'_, G>, legal: Moves, _rng: &mut Stream) -> Result<Move, Fault> {
        let key = DealKey::default();
        let (mut answers, encoding) =
            self.ask(view.game(), |encoding, questions| questions.add(encoding, view, legal, key));
        answers.remove(0).and_then(|action| chosen(encoding, view, legal, action))
    }

    fn choose_many(&mut self, batch: &mut Batch<'_, G>) {
        let (answers, encoding) =
            self.ask(batch.game(), |encoding, questions| questions.add_some(encoding, batch, 0..batch.len()));
        for (nth, answer) in answers.into_iter().enumerate() {
            let (view, legal, _) = batch.question(nth);
            let answer = answer.and_then(|action| chosen(encoding, &view, legal, action));
            batch.answer(nth, answer);
        }
    }

    fn gains_by_batches(&self) -> bool {
        true
    }

    fn may_fault(&self) -> bool {
        true
    }
}
