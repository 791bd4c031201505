//! The trees of an experiment: a test set and training sets, split by map.

use std::path::{Path, PathBuf};

use homeguard::engine::tree::{PlaythroughTree, TreeMetrics};
use homeguard::formats::{MapRecordFile, Tensor};
use homeguard::rules::Map;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::tree_work;
use super::trees::{TreeSpec, TreesError};
use crate::job_submitter::JobSubmitter;

/// One tree with everything an experiment needs.
pub struct TreeItem {
    /// Its map.
    pub map: Map,
    /// Index of its cover layout.
    pub class: usize,
    /// The tree.
    pub tree: PlaythroughTree,
    /// The five measures.
    pub metrics: [f64; 5],
}

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct DatasetError {
    pub path: PathBuf,
    pub problem: String,
}

/// Trees with a fixed test set and equal training sets; all trees of a layout are on the same side of a split.
pub struct Dataset {
    /// All trees.
    pub items: Vec<TreeItem>,
    /// Indices of the test trees.
    pub test: Vec<usize>,
    /// Indices of the trees of each training set.
    pub training: Vec<Vec<usize>>,
}

impl Dataset {
    /// Grows the trees of an order and splits them: at most `max_test` trees (and half of all) are for testing.
    pub fn grow(
        order: &TreeSpec,
        max_test: usize,
        sets: usize,
        submitter: JobSubmitter<'_>,
    ) -> Result<Self, TreesError> {
        let mut items = Vec::with_capacity(order.trees());
        tree_work::grow(submitter, order, 0, &mut |tree| {
            let number = items.len();
            items.push(TreeItem {
                map: order.map(number),
                class: number / order.trees_per_map,
                metrics: TreeMetrics::of(&tree).values(),
                tree,
            });
            Ok(())
        })?;
        Ok(Dataset::split(items, max_test, sets, order.seed))
    }

    /// Reads the files that tree making wrote: maps, actions, scores and best scores.
    pub fn read(paths: [&Path; 4], max_test: usize, sets: usize, seed: u64) -> Result<Self, DatasetError> {
        let bytes = |path: &Path| {
            std::fs::read(path).map_err(|error| DatasetError { path: path.to_owned(), problem: error.to_string() })
        };
        let fault = |path: &Path, problem: String| DatasetError { path: path.to_owned(), problem };
        let text = String::from_utf8_lossy(&bytes(paths[0])?).into_owned();
        let maps = MapRecordFile::from_text(&text).map_err(|error| fault(paths[0], error.to_string()))?;
        let mut tensors = Vec::new();
        for path in &paths[1..] {
            tensors.push(Tensor::from_bytes(&bytes(path)?).map_err(|error| fault(path, error.to_string()))?);
        }
        let [trees, _, layers] = tensors[0].shape();
        if maps.records.len() != trees || tensors.iter().any(|t| t.shape() != tensors[0].shape()) {
            let problem = format!("{} maps do not fit tensors of {:?}", maps.records.len(), tensors[0].shape());
            return Err(fault(paths[0], problem));
        }
        let mut items = Vec::new();
        for (number, record) in maps.records.into_iter().enumerate() {
            let tree = PlaythroughTree::from_rows(
                layers,
                tensors[0].tree(number),
                tensors[1].tree(number),
                tensors[2].tree(number),
            )
            .ok_or_else(|| fault(paths[1], format!("tree {} holds something else than orders 0 to 5", number + 1)))?;
            let class = usize::try_from(record.class)
                .map_err(|_| fault(paths[0], format!("map {} has the class {}", number + 1, record.class)))?;
            items.push(TreeItem { map: record.map, class, metrics: TreeMetrics::of(&tree).values(), tree });
        }
        Ok(Dataset::split(items, max_test, sets, seed))
    }

    fn split(items: Vec<TreeItem>, max_test: usize, sets: usize, seed: u64) -> Self {
        let mut classes: Vec<usize> = items.iter().map(|item| item.class).collect();
        classes.sort_unstable();
        classes.dedup();
        let maps = classes.len();
        let per_map = (items.len() / maps.max(1)).max(1);
        classes.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let test_classes = (max_test.min(items.len() / 2) / per_map).max(1).min(maps.saturating_sub(1).max(1));
        let of =
            |some: &[usize]| -> Vec<usize> { (0..items.len()).filter(|i| some.contains(&items[*i].class)).collect() };
        let test = of(&classes[..test_classes]);
        let rest = &classes[test_classes..];
        let sets = sets.clamp(1, rest.len());
        let training = (0..sets).map(|set| of(&rest[rest.len() * set / sets..rest.len() * (set + 1) / sets])).collect();
        Dataset { items, test, training }
    }

    /// The test trees.
    pub fn test_items(&self) -> impl Iterator<Item = &TreeItem> {
        self.test.iter().map(|i| &self.items[*i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job_submitter::{Programs, registry};
    use homeguard::engine::tree::TreeSettings;
    use homeguard::rules::Size;

    #[test]
    fn no_layout_is_on_both_sides() {
        let order = TreeSpec {
            maps: 12,
            trees_per_map: 3,
            size: Size::new(7).unwrap(),
            settings: TreeSettings::sindelar(1, 10, 0.0),
            seed: 4,
        };
        let queue = jobs::LocalQueue::new(registry(Programs::Refused), 2);
        let submitter = JobSubmitter { queue: &queue, program: "test", note: &|_| {} };
        let data = Dataset::grow(&order, 12, 4, submitter).unwrap();
        assert_eq!((data.items.len(), data.test.len(), data.training.len()), (36, 12, 4));
        let class = |i: &usize| data.items[*i].class;
        for set in &data.training {
            assert_eq!(set.len(), 6);
            assert!(set.iter().all(|i| data.test.iter().all(|t| class(t) != class(i))));
        }
    }
}
