//! A game whose seed decides what one viewer may not know, and nothing else.

use catalog::Catalog;
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

/// A game that starts as the seed `base` makes it, except for what `viewer` may not know: that is the table's seed's.
pub struct Indistinguishable<G: Game> {
    inner: G,
    viewer: Viewer,
    base: Seed,
    gate: Arc<Gate>,
}

impl<G: Game> Indistinguishable<G> {
    /// On a base on which the first of `seats` seats begins.
    pub fn new(inner: G, viewer: Viewer, seats: u8, gate: Arc<Gate>) -> Self {
        let begins = |seed: &u64| {
            let (rules_version, settings) = (inner.info().rules_version, G::Settings::default());
            let state = inner.start(&Setup { rules_version, settings, seats, seed: Seed(*seed) });
            state.is_ok_and(|state| inner.to_act(&state).contains(Seat(0)))
        };
        let base = Seed((0..50).find(begins).expect("the first seat begins now and then"));
        Self { inner, viewer, base, gate }
    }

    /// A catalog of that game alone.
    pub fn catalog(self) -> Catalog {
        Catalog::of(vec![catalog::erase(self)])
    }
}

struct Player<G: Game>(Box<dyn Bot<G>>);

impl<G: Game> Bot<Indistinguishable<G>> for Player<G> {
    fn set_human_partners(&mut self, people: SeatSet) {
        self.0.set_human_partners(people);
    }

    fn choose(
        &mut self,
        game: &Indistinguishable<G>,
        seat: Seat,
        view: &G::View,
        budget: Budget,
        seed: u64,
        control: &Control,
    ) -> Result<Choice<G::Action>, BotError> {
        let choice = self.0.choose(&game.inner, seat, view, budget, seed, control)?;
        // a computer that talks: nobody may hear what it says in a game that hides something
        let note = format!("{:?}", choice.action);
        control.report(Progress { done: 0.5, note, detail: Value::Null });
        game.gate.pass();
        Ok(choice)
    }
}

impl<G: Game> Game for Indistinguishable<G> {
    type Settings = G::Settings;
    type State = G::State;
    type Action = G::Action;
    type View = G::View;

    fn info(&self) -> GameInfo {
        self.inner.info()
    }

    fn seats(&self, settings: &G::Settings) -> Result<SeatPlan, RuleError> {
        self.inner.seats(settings)
    }

    fn public_settings(&self, settings: &G::Settings) -> G::Settings {
        self.inner.public_settings(settings)
    }

    fn start(&self, setup: &Setup<G::Settings>) -> Result<G::State, RuleError> {
        let state = self.inner.start(&Setup { seed: self.base, ..setup.clone() })?;
        let twins = self.inner.indistinguishable_states(&state, self.viewer, &mut setup.seed.rng(9));
        Ok(twins.into_iter().next().unwrap_or(state))
    }

    fn join(&self, state: &mut G::State, seat: Seat) -> Result<(), RuleError> {
        self.inner.join(state, seat)
    }

    fn to_act(&self, state: &G::State) -> SeatSet {
        self.inner.to_act(state)
    }

    fn legal_actions(&self, state: &G::State, seat: Seat) -> Option<Vec<G::Action>> {
        self.inner.legal_actions(state, seat)
    }

    fn random_action(&self, state: &G::State, seat: Seat, rng: &mut GameRng) -> Option<G::Action> {
        self.inner.random_action(state, seat, rng)
    }

    fn apply(&self, state: &mut G::State, seat: Seat, action: &G::Action) -> Result<(), RuleError> {
        self.inner.apply(state, seat, action)
    }

    fn view(&self, state: &G::State, viewer: Viewer) -> G::View {
        self.inner.view(state, viewer)
    }

    fn outcome(&self, state: &G::State) -> Option<Outcome> {
        self.inner.outcome(state)
    }

    fn forfeit(&self, state: &G::State, plan: &SeatPlan, loser: Seat, reason: &str) -> Outcome {
        self.inner.forfeit(state, plan, loser, reason)
    }

    fn history(&self, state: &G::State, viewer: Viewer) -> Vec<HistoryEntry> {
        self.inner.history(state, viewer)
    }

    fn write_action(&self, state: &G::State, seat: Seat, action: &G::Action) -> String {
        self.inner.write_action(state, seat, action)
    }

    fn read_action(&self, state: &G::State, seat: Seat, text: &str) -> Result<G::Action, RuleError> {
        self.inner.read_action(state, seat, text)
    }

    fn render_text(&self, view: &G::View) -> String {
        self.inner.render_text(view)
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

    fn prefetches_first_move(&self) -> bool {
        self.inner.prefetches_first_move()
    }

    fn services(&self) -> Vec<Service<Self>> {
        let through = |inner: Service<G>| {
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
