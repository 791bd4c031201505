//! What one viewer may know.

use super::state::{GameOver, KeyCard, State, TurnPhase};
use super::{Action, Mode};
use crate::engine::meaning::PersonProfile;
use crate::engine::{BoardPosition, Card, PastTurn};
use crate::rules::{CardSide, Clue, Number, Role, Strictness, Team};
use game::{Seat, Viewer};
use serde::Serialize;
use std::fmt::Write;
use utoipa::ToSchema;

/// What a seat does at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatRole {
    Spymaster,
    Operative,
    /// Duet: gives and takes clues in turn.
    Both,
}

/// What is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseView {
    Clue,
    Guess,
    SuddenDeath,
    Over,
}

/// A card as the viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CardView {
    pub word: String,
    /// What it turned out to be, once turned.
    pub revealed: Option<Role>,
    /// What the viewer's key says; after the game everybody's.
    pub key: Option<Role>,
    /// Duet: seats to whose guess it was a bystander.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Seat>,
}

/// A touched card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GuessView {
    pub seat: Seat,
    pub card: u8,
    pub role: Role,
}

/// A turn in the clue log.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TurnView {
    pub seat: Seat,
    pub team: Team,
    pub word: String,
    #[schema(value_type = Object)]
    pub number: Number,
    pub guesses: Vec<GuessView>,
    pub finished: bool,
    /// What it was meant for, as far as the viewer may know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meant: Option<Vec<u8>>,
}

/// What a viewer sees of a table.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct View {
    pub mode: Mode,
    pub lang: String,
    pub strictness: Strictness,
    /// What the computer remembers of the person it plays with: for bots alone, never serialised.
    #[serde(skip)]
    pub person: PersonProfile,
    pub cards: Vec<CardView>,
    pub phase: PhaseView,
    /// The team to move; in Duet red stands for clues of the first seat.
    pub side: Team,
    /// Who may act.
    pub acting: Vec<Seat>,
    pub my_seat: Option<Seat>,
    pub my_team: Option<Team>,
    pub my_job: Option<SeatRole>,
    /// Agents not yet found: red and blue, or in Duet those of both sides together in the first place.
    pub left: [usize; 2],
    /// Guesses the running turn still allows, if they are limited.
    pub guesses_left: Option<u8>,
    pub may_stop: bool,
    /// Duet: turns left.
    pub turns_left: Option<u8>,
    pub turns: Vec<TurnView>,
}

impl View {
    /// What `viewer` may know of `state`.
    pub fn new(state: &State, viewer: Viewer) -> View {
        let over = matches!(state.phase, TurnPhase::Over(_));
        let seat = viewer.seat();
        let duet = state.settings.mode == Mode::Duet;
        let key = |at: usize| match &state.key {
            KeyCard::Classic(roles) => (over || seat.is_some_and(|s| state.is_spymaster(s))).then(|| roles[at]),
            KeyCard::Duet(sides) => match seat {
                Some(s) => Some(sides[s.index() & 1][at]),
                None => over.then(|| sides[0][at]),
            },
        };
        let cards = (0..state.words.len())
            .map(|at| CardView {
                word: state.words[at].clone(),
                revealed: state.revealed[at],
                key: key(at),
                marks: (0..2u8).filter(|&s| state.marks[at][usize::from(s)]).map(Seat).collect(),
            })
            .collect();
        let turns = state
            .turns
            .iter()
            .map(|turn| {
                let mine = seat == Some(turn.seat);
                let open = mine || over || (turn.finished && state.settings.show_meant);
                TurnView {
                    seat: turn.seat,
                    team: state.team_of(turn.seat),
                    word: turn.clue.word.clone(),
                    number: turn.clue.number,
                    guesses: turn.guesses.iter().map(|&(seat, card, role)| GuessView { seat, card, role }).collect(),
                    finished: turn.finished,
                    meant: (open && !turn.meant.is_empty()).then(|| turn.meant.clone()),
                }
            })
            .collect();
        let guesses_left = (state.phase == TurnPhase::Guess && !duet)
            .then(|| state.turns.last()?.clue.number.guesses().map(|most| most - state.made() as u8))
            .flatten();
        View {
            mode: state.settings.mode,
            lang: state.settings.lang.clone(),
            strictness: state.settings.strictness,
            person: state.settings.person.clone(),
            cards,
            phase: match state.phase {
                TurnPhase::Clue => PhaseView::Clue,
                TurnPhase::Guess => PhaseView::Guess,
                TurnPhase::SuddenDeath => PhaseView::SuddenDeath,
                TurnPhase::Over(_) => PhaseView::Over,
            },
            side: state.side,
            acting: state.acting().iter().collect(),
            my_seat: seat,
            my_team: seat.map(|s| state.team_of(s)),
            my_job: seat.map(|s| match (duet, state.is_spymaster(s)) {
                (true, _) => SeatRole::Both,
                (false, true) => SeatRole::Spymaster,
                (false, false) => SeatRole::Operative,
            }),
            left: if duet {
                let found = state.revealed.iter().filter(|r| **r == Some(Role::Agent)).count();
                [15 - found.min(15), 0]
            } else {
                [state.left(Team::Red), state.left(Team::Blue)]
            },
            guesses_left,
            may_stop: state.may_stop(),
            turns_left: duet.then_some(state.turns_left),
            turns,
        }
    }

    /// How a role looks to the viewer's side.
    fn side_of(&self, role: Role, team: Team) -> CardSide {
        role.side(team)
    }

    /// The position as the seat that looks has to judge it: as spymaster with its key, as operative without.
    ///
    /// In Duet a spymaster's cards are those of its own key that are not yet found; an operative sees none of the other's
    /// key, and cards that were bystanders to its own guesses are turned for it.
    pub fn position(&self, giving: bool) -> BoardPosition {
        let team = self.my_team.unwrap_or(self.side);
        let me = self.my_seat;
        let duet = self.mode == Mode::Duet;
        let cards: Vec<Card> = self
            .cards
            .iter()
            .map(|card| {
                let closed = duet && !giving && me.is_some_and(|m| card.marks.contains(&m));
                let side = match (card.revealed, giving) {
                    (Some(role), _) => self.side_of(role, team),
                    (None, true) => card.key.map_or(CardSide::Unknown, |role| self.side_of(role, team)),
                    (None, false) => CardSide::Unknown,
                };
                Card { word: card.word.to_lowercase(), side, open: card.revealed.is_none() && !closed }
            })
            .collect();
        let turns: Vec<PastTurn> = self
            .turns
            .iter()
            .filter(|turn| !turn.word.is_empty())
            // in Duet my own clues say nothing of the other's key, nor the other's of mine
            .filter(|turn| !duet || (Some(turn.seat) == me) == giving)
            .map(|turn| PastTurn {
                own: duet || turn.team == team,
                clue: Clue { word: turn.word.to_lowercase(), number: turn.number },
                guesses: turn.guesses.iter().map(|g| (g.card.into(), self.side_of(g.role, team))).collect(),
                meant: turn.meant.iter().flatten().map(|&c| c.into()).collect(),
            })
            .collect();
        let person = self.person.clone();
        if giving {
            return BoardPosition { person, ..BoardPosition::of_key(cards, turns) };
        }
        let (own_left, enemy_left, assassins_left) = if duet {
            let found: usize = turns.iter().flat_map(|t| &t.guesses).filter(|g| g.1 == CardSide::Own).count();
            (9usize.saturating_sub(found).max(1), 0, 3)
        } else {
            (self.left[team.index()], self.left[team.other().index()], 1)
        };
        BoardPosition { cards, turns, own_left, enemy_left, assassins_left, person }
    }

    /// The same without the person's profile: for services, which answer everybody who looks at the table.
    pub fn impersonal_position(&self, giving: bool) -> BoardPosition {
        BoardPosition { person: PersonProfile::default(), ..self.position(giving) }
    }

    /// The view as plain text.
    pub fn render_text(&self) -> String {
        let mut text = String::new();
        for (at, card) in self.cards.iter().enumerate() {
            let sign = |role: Role| match role {
                Role::Red => 'R',
                Role::Blue => 'B',
                Role::Agent => 'A',
                Role::Bystander => 'o',
                Role::Assassin => 'X',
            };
            let turned = card.revealed.map_or(' ', sign);
            let key = card.key.map_or(' ', |role| sign(role).to_ascii_lowercase());
            let marks: String = card.marks.iter().map(|s| if s.0 == 0 { '<' } else { '>' }).collect();
            let _ = write!(text, "{:2} [{turned}{key}] {:<14}", at + 1, format!("{}{marks}", card.word));
            if at % 5 == 4 {
                text.push('\n');
            }
        }
        for turn in &self.turns {
            let touched: Vec<String> = turn
                .guesses
                .iter()
                .map(|g| format!("{} ({:?})", self.cards[usize::from(g.card)].word, g.role))
                .collect();
            let meant = turn.meant.as_ref().map_or(String::new(), |cards| {
                let words: Vec<&str> = cards.iter().map(|&c| self.cards[usize::from(c)].word.as_str()).collect();
                format!(" meant {}", words.join(", "))
            });
            let _ = writeln!(text, "{:?} {} {}: {}{meant}", turn.team, turn.word, turn.number, touched.join(", "));
        }
        let _ = writeln!(text, "{:?} {:?}, left {} {}", self.side, self.phase, self.left[0], self.left[1]);
        text
    }
}

/// The stable name of an end.
pub(super) fn reason(end: GameOver) -> &'static str {
    match end {
        GameOver::Found(_) => "all_found",
        GameOver::Assassin { .. } => "assassin",
        GameOver::AllFound => "duet_won",
        GameOver::DuetAssassin => "duet_assassin",
        GameOver::OutOfTurns => "duet_out_of_turns",
    }
}

/// The action as others may read it: without what the clue was meant for.
pub(super) fn public(action: &Action) -> Action {
    match action {
        Action::Clue { word, number, .. } => Action::Clue { word: word.clone(), number: *number, meant: Vec::new() },
        other => other.clone(),
    }
}
