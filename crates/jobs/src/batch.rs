//! Batches of jobs.

use crate::hash::Hasher;
use crate::{Hash, Job};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Jobs that belong together, in the order of their results, and the files they read.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Title for people.
    pub title: String,
    pub jobs: Vec<Job>,
    /// Jobs whose results the caller has already. They are neither run nor returned, but they are part of the batch, so
    /// that the run keeps its id.
    pub already_done: BTreeSet<usize>,
    files: BTreeMap<Hash, PathBuf>,
}

impl Batch {
    /// An empty batch.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Registers a file of this batch by its hash.
    pub fn file(&mut self, path: &Path) -> std::io::Result<Hash> {
        let hash = Hash::of_file(path)?;
        self.files.insert(hash, path.to_owned());
        Ok(hash)
    }

    /// Path of a registered file.
    pub fn path(&self, hash: &Hash) -> Option<&Path> {
        self.files.get(hash).map(PathBuf::as_path)
    }

    /// All files, by their hash.
    pub fn files(&self) -> impl Iterator<Item = (&Hash, &Path)> {
        self.files.iter().map(|(hash, path)| (hash, path.as_path()))
    }

    /// The id of the run. It depends on the jobs alone, so that an interrupted run is found again.
    pub fn run_id(&self) -> String {
        let mut hasher = Hasher::default();
        for job in &self.jobs {
            hasher.field(job.id().to_string().as_bytes());
        }
        hasher.finish().short()
    }
}
