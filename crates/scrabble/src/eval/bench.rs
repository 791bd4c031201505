//! The bench workload: seeded games of the static player against itself.

use crate::engine::movegen::{MoveGenerator, NoLeaves, Rack};
use crate::engine::simulation::{KnownPosition, SimulationBudget, simulate};
use crate::engine::{OnePlyPlayer, WinModel};
use crate::rules::{Orientation, Play, PlayerMove, TileBoard, TwoPlayerGame, rack_value};
use crate::with_graph;
use game::Seed;
use lexicon::Tile;
use std::sync::atomic::AtomicBool;

/// What a run of best-move games gave.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BestMoves {
    pub games: u64,
    pub generations: u64,
    pub seconds: f64,
    /// Changes exactly when the player's behaviour changes.
    pub signature: u64,
}

/// What generating all moves of the same games gave.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AllMoves {
    pub generations: u64,
    pub moves: u64,
    pub moves_bag_empty: u64,
    pub generations_bag_empty: u64,
    pub seconds: f64,
    pub worst_seconds: f64,
    pub worst_two_blanks: f64,
}

/// Plays games and counts best-move generations; `clock` gives seconds of processor time.
pub fn best_moves(player: &OnePlyPlayer<'_>, games: u64, seed: u64, clock: &dyn Fn() -> f64) -> BestMoves {
    let mut result = BestMoves { games, ..BestMoves::default() };
    let started = clock();
    with_graph!(player.dictionary, graph => {
        let generator = MoveGenerator::new(graph, player.dictionary.values(), player.layout);
        for number in 0..games {
            let mut rng = Seed(seed).rng(number);
            let mut position = TwoPlayerGame::new(player.dictionary, player.layout, &mut rng);
            while !position.over {
                let other = rack_value(player.dictionary, &position.racks[1 - position.to_move]);
                let (turn, _) = player.choose_with(&generator, &position.board, position.rack(), position.bag.len(), other);
                result.generations += 1;
                position.apply(player.dictionary, turn, &mut rng);
            }
            let mix = (position.scores[0] as u64) << 32 ^ position.scores[1] as u64 & 0xffff_ffff;
            result.signature = (result.signature.rotate_left(5) ^ mix).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    });
    result.seconds = clock() - started;
    result
}

/// Room for the plays of any turn, touched once so that no timed generation waits for memory.
fn room_for_plays() -> Vec<Play> {
    let mut plays = vec![Play::new(Orientation::Across, 0, 0, &[1]); 1 << 18];
    plays.clear();
    plays
}

/// A rack with its first tiles changed into blanks until it holds two of them, which is all that a set has.
fn two_blanks(rack: &[Tile]) -> Vec<Tile> {
    let mut rack = rack.to_vec();
    let mut held = rack.iter().filter(|&&tile| tile == 0).count();
    for tile in rack.iter_mut().filter(|tile| **tile != 0) {
        if held < 2 {
            *tile = 0;
            held += 1;
        }
    }
    rack
}

/// Keeps the slowest time: one above it is taken twice more and counts as the least of the three.
fn slowest(
    time: &mut impl FnMut(&TileBoard, &Rack) -> (f64, u64),
    took: f64,
    board: &TileBoard,
    rack: &Rack,
    worst: &mut f64,
) {
    if took > *worst {
        *worst = worst.max(took.min(time(board, rack).0).min(time(board, rack).0));
    }
}

/// Replays the same games, generating all moves in every turn (timed), with two-blank racks in addition.
pub fn all_moves(player: &OnePlyPlayer<'_>, games: u64, seed: u64, clock: &dyn Fn() -> f64) -> AllMoves {
    let mut result = AllMoves::default();
    let mut plays = room_for_plays();
    with_graph!(player.dictionary, graph => {
        let generator = MoveGenerator::new(graph, player.dictionary.values(), player.layout);
        let mut time = |board: &TileBoard, rack: &Rack| {
            plays.clear();
            let before = clock();
            generator.all(board, rack, &mut plays);
            (clock() - before, plays.len() as u64)
        };
        for number in 0..games {
            let mut rng = Seed(seed).rng(number);
            let mut position = TwoPlayerGame::new(player.dictionary, player.layout, &mut rng);
            while !position.over {
                let other = rack_value(player.dictionary, &position.racks[1 - position.to_move]);
                let rack = Rack::new(position.rack(), &NoLeaves);
                let (took, found) = time(&position.board, &rack);
                slowest(&mut time, took, &position.board, &rack, &mut result.worst_seconds);
                result.seconds += took;
                result.generations += 1;
                result.moves += found;
                if position.bag.is_empty() {
                    result.generations_bag_empty += 1;
                    result.moves_bag_empty += found;
                }
                if number % 20 == 0 && position.rack().len() > 2 {
                    let rack = Rack::new(&two_blanks(position.rack()), &NoLeaves);
                    let (took, _) = time(&position.board, &rack);
                    slowest(&mut time, took, &position.board, &rack, &mut result.worst_two_blanks);
                }
                let (turn, _): (PlayerMove, i32) =
                    player.choose_with(&generator, &position.board, position.rack(), position.bag.len(), other);
                position.apply(player.dictionary, turn, &mut rng);
            }
        }
    });
    result
}

/// Two-ply iterations per second with fifteen candidates, over positions from the middle of `games` games.
pub fn simulation_rate(player: &OnePlyPlayer<'_>, games: u64, seed: u64, clock: &dyn Fn() -> f64) -> f64 {
    let (mut iterations, mut seconds) = (0, 0.0);
    let win = WinModel::default();
    for number in 0..games {
        let mut rng = Seed(seed).rng(number);
        let mut position = TwoPlayerGame::new(player.dictionary, player.layout, &mut rng);
        while !position.over && position.bag.len() > 30 + 6 * (number as usize % 5) {
            let other = rack_value(player.dictionary, &position.racks[1 - position.to_move]);
            let turn = player.choose(&position.board, position.rack(), position.bag.len(), other);
            position.apply(player.dictionary, turn, &mut rng);
        }
        let unseen = position.unseen();
        let known_position = KnownPosition {
            board: &position.board,
            rack: position.rack(),
            unseen: &unseen,
            opponent_tiles: 7,
            opponent_known: &[],
            lead: position.lead(),
            inference: None,
            positional: None,
        };
        let budget = SimulationBudget::best_arm(15, 1500, seed);
        let before = clock();
        iterations += simulate(player, &win, &known_position, budget, &AtomicBool::new(false)).iterations;
        seconds += clock() - before;
    }
    iterations as f64 / seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rack_gets_two_blanks_and_never_three() {
        assert_eq!(two_blanks(&[5, 6, 7]), [0, 0, 7]);
        assert_eq!(two_blanks(&[5, 6, 0, 7]), [0, 6, 0, 7]);
        assert_eq!(two_blanks(&[5, 0, 0]), [5, 0, 0]);
    }
}
