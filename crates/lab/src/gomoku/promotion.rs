//! The promotion match of a new generation, as work for the queue.

use super::candidate::TrainingCandidate;
use super::match_play::{self, MoveChoice};
use super::openings::{OpeningStyle, balanced};
use super::selfplay_work::checked;
use crate::job_submitter::{file, params};
use gomoku::engine::SearchLimits;
use jobs::{Task, Work, WorkError};
use numerics::SplitMix64;
use serde::{Deserialize, Serialize};

/// A match of a new candidate against the current best. The files are the new one, then the best.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromotionMatch {
    pub rule: String,
    /// Board sizes, taken in turn.
    pub sizes: Vec<u8>,
    /// Nodes for a move.
    pub nodes: u64,
    /// Mixed with the number of the pair.
    pub seed: u64,
}

/// Plays pairs of a [`PromotionMatch`]; the result is the new candidate's points of each pair, in half points.
pub struct PromotionWork;

impl Work for PromotionWork {
    fn kind(&self) -> &'static str {
        "gomoku.gate"
    }

    fn version(&self) -> u32 {
        2
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let asked: PromotionMatch = params(task.params)?;
        let rule = checked(&asked.rule, &asked.sizes)?;
        let (new, old) = (TrainingCandidate::read(file(task, 0)?)?, TrainingCandidate::read(file(task, 1)?)?);
        let limits = SearchLimits::nodes(asked.nodes);
        // candidates that differ in the policy network alone search alike: they play without search
        let way = if new.same_search_as(&old) { MoveChoice::Likely } else { MoveChoice::Search(&limits) };
        let style = OpeningStyle { nodes: 2 * asked.nodes, margin: 200, stones: (3, 7) };
        let mut points = Vec::new();
        for pair in task.seeds.clone() {
            if task.control.is_cancelled() {
                return Err(WorkError::Cancelled);
            }
            let size = asked.sizes[(pair % asked.sizes.len() as u64) as usize];
            let mut rng = SplitMix64::new(asked.seed ^ pair);
            let (mut a, mut b) = (new.engine(rule, size), old.engine(rule, size));
            let opening = balanced(&mut a, &style, &mut rng);
            points.push((2.0 * match_play::pair(&mut a, &mut b, way, &opening)).round() as u8);
            task.control.progress(points.len() as u64, task.seeds.end - task.seeds.start);
        }
        Ok(points)
    }
}
