//! The end of a match.

use overtrick_game::{AtTarget, Ending, TieRule};
use overtrick_toml::InputError;

use super::resolver::Resolver;
use crate::source::{EndWord, TiesWord};

/// Returns the ending of a file. `penalty` says whether points are bad.
///
/// # Errors
/// The first wrong key of the table `match`.
pub fn ending(resolver: &Resolver<'_>, penalty: bool) -> Result<Ending, InputError> {
    let keys = &resolver.file.keys().end;
    let end = keys.end.as_ref().map_or(Ok(EndWord::Target), |end| resolver.choice(&["match", "end"], end))?;
    // Both are read, so that a wrong one is found even where it does not count.
    let target = keys.target.as_ref().map(|target| resolver.amount(&["match", "target"], target)).transpose()?;
    let loss = keys.loss_at.as_ref().map(|loss| resolver.amount(&["match", "loss-at"], loss)).transpose()?;
    let deals = keys.deals.as_ref().map(|deals| resolver.amount(&["match", "deals"], deals)).transpose()?;
    let ties = match &keys.ties {
        Some(ties) => resolver.choice(&["match", "ties"], ties)?,
        None => TiesWord::ExtraDeal,
    };
    let ties = match ties {
        TiesWord::ExtraDeal => AtTarget::Highest(TieRule::HighestThenExtraDeal),
        TiesWord::Shared => AtTarget::Highest(TieRule::HighestThenShared),
        TiesWord::Seat => AtTarget::Highest(TieRule::HighestThenSeat),
        TiesWord::PlayOn => AtTarget::PlayOn,
    };
    if loss.is_some() && penalty {
        return Err(resolver.error(&["match", "loss-at"], "does nothing where points are bad; set `target`"));
    }
    match end {
        EndWord::Target => match (target, ties) {
            (Some(points), ties) if !penalty && loss.is_none() => Ok(Ending::Target { points, ties }),
            (Some(points), AtTarget::Highest(ties)) => Ok(match loss {
                Some(low) => Ending::Limits { low, high: Some(points), ties },
                None => Ending::Limits { low: -points, high: None, ties },
            }),
            (Some(_), _) => {
                let problem = "is for a match that only a reached target ends; choose \"extra-deal\", \"shared\" or \
                               \"seat\"";
                Err(resolver.error(&["match", "ties"], problem))
            }
            (None, _) => {
                Err(resolver.error(&["match"], "needs `target`, the total that ends it, or `end = \"deals\"`"))
            }
        },
        EndWord::Deals => match deals.and_then(|deals| u32::try_from(deals).ok()) {
            Some(deals) => Ok(Ending::Deals(deals)),
            None => Err(resolver.error(&["match"], "needs `deals`, the number of deals, since `end` is \"deals\"")),
        },
    }
}
