//! Makes sure that the folder of the built page exists, so that the server builds before the page does.

use std::path::Path;

fn main() {
    let dist = Path::new("../../web/dist");
    if !dist.exists() {
        std::fs::create_dir_all(dist).expect("web/dist can be made");
    }
    println!("cargo:rerun-if-changed=../../web/dist");
    println!("cargo:rerun-if-changed=build.rs");
}
