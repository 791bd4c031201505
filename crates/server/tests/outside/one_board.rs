//! Codenames on one board: the seed of a table decides the key and nothing else.

#[path = "../../../codenames/tests/common/mod.rs"]
mod made_up;

use catalog::Catalog;
use codenames::Codenames;
use codenames::table::{Action, Settings, State, View};
use game::{
    Bot, BotError, Budget, Choice, Control, Game, GameInfo, GameRng, HistoryEntry, Level, Outcome, Progress, RuleError,
    Seat, SeatPlan, SeatSet, Seed, Service, ServiceCall, Setup, Viewer,
};
use serde_json::Value;
use std::sync::{Arc, Condvar, Mutex};

/// Holds the computers back until the test has seen how they think.
#[derive(Default)]
pub struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub fn open(&self) {
        *self.open.lock().expect("no panic while held") = true;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let open = self.open.lock().expect("no panic while held");
        drop(self.opened.wait_while(open, |open| !*open).expect("no panic while held"));
    }
}

/// Codenames in a made-up language on the board of one seed, on which red begins.
pub struct OneBoard {
    inner: Codenames,
    gate: Arc<Gate>,
}

impl OneBoard {
    pub fn new(gate: Arc<Gate>) -> Self {
        Self { inner: made_up::game(), gate }
    }
}

/// A catalog of that game alone.
pub fn catalog(gate: Arc<Gate>) -> Catalog {
    Catalog::of(vec![catalog::erase(OneBoard::new(gate))])
}

struct Player(Box<dyn Bot<Codenames>>);

impl Bot<OneBoard> for Player {
    fn meet(&mut self, people: SeatSet) {
        self.0.meet(people);
    }

    fn choose(
        &mut self,
        game: &OneBoard,
        seat: Seat,
        view: &View,
        budget: Budget,
        seed: u64,
        control: &Control,
    ) -> Result<Choice<Action>, BotError> {
        let choice = self.0.choose(&game.inner, seat, view, budget, seed, control)?;
        let note = format!("{:?}", choice.action);
        control.report(Progress { done: 0.5, note, detail: Value::Null });
        game.gate.pass();
        Ok(choice)
    }
}

impl Game for OneBoard {
    type Settings = Settings;
    type State = State;
    type Action = Action;
    type View = View;

    fn info(&self) -> GameInfo {
        self.inner.info()
    }

    fn seats(&self, settings: &Settings) -> Result<SeatPlan, RuleError> {
        self.inner.seats(settings)
    }

    fn start(&self, setup: &Setup<Settings>) -> Result<State, RuleError> {
        let red = |seed: &u64| {
            let state = self.inner.start(&Setup { seed: Seed(*seed), ..setup.clone() });
            state.is_ok_and(|state| self.inner.to_act(&state).contains(Seat(0)))
        };
        let seed = (0..20).find(red).map_or(setup.seed, Seed);
        let state = self.inner.start(&Setup { seed, ..setup.clone() })?;
        let mut twins = self.inner.twins(&state, Viewer::Spectator, &mut setup.seed.rng(9));
        Ok(twins.swap_remove(0))
    }

    fn to_act(&self, state: &State) -> SeatSet {
        self.inner.to_act(state)
    }

    fn legal_actions(&self, state: &State, seat: Seat) -> Option<Vec<Action>> {
        self.inner.legal_actions(state, seat)
    }

    fn random_action(&self, state: &State, seat: Seat, rng: &mut GameRng) -> Option<Action> {
        self.inner.random_action(state, seat, rng)
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Action) -> Result<(), RuleError> {
        self.inner.apply(state, seat, action)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        self.inner.view(state, viewer)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.inner.outcome(state)
    }

    fn forfeit(&self, state: &State, plan: &SeatPlan, loser: Seat, reason: &str) -> Outcome {
        self.inner.forfeit(state, plan, loser, reason)
    }

    fn history(&self, state: &State, viewer: Viewer) -> Vec<HistoryEntry> {
        self.inner.history(state, viewer)
    }

    fn write_action(&self, state: &State, seat: Seat, action: &Action) -> String {
        self.inner.write_action(state, seat, action)
    }

    fn read_action(&self, state: &State, seat: Seat, text: &str) -> Result<Action, RuleError> {
        self.inner.read_action(state, seat, text)
    }

    fn draw(&self, view: &View) -> String {
        self.inner.draw(view)
    }

    fn levels(&self) -> Vec<Level> {
        self.inner.levels()
    }

    fn default_level(&self) -> &'static str {
        self.inner.default_level()
    }

    fn bot(&self, level: &str) -> Option<Box<dyn Bot<Self>>> {
        Some(Box::new(Player(self.inner.bot(level)?)))
    }

    fn thinks_ahead(&self) -> bool {
        self.inner.thinks_ahead()
    }

    fn services(&self) -> Vec<Service<Self>> {
        let through = |inner: Service<Codenames>| {
            let (name, summary, cost, needs, example) =
                (inner.name, inner.summary, inner.cost, inner.needs, inner.example.clone());
            let next = inner.next;
            let mut service = Service::new(name, summary, cost, needs, example, {
                move |game: &Self, request: Value, call: ServiceCall<'_, Self>| {
                    let ServiceCall { view, viewer, control, seed } = call;
                    inner.call(&game.inner, request, ServiceCall { view, viewer, control, seed })
                }
            });
            service.next = next;
            service
        };
        self.inner.services().into_iter().map(through).collect()
    }
}
