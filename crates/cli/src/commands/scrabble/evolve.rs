//! `parlour scrabble evolve`, `parlour scrabble outlook` and `parlour scrabble chances`

use super::lexicons;
use super::players::Kit;
use crate::commands::queue::QueueArgs;
use anyhow::{Context, Result};
use game::Seed;
use lab::job_submitter::JobSubmitter;
use lab::scrabble::evolve::{Judging, Measure, Run, Settings, weights};
use lab::scrabble::fitness::{Hall, collect};
use lab::scrabble::regret::Cases;
use lab::scrabble::shelf::Sources;
use lab::scrabble::{chances, likeness, outlook};
use scrabble::players::{Letters, Style, Weights};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Lexicon file or name
    #[arg(long, default_value = "cs")]
    lexicon: String,
    /// Evolve the study's own functions of letters instead of the learned ones
    #[arg(long)]
    study: bool,
    /// Players in a generation
    #[arg(long, default_value_t = 100)]
    population: usize,
    /// Games against greedy per player
    #[arg(long, default_value_t = 30)]
    games: u64,
    /// Rounds: after each but the last the better half plays on and doubles its games
    #[arg(long, default_value_t = 1)]
    rounds: u32,
    /// Count points ahead instead of wins
    #[arg(long)]
    spread: bool,
    /// Play no games against greedy: judge by what the static player thinks of the turns chosen in the positions of so
    /// many games of its own
    #[arg(long, conflicts_with_all = ["games", "rounds", "spread"])]
    regret: Option<u64>,
    /// Scatter the first generation around these weights: a file, or `static` for those with which the weighted
    /// player thinks most like the static one
    #[arg(long)]
    from: Option<String>,
    /// Size of a mutation, and of the first generation's scatter
    #[arg(long, default_value_t = 1.0)]
    step: f64,
    /// Generations to reach
    #[arg(long, default_value_t = 40)]
    generations: u32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The run's file: written after every generation, and gone on with when it exists
    #[arg(long)]
    run: PathBuf,
    /// Where to write the best weights
    #[arg(long)]
    out: PathBuf,
    /// Where to draw fitness over generations (SVG)
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Players in one job of the queue; with --regret, games
    #[arg(long, value_name = "PLAYERS", default_value_t = 10)]
    chunk: u64,
    /// Jobs at once, if they are done by this process
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[command(flatten)]
    queue: QueueArgs,
}

#[derive(clap::Args)]
pub struct Chances {
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    #[arg(long, default_value_t = 2000)]
    games: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long)]
    out: PathBuf,
}

#[derive(clap::Args)]
pub struct Outlook {
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    #[arg(long, default_value_t = 3000)]
    positions: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long)]
    out: PathBuf,
}

pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let part = path.with_extension("part");
    std::fs::write(&part, bytes).with_context(|| format!("{}", part.display()))?;
    std::fs::rename(&part, path).with_context(|| format!("{}", path.display()))
}

pub fn run(args: Args) -> Result<()> {
    let kit = Kit::load(&args.lexicon)?;
    let letters = if args.study { Letters::Points } else { Letters::Learned(&kit.leaves) };
    let settings = Settings { population: args.population, step: args.step, ..Default::default() };
    let mut run = match (std::fs::read_to_string(&args.run), &args.from) {
        (Ok(text), _) => Run::parse(&text).map_err(anyhow::Error::msg)?,
        (Err(_), None) => Run::new(settings, args.seed),
        (Err(_), Some(from)) => {
            let centre = start(&kit, letters, from, args.seed)?;
            write(&args.out, centre.to_text().as_bytes())?;
            Run::around(settings, args.seed, &centre)
        }
    };
    let measure = if args.spread { Measure::Spread } else { Measure::Wins };
    let judging = Judging { measure, games: args.games, rounds: args.rounds };
    let queue = args.queue.open(args.threads)?;
    let code = kit.dictionary.alphabet().code();
    let sources = Sources {
        lexicon: lexicons::path(&args.lexicon)?,
        leaves: lexicons::pack(&format!("lexicon/{code}.leaves")),
        outlook: lexicons::pack(&format!("lexicon/{code}.outlook")),
    };
    let hall = Hall { sources, study: args.study, chunk: args.chunk };
    let cases = args.regret.map(|games| positions(queue.submitter(), &hall, games, args.seed)).transpose()?;
    let started = Instant::now();
    let first = run.generation.number;
    while run.generation.number < args.generations {
        match &cases {
            Some(cases) => run.step_by_regret(cases),
            None => run.step(queue.submitter(), &hall, judging)?,
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
        let regret = |weights: &Weights| cases.regret(weights);
        eprintln!(
            "points a game below the static player: greedy {:.2}, weights as shipped {:.2}, evolved {:.2}",
            regret(&Weights::GREEDY),
            regret(if args.study { &kit.study_weights } else { &kit.weights }),
            regret(&weights(&run.champion))
        );
    }
    Ok(())
}

/// Positions on which weights are judged without games.
fn positions(submitter: JobSubmitter<'_>, hall: &Hall, games: u64, seed: u64) -> Result<Cases> {
    let mut shown = 0;
    let cases = collect(submitter, hall, games, Seed(seed), |done| {
        if done >= shown + 500 || done == games {
            shown = done;
            eprintln!("{done} of {games} games");
        }
    })?;
    eprintln!("positions by phase: {:?}", cases.phases());
    Ok(cases)
}

/// Games from which the weights nearest to the static player are found.
const LIKENESS_GAMES: u64 = 1000;

fn start(kit: &Kit, letters: Letters<'_>, from: &str, seed: u64) -> Result<Weights> {
    if from == "static" {
        return Ok(likeness::nearest(&kit.static_player(), letters, LIKENESS_GAMES, Seed(seed)));
    }
    let text = std::fs::read_to_string(from).with_context(|| from.to_owned())?;
    Weights::parse(&text).map_err(anyhow::Error::msg)
}

pub fn learn_outlook(args: Outlook) -> Result<()> {
    let kit = Kit::load(&args.lexicon)?;
    let mut evidence = outlook::Evidence::default();
    let started = Instant::now();
    let report = |evidence: &outlook::Evidence| {
        let (without, with) = evidence.error(&evidence.outlook());
        eprintln!("held back: mean squared gain {without:.2} without prices, {with:.2} with them");
    };
    let quick = kit.quick(Style::Static);
    outlook::learn(&quick, &kit.win, Seed(args.seed), args.positions, &mut evidence, |evidence| {
        if evidence.positions.is_multiple_of(500) {
            let left = args.positions - evidence.positions;
            let seconds = started.elapsed().as_secs_f64() / evidence.positions as f64 * left as f64;
            eprintln!("{} of {} positions, {seconds:.0} s left", evidence.positions, args.positions);
            report(evidence);
            return write(&args.out, evidence.outlook().to_text().as_bytes());
        }
        Ok(())
    })?;
    report(&evidence);
    write(&args.out, evidence.outlook().to_text().as_bytes())
}

pub fn learn_chances(args: Chances) -> Result<()> {
    let kit = Kit::load(&args.lexicon)?;
    let model = chances::learn(&kit.quick(Style::Static), args.games, Seed(args.seed), |done| {
        if done % 200 == 0 {
            eprintln!("{done} of {} games", args.games);
        }
    });
    write(&args.out, &model.to_bytes())
}
