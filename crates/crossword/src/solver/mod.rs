//! The strong solver: evidence for every clue, fused into probabilities, then inference over the whole grid.
//!
//! Evidence comes from word meaning ([`semantics::ClueScorer`]), from the clue memory, from wordplay that can be read off
//! the clue (anagrams) and from further word lists. A [`Calibration`] turns it into chances for one genre of puzzle; all
//! calibrations are tried and the grid that its own model finds likeliest is the answer.

mod answers;
mod calibration;
mod candidates;
mod examples;
mod forms;
mod genre;
mod looks;
mod names;
mod reasons;
mod references;
mod stock;
mod unmet;
mod wordplay;

pub use answers::Answered;
pub use calibration::{Calibration, Evidence, FEATURES, Honesty};
pub use candidates::{Gathered, Knowledge, WordList};
pub use genre::GenreWeights;
pub use looks::{Kind, LOOKS, Look};
pub use names::{NAME_FEATURES, NamedCandidate, Names};
pub use reasons::Reason;
pub use unmet::Unmet;

use crate::inference::{Beliefs, Filling, GridModel, Letter, LetterModel, Letters, propagate_watched, repair};
use crate::puzzle::{CellKind, Entry, Puzzle};
use references::resolved;
use std::time::{Duration, Instant};

/// Rounds of belief propagation.
const ROUNDS: usize = 12;
/// Share of old messages that is kept in each round.
const DAMPING: f64 = 0.3;
/// Candidates per entry that repair tries.
const REPAIR_WIDTH: usize = 200;
/// Cells from which on a grid is large.
const LARGE: usize = 121;
/// Alternatives that are reported per entry.
const ALTERNATIVES: usize = 8;

/// A letter and how sure the solver is of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellBelief {
    pub letter: char,
    pub probability: f64,
}

/// An answer and how sure the solver is of it.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryBelief {
    pub answer: String,
    /// Chance that the whole answer is right.
    pub probability: f64,
    /// Whether some list had it; otherwise its letters come from crossings and the letter model.
    pub listed: bool,
    /// Other answers, likeliest first.
    pub alternatives: Vec<(String, f64)>,
}

/// A solved grid with what the solver thinks of it.
#[derive(Clone, Debug)]
pub struct Solution {
    /// One belief per cell of the grid; `None` for blocks and cells without an entry.
    pub cells: Vec<Option<CellBelief>>,
    /// One belief per entry of the puzzle.
    pub entries: Vec<EntryBelief>,
    /// Name of the calibration whose grid was chosen.
    pub calibration: &'static str,
    /// Logarithm of the chance of the grid under it.
    pub score: f64,
    /// Whether time ran out before everything was tried.
    pub stopped: bool,
    /// What no known answer can meet, given the letters that stand.
    pub unmet: Vec<Unmet>,
}

/// Why a puzzle cannot be solved at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    #[error("the puzzle has no entries")]
    Empty,
    #[error("{0}")]
    Grid(String),
}

/// What the solver believed of every cell at one moment.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Rounds of belief propagation so far.
    pub round: usize,
    pub cells: Vec<Option<CellBelief>>,
}

/// Solves a puzzle. Letters that stand in the grid (given or written) are respected.
pub fn solve(puzzle: &Puzzle, knowledge: &Knowledge<'_>, limit: Duration) -> Result<Solution, SolveError> {
    Ok(solve_explained(puzzle, knowledge, limit, &mut None)?.0)
}

/// How sure an answer must be before clues that speak of it are read with it.
const SURE: f64 = 0.6;

/// The same with the evidence of every entry, and the moments on the way to the chosen grid if `frames` is there.
pub fn solve_explained(
    puzzle: &Puzzle,
    knowledge: &Knowledge<'_>,
    limit: Duration,
    frames: &mut Option<Vec<Frame>>,
) -> Result<(Solution, Vec<Gathered>), SolveError> {
    if puzzle.entries.is_empty() {
        return Err(SolveError::Empty);
    }
    let deadline = Instant::now() + limit;
    let left = || deadline.saturating_duration_since(Instant::now());
    let mut gathered = gather_all(puzzle, knowledge);
    let open = open_cells(puzzle);
    let fully_checked = open.iter().filter(|&&uses| uses == 1).count() * 20 <= open.len();
    // A large grid of which every cell is crossed cannot do without names and phrases: the mark of American puzzles.
    let american = fully_checked && open.len() >= LARGE && knowledge.names().is_some();
    let fits = |calibration: &&Calibration| {
        if american { calibration.fully_checked } else { fully_checked || !calibration.fully_checked }
    };
    let mut fitting: Vec<Calibration> = knowledge.calibrations().iter().filter(fits).cloned().collect();
    if fitting.is_empty() {
        fitting = knowledge.calibrations().to_vec();
    }
    let mut solution = solve_gathered(puzzle, knowledge, &gathered, &fitting, left(), frames)?;
    // Clues that name other entries say more once those are known.
    let sure = |entry: usize| {
        let belief = &solution.entries[entry];
        (belief.probability >= SURE).then_some(belief.answer.as_str())
    };
    let clearer: Vec<(usize, Gathered)> = puzzle
        .entries
        .iter()
        .enumerate()
        .filter_map(|(at, entry)| Some((at, resolved(puzzle, entry, sure)?)))
        .filter(|(at, text)| *text != first_reading(puzzle, &puzzle.entries[*at]))
        .map(|(at, text)| (at, knowledge.gather(&text, puzzle.entries[at].cells.len())))
        .collect();
    if !clearer.is_empty() && !solution.stopped {
        clearer.into_iter().for_each(|(at, evidence)| gathered[at] = evidence);
        solution = solve_gathered(puzzle, knowledge, &gathered, &fitting, left(), frames)?;
    }
    solution.unmet = unmet::unmet(puzzle, &gathered);
    Ok((solution, gathered))
}

/// A clue as it is read before any answer is known.
fn first_reading(puzzle: &Puzzle, entry: &Entry) -> String {
    resolved(puzzle, entry, |_| None).unwrap_or_else(|| entry.clue.clone())
}

/// Solves a puzzle from evidence that was gathered before, under each of the calibrations; at least one is needed.
pub fn solve_gathered(
    puzzle: &Puzzle,
    knowledge: &Knowledge<'_>,
    gathered: &[Gathered],
    calibrations: &[Calibration],
    limit: Duration,
    frames: &mut Option<Vec<Frame>>,
) -> Result<Solution, SolveError> {
    let deadline = Instant::now() + limit;
    let letters = alphabet(puzzle, gathered);
    let of_words = letter_model(knowledge.vocabulary(), &letters);
    let of_names = knowledge.names().map(|names| letter_model(names.texts().map(str::to_owned), &letters));
    let mut best: Option<Solution> = None;
    let mut stopped = false;
    for calibration in calibrations {
        if best.is_some() && Instant::now() >= deadline {
            stopped = true;
            break;
        }
        let model_of_letters = of_names.as_ref().filter(|_| calibration.names).unwrap_or(&of_words);
        let model = grid_model(puzzle, gathered, calibration, &letters, model_of_letters)?;
        let mut kept = Vec::new();
        let mut round = 0;
        let beliefs = propagate_watched(&model, ROUNDS, DAMPING, |cells| {
            round += 1;
            if frames.is_some() {
                kept.push(frame(&model, round, &cells(), &letters, calibration));
            }
        });
        let filling = repair(&model, &beliefs, REPAIR_WIDTH, || Instant::now() >= deadline);
        if best.as_ref().is_none_or(|best| filling.score > best.score) {
            best = Some(report(puzzle, &model, &beliefs, &filling, &letters, calibration));
            if let Some(frames) = frames {
                *frames = kept;
            }
        }
    }
    let mut solution = best.ok_or(SolveError::Empty)?;
    solution.stopped = stopped || Instant::now() >= deadline;
    Ok(solution)
}

/// The likeliest letter of every cell that belongs to an entry.
fn frame(model: &GridModel, round: usize, cells: &[f64], letters: &Letters, calibration: &Calibration) -> Frame {
    let mut cells_of_entries = vec![None; model.cells];
    for &cell in model.entries.iter().flat_map(|entry| &entry.cells) {
        let chances = &cells[cell * letters.len()..(cell + 1) * letters.len()];
        let best = chances.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        cells_of_entries[cell] = best.map(|(letter, &chance)| CellBelief {
            letter: letters.char(letter as Letter),
            probability: calibration.letter_chance(chance),
        });
    }
    Frame { round, cells: cells_of_entries }
}

/// The evidence for every entry, gathered on all cores.
pub fn gather_all(puzzle: &Puzzle, knowledge: &Knowledge<'_>) -> Vec<Gathered> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(puzzle.entries.len());
    let share = |thread: usize| {
        let own = puzzle.entries.iter().enumerate().skip(thread).step_by(threads);
        own.map(|(at, entry)| (at, knowledge.gather(&first_reading(puzzle, entry), entry.cells.len())))
            .collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, Gathered)> = std::thread::scope(|scope| {
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

/// How many entries each cell belongs to that belongs to one at all.
fn open_cells(puzzle: &Puzzle) -> Vec<usize> {
    let mut uses = vec![0usize; puzzle.grid.cells().len()];
    puzzle.entries.iter().flat_map(|entry| &entry.cells).for_each(|&cell| uses[cell] += 1);
    uses.retain(|&count| count > 0);
    uses
}

/// All letters that may be needed: the candidates' and those that stand in the grid.
fn alphabet(puzzle: &Puzzle, gathered: &[Gathered]) -> Letters {
    let mut letters = Letters::new('A'..='Z');
    let written =
        puzzle.grid.cells().iter().filter_map(|cell| cell.fill.as_deref()).flat_map(|fill| fill.chars().take(1));
    let listed = gathered.iter().flat_map(|gathered| gathered.words()).flat_map(str::chars);
    for c in written.chain(listed) {
        // Past 255 different characters the rest stay unlisted, which the model allows for.
        let _ = letters.add(c);
    }
    letters
}

fn letter_model(texts: impl Iterator<Item = String>, letters: &Letters) -> LetterModel {
    let words: Vec<Vec<Letter>> = texts.filter_map(|word| letters.word(&word)).collect();
    LetterModel::train(letters.len(), words.iter().map(Vec::as_slice))
}

fn grid_model(
    puzzle: &Puzzle,
    gathered: &[Gathered],
    calibration: &Calibration,
    letters: &Letters,
    model_of_letters: &LetterModel,
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
    GridModel::new(puzzle.grid.cells().len(), entries, fixed.collect(), model_of_letters.clone())
        .map(|model| model.without_commonness(calibration.commonness))
        .map_err(|fault| SolveError::Grid(fault.to_string()))
}

fn report(
    puzzle: &Puzzle,
    model: &GridModel,
    beliefs: &Beliefs,
    filling: &Filling,
    letters: &Letters,
    calibration: &Calibration,
) -> Solution {
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
    let entries = (0..puzzle.entries.len())
        .map(|entry| {
            let here = &model.entries[entry];
            let answer: Vec<Letter> = here.cells.iter().map(|&cell| filling.cells[cell].unwrap_or(0)).collect();
            let chances = &beliefs.entries[entry];
            let listed = here.candidates.iter().position(|candidate| candidate.word == answer);
            let chance = match listed {
                Some(at) => chances[at],
                // An unlisted answer is right if all its letters are.
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
                listed: listed.is_some(),
                alternatives: order.into_iter().take(ALTERNATIVES).map(told).collect(),
            }
        })
        .collect();
    Solution { cells, entries, calibration: calibration.name, score: filling.score, stopped: false, unmet: Vec::new() }
}
