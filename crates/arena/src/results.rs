//! Results of a match, and their file.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::PlayedGame;

/// A game pair: both games of one opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamePair {
    pub games: [PlayedGame; 2],
}

impl GamePair {
    /// The first player's points in both games, 0 to 2.
    pub fn points(&self) -> f64 {
        self.games[0].points + self.games[1].points
    }
}

/// All played pairs by number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Description of the match. A file is resumed only by a match with the same title.
    pub title: String,
    pub pairs: BTreeMap<u64, GamePair>,
}

/// Error of a results file.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    #[error("{path}: {error}")]
    Io { path: String, error: std::io::Error },
    #[error("{path} is not a results file: {error}")]
    Form { path: String, error: serde_json::Error },
    #[error("{path} holds another match ({found}); this one is {expected}")]
    OtherMatch { path: String, found: String, expected: String },
}

impl Results {
    /// Empty results.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), pairs: BTreeMap::new() }
    }

    /// The results in `path`, or empty results if the file does not exist.
    pub fn open(path: &Path, title: &str) -> Result<Self, ResultsError> {
        let name = || path.display().to_string();
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::new(title)),
            Err(error) => return Err(ResultsError::Io { path: name(), error }),
        };
        let results: Self = serde_json::from_str(&text).map_err(|error| ResultsError::Form { path: name(), error })?;
        if results.title != title {
            return Err(ResultsError::OtherMatch { path: name(), found: results.title, expected: title.to_owned() });
        }
        Ok(results)
    }

    /// Writes the file atomically.
    pub fn save(&self, path: &Path) -> Result<(), ResultsError> {
        let failed = |error| ResultsError::Io { path: path.display().to_string(), error };
        let fresh = path.with_added_extension("part");
        let write = || {
            let mut file = fs::File::create(&fresh)?;
            file.write_all(&serde_json::to_vec(self).map_err(std::io::Error::other)?)?;
            file.sync_all()?;
            fs::rename(&fresh, path)
        };
        write().map_err(failed)
    }

    /// The gapless prefix of pairs. Decisions use only these, so that the order of completion does not matter.
    pub fn prefix(&self) -> impl Iterator<Item = &GamePair> {
        self.pairs.iter().enumerate().take_while(|(i, (number, _))| *i as u64 == **number).map(|(_, (_, pair))| pair)
    }
}
