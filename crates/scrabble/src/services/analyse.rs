//! `analyse`: ranked moves with equity and win probability, and a heat map of where they go.

use super::{Call, knowledge, ten};
use crate::engine::simulation::{SimulationBudget, simulate};
use crate::engine::{MoveSort, RankedTurn, rank_moves};
use crate::formats::notation::{coordinate, play_text, word_text};
use crate::rules::PlayerMove;
use crate::table::{GameLanguage, Scrabble, SeatKnowledge, move_text};
use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

#[derive(Deserialize, ToSchema)]
struct AnalyseRequest {
    /// How many moves.
    #[serde(default = "ten")]
    n: usize,
    /// Milliseconds of simulation; 0 ranks by static equity only.
    #[serde(default)]
    ms: u64,
}

/// One ranked move.
#[derive(Serialize, ToSchema)]
struct RankedMove {
    #[serde(rename = "move")]
    text: String,
    at: Option<String>,
    word: Option<String>,
    score: i32,
    /// Points: score and leave value, or the mean of the simulation.
    equity: f64,
    win_probability: f64,
    /// Simulation iterations behind it.
    #[serde(rename = "tries")]
    iterations: u64,
}

#[derive(Serialize, ToSchema)]
pub(super) struct AnalyseAnswer {
    moves: Vec<RankedMove>,
    /// Row by row, 0 to 1: where the strong player would lay tiles.
    heat: Vec<f64>,
    /// `static` or `simulated`.
    method: String,
}

pub(super) fn service() -> Service<Scrabble> {
    Service::new(
        "analyse",
        "Ranked moves with equity and win probability, and a heat map of where they go.",
        Cost::Heavy,
        Needs::View,
        serde_json::json!({ "n": 10, "ms": 1000 }),
        |game: &Scrabble, request: AnalyseRequest, call: Call<'_>| -> Result<AnalyseAnswer, ServiceError> {
            let (language, known) = knowledge(game, &call)?;
            Ok(analyse(&language, &known, request.n, request.ms, &call))
        },
    )
}

/// Weights every square by the moves that cover it: a move 8 points behind the best counts 1/e as much.
fn heat_map(ranked: &[RankedTurn], side: usize) -> Vec<f64> {
    let mut heat = vec![0.0; side * side];
    let top = ranked.first().map_or(0, |r| r.equity);
    for turn in ranked {
        if let PlayerMove::Play(play) = &turn.turn {
            let weight = ((turn.equity - top) as f64 / 8000.0).exp();
            play.laid_tiles().for_each(|(r, c, _)| heat[r * side + c] += weight);
        }
    }
    let most = heat.iter().copied().fold(0.0, f64::max);
    if most > 0.0 {
        heat.iter_mut().for_each(|h| *h /= most);
    }
    heat
}

/// Ranks the moves of a position: by simulation when `ms` is above 0 and tiles are left to draw, otherwise statically.
pub(super) fn analyse(
    language: &GameLanguage,
    known: &SeatKnowledge,
    n: usize,
    ms: u64,
    call: &Call<'_>,
) -> AnalyseAnswer {
    let player = known.one_ply(language, MoveSort::Equity);
    let inference = if ms > 0 { known.inference() } else { None };
    let position = known.known_position(language, inference.as_ref());
    let alphabet = language.dictionary.alphabet();
    let mut moves = Vec::new();
    let ranked = rank_moves(&player, &position, n.clamp(1, 200).max(15));
    let heat = heat_map(&ranked, known.board.side());
    let mut push = |chosen: &PlayerMove, score: i32, equity: f64, win: f64, iterations: u64| {
        let (at, word, text) = match chosen {
            PlayerMove::Play(play) => {
                (Some(coordinate(play)), Some(word_text(alphabet, play)), play_text(alphabet, &known.board, play))
            }
            PlayerMove::Exchange(tiles) => (None, None, format!("exchange {}", alphabet.decode(tiles))),
            PlayerMove::Pass => (None, None, move_text(language, known, chosen)),
        };
        moves.push(RankedMove { text, at, word, score, equity, win_probability: win, iterations });
    };
    let simulated = ms > 0 && known.seats == 2 && known.bag > 0;
    if simulated {
        let time = Some(Duration::from_millis(ms.min(60_000)));
        let budget = SimulationBudget { time, ..SimulationBudget::best_arm(n.clamp(2, 40), u64::MAX, call.seed) };
        let result = simulate(&player, &language.win, &position, budget, &call.control.stop_flag());
        for c in result.candidates.iter().take(n) {
            push(&c.turn, c.score, c.mean, c.win, c.iterations);
        }
    } else {
        for turn in ranked.iter().take(n) {
            let win = 1.0 - language.win.chance(-(known.lead as f64 + turn.points()), position.unseen.len());
            push(&turn.turn, turn.score, turn.points(), win, 0);
        }
    }
    AnalyseAnswer { moves, heat, method: if simulated { "simulated" } else { "static" }.into() }
}
