//! Golden files: expected text under review. A mismatch writes `<file>.new` beside it; `cargo xtask golden` accepts it.

use std::fs;
use std::path::Path;

/// Compares `text` with the file; on a difference writes `<file>.new` and panics with the first line that differs.
pub fn assert_file(path: impl AsRef<Path>, text: &str) {
    let path = path.as_ref();
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == text {
        return;
    }
    let fresh = path.with_added_extension("new");
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).expect("the folder of golden files can be made");
    }
    fs::write(&fresh, text).expect("a fresh golden file can be written");
    let line = expected.lines().zip(text.lines()).position(|(old, new)| old != new);
    let line = line.unwrap_or_else(|| expected.lines().count().min(text.lines().count()));
    panic!(
        "{} differs from line {}:\n  expected {:?}\n  got      {:?}\nreview {} and accept it with `cargo xtask golden`",
        path.display(),
        line + 1,
        expected.lines().nth(line),
        text.lines().nth(line),
        fresh.display()
    );
}
