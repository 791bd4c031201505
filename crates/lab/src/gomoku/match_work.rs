//! Gomoku matches as work for the queue.

use crate::external::gomoku::{Competitor, EngineMatch};
use crate::job_submitter::{Programs, file, params, read};
use crate::queued_match::play_pairs;
use gomoku::engine::Evaluation;
use gomoku::engine::net::Net;
use gomoku::players::Nets;
use gomoku::rules::{Point, Rule};
use jobs::{Task, Work, WorkError};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// A match: rule, players, openings, limits. The net of the rule, if there is one, is the file of the job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GomokuMatch {
    pub rule: String,
    pub size: u8,
    pub players: [String; 2],
    /// Openings by pair, as x and y of their stones.
    pub openings: Vec<Vec<(u8, u8)>>,
    /// Limit per move in milliseconds.
    pub turn_ms: u64,
    /// Limit per game and side in milliseconds.
    pub whole_ms: Option<u64>,
    /// How late an answer may come, in milliseconds.
    pub tolerance_ms: u64,
    /// Node budget of named players.
    pub nodes: Option<u64>,
    pub seed: u64,
    /// Whether the result includes a psq record of every game.
    pub records: bool,
}

impl GomokuMatch {
    /// The match that this describes.
    pub fn prepare(&self, nets: Nets) -> Result<EngineMatch, String> {
        let rule: Rule = self.rule.parse().map_err(|error| format!("{error}"))?;
        let [p1, p2] = &self.players;
        let point = |&(x, y): &(u8, u8)| Point { x, y };
        Ok(EngineMatch {
            rule,
            size: self.size,
            players: [Competitor::parse(p1)?, Competitor::parse(p2)?],
            openings: self.openings.iter().map(|opening| opening.iter().map(point).collect()).collect(),
            turn: Duration::from_millis(self.turn_ms),
            whole: self.whole_ms.map(Duration::from_millis),
            tolerance: Duration::from_millis(self.tolerance_ms),
            nodes: self.nodes,
            seed: self.seed,
            nets,
            cpu_clock: false,
        })
    }
}

/// Plays pairs of a [`GomokuMatch`]. By the clock the result depends on the machine; with node budgets it does not.
pub struct GomokuWork {
    /// Whether players may be external programs.
    pub programs: Programs,
}

impl Work for GomokuWork {
    fn kind(&self) -> &'static str {
        "arena.gomoku"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let asked: GomokuMatch = params(task.params)?;
        let mut nets = Nets::default();
        if !task.artifacts.is_empty() {
            let net = Net::from_bytes(&read(file(task, 0)?)?).map_err(|error| WorkError::Refused(error.to_string()))?;
            let rule = asked.rule.parse().map_err(|error| WorkError::Refused(format!("{error}")))?;
            nets.insert(rule, Evaluation::Net(Arc::new(net)));
        }
        let contest = asked.prepare(nets).map_err(WorkError::Refused)?;
        let outside = |player: &Competitor| matches!(player, Competitor::Brain { .. });
        if self.programs == Programs::Refused && contest.players.iter().any(outside) {
            return Err(WorkError::Refused(
                "a worker starts no programs for others: play brains on this machine".into(),
            ));
        }
        play_pairs(task, |pair, swapped| {
            let (played, record) = contest.played(pair, swapped);
            (played, if asked.records { record } else { String::new() })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job_submitter::{JobSubmitter, registry};
    use crate::queued_match::{QueuedMatch, run};
    use jobs::{LocalQueue, TaskControl};

    fn small(p2: &str) -> GomokuMatch {
        GomokuMatch {
            rule: "freestyle".into(),
            size: 15,
            players: ["heuristic".into(), p2.into()],
            openings: vec![vec![(7, 7), (8, 8), (6, 8)], vec![(7, 7), (9, 9)]],
            turn_ms: 500,
            whole_ms: None,
            tolerance_ms: 100,
            nodes: Some(50),
            seed: 1,
            records: true,
        }
    }

    #[test]
    fn a_match_through_the_queue_is_the_match_without_it_records_included() {
        let folder = tempfile::tempdir().unwrap();
        let asked = small("random");
        let contest = asked.prepare(Nets::default()).unwrap();
        let plan = arena::MatchPlan { pairs: 5, workers: 1, sprt: None, file: None, title: "t".to_owned() };
        let stop = std::sync::atomic::AtomicBool::new(false);
        let expected = arena::run(&contest, &plan, &stop, |_| {}).unwrap();
        let queue = LocalQueue::new(registry(Programs::Refused), 2);
        let queued = QueuedMatch {
            work: &GomokuWork { programs: Programs::Refused },
            params: postcard::to_stdvec(&asked).unwrap(),
            files: Vec::new(),
            chunk: 2,
            records: Some((folder.path().to_owned(), "psq")),
        };
        let submitter = JobSubmitter { queue: &queue, program: "test", note: &|_| {} };
        assert_eq!(run(submitter, &queued, &plan, &mut |_| {}).unwrap(), expected);
        let record = std::fs::read_to_string(folder.path().join("00003b.psq")).unwrap();
        assert_eq!(record, contest.played(3, true).1);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 10);
    }

    #[test]
    fn a_worker_starts_no_programs_of_others() {
        let params = postcard::to_stdvec(&small("sh -c true")).unwrap();
        let control = TaskControl::new();
        let task = Task { params: &params, seeds: 0..1, artifacts: &[], control: &control };
        match (GomokuWork { programs: Programs::Refused }).run(&task) {
            Err(WorkError::Refused(why)) => assert!(why.contains("starts no programs"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}
