//! Flaws of what was read from files.

/// A description of invalid numbers that were read, in words that continue "its".
pub type Flaw = &'static str;

/// Returns the flaw as an error unless `holds`.
pub fn ensure(holds: bool, flaw: Flaw) -> Result<(), Flaw> {
    if holds { Ok(()) } else { Err(flaw) }
}
