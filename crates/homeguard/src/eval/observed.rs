//! What simulated raters of a population observe about a map: its layout and games of their own.
//!
//! The raters share no code, seed or player with the features of the preference model: their games are played by other
//! policies with other seeds, and every quantity has a definition of its own.

use crate::engine::quick_games::{QuickGame, QuickPlayer, QuickPolicy, quick_game};
use crate::rules::{Battlefield, Cover, Map};

/// Observed layout quantities; they come first.
pub const LAYOUT_ASPECTS: usize = 14;
/// Observed quantities of play.
pub const PLAY_ASPECTS: usize = 14;
/// All observed quantities.
pub const ASPECTS: usize = LAYOUT_ASPECTS + PLAY_ASPECTS;

/// Names of the quantities.
pub const NAMES: [&str; ASPECTS] = [
    "rocks",
    "trees",
    "density",
    "dense centre",
    "dense rim",
    "mirror symmetry",
    "half-turn symmetry",
    "largest clump",
    "long open lines",
    "ambush cells",
    "covered cells",
    "portals off the middle",
    "portal span",
    "own side covered",
    "medium length",
    "late contact",
    "portals used by both",
    "portals used",
    "lead swings",
    "variance between plays",
    "variance of length",
    "area fought over",
    "kills",
    "comebacks",
    "free opening",
    "slow games",
    "favours the player",
    "late damage",
];

/// The quantities of one map.
pub type Observed = [f64; ASPECTS];

/// Games of each kind per map.
const MIXED_GAMES: u64 = 8;
const NOISY_GAMES: u64 = 24;
/// Rounds above which a game is slow.
const SLOW: usize = 12;

/// Observes a map.
pub fn observe(map: &Map) -> Observed {
    let board = Battlefield::new(map.clone());
    let mut observed = [0.0; ASPECTS];
    observe_layout(&board, &mut observed);
    observe_play(&board, &mut observed);
    observed
}

fn observe_layout(board: &Battlefield, out: &mut Observed) {
    let map = board.map();
    let size = map.size();
    let last = size.side() as i32 - 1;
    let sites = size.sites() as f64;
    let cover = |x: i32, y: i32| size.square(x, y).map_or(Cover::None, |square| map.cover_at(square));
    let (mut inner, mut outer, mut own, mut other) = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0));
    let (mut mirror, mut turn) = (0.0, 0.0);
    for site in size.all_sites() {
        let square = size.site_square(site);
        let (x, y) = (i32::from(square.x), i32::from(square.y));
        let here = map.cover(site);
        let full = f64::from(u8::from(here != Cover::None));
        out[0] += f64::from(u8::from(here == Cover::Short)) / sites;
        out[1] += f64::from(u8::from(here == Cover::Long)) / sites;
        let ring = x.min(y).min(last - x).min(last - y);
        let zone = if ring >= 3 { &mut inner } else { &mut outer };
        *zone = (zone.0 + full, zone.1 + 1.0);
        let half = if x + y < last { &mut own } else { &mut other };
        *half = (half.0 + full, half.1 + 1.0);
        mirror += f64::from(u8::from(cover(y, x) == here)) / sites;
        turn += f64::from(u8::from(cover(last - x, last - y) == here)) / sites;
    }
    let share = |zone: (f64, f64)| zone.0 / f64::max(zone.1, 1.0);
    out[2] = out[0] + out[1];
    out[3] = share(inner);
    out[4] = share(outer);
    out[5] = mirror;
    out[6] = turn;
    out[7] = largest_clump(map) / sites;
    let (mut long, mut open, mut ambush, mut hidden) = (0.0, 0.0, 0.0, 0.0);
    for from in size.all_floors() {
        let a = size.floor_square(from);
        let (mut seen, mut seen_by) = (0.0, 0.0);
        for to in size.all_floors().filter(|to| *to != from) {
            let distance = a.distance_squared(size.floor_square(to));
            if distance > 20 {
                continue;
            }
            let (there, back) = (board.damage(from, to).points(), board.damage(to, from).points());
            seen += f64::from(there);
            seen_by += f64::from(back);
            if distance >= 9 {
                long += 1.0;
                open += f64::from(u8::from(there == 10));
            }
        }
        ambush += f64::from(u8::from(seen > 1.15 * seen_by));
        hidden += f64::from(u8::from(seen_by < 60.0));
    }
    let floors = size.floors() as f64;
    out[8] = open / f64::max(long, 1.0);
    out[9] = ambush / floors;
    out[10] = hidden / floors;
    let middle = f64::from(last) / 2.0;
    let off = map.portals().iter().flatten().map(|cell| {
        let square = size.floor_square(*cell);
        (f64::from(square.x) - middle).hypot(f64::from(square.y) - middle)
    });
    out[11] = off.sum::<f64>() / f64::max(2.0 * map.portals().len() as f64, 1.0);
    let spans = map
        .portals()
        .iter()
        .map(|[a, b]| f64::from(size.floor_square(*a).distance_squared(size.floor_square(*b))).sqrt());
    out[12] = spans.sum::<f64>() / f64::max(map.portals().len() as f64, 1.0);
    out[13] = share(own) - share(other);
}

/// Sites in the largest group of covers that touch diagonally.
fn largest_clump(map: &Map) -> f64 {
    let size = map.size();
    let mut seen = vec![false; size.sites()];
    let mut best = 0;
    for start in size.all_sites() {
        let mut queue = vec![start];
        let mut count = 0;
        while let Some(site) = queue.pop() {
            if map.cover(site) == Cover::None || std::mem::replace(&mut seen[site.index()], true) {
                continue;
            }
            count += 1;
            let square = size.site_square(site);
            for (dx, dy) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let next = size.square(i32::from(square.x) + dx, i32::from(square.y) + dy);
                queue.extend(next.and_then(|square| size.site_at(square)));
            }
        }
        best = best.max(count);
    }
    f64::from(best)
}

fn observe_play(board: &Battlefield, out: &mut Observed) {
    let player = |policy, blunder| QuickPlayer { policy, blunder };
    let mixed = player(QuickPolicy::Mixed, 0.05);
    let noisy = [player(QuickPolicy::Maximin, 0.2), player(QuickPolicy::Greedy, 0.2)];
    let games: Vec<QuickGame> = (0..MIXED_GAMES)
        .map(|number| quick_game(board, [mixed, mixed], 0x5EED_1000 + number))
        .chain((0..NOISY_GAMES).map(|number| {
            let players = [noisy[(number % 2) as usize], noisy[(number / 2 % 2) as usize]];
            quick_game(board, players, 0x5EED_2000 + number)
        }))
        .collect();
    let n = games.len() as f64;
    let play = &mut out[LAYOUT_ASPECTS..];
    let lengths: Vec<f64> = games.iter().map(|game| game.rounds.len() as f64).collect();
    let ends: Vec<f64> = games.iter().map(|game| f64::from(game.score())).collect();
    play[5] = variance(&ends).sqrt();
    play[6] = variance(&lengths).sqrt();
    for game in &games {
        let rounds = game.rounds.len();
        play[0] += rounds as f64 / n;
        play[1] += game.first_hit() as f64 / n;
        let steps = |soldiers: [usize; 2]| -> f64 {
            game.rounds.iter().map(|r| f64::from(u8::from(soldiers.iter().any(|s| r.portals[*s])))).sum()
        };
        let (own, other) = (steps([0, 1]), steps([2, 3]));
        play[2] += f64::from(u8::from(own > 0.0 && other > 0.0)) * (own.min(other)).ln_1p() / n;
        play[3] += (own + other) / n;
        let leads: Vec<i16> = game.rounds.iter().map(|r| r.score).filter(|score| score.abs() >= 5).collect();
        play[4] += leads.windows(2).filter(|w| w[0].signum() != w[1].signum()).count() as f64 / n;
        let mut cells: Vec<u8> = game.rounds.iter().filter(|r| r.dealt != [0, 0]).flat_map(|round| round.at).collect();
        cells.sort_unstable();
        cells.dedup();
        play[7] += cells.len() as f64 / n;
        let kills = game.rounds.last().map_or([0, 0], |r| r.kills);
        play[8] += f64::from(kills[0] + kills[1]) / n;
        let winner = game.score().signum();
        let deepest = game.rounds.iter().map(|r| winner * r.score).min().unwrap_or(0);
        play[9] += f64::from((-deepest).max(0)) / 40.0 / n;
        let first: f64 = game.freedom.iter().take(3).map(|v| f64::from(*v)).sum();
        play[10] += first / 3.0 / n;
        play[11] += f64::from(u8::from(rounds > SLOW)) / n;
        play[12] += f64::from(winner) / n;
        let damage = |part: &[crate::engine::quick_games::QuickRound]| -> f64 {
            part.iter().map(|r| f64::from(r.dealt[0]) + f64::from(r.dealt[1])).sum()
        };
        let all = damage(&game.rounds);
        if all > 0.0 {
            play[13] += damage(&game.rounds[rounds / 2..]) / all / n;
        }
    }
}

fn variance(values: &[f64]) -> f64 {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n
}
