//! A game in progress: a setup plus events, replayed. Pure: server, arena and tests share it.

use crate::{Game, HistoryEntry, Outcome, RuleError, Seat, SeatPlan, SeatSet, Setup, Viewer};
use serde::{Deserialize, Serialize};

/// One event at a table. The setup and the log of events determine the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<A> {
    /// A seat acted.
    Action { seat: Seat, action: A },
    /// A seat was taken during play.
    Join { seat: Seat },
    /// The players agreed to go back to the position after `keep` actions.
    Undo { keep: u32 },
    /// A seat resigned.
    Resign { seat: Seat },
    /// A seat ran out of time.
    Flag { seat: Seat },
    /// The players left for good. The game ends without a result.
    Abandon,
}

/// How a table ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ending {
    /// With a result.
    Outcome(Outcome),
    /// Without a result.
    Abandoned,
}

/// Why an event was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    #[error("the game is over")]
    Over,
    #[error("there is no {0} at this table")]
    NoSuchSeat(Seat),
    #[error("it is not {0}'s turn")]
    NotToAct(Seat),
    #[error("nothing can be taken back in this game")]
    NoUndo,
    #[error("only {have} actions were made, {keep} cannot be kept")]
    UndoTooFar { keep: u32, have: u32 },
    #[error(transparent)]
    Rule(#[from] RuleError),
}

#[derive(Clone)]
enum Entry<A> {
    Action(Seat, A),
    Join(Seat),
}

/// A game in progress.
pub struct Table<G: Game> {
    setup: Setup<G::Settings>,
    plan: SeatPlan,
    entries: Vec<Entry<G::Action>>,
    actions: u32,
    state: G::State,
    ending: Option<Ending>,
}

impl<G: Game> Clone for Table<G> {
    fn clone(&self) -> Self {
        Self {
            setup: self.setup.clone(),
            plan: self.plan.clone(),
            entries: self.entries.clone(),
            actions: self.actions,
            state: self.state.clone(),
            ending: self.ending.clone(),
        }
    }
}

impl<G: Game> Table<G> {
    /// A table before the first action.
    pub fn new(game: &G, setup: Setup<G::Settings>) -> Result<Self, RuleError> {
        let plan = game.seats(&setup.settings)?;
        if setup.seats < plan.min || setup.seats > plan.max {
            return Err(RuleError::new(
                "game.seat_count",
                format!("{} seats do not fit: these settings take {} to {}", setup.seats, plan.min, plan.max),
            ));
        }
        let state = game.start(&setup)?;
        Ok(Self { setup, plan, entries: Vec::new(), actions: 0, state, ending: None })
    }

    /// A table with all events of a log applied.
    pub fn replay<'e>(
        game: &G,
        setup: Setup<G::Settings>,
        events: impl IntoIterator<Item = &'e Event<G::Action>>,
    ) -> Result<Self, TableError>
    where
        G::Action: 'e,
    {
        let mut table = Self::new(game, setup)?;
        for event in events {
            table.apply(game, event)?;
        }
        Ok(table)
    }

    /// Applies an event, or refuses it and leaves the table unchanged.
    pub fn apply(&mut self, game: &G, event: &Event<G::Action>) -> Result<(), TableError> {
        if let Event::Undo { keep } = *event {
            return self.undo(game, keep);
        }
        if self.is_over(game) {
            return Err(TableError::Over);
        }
        match event {
            Event::Action { seat, action } => {
                self.check_seat(*seat)?;
                if !game.to_act(&self.state).contains(*seat) {
                    return Err(TableError::NotToAct(*seat));
                }
                game.apply(&mut self.state, *seat, action)?;
                self.entries.push(Entry::Action(*seat, action.clone()));
                self.actions += 1;
            }
            Event::Join { seat } => {
                if seat.0 >= self.plan.max {
                    return Err(TableError::NoSuchSeat(*seat));
                }
                game.join(&mut self.state, *seat)?;
                self.entries.push(Entry::Join(*seat));
            }
            Event::Resign { seat } => {
                self.check_seat(*seat)?;
                self.ending = Some(Ending::Outcome(game.forfeit(&self.state, &self.plan, *seat, "resigned")));
            }
            Event::Flag { seat } => {
                self.check_seat(*seat)?;
                self.ending = Some(Ending::Outcome(game.forfeit(&self.state, &self.plan, *seat, "time")));
            }
            Event::Abandon => self.ending = Some(Ending::Abandoned),
            Event::Undo { .. } => unreachable!("handled above"),
        }
        Ok(())
    }

    fn check_seat(&self, seat: Seat) -> Result<(), TableError> {
        if seat.0 < self.plan.max { Ok(()) } else { Err(TableError::NoSuchSeat(seat)) }
    }

    fn undo(&mut self, game: &G, keep: u32) -> Result<(), TableError> {
        if !game.info().undo {
            return Err(TableError::NoUndo);
        }
        if keep > self.actions {
            return Err(TableError::UndoTooFar { keep, have: self.actions });
        }
        let mut kept = 0;
        let entries: Vec<_> = self
            .entries
            .iter()
            .filter(|entry| match entry {
                Entry::Action(..) => {
                    kept += 1;
                    kept <= keep
                }
                Entry::Join(_) => true,
            })
            .cloned()
            .collect();
        self.state = self.state_after(game, &entries)?;
        self.entries = entries;
        self.actions = keep;
        self.ending = None;
        Ok(())
    }

    fn state_after(&self, game: &G, entries: &[Entry<G::Action>]) -> Result<G::State, RuleError> {
        let mut state = game.start(&self.setup)?;
        for entry in entries {
            match entry {
                Entry::Action(seat, action) => game.apply(&mut state, *seat, action)?,
                Entry::Join(seat) => game.join(&mut state, *seat)?,
            }
        }
        Ok(state)
    }

    /// The state after `ply` actions, for stepping through the game.
    pub fn state_at(&self, game: &G, ply: u32) -> Result<G::State, TableError> {
        if ply > self.actions {
            return Err(TableError::UndoTooFar { keep: ply, have: self.actions });
        }
        let mut seen = 0;
        let end = self
            .entries
            .iter()
            .position(|entry| {
                let past = seen == ply && matches!(entry, Entry::Action(..));
                seen += u32::from(matches!(entry, Entry::Action(..)));
                past
            })
            .unwrap_or(self.entries.len());
        Ok(self.state_after(game, &self.entries[..end])?)
    }

    /// Whether the game is over: only an undo is still possible.
    pub fn is_over(&self, game: &G) -> bool {
        self.ending.is_some() || game.outcome(&self.state).is_some()
    }

    /// How it ended, if it did.
    pub fn ending(&self, game: &G) -> Option<Ending> {
        self.ending.clone().or_else(|| game.outcome(&self.state).map(Ending::Outcome))
    }

    /// The seats that may act now. Empty once the game is over.
    pub fn to_act(&self, game: &G) -> SeatSet {
        if self.is_over(game) { SeatSet::NONE } else { game.to_act(&self.state) }
    }

    /// What `viewer` may know.
    pub fn view(&self, game: &G, viewer: Viewer) -> G::View {
        game.view(&self.state, viewer)
    }

    /// The move list as `viewer` may see it.
    pub fn history(&self, game: &G, viewer: Viewer) -> Vec<HistoryEntry> {
        game.history(&self.state, viewer)
    }

    /// The complete state. It never leaves the process.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// What the table was started with.
    pub fn setup(&self) -> &Setup<G::Settings> {
        &self.setup
    }

    /// Seats, teams and names.
    pub fn plan(&self) -> &SeatPlan {
        &self.plan
    }

    /// Number of actions that were not undone.
    pub fn ply(&self) -> u32 {
        self.actions
    }

    /// The actions that were not undone, in order.
    pub fn actions(&self) -> impl Iterator<Item = (Seat, &G::Action)> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Action(seat, action) => Some((*seat, action)),
            Entry::Join(_) => None,
        })
    }
}
