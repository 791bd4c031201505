//! Lines that a program sends during a thought: `MESSAGE` for every manager, details as Yixin-Board asks for them.

use crate::players::ThoughtLine;

/// Which details the manager asked for with `INFO show_detail` (Yixin extension).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// `MESSAGE REALTIME …` lines that a GUI draws on the board.
    pub realtime: bool,
    /// `INFO …` lines that a GUI shows as a table.
    pub lines: bool,
}

impl Detail {
    /// The details of a `show_detail` value: bit 0 realtime, bit 1 lines.
    pub const fn of(value: i64) -> Self {
        Self { realtime: value & 1 != 0, lines: value & 2 != 0 }
    }
}

/// The lines to send when a search reports `line`, on a board of `size` with `lines` principal variations.
///
/// Without details this is one line: depth, evaluation, win probability in percent, nodes and the principal variation.
pub fn thought_messages(line: &ThoughtLine, detail: Detail, size: u8, lines: usize) -> Vec<String> {
    let names: Vec<String> = line.points().map(|point| point.name(size).to_string()).collect();
    let coordinates: Vec<String> = line.moves.iter().map(|(x, y)| format!("{x},{y}")).collect();
    let value = match line.forced_in {
        Some(moves) if moves >= 0 => format!("win in {moves}"),
        Some(moves) => format!("loss in {}", -moves),
        None => format!("eval {} win {:.1}%", line.score, line.win_probability * 100.0),
    };
    let mut out = Vec::new();
    if detail.lines {
        let speed = line.nodes * 1000 / line.ms.max(1);
        out.push(format!("INFO PV {}", line.index));
        out.push(format!("INFO NUMPV {}", lines.max(1)));
        for (key, number) in [
            ("DEPTH", u64::from(line.depth)),
            ("SELDEPTH", line.moves.len() as u64),
            ("NODES", line.nodes),
            ("TOTALNODES", line.nodes),
            ("TOTALTIME", line.ms),
            ("SPEED", speed),
        ] {
            out.push(format!("INFO {key} {number}"));
        }
        out.push(format!("INFO EVAL {}", line.score));
        out.push(format!("INFO WINRATE {:.4}", line.win_probability));
        out.push(format!("INFO BESTLINE {}", coordinates.join(" ")));
        out.push("INFO PV DONE".to_owned());
    }
    if detail.realtime && line.index == 0 {
        out.push("MESSAGE REALTIME REFRESH".to_owned());
        if let Some(best) = coordinates.first() {
            out.push(format!("MESSAGE REALTIME BEST {best}"));
        }
    }
    let number = if lines > 1 { format!("({}) ", line.index + 1) } else { String::new() };
    out.push(format!("MESSAGE {number}depth {} {value} nodes {} pv {}", line.depth, line.nodes, names.join(" ")));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> ThoughtLine {
        ThoughtLine {
            index: 0,
            depth: 5,
            score: 40,
            win_probability: 0.55,
            forced_in: None,
            nodes: 1200,
            ms: 2,
            moves: vec![(7, 7), (8, 6)],
        }
    }

    #[test]
    fn plain_managers_get_one_message_and_yixin_board_its_details() {
        let plain = thought_messages(&line(), Detail::default(), 15, 1);
        assert_eq!(plain, ["MESSAGE depth 5 eval 40 win 55.0% nodes 1200 pv H8 I9"]);
        let forced = ThoughtLine { forced_in: Some(7), index: 1, ..line() };
        let second = thought_messages(&forced, Detail::of(1), 15, 2);
        assert_eq!(second, ["MESSAGE (2) depth 5 win in 7 nodes 1200 pv H8 I9"]);
        let full = thought_messages(&line(), Detail::of(3), 15, 1);
        assert_eq!(full[0], "INFO PV 0");
        assert!(full.contains(&"INFO BESTLINE 7,7 8,6".to_owned()));
        assert!(full.contains(&"MESSAGE REALTIME BEST 7,7".to_owned()));
    }
}
