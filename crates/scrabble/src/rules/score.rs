//! Whether a play fits the board, which words it makes and what it scores: the obvious way, square by square.

use super::board::{BLANK, Board, letter};
use super::layout::Layout;
use super::play::Play;
use lexicon::Tile;

/// The bonus for laying a full rack.
pub const BINGO: i32 = 50;

/// Why a play is not allowed by the rules of placing (whether its words exist is another question).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    #[error("the play leaves the board")]
    OffBoard,
    #[error("square {0} is taken")]
    Taken(String),
    #[error("square {0} is empty but the play leaves it out")]
    Gap(String),
    #[error("the word goes on beyond the play: {0}")]
    Incomplete(String),
    #[error("no tile was laid")]
    Nothing,
    #[error("the first play covers the start square")]
    Start,
    #[error("the first play lays at least two tiles")]
    Short,
    #[error("the play touches no tile")]
    Loose,
    #[error("a single tile makes no word")]
    NoWord,
}

/// A play that fits, with its words and score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    pub score: i32,
    /// All words made, the main word first, as letters.
    pub words: Vec<Vec<Tile>>,
}

fn name(row: usize, column: usize) -> String {
    format!("{}{}", (b'A' + column as u8) as char, row + 1)
}

/// Checks the placing of a play and scores it; `full_rack` is the number of tiles that earns the bonus.
pub fn check_play(
    board: &Board,
    layout: &Layout,
    values: &[i32; 64],
    play: &Play,
    full_rack: usize,
) -> Result<Scored, Illegal> {
    let side = board.side();
    let length = play.length as usize;
    if play.laid == 0 {
        return Err(Illegal::Nothing);
    }
    if play.start as usize + length > side || play.lane as usize >= side {
        return Err(Illegal::OffBoard);
    }
    for (i, &tile) in play.tiles().iter().enumerate() {
        let (row, column) = play.square(i);
        match (tile != 0, board.at(row, column) != 0) {
            (true, true) => return Err(Illegal::Taken(name(row, column))),
            (false, false) => return Err(Illegal::Gap(name(row, column))),
            _ => {}
        }
    }
    let tile_at = |row: isize, column: isize| -> u8 {
        let inside = (0..side as isize).contains(&row) && (0..side as isize).contains(&column);
        if inside { board.at(row as usize, column as usize) } else { 0 }
    };
    let (row, column) = play.origin();
    let (dr, dc) = if play.direction as usize == 0 { (0isize, 1isize) } else { (1, 0) };
    let (row, column) = (row as isize, column as isize);
    let (end_row, end_column) = (row + dr * length as isize, column + dc * length as isize);
    if tile_at(row - dr, column - dc) != 0 {
        return Err(Illegal::Incomplete(name((row - dr) as usize, (column - dc) as usize)));
    }
    if tile_at(end_row, end_column) != 0 {
        return Err(Illegal::Incomplete(name(end_row as usize, end_column as usize)));
    }
    let worth = |tile: u8| if tile & BLANK != 0 { 0 } else { values[tile as usize] };
    let mut words = Vec::new();
    let (mut main, mut main_multiplier, mut across_total) = (0, 1, 0);
    let (mut touches, mut covers_start) = (false, false);
    let mut main_word = Vec::new();
    let mut across_words = Vec::new();
    for (i, &tile) in play.tiles().iter().enumerate() {
        let (r, c) = play.square(i);
        if tile == 0 {
            touches = true;
            main += worth(board.at(r, c));
            main_word.push(letter(board.at(r, c)));
            continue;
        }
        covers_start |= r * side + c == layout.start();
        let premium = layout.premium(r * side + c);
        let value = worth(tile) * premium.letter as i32;
        main += value;
        main_multiplier *= premium.word as i32;
        main_word.push(letter(tile));
        let (r, c) = (r as isize, c as isize);
        let mut back = 1;
        while tile_at(r - dc * back, c - dr * back) != 0 {
            back += 1;
        }
        let mut word = Vec::new();
        let mut sum = value;
        for k in 1 - back.. {
            if k == 0 {
                word.push(letter(tile));
                continue;
            }
            match tile_at(r + dc * k, c + dr * k) {
                0 => break,
                t => {
                    word.push(letter(t));
                    sum += worth(t);
                }
            }
        }
        if word.len() > 1 {
            touches = true;
            across_total += sum * premium.word as i32;
            across_words.push(word);
        }
    }
    if board.placed() == 0 {
        if !covers_start {
            return Err(Illegal::Start);
        }
        if play.laid < 2 {
            return Err(Illegal::Short);
        }
    } else if !touches {
        return Err(Illegal::Loose);
    }
    let mut score = across_total;
    if main_word.len() > 1 {
        score += main * main_multiplier;
        words.push(main_word);
    }
    words.extend(across_words);
    if words.is_empty() {
        return Err(Illegal::NoWord);
    }
    if play.laid as usize >= full_rack {
        score += BINGO;
    }
    Ok(Scored { score, words })
}
