//! The trained nets that are at hand, for players by name.

use anyhow::Result;
use gomoku::engine::Evaluation;
use gomoku::players::Nets;
use gomoku::rules::Rule;

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
        eprintln!("no trained net (data/gomoku/freestyle.net) beside the program or above it: patterns alone play");
    }
    Ok(nets)
}
