//! The shipped weights, sought beside the program and in the folders above it.

use anyhow::Result;
use gomoku::engine::Evaluation;
use gomoku::rules::Rule;

/// The stronger evaluation that is available for a rule.
pub fn evaluation(_rule: Rule) -> Result<Evaluation> {
    Ok(Evaluation::Pattern)
}
