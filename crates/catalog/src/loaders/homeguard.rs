//! Homeguard with its prepared maps; without them a few are measured when they are first asked for.

use std::path::Path;

use homeguard::Homeguard;
use homeguard::engine::encoder::SetAutoencoder;
use homeguard::engine::preference::{MapPool, PreferenceProfile};
use homeguard::formats::MapRecordFile;

/// Reads `homeguard/maps.txt`, `homeguard/play.txt` and, if they exist, `homeguard/shared.json` and
/// `homeguard/encoder.bin`.
pub(super) fn load(data: Option<&Path>) -> Result<Homeguard, String> {
    let Some(folder) = data.map(|data| data.join("homeguard")).filter(|folder| folder.join("maps.txt").is_file())
    else {
        return Ok(Homeguard::new());
    };
    let path = folder.join("maps.txt");
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| named(&error))?;
    let file = MapRecordFile::from_text(&text).map_err(|error| named(&error))?;
    let games = folder.join("play.txt");
    let play = std::fs::read_to_string(&games).map_err(|error| format!("{}: {error}", games.display()))?;
    let pool = MapPool::from_records(&file, &play).map_err(|error| named(&error))?;
    let shared = folder.join("shared.json");
    let profile = match std::fs::read_to_string(&shared) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| format!("{}: {error}", shared.display()))?,
        Err(_) => PreferenceProfile::default(),
    };
    let game = Homeguard::with_data(pool, profile);
    let encoder = folder.join("encoder.bin");
    match std::fs::read(&encoder) {
        Ok(bytes) => SetAutoencoder::from_file(&bytes)
            .map(|encoder| game.with_encoder(encoder))
            .map_err(|problem| format!("{}: {problem}", encoder.display())),
        Err(_) => Ok(game),
    }
}
