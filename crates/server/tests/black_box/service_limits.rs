//! Every field of every service of every game has a limit, and one mechanism refuses what is beyond it.

use crate::non_interference::{puzzle, tiny_scrabble};
use crate::one_board::made_up;
use catalog::{ErasedGame, ServiceInfo, ServiceRequest};
use game::{Control, Needs, ServiceError, Viewer};
use serde_json::{Value, json};
use std::sync::Arc;

fn games() -> Vec<Arc<dyn ErasedGame>> {
    vec![
        catalog::erase(gomoku::Gomoku::new()),
        catalog::erase(tiny_scrabble()),
        catalog::erase(made_up::game()),
        catalog::erase(puzzle::game()),
        catalog::erase(homeguard::Homeguard::new()),
    ]
}

/// Every text, list and number in a request, as pointers.
fn fields(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields_of) => {
            fields_of.iter().for_each(|(name, field)| fields(field, format!("{path}/{name}"), found));
        }
        Value::Array(items) => {
            found.push(path.clone());
            items.iter().enumerate().for_each(|(at, item)| fields(item, format!("{path}/{at}"), found));
        }
        Value::String(_) | Value::Number(_) => found.push(path),
        _ => {}
    }
}

/// What is refused without a limit of its own: far more than any file takes.
fn too_much(value: &Value) -> Value {
    match value {
        Value::String(_) => json!("x".repeat(4 << 20)),
        Value::Array(items) => Value::Array(vec![items.first().cloned().unwrap_or(json!(1)); 100_000]),
        _ => json!(1e18),
    }
}

fn call(game: &dyn ErasedGame, service: &ServiceInfo, body: Value) -> Result<Value, ServiceError> {
    let request = ServiceRequest { name: service.name, body, view: None, viewer: Viewer::Spectator, seed: 0 };
    let control = Control::new();
    control.stop();
    game.call(request, &control)
}

#[test]
fn every_field_of_every_example_is_limited() {
    let mut tried = 0;
    for game in games() {
        for service in game.services().iter().filter(|service| service.needs == Needs::Nothing) {
            let mut found = Vec::new();
            fields(&service.example, String::new(), &mut found);
            for field in found.iter().filter(|field| !field.ends_with("seed")) {
                let mut request = service.example.clone();
                let place = request.pointer_mut(field).expect("it was found there");
                *place = too_much(place);
                let refused = call(&*game, service, request);
                let limited = matches!(&refused, Err(ServiceError::Rule(rule)) if rule.code == "request.limit");
                assert!(limited, "{} {}: {field} has no limit", game.info().id, service.name);
                tried += 1;
            }
        }
    }
    assert!(tried > 60, "{tried}");
}

/// The document states what the server checks.
#[test]
fn every_field_of_every_request_states_its_limit() {
    for game in games() {
        for service in game.services() {
            let place = format!("{} {}", game.info().id, service.name);
            let parts = service.request.parts.iter().map(|(_, part)| json!(part));
            for schema in parts.chain([json!(service.request.schema)]) {
                stated(&schema, &place);
            }
        }
    }
}

fn stated(schema: &Value, place: &str) {
    let of = |name: &str| {
        schema["type"] == name || schema["type"].as_array().is_some_and(|types| types.contains(&json!(name)))
    };
    let is_choice = schema.get("enum").is_some();
    assert!(!of("string") || is_choice || schema["maxLength"].is_number(), "{place}: a text without a limit: {schema}");
    assert!(!of("array") || schema["maxItems"].is_number(), "{place}: a list without a limit: {schema}");
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let number = field["type"] == "integer" || field["type"] == "number";
        let limited = field["maximum"].is_number() || name.ends_with("seed");
        assert!(!number || limited, "{place}: {name}: a number without a limit");
        stated(field, &format!("{place}: {name}"));
    }
    for kind in ["oneOf", "allOf", "anyOf"] {
        schema[kind].as_array().into_iter().flatten().for_each(|part| stated(part, place));
    }
    if schema["items"].is_object() {
        stated(&schema["items"], place);
    }
}
