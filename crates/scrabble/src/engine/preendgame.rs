//! Pre-endgame with one tile in the bag: for every tile it may be, the resulting endgame is solved.

use super::OnePlyPlayer;
use super::simulation::KnownPosition;
use crate::engine::endgame::{Endgame, EndgameLimits, ProofStatus};
use crate::rules::{PlayerMove, remove};
use crate::with_graph;
use lexicon::Tile;
use std::time::{Duration, Instant};

/// Value of a move over all possible bags.
#[derive(Clone, Debug)]
pub struct PreEndgame {
    pub turn: PlayerMove,
    /// Expected gain in spread.
    pub spread: f64,
    /// Share of bags that win; draws count half.
    pub win: f64,
    /// Whether every endgame was proved.
    pub proved: bool,
}

/// Evaluates moves (with their scores) in order until the time is up; the best first.
pub fn solve_one_in_bag(
    player: &OnePlyPlayer<'_>,
    known_position: &KnownPosition<'_>,
    turns: impl IntoIterator<Item = (PlayerMove, i32)>,
    nodes: u64,
    time: Duration,
) -> Vec<PreEndgame> {
    let started = Instant::now();
    let mut results: Vec<PreEndgame> = Vec::new();
    for (turn, score) in turns {
        if !results.is_empty() && started.elapsed() >= time {
            break;
        }
        if let PlayerMove::Play(_) | PlayerMove::Pass = turn {
            results.push(evaluate(player, known_position, turn, score, nodes));
        }
    }
    results.sort_by(|a, b| (b.win, b.spread).partial_cmp(&(a.win, a.spread)).expect("values are numbers"));
    results
}

fn evaluate(
    player: &OnePlyPlayer<'_>,
    known_position: &KnownPosition<'_>,
    turn: PlayerMove,
    score: i32,
    nodes: u64,
) -> PreEndgame {
    let dictionary = player.dictionary;
    let (mut total, mut spread, mut win, mut proved) = (0.0, 0.0, 0.0, true);
    let mut board = known_position.board.clone();
    let mut kept = known_position.rack.to_vec();
    if let PlayerMove::Play(play) = &turn {
        with_graph!(dictionary, graph => { board.place(graph, dictionary.values(), play); });
        remove(&mut kept, play.rack_tiles());
    }
    let drawn = matches!(turn, PlayerMove::Play(_));
    let mut last: Option<Tile> = None;
    for (i, &tile) in known_position.unseen.iter().enumerate() {
        if last == Some(tile) {
            continue;
        }
        last = Some(tile);
        let weight = known_position.unseen.iter().filter(|&&t| t == tile).count() as f64;
        let mut other = known_position.unseen.to_vec();
        other.remove(i);
        let mut mine = kept.clone();
        if drawn {
            mine.push(tile);
        }
        // after a pass the tile stays in the bag; the opponent is assumed not to draw it
        let endgame =
            Endgame { dictionary, layout: player.layout, board: board.clone(), racks: [other, mine], passed: !drawn };
        let solution = endgame.solve(EndgameLimits { nodes: Some(nodes), time: None, depth: None });
        proved &= solution.status == ProofStatus::Proved && drawn;
        let gain = (score - solution.value) as f64;
        let lead = known_position.lead as f64 + gain;
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
