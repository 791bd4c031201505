//! `parlour homeguard generate`: proposes maps for a profile.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use homeguard::engine::generator::{EmbeddingLibrary, GeneratorState};
use homeguard::engine::preference::features::FEATURES;
use homeguard::engine::preference::{MapPool, ProposalKind, ProposalParams, RatedFeatures, propose};
use homeguard::engine::tree::TreeMaker;
use homeguard::formats::{Blank, map_to_text};
use homeguard::rules::Size;

use super::map_files::{load_encoder, load_pool, read_profile, shared_ratings};
use super::sindelar_params::SindelarArgs;

/// Prepared maps with embeddings.
pub const PREPARED: usize = 200;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour homeguard generate --profile me.json -n 3")]
pub struct Args {
    /// Profile file (JSON); a missing file is an empty profile
    #[arg(long)]
    profile: PathBuf,
    /// Method: model (the preference model) or sindelar (the generator of Šindelář 2024)
    #[arg(long, default_value = "model")]
    method: String,
    /// Number of maps
    #[arg(short = 'n', long = "count", default_value_t = 1)]
    count: usize,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Side of the board in cells: 7, 9, 11, 13 or 15
    #[arg(long, default_value_t = 11)]
    size: usize,
    /// Choose among precomputed maps only; evolve none
    #[arg(long)]
    prepared_only: bool,
    /// Prefer maps with uncertain predictions; without this flag the bonus ends after 20 ratings
    #[arg(long)]
    explore: bool,
    /// Add the developer ratings that come with the program
    #[arg(long, conflicts_with = "own_ratings_only")]
    use_shared: bool,
    /// Ignore ratings imported from other profiles
    #[arg(long)]
    own_ratings_only: bool,
    /// Data folder
    #[arg(long)]
    data: Option<PathBuf>,
    /// Print a JSON array
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sindelar: SindelarArgs,
}

pub fn run(args: Args) -> Result<()> {
    let mut profile = read_profile(&args.profile)?;
    if args.own_ratings_only {
        profile.ratings.retain(|rated| !rated.shared);
    }
    if args.use_shared {
        profile.import(&shared_ratings(args.data.as_deref())?);
    }
    let pool = load_pool(args.data.as_deref(), Size::new(args.size)?)?;
    let mut maker = TreeMaker::new();
    let rated = profile.rated(&mut maker)?;
    match args.method.as_str() {
        "model" => {}
        "sindelar" => return generate_sindelar(&args, &pool, &rated),
        other => bail!("--method {other}: use model or sindelar"),
    }
    let mut params = ProposalParams::usual(args.count, args.seed, rated.len());
    if args.prepared_only {
        params.evolve = 0;
    }
    if args.explore {
        params.exploration = 1.0;
    }
    let proposals = propose(&pool, &rated, &[], params, &mut maker);
    if args.json {
        let list: Vec<serde_json::Value> = proposals
            .iter()
            .map(|p| {
                serde_json::json!({
                    "map": map_to_text(&p.map, Blank::Dot),
                    "predicted": p.predicted.mean,
                    "uncertainty": p.predicted.deviation,
                    "why": p.why(),
                    "kind": kind(p.kind),
                    "reasons": p.reasons.iter().map(|r| serde_json::json!({
                        "feature": FEATURES[r.feature].id, "high": r.high, "effect": r.effect,
                    })).collect::<Vec<_>>(),
                })
            })
            .collect();
        println!("{}", serde_json::Value::Array(list));
        return Ok(());
    }
    for (number, p) in proposals.iter().enumerate() {
        println!(
            "map {} of {}: expected {:+.1} ± {:.1}, {}",
            number + 1,
            proposals.len(),
            p.predicted.mean,
            p.predicted.deviation,
            p.why()
        );
        println!("{}\n", map_to_text(&p.map, Blank::Dot));
    }
    Ok(())
}

/// Encoder, elimination, fitness, CVT-MAP-Elites.
fn generate_sindelar(args: &Args, pool: &MapPool, rated: &[RatedFeatures]) -> Result<()> {
    let params = args.sindelar.params(args.seed)?;
    let encoder = load_encoder(args.sindelar.encoder.as_deref(), args.data.as_deref())?;
    let mut state = match args.sindelar.resume.as_deref().filter(|path| path.is_file()) {
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            serde_json::from_str(&text).with_context(|| path.display().to_string())?
        }
        None => GeneratorState::default(),
    };
    let mut library = EmbeddingLibrary::new(pool, encoder, PREPARED);
    let maps = library.generate(rated, &params, args.count, &mut state);
    if let Some(path) = &args.sindelar.resume {
        ::lab::homeguard::trees::write_atomically(path, serde_json::to_string(&state)?.as_bytes())?;
    }
    if args.json {
        let list: Vec<serde_json::Value> = maps
            .iter()
            .map(|m| {
                serde_json::json!({
                    "map": map_to_text(&m.map, Blank::Dot), "fitness": m.fitness, "kind": "sindelar",
                })
            })
            .collect();
        println!("{}", serde_json::Value::Array(list));
        return Ok(());
    }
    for (number, m) in maps.iter().enumerate() {
        println!("map {} of {}: fitness {:.3} among {} maps", number + 1, maps.len(), m.fitness, state.genomes.len());
        println!("{}\n", map_to_text(&m.map, Blank::Dot));
    }
    Ok(())
}

fn kind(kind: ProposalKind) -> &'static str {
    match kind {
        ProposalKind::GettingToKnow => "getting_to_know",
        ProposalKind::Liked => "liked",
        ProposalKind::Surprise => "surprise",
    }
}
