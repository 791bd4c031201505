//! CGP: a position in one line — board, racks, scores, turns without a score, and options.

use super::notation::tile_text;
use crate::rules::{BLANK, Dictionary, Layout, TileBoard};
use crate::with_graph;
use lexicon::{Alphabet, Tile};

/// A position as a CGP line gives it.
#[derive(Clone)]
pub struct Cgp {
    pub board: TileBoard,
    /// Rack of the side to move, then the opponent's, as far as given.
    pub racks: [Vec<Tile>; 2],
    pub scores: [i32; 2],
    /// Turns in a row without a score.
    pub idle: u8,
    /// Options as written, `lex CSW24` for `-lex CSW24;`.
    pub options: Vec<String>,
}

/// Why a CGP line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CgpError {
    #[error("position: expected `BOARD RACK/RACK SCORE/SCORE PASSES`, found {0} part(s)")]
    Parts(usize),
    #[error("position, row {row}: {reason}")]
    Row { row: usize, reason: String },
    #[error("position: rack {0:?} has a letter without a tile or more than seven tiles")]
    Rack(String),
    #[error("position: {0:?} is not a pair of scores such as 120/98")]
    Scores(String),
    #[error("position: {0:?} is not a number of turns without a score")]
    Idle(String),
    #[error("position: more tiles of {0} than a set has")]
    TooMany(String),
    #[error("position: option -{0} is not supported; -lex, -ld, -bdn, -id, -gid, -ti and -tmr are")]
    Option(String),
    #[error("position: no board called {0:?}; CrosswordGame and SuperCrosswordGame are known")]
    BoardName(String),
}

impl Cgp {
    /// Reads a position in the tiles of a dictionary.
    pub fn parse(text: &str, dictionary: &Dictionary, layout: &Layout) -> Result<Self, CgpError> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        if parts.len() < 2 {
            return Err(CgpError::Parts(parts.len()));
        }
        let alphabet = dictionary.alphabet();
        let mut board = parse_board(parts[0], alphabet, layout)?;
        with_graph!(dictionary, graph => board.refresh(graph, dictionary.values()));
        let mut racks = [Vec::new(), Vec::new()];
        for (to, rack) in racks.iter_mut().zip(parts[1].split('/')) {
            *to = alphabet.encode_rack(rack).map_err(|_| CgpError::Rack(rack.to_owned()))?;
            if to.len() > crate::engine::movegen::MAX_RACK {
                return Err(CgpError::Rack(rack.to_owned()));
            }
        }
        let mut scores = [0; 2];
        let mut next = 2;
        if let Some(pair) = parts.get(2).filter(|p| !p.starts_with('-')) {
            next = 3;
            let wrong = || CgpError::Scores((*pair).to_owned());
            let (a, b) = pair.split_once('/').ok_or_else(wrong)?;
            scores = [a.parse().map_err(|_| wrong())?, b.parse().map_err(|_| wrong())?];
        }
        let mut idle = 0;
        if let Some(count) = parts.get(next).filter(|p| !p.starts_with('-')) {
            idle = count.parse().map_err(|_| CgpError::Idle((*count).to_owned()))?;
            next += 1;
        }
        let options = parts[next..].join(" ");
        let options = options.split(';').map(|o| o.trim().trim_start_matches('-').to_owned());
        let options = options.filter(|o| !o.is_empty()).collect();
        let cgp = Self { board, racks, scores, idle, options };
        cgp.check_options()?;
        if let Some(tile) = cgp.excess(dictionary) {
            return Err(CgpError::TooMany(alphabet.text(tile).to_owned()));
        }
        Ok(cgp)
    }

    /// The value of an option: `CSW24` for `lex` in `-lex CSW24;`.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find_map(|o| o.strip_prefix(name)?.strip_prefix(' ')).map(str::trim)
    }

    /// The layout that the board-name option (`-bdn`) of a position asks for: `standard` without one.
    pub fn board_name(text: &str) -> Result<&'static str, CgpError> {
        let name = text.split_once("-bdn ").map_or("", |(_, rest)| rest.split(';').next().unwrap_or("").trim());
        match name {
            "" | "CrosswordGame" | "standard" => Ok("standard"),
            "SuperCrosswordGame" | "super" => Ok("super"),
            other => Err(CgpError::BoardName(other.to_owned())),
        }
    }

    /// Options that change the game are supported or refused; notes such as identifiers are kept.
    fn check_options(&self) -> Result<(), CgpError> {
        const KNOWN: [&str; 7] = ["lex", "ld", "bdn", "id", "gid", "ti", "tmr"];
        let name = |option: &String| option.split(' ').next().unwrap_or("").to_owned();
        match self.options.iter().map(name).find(|name| !KNOWN.contains(&name.as_str())) {
            Some(unknown) => Err(CgpError::Option(unknown)),
            None => Ok(()),
        }
    }

    /// A tile of which there are more than a set has.
    fn excess(&self, dictionary: &Dictionary) -> Option<Tile> {
        let alphabet = dictionary.alphabet();
        let mut counts = [0u16; 64];
        let laid = self.board.tiles().iter().filter(|&&t| t != 0).map(|&t| if t & BLANK != 0 { 0 } else { t });
        for tile in laid.chain(self.racks.iter().flatten().copied()) {
            counts[tile as usize] += 1;
        }
        (0..=alphabet.len() as Tile).find(|&t| counts[t as usize] > alphabet.count(t))
    }

    /// Writes the position.
    pub fn write(&self, alphabet: &Alphabet) -> String {
        let side = self.board.side();
        let row = |r: usize| {
            let (mut out, mut empty) = (String::new(), 0);
            for c in 0..side {
                let tile = self.board.at(r, c);
                if tile == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    out += &empty.to_string();
                    empty = 0;
                }
                out += &tile_text(alphabet, tile);
            }
            if empty > 0 {
                out += &empty.to_string();
            }
            out
        };
        let rows: Vec<String> = (0..side).map(row).collect();
        let racks = self.racks.each_ref().map(|r| alphabet.decode(r)).join("/");
        let options: String = self.options.iter().map(|o| format!(" -{o};")).collect();
        format!("{} {racks} {}/{} {}{options}", rows.join("/"), self.scores[0], self.scores[1], self.idle)
    }
}

fn parse_board(text: &str, alphabet: &Alphabet, layout: &Layout) -> Result<TileBoard, CgpError> {
    let side = layout.side();
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != side {
        return Err(CgpError::Row { row: rows.len(), reason: format!("{} rows on a board of {side}", rows.len()) });
    }
    let mut board = TileBoard::new(layout);
    for (r, row) in rows.iter().enumerate() {
        let wrong = |reason: String| CgpError::Row { row: r + 1, reason };
        let (mut column, mut rest) = (0usize, *row);
        while let Some(c) = rest.chars().next() {
            if c.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let empty: usize =
                    rest[..end].parse().map_err(|_| wrong(format!("{:?} empty squares", &rest[..end])))?;
                column = column.saturating_add(empty);
                rest = &rest[end..];
            } else {
                let inside = rest.strip_prefix('[').and_then(|r| r.split_once(']'));
                let (spelling, after) = inside.map_or((rest, None), |(text, after)| (text, Some(after)));
                let Some((tile, used)) = alphabet.tile_at(spelling) else {
                    return Err(wrong(format!("no tile for {rest:?}")));
                };
                if column >= side {
                    return Err(wrong(format!("more than {side} squares")));
                }
                board.put(
                    r,
                    column,
                    if c.is_lowercase() || spelling.starts_with(char::is_lowercase) { tile | BLANK } else { tile },
                );
                column += 1;
                rest = after.unwrap_or(&rest[used..]);
            }
        }
        if column != side {
            return Err(wrong(format!("{column} squares, not {side}")));
        }
    }
    Ok(board)
}
