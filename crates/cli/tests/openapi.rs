//! The OpenAPI document of all games is kept in docs/openapi.json; this says when it is not current.
#![cfg(feature = "server")]

use catalog::Catalog;
use std::path::Path;

#[test]
fn the_document_in_docs_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = root.join("data");
    let catalog = Catalog::load(data.is_dir().then_some(data.as_path()));
    assert!(catalog.missing().is_empty(), "games are left out: {:?}", catalog.missing());
    let fresh = serde_json::to_string_pretty(&server::openapi_document(&catalog)).expect("it can be written") + "\n";
    if std::fs::read_to_string(root.join("docs/openapi.json")).ok().as_deref() != Some(&fresh) {
        // Written beside the kept one, so that `cargo xtask golden` can accept it.
        std::fs::write(root.join("docs/openapi.json.new"), fresh).expect("docs can be written");
        panic!(
            "docs/openapi.json is not current: compare docs/openapi.json.new and accept it with `cargo xtask golden`"
        );
    }
}
