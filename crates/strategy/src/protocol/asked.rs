//! Decisions that a bot has been asked to make, and its answers.

use overtrick_cards::table::Move;
use overtrick_game::{Describe, Moves, View};

use super::{Decision, Fault, FaultKind, Reply, writing};

/// The decisions of one message and the answers that have come in. Their ids are consecutive.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    first: u64,
    /// The decisions; behind those of this message, as many as there are answers, are some of earlier ones.
    decisions: Vec<Decision<'static>>,
    answers: Vec<Option<Answer>>,
}

/// The answer to a decision.
#[derive(Clone, Debug)]
enum Answer {
    /// The legal move of this number, counted from 0.
    Legal(usize),
    /// A text that is no legal move.
    Other(String),
}

impl Asked {
    /// These decisions, none of them answered yet. Their ids must be consecutive.
    pub fn new(decisions: Vec<Decision<'static>>) -> Asked {
        debug_assert!(decisions.windows(2).all(|pair| pair[0].id + 1 == pair[1].id));
        let first = decisions.first().map_or(0, |decision| decision.id);
        Asked { first, answers: vec![None; decisions.len()], decisions }
    }

    /// Begins another message in the memory of this one. The ids of its decisions are `first` and those after it.
    pub fn begin(&mut self, first: u64) {
        self.first = first;
        self.answers.clear();
    }

    /// Adds the decision for a `view` and its `legal` moves, of a deal known by the number `deal`, with the random
    /// number `seed`.
    pub fn add<G: Describe>(&mut self, view: &View<'_, G>, legal: Moves, deal: u64, seed: u32) {
        let number = self.answers.len();
        if number == self.decisions.len() {
            self.decisions.push(Decision::default());
        }
        self.decisions[number].set(view, legal, self.first + number as u64, deal, seed);
        self.answers.push(None);
    }

    /// Appends the message that asks.
    pub fn write(&self, out: &mut Vec<u8>) {
        writing::decide(&self.decisions[..self.answers.len()], out);
        out.push(b'\n');
    }

    /// The number of answers that are missing.
    pub fn missing(&self) -> usize {
        self.answers.iter().filter(|answer| answer.is_none()).count()
    }

    /// Reads the answers in one line, given without its end. A line with a fault is ignored as a whole.
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

    /// The text that was answered to decision `number`, counted from 0; `None` if there is no answer.
    pub fn text(&self, number: usize) -> Option<&str> {
        match self.answers[number].as_ref()? {
            Answer::Legal(nth) => self.decisions[number].legal.get(*nth).map(|text| &**text),
            Answer::Other(text) => Some(text),
        }
    }

    /// The move that was answered to decision `number`, counted from 0; `None` if there is no answer. `view` and
    /// `legal` must be those from which the decision was made.
    pub fn chosen<G: Describe>(&self, number: usize, view: &View<'_, G>, legal: Moves) -> Option<Result<Move, Fault>> {
        Some(match self.answers[number].as_ref()? {
            Answer::Legal(nth) => Ok(legal.iter().nth(*nth).expect("the decision has the texts of `legal`")),
            Answer::Other(text) => unusual(view, text),
        })
    }
}

/// The move that an illegal text names, if the rules accept it, or the fault.
fn unusual<G: Describe>(view: &View<'_, G>, answer: &str) -> Result<Move, Fault> {
    match view.read_move(answer) {
        Some(chosen) if view.renege_moves().contains(chosen) => Ok(chosen),
        Some(chosen) => Err(Fault::new(FaultKind::IllegalMove, view.why_not(chosen).to_string())),
        None => Err(Fault::in_line(FaultKind::IllegalMove, "this is no move", answer.as_bytes())),
    }
}
