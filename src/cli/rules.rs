//! `overtrick rules`.

use super::{Ended, print};
use crate::games::Variant;
use crate::input::InputError;

/// Print a variant's rules as commented TOML, to be changed and fed back.
#[derive(clap::Args)]
pub struct Args {
    /// A variant's name (see `overtrick list variants`) or a variant file.
    variant: String,
}

pub fn rules(args: &Args) -> Result<Ended, InputError> {
    print(&Variant::named(&args.variant)?.to_toml());
    Ok(Ended::Done)
}
