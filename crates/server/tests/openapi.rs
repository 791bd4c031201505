//! The OpenAPI document: complete, and kept current in docs/openapi.json.

mod common;

use catalog::{Catalog, test_games};
use common::House;
use serde_json::Value;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().and_then(Path::parent).expect("the checkout")
}

#[test]
fn the_document_in_docs_is_current() {
    let data = root().join("data");
    let catalog = Catalog::load(Some(&data).filter(|data| data.is_dir()).map(|data| data.as_path()));
    assert!(catalog.missing().is_empty(), "games are left out: {:?}", catalog.missing());
    let fresh = serde_json::to_string_pretty(&server::openapi_document(&catalog)).expect("it can be written") + "\n";
    let path = root().join("docs/openapi.json");
    if std::fs::read_to_string(&path).ok().as_deref() != Some(&fresh) {
        // Written beside the kept one, so that `cargo xtask golden` can accept it.
        std::fs::write(root().join("docs/openapi.json.new"), fresh).expect("docs can be written");
        panic!(
            "docs/openapi.json is not current: look at docs/openapi.json.new and accept it with `cargo xtask golden`"
        );
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = server::openapi_document(&test_games::catalog());
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 20, "{}", references.len());
    for reference in references {
        let pointer = reference.strip_prefix('#').expect("a local reference");
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if let (true, Some(target)) = (name == "$ref", value.as_str()) {
                    references.push(target.to_owned());
                }
                collect(value, references);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}

#[tokio::test]
async fn the_document_is_served_and_names_every_service() {
    let house = House::open().await;
    let answer = house.stranger().send(hyper::Method::GET, "/api/openapi.json", None, &[]).await;
    let paths = answer.json()["paths"].clone();
    for path in
        ["/api/v1/games", "/api/v1/tables/{id}/actions", "/api/v1/noughts/work", "/api/v1/tables/{id}/services/hint"]
    {
        assert!(paths.get(path).is_some(), "{path} is missing");
    }
    let games = house.stranger().get("/games").await.json();
    assert_eq!(games[0]["id"], "noughts");
    assert_eq!(games[0]["levels"].as_array().map(Vec::len), Some(6));
    assert_eq!(games[0]["settings_schema"]["properties"]["misere"]["type"], "boolean");
    assert_eq!(games[0]["services"][1]["cost"], "heavy");
}
