//! The context in which a strategy is built for a game, and adapters for games of other crates.

use std::any::Any;
use std::sync::Arc;

use overtrick_cards::Stream;
use overtrick_game::{FieldError, FullGame, Game, Move, Moves, View};
use overtrick_games::{AnyGame, OpenGame, Variant};
use overtrick_strategy::protocol::{DealEnd, DealKey, Fault};
use overtrick_strategy::{Audited, ExternalBot, Strategy};

use crate::process::ProcessPool;

/// Facts about the run for which a strategy is built. Most strategies need none of them.
#[derive(Clone, Default)]
pub struct BuildContext {
    /// The variant's name.
    pub variant: String,
    /// The preset from which its rules start.
    pub base: String,
    /// The game under the variant's rules; `None` where it cannot be a game of another crate.
    pub game: Option<AnyGame>,
    /// The number of the thread that the strategy plays on, from 0.
    pub thread: usize,
    /// The share of an external bot's decisions that are asked again, from 0 to 1.
    pub audit: f64,
    /// The processes that the strategy shares with its copies on other threads.
    pub process_pool: Option<Arc<ProcessPool>>,
}

impl BuildContext {
    /// Returns the context of a strategy that plays `variant` on one thread, without shared processes.
    pub fn of(variant: &Variant) -> BuildContext {
        BuildContext {
            variant: variant.name.clone(),
            base: variant.base.clone(),
            game: Some(variant.game.clone()),
            ..BuildContext::default()
        }
    }

    /// Returns `strategy` as a strategy for `G`, or `None` if the game is not `Own`.
    ///
    /// Use it in `StrategySpec::build` for a specification that plays only some games.
    pub fn only_for<Own: Game, G: FullGame>(
        &self,
        strategy: impl Strategy<Own> + 'static,
    ) -> Option<Box<dyn Strategy<G>>> {
        let own: Box<dyn Strategy<Own>> = Box::new(strategy);
        let open: Box<dyn Any> = match &self.game {
            Some(AnyGame::Open(game)) if game.inside::<Own>().is_some() => {
                let strategy: Box<dyn Strategy<OpenGame>> = Box::new(ForInside(own));
                Box::new(strategy)
            }
            _ => Box::new(own),
        };
        open.downcast().ok().map(|strategy| *strategy)
    }

    /// Returns the error of a specification that does not play the game `G`.
    pub fn does_not_play<G: FullGame>(&self) -> FieldError {
        FieldError { key: "", problem: format!("does not play {}", self.game_name::<G>()) }
    }

    /// Returns the name of the game `G`.
    pub fn game_name<G: Game>(&self) -> &'static str {
        match &self.game {
            Some(game) => game.name(),
            None => G::NAME,
        }
    }
}

/// A strategy for the game `Own` of another crate, adapted to [`OpenGame`].
struct ForInside<Own: Game>(Box<dyn Strategy<Own>>);

impl<Own: Game> ForInside<Own> {
    fn view<'a>(view: &View<'a, OpenGame>) -> View<'a, Own> {
        OpenGame::view(view).expect("it was built for this game")
    }

    fn game(game: &OpenGame) -> &Own {
        game.inside().expect("it was built for this game")
    }
}

impl<Own: Game> Strategy<OpenGame> for ForInside<Own> {
    fn choose(&mut self, view: &View<'_, OpenGame>, legal: Moves, rng: &mut Stream) -> Move {
        self.0.choose(&Self::view(view), legal, rng)
    }

    fn try_choose(&mut self, view: &View<'_, OpenGame>, legal: Moves, rng: &mut Stream) -> Result<Move, Fault> {
        self.0.try_choose(&Self::view(view), legal, rng)
    }

    fn gains_by_batches(&self) -> bool {
        self.0.gains_by_batches()
    }

    fn may_fault(&self) -> bool {
        self.0.may_fault()
    }

    fn external(&mut self) -> Option<&mut dyn ExternalBot<OpenGame>> {
        if self.0.external().is_some() { Some(self) } else { None }
    }
}

impl<Own: Game> ForInside<Own> {
    /// Returns the external bot behind the strategy. Its adapter is handed out only if there is one.
    fn external_bot(&mut self) -> &mut dyn ExternalBot<Own> {
        self.0.external().expect("the strategy has an external bot")
    }
}

impl<Own: Game> ExternalBot<OpenGame> for ForInside<Own> {
    fn deal_begins(&mut self, view: &View<'_, OpenGame>, key: DealKey) {
        self.external_bot().deal_begins(&Self::view(view), key);
    }

    fn deal_ends(&mut self, end: DealEnd) {
        self.external_bot().deal_ends(end);
    }

    fn start(&mut self, game: &OpenGame) {
        self.external_bot().start(Self::game(game));
    }

    fn renew(&mut self) {
        self.external_bot().renew();
    }

    fn audit(&mut self, game: &OpenGame, audited: Vec<Audited>) -> Vec<(usize, Fault)> {
        self.external_bot().audit(Self::game(game), audited)
    }
}
