//! No two public top-level types of different crates share a name, unless the list below says why.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::crate_of;

/// Names that several crates may use, with the reason.
const SHARED: &[(&str, &str)] = &[
    ("Action", "every game's table has one: the action of `impl Game`"),
    ("Args", "every command has one: its arguments"),
    ("Settings", "every game's table has one: the settings of `impl Game`"),
    ("State", "every game's table has one: the state of `impl Game`"),
    ("View", "every game's table has one: the view of `impl Game`"),
];

/// Unlisted names that stand for types of several crates.
pub fn faults(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| is_library_source(file)) {
        let (Some(owner), Ok(text)) = (crate_of(file), std::fs::read_to_string(root.join(file))) else { continue };
        for name in public_types(&text) {
            places.entry(name.to_owned()).or_default().insert(owner.to_owned());
        }
    }
    places
        .into_iter()
        .filter(|(name, crates)| crates.len() > 1 && SHARED.iter().all(|(shared, _)| shared != name))
        .map(|(name, crates)| {
            let crates: Vec<String> = crates.into_iter().collect();
            format!("`{name}` is a public type of {}; rename all but one", crates.join(", "))
        })
        .collect()
}

fn is_library_source(file: &Path) -> bool {
    let in_tests = file.iter().any(|part| part == "tests" || part == "benches" || part == "tests.rs");
    file.extension().is_some_and(|end| end == "rs") && !in_tests
}

/// Names of the public types that a file declares at its top level.
fn public_types(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (keyword, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
        let declares = ["struct", "enum", "trait", "type", "union"].contains(&keyword);
        declares.then(|| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_types_of_the_top_level_count() {
        let text = "pub struct Table<T> {\n    pub struct Inner;\n}\nstruct Own;\npub(crate) enum Half {}\npub enum Kind {\npub fn f() {}\npub type Short = u8;\n";
        assert_eq!(public_types(text).collect::<Vec<_>>(), ["Table", "Kind", "Short"]);
    }

    #[test]
    fn tests_are_no_library_source() {
        assert!(is_library_source(Path::new("crates/game/src/seat.rs")));
        assert!(!is_library_source(Path::new("crates/game/src/conformance/tests.rs")));
        assert!(!is_library_source(Path::new("crates/game/tests/seat.rs")));
    }
}
