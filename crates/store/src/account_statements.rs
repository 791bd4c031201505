//! Every statement about accounts and ratings, once; compiled for each database (`super::Db`).

use super::Db;
use crate::accounts::{AccountRow, AccountWrite, UserData};
use crate::rows::Rating;
use crate::{SecretHash, StoreError};
use sqlx::{Database, Row};

type Connection = <Db as Database>::Connection;
type DbRow = <Db as Database>::Row;
type Answer<T> = Result<T, StoreError>;

/// Carries out one write inside the caller's transaction. A refusal is found before anything is changed.
pub(crate) async fn write(connection: &mut Connection, write: &AccountWrite) -> Answer<()> {
    match write {
        AccountWrite::Create(account) => create(connection, account).await,
        AccountWrite::Session { guest, secret, at_ms } => {
            let sql = "INSERT INTO sessions (secret_hash, guest_id, created_ms) VALUES ($1, $2, $3)";
            sqlx::query(sql).bind(secret.as_str()).bind(guest).bind(at_ms).execute(connection).await?;
            Ok(())
        }
        AccountWrite::EndSession { secret } => {
            let sql = "DELETE FROM sessions WHERE secret_hash = $1";
            sqlx::query(sql).bind(secret.as_str()).execute(&mut *connection).await?;
            // no secret hashes to this: the guest is found by its account alone
            let sql = "UPDATE guests SET secret_hash = 'ended-' || id WHERE secret_hash = $1";
            sqlx::query(sql).bind(secret.as_str()).execute(connection).await?;
            Ok(())
        }
        AccountWrite::Password { guest, password, keep } => {
            let sql = "UPDATE accounts SET password = $1 WHERE guest_id = $2";
            sqlx::query(sql).bind(password).bind(guest).execute(&mut *connection).await?;
            let sql = "DELETE FROM sessions WHERE guest_id = $1 AND secret_hash <> $2";
            sqlx::query(sql).bind(guest).bind(keep.as_str()).execute(&mut *connection).await?;
            let sql = "UPDATE guests SET secret_hash = 'ended-' || id WHERE id = $1 AND secret_hash <> $2";
            sqlx::query(sql).bind(guest).bind(keep.as_str()).execute(connection).await?;
            Ok(())
        }
        AccountWrite::Keep { guest, keepsake } => {
            let sql = "INSERT INTO keepsakes (guest_id, name, body, updated_ms) VALUES ($1, $2, $3, $4) \
                       ON CONFLICT (guest_id, name) DO UPDATE SET body = excluded.body, \
                       updated_ms = excluded.updated_ms";
            let UserData { name, body, updated_ms } = keepsake;
            sqlx::query(sql).bind(guest).bind(name).bind(body).bind(updated_ms).execute(connection).await?;
            Ok(())
        }
        AccountWrite::DeleteGuest { guest } => {
            for sql in [
                "UPDATE seats SET guest_id = NULL WHERE guest_id = $1",
                "DELETE FROM ratings WHERE player = $1",
                "DELETE FROM guests WHERE id = $1",
            ] {
                sqlx::query(sql).bind(guest).execute(&mut *connection).await?;
            }
            Ok(())
        }
        AccountWrite::Rate { game, ratings, at_ms } => rate(connection, game, ratings, *at_ms).await,
    }
}

async fn create(connection: &mut Connection, account: &AccountRow) -> Answer<()> {
    let taken = || StoreError::Taken(account.login.clone());
    let sql = "SELECT 1 FROM accounts WHERE login = $1 OR guest_id = $2";
    let query = sqlx::query(sql).bind(&account.login).bind(&account.guest_id);
    if query.fetch_optional(&mut *connection).await?.is_some() {
        return Err(taken());
    }
    let sql = "INSERT INTO accounts (guest_id, login, password, created_ms) VALUES ($1, $2, $3, $4) \
               ON CONFLICT DO NOTHING";
    let done = sqlx::query(sql)
        .bind(&account.guest_id)
        .bind(&account.login)
        .bind(&account.password)
        .bind(account.created_ms)
        .execute(connection)
        .await?;
    if done.rows_affected() == 0 { Err(taken()) } else { Ok(()) }
}

/// Writes down what a game changed, once per game; refused as a conflict when a rating has moved on meanwhile.
async fn rate(connection: &mut Connection, game: &str, ratings: &[Rating], at_ms: i64) -> Answer<()> {
    let conflict = || StoreError::Conflict { game: game.to_owned(), after: 0 };
    let sql = "SELECT 1 FROM rated WHERE game_id = $1";
    if sqlx::query(sql).bind(game).fetch_optional(&mut *connection).await?.is_some() {
        return is_done(connection, game).await;
    }
    for rating in ratings {
        let sql = "SELECT games FROM ratings WHERE player = $1 AND game = $2 AND pool = $3";
        let query = sqlx::query(sql).bind(&rating.player).bind(&rating.game).bind(&rating.pool);
        let row = query.fetch_optional(&mut *connection).await?;
        let games: i64 = row.map_or(Ok(0), |row| row.try_get(0))?;
        if games + 1 != rating.games {
            return Err(conflict());
        }
    }
    let sql = "INSERT INTO rated (game_id, at_ms) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    if sqlx::query(sql).bind(game).bind(at_ms).execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(());
    }
    for rating in ratings {
        let sql = "INSERT INTO ratings (player, game, pool, rating, deviation, volatility, games, updated_ms) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
                   ON CONFLICT (player, game, pool) DO UPDATE SET rating = excluded.rating, \
                   deviation = excluded.deviation, volatility = excluded.volatility, games = excluded.games, \
                   updated_ms = excluded.updated_ms WHERE ratings.games + 1 = excluded.games";
        let done = sqlx::query(sql)
            .bind(&rating.player)
            .bind(&rating.game)
            .bind(&rating.pool)
            .bind(rating.rating)
            .bind(rating.deviation)
            .bind(rating.volatility)
            .bind(rating.games)
            .bind(rating.updated_ms)
            .execute(&mut *connection)
            .await?;
        if done.rows_affected() == 0 {
            return Err(conflict());
        }
    }
    is_done(connection, game).await
}

/// Nothing is left to do for a game by itself.
async fn is_done(connection: &mut Connection, game: &str) -> Answer<()> {
    sqlx::query("UPDATE games SET wake = 0 WHERE id = $1 AND state = 'over'").bind(game).execute(connection).await?;
    Ok(())
}

pub(crate) async fn account(connection: &mut Connection, column: &str, value: &str) -> Answer<Option<AccountRow>> {
    let sql =
        sqlx::AssertSqlSafe(format!("SELECT guest_id, login, password, created_ms FROM accounts WHERE {column} = $1"));
    let row = sqlx::query(sql).bind(value).fetch_optional(connection).await?;
    let account = |row: &DbRow| -> Result<AccountRow, sqlx::Error> {
        Ok(AccountRow {
            guest_id: row.try_get(0)?,
            login: row.try_get(1)?,
            password: row.try_get(2)?,
            created_ms: row.try_get(3)?,
        })
    };
    Ok(row.as_ref().map(account).transpose()?)
}

pub(crate) async fn session(connection: &mut Connection, secret: &SecretHash) -> Answer<Option<String>> {
    let sql = "SELECT guest_id FROM sessions WHERE secret_hash = $1";
    let row = sqlx::query(sql).bind(secret.as_str()).fetch_optional(connection).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

pub(crate) async fn user_data(connection: &mut Connection, guest: &str) -> Answer<Vec<UserData>> {
    let sql = "SELECT name, body, updated_ms FROM keepsakes WHERE guest_id = $1 ORDER BY name";
    let rows = sqlx::query(sql).bind(guest).fetch_all(connection).await?;
    let keepsake =
        |row: &DbRow| Ok(UserData { name: row.try_get(0)?, body: row.try_get(1)?, updated_ms: row.try_get(2)? });
    Ok(rows.iter().map(keepsake).collect::<Result<_, sqlx::Error>>()?)
}

pub(crate) async fn ratings(connection: &mut Connection, player: &str) -> Answer<Vec<Rating>> {
    let sql = "SELECT player, game, pool, rating, deviation, volatility, games, updated_ms FROM ratings \
               WHERE player = $1 ORDER BY game, pool";
    let rows = sqlx::query(sql).bind(player).fetch_all(connection).await?;
    let rating = |row: &DbRow| {
        Ok(Rating {
            player: row.try_get(0)?,
            game: row.try_get(1)?,
            pool: row.try_get(2)?,
            rating: row.try_get(3)?,
            deviation: row.try_get(4)?,
            volatility: row.try_get(5)?,
            games: row.try_get(6)?,
            updated_ms: row.try_get(7)?,
        })
    };
    Ok(rows.iter().map(rating).collect::<Result<_, sqlx::Error>>()?)
}
