//! Rankings of board words against what people meant and took.

use crate::engine::meaning::{LanguageModel, ScoringModel};
use crate::engine::{BoardPosition, Card};
use crate::formats::{TurnRecord, write_cnwae};
use crate::players::{Operative, RankedCard};
use crate::rules::{CardSide, Clue, Number};
use rayon::prelude::*;
use serde::Serialize;

/// What was measured on some turns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankingReport {
    pub turns: usize,
    /// Mean average precision of the ranking for the words that were meant.
    pub ap_targets: f64,
    /// The same for the words that were taken.
    pub ap_guesses: f64,
    /// Share of the meant words among the first as many.
    pub recall_at_k: f64,
    /// How often the first word of the ranking is the first one that was taken.
    pub top1: f64,
}

/// Average precision of a ranking as the study's script computes it: Σ (k / rank of the k-th expected word) divided
/// by the number of expected words in the ranking; `None` if none is.
pub fn average_precision(ranking: &[&str], expected: &[String]) -> Option<f64> {
    let (mut found, mut sum) = (0usize, 0.0);
    for (at, word) in ranking.iter().enumerate() {
        if expected.iter().any(|e| e == word) {
            found += 1;
            sum += found as f64 / (at + 1) as f64;
        }
    }
    (found > 0).then(|| sum / found as f64)
}

/// Ranks the board of a turn.
pub fn rank_turn(lm: &LanguageModel, operative: &Operative, turn: &TurnRecord) -> Vec<RankedCard> {
    let cards: Vec<Card> =
        turn.board.iter().map(|w| Card { word: w.to_lowercase(), side: CardSide::Unknown, open: true }).collect();
    let own_left = usize::from(turn.count());
    let position = BoardPosition { cards, own_left, ..BoardPosition::default() };
    let clue = Clue { word: turn.clue.to_lowercase(), number: Number::Of(turn.count()) };
    operative.rank(lm, &position, &clue)
}

/// Turns with an operative's ranking of each and its average precision, as `.cnwae`.
pub fn ranked_records(lm: &LanguageModel, operative: &Operative, turns: &[TurnRecord]) -> String {
    let row = |turn: &TurnRecord| {
        let ranked: Vec<String> = rank_turn(lm, operative, turn).iter().map(|g| turn.board[g.card].clone()).collect();
        let words: Vec<&str> = ranked.iter().map(String::as_str).collect();
        let ap = average_precision(&words, &turn.targets).unwrap_or(0.0);
        (turn.clone(), ranked, ap)
    };
    write_cnwae(&turns.iter().take_while(|_| !game::cancelled()).map(row).collect::<Vec<_>>())
}

/// Measures an operative on turns of people. A turn whose clue the vectors do not know at all counts 0 for players that
/// have nothing else.
pub fn evaluate(lm: &LanguageModel, operative: &Operative, turns: &[TurnRecord]) -> RankingReport {
    // The threads of the pool do not see the control of this thread's service call.
    let control = game::current_control();
    let rows: Vec<[Option<f64>; 4]> = turns
        .par_iter()
        .filter(|_| !control.stopped())
        .map(|turn| {
            let ranking = rank_turn(lm, operative, turn);
            let words: Vec<&str> = ranking.iter().map(|g| turn.board[g.card].as_str()).collect();
            let unknown = operative.model() == ScoringModel::Vectors && lm.language().vector(&turn.clue).is_none();
            let scale = if unknown { 0.0 } else { 1.0 };
            let k = turn.targets.iter().filter(|t| turn.board.contains(t)).count();
            let hits = words.iter().take(k).filter(|w| turn.targets.iter().any(|t| t == *w)).count();
            [
                average_precision(&words, &turn.targets).map(|ap| ap * scale),
                average_precision(&words, &turn.guesses).map(|ap| ap * scale),
                (k > 0).then(|| scale * hits as f64 / k as f64),
                turn.guesses.first().map(|g| if words.first() == Some(&g.as_str()) { scale } else { 0.0 }),
            ]
        })
        .collect();
    let mean = |column: usize| {
        let values: Vec<f64> = rows.iter().filter_map(|r| r[column]).collect();
        if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
    };
    RankingReport { turns: turns.len(), ap_targets: mean(0), ap_guesses: mean(1), recall_at_k: mean(2), top1: mean(3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn average_precision_by_hand() {
        let expected = ["sea".to_owned(), "car".to_owned(), "not there".to_owned()];
        // found at ranks 2 and 3: (1/2 + 2/3) / 2
        let ap = average_precision(&["dog", "sea", "car"], &expected).unwrap();
        assert!((ap - (0.5 + 2.0 / 3.0) / 2.0).abs() < 1e-12);
        assert_eq!(average_precision(&["dog"], &expected), None);
    }
}
