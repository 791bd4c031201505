//! Counts co-occurrences of a corpus through the queue: one shard per job, sorted shards are merged here.

use crate::job_submitter::{JobSubmitter, file, params};
use jobs::{Batch, Flow, Task, Work, WorkError};
use semantics::corpus::CorpusError;
use semantics::corpus::count::{CountSettings, Counted, PairScope};
use semantics::corpus::shards::{Merge, count_shard, cut};
use semantics::corpus::vocabulary::CorpusVocabulary;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Parameters of a job: the co-occurrence window. Its files are the word list and the shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Count {
    /// Window size in words; without it, the whole sentence.
    window: Option<u64>,
    by_distance: bool,
}

impl Count {
    fn of(together: PairScope) -> Self {
        match together {
            PairScope::Sentence => Self { window: None, by_distance: false },
            PairScope::Window { words, by_distance } => Self { window: Some(words as u64), by_distance },
        }
    }

    fn together(&self) -> PairScope {
        match self.window {
            None => PairScope::Sentence,
            Some(words) => PairScope::Window { words: words as usize, by_distance: self.by_distance },
        }
    }
}

/// Counts one shard. The result is its sorted entries.
pub struct CountWork;

impl Work for CountWork {
    fn kind(&self) -> &'static str {
        "semantics.count"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let request: Count = params(task.params)?;
        let (words, shard) = (file(task, 0)?, file(task, 1)?);
        let failed = |error: CorpusError| match error {
            CorpusError::Unfit(text) => WorkError::Refused(text),
            other => WorkError::Failed(other.to_string()),
        };
        let vocabulary = CorpusVocabulary::listed(words).map_err(failed)?;
        let counted = count_shard(shard, &vocabulary, request.together(), &mut |done, all| {
            task.control.progress(done, all);
            !task.control.is_cancelled()
        });
        counted.map_err(failed)?.ok_or(WorkError::Cancelled)
    }
}

/// Why counting failed.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    Queue(#[from] jobs::QueueError),
    #[error("{0}")]
    File(std::io::Error),
}

/// Counts a prepared corpus into a pack, with `shard` bytes of text per job. The result depends on the shard size only if
/// weights are fractions, and never on the workers.
pub fn count(
    submitter: JobSubmitter<'_>,
    corpus: &Path,
    settings: &CountSettings,
    shard: u64,
    out: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Counted, CountError> {
    let vocabulary = CorpusVocabulary::of_file(corpus, settings.min_count, settings.memory)?;
    let words = settings.scratch.join("words.txt");
    vocabulary.list(&words)?;
    let mut batch = Batch::new(format!("counting {}", corpus.display()));
    let words = batch.file(&words).map_err(CountError::File)?;
    for (number, path) in cut(corpus, &settings.scratch, shard)?.iter().enumerate() {
        let hash = batch.file(path).map_err(CountError::File)?;
        let seeds = number as u64..number as u64 + 1;
        batch.jobs.push(submitter.job(&CountWork, &Count::of(settings.together), seeds, vec![words, hash]));
    }
    let mut merge = Merge::new(&settings.scratch);
    let mut failure = None;
    let all = batch.jobs.len() as u64;
    submitter.run(&batch, &mut |number: usize, bytes: Vec<u8>| match merge.add(&bytes) {
        Ok(()) => {
            progress(number as u64 + 1, all);
            Flow::Continue
        }
        Err(error) => {
            failure = Some(error);
            Flow::Stop
        }
    })?;
    if let Some(error) = failure {
        return Err(error.into());
    }
    Ok(merge.finish(&vocabulary, settings, out)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jobs::{LocalQueue, Registry};

    /// Lines of a few words of some 200, from a simple generator.
    fn corpus(lines: u64) -> String {
        let mut x = 7u64;
        let mut next = |below: u64| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (x >> 33) % below
        };
        (0..lines)
            .map(|_| (0..1 + next(9)).map(|_| format!("w{}", next(200))).collect::<Vec<_>>().join(" ") + "\n")
            .collect()
    }

    #[test]
    fn shards_give_what_counting_the_whole_gives_on_any_number_of_threads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus.txt");
        std::fs::write(&path, corpus(2000)).unwrap();
        for together in [PairScope::Sentence, PairScope::Window { words: 2, by_distance: true }] {
            let count_into = |name: &str, how: &dyn Fn(&CountSettings, &Path) -> Counted| {
                let scratch = folder.path().join("scratch");
                std::fs::create_dir_all(&scratch).unwrap();
                let settings =
                    CountSettings { memory: 64 << 20, together, min_count: 3, least: 1.0, scratch: scratch.clone() };
                let out = folder.path().join(name);
                let counted = how(&settings, &out);
                std::fs::remove_dir_all(scratch).unwrap();
                (counted, std::fs::read(out).unwrap())
            };
            let whole = count_into("whole", &|settings, out| {
                semantics::corpus::count::count(&path, settings, out, &mut |_, _| {}).unwrap()
            });
            for (threads, shard) in [(1, 3000), (3, 3000), (2, 1 << 20)] {
                let queue = LocalQueue::new(Registry::new().with(CountWork), threads);
                let submitter = JobSubmitter { queue: &queue, program: "test", note: &|_| {} };
                let sharded = count_into("shards", &|settings, out| {
                    count(submitter, &path, settings, shard, out, &mut |_, _| {}).unwrap()
                });
                assert!(shard > 1 << 19 || sharded.0.runs > 5, "{:?}", sharded.0);
                assert_eq!((sharded.0.words, sharded.0.entries), (whole.0.words, whole.0.entries));
                assert!(sharded.1 == whole.1, "the packs differ");
            }
        }
    }
}
