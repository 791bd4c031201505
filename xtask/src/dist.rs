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

/// A zip archive (PKWARE APPNOTE 6.3) with deflated files, marked as executable where they are.
fn zip(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>> {
    let mut archive: Vec<u8> = Vec::new();
    let mut directory: Vec<u8> = Vec::new();
    for (name, contents) in files {
        let mut crc = flate2::Crc::new();
        crc.update(contents);
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(contents)?;
        let packed = encoder.finish()?;
        let offset = u32::try_from(archive.len()).context("an archive beyond 4 GB")?;
        let mut common: Vec<u8> = Vec::new();
        common.extend(20u16.to_le_bytes()); // version needed
        common.extend(0u16.to_le_bytes()); // flags
        common.extend(8u16.to_le_bytes()); // deflate
        common.extend([0, 0, 0x21, 0x58]); // 2024-01-01 00:00, the same in every archive
        common.extend(crc.sum().to_le_bytes());
        common.extend(u32::try_from(packed.len())?.to_le_bytes());
        common.extend(u32::try_from(contents.len())?.to_le_bytes());
        common.extend(u16::try_from(name.len())?.to_le_bytes());
        common.extend(0u16.to_le_bytes()); // extra field
        archive.extend(b"PK\x03\x04");
        archive.extend(&common);
        archive.extend(name.as_bytes());
        archive.extend(&packed);
        let mode: u32 = if name.starts_with("pbrain-") { 0o100_755 } else { 0o100_644 };
        directory.extend(b"PK\x01\x02");
        directory.extend(0x0314u16.to_le_bytes()); // made on Unix
        directory.extend(&common);
        directory.extend([0; 6]); // comment, disk, internal attributes
        directory.extend((mode << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = u32::try_from(archive.len())?;
    let count = u16::try_from(files.len())?.to_le_bytes();
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(count);
    archive.extend(count);
    archive.extend(u32::try_from(directory.len())?.to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend(0u16.to_le_bytes());
    Ok(archive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_can_read_the_archive() {
        let files = vec![("pbrain-x".to_owned(), b"hello".to_vec()), ("data/y".to_owned(), vec![7; 1000])];
        let bytes = zip(&files).expect("small files fit");
        let path = std::env::temp_dir().join(format!("parlour-dist-{}.zip", std::process::id()));
        fs::write(&path, bytes).expect("a temporary file can be written");
        let script = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; \
                      assert z.read('pbrain-x')==b'hello'; assert z.infolist()[0].external_attr>>16==0o100755";
        let checked = Command::new("python3").args(["-c", script]).arg(&path).status();
        fs::remove_file(&path).expect("the temporary file can be removed");
        // Without Python there is nobody to ask; the archive's own sizes were checked while writing.
        assert!(checked.is_err() || checked.is_ok_and(|status| status.success()));
    }
}
