//! A log of deals for a user's own analysis, with a row for each deal and seat.
//!
//! During a run its deals are spooled to files of a fixed form in its folder, from which the run can resume.
//! At the end the log is written from them, by variant and in the order of deals. It does not depend on
//! threads, segments and shards.

mod form;
#[cfg(feature = "parquet")]
mod parquet;
mod row;
mod spool;
mod text;

pub use form::LogForm;
#[cfg(feature = "cli")]
pub(super) use row::LogRow;
pub use spool::{Spool, SpooledRun};

use std::path::Path;

use overtrick_run::{Threads, write_whole};
use overtrick_toml::InputError;
use overtrick_tournament::{LoggedDeal, Tournament};

use self::row::Names;

/// Writes the log of a tournament from the spools of its run, or of its shards in order.
///
/// The file is either complete, or as it was before.
///
/// # Errors
/// If a spool cannot be read, or the file cannot be written.
pub fn write_log(
    file: &Path,
    form: LogForm,
    tournament: &Tournament,
    runs: &[SpooledRun],
    threads: &Threads,
) -> Result<(), InputError> {
    let variants: Vec<Names> = (0..tournament.variants.len()).map(|variant| Names::new(tournament, variant)).collect();
    let written = write_whole(file, |out| {
        threads.pool().install(|| match form {
            LogForm::Text(form) => text::write(out, form, &variants, runs),
            #[cfg(feature = "parquet")]
            LogForm::Parquet => parquet::write(out, &variants, runs),
        })
    });
    match written {
        Ok(()) => Ok(()),
        Err(Failure::Spool(error)) => Err(error),
        Err(Failure::Log(error)) => {
            let problem = format!("the log cannot be written: {error}; make room, and go on with --resume");
            Err(InputError::file(file, problem).by_system(&error))
        }
    }
}

/// Calls `take` with the deals of a variant in order: a multiple of `piece` at a time, then the rest.
///
/// So pieces end at the same deals for any shards. At most `most` deals are read at a time.
fn take_pieces(
    runs: &[SpooledRun],
    names: &Names<'_>,
    most: usize,
    piece: usize,
    mut take: impl FnMut(&[LoggedDeal]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut waiting: Vec<LoggedDeal> = Vec::new();
    for run in runs {
        run.read(names, most, |deals| {
            waiting.extend(deals);
            let whole = waiting.len() - waiting.len() % piece;
            take(&waiting[..whole])?;
            waiting.drain(..whole);
            Ok(())
        })?;
    }
    take(&waiting)
}

/// The reason why a log is not written.
enum Failure {
    /// A spool cannot be read.
    Spool(InputError),
    /// The log cannot be written.
    Log(std::io::Error),
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        Failure::Spool(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Log(error)
    }
}
