//! Codenames with every language whose packs and board words are installed.

use crate::background::low_priority_pool;
use codenames::{Codenames, LanguageModel};
use std::path::Path;
use std::sync::Arc;

/// Opens the languages. A missing one is left out; none at all is an error.
pub(super) fn load(data: Option<&Path>) -> Result<Codenames, String> {
    let data = data.ok_or("Codenames needs the data folder")?;
    let mut models = Vec::new();
    for lang in lexicon::SHIPPED {
        match open(data, lang) {
            Ok(lm) => models.push(Arc::new(lm)),
            Err(reason) => tracing::info!(lang, %reason, "Codenames starts without this language"),
        }
    }
    if models.is_empty() {
        return Err(format!("no language has its packs under {}", data.join("semantics").display()));
    }
    fill(&models);
    Ok(Codenames::new(models))
}

/// Computes missing score matrices, language by language, on threads of idle priority.
fn fill(models: &[Arc<LanguageModel>]) {
    let missing: Vec<Arc<LanguageModel>> = models.iter().filter(|t| !t.is_filled()).cloned().collect();
    if missing.is_empty() {
        return;
    }
    match low_priority_pool(0, "codenames scores") {
        Ok(idle) => idle.spawn(move || {
            for lm in missing {
                lm.fill();
                trim_heap();
            }
        }),
        Err(error) => tracing::warn!(%error, "no idle threads: the first clue of a board takes seconds"),
    }
}

/// Returns freed memory to the system: the allocator would keep it although this work does not come again.
fn trim_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: releases free memory only.
    unsafe {
        libc::malloc_trim(0);
    }
}

fn open(data: &Path, lang: &str) -> Result<LanguageModel, String> {
    let boards = data.join("boards").join(format!("{lang}.txt"));
    let boards = std::fs::read_to_string(&boards).map_err(|error| format!("{}: {error}", boards.display()))?;
    let unsaid = data.join("unsaid").join(format!("{lang}.txt"));
    let unsaid = std::fs::read_to_string(&unsaid).map_err(|error| format!("{}: {error}", unsaid.display()))?;
    let language = semantics::Language::open(data, lang).map_err(|error| error.to_string())?;
    let readings = semantics::Readings::open(data, lang)?;
    let lm = LanguageModel::new(language, &boards, &unsaid).with_readings(readings);
    let matrix = data.join("codenames").join(format!("{lang}.matrix"));
    if let Ok(bytes) = std::fs::read(&matrix)
        && let Err(error) = lm.use_matrix(&bytes)
    {
        tracing::warn!(lang, %error, "the clue matrix is computed again: {}", matrix.display());
    }
    Ok(lm)
}
