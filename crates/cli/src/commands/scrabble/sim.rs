//! `parlour scrabble sim`

use super::players::{Kit, Thinking};
use anyhow::{Result, bail};
use scrabble::formats::{Cgp, notation};
use scrabble::players::simulate::{Effort, Situation, simulate};
use scrabble::players::{Style, Think};
use scrabble::{Turn, unseen};
use std::sync::atomic::AtomicBool;

#[derive(clap::Args)]
pub struct Args {
    /// The position as CGP
    #[arg(long)]
    cgp: String,
    /// Rack of the side to move, instead of the one in the position
    #[arg(long)]
    rack: Option<String>,
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Moves to try
    #[arg(long, default_value_t = 15)]
    candidates: usize,
    #[command(flatten)]
    thinking: Thinking,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; with --tries any number gives the same answer
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let kit = Kit::load(&args.lexicon)?;
    let mut cgp = Cgp::parse(&args.cgp, &kit.dictionary, &kit.layout)?;
    let alphabet = kit.dictionary.alphabet();
    if let Some(rack) = &args.rack {
        cgp.racks[0] = alphabet.encode_rack(rack)?;
    }
    if cgp.racks[0].is_empty() || cgp.racks[0].len() > 7 {
        bail!("a rack holds one to seven tiles");
    }
    let Some(hidden) = unseen(&kit.dictionary, &cgp.board, &cgp.racks[0]) else { bail!("more tiles than a set has") };
    let situation = Situation {
        board: &cgp.board,
        rack: &cgp.racks[0],
        unseen: &hidden,
        other_rack: hidden.len().min(7),
        lead: cgp.scores[0] - cgp.scores[1],
        inference: None,
        outlook: Some(&kit.outlook),
    };
    let (iterations, time) = match args.thinking.think() {
        Think::Time(time) => (u64::MAX, Some(time)),
        Think::Tries(tries) => (tries, None),
    };
    let effort = Effort { candidates: args.candidates, iterations, time, seed: args.seed, parallel: args.threads > 1 };
    let work = || simulate(&kit.quick(Style::Static), &kit.win, &situation, effort, &AtomicBool::new(false));
    let result = if args.threads > 1 {
        rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?.install(work)
    } else {
        work()
    };
    let text = |turn: &Turn| match turn {
        Turn::Play(play) => notation::play_text(alphabet, &cgp.board, play),
        Turn::Exchange(tiles) => format!("exchange {}", alphabet.decode(tiles)),
        Turn::Pass => "pass".into(),
    };
    if args.json {
        let list: Vec<_> = result
            .candidates
            .iter()
            .map(|c| {
                serde_json::json!({
                    "move": text(&c.turn), "score": c.score, "equity": c.mean, "static_equity": c.equity as f64 / 1000.0,
                    "win_probability": c.win, "tries": c.tries, "dropped": c.dropped,
                })
            })
            .collect();
        println!("{}", serde_json::json!({ "moves": list, "tries": result.tries, "seconds": result.seconds }));
    } else {
        println!("{} tries in {:.2} s", result.tries, result.seconds);
        for c in &result.candidates {
            let mark = if c.dropped { "dropped" } else { "" };
            println!(
                "{:<24} {:>4} {:>7.1} {:>6.1}% {:>6} {mark}",
                text(&c.turn),
                c.score,
                c.mean,
                c.win * 100.0,
                c.tries
            );
        }
    }
    Ok(())
}
