//! A player seated at a table: reads the view, answers with an action.

use super::{Giver, Guesser, GuesserKind, Situation};
use crate::meaning::Tongue;
use crate::rules::Clue;
use crate::table::{Action, Codenames, PhaseView, View};
use game::{Bot, BotError, Budget, Choice, Control, Seat, SeatSet, Seed, Thought};
use rand::RngExt;

/// A player of some level.
#[derive(Clone, Debug)]
pub struct LevelBot {
    pub giver: Giver,
    pub guesser: Guesser,
    /// How often it takes the second-best instead of the best.
    pub slips: f64,
    /// Whether people take its clues.
    pub people: bool,
}

impl Bot<Codenames> for LevelBot {
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
        let tongue = game.tongue(&view.lang).map_err(|error| BotError::Other(error.to_string()))?;
        let mut rng = Seed(seed).rng(0xc1e5);
        let slip = rng.random_bool(self.slips);
        match view.phase {
            PhaseView::Clue => self.clue(tongue, view, slip),
            PhaseView::Guess => Ok(self.guess(tongue, view, slip)),
            PhaseView::SuddenDeath => self.last_guess(tongue, view),
            PhaseView::Over => Err(BotError::NotToAct(seat)),
        }
    }
}

impl LevelBot {
    fn clue(&self, tongue: &Tongue, view: &View, slip: bool) -> Result<Choice<Action>, BotError> {
        let mut situation = view.situation(true);
        // clues of both sides count as said; the enemy's guesses do not matter to a giver
        for turn in &view.turns {
            if !situation.said(&turn.word.to_lowercase()) {
                let clue = Clue { word: turn.word.to_lowercase(), number: turn.number };
                situation.turns.push(super::Past { own: false, clue, guesses: Vec::new(), meant: Vec::new() });
            }
        }
        let giver = if self.people { self.giver.clone().meeting_people() } else { self.giver.clone() };
        let ideas = giver.ideas(tongue, &situation, 4);
        let picked = ideas.get(usize::from(slip)).or(ideas.first());
        let idea = picked.ok_or_else(|| BotError::Other("no clue is left that may be said".to_owned()))?;
        // a thought is shown to the whole table: what the clue means stays in the action, which is not
        let thought = Thought::default();
        let meant = idea.targets.iter().map(|&i| i as u8).collect();
        Ok(Choice { action: Action::Clue { word: idea.word.clone(), number: idea.number, meant }, thought })
    }

    fn guess(&self, tongue: &Tongue, view: &View, slip: bool) -> Choice<Action> {
        let situation = view.situation(false);
        let chosen = match (self.guesser.next(tongue, &situation), situation.turns.last()) {
            (Some(card), Some(turn)) if slip => {
                let ranking = self.guesser.rank(tongue, &situation, &turn.clue);
                ranking.get(1).map_or(Some(card), |g| Some(g.card))
            }
            (None, Some(turn)) if !view.may_stop => {
                self.guesser.rank(tongue, &situation, &turn.clue).first().map(|g| g.card)
            }
            (chosen, _) => chosen,
        };
        match chosen {
            Some(card) => {
                let note = format!("takes {}", situation.cards[card].word);
                Choice { action: Action::Guess { card: card as u8 }, thought: Thought { note, ..Thought::default() } }
            }
            None => {
                Choice { action: Action::Stop, thought: Thought { note: "stops".to_owned(), ..Thought::default() } }
            }
        }
    }

    /// Duet after the last turn: the likeliest card by all clues that were heard.
    fn last_guess(&self, tongue: &Tongue, view: &View) -> Result<Choice<Action>, BotError> {
        let situation: Situation = view.situation(false);
        let strong = Guesser { kind: GuesserKind::Strong };
        let mut best: Option<(f64, usize)> = None;
        for turn in situation.turns.iter().filter(|t| t.own) {
            let found = turn.guesses.len() as u8;
            if turn.clue.number.meant().is_some_and(|n| n <= found) {
                continue;
            }
            if let Some(first) = strong.rank(tongue, &situation, &turn.clue).first()
                && best.is_none_or(|b| first.probability > b.0)
            {
                best = Some((first.probability, first.card));
            }
        }
        let card = best.map(|b| b.1).or_else(|| situation.open().first().copied());
        let card = card.ok_or_else(|| BotError::Other("no card is left to touch".to_owned()))?;
        Ok(Choice { action: Action::Guess { card: card as u8 }, thought: Thought::default() })
    }
}
