//! Scrabble's lexicons, leave values, positional and win models, frequencies and weights.

use lexicon::{Frequencies, Lexicon};
use scrabble::engine::{PositionalModel, WinModel};
use scrabble::players::PhaseWeights;
use scrabble::table::{GameLanguage, LanguageRegistry, Scrabble};
use scrabble::{Dictionary, LeaveModel};
use std::path::{Path, PathBuf};

/// The game with every language that has a lexicon under `data/lexicon`.
pub(super) fn load(data: Option<&Path>) -> Result<Scrabble, String> {
    let folder = data.ok_or("it needs the lexicons in data/lexicon")?.join("lexicon");
    let codes: Vec<String> = lexicon::SHIPPED
        .iter()
        .filter(|code| folder.join(format!("{code}.lex")).is_file())
        .map(|code| (*code).to_owned())
        .collect();
    if codes.is_empty() {
        return Err(format!("{} holds no lexicon; `cargo xtask data lexicon` builds them", folder.display()));
    }
    Ok(Scrabble::new(LanguageRegistry::new(codes, move |code| language(&folder, code))))
}

/// Reads one language. Every file but the lexicon is optional; a missing model is untrained.
fn language(folder: &Path, code: &str) -> Result<GameLanguage, String> {
    let file = |ending: &str| -> PathBuf { folder.join(format!("{code}.{ending}")) };
    let lexicon = Lexicon::open(&file("lex")).map_err(|e| e.to_string())?;
    let dictionary = Dictionary::new(lexicon).map_err(|e| e.to_string())?;
    let letters = dictionary.alphabet().len();
    let named = |ending: &str, error: String| format!("{}: {error}", file(ending).display());
    let leaves = match std::fs::read(file("leaves")) {
        Ok(bytes) => LeaveModel::from_bytes(&bytes, letters).map_err(|e| named("leaves", e.to_string()))?,
        Err(_) => LeaveModel::zero(letters),
    };
    let win = match std::fs::read(file("winprob")) {
        Ok(bytes) => WinModel::from_bytes(&bytes).ok_or_else(|| named("winprob", "not a win model".into()))?,
        Err(_) => WinModel::default(),
    };
    let positional = match std::fs::read_to_string(file("outlook")) {
        Ok(text) => PositionalModel::parse(&text).map_err(|e| named("outlook", e))?,
        Err(_) => PositionalModel::default(),
    };
    let frequencies = match std::fs::read_to_string(file("freq")) {
        Ok(text) => Frequencies::parse(&text, dictionary.alphabet()).map_err(|e| named("freq", e.to_string()))?,
        Err(_) => Frequencies::default(),
    };
    let weights = match std::fs::read_to_string(file("weights")) {
        Ok(text) => PhaseWeights::parse(&text).map_err(|e| named("weights", e))?,
        Err(_) => PhaseWeights::GREEDY,
    };
    Ok(GameLanguage { code: code.to_owned(), dictionary, leaves, win, positional, frequencies, weights })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexicon::{Alphabet, LexiconBuilder};

    #[test]
    fn positional_weights_are_read_where_there_are_some_and_wrong_ones_named() {
        let folder = std::env::temp_dir().join(format!("parlour-scrabble-loader-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut builder = LexiconBuilder::new(Alphabet::shipped("en").expect("shipped"));
        builder.add_text("cat\ncats\n");
        builder.build().expect("a lexicon").save(&folder.join("en.lex")).expect("written");
        let prices = |folder: &Path| language(folder, "en").map(|language| language.positional);
        assert_eq!(prices(&folder), Ok(PositionalModel::default()), "without a file the model is zero");
        let mut learned = PositionalModel::default();
        learned.0[3] = 1.25;
        std::fs::write(folder.join("en.outlook"), learned.to_text()).expect("written");
        assert_eq!(prices(&folder), Ok(learned));
        std::fs::write(folder.join("en.outlook"), "1\n2\n").expect("written");
        assert!(prices(&folder).unwrap_err().contains("en.outlook"));
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
