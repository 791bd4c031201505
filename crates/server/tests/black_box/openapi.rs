//! The OpenAPI document: complete, served, every reference leads somewhere.

use crate::common::TestServer;
use catalog::test_games;
use serde_json::Value;

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
    let host = TestServer::open().await;
    let answer = host.stranger().send(hyper::Method::GET, "/api/openapi.json", None, &[]).await;
    let paths = answer.json()["paths"].clone();
    for path in
        ["/api/v1/games", "/api/v1/tables/{id}/actions", "/api/v1/noughts/work", "/api/v1/tables/{id}/services/hint"]
    {
        assert!(paths.get(path).is_some(), "{path} is missing");
    }
    let games = host.stranger().get("/games").await.json();
    assert_eq!(games[0]["id"], "noughts");
    assert_eq!(games[0]["levels"].as_array().map(Vec::len), Some(6));
    assert_eq!(games[0]["settings_schema"]["properties"]["misere"]["type"], "boolean");
    assert_eq!(games[0]["services"][1]["cost"], "heavy");
}
