//! Learning leave values by self-play.
//!
//! Every turn gets a fresh rack drawn at random from the tiles not on the board, so that rare tiles occur as often as
//! in the bag and no leave is favoured by the policy. The best equity counts for every subset of up to three tiles of
//! that rack; the mean over all racks that contain a subset, less the mean of all racks at that stage of the game, is
//! its value. Rare subsets are shrunk towards the sum of their parts. Each generation uses the values of the previous
//! one; the first starts from zero.

use super::language_files::{DictionaryCache, FilesGiven, Sources};
use crate::job_submitter::{JobSubmitter, SubmitError, answer, params};
use game::{GameRng, Seed};
use jobs::{Batch, Flow, Task, Work, WorkError};
use rand::RngExt;
use scrabble::engine::movegen::{MAX_RACK, MoveGenerator, Rack};
use scrabble::{Dictionary, Layout, LeaveModel, TileBoard, full_set, pair_index, triple_index, with_graph};
use serde::{Deserialize, Serialize};

/// Prior strength of the shrinkage, in racks.
const PRIOR: f64 = 400.0;

/// Stages of the game with their own mean.
const STAGES: usize = 16;

/// Sums over racks: weight and total of every subset.
#[derive(Clone)]
pub struct LeaveEvidence {
    symbols: usize,
    stage: [(f64, f64); STAGES],
    single: Vec<(f64, f64)>,
    pair: Vec<(f64, f64)>,
    triple: Vec<(f64, f64)>,
    turns: u64,
}

impl LeaveEvidence {
    /// No evidence.
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

    /// Number of turns.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Adds one turn. The order matters: the running mean of the stage is subtracted.
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

    /// The leave values.
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

/// A rack and its best equity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SeenTurn {
    stage: u8,
    /// Sorted.
    rack: [u8; MAX_RACK],
    /// Best equity, in thousandths of a point.
    equity: i32,
}

/// Plays one training game with `model`.
fn train_game<A: lexicon::WalkArc>(
    dictionary: &Dictionary,
    layout: &Layout,
    generator: &MoveGenerator<'_, A>,
    graph: &lexicon::WalkGraph<A>,
    model: &LeaveModel,
    rng: &mut GameRng,
) -> Vec<SeenTurn> {
    let mut board = TileBoard::new(layout);
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

/// Parameters of a training job; the game numbers are its seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct TrainingJob {
    given: FilesGiven,
    seed: u64,
}

/// Plays training games; the result is the turns of each game.
#[derive(Default)]
pub struct LeavesWork {
    dictionaries: DictionaryCache,
}

impl Work for LeavesWork {
    fn kind(&self) -> &'static str {
        "scrabble.leaves"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let request: TrainingJob = params(task.params)?;
        let language = self.dictionaries.language(task, request.given)?;
        let layout = Layout::named("standard").expect("the standard board is shipped");
        let dictionary = language.dictionary.as_ref();
        let mut games = Vec::new();
        with_graph!(dictionary, graph => {
            let generator = MoveGenerator::new(graph, dictionary.values(), &layout);
            for number in task.seeds.clone() {
                if task.control.is_cancelled() {
                    return Err(WorkError::Cancelled);
                }
                let mut rng = Seed(request.seed).rng(number);
                games.push(train_game(dictionary, &layout, &generator, graph, &language.leaves, &mut rng));
                task.control.progress(number + 1 - task.seeds.start, task.seeds.end - task.seeds.start);
            }
        });
        Ok(answer(&games))
    }
}

/// Lower estimate of the turns per game; surplus games are dropped.
const TURNS_A_GAME: u64 = 12;
/// Consecutive games without a play after which learning fails.
const FRUITLESS: u64 = 100;

/// One generation of training games.
pub struct LeaveTraining<'g> {
    /// The lexicon and the values of the previous generation.
    pub sources: &'g Sources,
    /// Letters of the alphabet.
    pub letters: usize,
    pub seed: Seed,
    /// Number of turns.
    pub turns: u64,
    /// Games per job.
    pub chunk: u64,
}

impl LeaveTraining<'_> {
    /// Plays training games until enough turns are recorded; `progress` gets the count after every game. Games are
    /// added in order, so the evidence does not depend on which worker played them.
    pub fn run(
        &self,
        submitter: JobSubmitter<'_>,
        mut progress: impl FnMut(u64),
    ) -> Result<LeaveEvidence, SubmitError> {
        let mut evidence = LeaveEvidence::new(self.letters);
        let (mut played, mut fruitless) = (0, 0);
        while evidence.turns < self.turns {
            let mut batch = Batch::new(format!("scrabble leaves, {} turns, seed {}", self.turns, self.seed.0));
            let (given, files) = self.sources.hand_in(&mut batch)?;
            let request = TrainingJob { given, seed: self.seed.0 };
            let until = played + (self.turns - evidence.turns).div_ceil(TURNS_A_GAME).max(fruitless);
            let chunk = self.chunk.max(1);
            for start in (played..until).step_by(chunk as usize) {
                let seeds = start..until.min(start + chunk);
                batch.jobs.push(submitter.job(&LeavesWork::default(), &request, seeds, files.clone()));
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
