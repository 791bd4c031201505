//! Crosswords: the shipped puzzles in `crossword/<lang>/*.ipuz`, the language packs, and the clue memories that are there.

use crossword::maker::ClueBook;
use crossword::memory::ClueMemory;
use crossword::solver::Names;
use crossword::table::{Crossword, Library, Shelf, Tongue};
use semantics::{Language, Pack};
use std::path::Path;
use std::sync::Arc;

/// Languages the solver knows, where their packs are there.
const LANGUAGES: [&str; 4] = ["en", "cs", "pl", "sk"];

/// The game with every shipped puzzle; the packs are opened when they are first needed.
pub(super) fn load(data: Option<&Path>) -> Result<Crossword, String> {
    let data = data.ok_or("it needs the puzzles in data/crossword")?.to_owned();
    let mut texts = Vec::new();
    for lang in LANGUAGES {
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
    let library = Library::read(texts.iter().map(|(id, text)| (id.clone(), text.as_str())))?;
    let has_pack = |lang: &&str| data.join("semantics").join(format!("{lang}.permissive.pack")).is_file();
    let codes = LANGUAGES.iter().filter(|lang| has_pack(lang)).map(|lang| (*lang).to_owned()).collect();
    Ok(Crossword::new(library, Shelf::new(codes, move |code| tongue(&data, code))))
}

/// One language; `crossword/memory/<lang>.clues`, made by `parlour crossword import-clues`, is used if it is there.
fn tongue(data: &Path, code: &str) -> Result<Tongue, String> {
    let language = Language::open(data, code).map_err(|error| error.to_string())?;
    let path = data.join("crossword/memory").join(format!("{code}.clues"));
    let memory = match std::fs::read(&path) {
        Ok(bytes) => Some(ClueMemory::open(Arc::new(bytes)).map_err(|error| format!("{}: {error}", path.display()))?),
        Err(_) => None,
    };
    let path = data.join("clues").join(format!("{code}.tsv"));
    let book = std::fs::read_to_string(&path).unwrap_or_default();
    let book = ClueBook::parse(code, &book).map_err(|fault| format!("{}: {fault}", path.display()))?;
    let names = names(data, &language)?;
    Ok(Tongue::new(language, memory, Vec::new(), book).with_names(names))
}

/// Names and phrases beyond a language's vocabulary, if its pack is there.
pub fn names(data: &Path, language: &Language) -> Result<Option<Names>, String> {
    let path = |group: &str| data.join("crossword/names").join(format!("{}.{group}.pack", language.code()));
    if !path("permissive").is_file() {
        return Ok(None);
    }
    let open = |group: &str| Pack::open(&path(group));
    let names = open("permissive").and_then(|names| Names::open(language, &names, &open("by-sa")?));
    names.map(Some).map_err(|error| error.to_string())
}
