//! `cargo xtask dist`: the archive that tournament managers take — one brain, its weights, its licence.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

#[derive(clap::Args)]
pub struct Args {
    /// Where to put the archive
    #[arg(long, default_value = "target/dist")]
    out: PathBuf,
}

/// Processors of the last ten years: the archive runs on other machines than this one.
const RUSTFLAGS: &str = "-C target-cpu=x86-64-v3";

pub fn run(args: Args, root: &Path) -> Result<()> {
    let target = root.join("target/dist-build");
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root)
        .env("RUSTFLAGS", RUSTFLAGS)
        .args(["build", "--release", "--package", "parlour-cli", "--no-default-features", "--target-dir"])
        .arg(&target)
        .status()
        .context("cargo does not start")?;
    ensure!(status.success(), "the small build failed");
    let mut files = vec![("pbrain-parlour".to_owned(), fs::read(target.join("release/parlour"))?)];
    // The brain looks for data/gomoku beside itself.
    let weights = root.join("data/gomoku");
    if weights.is_dir() {
        for entry in fs::read_dir(&weights)? {
            let path = entry?.path();
            if path.is_file() {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                files.push((format!("data/gomoku/{name}"), fs::read(&path)?));
            }
        }
    }
    for name in ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE"] {
        if let Ok(text) = fs::read(root.join(name)) {
            files.push((name.to_owned(), text));
        }
    }
    files[1..].sort();
    let out = if args.out.is_absolute() { args.out } else { root.join(args.out) };
    fs::create_dir_all(&out)?;
    let path = out.join("parlour.zip");
    let bytes = zip(&files)?;
    let fresh = path.with_added_extension("part");
    fs::write(&fresh, &bytes)?;
    fs::rename(&fresh, &path)?;
    println!("{}: {} files, {:.1} MB", path.display(), files.len(), bytes.len() as f64 / 1e6);
    Ok(())
}

/// A deflated zip archive. The brain itself is executable.
fn zip(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, contents) in files {
        let mode = if name.starts_with("pbrain-") { 0o755 } else { 0o644 };
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .unix_permissions(mode);
        archive.start_file(name, options)?;
        archive.write_all(contents)?;
    }
    Ok(archive.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_holds_an_executable_brain_and_its_files() {
        let files = vec![("pbrain-x".to_owned(), b"hello".to_vec()), ("data/y".to_owned(), vec![7; 1000])];
        let bytes = zip(&files).expect("small files fit");
        let mut read = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("an archive");
        let mut brain = read.by_name("pbrain-x").expect("the brain");
        assert_eq!(brain.unix_mode(), Some(0o100_755));
        let mut contents = Vec::new();
        std::io::Read::read_to_end(&mut brain, &mut contents).expect("it can be unpacked");
        assert_eq!(contents, b"hello");
    }
}
