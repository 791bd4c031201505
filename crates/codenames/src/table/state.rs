//! The whole truth of one game, classic or Duet.

use super::{Action, Mode, Settings};
use crate::rules::{Clue, DuetKey, Number, Role, Team};
use game::{RuleError, Seat, SeatSet};

/// What everybody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnPhase {
    /// A clue of the side to move.
    Clue,
    /// A card touched by the side to move.
    Guess,
    /// Duet after its last turn: cards without clues.
    SuddenDeath,
    /// Nothing.
    Over(GameOver),
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOver {
    /// All agents of a team are found.
    Found(Team),
    /// A team touched the assassin.
    Assassin { loser: Team },
    /// Duet: all fifteen agents are found.
    AllFound,
    /// Duet: the assassin was touched.
    DuetAssassin,
    /// Duet: a card that was no agent was touched in sudden death.
    OutOfTurns,
}

/// The key, hidden from most.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyCard {
    Classic(Vec<Role>),
    /// What each of the two seats sees for its own clues.
    Duet(DuetKey),
}

/// One turn: its clue and the cards touched, with what they turned out to be.
#[derive(Clone, Debug, PartialEq)]
pub struct ClueTurn {
    pub seat: Seat,
    pub clue: Clue,
    pub meant: Vec<u8>,
    pub guesses: Vec<(Seat, u8, Role)>,
    pub finished: bool,
}

/// A game in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub(super) settings: Settings,
    pub(super) rules_version: u32,
    pub(super) words: Vec<String>,
    pub(super) key: KeyCard,
    pub(super) phase: TurnPhase,
    /// The team to move; in Duet red stands for clues of the first seat and blue for those of the second.
    pub(super) side: Team,
    /// Cards that lie turned for everybody.
    pub(super) revealed: Vec<Option<Role>>,
    /// Duet: cards that were bystanders to a seat's guess.
    pub(super) marks: Vec<[bool; 2]>,
    pub(super) turns: Vec<ClueTurn>,
    pub(super) turns_left: u8,
    pub(super) log: Vec<(Seat, Action)>,
}

impl State {
    /// The state before the first clue.
    pub fn start(settings: Settings, rules_version: u32, words: Vec<String>, (key, starts): (KeyCard, Team)) -> State {
        let cards = words.len();
        State {
            turns_left: settings.turns,
            settings,
            rules_version,
            words,
            key,
            phase: TurnPhase::Clue,
            side: starts,
            revealed: vec![None; cards],
            marks: vec![[false; 2]; cards],
            turns: Vec::new(),
            log: Vec::new(),
        }
    }

    /// The words on the table.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// All actions so far.
    pub fn log(&self) -> &[(Seat, Action)] {
        &self.log
    }

    /// What is awaited.
    pub const fn phase(&self) -> TurnPhase {
        self.phase
    }

    fn per_team(&self) -> u8 {
        1 + self.settings.operatives
    }

    /// The team of a seat in the classic game.
    pub fn team_of(&self, seat: Seat) -> Team {
        if self.settings.mode == Mode::Duet {
            return if seat.0 == 0 { Team::Red } else { Team::Blue };
        }
        if seat.0 < self.per_team() { Team::Red } else { Team::Blue }
    }

    /// Whether a seat sees the key of the classic game.
    pub fn is_spymaster(&self, seat: Seat) -> bool {
        self.settings.mode == Mode::Classic && seat.0.is_multiple_of(self.per_team())
    }

    /// The seat that gives clues for a side.
    pub fn spymaster(&self, side: Team) -> Seat {
        match self.settings.mode {
            Mode::Duet => Seat(side.index() as u8),
            Mode::Classic => Seat(side.index() as u8 * self.per_team()),
        }
    }

    /// Who may act.
    pub fn acting(&self) -> SeatSet {
        match self.phase {
            TurnPhase::Over(_) => SeatSet::NONE,
            TurnPhase::Clue => SeatSet::only(self.spymaster(self.side)),
            TurnPhase::Guess => match self.settings.mode {
                Mode::Duet => SeatSet::only(Seat(1 - self.side.index() as u8)),
                Mode::Classic => {
                    let first = self.spymaster(self.side).0;
                    (first + 1..first + self.per_team()).map(Seat).collect()
                }
            },
            TurnPhase::SuddenDeath => (0..2u8).map(Seat).filter(|seat| self.duet_left(1 - seat.index()) > 0).collect(),
        }
    }

    /// Agents of a team that are not yet found (classic).
    pub fn left(&self, team: Team) -> usize {
        match &self.key {
            KeyCard::Classic(roles) => roles
                .iter()
                .zip(&self.revealed)
                .filter(|(role, turned)| **role == Role::of(team) && turned.is_none())
                .count(),
            KeyCard::Duet(_) => self.duet_left(team.index()),
        }
    }

    /// Agents that one side's key still shows unfound (Duet).
    fn duet_left(&self, side: usize) -> usize {
        let KeyCard::Duet(sides) = &self.key else { return 0 };
        sides[side].iter().zip(&self.revealed).filter(|(r, turned)| **r == Role::Agent && turned.is_none()).count()
    }

    /// Cards that the seat may touch.
    pub fn touchable(&self, seat: Seat) -> Vec<u8> {
        let duet = self.settings.mode == Mode::Duet;
        (0..self.words.len())
            .filter(|&i| self.revealed[i].is_none() && !(duet && self.marks[i][seat.index() & 1]))
            .map(|i| i as u8)
            .collect()
    }

    /// Words that a clue is judged against.
    pub fn open_words(&self) -> Vec<&str> {
        self.words.iter().zip(&self.revealed).filter(|(_, r)| r.is_none()).map(|(w, _)| w.as_str()).collect()
    }

    /// The guesses made in the running turn.
    pub fn made(&self) -> usize {
        self.turns.last().filter(|t| !t.finished).map_or(0, |t| t.guesses.len())
    }

    /// Whether the acting side may stop guessing now.
    pub fn may_stop(&self) -> bool {
        self.phase == TurnPhase::Guess && self.made() > 0
    }

    /// Carries out an action that the judge and the turn order allow.
    pub(super) fn apply(&mut self, seat: Seat, action: &Action) -> Result<(), RuleError> {
        match (self.phase, action) {
            (TurnPhase::Clue, Action::Clue { word, number, meant }) => {
                if let Some(card) =
                    meant.iter().find(|&&c| self.revealed.get(usize::from(c)).is_none_or(Option::is_some))
                {
                    let message =
                        format!("card {} cannot be meant: it is not on the table or already turned", card + 1);
                    return Err(RuleError::new("codenames.meant", message));
                }
                let clue = Clue { word: word.trim().to_owned(), number: *number };
                self.turns.push(ClueTurn { seat, clue, meant: meant.clone(), guesses: Vec::new(), finished: false });
                self.phase = TurnPhase::Guess;
            }
            (TurnPhase::Guess | TurnPhase::SuddenDeath, Action::Guess { card }) => {
                if !self.touchable(seat).contains(card) {
                    let message = format!("card {} cannot be touched: choose one that still lies open", card + 1);
                    return Err(RuleError::new("codenames.card", message));
                }
                self.touch(seat, *card);
            }
            (TurnPhase::Guess, Action::Stop) => {
                if !self.may_stop() {
                    return Err(RuleError::new("codenames.must_guess", "at least one card must be touched"));
                }
                self.end_turn();
            }
            (TurnPhase::Clue, _) => return Err(RuleError::new("codenames.clue_first", "a clue comes first")),
            _ => return Err(RuleError::new("codenames.guess_now", "now a card is touched, or the turn ended")),
        }
        self.log.push((seat, action.clone()));
        Ok(())
    }

    fn touch(&mut self, seat: Seat, card: u8) {
        let at = usize::from(card);
        let role = match &self.key {
            KeyCard::Classic(roles) => roles[at],
            // a guess is judged by the key of the other seat
            KeyCard::Duet(sides) => sides[1 - seat.index()][at],
        };
        if self.phase == TurnPhase::SuddenDeath {
            let clue = Clue { word: String::new(), number: Number::Unlimited };
            self.turns.push(ClueTurn {
                seat,
                clue,
                meant: Vec::new(),
                guesses: vec![(seat, card, role)],
                finished: true,
            });
        } else if let Some(turn) = self.turns.last_mut() {
            turn.guesses.push((seat, card, role));
        }
        match self.settings.mode {
            Mode::Classic => self.touched_classic(at, role),
            Mode::Duet => self.touched_duet(seat, at, role),
        }
    }

    fn touched_classic(&mut self, at: usize, role: Role) {
        self.revealed[at] = Some(role);
        if role == Role::Assassin {
            self.finish(GameOver::Assassin { loser: self.side });
        } else if let Some(team) = Team::ALL.into_iter().find(|&team| self.left(team) == 0) {
            self.finish(GameOver::Found(team));
        } else {
            let turn = self.turns.last().expect("a guess follows a clue");
            let spent = turn.clue.number.guesses().is_some_and(|most| turn.guesses.len() >= usize::from(most));
            if role != Role::of(self.side) || spent {
                self.end_turn();
            }
        }
    }

    fn touched_duet(&mut self, seat: Seat, at: usize, role: Role) {
        match role {
            Role::Agent => {
                self.revealed[at] = Some(Role::Agent);
                if self.duet_left(0) + self.duet_left(1) == 0 {
                    self.finish(GameOver::AllFound);
                } else if self.phase == TurnPhase::Guess && self.duet_left(self.side.index()) == 0 {
                    self.end_turn();
                }
            }
            Role::Assassin => {
                self.revealed[at] = Some(Role::Assassin);
                self.finish(GameOver::DuetAssassin);
            }
            _ => {
                self.marks[at][seat.index()] = true;
                if self.phase == TurnPhase::SuddenDeath { self.finish(GameOver::OutOfTurns) } else { self.end_turn() }
            }
        }
    }

    fn finish(&mut self, end: GameOver) {
        if let Some(turn) = self.turns.last_mut() {
            turn.finished = true;
        }
        self.phase = TurnPhase::Over(end);
    }

    fn end_turn(&mut self) {
        if let Some(turn) = self.turns.last_mut() {
            turn.finished = true;
        }
        self.phase = TurnPhase::Clue;
        if self.settings.mode == Mode::Duet {
            self.turns_left -= 1;
            if self.turns_left == 0 {
                self.phase = TurnPhase::SuddenDeath;
                return;
            }
            // a side whose agents are all found has nothing left to give clues for
            if self.duet_left(self.side.other().index()) > 0 {
                self.side = self.side.other();
            }
        } else {
            self.side = self.side.other();
        }
    }
}
