//! Messages between submitter and workers, and results split into parts.

use super::PART;
use crate::Job;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Maximum number of parts of a result.
const MOST_PARTS: u32 = 4096;

/// A job on its way to a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JobOffer {
    pub run: String,
    pub number: usize,
    pub job: Job,
}

/// The outcome of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum JobOutcome {
    Done(Vec<u8>),
    /// The job failed for good; the text says why.
    Dead(String),
}

/// A part of an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub number: usize,
    /// Distinguishes the parts of different attempts.
    pub attempt: u64,
    pub part: u32,
    pub parts: u32,
    pub bytes: Vec<u8>,
}

impl Part {
    /// Whether this is the last part of its attempt.
    pub(crate) fn is_last(&self) -> bool {
        self.part.checked_add(1) == Some(self.parts)
    }
}

/// A worker's progress with a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Heartbeat {
    pub number: usize,
    pub share: f64,
    pub worker: String,
    pub attempt: u32,
}

/// A submitter asks workers of other versions to report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct VersionProbe {
    pub run: String,
    pub title: String,
    pub program: String,
}

/// A worker reports that it runs another version than the run needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct VersionMismatch {
    pub worker: String,
    pub program: String,
}

/// Describes a message, for inspecting streams and for fuzzing.
pub fn describe(bytes: &[u8]) -> String {
    let mut names = Vec::new();
    if let Some(offer) = read::<JobOffer>(bytes) {
        names.push("job");
        let _ = offer.job.id();
    }
    if let Some(part) = read::<Part>(bytes) {
        names.push(if part.is_last() { "last part of a result" } else { "part of a result" });
        if PartAssembler::default().take(part).is_some() {
            names.push("whole result");
        }
    }
    names.extend(read::<Heartbeat>(bytes).map(|_| "sign of life"));
    names.extend(read::<VersionProbe>(bytes).map(|_| "call for workers"));
    names.extend(read::<VersionMismatch>(bytes).map(|_| "refusal"));
    if names.is_empty() { "no message".to_owned() } else { names.join(", ") }
}

/// One message of every kind.
pub fn examples() -> Vec<Vec<u8>> {
    let word = || "word".to_owned();
    let job = Job { program: word(), kind: word(), version: 1, params: vec![1, 2], seeds: 0..2, artifacts: vec![] };
    let mut all = vec![
        write(&JobOffer { run: word(), number: 1, job }),
        write(&Heartbeat { number: 1, share: 0.5, worker: word(), attempt: 1 }),
        write(&VersionProbe { run: word(), title: word(), program: word() }),
        write(&VersionMismatch { worker: word(), program: word() }),
    ];
    all.extend(split(1, 2, &JobOutcome::Dead(word())).iter().map(write));
    all
}

pub(crate) fn write<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain data has a form")
}

pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// Splits an outcome into parts that fit into messages.
pub(crate) fn split(number: usize, attempt: u64, outcome: &JobOutcome) -> Vec<Part> {
    let bytes = write(outcome);
    let parts = bytes.len().div_ceil(PART) as u32;
    let piece =
        |(part, bytes): (usize, &[u8])| Part { number, attempt, part: part as u32, parts, bytes: bytes.to_vec() };
    bytes.chunks(PART).enumerate().map(piece).collect()
}

/// Assembles parts in any order, with duplicates.
#[derive(Debug, Default)]
pub(crate) struct PartAssembler {
    open: HashMap<(usize, u64), Vec<Option<Vec<u8>>>>,
}

impl PartAssembler {
    /// Takes a part. Returns the outcome when it is complete.
    pub(crate) fn take(&mut self, part: Part) -> Option<(usize, JobOutcome)> {
        if part.parts > MOST_PARTS {
            return None;
        }
        let key = (part.number, part.attempt);
        let pieces = self.open.entry(key).or_insert_with(|| vec![None; part.parts as usize]);
        *pieces.get_mut(part.part as usize)? = Some(part.bytes);
        if pieces.iter().any(Option::is_none) {
            return None;
        }
        let whole: Vec<u8> = self.open.remove(&key)?.into_iter().flatten().flatten().collect();
        // Parts of other attempts at this job are obsolete.
        self.open.retain(|(number, _), _| *number != key.0);
        Some((key.0, read(&whole)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn parts_in_any_order_and_twice_make_the_ending(
            size in prop_oneof![Just(0usize), Just(5), Just(PART - 3), Just(PART), Just(3 * PART + 1)],
            order in proptest::collection::vec(any::<u32>(), 16),
        ) {
            let ending = JobOutcome::Done((0..size).map(|i| (i * 7 % 251) as u8).collect());
            let parts = split(3, 9, &ending);
            prop_assert!(parts.last().unwrap().is_last() && parts.iter().filter(|part| part.is_last()).count() == 1);
            // every part once, in an order that depends on the numbers, some of them twice before the end
            let mut arrivals: Vec<usize> = (0..parts.len()).collect();
            arrivals.sort_by_key(|&i| order[i]);
            let mut joiner = PartAssembler::default();
            let mut whole = None;
            for (i, &at) in arrivals.iter().enumerate() {
                prop_assert!(whole.is_none());
                if i > 0 {
                    prop_assert!(joiner.take(parts[arrivals[i - 1]].clone()).is_none());
                }
                whole = joiner.take(parts[at].clone());
            }
            prop_assert_eq!(whole, Some((3, ending)));
        }

        #[test]
        fn any_bytes_are_read_or_refused_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            describe(&bytes);
        }
    }

    #[test]
    fn a_part_beyond_all_numbers_is_not_the_last() {
        let part = Part { number: 0, attempt: 1, part: u32::MAX, parts: 0, bytes: Vec::new() };
        assert!(!part.is_last());
        assert_eq!(describe(&write(&part)), "part of a result");
        assert!(examples().iter().all(|message| describe(message) != "no message"));
    }

    #[test]
    fn attempts_are_not_mixed() {
        let (first, second) = (JobOutcome::Done(vec![1; PART + 5]), JobOutcome::Done(vec![2; PART + 5]));
        let (a, b) = (split(0, 1, &first), split(0, 2, &second));
        let mut joiner = PartAssembler::default();
        assert_eq!(joiner.take(a[0].clone()), None);
        assert_eq!(joiner.take(b[1].clone()), None);
        assert_eq!(joiner.take(b[0].clone()), Some((0, second)));
        assert_eq!(joiner.open.len(), 0);
    }
}
