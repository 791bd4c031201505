//! `parlour scrabble best`: the ranked moves of a position.

use super::position_args::PositionArgs;
use anyhow::Result;
use scrabble::PlayerMove;
use scrabble::engine::{MoveSort, rank_moves};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Number of moves
    #[arg(long, default_value_t = 15)]
    n: usize,
    /// List every legal play, without exchanges
    #[arg(long)]
    all: bool,
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let position = args.position.load()?;
    let player = position.kit.one_ply(MoveSort::Equity);
    let most = if args.all { usize::MAX } else { args.n };
    let mut ranked = rank_moves(&player, &position.known(&[]), most);
    if args.all {
        ranked.retain(|t| matches!(t.turn, PlayerMove::Play(_)));
    }
    if args.json {
        let entry = |t: &scrabble::engine::RankedTurn| serde_json::json!({ "move": position.text(&t.turn), "score": t.score, "equity": t.points() });
        println!("{}", serde_json::Value::from(ranked.iter().map(entry).collect::<Vec<_>>()));
    } else {
        for t in ranked {
            println!("{:<24} {:>4} {:>8.2}", position.text(&t.turn), t.score, t.points());
        }
    }
    Ok(())
}
