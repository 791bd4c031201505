//! `puzzles`: the shipped puzzles.

use crate::table::Crossword;
use game::{Cost, Needs, Service};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Filter of the list.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzlesRequest {
    /// Only those of a language, such as `en`; all if absent.
    #[serde(default)]
    pub lang: Option<String>,
}

/// A puzzle that ships with the program.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ShippedPuzzle {
    /// What a table's setting `puzzle` takes.
    pub id: String,
    pub title: String,
    pub author: String,
    pub language: String,
    /// 1 easy, 2 medium, 3 hard.
    pub difficulty: u8,
    pub width: usize,
    pub height: usize,
    pub words: usize,
    /// Rows of the grid: `.` open, `#` block, a blank outside.
    pub shape: Vec<String>,
}

/// The shipped puzzles, and the languages the solver and the maker know.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PuzzlesAnswer {
    pub puzzles: Vec<ShippedPuzzle>,
    pub languages: Vec<String>,
}

pub(super) fn service() -> Service<Crossword> {
    Service::new(
        "puzzles",
        "Lists the puzzles that ship with the program.",
        Cost::Light,
        Needs::Nothing,
        json!({"lang": "en"}),
        |game: &Crossword, request: PuzzlesRequest, _| {
            let wanted = |language: &str| request.lang.as_deref().is_none_or(|lang| lang == language);
            let puzzles = game.library.iter().filter(|shipped| wanted(&shipped.puzzle.meta.language));
            let told = puzzles.map(|shipped| ShippedPuzzle {
                id: shipped.id.clone(),
                title: shipped.puzzle.meta.title.clone(),
                author: shipped.puzzle.meta.author.clone(),
                language: shipped.puzzle.meta.language.clone(),
                difficulty: shipped.difficulty,
                width: shipped.puzzle.grid.width(),
                height: shipped.puzzle.grid.height(),
                words: shipped.puzzle.entries.len(),
                shape: super::open::shape(&shipped.puzzle),
            });
            Ok(PuzzlesAnswer { puzzles: told.collect(), languages: game.languages.codes().to_vec() })
        },
    )
}
