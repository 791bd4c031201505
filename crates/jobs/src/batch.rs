//! Jobs that belong together.

use crate::hash::Hasher;
use crate::{Hash, Job};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Jobs that belong together, in the order in which their results are wanted, and the files they read.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// What it is, for people.
    pub title: String,
    pub jobs: Vec<Job>,
    /// Jobs that whoever asks has results of; they are neither done nor handed over. They are part of the batch, so that
    /// it stays the same run.
    pub had: BTreeSet<usize>,
    files: BTreeMap<Hash, PathBuf>,
}

impl Batch {
    /// An empty batch.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Makes a file known to the jobs of this batch, by its hash.
    pub fn file(&mut self, path: &Path) -> std::io::Result<Hash> {
        let hash = Hash::of_file(path)?;
        self.files.insert(hash, path.to_owned());
        Ok(hash)
    }

    /// Where a file is that was made known.
    pub fn path(&self, hash: &Hash) -> Option<&Path> {
        self.files.get(hash).map(PathBuf::as_path)
    }

    /// All files, by their hash.
    pub fn files(&self) -> impl Iterator<Item = (&Hash, &Path)> {
        self.files.iter().map(|(hash, path)| (hash, path.as_path()))
    }

    /// The name of the run: the same jobs are the same run, so that one that was interrupted is found again.
    pub fn run_id(&self) -> String {
        let mut hasher = Hasher::default();
        for job in &self.jobs {
            hasher.field(job.id().to_string().as_bytes());
        }
        hasher.finish().short()
    }
}
