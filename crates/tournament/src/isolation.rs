//! The isolation of the external bots of a config.

use std::path::Path;

use overtrick_external::process::Isolation;
use overtrick_strategies::Bot;

/// Returns the isolation of the bots; `None` if all bots run inside the process.
pub fn isolation_of<'a>(bots: impl IntoIterator<Item = &'a Bot>) -> Option<&'a Isolation> {
    bots.into_iter().find_map(|bot| Some(&bot.spec.process()?.isolation))
}

/// Hides a folder, such as the folder of results, from the bots that run outside the process.
pub fn hide<'a>(bots: impl IntoIterator<Item = &'a mut Bot>, folder: &Path) {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    for params in bots.into_iter().filter_map(|bot| bot.spec.process_mut()) {
        params.isolation.hidden.push(folder.clone());
    }
}
