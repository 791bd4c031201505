//! A game tree: a game with variations, setup stones, comments and labels, as SGF and RenLib files hold it.

use std::collections::HashMap;

use super::{Record, RecordResult};
use crate::rules::{Color, Point, Rule, Stone};

/// One node of a [`GameTree`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeNode {
    /// The move that leads here; none at the root, and in nodes that only set up stones or pass.
    pub play: Option<Stone>,
    /// Whether the move is a pass (RenLib has them).
    pub pass: bool,
    /// Stones set up here without a move (SGF `AB` and `AW`).
    pub setup: Vec<Stone>,
    pub comment: String,
    /// A short text on the board (RenLib's board text, SGF `N`).
    pub label: String,
    /// Other properties of the file, kept as they are: name and raw values.
    pub other: Vec<(String, Vec<String>)>,
    /// Variations, the main line first.
    pub children: Vec<usize>,
}

/// A game with variations; node 0 is the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTree {
    pub size: u8,
    pub rule: Option<Rule>,
    pub black: String,
    pub white: String,
    pub result: Option<RecordResult>,
    pub nodes: Vec<TreeNode>,
}

impl GameTree {
    /// A tree with its root alone.
    pub fn new(size: u8) -> Self {
        let nodes = vec![TreeNode::default()];
        Self { size, rule: None, black: String::new(), white: String::new(), result: None, nodes }
    }

    /// Adds a node as the last variation of `parent` and returns its index.
    pub fn add(&mut self, parent: usize, node: TreeNode) -> usize {
        let index = self.nodes.len();
        self.nodes.push(node);
        self.nodes[parent].children.push(index);
        index
    }

    /// The tree of a game without variations.
    pub fn of_record(record: &Record) -> Self {
        let mut tree = Self {
            rule: record.rule,
            black: record.black.clone(),
            white: record.white.clone(),
            result: record.result,
            ..Self::new(record.size)
        };
        let mut at = 0;
        for &stone in &record.stones {
            at = tree.add(at, TreeNode { play: Some(stone), ..TreeNode::default() });
        }
        tree
    }

    /// The main line as a game: setup stones in their place, first variations everywhere.
    pub fn main_line(&self) -> Record {
        let mut record = Record {
            rule: self.rule,
            black: self.black.clone(),
            white: self.white.clone(),
            result: self.result,
            ..Record::of_points(self.size, [])
        };
        let mut at = Some(0);
        while let Some(index) = at {
            let node = &self.nodes[index];
            for stone in node.setup.iter().chain(&node.play) {
                if record.stones.iter().all(|other| other.point != stone.point) {
                    record.stones.push(*stone);
                }
            }
            at = node.children.first().copied();
        }
        record
    }

    /// Calls `visit` for every node in preorder with the stones on the board there.
    pub fn walk(&self, visit: &mut dyn FnMut(usize, &[Stone])) {
        let mut stones: Vec<Stone> = Vec::new();
        // a node to enter, or the number of stones to go back to
        let mut todo = vec![Err(0), Ok(0)];
        while let Some(next) = todo.pop() {
            match next {
                Err(count) => stones.truncate(count),
                Ok(index) => {
                    let node: &TreeNode = &self.nodes[index];
                    let before = stones.len();
                    stones.extend(node.setup.iter().chain(&node.play));
                    visit(index, &stones);
                    todo.push(Err(before));
                    todo.extend(node.children.iter().rev().map(|&child| Ok(child)));
                }
            }
        }
    }

    /// The index of all positions under the eight symmetries of the board.
    pub fn index(&self) -> PositionIndex {
        let mut nodes: HashMap<Vec<Stone>, Vec<usize>> = HashMap::new();
        self.walk(&mut |node, stones| nodes.entry(canonical(stones, self.size)).or_default().push(node));
        PositionIndex { size: self.size, nodes }
    }
}

/// Positions of a tree by their stones, equal under symmetry.
pub struct PositionIndex {
    size: u8,
    nodes: HashMap<Vec<Stone>, Vec<usize>>,
}

impl PositionIndex {
    /// The nodes whose position equals these stones under a symmetry, whatever the order of moves.
    pub fn find(&self, stones: &[Stone]) -> &[usize] {
        self.nodes.get(&canonical(stones, self.size)).map_or(&[], Vec::as_slice)
    }
}

/// The image of a point under one of the eight symmetries (0 to 7) of the board.
pub fn symmetric(point: Point, size: u8, symmetry: u8) -> Point {
    let flip = |v: u8| size - 1 - v;
    let Point { x, y } = point;
    let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (y, x) };
    let x = if symmetry & 2 == 0 { x } else { flip(x) };
    let y = if symmetry & 4 == 0 { y } else { flip(y) };
    Point { x, y }
}

/// The stones in the same form for all symmetric positions and orders of moves.
fn canonical(stones: &[Stone], size: u8) -> Vec<Stone> {
    let image = |symmetry: u8| {
        let mut image: Vec<Stone> =
            stones.iter().map(|s| Stone { point: symmetric(s.point, size, symmetry), color: s.color }).collect();
        image.sort_unstable_by_key(|s| (s.point, s.color));
        image
    };
    let key = |image: &Vec<Stone>| image.iter().map(|s| (s.point, s.color)).collect::<Vec<(Point, Color)>>();
    (0..8).map(image).min_by_key(key).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_under_every_symmetry_and_order() {
        let stone = |x, y, color| Stone { point: Point { x, y }, color };
        let mut tree = GameTree::new(15);
        let one = tree.add(0, TreeNode { play: Some(stone(7, 7, Color::Black)), ..TreeNode::default() });
        let two = tree.add(one, TreeNode { play: Some(stone(8, 6, Color::White)), ..TreeNode::default() });
        let three = tree.add(two, TreeNode { play: Some(stone(3, 3, Color::Black)), ..TreeNode::default() });
        let index = tree.index();
        for symmetry in 0..8 {
            let turned = |x, y, color| Stone { point: symmetric(Point { x, y }, 15, symmetry), color };
            let stones = [turned(3, 3, Color::Black), turned(8, 6, Color::White), turned(7, 7, Color::Black)];
            assert_eq!(index.find(&stones), [three]);
        }
        assert_eq!(index.find(&[stone(7, 7, Color::White)]), [0usize; 0]);
        assert_eq!(tree.main_line().stones.len(), 3);
    }
}
