//! Codenames with every language whose packs and board words are there.

use codenames::{Codenames, Tongue};
use std::path::Path;
use std::sync::Arc;

/// Languages in the order they are offered.
const LANGUAGES: [&str; 4] = ["en", "cs", "pl", "sk"];

/// Opens the languages; a missing one is left out, none at all is an error.
pub(super) fn load(data: Option<&Path>) -> Result<Codenames, String> {
    let data = data.ok_or("Codenames needs the data folder")?;
    let mut tongues = Vec::new();
    for lang in LANGUAGES {
        match open(data, lang) {
            Ok(tongue) => tongues.push(Arc::new(tongue)),
            Err(reason) => tracing::info!(lang, %reason, "Codenames without this language"),
        }
    }
    if tongues.is_empty() {
        return Err(format!("no language has its packs under {}", data.join("semantics").display()));
    }
    Ok(Codenames::new(tongues))
}

fn open(data: &Path, lang: &str) -> Result<Tongue, String> {
    let boards = data.join("boards").join(format!("{lang}.txt"));
    let boards = std::fs::read_to_string(&boards).map_err(|error| format!("{}: {error}", boards.display()))?;
    let language = semantics::Language::open(data, lang).map_err(|error| error.to_string())?;
    let mut tongue = Tongue::new(language, &boards);
    let matrix = data.join("codenames").join(format!("{lang}.matrix"));
    if let Ok(bytes) = std::fs::read(&matrix) {
        if let Err(error) = tongue.use_matrix(&bytes) {
            tracing::warn!(lang, %error, "clues are computed anew: {}", matrix.display());
        }
    }
    Ok(tongue)
}
