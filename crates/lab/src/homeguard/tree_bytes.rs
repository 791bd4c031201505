//! Trees as bytes, for spools, files of jobs and their results: branches and layers as 32-bit numbers, then all orders,
//! all scores and all best scores, branch by branch.

use homeguard::engine::tree::PlaythroughTree;

/// Adds a tree.
pub(super) fn write(tree: &PlaythroughTree, out: &mut Vec<u8>) {
    let (branches, layers) = (tree.branches(), tree.layers());
    out.extend((branches as u32).to_le_bytes());
    out.extend((layers as u32).to_le_bytes());
    (0..branches).for_each(|branch| out.extend_from_slice(tree.actions(branch)));
    for row in (0..branches).map(|b| tree.scores(b)).chain((0..branches).map(|b| tree.best(b))) {
        row.iter().for_each(|value| out.extend(value.to_le_bytes()));
    }
}

/// All trees of some bytes.
pub(super) fn read_all(mut bytes: &[u8]) -> Result<Vec<PlaythroughTree>, String> {
    let mut trees = Vec::new();
    while !bytes.is_empty() {
        let wrong = |what: &str| format!("tree {}: {what}", trees.len() + 1);
        let (head, rest) = bytes.split_first_chunk::<8>().ok_or_else(|| wrong("its sizes are cut off"))?;
        let [branches, layers] =
            [0, 4].map(|i| u32::from_le_bytes([head[i], head[i + 1], head[i + 2], head[i + 3]]) as usize);
        let cells = branches.checked_mul(layers).filter(|cells| *cells <= rest.len() / 5);
        let cells = cells.ok_or_else(|| wrong("it is cut off"))?;
        let actions: Vec<i16> = rest[..cells].iter().map(|order| i16::from(*order)).collect();
        let numbers = |bytes: &[u8]| -> Vec<i16> {
            bytes.as_chunks::<2>().0.iter().map(|pair| i16::from_le_bytes(*pair)).collect()
        };
        let (scores, best) = (numbers(&rest[cells..3 * cells]), numbers(&rest[3 * cells..5 * cells]));
        let tree = PlaythroughTree::from_rows(layers, &actions, &scores, &best);
        bytes = &rest[5 * cells..];
        let tree = tree.ok_or_else(|| wrong("it holds something else than orders 0 to 5"))?;
        trees.push(tree);
    }
    Ok(trees)
}

#[cfg(test)]
mod tests {
    use super::*;
    use homeguard::engine::tree::{TreeMaker, TreeSettings};
    use homeguard::rules::{Battlefield, Size};

    #[test]
    fn trees_survive_their_bytes_and_damage_is_named() {
        let map = homeguard::rules::maps::random_map(
            Size::new(7).unwrap(),
            &homeguard::rules::maps::CheckersGenerator,
            homeguard::rules::maps::GeneWeights::default(),
            homeguard::rules::maps::PortalRules::default(),
            &mut <rand_chacha::ChaCha8Rng as rand::SeedableRng>::seed_from_u64(1),
        );
        let mut maker = TreeMaker::new();
        let grow = |maker: &mut TreeMaker, seed| {
            maker.make(&Battlefield::new(map.clone()), &TreeSettings::sindelar(1, 10, 0.0), seed).unwrap()
        };
        let trees = [grow(&mut maker, 1), grow(&mut maker, 2)];
        let mut bytes = Vec::new();
        trees.iter().for_each(|tree| write(tree, &mut bytes));
        let again = read_all(&bytes).unwrap();
        assert_eq!(again.len(), 2);
        for (one, two) in trees.iter().zip(&again) {
            assert_eq!((one.branches(), one.layers()), (two.branches(), two.layers()));
            for branch in 0..one.branches() {
                assert_eq!(one.actions(branch), two.actions(branch));
                assert_eq!((one.scores(branch), one.best(branch)), (two.scores(branch), two.best(branch)));
            }
        }
        for cut in [1, 7, bytes.len() - 1] {
            assert!(read_all(&bytes[..cut]).unwrap_err().contains("cut off"), "{cut}");
        }
        bytes[8] = 9;
        assert!(read_all(&bytes).unwrap_err().contains("tree 1"));
    }
}
