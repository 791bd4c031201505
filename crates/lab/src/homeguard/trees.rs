//! Tree files of Šindelář 2024 (sections 6.4, 6.5), grown through the queue, resumable.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use homeguard::engine::tree::{PlaythroughTree, TreeError, TreeMaker, TreeSettings, equal_branches};
use homeguard::formats::{MapRecord, MapRecordFile, PADDING};
use homeguard::rules::maps::{CheckersGenerator, GeneWeights, PortalRules, random_map, random_portals};
use homeguard::rules::{Battlefield, Map, Size};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::tree_bytes;
use super::tree_work;
use crate::job_submitter::{JobSubmitter, SubmitError};

/// The trees to grow.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeSpec {
    /// Different cover layouts.
    pub maps: usize,
    /// Trees per layout; they differ in portals and in the seed of the pruning.
    pub trees_per_map: usize,
    /// Board.
    pub size: Size,
    /// How each tree grows.
    pub settings: TreeSettings,
    /// Seed of everything.
    pub seed: u64,
}

/// Why trees were not made.
#[derive(Debug, thiserror::Error)]
pub enum TreesError {
    #[error("{path}: {error}")]
    File { path: PathBuf, error: io::Error },
    #[error("tree {number}: {error}")]
    PlaythroughTree { number: usize, error: TreeError },
    #[error(transparent)]
    Work(#[from] SubmitError),
}

impl TreeSpec {
    /// Trees in all.
    pub fn trees(&self) -> usize {
        self.maps * self.trees_per_map
    }

    /// The map of a tree: covers by the number of the layout, portals by the number of the tree.
    pub fn map(&self, tree: usize) -> Map {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(2 * (tree / self.trees_per_map) as u64);
        let none = PortalRules { pairs: 0, reach: 3 };
        let covers = random_map(self.size, &CheckersGenerator, GeneWeights::default(), none, &mut rng);
        rng.set_stream(2 * tree as u64 + 1);
        let portals = random_portals(&covers, PortalRules::default(), &mut rng);
        covers.with_portals(portals).expect("portals are drawn from free cells")
    }

    /// The seed of a tree's pruning.
    fn tree_seed(&self, tree: usize) -> u64 {
        self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(tree as u64)
    }

    /// Grows one tree.
    pub fn grow(&self, number: usize, maker: &mut TreeMaker) -> Result<PlaythroughTree, TreesError> {
        let board = Battlefield::new(self.map(number));
        maker
            .make(&board, &self.settings, self.tree_seed(number))
            .map_err(|error| TreesError::PlaythroughTree { number: number + 1, error })
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> TreesError + '_ {
    move |error| TreesError::File { path: path.to_owned(), error }
}

fn beside(base: &Path, ending: &str) -> PathBuf {
    let mut name = base.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Makes trees into `base`, `base.treeLAInds.iwonformat`, `base.treeScores.iwonformat` and
/// `base.treeMinmaxes.iwonformat`. An interrupted run leaves `base.spool` and resumes from it.
pub fn make_files(
    base: &Path,
    order: &TreeSpec,
    submitter: JobSubmitter<'_>,
    mut progress: impl FnMut(usize),
) -> Result<(), TreesError> {
    let spool_path = beside(base, ".spool");
    let mut spool = Spool::open(&spool_path, &format!("{order:?}")).map_err(at(&spool_path))?;
    let total = order.trees();
    let had = spool.counts.len();
    tree_work::grow(submitter, order, had, &mut |tree| {
        spool.push(&tree).map_err(at(&spool_path))?;
        if spool.counts.len().is_multiple_of(tree_work::CHUNK) {
            spool.file.flush().map_err(at(&spool_path))?;
            progress(spool.counts.len());
        }
        Ok(())
    })?;
    progress(spool.counts.len());
    let branches = equal_branches(&spool.counts);
    let layers = order.settings.layers();
    let endings = [".treeLAInds.iwonformat", ".treeScores.iwonformat", ".treeMinmaxes.iwonformat"];
    spool.write_tensors(endings.map(|ending| beside(base, ending)), branches, layers, order.seed)?;
    let records = (0..total)
        .map(|tree| MapRecord {
            map: order.map(tree),
            embeddings: Vec::new(),
            class: (tree / order.trees_per_map) as i64,
        })
        .collect();
    let header = format!("{} trees of {layers} layers, {branches} branches each\n", total);
    write_atomically(base, MapRecordFile { header, records }.to_text().as_bytes())?;
    fs::remove_file(&spool_path).map_err(at(&spool_path))
}

/// Writes a file so that it is either there in full or not at all.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), TreesError> {
    let part = beside(path, ".part");
    fs::write(&part, bytes).map_err(at(&part))?;
    fs::rename(&part, path).map_err(at(path))
}

/// Finished trees on disk, so that a long run neither needs memory for all nor starts again.
struct Spool {
    file: BufWriter<File>,
    path: PathBuf,
    start: u64,
    counts: Vec<usize>,
}

impl Spool {
    /// Opens a spool of the same order and finds the trees that are complete in it; another specification restarts.
    fn open(path: &Path, title: &str) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let head = format!("{title}\n");
        let mut found = vec![0; head.len()];
        let same = file.read_exact(&mut found).is_ok() && found == head.as_bytes();
        let start = head.len() as u64;
        let mut counts = Vec::new();
        let mut end = start;
        if same {
            let length = file.metadata()?.len();
            let mut reader = BufReader::new(&mut file);
            let mut sizes = [0u8; 8];
            while end + 8 <= length && reader.read_exact(&mut sizes).is_ok() {
                let [branches, layers] =
                    [0, 4].map(|i| u32::from_le_bytes(sizes[i..i + 4].try_into().expect("four bytes")) as u64);
                let body = branches * layers * 5;
                if end + 8 + body > length {
                    break;
                }
                reader.seek_relative(body as i64)?;
                end += 8 + body;
                counts.push(branches as usize);
            }
        } else {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(head.as_bytes())?;
        }
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Spool { file: BufWriter::new(file), path: path.to_owned(), start, counts })
    }

    fn push(&mut self, tree: &PlaythroughTree) -> io::Result<()> {
        let mut bytes = Vec::new();
        tree_bytes::write(tree, &mut bytes);
        self.file.write_all(&bytes)?;
        self.counts.push(tree.branches());
        Ok(())
    }

    /// Copies the spool into the three tensors, each tree dropped or padded to `branches`.
    fn write_tensors(
        &mut self,
        paths: [PathBuf; 3],
        branches: usize,
        layers: usize,
        seed: u64,
    ) -> Result<(), TreesError> {
        self.file.flush().map_err(at(&self.path))?;
        let mut reader = BufReader::new(File::open(&self.path).map_err(at(&self.path))?);
        reader.seek(SeekFrom::Start(self.start)).map_err(at(&self.path))?;
        let mut outs = Vec::new();
        for path in &paths {
            let part = beside(path, ".part");
            let mut out = BufWriter::new(File::create(&part).map_err(at(&part))?);
            for dimension in [self.counts.len(), branches, layers] {
                out.write_all(&(dimension as u32).to_le_bytes()).map_err(at(&part))?;
            }
            outs.push((out, part));
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for &count in &self.counts {
            reader.seek_relative(8).map_err(at(&self.path))?;
            let cells = count * layers;
            let mut body = vec![0u8; cells * 5];
            reader.read_exact(&mut body).map_err(at(&self.path))?;
            let mut kept: Vec<usize> = (0..count).collect();
            while kept.len() > branches {
                kept.remove(rng.random_range(0..kept.len()));
            }
            for (tensor, (out, part)) in outs.iter_mut().enumerate() {
                let mut row = Vec::with_capacity(branches * layers * 2);
                for &branch in &kept {
                    for cell in branch * layers..(branch + 1) * layers {
                        match tensor {
                            0 => row.extend([body[cell], 0]),
                            n => {
                                let at = cells * (2 * n - 1) + 2 * cell;
                                row.extend([body[at], body[at + 1]]);
                            }
                        }
                    }
                }
                for _ in 0..(branches - kept.len()) * layers {
                    row.extend(PADDING.to_le_bytes());
                }
                out.write_all(&row).map_err(at(part))?;
            }
        }
        for ((mut out, part), path) in outs.into_iter().zip(&paths) {
            out.flush().map_err(at(&part))?;
            fs::rename(&part, path).map_err(at(path))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job_submitter::{Programs, registry};
    use homeguard::formats::Tensor;
    use jobs::LocalQueue;

    fn make(base: &Path, order: &TreeSpec, threads: usize) {
        let queue = LocalQueue::new(registry(Programs::Refused), threads);
        let submitter = JobSubmitter { queue: &queue, program: "test", note: &|_| {} };
        make_files(base, order, submitter, |_| {}).unwrap();
    }

    fn order(maps: usize, branches: i64) -> TreeSpec {
        TreeSpec {
            maps,
            trees_per_map: 2,
            size: Size::new(7).unwrap(),
            settings: TreeSettings::sindelar(2, branches, 0.0),
            seed: 3,
        }
    }

    fn read(base: &Path, ending: &str) -> Tensor {
        Tensor::from_bytes(&fs::read(beside(base, ending)).unwrap()).unwrap()
    }

    #[test]
    fn files_hold_the_trees_and_an_interrupted_run_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().join("trees");
        let order = order(9, 20);
        make(&base, &order, 1);
        let actions = read(&base, ".treeLAInds.iwonformat");
        let scores = read(&base, ".treeScores.iwonformat");
        let best = read(&base, ".treeMinmaxes.iwonformat");
        assert_eq!(actions.shape(), [18, 20, 8]);
        let mut maker = TreeMaker::new();
        for tree in 0..18 {
            let grown = order.grow(tree, &mut maker).unwrap();
            let rows = |pick: &dyn Fn(usize) -> Vec<i16>| -> Vec<i16> { (0..20).flat_map(pick).collect() };
            assert_eq!(actions.tree(tree), rows(&|b| grown.actions(b).iter().map(|a| i16::from(*a)).collect()));
            assert_eq!(scores.tree(tree), rows(&|b| grown.scores(b).to_vec()));
            assert_eq!(best.tree(tree), rows(&|b| grown.best(b).to_vec()));
        }
        let maps = MapRecordFile::from_text(&fs::read_to_string(&base).unwrap()).unwrap();
        assert_eq!(maps.records.iter().map(|r| r.class).take(6).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2]);
        assert_eq!(maps.records[0].map.covers(), maps.records[1].map.covers());

        // a spool cut off in the middle of a tree is continued to the same files
        let again = folder.path().join("again");
        let mut spool = Spool::open(&beside(&again, ".spool"), &format!("{order:?}")).unwrap();
        for tree in 0..3 {
            spool.push(&order.grow(tree, &mut maker).unwrap()).unwrap();
        }
        spool.file.write_all(&[1, 2, 3]).unwrap();
        spool.file.flush().unwrap();
        drop(spool);
        make(&again, &order, 2);
        assert_eq!(read(&again, ".treeScores.iwonformat"), scores);
        assert_eq!(fs::read(&again).unwrap(), fs::read(&base).unwrap());
        assert!(!beside(&again, ".spool").exists());
    }
}
