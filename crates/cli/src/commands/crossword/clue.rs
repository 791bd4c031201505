//! `parlour crossword clue`

use super::SolverSources;
use anyhow::Result;
use crossword::engine::solver::RankedAnswer;
use serde_json::json;

#[derive(clap::Args)]
pub struct Args {
    /// The clue
    text: String,
    /// Known letters, ? for unknown ones, e.g. ?A??E
    #[arg(long)]
    pattern: String,
    /// Number of answers
    #[arg(short, default_value_t = 10)]
    n: usize,
    #[command(flatten)]
    sources: SolverSources,
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let opened = args.sources.open()?;
    let scorer = semantics::ClueScorer::new(&opened.language);
    let knowledge = opened.knowledge(&scorer);
    let answers = knowledge.answers(&args.text, &args.pattern, args.n).map_err(anyhow::Error::msg)?;
    if args.json {
        let list: Vec<_> = answers
            .iter()
            .map(|found| json!({"answer": found.answer, "probability": found.probability, "why": why(found)}))
            .collect();
        println!("{}", serde_json::Value::from(list));
    } else {
        for found in &answers {
            println!("{:<16} {:>5.1}%  {}", found.answer, found.probability * 100.0, why(found));
        }
    }
    Ok(())
}

fn why(found: &RankedAnswer) -> String {
    found.why.iter().map(crossword::engine::solver::AnswerReason::text).collect::<Vec<_>>().join("; ")
}
