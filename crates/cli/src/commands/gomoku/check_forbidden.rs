//! `parlour gomoku check-forbidden`: compares the fast test of forbidden points with the slow oracle on random boards.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail};
use gomoku::eval::{ForbiddenCheck, check_forbidden};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku check-forbidden --positions 100000")]
pub struct Args {
    /// Number of random boards
    #[arg(long, default_value_t = 1_000_000)]
    positions: u64,
    /// Seed of the random boards
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads
    #[arg(long, default_value_t = 2)]
    workers: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Boards that share one generator; the result does not depend on the number of workers.
const CHUNK: u64 = 1_000;

pub fn run(args: Args) -> Result<()> {
    let chunks = args.positions.div_ceil(CHUNK);
    let next = AtomicU64::new(0);
    let work = || {
        let mut sum = ForbiddenCheck::default();
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks || sum.mismatch.is_some() {
                return sum;
            }
            let count = CHUNK.min(args.positions - chunk * CHUNK);
            add(&mut sum, check_forbidden(count, args.seed.wrapping_add(chunk.wrapping_mul(0x9e37_79b9))));
            if !args.json && chunk % 50 == 49 {
                eprintln!("{} of {} boards", (chunk + 1) * CHUNK, args.positions);
            }
        }
    };
    let mut total = ForbiddenCheck::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.workers.max(1)).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            add(&mut total, worker.join().expect("a worker does not panic"));
        }
    });
    if args.json {
        let answer = serde_json::json!({
            "positions": total.positions,
            "points": total.points,
            "overlines": total.overlines,
            "double_fours": total.double_fours,
            "double_threes": total.double_threes,
            "mismatches": u8::from(total.mismatch.is_some()),
        });
        println!("{answer}");
    } else {
        println!(
            "{} boards, {} points: {} overlines, {} double fours, {} double threes",
            total.positions, total.points, total.overlines, total.double_fours, total.double_threes
        );
    }
    if let Some(found) = total.mismatch {
        bail!(
            "the quick check says {:?}, the slow one {:?} at {:?} of {:?}",
            found.quick,
            found.slow,
            found.point,
            found.setup
        );
    }
    Ok(())
}

fn add(sum: &mut ForbiddenCheck, part: ForbiddenCheck) {
    sum.positions += part.positions;
    sum.points += part.points;
    sum.overlines += part.overlines;
    sum.double_fours += part.double_fours;
    sum.double_threes += part.double_threes;
    if sum.mismatch.is_none() {
        sum.mismatch = part.mismatch;
    }
}
