//! The files of a Scrabble job: a lexicon and the values learned for it.

use crate::job_submitter::{file, read};
use jobs::{Batch, Hash, Task, WorkError};
use scrabble::engine::PositionalModel;
use scrabble::{Dictionary, LeaveModel};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// The files of a language; missing files mean untrained models.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub lexicon: PathBuf,
    pub leaves: Option<PathBuf>,
    pub positional: Option<PathBuf>,
}

/// Which optional files follow the lexicon in a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FilesGiven {
    leaves: bool,
    positional: bool,
}

impl Sources {
    /// Registers the files with a batch.
    pub(super) fn hand_in(&self, batch: &mut Batch) -> std::io::Result<(FilesGiven, Vec<Hash>)> {
        let given = FilesGiven { leaves: self.leaves.is_some(), positional: self.positional.is_some() };
        let paths = [Some(&self.lexicon), self.leaves.as_ref(), self.positional.as_ref()];
        let named = |path: &PathBuf, error| std::io::Error::other(format!("{}: {error}", path.display()));
        let hashes = paths.into_iter().flatten().map(|path| batch.file(path).map_err(|error| named(path, error)));
        Ok((given, hashes.collect::<Result<_, _>>()?))
    }
}

/// A language as a job uses it.
pub(super) struct JobLanguage {
    pub(super) dictionary: Arc<Dictionary>,
    pub(super) leaves: LeaveModel,
    pub(super) positional: PositionalModel,
}

/// A dictionary with the path, size and time of its file.
type Made = (PathBuf, u64, Option<SystemTime>, Arc<Dictionary>);

/// Cache of the last dictionary: loading one can take longer than a job.
#[derive(Default)]
pub(crate) struct DictionaryCache(Mutex<Option<Made>>);

impl DictionaryCache {
    /// Reads the files of a job.
    pub(super) fn language(&self, task: &Task<'_>, given: FilesGiven) -> Result<JobLanguage, WorkError> {
        let refused =
            |path: &std::path::Path, error: String| WorkError::Refused(format!("{}: {error}", path.display()));
        let dictionary = self.dictionary(file(task, 0)?)?;
        let leaves = if given.leaves {
            let path = file(task, 1)?;
            let model = LeaveModel::from_bytes(&read(path)?, dictionary.alphabet().len());
            model.map_err(|error| refused(path, error.to_string()))?
        } else {
            LeaveModel::zero(dictionary.alphabet().len())
        };
        let positional = if given.positional {
            let path = file(task, 1 + usize::from(given.leaves))?;
            let text = String::from_utf8_lossy(&read(path)?).into_owned();
            PositionalModel::parse(&text).map_err(|error| refused(path, error.to_string()))?
        } else {
            PositionalModel::default()
        };
        Ok(JobLanguage { dictionary, leaves, positional })
    }

    fn dictionary(&self, path: &std::path::Path) -> Result<Arc<Dictionary>, WorkError> {
        let failed = |error: String| WorkError::Failed(format!("{}: {error}", path.display()));
        let about = path.metadata().map_err(|error| failed(error.to_string()))?;
        let (length, changed) = (about.len(), about.modified().ok());
        let mut dictionaries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, size, at, dictionary)) = &*dictionaries
            && (known.as_path(), *size, *at) == (path, length, changed)
        {
            return Ok(Arc::clone(dictionary));
        }
        let refused = |error: String| WorkError::Refused(format!("{}: {error}", path.display()));
        let lexicon = lexicon::Lexicon::open(path).map_err(|error| refused(error.to_string()))?;
        let made = Arc::new(Dictionary::new(lexicon).map_err(|error| refused(error.to_string()))?);
        *dictionaries = Some((path.to_owned(), length, changed, Arc::clone(&made)));
        Ok(made)
    }
}
