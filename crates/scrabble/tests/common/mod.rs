//! A dictionary of a few words and all plays of a rack.

use lexicon::{Alphabet, LexiconBuilder, Tile};
use scrabble::movegen::{Generator, NoLeaves, Rack};
use scrabble::{Board, Dictionary, Layout, Play, with_graph};

/// English tiles and these words, separated by spaces.
pub fn dictionary(words: &str) -> Dictionary {
    let mut builder = LexiconBuilder::new(Alphabet::shipped("en").unwrap());
    builder.add_text(&words.replace(' ', "\n"));
    Dictionary::new(builder.build().unwrap()).unwrap()
}

pub fn plays(d: &Dictionary, layout: &Layout, board: &Board, rack: &[Tile]) -> Vec<Play> {
    let mut plays = Vec::new();
    with_graph!(d, graph => {
        Generator::new(graph, d.values(), layout).all(board, &Rack::new(rack, &NoLeaves), &mut plays);
    });
    plays
}
