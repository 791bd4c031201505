//! `parlour scrabble endgame`: solve a position with an empty bag.

use super::lexicons;
use anyhow::{Result, bail};
use scrabble::engine::endgame::{Endgame, EndgameLimits, ProofStatus};
use scrabble::formats::{Cgp, notation};
use scrabble::{Layout, unseen, with_graph};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// The position as CGP: board, racks (to move first), scores, turns without a score
    #[arg(long)]
    cgp: String,
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Time limit in seconds; a stopped search reports a bound
    #[arg(long)]
    seconds: Option<f64>,
    /// Node limit; a stopped search reports a bound
    #[arg(long)]
    nodes: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let dictionary = lexicons::dictionary(&args.lexicon)?;
    let layout = Layout::named("standard").expect("the standard board is shipped");
    let mut cgp = Cgp::parse(&args.cgp, &dictionary, &layout)?;
    let seen = cgp.racks.concat();
    let Some(hidden) = unseen(&dictionary, &cgp.board, &seen) else { bail!("more tiles than a set has") };
    if cgp.racks[1].is_empty() && hidden.len() <= 7 {
        cgp.racks[1] = hidden.clone();
    }
    let alphabet = dictionary.alphabet();
    let endgame = Endgame {
        dictionary: &dictionary,
        layout: &layout,
        board: cgp.board.clone(),
        racks: cgp.racks.clone(),
        passed: cgp.idle > 0,
    };
    let limits = EndgameLimits { nodes: args.nodes, time: args.seconds.map(Duration::from_secs_f64), depth: None };
    let solution = endgame.solve(limits);
    let mut board = cgp.board.clone();
    let mut line = Vec::new();
    for step in &solution.line {
        match step {
            Some(play) => {
                line.push(format!("{} {}", notation::play_text(alphabet, &board, play), play.score));
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
