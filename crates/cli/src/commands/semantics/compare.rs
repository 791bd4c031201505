//! `parlour semantics compare`.

use super::PackArgs;
use semantics::{Assoc, Relation};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics compare ring wedding")]
pub struct Args {
    /// First word
    a: String,
    /// Second word
    b: String,
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    let (a, b) = (&args.a, &args.b);
    let language = packs.open()?;
    let model = Assoc::new(&language);
    let (pa, pb) = (model.profile(a), model.profile(b));
    let cosine = language.similarity(a, b);
    let links: Vec<Relation> = match (pa.id, pb.id) {
        (Some(x), Some(y)) => language.relations().between(x, y),
        _ => Vec::new(),
    };
    let forward = model.probability(&pa, &pb);
    let backward = model.probability(&pb, &pa);
    if packs.json {
        println!(
            "{}",
            serde_json::json!({"a": a, "b": b, "cosine": cosine, "association": {"a_b": forward, "b_a": backward},
                "likeness": semantics::eval::pairs::likeness(&model, &pa, &pb, &[]), "links": links})
        );
        return Ok(());
    }
    match cosine {
        Some(c) => println!("cosine            {c:.3}"),
        None => println!("cosine            unknown (a word too short for a vector)"),
    }
    println!("{a} → {b}  {forward:.3}\n{b} → {a}  {backward:.3}");
    links.iter().for_each(|l| println!("“{a}” {} “{b}”", l.phrase()));
    Ok(())
}
