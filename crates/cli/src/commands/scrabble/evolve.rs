//! `parlour scrabble evolve`: the genetic algorithm of Dvořák 2006, section 6.4.

use super::atomic_file::write;
use super::lexicons;
use super::player_kit::PlayerKit;
use crate::commands::queue::QueueArgs;
use anyhow::{Context, Result};
use game::Seed;
use lab::job_submitter::JobSubmitter;
use lab::scrabble::evolve::{EvolutionRun, GeneticSettings, Judging, Measure, weights};
use lab::scrabble::fitness::{FitnessSetup, collect};
use lab::scrabble::language_files::Sources;
use lab::scrabble::regret::RegretPositions;
use lab::scrabble::static_fit;
use scrabble::players::{LetterTerms, PhaseWeights};
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Lexicon file or name
    #[arg(long, default_value = "cs")]
    lexicon: String,
    /// Evolve Dvořák's own functions h1 and h3 instead of the learned letter values
    #[arg(long, alias = "study")]
    dvorak: bool,
    /// Players per generation
    #[arg(long, default_value_t = 100)]
    population: usize,
    /// Games per player against greedy
    #[arg(long, default_value_t = 30)]
    games: u64,
    /// Successive-halving rounds: after each, the better half doubles its games
    #[arg(long, default_value_t = 1)]
    rounds: u32,
    /// Use mean spread as fitness instead of wins
    #[arg(long)]
    spread: bool,
    /// Play no games: score weights by their static regret on the positions of this many recorded games
    #[arg(long, conflicts_with_all = ["games", "rounds", "spread"])]
    regret: Option<u64>,
    /// Start around these weights: a file, or `static` for the least-squares fit to the static player
    #[arg(long)]
    from: Option<String>,
    /// Standard deviation of a mutation and of the first generation
    #[arg(long, default_value_t = 1.0)]
    step: f64,
    /// Last generation
    #[arg(long, default_value_t = 40)]
    generations: u32,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File of the run, written after every generation; resumes if it exists
    #[arg(long)]
    run: PathBuf,
    /// Output file of the best weights
    #[arg(long)]
    out: PathBuf,
    /// Output file of the fitness plot (SVG)
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Players per queue job; with --regret, games per job
    #[arg(long, value_name = "PLAYERS", default_value_t = 10)]
    chunk: u64,
    /// Concurrent jobs when this process does the work
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    queue: QueueArgs,
}

pub fn run(args: Args) -> Result<()> {
    let kit = PlayerKit::load(&args.lexicon)?;
    let letters = if args.dvorak { LetterTerms::Printed } else { LetterTerms::Learned(&kit.language.leaves) };
    let settings = GeneticSettings { population: args.population, step: args.step, ..Default::default() };
    let mut run = match (std::fs::read_to_string(&args.run), &args.from) {
        (Ok(text), _) => EvolutionRun::parse(&text).map_err(anyhow::Error::msg)?,
        (Err(_), None) => EvolutionRun::new(settings, args.seed),
        (Err(_), Some(from)) => {
            let centre = start(&kit, letters, from, args.seed)?;
            write(&args.out, centre.to_text().as_bytes())?;
            EvolutionRun::around(settings, args.seed, &centre)
        }
    };
    let measure = if args.spread { Measure::Spread } else { Measure::Wins };
    let judging = Judging { measure, games: args.games, rounds: args.rounds };
    let queue = args.queue.open(args.threads)?;
    let code = kit.language.dictionary.alphabet().code();
    let sources = Sources {
        lexicon: lexicons::path(&args.lexicon)?,
        leaves: lexicons::pack(&format!("lexicon/{code}.leaves")),
        positional: lexicons::pack(&format!("lexicon/{code}.outlook")),
    };
    let setup = FitnessSetup { sources, dvorak: args.dvorak, chunk: args.chunk };
    let cases = args.regret.map(|games| positions(queue.submitter(), &setup, games, args.seed)).transpose()?;
    let started = Instant::now();
    let first = run.generation.number;
    while run.generation.number < args.generations {
        match &cases {
            Some(cases) => run.step_by_regret(cases),
            None => run.step(queue.submitter(), &setup, judging)?,
        }
        write(&args.run, run.to_text().as_bytes())?;
        write(&args.out, weights(&run.champion).to_text().as_bytes())?;
        if let Some(plot) = &args.plot {
            write(plot, run.plot().map_err(anyhow::Error::msg)?.as_bytes())?;
        }
        let last = run.history.last().copied();
        let done = (run.generation.number - first) as f64;
        let left = started.elapsed().as_secs_f64() / done * (args.generations - run.generation.number) as f64;
        if let Some(p) = last {
            eprintln!(
                "generation {}: best {:.1}%, mean {:.1}%, {left:.0} s left",
                p.generation,
                p.best * 100.0,
                p.mean * 100.0
            );
        }
    }
    if let Some(cases) = &cases {
        let regret = |weights: &PhaseWeights| cases.regret(weights);
        eprintln!(
            "regret in points a game: greedy {:.2}, shipped weights {:.2}, evolved {:.2}",
            regret(&PhaseWeights::GREEDY),
            regret(if args.dvorak { &kit.language.dvorak_weights } else { &kit.language.weights }),
            regret(&weights(&run.champion))
        );
    }
    Ok(())
}

/// Positions on which weights are scored without games.
fn positions(submitter: JobSubmitter<'_>, setup: &FitnessSetup, games: u64, seed: u64) -> Result<RegretPositions> {
    let mut shown = 0;
    let cases = collect(submitter, setup, games, Seed(seed), |done| {
        if done >= shown + 500 || done == games {
            shown = done;
            eprintln!("{done} of {games} games");
        }
    })?;
    eprintln!("positions by phase: {:?}", cases.phases());
    Ok(cases)
}

/// Games of the least-squares fit to the static player.
const FIT_GAMES: u64 = 1000;

fn start(kit: &PlayerKit, letters: LetterTerms<'_>, from: &str, seed: u64) -> Result<PhaseWeights> {
    if from == "static" {
        return Ok(static_fit::nearest(&kit.static_player(), letters, FIT_GAMES, Seed(seed)));
    }
    let text = std::fs::read_to_string(from).with_context(|| from.to_owned())?;
    PhaseWeights::parse(&text).map_err(anyhow::Error::msg)
}
