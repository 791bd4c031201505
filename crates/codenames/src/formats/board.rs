//! A board as JSON: `{"words":[{"word","role","revealed"}],"lang"}`.

use crate::engine::{BoardPosition, Card};
use crate::rules::CardSide;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One card of a board file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BoardCard {
    pub word: String,
    #[serde(default)]
    pub role: CardSide,
    #[serde(default)]
    pub revealed: bool,
}

/// A board at a real table or in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BoardFile {
    pub words: Vec<BoardCard>,
    #[serde(default = "english")]
    pub lang: String,
}

fn english() -> String {
    "en".to_owned()
}

/// The most cards a board may have.
const LARGEST: usize = 100;

impl BoardFile {
    /// The position the board shows; refuses boards without open words and boards that are too large.
    pub fn position(&self) -> Result<BoardPosition, String> {
        if self.words.len() > LARGEST {
            return Err(format!("words: {} cards, at most {LARGEST} are taken", self.words.len()));
        }
        if let Some(at) = self.words.iter().position(|w| w.word.trim().is_empty()) {
            return Err(format!("words[{at}]: the word is empty"));
        }
        let cards: Vec<Card> = self
            .words
            .iter()
            .map(|w| Card { word: w.word.trim().to_lowercase(), side: w.role, open: !w.revealed })
            .collect();
        if !cards.iter().any(|c| c.open) {
            return Err("words: no card is open".to_owned());
        }
        let mut position = BoardPosition::of_key(cards, Vec::new());
        if position.own_left == 0 {
            // nothing known of the key: half of what lies open, at most nine
            position.own_left = (position.open().len() / 2).clamp(1, 9);
        }
        Ok(position)
    }
}
