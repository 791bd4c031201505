//! The endgame search against a plain minimax that remembers nothing and cuts nothing.

mod common;

use common::{dictionary, plays};
use lexicon::Tile;
use proptest::prelude::*;
use scrabble::engine::endgame::{Endgame, EndgameLimits, ProofStatus};
use scrabble::{Dictionary, Layout, TileBoard, rack_value, remove, with_graph};

const WORDS: &str = "ab ad at ax be cat eat eta ex he hat in it la na ne on ta tax tea tin to";

/// The value for the side to move, by definition.
fn minimax(d: &Dictionary, layout: &Layout, board: &TileBoard, racks: [&[Tile]; 2], passed: bool) -> i32 {
    let mut best = if passed {
        rack_value(d, racks[1]) - rack_value(d, racks[0])
    } else {
        -minimax(d, layout, board, [racks[1], racks[0]], true)
    };
    for play in plays(d, layout, board, racks[0]) {
        let mut rest = racks[0].to_vec();
        remove(&mut rest, play.rack_tiles());
        let gain = play.score as i32;
        let value = if rest.is_empty() {
            gain + 2 * rack_value(d, racks[1])
        } else {
            let mut next = board.clone();
            with_graph!(d, graph => { next.place(graph, d.values(), &play); });
            gain - minimax(d, layout, &next, [racks[1], &rest], false)
        };
        best = best.max(value);
    }
    best
}

fn tile(d: &Dictionary, index: usize) -> Tile {
    let letters: Vec<Tile> =
        "atexnhio?".chars().map(|c| d.alphabet().tile_at(&c.to_string()).map_or(0, |t| t.0)).collect();
    letters[index % letters.len()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn proved_values_are_the_truth(
        mine in prop::collection::vec(0usize..8, 1..4),
        other in prop::collection::vec(0usize..9, 1..3),
        opening in 0usize..4,
    ) {
        let d = dictionary(WORDS);
        let layout = Layout::named("standard").unwrap();
        let mut board = TileBoard::new(&layout);
        let rack = d.alphabet().encode(["tea", "hat", "tin", "ex"][opening]).unwrap();
        let first = plays(&d, &layout, &board, &rack).into_iter().max_by_key(|p| (p.laid, p.score)).unwrap();
        with_graph!(d, graph => { board.place(graph, d.values(), &first); });
        let mine: Vec<Tile> = mine.iter().map(|&i| tile(&d, i)).collect();
        let other: Vec<Tile> = other.iter().map(|&i| tile(&d, i)).collect();
        let wanted = minimax(&d, &layout, &board, [&mine, &other], false);
        let racks = [mine, other];
        let endgame = Endgame { dictionary: &d, layout: &layout, board, racks, passed: false };
        let solution = endgame.solve(EndgameLimits::default());
        prop_assert_eq!(solution.status, ProofStatus::Proved);
        prop_assert_eq!(solution.value, wanted);
        let short = endgame.solve(EndgameLimits { depth: Some(1), ..EndgameLimits::default() });
        if short.status == ProofStatus::Proved {
            prop_assert_eq!(short.value, wanted, "called proved at depth 1");
        }
    }
}
