//! `solve`: fills the rest of a grid, with the probability of every letter and word.

use super::view;
use crate::engine::solver::{AnswerReason, CellBelief, ClueEvidence, Frame, SolvedGrid, solve_explained};
use crate::table::{CellView, View};
use crate::table::{Crossword, LanguageResources};
use game::{Cost, Needs, Service, ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// Time limit and fixed letters.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveRequest {
    /// Time limit in seconds; 5 if absent, at most 30.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Whether pencil letters are fixed; `false` if absent.
    #[serde(default)]
    pub keep_pencil: bool,
}

/// A letter with its probability.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CellChance {
    pub letter: String,
    pub probability: f64,
}

/// Another answer.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Alternative {
    pub answer: String,
    pub probability: f64,
}

/// The solver's result for an entry.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WordChance {
    pub answer: String,
    pub probability: f64,
    /// Whether a source lists it; otherwise its letters come from the crossings.
    pub listed: bool,
    pub alternatives: Vec<Alternative>,
    /// The evidence for it.
    pub why: Vec<AnswerReason>,
    /// Whether no listed word fits the fixed letters.
    pub conflict: bool,
    /// Crossing entries, numbered as in the view, with which no pair of listed words agrees.
    pub unmet: Vec<usize>,
}

/// The solved grid.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolveAnswer {
    /// One per cell of the grid; null for blocks.
    pub cells: Vec<Option<CellChance>>,
    /// One per clue of the view.
    pub words: Vec<WordChance>,
    pub stopped: bool,
    pub seconds: f64,
}

/// One round of the solver.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReplayFrame {
    /// Rounds of belief propagation so far; the last frame is the grid after repair.
    pub round: usize,
    /// One per cell; null for blocks.
    pub cells: Vec<Option<CellChance>>,
}

/// The round in which an answer settled.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReplayStep {
    /// The entry, as the view lists clues.
    pub entry: usize,
    pub answer: String,
    pub probability: f64,
    /// The first frame from which on it stays.
    pub frame: usize,
    pub why: Vec<AnswerReason>,
}

/// The course of the solving.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReplayAnswer {
    pub frames: Vec<ReplayFrame>,
    /// The answers in the order in which they settled, the most probable first.
    pub steps: Vec<ReplayStep>,
    pub seconds: f64,
}

pub(super) fn service() -> Service<Crossword> {
    Service::new(
        "solve",
        "Fills the rest of the grid from the clues, with the probability of every letter and word.",
        Cost::Heavy,
        Needs::View,
        json!({"seconds": 5}),
        |game: &Crossword, request: SolveRequest, call: ServiceCall<'_, Crossword>| {
            let begun = Instant::now();
            let work = Work::new(game, &request, &call)?;
            let (solution, evidence) = work.solution(&mut None)?;
            Ok(SolveAnswer {
                cells: solution.cells.iter().map(chance).collect(),
                words: work.words(&solution, &evidence),
                stopped: solution.stopped,
                seconds: begun.elapsed().as_secs_f64(),
            })
        },
    )
}

pub(super) fn replay_service() -> Service<Crossword> {
    Service::new(
        "replay",
        "Replays how the solver fills the grid: its beliefs round by round and the order of the answers.",
        Cost::Heavy,
        Needs::View,
        json!({"seconds": 5}),
        |game: &Crossword, request: SolveRequest, call: ServiceCall<'_, Crossword>| {
            let begun = Instant::now();
            let work = Work::new(game, &request, &call)?;
            let mut frames = Some(Vec::new());
            let (solution, evidence) = work.solution(&mut frames)?;
            let mut frames = frames.unwrap_or_default();
            frames.push(Frame { round: frames.len(), cells: solution.cells.clone() });
            let steps = work.steps(&solution, &evidence, &frames);
            let told =
                |frame: Frame| ReplayFrame { round: frame.round, cells: frame.cells.iter().map(chance).collect() };
            let frames = frames.into_iter().map(told).collect();
            Ok(ReplayAnswer { frames, steps, seconds: begun.elapsed().as_secs_f64() })
        },
    )
}

fn chance(belief: &Option<CellBelief>) -> Option<CellChance> {
    belief.map(|belief| CellChance { letter: belief.letter.to_string(), probability: belief.probability })
}

/// A grid to solve.
struct Work {
    puzzle: crate::rules::Puzzle,
    language: Arc<LanguageResources>,
    limit: Duration,
}

impl Work {
    fn new(game: &Crossword, request: &SolveRequest, call: &ServiceCall<'_, Crossword>) -> Result<Self, ServiceError> {
        let view: &View = view(call)?;
        let stands = |cell: &CellView| !cell.wrong && (request.keep_pencil || !cell.pencil);
        let puzzle = view.puzzle(stands).map_err(ServiceError::BadRequest)?;
        let language = game.languages.by_tag(&view.language).map_err(ServiceError::Unavailable)?;
        let seconds = request.seconds.filter(|seconds| seconds.is_finite()).unwrap_or(5.0).clamp(0.1, 30.0);
        Ok(Self { puzzle, language, limit: Duration::from_secs_f64(seconds) })
    }

    fn solution(&self, frames: &mut Option<Vec<Frame>>) -> Result<(SolvedGrid, Vec<ClueEvidence>), ServiceError> {
        self.language
            .with_knowledge(|knowledge| solve_explained(&self.puzzle, knowledge, self.limit, frames))
            .map_err(|fault| ServiceError::BadRequest(fault.to_string()))
    }

    fn words(&self, solution: &SolvedGrid, evidence: &[ClueEvidence]) -> Vec<WordChance> {
        let told = |(number, belief): (usize, &crate::engine::solver::EntryBelief)| {
            let own = || solution.conflicts.iter().filter(move |conflicts| conflicts.entry == number);
            let crossed = solution
                .conflicts
                .iter()
                .filter(|conflicts| conflicts.with == Some(number))
                .map(|conflicts| conflicts.entry);
            WordChance {
                answer: belief.answer.clone(),
                probability: belief.probability,
                listed: belief.listed,
                alternatives: belief
                    .alternatives
                    .iter()
                    .map(|(answer, probability)| Alternative { answer: answer.clone(), probability: *probability })
                    .collect(),
                why: evidence[number].reasons(&belief.answer),
                conflict: own().any(|conflicts| conflicts.with.is_none()),
                unmet: own().filter_map(|conflicts| conflicts.with).chain(crossed).collect(),
            }
        };
        solution.entries.iter().enumerate().map(told).collect()
    }

    /// An answer is found at the first frame from which on all its letters stay.
    fn steps(&self, solution: &SolvedGrid, evidence: &[ClueEvidence], frames: &[Frame]) -> Vec<ReplayStep> {
        let settled = |entry: usize| {
            let same = |frame: &Frame| {
                let letter = |cell: &usize| frame.cells[*cell].map(|belief| belief.letter);
                self.puzzle.entries[entry].cells.iter().map(letter).eq(solution.entries[entry].answer.chars().map(Some))
            };
            frames.iter().rposition(|frame| !same(frame)).map_or(0, |last| last + 1)
        };
        let mut steps: Vec<ReplayStep> = solution
            .entries
            .iter()
            .enumerate()
            .map(|(entry, belief)| ReplayStep {
                entry,
                answer: belief.answer.clone(),
                probability: belief.probability,
                frame: settled(entry).min(frames.len() - 1),
                why: evidence[entry].reasons(&belief.answer),
            })
            .collect();
        steps.sort_by(|a, b| a.frame.cmp(&b.frame).then(b.probability.total_cmp(&a.probability)));
        steps
    }
}
