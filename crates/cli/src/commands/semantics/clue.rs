//! `parlour semantics clue`.

use super::PackArgs;
use anyhow::bail;
use semantics::ClueScorer;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics clue \"citrus fruit\" --length 10")]
pub struct Args {
    /// The clue
    text: String,
    /// Letters of the answer
    #[arg(long)]
    length: usize,
    /// Number of answers
    #[arg(short, default_value_t = 10)]
    n: usize,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    let (text, length, n) = (&args.text, args.length, args.n);
    let language = packs.open()?;
    let scorer = ClueScorer::new(&language);
    if scorer.words_of_length(length).is_empty() {
        bail!("the vocabulary has no word of {length} letters");
    }
    let ranked = scorer.rank(text, length);
    let top = ranked.first().map_or(0.0, |r| r.1);
    let total: f32 = ranked.iter().map(|r| (r.1 - top).exp()).sum();
    let rows: Vec<(&str, f32)> =
        ranked.iter().take(n).map(|&(w, s)| (language.words().text(w), (s - top).exp() / total)).collect();
    if packs.json {
        let rows: Vec<_> = rows.iter().map(|(w, p)| serde_json::json!({"word": w, "score": p})).collect();
        println!("{}", serde_json::to_string(&rows)?);
    } else {
        rows.iter().for_each(|(w, p)| println!("{p:.3}  {w}"));
    }
    Ok(())
}
