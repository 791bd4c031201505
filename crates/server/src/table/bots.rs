//! Bots at a table: which of them think, with what budget, and what happens with their decisions.

use super::command::TableCommand;
use super::prefetch::prefetched;
use super::state::{Occupant, TableState};
use crate::api::BotThinking;
use crate::app_state::AppState;
use crate::log_record::SeatPlayer;
use crate::pool::{PoolTask, TaskClass};
use crate::time;
use catalog::{BotDecision, ErasedBot};
use game::{BotError, Budget, Control, Progress, Seat, Viewer};
use serde_json::Value;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Most bots that keep their caches between moves, over all tables.
const CACHED_BOTS: usize = 32;
/// How long a bot with a budget of nodes may take before it is stopped with its best move so far.
const NODES_TIMEOUT: Duration = Duration::from_secs(120);
/// How often progress is sent.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);
/// What a bot leaves of its share of the clock for the commit.
const CLOCK_MARGIN: Duration = Duration::from_millis(30);

/// A bot that thinks. The ticket tells its decision from those of thoughts that were stopped.
struct Search {
    ticket: u64,
    control: Control,
    shown: BotThinking,
}

/// The bots of one table.
#[derive(Default)]
pub struct Bots {
    thinking: HashMap<Seat, Search>,
    cached: HashMap<Seat, (String, Box<dyn ErasedBot>)>,
    next_ticket: u64,
    failures: HashMap<Seat, u32>,
}

impl Bots {
    /// A bot that is thinking, as viewers may see it.
    pub fn shown(&self) -> Option<&BotThinking> {
        self.thinking.iter().min_by_key(|(seat, _)| **seat).map(|(_, search)| &search.shown)
    }

    /// Whether any bot thinks.
    pub fn busy(&self) -> bool {
        !self.thinking.is_empty()
    }

    /// Stops every search: the position has changed.
    pub fn stop_all(&mut self) {
        for (_, search) in self.thinking.drain() {
            search.control.stop();
        }
    }

    /// Starts the bots that are to act, unless the table `pauses`, and stops those that are not to act any more.
    pub fn schedule(
        &mut self,
        app: &Arc<AppState>,
        state: &TableState,
        table: &mpsc::Sender<TableCommand>,
        pauses: bool,
    ) {
        let acting = state.bots_to_act();
        self.thinking.retain(|seat, search| {
            let still_acts = acting.contains(*seat);
            if !still_acts {
                search.control.stop();
            }
            still_acts
        });
        for seat in acting.iter().filter(|_| !pauses) {
            if !self.thinking.contains_key(&seat) {
                self.start(app, state, seat, table.clone());
            }
        }
    }

    fn start(&mut self, app: &Arc<AppState>, state: &TableState, seat: Seat, table: mpsc::Sender<TableCommand>) {
        let Some(SeatPlayer::Bot { level }) = state.occupant(seat).map(|occupant| occupant.who.clone()) else { return };
        let Some(position) = &state.table else { return };
        self.next_ticket += 1;
        let ticket = self.next_ticket;
        let control = listening(ticket, seat, table.clone());
        let (budget, timeout) = budget(state, &level, seat);
        let seed = bot_seed(state, seat);
        let view = position.view_for(Viewer::Seat(seat));
        let cached = match self.cached.remove(&seat) {
            Some((of, bot)) => {
                app.cached_bots.fetch_sub(1, Ordering::Relaxed);
                (of == level).then_some(bot)
            }
            None => None,
        };
        let people = state.human_teammates(seat);
        let shown = BotThinking { seat, done: 0.0, note: String::new(), detail: Value::Null };
        self.thinking.insert(seat, Search { ticket, control: control.clone(), shown });
        if let Some(decision) = prefetched(app, state, seat, &level, people) {
            // The table cannot wait for itself: the decision arrives like any other.
            tokio::spawn(async move {
                let _ =
                    table.send(TableCommand::BotDone { ticket, seat, level, bot: cached, result: Ok(decision) }).await;
            });
            return;
        }
        let (game, stop, queued) = (Arc::clone(&state.game), control.clone(), control);
        let runtime = tokio::runtime::Handle::current();
        let search = move || {
            let watchdog = {
                let stop = stop.clone();
                runtime.spawn(async move {
                    tokio::time::sleep(timeout).await;
                    stop.stop();
                })
            };
            let thought = catch_unwind(AssertUnwindSafe(|| {
                let mut bot = cached
                    .or_else(|| game.bot(&level))
                    .ok_or_else(|| BotError::Other(format!("there is no level {level}")))?;
                bot.set_human_partners(people);
                let decision = bot.choose(seat, &view, budget, seed, &stop)?;
                Ok((bot, decision))
            }));
            watchdog.abort();
            let (bot, result) = match thought {
                Ok(Ok((bot, decision))) => (Some(bot), Ok(decision)),
                Ok(Err(error)) => (None, Err(error)),
                Err(_) => (None, Err(BotError::Other("the player ended in a panic".to_owned()))),
            };
            // A table that left the memory does not need the decision.
            let _ = table.blocking_send(TableCommand::BotDone { ticket, seat, level, bot, result });
        };
        let (class, owner) = task_of(state);
        // A closed pool means that the server stops.
        let _ = app.pool.submit(PoolTask { class, owner, control: queued, work: Box::new(search) });
    }

    /// Notes the progress of a search; `None` if it was stopped.
    pub fn progress(&mut self, ticket: u64, seat: Seat, progress: Progress) -> Option<&BotThinking> {
        let search = self.thinking.get_mut(&seat).filter(|search| search.ticket == ticket)?;
        search.shown = BotThinking { seat, done: progress.done, note: progress.note, detail: progress.detail };
        Some(&search.shown)
    }

    /// Takes a decision; `None` if its search was stopped. A bot that fails twice in a row plays a random legal action
    /// and says so, so that it does not hold up the table.
    pub fn done(
        &mut self,
        app: &AppState,
        state: &TableState,
        (ticket, seat): (u64, Seat),
        (level, bot): (String, Option<Box<dyn ErasedBot>>),
        result: Result<BotDecision, BotError>,
    ) -> Option<Result<BotDecision, BotError>> {
        if let Some(bot) = bot
            && app.cached_bots.load(Ordering::Relaxed) < CACHED_BOTS
        {
            app.cached_bots.fetch_add(1, Ordering::Relaxed);
            if self.cached.insert(seat, (level, bot)).is_some() {
                app.cached_bots.fetch_sub(1, Ordering::Relaxed);
            }
        }
        if self.thinking.get(&seat).is_none_or(|search| search.ticket != ticket) {
            return None;
        }
        self.thinking.remove(&seat);
        let error = match result {
            Ok(decision) => return Some(Ok(decision)),
            Err(error) => error,
        };
        Some(self.failed(state, seat, error))
    }

    /// The decision after a failure: an error the first time, a random action the second.
    pub fn failed(&mut self, state: &TableState, seat: Seat, error: BotError) -> Result<BotDecision, BotError> {
        let failures = self.failures.entry(seat).or_default();
        *failures += 1;
        tracing::error!(table = state.id, game = state.game.info().id, %seat, %error, "a bot failed");
        metrics::counter!("parlour_bot_failures_total").increment(1);
        if *failures < 2 {
            return Err(error);
        }
        let seed = bot_seed(state, seat);
        let action = state.table.as_ref().and_then(|table| table.random_action(seat, seed)).ok_or(error)?;
        let note = "the player failed; this is a random action".to_owned();
        Ok(BotDecision { action, thought: game::Thought { note, ..game::Thought::default() } })
    }

    /// A bot's action was committed.
    pub fn succeeded(&mut self, seat: Seat) {
        self.failures.remove(&seat);
    }

    /// Stops the searches and drops the cached bots.
    pub fn close(&mut self, app: &AppState) {
        self.stop_all();
        app.cached_bots.fetch_sub(self.cached.len(), Ordering::Relaxed);
        self.cached.clear();
    }
}

/// The class of a table's searches, and on whose account they run.
fn task_of(state: &TableState) -> (TaskClass, Arc<str>) {
    let person = state.people().iter().next().and_then(|seat| state.occupant(seat));
    match person {
        Some(Occupant { who: SeatPlayer::Person { guest }, .. }) => (TaskClass::Interactive, guest.as_str().into()),
        // All games of bots share one account.
        _ => (TaskClass::BotGame, "bots".into()),
    }
}

/// A control whose progress goes to the table at most every `PROGRESS_EVERY`.
fn listening(ticket: u64, seat: Seat, table: mpsc::Sender<TableCommand>) -> Control {
    let last: Mutex<Option<Instant>> = Mutex::new(None);
    Control::with_listener(move |progress| {
        let mut last = last.lock().expect("no panic while held");
        if last.is_none_or(|at| at.elapsed() >= PROGRESS_EVERY) {
            *last = Some(Instant::now());
            let _ = table.try_send(TableCommand::BotProgress { ticket, seat, progress });
        }
    })
}

/// The budget of a bot, and the time after which its search is stopped.
fn budget(state: &TableState, level: &str, seat: Seat) -> (Budget, Duration) {
    let own = level_budget(state, level);
    let share = state.clock.as_ref().and_then(|clock| clock.bot_budget(seat, time::now_ms()));
    match (own, share.map(|ms| Duration::from_millis(ms).saturating_sub(CLOCK_MARGIN))) {
        (Budget::Time(own), Some(share)) => (Budget::Time(own.min(share)), own.min(share)),
        (Budget::Time(own), None) => (Budget::Time(own), own * 2 + Duration::from_secs(2)),
        (nodes, Some(share)) => (nodes, share),
        (nodes, None) => (nodes, NODES_TIMEOUT),
    }
}

/// The budget of a level at a table without a clock.
pub(super) fn level_budget(state: &TableState, level: &str) -> Budget {
    let own = state.game.levels().into_iter().find(|known| known.id == level).map(|level| level.budget);
    own.unwrap_or(Budget::Time(Duration::from_secs(1)))
}

/// The seed of a bot's search: derived from the game, reveals nothing about the game's own seed. After a takeback it
/// differs, so that a bot does not repeat a hidden decision that its opponent has seen.
pub(super) fn bot_seed(state: &TableState, seat: Seat) -> u64 {
    use sha2::{Digest, Sha256};
    let mut text = format!("bot {} {} {}", state.seed.0, state.ply(), seat.0);
    if state.undos > 0 && state.game.info().hidden {
        text += &format!(" {}", state.undos);
    }
    let digest = Sha256::digest(text.as_bytes());
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
}
