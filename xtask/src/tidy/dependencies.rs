//! Who may use whom, and where tokio may live.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use super::GAMES;

const FOUNDATIONS: &[&str] = &["numerics", "game", "lexicon", "semantics", "neural", "search", "evolve"];

/// Crates that may run tasks on an event loop.
const ASYNC: &[&str] = &["store", "jobs", "server", "cli", "xtask"];

/// Which of our crates a crate may use; `None` means all of them.
fn allowed(name: &str) -> Option<BTreeSet<&'static str>> {
    let set = match name {
        "numerics" => vec![],
        "game" | "lexicon" | "neural" | "evolve" | "store" => vec!["numerics"],
        "semantics" => vec!["numerics", "lexicon", "neural"],
        "search" | "arena" => vec!["numerics", "game"],
        game if GAMES.contains(&game) => FOUNDATIONS.to_vec(),
        // A loader opens what its game is handed: packs, lexicons.
        "catalog" => [GAMES, FOUNDATIONS].concat(),
        "jobs" => vec!["store"],
        "lab" => [GAMES, FOUNDATIONS, &["arena", "jobs"]].concat(),
        "server" => vec!["catalog", "arena", "store", "jobs", "game"],
        _ => return None,
    };
    Some(set.into_iter().collect())
}

fn metadata(root: &Path) -> Result<Value> {
    let answer = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root)
        .output()
        .context("cargo metadata cannot be run")?;
    ensure!(answer.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&answer.stderr));
    Ok(serde_json::from_slice(&answer.stdout)?)
}

/// Every use that the table does not allow.
pub fn faults(root: &Path) -> Result<Vec<String>> {
    dependency_faults(&metadata(root)?)
}

fn dependency_faults(metadata: &Value) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (name, uses) in dependencies(metadata)? {
        if let Some(allowed) = allowed(&name) {
            for used in uses.iter().filter_map(|used| used.strip_prefix("parlour-")) {
                if !allowed.contains(used) {
                    faults.push(format!("{name} uses {used}, which the design does not allow"));
                }
            }
        }
        if uses.contains("tokio") && !ASYNC.contains(&name.as_str()) {
            faults.push(format!("{name} uses tokio; only {} may", ASYNC.join(", ")));
        }
    }
    Ok(faults)
}

/// Crate → what it uses outside its tests, by package name.
fn dependencies(metadata: &Value) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let mut all = BTreeMap::new();
    for package in packages {
        let name = package["name"].as_str().context("a package has no name")?;
        let name = name.strip_prefix("parlour-").unwrap_or(name).to_owned();
        let uses = package["dependencies"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|dependency| dependency["kind"].is_null())
            .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
            .collect();
        all.insert(name, uses);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_game_may_not_use_another_game() {
        let metadata = json!({"packages": [
            {"name": "parlour-gomoku", "dependencies": [{"name": "parlour-scrabble", "kind": null}, {"name": "tokio", "kind": null}]},
            {"name": "parlour-server", "dependencies": [{"name": "tokio", "kind": null}, {"name": "parlour-store", "kind": null}]},
            {"name": "parlour-search", "dependencies": [{"name": "parlour-gomoku", "kind": "dev"}]},
        ]});
        let faults = dependency_faults(&metadata).expect("the document is well formed");
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].contains("gomoku uses scrabble"));
        assert!(faults[1].contains("gomoku uses tokio"));
    }
}
