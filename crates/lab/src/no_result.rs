//! The reason why games have no result.

use overtrick_toml::InputError;

/// The reason why games that were asked for have no result.
#[derive(Clone, Debug, PartialEq)]
pub enum NoResult {
    /// They were stopped.
    Stopped,
    /// A bot cannot be built or does not play.
    Failed(InputError),
}

impl From<InputError> for NoResult {
    fn from(error: InputError) -> NoResult {
        NoResult::Failed(error)
    }
}
