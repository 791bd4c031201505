//! `hint`: a hint from the solver's answer, for puzzles without a stored solution.

use super::view;
use crate::engine::solver::solve;
use crate::table::{Crossword, hint};
use crate::table::{HintStep, HintView};
use game::{Cost, Needs, RuleError, Service, ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;
use utoipa::ToSchema;

/// Which hint.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HintRequest)]
pub struct CrosswordHintRequest {
    /// The entry, as the view lists clues.
    pub entry: usize,
    pub step: HintStep,
}

/// A hint and the probability that its answer is right.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = HintAnswer)]
pub struct CrosswordHintAnswer {
    pub hint: HintView,
    pub probability: f64,
}

pub(super) fn service() -> Service<Crossword> {
    Service::new(
        "hint",
        "A hint to one entry from the solver's answer; where the puzzle has its solution, play the action `hint` instead.",
        Cost::Heavy,
        Needs::View,
        json!({"entry": 0, "step": "nudge"}),
        run,
    )
}

fn run(
    game: &Crossword,
    request: CrosswordHintRequest,
    call: ServiceCall<'_, Crossword>,
) -> Result<CrosswordHintAnswer, ServiceError> {
    let view = view(&call)?;
    let puzzle = view.puzzle(|cell| !cell.pencil && !cell.wrong).map_err(ServiceError::BadRequest)?;
    let Some(entry) = puzzle.entries.get(request.entry) else {
        let message = format!("there is no entry {}: the puzzle has {}", request.entry, puzzle.entries.len());
        return Err(ServiceError::Rule(RuleError::new("crossword.entry", message)));
    };
    let language = game.languages.by_tag(&view.language).map_err(ServiceError::Unavailable)?;
    let solution = language.with_knowledge(|knowledge| solve(&puzzle, knowledge, Duration::from_secs(3)));
    let solution = solution.map_err(|fault| ServiceError::BadRequest(fault.to_string()))?;
    let believed = &solution.entries[request.entry];
    let known: Vec<Option<&str>> = entry.cells.iter().map(|&cell| view.cells[cell].letters.as_deref()).collect();
    let hint = hint(Some(&language), entry, request.entry, request.step, &believed.answer, &known);
    Ok(CrosswordHintAnswer { hint, probability: believed.probability })
}
