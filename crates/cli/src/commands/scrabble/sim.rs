//! `parlour scrabble sim`: simulate the best candidates of a position.

use super::player_kit::{PlayerKit, SearchBudget};
use anyhow::{Result, bail};
use scrabble::engine::MoveSort;
use scrabble::engine::simulation::{KnownPosition, SimulationBudget, simulate};
use scrabble::formats::{Cgp, notation};
use scrabble::players::Think;
use scrabble::{PlayerMove, unseen};
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
    /// Number of candidates
    #[arg(long, default_value_t = 15)]
    candidates: usize,
    #[command(flatten)]
    budget: SearchBudget,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; with --iterations any number gives the same answer
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let kit = PlayerKit::load(&args.lexicon)?;
    let mut cgp = Cgp::parse(&args.cgp, &kit.dictionary, &kit.layout)?;
    let alphabet = kit.dictionary.alphabet();
    if let Some(rack) = &args.rack {
        cgp.racks[0] = alphabet.encode_rack(rack)?;
    }
    if cgp.racks[0].is_empty() || cgp.racks[0].len() > 7 {
        bail!("a rack holds one to seven tiles");
    }
    let Some(hidden) = unseen(&kit.dictionary, &cgp.board, &cgp.racks[0]) else { bail!("more tiles than a set has") };
    let known_position = KnownPosition {
        board: &cgp.board,
        rack: &cgp.racks[0],
        unseen: &hidden,
        opponent_tiles: hidden.len().min(7),
        lead: cgp.scores[0] - cgp.scores[1],
        inference: None,
        positional: Some(&kit.positional),
    };
    let (iterations, time) = match args.budget.think() {
        Think::Time(time) => (u64::MAX, Some(time)),
        Think::Iterations(iterations) => (iterations, None),
    };
    let budget =
        SimulationBudget { candidates: args.candidates, iterations, time, seed: args.seed, parallel: args.threads > 1 };
    let work = || simulate(&kit.one_ply(MoveSort::Equity), &kit.win, &known_position, budget, &AtomicBool::new(false));
    let result = if args.threads > 1 {
        rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?.install(work)
    } else {
        work()
    };
    let text = |turn: &PlayerMove| match turn {
        PlayerMove::Play(play) => notation::play_text(alphabet, &cgp.board, play),
        PlayerMove::Exchange(tiles) => format!("exchange {}", alphabet.decode(tiles)),
        PlayerMove::Pass => "pass".into(),
    };
    if args.json {
        let list: Vec<_> = result
            .candidates
            .iter()
            .map(|c| {
                serde_json::json!({
                    "move": text(&c.turn), "score": c.score, "equity": c.mean, "static_equity": c.equity as f64 / 1000.0,
                    "win_probability": c.win, "tries": c.iterations, "dropped": c.pruned,
                })
            })
            .collect();
        println!("{}", serde_json::json!({ "moves": list, "tries": result.iterations, "seconds": result.seconds }));
    } else {
        println!("{} iterations in {:.2} s", result.iterations, result.seconds);
        for c in &result.candidates {
            let mark = if c.pruned { "dropped" } else { "" };
            println!(
                "{:<24} {:>4} {:>7.1} {:>6.1}% {:>6} {mark}",
                text(&c.turn),
                c.score,
                c.mean,
                c.win * 100.0,
                c.iterations
            );
        }
    }
    Ok(())
}
