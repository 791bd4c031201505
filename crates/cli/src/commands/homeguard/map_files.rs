//! Reads and writes maps, profiles and precomputed maps named on the command line.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use homeguard::engine::encoder::SetAutoencoder;
use homeguard::engine::preference::{MapPool, PreferenceProfile};
use homeguard::engine::tree::TreeMaker;
use homeguard::formats::{MapJson, MapRecordFile, map_from_text};
use homeguard::rules::{Map, Size};

/// A map given as a file (text, JSON or record file), as its text itself, or as `-` for standard input.
pub fn read_map(given: &str) -> Result<Map> {
    let (text, name) = if given == "-" {
        (std::io::read_to_string(std::io::stdin())?, "standard input".to_owned())
    } else if given.contains('\n') || given.trim_start().starts_with('{') {
        (given.to_owned(), "the map given".to_owned())
    } else {
        let text = std::fs::read_to_string(given).with_context(|| format!("map file {given}"))?;
        (text, given.to_owned())
    };
    if text.trim_start().starts_with('{') {
        let json: MapJson = serde_json::from_str(&text).with_context(|| name.clone())?;
        return Map::try_from(&json).with_context(|| name);
    }
    if text.starts_with("----\n") || text.contains("\n----\n") {
        let file = MapRecordFile::from_text(&text).with_context(|| name.clone())?;
        let Some(first) = file.records.into_iter().next() else {
            bail!("{name}: the file holds no map");
        };
        return Ok(first.map);
    }
    // shells and programs drop or add line ends at the end
    map_from_text(text.trim_end_matches(['\n', '\r'])).with_context(|| name)
}

/// A profile; a file that is not there yet is an empty one.
pub fn read_profile(path: &Path) -> Result<PreferenceProfile> {
    match std::fs::read_to_string(path) {
        Ok(text) if text.trim().is_empty() => Ok(PreferenceProfile::default()),
        Ok(text) => serde_json::from_str(&text).with_context(|| format!("profile {}", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(PreferenceProfile::default()),
        Err(error) => Err(error).with_context(|| format!("profile {}", path.display())),
    }
}

/// Writes a profile so that it is never half there.
pub fn write_profile(path: &Path, profile: &PreferenceProfile) -> Result<()> {
    let text = serde_json::to_string_pretty(profile)?;
    ::lab::homeguard::trees::write_atomically(path, text.as_bytes())?;
    Ok(())
}

/// The precomputed maps: from the data folder if they are of the wanted size, else a small set measured on the spot.
pub fn load_pool(data: Option<&Path>, size: Size) -> Result<MapPool> {
    if let Some(path) = find(data)? {
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let file = MapRecordFile::from_text(&text).with_context(|| path.display().to_string())?;
        let games = path.with_file_name("play.txt");
        let play = std::fs::read_to_string(&games).with_context(|| games.display().to_string())?;
        let pool = MapPool::from_records(&file, &play).with_context(|| path.display().to_string())?;
        if pool.size() == size {
            return Ok(pool);
        }
    }
    eprintln!("no prepared {size} maps: measuring a few first");
    Ok(MapPool::generate(size, 40, 60, 1, &mut TreeMaker::new(), |_| {}))
}

/// The developer's ratings: `homeguard/shared.json` beside the precomputed maps.
pub fn shared_ratings(data: Option<&Path>) -> Result<PreferenceProfile> {
    match find(data)?.map(|maps| maps.with_file_name("shared.json")).filter(|path| path.is_file()) {
        Some(path) => read_profile(&path),
        None => bail!("there are no shared ratings: homeguard/shared.json is not in the data folder"),
    }
}

/// The tree encoder: from a file, or `homeguard/encoder.bin` in the data folder.
pub fn load_encoder(path: Option<&Path>, data: Option<&Path>) -> Result<SetAutoencoder> {
    let beside = || -> Result<PathBuf> {
        let maps =
            find(data)?.context("there is no data folder with homeguard/maps.txt: name an encoder with --encoder")?;
        Ok(maps.with_file_name("encoder.bin"))
    };
    let path = path.map_or_else(beside, |path| Ok(path.to_owned()))?;
    let bytes = std::fs::read(&path)
        .with_context(|| format!("encoder {}: make one with `parlour homeguard train`", path.display()))?;
    SetAutoencoder::from_file(&bytes).map_err(|problem| anyhow!("{}: {problem}", path.display()))
}

/// `homeguard/maps.txt` in the data folder.
fn find(data: Option<&Path>) -> Result<Option<PathBuf>> {
    let file = Path::new("homeguard/maps.txt");
    let folder = catalog::data::find_with(data, file).map_err(anyhow::Error::msg)?;
    Ok(folder.map(|folder| folder.join(file)))
}
