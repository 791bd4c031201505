//! Where the packs are: at `--data`, beside the binary, then up its parent folders.

use std::path::{Path, PathBuf};

/// The data folder: `explicit` if given, else `data/` beside the running binary or in one of its parent folders.
///
/// An explicit folder that does not exist is an error of the caller's and is reported as such.
pub fn find(explicit: Option<&Path>) -> Result<Option<PathBuf>, String> {
    if let Some(path) = explicit {
        return if path.is_dir() {
            Ok(Some(path.to_owned()))
        } else {
            Err(format!("--data {}: there is no such folder", path.display()))
        };
    }
    let binary = std::env::current_exe().map_err(|error| format!("the program cannot find itself: {error}"))?;
    Ok(beside(&binary))
}

/// `data/` in one of the folders above `binary`, the nearest first.
fn beside(binary: &Path) -> Option<PathBuf> {
    binary.ancestors().skip(1).map(|folder| folder.join("data")).find(|path| path.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_wins() {
        let root = std::env::temp_dir().join(format!("parlour-catalog-data-{}", std::process::id()));
        let binary = root.join("target/release/parlour");
        std::fs::create_dir_all(root.join("data")).expect("a temporary folder can be made");
        std::fs::create_dir_all(root.join("target/release")).expect("a temporary folder can be made");
        assert_eq!(beside(&binary), Some(root.join("data")));
        std::fs::create_dir_all(root.join("target/release/data")).expect("a temporary folder can be made");
        assert_eq!(beside(&binary), Some(root.join("target/release/data")));
        std::fs::remove_dir_all(&root).expect("the temporary folder can be removed");
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = find(Some(Path::new("/no/such/folder"))).expect_err("it is not there");
        assert!(error.contains("/no/such/folder"), "{error}");
    }
}
