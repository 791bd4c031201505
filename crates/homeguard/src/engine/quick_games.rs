//! Quick games between mid-level players: how a map plays, beside what its trees say.
//!
//! A game is played under the rules of the thesis (two kills win) with a cap of [`CAP`] rounds. Players blunder with a
//! given probability, so that the games of a map differ.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::search::{Candidates, MixedStrategy, RoundContext, SearchLimits, exchange, settle_cells, taken};
use crate::players::{GreedyPolicy, MaximinPolicy, OneRoundPolicy};
use crate::rules::{Battlefield, Faction, PlayRules, SOLDIERS, Troops, WINNING_KILLS};

/// Rounds after which a quick game stops.
pub const CAP: usize = 40;

/// A policy of a quick game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuickPolicy {
    /// [`GreedyPolicy`].
    Greedy,
    /// [`MaximinPolicy`].
    Maximin,
    /// One pass of [`MixedStrategy`].
    Mixed,
}

/// A policy that gives random legal orders with a probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuickPlayer {
    /// The policy.
    pub policy: QuickPolicy,
    /// Probability of random orders per round.
    pub blunder: f64,
}

/// One round of a quick game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuickRound {
    /// Cells after the round.
    pub at: [u8; SOLDIERS],
    /// Soldiers that stayed on their cell.
    pub stayed: [bool; SOLDIERS],
    /// Soldiers that went through a portal.
    pub portals: [bool; SOLDIERS],
    /// Damage dealt by home and away.
    pub dealt: [u8; 2],
    /// Home's advantage after the round.
    pub score: i16,
    /// Kills of home and away so far.
    pub kills: [u8; 2],
}

/// A finished quick game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuickGame {
    /// The rounds in order.
    pub rounds: Vec<QuickRound>,
    /// Per round of the opening: share of home's joint orders whose worst case is within five points of the best.
    pub freedom: Vec<f32>,
}

impl QuickGame {
    /// Home's advantage at the end.
    pub fn score(&self) -> i16 {
        self.rounds.last().map_or(0, |round| round.score)
    }

    /// The first round with a hit, from 0; the number of rounds if there is none.
    pub fn first_hit(&self) -> usize {
        self.rounds.iter().position(|round| round.dealt != [0, 0]).unwrap_or(self.rounds.len())
    }
}

/// Rounds whose freedom of choice is measured.
const OPENING: usize = 5;

/// Plays one game. The same seed gives the same game.
pub fn quick_game(board: &Battlefield, players: [QuickPlayer; 2], seed: u64) -> QuickGame {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut troops = Troops::start(board);
    let mut game = QuickGame::default();
    while game.rounds.len() < CAP && troops.kills.iter().all(|kills| *kills < WINNING_KILLS) {
        if game.rounds.len() < OPENING {
            game.freedom.push(freedom(board, &troops));
        }
        let played = game.rounds.len();
        let [home, away] = Faction::BOTH.map(|side| target_cells(board, &troops, side, players, played, &mut rng));
        let at = settle_cells(board, &troops, home, away);
        let hits = taken(board, at);
        let before = troops;
        troops.at = at;
        let fallen = troops.suffer(hits);
        let loss = |i: usize| hits[i].min(before.hp[i]);
        let dealt = [loss(2) + loss(3), loss(0) + loss(1)];
        if fallen != 0 {
            troops.respawn(board, fallen);
        }
        game.rounds.push(QuickRound {
            at,
            stayed: std::array::from_fn(|i| before.at[i] == at[i]),
            portals: std::array::from_fn(|i| before.at[i] != at[i] && !board.walks(before.at[i], at[i])),
            dealt,
            score: troops.score,
            kills: troops.kills,
        });
    }
    game
}

fn target_cells(
    board: &Battlefield,
    troops: &Troops,
    side: Faction,
    players: [QuickPlayer; 2],
    played: usize,
    rng: &mut ChaCha8Rng,
) -> [u8; 2] {
    let player = players[side.index()];
    if rng.random::<f64>() < player.blunder {
        let pairs = Candidates::of(board, troops, side);
        return pairs.as_slice()[rng.random_range(0..pairs.as_slice().len())].cells;
    }
    match player.policy {
        QuickPolicy::Greedy => GreedyPolicy.choose(board, troops, side).1,
        QuickPolicy::Maximin => MaximinPolicy.choose(board, troops, side).1,
        QuickPolicy::Mixed => {
            let rules = &PlayRules::SINDELAR;
            let context = RoundContext { board, troops, side, rules, rounds_played: played as u16, control: 0 };
            let limits = SearchLimits { nodes: u64::MAX, deadline: None, stop: None };
            let orders = MixedStrategy { passes: 1 }.choose(&context, limits, rng).orders;
            let own = side.soldiers().map(|soldier| troops.at(soldier));
            [0, 1].map(|i| board.target(own[i], orders[i]).unwrap_or(own[i]).0)
        }
    }
}

/// Share of home's joint orders whose worst case is within five points of the best worst case.
fn freedom(board: &Battlefield, troops: &Troops) -> f32 {
    let own = Candidates::of(board, troops, Faction::Home);
    let other = Candidates::of(board, troops, Faction::Away);
    let worst = |cells: [u8; 2]| {
        let gain = |reply: [u8; 2]| exchange(board, settle_cells(board, troops, cells, reply), troops.hp);
        other.as_slice().iter().map(|reply| gain(reply.cells)).min().unwrap_or(0)
    };
    let values: Vec<i16> = own.as_slice().iter().map(|pair| worst(pair.cells)).collect();
    let best = values.iter().copied().max().unwrap_or(0);
    values.iter().filter(|value| **value >= best - 5).count() as f32 / values.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Size;
    use crate::rules::maps::{CheckersGenerator, GeneWeights, PortalRules, random_map};

    #[test]
    fn games_repeat_keep_the_score_and_differ_by_seed() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let map =
            random_map(Size::DEFAULT, &CheckersGenerator, GeneWeights::default(), PortalRules::default(), &mut rng);
        let board = Battlefield::new(map);
        let players = [QuickPolicy::Maximin, QuickPolicy::Mixed].map(|policy| QuickPlayer { policy, blunder: 0.1 });
        let games: Vec<QuickGame> = (0..6).map(|seed| quick_game(&board, players, seed)).collect();
        assert_eq!(games[2], quick_game(&board, players, 2));
        assert!(games.iter().any(|game| game.rounds.len() != games[0].rounds.len()));
        for game in &games {
            let dealt: i16 = game.rounds.iter().map(|r| i16::from(r.dealt[0]) - i16::from(r.dealt[1])).sum();
            assert_eq!(dealt, game.score());
            assert!(!game.rounds.is_empty() && game.rounds.len() <= CAP);
            assert!(game.freedom.iter().all(|share| (0.0..=1.0).contains(share)));
        }
    }
}
