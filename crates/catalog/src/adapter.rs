//! Type erasure of any [`Game`].

use crate::erased::{
    ActionError, AnyView, BotDecision, ErasedBot, ErasedGame, ErasedTable, LegalAction, ServiceInfo, ServiceRequest,
};
use game::{
    Bot, BotError, Budget, Control, Ending, Event, Game, GameInfo, HistoryEntry, Level, Seat, SeatPlan, SeatSet, Seed,
    Service, ServiceCall, ServiceError, Setup, Table, TypeSchema, Viewer,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;

/// The stream of a table's seed that random actions are drawn from.
const RANDOM_ACTION_STREAM: u64 = 0x7261_6e64;

/// Erases the types of a game.
pub fn erase<G: Game>(game: G) -> Arc<dyn ErasedGame> {
    let services = game.services();
    let infos = services.iter().map(info_of).collect();
    Arc::new(Adapter { game: Arc::new(game), services, infos })
}

fn info_of<G: Game>(service: &Service<G>) -> ServiceInfo {
    ServiceInfo {
        name: service.name,
        summary: service.summary,
        cost: service.cost,
        needs: service.needs,
        request: service.request.clone(),
        answer: service.answer.clone(),
        example: service.example.clone(),
        next: service.next,
    }
}

struct Adapter<G: Game> {
    game: Arc<G>,
    services: Vec<Service<G>>,
    infos: Vec<ServiceInfo>,
}

fn read<T: DeserializeOwned>(what: &str, value: &Value) -> Result<T, ActionError> {
    T::deserialize(value).map_err(|error| ActionError::BadForm(format!("{what}: {error}")))
}

fn write(value: &impl Serialize) -> Value {
    // Types that a game declares serialisable are plain data; the conformance kit writes every one of them.
    serde_json::to_value(value).unwrap_or_else(|error| Value::String(format!("cannot be written: {error}")))
}

fn typed<A: DeserializeOwned>(event: &Event<Value>) -> Result<Event<A>, ActionError> {
    Ok(match event {
        Event::Action { seat, action } => Event::Action { seat: *seat, action: read("action", action)? },
        Event::Join { seat } => Event::Join { seat: *seat },
        Event::Undo { keep } => Event::Undo { keep: *keep },
        Event::Resign { seat } => Event::Resign { seat: *seat },
        Event::Flag { seat } => Event::Flag { seat: *seat },
        Event::Abandon => Event::Abandon,
    })
}

/// `given` laid over `default`, field by field at the top level.
fn over(default: Value, given: &Value) -> Value {
    match (default, given) {
        (default, Value::Null) => default,
        (Value::Object(mut fields), Value::Object(given)) => {
            fields.extend(given.iter().map(|(name, value)| (name.clone(), value.clone())));
            Value::Object(fields)
        }
        (_, given) => given.clone(),
    }
}

impl<G: Game> Adapter<G> {
    fn setup(setup: &Setup<Value>) -> Result<Setup<G::Settings>, ActionError> {
        Ok(Setup {
            rules_version: setup.rules_version,
            settings: read("settings", &setup.settings)?,
            seats: setup.seats,
            seed: setup.seed,
        })
    }
}

impl<G: Game> ErasedGame for Adapter<G> {
    fn info(&self) -> GameInfo {
        self.game.info()
    }

    fn levels(&self) -> Vec<Level> {
        self.game.levels()
    }

    fn default_level(&self) -> &'static str {
        self.game.default_level()
    }

    fn default_settings(&self) -> Value {
        write(&G::Settings::default())
    }

    fn settings_schema(&self) -> TypeSchema {
        TypeSchema::of::<G::Settings>()
    }

    fn action_schema(&self) -> TypeSchema {
        TypeSchema::of::<G::Action>()
    }

    fn view_schema(&self) -> TypeSchema {
        TypeSchema::of::<G::View>()
    }

    fn settings(&self, given: &Value) -> Result<(Value, SeatPlan), ActionError> {
        let settings: G::Settings = read("settings", &over(self.default_settings(), given))?;
        let plan = self.game.seats(&settings)?;
        Ok((write(&settings), plan))
    }

    fn public_settings(&self, settings: &Value) -> Value {
        match read::<G::Settings>("settings", settings) {
            Ok(settings) => write(&self.game.public_settings(&settings)),
            // What cannot be read is not shown.
            Err(_) => Value::Null,
        }
    }

    fn open(&self, setup: &Setup<Value>, events: &[Event<Value>]) -> Result<Box<dyn ErasedTable>, ActionError> {
        let mut table = Table::new(&*self.game, Self::setup(setup)?)?;
        for event in events {
            table.apply(&self.game, &typed(event)?)?;
        }
        Ok(Box::new(TypedTable { game: Arc::clone(&self.game), table }))
    }

    fn bot(&self, level: &str) -> Option<Box<dyn ErasedBot>> {
        let bot = self.game.bot(level)?;
        Some(Box::new(TypedBot { game: Arc::clone(&self.game), bot }))
    }

    fn prefetches_first_move(&self) -> bool {
        self.game.prefetches_first_move()
    }

    fn services(&self) -> &[ServiceInfo] {
        &self.infos
    }

    fn call(&self, request: ServiceRequest<'_>, control: &Control) -> Result<Value, ServiceError> {
        let id = self.game.info().id;
        let service = self
            .services
            .iter()
            .find(|service| service.name == request.name)
            .ok_or_else(|| ServiceError::BadRequest(format!("{id} has no service called {}", request.name)))?;
        let view = match request.view {
            None => None,
            Some(view) => Some(
                view.downcast_ref::<G::View>()
                    .ok_or_else(|| ServiceError::BadRequest(format!("the view is not one of {id}")))?,
            ),
        };
        let call = ServiceCall { view, viewer: request.viewer, control, seed: request.seed };
        service.call(&self.game, request.body, call)
    }
}

struct TypedTable<G: Game> {
    game: Arc<G>,
    table: Table<G>,
}

impl<G: Game> ErasedTable for TypedTable<G> {
    fn apply(&mut self, event: &Event<Value>) -> Result<Event<Value>, ActionError> {
        let event: Event<G::Action> = typed(event)?;
        self.table.apply(&self.game, &event)?;
        Ok(match event {
            Event::Action { seat, action } => Event::Action { seat, action: write(&action) },
            Event::Join { seat } => Event::Join { seat },
            Event::Undo { keep } => Event::Undo { keep },
            Event::Resign { seat } => Event::Resign { seat },
            Event::Flag { seat } => Event::Flag { seat },
            Event::Abandon => Event::Abandon,
        })
    }

    fn canonical(&self, action: &Value) -> Result<Value, ActionError> {
        Ok(write(&read::<G::Action>("action", action)?))
    }

    fn read_action(&self, seat: Seat, text: &str) -> Result<Value, ActionError> {
        Ok(write(&self.game.read_action(self.table.state(), seat, text)?))
    }

    fn to_act(&self) -> SeatSet {
        self.table.to_act(&self.game)
    }

    fn to_act_at(&self, ply: u32) -> Result<SeatSet, ActionError> {
        Ok(self.game.to_act(&self.table.state_at(&self.game, ply)?))
    }

    fn ply(&self) -> u32 {
        self.table.ply()
    }

    fn action_at(&self, ply: u32) -> Option<(Seat, Value)> {
        self.table.actions().nth(ply as usize).map(|(seat, action)| (seat, write(action)))
    }

    fn actors(&self) -> Vec<Seat> {
        self.table.actions().map(|(seat, _)| seat).collect()
    }

    fn ending(&self) -> Option<Ending> {
        self.table.ending(&self.game)
    }

    fn is_decided(&self) -> bool {
        self.game.outcome(self.table.state()).is_some()
    }

    fn plan(&self) -> &SeatPlan {
        self.table.plan()
    }

    fn view(&self, viewer: Viewer) -> Value {
        write(&self.table.view(&self.game, viewer))
    }

    fn view_at(&self, ply: u32, viewer: Viewer) -> Result<Value, ActionError> {
        let state = self.table.state_at(&self.game, ply)?;
        Ok(write(&self.game.view(&state, viewer)))
    }

    fn history(&self, viewer: Viewer) -> Vec<HistoryEntry> {
        self.table.history(&self.game, viewer)
    }

    fn legal(&self, seat: Seat, limit: usize) -> Option<Vec<LegalAction>> {
        if !self.to_act().contains(seat) {
            return None;
        }
        let state = self.table.state();
        let actions = self.game.legal_actions(state, seat)?;
        (actions.len() <= limit).then(|| {
            let line = |action: &G::Action| LegalAction {
                action: write(action),
                text: self.game.write_action(state, seat, action),
            };
            actions.iter().map(line).collect()
        })
    }

    fn random_action(&self, seat: Seat, seed: u64) -> Option<Value> {
        let mut rng = Seed(seed).rng(RANDOM_ACTION_STREAM);
        self.game.random_action(self.table.state(), seat, &mut rng).map(|action| write(&action))
    }

    fn view_for(&self, viewer: Viewer) -> AnyView {
        Box::new(self.table.view(&self.game, viewer))
    }

    fn render_text(&self, viewer: Viewer) -> String {
        self.game.render_text(&self.table.view(&self.game, viewer))
    }
}

struct TypedBot<G: Game> {
    game: Arc<G>,
    bot: Box<dyn Bot<G>>,
}

impl<G: Game> ErasedBot for TypedBot<G> {
    fn set_human_partners(&mut self, people: SeatSet) {
        self.bot.set_human_partners(people);
    }

    fn choose(
        &mut self,
        seat: Seat,
        view: &AnyView,
        budget: Budget,
        seed: u64,
        control: &Control,
    ) -> Result<BotDecision, BotError> {
        let view = view
            .downcast_ref::<G::View>()
            .ok_or_else(|| BotError::Other(format!("the view is not one of {}", self.game.info().id)))?;
        let choice = self.bot.choose(&self.game, seat, view, budget, seed, control)?;
        Ok(BotDecision { action: write(&choice.action), thought: choice.thought })
    }
}
