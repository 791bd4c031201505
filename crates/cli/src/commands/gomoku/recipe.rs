//! Recipes: the steps that make a net, in a file that can be kept beside it.
//!
//! A recipe is JSON: `{"about": "…", "steps": [["train", "--games", "40", …], ["average", "a.net", "b.net", …]]}`. Its
//! paths are relative to the working folder. A training step that was finished is not repeated, so a recipe resumes.

use super::{average, train};
use anyhow::{Context, Result, ensure};
use clap::Parser;
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recipe {
    /// What the recipe makes.
    about: String,
    /// Arguments of each step.
    steps: Vec<Vec<String>>,
}

/// The commands of a step.
#[derive(Parser)]
#[command(name = "step", no_binary_name = true)]
enum Step {
    Train(Box<train::Args>),
    Average(average::Args),
}

/// Runs all steps of a recipe.
pub fn run(path: &Path) -> Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let recipe: Recipe = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    ensure!(!recipe.steps.is_empty(), "{}: a recipe needs a step", path.display());
    // all steps are parsed before the first one runs for hours
    let steps: Vec<Step> = recipe
        .steps
        .iter()
        .enumerate()
        .map(|(number, step)| {
            Step::try_parse_from(step).with_context(|| format!("{}: step {}", path.display(), number + 1))
        })
        .collect::<Result<_>>()?;
    println!("{}", recipe.about);
    let all = steps.len();
    for (number, (step, arguments)) in steps.into_iter().zip(&recipe.steps).enumerate() {
        println!("step {} of {all}: gomoku {}", number + 1, arguments.join(" "));
        match step {
            Step::Train(args) => {
                ensure!(!args.is_recipe(), "{}: a recipe cannot contain a recipe", path.display());
                train::run(*args)?;
            }
            Step::Average(args) => average::run(args)?,
        }
    }
    Ok(())
}
