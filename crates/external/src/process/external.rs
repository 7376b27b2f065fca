//! The strategy that asks a process for its moves.

use std::sync::Arc;

use overtrick_cards::Stream;
use overtrick_cards::select::Portable;
use overtrick_game::{FullGame, Move, Moves, View};
use overtrick_strategy::pick;
use overtrick_strategy::protocol::{Asked, DealEnd, DealKey, DealStart, Decision, Fault, Message, VariantSeen};
use overtrick_strategy::{Audited, Batch, ExternalBot, Strategy};

use super::{Params, ProcessPool, Supervisor, audit};
use crate::BuildContext;

/// A strategy that asks a process for its moves.
///
/// When a message with many decisions fails, those without an answer are asked again one by one, each of a fresh
/// process if necessary. Whether a bot fails at a decision thus does not depend on the other decisions in the message.
pub struct External {
    context: BuildContext,
    process_pool: Arc<ProcessPool>,
    variant: Option<Arc<VariantSeen>>,
    next_id: u64,
    /// The decisions of the last message, kept to reuse their memory.
    asked: Asked,
    /// The deal that began last: the deal of a decision that comes alone.
    deal: DealKey,
}

/// A decision: view, legal moves, and the key of the deal.
type Question<'v, G> = (View<'v, G>, Moves, DealKey);
/// The answers by question; `None` before there is one.
type Answers = Vec<Option<Result<Move, Fault>>>;

/// The results of a batch of questions.
#[derive(Default)]
struct Answered {
    /// The move or the fault, by question.
    answers: Vec<Result<Move, Fault>>,
    recovered: Option<RecoveredFault>,
}

/// A fault after which a second try answered all questions.
struct RecoveredFault {
    /// The index of a question that it affected.
    question: usize,
    fault: Fault,
}

impl External {
    /// Returns the strategy for a bot with these settings.
    ///
    /// Without a process pool in the context, it has a separate process.
    pub fn new(params: &Params, context: &BuildContext) -> External {
        let own = || Arc::new(ProcessPool::new(params, 1, None, Arc::default()));
        let process_pool = context.process_pool.clone().unwrap_or_else(own);
        External {
            process_pool,
            context: context.clone(),
            variant: None,
            next_id: 0,
            asked: Asked::default(),
            deal: DealKey::default(),
        }
    }

    fn variant<G: FullGame>(&mut self, game: &G) -> Arc<VariantSeen> {
        let BuildContext { variant, base, .. } = &self.context;
        Arc::clone(self.variant.get_or_insert_with(|| Arc::new(VariantSeen::of(game, variant, base))))
    }

    /// Asks all `questions`, each of the process of its seat.
    fn ask<G: FullGame>(&mut self, questions: &[Question<'_, G>]) -> Answered {
        let Some((view, ..)) = questions.first() else { return Answered::default() };
        let variant = self.variant(view.game());
        let mut answers: Answers = vec![None; questions.len()];
        let mut recovered = None;
        let seats = self.process_pool.seats();
        for seat in 0..seats {
            let asked = (0..questions.len()).filter(|&nth| questions[nth].0.seat().index() % seats == seat).collect();
            recovered = recovered.or(self.ask_process(&variant, seat, questions, asked, &mut answers));
        }
        let answers = answers.into_iter().map(|answer| answer.expect("every question was answered or failed"));
        let answers: Vec<_> = answers.collect();
        if answers.iter().any(Result::is_err) {
            recovered = None;
        }
        Answered { answers, recovered }
    }

    /// Asks the process of a seat the questions with the indices `asked`.
    ///
    /// Returns a fault after which a second try answered them.
    fn ask_process<G: FullGame>(
        &mut self,
        variant: &VariantSeen,
        seat: usize,
        questions: &[Question<'_, G>],
        asked: Vec<usize>,
        answers: &mut Answers,
    ) -> Option<RecoveredFault> {
        let process_pool = Arc::clone(&self.process_pool);
        let mut supervisor = process_pool.supervisor(self.context.thread, seat);
        let mut recovered = None;
        let mut left = &asked[..];
        while let [first, ..] = *left {
            match supervisor.insist(variant) {
                Ok(before) => {
                    let before = before.map(|fault| RecoveredFault { question: first, fault });
                    recovered = recovered.or(before);
                }
                Err(fault) => {
                    left.iter().for_each(|&nth| answers[nth] = Some(Err(fault.clone())));
                    break;
                }
            }
            let size = supervisor.running().map_or(1, |session| session.hello().batch.0 as usize);
            let (which, rest) = left.split_at(size.min(left.len()));
            left = rest;
            let Err(fault) = self.ask_some(&mut supervisor, questions, which, answers) else { continue };
            let missing: Vec<usize> = which.iter().copied().filter(|&nth| answers[nth].is_none()).collect();
            if which.len() == 1 {
                missing.iter().for_each(|&nth| answers[nth] = Some(Err(fault.clone())));
            } else if self.retry_one_by_one(&mut supervisor, variant, questions, &missing, answers) {
                recovered = Some(RecoveredFault { question: *missing.first().unwrap_or(&first), fault });
            }
        }
        recovered
    }

    /// Asks each of the questions `missing` in a separate message. Returns whether all were answered.
    fn retry_one_by_one<G: FullGame>(
        &mut self,
        supervisor: &mut Supervisor,
        variant: &VariantSeen,
        questions: &[Question<'_, G>],
        missing: &[usize],
        answers: &mut Answers,
    ) -> bool {
        let mut are_answered = true;
        for &nth in missing {
            let started = supervisor.insist(variant);
            let asked = started.and_then(|_| self.ask_some(supervisor, questions, &[nth], answers));
            if let Err(fault) = asked {
                answers[nth] = Some(Err(fault));
                are_answered = false;
            }
        }
        are_answered
    }

    /// Asks the questions with the indices `which` in one message.
    fn ask_some<G: FullGame>(
        &mut self,
        supervisor: &mut Supervisor,
        questions: &[Question<'_, G>],
        which: &[usize],
        answers: &mut Answers,
    ) -> Result<(), Fault> {
        let Some(session) = supervisor.running() else { return Ok(()) };
        let asked = &mut self.asked;
        asked.begin(self.next_id);
        self.next_id += which.len() as u64;
        for &nth in which {
            let (view, legal, key) = &questions[nth];
            asked.add(view, *legal, key.id(view.seat()), key.seed(view.seat(), view.step()));
        }
        let ended = session.ask(asked);
        for (number, &nth) in which.iter().enumerate() {
            let (view, legal, ..) = &questions[nth];
            answers[nth] = asked.chosen(number, view, *legal);
        }
        match &ended {
            Ok(()) => supervisor.answered(),
            Err(fault) => supervisor.failed(fault),
        }
        ended
    }

    /// Records a decision if it is among those that are asked again.
    fn audit_some<G: FullGame>(&self, batch: &mut Batch<'_, G>, nth: usize, chosen: Move) {
        let (view, legal, key) = batch.question(nth);
        let (seat, step) = (view.seat(), view.step());
        if key.is_audited(seat, step, self.context.audit)
            && let Some(answer) = view.move_text(chosen)
        {
            let decision = Decision::of(&view, legal, 0, key.id(seat), key.seed(seat, step));
            batch.audit(nth, Audited { decision, answer });
        }
    }
}

impl<G: FullGame> Strategy<G> for External {
    /// Plays a random move after a fault.
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move {
        self.try_choose(view, legal, rng).unwrap_or_else(|_| pick(legal, rng, Portable))
    }

    fn try_choose(&mut self, view: &View<'_, G>, legal: Moves, _rng: &mut Stream) -> Result<Move, Fault> {
        self.ask(&[(*view, legal, self.deal)]).answers.pop().expect("one question, one answer")
    }

    fn choose_many(&mut self, batch: &mut Batch<'_, G>) {
        let questions: Vec<Question<'_, G>> = (0..batch.len()).map(|nth| batch.question(nth)).collect();
        let Answered { answers, recovered } = self.ask(&questions);
        drop(questions);
        for (nth, answer) in answers.into_iter().enumerate() {
            if let Ok(chosen) = answer {
                self.audit_some(batch, nth, chosen);
            }
            batch.answer(nth, answer);
        }
        if let Some(RecoveredFault { question, fault }) = recovered {
            batch.note(question, fault);
        }
    }

    fn gains_by_batches(&self) -> bool {
        true
    }

    fn may_fault(&self) -> bool {
        true
    }

    fn external(&mut self) -> Option<&mut dyn ExternalBot<G>> {
        Some(self)
    }
}

impl<G: FullGame> ExternalBot<G> for External {
    fn deal_begins(&mut self, view: &View<'_, G>, key: DealKey) {
        self.deal = key;
        let (number, variant) = (key.id(view.seat()), self.variant(view.game()));
        let mut supervisor = self.process_pool.supervisor(self.context.thread, view.seat().index());
        // A bot that does not start reports its fault at the next decision, not here.
        if supervisor.start(&variant).is_ok()
            && let Some(session) = supervisor.running()
            && session.hello().deals
        {
            session.tell_later(&Message::Deal(DealStart::of(view, number)));
        }
    }

    fn deal_ends(&mut self, end: DealEnd) {
        let mut supervisor = self.process_pool.supervisor(self.context.thread, end.seat);
        if let Some(session) = supervisor.running()
            && session.hello().deals
        {
            session.tell_later(&Message::End(end));
        }
    }

    fn start(&mut self, game: &G) {
        let variant = self.variant(game);
        for seat in 0..self.process_pool.seats() {
            // A bot that does not start reports its fault at its first decision.
            let _ = self.process_pool.supervisor(self.context.thread, seat).start(&variant);
        }
    }

    fn renew(&mut self) {
        for seat in 0..self.process_pool.seats() {
            self.process_pool.supervisor(self.context.thread, seat).renew();
        }
    }

    fn audit(&mut self, game: &G, audited: Vec<Audited>) -> Vec<(usize, Fault)> {
        let variant = self.variant(game);
        let begun = self.process_pool.supervisor(self.context.thread, 0).begin(&variant);
        audit::ask_again(begun, audited)
    }
}
