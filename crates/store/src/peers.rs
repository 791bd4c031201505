//! Several servers on one PostgreSQL database: leases on games, and notifications between servers.
//!
//! A server has a dedicated connection beside the pool, the *link*. On it the server holds an advisory lock per leased
//! game: the database releases the locks when the server dies, the connection breaks, or the server falls silent.
//! The link also sends notifications (`NOTIFY`); another connection receives them.
//!
//! A lease expires: every round on the link renews all leases of the server for [`LEASE_LASTS`]. A server that is
//! paused (SIGSTOP, a stalled virtual machine) holds no valid lease when it resumes, and the database ends its link
//! after [`LINK_TIMEOUT`], so that another server takes the lease. The fencing token is the sequence number of the log:
//! what a late server appends conflicts.
//!
//! The correctness of the log does not depend on this module: an append names the sequence number it follows. Polling
//! the store makes up for lost notifications, and two servers that both believe to hold a lease only waste work.

use crate::StoreError;
use crate::notification::{CHANNEL, Notification, NotificationKind};
use sqlx::postgres::{PgConnectOptions, PgListener};
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool, Row};
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// Interval of heartbeats, and the silence after which a server counts as gone.
const ALIVE_EVERY: Duration = Duration::from_millis(1_000);
const SILENCE: Duration = Duration::from_millis(3_500);
/// How long a lease is valid after the start of the round that renewed it.
const LEASE_LASTS: Duration = Duration::from_millis(2_500);
/// After this silence the database ends the link and releases its locks; longer than a lease lasts.
const LINK_TIMEOUT: Duration = Duration::from_millis(3_500);
/// Timeout of a round on the link, after which the connection counts as broken.
const PATIENCE: Duration = Duration::from_secs(5);
/// Delay before a reconnection.
const AGAIN: Duration = Duration::from_millis(200);
/// Maximum number of queued notifications. Further ones are dropped; polling finds the changes.
const WAITING: usize = 4_096;
/// Maximum number of requests or notifications per round.
const BATCH: usize = 256;
/// Lock that every running server holds shared. A server that gets it exclusively is the first one.
const HOUSE: &str = "house:open";
/// TCP keepalive: the database notices a vanished machine within about three seconds.
const KEEPALIVE: [(&str, &str); 5] = [
    ("tcp_keepalives_idle", "1"),
    ("tcp_keepalives_interval", "1"),
    ("tcp_keepalives_count", "2"),
    ("tcp_user_timeout", "3000"),
    // Nothing written on the link must survive a power cut.
    ("synchronous_commit", "off"),
];

/// An event from another server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerEvent {
    /// The log of a game was extended.
    Grown { game: String, seq: i64 },
    /// A guest's name or secrets changed.
    Guest { id: String },
    /// A transient message about a game.
    Passing { from: String, game: String, text: String },
    /// A server is gone: its leases are free.
    Gone { server: String },
    /// Notifications may have been lost.
    Gap,
}

/// The other servers of the cluster.
#[derive(Clone)]
pub struct Peers {
    pool: PgPool,
    link: Arc<PeerLink>,
}

struct PeerLink {
    requests: mpsc::UnboundedSender<LockRequest>,
    tell: mpsc::Sender<NotificationKind>,
    /// Number of other servers with recent heartbeats.
    others: Arc<AtomicUsize>,
    /// Connection number. Leases of an earlier connection are void.
    session: AtomicU64,
    /// When the last complete round on the link began.
    renewed: Mutex<Instant>,
}

enum LockRequest {
    Claim { game: String, reply: oneshot::Sender<Option<u64>> },
    Release { game: String, session: u64 },
    Leave { reply: oneshot::Sender<()> },
}

/// A lease on a game. Dropping it releases the lock.
pub struct Lease {
    game: String,
    session: u64,
    link: Arc<PeerLink>,
}

impl Lease {
    /// Whether the lease is still valid.
    pub fn is_valid(&self) -> bool {
        let renewed = *self.link.renewed.lock().expect("no panic while held");
        self.link.session.load(Ordering::Acquire) == self.session && renewed.elapsed() < LEASE_LASTS
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let _ = self
            .link
            .requests
            .send(LockRequest::Release { game: std::mem::take(&mut self.game), session: self.session });
    }
}

impl Peers {
    /// Joins the servers on a database. Sets `opened` to the time since which a server has been running without a gap.
    pub(crate) async fn join(
        pool: PgPool,
        options: PgConnectOptions,
        opened: Arc<AtomicI64>,
        clock: fn() -> i64,
    ) -> Result<(Self, mpsc::Receiver<PeerEvent>), StoreError> {
        let (requests, to_do) = mpsc::unbounded_channel();
        let (tell, to_tell) = mpsc::channel(WAITING);
        let (report, news) = mpsc::channel(WAITING);
        let me = crate::Secret::generate().reveal()[..12].to_owned();
        let others = Arc::<AtomicUsize>::default();
        let (session, renewed) = (AtomicU64::new(1), Mutex::new(Instant::now()));
        let link = Arc::new(PeerLink { requests, tell, others: Arc::clone(&others), session, renewed });
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.listen(CHANNEL).await?;
        let task = LockTask { options: options.options(KEEPALIVE), opened, clock, me: me.clone() };
        let connection = task.connect().await?;
        tokio::spawn(task.run(connection, Arc::downgrade(&link), to_do, to_tell));
        tokio::spawn(listen(listener, me, others, report));
        Ok((Self { pool, link }, news))
    }

    /// Tries to lease a game. `None` if another server holds the lease.
    pub async fn claim(&self, game: &str) -> Option<Lease> {
        let (reply, answer) = oneshot::channel();
        self.link.requests.send(LockRequest::Claim { game: game.to_owned(), reply }).ok()?;
        let session = answer.await.ok()??;
        Some(Lease { game: game.to_owned(), session, link: Arc::clone(&self.link) })
    }

    /// Whether no other server has sent a heartbeat recently.
    pub fn is_alone(&self) -> bool {
        self.link.others.load(Ordering::Relaxed) == 0
    }

    /// Sends a transient message about a game to the other servers. A text over the payload limit is not sent.
    pub fn pass_on(&self, game: &str, text: &str) {
        self.tell(NotificationKind::Passing { game: game.to_owned(), text: text.to_owned() });
    }

    /// Queues a notification. If the queue is full, the other servers find the change by polling.
    pub(crate) fn tell(&self, what: NotificationKind) {
        if self.link.tell.try_send(what).is_err() {
            tracing::warn!("the queue of notifications to other servers is full");
        }
    }

    /// The sequence number of the last event of a game; `None` if the game does not exist.
    pub async fn head(&self, game: &str) -> Result<Option<i64>, StoreError> {
        let row = sqlx::query("SELECT head FROM games WHERE id = $1").bind(game).fetch_optional(&self.pool).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    /// The last sequence numbers of the games that changed after `since_ms`.
    pub async fn heads(&self, games: &[String], since_ms: i64) -> Result<Vec<(String, i64)>, StoreError> {
        let sql = "SELECT id, head FROM games WHERE id = ANY($1) AND updated_ms >= $2";
        let rows = sqlx::query(sql).bind(games).bind(since_ms).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, sqlx::Error>>()?)
    }

    /// Games that need a server (a bot to move, a running clock) and that no server has leased.
    pub async fn unattended(&self) -> Result<Vec<String>, StoreError> {
        let sql = "WITH held AS MATERIALIZED (SELECT (classid::bigint << 32) | objid::bigint AS key FROM pg_locks \
                   WHERE locktype = 'advisory' AND objsubid = 1 AND granted \
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) \
                   SELECT id FROM games WHERE wake = 1 AND hashtextextended(id, 0) NOT IN (SELECT key FROM held) \
                   ORDER BY updated_ms DESC";
        let rows = sqlx::query(sql).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
    }

    /// Releases all leases and notifies the other servers.
    pub async fn leave(&self) {
        let (reply, gone) = oneshot::channel();
        if self.link.requests.send(LockRequest::Leave { reply }).is_ok() {
            let _ = tokio::time::timeout(PATIENCE, gone).await;
        }
    }
}

/// The task that owns the link.
struct LockTask {
    options: PgConnectOptions,
    opened: Arc<AtomicI64>,
    clock: fn() -> i64,
    me: String,
}

/// Result of a round on the link.
enum Round {
    Done,
    Left(oneshot::Sender<()>),
}

impl LockTask {
    /// Connects and takes the shared lock. The first server of the cluster records the start time.
    async fn connect(&self) -> Result<PgConnection, StoreError> {
        let mut link = self.options.connect().await?;
        // PostgreSQL 13 and older do not know the setting: there a paused server keeps its leases until it ends.
        let timeout = format!("SET idle_session_timeout = {}", LINK_TIMEOUT.as_millis());
        if let Err(error) = sqlx::query(sqlx::AssertSqlSafe(timeout)).execute(&mut link).await {
            tracing::warn!(%error, "leases of a paused server do not expire on this database");
        }
        let lock = |how: &str| sqlx::AssertSqlSafe(format!("SELECT {how}(hashtextextended($1, 0))"));
        let alone = sqlx::query(lock("pg_try_advisory_lock")).bind(HOUSE).fetch_one(&mut link).await?;
        let alone: bool = alone.try_get(0)?;
        if alone {
            let sql = "INSERT INTO house (name, value) VALUES ('opened_ms', $1) \
                       ON CONFLICT (name) DO UPDATE SET value = excluded.value";
            sqlx::query(sql).bind((self.clock)()).execute(&mut link).await?;
        }
        sqlx::query(lock("pg_advisory_lock_shared")).bind(HOUSE).execute(&mut link).await?;
        if alone {
            sqlx::query(lock("pg_advisory_unlock")).bind(HOUSE).execute(&mut link).await?;
        }
        let row = sqlx::query("SELECT value FROM house WHERE name = 'opened_ms'").fetch_optional(&mut link).await?;
        let opened = row.map_or(Ok((self.clock)()), |row| row.try_get(0))?;
        self.opened.store(opened, Ordering::Release);
        Ok(link)
    }

    async fn run(
        self,
        connection: PgConnection,
        link: Weak<PeerLink>,
        mut to_do: mpsc::UnboundedReceiver<LockRequest>,
        mut to_tell: mpsc::Receiver<NotificationKind>,
    ) {
        let mut connection = Some(connection);
        let mut alive = tokio::time::interval(ALIVE_EVERY);
        alive.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let (mut requests, mut words) = (Vec::new(), Vec::new());
        loop {
            tokio::select! {
                biased;
                count = to_do.recv_many(&mut requests, BATCH) => if count == 0 { return },
                _ = alive.tick() => words.push(NotificationKind::Alive),
                Some(word) = to_tell.recv() => words.push(word),
            }
            while words.len() < BATCH
                && let Ok(word) = to_tell.try_recv()
            {
                words.push(word);
            }
            let Some(session) = link.upgrade().map(|link| link.session.load(Ordering::Acquire)) else { return };
            if connection.is_none() {
                connection = self.connect().await.ok();
            }
            let Some(open) = &mut connection else {
                // Requests fail; callers retry later.
                requests.clear();
                words.clear();
                tokio::time::sleep(AGAIN).await;
                continue;
            };
            let begun = Instant::now();
            let round = tokio::time::timeout(PATIENCE, self.round(open, session, &mut requests, &mut words)).await;
            match round {
                Ok(Ok(Round::Done)) => {
                    if let Some(link) = link.upgrade() {
                        *link.renewed.lock().expect("no panic while held") = begun;
                    }
                }
                Ok(Ok(Round::Left(reply))) => {
                    if let Some(connection) = connection.take() {
                        let _ = connection.close().await;
                    }
                    let _ = reply.send(());
                    return;
                }
                failed => {
                    if let Ok(Err(error)) = failed {
                        tracing::warn!(%error, "the link to the database broke: all leases are void");
                    }
                    if let Some(link) = link.upgrade() {
                        link.session.fetch_add(1, Ordering::AcqRel);
                    }
                    connection = None;
                    requests.clear();
                    words.clear();
                }
            }
        }
    }

    /// One round: claims, then releases, then notifications, each in one statement.
    async fn round(
        &self,
        link: &mut PgConnection,
        session: u64,
        requests: &mut Vec<LockRequest>,
        words: &mut Vec<NotificationKind>,
    ) -> Result<Round, StoreError> {
        let (mut claims, mut replies, mut releases, mut leaving) = (Vec::new(), Vec::new(), Vec::new(), None);
        for request in requests.drain(..) {
            match request {
                LockRequest::Claim { game, reply } => {
                    claims.push(game);
                    replies.push(reply);
                }
                LockRequest::Release { game, session: of } if of == session => releases.push(game),
                LockRequest::Release { .. } => {}
                LockRequest::Leave { reply } => leaving = Some(reply),
            }
        }
        if !claims.is_empty() {
            let sql = "SELECT pg_try_advisory_lock(hashtextextended(game, 0)) \
                       FROM unnest($1::text[]) WITH ORDINALITY AS t(game, place) ORDER BY place";
            let rows = sqlx::query(sql).bind(&claims).fetch_all(&mut *link).await?;
            for ((row, game), reply) in rows.iter().zip(claims).zip(replies) {
                let held: bool = row.try_get(0)?;
                let unheard = reply.send(held.then_some(session)).is_err();
                if held && unheard {
                    releases.push(game);
                }
            }
        }
        if !releases.is_empty() {
            let sql = "SELECT pg_advisory_unlock(hashtextextended(game, 0)) FROM unnest($1::text[]) AS game";
            sqlx::query(sql).bind(&releases).execute(&mut *link).await?;
        }
        if leaving.is_some() {
            sqlx::query("SELECT pg_advisory_unlock_all()").execute(&mut *link).await?;
            words.push(NotificationKind::Leaving);
        }
        let told = |what: NotificationKind| Notification { from: self.me.clone(), what }.write();
        let payloads: Vec<String> = words.drain(..).filter_map(told).collect();
        if !payloads.is_empty() {
            let sql = "SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word";
            sqlx::query(sql).bind(CHANNEL).bind(&payloads).execute(&mut *link).await?;
        }
        Ok(leaving.map_or(Round::Done, Round::Left))
    }
}

/// Receives notifications and detects silent servers, until the pool is closed.
async fn listen(mut listener: PgListener, me: String, others: Arc<AtomicUsize>, report: mpsc::Sender<PeerEvent>) {
    let mut heard: HashMap<String, Instant> = HashMap::new();
    loop {
        let told = match listener.try_recv().await {
            Ok(Some(notification)) => Notification::read(notification.payload()),
            Ok(None) => {
                let _ = report.try_send(PeerEvent::Gap);
                continue;
            }
            Err(sqlx::Error::PoolClosed) => return,
            Err(_) => {
                tokio::time::sleep(AGAIN).await;
                continue;
            }
        };
        // Our own heartbeats come back once a second: the time to detect silent servers.
        let silent = heard.iter().filter(|(_, at)| at.elapsed() > SILENCE).map(|(server, _)| server.clone());
        let silent: Vec<String> = silent.collect();
        let mut news: Vec<PeerEvent> = Vec::new();
        for server in silent {
            heard.remove(&server);
            news.push(PeerEvent::Gone { server });
        }
        if let Some(Notification { from, what }) = told.filter(|told| told.from != me) {
            heard.insert(from.clone(), Instant::now());
            match what {
                NotificationKind::Grown { game, seq } => news.push(PeerEvent::Grown { game, seq }),
                NotificationKind::Guest { id } => news.push(PeerEvent::Guest { id }),
                NotificationKind::Passing { game, text } => news.push(PeerEvent::Passing { from, game, text }),
                NotificationKind::Alive => {}
                NotificationKind::Leaving => {
                    heard.remove(&from);
                    news.push(PeerEvent::Gone { server: from });
                }
            }
        }
        others.store(heard.len(), Ordering::Relaxed);
        for news in news {
            // A server that does not keep up finds the changes by polling.
            if let Err(mpsc::error::TrySendError::Closed(_)) = report.try_send(news) {
                return;
            }
        }
    }
}
