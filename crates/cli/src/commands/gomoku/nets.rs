//! The trained nets that are at hand, for players by name.

use anyhow::Result;
use gomoku::engine::Evaluation;
use gomoku::players::Nets;
use gomoku::rules::Rule;
use std::path::PathBuf;

const NONE: &str = "no trained net (data/gomoku/freestyle.net) beside the program or above it: patterns alone play";

/// All nets found beside the program or above it; says on standard error if there is none.
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

/// The file of the net for a rule; says on standard error if there is none for any rule.
pub fn file(rule: Rule) -> Option<PathBuf> {
    if Rule::ALL.into_iter().all(|rule| super::weights::find(rule).is_none()) {
        eprintln!("{NONE}");
    }
    super::weights::find(rule)
}
