//! A finished tree: actions, scores and best reachable scores per branch and layer (Šindelář 2024, sections 5.1 and 6.4).

use rand::RngExt;

use crate::formats::PADDING;

/// The kept branches of one playthrough tree, in the order of their actions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaythroughTree {
    pub(crate) layers: usize,
    /// Orders by number, branch by branch.
    pub(crate) actions: Vec<u8>,
    /// The score of the state each order led into.
    pub(crate) scores: Vec<i16>,
    /// The highest leaf score among the kept branches that pass through that state.
    pub(crate) best: Vec<i16>,
    pub(crate) nodes: u64,
    /// Weight of each branch: itself and the pruned branches it represents. Empty if all weights are 1.
    pub(crate) weights: Vec<u32>,
}

impl PlaythroughTree {
    /// A tree from the rows of tensor files; padded rows are left out. `None` if the rows do not fit each other.
    pub fn from_rows(layers: usize, actions: &[i16], scores: &[i16], best: &[i16]) -> Option<Self> {
        if layers == 0
            || !actions.len().is_multiple_of(layers)
            || scores.len() != actions.len()
            || best.len() != actions.len()
        {
            return None;
        }
        let mut tree = PlaythroughTree { layers, ..PlaythroughTree::default() };
        for row in 0..actions.len() / layers {
            let cells = row * layers..(row + 1) * layers;
            if actions[cells.start] == PADDING {
                continue;
            }
            for action in &actions[cells.clone()] {
                tree.actions.push(u8::try_from(*action).ok().filter(|a| *a < 6)?);
            }
            tree.scores.extend_from_slice(&scores[cells.clone()]);
            tree.best.extend_from_slice(&best[cells]);
        }
        Some(tree)
    }

    /// Layers of every branch.
    pub fn layers(&self) -> usize {
        self.layers
    }

    /// Kept branches.
    pub fn branches(&self) -> usize {
        self.actions.len().checked_div(self.layers).unwrap_or(0)
    }

    /// States generated while growing, kept or not.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Weight of a branch: itself and the pruned branches of its cluster.
    pub fn weight(&self, branch: usize) -> u32 {
        self.weights.get(branch).copied().unwrap_or(1)
    }

    /// Orders of one branch.
    pub fn actions(&self, branch: usize) -> &[u8] {
        &self.actions[branch * self.layers..(branch + 1) * self.layers]
    }

    /// Scores along one branch.
    pub fn scores(&self, branch: usize) -> &[i16] {
        &self.scores[branch * self.layers..(branch + 1) * self.layers]
    }

    /// Best reachable scores along one branch.
    pub fn best(&self, branch: usize) -> &[i16] {
        &self.best[branch * self.layers..(branch + 1) * self.layers]
    }

    /// Fills `best` from sorted branches: branches with a common prefix share the states of that prefix.
    pub(crate) fn fill_best(&mut self) {
        let (layers, branches) = (self.layers, self.branches());
        self.best.clear();
        self.best.resize(self.scores.len(), 0);
        for layer in 0..layers {
            let mut from = 0;
            while from < branches {
                let prefix = &self.actions(from)[..=layer];
                let mut to = from + 1;
                let mut best = self.scores(from)[layers - 1];
                while to < branches && self.actions(to)[..=layer] == *prefix {
                    best = best.max(self.scores(to)[layers - 1]);
                    to += 1;
                }
                for branch in from..to {
                    self.best[branch * layers + layer] = best;
                }
                from = to;
            }
        }
    }

    /// Actions, scores and best scores as rows of exactly `branches`: extra ones are dropped at random, missing ones
    /// are filled with [`PADDING`].
    pub fn rows(&self, branches: usize, rng: &mut impl rand::Rng) -> [Vec<i16>; 3] {
        let mut chosen: Vec<usize> = (0..self.branches()).collect();
        while chosen.len() > branches {
            chosen.remove(rng.random_range(0..chosen.len()));
        }
        let padding = vec![PADDING; (branches - chosen.len()) * self.layers];
        let gather = |row: &dyn Fn(usize) -> Vec<i16>| -> Vec<i16> {
            let mut out: Vec<i16> = chosen.iter().flat_map(|branch| row(*branch)).collect();
            out.extend(&padding);
            out
        };
        [
            gather(&|b| self.actions(b).iter().map(|a| i16::from(*a)).collect()),
            gather(&|b| self.scores(b).to_vec()),
            gather(&|b| self.best(b).to_vec()),
        ]
    }
}

/// The number of branches every tree of a file gets: the 80th percentile (Šindelář 2024, section 8.3).
pub fn equal_branches(counts: &[usize]) -> usize {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    match sorted.len() {
        0 => 0,
        n => sorted[((n * 4).div_ceil(5)).clamp(1, n) - 1],
    }
}
