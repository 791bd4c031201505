//! `parlour scrabble win-model`: learn the chance to win from lead and unseen tiles.

use super::atomic_file::write;
use super::player_kit::PlayerKit;
use anyhow::Result;
use game::Seed;
use lab::scrabble::win_model;
use scrabble::engine::MoveSort;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Games of self-play
    #[arg(long, default_value_t = 2000)]
    games: u64,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output file (LANG.winprob)
    #[arg(long)]
    out: PathBuf,
}

pub fn run(args: Args) -> Result<()> {
    let kit = PlayerKit::load(&args.lexicon)?;
    let model = win_model::learn(&kit.one_ply(MoveSort::Equity), args.games, Seed(args.seed), |done| {
        if done % 200 == 0 {
            eprintln!("{done} of {} games", args.games);
        }
    });
    write(&args.out, &model.to_bytes())
}
