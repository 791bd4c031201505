//! `parlour crossword clue`

use super::Sources;
use anyhow::{Result, bail};
use crossword::solver::Knowledge;
use serde_json::json;

#[derive(clap::Args)]
pub struct Args {
    /// The clue
    text: String,
    /// Known letters, ? for unknown ones, e.g. ?A??E
    #[arg(long)]
    pattern: String,
    /// How many answers
    #[arg(short, default_value_t = 10)]
    n: usize,
    #[command(flatten)]
    sources: Sources,
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let pattern: Vec<char> = args.pattern.to_uppercase().chars().collect();
    if pattern.len() < 2 || !pattern.iter().all(|c| c.is_alphanumeric() || *c == '?') {
        bail!("--pattern {}: should be two or more letters and ?, e.g. ?A??E", args.pattern);
    }
    let opened = args.sources.open()?;
    let scorer = semantics::ClueScorer::new(&opened.language);
    let knowledge = Knowledge::new(&scorer, opened.memory.as_ref(), &opened.lists);
    // A single clue belongs to no grid: the plainest genre speaks for it.
    let calibration = knowledge.calibrations().last().expect("there is at least one calibration");
    let fits = |word: &str| word.chars().zip(&pattern).all(|(c, want)| *want == '?' || c == *want);
    let mut ranked: Vec<(f64, String)> = knowledge
        .gather(&args.text, pattern.len())
        .candidates
        .into_iter()
        .filter(|(word, _)| fits(word))
        .map(|(word, evidence)| (calibration.score(&evidence), word))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let top = ranked.first().map_or(0.0, |(score, _)| *score);
    let listed: f64 = ranked.iter().map(|(score, _)| (score - top).exp()).sum();
    let share = 1.0 - calibration.unlisted(pattern.len());
    let answers: Vec<_> = ranked
        .into_iter()
        .take(args.n)
        .map(|(score, word)| {
            let reasons = knowledge.reasons(&args.text, &word);
            let why: Vec<String> = reasons.into_iter().map(|reason| reason.text).collect();
            (word, (score - top).exp() / listed * share, why.join("; "))
        })
        .collect();
    if args.json {
        let list: Vec<_> = answers
            .iter()
            .map(|(word, chance, why)| json!({"answer": word, "probability": chance, "why": why}))
            .collect();
        println!("{}", serde_json::Value::from(list));
    } else {
        for (word, chance, why) in answers {
            println!("{word:<16} {:>5.1}%  {why}", chance * 100.0);
        }
    }
    Ok(())
}
