//! Self-play as work for the queue.

use super::candidate::TrainingCandidate;
use super::openings::OpeningStyle;
use super::selfplay::{self, SelfPlayStyle};
use super::training_games::TrainingGame;
use crate::job_submitter::{JobSubmitter, file, params};
use gomoku::engine::{Config, Engine};
use gomoku::rules::Rule;
use jobs::{Batch, Flow, QueueError, Task, Work, WorkError};
use numerics::SplitMix64;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Self-play games. The candidate is the file of the job; game numbers are its seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfPlay {
    pub rule: String,
    /// Board sizes, taken in turn.
    pub sizes: Vec<u8>,
    /// Nodes per move.
    pub nodes: u64,
    /// Largest absolute score of an opening.
    pub margin: i32,
    /// Probability of an exploration move.
    pub exploration: f32,
    /// Probability, per move, of an off-trajectory position.
    pub off_trajectory: f32,
    /// Mean number of policy-only games per game.
    pub policy_games: f32,
    /// Mixed with the number of the game.
    pub seed: u64,
}

impl SelfPlay {
    /// Plays game number `index`: off-trajectory positions, then the game.
    pub fn game(&self, rule: Rule, candidate: &TrainingCandidate, index: u64) -> Vec<TrainingGame> {
        let opening = OpeningStyle { nodes: self.nodes / 2, margin: self.margin, ..OpeningStyle::default() };
        let style = SelfPlayStyle {
            opening,
            nodes: self.nodes,
            exploration: self.exploration,
            off_trajectory: self.off_trajectory,
            policy_games: self.policy_games,
        };
        let size = self.sizes[(index % self.sizes.len() as u64) as usize];
        let seed = self.seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        selfplay::play(&mut candidate.engine(rule, size), &style, &mut SplitMix64::new(seed))
    }
}

/// Parses a rule and checks the board sizes.
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

/// Plays the games of a [`SelfPlay`]; the result is the concatenation of their records.
pub struct SelfPlayWork;

impl Work for SelfPlayWork {
    fn kind(&self) -> &'static str {
        "gomoku.selfplay"
    }

    fn version(&self) -> u32 {
        4
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let asked: SelfPlay = params(task.params)?;
        let rule = checked(&asked.rule, &asked.sizes)?;
        let candidate = TrainingCandidate::read(file(task, 0)?)?;
        let mut records = Vec::new();
        for index in task.seeds.clone() {
            if task.control.is_cancelled() {
                return Err(WorkError::Cancelled);
            }
            asked.game(rule, &candidate, index).iter().for_each(|record| record.write(&mut records));
            task.control.progress(index + 1 - task.seeds.start, task.seeds.end - task.seeds.start);
        }
        Ok(records)
    }
}

/// Plays `games` games except the first `had`, `chunk` per job, and passes the records of each job to `each` in the
/// order
/// of the games. `had` is a multiple of `chunk`.
pub fn run(
    submitter: JobSubmitter<'_>,
    asked: &SelfPlay,
    weights: &Path,
    games: u64,
    had: u64,
    chunk: u64,
    each: &mut dyn FnMut(&[u8]) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut batch = Batch::new(format!("gomoku self-play {} seed {}", asked.rule, asked.seed));
    let file = batch.file(weights)?;
    for start in (0..games).step_by(chunk.max(1) as usize) {
        if start < had {
            batch.already_done.insert(batch.jobs.len());
        }
        let seeds = start..games.min(start + chunk.max(1));
        batch.jobs.push(submitter.job(&SelfPlayWork, asked, seeds, vec![file]));
    }
    let mut failure = None;
    let ended = submitter.run(&batch, &mut |_, bytes: Vec<u8>| match each(&bytes) {
        Ok(()) => Flow::Continue,
        Err(error) => {
            failure = Some(error);
            Flow::Stop
        }
    });
    failure.map_or(Ok(()), Err)?;
    ended.map_err(|error: QueueError| std::io::Error::other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gomoku::train::beginner;
    use crate::job_submitter::{Programs, registry};
    use jobs::LocalQueue;

    #[test]
    fn games_through_the_queue_are_the_games_without_it() {
        let folder = tempfile::tempdir().unwrap();
        let weights = folder.path().join("weights");
        let candidate = TrainingCandidate { patterns: beginner(), net: None };
        std::fs::write(&weights, candidate.to_bytes()).unwrap();
        let sizes = vec![15, 12];
        let asked = SelfPlay {
            rule: "standard".into(),
            sizes,
            nodes: 60,
            margin: 2000,
            exploration: 0.1,
            off_trajectory: 0.2,
            policy_games: 0.3,
            seed: 5,
        };
        let mut expected = Vec::new();
        let records: Vec<TrainingGame> =
            (0..7).flat_map(|index| asked.game(Rule::Standard, &candidate, index)).collect();
        records.iter().for_each(|record| record.write(&mut expected));
        assert_eq!(TrainingGame::read_all(&expected), records);
        assert_eq!(TrainingGame::games(&records), 7);
        assert!(records.len() > 10, "positions beside the games are missing");
        let compared: Vec<&TrainingGame> = records.iter().filter(|record| !record.alternatives().is_empty()).collect();
        assert!(compared.len() > 3, "policy_games moves were not compared");
        for record in compared {
            assert!(record.is_off_trajectory() && record.line().len() == usize::from(record.opening) + 1);
            let mut points: Vec<_> = record.moves.iter().map(|m| (m.point.x, m.point.y)).collect();
            points.sort_unstable();
            points.dedup();
            assert_eq!(points.len(), record.moves.len(), "a compared move is on a stone or there twice");
        }
        let play = |threads, had, chunk| {
            let queue = LocalQueue::new(registry(Programs::Refused), threads);
            let mut all = Vec::new();
            let submitter = JobSubmitter { queue: &queue, program: "test", note: &|_| {} };
            run(submitter, &asked, &weights, 7, had, chunk, &mut |records| {
                all.extend_from_slice(records);
                Ok(())
            })
            .unwrap();
            all
        };
        assert!(play(1, 0, 1) == expected && play(3, 0, 2) == expected);
        let mut first_four = records.clone();
        TrainingGame::keep_games(&mut first_four, 4);
        assert_eq!(TrainingGame::games(&first_four), 4);
        assert_eq!(TrainingGame::read_all(&play(2, 4, 2)), records[first_four.len()..]);
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        assert!(matches!(checked("chess", &[15]), Err(WorkError::Refused(_))));
        assert!(matches!(checked("renju", &[]), Err(WorkError::Refused(_))));
        assert!(matches!(checked("renju", &[15, 99]), Err(WorkError::Refused(_))));
        assert_eq!(checked("renju", &[15]), Ok(Rule::Renju));
    }
}
