//! The store itself: opens a database by its address and answers for it.

use crate::migrations::migrator;
use crate::rows::{Append, Entry, GameFilter, GameRow, GameState, GuestRow, NewGame, Rating, SeatRow};
use crate::writer::{Write, Writer};
use crate::{SecretHash, StoreError, postgres, sqlite};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, PgPool, SqlitePool};
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long a request may wait for a connection before the store counts as busy.
const PATIENCE: Duration = Duration::from_secs(5);
const READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 16;

/// An open store; clones share it.
#[derive(Clone)]
pub struct Store {
    backend: Backend,
}

#[derive(Clone)]
enum Backend {
    Sqlite {
        readers: SqlitePool,
        writer: Arc<Mutex<Option<Writer>>>,
        task: Arc<Mutex<Option<tokio::task::JoinHandle<()>>>>,
    },
    Postgres(PgPool),
}

/// Runs one reading statement on whichever database this is.
macro_rules! read {
    ($store:ident, $statement:ident($($argument:expr),*)) => {
        match &$store.backend {
            Backend::Sqlite { readers, .. } => {
                let mut connection = readers.acquire().await?;
                sqlite::statements::$statement(&mut connection, $($argument),*).await
            }
            Backend::Postgres(pool) => {
                let mut connection = pool.acquire().await?;
                postgres::statements::$statement(&mut connection, $($argument),*).await
            }
        }
    };
}

impl Store {
    /// Opens `sqlite:PATH` (made if it is not there) or `postgres://…`, and brings its schema up to date.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            return Self::open_postgres(address).await;
        }
        match address.strip_prefix("sqlite:") {
            Some(path) if !path.is_empty() => Self::open_sqlite(path.strip_prefix("//").unwrap_or(path)).await,
            _ => Err(StoreError::Address(format!(
                "--store {address}: an address is sqlite:PATH or postgres://USER@HOST/DATABASE"
            ))),
        }
    }

    async fn open_sqlite(path: &str) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(PATIENCE)
            .disable_statement_logging();
        let cannot = |error: sqlx::Error| StoreError::Database(format!("{path} cannot be opened: {error}"));
        let mut connection = sqlx::SqliteConnection::connect_with(&options).await.map_err(cannot)?;
        migrator().run(&mut connection).await.map_err(|error| StoreError::Database(format!("{path}: {error}")))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(PATIENCE)
            .connect_with(options)
            .await
            .map_err(cannot)?;
        let (writer, task) = Writer::start(connection);
        let (writer, task) = (Arc::new(Mutex::new(Some(writer))), Arc::new(Mutex::new(Some(task))));
        Ok(Self { backend: Backend::Sqlite { readers, writer, task } })
    }

    async fn open_postgres(address: &str) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(address)
            .map_err(|error| StoreError::Address(format!("--store: {error}")))?
            .disable_statement_logging();
        let pool = PgPoolOptions::new()
            .max_connections(POSTGRES_CONNECTIONS)
            .acquire_timeout(PATIENCE)
            .connect_with(options)
            .await
            .map_err(|error| StoreError::Database(format!("PostgreSQL does not answer: {error}")))?;
        migrator().run(&pool).await.map_err(|error| StoreError::Database(error.to_string()))?;
        Ok(Self { backend: Backend::Postgres(pool) })
    }

    /// Commits what is waiting and closes.
    pub async fn close(&self) {
        match &self.backend {
            Backend::Sqlite { readers, writer, task } => {
                drop(writer.lock().expect("no panic while held").take());
                let task = task.lock().expect("no panic while held").take();
                if let Some(task) = task {
                    let _ = task.await;
                }
                readers.close().await;
            }
            Backend::Postgres(pool) => pool.close().await,
        }
    }

    async fn write(&self, write: Write) -> Result<(), StoreError> {
        match &self.backend {
            Backend::Sqlite { writer, .. } => {
                let writer = writer.lock().expect("no panic while held").clone();
                writer.ok_or(StoreError::Closed)?.write(write).await
            }
            Backend::Postgres(pool) => {
                let mut transaction = pool.begin().await?;
                postgres::statements::write(&mut transaction, &write).await?;
                Ok(transaction.commit().await?)
            }
        }
    }

    /// Writes down a new game with its first events.
    pub async fn create(&self, game: NewGame) -> Result<(), StoreError> {
        self.write(Write::Create(Box::new(game))).await
    }

    /// Appends events to a game's log; refused as a conflict when the log has moved on.
    pub async fn append(&self, append: Append) -> Result<(), StoreError> {
        self.write(Write::Append(Box::new(append))).await
    }

    /// One game.
    pub async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        read!(self, game(id))
    }

    /// The events of a game with a sequence number above `after`.
    pub async fn log(&self, game: &str, after: i64) -> Result<Vec<Entry>, StoreError> {
        read!(self, log(game, after))
    }

    /// The taken seats of a game.
    pub async fn seats(&self, game: &str) -> Result<Vec<SeatRow>, StoreError> {
        read!(self, seats(game))
    }

    /// The newest listed games that fit.
    pub async fn list(&self, filter: &GameFilter) -> Result<Vec<GameRow>, StoreError> {
        read!(self, list(filter))
    }

    /// The games of a guest: those not over first, then the newest.
    pub async fn games_of(&self, guest: &str, limit: u32) -> Result<Vec<GameRow>, StoreError> {
        read!(self, games_of(guest, limit))
    }

    /// Running games in which a bot is to act or a clock runs: they go on by themselves after a restart.
    pub async fn to_wake(&self) -> Result<Vec<String>, StoreError> {
        read!(self, to_wake())
    }

    /// Games of a state in which nothing has happened since `before_ms`, at most a thousand.
    pub async fn idle(&self, state: GameState, before_ms: i64) -> Result<Vec<String>, StoreError> {
        read!(self, idle(state, before_ms))
    }

    /// Deletes games of a state, with their logs, in which nothing has happened since `before_ms`.
    pub async fn delete_idle(&self, state: GameState, before_ms: i64) -> Result<(), StoreError> {
        self.write(Write::Delete { state, before_ms }).await
    }

    /// Writes down a new guest, unless its secret is somebody's already: then that guest stays.
    pub async fn create_guest(&self, guest: GuestRow) -> Result<(), StoreError> {
        self.write(Write::Guest(guest)).await
    }

    /// Gives a guest another name.
    pub async fn rename_guest(&self, guest: &str, name: &str) -> Result<(), StoreError> {
        self.write(Write::Rename { guest: guest.to_owned(), name: name.to_owned() }).await
    }

    /// The guest who holds a secret.
    pub async fn guest_by_secret(&self, hash: &SecretHash) -> Result<Option<GuestRow>, StoreError> {
        read!(self, guest_by_secret(hash))
    }

    /// A guest by id.
    pub async fn guest(&self, id: &str) -> Result<Option<GuestRow>, StoreError> {
        read!(self, guest(id))
    }

    /// Writes down how strong somebody is now.
    pub async fn put_rating(&self, rating: Rating) -> Result<(), StoreError> {
        self.write(Write::Rating(rating)).await
    }

    /// Every rating of a player.
    pub async fn ratings(&self, player: &str) -> Result<Vec<Rating>, StoreError> {
        read!(self, ratings(player))
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        read!(self, ping())
    }
}
