//! `parlour homeguard oracle`: the damage table against slow line-of-fire geometry on random maps.

use anyhow::{Result, bail};
use homeguard::rules::maps::{CheckersGenerator, GeneWeights, PortalRules, random_map};
use homeguard::rules::{Battlefield, Size, oracle};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour homeguard oracle --maps 1000")]
pub struct Args {
    /// Number of random maps of all sizes and densities
    #[arg(long, default_value_t = 10_000)]
    maps: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let found: Vec<(Size, oracle::DamageComparison)> = (0..args.maps)
        .into_par_iter()
        .map(|number| {
            let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
            rng.set_stream(number);
            let size = Size::ALL[rng.random_range(0..Size::ALL.len())];
            let weights = GeneWeights([rng.random::<f64>() + 0.1, rng.random(), rng.random()]);
            let board =
                Battlefield::new(random_map(size, &CheckersGenerator, weights, PortalRules::default(), &mut rng));
            (size, oracle::compare(&board))
        })
        .collect();
    let pairs: u64 = found.iter().map(|(_, comparison)| comparison.pairs).sum();
    let wrong: Vec<_> = found.iter().enumerate().filter_map(|(n, (size, c))| c.wrong.map(|w| (n, size, w))).collect();
    if let Some((number, size, first)) = wrong.first() {
        bail!(
            "{} of {} maps differ; the first is map {number} of seed {} ({size}): {first:?}",
            wrong.len(),
            args.maps,
            args.seed
        );
    }
    if args.json {
        println!("{}", serde_json::json!({ "maps": args.maps, "pairs": pairs, "different": 0 }));
    } else {
        println!("{} maps, {pairs} pairs of cells: the table equals the oracle everywhere", args.maps);
    }
    Ok(())
}
