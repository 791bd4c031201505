//! Locates the data folder: `--data`, then `data/` beside the binary or in its parent folders, then in the working folder
//! or its parents.

use std::path::{Path, PathBuf};

/// The data folder: `explicit` if given, else the nearest `data/`.
///
/// An explicit folder that does not exist is an error.
pub fn find(explicit: Option<&Path>) -> Result<Option<PathBuf>, String> {
    find_with(explicit, Path::new(""))
}

/// The data folder that holds `wanted`, a file or folder in it: `explicit` if given, else the nearest `data/` with it.
///
/// An explicit folder without it is an error that names both.
pub fn find_with(explicit: Option<&Path>, wanted: impl AsRef<Path>) -> Result<Option<PathBuf>, String> {
    let wanted = wanted.as_ref();
    if let Some(folder) = explicit {
        return match (folder.is_dir(), folder.join(wanted).exists()) {
            (true, true) => Ok(Some(folder.to_owned())),
            (true, false) => Err(format!("--data {}: there is no {} in it", folder.display(), wanted.display())),
            (false, _) => Err(format!("--data {}: there is no such folder", folder.display())),
        };
    }
    // A link such as pbrain-parlour leads to the folder of the program itself.
    let binary = std::env::current_exe().and_then(|path| path.canonicalize());
    let binary = binary.map_err(|error| format!("the program cannot find itself: {error}"))?;
    let working = std::env::current_dir().ok();
    let folders = binary.ancestors().skip(1).chain(working.iter().flat_map(|folder| folder.ancestors()));
    Ok(nearest(folders, wanted))
}

/// The first `data/` below `folders` that holds `wanted`.
fn nearest<'a>(mut folders: impl Iterator<Item = &'a Path>, wanted: &Path) -> Option<PathBuf> {
    folders.find_map(|folder| {
        let data = folder.join("data");
        (data.is_dir() && data.join(wanted).exists()).then_some(data)
    })
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
        let seek = |wanted: &str| nearest(binary.ancestors().skip(1), Path::new(wanted));
        assert_eq!(seek(""), Some(root.join("data")));
        std::fs::create_dir_all(root.join("target/release/data")).expect("a temporary folder can be made");
        assert_eq!(seek(""), Some(root.join("target/release/data")));
        std::fs::write(root.join("data/words"), "").expect("a temporary file can be written");
        assert_eq!(seek("words"), Some(root.join("data")), "a nearer folder without it is passed over");
        std::fs::remove_dir_all(&root).expect("the temporary folder can be removed");
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = find(Some(Path::new("/no/such/folder"))).expect_err("it is not there");
        assert!(error.contains("/no/such/folder"), "{error}");
        let error =
            find_with(Some(Path::new(env!("CARGO_MANIFEST_DIR"))), "no-such-file").expect_err("it is not there");
        assert!(error.contains("no-such-file"), "{error}");
    }
}
