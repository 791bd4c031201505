//! `parlour gomoku problems`: makes problems with a proved win and a unique first move.

use anyhow::{Result, ensure};
use gomoku::engine::SolveKind;
use gomoku::formats::plain;
use gomoku::rules::{Color, MAX_SIZE, MIN_SIZE, Rule};
use lab::gomoku::problems::{Problem, ProblemPlan, make};

use super::position::names;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku problems --kind vct --min-moves 6 --count 20 > problems.tsv")]
pub struct Args {
    /// Kind of win: only fours (vcf), or fours and threes without a win by fours (vct)
    #[arg(long, value_enum, default_value = "vct")]
    kind: Kind,
    /// Minimum number of the attacker's moves
    #[arg(long, default_value_t = 5)]
    min_moves: usize,
    /// Number of problems
    #[arg(long, default_value_t = 10)]
    count: usize,
    /// Solver nodes per position
    #[arg(long, default_value_t = 40_000)]
    nodes: u64,
    /// Rule: freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board size in points
    #[arg(long, default_value_t = 15)]
    size: u8,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print a JSON line per problem instead of tab-separated columns
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    Vcf,
    Vct,
}

pub fn run(args: Args) -> Result<()> {
    ensure!((MIN_SIZE..=MAX_SIZE).contains(&args.size), "--size: {} is not {MIN_SIZE} to {MAX_SIZE}", args.size);
    let kind = match args.kind {
        Kind::Vcf => SolveKind::Vcf,
        Kind::Vct => SolveKind::Vct,
    };
    let Args { min_moves, count, nodes, rule, size, seed, json, .. } = args;
    let plan = ProblemPlan { rule, size, kind, min_moves, count, nodes: nodes.max(1_000), seed };
    if !json {
        println!("problem\tside to move (1 black, 2 white)\tstones in order (black first)\tsolution");
    }
    make(&plan, &mut |problem| print(problem, size, json))?;
    Ok(())
}

fn print(problem: &Problem, size: u8, json: bool) {
    let side = if problem.attacker == Color::Black { 1 } else { 2 };
    let (stones, line) = (plain::write(&problem.stones, size), names(&problem.line, size));
    let moves = problem.moves();
    if json {
        println!("{}", serde_json::json!({ "stones": stones, "side": side, "moves": moves, "line": line }));
    } else {
        println!("win in {moves}\t{side}\t{stones}\t{}", line.join(" "));
    }
}
