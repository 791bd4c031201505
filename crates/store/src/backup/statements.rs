//! Everything out of the database and into it again; compiled for each database (`super::Db`).

use super::{Db, SNAPSHOT, TABLES};
use crate::backup::BackupError;
use crate::backup::file::{Field, Line, Reader, Writer};
use crate::backup::schema::{Column, Kind, PASSING, Table, is_plain, order};
use crate::migrations;
use futures_util::TryStreamExt;
use sqlx::{AssertSqlSafe, Database, Row};
use std::io::BufRead;

type Connection = <Db as Database>::Connection;
type DbRow = <Db as Database>::Row;
type Answer<T> = Result<T, BackupError>;

/// Writes every row of every table, as of one moment.
pub(crate) async fn dump(connection: &mut Connection, writer: &mut Writer<'_>) -> Answer<()> {
    sqlx::query(SNAPSHOT).execute(&mut *connection).await?;
    for table in tables(connection).await? {
        writer.table(&table)?;
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        // in the order of all columns, so that the same contents give the same file
        let sql = format!("SELECT {0} FROM {1} ORDER BY {0}", columns.join(", "), table.table);
        let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(&mut *connection);
        while let Some(row) = rows.try_next().await? {
            writer.row(&fields(&row, &table.columns)?)?;
        }
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}

fn fields(row: &DbRow, columns: &[Column]) -> Result<Vec<Field>, sqlx::Error> {
    let field = |(at, column): (usize, &Column)| {
        Ok(match column.kind {
            Kind::Text => Field::Text(row.try_get(at)?),
            Kind::Integer => Field::Integer(row.try_get(at)?),
            Kind::Real => Field::Real(row.try_get(at)?),
            Kind::Bytes => Field::Bytes(row.try_get(at)?),
        })
    };
    columns.iter().enumerate().map(field).collect()
}

/// Our tables with their columns, those first that others refer to.
pub(crate) async fn tables(connection: &mut Connection) -> Answer<Vec<Table>> {
    let mut tables: Vec<Table> = Vec::new();
    for row in sqlx::query(TABLES).fetch_all(connection).await? {
        let (table, name, declared): (String, String, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if PASSING.contains(&table.as_str()) {
            continue;
        }
        let kind = Kind::of(&declared).filter(|_| is_plain(&name) && is_plain(&table));
        let kind = kind.ok_or_else(|| {
            crate::StoreError::Database(format!("{table}.{name} is {declared}: a backup does not know such columns"))
        })?;
        let column = Column { name, kind };
        match tables.last_mut() {
            Some(last) if last.table == table => last.columns.push(column),
            _ => tables.push(Table { table, columns: vec![column] }),
        }
    }
    order(&mut tables);
    Ok(tables)
}

/// Puts a backup into the tables, in one transaction.
pub(crate) async fn load<R: BufRead + Send>(
    connection: &mut Connection,
    reader: &mut Reader<R>,
    overwrite: bool,
) -> Answer<()> {
    let known = migrations::newest();
    if reader.schema > known {
        return Err(BackupError::Newer { found: reader.schema, known });
    }
    sqlx::query(super::WRITING).execute(&mut *connection).await?;
    let ours = tables(connection).await?;
    let mut rows = 0;
    for table in &ours {
        let sql = format!("SELECT COUNT(*) FROM {}", table.table);
        rows += sqlx::query(AssertSqlSafe(sql)).fetch_one(&mut *connection).await?.try_get::<i64, _>(0)?;
    }
    if rows > 0 && !overwrite {
        return Err(BackupError::NotEmpty(rows));
    }
    for table in ours.iter().rev() {
        let sql = format!("DELETE FROM {}", table.table);
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *connection).await?;
    }
    let mut insert = String::new();
    loop {
        match reader.next()? {
            Line::Table(table) => insert = insertion(&table, &ours)?,
            Line::Row(fields) => put(connection, &insert, fields).await?,
            Line::End => break,
        }
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}

fn insertion(table: &Table, ours: &[Table]) -> Answer<String> {
    let unknown = |what: String| {
        BackupError::Store(crate::StoreError::Database(format!(
            "the backup has {what}, which this program does not know"
        )))
    };
    let own = ours.iter().find(|own| own.table == table.table);
    let own = own.ok_or_else(|| unknown(format!("a table {}", table.table)))?;
    if let Some(other) = table.columns.iter().find(|column| !own.columns.contains(column)) {
        return Err(unknown(format!("a column {}.{} of {:?}", table.table, other.name, other.kind)));
    }
    let columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let places: Vec<String> = (1..=columns.len()).map(|number| format!("${number}")).collect();
    Ok(format!("INSERT INTO {} ({}) VALUES ({})", table.table, columns.join(", "), places.join(", ")))
}

async fn put(connection: &mut Connection, insert: &str, fields: Vec<Field>) -> Answer<()> {
    let mut query = sqlx::query(AssertSqlSafe(insert.to_owned()));
    for field in fields {
        query = match field {
            Field::Text(value) => query.bind(value),
            Field::Integer(value) => query.bind(value),
            Field::Real(value) => query.bind(value),
            Field::Bytes(value) => query.bind(value),
        };
    }
    query.execute(connection).await?;
    Ok(())
}
