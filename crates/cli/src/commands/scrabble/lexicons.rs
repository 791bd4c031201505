//! Finding lexicons and tiles by name or file.

use anyhow::{Context, Result, bail};
use lexicon::{Alphabet, Lexicon};
use std::path::{Path, PathBuf};

/// A file or folder below the nearest `data/` that has it.
pub fn pack(relative: &str) -> Option<PathBuf> {
    let folder = catalog::data::find_with(None, relative).ok()??;
    Some(folder.join(relative))
}

/// The path of a lexicon given by file or by name.
pub fn path(lexicon: &str) -> Result<PathBuf> {
    if Path::new(lexicon).is_file() {
        return Ok(PathBuf::from(lexicon));
    }
    match pack(&format!("lexicon/{lexicon}.lex")) {
        Some(path) => Ok(path),
        None => bail!("no lexicon called {lexicon:?}: neither a file nor data/lexicon/{lexicon}.lex"),
    }
}

/// Opens a lexicon by file or name.
pub fn open(lexicon: &str) -> Result<Lexicon> {
    Ok(Lexicon::open(&path(lexicon)?)?)
}

/// An alphabet by code or tile file.
pub fn tiles(tiles: &str) -> Result<Alphabet> {
    if lexicon::SHIPPED.contains(&tiles) {
        return Ok(Alphabet::shipped(tiles)?);
    }
    let text = std::fs::read_to_string(tiles).with_context(|| format!("tiles {tiles:?} (en, cs, pl, sk or a file)"))?;
    Ok(Alphabet::parse(&text)?)
}

/// The learned leave values of an alphabet; all zero when none are shipped.
pub fn leaves(dictionary: &scrabble::Dictionary) -> Result<scrabble::LeaveModel> {
    let letters = dictionary.alphabet().len();
    match pack(&format!("lexicon/{}.leaves", dictionary.alphabet().code())) {
        Some(path) => {
            let bytes = std::fs::read(&path).with_context(|| format!("{}", path.display()))?;
            scrabble::LeaveModel::from_bytes(&bytes, letters).with_context(|| format!("{}", path.display()))
        }
        None => Ok(scrabble::LeaveModel::zero(letters)),
    }
}

/// A lexicon prepared for play.
pub fn dictionary(lexicon: &str) -> Result<scrabble::Dictionary> {
    Ok(scrabble::Dictionary::new(open(lexicon)?)?)
}

/// The language of a lexicon given by file or by name, with its models.
pub fn language(lexicon: &str) -> Result<scrabble::table::GameLanguage> {
    let models = pack("lexicon");
    let named = || models.as_ref().map(|folder| folder.join(format!("{lexicon}.lex")));
    let light = named().filter(|_| lexicon.ends_with("-light") && !Path::new(lexicon).is_file());
    let file = match light {
        Some(file) => file,
        None => path(lexicon)?,
    };
    catalog::scrabble_languages::language(&file, models.as_deref()).map_err(anyhow::Error::msg)
}

/// The code of a lexicon given by file or by name: the stem of its file.
pub fn code(lexicon: &str) -> String {
    let file = Path::new(lexicon);
    let stem = file.file_stem().filter(|_| file.is_file()).and_then(|s| s.to_str());
    stem.unwrap_or(lexicon).to_owned()
}

/// The game with the languages of the data folder, and `lexicon` if it is a file elsewhere.
pub fn game(lexicon: &str) -> Result<scrabble::table::Scrabble> {
    let folder = pack("lexicon");
    let mut codes = folder.as_deref().map(catalog::scrabble_languages::codes).unwrap_or_default();
    let own = Path::new(lexicon).is_file().then(|| lexicon.to_owned());
    let own_code = code(lexicon);
    if own.is_some() && !codes.contains(&own_code) {
        codes.push(own_code.clone());
    }
    let load = move |wanted: &str| {
        let source = own.as_deref().filter(|_| wanted == own_code).unwrap_or(wanted);
        language(source).map_err(|e| format!("{e:#}"))
    };
    Ok(scrabble::table::Scrabble::new(scrabble::table::LanguageRegistry::new(codes, load)))
}
