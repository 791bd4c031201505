//! Every statement of the store, once; compiled for each database (`super::Db`).

use super::Db;
use crate::rows::{
    Append, GameFilter, GameRow, GameState, GuestRow, GuestUsage, LogEntry, NewGame, SeatChange, SeatKind, SeatRow,
};
use crate::writer::Write;
use crate::{SecretHash, StoreError};
use sqlx::{Database, Row};

type Connection = <Db as Database>::Connection;
type DbRow = <Db as Database>::Row;
type Answer<T> = Result<T, StoreError>;

/// Carries out one write inside the caller's transaction. A conflict is found before anything is changed.
pub(crate) async fn write(connection: &mut Connection, write: &Write) -> Answer<()> {
    match write {
        Write::Create(new) => create(connection, new).await,
        Write::Append(append) => self::append(connection, append).await,
        Write::Guest(guest) => put_guest(connection, guest).await,
        Write::Rename { guest, name } => {
            let sql = "UPDATE guests SET name = $1 WHERE id = $2";
            sqlx::query(sql).bind(name).bind(guest).execute(connection).await?;
            Ok(())
        }
        Write::Account(write) => super::account_statements::write(connection, write).await,
        Write::Delete { state, before_ms } => {
            let sql = "DELETE FROM games WHERE state = $1 AND updated_ms < $2";
            sqlx::query(sql).bind(state.as_str()).bind(before_ms).execute(connection).await?;
            Ok(())
        }
        Write::Probe { at_ms } => {
            let sql = "INSERT INTO house (name, value) VALUES ('probed_ms', $1) \
                       ON CONFLICT (name) DO UPDATE SET value = excluded.value";
            sqlx::query(sql).bind(*at_ms).execute(connection).await?;
            Ok(())
        }
        Write::Jobs(write) => super::job_statements::write(connection, write).await,
    }
}

async fn create(connection: &mut Connection, new: &NewGame) -> Answer<()> {
    let row = &new.row;
    let sql = "INSERT INTO games (id, game, rules_version, settings, seats, seed, terms, listed, state, wake, head, \
               summary, created_ms, updated_ms) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT DO NOTHING";
    let done = sqlx::query(sql)
        .bind(&row.id)
        .bind(&row.game)
        .bind(i64::from(row.rules_version))
        .bind(&row.settings)
        .bind(i64::from(row.seats))
        .bind(row.seed.cast_signed())
        .bind(&row.terms)
        .bind(i64::from(row.listed))
        .bind(row.state.as_str())
        .bind(i64::from(row.wake))
        .bind(row.head)
        .bind(&row.summary)
        .bind(row.created_ms)
        .bind(row.updated_ms)
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() == 0 {
        return Err(StoreError::Conflict { game: row.id.clone(), after: 0 });
    }
    for seat in &new.seats {
        put_seat(connection, &row.id, seat).await?;
    }
    put_entries(connection, &row.id, &new.entries).await
}

async fn append(connection: &mut Connection, append: &Append) -> Answer<()> {
    let sql = "UPDATE games SET head = $1, seats = $2, state = $3, wake = $4, summary = $5, updated_ms = $6 \
               WHERE id = $7 AND head = $8";
    let done = sqlx::query(sql)
        .bind(append.entries.last().map_or(append.after, |entry| entry.seq))
        .bind(i64::from(append.seats))
        .bind(append.state.as_str())
        .bind(i64::from(append.wake))
        .bind(&append.summary)
        .bind(append.updated_ms)
        .bind(&append.game)
        .bind(append.after)
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() == 0 {
        return Err(StoreError::Conflict { game: append.game.clone(), after: append.after });
    }
    for change in &append.seat_changes {
        match change {
            SeatChange::Taken(seat) => put_seat(connection, &append.game, seat).await?,
            SeatChange::Left(seat) => {
                let sql = "DELETE FROM seats WHERE game_id = $1 AND seat = $2";
                sqlx::query(sql).bind(&append.game).bind(i64::from(*seat)).execute(&mut *connection).await?;
            }
        }
    }
    put_entries(connection, &append.game, &append.entries).await
}

async fn put_entries(connection: &mut Connection, game: &str, entries: &[LogEntry]) -> Answer<()> {
    let sql = "INSERT INTO events (game_id, seq, at_ms, body) VALUES ($1, $2, $3, $4)";
    for entry in entries {
        sqlx::query(sql)
            .bind(game)
            .bind(entry.seq)
            .bind(entry.at_ms)
            .bind(&entry.body)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn put_seat(connection: &mut Connection, game: &str, seat: &SeatRow) -> Answer<()> {
    let sql = "INSERT INTO seats (game_id, seat, kind, guest_id, level, token_hash) VALUES ($1, $2, $3, $4, $5, $6) \
               ON CONFLICT (game_id, seat) DO UPDATE SET kind = excluded.kind, guest_id = excluded.guest_id, \
               level = excluded.level, token_hash = excluded.token_hash";
    sqlx::query(sql)
        .bind(game)
        .bind(i64::from(seat.seat))
        .bind(seat.kind.as_str())
        .bind(&seat.guest_id)
        .bind(&seat.level)
        .bind(seat.token_hash.as_ref().map(SecretHash::as_str))
        .execute(connection)
        .await?;
    Ok(())
}

async fn put_guest(connection: &mut Connection, guest: &GuestRow) -> Answer<()> {
    let sql = "INSERT INTO guests (id, name, secret_hash, created_ms, seen_ms) VALUES ($1, $2, $3, $4, $5) \
               ON CONFLICT (secret_hash) DO NOTHING";
    sqlx::query(sql)
        .bind(&guest.id)
        .bind(&guest.name)
        .bind(guest.secret_hash.as_str())
        .bind(guest.created_ms)
        .bind(guest.seen_ms)
        .execute(connection)
        .await?;
    Ok(())
}

const GAME_COLUMNS: &str = "id, game, rules_version, settings, seats, seed, terms, listed, state, wake, head, \
                            summary, created_ms, updated_ms";

fn game_row(row: &DbRow) -> Result<GameRow, sqlx::Error> {
    Ok(GameRow {
        id: row.try_get(0)?,
        game: row.try_get(1)?,
        rules_version: row.try_get::<i64, _>(2)? as u32,
        settings: row.try_get(3)?,
        seats: row.try_get::<i64, _>(4)? as u8,
        seed: row.try_get::<i64, _>(5)?.cast_unsigned(),
        terms: row.try_get(6)?,
        listed: row.try_get::<i64, _>(7)? != 0,
        state: GameState::parse(row.try_get(8)?),
        wake: row.try_get::<i64, _>(9)? != 0,
        head: row.try_get(10)?,
        summary: row.try_get(11)?,
        created_ms: row.try_get(12)?,
        updated_ms: row.try_get(13)?,
    })
}

fn game_rows(rows: &[DbRow]) -> Answer<Vec<GameRow>> {
    Ok(rows.iter().map(game_row).collect::<Result<_, _>>()?)
}

pub(crate) async fn game(connection: &mut Connection, id: &str) -> Answer<Option<GameRow>> {
    let sql = sqlx::AssertSqlSafe(format!("SELECT {GAME_COLUMNS} FROM games WHERE id = $1"));
    let row = sqlx::query(sql).bind(id).fetch_optional(connection).await?;
    Ok(row.as_ref().map(game_row).transpose()?)
}

/// The newest listed games that fit.
pub(crate) async fn list(connection: &mut Connection, filter: &GameFilter) -> Answer<Vec<GameRow>> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {GAME_COLUMNS} FROM games WHERE listed = 1 AND ($1 = '' OR game = $1) AND ($2 = '' OR state = $2) \
         ORDER BY updated_ms DESC, id LIMIT $3"
    ));
    let rows = sqlx::query(sql)
        .bind(filter.game.as_deref().unwrap_or(""))
        .bind(filter.state.map_or("", GameState::as_str))
        .bind(i64::from(filter.limit))
        .fetch_all(connection)
        .await?;
    game_rows(&rows)
}

/// The games of a guest: those not over first, then the newest.
pub(crate) async fn games_of(connection: &mut Connection, guest: &str, limit: u32) -> Answer<Vec<GameRow>> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {GAME_COLUMNS} FROM games WHERE id IN (SELECT game_id FROM seats WHERE guest_id = $1) \
         ORDER BY CASE WHEN state = 'over' THEN 1 ELSE 0 END, updated_ms DESC, id LIMIT $2"
    ));
    let rows = sqlx::query(sql).bind(guest).bind(i64::from(limit)).fetch_all(connection).await?;
    game_rows(&rows)
}

/// The ids of all games of a guest, the newest first.
pub(crate) async fn game_ids_of(connection: &mut Connection, guest: &str) -> Answer<Vec<String>> {
    let sql = "SELECT id FROM games WHERE id IN (SELECT game_id FROM seats WHERE guest_id = $1) \
               ORDER BY updated_ms DESC, id";
    let rows = sqlx::query(sql).bind(guest).fetch_all(connection).await?;
    Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
}

/// How much of the store the games of a guest take.
pub(crate) async fn usage_of(connection: &mut Connection, guest: &str) -> Answer<GuestUsage> {
    let sql = "SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN state = 'over' THEN 0 ELSE 1 END), 0) AS BIGINT), \
               CAST(COALESCE(SUM(LENGTH(settings) + 100 * head), 0) AS BIGINT) \
               FROM games WHERE id IN (SELECT game_id FROM seats WHERE guest_id = $1)";
    let row = sqlx::query(sql).bind(guest).fetch_one(connection).await?;
    Ok(GuestUsage { stored: row.try_get(0)?, open: row.try_get(1)?, bytes: row.try_get(2)? })
}

/// Games that go on by themselves.
pub(crate) async fn to_wake(connection: &mut Connection) -> Answer<Vec<String>> {
    let sql = "SELECT id FROM games WHERE wake = 1 ORDER BY updated_ms DESC";
    let rows = sqlx::query(sql).fetch_all(connection).await?;
    Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
}

/// Games of a state in which nothing has happened since `before_ms`.
pub(crate) async fn idle(connection: &mut Connection, state: GameState, before_ms: i64) -> Answer<Vec<String>> {
    let sql = "SELECT id FROM games WHERE state = $1 AND updated_ms < $2 ORDER BY updated_ms LIMIT 1000";
    let rows = sqlx::query(sql).bind(state.as_str()).bind(before_ms).fetch_all(connection).await?;
    Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
}

pub(crate) async fn log(connection: &mut Connection, game: &str, after: i64) -> Answer<Vec<LogEntry>> {
    let sql = "SELECT seq, at_ms, body FROM events WHERE game_id = $1 AND seq > $2 ORDER BY seq";
    let rows = sqlx::query(sql).bind(game).bind(after).fetch_all(connection).await?;
    let entry = |row: &DbRow| Ok(LogEntry { seq: row.try_get(0)?, at_ms: row.try_get(1)?, body: row.try_get(2)? });
    Ok(rows.iter().map(entry).collect::<Result<_, sqlx::Error>>()?)
}

pub(crate) async fn seats(connection: &mut Connection, game: &str) -> Answer<Vec<SeatRow>> {
    let sql = "SELECT seat, kind, guest_id, level, token_hash FROM seats WHERE game_id = $1 ORDER BY seat";
    let rows = sqlx::query(sql).bind(game).fetch_all(connection).await?;
    let seat = |row: &DbRow| {
        Ok(SeatRow {
            seat: row.try_get::<i64, _>(0)? as u8,
            kind: SeatKind::parse(row.try_get(1)?),
            guest_id: row.try_get(2)?,
            level: row.try_get(3)?,
            token_hash: row.try_get::<Option<String>, _>(4)?.map(SecretHash::stored),
        })
    };
    Ok(rows.iter().map(seat).collect::<Result<_, sqlx::Error>>()?)
}

fn guest_row(row: &DbRow) -> Result<GuestRow, sqlx::Error> {
    Ok(GuestRow {
        id: row.try_get(0)?,
        name: row.try_get(1)?,
        secret_hash: SecretHash::stored(row.try_get(2)?),
        created_ms: row.try_get(3)?,
        seen_ms: row.try_get(4)?,
    })
}

pub(crate) async fn guest_by_secret(connection: &mut Connection, hash: &SecretHash) -> Answer<Option<GuestRow>> {
    let sql = "SELECT id, name, secret_hash, created_ms, seen_ms FROM guests WHERE secret_hash = $1";
    let row = sqlx::query(sql).bind(hash.as_str()).fetch_optional(connection).await?;
    Ok(row.as_ref().map(guest_row).transpose()?)
}

pub(crate) async fn guest(connection: &mut Connection, id: &str) -> Answer<Option<GuestRow>> {
    let sql = "SELECT id, name, secret_hash, created_ms, seen_ms FROM guests WHERE id = $1";
    let row = sqlx::query(sql).bind(id).fetch_optional(connection).await?;
    Ok(row.as_ref().map(guest_row).transpose()?)
}

/// Whether the database answers.
pub(crate) async fn ping(connection: &mut Connection) -> Answer<()> {
    sqlx::query("SELECT 1").fetch_one(connection).await?;
    Ok(())
}
