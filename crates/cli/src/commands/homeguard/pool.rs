//! `parlour homeguard pool`: measures prepared maps, the file `data/homeguard/maps.txt`.

use std::path::PathBuf;

use anyhow::Result;
use homeguard::rules::Size;
use homeguard::taste::Pool;
use homeguard::tree::TreeMaker;

#[derive(clap::Args)]
pub struct Args {
    /// File to write
    out: PathBuf,
    /// Plainly random maps, the reference of all scales
    #[arg(long, default_value_t = 400)]
    plain: usize,
    /// Maps of other densities and forms
    #[arg(long, default_value_t = 1100)]
    varied: usize,
    /// Side of the board
    #[arg(long, default_value_t = 11)]
    size: usize,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(args: Args) -> Result<()> {
    let size = Size::new(args.size)?;
    let total = args.plain.max(10) + args.varied;
    let begun = std::time::Instant::now();
    let pool = Pool::generate(size, args.plain, args.varied, args.seed, &mut TreeMaker::new(), |done| {
        if done % 100 == 0 {
            let left = begun.elapsed().as_secs_f64() / done as f64 * (total - done) as f64;
            eprintln!("{done} of {total} maps, about {left:.0} s left");
        }
    });
    ::lab::homeguard::trees::write_atomically(&args.out, pool.to_records().to_text().as_bytes())?;
    println!("{} maps in {}", pool.maps().len(), args.out.display());
    Ok(())
}
