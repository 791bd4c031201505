//! Bots at a table: who has to think, with what budget, and what becomes of the thought.

use super::ask::Ask;
use super::early::foreseen;
use super::room::Room;
use crate::api::Thinking;
use crate::house::House;
use crate::record::Who;
use crate::time;
use catalog::{BotDecision, ErasedBot};
use game::{BotError, Budget, Control, Progress, Seat, SeatSet, Viewer};
use serde_json::Value;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// The most bots whose caches stay between moves, over all tables.
const KEPT_BOTS: usize = 32;
/// How long a bot with a budget of nodes may take before it is stopped with the best it has.
const NODES_PATIENCE: Duration = Duration::from_secs(120);
/// How often progress is passed on.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);
/// What is taken off a bot's share of the clock for the way to the log and back.
const CLOCK_MARGIN: Duration = Duration::from_millis(30);

struct Job {
    ticket: u64,
    control: Control,
    shown: Thinking,
}

/// The bots of one table.
#[derive(Default)]
pub struct Bots {
    thinking: HashMap<Seat, Job>,
    kept: HashMap<Seat, (String, Box<dyn ErasedBot>)>,
    next_ticket: u64,
    failures: HashMap<Seat, u32>,
}

impl Bots {
    /// A bot that is thinking, for people to see.
    pub fn shown(&self) -> Option<&Thinking> {
        self.thinking.iter().min_by_key(|(seat, _)| **seat).map(|(_, job)| &job.shown)
    }

    /// Whether any bot thinks.
    pub fn busy(&self) -> bool {
        !self.thinking.is_empty()
    }

    /// Stops every thought: what was thought about is no longer so.
    pub fn stop_all(&mut self) {
        for (_, job) in self.thinking.drain() {
            job.control.stop();
        }
    }

    /// Starts the bots that are to act and stops those that are not any more.
    pub fn schedule(&mut self, house: &Arc<House>, room: &Room, table: &mpsc::Sender<Ask>) {
        let bots = room.bots();
        let acting: SeatSet = room.to_act().iter().filter(|&seat| bots.contains(seat)).collect();
        self.thinking.retain(|seat, job| {
            let goes_on = acting.contains(*seat);
            if !goes_on {
                job.control.stop();
            }
            goes_on
        });
        for seat in acting.iter() {
            if !self.thinking.contains_key(&seat) {
                self.start(house, room, seat, table.clone());
            }
        }
    }

    fn start(&mut self, house: &Arc<House>, room: &Room, seat: Seat, table: mpsc::Sender<Ask>) {
        let Some(Who::Bot { level }) = room.sitter(seat).map(|sitter| sitter.who.clone()) else { return };
        let Some(position) = &room.table else { return };
        self.next_ticket += 1;
        let ticket = self.next_ticket;
        let control = listening(ticket, seat, table.clone());
        let (budget, patience) = budget(room, &level, seat);
        let seed = bot_seed(room, seat);
        let view = position.view_for(Viewer::Seat(seat));
        let kept = match self.kept.remove(&seat) {
            Some((of, bot)) => {
                house.kept_bots.fetch_sub(1, Ordering::Relaxed);
                (of == level).then_some(bot)
            }
            None => None,
        };
        let people = room.people_beside(seat);
        let shown = Thinking { seat, done: 0.0, note: String::new(), detail: Value::Null };
        self.thinking.insert(seat, Job { ticket, control: control.clone(), shown });
        if let Some(decision) = foreseen(house, room, seat, &level, people) {
            // The table cannot wait for itself: the answer comes in like any other.
            tokio::spawn(async move {
                let _ = table.send(Ask::BotDone { ticket, seat, level, bot: kept, result: Ok(decision) }).await;
            });
            return;
        }
        let (game, stop) = (Arc::clone(&room.game), control);
        let runtime = tokio::runtime::Handle::current();
        let job = move || {
            let watchdog = {
                let stop = stop.clone();
                runtime.spawn(async move {
                    tokio::time::sleep(patience).await;
                    stop.stop();
                })
            };
            let thought = catch_unwind(AssertUnwindSafe(|| {
                let mut bot = kept
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
            // A table that is gone has no use for the answer.
            let _ = table.blocking_send(Ask::BotDone { ticket, seat, level, bot, result });
        };
        house.pool.think(job);
    }

    /// Notes how far a thought has come; `None` if it is not thought any more.
    pub fn progress(&mut self, ticket: u64, seat: Seat, progress: Progress) -> Option<&Thinking> {
        let job = self.thinking.get_mut(&seat).filter(|job| job.ticket == ticket)?;
        job.shown = Thinking { seat, done: progress.done, note: progress.note, detail: progress.detail };
        Some(&job.shown)
    }

    /// Takes a finished thought; `None` if it is not wanted any more. A bot that fails twice in a row plays a random
    /// legal action and says so, rather than holding up the table.
    pub fn done(
        &mut self,
        house: &House,
        room: &Room,
        (ticket, seat): (u64, Seat),
        (level, bot): (String, Option<Box<dyn ErasedBot>>),
        result: Result<BotDecision, BotError>,
    ) -> Option<Result<BotDecision, BotError>> {
        if let Some(bot) = bot
            && house.kept_bots.load(Ordering::Relaxed) < KEPT_BOTS
        {
            house.kept_bots.fetch_add(1, Ordering::Relaxed);
            if self.kept.insert(seat, (level, bot)).is_some() {
                house.kept_bots.fetch_sub(1, Ordering::Relaxed);
            }
        }
        if self.thinking.get(&seat).is_none_or(|job| job.ticket != ticket) {
            return None;
        }
        self.thinking.remove(&seat);
        let error = match result {
            Ok(decision) => return Some(Ok(decision)),
            Err(error) => error,
        };
        Some(self.failed(room, seat, error))
    }

    /// What is played instead after a failure.
    pub fn failed(&mut self, room: &Room, seat: Seat, error: BotError) -> Result<BotDecision, BotError> {
        let failures = self.failures.entry(seat).or_default();
        *failures += 1;
        tracing::error!(table = room.id, game = room.game.info().id, %seat, %error, "a bot failed");
        metrics::counter!("parlour_bot_failures_total").increment(1);
        if *failures < 2 {
            return Err(error);
        }
        let seed = bot_seed(room, seat);
        let action = room.table.as_ref().and_then(|table| table.random_action(seat, seed)).ok_or(error)?;
        let note = "the player failed; this is a random action".to_owned();
        Ok(BotDecision { action, thought: game::Thought { note, ..game::Thought::default() } })
    }

    /// A bot's action stands.
    pub fn succeeded(&mut self, seat: Seat) {
        self.failures.remove(&seat);
    }

    /// Gives back what is kept.
    pub fn close(&mut self, house: &House) {
        self.stop_all();
        house.kept_bots.fetch_sub(self.kept.len(), Ordering::Relaxed);
        self.kept.clear();
    }
}

/// A control whose progress goes to the table, not too often.
fn listening(ticket: u64, seat: Seat, table: mpsc::Sender<Ask>) -> Control {
    let last: Mutex<Option<Instant>> = Mutex::new(None);
    Control::with_listener(move |progress| {
        let mut last = last.lock().expect("no panic while held");
        if last.is_none_or(|at| at.elapsed() >= PROGRESS_EVERY) {
            *last = Some(Instant::now());
            let _ = table.try_send(Ask::BotProgress { ticket, seat, progress });
        }
    })
}

/// What a bot may spend, and when it is stopped at the latest.
fn budget(room: &Room, level: &str, seat: Seat) -> (Budget, Duration) {
    let own = level_budget(room, level);
    let share = room.clock.as_ref().and_then(|clock| clock.bot_share(seat, time::now_ms()));
    match (own, share.map(|ms| Duration::from_millis(ms).saturating_sub(CLOCK_MARGIN))) {
        (Budget::Time(own), Some(share)) => (Budget::Time(own.min(share)), own.min(share)),
        (Budget::Time(own), None) => (Budget::Time(own), own * 2 + Duration::from_secs(2)),
        (nodes, Some(share)) => (nodes, share),
        (nodes, None) => (nodes, NODES_PATIENCE),
    }
}

/// What a level gets at a table without a clock.
pub(super) fn level_budget(room: &Room, level: &str) -> Budget {
    let own = room.game.levels().into_iter().find(|known| known.id == level).map(|level| level.budget);
    own.unwrap_or(Budget::Time(Duration::from_secs(1)))
}

/// The seed of a bot's thought: follows from the game, says nothing about the game's own seed.
pub(super) fn bot_seed(room: &Room, seat: Seat) -> u64 {
    use sha2::{Digest, Sha256};
    let text = format!("bot {} {} {}", room.seed.0, room.ply(), seat.0);
    let digest = Sha256::digest(text.as_bytes());
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
}
