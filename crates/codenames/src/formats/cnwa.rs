//! `.cnwa`: the study's turn records, one per line, three columns with tabs: clue(s) and number, intended words in
//! groups, all board words. `.cnwae` adds the ranked list and its average precision.

use super::TurnRecord;

/// Reads records. Several clues (`a/b 2`) or groups of intended words (`x y/z`) make a record each, paired in order;
/// lines whose second column begins with `[` are passed over, as the study's script does.
pub fn read_cnwa(text: &str) -> Result<Vec<TurnRecord>, String> {
    let mut turns = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#')) {
        let fail = |what: &str| format!("line {}: {what}", at + 1);
        let fields: Vec<&str> = line.split('\t').collect();
        let [clue, meant, board, ..] = fields[..] else {
            return Err(fail("expected clue and number, intended words, board words, separated by tabs"));
        };
        if meant.trim_start().starts_with('[') {
            continue;
        }
        let clue = clue.trim();
        let (words, number) = match clue.rsplit_once(char::is_whitespace) {
            Some((words, number)) => (words.trim(), number.trim()),
            None => (clue, ""),
        };
        let number = match number {
            "" | "∞" | "inf" => None,
            digits => Some(digits.parse::<u8>().map_err(|_| fail(&format!("`{digits}` is not a number of words")))?),
        };
        let board: Vec<String> = board.split_whitespace().map(str::to_owned).collect();
        let groups: Vec<&str> = meant.split('/').collect();
        for (k, word) in words.split('/').map(str::trim).filter(|w| !w.is_empty()).enumerate() {
            let group = groups.get(k).or(groups.first()).copied().unwrap_or_default();
            let targets: Vec<String> = group.split_whitespace().map(str::to_owned).collect();
            if let Some(stray) = targets.iter().find(|t| !board.contains(t)) {
                return Err(fail(&format!("`{stray}` was meant but is not on the board")));
            }
            turns.push(TurnRecord {
                clue: word.to_owned(),
                board: board.clone(),
                guesses: Vec::new(),
                targets,
                number: number.filter(|n| (1..=9).contains(n)),
            });
        }
    }
    Ok(turns)
}

fn line(turn: &TurnRecord) -> String {
    let join = |words: &[String]| words.iter().map(|w| w.replace(' ', "_")).collect::<Vec<_>>().join(" ");
    format!("{} {}\t{}\t{}", turn.clue, turn.count(), join(&turn.targets), join(&turn.board))
}

/// Writes records that [`read_cnwa`] reads.
pub fn write_cnwa(turns: &[TurnRecord]) -> String {
    turns.iter().map(|turn| line(turn) + "\n").collect()
}

/// Writes records with the ranked board and the average precision of each.
pub fn write_cnwae(turns: &[(TurnRecord, Vec<String>, f64)]) -> String {
    turns.iter().map(|(turn, ranked, ap)| format!("{}\t{}\t{ap:.4}\n", line(turn), ranked.join(" "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_with_groups_are_split() {
        let text = "moře/hory 2\tpláž loď/sníh skála\tpláž loď sníh skála auto\nx 1\t[?]\ta b\n";
        let turns = read_cnwa(text).unwrap();
        assert_eq!(turns.len(), 2);
        assert_eq!(turns[1].clue, "hory");
        assert_eq!(turns[1].targets, ["sníh", "skála"]);
        assert_eq!(read_cnwa(&write_cnwa(&turns)).unwrap(), turns);
        assert!(read_cnwa("a 1\tq\tb c").unwrap_err().contains("`q`"));
    }

    #[test]
    fn any_text_is_read_or_refused() {
        bolero::check!().with_iterations(3000).for_each(|bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            if let Ok(turns) = read_cnwa(&text) {
                let _ = write_cnwa(&turns);
            }
        });
    }
}
