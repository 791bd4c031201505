//! The bot: writes its most probable letter, in pencil below the level's ink threshold.

use super::game::Crossword;
use super::{Action, Scope, View};
use crate::engine::solver::{SolvedGrid, solve};
use game::{Bot, BotError, Budget, Choice, Control, Seat, Thought};
use std::time::{Duration, Instant};

/// A level of the bot.
pub struct PartnerLevel {
    pub id: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    /// Writes in ink from this probability on.
    ink: f64,
    /// Pause between letters.
    pause: Duration,
}

/// The levels, the slowest first.
pub const LEVELS: [PartnerLevel; 6] = [
    PartnerLevel {
        id: "onlooker",
        name: "Onlooker",
        description: "A letter every two seconds, nearly all of them in pencil.",
        ink: 0.999,
        pause: Duration::from_millis(2000),
    },
    PartnerLevel {
        id: "beginner",
        name: "Beginner",
        description: "A letter every second and a half, ink only when almost certain.",
        ink: 0.99,
        pause: Duration::from_millis(1500),
    },
    PartnerLevel {
        id: "companion",
        name: "Companion",
        description: "A letter a second; doubts stay in pencil.",
        ink: 0.95,
        pause: Duration::from_millis(1000),
    },
    PartnerLevel {
        id: "steady",
        name: "Steady hand",
        description: "Two letters a second, ink where it is nine in ten sure.",
        ink: 0.9,
        pause: Duration::from_millis(500),
    },
    PartnerLevel {
        id: "quick",
        name: "Quick pen",
        description: "Five letters a second, mostly in ink.",
        ink: 0.75,
        pause: Duration::from_millis(200),
    },
    PartnerLevel {
        id: "expert",
        name: "Expert",
        description: "As fast as it can think, in ink.",
        ink: 0.0,
        pause: Duration::ZERO,
    },
];

/// The cached solution, valid while the fixed letters stay the same.
struct Thinking {
    fixed: Vec<Option<String>>,
    solution: SolvedGrid,
}

/// The bot of one level.
pub struct Partner {
    manner: &'static PartnerLevel,
    last: Option<Thinking>,
}

impl Partner {
    pub fn new(manner: &'static PartnerLevel) -> Self {
        Self { manner, last: None }
    }

    fn solution(&mut self, game: &Crossword, view: &View, time: Duration) -> Result<&SolvedGrid, BotError> {
        let sure = |cell: &super::CellView| cell.confirmed || cell.revealed || cell.given;
        let fixed: Vec<Option<String>> =
            view.cells.iter().map(|cell| cell.letters.clone().filter(|_| sure(cell))).collect();
        if self.last.as_ref().is_none_or(|last| last.fixed != fixed) {
            let puzzle = view.puzzle(sure).map_err(BotError::Other)?;
            let language = game.languages.by_tag(&view.language).map_err(BotError::Other)?;
            let solution = language.with_knowledge(|knowledge| solve(&puzzle, knowledge, time));
            let solution = solution.map_err(|fault| BotError::Other(fault.to_string()))?;
            self.last = Some(Thinking { fixed, solution });
        }
        Ok(&self.last.as_ref().expect("just thought").solution)
    }
}

impl Bot<Crossword> for Partner {
    fn choose(
        &mut self,
        game: &Crossword,
        _seat: Seat,
        view: &View,
        budget: Budget,
        _seed: u64,
        control: &Control,
    ) -> Result<Choice<Action>, BotError> {
        let begun = Instant::now();
        let time = match budget {
            Budget::Time(time) => time,
            Budget::Nodes(_) => Duration::from_secs(4),
        };
        let manner = self.manner;
        let solution = self.solution(game, view, time)?;
        let empty = (0..view.cells.len()).filter(|&cell| view.cells[cell].kind == "open");
        let best = empty
            .filter(|&cell| view.cells[cell].letters.is_none())
            .filter_map(|cell| solution.cells[cell].map(|belief| (cell, belief)))
            .max_by(|a, b| a.1.probability.total_cmp(&b.1.probability));
        let choice = match best {
            Some((cell, belief)) => {
                let pencil = belief.probability < manner.ink;
                let note = format!("{} with {:.0}%", belief.letter, belief.probability * 100.0);
                let action = Action::Write { cell, letters: belief.letter.to_string(), pencil };
                (action, note)
            }
            None => (last_resort(view), "the grid is full: looks for what is wrong".to_owned()),
        };
        while begun.elapsed() < manner.pause && !control.stopped() {
            std::thread::sleep(Duration::from_millis(20));
        }
        let (action, note) = choice;
        Ok(Choice { action, thought: Thought { note, ..Thought::default() } })
    }
}

/// The action for a full grid: check it, then reveal wrong letters; without a stored solution, finish.
fn last_resort(view: &View) -> Action {
    let of = |wanted: &dyn Fn(&super::CellView) -> bool| {
        view.cells.iter().position(|cell| cell.kind == "open" && !cell.given && wanted(cell))
    };
    if let Some(cell) = of(&|cell| cell.wrong || cell.letters.is_none()) {
        return Action::Reveal { scope: Scope::Letter { cell } };
    }
    if view.checkable { Action::Check { scope: Scope::Grid } } else { Action::Finish }
}
