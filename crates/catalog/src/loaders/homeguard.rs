//! Homeguard with its prepared maps; without them a few are measured when they are first asked for.

use std::path::Path;

use homeguard::Homeguard;
use homeguard::engine::preference::{MapPool, PreferenceProfile};
use homeguard::formats::MapRecordFile;

/// Reads `homeguard/maps.txt` and, if it is there, `homeguard/shared.json`.
pub(super) fn load(data: Option<&Path>) -> Result<Homeguard, String> {
    let Some(folder) = data.map(|data| data.join("homeguard")).filter(|folder| folder.join("maps.txt").is_file())
    else {
        return Ok(Homeguard::new());
    };
    let path = folder.join("maps.txt");
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| named(&error))?;
    let file = MapRecordFile::from_text(&text).map_err(|error| named(&error))?;
    let pool = MapPool::from_records(&file).map_err(|error| named(&error))?;
    let shared = folder.join("shared.json");
    let profile = match std::fs::read_to_string(&shared) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| format!("{}: {error}", shared.display()))?,
        Err(_) => PreferenceProfile::default(),
    };
    Ok(Homeguard::with_data(pool, profile))
}
