//! The generator against an oracle that tries every word everywhere.

use lexicon::{Alphabet, LexiconBuilder, Tile};
use proptest::prelude::*;
use scrabble::engine::movegen::{MoveGenerator, Rack};
use scrabble::eval::oracle::compare;
use scrabble::{Dictionary, LaneSet, Layout, LeaveModel, Orientation, Play, TileBoard, with_graph};

fn dictionary(code: &str, words: &str) -> Dictionary {
    let mut builder = LexiconBuilder::new(Alphabet::shipped(code).unwrap());
    builder.add_text(words);
    Dictionary::new(builder.build().unwrap()).unwrap()
}

const WORDS: &str = "aa ab ad ae ag ah ai al am an ar as at aw ax ay ba be bi bo by da de do ed ef eh el em en er es et ex \
fa fe go ha he hi ho id if in is it jo ka ki la li lo ma me mi mu my na ne no nu od oe of oh om on op or os ow ox oy pa pe pi \
qi re sh si so ta te ti to uh um un up us ut we wo xi xu ya ye yo za cat cats scat tea teas eat eats seat rate rates crate \
crates trace react reacts stone onset tones notes seton retina retinas nastier stainer antsier quiz jinx zebra zebras";

/// Plays random moves on a small random lexicon and checks every position.
fn random_game(d: &Dictionary, layout: &Layout, choices: &[(u64, usize)]) {
    let letters = d.alphabet().len() as u64;
    let words: Vec<Vec<Tile>> = d.lexicon().words().collect();
    let mut board = TileBoard::new(layout);
    for &(seed, pick) in choices {
        let rack: Vec<Tile> =
            (0..(seed % 6 + 2)).map(|i| (seed.rotate_left(7 * i as u32 + 3) % (letters + 2)) as Tile).collect();
        let rack: Vec<Tile> = rack.iter().map(|&t| if t as u64 > letters { 0 } else { t }).collect();
        let plays = compare(d, &words, layout, &board, &rack).unwrap();
        if plays.is_empty() {
            continue;
        }
        known_lanes_make_no_difference(d, layout, &board, &rack, &plays, pick);
        let play = plays[pick % plays.len()];
        let before = board.clone();
        let undo = with_graph!(d, graph => board.place(graph, d.values(), &play));
        let mut fresh = board.clone();
        with_graph!(d, graph => fresh.refresh(graph, d.values()));
        for direction in Orientation::BOTH {
            for i in (0..layout.side() * layout.side()).filter(|&i| board.lanes(direction).tiles[i] == 0) {
                assert_eq!(board.lanes(direction).cross_set[i], fresh.lanes(direction).cross_set[i]);
                assert_eq!(board.lanes(direction).cross_score[i], fresh.lanes(direction).cross_score[i]);
            }
        }
        let mut back = board.clone();
        back.undo(&undo);
        assert!(back == before);
    }
}

/// Searches boards that are one or two moves away from `base` with what is known from the others, and each afresh.
fn known_lanes_make_no_difference(
    d: &Dictionary,
    layout: &Layout,
    base: &TileBoard,
    rack: &[Tile],
    plays: &[Play],
    pick: usize,
) {
    let mut leaves = LeaveModel::zero(d.alphabet().len()).parts().0.to_vec();
    leaves.iter_mut().enumerate().for_each(|(i, rack_value)| *rack_value = i as i32 % 5 * 700 - 1500);
    let zero = LeaveModel::zero(d.alphabet().len());
    let leaves = LeaveModel::from_parts(leaves, zero.parts().1.to_vec(), zero.parts().2.to_vec());
    let rack = Rack::new(rack, &leaves);
    with_graph!(d, graph => {
        let generator = MoveGenerator::new(graph, d.values(), layout);
        let mut cache = generator.cache(&rack);
        let mut check = |board: &TileBoard, changed: LaneSet| {
            for floor in [i32::MIN / 8, 9_000] {
                let found = generator.best_cached(board, changed, &mut cache, floor);
                assert_eq!(found, generator.best(board, &rack, floor));
            }
        };
        check(base, LaneSet::default());
        for play in plays.iter().cycle().skip(pick % plays.len()).step_by(plays.len() / 4 + 1).take(4) {
            let mut board = base.clone();
            let changed = board.place(graph, d.values(), play).lanes(&board);
            check(&board, changed);
            let mut next = Vec::new();
            generator.all(&board, &rack, &mut next);
            if let Some(play) = next.get(pick % next.len().max(1)) {
                let more = board.place(graph, d.values(), play).lanes(&board);
                check(&board, changed.with(more));
            }
        }
        check(base, LaneSet::default());
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn all_plays_and_the_best_one_agree_with_the_oracle(choices in prop::collection::vec((any::<u64>(), any::<usize>()), 1..9)) {
        let d = dictionary("en", &WORDS.replace(' ', "\n"));
        random_game(&d, &Layout::named("standard").unwrap(), &choices);
    }

    #[test]
    fn a_wide_alphabet_and_a_large_board_agree_too(choices in prop::collection::vec((any::<u64>(), any::<usize>()), 1..6)) {
        let d = dictionary("cs", "kůň\nkoně\nkoňům\nto\nta\nty\nsvět\nsvěta\nvěta\nvěty\nže\nať\nď\nóda\nódy\nmá\nmé\nmů\nněm\nně");
        random_game(&d, &Layout::named("super").unwrap(), &choices);
    }
}
