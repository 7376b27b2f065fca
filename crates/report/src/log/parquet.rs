//! Logs in Parquet: the same rows in columns, compressed with Snappy.

use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use overtrick_tournament::LoggedDeal;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::{ColumnCloseResult, get_column_writer, get_typed_column_writer};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, Type};
use rayon::prelude::*;

use super::row::{LogRow, Names};
use super::spool::SpooledRun;
use super::{Failure, take_pieces};

/// The deals of a row group: many for fast readers, but few enough to save memory. The bytes of a log depend
/// on it.
const GROUP: usize = 1 << 15;

/// The function that reads a column's values from rows, by type.
enum Values {
    Text(fn(&LogRow<'_>) -> Option<ByteArray>),
    Long(fn(&LogRow<'_>) -> Option<i64>),
    Short(fn(&LogRow<'_>) -> Option<i32>),
    Flag(fn(&LogRow<'_>) -> Option<bool>),
}

/// A column, and whether it has a value in each row.
struct Column {
    name: &'static str,
    is_complete: bool,
    values: Values,
}

const fn complete(name: &'static str, values: Values) -> Column {
    Column { name, is_complete: true, values }
}

const fn optional(name: &'static str, values: Values) -> Column {
    Column { name, is_complete: false, values }
}

/// The columns, in the order of the other forms.
const COLUMNS: [Column; 19] = [
    complete("variant", Values::Text(|row| Some(row.variant.into()))),
    optional("match", Values::Long(|row| row.r#match.map(|number| number as i64))),
    complete("deal", Values::Long(|row| Some(row.deal as i64))),
    complete("line-up", Values::Long(|row| Some(row.line_up.into()))),
    complete("seating", Values::Short(|row| Some(row.seating.into()))),
    complete("dealer", Values::Short(|row| Some(row.dealer.into()))),
    complete("seat", Values::Short(|row| Some(row.seat.into()))),
    complete("bot", Values::Text(|row| Some(row.bot.into()))),
    complete("role", Values::Text(|row| Some(row.role.into()))),
    complete("score", Values::Short(|row| Some(row.score))),
    complete("result", Values::Text(|row| Some(row.result.into()))),
    optional("place", Values::Short(|row| row.place.map(i32::from))),
    complete("tricks", Values::Short(|row| Some(row.tricks.into()))),
    optional("contract", Values::Text(|row| row.contract.map(ByteArray::from))),
    optional("declarer", Values::Short(|row| row.declarer.map(i32::from))),
    optional("made", Values::Flag(|row| row.made)),
    complete("exceptional", Values::Flag(|row| Some(row.exceptional))),
    complete("forfeited", Values::Flag(|row| Some(row.forfeited))),
    complete("dummy-tricks", Values::Short(|row| Some(row.dummy_tricks.into()))),
];

impl Column {
    fn schema(&self) -> Type {
        let (physical, logical) = match self.values {
            Values::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Values::Long(_) => (Physical::INT64, None),
            Values::Short(_) => (Physical::INT32, None),
            Values::Flag(_) => (Physical::BOOLEAN, None),
        };
        let repetition = if self.is_complete { Repetition::REQUIRED } else { Repetition::OPTIONAL };
        let column = Type::primitive_type_builder(self.name, physical);
        column.with_repetition(repetition).with_logical_type(logical).build().expect("a plain column")
    }

    /// Returns the column of some rows as in the file.
    fn encode(
        &self,
        rows: &[LogRow<'_>],
        about: ColumnDescPtr,
        properties: WriterPropertiesPtr,
    ) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        match self.values {
            Values::Text(value) => encode::<ByteArrayType>(rows, value, about, properties),
            Values::Long(value) => encode::<Int64Type>(rows, value, about, properties),
            Values::Short(value) => encode::<Int32Type>(rows, value, about, properties),
            Values::Flag(value) => encode::<BoolType>(rows, value, about, properties),
        }
    }
}

fn encode<T: DataType>(
    rows: &[LogRow<'_>],
    value: fn(&LogRow<'_>) -> Option<T::T>,
    about: ColumnDescPtr,
    properties: WriterPropertiesPtr,
) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
    let is_optional = about.max_def_level() > 0;
    let (mut there, mut values) = (Vec::new(), Vec::with_capacity(rows.len()));
    for row in rows {
        let value = value(row);
        if is_optional {
            there.push(i16::from(value.is_some()));
        }
        values.extend(value);
    }
    let mut bytes = TrackedWrite::new(Vec::new());
    let pages = Box::new(SerializedPageWriter::new(&mut bytes));
    let mut writer = get_typed_column_writer::<T>(get_column_writer(about, properties, pages));
    writer.write_batch(&values, is_optional.then_some(&there), None)?;
    let close = writer.close()?;
    Ok((bytes.into_inner()?.into(), close))
}

/// Writes the log of these variants.
pub(super) fn write(out: &mut (impl Write + Send), variants: &[Names<'_>], runs: &[SpooledRun]) -> Result<(), Failure> {
    let fields = COLUMNS.iter().map(|column| Arc::new(column.schema())).collect();
    let schema = Type::group_type_builder("deals").with_fields(fields).build().expect("a plain table");
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("overtrick ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    let mut writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
    for names in variants {
        take_pieces(runs, names, GROUP, GROUP, |deals| {
            deals.chunks(GROUP).try_for_each(|deals| group(&mut writer, names, deals)).map_err(failed)
        })?;
    }
    writer.close().map_err(failed)?;
    Ok(())
}

/// Writes a row group.
fn group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    names: &Names<'_>,
    deals: &[LoggedDeal],
) -> Result<(), ParquetError> {
    let rows: Vec<LogRow<'_>> = deals.iter().flat_map(|deal| names.rows(deal)).collect();
    let (schema, properties) = (writer.schema_descr().columns().to_vec(), Arc::clone(writer.properties()));
    let encode = |(column, about): (&Column, ColumnDescPtr)| column.encode(&rows, about, Arc::clone(&properties));
    let columns: Vec<_> = COLUMNS.par_iter().zip(schema).map(encode).collect::<Result<_, _>>()?;
    let mut group = writer.next_row_group()?;
    for (bytes, close) in columns {
        group.append_column(&bytes, close)?;
    }
    group.close()?;
    Ok(())
}

fn failed(error: ParquetError) -> Failure {
    Failure::Log(match error {
        ParquetError::External(error) => match error.downcast::<std::io::Error>() {
            Ok(error) => *error,
            Err(error) => std::io::Error::other(error),
        },
        error => std::io::Error::other(error),
    })
}
