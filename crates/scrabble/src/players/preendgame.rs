//! One tile in the bag: every tile that may be in it is tried and the endgame that follows is solved.

use super::Quick;
use super::simulate::Situation;
use crate::endgame::{Endgame, Limits, Status};
use crate::rules::{Turn, remove};
use crate::with_graph;
use lexicon::Tile;
use std::time::{Duration, Instant};

/// What a move gives over all tiles that may be in the bag.
#[derive(Clone, Debug)]
pub struct PreEndgame {
    pub turn: Turn,
    /// Expected gain in spread.
    pub spread: f64,
    /// Share of the bag's possibilities that win (draws count half).
    pub win: f64,
    /// Whether every endgame behind these figures was proved.
    pub proved: bool,
}

/// Solves for one tile in the bag; the best move first. Turns (with their scores) are tried in order while time lasts.
pub fn solve_one_in_bag(
    player: &Quick<'_>,
    situation: &Situation<'_>,
    turns: impl IntoIterator<Item = (Turn, i32)>,
    nodes: u64,
    time: Duration,
) -> Vec<PreEndgame> {
    let started = Instant::now();
    let mut results: Vec<PreEndgame> = Vec::new();
    for (turn, score) in turns {
        if !results.is_empty() && started.elapsed() >= time {
            break;
        }
        if let Turn::Play(_) | Turn::Pass = turn {
            results.push(judge(player, situation, turn, score, nodes));
        }
    }
    results.sort_by(|a, b| (b.win, b.spread).partial_cmp(&(a.win, a.spread)).expect("values are numbers"));
    results
}

fn judge(player: &Quick<'_>, situation: &Situation<'_>, turn: Turn, score: i32, nodes: u64) -> PreEndgame {
    let dictionary = player.dictionary;
    let (mut total, mut spread, mut win, mut proved) = (0.0, 0.0, 0.0, true);
    let mut board = situation.board.clone();
    let mut kept = situation.rack.to_vec();
    if let Turn::Play(play) = &turn {
        with_graph!(dictionary, graph => { board.place(graph, dictionary.values(), play); });
        remove(&mut kept, play.rack_tiles());
    }
    let drawn = matches!(turn, Turn::Play(_));
    let mut last: Option<Tile> = None;
    for (i, &tile) in situation.unseen.iter().enumerate() {
        if last == Some(tile) {
            continue;
        }
        last = Some(tile);
        let weight = situation.unseen.iter().filter(|&&t| t == tile).count() as f64;
        let mut other = situation.unseen.to_vec();
        other.remove(i);
        let mut mine = kept.clone();
        if drawn {
            mine.push(tile);
        }
        // after a pass one tile stays in the bag; the other player is taken to pass it by
        let endgame =
            Endgame { dictionary, layout: player.layout, board: board.clone(), racks: [other, mine], passed: !drawn };
        let solution = endgame.solve(Limits { nodes: Some(nodes), time: None, depth: None });
        proved &= solution.status == Status::Proved && drawn;
        let gain = (score - solution.value) as f64;
        let lead = situation.lead as f64 + gain;
        total += weight;
        spread += weight * gain;
        win += weight
            * if lead > 0.0 {
                1.0
            } else if lead == 0.0 {
                0.5
            } else {
                0.0
            };
    }
    PreEndgame { turn, spread: spread / total, win: win / total, proved }
}
