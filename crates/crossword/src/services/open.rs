//! `open`: reads a puzzle file of any supported format.

use crate::formats::{self, PuzzleFormat, ipuz};
use crate::rules::{CellKind, Puzzle};
use crate::table::{Crossword, MAX_FILE};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use game::{Cost, Needs, RuleError, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Largest file that is read.
const MAX_BYTES: usize = 1 << 20;

/// A file, as text or as bytes.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// The text of an ipuz, JPZ, .xd, Exolve or .crossword file.
    #[serde(default)]
    #[schema(max_length = 1_048_576)]
    pub text: Option<String>,
    /// The bytes of any file in base64; needed for .puz and packed JPZ.
    #[serde(default)]
    #[schema(max_length = 1_400_000)]
    pub base64: Option<String>,
    /// Language of the clues where the file does not say, such as `pl`.
    #[serde(default)]
    pub lang: Option<String>,
}

/// The puzzle that was read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OpenAnswer {
    /// The puzzle as ipuz text, for a table's setting `file`.
    pub file: String,
    /// The format that was read: `ipuz`, `puz`, `jpz`, `xd`, `exolve` or `crossword`.
    #[schema(value_type = String)]
    pub format: &'static str,
    pub title: String,
    pub author: String,
    pub language: String,
    pub width: usize,
    pub height: usize,
    pub words: usize,
    /// Whether the puzzle has its solution, so that letters can be checked and revealed.
    pub has_solution: bool,
    /// Rows of the grid: `.` open, `#` block, a blank outside.
    pub shape: Vec<String>,
}

pub(super) fn service() -> Service<Crossword> {
    Service::new(
        "open",
        "Reads a puzzle file (ipuz, .puz, JPZ, .xd, Exolve, .crossword) and returns it as a table's setting.",
        Cost::Light,
        Needs::Nothing,
        json!({"text": "3 3\n...\n.#.\n...\n2\nfeline\njog\n2\nvehicle\ndigits\n"}),
        |_: &Crossword, request: OpenRequest, _| open(request),
    )
}

fn open(request: OpenRequest) -> Result<OpenAnswer, ServiceError> {
    let bytes = match (request.text, request.base64) {
        (Some(text), None) => text.into_bytes(),
        (None, Some(coded)) => {
            STANDARD.decode(coded.trim()).map_err(|fault| ServiceError::BadRequest(format!("base64: {fault}")))?
        }
        _ => return Err(ServiceError::BadRequest("give the file as `text` or as `base64`, one of them".to_owned())),
    };
    let rule = |code, message: String| ServiceError::Rule(RuleError::new(code, message));
    if bytes.len() > MAX_BYTES {
        let message = format!("the file has {} bytes, at most {MAX_BYTES} are read", bytes.len());
        return Err(rule("crossword.too_large", message));
    }
    let mut puzzle = formats::read(&bytes).map_err(|fault| rule("crossword.file", fault.to_string()))?;
    let format = PuzzleFormat::sniff(&bytes).map_or("", PuzzleFormat::extension);
    if puzzle.meta.language.is_empty() {
        puzzle.meta.language = request.lang.unwrap_or_default();
    }
    let file = ipuz::write(&puzzle).map_err(|fault| rule("crossword.file", fault.to_string()))?;
    if file.len() > MAX_FILE {
        let message = format!("the puzzle takes {} bytes as ipuz, a table takes at most {MAX_FILE}", file.len());
        return Err(rule("crossword.too_large", message));
    }
    Ok(answer(&puzzle, file, format))
}

/// The description of a puzzle beside its text.
pub(super) fn answer(puzzle: &Puzzle, file: String, format: &'static str) -> OpenAnswer {
    OpenAnswer {
        file,
        format,
        title: puzzle.meta.title.clone(),
        author: puzzle.meta.author.clone(),
        language: puzzle.meta.language.clone(),
        width: puzzle.grid.width(),
        height: puzzle.grid.height(),
        words: puzzle.entries.len(),
        has_solution: puzzle.has_solution(),
        shape: shape(puzzle),
    }
}

/// The rows of a grid without its letters.
pub(super) fn shape(puzzle: &Puzzle) -> Vec<String> {
    let mark = |kind: CellKind| match kind {
        CellKind::Open => '.',
        CellKind::Block => '#',
        CellKind::Void => ' ',
    };
    puzzle.grid.rows().map(|row| row.iter().map(|cell| mark(cell.kind)).collect()).collect()
}
