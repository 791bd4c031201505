//! Loads the shipped nets for named players.

use anyhow::Result;
use gomoku::engine::Evaluation;
use gomoku::players::Nets;
use gomoku::rules::Rule;
use std::path::PathBuf;

const NONE: &str =
    "no trained net found (data/gomoku/freestyle.net beside the program or in a folder above): players use patterns";

/// Loads all shipped nets. Warns on standard error if there is none.
pub fn load() -> Result<Nets> {
    let mut nets = Nets::default();
    let mut found = false;
    for rule in Rule::ALL {
        let evaluation = super::weights::evaluation(rule)?;
        if !matches!(evaluation, Evaluation::Pattern) {
            nets.insert(rule, evaluation);
            found = true;
        }
    }
    if !found {
        eprintln!("{NONE}");
    }
    Ok(nets)
}

/// The file of the net for a rule. Warns on standard error if there is no net for any rule.
pub fn file(rule: Rule) -> Option<PathBuf> {
    if Rule::ALL.into_iter().all(|rule| super::weights::find(rule).is_none()) {
        eprintln!("{NONE}");
    }
    super::weights::find(rule)
}
