//! Positions of the blind clue rating (Jareš 2019, section 6.2): a seed names the words, the key and the clues of several
//! spymasters.

use crate::engine::BoardPosition;
use crate::eval::random_board;
use crate::players::{ScoredClue, Spymaster};
use crate::rules::CardSide;
use crate::table::Codenames;
use game::{RuleError, Seed};
use rand::RngExt;
use rand::seq::SliceRandom;

/// The spymasters that are compared. Their names are part of stored records.
const SPYMASTERS: [&str; 3] = ["strong", "study", "vectors"];
/// Largest number of cards turned in a prepared position.
const MAX_TURNED: usize = 8;

/// A position and clues for it, each with the name of its spymaster.
type PreparedPosition = (BoardPosition, Vec<(&'static str, ScoredClue)>);

/// The position of a seed and the clues in the order they are shown.
pub(super) fn prepare(game: &Codenames, lang: &str, seed: u64) -> Result<PreparedPosition, RuleError> {
    let lm = game.language_model(lang)?;
    let mut cards = random_board(lm, seed);
    let mut rng = Seed(seed).rng(0xb11d);
    let mut harmless: Vec<usize> = (0..cards.len()).filter(|&i| cards[i].side != CardSide::Assassin).collect();
    harmless.shuffle(&mut rng);
    let turned = rng.random_range(0..=MAX_TURNED);
    harmless.into_iter().take(turned).for_each(|i| cards[i].open = false);
    let position = BoardPosition::of_key(cards, Vec::new());
    let mut clues = Vec::new();
    for name in SPYMASTERS {
        let spymaster = Spymaster::parse(name).expect("the list names spymasters").facing_people();
        clues.extend(spymaster.best_clues(lm, &position, 1).into_iter().map(|clue| (name, clue)));
    }
    clues.shuffle(&mut rng);
    Ok((position, clues))
}
