//! `parlour scrabble best`: the ranked moves of a position.

use super::lexicons;
use anyhow::{Result, bail};
use scrabble::engine::movegen::MoveGenerator;
use scrabble::engine::{MoveSort, OnePlyPlayer};
use scrabble::formats::{Cgp, notation};
use scrabble::{Layout, MIN_BAG_FOR_EXCHANGE, rack_value, unseen, with_graph};

#[derive(clap::Args)]
pub struct Args {
    /// The position as CGP
    #[arg(long)]
    cgp: String,
    /// Rack of the side to move, instead of the one in the position
    #[arg(long)]
    rack: Option<String>,
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
    /// Number of moves
    #[arg(long, default_value_t = 15)]
    n: usize,
    /// List every legal play
    #[arg(long)]
    all: bool,
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let dictionary = lexicons::dictionary(&args.lexicon)?;
    let layout = Layout::named("standard").expect("the standard board is shipped");
    let mut cgp = Cgp::parse(&args.cgp, &dictionary, &layout)?;
    let alphabet = dictionary.alphabet();
    if let Some(rack) = &args.rack {
        cgp.racks[0] = alphabet.encode_rack(rack)?;
    }
    if cgp.racks[0].len() > 7 {
        bail!("a rack holds at most seven tiles");
    }
    let Some(hidden) = unseen(&dictionary, &cgp.board, &cgp.racks[0]) else { bail!("more tiles than a set has") };
    let bag = hidden.len().saturating_sub(7);
    let leaves = lexicons::leaves(&dictionary)?;
    let player = OnePlyPlayer { dictionary: &dictionary, layout: &layout, leaves: &leaves, sort: MoveSort::Equity };
    let rack = player.rack(&cgp.racks[0], bag, rack_value(&dictionary, &hidden));
    let mut plays = Vec::new();
    with_graph!(dictionary, graph => {
        MoveGenerator::new(graph, dictionary.values(), &layout).all(&cgp.board, &rack, &mut plays);
    });
    let mut ranked: Vec<(String, i32, i32)> = plays
        .iter()
        .map(|play| {
            let kept = rack.remaining(play.rack_tiles()).expect("plays use tiles of the rack");
            let equity = play.score as i32 * 1000 + rack.keep_value(kept);
            (notation::play_text(alphabet, &cgp.board, play), play.score as i32, equity)
        })
        .collect();
    if bag >= MIN_BAG_FOR_EXCHANGE && !args.all {
        let full = (1usize << rack.len()) - 1;
        for kept in 0..full {
            // equal tiles are used from the lowest slot up; other choices of slots are the same exchange
            let tiles = rack.kept(full & !kept);
            if rack.remaining(tiles.iter().copied()) == Some(kept) {
                ranked.push((format!("exchange {}", alphabet.decode(&tiles)), 0, rack.keep_value(kept)));
            }
        }
    }
    ranked.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
    if !args.all {
        ranked.truncate(args.n);
    }
    if args.json {
        let list: Vec<_> = ranked
            .iter()
            .map(|(text, score, equity)| serde_json::json!({ "move": text, "score": score, "equity": *equity as f64 / 1000.0 }))
            .collect();
        println!("{}", serde_json::Value::from(list));
    } else {
        for (text, score, equity) in ranked {
            println!("{text:<24} {score:>4} {:>8.2}", equity as f64 / 1000.0);
        }
    }
    Ok(())
}
