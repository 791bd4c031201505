//! RenLib libraries (`.lib`): a tree of renju positions on a board of 15.
//!
//! A header of 20 bytes (`FF "RenLib" FF`, version, padding), then nodes in preorder. A node is two bytes: the point (column
//! from 1 in the low half, row from the top from 0 in the high half; 0 is a pass or the root) and flags. Texts follow in
//! pairs of bytes up to one with a zero.

use super::tree::{GameTree, TreeNode};
use crate::rules::{Color, Point, Stone};

const MAGIC: [u8; 8] = [0xff, b'R', b'e', b'n', b'L', b'i', b'b', 0xff];
const HEADER: usize = 20;
const SIZE: u8 = 15;

const TEXT: u8 = 0x01;
const NO_MOVE: u8 = 0x02;
const OLD_COMMENT: u8 = 0x20;
const COMMENT: u8 = 0x08;
const NO_CHILD: u8 = 0x40;
const SIBLING: u8 = 0x80;

/// Why bytes are no library, or a tree cannot be one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenlibError {
    #[error("not a RenLib library: it should begin with FF \"RenLib\" FF and hold 20 bytes of header")]
    Header,
    #[error("byte {0}: the library ends in the middle of a node")]
    Short(usize),
    #[error("byte {at}: {byte:#04x} is no point of the board of 15")]
    Point { at: usize, byte: u8 },
    #[error("RenLib has boards of 15, not of {0}")]
    Size(u8),
    #[error("RenLib has no setup stones beside moves in turn from black")]
    Setup,
}

/// Whether bytes begin as a library does.
pub fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, RenlibError> {
        let byte = *self.bytes.get(self.at).ok_or(RenlibError::Short(self.at))?;
        self.at += 1;
        Ok(byte)
    }

    /// Pairs of bytes up to one that holds a zero, as Latin-1 unless it is UTF-8.
    fn text(&mut self) -> Result<String, RenlibError> {
        let mut text = Vec::new();
        loop {
            let pair = [self.byte()?, self.byte()?];
            text.extend(pair.iter().copied().take_while(|&b| b != 0));
            if pair.contains(&0) {
                return Ok(String::from_utf8(text)
                    .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()));
            }
        }
    }

    /// A node, its point and flags.
    fn node(&mut self) -> Result<(TreeNode, Option<Point>, u8), RenlibError> {
        let at = self.at;
        let (byte, flags) = (self.byte()?, self.byte()?);
        let point = match byte {
            0 => None,
            byte => {
                let (x, y) = ((byte & 15).wrapping_sub(1), byte >> 4);
                Some(Point { x, y }).filter(|point| point.on(SIZE)).ok_or(RenlibError::Point { at, byte }).map(Some)?
            }
        };
        let mut node = TreeNode::default();
        if flags & TEXT != 0 {
            // flags of the extension
            self.byte()?;
            self.byte()?;
        }
        if flags & (COMMENT | OLD_COMMENT) != 0 {
            node.comment = self.text()?;
        }
        if flags & TEXT != 0 {
            node.label = self.text()?;
        }
        Ok((node, point.filter(|_| flags & NO_MOVE == 0), flags))
    }
}

/// Reads a library. Moves alternate from black; a branch onto an occupied point is kept as nodes without a move.
pub fn read(bytes: &[u8]) -> Result<GameTree, RenlibError> {
    if !is_library(bytes) || bytes.len() < HEADER {
        return Err(RenlibError::Header);
    }
    let mut reader = Reader { bytes, at: HEADER };
    let mut tree = GameTree::new(SIZE);
    // the parents of nodes that have another sibling to come, with the number of moves before them
    let mut waiting: Vec<(usize, usize)> = Vec::new();
    let (mut parent, mut depth, mut first) = (0, 0, true);
    while reader.at < bytes.len() {
        let (mut node, point, flags) = reader.node()?;
        let root = first && point.is_none();
        first = false;
        let index = if root {
            tree.nodes[0].comment = node.comment;
            tree.nodes[0].label = node.label;
            0
        } else {
            node.play = point.map(|point| Stone { point, color: Color::of_stone(depth) });
            node.pass = point.is_none();
            tree.add(parent, node)
        };
        if flags & SIBLING != 0 {
            waiting.push((parent, depth));
        }
        if flags & NO_CHILD == 0 {
            depth += usize::from(!root);
            parent = index;
        } else {
            let Some(next) = waiting.pop() else { break };
            (parent, depth) = next;
        }
    }
    Ok(tree)
}

/// Writes a library. The tree's moves alternate from black on a board of 15; stones set up at the root come as first moves.
pub fn write(tree: &GameTree) -> Result<Vec<u8>, RenlibError> {
    if tree.size != SIZE {
        return Err(RenlibError::Size(tree.size));
    }
    let mut out = MAGIC.to_vec();
    out.extend([3, 4]);
    out.resize(HEADER, 0xff);
    let root = &tree.nodes[0];
    let leaf = |children: &[usize]| if children.is_empty() { NO_CHILD } else { 0 };
    let setup = &root.setup;
    let mut flags = if setup.is_empty() { leaf(&root.children) } else { 0 };
    write_node(&mut out, 0, flags, root);
    let bare = TreeNode::default();
    for (i, stone) in setup.iter().enumerate() {
        if stone.color != Color::of_stone(i) {
            return Err(RenlibError::Setup);
        }
        flags = if i + 1 == setup.len() { leaf(&root.children) } else { 0 };
        write_node(&mut out, point_byte(stone.point), flags, &bare);
    }
    let mut todo: Vec<(usize, usize, bool)> = Vec::new();
    let push = |todo: &mut Vec<_>, node: &TreeNode, depth: usize| {
        let last = node.children.len();
        todo.extend(node.children.iter().enumerate().rev().map(|(i, &child)| (child, depth, i + 1 < last)));
    };
    push(&mut todo, root, setup.len());
    while let Some((index, depth, sibling)) = todo.pop() {
        let node = &tree.nodes[index];
        if !node.setup.is_empty() || node.play.is_some_and(|stone| stone.color != Color::of_stone(depth)) {
            return Err(RenlibError::Setup);
        }
        let byte = node.play.map_or(0, |stone| point_byte(stone.point));
        write_node(&mut out, byte, leaf(&node.children) | if sibling { SIBLING } else { 0 }, node);
        push(&mut todo, node, depth + 1);
    }
    Ok(out)
}

fn point_byte(point: Point) -> u8 {
    point.y << 4 | (point.x + 1)
}

fn write_node(out: &mut Vec<u8>, point: u8, flags: u8, node: &TreeNode) {
    let text = if node.label.is_empty() { 0 } else { TEXT };
    let comment = if node.comment.is_empty() { 0 } else { COMMENT };
    out.extend([point, flags | text | comment]);
    if text != 0 {
        out.extend([0, 1]);
    }
    for words in [&node.comment, &node.label] {
        if !words.is_empty() {
            let words = words.as_bytes();
            out.extend(words.iter().filter(|&&b| b != 0));
            let length = words.iter().filter(|&&b| b != 0).count();
            out.extend(std::iter::repeat_n(0, 2 - length % 2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, color: Color) -> TreeNode {
        let point = Point::parse(name, 15).expect("a point");
        TreeNode { play: Some(Stone { point, color }), ..TreeNode::default() }
    }

    #[test]
    fn variations_comments_and_labels_round_trip() {
        let mut tree = GameTree::new(15);
        tree.nodes[0].comment = "A library".to_owned();
        let h8 = tree.add(0, node("h8", Color::Black));
        let i9 = tree.add(h8, TreeNode { comment: "direct\nopening".to_owned(), ..node("i9", Color::White) });
        let h9 = tree.add(h8, TreeNode { label: "ab".to_owned(), ..node("h9", Color::White) });
        tree.add(i9, TreeNode { label: "A".to_owned(), comment: "kansei".to_owned(), ..node("j10", Color::Black) });
        tree.add(i9, node("a15", Color::Black));
        tree.add(h9, node("o1", Color::Black));
        let bytes = write(&tree).expect("alternating moves");
        let again = read(&bytes).expect("its own bytes");
        assert_eq!(write(&again).expect("the same tree"), bytes);
        assert_eq!(again.nodes.len(), tree.nodes.len());
        assert_eq!(again.main_line().stones, tree.main_line().stones);
        let comments: Vec<&str> = again.nodes.iter().map(|n| n.comment.as_str()).collect();
        assert!(comments.contains(&"direct\nopening") && comments.contains(&"kansei"));
    }

    #[test]
    fn the_bytes_are_those_of_renlib() {
        // header, root without text, H8, two answers I9 and H9
        let mut bytes = MAGIC.to_vec();
        bytes.extend([3, 0]);
        bytes.resize(HEADER, 0xff);
        bytes.extend([0x00, 0x00, 0x78, 0x00, 0x69, SIBLING | NO_CHILD, 0x68, NO_CHILD]);
        let tree = read(&bytes).expect("a library");
        let names: Vec<String> =
            tree.nodes.iter().filter_map(|n| n.play).map(|s| s.point.name(15).to_string()).collect();
        assert_eq!(names, ["H8", "I9", "H9"]);
        assert_eq!(tree.nodes[1].children.len(), 2);
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        bolero::check!().with_type::<Vec<u8>>().for_each(|tail| {
            let mut bytes = MAGIC.to_vec();
            bytes.resize(HEADER, 0xff);
            bytes.extend(tail);
            if let Ok(tree) = read(&bytes)
                && let Ok(written) = write(&tree)
            {
                assert_eq!(write(&read(&written).expect("its own bytes")).expect("again"), written);
            }
        });
        assert_eq!(read(b"RenLib"), Err(RenlibError::Header));
    }
}
