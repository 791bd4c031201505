//! Premium boards as data: size and squares come from a text file.

/// The largest side of a board.
pub const MAX_SIDE: usize = 21;

/// What a square does to the letter on it and to the word through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Premium {
    pub letter: u8,
    pub word: u8,
}

/// A board without tiles: its size, premiums and start square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    name: String,
    side: usize,
    premiums: Vec<Premium>,
    start: usize,
    symmetric: bool,
}

/// Why a board file cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("board, line {line}: {reason}")]
pub struct LayoutError {
    pub line: usize,
    pub reason: String,
}

impl Layout {
    /// A board by name: `standard` (15×15) or `super` (21×21).
    pub fn named(name: &str) -> Option<Self> {
        let text = match name {
            "standard" => include_str!("../../boards/standard.txt"),
            "super" => include_str!("../../boards/super.txt"),
            _ => return None,
        };
        Some(Self::parse(name, text).expect("shipped boards are sound"))
    }

    /// Reads a board: `.` plain, `'` `"` `^` two to four letters, `-` `=` `~` two to four words, `#` start.
    pub fn parse(name: &str, text: &str) -> Result<Self, LayoutError> {
        let wrong = |line: usize, reason: String| LayoutError { line, reason };
        let lines: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .filter(|(_, l)| !l.trim().is_empty() && !l.starts_with("# "))
            .map(|(i, l)| (i + 1, l.trim_end()))
            .collect();
        let side = lines.len();
        if !(5..=MAX_SIDE).contains(&side) {
            return Err(wrong(1, format!("a board has 5 to {MAX_SIDE} rows, this one {side}")));
        }
        let (mut premiums, mut start) = (Vec::with_capacity(side * side), None);
        for &(line, row) in &lines {
            if row.chars().count() != side {
                return Err(wrong(line, format!("{} squares in a row of a {side}×{side} board", row.chars().count())));
            }
            for c in row.chars() {
                let (letter, word) = match c {
                    '.' => (1, 1),
                    '\'' => (2, 1),
                    '"' => (3, 1),
                    '^' => (4, 1),
                    '-' => (1, 2),
                    '=' => (1, 3),
                    '~' => (1, 4),
                    '#' if start.is_none() => {
                        start = Some(premiums.len());
                        (1, 2)
                    }
                    '#' => return Err(wrong(line, "a second start square".into())),
                    other => return Err(wrong(line, format!("{other:?} is no square"))),
                };
                premiums.push(Premium { letter, word });
            }
        }
        let start = start.ok_or_else(|| wrong(side, "no start square (#)".into()))?;
        let mirrored = |i: usize| premiums[(i % side) * side + i / side];
        let symmetric = (0..premiums.len()).all(|i| premiums[i] == mirrored(i)) && start / side == start % side;
        Ok(Self { name: name.to_owned(), side, premiums, start, symmetric })
    }

    /// The board's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Squares along one side.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The premium of a square, row by row.
    pub fn premium(&self, square: usize) -> Premium {
        self.premiums[square]
    }

    /// The square the first move covers.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Whether rows and columns look the same.
    pub fn is_symmetric(&self) -> bool {
        self.symmetric
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_boards_have_their_premiums() {
        let board = Layout::named("standard").unwrap();
        let count = |letter, word| (0..225).filter(|&i| board.premium(i) == Premium { letter, word }).count();
        assert_eq!((count(2, 1), count(3, 1), count(1, 2), count(1, 3)), (24, 12, 17, 8));
        assert_eq!(board.start(), 112);
        assert!(board.is_symmetric());
        let large = Layout::named("super").unwrap();
        assert_eq!(large.side(), 21);
        assert!(large.is_symmetric());
    }

    #[test]
    fn any_text_is_a_board_or_refused() {
        bolero::check!().with_type::<String>().for_each(|text| {
            let _ = Layout::parse("any", text);
        });
    }
}
