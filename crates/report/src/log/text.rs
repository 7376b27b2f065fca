//! Logs of lines: CSV or JSON, plain or compressed with gzip.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use overtrick_tournament::LoggedDeal;
use rayon::prelude::*;

use super::form::TextForm;
use super::row::Names;
use super::spool::SpooledRun;
use super::{Failure, take_pieces};

/// The deals that are formatted and compressed together: many for good compression, but few enough for every
/// thread to get some.
///
/// The bytes of a compressed log depend on it.
const PIECE: usize = 1 << 13;

/// Writes the log of these variants.
pub(super) fn write(
    out: &mut impl Write,
    form: TextForm,
    variants: &[Names<'_>],
    runs: &[SpooledRun],
) -> Result<(), Failure> {
    let together = PIECE * rayon::current_num_threads() * 2;
    let mut is_first = true;
    for names in variants {
        take_pieces(runs, names, together, PIECE, |deals| Ok(write_deals(out, form, names, deals, &mut is_first)?))?;
    }
    Ok(())
}

/// Writes some deals in pieces; `is_first` is whether nothing is written yet.
fn write_deals(
    out: &mut impl Write,
    form: TextForm,
    names: &Names<'_>,
    deals: &[LoggedDeal],
    is_first: &mut bool,
) -> std::io::Result<()> {
    let pieces: Vec<&[LoggedDeal]> = deals.chunks(PIECE).collect();
    let is_begin = *is_first;
    let encode = |(number, deals)| piece(form, names, deals, is_begin && number == 0);
    for bytes in pieces.into_par_iter().enumerate().map(encode).collect::<std::io::Result<Vec<_>>>()? {
        out.write_all(&bytes)?;
        *is_first = false;
    }
    Ok(())
}

/// Returns the lines of some deals.
fn piece(form: TextForm, names: &Names<'_>, deals: &[LoggedDeal], has_header: bool) -> std::io::Result<Vec<u8>> {
    let rows = deals.iter().flat_map(|deal| names.rows(deal));
    let lines = if form.is_json {
        let mut lines = Vec::new();
        for row in rows {
            serde_json::to_writer(&mut lines, &row)?;
            lines.push(b'\n');
        }
        lines
    } else {
        let mut writer = csv::WriterBuilder::new().has_headers(has_header).from_writer(Vec::new());
        for row in rows {
            writer.serialize(row).map_err(std::io::Error::other)?;
        }
        writer.into_inner().map_err(|error| std::io::Error::other(error.to_string()))?
    };
    if !form.is_compressed {
        return Ok(lines);
    }
    // Gzip members can be concatenated to a single file.
    let mut encoder = GzEncoder::new(Vec::with_capacity(lines.len() / 8), Compression::fast());
    encoder.write_all(&lines)?;
    encoder.finish()
}
