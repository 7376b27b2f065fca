//! The strategy that asks a module for its moves.

use std::sync::Arc;

use overtrick_cards::select::Portable;
use overtrick_cards::table::Seat;
use overtrick_cards::{Card, Stream};
use overtrick_game::{FullGame, Move, Moves, View};
use overtrick_games::Visitor;
use overtrick_strategy::pick;
use overtrick_strategy::protocol::{DealKey, Fault, FaultKind};
use overtrick_strategy::{Batch, Strategy};

use super::layout::{self, CARD_ANSWER};
use super::{Instance, Params, Setup};
use crate::BuildContext;

/// A strategy that asks a module for its moves.
///
/// Before each decision the module is reset to its state before the first. It cannot keep anything from one
/// decision to the next.
pub(super) struct Player {
    params: Params,
    /// The names of the variant and of the preset from which it starts.
    names: [String; 2],
    /// The running module, or `None` if it does not play the variant. The outer `None` holds until the game is known.
    instance: Option<Result<Option<Instance>, Fault>>,
}

impl Player {
    /// Returns the strategy for a module with these settings. The module is started here if the context has the game.
    pub(super) fn new(params: &Params, context: &BuildContext) -> Player {
        let names = [context.variant.clone(), context.base.clone()];
        let mut player = Player { params: params.clone(), names, instance: None };
        if let Some(game) = &context.game {
            game.visit(Start(&mut player));
        }
        player
    }

    /// Returns whether it plays the variant, as far as is known.
    pub(super) fn begun(&self) -> Result<bool, Fault> {
        match &self.instance {
            None | Some(Ok(Some(_))) => Ok(true),
            Some(Ok(None)) => Ok(false),
            Some(Err(fault)) => Err(fault.clone()),
        }
    }

    /// Returns the module, and starts it first if necessary.
    fn instance<G: FullGame>(&mut self, game: &G) -> Result<&mut Instance, Fault> {
        let Player { params, names: [variant, base], instance } = self;
        let start = || {
            let setup = Setup::of(game, variant, base, &params.settings).to_json();
            Instance::start(&params.program()?, params, setup.into())
        };
        match instance.get_or_insert_with(start) {
            Ok(Some(instance)) => Ok(instance),
            Ok(None) => Err(Fault::new(FaultKind::WrongHandshake, format!("it does not play {variant}"))),
            Err(fault) => Err(fault.clone()),
        }
    }

    fn ask<G: FullGame>(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Result<Move, Fault> {
        let decision = layout::encode(view, legal, seed(rng));
        let answer = self.instance(view.game())?.decide(&decision)?;
        if answer >= CARD_ANSWER {
            return card(view, legal, answer - CARD_ANSWER);
        }
        legal.iter().nth(answer as usize).ok_or_else(|| {
            let what = format!("it answered {answer}, where {} moves are legal, from 0 up", legal.len());
            Fault::new(FaultKind::IllegalMove, what)
        })
    }
}

/// Returns the card with this number, if it is legal or the rules accept it.
fn card<G: FullGame>(view: &View<'_, G>, legal: Moves, number: u32) -> Result<Move, Fault> {
    let cards = view.cards(view.hand_to_move()).iter();
    let named = cards.map(Move::card).find(|chosen| chosen.as_card().map(Card::index) == Some(number as usize));
    match named {
        Some(chosen) if legal.contains(chosen) || view.renege_moves().contains(chosen) => Ok(chosen),
        Some(chosen) => Err(Fault::new(FaultKind::IllegalMove, view.why_not(chosen).to_string())),
        None => Err(Fault::new(FaultKind::IllegalMove, format!("it answered card {number}, which is not in the hand"))),
    }
}

/// Returns the bot's random number for a decision, which reveals nothing about the stream.
fn seed(rng: &mut Stream) -> u32 {
    DealKey::of([0; 16], &[rng.next_u64()]).seed(Seat::Seat0, 0)
}

/// A visitor that starts a player's module for a game.
struct Start<'a>(&'a mut Player);

impl Visitor for Start<'_> {
    type Output = ();
    fn visit<G: FullGame>(self, game: &Arc<G>) {
        // The player keeps the error.
        let _ = self.0.instance(game.as_ref());
    }
}

impl<G: FullGame> Strategy<G> for Player {
    /// Plays a random move after a fault.
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move {
        self.ask(view, legal, rng).unwrap_or_else(|_| pick(legal, rng, Portable))
    }

    fn try_choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Result<Move, Fault> {
        self.ask(view, legal, rng)
    }

    fn choose_many(&mut self, batch: &mut Batch<'_, G>) {
        for nth in 0..batch.len() {
            let mut rng = batch.rng(nth).clone();
            let (view, legal, _) = batch.question(nth);
            let answer = self.ask(&view, legal, &mut rng);
            *batch.rng(nth) = rng;
            batch.answer(nth, answer);
        }
    }

    fn may_fault(&self) -> bool {
        true
    }
}
