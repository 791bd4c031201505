//! One try of all candidates of a simulation: the tiles are dealt, and both sides answer with the static player.
//!
//! The candidates leave most lanes of the board as they were, and the other player has the same rack after each of
//! them: what was found out about an answer to one serves the answers to the others. The same holds for our own second
//! turn after candidates that lay the same tiles.

use super::simulation::{CandidateArm, KnownPosition, LOW_BAG};
use super::{OnePlyPlayer, WinModel};
use crate::engine::movegen::{AnchorCache, MoveGenerator, Rack};
use crate::rules::{PlayerMove, Undo, rack_value, remove};
use game::GameRng;
use lexicon::{Tile, WalkArc, WalkGraph};
use rand::RngExt;

/// Plies that both sides play after a candidate while the bag is well filled.
const PLIES: usize = 2;
/// No end takes more plies than this.
const MOST_PLIES: usize = 40;

/// What all tries of a simulation share.
pub(super) struct Rollout<'t, 'a, A> {
    pub player: &'t OnePlyPlayer<'t>,
    pub win: &'t WinModel,
    pub known_position: &'t KnownPosition<'t>,
    pub generator: &'t MoveGenerator<'a, A>,
    pub graph: &'a WalkGraph<A>,
}

/// The tiles after a candidate.
struct RolloutTiles {
    mine: Vec<Tile>,
    other: Vec<Tile>,
    bag: Vec<Tile>,
}

impl<A: WalkArc> Rollout<'_, '_, A> {
    /// Points (spread gained) and chance to win for every candidate, all with the same tiles.
    pub(super) fn run(&self, arms: &[&CandidateArm], rng: GameRng) -> Vec<(f64, f64)> {
        let (other, bag) = self.deal(rng);
        let tiles_after: Vec<RolloutTiles> = arms.iter().map(|arm| self.tiles_after(arm, &other, &bag)).collect();
        let mut distinct: Vec<&[Tile]> = tiles_after.iter().map(|tiles_after| tiles_after.mine.as_slice()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let racks: Vec<Rack> = distinct.iter().map(|tiles| Rack::new(tiles, self.player.leaves)).collect();
        let mut mine: Vec<AnchorCache<'_>> = racks.iter().map(|rack| self.generator.cache(rack)).collect();
        let theirs = Rack::new(&other, self.player.leaves);
        let mut theirs = self.generator.cache(&theirs);
        let play = |(arm, tiles_after): (&&CandidateArm, &RolloutTiles)| {
            let at =
                distinct.binary_search(&tiles_after.mine.as_slice()).expect("every rack is among the distinct ones");
            self.play(arm, tiles_after, [&mut theirs, &mut mine[at]])
        };
        arms.iter().zip(&tiles_after).map(play).collect()
    }

    /// The other's rack and the bag.
    fn deal(&self, mut rng: GameRng) -> (Vec<Tile>, Vec<Tile>) {
        let mut pool = self.known_position.unseen.to_vec();
        let size = self.known_position.opponent_tiles.min(pool.len());
        let mut other = match self.known_position.inference {
            Some(inference) => inference.sample(self.player, self.generator, &mut rng, &mut pool),
            None => Vec::new(),
        };
        for i in (1..pool.len()).rev() {
            pool.swap(i, rng.random_range(0..=i));
        }
        while other.len() < size {
            other.push(pool.pop().expect("the other rack is part of what is unseen"));
        }
        (other, pool)
    }

    /// The tiles once a candidate is played and tiles for it are drawn, our own in order.
    fn tiles_after(&self, arm: &CandidateArm, other: &[Tile], bag: &[Tile]) -> RolloutTiles {
        let (mut mine, mut bag) = (arm.kept.clone(), bag.to_vec());
        while mine.len() < self.known_position.rack.len().max(7)
            && let Some(tile) = bag.pop()
        {
            mine.push(tile);
        }
        if let PlayerMove::Exchange(tiles) = &arm.candidate.turn {
            bag.extend_from_slice(tiles);
        }
        mine.sort_unstable();
        RolloutTiles { mine, other: other.to_vec(), bag }
    }

    /// A few plies after a candidate, all of them when the bag is low or empty: points (spread gained) and chance to
    /// win. `known` are the other's rack and ours as they are dealt, kept while there is something to draw.
    fn play(&self, arm: &CandidateArm, tiles_after: &RolloutTiles, mut cache: [&mut AnchorCache<'_>; 2]) -> (f64, f64) {
        let dictionary = self.player.dictionary;
        let (mut mine, mut other, mut bag) =
            (tiles_after.mine.clone(), tiles_after.other.clone(), tiles_after.bag.clone());
        let mut spread = arm.candidate.score;
        if mine.is_empty() {
            spread += 2 * rack_value(dictionary, &other);
            return self.evaluate(spread, 0, 0);
        }
        let mut board = arm.board.clone();
        let (mut changed, mut undo) = (arm.changed, Undo::default());
        // what both sides kept after their last plies
        let mut keep = [0; 2];
        let mut idle = matches!(arm.candidate.turn, PlayerMove::Pass) as usize;
        let low = self.known_position.unseen.len() <= self.known_position.opponent_tiles + LOW_BAG;
        for ply in 0..MOST_PLIES {
            if ply >= PLIES && !low && !bag.is_empty() {
                return self.evaluate(spread, keep[1] - keep[0], bag.len() + other.len());
            }
            let (rack, against) = if ply % 2 == 0 { (&mut other, &mine) } else { (&mut mine, &other) };
            let sign = if ply % 2 == 0 { -1 } else { 1 };
            let against = rack_value(dictionary, against);
            let turn = match cache.get_mut(ply).filter(|_| !bag.is_empty()) {
                Some(cache) => self.player.choose_cached(self.generator, &board, changed, cache, bag.len()).0,
                None => self.player.choose_with(self.generator, &board, rack, bag.len(), against).0,
            };
            match turn {
                PlayerMove::Play(play) => {
                    idle = 0;
                    spread += sign * play.score as i32;
                    board.place_into(self.graph, dictionary.values(), &play, &mut undo);
                    changed = changed.with(undo.lanes(&board));
                    remove(rack, play.rack_tiles());
                    keep[ply % 2] = self.kept(rack, &bag);
                    draw(rack, &mut bag);
                    if rack.is_empty() {
                        spread += sign * 2 * against;
                        return self.evaluate(spread, 0, 0);
                    }
                }
                PlayerMove::Exchange(tiles) => {
                    remove(rack, tiles.iter().copied());
                    keep[ply % 2] = self.kept(rack, &bag);
                    draw(rack, &mut bag);
                    bag.extend_from_slice(&tiles);
                }
                PlayerMove::Pass => {
                    idle += 1;
                    if idle >= 2 {
                        break;
                    }
                }
            }
        }
        let left = rack_value(dictionary, &other) - rack_value(dictionary, &mine);
        self.evaluate(spread + left, 0, 0)
    }

    /// Worth of what is kept while there is something to draw.
    fn kept(&self, rack: &[Tile], bag: &[Tile]) -> i32 {
        if bag.is_empty() { 0 } else { self.player.leaves.value(rack) }
    }

    /// Points and chance to win after the plies; it is the other's turn again.
    fn evaluate(&self, spread: i32, keep: i32, unseen: usize) -> (f64, f64) {
        let points = spread as f64 + keep as f64 / 1000.0;
        let lead = self.known_position.lead as f64 + points;
        if unseen == 0 {
            let won = if lead > 0.0 {
                1.0
            } else if lead == 0.0 {
                0.5
            } else {
                0.0
            };
            return (points, won);
        }
        (points, 1.0 - self.win.chance(-lead, unseen))
    }
}

fn draw(rack: &mut Vec<Tile>, bag: &mut Vec<Tile>) {
    while rack.len() < 7
        && let Some(tile) = bag.pop()
    {
        rack.push(tile);
    }
}
