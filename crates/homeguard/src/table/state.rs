//! The full state of a game in progress.

use std::sync::Arc;

use game::{RuleError, Seat};

use super::action::Action;
use crate::rules::{Battlefield, Faction, GameEnd, Orders, PlayRules, Round, Troops, middle_points};

/// One finished round with the troops after it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finished {
    pub(crate) round: Round,
    pub(crate) after: Troops,
}

/// A game in progress. Orders that only one seat has committed are hidden in it.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub(crate) board: Arc<Battlefield>,
    pub(crate) rules: PlayRules,
    pub(crate) troops: Troops,
    pub(crate) committed: [Option<Action>; 2],
    pub(crate) finished: Vec<Finished>,
    /// Every action in the order of committing.
    pub(crate) log: Vec<(Seat, Action)>,
    pub(crate) ending: Option<GameEnd>,
    /// Home's lead in middle control.
    pub(crate) control: i16,
}

impl State {
    pub(crate) fn new(board: Battlefield, rules: PlayRules) -> Self {
        let troops = Troops::start(&board);
        State {
            board: Arc::new(board),
            rules,
            troops,
            committed: [None; 2],
            finished: Vec::new(),
            log: Vec::new(),
            ending: None,
            control: 0,
        }
    }

    /// Rounds played so far.
    pub(crate) fn rounds(&self) -> u16 {
        self.finished.len() as u16
    }

    /// Takes one seat's orders; when both are there, the round is played.
    pub(crate) fn commit(&mut self, seat: Seat, action: Action) -> Result<(), RuleError> {
        let side = side_of(seat)?;
        if self.ending.is_some() {
            return Err(RuleError::new("homeguard.over", "the game is over"));
        }
        if self.committed[side.index()].is_some() {
            let message = "your orders of this round are given; wait for the other side";
            return Err(RuleError::new("homeguard.committed", message));
        }
        if !self.troops.order_pairs(&self.board, side).contains(&action.orders()) {
            let message = format!(
                "the orders '{}' are not possible: a soldier would leave the board, use a portal that is not there, or come too close to somebody",
                action.write()
            );
            return Err(RuleError::new("homeguard.not_possible", message));
        }
        self.committed[side.index()] = Some(action);
        self.log.push((seat, action));
        if let [Some(home), Some(away)] = self.committed {
            let round = self.troops.play(&self.board, Orders::of(home.orders(), away.orders()));
            self.finished.push(Finished { round, after: self.troops });
            self.committed = [None; 2];
            self.control += middle_points(&self.board, &self.troops);
            self.ending = self.rules.ending(&self.board, &self.troops, self.rounds(), self.control);
        }
        Ok(())
    }
}

/// Seat 1 plays home, seat 2 away.
pub(crate) fn side_of(seat: Seat) -> Result<Faction, RuleError> {
    match seat.0 {
        0 => Ok(Faction::Home),
        1 => Ok(Faction::Away),
        _ => Err(RuleError::new("homeguard.seat", format!("{seat} does not play: there are two seats"))),
    }
}
