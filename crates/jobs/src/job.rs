//! Jobs.

use crate::Hash;
use crate::hash::Hasher;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// One unit of work, with everything its result depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The program that submits the job. A worker of another program or version does not take it.
    pub program: String,
    /// The kind of work, for instance `gomoku.selfplay`.
    pub kind: String,
    /// The version of that kind of work.
    pub version: u32,
    /// Parameters in the form of the work.
    pub params: Vec<u8>,
    /// Seeds: numbers of games, pairs or other units of the work.
    pub seeds: Range<u64>,
    /// Hashes of the files that the work reads, in the order it expects.
    pub artifacts: Vec<Hash>,
}

impl Job {
    /// The hash of everything the result depends on.
    pub fn id(&self) -> Hash {
        let mut hasher = Hasher::default();
        hasher.field(self.program.as_bytes());
        hasher.field(self.kind.as_bytes());
        hasher.field(&self.version.to_le_bytes());
        hasher.field(&self.params);
        hasher.field(&self.seeds.start.to_le_bytes());
        hasher.field(&self.seeds.end.to_le_bytes());
        for artifact in &self.artifacts {
            hasher.field(artifact.to_string().as_bytes());
        }
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn job() -> impl Strategy<Value = Job> {
        let small = proptest::collection::vec(0u8..3, 0..3);
        let artifacts = proptest::collection::vec((0u8..3).prop_map(|n| Hash::of(&[n])), 0..3);
        ("[ab]{0,2}", "[ab]{0,2}", 0u32..2, small, 0u64..3, 0u64..3, artifacts).prop_map(
            |(program, kind, version, params, start, end, artifacts)| Job {
                program,
                kind,
                version,
                params,
                seeds: start..end,
                artifacts,
            },
        )
    }

    proptest! {
        #[test]
        fn jobs_have_the_same_id_exactly_when_they_are_the_same(a in job(), b in job()) {
            prop_assert_eq!(a.id() == b.id(), a == b);
        }

        #[test]
        fn a_job_survives_its_bytes(a in job()) {
            let bytes = postcard::to_stdvec(&a).unwrap();
            prop_assert_eq!(postcard::from_bytes::<Job>(&bytes).unwrap(), a);
        }
    }
}
