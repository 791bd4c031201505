//! `parlour scrabble preendgame`: solve a position with one to four tiles in the bag.

use super::position_args::PositionArgs;
use anyhow::{Result, bail};
use scrabble::engine::MoveSort;
use scrabble::engine::preendgame::{MAX_BAG, PreEndgameLimits, solve};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Number of candidates, in order of equity; a pass is always one more
    #[arg(long, default_value_t = 24)]
    candidates: usize,
    /// Time limit in seconds; moves that are not finished are marked as bounds
    #[arg(long, default_value_t = 30.0)]
    seconds: f64,
    /// Node limit per endgame
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// Use the opponent's rack of the position, which may be partial
    #[arg(long)]
    known_rack: bool,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let position = args.position.load()?;
    let opponent = if args.known_rack { position.cgp.racks[1].clone() } else { Vec::new() };
    let known = position.known(&opponent);
    let bag = known.bag();
    if !(1..=MAX_BAG).contains(&bag) {
        bail!("the bag holds {bag} tiles; the pre-endgame solver takes 1 to {MAX_BAG}");
    }
    let limits = PreEndgameLimits {
        candidates: args.candidates,
        nodes: args.nodes,
        time: Some(Duration::try_from_secs_f64(args.seconds)?),
        parallel: args.threads > 1,
        ..PreEndgameLimits::default()
    };
    let (player, win) = (position.kit.one_ply(MoveSort::Equity), &position.kit.language.win);
    let work = || solve(&player, win, &known, limits, &AtomicBool::new(false));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.max(1)).build()?;
    let Some(solution) = pool.install(work) else { bail!("the pre-endgame solver takes 1 to {MAX_BAG} tiles") };
    let status = if solution.exact { "exact" } else { "bound" };
    if args.json {
        let entry = |m: &scrabble::engine::preendgame::PreEndgameMove| {
            serde_json::json!({
                "move": position.text(&m.turn), "score": m.score, "win": m.win, "spread": m.spread, "bound": m.bound,
            })
        };
        let moves: Vec<_> = solution.moves.iter().map(entry).collect();
        let answer = serde_json::json!({
            "status": status, "moves": moves, "bag": bag, "stages": solution.stages, "seconds": solution.seconds,
        });
        println!("{answer}");
    } else {
        println!("{status}: {bag} in the bag, {} stages in {:.2} s", solution.stages, solution.seconds);
        for m in &solution.moves {
            let mark = if m.bound { "estimate" } else { "exact" };
            println!("{:<24} {:>4} {:>6.1}% {:>+8.2} {mark}", position.text(&m.turn), m.score, m.win * 100.0, m.spread);
        }
    }
    Ok(())
}
