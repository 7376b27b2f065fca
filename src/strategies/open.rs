//! A strategy of another crate: any type that is a [`StrategySpec`], held without its type; and strategies for one game
//! of another crate.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;

use toml::Table;

use super::{BuildContext, StrategySpec};
use crate::cards::Stream;
use crate::game::{FieldError, FullGame, Game, Move, Moves, View};
use crate::games::{OpenGame, TypeVisitor, visit_type};
use crate::protocol::{DealEnd, DealKey, Fault};
use crate::strategy::Strategy;

/// A strategy of another crate with its parameters fixed.
#[derive(Clone)]
pub struct OpenSpec(Arc<dyn Inside>);

/// A specification whose type is not known.
trait Inside: Any + Send + Sync {
    fn name(&self) -> &'static str;
    fn parameters(&self) -> Table;
    fn is_like(&self, other: &dyn Any) -> bool;
    /// A `Box<dyn Strategy<G>>` for the game `G` that `game` stands for; `None` if `G` is neither a game of this crate
    /// nor [`OpenGame`].
    fn build(&self, game: TypeId, context: &BuildContext) -> Option<Result<Box<dyn Any>, FieldError>>;
}

impl<S: StrategySpec + 'static> Inside for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn parameters(&self) -> Table {
        StrategySpec::parameters(self)
    }

    fn is_like(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn build(&self, game: TypeId, context: &BuildContext) -> Option<Result<Box<dyn Any>, FieldError>> {
        struct Build<'a, S>(&'a S, &'a BuildContext);
        impl<S: StrategySpec> TypeVisitor for Build<'_, S> {
            type Output = Result<Box<dyn Any>, FieldError>;
            fn visit<G: FullGame>(self) -> Result<Box<dyn Any>, FieldError> {
                self.0.build::<G>(self.1).map(|strategy| Box::new(strategy) as Box<dyn Any>)
            }
        }
        visit_type(game, Build(self, context))
    }
}

impl OpenSpec {
    /// Holds a specification.
    pub fn of(spec: impl StrategySpec + 'static) -> OpenSpec {
        OpenSpec(Arc::new(spec))
    }

    /// The strategy's name.
    pub fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Every parameter with its value.
    pub fn parameters(&self) -> Table {
        self.0.parameters()
    }

    pub(super) fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        let built = self.0.build(TypeId::of::<G>(), context).ok_or_else(|| context.does_not_play::<G>())??;
        Ok(*built.downcast().expect("a strategy for the game that was asked for"))
    }
}

impl PartialEq for OpenSpec {
    fn eq(&self, other: &OpenSpec) -> bool {
        self.0.is_like(&*other.0)
    }
}

impl fmt::Debug for OpenSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {{ {} }}", self.name(), self.parameters())
    }
}

/// A strategy for the game `Own` of another crate, in the form that plays [`OpenGame`].
pub(super) struct ForInside<Own: Game>(pub(super) Box<dyn Strategy<Own>>);

impl<Own: Game> ForInside<Own> {
    fn view<'a>(view: &View<'a, OpenGame>) -> View<'a, Own> {
        OpenGame::view(view).expect("it was built for this game")
    }
}

impl<Own: Game> Strategy<OpenGame> for ForInside<Own> {
    fn choose(&mut self, view: &View<'_, OpenGame>, legal: Moves, rng: &mut Stream) -> Move {
        self.0.choose(&Self::view(view), legal, rng)
    }

    fn try_choose(&mut self, view: &View<'_, OpenGame>, legal: Moves, rng: &mut Stream) -> Result<Move, Fault> {
        self.0.try_choose(&Self::view(view), legal, rng)
    }

    fn is_external(&self) -> bool {
        self.0.is_external()
    }

    fn gains_by_batches(&self) -> bool {
        self.0.gains_by_batches()
    }

    fn may_fault(&self) -> bool {
        self.0.may_fault()
    }

    fn deal_begins(&mut self, view: &View<'_, OpenGame>, key: DealKey) {
        self.0.deal_begins(&Self::view(view), key);
    }

    fn renew(&mut self) {
        self.0.renew();
    }

    fn deal_ends(&mut self, end: DealEnd) {
        self.0.deal_ends(end);
    }
}
