//! The generator against an oracle that tries every word everywhere.

use lexicon::{Alphabet, LexiconBuilder, Tile};
use proptest::prelude::*;
use scrabble::movegen::{Generator, NoLeaves, Rack};
use scrabble::{BLANK, Board, Dictionary, Direction, Layout, Play, check_play, with_graph};
use std::collections::BTreeSet;

fn dictionary(code: &str, words: &str) -> Dictionary {
    let mut builder = LexiconBuilder::new(Alphabet::shipped(code).unwrap());
    builder.add_text(words);
    Dictionary::new(builder.build().unwrap()).unwrap()
}

const WORDS: &str = "aa ab ad ae ag ah ai al am an ar as at aw ax ay ba be bi bo by da de do ed ef eh el em en er es et ex \
fa fe go ha he hi ho id if in is it jo ka ki la li lo ma me mi mu my na ne no nu od oe of oh om on op or os ow ox oy pa pe pi \
qi re sh si so ta te ti to uh um un up us ut we wo xi xu ya ye yo za cat cats scat tea teas eat eats seat rate rates crate \
crates trace react reacts stone onset tones notes seton retina retinas nastier stainer antsier quiz jinx zebra zebras";

type Key = (u8, u8, u8, Vec<u8>, i16);

fn key(play: &Play) -> Key {
    (play.direction as u8, play.lane, play.start, play.tiles().to_vec(), play.score)
}

/// Every word at every place with every choice of blanks, kept if the rules allow it and all words exist.
fn oracle(d: &Dictionary, layout: &Layout, board: &Board, rack: &[Tile]) -> BTreeSet<Key> {
    let side = board.side();
    let mut found = BTreeSet::new();
    for word in d.lexicon().words() {
        for direction in Direction::BOTH {
            for lane in 0..side {
                for start in 0..=side.saturating_sub(word.len()) {
                    place_word(d, layout, board, rack, direction, lane, start, &word, &mut found);
                }
            }
        }
    }
    // a single tile is one play, whichever way its word is read
    let double: Vec<Key> = found
        .iter()
        .filter(|k| k.0 == 1 && k.3.iter().filter(|&&t| t != 0).count() == 1)
        .filter(|k| {
            let i = k.3.iter().position(|&t| t != 0).unwrap();
            let (row, column) = ((k.2 as usize) + i, k.1 as usize);
            (column > 0 && board.at(row, column - 1) != 0) || (column + 1 < side && board.at(row, column + 1) != 0)
        })
        .cloned()
        .collect();
    for k in double {
        found.remove(&k);
    }
    found
}

#[allow(clippy::too_many_arguments)]
fn place_word(
    d: &Dictionary,
    layout: &Layout,
    board: &Board,
    rack: &[Tile],
    direction: Direction,
    lane: usize,
    start: usize,
    word: &[Tile],
    found: &mut BTreeSet<Key>,
) {
    let at = |i: usize| match direction {
        Direction::Across => board.at(lane, start + i),
        Direction::Down => board.at(start + i, lane),
    };
    let mut empty = Vec::new();
    for (i, &l) in word.iter().enumerate() {
        match at(i) {
            0 => empty.push(i),
            t if t & !BLANK == l => {}
            _ => return,
        }
    }
    if empty.is_empty() || empty.len() > rack.len() {
        return;
    }
    for blanks in 0u32..1 << empty.len() {
        let mut squares = vec![0; word.len()];
        let mut left = rack.to_vec();
        let ok = empty.iter().enumerate().all(|(n, &i)| {
            let blank = blanks >> n & 1 == 1;
            squares[i] = if blank { word[i] | BLANK } else { word[i] };
            let wanted = if blank { 0 } else { word[i] };
            left.iter().position(|&t| t == wanted).map(|p| left.swap_remove(p)).is_some()
        });
        if !ok {
            continue;
        }
        let mut play = Play::new(direction, lane, start, &squares);
        if let Ok(scored) = check_play(board, layout, d.values(), &play, 7)
            && scored.words.iter().all(|w| d.lexicon().contains(w))
        {
            play.score = scored.score as i16;
            found.insert(key(&play));
        }
    }
}

fn check_position(d: &Dictionary, layout: &Layout, board: &Board, rack: &[Tile]) -> Vec<Play> {
    let mut plays = Vec::new();
    let prepared = Rack::new(rack, &NoLeaves);
    let best = with_graph!(d, graph => {
        let generator = Generator::new(graph, d.values(), layout);
        generator.all(board, &prepared, &mut plays);
        generator.best(board, &prepared, i32::MIN / 8)
    });
    let keys: BTreeSet<Key> = plays.iter().map(key).collect();
    assert_eq!(keys.len(), plays.len(), "a play was found twice");
    assert_eq!(keys, oracle(d, layout, board, rack));
    assert_eq!(best.map(|b| b.equity), plays.iter().map(|p| p.score as i32 * 1000).max());
    plays
}

/// Plays random moves on a small random lexicon and checks every position.
fn random_game(d: &Dictionary, layout: &Layout, choices: &[(u64, usize)]) {
    let letters = d.alphabet().len() as u64;
    let mut board = Board::new(layout);
    for &(seed, pick) in choices {
        let rack: Vec<Tile> = (0..(seed % 6 + 2)).map(|i| (seed.rotate_left(7 * i as u32 + 3) % (letters + 2)) as Tile).collect();
        let rack: Vec<Tile> = rack.iter().map(|&t| if t as u64 > letters { 0 } else { t }).collect();
        let plays = check_position(d, layout, &board, &rack);
        if plays.is_empty() {
            continue;
        }
        let play = plays[pick % plays.len()];
        let before = board.clone();
        let undo = with_graph!(d, graph => board.place(graph, d.values(), &play));
        let mut fresh = board.clone();
        with_graph!(d, graph => fresh.refresh(graph, d.values()));
        for direction in Direction::BOTH {
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
