//! `parlour semantics explain`.

use super::PackArgs;
use semantics::Assoc;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics explain ring wedding")]
pub struct Args {
    /// The clue
    clue: String,
    /// The word it may be meant for
    word: String,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    let (clue, word) = (&args.clue, &args.word);
    let language = packs.open()?;
    let model = Assoc::new(&language);
    let (c, w) = (model.profile(clue), model.profile(word));
    let reasons = model.explain(&c, &w);
    if packs.json {
        println!(
            "{}",
            serde_json::json!({"clue": clue, "word": word, "probability": model.probability(&c, &w), "reasons": reasons})
        );
        return Ok(());
    }
    println!("{clue} → {word}: {:.3}", model.probability(&c, &w));
    reasons.iter().for_each(|r| println!("{:+.2}  {}", r.weight, r.text));
    if reasons.is_empty() {
        println!("no source has a link between them");
    }
    Ok(())
}
