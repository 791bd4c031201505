//! `parlour gomoku solve`: searches for a forced win by fours (VCF), or by fours and threes (VCT).

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use gomoku::engine::{ProofNode, Solution, SolveKind, SolverRequest, Verdict, solve_request};
use serde_json::{Value, json};

use super::position::{Given, PositionArgs, names};

#[derive(clap::Args)]
#[command(after_help = "Example: parlour gomoku solve --stones h8i9h9i8h7 --kind vct --ms 2000")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Solve every line of this file: stones, or name, side (1 black, 2 white) and stones separated by tabs
    #[arg(long, conflicts_with_all = ["stones", "side"])]
    file: Option<PathBuf>,
    /// Attacking moves: only fours (vcf), or fours and threes (vct)
    #[arg(long, value_enum, default_value = "vct")]
    kind: Kind,
    /// Time limit in milliseconds
    #[arg(long, default_value_t = 1000)]
    ms: u64,
    /// Node limit instead of the time limit (reproducible)
    #[arg(long)]
    nodes: Option<u64>,
    /// Largest proof tree to export, in nodes; 0 exports none
    #[arg(long, default_value_t = 0)]
    proof: usize,
    /// Print one JSON object, or one per line of the file
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    Vcf,
    Vct,
}

/// Milliseconds left for printing and for ending the process.
const RESERVE_MS: u64 = 40;

pub fn run(args: Args) -> Result<()> {
    let Some(file) = &args.file else {
        let given = args.position.read()?;
        let solution = solve(&args, &given)?;
        if args.json {
            println!("{}", as_json(&solution, given.size));
        } else {
            print(&solution, given.size);
        }
        return Ok(());
    };
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let (mut problems, mut wins, mut nodes) = (0, 0, 0);
    for (number, line) in (1..).zip(text.lines()) {
        let place = || format!("{}, line {number}", file.display());
        let Some((name, given)) = problem(&args.position, line, file, number).with_context(place)? else { continue };
        let solution = solve(&args, &given).with_context(place)?;
        problems += 1;
        wins += u64::from(solution.verdict == Verdict::Win);
        nodes += solution.nodes;
        let mut found = as_json(&solution, given.size);
        if args.json {
            found["line_number"] = json!(number);
            found["name"] = json!(name);
            println!("{found}");
        } else {
            let line = names(&solution.line, given.size).join(" ");
            println!("{number}\t{}\t{}\t{line}", found["status"].as_str().unwrap_or_default(), solution.nodes);
        }
    }
    eprintln!("{wins} of {problems} won, {nodes} nodes");
    Ok(())
}

/// A problem of a file; none for a head line or an empty one.
fn problem(options: &PositionArgs, line: &str, file: &Path, number: usize) -> Result<Option<(String, Given)>> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let (name, side, stones) = match fields[..] {
        [stones] => ("", None, stones),
        [name, side, stones, ..] => match side.parse::<u8>() {
            Ok(side @ 1..=2) => (name, Some(side), stones),
            _ if number == 1 => return Ok(None),
            _ => bail!("{}: the side is {side:?}, not 1 or 2", file.display()),
        },
        _ => bail!("{}: neither stones nor name, side and stones", file.display()),
    };
    if stones.is_empty() || stones.starts_with('#') {
        return Ok(None);
    }
    let given =
        PositionArgs { rule: options.rule.clone(), size: options.size, stones: stones.to_owned(), side }.read()?;
    Ok(Some((name.to_owned(), given)))
}

fn solve(args: &Args, given: &Given) -> Result<Solution> {
    let kind = match args.kind {
        Kind::Vcf => SolveKind::Vcf,
        Kind::Vct => SolveKind::Vct,
    };
    let time = Duration::from_millis(args.ms.saturating_sub(RESERVE_MS).max(args.ms / 2));
    let request = SolverRequest {
        rule: given.rule,
        size: given.size,
        stones: &given.stones,
        attacker: given.mover,
        kind,
        time: args.nodes.is_none().then_some(time),
        nodes: args.nodes,
        proof: args.proof,
    };
    Ok(solve_request(&request)?)
}

fn as_json(solution: &Solution, size: u8) -> Value {
    let status = match solution.verdict {
        Verdict::Win => "win",
        Verdict::None => "none",
        Verdict::Unknown => "unknown",
    };
    json!({
        "status": status,
        "line": names(&solution.line, size),
        "nodes": solution.nodes,
        "seconds": solution.elapsed.as_secs_f64(),
        "ms": solution.elapsed.as_millis() as u64,
        "proof": solution.proof.as_ref().map(|proof| proof_json(proof, size)),
    })
}

/// A proof as nested objects: the attack, the proof after each reply, and the line where fours win.
fn proof_json(proof: &ProofNode, size: u8) -> Value {
    let replies: Vec<Value> = proof
        .replies
        .iter()
        .map(|(reply, rest)| json!({ "reply": reply.name(size).to_string(), "proof": proof_json(rest, size) }))
        .collect();
    json!({ "attack": proof.attack.name(size).to_string(), "replies": replies, "line": names(&proof.line, size) })
}

fn print(solution: &Solution, size: u8) {
    let ms = solution.elapsed.as_millis();
    match solution.verdict {
        Verdict::Win => println!("win: {}", names(&solution.line, size).join(" ")),
        Verdict::None => println!("no forced win of this kind"),
        Verdict::Unknown => println!("not decided within the limits"),
    }
    println!("{} nodes, {ms} ms", solution.nodes);
}
