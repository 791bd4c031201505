//! `parlour scrabble infer`: what the opponent's last play tells about the tiles it kept.

use super::player_kit::PlayerKit;
use anyhow::{Context, Result, bail};
use game::Seed;
use scrabble::engine::movegen::MoveGenerator;
use scrabble::engine::{Inference, MoveSort};
use scrabble::formats::{Cgp, notation};
use scrabble::{Layout, check_play, unseen, with_graph};
use std::collections::BTreeMap;

#[derive(clap::Args)]
pub struct Args {
    /// The position before the opponent's play as CGP; the second rack is one's own, the first may be empty
    #[arg(long)]
    cgp: String,
    /// The opponent's play, such as "8D WI.DY"
    #[arg(long)]
    play: String,
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Sampled leaves
    #[arg(long, default_value_t = 2000)]
    samples: u64,
    /// Number of leaves printed
    #[arg(long, default_value_t = 10)]
    n: usize,
    /// Seed of every random choice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let kit = PlayerKit::load(&args.lexicon)?;
    let dictionary = &kit.language.dictionary;
    let alphabet = dictionary.alphabet();
    let layout = Layout::named(Cgp::board_name(&args.cgp)?).expect("board_name names a shipped board");
    let cgp = Cgp::parse(&args.cgp, dictionary, &layout)?;
    let (at, word) =
        args.play.trim().split_once(' ').context("--play takes a place and a word, such as \"8D WORD\"")?;
    let mut play = notation::parse_play(alphabet, &cgp.board, at, word.trim())?;
    play.score = check_play(&cgp.board, &layout, dictionary.values(), &play, 7)?.score as i16;
    let seen: Vec<u8> = cgp.racks[1].iter().copied().chain(play.rack_tiles()).collect();
    let Some(hidden) = unseen(dictionary, &cgp.board, &seen) else { bail!("the position has more tiles than a set") };
    let kept = 7usize.saturating_sub(play.laid as usize).min(hidden.len());
    let Some(inference) = Inference::from_last_play(&cgp.board, &play, hidden.len(), kept) else {
        bail!("the play kept no tiles or no tile is unseen: there is nothing to infer");
    };
    let player = kit.one_ply(MoveSort::Equity);
    let (mut leaves, mut tiles) = (BTreeMap::<Vec<u8>, u64>::new(), [0u64; 64]);
    with_graph!(dictionary, graph => {
        let generator = MoveGenerator::new(graph, dictionary.values(), &layout);
        for number in 0..args.samples {
            let mut pool = hidden.clone();
            let mut leave = inference.sample(&player, &generator, &mut Seed(args.seed).rng(number), &mut pool);
            leave.sort_unstable();
            leave.iter().for_each(|&t| tiles[usize::from(t)] += 1);
            *leaves.entry(leave).or_default() += 1;
        }
    });
    let mut ranked: Vec<(&Vec<u8>, u64)> = leaves.iter().map(|(leave, count)| (leave, *count)).collect();
    ranked.sort_by_key(|&(leave, count)| (std::cmp::Reverse(count), leave));
    let share = |count: u64| count as f64 / args.samples.max(1) as f64;
    // a tile that tells nothing is kept as often as a random one
    let prior = |tile: u8| hidden.iter().filter(|&&t| t == tile).count() as f64 * kept as f64 / hidden.len() as f64;
    let present: Vec<u8> = (0..=alphabet.len() as u8).filter(|&t| prior(t) > 0.0).collect();
    if args.json {
        let leave = |&(leave, count): &(&Vec<u8>, u64)| serde_json::json!({ "leave": alphabet.decode(leave), "share": share(count) });
        let tile = |&t: &u8| {
            serde_json::json!({
                "tile": alphabet.text(t), "expected": share(tiles[usize::from(t)]), "prior": prior(t),
            })
        };
        let answer = serde_json::json!({
            "kept": kept, "samples": args.samples,
            "leaves": ranked.iter().take(args.n).map(leave).collect::<Vec<_>>(),
            "tiles": present.iter().map(tile).collect::<Vec<_>>(),
        });
        println!("{answer}");
    } else {
        println!("{kept} tiles kept, {} samples", args.samples);
        for &(leave, count) in ranked.iter().take(args.n) {
            println!("{:<10} {:>5.1}%", alphabet.decode(leave), share(count) * 100.0);
        }
        println!("expected number on the rack, and without inference:");
        for &t in &present {
            println!("{} {:>5.2} {:>5.2}", alphabet.text(t), share(tiles[usize::from(t)]), prior(t));
        }
    }
    Ok(())
}
