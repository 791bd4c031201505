//! Scrabble's languages: lexicons with their leave values, positional and win models, frequencies and weights.
//!
//! Every `*.lex` in the data folder is a language; its models lie beside it under the same name. A language without
//! models of its own plays with defaults: leave values from tile values, and the English positional and win models,
//! which depend on the board more than on the words.

use lexicon::{Frequencies, Lexicon, LexiconBuilder};
use scrabble::Dictionary;
use scrabble::engine::{LeaveModel, PositionalModel, WinModel};
use scrabble::players::PhaseWeights;
use scrabble::table::{GameLanguage, LanguageRegistry, Scrabble};
use std::path::{Path, PathBuf};

/// Suffix of a light language: the words of up to [`LIGHT_LETTERS`] letters.
const LIGHT: &str = "-light";
/// Letters of the longest word of a light language.
const LIGHT_LETTERS: usize = 8;

/// The game with every language that has a lexicon under `data/lexicon`.
pub(super) fn load(data: Option<&Path>) -> Result<Scrabble, String> {
    let folder = data.ok_or("Scrabble needs the lexicons in data/lexicon")?.join("lexicon");
    let codes = codes(&folder);
    if codes.is_empty() {
        return Err(format!("{} holds no lexicon; `cargo xtask data lexicon` builds them", folder.display()));
    }
    let load = move |code: &str| language(&folder.join(format!("{code}.lex")), Some(&folder));
    Ok(Scrabble::new(LanguageRegistry::new(codes, load)))
}

/// The codes of the languages in a folder: the shipped ones first, then others by name, then the light variants of the
/// shipped ones.
pub fn codes(folder: &Path) -> Vec<String> {
    let plain = |code: &str| {
        (1..=24).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|e| e == "lex"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|code| plain(code))
        .collect();
    let rank = |code: &str| lexicon::SHIPPED.iter().position(|c| *c == code).unwrap_or(usize::MAX);
    found.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.cmp(b)));
    let shipped = found.iter().filter(|code| lexicon::SHIPPED.contains(&code.as_str()));
    let light: Vec<String> = shipped.map(|code| format!("{code}{LIGHT}")).filter(|c| !found.contains(c)).collect();
    found.extend(light);
    found
}

/// Reads the language of a lexicon file. Models are sought beside the file, then in `models` under the code of its
/// alphabet. A light language, such as `en-light.lex`, is made from `en.lex` when it has no file of its own.
pub fn language(file: &Path, models: Option<&Path>) -> Result<GameLanguage, String> {
    let stem = file.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
    let base = stem.strip_suffix(LIGHT).filter(|_| !file.exists());
    let lexicon = match base {
        Some(base) => light(&file.with_file_name(format!("{base}.lex")))?,
        None => Lexicon::open(file).map_err(|e| e.to_string())?,
    };
    let dictionary = Dictionary::new(lexicon).map_err(|e| e.to_string())?;
    let files = ModelFiles { beside: file.with_file_name(base.unwrap_or(&stem)), models };
    let letters = dictionary.alphabet().len();
    let code = dictionary.alphabet().code().to_owned();
    let leaves = match files.find(&code, "leaves") {
        Some(path) => LeaveModel::from_bytes(&read(&path)?, letters).map_err(|e| named(&path, e.to_string()))?,
        None => LeaveModel::untrained(dictionary.alphabet()),
    };
    let win = match files.find_or_english(&code, "winprob") {
        Some(path) => WinModel::from_bytes(&read(&path)?).ok_or_else(|| named(&path, "not a win model".into()))?,
        None => WinModel::default(),
    };
    let positional = match files.find_or_english(&code, "outlook") {
        Some(path) => PositionalModel::parse(&text(&path)?).map_err(|e| named(&path, e))?,
        None => PositionalModel::default(),
    };
    let frequencies = match files.find(&code, "freq") {
        Some(path) => {
            Frequencies::parse(&text(&path)?, dictionary.alphabet()).map_err(|e| named(&path, e.to_string()))?
        }
        None => Frequencies::default(),
    };
    let weights = |ending: &str| match files.find_or_english(&code, ending) {
        Some(path) => PhaseWeights::parse(&text(&path)?).map_err(|e| named(&path, e)),
        None => Ok(PhaseWeights::GREEDY),
    };
    let (weights, dvorak_weights) = (weights("weights")?, weights("study.weights")?);
    Ok(GameLanguage { code: stem, dictionary, leaves, win, positional, frequencies, weights, dvorak_weights })
}

/// Where the models of a lexicon may lie.
struct ModelFiles<'m> {
    /// The lexicon's path without its extension.
    beside: PathBuf,
    models: Option<&'m Path>,
}

impl ModelFiles<'_> {
    fn find(&self, code: &str, ending: &str) -> Option<PathBuf> {
        let mut beside = self.beside.clone().into_os_string();
        beside.push(format!(".{ending}"));
        let shared = self.models.map(|folder| folder.join(format!("{code}.{ending}")));
        std::iter::once(PathBuf::from(beside)).chain(shared).find(|path| path.is_file())
    }

    fn find_or_english(&self, code: &str, ending: &str) -> Option<PathBuf> {
        self.find(code, ending).or_else(|| self.find("en", ending))
    }
}

/// The words of up to eight letters of a lexicon.
fn light(file: &Path) -> Result<Lexicon, String> {
    let full = Lexicon::open(file).map_err(|e| e.to_string())?;
    let mut builder = LexiconBuilder::new(full.alphabet().clone()).max_length(LIGHT_LETTERS);
    full.words().filter(|word| word.len() <= LIGHT_LETTERS).for_each(|word| builder.add(&word));
    builder.build().map_err(|e| format!("{}: {e}", file.display()))
}

fn named(path: &Path, error: String) -> String {
    format!("{}: {error}", path.display())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|e| named(path, e.to_string()))
}

fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| named(path, e.to_string()))
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
        let models = |folder: &Path| language(&folder.join("en.lex"), None).map(|language| language.positional);
        assert_eq!(models(&folder), Ok(PositionalModel::default()), "without a file the model is zero");
        let mut learned = PositionalModel::default();
        learned.0[3] = 1.25;
        std::fs::write(folder.join("en.outlook"), learned.to_text()).expect("written");
        assert_eq!(models(&folder), Ok(learned));
        std::fs::write(folder.join("en.outlook"), "1\n2\n").expect("written");
        assert!(models(&folder).unwrap_err().contains("en.outlook"));
        std::fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn any_lexicon_is_a_language_and_shipped_ones_have_a_light_variant() {
        let folder = std::env::temp_dir().join(format!("parlour-scrabble-languages-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let save = |tiles: lexicon::Alphabet, words: &str, name: &str| {
            let mut builder = LexiconBuilder::new(tiles);
            builder.add_text(words);
            builder.build().expect("a lexicon").save(&folder.join(name)).expect("written");
        };
        save(Alphabet::shipped("en").expect("shipped"), "cat\nstainers\nstrainers\n", "en.lex");
        let words = "alma\nkert\nkapu\nablak\n";
        save(lexicon::propose_tiles(words, "hu", "own").expect("letters"), words, "hu.lex");
        assert_eq!(codes(&folder), ["en", "hu", "en-light"]);
        let light = language(&folder.join("en-light.lex"), Some(&folder)).expect("a light language");
        assert_eq!((light.code.as_str(), light.dictionary.lexicon().word_count()), ("en-light", 2));
        let own = language(&folder.join("hu.lex"), Some(&folder)).expect("an own language");
        assert!(own.leaves.value(&[0]) > 10_000, "a blank is worth keeping without learning");
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
