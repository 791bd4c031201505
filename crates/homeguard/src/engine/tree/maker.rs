//! Tree growth in reused memory.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::data::PlaythroughTree;
use super::reservoir::Reservoir;
use super::select::{Leaf, representatives};
use super::settings::{Enemy, Iteration, Selector, TreeSettings};
use crate::engine::search::{OrderOutcomes, VolleyDamage, settle_cells, taken};
use crate::players::{GreedyPolicy, MaximinPolicy, OneRoundPolicy};
use crate::rules::{Advantage, Battlefield, Faction, Troops};

/// Leaves that may be alive at once in an iteration without pruning.
const MOST_LEAVES: usize = 4_000_000;

/// Why a tree was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// An iteration without pruning grew beyond memory.
    #[error(
        "iteration {iteration} keeps all branches and passed {MOST_LEAVES} leaves; keep fewer branches or use fewer iterations"
    )]
    TooManyLeaves {
        /// Iteration number from 1.
        iteration: usize,
    },
}

/// A state after a whole round with the two orders that led there.
#[derive(Clone, Copy)]
struct Node {
    troops: Troops,
    parent: u32,
    orders: [u8; 2],
}

/// Grows trees. Keep one per thread.
pub struct TreeMaker {
    /// `ranks[0]` are the leaves an iteration starts from, `ranks[r]` the states after its round `r`.
    ranks: Vec<Vec<Node>>,
    reservoir: Reservoir<Node>,
    actions: [Vec<u8>; 2],
    scores: [Vec<Advantage>; 2],
    order: Vec<u32>,
    weights: Vec<f64>,
    /// Weight of each leaf; empty while all weights are 1.
    stands_for: Vec<u32>,
}

/// Scores are multiples of five; the table of pruning weights covers ±2,000 and clamps beyond.
const WEIGHT_HALF: i32 = 400;

impl Default for TreeMaker {
    fn default() -> Self {
        TreeMaker {
            ranks: Vec::new(),
            reservoir: Reservoir::new(),
            actions: Default::default(),
            scores: Default::default(),
            order: Vec::new(),
            stands_for: Vec::new(),
            weights: (-WEIGHT_HALF..=WEIGHT_HALF).map(|fives| (f64::from(fives * 5) / 20.0).exp()).collect(),
        }
    }
}

impl TreeMaker {
    /// A maker with no memory yet.
    pub fn new() -> Self {
        TreeMaker::default()
    }

    /// Grows one tree.
    pub fn make(
        &mut self,
        board: &Battlefield,
        settings: &TreeSettings,
        seed: u64,
    ) -> Result<PlaythroughTree, TreeError> {
        let mut tree = PlaythroughTree::default();
        self.make_into(board, settings, seed, &mut tree)?;
        Ok(tree)
    }

    /// Grows one tree into memory that is used again.
    pub fn make_into(
        &mut self,
        board: &Battlefield,
        settings: &TreeSettings,
        seed: u64,
        tree: &mut PlaythroughTree,
    ) -> Result<(), TreeError> {
        match settings.enemy {
            Enemy::GreedyPolicy => self.grow(board, settings, seed, tree, &GreedyPolicy),
            Enemy::MaximinPolicy => self.grow(board, settings, seed, tree, &MaximinPolicy),
        }
    }

    fn grow<E: OneRoundPolicy>(
        &mut self,
        board: &Battlefield,
        settings: &TreeSettings,
        seed: u64,
        tree: &mut PlaythroughTree,
        enemy: &E,
    ) -> Result<(), TreeError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let deepest = settings.iterations.iter().map(|i| i.rounds).max().unwrap_or(0);
        if self.ranks.len() < deepest + 1 {
            self.ranks.resize_with(deepest + 1, Vec::new);
        }
        self.ranks[0].clear();
        self.ranks[0].push(Node { troops: Troops::start(board), parent: 0, orders: [0; 2] });
        for history in 0..2 {
            self.actions[history].clear();
            self.scores[history].clear();
        }
        self.stands_for.clear();
        let mut nodes = 0;
        let mut depth = 0;
        for (number, iteration) in settings.iterations.iter().enumerate() {
            nodes += self
                .iterate(board, iteration, settings.selector, enemy, &mut rng)
                .ok_or(TreeError::TooManyLeaves { iteration: number + 1 })?;
            self.extend_histories(iteration.rounds, depth);
            depth += 2 * iteration.rounds;
        }
        self.finish(depth, nodes, tree);
        Ok(())
    }

    /// Plays the rounds of one iteration; the new leaves end up in the rank of its last round.
    fn iterate<E: OneRoundPolicy>(
        &mut self,
        board: &Battlefield,
        iteration: &Iteration,
        selector: Selector,
        enemy: &E,
        rng: &mut ChaCha8Rng,
    ) -> Option<u64> {
        let mut nodes = 0;
        let dropout = Dropout::new(iteration.dropout);
        for round in 1..=iteration.rounds {
            let (before, after) = self.ranks.split_at_mut(round);
            let (from, to) = (&before[round - 1], &mut after[0]);
            to.clear();
            let last = round == iteration.rounds;
            match iteration.keep.filter(|_| last && selector == Selector::Score) {
                Some(keep) => {
                    self.reservoir.clear(keep);
                    let mut sink = Drawn { reservoir: &mut self.reservoir, weights: &self.weights };
                    for (parent, node) in from.iter().enumerate() {
                        nodes += expand(board, node, parent as u32, enemy, dropout, rng, &mut sink);
                    }
                    to.extend_from_slice(self.reservoir.items());
                }
                None => {
                    for (parent, node) in from.iter().enumerate() {
                        let mut sink = All(to);
                        nodes += expand(board, node, parent as u32, enemy, dropout, rng, &mut sink);
                        if to.len() > MOST_LEAVES {
                            return None;
                        }
                    }
                }
            }
        }
        match iteration.keep {
            Some(keep) if selector != Selector::Score => self.cluster(board, iteration.rounds, selector, keep, rng),
            _ => self.spread_weights(iteration.rounds),
        }
        Some(nodes)
    }

    /// The leaf of the rank before this iteration from which a state grew, and the orders on the way.
    fn way(&self, rounds: usize, mut index: usize) -> (usize, Vec<u8>) {
        let mut orders = vec![0; 2 * rounds];
        for round in (1..=rounds).rev() {
            let node = &self.ranks[round][index];
            orders[2 * (round - 1)..2 * round].copy_from_slice(&node.orders);
            index = node.parent as usize;
        }
        (index, orders)
    }

    /// Keeps one leaf per cluster.
    fn cluster(&mut self, board: &Battlefield, rounds: usize, selector: Selector, keep: usize, rng: &mut ChaCha8Rng) {
        let leaves: Vec<Leaf<'_>> = (0..self.ranks[rounds].len())
            .map(|leaf| {
                let (root, orders) = self.way(rounds, leaf);
                let weight = self.stands_for.get(root).copied().unwrap_or(1);
                Leaf { troops: &self.ranks[rounds][leaf].troops, orders, weight }
            })
            .collect();
        let chosen = representatives(board, selector, &leaves, keep, rng);
        let kept: Vec<Node> = chosen.iter().map(|(leaf, _)| self.ranks[rounds][*leaf]).collect();
        self.stands_for = chosen.into_iter().map(|(_, weight)| weight).collect();
        self.ranks[rounds] = kept;
    }

    /// After an iteration without clusters new leaves inherit the weight of their ancestor.
    fn spread_weights(&mut self, rounds: usize) {
        if !self.stands_for.is_empty() {
            let weights = (0..self.ranks[rounds].len()).map(|leaf| self.stands_for[self.way(rounds, leaf).0]).collect();
            self.stands_for = weights;
        }
    }

    /// Writes the orders and scores of the new leaves behind those of the leaves they grew from.
    fn extend_histories(&mut self, rounds: usize, depth: usize) {
        let new_depth = depth + 2 * rounds;
        let [old_actions, new_actions] = &mut self.actions;
        let [old_scores, new_scores] = &mut self.scores;
        let leaves = self.ranks[rounds].len();
        new_actions.clear();
        new_actions.resize(leaves * new_depth, 0);
        new_scores.clear();
        new_scores.resize(leaves * new_depth, 0);
        for leaf in 0..leaves {
            let actions = &mut new_actions[leaf * new_depth..(leaf + 1) * new_depth];
            let scores = &mut new_scores[leaf * new_depth..(leaf + 1) * new_depth];
            let mut index = leaf;
            for round in (1..=rounds).rev() {
                let node = &self.ranks[round][index];
                let parent = node.parent as usize;
                let at = depth + 2 * (round - 1);
                actions[at..at + 2].copy_from_slice(&node.orders);
                // after the first soldier's order no shot has been fired
                scores[at] = self.ranks[round - 1][parent].troops.score;
                scores[at + 1] = node.troops.score;
                index = parent;
            }
            actions[..depth].copy_from_slice(&old_actions[index * depth..(index + 1) * depth]);
            scores[..depth].copy_from_slice(&old_scores[index * depth..(index + 1) * depth]);
        }
        self.actions.swap(0, 1);
        self.scores.swap(0, 1);
        if rounds > 0 {
            self.ranks.swap(0, rounds);
        }
    }

    /// Puts the branches into the order of their actions and fills in the best reachable scores.
    fn finish(&mut self, layers: usize, nodes: u64, tree: &mut PlaythroughTree) {
        let (actions, scores) = (&self.actions[0], &self.scores[0]);
        let branches = actions.len().checked_div(layers).unwrap_or(0);
        let row = |branch: u32| branch as usize * layers..(branch as usize + 1) * layers;
        self.order.clear();
        self.order.extend(0..branches as u32);
        self.order.sort_unstable_by(|a, b| actions[row(*a)].cmp(&actions[row(*b)]));
        tree.layers = layers;
        tree.nodes = nodes;
        tree.actions.clear();
        tree.scores.clear();
        tree.weights.clear();
        if !self.stands_for.is_empty() {
            tree.weights.extend(self.order.iter().map(|branch| self.stands_for[*branch as usize]));
        }
        for &branch in &self.order {
            tree.actions.extend_from_slice(&actions[row(branch)]);
            tree.scores.extend_from_slice(&scores[row(branch)]);
        }
        tree.fill_best();
    }
}

/// Skips orders with a probability, in steps of 1/1024.
#[derive(Clone, Copy)]
struct Dropout {
    threshold: u64,
}

impl Dropout {
    fn new(probability: f64) -> Self {
        Dropout { threshold: (probability.clamp(0.0, 1.0) * 1024.0).round() as u64 }
    }

    /// Removes orders from a set at random; the first one always stays.
    #[inline(always)]
    fn apply(self, orders: u8, rng: &mut ChaCha8Rng) -> u8 {
        if self.threshold == 0 {
            return orders;
        }
        let mut bits = rng.next_u64();
        let first = orders & orders.wrapping_neg();
        let mut kept = first;
        for order in 0..6 {
            kept |= orders & u8::from(bits & 1023 >= self.threshold) << order;
            bits >>= 10;
        }
        kept
    }
}

/// Plays one round from a node for every pair of the home side's orders; returns the number of states made.
#[inline(always)]
fn expand<E: OneRoundPolicy>(
    board: &Battlefield,
    node: &Node,
    parent: u32,
    enemy: &E,
    dropout: Dropout,
    rng: &mut ChaCha8Rng,
    emit: &mut impl Sink,
) -> u64 {
    let troops = &node.troops;
    let (_, away) = enemy.choose(board, troops, Faction::Away);
    let foes = [troops.at[2], troops.at[3]];
    let hp = u32::from_le_bytes(troops.hp);
    let firsts = board.free_orders(troops.at[0], [troops.at[1], foes[0], foes[1]]);
    let firsts = OrderOutcomes::of(board, troops.at[0], dropout.apply(firsts.0, rng), away);
    let seconds = board.free_orders(troops.at[1], foes);
    let seconds = OrderOutcomes::of(board, troops.at[1], seconds.0, away);
    let mut nodes = firsts.as_slice().len() as u64;
    for a in firsts.as_slice() {
        let mut allowed = 1u8;
        for (i, b) in seconds.as_slice().iter().enumerate().skip(1) {
            allowed |= u8::from(!board.is_close(b.cell, a.cell)) << i;
        }
        allowed = dropout.apply(allowed, rng);
        nodes += u64::from(allowed.count_ones());
        for (i, b) in seconds.as_slice().iter().enumerate() {
            if allowed >> i & 1 == 0 {
                continue;
            }
            let quiet = if a.clash | b.clash { None } else { VolleyDamage::of(a, b).harmless(hp) };
            let orders = [a.order, b.order];
            match quiet {
                Some((left, gain)) => {
                    let score = troops.score + gain;
                    let make = || Node {
                        troops: Troops {
                            at: [a.cell, b.cell, away[0], away[1]],
                            hp: left.to_le_bytes(),
                            kills: troops.kills,
                            score,
                        },
                        parent,
                        orders,
                    };
                    emit.offer(score, rng, make);
                }
                None => {
                    let troops = collision_or_death(board, troops, [a.cell, b.cell], away);
                    emit.offer(troops.score, rng, || Node { troops, parent, orders });
                }
            }
        }
    }
    nodes
}

/// The general case: a soldier may be blocked or may die.
#[inline(never)]
fn collision_or_death(board: &Battlefield, troops: &Troops, home: [u8; 2], away: [u8; 2]) -> Troops {
    let at = settle_cells(board, troops, home, away);
    let mut after = Troops { at, ..*troops };
    let fallen = after.suffer(taken(board, at));
    if fallen != 0 {
        after.respawn(board, fallen);
    }
    after
}

/// Takes the children of a node.
trait Sink {
    fn offer(&mut self, score: Advantage, rng: &mut ChaCha8Rng, make: impl FnOnce() -> Node);
}

/// Keeps everything.
struct All<'v>(&'v mut Vec<Node>);

impl Sink for All<'_> {
    #[inline(always)]
    fn offer(&mut self, _: Advantage, _: &mut ChaCha8Rng, make: impl FnOnce() -> Node) {
        self.0.push(make());
    }
}

/// Keeps some, drawn by score.
struct Drawn<'v> {
    reservoir: &'v mut Reservoir<Node>,
    weights: &'v [f64],
}

impl Sink for Drawn<'_> {
    #[inline(always)]
    fn offer(&mut self, score: Advantage, rng: &mut ChaCha8Rng, make: impl FnOnce() -> Node) {
        let slot = (i32::from(score) / 5 + WEIGHT_HALF).clamp(0, 2 * WEIGHT_HALF);
        self.reservoir.offer(self.weights[slot as usize], rng, make);
    }
}
