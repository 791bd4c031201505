//! `parlour scrabble endgame`: solve a position with an empty bag.

use super::position_args::PositionArgs;
use anyhow::{Result, bail};
use scrabble::engine::endgame::{Endgame, EndgameLimits, ProofStatus};
use scrabble::formats::notation;
use scrabble::with_graph;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Time limit in seconds; a stopped search reports a bound
    #[arg(long)]
    seconds: Option<f64>,
    /// Node limit; a stopped search reports a bound
    #[arg(long)]
    nodes: Option<u64>,
    /// Take the racks of the position as complete, although tiles of the set are missing (made-up positions)
    #[arg(long)]
    partial_set: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut position = args.position.load()?;
    let given = position.cgp.racks[1].len();
    if given == 0 && position.unseen.len() <= 7 {
        position.cgp.racks[1] = position.unseen.clone();
    } else if position.unseen.len() > given && !args.partial_set {
        bail!(
            "the bag is not empty: {} tiles are unseen and the opponent's rack has {given}; `parlour scrabble \
             preendgame` takes 1 to 4 tiles in the bag, `sim` any number, and --partial-set solves made-up positions",
            position.unseen.len()
        );
    }
    let (dictionary, cgp) = (&position.kit.language.dictionary, &position.cgp);
    let endgame = Endgame {
        dictionary,
        layout: &position.kit.layout,
        board: cgp.board.clone(),
        racks: cgp.racks.clone(),
        passed: cgp.idle > 0,
    };
    let time = args.seconds.map(Duration::try_from_secs_f64).transpose()?;
    let solution = endgame.solve(EndgameLimits { nodes: args.nodes, time, depth: None });
    let mut board = cgp.board.clone();
    let mut line = Vec::new();
    for step in &solution.line {
        match step {
            Some(play) => {
                line.push(format!("{} {}", notation::play_text(dictionary.alphabet(), &board, play), play.score));
                with_graph!(dictionary, graph => { board.place(graph, dictionary.values(), play); });
            }
            None => line.push("pass".to_owned()),
        }
    }
    let status = if solution.status == ProofStatus::Proved { "proved" } else { "bound" };
    if args.json {
        let answer = serde_json::json!({
            "status": status, "value": solution.value, "seconds": solution.seconds, "nodes": solution.nodes,
            "depth": solution.depth, "line": line,
        });
        println!("{answer}");
    } else {
        println!(
            "{status}: {:+} in {:.3} s, {} nodes, depth {}",
            solution.value, solution.seconds, solution.nodes, solution.depth
        );
        line.iter().for_each(|step| println!("  {step}"));
    }
    Ok(())
}
