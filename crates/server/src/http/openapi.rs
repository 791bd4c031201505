//! The OpenAPI document: the fixed routes from the code, and every game's types and services from the catalog.

use super::{HttpState, account, artifacts, games, me, ops, play, services, socket, tables, user_data};
use crate::api;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use catalog::{Catalog, ErasedGame, ServiceInfo};
use game::{Needs, TypeSchema};
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Parlour",
        description = "A games state: tables, seats, bots and services. Identity is the cookie `parlour_guest`; a \
                       program may send `Authorization: Bearer <seat token>` instead. Errors are \
                       `{\"error\":{\"code\",\"message\"}}`; 429 and 503 say when to come back in `Retry-After`.",
        license(name = "MIT OR Apache-2.0")
    ),
    paths(
        games::list,
        me::guest,
        me::show,
        me::rename,
        user_data::delete,
        user_data::export,
        user_data::keepsakes,
        user_data::keep,
        account::create,
        account::login,
        account::logout,
        account::password,
        tables::list,
        tables::create,
        tables::show,
        tables::view_at,
        tables::sit,
        tables::stand,
        play::act,
        play::undo,
        play::redo,
        play::resign,
        play::rematch,
        services::export,
        socket::open,
        artifacts::show,
        ops::health,
        ops::ready,
        ops::metrics,
        ops::report
    ),
    components(schemas(api::ErrorBody, api::MissedEvent))
)]
struct Fixed;

/// The document for a catalog, with everything in a stable order.
pub fn document(catalog: &Catalog) -> Value {
    let mut document = serde_json::to_value(Fixed::openapi()).expect("a document can be written");
    // The version of the program changes more often than the interface: the document names the interface's.
    document["info"]["version"] = json!("1");
    add_examples(&mut document);
    for game in catalog.games() {
        add_game(&mut document, &**game);
    }
    document
}

/// Serves the document.
pub async fn show(State(http): State<HttpState>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], http.openapi.to_string())
}

/// Bodies that work when pasted.
fn add_examples(document: &mut Value) {
    let examples = [
        ("/api/v1/tables", "post", json!({ "game": "gomoku", "seats": [{ "kind": "me" }, { "kind": "bot" }] })),
        ("/api/v1/tables/{id}/actions", "post", json!({ "text": "h8", "expect_ply": 0 })),
        ("/api/v1/tables/{id}/seats/{seat}", "post", json!({ "kind": "me" })),
        ("/api/v1/me", "put", json!({ "name": "Ada" })),
        ("/api/v1/me", "delete", json!({ "password": "correct horse" })),
        ("/api/v1/me/keepsakes/{name}", "put", json!({ "body": "{}" })),
        ("/api/v1/account", "post", json!({ "login": "ada", "password": "correct horse" })),
        ("/api/v1/account/login", "post", json!({ "login": "ada", "password": "correct horse" })),
        ("/api/v1/account/password", "put", json!({ "old": "correct horse", "new": "battery staple" })),
        ("/api/v1/tables/{id}/undo", "post", json!({})),
        ("/api/v1/tables/{id}/resign", "post", json!({})),
    ];
    for (path, method, example) in examples {
        let body = &mut document["paths"][path][method]["requestBody"]["content"]["application/json"];
        if let Some(body) = body.as_object_mut() {
            body.insert("example".to_owned(), example);
        }
    }
}

fn add_game(document: &mut Value, game: &dyn ErasedGame) {
    let id = game.info().id;
    for schema in [game.settings_schema(), game.action_schema(), game.view_schema()] {
        add_schema(document, id, &schema);
    }
    for service in game.services() {
        add_service(document, id, service);
    }
}

fn add_service(document: &mut Value, game: &str, service: &ServiceInfo) {
    let request = add_request(document, game, &service.request);
    let answer = add_schema(document, game, &service.answer);
    let (path, parameters) = match service.needs {
        Needs::Nothing => (format!("/api/v1/{game}/{}", service.name), json!([])),
        Needs::View => {
            // Every game may have a service of the same name: the address says which game is meant, the server does
            // not need it.
            let id = json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string" },
                "description": format!("a table of {game}") });
            (format!("/api/v1/tables/{{id}}/services/{}", service.name), json!([id]))
        }
    };
    let operation = json!({
        "tags": [game],
        "summary": service.summary,
        "operationId": format!("{game}_{}", service.name),
        "parameters": parameters,
        "requestBody": { "required": true, "content": { "application/json": {
            "schema": { "$ref": request }, "example": service.example } } },
        "responses": {
            "200": { "description": "the answer", "content": { "application/json": { "schema": { "$ref": answer } } } },
            "422": error("refused by the rules"),
            "503": error("too busy, or data is missing here"),
        },
    });
    let Some(paths) = document["paths"].as_object_mut() else { return };
    let known = paths.entry(path.clone()).or_insert_with(|| json!({}));
    if known.get("post").is_none() {
        known["post"] = operation;
        return;
    }
    // A second game with a table service of that name: OpenAPI wants one operation per address, so the fragment
    // names the game.
    paths.insert(format!("{path}#{game}"), json!({ "post": operation }));
}

fn error(description: &str) -> Value {
    json!({ "description": description,
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ErrorBody" } } } })
}

/// Adds a type of a request. Its schema states limits: it replaces the schema of the same type in an answer.
fn add_request(document: &mut Value, game: &str, schema: &TypeSchema) -> String {
    add(document, game, schema, true)
}

/// Adds a game's type and what it refers to under names of the game's own; returns the reference to it.
fn add_schema(document: &mut Value, game: &str, schema: &TypeSchema) -> String {
    add(document, game, schema, false)
}

fn add(document: &mut Value, game: &str, schema: &TypeSchema, replace: bool) -> String {
    let mut add = |name: &str, schema: &Value| {
        let mut schema = schema.clone();
        rename_references(&mut schema, &|name| format!("#/components/schemas/{game}.{name}"));
        let place = &mut document["components"]["schemas"][format!("{game}.{name}")];
        if replace || place.is_null() {
            *place = schema;
        }
    };
    for (name, part) in &schema.parts {
        add(name, &json!(part));
    }
    add(&schema.name, &json!(schema.schema));
    format!("#/components/schemas/{game}.{}", schema.name)
}

/// A schema that needs no document around it: what it refers to is under `$defs`.
pub fn standalone(schema: &TypeSchema) -> Value {
    let here = |name: &str| format!("#/$defs/{name}");
    let mut whole = json!(schema.schema);
    rename_references(&mut whole, &here);
    let mut parts = Map::new();
    for (name, part) in &schema.parts {
        let mut part = json!(part);
        rename_references(&mut part, &here);
        parts.insert(name.clone(), part);
    }
    if let (Some(fields), false) = (whole.as_object_mut(), parts.is_empty()) {
        fields.insert("$defs".to_owned(), Value::Object(parts));
    }
    whole
}

fn rename_references(schema: &mut Value, rename: &dyn Fn(&str) -> String) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                match value {
                    Value::String(target) if name == "$ref" => {
                        if let Some(name) = target.strip_prefix("#/components/schemas/") {
                            *target = rename(name);
                        }
                    }
                    _ => rename_references(value, rename),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| rename_references(value, rename)),
        _ => {}
    }
}
