//! Plays as people write them: `8D WINDY` across, `D8 WINDY` down; lower case for blanks; `.` or `(A)` for tiles there.

use crate::rules::{BLANK, Orientation, Play, TileBoard, letter};
use lexicon::Alphabet;

/// The coordinate of a play: row then column for across, column then row for down.
pub fn coordinate(play: &Play) -> String {
    let (row, column) = play.origin();
    let (column, row) = (column_name(column), row + 1);
    match play.direction {
        Orientation::Across => format!("{row}{column}"),
        Orientation::Down => format!("{column}{row}"),
    }
}

/// The letter of a column: A, B, ….
pub fn column_name(column: usize) -> char {
    (b'A' + column as u8) as char
}

/// A tile of the board: upper case, lower case for a blank; several characters in brackets.
pub fn tile_text(alphabet: &Alphabet, tile: u8) -> String {
    let text = alphabet.text(letter(tile));
    let shown = if tile & BLANK != 0 { text.to_lowercase() } else { text.to_owned() };
    if shown.chars().count() > 1 { format!("[{shown}]") } else { shown }
}

/// A play for people: tiles already there in parentheses, `8D WI(N)DY`.
pub fn play_text(alphabet: &Alphabet, board: &TileBoard, play: &Play) -> String {
    let mut out = coordinate(play) + " ";
    let mut inside = false;
    for (i, &tile) in play.tiles().iter().enumerate() {
        if (tile == 0) != inside {
            out.push(if inside { ')' } else { '(' });
            inside = !inside;
        }
        let (row, column) = play.square(i);
        out += &tile_text(alphabet, if tile == 0 { board.at(row, column) } else { tile });
    }
    if inside {
        out.push(')');
    }
    out
}

/// The word of a play as records write it: `.` for every tile already there.
pub fn word_text(alphabet: &Alphabet, play: &Play) -> String {
    play.tiles().iter().map(|&t| if t == 0 { ".".to_owned() } else { tile_text(alphabet, t) }).collect()
}

/// Why a play could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    #[error("{0:?} is no square: write 8D for a word across or D8 for one down")]
    Coordinate(String),
    #[error("{word:?}: no tile for {rest:?}")]
    Letter { word: String, rest: String },
    #[error("{0:?} leaves the board")]
    OffBoard(String),
    #[error("{word:?} has {found} where the board has {there}")]
    Differs { word: String, found: String, there: String },
    #[error("{0:?} has an empty square where the word says a tile lies")]
    NothingThere(String),
}

/// Reads a square and direction, `8D` or `D8`.
pub fn parse_coordinate(text: &str, side: usize) -> Result<(Orientation, usize, usize), NotationError> {
    let wrong = || NotationError::Coordinate(text.to_owned());
    let upper = text.to_ascii_uppercase();
    let across = upper.starts_with(|c: char| c.is_ascii_digit());
    let split = upper.find(|c: char| c.is_ascii_digit() != across).ok_or_else(wrong)?;
    let (row, column) = if across { (&upper[..split], &upper[split..]) } else { (&upper[split..], &upper[..split]) };
    let row: usize = row.parse().map_err(|_| wrong())?;
    let [column @ b'A'..=b'Z'] = column.as_bytes() else { return Err(wrong()) };
    let column = (column - b'A') as usize;
    if row == 0 || row > side || column >= side {
        return Err(wrong());
    }
    Ok((if across { Orientation::Across } else { Orientation::Down }, row - 1, column))
}

/// Reads a word on a board: lower case is a blank; tiles already there as `.`, in parentheses, or plain letters.
pub fn parse_play(alphabet: &Alphabet, board: &TileBoard, at: &str, word: &str) -> Result<Play, NotationError> {
    let (direction, row, column) = parse_coordinate(at, board.side())?;
    let (lane, start) = if direction == Orientation::Across { (row, column) } else { (column, row) };
    let there = |i: usize| match direction {
        Orientation::Across => board.at(lane, start + i),
        Orientation::Down => board.at(start + i, lane),
    };
    let mut squares: Vec<u8> = Vec::new();
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        if c == '(' || c == ')' {
            rest = &rest[1..];
            continue;
        }
        if start + squares.len() >= board.side() {
            return Err(NotationError::OffBoard(format!("{at} {word}")));
        }
        let old = there(squares.len());
        if c == '.' {
            if old == 0 {
                return Err(NotationError::NothingThere(word.to_owned()));
            }
            squares.push(0);
            rest = &rest[1..];
            continue;
        }
        let inside = rest.strip_prefix('[').and_then(|r| r.split_once(']'));
        let (spelling, after) = inside.map_or((rest, None), |(text, after)| (text, Some(after)));
        let Some((tile, used)) = alphabet.tile_at(spelling) else {
            return Err(NotationError::Letter { word: word.to_owned(), rest: rest.to_owned() });
        };
        let blank = spelling.chars().next().is_some_and(char::is_lowercase);
        if old != 0 {
            if letter(old) != tile {
                let (found, there) = (alphabet.text(tile).to_owned(), alphabet.text(letter(old)).to_owned());
                return Err(NotationError::Differs { word: word.to_owned(), found, there });
            }
            squares.push(0);
        } else {
            squares.push(if blank { tile | BLANK } else { tile });
        }
        rest = after.unwrap_or(&rest[used..]);
    }
    Ok(Play::new(direction, lane, start, &squares))
}
