//! Typed requests beside the table: analyse, hint, check, solve, propose.

use crate::{Control, Game, RuleError, Viewer};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// How much work a service is, which decides where it runs and how often it may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// Milliseconds: answered at once.
    Light,
    /// Up to many seconds: runs in the bounded pool, reports progress, can be stopped.
    Heavy,
}

/// Whether a service is about a table in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Needs {
    /// Its request says everything; mounted at `/api/v1/<game>/<service>`.
    Nothing,
    /// It gets the caller's own view; mounted at `/api/v1/tables/<id>/<service>`.
    View,
}

/// Why a service did not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ServiceError {
    /// The request is not of the right form.
    #[error("{0}")]
    BadRequest(String),
    /// The rules refuse it.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// It needs data that this installation does not have.
    #[error("{0}")]
    Unavailable(String),
}

/// What a service gets besides its request.
pub struct ServiceCall<'a, G: Game> {
    /// The caller's own view; present exactly where the service needs one.
    pub view: Option<&'a G::View>,
    /// Who calls.
    pub viewer: Viewer,
    /// For progress and stopping.
    pub control: &'a Control,
    /// Seed for whatever is random.
    pub seed: u64,
}

/// The schema of a request or an answer, ready for the OpenAPI document.
#[derive(Clone)]
pub struct TypeSchema {
    pub name: String,
    pub schema: RefOr<Schema>,
    /// Named types that it refers to.
    pub parts: Vec<(String, RefOr<Schema>)>,
}

impl TypeSchema {
    /// The schema of a type.
    pub fn of<T: ToSchema>() -> Self {
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        Self { name: T::name().into_owned(), schema: T::schema(), parts }
    }
}

/// The request that will probably follow an answer, so that it can be answered in idle time. Only for services whose
/// answer follows from the request alone.
#[derive(Clone, Copy)]
pub struct Next {
    /// The service that will be asked.
    pub service: &'static str,
    /// What it will be asked, by the answer before.
    pub request: fn(&Value) -> Value,
}

type Run<G> = Box<dyn Fn(&G, Value, ServiceCall<'_, G>) -> Result<Value, ServiceError> + Send + Sync>;

/// One typed request that a game answers.
pub struct Service<G: Game> {
    pub name: &'static str,
    /// One English sentence for the API page.
    pub summary: &'static str,
    pub cost: Cost,
    pub needs: Needs,
    pub request: TypeSchema,
    pub answer: TypeSchema,
    /// A request that works when pasted.
    pub example: Value,
    /// What its answer is probably followed by.
    pub next: Option<Next>,
    run: Run<G>,
}

impl<G: Game> Service<G> {
    /// A service from a typed function. `example` is a request that works when pasted.
    pub fn new<Req, Ans>(
        name: &'static str,
        summary: &'static str,
        cost: Cost,
        needs: Needs,
        example: Value,
        run: impl Fn(&G, Req, ServiceCall<'_, G>) -> Result<Ans, ServiceError> + Send + Sync + 'static,
    ) -> Self
    where
        Req: DeserializeOwned + ToSchema,
        Ans: Serialize + ToSchema,
    {
        let run: Run<G> = Box::new(move |game, request, call| {
            let request = serde_json::from_value(request)
                .map_err(|error| ServiceError::BadRequest(format!("{name}: {error}")))?;
            let answer = run(game, request, call)?;
            serde_json::to_value(answer)
                .map_err(|error| ServiceError::Unavailable(format!("{name}: the answer cannot be written: {error}")))
        });
        Self {
            name,
            summary,
            cost,
            needs,
            request: TypeSchema::of::<Req>(),
            answer: TypeSchema::of::<Ans>(),
            example,
            next: None,
            run,
        }
    }

    /// The same with what its answer is probably followed by.
    #[must_use]
    pub fn followed_by(mut self, service: &'static str, request: fn(&Value) -> Value) -> Self {
        self.next = Some(Next { service, request });
        self
    }

    /// Answers a request.
    pub fn call(&self, game: &G, request: Value, call: ServiceCall<'_, G>) -> Result<Value, ServiceError> {
        if self.needs == Needs::View && call.view.is_none() {
            return Err(ServiceError::BadRequest(format!("{} is about a table: call it there", self.name)));
        }
        (self.run)(game, request, call)
    }
}
