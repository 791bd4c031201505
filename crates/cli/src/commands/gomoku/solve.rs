//! `parlour gomoku solve`: searches for a forced win by fours (VCF), or by fours and threes (VCT).

use std::time::Duration;

use anyhow::Result;
use gomoku::engine::{SolveKind, Verdict, solve};

use super::position::{PositionArgs, names};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku solve --stones h8i9h9i8h7 --kind vct --ms 2000")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Attacking moves: only fours (vcf), or fours and threes (vct)
    #[arg(long, value_enum, default_value = "vct")]
    kind: Kind,
    /// Time limit in milliseconds
    #[arg(long, default_value_t = 1000)]
    ms: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    Vcf,
    Vct,
}

/// Time left for printing and for ending the process.
const RESERVE_MS: u64 = 40;

pub fn run(args: Args) -> Result<()> {
    let given = args.position.read()?;
    let kind = match args.kind {
        Kind::Vcf => SolveKind::Vcf,
        Kind::Vct => SolveKind::Vct,
    };
    let time = Duration::from_millis(args.ms.saturating_sub(RESERVE_MS).max(args.ms / 2));
    let solution = solve(given.rule, given.size, &given.stones, given.mover, kind, time)?;
    let line = names(&solution.line, given.size);
    let status = match solution.verdict {
        Verdict::Win => "win",
        Verdict::None => "none",
        Verdict::Unknown => "unknown",
    };
    let ms = solution.elapsed.as_millis() as u64;
    if args.json {
        println!("{}", serde_json::json!({ "status": status, "line": line, "ms": ms, "nodes": solution.nodes }));
    } else {
        match solution.verdict {
            Verdict::Win => println!("win: {}", line.join(" ")),
            Verdict::None => println!("no forced win of this kind"),
            Verdict::Unknown => println!("not decided in {ms} ms"),
        }
        println!("{} positions, {ms} ms", solution.nodes);
    }
    Ok(())
}
