//! Typed requests beside the table: analysis, hint, check, solution, proposal.

use crate::{Control, Game, RuleError, Viewer, cancellation, limits};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// The cost of a service. It decides where the service runs and how often it may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// Milliseconds: runs at once.
    Light,
    /// Up to many seconds: runs in the bounded thread pool, reports progress and can be stopped.
    Heavy,
}

/// Whether a service is about a table in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Needs {
    /// The request is self-contained. The service is mounted at `/api/v1/<game>/<service>`.
    Nothing,
    /// The service gets the caller's own view. It is mounted at `/api/v1/tables/<id>/<service>`.
    View,
}

/// Error of a service.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ServiceError {
    /// The request cannot be parsed.
    #[error("{0}")]
    BadRequest(String),
    /// The rules refuse it.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The service needs data that this installation does not have.
    #[error("{0}")]
    Unavailable(String),
}

/// Context of a service call.
pub struct ServiceCall<'a, G: Game> {
    /// The caller's own view, present exactly if the service needs one.
    pub view: Option<&'a G::View>,
    /// The caller.
    pub viewer: Viewer,
    /// Reports progress and receives stop requests.
    pub control: &'a Control,
    /// Seed of random choices.
    pub seed: u64,
}

/// The OpenAPI schema of a request or an answer.
#[derive(Clone)]
pub struct TypeSchema {
    pub name: String,
    pub schema: RefOr<Schema>,
    /// Named types that the schema refers to.
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

/// The request that probably follows an answer. The server computes its answer in idle time (prefetch). Only for services
/// whose answer depends on the request alone.
#[derive(Clone, Copy)]
pub struct Next {
    /// The service that is probably called next.
    pub service: &'static str,
    /// Builds its request from the previous answer.
    pub request: fn(&Value) -> Value,
}

type Run<G> = Box<dyn Fn(&G, Value, ServiceCall<'_, G>) -> Result<Value, ServiceError> + Send + Sync>;

/// A typed request that a game answers.
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
    /// The request that probably follows, if there is a usual one.
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
        let mut request = TypeSchema::of::<Req>();
        limits::state(&mut request);
        Self { name, summary, cost, needs, request, answer: TypeSchema::of::<Ans>(), example, next: None, run }
    }

    /// The same service with the request that probably follows its answer.
    #[must_use]
    pub fn followed_by(mut self, service: &'static str, request: fn(&Value) -> Value) -> Self {
        self.next = Some(Next { service, request });
        self
    }

    /// Answers a request that keeps the limits its schema states. Whatever runs in this call can observe its control
    /// by [`crate::cancelled`].
    pub fn call(&self, game: &G, request: Value, call: ServiceCall<'_, G>) -> Result<Value, ServiceError> {
        if self.needs == Needs::View && call.view.is_none() {
            return Err(ServiceError::BadRequest(format!(
                "{} needs a table: call it at /api/v1/tables/<id>/{}",
                self.name, self.name
            )));
        }
        limits::check(&self.request, &request)?;
        cancellation::within(call.control.clone(), || (self.run)(game, request, call))
    }
}
