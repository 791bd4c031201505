//! Hidden coins: every seat has a coin that only it sees; three calls end the game and all coins are shown.
//! Two to three seats, the third may be taken during play.

use super::level;
use game::{
    Bot, BotError, Budget, Choice, Control, Cost, Game, GameInfo, GameRng, HistoryEntry, Level, Needs, Outcome,
    Progress, RuleError, Seat, SeatPlan, SeatSet, Service, ServiceCall, Setup, Thought, Viewer,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub struct Coins;

/// How many calls end the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CoinsSettings {
    #[serde(default)]
    pub calls: u32,
}

impl Default for CoinsSettings {
    fn default() -> Self {
        Self { calls: 3 }
    }
}

#[derive(Clone, PartialEq)]
pub struct CoinsState {
    coins: Vec<bool>,
    third: bool,
    seats: usize,
    calls: Vec<(Seat, bool)>,
    wanted: usize,
}

/// One's own coin and all calls; every coin once the game is over.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CoinsView {
    pub mine: Option<bool>,
    pub seats: usize,
    pub calls: Vec<(Seat, bool)>,
    pub shown: Option<Vec<bool>>,
}

/// Nothing to say.
#[derive(Deserialize, ToSchema)]
pub struct MineRequest {}

/// One's own coin.
#[derive(Serialize, ToSchema)]
pub struct MineAnswer {
    pub mine: Option<bool>,
}

struct Caller;

impl Bot<Coins> for Caller {
    fn choose(
        &mut self,
        _: &Coins,
        _: Seat,
        view: &CoinsView,
        _: Budget,
        _: u64,
        control: &Control,
    ) -> Result<Choice<bool>, BotError> {
        let mine = view.mine.unwrap_or(false);
        // What it thinks names its coin: the server must keep it from the others.
        let note = format!("my coin is {mine}");
        control.report(Progress { done: 0.5, note: note.clone(), detail: serde_json::json!({ "coin": mine }) });
        Ok(Choice { action: true, thought: Thought { note, ..Thought::default() } })
    }
}

impl Game for Coins {
    type Settings = CoinsSettings;
    type State = CoinsState;
    type Action = bool;
    type View = CoinsView;

    fn info(&self) -> GameInfo {
        GameInfo {
            id: "coins",
            rules_version: 1,
            min_seats: 2,
            max_seats: 3,
            hidden: true,
            chance: true,
            simultaneous: false,
            turns: true,
            undo: false,
            join_during_play: true,
        }
    }

    fn seats(&self, settings: &CoinsSettings) -> Result<SeatPlan, RuleError> {
        if settings.calls == 0 || settings.calls > 1000 {
            return Err(RuleError::new("coins.calls", format!("{} calls do not fit: 1 to 1000", settings.calls)));
        }
        let names = ["first", "second", "third"].map(String::from).into();
        Ok(SeatPlan { min: 2, max: 3, teams: Vec::new(), names })
    }

    fn start(&self, setup: &Setup<CoinsSettings>) -> Result<CoinsState, RuleError> {
        use rand::RngExt;
        let mut rng = setup.seed.rng(0);
        let coins = (0..3).map(|_| rng.random()).collect();
        let wanted = setup.settings.calls as usize;
        Ok(CoinsState { coins, third: setup.seats == 3, seats: setup.seats.into(), calls: Vec::new(), wanted })
    }

    fn join(&self, state: &mut CoinsState, seat: Seat) -> Result<(), RuleError> {
        if seat != Seat(2) || state.third {
            return Err(RuleError::new("coins.join", format!("{seat} is not free")));
        }
        state.third = true;
        state.seats = 3;
        Ok(())
    }

    fn to_act(&self, state: &CoinsState) -> SeatSet {
        if state.calls.len() == state.wanted {
            return SeatSet::NONE;
        }
        let next = state.calls.last().map_or(0, |(seat, _)| (seat.index() + 1) % state.seats);
        SeatSet::only(Seat(next as u8))
    }

    fn legal_actions(&self, _: &CoinsState, _: Seat) -> Option<Vec<bool>> {
        Some(vec![false, true])
    }

    fn apply(&self, state: &mut CoinsState, seat: Seat, action: &bool) -> Result<(), RuleError> {
        state.calls.push((seat, *action));
        Ok(())
    }

    fn view(&self, state: &CoinsState, viewer: Viewer) -> CoinsView {
        CoinsView {
            mine: viewer.seat().map(|seat| state.coins[seat.index()]),
            seats: state.seats,
            calls: state.calls.clone(),
            shown: self.outcome(state).map(|_| state.coins.clone()),
        }
    }

    fn outcome(&self, state: &CoinsState) -> Option<Outcome> {
        (state.calls.len() == state.wanted).then(|| Outcome::draw(state.seats, "calls"))
    }

    fn history(&self, state: &CoinsState, _: Viewer) -> Vec<HistoryEntry> {
        let entry = |(index, (seat, call)): (usize, &(Seat, bool))| HistoryEntry {
            ply: index as u32 + 1,
            seat: *seat,
            text: call.to_string(),
        };
        state.calls.iter().enumerate().map(entry).collect()
    }

    fn write_action(&self, _: &CoinsState, _: Seat, action: &bool) -> String {
        action.to_string()
    }

    fn read_action(&self, _: &CoinsState, _: Seat, text: &str) -> Result<bool, RuleError> {
        text.parse().map_err(|_| RuleError::new("coins.text", format!("{text} is not true or false")))
    }

    fn render_text(&self, view: &CoinsView) -> String {
        format!("{view:?}\n")
    }

    fn indistinguishable_states(&self, state: &CoinsState, viewer: Viewer, _: &mut GameRng) -> Vec<CoinsState> {
        if self.outcome(state).is_some() {
            return Vec::new();
        }
        let hidden = Seat::all(3).filter(|&seat| viewer != Viewer::Seat(seat));
        let flip = |seat: Seat| {
            let mut twin = state.clone();
            twin.coins[seat.index()] ^= true;
            twin
        };
        hidden.map(flip).collect()
    }

    fn levels(&self) -> Vec<Level> {
        ["first", "second", "third", "fourth", "fifth", "sixth"].map(level).into()
    }

    fn default_level(&self) -> &'static str {
        "first"
    }

    fn bot(&self, id: &str) -> Option<Box<dyn Bot<Self>>> {
        self.levels().iter().any(|level| level.id == id).then(|| Box::new(Caller) as Box<dyn Bot<Self>>)
    }

    fn services(&self) -> Vec<Service<Self>> {
        let mine = |_: &Self, _: MineRequest, call: ServiceCall<'_, Self>| {
            Ok(MineAnswer { mine: call.view.and_then(|view| view.mine) })
        };
        vec![Service::new(
            "mine",
            "Says what the caller's coin is.",
            Cost::Light,
            Needs::View,
            serde_json::json!({}),
            mine,
        )]
    }
}
