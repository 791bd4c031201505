//! Settings of a tree.

use serde::{Deserialize, Serialize};

/// The fixed AI that plays the away side in a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Enemy {
    /// [`crate::players::GreedyPolicy`].
    #[default]
    GreedyPolicy,
    /// [`crate::players::MaximinPolicy`].
    MaximinPolicy,
}

/// How the leaves that stay are chosen after an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Selector {
    /// At random, with probability by score.
    #[default]
    Score,
    /// By k-means over the leaves' states: hit points and positions, and with `covers` the cover around each soldier.
    /// The leaf nearest to each centre stays.
    States {
        /// Whether cover in the four directions counts.
        covers: bool,
    },
    /// By k-means over the orders of the iteration.
    Orders,
}

/// One iteration of growth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Rounds that are played out before pruning; two layers each.
    pub rounds: usize,
    /// Leaves kept at its end; `None` keeps all.
    pub keep: Option<usize>,
    /// Probability to skip an order. The first legal order is never skipped.
    pub dropout: f64,
}

/// A whole tree, iteration by iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeSettings {
    /// The away side.
    pub enemy: Enemy,
    /// The iterations in order.
    pub iterations: Vec<Iteration>,
    /// Which leaves stay.
    pub selector: Selector,
}

impl TreeSettings {
    /// The published command line: `iterations` of four layers, `branches` kept after each (all if 0 or less), and
    /// `dropout` in the iterations that end with pruning.
    pub fn sindelar(iterations: usize, branches: i64, dropout: f64) -> Self {
        let keep = usize::try_from(branches).ok().filter(|keep| *keep > 0);
        let iteration = Iteration { rounds: 2, keep, dropout: if keep.is_some() { dropout } else { 0.0 } };
        TreeSettings { enemy: Enemy::GreedyPolicy, iterations: vec![iteration; iterations], selector: Selector::Score }
    }

    /// The same tree with another choice of leaves.
    pub fn selected_by(mut self, selector: Selector) -> Self {
        self.selector = selector;
        self
    }

    /// Another probability to skip an order in iterations that keep all branches (`dropoutDontCluster` in the thesis).
    pub fn dropout_without_pruning(mut self, dropout: f64) -> Self {
        for iteration in self.iterations.iter_mut().filter(|iteration| iteration.keep.is_none()) {
            iteration.dropout = dropout;
        }
        self
    }

    /// The same tree against another enemy.
    pub fn against(mut self, enemy: Enemy) -> Self {
        self.enemy = enemy;
        self
    }

    /// Exempts the first and the last iterations from pruning (`takeAllBottom` and `takeAllTop` in the thesis).
    pub fn keep_all(mut self, first: usize, last: usize) -> Self {
        let count = self.iterations.len();
        for (i, iteration) in self.iterations.iter_mut().enumerate() {
            if i < first || i + last >= count {
                iteration.keep = None;
                iteration.dropout = 0.0;
            }
        }
        self
    }

    /// Layers of the finished tree: two per round.
    pub fn layers(&self) -> usize {
        self.iterations.iter().map(|i| 2 * i.rounds).sum()
    }
}
