//! Codenames with every language whose packs and board words are there.

use crate::background::low_priority_pool;
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
    fill(&tongues);
    Ok(Codenames::new(tongues))
}

/// Computes what no file of scores gave, language by language, on threads that give way to everybody else.
fn fill(tongues: &[Arc<Tongue>]) {
    let missing: Vec<Arc<Tongue>> = tongues.iter().filter(|t| !t.filled()).cloned().collect();
    if missing.is_empty() {
        return;
    }
    match low_priority_pool(0, "codenames scores") {
        Ok(idle) => idle.spawn(move || {
            for tongue in missing {
                tongue.fill();
                give_back();
            }
        }),
        Err(error) => tracing::warn!(%error, "first clues will be slow"),
    }
}

/// Gives memory that the work needed back to the system; the allocator would keep it for the next time, and there is none.
fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: releases free memory only.
    unsafe {
        libc::malloc_trim(0);
    }
}

fn open(data: &Path, lang: &str) -> Result<Tongue, String> {
    let boards = data.join("boards").join(format!("{lang}.txt"));
    let boards = std::fs::read_to_string(&boards).map_err(|error| format!("{}: {error}", boards.display()))?;
    let unsaid = data.join("unsaid").join(format!("{lang}.txt"));
    let unsaid = std::fs::read_to_string(&unsaid).map_err(|error| format!("{}: {error}", unsaid.display()))?;
    let language = semantics::Language::open(data, lang).map_err(|error| error.to_string())?;
    let readings = semantics::Readings::open(data, lang)?;
    let tongue = Tongue::new(language, &boards, &unsaid).with_readings(readings);
    let matrix = data.join("codenames").join(format!("{lang}.matrix"));
    if let Ok(bytes) = std::fs::read(&matrix)
        && let Err(error) = tongue.use_matrix(&bytes)
    {
        tracing::warn!(lang, %error, "clues are computed anew: {}", matrix.display());
    }
    Ok(tongue)
}
