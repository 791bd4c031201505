//! The documents name only what exists: files, commands, flags, routes and error codes.
#![cfg(all(feature = "server", feature = "queue"))]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README, ARCHITECTURE, CONTRIBUTING and every page of docs/, with their texts.
fn documents() -> Vec<(String, String)> {
    let mut files = vec!["README.md".into(), "ARCHITECTURE.md".into(), "CONTRIBUTING.md".into()];
    let mut folders = vec![PathBuf::from("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).expect("docs can be read") {
            let entry = entry.expect("an entry");
            let path = folder.join(entry.file_name());
            match entry.file_type().expect("a type").is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|end| end == "md") => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(root().join(&path)).expect("a document is text");
        (path.display().to_string(), text)
    };
    files.into_iter().map(read).collect()
}

/// Pages that describe how to use the program now. Results and decisions are records of their time: their commands and
/// codes are not checked, their files and links are.
fn is_current(document: &str) -> bool {
    !document.starts_with("docs/results") && !document.starts_with("docs/adr")
}

/// Texts in back-ticks, and lines of code blocks.
fn code(text: &str) -> Vec<String> {
    let (mut all, mut in_block) = (Vec::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            all.push(line.trim().to_owned());
        } else {
            all.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    all
}

fn report(faults: BTreeSet<String>) {
    assert!(faults.is_empty(), "{} faults:\n  {}", faults.len(), faults.into_iter().collect::<Vec<_>>().join("\n  "));
}

#[test]
fn every_linked_or_named_file_exists() {
    const FOLDERS: [&str; 9] =
        ["crates/", "data/", "deploy/", "docs/", "examples/", "fixtures/", "scripts/", "web/", "xtask/"];
    let mut faults = BTreeSet::new();
    for (document, text) in documents() {
        let folder = Path::new(&document).parent().unwrap_or(Path::new("")).to_owned();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            let outside =
                path.is_empty() || path.contains("://") || path.starts_with("mailto:") || path.starts_with('/');
            if !outside && !root().join(&folder).join(path).exists() {
                faults.insert(format!("{document}: link to {link}"));
            }
        }
        for name in code(&text) {
            let word = name.split([' ', ':', '#']).next().unwrap_or_default().trim_end_matches(['.', ',', '/']);
            let is_pattern = word.contains(['*', '<', '{', '…', '$', '%', '[']) || word.contains("..");
            let is_placeholder = word.split('/').any(|part| {
                let stem = part.split('.').next().unwrap_or_default();
                stem.len() > 1 && stem.chars().all(|c| c.is_ascii_uppercase() || c == '_') && part != "LICENSE"
            });
            if FOLDERS.iter().any(|folder| word.starts_with(folder))
                && !is_pattern
                && !is_placeholder
                && !is_built(word)
                && !root().join(word).exists()
            {
                faults.insert(format!("{document}: {word}"));
            }
        }
    }
    report(faults);
}

/// Files that commands make and that are not in the repository.
fn is_built(path: &str) -> bool {
    const BUILT: [&str; 6] = [
        "data/codenames",
        "data/crossword/memory",
        "fixtures/fuzz",
        "web/dist",
        "web/node_modules",
        "web/test-results",
    ];
    BUILT.iter().any(|prefix| path.starts_with(prefix))
}

/// The help of every command, by its path.
#[derive(Default)]
struct Help(BTreeMap<Vec<String>, String>);

impl Help {
    fn of(&mut self, path: &[String]) -> &str {
        self.0.entry(path.to_vec()).or_insert_with(|| {
            let answer =
                Command::new(env!("CARGO_BIN_EXE_parlour")).args(path).arg("--help").output().expect("it runs");
            String::from_utf8_lossy(&answer.stdout).into_owned()
        })
    }

    /// The sub-commands that the help lists.
    fn commands(&mut self, path: &[String]) -> Vec<String> {
        let help = self.of(path).to_owned();
        let list = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
        let named = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        named.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
    }
}

/// What is wrong with a command line, if anything.
fn command_fault(help: &mut Help, line: &str) -> Option<String> {
    let line = line.split(" #").next().unwrap_or_default();
    let line = line.split(['|', '>', ';', '⇄']).next().unwrap_or_default();
    let line = line.split("&&").next().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let mut path: Vec<String> = Vec::new();
    for word in &words {
        let commands = help.commands(&path);
        if commands.iter().any(|command| command == word) {
            path.push((*word).to_owned());
        } else if word.starts_with('-') || commands.is_empty() {
            break;
        } else {
            let is_name = word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            return is_name.then(|| format!("`{line}`: there is no command {word}"));
        }
    }
    for flag in words.iter().filter(|word| word.starts_with("--") && word.len() > 2) {
        let flag: String = flag.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let known = help.of(&path).split(|c: char| !c.is_ascii_alphanumeric() && c != '-').any(|word| word == flag);
        if !known && !["--help", "--version"].contains(&flag.as_str()) {
            return Some(format!("`{line}`: parlour {} has no {flag}", path.join(" ")));
        }
    }
    None
}

#[test]
fn every_named_command_and_flag_exists() {
    let (mut help, mut faults) = (Help::default(), BTreeSet::new());
    for (document, text) in documents().into_iter().filter(|(document, _)| is_current(document)) {
        for line in code(&text) {
            let line = line.strip_prefix("$ ").unwrap_or(&line);
            if line.starts_with("parlour ") || line.starts_with("./run ") {
                faults.extend(command_fault(&mut help, line).map(|fault| format!("{document}: {fault}")));
            }
        }
    }
    report(faults);
}

#[test]
fn every_named_task_exists() {
    let tasks = std::fs::read_to_string(root().join("xtask/src/main.rs")).expect("xtask is here");
    let mut faults = BTreeSet::new();
    for (document, text) in documents() {
        for name in code(&text).iter().filter_map(|code| code.strip_prefix("cargo xtask ")) {
            let task: String = name.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
            let variant: String = task.split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect();
            let known = [format!("    {variant},"), format!("    {variant}(")];
            if !known.iter().any(|variant| tasks.contains(variant.as_str())) {
                faults.insert(format!("{document}: cargo xtask {task}"));
            }
        }
    }
    report(faults);
}

#[test]
fn every_named_route_exists() {
    let openapi = std::fs::read_to_string(root().join("docs/openapi.json")).expect("the API document is here");
    let openapi: serde_json::Value = serde_json::from_str(&openapi).expect("it is JSON");
    let routes: Vec<Vec<&str>> = openapi["paths"]
        .as_object()
        .expect("it lists paths")
        .keys()
        .map(|path| path.trim_matches('/').split('/').collect())
        .collect();
    let is_variable = |part: &str| {
        part.starts_with(['{', '<', ':', '$']) || (part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase()))
    };
    let fits = |route: &[&str], named: &[&str]| {
        route.len() == named.len()
            && route.iter().zip(named).all(|(a, b)| a == b || a.starts_with('{') || is_variable(b))
    };
    let mut faults = BTreeSet::new();
    for (document, text) in documents().into_iter().filter(|(document, _)| is_current(document)) {
        for code in code(&text) {
            for word in code.split([' ', '"', '\'', '`']).filter_map(|word| word.find("/api/v1/").map(|at| &word[at..]))
            {
                let path = word.split(['?', ',', ')', '`']).next().unwrap_or_default().trim_matches('/');
                let named: Vec<&str> = path.split('/').collect();
                let is_socket = named.last() == Some(&"socket");
                let is_group = path.contains(['*', '…']) || named.len() < 3;
                if !is_socket && !is_group && !routes.iter().any(|route| fits(route, &named)) {
                    faults.insert(format!("{document}: /{path}"));
                }
            }
        }
    }
    report(faults);
}

/// Every literal of the form `group.name` in the crates' sources.
fn codes_in_sources() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let mut folders = vec![root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("sources can be read") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = std::fs::read_to_string(path).expect("a source is text");
                codes.extend(text.split('"').filter(|literal| is_code(literal)).map(str::to_owned));
            }
        }
    }
    codes
}

fn is_code(text: &str) -> bool {
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    matches!(text.split('.').collect::<Vec<_>>()[..], [group, name] if is_name(group) && is_name(name))
}

#[test]
fn every_named_error_code_exists() {
    const FILES: [&str; 16] = [
        "rs", "md", "json", "toml", "txt", "net", "ts", "yaml", "sh", "lex", "leaves", "puz", "ipuz", "tsv", "db",
        "bin",
    ];
    const GROUPS: [&str; 12] = [
        "request",
        "limits",
        "table",
        "seat",
        "account",
        "guest",
        "keepsake",
        "game",
        "gomoku",
        "scrabble",
        "crossword",
        "homeguard",
    ];
    let codes = codes_in_sources();
    let mut faults = BTreeSet::new();
    for (document, text) in documents().into_iter().filter(|(document, _)| is_current(document)) {
        for word in code(&text).into_iter().filter(|word| is_code(word)) {
            let (group, name) = word.split_once('.').expect("a code has a dot");
            if GROUPS.contains(&group) && !FILES.contains(&name) && !codes.contains(&word) {
                faults.insert(format!("{document}: {word}"));
            }
        }
    }
    report(faults);
}
