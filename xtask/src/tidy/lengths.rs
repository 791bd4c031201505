//! How long a source file and a function may be.

use std::path::{Path, PathBuf};

/// A source file longer than this holds more than one thing.
const LONGEST_FILE: usize = 1_000;
/// A function longer than this wants to be two, or a context struct.
const LONGEST_FUNCTION: usize = 80;

/// Files and functions over their limits.
pub fn faults(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in files {
        let ending = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
        if !["rs", "ts", "svelte"].contains(&ending) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        let lines = text.lines().count();
        if lines > LONGEST_FILE {
            faults.push(format!("{} has {lines} lines; split it (at most {LONGEST_FILE})", file.display()));
        }
        if ending == "rs" {
            let long = functions(&text).filter(|(_, lines)| *lines > LONGEST_FUNCTION);
            faults.extend(long.map(|(name, lines)| {
                format!("{}: fn {name} has {lines} lines; split it (at most {LONGEST_FUNCTION})", file.display())
            }));
        }
    }
    faults
}

/// Name and length in lines of every function of a file that rustfmt has formatted: a function ends at the closing
/// brace that stands in the column of its first line.
fn functions(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut open: Option<(&str, usize, &str)> = None;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let indent = &line[..line.len() - line.trim_start().len()];
        if let Some((column, first, name)) = open
            && indent == column
            && line.trim() == "}"
        {
            open = None;
            return Some((name, number - first + 1));
        }
        if open.is_none()
            && let Some(name) = function_name(line.trim_start())
            && !line.trim_end().ends_with(['}', ';'])
        {
            open = Some((indent, number, name));
        }
        None
    })
}

/// The name that a line declares a function of, without its visibility and qualifiers.
fn function_name(line: &str) -> Option<&str> {
    let mut rest = line;
    loop {
        if let Some(after) = rest.strip_prefix("fn ") {
            return after.split(['(', '<']).next();
        }
        let (word, after) = rest.split_once(' ')?;
        let qualifier = word.starts_with("pub") || ["async", "const", "unsafe", "extern", "\"C\""].contains(&word);
        rest = qualifier.then_some(after)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_measured_from_their_first_line_to_their_closing_brace() {
        let text = "pub(crate) fn short() {}\n\nimpl A {\n    pub async fn two(\n        a: u8,\n    ) -> u8 {\n        if a > 0 {\n        }\n        a\n    }\n}\n\nfn last<T>() {\n    one();\n}\n";
        assert_eq!(functions(text).collect::<Vec<_>>(), [("two", 7), ("last", 3)]);
    }

    #[test]
    fn what_declares_no_function_has_no_name() {
        assert_eq!(function_name("let fn_count = 3;"), None);
        assert_eq!(function_name("/// fn commented("), None);
        assert_eq!(function_name("pub const fn new(a: u8) -> Self {"), Some("new"));
    }
}
