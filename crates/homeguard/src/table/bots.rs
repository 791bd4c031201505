//! Bots: the levels at a table.

use game::{Bot, BotError, Budget, Choice, Control, Seat, Thought};

use super::action::Action;
use super::game::Homeguard;
use super::state::side_of;
use super::view::View;
use crate::engine::search::RoundContext;
use crate::players::{OrderBudget, SkillLevel};

/// A player of one level.
pub(crate) struct LevelBot(pub(crate) &'static SkillLevel);

/// The platform budget as a budget of this game.
fn order_budget(budget: Budget) -> OrderBudget {
    match budget {
        Budget::Nodes(nodes) => OrderBudget::Nodes(nodes),
        Budget::Time(time) => OrderBudget::Time(time),
    }
}

impl Bot<Homeguard> for LevelBot {
    fn choose(
        &mut self,
        _game: &Homeguard,
        seat: Seat,
        view: &View,
        budget: Budget,
        seed: u64,
        control: &Control,
    ) -> Result<Choice<Action>, BotError> {
        let side = side_of(seat).map_err(|error| BotError::Other(error.to_string()))?;
        if view.ended.is_some() || view.committed[side.index()] {
            return Err(BotError::NotToAct(seat));
        }
        let (board, troops, rules) = view.position().map_err(BotError::Other)?;
        let stop = control.stop_flag();
        let context = RoundContext {
            board: &board,
            troops: &troops,
            side,
            rules: &rules,
            rounds_played: view.round,
            control: view.control,
        };
        // the round is part of the seed, so that a mixed strategy does not repeat itself
        let seed = seed.wrapping_add(u64::from(view.round).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let played = self.0.play(&context, order_budget(budget), seed, Some(&stop));
        let action = Action::of(played.orders);
        let note = match (played.value, played.strategy.len()) {
            (Some(value), n) if n > 1 => {
                format!("{}: mixes {n} pairs of orders, expects {value:+.0}", self.0.name)
            }
            (Some(value), _) => format!("{}: expects {value:+.0}", self.0.name),
            _ => self.0.name.to_owned(),
        };
        let detail = serde_json::json!({
            "strategy": played.strategy.iter().map(|(orders, p)| serde_json::json!({
                "orders": Action::of(*orders).orders, "probability": p,
            })).collect::<Vec<_>>(),
            "stopped": played.stopped,
        });
        Ok(Choice { action, thought: Thought { note, win_probability: None, detail } })
    }
}
