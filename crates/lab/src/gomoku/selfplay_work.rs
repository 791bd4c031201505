//! Self-play as work for the queue: some games a job.

use super::contender::Contender;
use super::openings::OpeningStyle;
use super::records::Record;
use super::rng::SplitMix;
use super::selfplay::{self, Style};
use crate::desk::{Desk, file, params};
use gomoku::engine::{Config, Engine};
use gomoku::rules::Rule;
use jobs::{Batch, Flow, QueueError, Task, Work, WorkError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Games of the engine against itself. The contender is the job's file; the numbers of the games are its seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfPlay {
    pub rule: String,
    /// Board sizes, taken in turn.
    pub sizes: Vec<u8>,
    /// Nodes for a move.
    pub nodes: u64,
    /// Largest judged score of an opening.
    pub margin: i32,
    /// Chance of a move that is not the best.
    pub stray: f32,
    /// Mixed with the number of the game.
    pub seed: u64,
}

impl SelfPlay {
    /// Plays game number `index`.
    pub fn game(&self, rule: Rule, contender: &Contender, index: u64) -> Record {
        let opening = OpeningStyle { nodes: self.nodes / 2, margin: self.margin, ..OpeningStyle::default() };
        let style = Style { opening, nodes: self.nodes, stray: self.stray };
        let size = self.sizes[(index % self.sizes.len() as u64) as usize];
        let seed = self.seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        selfplay::play(&mut contender.engine(rule, size), &style, &mut SplitMix::new(seed))
    }
}

/// Reads a rule and looks whether boards of these sizes can be played on.
pub(super) fn checked(rule: &str, sizes: &[u8]) -> Result<Rule, WorkError> {
    let refused = |text: String| WorkError::Refused(text);
    let rule: Rule = rule.parse().map_err(|error| refused(format!("{error}")))?;
    if sizes.is_empty() {
        return Err(refused("no board sizes".into()));
    }
    for &size in sizes {
        Engine::new(Config { table_mb: 1, ..Config::new(rule, size) }).map_err(|error| refused(error.to_string()))?;
    }
    Ok(rule)
}

/// Plays games of a [`SelfPlay`]; the result is their records, one after another.
pub struct SelfPlayWork;

impl Work for SelfPlayWork {
    fn kind(&self) -> &'static str {
        "gomoku.selfplay"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let asked: SelfPlay = params(task.params)?;
        let rule = checked(&asked.rule, &asked.sizes)?;
        let contender = Contender::read(file(task, 0)?)?;
        let mut records = Vec::new();
        for index in task.seeds.clone() {
            if task.control.is_cancelled() {
                return Err(WorkError::Cancelled);
            }
            asked.game(rule, &contender, index).write(&mut records);
            task.control.progress(index + 1 - task.seeds.start, task.seeds.end - task.seeds.start);
        }
        Ok(records)
    }
}

/// Plays games `from` up to `to`, `chunk` a job; `each` hears the records of a job, in the order of the games.
pub fn run(
    desk: Desk<'_>,
    asked: &SelfPlay,
    weights: &Path,
    games: std::ops::Range<u64>,
    chunk: u64,
    each: &mut dyn FnMut(&[u8]) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut batch = Batch::new(format!("gomoku self-play {} seed {}", asked.rule, asked.seed));
    let file = batch.file(weights)?;
    for start in games.clone().step_by(chunk.max(1) as usize) {
        let seeds = start..games.end.min(start + chunk.max(1));
        batch.jobs.push(desk.job(&SelfPlayWork, asked, seeds, vec![file]));
    }
    let mut failure = None;
    let ended = desk.queue.run(&batch, &mut |_, bytes: Vec<u8>| match each(&bytes) {
        Ok(()) => Flow::Continue,
        Err(error) => {
            failure = Some(error);
            Flow::Stop
        }
    });
    failure.map_or(Ok(()), Err)?;
    ended.map_err(|error: QueueError| std::io::Error::other(error.to_string()))
}
