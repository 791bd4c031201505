//! One line of the protocol, parsed.

use crate::rules::Point;

/// A command of the manager. Lines between `BOARD` and `DONE` are commands of their own kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Start(u32),
    RectStart(u32, u32),
    Restart,
    Begin,
    Turn(Point),
    Board,
    Swap2Board,
    /// `x,y,who` between `BOARD` and `DONE`, `x,y` between `SWAP2BOARD` and `DONE`.
    Stone {
        point: Point,
        who: Option<u32>,
    },
    Done,
    TakeBack(Point),
    Play(Point),
    InfoKey(InfoKey),
    About,
    /// Yixin extension: stones as in `BOARD`, without a thought.
    YxBoard,
    /// Yixin extension: think and report this many lines.
    YxNBest(u32),
    /// Yixin extension: end the thought and send the best move so far.
    YxStop,
    /// Yixin extension: which points renju forbids to black.
    YxShowForbid,
    /// Yixin extension: this many stones (1 or 2) that balance the position, with a bias in points.
    YxBalance(usize, i32),
    /// Yixin extension: clear the transposition table.
    YxHashClear,
    /// Yixin extension: name, maximum number of threads and table size.
    YxShowInfo,
    /// A pass among the stones of `BOARD` (`-1,-1,who`).
    Pass {
        who: u32,
    },
    End,
    /// An empty line.
    Nothing,
    /// Anything else, by its first word.
    Unknown(String),
}

/// Keys of `INFO`. Unknown keys are ignored, as the protocol demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InfoKey {
    /// Milliseconds per move; 0 asks to play as fast as possible.
    TimeoutTurn(i64),
    /// Milliseconds per match; 0 is no limit.
    TimeoutMatch(i64),
    /// Milliseconds left; 2147483647 is no limit; may be negative.
    TimeLeft(i64),
    /// Bytes; 0 is no limit.
    MaxMemory(i64),
    /// 0 a person, 1 a program, 2 a tournament, 3 a network tournament.
    GameType(i64),
    /// Bit mask: 1 exactly five, 2 continuous, 4 renju, 8 caro.
    Rule(u32),
    /// Yixin extension: largest depth in plies.
    MaxDepth(i64),
    /// Yixin extension: largest number of nodes.
    MaxNode(i64),
    /// Yixin extension: number of search threads.
    ThreadNum(i64),
    /// Yixin extension: size of the transposition table in KiB.
    HashSize(i64),
    /// Yixin extension: which details to send during a thought.
    ShowDetail(i64),
    /// Yixin extension: 1 thinks in the opponent's time.
    Pondering(i64),
    /// Where the mouse is; ignored.
    Evaluate,
    /// Where files may be kept.
    Folder(String),
    Ignored,
}

/// A known command with wrong arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{command} takes {expected}, not {found:?}")]
pub struct CommandError {
    command: &'static str,
    expected: &'static str,
    found: String,
}

impl Command {
    /// Parses a line without its line end; case does not matter. Points may also be names (`h8`) of a board of 15.
    pub fn parse(line: &str) -> Result<Self, CommandError> {
        Self::parse_on(line, 15)
    }

    /// Parses a line whose point names belong to a board of `size`.
    pub fn parse_on(line: &str, size: u8) -> Result<Self, CommandError> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(Self::Nothing);
        }
        if line.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return stone(line);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let fail =
            |command, expected| CommandError { command, expected, found: rest.chars().take(40).collect::<String>() };
        let point = |command| {
            pair(rest)
                .and_then(|(x, y)| Some(Point { x: u8::try_from(x).ok()?, y: u8::try_from(y).ok()? }))
                .or_else(|| Point::parse(rest, size).ok())
                .ok_or_else(|| fail(command, "a point x,y on the board"))
        };
        Ok(match word.to_ascii_uppercase().as_str() {
            "START" => Self::Start(rest.parse().map_err(|_| fail("START", "a board size"))?),
            "RECTSTART" => {
                let (w, h) = pair(rest).ok_or_else(|| fail("RECTSTART", "width,height"))?;
                Self::RectStart(w, h)
            }
            "RESTART" => Self::Restart,
            "BEGIN" => Self::Begin,
            "TURN" => Self::Turn(point("TURN")?),
            "BOARD" => Self::Board,
            "SWAP2BOARD" => Self::Swap2Board,
            "DONE" => Self::Done,
            "TAKEBACK" => Self::TakeBack(point("TAKEBACK")?),
            "PLAY" => Self::Play(point("PLAY")?),
            "INFO" => Self::InfoKey(info(rest)),
            "ABOUT" => Self::About,
            "END" => Self::End,
            "YXBOARD" => Self::YxBoard,
            "YXNBEST" => Self::YxNBest(rest.parse().map_err(|_| fail("YXNBEST", "a number of lines"))?),
            "YXSTOP" => Self::YxStop,
            "YXSHOWFORBID" => Self::YxShowForbid,
            "YXBALANCEONE" => Self::YxBalance(1, rest.parse().unwrap_or(0)),
            "YXBALANCETWO" => Self::YxBalance(2, rest.parse().unwrap_or(0)),
            "YXHASHCLEAR" => Self::YxHashClear,
            "YXSHOWINFO" => Self::YxShowInfo,
            _ if named_stone(line, size).is_some() => named_stone(line, size).unwrap_or(Self::Nothing),
            _ => Self::Unknown(word.chars().take(40).collect()),
        })
    }
}

fn pair(text: &str) -> Option<(u32, u32)> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// A stone by its name, `h8` or `h8,1`.
fn named_stone(line: &str, size: u8) -> Option<Command> {
    let (name, who) = match line.split_once(',') {
        Some((name, who)) => (name, Some(who.trim().parse().ok()?)),
        None => (line, None),
    };
    Some(Command::Stone { point: Point::parse(name.trim(), size).ok()?, who })
}

fn stone(line: &str) -> Result<Command, CommandError> {
    let fail =
        || CommandError { command: "BOARD", expected: "lines x,y,who or DONE", found: line.chars().take(40).collect() };
    if let Some(who) = line.replace(' ', "").strip_prefix("-1,-1,") {
        return Ok(Command::Pass { who: who.parse().map_err(|_| fail())? });
    }
    let numbers: Vec<u32> =
        line.split(',').map(|part| part.trim().parse()).collect::<Result<_, _>>().map_err(|_| fail())?;
    let (x, y, who) = match numbers[..] {
        [x, y] => (x, y, None),
        [x, y, who] => (x, y, Some(who)),
        _ => return Err(fail()),
    };
    let place = |v: u32| u8::try_from(v).map_err(|_| fail());
    Ok(Command::Stone { point: Point { x: place(x)?, y: place(y)? }, who })
}

/// A malformed value is ignored like an unknown key: the manager does not read answers to `INFO`.
fn info(text: &str) -> InfoKey {
    let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let value = value.trim();
    let number = value.parse::<i64>().ok();
    let known = match key.to_ascii_lowercase().as_str() {
        "timeout_turn" => number.map(InfoKey::TimeoutTurn),
        "timeout_match" => number.map(InfoKey::TimeoutMatch),
        "time_left" => number.map(InfoKey::TimeLeft),
        "max_memory" => number.map(InfoKey::MaxMemory),
        "game_type" => number.map(InfoKey::GameType),
        "rule" => number.and_then(|bits| u32::try_from(bits).ok()).map(InfoKey::Rule),
        "max_depth" => number.map(InfoKey::MaxDepth),
        "max_node" => number.map(InfoKey::MaxNode),
        "thread_num" => number.map(InfoKey::ThreadNum),
        "hash_size" => number.map(InfoKey::HashSize),
        "show_detail" => number.map(InfoKey::ShowDetail),
        "pondering" => number.map(InfoKey::Pondering),
        "evaluate" => Some(InfoKey::Evaluate),
        "folder" => Some(InfoKey::Folder(value.to_owned())),
        _ => None,
    };
    known.unwrap_or(InfoKey::Ignored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_their_arguments() {
        assert_eq!(Command::parse("START 15\r"), Ok(Command::Start(15)));
        assert_eq!(Command::parse("turn 10, 11"), Ok(Command::Turn(Point::new(10, 11))));
        assert_eq!(Command::parse("10,10,2"), Ok(Command::Stone { point: Point::new(10, 10), who: Some(2) }));
        assert_eq!(Command::parse("INFO time_left -20"), Ok(Command::InfoKey(InfoKey::TimeLeft(-20))));
        assert_eq!(Command::parse("INFO rule x"), Ok(Command::InfoKey(InfoKey::Ignored)));
        assert_eq!(Command::parse("INFO"), Ok(Command::InfoKey(InfoKey::Ignored)));
        assert_eq!(Command::parse("INFO folder /a b"), Ok(Command::InfoKey(InfoKey::Folder("/a b".to_owned()))));
        assert_eq!(Command::parse("FOO 1"), Ok(Command::Unknown("FOO".to_owned())));
        assert_eq!(Command::parse("TURN h8"), Ok(Command::Turn(Point::new(7, 7))));
        assert_eq!(Command::parse_on("i9,2", 15), Ok(Command::Stone { point: Point::new(8, 6), who: Some(2) }));
        assert_eq!(Command::parse("-1,-1,2"), Ok(Command::Pass { who: 2 }));
        assert_eq!(Command::parse("YXNBEST 3"), Ok(Command::YxNBest(3)));
        assert_eq!(Command::parse("yxbalanceTwo -20"), Ok(Command::YxBalance(2, -20)));
        let error = Command::parse("TURN 300,1").unwrap_err();
        assert_eq!(error.to_string(), "TURN takes a point x,y on the board, not \"300,1\"");
    }

    #[test]
    fn any_line_is_parsed_or_refused() {
        bolero::check!().with_type::<String>().for_each(|line| {
            let _ = Command::parse(line);
        });
    }
}
