//! What a solver may do.

use crate::puzzle::Direction;
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

/// One thing a solver does. Cells are counted in reading order, entries as the view lists them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Action {
    /// Writes a letter (several in a rebus cell).
    Write {
        cell: usize,
        letters: String,
        /// Written lightly: a guess.
        #[serde(default)]
        pencil: bool,
    },
    /// Empties a cell.
    Erase { cell: usize },
    /// Marks what is wrong.
    Check {
        #[serde(flatten)]
        scope: Scope,
    },
    /// Writes the solution.
    Reveal {
        #[serde(flatten)]
        scope: Scope,
    },
}

impl Action {
    /// The action in the house's notation: `12=A`, `12~A` (pencil), `12=`, `check 12`, `reveal word 3`, `check grid`.
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
            Self::Erase { cell } => format!("{}=", cell + 1),
            Self::Check { scope } => format!("check {}", place(scope)),
            Self::Reveal { scope } => format!("reveal {}", place(scope)),
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
        let mark = text.find(['=', '~'])?;
        let cell = counted(&text[..mark])?;
        let letters = text[mark + 1..].trim().to_owned();
        if letters.is_empty() {
            return Some(Self::Erase { cell });
        }
        Some(Self::Write { cell, letters, pencil: text[mark..].starts_with('~') })
    }
}

/// Directions on the wire.
pub(super) fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Across => "across",
        Direction::Down => "down",
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
            Action::Erase { cell: 3 },
            Action::Check { scope: Scope::Letter { cell: 4 } },
            Action::Reveal { scope: Scope::Word { entry: 2 } },
            Action::Check { scope: Scope::Grid },
        ];
        for action in actions {
            assert_eq!(Action::parse(&action.notation()), Some(action));
        }
        for bad in ["", "x=A", "0=A", "check", "reveal word x", "12"] {
            assert_eq!(Action::parse(bad), None, "{bad}");
        }
        let json = serde_json::to_string(&Action::Check { scope: Scope::Word { entry: 2 } }).expect("writable");
        assert_eq!(json, r#"{"do":"check","scope":"word","entry":2}"#);
    }
}
