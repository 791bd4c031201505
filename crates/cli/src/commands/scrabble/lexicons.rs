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

/// The game with the languages of a data folder's `lexicon`.
pub fn game(folder: &Path) -> Result<scrabble::table::Scrabble> {
    let folder = folder.to_owned();
    let codes = lexicon::SHIPPED.iter().filter(|c| folder.join(format!("{c}.lex")).is_file());
    let codes: Vec<String> = codes.map(|c| (*c).to_owned()).collect();
    let load = move |code: &str| -> Result<scrabble::table::GameLanguage, String> {
        let kit = super::player_kit::PlayerKit::load(code).map_err(|e| e.to_string())?;
        let text = std::fs::read_to_string(folder.join(format!("{code}.freq"))).unwrap_or_default();
        let frequencies = lexicon::Frequencies::parse(&text, kit.dictionary.alphabet()).map_err(|e| e.to_string())?;
        Ok(scrabble::table::GameLanguage {
            code: code.to_owned(),
            dictionary: kit.dictionary,
            leaves: kit.leaves,
            win: kit.win,
            positional: kit.positional,
            frequencies,
            weights: kit.weights,
        })
    };
    Ok(scrabble::table::Scrabble::new(scrabble::table::LanguageRegistry::new(codes, load)))
}
