//! Tables 2.2, 2.3 and 4.1 to 4.4 of Gdowski 2019 for given puzzles, with the installed vectors.

use crossword::engine::gdowski::{self, GdowskiLimits, GdowskiSolution, MIN_SIMILARITY, Slot, ranked};
use crossword::rules::{CellKind, Puzzle};
use semantics::Language;
use semantics::sentence::Method;
use serde::Serialize;
use std::time::Instant;

/// The four methods of table 2.2, in its order.
const METHODS: [Method; 4] = [Method::Average, Method::Ban100, Method::FreqLog, Method::Mixed];
/// Words per list in table 2.3.
const LISTED: usize = 10;
/// Lists in table 2.3, lines in tables 4.3 and 4.4.
const LISTS: usize = 4;
const LINES: usize = 6;

/// One line of table 2.2: the similarity of an answer to its clue under each method.
#[derive(Clone, Debug, Serialize)]
pub struct MethodLine {
    pub clue: String,
    pub answer: String,
    /// In the order average, ban100, freq_log, mixed; `None` for a word without a vector.
    pub similarity: Option<[f64; 4]>,
}

/// One list of table 2.3.
#[derive(Clone, Debug, Serialize)]
pub struct RankedWords {
    pub clue: String,
    pub words: Vec<(String, f64)>,
}

/// A column of tables 4.1 and 4.2.
#[derive(Clone, Debug, Serialize)]
pub struct PuzzleColumn {
    pub name: String,
    pub rows: usize,
    pub columns: usize,
    pub words: usize,
    pub cells: usize,
    pub clue_words: usize,
    /// Mean reciprocal rank of the answers among all words of their length.
    pub mrr: f64,
    /// Mean rank of the answers that have one, and how many have none.
    pub mean_rank: f64,
    pub unranked: usize,
    /// Mean similarity of the answers that have a vector.
    pub mean_similarity: f64,
    pub words_right: usize,
    pub iterations: u64,
    pub found_at: u64,
    pub value: f64,
    pub load_seconds: f64,
    pub solve_seconds: f64,
}

/// A line of tables 4.3 and 4.4.
#[derive(Clone, Debug, Serialize)]
pub struct GuessedWord {
    pub clue: String,
    pub guessed: String,
    pub guessed_similarity: f64,
    pub answer: String,
    pub answer_similarity: Option<f64>,
}

/// All tables.
#[derive(Clone, Debug, Serialize)]
pub struct GdowskiTables {
    pub table_2_2: Vec<MethodLine>,
    pub table_2_2_means: [f64; 4],
    pub table_2_3: Vec<RankedWords>,
    pub table_4_1_and_4_2: Vec<PuzzleColumn>,
    pub table_4_3: Vec<GuessedWord>,
    pub table_4_4: Vec<GuessedWord>,
}

/// Solves puzzles with known solutions by the method of the thesis and computes its tables.
pub fn tables(
    puzzles: &[(String, Puzzle)],
    language: &Language,
    load_seconds: f64,
    limits: GdowskiLimits,
) -> GdowskiTables {
    let clues = || {
        puzzles.iter().flat_map(|(_, puzzle)| {
            puzzle.entries.iter().map(move |entry| (entry.clue.as_str(), puzzle.answer(entry).unwrap_or_default()))
        })
    };
    let table_2_2: Vec<MethodLine> = clues().map(|(clue, answer)| method_line(language, clue, &answer)).collect();
    let known: Vec<[f64; 4]> = table_2_2.iter().filter_map(|line| line.similarity).collect();
    let mean = |at: usize| known.iter().map(|line| line[at]).sum::<f64>() / known.len().max(1) as f64;
    let lists = clues().filter(|(clue, _)| clue.split_whitespace().count() > 1).take(LISTS);
    let table_2_3 = lists
        .map(|(clue, answer)| RankedWords {
            clue: clue.to_owned(),
            words: ranked(language, clue, answer.chars().count(), Method::Mixed, -1.0)
                .into_iter()
                .take(LISTED)
                .map(|word| (word.word.iter().collect::<String>().to_lowercase(), word.rank))
                .collect(),
        })
        .collect();
    let mut all = GdowskiTables {
        table_2_2,
        table_2_2_means: std::array::from_fn(mean),
        table_2_3,
        table_4_1_and_4_2: Vec::new(),
        table_4_3: Vec::new(),
        table_4_4: Vec::new(),
    };
    for (name, puzzle) in puzzles {
        let begun = Instant::now();
        let holes = gdowski::holes(puzzle, language, MIN_SIMILARITY);
        let answer = gdowski::solve(&holes, puzzle.grid.cells().len(), limits, || false);
        let column = column(name, puzzle, language, &holes, &answer, load_seconds, begun.elapsed().as_secs_f64());
        all.table_4_1_and_4_2.push(column);
        for guess in guesses(puzzle, language, &holes, &answer) {
            let list = if guess.guessed == guess.answer { &mut all.table_4_3 } else { &mut all.table_4_4 };
            if list.len() < LINES {
                list.push(guess);
            }
        }
    }
    all
}

fn similarity(language: &Language, clue: &str, answer: &str, method: Method) -> Option<f64> {
    let wanted: Vec<char> = answer.chars().collect();
    let words = ranked(language, clue, wanted.len(), method, -2.0);
    words.iter().find(|word| word.word == wanted).map(|word| word.rank)
}

fn method_line(language: &Language, clue: &str, answer: &str) -> MethodLine {
    let each: Vec<Option<f64>> = METHODS.iter().map(|&method| similarity(language, clue, answer, method)).collect();
    let all: Option<Vec<f64>> = each.into_iter().collect();
    let similarity = all.map(|all| [all[0], all[1], all[2], all[3]]);
    MethodLine { clue: clue.to_owned(), answer: answer.to_lowercase(), similarity }
}

fn column(
    name: &str,
    puzzle: &Puzzle,
    language: &Language,
    holes: &[Slot],
    answer: &GdowskiSolution,
    load_seconds: f64,
    solve_seconds: f64,
) -> PuzzleColumn {
    let mut ranks = Vec::new();
    let mut similarities = Vec::new();
    for entry in &puzzle.entries {
        let wanted: Vec<char> = puzzle.answer(entry).unwrap_or_default().chars().collect();
        let words = ranked(language, &entry.clue, wanted.len(), Method::Mixed, -2.0);
        if let Some(at) = words.iter().position(|word| word.word == wanted) {
            ranks.push(at + 1);
            similarities.push(words[at].rank);
        }
    }
    let words = puzzle.entries.len();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let right = guesses(puzzle, language, holes, answer).iter().filter(|guess| guess.guessed == guess.answer).count();
    PuzzleColumn {
        name: name.to_owned(),
        rows: puzzle.grid.height(),
        columns: puzzle.grid.width(),
        words,
        cells: puzzle.grid.cells().iter().filter(|cell| cell.kind == CellKind::Open).count(),
        clue_words: puzzle.entries.iter().map(|entry| entry.clue.split_whitespace().count()).sum(),
        mrr: ranks.iter().map(|&rank| 1.0 / rank as f64).sum::<f64>() / words.max(1) as f64,
        mean_rank: mean(&ranks.iter().map(|&rank| rank as f64).collect::<Vec<_>>()),
        unranked: words - ranks.len(),
        mean_similarity: mean(&similarities),
        words_right: right,
        iterations: answer.iterations,
        found_at: answer.found_at,
        value: answer.value,
        load_seconds,
        solve_seconds,
    }
}

fn guesses(puzzle: &Puzzle, language: &Language, holes: &[Slot], answer: &GdowskiSolution) -> Vec<GuessedWord> {
    let Some(words) = &answer.words else { return Vec::new() };
    let guess = |((entry, hole), &word): ((&crossword::rules::PuzzleEntry, &Slot), &usize)| {
        let right = puzzle.answer(entry).unwrap_or_default();
        GuessedWord {
            clue: entry.clue.clone(),
            guessed: hole.words[word].word.iter().collect::<String>().to_lowercase(),
            guessed_similarity: hole.words[word].rank,
            answer_similarity: similarity(language, &entry.clue, &right, Method::Mixed),
            answer: right.to_lowercase(),
        }
    };
    puzzle.entries.iter().zip(holes).zip(words).map(guess).collect()
}
