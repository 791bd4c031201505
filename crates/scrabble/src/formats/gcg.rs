//! GCG: game records as Quackle, Macondo, MAGPIE and woogles exchange them.
//!
//! A record is kept line by line: a move line becomes an event, and the text of every line stays, so that comments,
//! unknown pragmas and spacing survive a round trip. Words listed after the total are accepted and kept. Two players
//! with one nickname are told apart by alternating turns.

use crate::engine::analysis::{AnalysisOptions, GameReport, ReportedTurn, report_game};
use crate::rules::Layout;
use crate::table::GameLanguage;

/// What a move line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GcgEvent {
    Play {
        at: String,
        word: String,
    },
    /// Tiles given back; a number where they are not known.
    Exchange {
        tiles: String,
    },
    Pass,
    /// The last play of this player was withdrawn after a challenge.
    Withdrawn,
    /// Points for a failed challenge.
    ChallengeBonus,
    /// Points gained or lost for leftover tiles.
    Rack {
        tiles: String,
    },
    /// A time penalty.
    Time,
}

/// A move line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLine {
    /// Index of the player.
    pub player: usize,
    pub rack: String,
    pub event: GcgEvent,
    pub score: i32,
    pub total: i32,
}

/// One line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcgLine {
    /// The line as written, without its end.
    pub text: String,
    pub moved: Option<MoveLine>,
}

/// A player as the record names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcgPlayer {
    pub nick: String,
    pub name: String,
}

/// A whole record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gcg {
    pub players: Vec<GcgPlayer>,
    pub lines: Vec<GcgLine>,
    /// Racks of an unfinished game (`#rack1`, `#rack2`, …), by player.
    pub racks: Vec<Option<String>>,
    /// Whether the last line was ended.
    pub ended: bool,
}

/// What is wrong with a record, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct GcgError {
    pub line: usize,
    pub reason: String,
}

fn wrong(line: usize, reason: impl Into<String>) -> GcgError {
    GcgError { line, reason: reason.into() }
}

/// The text of a record: UTF-8 when it says so or is, otherwise ISO 8859-1, the format's old default.
fn decode(bytes: &[u8]) -> Result<String, GcgError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first = bytes.split(|&b| b == b'\n').next().unwrap_or(b"");
    let first = String::from_utf8_lossy(first).trim().to_ascii_lowercase();
    let latin = || bytes.iter().map(|&b| b as char).collect::<String>();
    match first.strip_prefix("#character-encoding").map(str::trim) {
        Some("utf-8" | "utf8") => String::from_utf8(bytes.to_vec()).map_err(|e| {
            let line = bytes[..e.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count() + 1;
            wrong(line, "says it is UTF-8 but is not")
        }),
        Some("iso-8859-1" | "iso8859-1" | "latin-1" | "latin1") => Ok(latin()),
        Some(other) => Err(wrong(1, format!("character encoding {other:?} is not known; UTF-8 and ISO-8859-1 are"))),
        None => Ok(String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| latin())),
    }
}

impl Gcg {
    /// Reads a record.
    pub fn parse(bytes: &[u8]) -> Result<Self, GcgError> {
        let text = decode(bytes)?.replace("\r\n", "\n").replace('\r', "\n");
        let mut gcg = Self { players: Vec::new(), lines: Vec::new(), racks: Vec::new(), ended: text.ends_with('\n') };
        let mut totals: Vec<i32> = Vec::new();
        let mut in_note = false;
        let body = text.strip_suffix('\n').unwrap_or(&text);
        for (i, line) in body.split('\n').enumerate() {
            let number = i + 1;
            let mut moved = None;
            if let Some(pragma) = line.strip_prefix('#') {
                in_note = pragma.starts_with("note");
                gcg.pragma(number, pragma)?;
                totals.resize(gcg.players.len(), 0);
            } else if line.starts_with('>') {
                in_note = false;
                let read = gcg.move_line(number, line)?;
                let total = &mut totals[read.player];
                *total += read.score;
                if *total != read.total {
                    return Err(wrong(
                        number,
                        format!("the total is given as {}, the scores add up to {total}", read.total),
                    ));
                }
                moved = Some(read);
            } else if !line.trim().is_empty() && !in_note {
                return Err(wrong(number, format!("expected `>player: …` or `#…`, found {line:?}")));
            }
            gcg.lines.push(GcgLine { text: line.to_owned(), moved });
        }
        if gcg.players.len() < 2 {
            return Err(wrong(1, "no #player1 and #player2"));
        }
        Ok(gcg)
    }

    fn pragma(&mut self, number: usize, text: &str) -> Result<(), GcgError> {
        if let Some((index, rack)) = text.strip_prefix("rack").and_then(|rest| rest.split_once(' '))
            && let Ok(index) = index.parse::<usize>()
        {
            if !(1..=4).contains(&index) {
                return Err(wrong(number, format!("no player {index}")));
            }
            self.racks.resize(self.racks.len().max(index), None);
            self.racks[index - 1] = Some(rack.trim().to_owned());
            return Ok(());
        }
        let Some(rest) = text.strip_prefix("player") else { return Ok(()) };
        let mut fields = rest.splitn(3, ' ');
        let index: usize = match fields.next().map(str::parse) {
            Some(Ok(index)) => index,
            _ => return Ok(()),
        };
        let nick =
            fields.next().filter(|n| !n.is_empty()).ok_or_else(|| wrong(number, "a player without a nickname"))?;
        if index != self.players.len() + 1 || index > 4 {
            return Err(wrong(number, format!("player {index} out of order")));
        }
        let name = fields.next().unwrap_or(nick).to_owned();
        self.players.push(GcgPlayer { nick: nick.to_owned(), name });
        Ok(())
    }

    /// The player of a nickname; of two with the same one, the other than the last to move.
    fn player_of(&self, nick: &str) -> Option<usize> {
        let mut named = self.players.iter().enumerate().filter(|(_, p)| p.nick == nick).map(|(i, _)| i);
        let first = named.next()?;
        let Some(second) = named.next() else { return Some(first) };
        let last = self.lines.iter().rev().find_map(|l| l.moved.as_ref());
        match last {
            // a withdrawal, a bonus or a penalty belongs to the player who moved last
            Some(m) if m.player == first && !matches!(m.event, GcgEvent::Withdrawn) => Some(second),
            _ => Some(first),
        }
    }

    fn move_line(&self, number: usize, line: &str) -> Result<MoveLine, GcgError> {
        let (nick, rest) = line[1..].split_once(':').ok_or_else(|| wrong(number, "a move without `player:`"))?;
        let player = self.player_of(nick.trim());
        let player = player.ok_or_else(|| wrong(number, format!("no player has the nickname {nick:?}")))?;
        let mut fields: Vec<&str> = rest.split_whitespace().collect();
        // words formed may follow the total: a play has rack, place, word, score and total
        let is_play = fields.len() > 5 && fields[3].starts_with(['+', '-']) && fields[4].parse::<i32>().is_ok();
        if is_play {
            fields.truncate(5);
        }
        let [parts @ .., score, total] = &fields[..] else {
            return Err(wrong(number, "a move needs a score and a total"));
        };
        let score = number_field(number, score, "score")?;
        let total = number_field(number, total, "total")?;
        let (rack, event) = match *parts {
            [paren] if paren.starts_with('(') => (String::new(), bracketed(number, paren)?),
            [rack, paren] if paren.starts_with('(') => (rack.to_owned(), bracketed(number, paren)?),
            [rack, "--"] => (rack.to_owned(), GcgEvent::Withdrawn),
            [rack, "-"] => (rack.to_owned(), GcgEvent::Pass),
            [rack, tiles] if tiles.starts_with('-') => {
                (rack.to_owned(), GcgEvent::Exchange { tiles: tiles[1..].to_owned() })
            }
            [rack, at, word] => {
                crate::formats::notation::parse_coordinate(at, crate::rules::MAX_SIDE)
                    .map_err(|e| wrong(number, e.to_string()))?;
                (rack.to_owned(), GcgEvent::Play { at: at.to_owned(), word: word.to_owned() })
            }
            _ => {
                return Err(wrong(
                    number,
                    format!("{} fields where a move has a rack, a place, a word, a score and a total", fields.len()),
                ));
            }
        };
        Ok(MoveLine { player, rack, event, score, total })
    }

    /// Writes the record in UTF-8 with plain line ends.
    pub fn write(&self) -> String {
        let mut out = self.lines.iter().map(|l| l.text.as_str()).collect::<Vec<_>>().join("\n");
        if self.ended {
            out.push('\n');
        }
        out
    }

    /// The record of a game played here.
    pub fn from_turns(
        players: Vec<GcgPlayer>,
        turns: &[ReportedTurn],
        leftovers: &[(usize, String, i32, i32)],
    ) -> Self {
        let mut lines = vec![GcgLine { text: "#character-encoding UTF-8".into(), moved: None }];
        for (i, p) in players.iter().enumerate() {
            lines.push(GcgLine { text: format!("#player{} {} {}", i + 1, p.nick, p.name), moved: None });
        }
        let mut push = |player: usize, rack: &str, event: GcgEvent, score: i32, total: i32| {
            let nick = &players[player].nick;
            let middle = match &event {
                GcgEvent::Play { at, word } => format!("{rack} {at} {word}"),
                GcgEvent::Exchange { tiles } => format!("{rack} -{tiles}"),
                GcgEvent::Pass => format!("{rack} -"),
                GcgEvent::Withdrawn => format!("{rack} --"),
                GcgEvent::ChallengeBonus => format!("{rack} (challenge)"),
                GcgEvent::Rack { tiles } => format!("{rack} ({tiles})"),
                GcgEvent::Time => format!("{rack} (time)"),
            };
            let middle = middle.trim_start();
            let text = format!(">{nick}: {middle} {score:+} {total}");
            lines.push(GcgLine { text, moved: Some(MoveLine { player, rack: rack.to_owned(), event, score, total }) });
        };
        for turn in turns {
            let rack = turn.rack.as_deref().unwrap_or("");
            match turn.kind.as_str() {
                "play" => {
                    let (at, word) = (turn.at.clone().unwrap_or_default(), turn.word.clone().unwrap_or_default());
                    push(turn.seat, rack, GcgEvent::Play { at, word }, turn.score, turn.total);
                    if turn.undone {
                        push(turn.seat, rack, GcgEvent::Withdrawn, -turn.score, turn.total - turn.score);
                    }
                }
                "exchange" => push(
                    turn.seat,
                    rack,
                    GcgEvent::Exchange { tiles: turn.word.clone().unwrap_or_default() },
                    0,
                    turn.total,
                ),
                "pass" => push(turn.seat, rack, GcgEvent::Pass, 0, turn.total),
                _ => {}
            }
        }
        for (player, tiles, score, total) in leftovers {
            // a player who loses points for a rack is written with it, as Macondo reads it
            let rack = if *score < 0 { tiles.as_str() } else { "" };
            push(*player, rack, GcgEvent::Rack { tiles: tiles.clone() }, *score, *total);
        }
        let racks = vec![None; players.len()];
        Self { players, lines, racks, ended: true }
    }

    /// The moves as turns for a report.
    pub fn turns(&self) -> Vec<ReportedTurn> {
        let moves: Vec<&MoveLine> = self.lines.iter().filter_map(|l| l.moved.as_ref()).collect();
        let mut turns = Vec::new();
        for (i, m) in moves.iter().enumerate() {
            let undone = moves.get(i + 1).is_some_and(|n| n.event == GcgEvent::Withdrawn && n.player == m.player);
            let (kind, at, word) = match &m.event {
                GcgEvent::Play { at, word } => ("play", Some(at.clone()), Some(word.clone())),
                GcgEvent::Exchange { tiles } => ("exchange", None, Some(tiles.clone())),
                GcgEvent::Pass => ("pass", None, None),
                _ => continue,
            };
            let rack = (!m.rack.is_empty()).then(|| m.rack.clone());
            turns.push(ReportedTurn {
                seat: m.player,
                kind: kind.into(),
                at,
                word,
                rack,
                score: m.score,
                total: m.total,
                undone,
            });
        }
        turns
    }

    /// The record as a report in a language.
    pub fn report(&self, language: &GameLanguage, layout: &Layout, options: AnalysisOptions) -> GameReport {
        let mut scores = vec![0; self.players.len()];
        for m in self.lines.iter().filter_map(|l| l.moved.as_ref()) {
            scores[m.player] = m.total;
        }
        let names = self.players.iter().map(|p| p.name.clone()).collect();
        report_game(language, layout, names, &self.turns(), &scores, options)
    }
}

fn number_field(line: usize, text: &str, what: &str) -> Result<i32, GcgError> {
    text.parse().map_err(|_| wrong(line, format!("the {what} {text:?} is not a number")))
}

fn bracketed(line: usize, text: &str) -> Result<GcgEvent, GcgError> {
    let inside = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    match inside {
        Some("challenge") => Ok(GcgEvent::ChallengeBonus),
        Some("time") => Ok(GcgEvent::Time),
        Some(tiles) if !tiles.is_empty() => Ok(GcgEvent::Rack { tiles: tiles.to_owned() }),
        _ => Err(wrong(line, format!("{text:?} is not `(tiles)`, `(challenge)` or `(time)`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "#character-encoding UTF-8\n#player1 a Anna\n#player2 b Bob\n#title made up\n>a: AEHLORT 8D LATHE +24 24\n\
        #note a comment\nthat goes on\n>b: CDEIIQX -- +0 0\n>b: CDEIIQX -IIQ +0 0\n>a: ?EORSTU -  +0 24\n>b:  (AB) +8 8";

    #[test]
    fn what_is_read_is_written_back() {
        let gcg = Gcg::parse(GAME.as_bytes()).unwrap();
        assert_eq!(gcg.write(), GAME);
        let dos = GAME.replace('\n', "\r\n");
        assert_eq!(Gcg::parse(dos.as_bytes()).unwrap().write(), GAME);
        assert_eq!(gcg.players[1].name, "Bob");
        assert_eq!(gcg.turns().len(), 3);
    }

    #[test]
    fn a_game_made_here_is_read_again() {
        let player = |nick: &str| GcgPlayer { nick: nick.into(), name: format!("Player {nick}") };
        let turn = |seat: usize, kind: &str, score: i32, total: i32| ReportedTurn {
            seat,
            kind: kind.into(),
            at: (kind == "play").then(|| "8G".into()),
            word: (kind != "pass").then(|| "AB".into()),
            rack: Some("ABC".into()),
            score,
            total,
            undone: false,
        };
        let undone = ReportedTurn { undone: true, ..turn(1, "play", 6, 6) };
        let turns = [turn(0, "play", 8, 8), undone, turn(0, "exchange", 0, 8), turn(1, "pass", 0, 0)];
        let gcg = Gcg::from_turns(vec![player("a"), player("b")], &turns, &[(0, "XY".into(), 12, 20)]);
        let again = Gcg::parse(gcg.write().as_bytes()).unwrap();
        assert_eq!(again.turns(), turns);
        assert_eq!(again.write(), gcg.write());
    }

    #[test]
    fn latin_1_is_read_where_utf_8_is_not_declared() {
        let gcg = Gcg::parse(b"#player1 c\xe9sar c\xe9sar\n#player2 b b\n>c\xe9sar: AB 8G AB +8 8\n").unwrap();
        assert_eq!(gcg.players[0].nick, "césar");
    }

    #[test]
    fn wrong_records_say_where() {
        let wrong = |text: &str| Gcg::parse(text.as_bytes()).unwrap_err().to_string();
        let players = "#player1 a A\n#player2 b B\n";
        assert_eq!(wrong(&format!("{players}>c: AB 8G AB +8 8\n")), "line 3: no player has the nickname \"c\"");
        assert_eq!(
            wrong(&format!("{players}>a: AB 8G AB +8 9\n")),
            "line 3: the total is given as 9, the scores add up to 8"
        );
        assert_eq!(wrong(&format!("{players}>a: AB 8G AB x 9\n")), "line 3: the score \"x\" is not a number");
        assert_eq!(wrong(&format!("{players}hello\n")), "line 3: expected `>player: …` or `#…`, found \"hello\"");
    }

    #[test]
    fn peers_conventions_are_read() {
        let text = "#player1 x Xavier\n#player2 y Yvonne\n#rack1 ABC\n>x: AEHLORT 8D LATHE +24 24 LATHE AT\n\
            >y: ABC 9C AB +7 7\n>y: ABC -- -7 0\n>x: ORT - +0 24\n>y: ABC (challenge) +5 5\n>x: ORT (time) -10 14\n\
            >y: ABC (ABC) -7 -2\n";
        let gcg = Gcg::parse(text.as_bytes()).unwrap();
        assert_eq!(gcg.write(), text);
        assert_eq!(gcg.racks, [Some("ABC".to_owned())]);
        assert_eq!(
            gcg.turns().iter().map(|t| (t.seat, t.undone)).collect::<Vec<_>>(),
            [(0, false), (1, true), (0, false)]
        );
        let events: Vec<&GcgEvent> = gcg.lines.iter().filter_map(|l| Some(&l.moved.as_ref()?.event)).collect();
        assert_eq!(events[4..6], [&GcgEvent::ChallengeBonus, &GcgEvent::Time]);
        assert_eq!(events[6], &GcgEvent::Rack { tiles: "ABC".into() });
    }

    #[test]
    fn one_nickname_for_both_players_is_told_apart_by_turns() {
        let text = "#player1 p Paul\n#player2 p Petra\n>p: AB 8G AB +8 8\n>p: BE 9G BE +6 6\n>p: AT - +0 8\n";
        let gcg = Gcg::parse(text.as_bytes()).unwrap();
        assert_eq!(gcg.turns().iter().map(|t| t.seat).collect::<Vec<_>>(), [0, 1, 0]);
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        bolero::check!().with_type::<Vec<u8>>().for_each(|bytes| {
            let mut text = b"#player1 a A\n#player2 b B\n>a: ".to_vec();
            text.extend_from_slice(bytes);
            if let Ok(gcg) = Gcg::parse(&text) {
                assert_eq!(Gcg::parse(gcg.write().as_bytes()).map(|g| g.lines.len()), Ok(gcg.lines.len()));
            }
        });
    }
}
