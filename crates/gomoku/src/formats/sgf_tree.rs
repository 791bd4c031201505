//! SGF with variations, setup stones, comments and all other properties (FF 4, GM 4).

use std::fmt::Write;

use super::tree::{GameTree, TreeNode};
use super::{FormatError, sgf};
use crate::formats::RecordResult;
use crate::rules::{Color, MAX_SIZE, MIN_SIZE, Rule, Stone};

/// Deepest nesting of variations that is read.
const DEEPEST: usize = 10_000;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    tree: GameTree,
}

/// Reads the first game of a text with all its variations.
pub fn read(text: &str) -> Result<GameTree, FormatError> {
    let at = text.find('(').ok_or_else(|| FormatError::at(text, 0, "no game begins with \"(;\""))?;
    let mut parser = Parser { text, at, tree: GameTree::new(15) };
    // The node that a variation continues, for every open bracket; none before the root.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut current = None;
    while let Some(byte) = text.as_bytes().get(parser.at).copied() {
        match byte {
            b'(' => {
                if open.len() >= DEEPEST {
                    return Err(FormatError::at(text, parser.at, "variations are nested too deeply"));
                }
                open.push(current);
                parser.at += 1;
            }
            b')' => {
                current = open.pop().unwrap_or(None);
                parser.at += 1;
                if open.is_empty() {
                    return Ok(parser.tree);
                }
            }
            b';' => {
                parser.at += 1;
                current = Some(parser.node(current)?);
            }
            b if b.is_ascii_whitespace() => parser.at += 1,
            _ => {
                let found = text[parser.at..].chars().next().unwrap_or(' ');
                let reason = format!("{found:?} stands where a node such as ;B[hh] was expected");
                return Err(FormatError::at(text, parser.at, reason));
            }
        }
    }
    Err(FormatError::at(text, text.len(), "the game is never closed with )"))
}

impl Parser<'_> {
    /// Reads the properties of a node and adds it to the tree.
    fn node(&mut self, parent: Option<usize>) -> Result<usize, FormatError> {
        let mut properties = Vec::new();
        while let Some(property) = self.property()? {
            properties.push(property);
        }
        if parent.is_none()
            && let Some((_, values)) = properties.iter().find(|(name, _)| name == "SZ")
        {
            self.size(values)?;
        }
        let mut node = TreeNode::default();
        for (name, values) in properties {
            self.take(&mut node, name, values, parent.is_none())?;
        }
        match parent {
            None => {
                self.tree.nodes[0] = node;
                Ok(0)
            }
            Some(parent) => Ok(self.tree.add(parent, node)),
        }
    }

    fn size(&mut self, values: &[(usize, String)]) -> Result<(), FormatError> {
        let Some((offset, value)) = values.first() else { return Ok(()) };
        let sizes: Vec<Option<u8>> = value.split(':').map(|part| part.trim().parse().ok()).collect();
        self.tree.size = match sizes[..] {
            [Some(size)] if (MIN_SIZE..=MAX_SIZE).contains(&size) => size,
            [Some(w), Some(h)] if w == h && (MIN_SIZE..=MAX_SIZE).contains(&w) => w,
            _ => {
                let reason = format!("SZ[{value}] is not played; boards are square, {MIN_SIZE} to {MAX_SIZE}");
                return Err(FormatError::at(self.text, *offset, reason));
            }
        };
        Ok(())
    }

    /// Puts a property where it belongs.
    fn take(
        &mut self,
        node: &mut TreeNode,
        name: String,
        values: Vec<(usize, String)>,
        root: bool,
    ) -> Result<(), FormatError> {
        let first = values.first().map(|(_, value)| value.clone()).unwrap_or_default();
        match name.as_str() {
            "B" | "W" | "AB" | "AW" => {
                let color = if name.ends_with('B') { Color::Black } else { Color::White };
                for (offset, value) in &values {
                    if value.trim().is_empty() && !name.starts_with('A') {
                        node.pass = true;
                        continue;
                    }
                    let point = sgf::point(value.trim(), self.tree.size, &name)
                        .map_err(|reason| FormatError::at(self.text, *offset, reason))?;
                    let stone = Stone { point, color };
                    if name.starts_with('A') || node.play.is_some() {
                        node.setup.push(stone)
                    } else {
                        node.play = Some(stone)
                    }
                }
            }
            "GM" if root && first.trim() != "4" => {
                let offset = values.first().map_or(0, |(offset, _)| *offset);
                let reason = format!("GM[{first}] is another game; Gomoku and renju are GM[4]");
                return Err(FormatError::at(self.text, offset, reason));
            }
            "SZ" | "GM" | "FF" | "CA" | "AP" if root => {}
            "PB" if root => self.tree.black = first,
            "PW" if root => self.tree.white = first,
            "RE" if root && sgf::result(&first).is_some() => self.tree.result = sgf::result(&first),
            "RU" if root && first.trim().parse::<Rule>().is_ok() => self.tree.rule = first.trim().parse().ok(),
            "C" => node.comment = first,
            "N" => node.label = first,
            _ => node.other.push((name, values.into_iter().map(|(_, value)| value).collect())),
        }
        Ok(())
    }

    /// A property with the places of its values; none where no letter stands.
    #[expect(clippy::type_complexity, reason = "a name with placed values, used once")]
    fn property(&mut self) -> Result<Option<(String, Vec<(usize, String)>)>, FormatError> {
        let bytes = self.text.as_bytes();
        let skip = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
                at += 1;
            }
            at
        };
        let start = skip(self.at);
        let mut at = start;
        while bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            at += 1;
        }
        if at == start {
            self.at = start;
            return Ok(None);
        }
        let name = self.text[start..at].to_owned();
        let mut values = Vec::new();
        loop {
            let opened = skip(at);
            if bytes.get(opened) != Some(&b'[') {
                break;
            }
            let (value, after) = sgf::value(self.text, opened + 1)
                .ok_or_else(|| FormatError::at(self.text, opened, "a value is opened with [ and never closed"))?;
            values.push((opened + 1, value));
            at = after;
        }
        if values.is_empty() {
            return Err(FormatError::at(self.text, start, format!("{name} has no value in brackets")));
        }
        self.at = at;
        Ok(Some((name, values)))
    }
}

/// Writes a tree with all its variations.
pub fn write(tree: &GameTree) -> String {
    let mut text = format!("(;FF[4]GM[4]CA[UTF-8]AP[Parlour]SZ[{}]", tree.size);
    property(&mut text, "RU", tree.rule.map_or("", Rule::name));
    property(&mut text, "PB", &tree.black);
    property(&mut text, "PW", &tree.white);
    let result = match tree.result {
        Some(RecordResult::Won(Color::Black)) => "B+",
        Some(RecordResult::Won(Color::White)) => "W+",
        Some(RecordResult::Drawn) => "0",
        None => "",
    };
    property(&mut text, "RE", result);
    properties(&mut text, &tree.nodes[0]);
    enum Next {
        Node(usize, bool),
        Close,
    }
    let mut todo = Vec::new();
    let push = |todo: &mut Vec<Next>, node: &TreeNode| {
        let branches = node.children.len() > 1;
        for &child in node.children.iter().rev() {
            if branches {
                todo.push(Next::Close);
            }
            todo.push(Next::Node(child, branches));
        }
    };
    push(&mut todo, &tree.nodes[0]);
    while let Some(next) = todo.pop() {
        match next {
            Next::Close => text.push(')'),
            Next::Node(index, branch) => {
                text.push_str(if branch { "\n(;" } else { ";" });
                properties(&mut text, &tree.nodes[index]);
                push(&mut todo, &tree.nodes[index]);
            }
        }
    }
    text.push_str(")\n");
    text
}

fn property(text: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        let _ = write!(text, "{name}[{}]", escaped(value));
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace(']', "\\]")
}

fn properties(text: &mut String, node: &TreeNode) {
    let letters = |stone: &Stone| {
        let letter = |v: u8| (b'a' + v) as char;
        format!("[{}{}]", letter(stone.point.x), letter(stone.point.y))
    };
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let stones: String = node.setup.iter().filter(|stone| stone.color == color).map(letters).collect();
        if !stones.is_empty() {
            let _ = write!(text, "{name}{stones}");
        }
    }
    match &node.play {
        Some(stone) => {
            let _ = write!(text, "{}{}", if stone.color == Color::Black { 'B' } else { 'W' }, letters(stone));
        }
        None if node.pass => text.push_str("B[]"),
        None => {}
    }
    property(text, "N", &node.label);
    property(text, "C", &node.comment);
    for (name, values) in &node.other {
        let _ = write!(text, "{name}");
        for value in values {
            let _ = write!(text, "[{}]", escaped(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Point;

    const GAME: &str = "(;GM[4]SZ[15]RU[renju]PB[A \\] B]AB[hh][ii]AW[hi]C[setup];W[gg](;B[ff]N[main];W[ee])(;B[jj]LB[aa:1][bb:2]C[side\nline]))";

    #[test]
    fn variations_setup_and_unknown_properties_round_trip() {
        let tree = read(GAME).unwrap();
        assert_eq!((tree.nodes.len(), tree.nodes[0].setup.len()), (5, 3));
        assert_eq!((tree.rule, tree.black.as_str()), (Some(Rule::Renju), "A ] B"));
        let side = tree.nodes.iter().find(|node| node.comment == "side\nline").unwrap();
        assert_eq!(side.play.unwrap().point, Point::new(9, 9));
        assert_eq!(side.other, [("LB".to_owned(), vec!["aa:1".to_owned(), "bb:2".to_owned()])]);
        let written = write(&tree);
        assert_eq!(write(&read(&written).unwrap()), written);
        assert_eq!(read(&written).unwrap(), tree);
        let main: Vec<Point> = tree.main_line().stones.iter().map(|stone| stone.point).collect();
        assert_eq!(main.len(), 6);
    }

    #[test]
    fn any_text_is_read_or_refused_and_what_is_read_round_trips() {
        bolero::check!().with_type::<(String, bool)>().for_each(|(text, head)| {
            let text = if *head { format!("(;GM[4]SZ[9];{text})") } else { text.clone() };
            if let Ok(tree) = read(&text) {
                let written = write(&tree);
                assert_eq!(write(&read(&written).unwrap()), written);
            }
        });
        assert!(read("(;SZ[23])").unwrap_err().reason.contains("SZ[23]"));
        assert!(read("(;B[hh]").is_err() && read("no").is_err());
    }
}
