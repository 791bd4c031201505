//! The file of a backup: written line by line, read line by line, its sum at the end.

use super::schema::{Kind, Table, is_plain};
use super::{BackupError, Contents};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::{BufRead, Write};

/// The version of the file's form.
pub const FORMAT: u32 = 1;
/// The longest line: a part of a file of the queue is a mebibyte, a third longer in base64.
const LONGEST: usize = 64 << 20;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    #[serde(rename = "parlour-backup")]
    format: u32,
    /// The newest change of the schema that was carried out.
    schema: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tail {
    rows: u64,
    sha256: String,
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Field {
    Text(Option<String>),
    Integer(Option<i64>),
    Real(Option<f64>),
    Bytes(Option<Vec<u8>>),
}

impl Field {
    fn write(&self) -> Value {
        match self {
            Self::Text(text) => Value::from(text.as_deref()),
            Self::Integer(number) => Value::from(*number),
            Self::Real(number) => Value::from(*number),
            Self::Bytes(bytes) => Value::from(bytes.as_ref().map(|bytes| STANDARD.encode(bytes))),
        }
    }

    fn read(value: Value, kind: Kind) -> Result<Self, String> {
        let unfit = |value: &Value| format!("{kind:?} was expected, not {value}");
        Ok(match (kind, value) {
            (Kind::Text, Value::Null) => Self::Text(None),
            (Kind::Integer, Value::Null) => Self::Integer(None),
            (Kind::Real, Value::Null) => Self::Real(None),
            (Kind::Bytes, Value::Null) => Self::Bytes(None),
            (Kind::Text, Value::String(text)) => Self::Text(Some(text)),
            (Kind::Bytes, Value::String(text)) => {
                Self::Bytes(Some(STANDARD.decode(text).map_err(|error| format!("bytes: {error}"))?))
            }
            (Kind::Integer, value) => Self::Integer(Some(value.as_i64().ok_or_else(|| unfit(&value))?)),
            (Kind::Real, value) => Self::Real(Some(value.as_f64().ok_or_else(|| unfit(&value))?)),
            (_, value) => return Err(unfit(&value)),
        })
    }
}

/// Writes a backup.
pub(crate) struct Writer<'a> {
    out: &'a mut (dyn Write + Send),
    sum: Sha256,
    contents: Contents,
}

impl<'a> Writer<'a> {
    pub(super) fn begin(out: &'a mut (dyn Write + Send), schema: i64) -> std::io::Result<Self> {
        let mut writer = Self { out, sum: Sha256::new(), contents: Contents { tables: 0, rows: 0 } };
        writer.line(&Head { format: FORMAT, schema })?;
        Ok(writer)
    }

    fn line(&mut self, value: &impl Serialize) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        self.sum.update(&line);
        self.out.write_all(&line)
    }

    /// Begins a table.
    pub(crate) fn table(&mut self, table: &Table) -> std::io::Result<()> {
        self.contents.tables += 1;
        self.line(table)
    }

    /// Writes a row of the table begun last.
    pub(crate) fn row(&mut self, fields: &[Field]) -> std::io::Result<()> {
        self.contents.rows += 1;
        self.line(&fields.iter().map(Field::write).collect::<Vec<_>>())
    }

    pub(super) fn end(mut self) -> std::io::Result<Contents> {
        let tail = Tail { rows: self.contents.rows, sha256: hex(&std::mem::take(&mut self.sum)) };
        self.line(&tail)?;
        self.out.flush()?;
        Ok(self.contents)
    }
}

fn hex(sum: &Sha256) -> String {
    sum.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What stands in the next line of a backup.
#[derive(Debug, PartialEq)]
pub(crate) enum Line {
    Table(Table),
    Row(Vec<Field>),
    End,
}

/// Reads a backup.
pub(crate) struct Reader<R> {
    from: R,
    pub(crate) schema: i64,
    number: u64,
    sum: Sha256,
    table: Option<Table>,
    rows: u64,
    tables: usize,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn begin(from: R) -> Result<Self, BackupError> {
        let (sum, table) = (Sha256::new(), None);
        let mut reader = Self { from, schema: 0, number: 0, sum, table, rows: 0, tables: 0 };
        let line = reader.next_line()?;
        let head: Head = serde_json::from_slice(&line)
            .map_err(|_| reader.form("this is not a backup: a head {\"parlour-backup\":…} was expected"))?;
        if head.format != FORMAT {
            return Err(reader.form(&format!("form {} of a backup: this program reads {FORMAT}", head.format)));
        }
        reader.sum.update(&line);
        reader.schema = head.schema;
        Ok(reader)
    }

    /// Reads a backup to its end: every line, the number of rows, the sum.
    pub(super) fn check(from: R) -> Result<Contents, BackupError> {
        let mut reader = Self::begin(from)?;
        while reader.next()? != Line::End {}
        Ok(Contents { tables: reader.tables, rows: reader.rows })
    }

    /// The next line.
    pub(crate) fn next(&mut self) -> Result<Line, BackupError> {
        let line = self.next_line()?;
        let read = match line.first() {
            Some(b'[') => self.row(&line)?,
            _ if line.starts_with(b"{\"table\"") => self.begin_table(&line)?,
            _ => self.end(&line)?,
        };
        self.sum.update(&line);
        Ok(read)
    }

    fn row(&mut self, line: &[u8]) -> Result<Line, BackupError> {
        let values: Vec<Value> = serde_json::from_slice(line).map_err(|error| self.form(&error.to_string()))?;
        let Some(table) = &self.table else { return Err(self.form("a row before any table")) };
        if values.len() != table.columns.len() {
            let (wanted, found) = (table.columns.len(), values.len());
            return Err(self.form(&format!("{} has {wanted} columns, not {found}", table.table)));
        }
        let read = |(value, kind)| Field::read(value, kind);
        let kinds = table.columns.iter().map(|column| column.kind);
        let fields = values.into_iter().zip(kinds).map(read).collect::<Result<_, _>>();
        self.rows += 1;
        Ok(Line::Row(fields.map_err(|what| self.form(&what))?))
    }

    fn begin_table(&mut self, line: &[u8]) -> Result<Line, BackupError> {
        let table: Table = serde_json::from_slice(line).map_err(|error| self.form(&error.to_string()))?;
        let names = table.columns.iter().map(|column| &column.name).chain([&table.table]);
        if let Some(odd) = names.into_iter().find(|name| !is_plain(name)) {
            return Err(self.form(&format!("{odd:?} is no name of a table or column")));
        }
        if table.columns.is_empty() {
            return Err(self.form(&format!("{} has no columns", table.table)));
        }
        self.tables += 1;
        self.table = Some(table.clone());
        Ok(Line::Table(table))
    }

    fn end(&mut self, line: &[u8]) -> Result<Line, BackupError> {
        let tail: Tail =
            serde_json::from_slice(line).map_err(|_| self.form("neither a table, nor a row, nor the end"))?;
        if tail.rows != self.rows {
            return Err(self.form(&format!("{} rows were written, {} are here", tail.rows, self.rows)));
        }
        if tail.sha256 != hex(&self.sum) {
            return Err(self.form("the sum is wrong: the file was changed or damaged"));
        }
        let mut rest = [0];
        if self.from.read(&mut rest)? != 0 {
            return Err(self.form("something follows the end"));
        }
        Ok(Line::End)
    }

    fn next_line(&mut self) -> Result<Vec<u8>, BackupError> {
        self.number += 1;
        let mut line = Vec::new();
        std::io::Read::take(&mut self.from, LONGEST as u64).read_until(b'\n', &mut line)?;
        match line.last() {
            Some(b'\n') => Ok(line),
            None => Err(self.form("the file ends before the backup does")),
            Some(_) if line.len() >= LONGEST => Err(self.form("the line is longer than any of a backup")),
            Some(_) => Err(self.form("the file ends in the middle of a line")),
        }
    }

    fn form(&self, what: &str) -> BackupError {
        BackupError::Form { line: self.number, what: what.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::Column;
    use super::*;
    use std::io::Cursor;

    fn sample() -> Vec<u8> {
        let column = |name: &str, kind| Column { name: name.to_owned(), kind };
        let columns = vec![column("a", Kind::Text), column("b", Kind::Integer), column("c", Kind::Bytes)];
        let mut bytes = Vec::new();
        let mut writer = Writer::begin(&mut bytes, 3).expect("memory takes it");
        writer.table(&Table { table: "things".into(), columns }).expect("memory takes it");
        let row =
            [Field::Text(Some("ž\n\u{0}".into())), Field::Integer(Some(i64::MIN)), Field::Bytes(Some(vec![0, 255]))];
        writer.row(&row).expect("memory takes it");
        writer.row(&[Field::Text(None), Field::Integer(None), Field::Bytes(None)]).expect("memory takes it");
        writer.end().expect("memory takes it");
        bytes
    }

    #[test]
    fn a_backup_is_read_as_it_was_written() {
        assert_eq!(Reader::check(Cursor::new(sample())).unwrap(), Contents { tables: 1, rows: 2 });
        let mut reader = Reader::begin(Cursor::new(sample())).unwrap();
        assert!(matches!(reader.next().unwrap(), Line::Table(table) if table.table == "things"));
        let Line::Row(fields) = reader.next().unwrap() else { panic!("a row") };
        assert_eq!(fields[1], Field::Integer(Some(i64::MIN)));
        assert_eq!(fields[2], Field::Bytes(Some(vec![0, 255])));
    }

    #[test]
    fn any_byte_that_is_changed_missing_or_added_is_noticed() {
        let good = sample();
        for at in 0..good.len() {
            let mut changed = good.clone();
            changed[at] ^= 1;
            assert!(Reader::check(Cursor::new(changed)).is_err(), "byte {at}");
            assert!(Reader::check(Cursor::new(good[..at].to_vec())).is_err(), "cut at {at}");
        }
        let longer = [good.as_slice(), b"x"].concat();
        assert!(Reader::check(Cursor::new(longer)).is_err());
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_refused_without_a_panic(bytes: Vec<u8>) {
            let _ = Reader::check(Cursor::new(bytes));
        }

        #[test]
        fn any_lines_are_refused_without_a_panic(lines in proptest::collection::vec("\\PC*", 0..6)) {
            let text = format!("{{\"parlour-backup\":1,\"schema\":3}}\n{}\n", lines.join("\n"));
            let _ = Reader::check(Cursor::new(text.into_bytes()));
        }
    }
}
