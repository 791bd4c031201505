//! `parlour semantics counts`: queries a co-occurrence matrix.

use super::PackArgs;
use anyhow::{Context, bail};
use semantics::WordId;
use semantics::corpus::count::CountMatrix;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics counts book.counts king queen")]
pub struct Args {
    /// A matrix written by `count`
    matrix: PathBuf,
    /// The word
    word: String,
    /// A second word (default: all words that co-occur with the first)
    other: Option<String>,
    /// Sort by: together, ratio, pmi, npmi, chi2
    #[arg(long, default_value = "npmi")]
    by: String,
    /// Number of rows
    #[arg(short, default_value_t = 20)]
    n: usize,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    let matrix = CountMatrix::open(&args.matrix)?;
    let find = |word: &str| -> anyhow::Result<WordId> {
        matrix.words().id(word).with_context(|| format!("`{word}` is not in the matrix"))
    };
    let word = find(&args.word)?;
    let mut rows: Vec<_> = match &args.other {
        Some(other) => {
            let other = find(other)?;
            vec![(other, matrix.measures(word, other))]
        }
        None => matrix.row(word).collect(),
    };
    let key = |m: &semantics::cooccurrence::Measures| {
        Some(match args.by.as_str() {
            "together" => m.together,
            "ratio" => m.ratio,
            "pmi" => m.pmi,
            "npmi" => m.npmi,
            "chi2" => m.chi2,
            _ => return None,
        })
    };
    if rows.first().is_some_and(|r| key(&r.1).is_none()) {
        bail!("--by {}: expected together, ratio, pmi, npmi or chi2", args.by);
    }
    rows.sort_by(|a, b| key(&b.1).unwrap_or(0.0).total_cmp(&key(&a.1).unwrap_or(0.0)).then(a.0.cmp(&b.0)));
    for (other, m) in rows.iter().take(args.n) {
        let text = matrix.words().text(*other);
        if packs.json {
            println!(
                "{}",
                serde_json::json!({"word": text, "together": m.together, "ratio": m.ratio, "pmi": m.pmi,
                    "ppmi": m.ppmi, "npmi": m.npmi, "chi2": m.chi2})
            );
        } else {
            println!(
                "{text:20} together {:.2}  ratio {:.3}  PMI {:.2}  NPMI {:.3}  χ² {:.1}",
                m.together, m.ratio, m.pmi, m.npmi, m.chi2
            );
        }
    }
    Ok(())
}
