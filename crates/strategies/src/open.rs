//! Strategies of other crates: any [`StrategySpec`], held without its type.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;

use overtrick_game::{FieldError, FullGame};
use overtrick_games::{TypeVisitor, visit_type};
use overtrick_strategy::Strategy;
use toml::Table;

use super::{BuildContext, StrategySpec};

/// A strategy of another crate with its parameters fixed.
#[derive(Clone)]
pub struct OpenSpec(Arc<dyn Inside>);

/// A specification of unknown type.
trait Inside: Any + Send + Sync {
    fn name(&self) -> &'static str;
    fn parameters(&self) -> Table;
    fn may_fault(&self) -> bool;
    fn is_like(&self, other: &dyn Any) -> bool;
    /// Builds a `Box<dyn Strategy<G>>` for the game `G` that `game` identifies.
    ///
    /// The result is `None` if `G` is neither a game of this workspace nor `OpenGame`.
    fn build(&self, game: TypeId, context: &BuildContext) -> Option<Result<Box<dyn Any>, FieldError>>;
}

impl<S: StrategySpec + 'static> Inside for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn parameters(&self) -> Table {
        StrategySpec::parameters(self)
    }

    fn may_fault(&self) -> bool {
        StrategySpec::may_fault(self)
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
    /// Wraps a specification.
    pub fn of(spec: impl StrategySpec + 'static) -> OpenSpec {
        OpenSpec(Arc::new(spec))
    }

    /// Returns the name of the strategy.
    pub fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Returns every parameter with its value.
    pub fn parameters(&self) -> Table {
        self.0.parameters()
    }

    /// Returns whether the bot can have faults.
    pub fn may_fault(&self) -> bool {
        self.0.may_fault()
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
