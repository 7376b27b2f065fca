//! Who plays on which thread.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Redress, Tournament};
use crate::game::Game;
use crate::games::Variant;
use crate::strategies::process::Crew;
use crate::strategies::{AnyRecipe, Bot, Scene, random, rule_based};
use crate::strategy::Strategy;

/// The bots of a tournament in one variant.
pub(super) struct Cast<'a> {
    tournament: &'a Tournament,
    variant: &'a Variant,
    /// By bot: its processes, if it is outside.
    crews: Vec<Option<Arc<Crew>>>,
}

impl<'a> Cast<'a> {
    /// The cast for so many threads. No process is started yet. `stop` interrupts all waiting; logs go to the folder `logs`.
    pub(super) fn new(
        tournament: &'a Tournament,
        variant: &'a Variant,
        threads: usize,
        stop: &Arc<AtomicBool>,
        logs: Option<&Path>,
    ) -> Cast<'a> {
        let crew = |bot: &Bot| match &bot.recipe {
            AnyRecipe::Process(params) => {
                let log = logs.map(|folder| folder.join(bot.log_name()));
                Some(Arc::new(Crew::new(params, threads, log, Arc::clone(stop))))
            }
            _ => None,
        };
        Cast { tournament, variant, crews: tournament.bots.iter().map(crew).collect() }
    }

    /// The strategies of the bots for a thread, and behind them, where deals can be forfeited, the substitute.
    pub(super) fn strategies<G: Game>(&self, thread: usize) -> Vec<Box<dyn Strategy<G>>> {
        let build = |(bot, crew): (&Bot, &Option<Arc<Crew>>)| {
            let scene = Scene { crew: crew.clone(), thread, ..Scene::of(self.variant) };
            bot.recipe.build::<G>(&scene).expect("the config checked that every bot plays every game")
        };
        let bots = self.tournament.bots.iter().zip(&self.crews).map(build);
        let forfeits = self.tournament.faults.policy == Redress::ForfeitDeal;
        bots.chain(forfeits.then(|| substitute(self.variant))).collect()
    }
}

/// Who plays on for a bot that has forfeited a deal.
pub(super) fn substitute<G: Game>(variant: &Variant) -> Box<dyn Strategy<G>> {
    let scene = Scene::of(variant);
    let rule_based = AnyRecipe::RuleBased(rule_based::Params::default());
    let random = AnyRecipe::Random(random::Params::default());
    let found = [rule_based, random].iter().find_map(|recipe| recipe.build(&scene).ok());
    found.expect("random plays every game")
}
