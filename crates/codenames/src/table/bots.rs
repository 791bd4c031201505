//! Bots: players at a table that read a view and answer with an action.

use super::{Action, Codenames, PhaseView, View};
use crate::engine::meaning::LanguageModel;
use crate::engine::{BoardPosition, PastTurn};
use crate::players::{Operative, Spymaster};
use crate::rules::Clue;
use game::{Bot, BotError, Budget, Choice, Control, Seat, SeatSet, Seed, Thought};
use rand::RngExt;

/// A spymaster and an operative as one bot.
#[derive(Clone, Debug)]
pub struct CodenamesBot {
    pub spymaster: Spymaster,
    pub operative: Operative,
    /// Probability that it takes its second choice instead of the first.
    pub slips: f64,
    /// Whether people hear its clues.
    pub people: bool,
}

impl Bot<Codenames> for CodenamesBot {
    fn set_human_partners(&mut self, people: SeatSet) {
        self.people = !people.is_empty();
    }

    fn choose(
        &mut self,
        game: &Codenames,
        seat: Seat,
        view: &View,
        _: Budget,
        seed: u64,
        _: &Control,
    ) -> Result<Choice<Action>, BotError> {
        if !view.acting.contains(&seat) {
            return Err(BotError::NotToAct(seat));
        }
        let lm = game.language_model(&view.lang).map_err(|error| BotError::Other(error.to_string()))?;
        let mut rng = Seed(seed).rng(0xc1e5);
        let slip = rng.random_bool(self.slips);
        match view.phase {
            PhaseView::Clue => self.clue(lm, view, slip),
            PhaseView::Guess => Ok(self.guess(lm, view, slip)),
            PhaseView::SuddenDeath => self.last_guess(lm, view),
            PhaseView::Over => Err(BotError::NotToAct(seat)),
        }
    }
}

impl CodenamesBot {
    fn clue(&self, lm: &LanguageModel, view: &View, slip: bool) -> Result<Choice<Action>, BotError> {
        let mut position = view.position(true);
        // no clue is repeated, not even the other side's
        for turn in &view.turns {
            if !position.said(&turn.word.to_lowercase()) {
                let clue = Clue { word: turn.word.to_lowercase(), number: turn.number };
                position.turns.push(PastTurn { own: false, clue, guesses: Vec::new(), meant: Vec::new() });
            }
        }
        let spymaster = if self.people { self.spymaster.clone().facing_people() } else { self.spymaster.clone() };
        let clues = spymaster.best_clues(lm, &position, 4);
        let picked = clues.get(usize::from(slip)).or(clues.first());
        let clue = picked.ok_or_else(|| BotError::Other("no legal clue is left".to_owned()))?;
        // the thought is shown to the whole table; the targets stay in the action, which is hidden
        let thought = Thought::default();
        let meant = clue.targets.iter().map(|&i| i as u8).collect();
        Ok(Choice { action: Action::Clue { word: clue.word.clone(), number: clue.number, meant }, thought })
    }

    fn guess(&self, lm: &LanguageModel, view: &View, slip: bool) -> Choice<Action> {
        let position = view.position(false);
        let chosen = match (self.operative.next(lm, &position), position.turns.last()) {
            (Some(card), Some(turn)) if slip => {
                let ranking = self.operative.rank(lm, &position, &turn.clue);
                ranking.get(1).map_or(Some(card), |g| Some(g.card))
            }
            (None, Some(turn)) if !view.may_stop => {
                self.operative.rank(lm, &position, &turn.clue).first().map(|g| g.card)
            }
            (chosen, _) => chosen,
        };
        match chosen {
            Some(card) => {
                let note = format!("takes {}", position.cards[card].word);
                Choice { action: Action::Guess { card: card as u8 }, thought: Thought { note, ..Thought::default() } }
            }
            None => {
                Choice { action: Action::Stop, thought: Thought { note: "stops".to_owned(), ..Thought::default() } }
            }
        }
    }

    /// Sudden death in Duet: the most probable card by all clues heard.
    fn last_guess(&self, lm: &LanguageModel, view: &View) -> Result<Choice<Action>, BotError> {
        let position: BoardPosition = view.position(false);
        let strong = Operative::strong();
        let mut best: Option<(f64, usize)> = None;
        for turn in position.turns.iter().filter(|t| t.own) {
            let found = turn.guesses.len() as u8;
            if turn.clue.number.meant().is_some_and(|n| n <= found) {
                continue;
            }
            if let Some(first) = strong.rank(lm, &position, &turn.clue).first()
                && best.is_none_or(|b| first.probability > b.0)
            {
                best = Some((first.probability, first.card));
            }
        }
        let card = best.map(|b| b.1).or_else(|| position.open().first().copied());
        let card = card.ok_or_else(|| BotError::Other("no card is left to touch".to_owned()))?;
        Ok(Choice { action: Action::Guess { card: card as u8 }, thought: Thought::default() })
    }
}
