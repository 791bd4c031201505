//! Matches between players in paired games: the same bag order twice with seats swapped.

use game::Seed;
use scrabble::players::{EnginePlayer, PlayerView};
use scrabble::{Dictionary, Layout, TwoPlayerGame, rack_value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Result of a match for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchRecord {
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub spread: i64,
    /// Sum of squared pair results, for the interval: pairs, not games, are independent.
    pub pairs: u64,
    pub pair_squares: f64,
    pub turns: u64,
    pub points: i64,
}

impl MatchRecord {
    /// Share of games won by the first player; draws count half.
    pub fn win_rate(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games.max(1) as f64
    }

    /// The 95% interval of the win rate, from the variance of the pair results.
    pub fn interval(&self) -> [f64; 2] {
        let n = self.pairs.max(1) as f64;
        let mean = self.win_rate();
        let variance = (self.pair_squares / n - mean * mean).max(1e-9);
        let interval = numerics::Interval::of_error(mean, (variance / n).sqrt());
        [interval.low().max(0.0), interval.high().min(1.0)]
    }

    /// Mean spread of the first player.
    pub fn mean_spread(&self) -> f64 {
        self.spread as f64 / self.games.max(1) as f64
    }

    /// Two games with the same tiles.
    pub fn of_pair(wins: u64, draws: u64, spread: i64, turns: u64, points: i64) -> Self {
        let result = wins as f64 / 2.0 + draws as f64 / 4.0;
        Self { games: 2, wins, draws, spread, pairs: 1, pair_squares: result * result, turns, points }
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

/// The pairs of a match played so far, so that an interrupted match resumes.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchResults {
    /// Players, lexicon, seed and budget; a file is only resumed by the same match.
    pub title: String,
    pub pairs: BTreeMap<u64, MatchRecord>,
}

impl MatchResults {
    /// Nothing played yet.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), pairs: BTreeMap::new() }
    }

    /// All pairs together.
    pub fn total(&self) -> MatchRecord {
        let mut total = MatchRecord::default();
        self.pairs.values().for_each(|pair| total.add(pair));
        total
    }

    /// The title, then a line per pair: number, wins, draws, spread, turns, points.
    pub fn to_text(&self) -> String {
        let mut out = format!("match {}\n", self.title);
        for (pair, r) in &self.pairs {
            out += &format!("pair {pair} {} {} {} {} {}\n", r.wins, r.draws, r.spread, r.turns, r.points);
        }
        out
    }

    /// Reads what [`MatchResults::to_text`] writes; another match's results are refused.
    pub fn parse(text: &str, title: &str) -> Result<Self, String> {
        let mut lines = text.lines().enumerate();
        let found = lines.next().and_then(|(_, line)| line.strip_prefix("match ")).ok_or("no results of a match")?;
        if found != title {
            return Err(format!("results of another match ({found}); this one is {title}"));
        }
        let mut results = Self::new(title);
        for (i, line) in lines {
            let wrong = || format!("line {}: {line:?} is not a pair of games", i + 1);
            let numbers: Result<Vec<i64>, _> =
                line.strip_prefix("pair ").ok_or_else(wrong)?.split(' ').map(str::parse).collect();
            match numbers.map_err(|_| wrong())?[..] {
                [pair @ (0..), wins @ 0..=2, draws @ 0..=2, spread, turns @ (0..), points] if wins + draws <= 2 => {
                    let record = MatchRecord::of_pair(wins as u64, draws as u64, spread, turns as u64, points);
                    results.pairs.insert(pair as u64, record);
                }
                _ => return Err(wrong()),
            }
        }
        Ok(results)
    }
}

/// Plays one game; seat 0 begins. Returns the scores and the number of turns.
pub fn play_game(
    dictionary: &Dictionary,
    layout: &Layout,
    players: [&mut dyn EnginePlayer; 2],
    seed: Seed,
    number: u64,
) -> ([i32; 2], u64) {
    let mut rng = seed.rng(number);
    let mut position = TwoPlayerGame::new(dictionary, layout, &mut rng);
    let mut turns = 0;
    while !position.over {
        let me = position.to_move;
        let seen = PlayerView {
            board: &position.board,
            rack: &position.racks[me],
            bag: position.bag.len(),
            opponent_tiles: position.racks[1 - me].len(),
            unseen: position.unseen(),
            opponent_rack_value: rack_value(dictionary, &position.racks[1 - me]),
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

/// Plays pair number `pair`: the same bag order twice, seats swapped.
pub fn play_pair(
    dictionary: &Dictionary,
    layout: &Layout,
    first: &mut dyn EnginePlayer,
    second: &mut dyn EnginePlayer,
    seed: Seed,
    pair: u64,
) -> MatchRecord {
    let (mut wins, mut draws, mut spreads, mut all_turns, mut points) = (0, 0, 0, 0, 0);
    for swapped in [false, true] {
        let (scores, turns) = if swapped {
            play_game(dictionary, layout, [&mut *second, &mut *first], seed, pair)
        } else {
            play_game(dictionary, layout, [&mut *first, &mut *second], seed, pair)
        };
        let spread = if swapped { scores[1] - scores[0] } else { scores[0] - scores[1] };
        wins += (spread > 0) as u64;
        draws += (spread == 0) as u64;
        spreads += spread as i64;
        all_turns += turns;
        points += (scores[0] + scores[1]) as i64;
    }
    MatchRecord::of_pair(wins, draws, spreads, all_turns, points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_back_and_another_match_is_refused() {
        let mut results = MatchResults::new("strong against static");
        results.pairs.insert(0, MatchRecord::of_pair(1, 1, -12, 50, 801));
        results.pairs.insert(3, MatchRecord::of_pair(0, 0, -90, 47, 777));
        let total = results.total();
        assert_eq!((total.games, total.win_rate(), total.mean_spread()), (4, 0.375, -25.5));
        let text = results.to_text();
        assert_eq!(MatchResults::parse(&text, "strong against static"), Ok(results));
        assert!(MatchResults::parse(&text, "greedy against static").unwrap_err().contains("another match"));
        assert!(MatchResults::parse("match x\npair 1 2 1 5 40 800\n", "x").unwrap_err().contains("line 2"));
    }
}
