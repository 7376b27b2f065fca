//! Games in TOML files.
//!
//! A file declares its game as data: deck, deal, play, score and match. Short integer [`expression`]s stand
//! where a number depends on options or on the deal.

pub mod compile;
mod declared;
pub mod expression;
mod prose;
pub mod source;

pub use declared::{
    CardAmount, DeclaredGame, DeclaredPhase, DeclaredPublic, FileRules, GameSurvey, MeanScore, SurveyedContract,
    SurveyedMatches, TrumpOffer,
};
pub use prose::rules_page;
