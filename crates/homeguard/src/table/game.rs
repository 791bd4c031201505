//! Homeguard as a game of the server: `impl Game`.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use game::{
    Bot, Budget, Game, GameInfo, GameRng, HistoryEntry, Level, Outcome, RuleError, Seat, SeatPlan, SeatResult, SeatSet,
    Service, Setup, Viewer,
};
use rand::RngExt;

use super::action::Action;
use super::bots::LevelBot;
use super::render_text::render_text;
use super::settings::Settings;
use super::state::{State, side_of};
use super::view::{View, reason_name};
use crate::engine::encoder::SetAutoencoder;
use crate::engine::generator::EmbeddingLibrary;
use crate::engine::preference::{MapPool, PreferenceProfile};
use crate::engine::tree::TreeMaker;
use crate::players::{LEVELS, OrderBudget, SkillLevel};
use crate::rules::{Battlefield, Faction, Size};

/// Version of the rules a stored game replays under.
const RULES_VERSION: u32 = 1;

/// The game with its precomputed maps.
#[derive(Default)]
pub struct Homeguard {
    pool: OnceLock<Arc<MapPool>>,
    shared: PreferenceProfile,
    /// The tree encoder, until the library takes it.
    encoder: Mutex<Option<SetAutoencoder>>,
    library: OnceLock<Option<Mutex<EmbeddingLibrary>>>,
}

/// Prepared maps that the generator of the thesis embeds.
const PREPARED: usize = 200;

impl Homeguard {
    /// The game without data: maps are generated and measured at the first request.
    pub fn new() -> Self {
        Homeguard::default()
    }

    /// The game with precomputed maps and shared ratings.
    pub fn with_data(pool: MapPool, shared: PreferenceProfile) -> Self {
        Homeguard { pool: OnceLock::from(Arc::new(pool)), shared, ..Homeguard::default() }
    }

    /// The same game with the tree encoder of the generator of Šindelář 2024.
    pub fn with_encoder(self, encoder: SetAutoencoder) -> Self {
        Homeguard { encoder: Mutex::new(Some(encoder)), ..self }
    }

    /// The embeddings of the generator, made at the first request; `None` without an encoder.
    pub(crate) fn library(&self) -> Option<&Mutex<EmbeddingLibrary>> {
        let make = || {
            let encoder = self.encoder.lock().unwrap_or_else(PoisonError::into_inner).take()?;
            Some(Mutex::new(EmbeddingLibrary::new(self.pool(), encoder, PREPARED)))
        };
        self.library.get_or_init(make).as_ref()
    }

    /// The precomputed maps.
    pub fn pool(&self) -> &Arc<MapPool> {
        self.pool.get_or_init(|| Arc::new(MapPool::generate(Size::DEFAULT, 40, 60, 1, &mut TreeMaker::new(), |_| {})))
    }

    /// The ratings that come with the program.
    pub fn shared_ratings(&self) -> &PreferenceProfile {
        &self.shared
    }
}

impl Game for Homeguard {
    type Settings = Settings;
    type State = State;
    type Action = Action;
    type View = View;

    fn info(&self) -> GameInfo {
        GameInfo {
            id: "homeguard",
            rules_version: RULES_VERSION,
            min_seats: 2,
            max_seats: 2,
            hidden: true,
            chance: false,
            simultaneous: true,
            turns: true,
            undo: true,
            join_during_play: false,
        }
    }

    fn seats(&self, settings: &Settings) -> Result<SeatPlan, RuleError> {
        settings.map(game::Seed(0))?;
        Ok(SeatPlan { min: 2, max: 2, teams: Vec::new(), names: vec!["home".to_owned(), "away".to_owned()] })
    }

    fn start(&self, setup: &Setup<Settings>) -> Result<State, RuleError> {
        if setup.rules_version != RULES_VERSION {
            return Err(RuleError::new(
                "homeguard.rules_version",
                format!("rules version {} is not known here: use {RULES_VERSION}", setup.rules_version),
            ));
        }
        if setup.seats != 2 {
            return Err(RuleError::new("homeguard.seats", format!("{} seats: two play", setup.seats)));
        }
        let map = setup.settings.map(setup.seed)?;
        Ok(State::new(Battlefield::new(map), setup.settings.rules()))
    }

    fn to_act(&self, state: &State) -> SeatSet {
        if state.ending.is_some() {
            return SeatSet::NONE;
        }
        Seat::all(2).filter(|seat| state.committed[seat.index()].is_none()).collect()
    }

    fn legal_actions(&self, state: &State, seat: Seat) -> Option<Vec<Action>> {
        let side = side_of(seat).ok()?;
        if state.ending.is_some() || state.committed[side.index()].is_some() {
            return Some(Vec::new());
        }
        Some(state.troops.order_pairs(&state.board, side).into_iter().map(Action::of).collect())
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Action) -> Result<(), RuleError> {
        state.commit(seat, *action)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View::of(state, viewer.seat().and_then(|seat| side_of(seat).ok()))
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let ending = state.ending?;
        let result = |side: Faction| match ending.winner {
            Some(winner) if winner == side => SeatResult::Won,
            Some(_) => SeatResult::Lost,
            None => SeatResult::Drew,
        };
        let score = i32::from(state.troops.score());
        Some(Outcome {
            results: Faction::BOTH.map(result).to_vec(),
            scores: vec![score, -score],
            reason: reason_name(ending.reason).to_owned(),
        })
    }

    fn history(&self, state: &State, viewer: Viewer) -> Vec<HistoryEntry> {
        let shown = 2 * state.finished.len();
        state
            .log
            .iter()
            .enumerate()
            .map(|(i, (seat, action))| {
                let visible = i < shown || viewer.seat() == Some(*seat);
                let text = if visible { action.write() } else { "…".to_owned() };
                HistoryEntry { ply: i as u32 + 1, seat: *seat, text }
            })
            .collect()
    }

    fn write_action(&self, _state: &State, _seat: Seat, action: &Action) -> String {
        action.write()
    }

    fn read_action(&self, _state: &State, _seat: Seat, text: &str) -> Result<Action, RuleError> {
        Action::read(text)
    }

    fn render_text(&self, view: &View) -> String {
        render_text(view)
    }

    /// The same game with other orders for each other seat that has committed.
    fn indistinguishable_states(&self, state: &State, viewer: Viewer, rng: &mut GameRng) -> Vec<State> {
        let mut states = Vec::new();
        for side in Faction::BOTH {
            let seat = Seat(side.index() as u8);
            if state.committed[side.index()].is_none() || viewer.seat() == Some(seat) {
                continue;
            }
            let pairs = state.troops.order_pairs(&state.board, side);
            let other = Action::of(pairs[rng.random_range(0..pairs.len())]);
            let mut other_state = state.clone();
            other_state.committed[side.index()] = Some(other);
            if let Some((_, last)) = other_state.log.iter_mut().rev().find(|(who, _)| *who == seat) {
                *last = other;
            }
            states.push(other_state);
        }
        states
    }

    fn levels(&self) -> Vec<Level> {
        LEVELS
            .iter()
            .map(|level| Level {
                id: level.id.to_owned(),
                name: level.name.to_owned(),
                description: level.description.to_owned(),
                budget: match level.budget {
                    OrderBudget::Nodes(nodes) => Budget::Nodes(nodes),
                    OrderBudget::Time(time) => Budget::Time(time),
                },
            })
            .collect()
    }

    fn default_level(&self) -> &'static str {
        "greedy"
    }

    fn bot(&self, level: &str) -> Option<Box<dyn Bot<Self>>> {
        SkillLevel::find(level).map(|strength| Box::new(LevelBot(strength)) as Box<dyn Bot<Self>>)
    }

    fn services(&self) -> Vec<Service<Self>> {
        crate::services::all()
    }
}
