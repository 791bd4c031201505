//! Exported records against the line grammar of Macondo's and MAGPIE's readers, restated here independently.

use scrabble::engine::analysis::ReportedTurn;
use scrabble::formats::gcg::{Gcg, GcgPlayer};

/// Whether a field is an upper-case rack with `?` for blanks.
fn is_rack(field: &str) -> bool {
    !field.is_empty() && field.chars().all(|c| c == '?' || (c.is_alphabetic() && !c.is_lowercase()))
}

/// Whether a field is a score: a sign and digits.
fn is_score(field: &str, signs: &[char]) -> bool {
    field.starts_with(signs) && field[1..].bytes().all(|b| b.is_ascii_digit()) && field.len() > 1
}

/// The kind of a move line; `None` if a peer would refuse it.
fn line_kind(line: &str) -> Option<&'static str> {
    let (nick, rest) = line.strip_prefix('>')?.split_once(": ")?;
    if nick.is_empty() || nick.contains(char::is_whitespace) {
        return None;
    }
    let fields: Vec<&str> = rest.split(' ').collect();
    let (total, fields) = fields.split_last()?;
    total.parse::<i32>().ok()?;
    let bracketed = |f: &str| f.strip_prefix('(').and_then(|f| f.strip_suffix(')')).is_some_and(is_rack);
    match *fields {
        [rack, "--", score] if is_rack(rack) && is_score(score, &['-']) => Some("withdrawn"),
        [rack, "-", "+0"] if is_rack(rack) => Some("pass"),
        [rack, tiles, "+0"] if is_rack(rack) && tiles.strip_prefix('-').is_some_and(is_rack) => Some("exchange"),
        [left, score] if bracketed(left) && is_score(score, &['+']) => Some("out"),
        [rack, left, score] if is_rack(rack) && bracketed(left) && is_score(score, &['-']) => Some("leftover"),
        [rack, at, word, score] => {
            let digits = at.chars().filter(char::is_ascii_digit).count();
            let place = (1..=2).contains(&digits) && at.len() == digits + 1;
            let letters = word.chars().all(|c| c == '.' || c.is_alphabetic());
            (is_rack(rack) && place && letters && is_score(score, &['+'])).then_some("play")
        }
        _ => None,
    }
}

fn turn(seat: usize, kind: &str, place: Option<&str>, word: &str, score: i32, total: i32) -> ReportedTurn {
    let (kind, at) = (kind.to_owned(), place.map(str::to_owned));
    let word = (!word.is_empty()).then(|| word.to_owned());
    ReportedTurn { seat, kind, at, word, rack: Some("ABCDEF?".into()), score, total, undone: false }
}

#[test]
fn every_line_of_an_export_is_one_that_peers_read() {
    let phony = ReportedTurn { undone: true, ..turn(1, "play", Some("H8"), ".BCd", 12, 12) };
    let turns = [
        turn(0, "play", Some("8G"), "ABE", 10, 10),
        phony,
        turn(0, "exchange", None, "AC", 0, 10),
        turn(1, "pass", None, "", 0, 0),
        turn(0, "play", Some("15A"), "FACEDb", 90, 100),
    ];
    let players = ["player1", "player2"].map(|nick| GcgPlayer { nick: nick.into(), name: "Some One".into() }).to_vec();
    let leftovers = [(0, "ABC?".to_owned(), 7, 107), (1, "ABC?".to_owned(), -7, -7)];
    let text = Gcg::from_turns(players, &turns, &leftovers).write();
    let (pragmas, moves): (Vec<&str>, Vec<&str>) = text.lines().partition(|l| l.starts_with('#'));
    assert_eq!(pragmas, ["#character-encoding UTF-8", "#player1 player1 Some One", "#player2 player2 Some One"]);
    let kinds: Vec<_> = moves.iter().map(|line| line_kind(line).unwrap_or_else(|| panic!("{line}"))).collect();
    assert_eq!(kinds, ["play", "play", "withdrawn", "exchange", "pass", "play", "out", "leftover"]);
    assert_eq!(line_kind(">a: ABC 8H ab c +3 3"), None, "the grammar refuses what peers refuse");
}
