//! The store: opens a database by its address and executes reads and writes.

use crate::accounts::{AccountRow, AccountWrite, UserData};
use crate::jobs::{JobRow, JobUpdate, JobWrite, NewRun, RunRow, RunState};
use crate::migrations::migrator;
use crate::notification::NotificationKind;
use crate::peers::{PeerEvent, Peers};
use crate::registration::ServerRegistration;
use crate::rows::{Append, GameFilter, GameRow, GameState, GuestRow, GuestUsage, LogEntry, NewGame, Rating, SeatRow};
use crate::writer::{Write, Writer};
use crate::{SecretHash, StoreError, postgres, sqlite};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, PgPool, SqlitePool};
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::AtomicI64;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::sync::mpsc;

/// Milliseconds after which the database ends a session that is silent inside a transaction.
const IDLE_IN_TRANSACTION_MS: &str = "3500";
/// Timeout for a connection, after which the store is busy.
const PATIENCE: Duration = Duration::from_secs(5);
const READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 16;

/// An open store; clones share it.
#[derive(Clone)]
pub struct Store {
    pub(crate) backend: Backend,
}

#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite {
        readers: SqlitePool,
        writer: Arc<Mutex<Option<Writer>>>,
        task: Arc<Mutex<Option<tokio::task::JoinHandle<()>>>>,
        path: Arc<Path>,
    },
    Postgres {
        pool: PgPool,
        options: Box<PgConnectOptions>,
        /// The other servers, once this one serves.
        peers: Arc<OnceLock<Peers>>,
    },
}

/// Runs one reading statement on whichever database this is.
macro_rules! read {
    ($store:ident, $statement:ident($($argument:expr),*)) => {
        read!($store, statements, $statement($($argument),*))
    };
    ($store:ident, $file:ident, $statement:ident($($argument:expr),*)) => {
        match &$store.backend {
            Backend::Sqlite { readers, .. } => {
                let mut connection = readers.acquire().await?;
                sqlite::$file::$statement(&mut connection, $($argument),*).await
            }
            Backend::Postgres { pool, .. } => {
                let mut connection = pool.acquire().await?;
                postgres::$file::$statement(&mut connection, $($argument),*).await
            }
        }
    };
}

pub(crate) use read;

/// Creates the file of a store readable by its owner only, or makes an existing one so: it holds the hashes of secrets
/// and every hand. SQLite gives the files beside it the same mode.
fn make_private(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        let file = std::fs::OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
        let mode = file.metadata()?.permissions().mode();
        if mode & 0o077 != 0 {
            file.set_permissions(std::fs::Permissions::from_mode(mode & 0o700))?;
        }
    }
    Ok(())
}

/// Why the schema is not current, in words that say what to do.
fn not_migrated(place: &str, error: &sqlx::migrate::MigrateError) -> StoreError {
    StoreError::Database(match error {
        sqlx::migrate::MigrateError::VersionMissing(_) => format!(
            "{place} was written by a newer version of Parlour: start that version, or restore a backup of this one"
        ),
        other => format!("{place}: {other}"),
    })
}

impl Store {
    /// Opens `sqlite:PATH` (created if missing) or `postgres://…` and migrates its schema.
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
        make_private(Path::new(path))
            .map_err(|error| StoreError::Database(format!("{path} cannot be opened: {error}")))?;
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
        migrator().run(&mut connection).await.map_err(|error| not_migrated(path, &error))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(PATIENCE)
            .connect_with(options)
            .await
            .map_err(cannot)?;
        let (writer, task) = Writer::start(connection);
        let (writer, task) = (Arc::new(Mutex::new(Some(writer))), Arc::new(Mutex::new(Some(task))));
        Ok(Self { backend: Backend::Sqlite { readers, writer, task, path: Path::new(path).into() } })
    }

    async fn open_postgres(address: &str) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(address)
            .map_err(|error| StoreError::Address(format!("--store: {error}")))?
            // A server that is paused inside a transaction must not hold its locks for ever.
            .options([("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION_MS)])
            .disable_statement_logging();
        let pool = PgPoolOptions::new()
            .max_connections(POSTGRES_CONNECTIONS)
            .acquire_timeout(PATIENCE)
            .connect_with(options.clone())
            .await
            .map_err(|error| StoreError::Database(format!("PostgreSQL does not answer: {error}")))?;
        migrator().run(&pool).await.map_err(|error| not_migrated("the database", &error))?;
        let (options, peers) = (Box::new(options), Arc::default());
        Ok(Self { backend: Backend::Postgres { pool, options, peers } })
    }

    /// Registers a server: exclusively on an SQLite file, shared on a PostgreSQL database. `clock` returns the server's
    /// time in milliseconds.
    pub async fn serve(
        &self,
        clock: fn() -> i64,
    ) -> Result<(ServerRegistration, mpsc::Receiver<PeerEvent>), StoreError> {
        match &self.backend {
            Backend::Sqlite { path, .. } => Ok((ServerRegistration::alone(path, clock())?, mpsc::channel(1).1)),
            Backend::Postgres { pool, options, peers } => {
                let opened = Arc::new(AtomicI64::new(clock()));
                let (joined, news) = Peers::join(pool.clone(), (**options).clone(), Arc::clone(&opened), clock).await?;
                let joined = peers.get_or_init(|| joined).clone();
                Ok((ServerRegistration::with(joined, opened), news))
            }
        }
    }

    /// Notifies the other servers, if there are any.
    fn notify(&self, what: NotificationKind) {
        if let Backend::Postgres { peers, .. } = &self.backend
            && let Some(peers) = peers.get()
        {
            peers.tell(what);
        }
    }

    fn notify_guest_changed(&self, guest: &str) {
        self.notify(NotificationKind::Guest { id: guest.to_owned() });
    }

    /// Commits queued writes and closes.
    pub async fn close(&self) {
        match &self.backend {
            Backend::Sqlite { readers, writer, task, .. } => {
                drop(writer.lock().expect("no panic while held").take());
                let task = task.lock().expect("no panic while held").take();
                if let Some(task) = task {
                    let _ = task.await;
                }
                readers.close().await;
            }
            Backend::Postgres { pool, .. } => pool.close().await,
        }
    }

    async fn write(&self, write: Write) -> Result<(), StoreError> {
        match &self.backend {
            Backend::Sqlite { writer, .. } => {
                let writer = writer.lock().expect("no panic while held").clone();
                writer.ok_or(StoreError::Closed)?.write(write).await
            }
            Backend::Postgres { pool, .. } => {
                let mut transaction = pool.begin().await?;
                postgres::statements::write(&mut transaction, &write).await?;
                Ok(transaction.commit().await?)
            }
        }
    }

    /// Creates a game with its first events.
    pub async fn create(&self, game: NewGame) -> Result<(), StoreError> {
        self.write(Write::Create(Box::new(game))).await
    }

    /// Appends events to a game's log. Fails with a conflict if the log has advanced.
    pub async fn append(&self, append: Append) -> Result<(), StoreError> {
        let (game, seq) = (append.game.clone(), append.entries.last().map_or(append.after, |entry| entry.seq));
        self.write(Write::Append(Box::new(append))).await?;
        // After the commit, outside the transaction: notifying commits would serialise.
        self.notify(NotificationKind::Grown { game, seq });
        Ok(())
    }

    /// One game.
    pub async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        read!(self, game(id))
    }

    /// The events of a game with a sequence number above `after`.
    pub async fn log(&self, game: &str, after: i64) -> Result<Vec<LogEntry>, StoreError> {
        read!(self, log(game, after))
    }

    /// The taken seats of a game.
    pub async fn seats(&self, game: &str) -> Result<Vec<SeatRow>, StoreError> {
        read!(self, seats(game))
    }

    /// The newest listed games that match a filter.
    pub async fn list(&self, filter: &GameFilter) -> Result<Vec<GameRow>, StoreError> {
        read!(self, list(filter))
    }

    /// The games of a guest: those not over first, then the newest.
    pub async fn games_of(&self, guest: &str, limit: u32) -> Result<Vec<GameRow>, StoreError> {
        read!(self, games_of(guest, limit))
    }

    /// How much of the store the games of a guest take.
    pub async fn usage_of(&self, guest: &str) -> Result<GuestUsage, StoreError> {
        read!(self, usage_of(guest))
    }

    /// The ids of all games of a guest, the newest first.
    pub async fn game_ids_of(&self, guest: &str) -> Result<Vec<String>, StoreError> {
        read!(self, game_ids_of(guest))
    }

    /// Games that need a server: a bot to act, a running clock, or an unrated result.
    pub async fn to_wake(&self) -> Result<Vec<String>, StoreError> {
        read!(self, to_wake())
    }

    /// Games of a state without events since `before_ms`, at most a thousand.
    pub async fn idle(&self, state: GameState, before_ms: i64) -> Result<Vec<String>, StoreError> {
        read!(self, idle(state, before_ms))
    }

    /// Deletes games of a state without events since `before_ms`, with their logs.
    pub async fn delete_idle(&self, state: GameState, before_ms: i64) -> Result<(), StoreError> {
        self.write(Write::Delete { state, before_ms }).await
    }

    /// Creates a guest, unless a guest with this secret exists.
    pub async fn create_guest(&self, guest: GuestRow) -> Result<(), StoreError> {
        self.write(Write::Guest(guest)).await
    }

    /// Renames a guest.
    pub async fn rename_guest(&self, guest: &str, name: &str) -> Result<(), StoreError> {
        self.write(Write::Rename { guest: guest.to_owned(), name: name.to_owned() }).await?;
        self.notify_guest_changed(guest);
        Ok(())
    }

    /// The guest who holds a secret: the guest's own secret or that of a session.
    pub async fn guest_by_secret(&self, hash: &SecretHash) -> Result<Option<GuestRow>, StoreError> {
        let found = read!(self, guest_by_secret(hash))?;
        if found.is_some() {
            return Ok(found);
        }
        match read!(self, account_statements, session(hash))? {
            Some(guest) => self.guest(&guest).await,
            None => Ok(None),
        }
    }

    /// A guest by id.
    pub async fn guest(&self, id: &str) -> Result<Option<GuestRow>, StoreError> {
        read!(self, guest(id))
    }

    async fn write_account(&self, write: AccountWrite) -> Result<(), StoreError> {
        self.write(Write::Account(Box::new(write))).await
    }

    /// Creates an account for a guest. Fails as taken if the login exists or the guest has an account.
    pub async fn create_account(&self, account: AccountRow) -> Result<(), StoreError> {
        self.write_account(AccountWrite::Create(account)).await
    }

    /// The account with this login.
    pub async fn account_by_login(&self, login: &str) -> Result<Option<AccountRow>, StoreError> {
        read!(self, account_statements, account("login", login))
    }

    /// The account of a guest.
    pub async fn account_of(&self, guest: &str) -> Result<Option<AccountRow>, StoreError> {
        read!(self, account_statements, account("guest_id", guest))
    }

    /// Opens a session: a further secret of a guest.
    pub async fn open_session(&self, guest: &str, secret: &SecretHash, at_ms: i64) -> Result<(), StoreError> {
        self.write_account(AccountWrite::Session { guest: guest.to_owned(), secret: secret.clone(), at_ms }).await
    }

    /// Ends a session: revokes a secret of a guest.
    pub async fn end_session(&self, guest: &str, secret: &SecretHash) -> Result<(), StoreError> {
        self.write_account(AccountWrite::EndSession { secret: secret.clone() }).await?;
        self.notify_guest_changed(guest);
        Ok(())
    }

    /// Changes a password and revokes every secret except `keep`.
    pub async fn set_password(&self, guest: &str, password: &str, keep: &SecretHash) -> Result<(), StoreError> {
        let (password, keep) = (password.to_owned(), keep.clone());
        self.write_account(AccountWrite::Password { guest: guest.to_owned(), password, keep }).await?;
        self.notify_guest_changed(guest);
        Ok(())
    }

    /// Stores a named text of a guest.
    pub async fn put_user_data(&self, guest: &str, keepsake: UserData) -> Result<(), StoreError> {
        self.write_account(AccountWrite::Keep { guest: guest.to_owned(), keepsake }).await
    }

    /// The stored texts of a guest.
    pub async fn user_data(&self, guest: &str) -> Result<Vec<UserData>, StoreError> {
        read!(self, account_statements, user_data(guest))
    }

    /// Deletes a guest with account, sessions, data and ratings. Seats in games stay, without a name.
    pub async fn delete_guest(&self, guest: &str) -> Result<(), StoreError> {
        self.write_account(AccountWrite::DeleteGuest { guest: guest.to_owned() }).await?;
        self.notify_guest_changed(guest);
        Ok(())
    }

    /// Stores the ratings after a game, once per game. Each counts one game more than the stored one; otherwise it fails
    /// with a conflict.
    pub async fn rate(&self, game: &str, ratings: Vec<Rating>, at_ms: i64) -> Result<(), StoreError> {
        self.write_account(AccountWrite::Rate { game: game.to_owned(), ratings, at_ms }).await
    }

    /// Every rating of a player.
    pub async fn ratings(&self, player: &str) -> Result<Vec<Rating>, StoreError> {
        read!(self, account_statements, ratings(player))
    }

    async fn write_jobs(&self, write: JobWrite) -> Result<(), StoreError> {
        self.write(Write::Jobs(Box::new(write))).await
    }

    /// Creates a run of the queue, or resumes an existing one with its finished jobs.
    pub async fn open_run(&self, run: NewRun) -> Result<(), StoreError> {
        self.write_jobs(JobWrite::Open(run)).await
    }

    /// Updates the states of jobs. Finished jobs stay finished.
    pub async fn update_jobs(&self, run: &str, jobs: Vec<(i64, JobUpdate)>, at_ms: i64) -> Result<(), StoreError> {
        self.write_jobs(JobWrite::Update { run: run.to_owned(), jobs, at_ms }).await
    }

    /// Stores the result of a job. An existing result is kept.
    pub async fn put_result(
        &self,
        run: &str,
        number: i64,
        job: &str,
        bytes: Vec<u8>,
        at_ms: i64,
    ) -> Result<(), StoreError> {
        let (run, job) = (run.to_owned(), job.to_owned());
        self.write_jobs(JobWrite::Result { run, number, job, bytes, at_ms }).await
    }

    /// Ends a run: cancels open jobs. After a successful end its results and unshared files are deleted.
    pub async fn end_run(&self, run: &str, state: RunState, at_ms: i64) -> Result<(), StoreError> {
        self.write_jobs(JobWrite::End { run: run.to_owned(), state, at_ms }).await
    }

    /// Requeues the failed and cancelled jobs of a run.
    pub async fn retry_run(&self, run: &str, at_ms: i64) -> Result<(), StoreError> {
        self.write_jobs(JobWrite::Retry { run: run.to_owned(), at_ms }).await
    }

    /// Removes everything about a run.
    pub async fn forget_run(&self, run: &str) -> Result<(), StoreError> {
        self.write_jobs(JobWrite::Forget { run: run.to_owned() }).await
    }

    /// A run by its id.
    pub async fn run(&self, id: &str) -> Result<Option<RunRow>, StoreError> {
        read!(self, job_statements, run(id))
    }

    /// The most recently changed runs.
    pub async fn runs(&self, limit: u32) -> Result<Vec<RunRow>, StoreError> {
        read!(self, job_statements, runs(limit))
    }

    /// The jobs of a run, in their order.
    pub async fn run_jobs(&self, run: &str) -> Result<Vec<JobRow>, StoreError> {
        read!(self, job_statements, run_jobs(run))
    }

    /// The result of a job of an unfinished run.
    pub async fn result(&self, job: &str) -> Result<Option<Vec<u8>>, StoreError> {
        read!(self, job_statements, result(job))
    }

    /// Stores a part of a file. Workers can fetch the file once it is finished.
    pub async fn put_artifact_part(&self, hash: &str, part: i64, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.write_jobs(JobWrite::Part { hash: hash.to_owned(), part, bytes }).await
    }

    /// Marks a file as complete.
    pub async fn finish_artifact(&self, hash: &str, size: i64, at_ms: i64) -> Result<(), StoreError> {
        self.write_jobs(JobWrite::Artifact { hash: hash.to_owned(), size, at_ms }).await
    }

    /// The size of a file, if it is complete and a running run names it.
    pub async fn artifact(&self, hash: &str) -> Result<Option<i64>, StoreError> {
        read!(self, job_statements, artifact(hash))
    }

    /// A part of a file.
    pub async fn artifact_part(&self, hash: &str, part: i64) -> Result<Option<Vec<u8>>, StoreError> {
        read!(self, job_statements, artifact_part(hash, part))
    }

    /// Whether the database takes writes: a full disk and a damaged file are noticed here.
    pub async fn check_writable(&self, at_ms: i64) -> Result<(), StoreError> {
        self.write(Write::Probe { at_ms }).await
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        read!(self, ping())
    }
}
