//! One rollout of all candidates: the tiles are dealt once, and both sides play statically.
//!
//! The candidates leave most lanes of the board unchanged and the opponent has the same rack after each of them, so
//! the search results of one reply are reused for the others. The same holds for our own second turn after candidates
//! that play the same tiles.

use super::simulation::{CandidateArm, KnownPosition, LOW_BAG};
use super::{OnePlyPlayer, WinModel};
use crate::engine::movegen::{AnchorCache, MoveGenerator, Rack};
use crate::rules::{PlayerMove, Undo, rack_value, remove};
use game::GameRng;
use lexicon::{Tile, WalkArc, WalkGraph};
use rand::RngExt;

/// Default number of plies after a candidate while the bag is not low.
const PLIES: usize = 2;
/// Upper limit of plies in a playout.
const MAX_PLIES: usize = 40;
/// Plies whose scores are recorded.
pub const RECORDED_PLIES: usize = 10;

/// What all rollouts of a simulation share.
pub(super) struct Rollout<'t, 'a, A> {
    pub player: &'t OnePlyPlayer<'t>,
    pub win: &'t WinModel,
    pub position: &'t KnownPosition<'t>,
    pub generator: &'t MoveGenerator<'a, A>,
    pub graph: &'a WalkGraph<A>,
    /// Fixed number of plies; none for the default.
    pub plies: Option<usize>,
}

/// Result of one rollout of one candidate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RolloutResult {
    /// Spread gained, with the difference of the leaves while tiles are left to draw.
    pub points: f64,
    /// Win probability; 0, ½ or 1 at the end of the game.
    pub win: f64,
    /// Plies played after the candidate.
    pub plies: usize,
    /// Scores of the first plies.
    pub scores: [i16; RECORDED_PLIES],
    /// Which of them used a full rack, as a bit set.
    pub bingos: u16,
}

impl RolloutResult {
    fn record(&mut self, ply: usize, score: i16, bingo: bool) {
        self.plies = ply + 1;
        if ply < RECORDED_PLIES {
            self.scores[ply] = score;
            self.bingos |= u16::from(bingo) << ply;
        }
    }
}

/// The tiles after a candidate.
struct RolloutTiles {
    mine: Vec<Tile>,
    opponent: Vec<Tile>,
    bag: Vec<Tile>,
}

impl<A: WalkArc> Rollout<'_, '_, A> {
    /// The result of every candidate, all with the same tiles.
    pub(super) fn run(&self, arms: &[&CandidateArm], rng: GameRng) -> Vec<RolloutResult> {
        let (opponent, bag) = self.deal(rng);
        let dealt: Vec<RolloutTiles> = arms.iter().map(|arm| self.tiles_after(arm, &opponent, &bag)).collect();
        let mut distinct: Vec<&[Tile]> = dealt.iter().map(|tiles| tiles.mine.as_slice()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let racks: Vec<Rack> = distinct.iter().map(|tiles| Rack::new(tiles, self.player.leaves)).collect();
        let mut mine: Vec<AnchorCache<'_>> = racks.iter().map(|rack| self.generator.cache(rack)).collect();
        let theirs = Rack::new(&opponent, self.player.leaves);
        let mut theirs = self.generator.cache(&theirs);
        let play = |(arm, tiles): (&&CandidateArm, &RolloutTiles)| {
            let at = distinct.binary_search(&tiles.mine.as_slice()).expect("every rack is among the distinct ones");
            self.play(arm, tiles, [&mut theirs, &mut mine[at]])
        };
        arms.iter().zip(&dealt).map(play).collect()
    }

    /// The opponent's rack and the bag.
    fn deal(&self, mut rng: GameRng) -> (Vec<Tile>, Vec<Tile>) {
        let mut pool = self.position.unseen.to_vec();
        let size = self.position.opponent_tiles.min(pool.len());
        let known = self.position.opponent_known;
        let mut opponent = match self.position.inference.filter(|_| known.is_empty()) {
            Some(inference) => inference.sample(self.player, self.generator, &mut rng, &mut pool),
            None => known.to_vec(),
        };
        if !known.is_empty() {
            remove(&mut pool, known.iter().copied());
        }
        for i in (1..pool.len()).rev() {
            pool.swap(i, rng.random_range(0..=i));
        }
        while opponent.len() < size {
            opponent.push(pool.pop().expect("the opponent's rack is part of the unseen tiles"));
        }
        (opponent, pool)
    }

    /// The tiles once a candidate is played and tiles for it are drawn, our own sorted.
    fn tiles_after(&self, arm: &CandidateArm, opponent: &[Tile], bag: &[Tile]) -> RolloutTiles {
        let (mut mine, mut bag) = (arm.kept.clone(), bag.to_vec());
        while mine.len() < self.position.rack.len().max(7)
            && let Some(tile) = bag.pop()
        {
            mine.push(tile);
        }
        if let PlayerMove::Exchange(tiles) = &arm.ranked.turn {
            bag.extend_from_slice(tiles);
        }
        mine.sort_unstable();
        RolloutTiles { mine, opponent: opponent.to_vec(), bag }
    }

    /// Whether the rollout ends before this ply.
    fn ends_before(&self, ply: usize, bag: &[Tile]) -> bool {
        let low = self.position.unseen.len() <= self.position.opponent_tiles + LOW_BAG;
        // with an empty bag the game is played to its end
        !bag.is_empty() && self.plies.map_or(ply >= PLIES && !low, |plies| ply >= plies)
    }

    /// Plays the plies after a candidate. `cache` holds the opponent's rack and ours as dealt, valid while tiles are
    /// left to draw.
    fn play(&self, arm: &CandidateArm, tiles: &RolloutTiles, mut cache: [&mut AnchorCache<'_>; 2]) -> RolloutResult {
        let dictionary = self.player.dictionary;
        let (mut mine, mut opponent, mut bag) = (tiles.mine.clone(), tiles.opponent.clone(), tiles.bag.clone());
        let mut spread = arm.ranked.score;
        let mut result = RolloutResult::default();
        if mine.is_empty() {
            return self.evaluate(result, spread + 2 * rack_value(dictionary, &opponent), 0, 0);
        }
        let mut board = arm.board.clone();
        let (mut changed, mut undo) = (arm.changed, Undo::default());
        // leave values after the last ply of each side
        let mut keep = [0; 2];
        let mut idle = matches!(arm.ranked.turn, PlayerMove::Pass) as usize;
        for ply in 0..MAX_PLIES {
            if self.ends_before(ply, &bag) {
                return self.evaluate(result, spread, keep[1] - keep[0], bag.len() + opponent.len());
            }
            let (rack, against) = if ply % 2 == 0 { (&mut opponent, &mine) } else { (&mut mine, &opponent) };
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
                    result.record(ply, play.score, play.laid >= 7);
                    board.place_into(self.graph, dictionary.values(), &play, &mut undo);
                    changed = changed.with(undo.lanes(&board));
                    remove(rack, play.rack_tiles());
                    keep[ply % 2] = self.leave_value(rack, &bag);
                    draw(rack, &mut bag);
                    if rack.is_empty() {
                        return self.evaluate(result, spread + sign * 2 * against, 0, 0);
                    }
                }
                PlayerMove::Exchange(tiles) => {
                    result.record(ply, 0, false);
                    remove(rack, tiles.iter().copied());
                    keep[ply % 2] = self.leave_value(rack, &bag);
                    draw(rack, &mut bag);
                    bag.extend_from_slice(&tiles);
                }
                PlayerMove::Pass => {
                    result.record(ply, 0, false);
                    idle += 1;
                    if idle >= 2 {
                        break;
                    }
                }
            }
        }
        let left = rack_value(dictionary, &opponent) - rack_value(dictionary, &mine);
        self.evaluate(result, spread + left, 0, 0)
    }

    /// Leave value while tiles are left to draw.
    fn leave_value(&self, rack: &[Tile], bag: &[Tile]) -> i32 {
        if bag.is_empty() { 0 } else { self.player.leaves.value(rack) }
    }

    /// Fills in points and win probability; the opponent is to move.
    fn evaluate(&self, result: RolloutResult, spread: i32, keep: i32, unseen: usize) -> RolloutResult {
        let points = spread as f64 + keep as f64 / 1000.0;
        let lead = self.position.lead as f64 + points;
        let win = match unseen {
            0 if lead > 0.0 => 1.0,
            0 if lead < 0.0 => 0.0,
            0 => 0.5,
            _ => 1.0 - self.win.chance(-lead, unseen),
        };
        RolloutResult { points, win, ..result }
    }
}

fn draw(rack: &mut Vec<Tile>, bag: &mut Vec<Tile>) {
    while rack.len() < 7
        && let Some(tile) = bag.pop()
    {
        rack.push(tile);
    }
}
