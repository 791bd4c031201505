//! The game behind [`game::Game`]: rules version, settings, state, actions, views, bots and services.

use super::state::{ClueTurn, GameOver, KeyCard, State, TurnPhase};
use super::view::{self, View};
use super::{Action, Mode, Settings};
use crate::engine::meaning::{LanguageModel, PersonProfile};
use crate::players;
use crate::rules::{BOARD, ClueLegality, Number, RefusalKind, Role, Team, deal_classic, deal_duet, deal_words};
use game::{
    Bot, Game, GameInfo, GameRng, HistoryEntry, Level, Outcome, RuleError, Seat, SeatPlan, SeatResult, SeatSet,
    Service, Setup, Viewer,
};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use std::sync::Arc;

/// The rules' current version.
pub const RULES_VERSION: u32 = 2;
/// The oldest rules version that can be replayed. Version 1 judges clues by spelling and stems alone.
const OLDEST_RULES_VERSION: u32 = 1;

/// The game: what it owns is the languages it can be played in.
#[derive(Clone)]
pub struct Codenames {
    models: Vec<Arc<LanguageModel>>,
}

impl Codenames {
    /// The game in some languages; the first is used where none is named.
    pub fn new(models: Vec<Arc<LanguageModel>>) -> Self {
        Self { models }
    }

    /// A language by its code.
    pub fn language_model(&self, lang: &str) -> Result<&Arc<LanguageModel>, RuleError> {
        self.models.iter().find(|t| t.code() == lang).ok_or_else(|| {
            let known: Vec<&str> = self.models.iter().map(|t| t.code()).collect();
            let message = format!("the language {lang:?} is not installed; there is {}", known.join(", "));
            RuleError::new("codenames.language", message)
        })
    }

    /// Refuses a clue that the table's rules do not allow.
    fn check_clue(&self, state: &State, word: &str) -> Result<(), RuleError> {
        let language = self.language_model(&state.settings.lang).ok().map(|t| t.language());
        ClueLegality::new(language, state.settings.strictness)
            .of_rules_version(state.rules_version)
            .check(word, &state.open_words())
            .map_err(|refusal| RuleError::new(refusal.kind.code(), refusal.message))?;
        let again = |turn: &ClueTurn| turn.clue.word.to_lowercase() == word.trim().to_lowercase();
        if state.turns.iter().any(again) {
            let message = format!("“{}” was said before in this game", word.trim());
            return Err(RuleError::new(RefusalKind::Repeated.code(), message));
        }
        Ok(())
    }
}

impl Game for Codenames {
    type Settings = Settings;
    type State = State;
    type Action = Action;
    type View = View;

    fn info(&self) -> GameInfo {
        GameInfo {
            id: "codenames",
            rules_version: RULES_VERSION,
            min_seats: 2,
            max_seats: 8,
            hidden: true,
            chance: true,
            simultaneous: true,
            turns: true,
            undo: true,
            join_during_play: false,
        }
    }

    fn seats(&self, settings: &Settings) -> Result<SeatPlan, RuleError> {
        self.language_model(&settings.lang)?;
        settings.plan()
    }

    /// The profile of a person is nobody else's business.
    fn public_settings(&self, settings: &Settings) -> Settings {
        Settings { person: PersonProfile::default(), ..settings.clone() }
    }

    fn start(&self, setup: &Setup<Settings>) -> Result<State, RuleError> {
        if !(OLDEST_RULES_VERSION..=RULES_VERSION).contains(&setup.rules_version) {
            let message = format!(
                "rules version {} is not known; there are {OLDEST_RULES_VERSION} to {RULES_VERSION}",
                setup.rules_version
            );
            return Err(RuleError::new("codenames.rules_version", message));
        }
        let plan = self.seats(&setup.settings)?;
        if setup.seats != plan.max {
            let message = format!("{} seats do not fit: these settings take {}", setup.seats, plan.max);
            return Err(RuleError::new("codenames.seats", message));
        }
        let own = setup.settings.own_words()?;
        let shipped = self.language_model(&setup.settings.lang)?.boards();
        let list = if own.is_empty() { shipped } else { &own };
        if list.len() < BOARD {
            return Err(RuleError::new("codenames.words", format!("{} words; a board needs {BOARD}", list.len())));
        }
        let mut rng = setup.seed.rng(1);
        let words = deal_words(list, &mut rng);
        let mut rng = setup.seed.rng(2);
        let (key, starts) = match setup.settings.mode {
            Mode::Duet => (KeyCard::Duet(deal_duet(&mut rng)), Team::Red),
            Mode::Classic => {
                let starts = if rng.random_bool(0.5) { Team::Red } else { Team::Blue };
                (KeyCard::Classic(deal_classic(starts, &mut rng)), starts)
            }
        };
        Ok(State::start(setup.settings.clone(), setup.rules_version, words, (key, starts)))
    }

    fn to_act(&self, state: &State) -> SeatSet {
        state.acting()
    }

    fn legal_actions(&self, state: &State, seat: Seat) -> Option<Vec<Action>> {
        if !state.acting().contains(seat) {
            return Some(Vec::new());
        }
        if state.phase() == TurnPhase::Clue {
            return None;
        }
        let mut actions: Vec<Action> = state.touchable(seat).into_iter().map(|card| Action::Guess { card }).collect();
        if state.may_stop() {
            actions.push(Action::Stop);
        }
        Some(actions)
    }

    fn random_action(&self, state: &State, seat: Seat, rng: &mut GameRng) -> Option<Action> {
        if let Some(actions) = self.legal_actions(state, seat) {
            return actions.choose(rng).cloned();
        }
        let lm = self.language_model(&state.settings.lang).ok()?;
        let open: Vec<u8> = state.touchable(seat);
        for _ in 0..1000 {
            let word = lm.clue(rng.random_range(0..lm.clue_count())).to_owned();
            if self.check_clue(state, &word).is_ok() {
                let number = match rng.random_range(0..8u8) {
                    7 => Number::Unlimited,
                    n => Number::Of(n.min(4)),
                };
                let meant =
                    if rng.random_bool(0.5) { open.choose(rng).copied().into_iter().collect() } else { Vec::new() };
                return Some(Action::Clue { word, number, meant });
            }
        }
        None
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Action) -> Result<(), RuleError> {
        if let (Action::Clue { word, .. }, TurnPhase::Clue) = (action, state.phase()) {
            self.check_clue(state, word)?;
        }
        state.apply(seat, action)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View::new(state, viewer)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let TurnPhase::Over(end) = state.phase() else { return None };
        let plan = state.settings.plan().ok()?;
        let seats = usize::from(plan.max);
        let winner = match end {
            GameOver::Found(team) => Some(team),
            GameOver::Assassin { loser } => Some(loser.other()),
            _ => None,
        };
        let results = Seat::all(seats)
            .map(|seat| match (winner, end) {
                (Some(team), _) if state.team_of(seat) == team => SeatResult::Won,
                (None, GameOver::AllFound) => SeatResult::Won,
                _ => SeatResult::Lost,
            })
            .collect();
        Some(Outcome { results, scores: Vec::new(), reason: view::reason(end).to_owned() })
    }

    fn forfeit(&self, state: &State, plan: &SeatPlan, loser: Seat, reason: &str) -> Outcome {
        let lost = |seat: Seat| state.settings.mode == Mode::Duet || state.team_of(seat) == state.team_of(loser);
        let results = Seat::all(plan.max.into())
            .map(|seat| if lost(seat) { SeatResult::Lost } else { SeatResult::Won })
            .collect();
        Outcome { results, scores: Vec::new(), reason: reason.to_owned() }
    }

    fn history(&self, state: &State, viewer: Viewer) -> Vec<HistoryEntry> {
        let text = |seat: Seat, action: &Action| match action {
            Action::Guess { card } => format!("guess {}", state.words()[usize::from(*card)]),
            _ if viewer.seat() == Some(seat) => action.write(),
            _ => view::public(action).write(),
        };
        (1..)
            .zip(state.log())
            .map(|(ply, (seat, action))| HistoryEntry { ply, seat: *seat, text: text(*seat, action) })
            .collect()
    }

    fn write_action(&self, _: &State, _: Seat, action: &Action) -> String {
        action.write()
    }

    fn read_action(&self, state: &State, _: Seat, text: &str) -> Result<Action, RuleError> {
        Action::read(text, state.words()).ok_or_else(|| {
            let message = format!(
                "{text:?} is not an action: write a clue such as `ocean 3`, a card's word or number, or `stop`"
            );
            RuleError::new("codenames.notation", message)
        })
    }

    fn render_text(&self, view: &View) -> String {
        view.render_text()
    }

    fn indistinguishable_states(&self, state: &State, viewer: Viewer, rng: &mut GameRng) -> Vec<State> {
        indistinguishable_states(state, viewer, rng)
    }

    fn levels(&self) -> Vec<Level> {
        players::levels()
    }

    fn default_level(&self) -> &'static str {
        players::DEFAULT_LEVEL
    }

    fn bot(&self, level: &str) -> Option<Box<dyn Bot<Self>>> {
        players::bot(level)
    }

    fn prefetches_first_move(&self) -> bool {
        true
    }

    fn services(&self) -> Vec<Service<Self>> {
        crate::services::all()
    }
}

/// States with other keys that the viewer cannot distinguish from the true one: turned cards stay, the rest is shuffled.
fn indistinguishable_states(state: &State, viewer: Viewer, rng: &mut GameRng) -> Vec<State> {
    if matches!(state.phase(), TurnPhase::Over(_)) || viewer.seat().is_some_and(|s| state.is_spymaster(s)) {
        return Vec::new();
    }
    let mut others = Vec::new();
    for _ in 0..3 {
        let mut other = state.clone();
        match &mut other.key {
            KeyCard::Classic(roles) => {
                let closed: Vec<usize> = (0..roles.len()).filter(|&i| state.revealed[i].is_none()).collect();
                let mut hidden: Vec<Role> = closed.iter().map(|&i| roles[i]).collect();
                hidden.shuffle(rng);
                closed.iter().zip(hidden).for_each(|(&i, role)| roles[i] = role);
            }
            KeyCard::Duet(sides) => {
                // a seat does not know the other's key where nothing was touched; a stranger knows neither
                for side in 0..2 {
                    if viewer.seat().is_some_and(|s| s.index() == side) {
                        continue;
                    }
                    let unknown: Vec<usize> = (0..sides[side].len())
                        .filter(|&i| state.revealed[i].is_none() && !state.marks[i][1 - side])
                        .collect();
                    let mut hidden: Vec<Role> = unknown.iter().map(|&i| sides[side][i]).collect();
                    hidden.shuffle(rng);
                    unknown.iter().zip(hidden).for_each(|(&i, role)| sides[side][i] = role);
                }
            }
        }
        // what others meant by their clues is not the viewer's to know either
        if !state.settings.show_meant {
            for turn in other.turns.iter_mut().filter(|t| viewer.seat() != Some(t.seat)) {
                turn.meant.clear();
            }
        }
        others.push(other);
    }
    others
}
