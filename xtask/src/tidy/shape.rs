//! The five games have one shape: the same modules under `src`, the same files of a table, one file per sub-command.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::GAMES;

/// What may stand under `crates/<game>/src`.
const MODULES: &[&str] = &["lib.rs", "rules", "engine", "players", "formats", "table", "services", "eval"];

/// Modules that one game has beside the common ones, with the reason.
const EXCEPTIONS: &[(&str, &str, &str)] =
    &[("gomoku", "protocol", "the Gomocup protocol is an interface, neither a file format nor a service")];

/// What every game's `table` folder has.
const TABLE: &[&str] = &["mod.rs", "game.rs", "state.rs", "action.rs", "view.rs", "settings.rs", "bots.rs"];

/// Every place where a game leaves the common shape.
pub fn faults(root: &Path, files: &[PathBuf]) -> Vec<String> {
    GAMES
        .iter()
        .flat_map(|game| [modules(game, files), table(game, files), commands(root, game, files)].concat())
        .collect()
}

/// The names directly under a folder.
fn entries(folder: &str, files: &[PathBuf]) -> BTreeSet<String> {
    files
        .iter()
        .filter_map(|file| file.strip_prefix(folder).ok())
        .filter_map(|rest| rest.iter().next()?.to_str().map(str::to_owned))
        .collect()
}

fn modules(game: &str, files: &[PathBuf]) -> Vec<String> {
    let folder = format!("crates/{game}/src");
    let known = |entry: &str| {
        MODULES.contains(&entry) || EXCEPTIONS.iter().any(|(of, module, _)| *of == game && *module == entry)
    };
    let strange = entries(&folder, files).into_iter().filter(|entry| !known(entry));
    strange.map(|entry| format!("{folder}/{entry}: a game has {} only", MODULES.join(", "))).collect()
}

fn table(game: &str, files: &[PathBuf]) -> Vec<String> {
    let folder = format!("crates/{game}/src/table");
    let have = entries(&folder, files);
    let missing = TABLE.iter().filter(|file| !have.contains(**file));
    missing.map(|file| format!("{folder}/{file} is missing; every game's table has one")).collect()
}

/// Every variant of the game's `Command` has a file of its name.
fn commands(root: &Path, game: &str, files: &[PathBuf]) -> Vec<String> {
    let folder = format!("crates/cli/src/commands/{game}");
    let have = entries(&folder, files);
    let text = std::fs::read_to_string(root.join(&folder).join("mod.rs")).unwrap_or_default();
    let variants = variants(&text);
    if variants.is_empty() {
        return vec![format!("{folder}/mod.rs declares no `enum Command`")];
    }
    let missing = variants
        .into_iter()
        .map(|name| snake_case(&name))
        .filter(|name| !have.contains(&format!("{name}.rs")) && !have.contains(name));
    missing.map(|name| format!("{folder}/{name}.rs is missing; a sub-command has a file of its own")).collect()
}

/// The variants of `enum Command` in a file that rustfmt has formatted.
fn variants(text: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| !line.ends_with("enum Command {")).skip(1);
    lines
        .take_while(|line| *line != "}")
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(|line| line.chars().take_while(|c| c.is_alphanumeric()).collect())
        .collect()
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strange_module_and_a_missing_file_are_named() {
        let files: Vec<PathBuf> =
            ["crates/gomoku/src/protocol/mod.rs", "crates/gomoku/src/reason.rs", "crates/gomoku/src/table/mod.rs"]
                .iter()
                .map(PathBuf::from)
                .collect();
        let faults = modules("gomoku", &files);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with("crates/gomoku/src/reason.rs"));
        assert_eq!(table("gomoku", &files).len(), TABLE.len() - 1);
    }

    #[test]
    fn variants_of_the_command_are_file_names() {
        let text = "pub enum Command {\n    /// Solve\n    Solve(solve::Args),\n    #[command(hide = true)]\n    ImportClues(import_clues::Args),\n}\nenum Other {\n    No,\n}\n";
        let names: Vec<String> = variants(text).iter().map(|name| snake_case(name)).collect();
        assert_eq!(names, ["solve", "import_clues"]);
    }
}
