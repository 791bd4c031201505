//! Features of quick games on a map: how it plays between mid-level players.

use super::features::MapFeatures;
use crate::engine::quick_games::{CAP, QuickGame, QuickPlayer, QuickPolicy, QuickRound, quick_game};
use crate::rules::Battlefield;

/// Quick games per map.
const GAMES: u64 = 20;
/// Probability of random orders per round and player.
const BLUNDER: f64 = 0.1;

/// Plays the games of a map and writes their features. The seeds are fixed: the same map gives the same numbers.
pub(crate) fn measure_play(board: &Battlefield, features: &mut MapFeatures) {
    let player = |policy| QuickPlayer { policy, blunder: BLUNDER };
    let games: Vec<QuickGame> = (0..GAMES)
        .map(|number| {
            let policies = match number % 4 {
                0 => [QuickPolicy::Maximin, QuickPolicy::Maximin],
                1 => [QuickPolicy::Greedy, QuickPolicy::Maximin],
                2 => [QuickPolicy::Maximin, QuickPolicy::Greedy],
                _ => [QuickPolicy::Greedy, QuickPolicy::Greedy],
            };
            quick_game(board, policies.map(player), 0xF00D + number)
        })
        .collect();
    write(board, &games, features);
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
    if n > 0.0 { sum / n } else { 0.0 }
}

fn deviation(values: &[f64]) -> f64 {
    let centre = mean(values.iter().copied());
    mean(values.iter().map(|value| (value - centre).powi(2))).sqrt()
}

fn write(board: &Battlefield, games: &[QuickGame], features: &mut MapFeatures) {
    let rounds = |game: &QuickGame| game.rounds.len().max(1) as f64;
    let lengths: Vec<f64> = games.iter().map(|game| rounds(game) / CAP as f64).collect();
    let scores: Vec<f64> = games.iter().map(|game| f64::from(game.score()) / 40.0).collect();
    let portals = |game: &QuickGame, side: usize| -> f64 {
        let uses = game.rounds.iter().map(|r| usize::from(r.portals[2 * side]) + usize::from(r.portals[2 * side + 1]));
        uses.sum::<usize>() as f64
    };
    features.set("game_length", mean(lengths.iter().copied()));
    features.set("length_spread", deviation(&lengths));
    features.set("first_hit", mean(games.iter().map(|game| game.first_hit() as f64 / CAP as f64)));
    let [home, away] = [0, 1].map(|side| mean(games.iter().map(|game| portals(game, side) / rounds(game))));
    features.set("portals_home", home);
    features.set("portals_away", away);
    let both = games.iter().map(|game| portals(game, 0).min(portals(game, 1)).sqrt());
    features.set("portals_both", mean(both));
    let floors = board.map().size().floors() as f64;
    features.set("cells_visited", mean(games.iter().map(|game| visited(game) / floors)));
    features.set("lead_swings", mean(games.iter().map(|game| f64::from(lead_changes(game)))));
    features.set("result_spread", deviation(&scores));
    features.set("result", mean(scores.iter().copied()));
    let hits =
        |game: &QuickGame| game.rounds.iter().map(|r| f64::from(r.dealt[0]) + f64::from(r.dealt[1])).sum::<f64>();
    features.set("pace", mean(games.iter().map(|game| hits(game) / rounds(game) / 10.0)));
    let stayed = |game: &QuickGame| game.rounds.iter().flat_map(|r| r.stayed).filter(|s| *s).count() as f64;
    features.set("waiting", mean(games.iter().map(|game| stayed(game) / rounds(game) / 4.0)));
    features.set("deficit", mean(games.iter().map(|game| deficit(game) / 40.0)));
    let kills = |game: &QuickGame| game.rounds.last().map_or(0.0, |r| f64::from(r.kills[0] + r.kills[1]));
    features.set("kills", mean(games.iter().map(kills)));
    features.set("late_hits", mean(games.iter().map(late_hits)));
    features.set("free_opening", mean(games.iter().flat_map(|game| game.freedom.iter().map(|v| f64::from(*v)))));
}

fn visited(game: &QuickGame) -> f64 {
    let seen = game.rounds.iter().flat_map(|round| round.at).fold(0u128, |seen, cell| seen | 1 << cell);
    f64::from(seen.count_ones())
}

/// Changes of the sign of the score; a zero inherits the sign before it.
fn lead_changes(game: &QuickGame) -> u32 {
    let signs: Vec<i16> = game.rounds.iter().map(|r| r.score.signum()).filter(|sign| *sign != 0).collect();
    signs.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
}

/// The largest deficit of the winner on score.
fn deficit(game: &QuickGame) -> f64 {
    let winner = game.score().signum();
    let lowest = game.rounds.iter().map(|round| winner * round.score).min().unwrap_or(0);
    f64::from(-lowest.min(0))
}

/// Share of the damage in the last third of the rounds.
fn late_hits(game: &QuickGame) -> f64 {
    let damage = |part: &[QuickRound]| -> f64 {
        part.iter().map(|round| f64::from(round.dealt[0]) + f64::from(round.dealt[1])).sum()
    };
    let all = damage(&game.rounds);
    if all > 0.0 { damage(&game.rounds[game.rounds.len() * 2 / 3..]) / all } else { 0.0 }
}
