//! What jobs of Scrabble read from their files: a lexicon, and the values that players learned for it.

use crate::job_submitter::{file, read};
use jobs::{Batch, Hash, Task, WorkError};
use scrabble::players::Outlook;
use scrabble::{Dictionary, LeaveModel};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// The files of a language; what is missing counts as nothing learned.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub lexicon: PathBuf,
    pub leaves: Option<PathBuf>,
    pub outlook: Option<PathBuf>,
}

/// Which files a job was given behind its lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Given {
    leaves: bool,
    outlook: bool,
}

impl Sources {
    /// Makes the files known to a batch.
    pub(super) fn hand_in(&self, batch: &mut Batch) -> std::io::Result<(Given, Vec<Hash>)> {
        let given = Given { leaves: self.leaves.is_some(), outlook: self.outlook.is_some() };
        let paths = [Some(&self.lexicon), self.leaves.as_ref(), self.outlook.as_ref()];
        let named = |path: &PathBuf, error| std::io::Error::other(format!("{}: {error}", path.display()));
        let hashes = paths.into_iter().flatten().map(|path| batch.file(path).map_err(|error| named(path, error)));
        Ok((given, hashes.collect::<Result<_, _>>()?))
    }
}

/// A language as a job uses it.
pub(super) struct Language {
    pub(super) dictionary: Arc<Dictionary>,
    pub(super) leaves: LeaveModel,
    pub(super) outlook: Outlook,
}

/// A dictionary and the file it was made of.
type Made = (PathBuf, u64, Option<SystemTime>, Arc<Dictionary>);

/// The dictionary that was used last: making one takes longer than many a job.
#[derive(Default)]
pub(crate) struct Shelf(Mutex<Option<Made>>);

impl Shelf {
    /// Reads the files of a job.
    pub(super) fn language(&self, task: &Task<'_>, given: Given) -> Result<Language, WorkError> {
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
        let outlook = if given.outlook {
            let path = file(task, 1 + usize::from(given.leaves))?;
            let text = String::from_utf8_lossy(&read(path)?).into_owned();
            Outlook::parse(&text).map_err(|error| refused(path, error.to_string()))?
        } else {
            Outlook::default()
        };
        Ok(Language { dictionary, leaves, outlook })
    }

    fn dictionary(&self, path: &std::path::Path) -> Result<Arc<Dictionary>, WorkError> {
        let failed = |error: String| WorkError::Failed(format!("{}: {error}", path.display()));
        let about = path.metadata().map_err(|error| failed(error.to_string()))?;
        let (length, changed) = (about.len(), about.modified().ok());
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, size, at, dictionary)) = &*shelf
            && (known.as_path(), *size, *at) == (path, length, changed)
        {
            return Ok(Arc::clone(dictionary));
        }
        let refused = |error: String| WorkError::Refused(format!("{}: {error}", path.display()));
        let lexicon = lexicon::Lexicon::open(path).map_err(|error| refused(error.to_string()))?;
        let made = Arc::new(Dictionary::new(lexicon).map_err(|error| refused(error.to_string()))?);
        *shelf = Some((path.to_owned(), length, changed, Arc::clone(&made)));
        Ok(made)
    }
}
