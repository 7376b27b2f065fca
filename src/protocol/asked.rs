//! Decisions that a bot has been asked for, and what it has answered.

use super::{Decision, Fault, FaultKind, Message, Reply};
use crate::game::{Game, Moves, View};
use crate::table::Move;

/// The decisions of one message and the answers that have come in. Their ids are consecutive.
#[derive(Clone, Debug)]
pub struct Asked {
    first: u64,
    decisions: Vec<Decision<'static>>,
    answers: Vec<Option<String>>,
}

impl Asked {
    /// No answer has come yet. `decisions` have consecutive ids.
    pub fn new(decisions: Vec<Decision<'static>>) -> Asked {
        debug_assert!(decisions.windows(2).all(|pair| pair[0].id + 1 == pair[1].id));
        let first = decisions.first().map_or(0, |decision| decision.id);
        Asked { first, answers: vec![None; decisions.len()], decisions }
    }

    /// Appends the message that asks.
    pub fn write(&mut self, out: &mut Vec<u8>) {
        let message = Message::Decide(std::mem::take(&mut self.decisions));
        message.write(out);
        if let Message::Decide(decisions) = message {
            self.decisions = decisions;
        }
    }

    /// How many answers are missing.
    pub fn missing(&self) -> usize {
        self.answers.iter().filter(|answer| answer.is_none()).count()
    }

    /// Takes the answers of one line, which is without its end. A line with a fault counts for nothing.
    ///
    /// # Errors
    /// [`FaultKind::NotUtf8`], [`FaultKind::Garbage`] or [`FaultKind::WrongId`].
    pub fn take(&mut self, line: &[u8]) -> Result<(), Fault> {
        let Reply::Moves(moves) = Reply::read(line)? else {
            return Err(Fault::in_line(FaultKind::Garbage, "`hello` where `moves` were due", line));
        };
        let mut taken = Vec::with_capacity(moves.len());
        for (id, text) in moves {
            let number = id.checked_sub(self.first).and_then(|number| usize::try_from(number).ok());
            let slot = number.and_then(|number| self.answers.get_mut(number));
            let problem = match slot {
                Some(slot @ None) => {
                    *slot = Some(text.into_owned());
                    taken.extend(number);
                    continue;
                }
                Some(Some(_)) => "has been answered",
                None => "was not asked for",
            };
            taken.into_iter().for_each(|number| self.answers[number] = None);
            return Err(Fault::in_line(FaultKind::WrongId, format!("decision {id} {problem}"), line));
        }
        Ok(())
    }

    /// The move that was answered to decision `number`, counted from 0; `None` if nothing was. `view` and `legal` are those that the
    /// decision was made of.
    pub fn chosen<G: Game>(&self, number: usize, view: &View<'_, G>, legal: Moves) -> Option<Result<Move, Fault>> {
        let answer = self.answers[number].as_deref()?;
        let texts = &self.decisions[number].legal;
        let chosen = texts.iter().position(|text| text == answer).and_then(|nth| legal.iter().nth(nth));
        Some(chosen.map_or_else(|| unusual(view, answer), Ok))
    }
}

/// The move of a text that is not a legal one.
fn unusual<G: Game>(view: &View<'_, G>, answer: &str) -> Result<Move, Fault> {
    match view.read_move(answer) {
        Some(chosen) if view.punishable().contains(chosen) => Ok(chosen),
        Some(chosen) => Err(Fault::new(FaultKind::IllegalMove, view.why_not(chosen).to_string())),
        None => Err(Fault::in_line(FaultKind::IllegalMove, "this is no move", answer.as_bytes())),
    }
}
