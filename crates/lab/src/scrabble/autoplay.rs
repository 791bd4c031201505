//! Matches between players: paired games, the same tiles drawn in the same order with seats changed.

use game::Seed;
use scrabble::players::{Player, Seen};
use scrabble::{Dictionary, Layout, Position, worth};

/// How a match went for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Record {
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub spread: i64,
    /// Sum of squared pair results, for the interval: pairs of games are what is independent.
    pub pairs: u64,
    pub pair_squares: f64,
    pub turns: u64,
    pub points: i64,
}

impl Record {
    /// Share of games won by the first player; draws count half.
    pub fn win_rate(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games.max(1) as f64
    }

    /// The rate's 95% interval, from the spread of the pairs' results.
    pub fn interval(&self) -> [f64; 2] {
        let n = self.pairs.max(1) as f64;
        let mean = self.win_rate();
        let variance = (self.pair_squares / n - mean * mean).max(1e-9);
        let half = 1.96 * (variance / n).sqrt();
        [(mean - half).max(0.0), (mean + half).min(1.0)]
    }

    /// Mean spread of the first player.
    pub fn mean_spread(&self) -> f64 {
        self.spread as f64 / self.games.max(1) as f64
    }

    /// Adds another record.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.spread += other.spread;
        self.pairs += other.pairs;
        self.pair_squares += other.pair_squares;
        self.turns += other.turns;
        self.points += other.points;
    }
}

/// Plays one game; seat 0 begins. Answers the scores and the number of turns.
pub fn play_game(
    dictionary: &Dictionary,
    layout: &Layout,
    players: [&mut dyn Player; 2],
    seed: Seed,
    number: u64,
) -> ([i32; 2], u64) {
    let mut rng = seed.rng(number);
    let mut position = Position::new(dictionary, layout, &mut rng);
    let mut turns = 0;
    while !position.over {
        let me = position.to_move;
        let seen = Seen {
            board: &position.board,
            rack: &position.racks[me],
            bag: position.bag.len(),
            other_rack: position.racks[1 - me].len(),
            unseen: position.unseen(),
            other_worth: worth(dictionary, &position.racks[1 - me]),
            scores: [position.scores[me], position.scores[1 - me]],
            idle: position.idle,
            last: position.last.as_ref().filter(|(who, _)| *who != me).map(|(_, turn)| turn),
            seed: number.wrapping_mul(1000).wrapping_add(turns),
        };
        let turn = players[me].choose(&seen);
        position.apply(dictionary, turn, &mut rng);
        turns += 1;
    }
    (position.scores, turns)
}

/// Plays pair number `pair`: the same bag twice, seats changed.
pub fn play_pair(
    dictionary: &Dictionary,
    layout: &Layout,
    first: &mut dyn Player,
    second: &mut dyn Player,
    seed: Seed,
    pair: u64,
) -> Record {
    let mut record = Record::default();
    let mut pair_points = 0.0;
    for swapped in [false, true] {
        let (scores, turns) = if swapped {
            play_game(dictionary, layout, [&mut *second, &mut *first], seed, pair)
        } else {
            play_game(dictionary, layout, [&mut *first, &mut *second], seed, pair)
        };
        let spread = if swapped { scores[1] - scores[0] } else { scores[0] - scores[1] };
        record.games += 1;
        record.turns += turns;
        record.points += (scores[0] + scores[1]) as i64;
        record.spread += spread as i64;
        record.wins += (spread > 0) as u64;
        record.draws += (spread == 0) as u64;
        pair_points += if spread > 0 {
            0.5
        } else if spread == 0 {
            0.25
        } else {
            0.0
        };
    }
    record.pairs = 1;
    record.pair_squares = pair_points * pair_points;
    record
}
