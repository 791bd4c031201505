//! What may be chosen when a table is made.

use crate::engine::meaning::PersonProfile;
use crate::rules::{BOARD, Strictness, fold};
use game::{RuleError, SeatPlan};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which game is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Two teams against each other.
    #[default]
    Classic,
    /// Two players together.
    Duet,
}

/// The settings of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    pub mode: Mode,
    /// Language of the words and clues: `en`, `cs`, `pl`, `sk`.
    pub lang: String,
    pub strictness: Strictness,
    /// Operatives per team in the classic game, 1 to 3.
    pub operatives: u8,
    /// Turns of a Duet game before sudden death, 5 to 11.
    pub turns: u8,
    /// Own words to deal from, at least 25; empty for the shipped list.
    pub words: Vec<String>,
    /// Whether everybody sees after each turn what its clue meant; otherwise after the game.
    pub show_meant: bool,
    /// What the computer remembers of the person it plays with. Only bots use it: it leaves neither with the settings
    /// nor with a view, since strangers may look at both.
    #[serde(skip_serializing_if = "PersonProfile::is_empty")]
    pub person: PersonProfile,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::Classic,
            lang: "en".to_owned(),
            strictness: Strictness::Standard,
            operatives: 1,
            turns: 9,
            words: Vec::new(),
            show_meant: false,
            person: PersonProfile::default(),
        }
    }
}

/// The most words of one's own.
const MOST_WORDS: usize = 2_000;
/// The longest word of one's own, in letters.
const LONGEST: usize = 24;

impl Settings {
    /// Checks everything but the language and says how many seats there are.
    pub fn plan(&self) -> Result<SeatPlan, RuleError> {
        let refuse = |message: String| Err(RuleError::new("codenames.settings", message));
        if !(1..=3).contains(&self.operatives) {
            return refuse(format!("operatives: {} per team; 1 to 3 can be seated", self.operatives));
        }
        if !(5..=11).contains(&self.turns) {
            return refuse(format!("turns: {} turns; a Duet game has 5 to 11", self.turns));
        }
        self.own_words()?;
        self.person.check()?;
        let (teams, names): (Vec<u8>, Vec<String>) = match self.mode {
            Mode::Duet => (vec![0, 0], vec!["duet_first".to_owned(), "duet_second".to_owned()]),
            Mode::Classic => ["red", "blue"]
                .iter()
                .enumerate()
                .flat_map(|(team, color)| {
                    let operatives = (0..self.operatives).map(move |_| format!("{color}_operative"));
                    std::iter::once(format!("{color}_spymaster")).chain(operatives).map(move |name| (team as u8, name))
                })
                .unzip(),
        };
        let seats = names.len() as u8;
        Ok(SeatPlan { min: seats, max: seats, teams, names })
    }

    /// The words of one's own, cleaned; empty if the shipped list is used.
    pub fn own_words(&self) -> Result<Vec<String>, RuleError> {
        let refuse = |message: String| Err(RuleError::new("codenames.words", message));
        let mut words: Vec<String> = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            let word = word.trim().to_lowercase();
            let letters = word.chars().count();
            if !(2..=LONGEST).contains(&letters) || !word.chars().all(|c| c.is_alphabetic() || " -'’".contains(c)) {
                return refuse(format!("words: number {} (“{word}”) is not a word of 2 to {LONGEST} letters", at + 1));
            }
            if words.iter().any(|w| fold(w) == fold(&word)) {
                return refuse(format!("words: “{word}” stands there twice"));
            }
            words.push(word);
        }
        if words.len() > MOST_WORDS {
            return refuse(format!("words: {} words; at most {MOST_WORDS} are taken", words.len()));
        }
        if !words.is_empty() && words.len() < BOARD {
            return refuse(format!("words: {} words; a board needs {BOARD}", words.len()));
        }
        Ok(words)
    }
}
