//! The game on a small lexicon.

use lexicon::{Alphabet, Frequencies, LexiconBuilder};
use scrabble::engine::{PositionalModel, WinModel};
use scrabble::players::PhaseWeights;
use scrabble::table::{GameLanguage, LanguageRegistry, Scrabble};
use scrabble::{Dictionary, LeaveModel};

/// The words of the tiny language.
pub const WORDS: &str = "aa ab ad ae ag ah ai al am an ar as at aw ax ay ba be bi bo by da de do ed ef eh el em en er es et ex \
fa fe go ha he hi ho id if in is it jo ka ki la li lo ma me mi mu my na ne no nu od oe of oh om on op or os ow ox oy pa pe pi \
qi re sh si so ta te ti to uh um un up us ut we wo xi xu ya ye yo za cat cats scat tea teas eat eats seat rate rates crate \
crates trace react reacts stone onset tones notes seton retina retinas nastier stainer antsier quiz jinx zebra zebras";

/// Scrabble with a few English words and this positional model.
pub fn game_with(positional: PositionalModel) -> Scrabble {
    Scrabble::new(LanguageRegistry::new(vec!["en".into()], move |code| language(code, &positional)))
}

/// The tiny language.
pub fn language(code: &str, positional: &PositionalModel) -> Result<GameLanguage, String> {
    let mut builder = LexiconBuilder::new(Alphabet::shipped(code).map_err(|e| e.to_string())?);
    builder.add_text(&WORDS.replace(' ', "\n"));
    let dictionary = Dictionary::new(builder.build().map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
    let frequent = "at\t6.0\nto\t6.5\nin\t6.4\nis\t6.3\ncat\t4.5\neat\t4.6\nno\t6.0\non\t6.0\n";
    let frequencies = Frequencies::parse(frequent, dictionary.alphabet()).map_err(|e| e.to_string())?;
    let leaves = LeaveModel::zero(dictionary.alphabet().len());
    let (win, weights) = (WinModel::default(), PhaseWeights::GREEDY);
    Ok(GameLanguage {
        code: code.into(),
        dictionary,
        leaves,
        win,
        positional: positional.clone(),
        frequencies,
        dvorak_weights: weights.clone(),
        weights,
    })
}
