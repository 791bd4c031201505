//! The actions of a solver.

use crate::rules::EntryDirection;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A part of the grid that is checked or revealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "scope", rename_all = "snake_case")]
pub enum Scope {
    /// One cell.
    Letter { cell: usize },
    /// The cells of one entry.
    Word { entry: usize },
    /// Everything.
    Grid,
}

/// The step of a hint; each step reveals more. [`Action::Reveal`] shows the letter and the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HintStep {
    /// What kind of answer it is.
    Nudge,
    /// Which of its letters are vowels.
    Pattern,
    /// Its dictionary definition.
    Definition,
}

impl HintStep {
    /// All steps, the smallest first.
    pub const ALL: [Self; 3] = [Self::Nudge, Self::Pattern, Self::Definition];

    fn name(self) -> &'static str {
        match self {
            Self::Nudge => "nudge",
            Self::Pattern => "pattern",
            Self::Definition => "definition",
        }
    }
}

/// What is written into one cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Filled)]
pub struct CellLetters {
    pub cell: usize,
    pub letters: String,
}

/// An action of a solver. Cells are numbered in reading order, entries as in the view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Action {
    /// Writes a letter (several in a rebus cell).
    Write {
        cell: usize,
        letters: String,
        /// In pencil: a guess.
        #[serde(default)]
        pencil: bool,
    },
    /// Writes into several cells at once, such as the solver's proposal.
    Fill {
        cells: Vec<CellLetters>,
        #[serde(default)]
        pencil: bool,
    },
    /// Empties a cell.
    Erase { cell: usize },
    /// Marks wrong letters.
    Check {
        #[serde(flatten)]
        scope: Scope,
    },
    /// Writes the solution.
    Reveal {
        #[serde(flatten)]
        scope: Scope,
    },
    /// Requests a hint to one entry.
    Hint { entry: usize, step: HintStep },
    /// Ends the solving of a full grid without a stored solution.
    Finish,
}

impl Action {
    /// The action in Parlour's notation: `12=A`, `12~A` (pencil), `12=`, `fill 1=A 2=B`, `check 12`, `reveal word 3`,
    /// `check grid`, `hint 3 nudge`, `finish`.
    pub fn notation(&self) -> String {
        let place = |scope: &Scope| match scope {
            Scope::Letter { cell } => format!("{}", cell + 1),
            Scope::Word { entry } => format!("word {}", entry + 1),
            Scope::Grid => "grid".to_owned(),
        };
        match self {
            Self::Write { cell, letters, pencil } => {
                format!("{}{}{letters}", cell + 1, if *pencil { '~' } else { '=' })
            }
            Self::Fill { cells, pencil } => {
                let mark = if *pencil { '~' } else { '=' };
                let written = cells.iter().map(|filled| format!(" {}{mark}{}", filled.cell + 1, filled.letters));
                format!("fill{}", written.collect::<String>())
            }
            Self::Erase { cell } => format!("{}=", cell + 1),
            Self::Check { scope } => format!("check {}", place(scope)),
            Self::Reveal { scope } => format!("reveal {}", place(scope)),
            Self::Hint { entry, step } => format!("hint {} {}", entry + 1, step.name()),
            Self::Finish => "finish".to_owned(),
        }
    }

    /// Reads what [`Action::notation`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let counted = |text: &str| text.trim().parse::<usize>().ok()?.checked_sub(1);
        let scope = |text: &str| match text.trim() {
            "grid" => Some(Scope::Grid),
            other => match other.strip_prefix("word ") {
                Some(entry) => Some(Scope::Word { entry: counted(entry)? }),
                None => Some(Scope::Letter { cell: counted(other)? }),
            },
        };
        if let Some(rest) = text.strip_prefix("check ") {
            return Some(Self::Check { scope: scope(rest)? });
        }
        if let Some(rest) = text.strip_prefix("reveal ") {
            return Some(Self::Reveal { scope: scope(rest)? });
        }
        if text == "finish" {
            return Some(Self::Finish);
        }
        if let Some(rest) = text.strip_prefix("hint ") {
            let (entry, step) = rest.trim().split_once(' ')?;
            let step = HintStep::ALL.into_iter().find(|known| known.name() == step.trim())?;
            return Some(Self::Hint { entry: counted(entry)?, step });
        }
        if let Some(rest) = text.strip_prefix("fill ") {
            return Self::parse_fill(rest);
        }
        let mark = text.find(['=', '~'])?;
        let cell = counted(&text[..mark])?;
        let letters = text[mark + 1..].trim().to_owned();
        if letters.is_empty() {
            return Some(Self::Erase { cell });
        }
        Some(Self::Write { cell, letters, pencil: text[mark..].starts_with('~') })
    }

    /// Several cells: all in ink or all in pencil.
    fn parse_fill(text: &str) -> Option<Self> {
        let mut cells = Vec::new();
        let mut pencils = Vec::new();
        for part in text.split_whitespace() {
            let Self::Write { cell, letters, pencil } = Self::parse(part)? else { return None };
            cells.push(CellLetters { cell, letters });
            pencils.push(pencil);
        }
        let pencil = *pencils.first()?;
        pencils.iter().all(|&other| other == pencil).then_some(Self::Fill { cells, pencil })
    }
}

/// Wire name of a direction.
pub(super) fn direction_name(direction: EntryDirection) -> &'static str {
    match direction {
        EntryDirection::Across => "across",
        EntryDirection::Down => "down",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_round_trips() {
        let actions = [
            Action::Write { cell: 11, letters: "A".into(), pencil: false },
            Action::Write { cell: 0, letters: "TEN".into(), pencil: true },
            Action::Fill {
                cells: vec![CellLetters { cell: 0, letters: "A".into() }, CellLetters { cell: 8, letters: "B".into() }],
                pencil: true,
            },
            Action::Hint { entry: 2, step: HintStep::Definition },
            Action::Erase { cell: 3 },
            Action::Finish,
            Action::Check { scope: Scope::Letter { cell: 4 } },
            Action::Reveal { scope: Scope::Word { entry: 2 } },
            Action::Check { scope: Scope::Grid },
        ];
        for action in actions {
            assert_eq!(Action::parse(&action.notation()), Some(action));
        }
        for bad in ["", "x=A", "0=A", "check", "reveal word x", "12", "fill 1=A 2~B", "fill", "hint 1 shout"] {
            assert_eq!(Action::parse(bad), None, "{bad}");
        }
        let json = serde_json::to_string(&Action::Check { scope: Scope::Word { entry: 2 } }).expect("writable");
        assert_eq!(json, r#"{"do":"check","scope":"word","entry":2}"#);
    }
}
