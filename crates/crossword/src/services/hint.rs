//! `hint`: a hint from what the solver believes, for puzzles that came without their solution.

use super::view;
use crate::rules::{HintStep, HintView};
use crate::solver::solve;
use crate::table::{Crossword, hint};
use game::{Cost, Needs, RuleError, Service, ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;
use utoipa::ToSchema;

/// Which hint.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HintRequest {
    /// The entry, as the view lists clues.
    pub entry: usize,
    pub step: HintStep,
}

/// A hint and how sure the solver is that it is about the right answer.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HintAnswer {
    pub hint: HintView,
    pub probability: f64,
}

pub(super) fn service() -> Service<Crossword> {
    Service::new(
        "hint",
        "A hint to one entry from what the solver believes; where the puzzle has its solution, play `hint` instead.",
        Cost::Heavy,
        Needs::View,
        json!({"entry": 0, "step": "nudge"}),
        run,
    )
}

fn run(game: &Crossword, request: HintRequest, call: ServiceCall<'_, Crossword>) -> Result<HintAnswer, ServiceError> {
    let view = view(&call)?;
    let puzzle = view.puzzle(|cell| !cell.pencil && !cell.wrong).map_err(ServiceError::BadRequest)?;
    let Some(entry) = puzzle.entries.get(request.entry) else {
        let message = format!("there is no entry {}: the puzzle has {}", request.entry, puzzle.entries.len());
        return Err(ServiceError::Rule(RuleError::new("crossword.entry", message)));
    };
    let tongue = game.shelf.get(&view.language).map_err(ServiceError::Unavailable)?;
    let solution = tongue.with_knowledge(|knowledge| solve(&puzzle, knowledge, Duration::from_secs(3)));
    let solution = solution.map_err(|fault| ServiceError::BadRequest(fault.to_string()))?;
    let believed = &solution.entries[request.entry];
    let known: Vec<Option<&str>> = entry.cells.iter().map(|&cell| view.cells[cell].letters.as_deref()).collect();
    let hint = hint(Some(&tongue), entry, request.entry, request.step, &believed.answer, &known);
    Ok(HintAnswer { hint, probability: believed.probability })
}
