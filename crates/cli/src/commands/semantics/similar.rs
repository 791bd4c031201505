//! `parlour semantics similar`.

use super::PackArgs;
use anyhow::Context;
use semantics::WordId;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics similar king woman -- -man")]
pub struct Args {
    /// Words; a word with a leading `-` (after `--`) is subtracted
    #[arg(required = true)]
    words: Vec<String>,
    /// Number of neighbours
    #[arg(short, default_value_t = 10)]
    n: usize,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    let (words, n) = (&args.words, args.n);
    let language = packs.open()?;
    let mut sum = vec![0f32; language.vectors().dim()];
    let mut own: Vec<WordId> = Vec::new();
    for word in words {
        let (text, sign) = word.strip_prefix('-').map_or((word.as_str(), 1.0), |w| (w, -1.0));
        let vector = language.vector(text).with_context(|| format!("`{text}` is too short for a vector"))?;
        sum.iter_mut().zip(&vector).for_each(|(s, x)| *s += sign * x);
        own.extend(language.find_form(text));
    }
    let query = language.vectors().query(&sum);
    let found = language.vectors().nearest(&query, n, |w| !own.contains(&w) && language.zipf(w) > 1.5);
    let rows: Vec<_> =
        found.iter().map(|&(w, score)| serde_json::json!({"word": language.words().text(w), "score": score})).collect();
    if packs.json {
        println!("{}", serde_json::to_string(&rows)?);
    } else {
        found.iter().for_each(|&(w, score)| println!("{score:.3}  {}", language.words().text(w)));
    }
    Ok(())
}
