//! What a seat may do, and how it is written.

use crate::rules::Number;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One action at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Action {
    /// Give a clue.
    Clue {
        word: String,
        /// 0 to 9, or `unlimited`.
        #[schema(value_type = Object)]
        number: Number,
        /// Cards it is meant for, if the spymaster wants it recorded; others see them when the table's settings say so.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        meant: Vec<u8>,
    },
    /// Touch a card, 0 to 24.
    Guess { card: u8 },
    /// Guess no more in this turn.
    Stop,
}

impl Action {
    /// The action in notation: `clue ocean 3 = 4,7,12`, `guess 4`, `stop`.
    pub fn write(&self) -> String {
        match self {
            Action::Clue { word, number, meant } => {
                let number = if *number == Number::Unlimited { "inf".to_owned() } else { number.to_string() };
                if meant.is_empty() {
                    return format!("clue {word} {number}");
                }
                let meant: Vec<String> = meant.iter().map(|c| (c + 1).to_string()).collect();
                format!("clue {word} {number} = {}", meant.join(","))
            }
            Action::Guess { card } => format!("guess {}", card + 1),
            Action::Stop => "stop".to_owned(),
        }
    }

    /// Reads what [`Action::write`] writes, a card's word, or `word number`.
    pub fn read(text: &str, words: &[String]) -> Option<Action> {
        let text = text.trim();
        if text.eq_ignore_ascii_case("stop") || text.eq_ignore_ascii_case("pass") {
            return Some(Action::Stop);
        }
        let card = |text: &str| {
            let found = words.iter().position(|w| w.to_lowercase() == text.trim().to_lowercase());
            let number = || text.trim().parse::<usize>().ok().filter(|n| (1..=words.len()).contains(n)).map(|n| n - 1);
            found.or_else(number).map(|card| card as u8)
        };
        if let Some(rest) = text.strip_prefix("guess ") {
            return card(rest).map(|card| Action::Guess { card });
        }
        if let Some(card) = card(text) {
            return Some(Action::Guess { card });
        }
        let clue = text.strip_prefix("clue ").unwrap_or(text);
        let (clue, meant) = match clue.split_once('=') {
            Some((clue, list)) => {
                let cards: Option<Vec<u8>> = list.split(',').map(card).collect();
                (clue, cards?)
            }
            None => (clue, Vec::new()),
        };
        let (word, number) = clue.trim().rsplit_once(char::is_whitespace)?;
        Some(Action::Clue { word: word.trim().to_owned(), number: Number::parse(number)?, meant })
    }
}
