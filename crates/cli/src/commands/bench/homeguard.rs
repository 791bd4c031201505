//! `parlour bench homeguard`: tree nodes and MAP-Elites evaluations per second of one thread's processor time.

use anyhow::Result;
use evolve::{Genomes, MapElites, MapElitesSettings};
use homeguard::engine::preference::plain_map;
use homeguard::engine::tree::{Enemy, PlaythroughTree, TreeMaker, TreeSettings};
use homeguard::rules::{Battlefield, Size};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::cpu;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour bench homeguard --json")]
pub struct Args {
    /// Number of trees against each enemy
    #[arg(long, default_value_t = 60)]
    trees: u64,
    /// Number of MAP-Elites evaluations
    #[arg(long, default_value_t = 128_000)]
    evaluations: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Nodes and seconds of growing trees of depth 16 with 500 branches.
fn grow(enemy: Enemy, trees: u64) -> (u64, f64, u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let settings = TreeSettings::sindelar(4, 500, 0.0).against(enemy);
    let mut maker = TreeMaker::new();
    let mut tree = PlaythroughTree::default();
    let (mut nodes, mut signature) = (0, 0u64);
    let start = cpu::thread_seconds();
    for seed in 0..trees {
        let board = Battlefield::new(plain_map(Size::DEFAULT, &mut rng));
        maker.make_into(&board, &settings, seed, &mut tree).expect("pruned trees fit");
        nodes += tree.nodes();
        for branch in 0..tree.branches() {
            for score in tree.scores(branch) {
                signature = signature.wrapping_mul(0x0100_0000_01B3) ^ *score as u16 as u64;
            }
        }
    }
    (nodes, cpu::thread_seconds() - start, signature)
}

fn elites(evaluations: usize) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut archive = MapElites::new(MapElitesSettings::new(60, &[0.6, 0.2, 0.2]), &mut rng);
    let mut children = Genomes::new(60);
    let start = cpu::thread_seconds();
    for _ in 0..evaluations.div_ceil(64) {
        archive.ask(64, &mut children, &mut rng);
        let fitness: Vec<f64> = children.iter().map(|g| g.iter().map(|v| f64::from(*v)).sum()).collect();
        archive.tell(&children, &fitness);
    }
    archive.made() as f64 / (cpu::thread_seconds() - start)
}

pub fn run(args: Args) -> Result<()> {
    // warm-up: tables and memory exist before the clock starts
    grow(Enemy::GreedyPolicy, 2);
    let (greedy, greedy_s, greedy_signature) = grow(Enemy::GreedyPolicy, args.trees);
    let (maximin, maximin_s, maximin_signature) = grow(Enemy::MaximinPolicy, args.trees);
    let per_s = elites(args.evaluations);
    let rate = |nodes: u64, seconds: f64| (nodes as f64 / seconds).round() as u64;
    let signature = format!("{:016x}", greedy_signature ^ maximin_signature.rotate_left(1));
    if args.json {
        println!(
            "{}",
            serde_json::json!({
                "greedy_nodes_per_s": rate(greedy, greedy_s),
                "maximin_nodes_per_s": rate(maximin, maximin_s),
                "trees_per_s": args.trees as f64 / greedy_s,
                "map_elites_per_s": per_s.round() as u64,
                "signature": signature,
            })
        );
        return Ok(());
    }
    println!("trees of depth 16, 500 branches: {:.1} a second", args.trees as f64 / greedy_s);
    println!("{} nodes/s against greedy, {} against maximin", rate(greedy, greedy_s), rate(maximin, maximin_s));
    println!("MAP-Elites {per_s:.0} evaluations/s at 1,000 cells; signature {signature}");
    Ok(())
}
