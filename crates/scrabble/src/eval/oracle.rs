//! The slow, obvious generator: every word at every place with every choice of blanks, kept if the rules allow it.

use crate::engine::movegen::{MoveGenerator, NoLeaves, Rack};
use crate::rules::{BLANK, Dictionary, Layout, Orientation, Play, TileBoard, check_play};
use crate::with_graph;
use game::GameRng;
use lexicon::Tile;
use rand::RngExt;
use std::collections::BTreeSet;

/// A play in a form that can be compared: direction, lane, start, squares, score.
pub type PlayKey = (u8, u8, u8, Vec<u8>, i16);

/// A play's key.
pub fn play_key(play: &Play) -> PlayKey {
    (play.direction as u8, play.lane, play.start, play.tiles().to_vec(), play.score)
}

/// All legal plays by trying everything.
pub fn brute_force(
    d: &Dictionary,
    words: &[Vec<Tile>],
    layout: &Layout,
    board: &TileBoard,
    rack: &[Tile],
) -> BTreeSet<PlayKey> {
    let side = board.side();
    let mut found = BTreeSet::new();
    for word in words {
        for direction in Orientation::BOTH {
            for lane in 0..side {
                for start in 0..(side + 1).saturating_sub(word.len()) {
                    place_word(d, layout, board, rack, (direction, lane, start), word, &mut found);
                }
            }
        }
    }
    // a single tile is one play, whichever way its word is read
    found.retain(|k| {
        let single = k.0 == 1 && k.3.iter().filter(|&&t| t != 0).count() == 1;
        let i = k.3.iter().position(|&t| t != 0).unwrap_or(0);
        let (row, column) = (k.2 as usize + i, k.1 as usize);
        let beside =
            (column > 0 && board.at(row, column - 1) != 0) || (column + 1 < side && board.at(row, column + 1) != 0);
        !(single && beside)
    });
    found
}

fn place_word(
    d: &Dictionary,
    layout: &Layout,
    board: &TileBoard,
    rack: &[Tile],
    (direction, lane, start): (Orientation, usize, usize),
    word: &[Tile],
    found: &mut BTreeSet<PlayKey>,
) {
    let at = |i: usize| match direction {
        Orientation::Across => board.at(lane, start + i),
        Orientation::Down => board.at(start + i, lane),
    };
    // what does not agree with the board, or needs more letters than the rack and its blanks have, need not be laid
    let held = rack.iter().filter(|&&t| t == 0).count();
    let (mut needed, mut blanks) = ([0u8; 256], held);
    for (i, &l) in word.iter().enumerate() {
        match at(i) {
            0 => {
                needed[l as usize] += 1;
                if rack.iter().filter(|&&t| t == l).count() < needed[l as usize] as usize {
                    if blanks == 0 {
                        return;
                    }
                    blanks -= 1;
                }
            }
            t if t & !BLANK == l => {}
            _ => return,
        }
    }
    let empty: Vec<usize> = (0..word.len()).filter(|&i| at(i) == 0).collect();
    if empty.is_empty() {
        return;
    }
    for blanks in (0u32..1 << empty.len()).filter(|set| set.count_ones() as usize <= held) {
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
            found.insert(play_key(&play));
        }
    }
}

/// Compares generator and oracle on one position; the answer is all plays, or what differs.
pub fn compare(
    d: &Dictionary,
    words: &[Vec<Tile>],
    layout: &Layout,
    board: &TileBoard,
    rack: &[Tile],
) -> Result<Vec<Play>, String> {
    let mut plays = Vec::new();
    let prepared = Rack::new(rack, &NoLeaves);
    let best = with_graph!(d, graph => {
        let generator = MoveGenerator::new(graph, d.values(), layout);
        generator.all(board, &prepared, &mut plays);
        generator.best(board, &prepared, i32::MIN / 8)
    });
    let keys: BTreeSet<PlayKey> = plays.iter().map(play_key).collect();
    if keys.len() != plays.len() {
        return Err(format!("{} plays found twice with rack {rack:?}", plays.len() - keys.len()));
    }
    let wanted = brute_force(d, words, layout, board, rack);
    if let Some(missing) = wanted.difference(&keys).next() {
        return Err(format!("{missing:?} is legal but was not found with rack {rack:?}"));
    }
    if let Some(extra) = keys.difference(&wanted).next() {
        return Err(format!("{extra:?} was found but is not legal with rack {rack:?}"));
    }
    let highest = plays.iter().map(|p| p.score as i32 * 1000).max();
    if best.map(|b| b.equity) != highest {
        return Err(format!("the best play has {best:?}, all plays {highest:?}, with rack {rack:?}"));
    }
    Ok(plays)
}

/// Plays a random game on a lexicon and compares every position; racks have up to two blanks. Answers positions seen.
pub fn random_game(
    d: &Dictionary,
    words: &[Vec<Tile>],
    layout: &Layout,
    rng: &mut GameRng,
    turns: usize,
) -> Result<u64, String> {
    let letters = d.alphabet().len() as u8;
    let mut board = TileBoard::new(layout);
    let mut seen = 0;
    for _ in 0..turns {
        let size = rng.random_range(1..=7);
        let mut rack: Vec<Tile> = (0..size).map(|_| rng.random_range(1..=letters)).collect();
        // letters of a word of the list make plays likely, blanks are put in often
        if !words.is_empty() && rng.random_range(0..4) != 0 {
            rack.extend(&words[rng.random_range(0..words.len())]);
            rack.drain(..rack.len().saturating_sub(7));
        }
        for slot in 0..rack.len().min(2) {
            if rng.random_range(0..3) == 0 {
                rack[slot] = 0;
            }
        }
        seen += 1;
        let plays = compare(d, words, layout, &board, &rack)?;
        if !plays.is_empty() {
            let play = plays[rng.random_range(0..plays.len())];
            with_graph!(d, graph => { board.place(graph, d.values(), &play); });
        }
    }
    Ok(seen)
}
