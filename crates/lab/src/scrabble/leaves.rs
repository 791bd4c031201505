//! Learning what tiles are worth keeping.
//!
//! On boards of self-play, every turn gets a fresh rack drawn at random from the tiles not on the board, so that rare
//! tiles are seen as often as they are in the bag and no leave is favoured by habit. The best equity found counts for
//! every part of up to three tiles of that rack; the mean over all racks that contain a part, less the mean of all
//! racks at that stage of the game, is what holding the part is worth. Parts seen seldom lean on their own parts
//! (shrinkage). A generation uses the values of the one before it; the first starts from nothing.

use game::{GameRng, Seed};
use rand::RngExt;
use scrabble::movegen::{Generator, MAX_RACK, Rack};
use scrabble::{Bag, Board, Dictionary, Layout, LeaveModel, full_set, pair_index, triple_index, with_graph};

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

    /// Counts one rack (sorted) and the best equity found with it, in points.
    fn add(&mut self, stage: usize, rack: &[u8], equity: f64) {
        let stage = &mut self.stage[stage.min(STAGES - 1)];
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

/// Plays one training game with `model` and adds what it saw.
pub fn train_game<A: lexicon::WalkArc>(
    dictionary: &Dictionary,
    layout: &Layout,
    generator: &Generator<'_, A>,
    graph: &lexicon::WalkGraph<A>,
    model: &LeaveModel,
    rng: &mut GameRng,
    evidence: &mut Evidence,
) {
    let mut board = Board::new(layout);
    let mut pool = full_set(dictionary.alphabet());
    // as long as both players could still draw
    while pool.len() >= 2 * MAX_RACK {
        for i in 0..MAX_RACK {
            let j = rng.random_range(i..pool.len());
            pool.swap(i, j);
        }
        let rack = Rack::new(&pool[..MAX_RACK], model);
        let stage = board.placed() / 6;
        let Some(best) = generator.best(&board, &rack, i32::MIN / 8) else {
            break;
        };
        // an exchange is always open to a player who draws from a full enough bag
        let keep = (0..127usize).map(|mask| rack.keep_value(mask)).max().unwrap_or(0);
        evidence.add(stage, rack.tiles(), best.equity.max(keep) as f64 / 1000.0);
        board.place(graph, dictionary.values(), &best.play);
        for tile in best.play.rack_tiles() {
            let at = pool.iter().position(|&t| t == tile).expect("the pool holds what was drawn from it");
            pool.swap_remove(at);
        }
    }
}

/// Plays training games until `turns` turns are seen; `progress` hears of the count and may stop it by `false`.
pub fn generation(
    dictionary: &Dictionary,
    layout: &Layout,
    model: &LeaveModel,
    seed: Seed,
    turns: u64,
    mut progress: impl FnMut(u64) -> bool,
) -> Evidence {
    let mut evidence = Evidence::new(dictionary.alphabet().len());
    with_graph!(dictionary, graph => {
        let generator = Generator::new(graph, dictionary.values(), layout);
        let mut number = 0;
        while evidence.turns < turns && progress(evidence.turns) {
            let mut rng = seed.rng(number);
            number += 1;
            train_game(dictionary, layout, &generator, graph, model, &mut rng, &mut evidence);
        }
    });
    evidence
}

/// Whether a bag can be made at all: a set must hold more than two racks.
pub fn can_train(dictionary: &Dictionary) -> bool {
    Bag::of(full_set(dictionary.alphabet())).len() > 2 * MAX_RACK
}
