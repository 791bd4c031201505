//! Queue work of the evolution: games against greedy, or the positions on which regret is measured.

use super::autoplay::{MatchRecord, play_pair};
use super::language_files::{DictionaryCache, FilesGiven, JobLanguage, Sources};
use super::regret::RegretPositions;
use crate::job_submitter::{JobSubmitter, SubmitError, answer, params};
use game::Seed;
use jobs::{Batch, Flow, Task, Work, WorkError};
use scrabble::engine::{MoveSort, OnePlyPlayer};
use scrabble::players::{LetterTerms, PhaseWeights, Weighted};
use scrabble::{Layout, LeaveModel};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Language files and chunk size of fitness jobs.
pub struct FitnessSetup {
    pub sources: Sources,
    /// Dvořák's functions h1 and h3 instead of the learned letter values.
    pub dvorak: bool,
    /// Players per job, or games per job when positions are collected.
    pub chunk: u64,
}

/// Parameters of a fitness job; the pair numbers are its seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Fitness {
    given: FilesGiven,
    dvorak: bool,
    seed: u64,
    players: Vec<Vec<f64>>,
}

/// The letter functions of a job's players.
fn letters(language: &JobLanguage, dvorak: bool) -> LetterTerms<'_> {
    if dvorak { LetterTerms::Printed } else { LetterTerms::Learned(&language.leaves) }
}

fn standard() -> Layout {
    Layout::named("standard").expect("the standard board is shipped")
}

/// Plays pairs of games of some players against greedy; the result is a record for each of them.
#[derive(Default)]
pub struct FitnessWork {
    dictionaries: DictionaryCache,
}

impl Work for FitnessWork {
    fn kind(&self) -> &'static str {
        "scrabble.fitness"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let request: Fitness = params(task.params)?;
        let language = self.dictionaries.language(task, request.given)?;
        let (dictionary, layout) = (language.dictionary.as_ref(), standard());
        let nothing = LeaveModel::zero(dictionary.alphabet().len());
        let mut greedy = OnePlyPlayer { dictionary, layout: &layout, leaves: &nothing, sort: MoveSort::Score };
        let all = request.players.len() as u64 * (task.seeds.end - task.seeds.start);
        let (mut done, mut records) = (0, Vec::new());
        for numbers in &request.players {
            let weights = weights_of(numbers)
                .ok_or_else(|| WorkError::Refused(format!("a player with {} weights", numbers.len())))?;
            let mut player = Weighted::new(dictionary, &layout, weights, letters(&language, request.dvorak));
            let mut record = MatchRecord::default();
            for pair in task.seeds.clone() {
                if task.control.is_cancelled() {
                    return Err(WorkError::Cancelled);
                }
                record.add(&play_pair(dictionary, &layout, &mut player, &mut greedy, Seed(request.seed), pair));
                done += 1;
                task.control.progress(done, all);
            }
            records.push(record);
        }
        Ok(answer(&records))
    }
}

fn weights_of(numbers: &[f64]) -> Option<PhaseWeights> {
    let mut weights = PhaseWeights::GREEDY;
    let cells: Vec<&mut f64> = weights.0.iter_mut().flatten().collect();
    if cells.len() != numbers.len() {
        return None;
    }
    cells.into_iter().zip(numbers).for_each(|(cell, number)| *cell = *number);
    Some(weights)
}

/// Plays pairs of games against greedy with each of some players.
pub(super) fn play(
    submitter: JobSubmitter<'_>,
    setup: &FitnessSetup,
    players: &[&PhaseWeights],
    seed: Seed,
    pairs: Range<u64>,
) -> Result<Vec<MatchRecord>, SubmitError> {
    let mut batch = Batch::new(format!("scrabble fitness of {} players, seed {}", players.len(), seed.0));
    let sources = Sources { positional: None, ..setup.sources.clone() };
    let (given, files) = sources.hand_in(&mut batch)?;
    for some in players.chunks(setup.chunk.max(1) as usize) {
        let players = some.iter().map(|weights| weights.0.iter().flatten().copied().collect()).collect();
        let request = Fitness { given, dvorak: setup.dvorak, seed: seed.0, players };
        batch.jobs.push(submitter.job(&FitnessWork::default(), &request, pairs.clone(), files.clone()));
    }
    let mut records = Vec::new();
    submitter.values(&batch, &mut |_, some: Vec<MatchRecord>| {
        records.extend(some);
        Flow::Continue
    })?;
    if records.len() != players.len() {
        return Err(SubmitError::Answer(format!("{} records of {} players", records.len(), players.len())));
    }
    Ok(records)
}

/// Parameters of a position job; the game numbers are its seeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Positions {
    given: FilesGiven,
    dvorak: bool,
    seed: u64,
}

/// Collects the moves of the static player in games against greedy.
#[derive(Default)]
pub struct RegretPositionsWork {
    dictionaries: DictionaryCache,
}

impl Work for RegretPositionsWork {
    fn kind(&self) -> &'static str {
        "scrabble.cases"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let request: Positions = params(task.params)?;
        let language = self.dictionaries.language(task, request.given)?;
        let layout = standard();
        let one_ply = OnePlyPlayer {
            dictionary: language.dictionary.as_ref(),
            layout: &layout,
            leaves: &language.leaves,
            sort: MoveSort::Equity,
        };
        let (seeds, letters) = (task.seeds.clone(), letters(&language, request.dvorak));
        let cases = RegretPositions::collect(
            one_ply,
            &language.positional,
            letters,
            seeds.clone(),
            Seed(request.seed),
            |number| {
                task.control.progress(number + 1 - seeds.start, seeds.end - seeds.start);
                !task.control.is_cancelled()
            },
        );
        if task.control.is_cancelled() { Err(WorkError::Cancelled) } else { Ok(answer(&cases)) }
    }
}

/// Collects the moves of the static player in `games` games against greedy; `progress` gets the games done.
pub fn collect(
    submitter: JobSubmitter<'_>,
    setup: &FitnessSetup,
    games: u64,
    seed: Seed,
    mut progress: impl FnMut(u64),
) -> Result<RegretPositions, SubmitError> {
    let mut batch = Batch::new(format!("scrabble positions of {games} games, seed {}", seed.0));
    let (given, files) = setup.sources.hand_in(&mut batch)?;
    let request = Positions { given, dvorak: setup.dvorak, seed: seed.0 };
    for start in (0..games).step_by(setup.chunk.max(1) as usize) {
        let seeds = start..games.min(start + setup.chunk.max(1));
        batch.jobs.push(submitter.job(&RegretPositionsWork::default(), &request, seeds, files.clone()));
    }
    let mut cases = RegretPositions::default();
    submitter.values(&batch, &mut |number: usize, some: RegretPositions| {
        cases.append(&some);
        progress(batch.jobs[number].seeds.end);
        Flow::Continue
    })?;
    Ok(cases)
}
