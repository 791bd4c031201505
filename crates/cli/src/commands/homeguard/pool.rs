//! `parlour homeguard pool`: generates and measures the precomputed maps, the file `data/homeguard/maps.txt`.

use std::path::PathBuf;

use anyhow::Result;
use homeguard::engine::preference::MapPool;
use homeguard::engine::tree::TreeMaker;
use homeguard::rules::Size;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour homeguard pool maps.txt --plain 400 --varied 1100")]
pub struct Args {
    /// Output file; the features of quick games go to play.txt in the same folder
    out: PathBuf,
    /// Number of plain random maps, the reference of all scales
    #[arg(long, default_value_t = 400)]
    plain: usize,
    /// Number of maps with other densities and structures
    #[arg(long, default_value_t = 1100)]
    varied: usize,
    /// Side of the board in cells: 7, 9, 11, 13 or 15
    #[arg(long, default_value_t = 11)]
    size: usize,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(args: Args) -> Result<()> {
    let size = Size::new(args.size)?;
    let total = args.plain.max(10) + args.varied;
    let begun = std::time::Instant::now();
    let pool = MapPool::generate(size, args.plain, args.varied, args.seed, &mut TreeMaker::new(), |done| {
        if done % 100 == 0 {
            let left = begun.elapsed().as_secs_f64() / done as f64 * (total - done) as f64;
            eprintln!("{done} of {total} maps, about {left:.0} s left");
        }
    });
    ::lab::homeguard::trees::write_atomically(&args.out, pool.to_records().to_text().as_bytes())?;
    let play = args.out.with_file_name("play.txt");
    ::lab::homeguard::trees::write_atomically(&play, pool.play_text().as_bytes())?;
    println!("{} maps in {}", pool.maps().len(), args.out.display());
    Ok(())
}
