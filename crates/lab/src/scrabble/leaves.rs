//! Learning what tiles are worth keeping.
//!
//! On boards of self-play, every turn gets a fresh rack drawn at random from the tiles not on the board, so that rare
//! tiles are seen as often as they are in the bag and no leave is favoured by habit. The best equity found counts for
//! every part of up to three tiles of that rack; the mean over all racks that contain a part, less the mean of all
//! racks at that stage of the game, is what holding the part is worth. Parts seen seldom lean on their own parts
//! (shrinkage). A generation uses the values of the one before it; the first starts from nothing.

use super::shelf::{Given, Shelf, Sources};
use crate::job_submitter::{JobSubmitter, SubmitError, answer, params};
use game::{GameRng, Seed};
use jobs::{Batch, Flow, Task, Work, WorkError};
use rand::RngExt;
use scrabble::movegen::{Generator, MAX_RACK, Rack};
use scrabble::{Board, Dictionary, Layout, LeaveModel, full_set, pair_index, triple_index, with_graph};
use serde::{Deserialize, Serialize};

/// How much evidence a part needs before it is believed over its own parts, in racks.
const PRIOR: f64 = 400.0;

/// Stages of the game that have a mean of their own.
const STAGES: usize = 16;

/// Sums over racks: for every part its weight and total.
#[derive(Clone)]
pub struct Evidence {
    symbols: usize,
    stage: [(f64, f64); STAGES],
    single: Vec<(f64, f64)>,
    pair: Vec<(f64, f64)>,
    triple: Vec<(f64, f64)>,
    turns: u64,
}

impl Evidence {
    /// Nothing seen yet.
    pub fn new(letters: usize) -> Self {
        let n = letters + 1;
        Self {
            symbols: n,
            stage: [(0.0, 0.0); STAGES],
            single: vec![(0.0, 0.0); n],
            pair: vec![(0.0, 0.0); n * (n + 1) / 2],
            triple: vec![(0.0, 0.0); n * (n + 1) * (n + 2) / 6],
            turns: 0,
        }
    }

    /// Turns seen.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Counts one turn. The order counts: what is above the mean is so at the time it is seen.
    fn add(&mut self, turn: &SeenTurn) {
        let (rack, equity) = (&turn.rack, f64::from(turn.equity) / 1000.0);
        let stage = &mut self.stage[usize::from(turn.stage).min(STAGES - 1)];
        let mean = if stage.0 > 0.0 { stage.1 / stage.0 } else { equity };
        stage.0 += 1.0;
        stage.1 += equity;
        let above = equity - mean;
        self.turns += 1;
        let count = |cell: &mut (f64, f64)| {
            cell.0 += 1.0;
            cell.1 += above;
        };
        for (k, &c) in rack.iter().enumerate() {
            let c = c as usize;
            count(&mut self.single[c]);
            for (j, &b) in rack[..k].iter().enumerate() {
                let b = b as usize;
                count(&mut self.pair[pair_index(b, c)]);
                for &a in &rack[..j] {
                    count(&mut self.triple[triple_index(a as usize, b, c)]);
                }
            }
        }
    }

    /// The values this evidence gives.
    pub fn model(&self) -> LeaveModel {
        let n = self.symbols;
        let believe = |(weight, total): (f64, f64), base: f64, prior: f64| {
            if weight == 0.0 { 0.0 } else { (total / weight - base) * weight / (weight + prior) }
        };
        let single: Vec<f64> = self.single.iter().map(|&cell| believe(cell, 0.0, PRIOR / 4.0)).collect();
        let mut pair = vec![0.0; self.pair.len()];
        let mut triple = vec![0.0; self.triple.len()];
        for b in 0..n {
            for a in 0..=b {
                let i = pair_index(a, b);
                pair[i] = believe(self.pair[i], single[a] + single[b], PRIOR);
            }
        }
        for c in 0..n {
            for b in 0..=c {
                for a in 0..=b {
                    let i = triple_index(a, b, c);
                    let pairs = pair[pair_index(a, b)] + pair[pair_index(a, c)] + pair[pair_index(b, c)];
                    triple[i] = believe(self.triple[i], single[a] + single[b] + single[c] + pairs, PRIOR * 3.0);
                }
            }
        }
        let thousandths = |values: Vec<f64>| values.iter().map(|v| (v * 1000.0).round() as i32).collect();
        LeaveModel::from_parts(thousandths(single), thousandths(pair), thousandths(triple))
    }
}

/// A rack and what could be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SeenTurn {
    stage: u8,
    /// Sorted.
    rack: [u8; MAX_RACK],
    /// The best found, in thousandths of a point.
    equity: i32,
}

/// Plays one training game with `model`; what it saw.
fn train_game<A: lexicon::WalkArc>(
    dictionary: &Dictionary,
    layout: &Layout,
    generator: &Generator<'_, A>,
    graph: &lexicon::WalkGraph<A>,
    model: &LeaveModel,
    rng: &mut GameRng,
) -> Vec<SeenTurn> {
    let mut board = Board::new(layout);
    let mut pool = full_set(dictionary.alphabet());
    let mut seen = Vec::new();
    // as long as both players could still draw
    while pool.len() >= 2 * MAX_RACK {
        for i in 0..MAX_RACK {
            let j = rng.random_range(i..pool.len());
            pool.swap(i, j);
        }
        let rack = Rack::new(&pool[..MAX_RACK], model);
        let stage = (board.placed() / 6).min(STAGES - 1) as u8;
        let Some(best) = generator.best(&board, &rack, i32::MIN / 8) else {
            break;
        };
        // an exchange is always open to a player who draws from a full enough bag
        let keep = (0..127usize).map(|mask| rack.keep_value(mask)).max().unwrap_or(0);
        let tiles = rack.tiles().try_into().expect("a full rack was drawn");
        seen.push(SeenTurn { stage, rack: tiles, equity: best.equity.max(keep) });
        board.place(graph, dictionary.values(), &best.play);
        for tile in best.play.rack_tiles() {
            let at = pool.iter().position(|&t| t == tile).expect("the pool holds what was drawn from it");
            pool.swap_remove(at);
        }
    }
    seen
}

/// Training games. The numbers of the games are the seeds of a job.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Training {
    given: Given,
    seed: u64,
}

/// Plays training games; the result is what each of them saw.
#[derive(Default)]
pub struct LeavesWork {
    shelf: Shelf,
}

impl Work for LeavesWork {
    fn kind(&self) -> &'static str {
        "scrabble.leaves"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let asked: Training = params(task.params)?;
        let language = self.shelf.language(task, asked.given)?;
        let layout = Layout::named("standard").expect("the standard board is shipped");
        let dictionary = language.dictionary.as_ref();
        let mut games = Vec::new();
        with_graph!(dictionary, graph => {
            let generator = Generator::new(graph, dictionary.values(), &layout);
            for number in task.seeds.clone() {
                if task.control.is_cancelled() {
                    return Err(WorkError::Cancelled);
                }
                let mut rng = Seed(asked.seed).rng(number);
                games.push(train_game(dictionary, &layout, &generator, graph, &language.leaves, &mut rng));
                task.control.progress(number + 1 - task.seeds.start, task.seeds.end - task.seeds.start);
            }
        });
        Ok(answer(&games))
    }
}

/// Turns that a game surely has on average; more games than are needed are handed in, and the rest is dropped.
const TURNS_A_GAME: u64 = 12;
/// After this many games in a row without a word there is no use in going on.
const FRUITLESS: u64 = 100;

/// What a generation of training games is played with.
pub struct Generation<'g> {
    /// The lexicon and the values of the generation before.
    pub sources: &'g Sources,
    /// Letters of the alphabet.
    pub letters: usize,
    pub seed: Seed,
    /// Turns to see.
    pub turns: u64,
    /// Games of one job.
    pub chunk: u64,
}

impl Generation<'_> {
    /// Plays training games until all turns are seen; `progress` hears of the count after every game. The games are
    /// looked at in their order, so the evidence does not depend on who played them.
    pub fn run(&self, submitter: JobSubmitter<'_>, mut progress: impl FnMut(u64)) -> Result<Evidence, SubmitError> {
        let mut evidence = Evidence::new(self.letters);
        let (mut played, mut fruitless) = (0, 0);
        while evidence.turns < self.turns {
            let mut batch = Batch::new(format!("scrabble leaves, {} turns, seed {}", self.turns, self.seed.0));
            let (given, files) = self.sources.hand_in(&mut batch)?;
            let asked = Training { given, seed: self.seed.0 };
            let until = played + (self.turns - evidence.turns).div_ceil(TURNS_A_GAME).max(fruitless);
            let chunk = self.chunk.max(1);
            for start in (played..until).step_by(chunk as usize) {
                let seeds = start..until.min(start + chunk);
                batch.jobs.push(submitter.job(&LeavesWork::default(), &asked, seeds, files.clone()));
            }
            let before = evidence.turns;
            submitter.values(&batch, &mut |_, games: Vec<Vec<SeenTurn>>| {
                for game in games {
                    game.iter().for_each(|turn| evidence.add(turn));
                    progress(evidence.turns);
                    if evidence.turns >= self.turns {
                        return Flow::Stop;
                    }
                }
                Flow::Continue
            })?;
            fruitless = if evidence.turns == before { fruitless + until - played } else { 0 };
            if fruitless >= FRUITLESS {
                let text = format!("no word could be laid in {fruitless} games: the lexicon or the tiles are too few");
                return Err(SubmitError::Answer(text));
            }
            played = until;
        }
        Ok(evidence)
    }
}
