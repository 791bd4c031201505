//! A dictionary of a few words and all plays of a rack.

use lexicon::{Alphabet, LexiconBuilder, Tile};
use scrabble::engine::movegen::{MoveGenerator, NoLeaves, Rack};
use scrabble::{Dictionary, Layout, Play, TileBoard, with_graph};

/// English tiles and these words, separated by spaces.
pub fn dictionary(words: &str) -> Dictionary {
    let mut builder = LexiconBuilder::new(Alphabet::shipped("en").unwrap());
    builder.add_text(&words.replace(' ', "\n"));
    Dictionary::new(builder.build().unwrap()).unwrap()
}

pub fn plays(d: &Dictionary, layout: &Layout, board: &TileBoard, rack: &[Tile]) -> Vec<Play> {
    let mut plays = Vec::new();
    with_graph!(d, graph => {
        MoveGenerator::new(graph, d.values(), layout).all(board, &Rack::new(rack, &NoLeaves), &mut plays);
    });
    plays
}
