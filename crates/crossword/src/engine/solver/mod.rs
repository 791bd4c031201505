//! The solver: evidence per clue, fused into probabilities, then inference over the whole grid.
//!
//! The architecture follows Proverb (Littman, Keim and Shazeer 2002): expert modules propose weighted candidates per clue, a
//! merger turns them into probabilities, and belief propagation with local search fills the grid. A [`Calibration`] holds the
//! weights for one genre of puzzle; every fitting calibration is tried and the grid with the highest likelihood wins.

mod calibration;
mod candidate_index;
mod candidates;
mod conflicts;
mod definition_by_example;
mod genre_weights;
mod inflected_forms;
mod name_index;
mod phrase_model;
mod reasons;
mod references;
mod single_clue;
mod spelling_models;
mod surface_features;
mod wordplay;

pub use calibration::{Calibration, Evidence, FEATURES, PlattScaling};
pub use candidates::{ClueEvidence, Knowledge, KnowledgeCache, WordList};
pub use conflicts::EntryConflict;
pub use genre_weights::GenreWeights;
pub use name_index::{NAME_FEATURES, NameCandidate, NameIndex};
pub use reasons::AnswerReason;
pub use single_clue::RankedAnswer;
pub use surface_features::{AnswerKind, SURFACE_FEATURES, SurfaceFeatures};

use crate::engine::inference::{
    Beliefs, GridAlphabet, GridAssignment, GridModel, LetterIndex, ListedAnswer, Propagation, local_search,
};
use crate::rules::{CellKind, Puzzle, PuzzleEntry};
use references::resolved;
use spelling_models::SpellingModels;
use std::time::{Duration, Instant};

/// Rounds of belief propagation in each stage; between stages unlisted answers are generated.
const STAGES: [usize; 3] = [5, 7, 6];
/// Answers generated per entry and stage.
const GENERATED: usize = 60;
/// Entries get generated answers from this length and from this posterior of an unlisted answer on.
const SHORTEST_GENERATED: usize = 4;
const WORTH_GENERATING: f64 = 0.02;
/// Share of unlisted answers that are phrases or affixed words; the others are left to the letter model.
const PHRASE_SHARE: f64 = 0.6;
/// Damping: share of the old message that each round keeps.
const DAMPING: f64 = 0.3;
/// Candidates per entry that local search tries.
const LOCAL_SEARCH_WIDTH: usize = 200;
/// A grid with at least this many open cells is large.
const LARGE: usize = 121;
/// Number of alternatives reported per entry.
const ALTERNATIVES: usize = 8;

/// A letter with its posterior probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellBelief {
    pub letter: char,
    pub probability: f64,
}

/// An answer with its posterior probability.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryBelief {
    pub answer: String,
    /// Probability that the whole answer is right.
    pub probability: f64,
    /// Whether a source lists it; otherwise its letters come from crossings and the letter model.
    pub listed: bool,
    /// Other answers, most probable first.
    pub alternatives: Vec<(String, f64)>,
}

/// A filled grid with its posterior probabilities.
#[derive(Clone, Debug)]
pub struct SolvedGrid {
    /// One belief per cell of the grid; `None` for blocks and cells without an entry.
    pub cells: Vec<Option<CellBelief>>,
    /// One belief per entry of the puzzle.
    pub entries: Vec<EntryBelief>,
    /// Name of the calibration whose grid was chosen.
    pub calibration: &'static str,
    /// Log-likelihood of the grid under that calibration.
    pub score: f64,
    /// Whether the time limit stopped the search.
    pub stopped: bool,
    /// Entries and crossings that no listed answer satisfies, given the fixed letters.
    pub conflicts: Vec<EntryConflict>,
}

/// Why a puzzle cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    #[error("the puzzle has no entries")]
    Empty,
    #[error("{0}")]
    Grid(String),
    #[error("the solver was cancelled")]
    Cancelled,
}

/// The posterior of every cell after one round of belief propagation.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Number of rounds so far.
    pub round: usize,
    pub cells: Vec<Option<CellBelief>>,
}

/// Solves a puzzle. Letters in the grid (given or written) are fixed.
pub fn solve(puzzle: &Puzzle, knowledge: &Knowledge<'_>, limit: Duration) -> Result<SolvedGrid, SolveError> {
    Ok(solve_explained(puzzle, knowledge, limit, &mut None)?.0)
}

/// Probability from which on an answer is substituted into clues that refer to it.
const SURE: f64 = 0.6;

/// Like [`solve`]; also returns the evidence of every entry and, if `frames` is `Some`, the rounds of belief propagation.
pub fn solve_explained(
    puzzle: &Puzzle,
    knowledge: &Knowledge<'_>,
    limit: Duration,
    frames: &mut Option<Vec<Frame>>,
) -> Result<(SolvedGrid, Vec<ClueEvidence>), SolveError> {
    if puzzle.entries.is_empty() {
        return Err(SolveError::Empty);
    }
    let deadline = Instant::now() + limit;
    let left = || deadline.saturating_duration_since(Instant::now());
    let mut gathered = collect_all_evidence(puzzle, knowledge);
    if game::cancelled() {
        return Err(SolveError::Cancelled);
    }
    let open = open_cells(puzzle);
    let fully_checked = open.iter().filter(|&&uses| uses == 1).count() * 20 <= open.len();
    // A large, fully checked grid is American: it needs names and phrases.
    let american = fully_checked && open.len() >= LARGE && knowledge.names().is_some();
    let fits = |calibration: &&Calibration| {
        if american { calibration.fully_checked } else { fully_checked || !calibration.fully_checked }
    };
    let mut fitting: Vec<Calibration> = knowledge.calibrations().iter().filter(fits).cloned().collect();
    if fitting.is_empty() {
        fitting = knowledge.calibrations().to_vec();
    }
    let mut solution = solve_with_evidence(puzzle, knowledge, &gathered, &fitting, left(), frames)?;
    // Clues that refer to other entries are read again with those answers.
    let sure = |entry: usize| {
        let belief = &solution.entries[entry];
        (belief.probability >= SURE).then_some(belief.answer.as_str())
    };
    let clearer: Vec<(usize, ClueEvidence)> = puzzle
        .entries
        .iter()
        .enumerate()
        .filter_map(|(at, entry)| Some((at, resolved(puzzle, entry, sure)?)))
        .filter(|(at, text)| *text != first_reading(puzzle, &puzzle.entries[*at]))
        .map(|(at, text)| (at, knowledge.gather(&text, puzzle.entries[at].cells.len())))
        .collect();
    if !clearer.is_empty() && !solution.stopped {
        clearer.into_iter().for_each(|(at, evidence)| gathered[at] = evidence);
        solution = solve_with_evidence(puzzle, knowledge, &gathered, &fitting, left(), frames)?;
    }
    solution.conflicts = conflicts::conflicts(puzzle, &gathered);
    Ok((solution, gathered))
}

/// The clue with references resolved as far as possible without any answer.
fn first_reading(puzzle: &Puzzle, entry: &PuzzleEntry) -> String {
    resolved(puzzle, entry, |_| None).unwrap_or_else(|| entry.clue.clone())
}

/// Solves a puzzle from collected evidence under each calibration; needs at least one.
pub fn solve_with_evidence(
    puzzle: &Puzzle,
    knowledge: &Knowledge<'_>,
    gathered: &[ClueEvidence],
    calibrations: &[Calibration],
    limit: Duration,
    frames: &mut Option<Vec<Frame>>,
) -> Result<SolvedGrid, SolveError> {
    let deadline = Instant::now() + limit;
    let letters = alphabet(puzzle, gathered, knowledge.spelling());
    let late = || Instant::now() >= deadline || game::cancelled();
    let mut best: Option<SolvedGrid> = None;
    let mut stopped = false;
    for calibration in calibrations {
        if best.is_some() && late() {
            stopped = true;
            break;
        }
        let mut model = grid_model(puzzle, gathered, calibration, &letters, knowledge.spelling())?;
        let mut kept = Vec::new();
        let beliefs = infer(&mut model, knowledge.spelling(), |round, model, cells| {
            if frames.is_some() {
                kept.push(frame(model, round, &cells(), &letters, calibration));
            }
        });
        let filling = local_search(&model, &beliefs, LOCAL_SEARCH_WIDTH, late);
        if best.as_ref().is_none_or(|best| filling.score > best.score) {
            best = Some(report(
                &Inferred { model: &model, beliefs: &beliefs, filling: &filling, letters: &letters },
                gathered,
                calibration,
            ));
            if let Some(frames) = frames {
                *frames = kept;
            }
        }
    }
    let mut solution = best.ok_or(SolveError::Empty)?;
    solution.stopped = stopped || late();
    Ok(solution)
}

/// Runs belief propagation in stages. After each stage but the last, entries that are probably unlisted get generated
/// answers that fit the current beliefs.
fn infer(
    model: &mut GridModel,
    spelling: &SpellingModels,
    mut watch: impl FnMut(usize, &GridModel, &dyn Fn() -> Vec<f64>),
) -> Beliefs {
    let mut propagation = Propagation::new(model);
    let mut round = 0;
    for (stage, rounds) in STAGES.into_iter().enumerate() {
        propagation.run(model, rounds, DAMPING, |cells| {
            round += 1;
            watch(round, model, cells);
        });
        if stage + 1 == STAGES.len() {
            break;
        }
        for entry in 0..model.entries.len() {
            let length = model.entries[entry].cells.len();
            if length < SHORTEST_GENERATED || propagation.unlisted_share(entry) < WORTH_GENERATING {
                continue;
            }
            let share = model.entries[entry].unlisted * PHRASE_SHARE;
            let evidence = propagation.evidence(entry);
            let found = spelling.phrases.generate(evidence, model.letters.letters(), length, GENERATED);
            let answers =
                found.into_iter().map(|(word, log)| ListedAnswer { word, probability: share * log.exp() }).collect();
            model.add_generated(entry, answers);
        }
    }
    propagation.beliefs(model)
}

/// The most probable letter of every cell that belongs to an entry.
fn frame(model: &GridModel, round: usize, cells: &[f64], letters: &GridAlphabet, calibration: &Calibration) -> Frame {
    let mut cells_of_entries = vec![None; model.cells];
    for &cell in model.entries.iter().flat_map(|entry| &entry.cells) {
        let chances = &cells[cell * letters.len()..(cell + 1) * letters.len()];
        let best = chances.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        cells_of_entries[cell] = best.map(|(letter, &chance)| CellBelief {
            letter: letters.char(letter as LetterIndex),
            probability: calibration.letter_chance(chance),
        });
    }
    Frame { round, cells: cells_of_entries }
}

/// The evidence for every entry, collected on all cores.
pub fn collect_all_evidence(puzzle: &Puzzle, knowledge: &Knowledge<'_>) -> Vec<ClueEvidence> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(puzzle.entries.len());
    // The other threads do not see the control of this one's service call.
    let control = game::current_control();
    let share = |thread: usize| {
        let own = puzzle.entries.iter().enumerate().skip(thread).step_by(threads);
        own.take_while(|_| !control.stopped())
            .map(|(at, entry)| (at, knowledge.gather(&first_reading(puzzle, entry), entry.cells.len())))
            .collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, ClueEvidence)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || share(thread))).collect();
        let mut all = share(0);
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, gathered)| gathered).collect()
}

/// Number of entries through each cell that has at least one.
fn open_cells(puzzle: &Puzzle) -> Vec<usize> {
    let mut uses = vec![0usize; puzzle.grid.cells().len()];
    puzzle.entries.iter().flat_map(|entry| &entry.cells).for_each(|&cell| uses[cell] += 1);
    uses.retain(|&count| count > 0);
    uses
}

/// The letters of the language, of all candidates and of the grid.
fn alphabet(puzzle: &Puzzle, gathered: &[ClueEvidence], spelling: &SpellingModels) -> GridAlphabet {
    let mut letters = spelling.alphabet.clone();
    let written =
        puzzle.grid.cells().iter().filter_map(|cell| cell.fill.as_deref()).flat_map(|fill| fill.chars().take(1));
    let listed = gathered.iter().flat_map(|gathered| gathered.words()).flat_map(str::chars);
    for c in written.chain(listed) {
        // Letters beyond the 255th stay unlisted, which the model allows for.
        let _ = letters.add(c);
    }
    letters
}

fn grid_model(
    puzzle: &Puzzle,
    gathered: &[ClueEvidence],
    calibration: &Calibration,
    letters: &GridAlphabet,
    spelling: &SpellingModels,
) -> Result<GridModel, SolveError> {
    let entries = puzzle
        .entries
        .iter()
        .zip(gathered)
        .map(|(entry, gathered)| calibration.entry(entry.cells.clone(), gathered, letters))
        .collect();
    let fixed = puzzle.grid.cells().iter().map(|cell| {
        let letter = cell.fill.as_deref().and_then(|fill| fill.chars().next()).and_then(|c| letters.letter(c));
        letter.filter(|_| cell.kind == CellKind::Open)
    });
    let of_letters = if calibration.names { &spelling.of_names } else { &spelling.of_words };
    GridModel::new(puzzle.grid.cells().len(), entries, fixed.collect(), of_letters.widened(letters.len()))
        .map(|model| model.without_commonness(calibration.commonness))
        .map_err(|fault| SolveError::Grid(fault.to_string()))
}

/// What inference found.
struct Inferred<'i> {
    model: &'i GridModel,
    beliefs: &'i Beliefs,
    filling: &'i GridAssignment,
    letters: &'i GridAlphabet,
}

fn report(found: &Inferred<'_>, gathered: &[ClueEvidence], calibration: &Calibration) -> SolvedGrid {
    let &Inferred { model, beliefs, filling, letters } = found;
    let cells = filling
        .cells
        .iter()
        .enumerate()
        .map(|(cell, letter)| {
            letter.map(|letter| CellBelief {
                letter: letters.char(letter),
                probability: calibration.letter_chance(beliefs.cell(cell)[usize::from(letter)]),
            })
        })
        .collect();
    let entries = (0..model.entries.len())
        .map(|entry| {
            let here = &model.entries[entry];
            let answer: Vec<LetterIndex> = here.cells.iter().map(|&cell| filling.cells[cell].unwrap_or(0)).collect();
            let chances = &beliefs.entries[entry];
            let listed = here.candidates.iter().position(|candidate| candidate.word == answer);
            let chance = match listed {
                Some(at) => chances[at],
                // An unlisted answer is right if all its letters are right.
                None => {
                    let together: f64 =
                        here.cells.iter().zip(&answer).map(|(&cell, &l)| beliefs.cell(cell)[usize::from(l)]).product();
                    together.min(beliefs.unlisted[entry])
                }
            };
            let mut order: Vec<usize> =
                (0..chances.len()).filter(|&at| Some(at) != listed && chances[at] > 1e-4).collect();
            order.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]));
            let told = |at: usize| (letters.text(&here.candidates[at].word), calibration.word_chance(chances[at]));
            EntryBelief {
                answer: letters.text(&answer),
                probability: calibration.word_chance(chance),
                listed: gathered[entry].of(&letters.text(&answer)).is_some(),
                alternatives: order.into_iter().take(ALTERNATIVES).map(told).collect(),
            }
        })
        .collect();
    SolvedGrid {
        cells,
        entries,
        calibration: calibration.name,
        score: filling.score,
        stopped: false,
        conflicts: Vec::new(),
    }
}
