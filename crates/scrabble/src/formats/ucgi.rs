//! UCGI: the line protocol between referees and engines, as drafted for Macondo and MAGPIE after chess's UCI.
//!
//! This module has the notation and the commands; the program connects them to standard input and output. Coordinates
//! are those of CGP and GCG: `8D` is across, `D8` down. Letters already on the board are written out.

use super::notation::{coordinate, parse_play, tile_text};
use crate::rules::{Dictionary, Layout, PlayerMove, TileBoard, check_play};
use lexicon::Alphabet;

/// A command of the referee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UcgiCommand {
    Handshake,
    IsReady,
    NewGame,
    /// Name and value of an option.
    SetOption(String, String),
    /// A position as CGP.
    Position(String),
    Go(GoLimits),
    Stop,
    Quit,
    /// Anything else; it is ignored with a note.
    Unknown(String),
}

/// Mode and limits of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoLimits {
    /// `static` or `gen`, `sim`, `endgame`, `peg`; none lets the engine choose.
    pub mode: Option<String>,
    /// Plies of a simulation.
    pub depth: Option<usize>,
    /// Rollouts per candidate.
    pub iterations: Option<u64>,
    /// Milliseconds.
    pub movetime: Option<u64>,
    pub threads: Option<usize>,
    pub infinite: bool,
    /// Words that were not understood.
    pub ignored: Vec<String>,
}

impl UcgiCommand {
    /// Reads one line.
    pub fn parse(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "ucgi" => Self::Handshake,
            "isready" => Self::IsReady,
            "ucginewgame" | "newgame" => Self::NewGame,
            "stop" => Self::Stop,
            "quit" => Self::Quit,
            "go" => Self::Go(GoLimits::parse(rest)),
            "position" => match rest.trim().strip_prefix("cgp ") {
                Some(cgp) => Self::Position(cgp.trim().to_owned()),
                None => Self::Unknown(line.to_owned()),
            },
            "setoption" => {
                let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
                let name = name.trim().trim_start_matches("name ").trim();
                Self::SetOption(name.to_owned(), value.trim().to_owned())
            }
            _ => Self::Unknown(line.to_owned()),
        }
    }
}

impl GoLimits {
    fn parse(text: &str) -> Self {
        let mut limits = Self::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "static" | "gen" | "sim" | "endgame" | "peg" | "auto" => {
                    limits.mode = Some(word.to_owned()).filter(|m| m != "auto");
                }
                "infinite" => limits.infinite = true,
                "depth" | "iterations" | "movetime" | "threads" => {
                    match words.next().and_then(|n| n.parse::<u64>().ok()) {
                        Some(n) => match word {
                            "depth" => limits.depth = Some(n as usize),
                            "iterations" => limits.iterations = Some(n),
                            "movetime" => limits.movetime = Some(n),
                            _ => limits.threads = Some(n as usize),
                        },
                        None => limits.ignored.push(word.to_owned()),
                    }
                }
                other => limits.ignored.push(other.to_owned()),
            }
        }
        limits
    }
}

/// A move in UCGI notation: `8D.WINDY`, `ex.ABC`, `pass`.
pub fn move_text(alphabet: &Alphabet, board: &TileBoard, turn: &PlayerMove) -> String {
    match turn {
        PlayerMove::Play(play) => {
            let letter = |(i, &tile): (usize, &u8)| {
                let (row, column) = play.square(i);
                tile_text(alphabet, if tile == 0 { board.at(row, column) } else { tile })
            };
            let word: String = play.tiles().iter().enumerate().map(letter).collect();
            format!("{}.{word}", coordinate(play))
        }
        PlayerMove::Exchange(tiles) => format!("ex.{}", alphabet.decode(tiles)),
        PlayerMove::Pass => "pass".into(),
    }
}

/// Reads a move in UCGI notation and checks it by the rules; words are not looked up. Further fields are ignored.
pub fn parse_move(
    dictionary: &Dictionary,
    layout: &Layout,
    board: &TileBoard,
    text: &str,
) -> Result<PlayerMove, String> {
    let fields: Vec<&str> = text.trim().split('.').collect();
    let alphabet = dictionary.alphabet();
    match fields[..] {
        ["pass", ..] => Ok(PlayerMove::Pass),
        ["ex", tiles, ..] => {
            Ok(PlayerMove::Exchange(alphabet.encode_rack(tiles).map_err(|e| format!("{text:?}: {e}"))?))
        }
        [at, word, ..] => {
            let mut play = parse_play(alphabet, board, at, word).map_err(|e| format!("{text:?}: {e}"))?;
            let scored =
                check_play(board, layout, dictionary.values(), &play, 7).map_err(|e| format!("{text:?}: {e}"))?;
            play.score = scored.score as i16;
            Ok(PlayerMove::Play(play))
        }
        _ => Err(format!("{text:?} is no move: write 8D.WORD, ex.TILES or pass")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Orientation, Play};
    use crate::with_graph;
    use lexicon::LexiconBuilder;

    #[test]
    fn commands_are_read() {
        assert_eq!(UcgiCommand::parse("ucgi\r"), UcgiCommand::Handshake);
        assert_eq!(
            UcgiCommand::parse("setoption name Lexicon value en"),
            UcgiCommand::SetOption("Lexicon".into(), "en".into())
        );
        let UcgiCommand::Go(limits) = UcgiCommand::parse("go sim depth 4 movetime 500 stopcondition 95") else {
            panic!("a search");
        };
        assert_eq!((limits.mode.as_deref(), limits.depth, limits.movetime), (Some("sim"), Some(4), Some(500)));
        assert_eq!(limits.ignored, ["stopcondition", "95"]);
        assert_eq!(UcgiCommand::parse("position cgp a b"), UcgiCommand::Position("a b".into()));
        assert_eq!(UcgiCommand::parse("xyz"), UcgiCommand::Unknown("xyz".into()));
    }

    #[test]
    fn moves_are_written_and_read_back() {
        let mut builder = LexiconBuilder::new(Alphabet::shipped("en").expect("shipped"));
        builder.add_text("cat\ncats\n");
        let dictionary = Dictionary::new(builder.build().expect("a lexicon")).expect("letters fit");
        let layout = Layout::named("standard").expect("shipped");
        let mut board = TileBoard::new(&layout);
        let tiles = dictionary.alphabet().encode("cat").expect("letters");
        let first = Play::new(Orientation::Across, 7, 7, &tiles);
        with_graph!(dictionary, graph => { board.place(graph, dictionary.values(), &first); });
        let read = |text: &str| parse_move(&dictionary, &layout, &board, text);
        let play = read("8H.CATs.SAT?").expect("a play");
        assert_eq!(move_text(dictionary.alphabet(), &board, &play), "8H.CATs");
        assert!(matches!(play, PlayerMove::Play(p) if p.score == 5 && p.laid == 1), "{play:?}");
        assert_eq!(move_text(dictionary.alphabet(), &board, &read("ex.AB").expect("an exchange")), "ex.AB");
        assert_eq!(read("pass"), Ok(PlayerMove::Pass));
        assert!(read("8H.DOGS").is_err() && read("nonsense").is_err());
    }
}
