//! Bots: a player reads the view of its seat and returns an action.

use game::{Bot, BotError, Budget, Choice, Control, Seat, Thought};

use super::{Action, Phase, View};
use crate::Gomoku;
use crate::engine::reason::reason;
use crate::players::swap2::{self, OpeningError, Swap2Reply};
use crate::players::{self, Clock, Decision, Nets, Player, Resources};
use crate::rules::{Point, Position};

/// A bot of the given level.
pub fn bot(level: &str, nets: &Nets) -> Option<Box<dyn Bot<Gomoku>>> {
    let player = players::player(level, nets, Resources { table_mb: 16, threads: 1 })?;
    Some(Box::new(LevelBot::new(player)))
}

/// A named player at a table.
pub struct LevelBot {
    player: Box<dyn Player>,
}

impl LevelBot {
    /// A bot that asks `player` for its moves.
    pub fn new(player: Box<dyn Player>) -> Self {
        Self { player }
    }
}

impl Bot<Gomoku> for LevelBot {
    fn choose(
        &mut self,
        _: &Gomoku,
        seat: Seat,
        view: &View,
        budget: Budget,
        seed: u64,
        control: &Control,
    ) -> Result<Choice<Action>, BotError> {
        if view.acting != Some(seat) {
            return Err(BotError::NotToAct(seat));
        }
        let position = view.position().map_err(|error| BotError::Other(error.to_string()))?;
        let clock = Clock::from(budget);
        let stones: Vec<Point> = position.stones().iter().map(|stone| stone.point).collect();
        let (rule, size) = (position.rule(), position.size());
        let player = &mut *self.player;
        let failed = |error: OpeningError| BotError::Other(error.to_string());
        match view.phase {
            Phase::Play => {
                let decision = player.choose(&position, &clock, seed, control)?;
                Ok(choice(&position, &decision))
            }
            Phase::ThreeStones if stones.is_empty() => {
                let three = swap2::three_stones(player, rule, size, seed, control).map_err(failed)?;
                Ok(plain(Action::place(three[0])))
            }
            Phase::ThreeStones | Phase::TwoStones => {
                let point = swap2::level_stone(player, &position, seed, control).map_err(failed)?;
                Ok(plain(Action::place(point)))
            }
            Phase::ChooseOrAdd | Phase::Choose => {
                let answer = swap2::reply(player, rule, size, &stones, &clock, seed, control).map_err(failed)?;
                let action = if answer == Swap2Reply::Swap { Action::TakeBlack } else { Action::TakeWhite };
                Ok(plain(action))
            }
        }
    }
}

fn plain(action: Action) -> Choice<Action> {
    Choice { action, thought: Thought::default() }
}

fn choice(position: &Position, decision: &Decision) -> Choice<Action> {
    let size = position.size();
    let line: Vec<String> = decision.line.iter().map(|point| point.name(size).to_string()).collect();
    let thought = Thought {
        note: reason(position, decision.point).sentence(decision.point, size),
        win_probability: decision.win_probability,
        detail: serde_json::json!({ "depth": decision.depth, "nodes": decision.nodes, "line": line }),
    };
    Choice { action: Action::place(decision.point), thought }
}
