//! Weights with which the weighted player thinks most like the static player: where evolution may start.
//!
//! On positions of self-play, what the static player adds to the score of a turn is explained by h1 to h4, phase by
//! phase, over the turns that look good; only differences between turns of the same position count.

use super::least_squares::{Sums, centre};
use game::Seed;
use scrabble::movegen::Generator;
use scrabble::players::{Letters, PHASES, StaticPlayer, TERMS, Weighted, Weights, figures, phase};
use scrabble::{Play, Position, with_graph, worth};

/// Turns that look worse than the best by more than this are left out, in thousandths of a point.
const CLOSE: i32 = 15_000;
/// What keeps weights of rare figures small, in turns.
const RIDGE: f64 = 20.0;

/// Plays games of the static player against itself and fits the weights.
pub fn nearest(player: &StaticPlayer<'_>, letters: Letters<'_>, games: u64, seed: Seed) -> Weights {
    let quick = player.quick;
    let (dictionary, layout) = (quick.dictionary, quick.layout);
    let weighted = Weighted::new(dictionary, layout, Weights::GREEDY, letters);
    let mut sums: [Sums<TERMS>; PHASES] = Default::default();
    let mut plays: Vec<Play> = Vec::new();
    with_graph!(dictionary, graph => {
        let generator = Generator::new(graph, dictionary.values(), layout);
        for number in 0..games {
            let mut rng = seed.rng(number);
            let mut position = Position::new(dictionary, layout, &mut rng);
            while !position.over {
                let (bag, board) = (position.bag.len(), &position.board);
                let other = worth(dictionary, &position.racks[1 - position.to_move]);
                let rack = quick.rack(position.rack(), bag, other);
                plays.clear();
                generator.all(board, &rack, &mut plays);
                let equity = |play: &Play| {
                    let kept = rack.remaining(play.rack_tiles()).expect("plays use tiles of the rack");
                    play.score as i32 * 1000 + rack.keep_value(kept)
                };
                let best = plays.iter().map(equity).max().unwrap_or(0);
                let row = |play: &Play| {
                    let added = equity(play) as f64 / 1000.0 - play.score as f64;
                    let outlook = if bag == 0 {
                        0.0
                    } else {
                        player.outlook.correction(&figures(board, layout, Some(play), added, bag)) / 1000.0
                    };
                    (weighted.terms(board, position.rack(), play), added + outlook)
                };
                let mut rows: Vec<_> = plays.iter().filter(|p| equity(p) >= best - CLOSE).map(row).collect();
                centre(&mut rows);
                let phase = phase(board.placed(), bag, dictionary.alphabet().tiles());
                rows.iter().for_each(|(terms, added)| sums[phase].add(terms, *added));
                let (turn, _) = quick.choose_with(&generator, board, position.rack(), bag, other);
                position.apply(dictionary, turn, &mut rng);
            }
        }
    });
    Weights(sums.each_ref().map(|sums| sums.solve(RIDGE)))
}
