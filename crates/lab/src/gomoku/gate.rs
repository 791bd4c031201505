//! The match that a new generation must win, as work for the queue: some pairs of games a job.

use super::contender::Contender;
use super::duel::{self, Way};
use super::openings::{OpeningStyle, balanced};
use super::rng::SplitMix;
use super::selfplay_work::checked;
use crate::job_submitter::{file, params};
use gomoku::engine::Limits;
use jobs::{Task, Work, WorkError};
use serde::{Deserialize, Serialize};

/// A match of a new contender against the old one. The files are the new one, then the old one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    pub rule: String,
    /// Board sizes, taken in turn.
    pub sizes: Vec<u8>,
    /// Nodes for a move.
    pub nodes: u64,
    /// Mixed with the number of the pair.
    pub seed: u64,
}

/// Plays pairs of a [`Gate`]; the result is the new contender's points of each pair, in half points.
pub struct GateWork;

impl Work for GateWork {
    fn kind(&self) -> &'static str {
        "gomoku.gate"
    }

    fn version(&self) -> u32 {
        2
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let asked: Gate = params(task.params)?;
        let rule = checked(&asked.rule, &asked.sizes)?;
        let (new, old) = (Contender::read(file(task, 0)?)?, Contender::read(file(task, 1)?)?);
        let limits = Limits::nodes(asked.nodes);
        // a new reader alone changes nothing in a search: it has to win without one
        let way = if new.searches_as(&old) { Way::Likely } else { Way::Search(&limits) };
        let style = OpeningStyle { nodes: 2 * asked.nodes, margin: 200, stones: (3, 7) };
        let mut points = Vec::new();
        for pair in task.seeds.clone() {
            if task.control.is_cancelled() {
                return Err(WorkError::Cancelled);
            }
            let size = asked.sizes[(pair % asked.sizes.len() as u64) as usize];
            let mut rng = SplitMix::new(asked.seed ^ pair);
            let (mut a, mut b) = (new.engine(rule, size), old.engine(rule, size));
            let opening = balanced(&mut a, &style, &mut rng);
            points.push((2.0 * duel::pair(&mut a, &mut b, way, &opening)).round() as u8);
            task.control.progress(points.len() as u64, task.seeds.end - task.seeds.start);
        }
        Ok(points)
    }
}
