//! Crosswords: the shipped puzzles in `crossword/<lang>/*.ipuz`, the language packs, and installed clue databases.

use crossword::engine::clue_database::ClueDatabase;
use crossword::engine::maker::ClueCollection;
use crossword::engine::solver::NameIndex;
use crossword::table::{Crossword, LanguageResourceCache, LanguageResources, PuzzleLibrary};
use semantics::{Language, Pack};
use std::path::Path;
use std::sync::Arc;

/// The game with every shipped puzzle; packs are opened on first use.
pub(super) fn load(data: Option<&Path>) -> Result<Crossword, String> {
    let data = data.ok_or("it needs the puzzles in data/crossword")?.to_owned();
    let mut texts = Vec::new();
    for lang in lexicon::SHIPPED {
        let folder = data.join("crossword").join(lang);
        let Ok(files) = std::fs::read_dir(&folder) else { continue };
        for path in files.filter_map(|file| Some(file.ok()?.path())) {
            if path.extension().is_some_and(|ending| ending == "ipuz") {
                let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                texts.push((format!("{lang}/{name}"), text));
            }
        }
    }
    if texts.is_empty() {
        return Err(format!("{} holds no puzzles", data.join("crossword").display()));
    }
    let library = PuzzleLibrary::read(texts.iter().map(|(id, text)| (id.clone(), text.as_str())))?;
    let has_pack = |lang: &&str| data.join("semantics").join(format!("{lang}.permissive.pack")).is_file();
    let codes = lexicon::SHIPPED.iter().filter(|lang| has_pack(lang)).map(|lang| (*lang).to_owned()).collect();
    Ok(Crossword::new(library, LanguageResourceCache::new(codes, move |code| tongue(&data, code))))
}

/// One language; uses `crossword/memory/<lang>.clues`, made by `parlour crossword import-clues`, if it exists.
fn tongue(data: &Path, code: &str) -> Result<LanguageResources, String> {
    let language = Language::open(data, code).map_err(|error| error.to_string())?;
    let path = data.join("crossword/memory").join(format!("{code}.clues"));
    let database = match std::fs::read(&path) {
        Ok(bytes) => Some(ClueDatabase::open(Arc::new(bytes)).map_err(|error| format!("{}: {error}", path.display()))?),
        Err(_) => None,
    };
    let path = data.join("clues").join(format!("{code}.tsv"));
    let book = std::fs::read_to_string(&path).unwrap_or_default();
    let book = ClueCollection::parse(code, &book).map_err(|fault| format!("{}: {fault}", path.display()))?;
    let names = names(data, &language)?;
    Ok(LanguageResources::new(language, database, Vec::new(), book).with_names(names))
}

/// Names and phrases outside a language's vocabulary, if its pack is installed.
pub fn names(data: &Path, language: &Language) -> Result<Option<NameIndex>, String> {
    let path = |group: &str| data.join("crossword/names").join(format!("{}.{group}.pack", language.code()));
    if !path("permissive").is_file() {
        return Ok(None);
    }
    let open = |group: &str| Pack::open(&path(group));
    let names = open("permissive").and_then(|names| NameIndex::open(language, &names, &open("by-sa")?));
    names.map(Some).map_err(|error| error.to_string())
}
