//! Fitness of weighted players as work for the queue: games against greedy, or positions in which turns are judged.

use super::autoplay::{Record, play_pair};
use super::regret::Cases;
use super::shelf::{Given, Language, Shelf, Sources};
use crate::job_submitter::{JobSubmitter, SubmitError, answer, params};
use game::Seed;
use jobs::{Batch, Flow, Task, Work, WorkError};
use scrabble::players::{Letters, Quick, Style, Weighted, Weights};
use scrabble::{Layout, LeaveModel};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Where players are judged: a language, and how work is cut.
pub struct Hall {
    pub sources: Sources,
    /// The study's own functions of letters instead of the learned ones.
    pub study: bool,
    /// Players of one job, or games of one job where positions are collected.
    pub chunk: u64,
}

/// Players and how they value letters. The numbers of the pairs are the seeds of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Fitness {
    given: Given,
    study: bool,
    seed: u64,
    players: Vec<Vec<f64>>,
}

/// How a job's players value letters.
fn letters(language: &Language, study: bool) -> Letters<'_> {
    if study { Letters::Points } else { Letters::Learned(&language.leaves) }
}

fn standard() -> Layout {
    Layout::named("standard").expect("the standard board is shipped")
}

/// Plays pairs of games of some players against greedy; the result is a record for each of them.
#[derive(Default)]
pub struct FitnessWork {
    shelf: Shelf,
}

impl Work for FitnessWork {
    fn kind(&self) -> &'static str {
        "scrabble.fitness"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let asked: Fitness = params(task.params)?;
        let language = self.shelf.language(task, asked.given)?;
        let (dictionary, layout) = (language.dictionary.as_ref(), standard());
        let nothing = LeaveModel::zero(dictionary.alphabet().len());
        let mut greedy = Quick { dictionary, layout: &layout, leaves: &nothing, style: Style::Greedy };
        let all = asked.players.len() as u64 * (task.seeds.end - task.seeds.start);
        let (mut done, mut records) = (0, Vec::new());
        for numbers in &asked.players {
            let weights = weights_of(numbers)
                .ok_or_else(|| WorkError::Refused(format!("a player with {} weights", numbers.len())))?;
            let mut player = Weighted::new(dictionary, &layout, weights, letters(&language, asked.study));
            let mut record = Record::default();
            for pair in task.seeds.clone() {
                if task.control.is_cancelled() {
                    return Err(WorkError::Cancelled);
                }
                record.add(&play_pair(dictionary, &layout, &mut player, &mut greedy, Seed(asked.seed), pair));
                done += 1;
                task.control.progress(done, all);
            }
            records.push(record);
        }
        Ok(answer(&records))
    }
}

fn weights_of(numbers: &[f64]) -> Option<Weights> {
    let mut weights = Weights::GREEDY;
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
    hall: &Hall,
    players: &[&Weights],
    seed: Seed,
    pairs: Range<u64>,
) -> Result<Vec<Record>, SubmitError> {
    let mut batch = Batch::new(format!("scrabble fitness of {} players, seed {}", players.len(), seed.0));
    let sources = Sources { outlook: None, ..hall.sources.clone() };
    let (given, files) = sources.hand_in(&mut batch)?;
    for some in players.chunks(hall.chunk.max(1) as usize) {
        let players = some.iter().map(|weights| weights.0.iter().flatten().copied().collect()).collect();
        let asked = Fitness { given, study: hall.study, seed: seed.0, players };
        batch.jobs.push(submitter.job(&FitnessWork::default(), &asked, pairs.clone(), files.clone()));
    }
    let mut records = Vec::new();
    submitter.values(&batch, &mut |_, some: Vec<Record>| {
        records.extend(some);
        Flow::Continue
    })?;
    if records.len() != players.len() {
        return Err(SubmitError::Answer(format!("{} records of {} players", records.len(), players.len())));
    }
    Ok(records)
}

/// Positions of games. The numbers of the games are the seeds of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Positions {
    given: Given,
    study: bool,
    seed: u64,
}

/// Collects the turns of the static player in games against greedy; the result is the cases.
#[derive(Default)]
pub struct CasesWork {
    shelf: Shelf,
}

impl Work for CasesWork {
    fn kind(&self) -> &'static str {
        "scrabble.cases"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let asked: Positions = params(task.params)?;
        let language = self.shelf.language(task, asked.given)?;
        let layout = standard();
        let quick = Quick {
            dictionary: language.dictionary.as_ref(),
            layout: &layout,
            leaves: &language.leaves,
            style: Style::Static,
        };
        let (seeds, letters) = (task.seeds.clone(), letters(&language, asked.study));
        let cases = Cases::collect(quick, &language.outlook, letters, seeds.clone(), Seed(asked.seed), |number| {
            task.control.progress(number + 1 - seeds.start, seeds.end - seeds.start);
            !task.control.is_cancelled()
        });
        if task.control.is_cancelled() { Err(WorkError::Cancelled) } else { Ok(answer(&cases)) }
    }
}

/// The turns of the static player in `games` games against greedy; `progress` hears of the games.
pub fn collect(
    submitter: JobSubmitter<'_>,
    hall: &Hall,
    games: u64,
    seed: Seed,
    mut progress: impl FnMut(u64),
) -> Result<Cases, SubmitError> {
    let mut batch = Batch::new(format!("scrabble positions of {games} games, seed {}", seed.0));
    let (given, files) = hall.sources.hand_in(&mut batch)?;
    let asked = Positions { given, study: hall.study, seed: seed.0 };
    for start in (0..games).step_by(hall.chunk.max(1) as usize) {
        let seeds = start..games.min(start + hall.chunk.max(1));
        batch.jobs.push(submitter.job(&CasesWork::default(), &asked, seeds, files.clone()));
    }
    let mut cases = Cases::default();
    submitter.values(&batch, &mut |number: usize, some: Cases| {
        cases.append(&some);
        progress(batch.jobs[number].seeds.end);
        Flow::Continue
    })?;
    Ok(cases)
}
