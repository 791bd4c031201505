//! Several servers on one PostgreSQL: who looks after which game, and what servers tell each other.
//!
//! A server has one connection of its own beside the pool, the *line*. On it the server holds an advisory lock for
//! each game it looks after: the database itself lets go of them when the server dies or the connection breaks. The
//! line also carries what this server tells the others (`NOTIFY`); what they tell is heard on another connection.
//!
//! Nothing here is needed for the log to be right: an append names the sequence number it follows. A message that is
//! lost is made up for by looking at the store now and then, two servers that both believe to look after a game waste
//! work and nothing else.

use crate::StoreError;
use crate::notification::{CHANNEL, Notification, NotificationKind};
use sqlx::postgres::{PgConnectOptions, PgListener};
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool, Row};
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// How often a server says that it lives, and how long it may be silent.
const ALIVE_EVERY: Duration = Duration::from_millis(1_000);
const SILENCE: Duration = Duration::from_millis(3_500);
/// How long the database may take on the line before the connection counts as broken.
const PATIENCE: Duration = Duration::from_secs(5);
/// Pause before a broken connection is tried again.
const AGAIN: Duration = Duration::from_millis(200);
/// The most messages that wait to be told; more are dropped and found in the store.
const WAITING: usize = 4_096;
/// The most that goes over the line at once.
const BATCH: usize = 256;
/// What every open house holds, shared; whoever gets it alone opens the house.
const HOUSE: &str = "house:open";
/// The database notices a machine that has vanished within about three seconds.
const KEEPALIVE: [(&str, &str); 5] = [
    ("tcp_keepalives_idle", "1"),
    ("tcp_keepalives_interval", "1"),
    ("tcp_keepalives_count", "2"),
    ("tcp_user_timeout", "3000"),
    // Nothing is written on the line that a power cut may not take.
    ("synchronous_commit", "off"),
];

/// What a server hears from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerEvent {
    /// The log of a game has grown.
    Grown { game: String, seq: i64 },
    /// What is known of a guest (name, secrets) has changed.
    Guest { id: String },
    /// A short-lived message about a game.
    Passing { from: String, game: String, text: String },
    /// A server has gone: what it looked after needs somebody else.
    Gone { server: String },
    /// Something may have been missed.
    Gap,
}

/// The other servers of the house.
#[derive(Clone)]
pub struct Peers {
    pool: PgPool,
    line: Arc<PeerLink>,
}

struct PeerLink {
    requests: mpsc::UnboundedSender<LockRequest>,
    tell: mpsc::Sender<NotificationKind>,
    /// How many other servers have been heard of lately.
    others: Arc<AtomicUsize>,
    /// Counts connections: what was held on an earlier one is held no more.
    session: AtomicU64,
}

enum LockRequest {
    Claim { game: String, reply: oneshot::Sender<Option<u64>> },
    Release { game: String, session: u64 },
    Leave { reply: oneshot::Sender<()> },
}

/// A game that this server looks after; let go when dropped.
pub struct Lease {
    game: String,
    session: u64,
    line: Arc<PeerLink>,
}

impl Lease {
    /// Whether the game is still held.
    pub fn stands(&self) -> bool {
        self.line.session.load(Ordering::Acquire) == self.session
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let _ = self
            .line
            .requests
            .send(LockRequest::Release { game: std::mem::take(&mut self.game), session: self.session });
    }
}

impl Peers {
    /// Joins the servers on a database. `opened` becomes the moment since which the house has been open.
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
        let line = Arc::new(PeerLink { requests, tell, others: Arc::clone(&others), session: AtomicU64::new(1) });
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.listen(CHANNEL).await?;
        let task = LockTask { options: options.options(KEEPALIVE), opened, clock, me: me.clone() };
        let connection = task.connect().await?;
        tokio::spawn(task.run(connection, Arc::downgrade(&line), to_do, to_tell));
        tokio::spawn(listen(listener, me, others, report));
        Ok((Self { pool, line }, news))
    }

    /// Tries to look after a game; `None` if another server does.
    pub async fn claim(&self, game: &str) -> Option<Lease> {
        let (reply, answer) = oneshot::channel();
        self.line.requests.send(LockRequest::Claim { game: game.to_owned(), reply }).ok()?;
        let session = answer.await.ok()??;
        Some(Lease { game: game.to_owned(), session, line: Arc::clone(&self.line) })
    }

    /// Whether no other server has been heard of lately.
    pub fn is_alone(&self) -> bool {
        self.line.others.load(Ordering::Relaxed) == 0
    }

    /// Tells the other servers something short-lived about a game; too long a text is not sent.
    pub fn pass_on(&self, game: &str, text: &str) {
        self.tell(NotificationKind::Passing { game: game.to_owned(), text: text.to_owned() });
    }

    /// Tells the others something; if too much waits already they find it in the store.
    pub(crate) fn tell(&self, what: NotificationKind) {
        if self.line.tell.try_send(what).is_err() {
            tracing::warn!("too much is to be told to the other servers");
        }
    }

    /// The sequence number of the last event of a game; `None` if the game is gone.
    pub async fn head(&self, game: &str) -> Result<Option<i64>, StoreError> {
        let row = sqlx::query("SELECT head FROM games WHERE id = $1").bind(game).fetch_optional(&self.pool).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    /// Where the logs of some games end, as far as something happened there after `since_ms`.
    pub async fn heads(&self, games: &[String], since_ms: i64) -> Result<Vec<(String, i64)>, StoreError> {
        let sql = "SELECT id, head FROM games WHERE id = ANY($1) AND updated_ms >= $2";
        let rows = sqlx::query(sql).bind(games).bind(since_ms).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, sqlx::Error>>()?)
    }

    /// Games that go on by themselves and that no server looks after.
    pub async fn unattended(&self) -> Result<Vec<String>, StoreError> {
        let sql = "WITH held AS MATERIALIZED (SELECT (classid::bigint << 32) | objid::bigint AS key FROM pg_locks \
                   WHERE locktype = 'advisory' AND objsubid = 1 AND granted \
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) \
                   SELECT id FROM games WHERE wake = 1 AND hashtextextended(id, 0) NOT IN (SELECT key FROM held) \
                   ORDER BY updated_ms DESC";
        let rows = sqlx::query(sql).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
    }

    /// Lets go of everything and says good-bye.
    pub async fn leave(&self) {
        let (reply, gone) = oneshot::channel();
        if self.line.requests.send(LockRequest::Leave { reply }).is_ok() {
            let _ = tokio::time::timeout(PATIENCE, gone).await;
        }
    }
}

/// The task at this end of the line.
struct LockTask {
    options: PgConnectOptions,
    opened: Arc<AtomicI64>,
    clock: fn() -> i64,
    me: String,
}

/// What became of a round on the line.
enum Round {
    Done,
    Left(oneshot::Sender<()>),
}

impl LockTask {
    /// Connects and takes part in the open house; whoever is alone in it opens it now.
    async fn connect(&self) -> Result<PgConnection, StoreError> {
        let mut line = self.options.connect().await?;
        let lock = |how: &str| sqlx::AssertSqlSafe(format!("SELECT {how}(hashtextextended($1, 0))"));
        let alone = sqlx::query(lock("pg_try_advisory_lock")).bind(HOUSE).fetch_one(&mut line).await?;
        let alone: bool = alone.try_get(0)?;
        if alone {
            let sql = "INSERT INTO house (name, value) VALUES ('opened_ms', $1) \
                       ON CONFLICT (name) DO UPDATE SET value = excluded.value";
            sqlx::query(sql).bind((self.clock)()).execute(&mut line).await?;
        }
        sqlx::query(lock("pg_advisory_lock_shared")).bind(HOUSE).execute(&mut line).await?;
        if alone {
            sqlx::query(lock("pg_advisory_unlock")).bind(HOUSE).execute(&mut line).await?;
        }
        let row = sqlx::query("SELECT value FROM house WHERE name = 'opened_ms'").fetch_optional(&mut line).await?;
        let opened = row.map_or(Ok((self.clock)()), |row| row.try_get(0))?;
        self.opened.store(opened, Ordering::Release);
        Ok(line)
    }

    async fn run(
        self,
        connection: PgConnection,
        line: Weak<PeerLink>,
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
            let Some(session) = line.upgrade().map(|line| line.session.load(Ordering::Acquire)) else { return };
            if connection.is_none() {
                connection = self.connect().await.ok();
            }
            let Some(open) = &mut connection else {
                // Whoever asks is told no, and asks again later.
                requests.clear();
                words.clear();
                tokio::time::sleep(AGAIN).await;
                continue;
            };
            let round = tokio::time::timeout(PATIENCE, self.round(open, session, &mut requests, &mut words)).await;
            match round {
                Ok(Ok(Round::Done)) => {}
                Ok(Ok(Round::Left(reply))) => {
                    if let Some(connection) = connection.take() {
                        let _ = connection.close().await;
                    }
                    let _ = reply.send(());
                    return;
                }
                failed => {
                    if let Ok(Err(error)) = failed {
                        tracing::warn!(%error, "the line to the database broke: games are looked after by others");
                    }
                    if let Some(line) = line.upgrade() {
                        line.session.fetch_add(1, Ordering::AcqRel);
                    }
                    connection = None;
                    requests.clear();
                    words.clear();
                }
            }
        }
    }

    /// Does what waits: claims, then releases, then words, each in one go.
    async fn round(
        &self,
        line: &mut PgConnection,
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
            let rows = sqlx::query(sql).bind(&claims).fetch_all(&mut *line).await?;
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
            sqlx::query(sql).bind(&releases).execute(&mut *line).await?;
        }
        if leaving.is_some() {
            sqlx::query("SELECT pg_advisory_unlock_all()").execute(&mut *line).await?;
            words.push(NotificationKind::Leaving);
        }
        let told = |what: NotificationKind| Notification { from: self.me.clone(), what }.write();
        let payloads: Vec<String> = words.drain(..).filter_map(told).collect();
        if !payloads.is_empty() {
            let sql = "SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word";
            sqlx::query(sql).bind(CHANNEL).bind(&payloads).execute(&mut *line).await?;
        }
        Ok(leaving.map_or(Round::Done, Round::Left))
    }
}

/// Reports what other servers tell, and which of them have fallen silent, until the pool is closed.
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
        // Our own messages come back too, one a second at least: a moment to see who has fallen silent.
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
            // A server that does not keep up finds the rest in the store.
            if let Err(mpsc::error::TrySendError::Closed(_)) = report.try_send(news) {
                return;
            }
        }
    }
}
