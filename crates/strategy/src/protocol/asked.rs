//! Decisions sent to a bot, with its answers.

use overtrick_cards::table::Move;
use overtrick_game::{Describe, Moves, View};

use super::{Decision, Fault, FaultKind, Reply, writing};

/// The decisions of one message and the answers so far. The ids are consecutive.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    first: u64,
    /// The decisions. Only the first `answers.len()` belong to this message; the others are kept to reuse
    /// their memory.
    decisions: Vec<Decision<'static>>,
    answers: Vec<Option<Answer>>,
}

/// The answer to a decision.
#[derive(Clone, Debug)]
enum Answer {
    /// The index of a legal move.
    Legal(usize),
    /// A text that is not a legal move.
    Other(String),
}

impl Asked {
    /// Returns unanswered decisions. Their ids must be consecutive.
    pub fn new(decisions: Vec<Decision<'static>>) -> Asked {
        debug_assert!(decisions.windows(2).all(|pair| pair[0].id + 1 == pair[1].id));
        let first = decisions.first().map_or(0, |decision| decision.id);
        Asked { first, answers: vec![None; decisions.len()], decisions }
    }

    /// Begins another message in the same memory; the ids of its decisions count up from `first`.
    pub fn begin(&mut self, first: u64) {
        self.first = first;
        self.answers.clear();
    }

    /// Adds the decision for a `view` and its `legal` moves.
    ///
    /// The bot knows the deal by the number `deal` and gets the random number `seed`.
    pub fn add<G: Describe>(&mut self, view: &View<'_, G>, legal: Moves, deal: u64, seed: u32) {
        let number = self.answers.len();
        if number == self.decisions.len() {
            self.decisions.push(Decision::default());
        }
        self.decisions[number].set(view, legal, self.first + number as u64, deal, seed);
        self.answers.push(None);
    }

    /// Appends the `decide` message.
    pub fn write(&self, out: &mut Vec<u8>) {
        writing::decide(&self.decisions[..self.answers.len()], out);
        out.push(b'\n');
    }

    /// Returns the number of missing answers.
    pub fn missing(&self) -> usize {
        self.answers.iter().filter(|answer| answer.is_none()).count()
    }

    /// Reads the answers in one line, without its line end. A line with a fault is ignored entirely.
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
                    let number = number.expect("the slot was found by it");
                    let nth = self.decisions[number].legal.iter().position(|legal| *legal == text);
                    *slot = Some(nth.map_or_else(|| Answer::Other(text.to_string()), Answer::Legal));
                    taken.push(number);
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

    /// Returns the text of the answer to decision `number` (from 0), or `None` without an answer.
    pub fn text(&self, number: usize) -> Option<&str> {
        match self.answers[number].as_ref()? {
            Answer::Legal(nth) => self.decisions[number].legal.get(*nth).map(|text| &**text),
            Answer::Other(text) => Some(text),
        }
    }

    /// Returns the answer to decision `number` (from 0), or `None` without an answer.
    ///
    /// `view` and `legal` must be the values from which the decision was made.
    pub fn chosen<G: Describe>(&self, number: usize, view: &View<'_, G>, legal: Moves) -> Option<Result<Move, Fault>> {
        Some(match self.answers[number].as_ref()? {
            Answer::Legal(nth) => Ok(legal.iter().nth(*nth).expect("the decision has the texts of `legal`")),
            Answer::Other(text) => unusual(view, text),
        })
    }
}

/// Returns the move for a text outside the legal moves, if the rules accept it, or the fault.
fn unusual<G: Describe>(view: &View<'_, G>, answer: &str) -> Result<Move, Fault> {
    match view.read_move(answer) {
        Some(chosen) if view.renege_moves().contains(chosen) => Ok(chosen),
        Some(chosen) => Err(Fault::new(FaultKind::IllegalMove, view.why_not(chosen).to_string())),
        None => Err(Fault::in_line(FaultKind::IllegalMove, "this is no move", answer.as_bytes())),
    }
}
