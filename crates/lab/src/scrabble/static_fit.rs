//! Weights that approximate the static player: a start for evolution.
//!
//! On positions of self-play, the static player's equity less score is regressed on h1 to h4, phase by phase, over the
//! moves near the best; only differences between moves of the same position count.

use super::least_squares::{Sums, centre};
use game::Seed;
use scrabble::engine::movegen::MoveGenerator;
use scrabble::engine::positional_features;
use scrabble::players::{LetterTerms, PHASES, PhaseWeights, StaticPlayer, TERMS, Weighted, phase};
use scrabble::{Play, TwoPlayerGame, rack_value, with_graph};

/// Moves further than this below the best are left out, in thousandths of a point.
const CLOSE: i32 = 15_000;
/// Ridge penalty, in moves.
const RIDGE: f64 = 20.0;

/// Plays games of the static player against itself and fits the weights.
pub fn nearest(player: &StaticPlayer<'_>, letters: LetterTerms<'_>, games: u64, seed: Seed) -> PhaseWeights {
    let one_ply = player.one_ply;
    let (dictionary, layout) = (one_ply.dictionary, one_ply.layout);
    let weighted = Weighted::new(dictionary, layout, PhaseWeights::GREEDY, letters);
    let mut sums: [Sums<TERMS>; PHASES] = Default::default();
    let mut plays: Vec<Play> = Vec::new();
    with_graph!(dictionary, graph => {
        let generator = MoveGenerator::new(graph, dictionary.values(), layout);
        for number in 0..games {
            let mut rng = seed.rng(number);
            let mut position = TwoPlayerGame::new(dictionary, layout, &mut rng);
            while !position.over {
                let (bag, board) = (position.bag.len(), &position.board);
                let other = rack_value(dictionary, &position.racks[1 - position.to_move]);
                let rack = one_ply.rack(position.rack(), bag, other);
                plays.clear();
                generator.all(board, &rack, &mut plays);
                let equity = |play: &Play| {
                    let kept = rack.remaining(play.rack_tiles()).expect("plays use tiles of the rack");
                    play.score as i32 * 1000 + rack.keep_value(kept)
                };
                let best = plays.iter().map(equity).max().unwrap_or(0);
                let row = |play: &Play| {
                    let added = equity(play) as f64 / 1000.0 - play.score as f64;
                    let positional = if bag == 0 {
                        0.0
                    } else {
                        player.positional.correction(&positional_features(board, layout, Some(play), added, bag)) / 1000.0
                    };
                    (weighted.terms(board, position.rack(), play), added + positional)
                };
                let mut rows: Vec<_> = plays.iter().filter(|p| equity(p) >= best - CLOSE).map(row).collect();
                centre(&mut rows);
                let phase = phase(board.placed(), bag, dictionary.alphabet().tiles(), 2);
                rows.iter().for_each(|(terms, added)| sums[phase].add(terms, *added));
                let (turn, _) = one_ply.choose_with(&generator, board, position.rack(), bag, other);
                position.apply(dictionary, turn, &mut rng);
            }
        }
    });
    PhaseWeights(sums.each_ref().map(|sums| sums.solve(RIDGE)))
}
