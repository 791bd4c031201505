//! Manifests of learned parameters: what each file under `data/` was made by, and whether it is intact.
//!
//! A folder of `data/` with learned files has a `models.json`: a list of [`Model`]s. Small parameters without which a
//! player cannot exist are compiled into the program from the same files.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;

/// One file of learned parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Unique name, e.g. `scrabble/en.leaves`.
    pub name: String,
    /// What it is, e.g. `scrabble.leaves`.
    pub kind: String,
    /// Path below the data folder.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// The command that makes such a file.
    pub command: String,
    /// Seed of that command; `None` where the command takes none or the file was made in several steps.
    pub seed: Option<u64>,
    pub licence: String,
    /// Where its measurements stand, below the root of the repository.
    pub results: String,
}

/// Folders with a manifest.
const FOLDERS: [&str; 5] = ["crossword", "gomoku", "homeguard", "lexicon", "semantics"];

/// All models of the manifests in a data folder.
pub fn list(data: &Path) -> Result<Vec<Model>, String> {
    let mut all = Vec::new();
    for folder in FOLDERS {
        let path = data.join(folder).join("models.json");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let models: Vec<Model> = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        all.extend(models);
    }
    Ok(all)
}

impl Model {
    /// Compares the file with its hash. Returns its size in bytes.
    pub fn verify(&self, data: &Path) -> Result<u64, String> {
        let path = data.join(&self.file);
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let found: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if found != self.sha256 {
            return Err(format!(
                "{} has SHA-256 {found}, its manifest says {}: restore the file, or make it again with `{}` and update \
                 the manifest",
                path.display(),
                self.sha256,
                self.command
            ));
        }
        Ok(bytes.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Endings of learned files.
    const LEARNED: [&str; 7] = [".net", ".leaves", ".outlook", ".winprob", ".weights", ".weights.json", ".positional"];

    #[test]
    fn every_shipped_model_is_listed_once_and_intact() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let models = list(&data).unwrap();
        let names: BTreeSet<&str> = models.iter().map(|model| model.name.as_str()).collect();
        assert_eq!(names.len(), models.len(), "two models have one name");
        for model in &models {
            model.verify(&data).unwrap();
            assert!(model.command.starts_with("parlour "), "{}: {}", model.name, model.command);
        }
        let files: BTreeSet<&str> = models.iter().map(|model| model.file.as_str()).collect();
        for folder in FOLDERS {
            for entry in std::fs::read_dir(data.join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                let file = format!("{folder}/{name}");
                let learned = LEARNED.iter().any(|ending| name.ends_with(ending));
                assert!(!learned || files.contains(file.as_str()), "{file} is in no models.json");
            }
        }
    }

    #[test]
    fn a_damaged_missing_or_mislabelled_model_is_reported() {
        let folder = std::env::temp_dir().join(format!("parlour-models-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("gomoku")).unwrap();
        assert_eq!(list(&folder), Ok(Vec::new()));
        std::fs::write(folder.join("gomoku/a.net"), "abc").unwrap();
        let manifest = r#"[{"name": "a", "kind": "gomoku.net", "file": "gomoku/a.net", "command": "parlour x", "seed": 1,
            "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "licence": "MIT", "results": "docs"}]"#;
        std::fs::write(folder.join("gomoku/models.json"), manifest).unwrap();
        let models = list(&folder).unwrap();
        assert_eq!(models[0].verify(&folder), Ok(3));
        std::fs::write(folder.join("gomoku/a.net"), "abd").unwrap();
        assert!(models[0].verify(&folder).unwrap_err().contains("parlour x"));
        std::fs::remove_file(folder.join("gomoku/a.net")).unwrap();
        assert!(models[0].verify(&folder).unwrap_err().contains("a.net"));
        std::fs::write(folder.join("gomoku/models.json"), "[{}]").unwrap();
        assert!(list(&folder).unwrap_err().contains("models.json"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
