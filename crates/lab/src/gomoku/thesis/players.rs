//! The players of the thesis (section 6.2): policy without search, rollouts to the end or to a fixed depth with value,
//! and
//! PUCT as in AlphaGo (Silver et al. 2016).

use game::{BotError, Control};
use gomoku::players::{Clock, Decision, Player};
use gomoku::rules::{Point, Position, Status};
use search::{PolicyValueGame, puct};

use super::policy::ThesisPolicyNet;
use super::samples::{of_position, point};
use super::value::ThesisValueNet;
use numerics::SplitMix64;

/// Moves per node of the tree search.
const WIDTH: usize = 24;
/// Exploration constant of PUCT.
const EXPLORATION: f32 = 1.5;
/// Plies after which a rollout counts as drawn.
const LONGEST: usize = 80;

fn decided(place: usize, win: Option<f64>, nodes: u64) -> Decision {
    Decision { point: point(place), win_probability: win, depth: 0, nodes, line: Vec::new() }
}

fn likeliest(chances: &[f32], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..chances.len()).filter(|&at| chances[at] > 0.0).collect();
    order.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]).then(a.cmp(&b)));
    order.truncate(count);
    order
}

fn nothing() -> BotError {
    BotError::Other("the network sees no free point".into())
}

/// Plays the most likely move.
pub struct PolicyPlayer(pub ThesisPolicyNet);

impl Player for PolicyPlayer {
    fn choose(&mut self, position: &Position, _: &Clock, _: u64, _: &Control) -> Result<Decision, BotError> {
        let chances = self.0.free_chances(&[of_position(position)]).remove(0);
        likeliest(&chances, 1).first().map(|&at| decided(at, None, 1)).ok_or_else(nothing)
    }
}

/// Plays the first move with the best rollouts.
pub struct RolloutPlayer {
    pub policy: ThesisPolicyNet,
    /// Evaluates truncated rollouts; without it rollouts are played to the end.
    pub value: Option<ThesisValueNet>,
    /// Number of first moves, rollouts per first move, and plies of a truncated rollout.
    pub first_moves: usize,
    pub games: usize,
    pub depth: usize,
}

impl RolloutPlayer {
    /// Samples one ply of every running game; returns the number of games still running.
    fn advance(&mut self, games: &mut [Position], rng: &mut SplitMix64) -> usize {
        let running: Vec<usize> = (0..games.len()).filter(|&at| !games[at].is_over()).collect();
        let seen: Vec<_> = running.iter().map(|&at| of_position(&games[at])).collect();
        for (&at, chances) in running.iter().zip(self.policy.free_chances(&seen)) {
            let mut left = rng.unit();
            let taken = chances.iter().position(|chance| {
                left -= chance;
                *chance > 0.0 && left <= 0.0
            });
            let chosen = taken.or_else(|| likeliest(&chances, 1).first().copied());
            if chosen.is_none_or(|chosen| games[at].play(point(chosen)).is_err()) {
                return 0;
            }
        }
        games.iter().filter(|game| !game.is_over()).count()
    }
}

impl Player for RolloutPlayer {
    fn choose(&mut self, position: &Position, _: &Clock, seed: u64, _: &Control) -> Result<Decision, BotError> {
        let me = position.to_move();
        let chances = self.policy.free_chances(&[of_position(position)]).remove(0);
        let first = likeliest(&chances, self.first_moves);
        let mut rng = SplitMix64::new(seed);
        let mut games: Vec<Position> = Vec::new();
        for &at in &first {
            let mut next = position.clone();
            next.play(point(at)).map_err(|error| BotError::Other(error.to_string()))?;
            games.extend(std::iter::repeat_n(next, self.games));
        }
        let plies = if self.value.is_some() { self.depth } else { LONGEST };
        let mut nodes = 0;
        for _ in 0..plies {
            nodes += games.len() as u64;
            if self.advance(&mut games, &mut rng) == 0 {
                break;
            }
        }
        let judged: Vec<f32> = match &mut self.value {
            Some(value) => value.values(&games.iter().map(of_position).collect::<Vec<_>>()),
            None => vec![0.5; games.len()],
        };
        let worth = |(game, judged): (&Position, &f32)| match game.status() {
            Status::Won { by, .. } => f32::from(u8::from(*by == me)),
            Status::Drawn => 0.5,
            Status::Running if game.to_move() == me => *judged,
            Status::Running => 1.0 - judged,
        };
        let results: Vec<f32> = games.iter().zip(&judged).map(worth).collect();
        let sums: Vec<f32> = results.chunks(self.games.max(1)).map(|part| part.iter().sum()).collect();
        // ties go to the more likely move
        let best = (0..first.len()).max_by(|&a, &b| sums[a].total_cmp(&sums[b]).then(b.cmp(&a))).ok_or_else(nothing)?;
        Ok(decided(first[best], Some(f64::from(sums[best] / self.games.max(1) as f32)), nodes))
    }
}

/// PUCT with policy and value.
pub struct PuctPlayer {
    pub policy: ThesisPolicyNet,
    pub value: ThesisValueNet,
    pub simulations: usize,
}

/// A position with the networks that evaluate it.
struct Seen<'n> {
    position: Position,
    policy: &'n mut ThesisPolicyNet,
    value: &'n mut ThesisValueNet,
}

impl PolicyValueGame for Seen<'_> {
    type Move = Point;

    fn end(&self) -> Option<f32> {
        match self.position.status() {
            Status::Won { .. } => Some(0.0),
            Status::Drawn => Some(0.5),
            Status::Running => None,
        }
    }

    fn predict(&mut self) -> (Vec<(Point, f32)>, f32) {
        let seen = [of_position(&self.position)];
        let chances = self.policy.free_chances(&seen).remove(0);
        let moves = likeliest(&chances, WIDTH).into_iter().map(|at| (point(at), chances[at])).collect();
        (moves, self.value.values(&seen)[0])
    }

    fn make(&mut self, chosen: Point) {
        self.position.play(chosen).expect("the policy gives free points");
    }

    fn unmake(&mut self, _: Point) {
        self.position.undo();
    }
}

impl Player for PuctPlayer {
    fn choose(&mut self, position: &Position, _: &Clock, _: u64, _: &Control) -> Result<Decision, BotError> {
        let mut seen = Seen { position: position.clone(), policy: &mut self.policy, value: &mut self.value };
        let tried = puct(&mut seen, self.simulations, EXPLORATION);
        let best = tried.first().ok_or_else(nothing)?;
        let nodes = self.simulations as u64;
        let line = vec![best.chosen];
        Ok(Decision { point: best.chosen, win_probability: Some(f64::from(best.value)), depth: 0, nodes, line })
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::{BudgetedPlayer, SIZE, play};
    use super::super::policy::{Architecture, LAYERS};
    use super::*;
    use gomoku::engine::net::LabelledPosition;
    use gomoku::rules::Rule;
    use neural::Adam;

    fn tiny() -> ThesisPolicyNet {
        ThesisPolicyNet::new(&Architecture { channels: &[4, 1], ..LAYERS[0] }, 3)
    }

    /// Black to move has four in a row, open on one side only.
    fn four() -> Position {
        let mut position = Position::new(Rule::Freestyle, SIZE).expect("a board");
        for x in 0..4 {
            position.play(Point { x, y: 0 }).expect("free");
            position.play(Point { x: 2 * x, y: 9 }).expect("free");
        }
        position
    }

    #[test]
    fn the_tree_search_finds_a_five_that_the_policy_thinks_less_likely() {
        let (five, other) = (4u16, 9 * 19 + 1u16);
        let seen = |played| LabelledPosition { targets: vec![(played, 1.0)], ..of_position(&four()) };
        let batch = [seen(other), seen(other), seen(five)];
        let mut policy = ThesisPolicyNet::new(&Architecture { channels: &[16, 1], ..LAYERS[0] }, 3);
        let mut adam = Adam::new(0.02);
        for _ in 0..80 {
            policy.learn(&batch, &[1.0; 3], &mut adam);
        }
        let choose = |player: &mut dyn Player| {
            player.choose(&four(), &Clock::default(), 1, &Control::new()).expect("a move").point
        };
        assert_eq!(choose(&mut PolicyPlayer(policy.clone())), point(usize::from(other)));
        assert_eq!(
            choose(&mut PuctPlayer { policy, value: ThesisValueNet::new(4), simulations: 60 }),
            point(usize::from(five))
        );
    }

    #[test]
    fn players_without_search_and_with_samples_play_legal_games() {
        let alone = || BudgetedPlayer::free(Box::new(PolicyPlayer(tiny())));
        let sampler = |value| RolloutPlayer { policy: tiny(), value, first_moves: 2, games: 2, depth: 2 };
        let mut with_value = BudgetedPlayer::free(Box::new(sampler(Some(ThesisValueNet::new(1)))));
        let game = play([&mut alone(), &mut with_value], &[Point { x: 9, y: 9 }, Point { x: 8, y: 9 }], 1);
        assert!(game.moves.len() > 10);
        let decision = sampler(None).choose(&four(), &Clock::default(), 5, &Control::new()).expect("a move");
        assert!(four().check(decision.point).is_ok());
    }
}
