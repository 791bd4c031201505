//! Audit of dependencies: licences, sources, checksums, banned and duplicate crates, packages of the page.
//!
//! The lists are in `deny.toml`, which cargo-deny reads as well: where it is installed it is asked too. Known holes
//! (advisories) can be checked only where the databases answer; where they do not, this says so.

use crate::machine;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Target platform of the audit: crates of other platforms are not downloaded.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// Additional licences of npm packages: build and test tools that are not part of the page.
const NPM_LICENCES: &[&str] = &["MPL-2.0", "Python-2.0"];

/// Checks everything and reports all faults at once.
pub fn check(root: &Path) -> Result<()> {
    let rules = Rules::read(&std::fs::read_to_string(root.join("deny.toml")).context("deny.toml")?)?;
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).context("Cargo.lock")?;
    let page = std::fs::read_to_string(root.join("web/package-lock.json")).context("web/package-lock.json")?;
    let mut faults = crates(&metadata(root)?, &rules)?;
    faults.extend(checksums(&lock));
    faults.extend(packages(&serde_json::from_str(&page).context("web/package-lock.json")?, &rules));
    ensure!(faults.is_empty(), "dependencies:\n  {}", faults.join("\n  "));
    println!("licences, sources, checksums and bans: nothing to say");
    ask_cargo_deny(root)?;
    ask_npm(root)
}

/// The part of `deny.toml` that is checked here; cargo-deny reads the whole file.
#[derive(Deserialize)]
struct Rules {
    licenses: LicenceRules,
    bans: BanRules,
    sources: SourceRules,
}

#[derive(Deserialize)]
struct LicenceRules {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct BanRules {
    deny: Vec<String>,
    skip: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct SourceRules {
    allow_registry: Vec<String>,
}

impl Rules {
    fn read(text: &str) -> Result<Self> {
        toml::from_str(text).context("deny.toml")
    }

    /// Whether an SPDX expression can be satisfied with the allowed licences. Older crates write "A/B" for "A OR B".
    fn permits(&self, expression: &str, more: &[&str]) -> bool {
        let Ok(expression) = spdx::Expression::parse_mode(expression, spdx::ParseMode::LAX) else { return false };
        expression.evaluate(|requirement| {
            let name = requirement.to_string();
            self.licenses.allow.contains(&name) || more.contains(&name.as_str())
        })
    }
}

fn metadata(root: &Path) -> Result<Value> {
    let answer = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET])
        .current_dir(root)
        .output()
        .context("cargo metadata cannot be run")?;
    ensure!(answer.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&answer.stderr));
    Ok(serde_json::from_slice(&answer.stdout)?)
}

/// Faults of licences and sources, and banned or duplicate crates.
fn crates(metadata: &Value, rules: &Rules) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in metadata["packages"].as_array().context("cargo metadata lists no packages")? {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        let (name, version, licence) = (text("name"), text("version"), text("license"));
        let Some(source) = package["source"].as_str() else { continue };
        versions.entry(name).or_default().insert(version);
        if !rules.permits(licence, &[]) {
            faults.push(format!("{name} {version} has the licence {licence:?}, which deny.toml does not allow"));
        }
        let known = source
            .strip_prefix("registry+")
            .is_some_and(|registry| rules.sources.allow_registry.iter().any(|allowed| allowed == registry));
        if !known {
            faults.push(format!("{name} {version} comes from {source}, which deny.toml does not allow"));
        }
        if rules.bans.deny.iter().any(|banned| banned == name) {
            faults.push(format!("{name} is ruled out by deny.toml"));
        }
    }
    let skipped = &rules.bans.skip;
    for (name, versions) in versions {
        if versions.len() > 1 && !skipped.iter().any(|skip| skip == name) {
            let versions: Vec<&str> = versions.into_iter().collect();
            faults
                .push(format!("{name} is there as {}; update, or add it to skip in deny.toml", versions.join(" and ")));
        }
    }
    Ok(faults)
}

/// Registry crates without a checksum in the lock file.
fn checksums(lock: &str) -> Vec<String> {
    let packages = lock.split("[[package]]").skip(1);
    let unchecked = packages.filter(|package| package.contains("source = ") && !package.contains("checksum = "));
    let name = |package: &str| package.split('"').nth(1).unwrap_or_default().to_owned();
    unchecked.map(|package| format!("{} has no checksum in Cargo.lock", name(package))).collect()
}

/// Faults of npm packages: source, checksum, install scripts, licence.
fn packages(lock: &Value, rules: &Rules) -> Vec<String> {
    let mut faults = Vec::new();
    let all = lock["packages"].as_object().into_iter().flatten().filter(|(path, _)| !path.is_empty());
    for (path, package) in all {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        if !text("integrity").starts_with("sha512-") {
            faults.push(format!("{path} has no SHA-512 in package-lock.json"));
        }
        let source = text("resolved");
        // npm knows where packages come from; an address here would go round its settings
        if !source.is_empty() {
            faults.push(format!("{path} names {source} in package-lock.json: leave addresses to npm"));
        }
        if package["hasInstallScript"] == true {
            faults.push(format!("{path} runs a script when it is installed"));
        }
        if !rules.permits(text("license"), NPM_LICENCES) {
            faults.push(format!("{path} has the licence {:?}", text("license")));
        }
    }
    faults
}

/// Runs cargo-deny if it is installed; advisories only if their database is available.
fn ask_cargo_deny(root: &Path) -> Result<()> {
    let there = Command::new("cargo-deny").arg("--version").output().is_ok_and(|answer| answer.status.success());
    if !there {
        println!("cargo-deny is not installed: known holes of crates were not looked up (`cargo install cargo-deny`)");
        return Ok(());
    }
    let deny = |what: &[&str]| Command::new("cargo-deny").arg("check").args(what).current_dir(root).output();
    let answer = deny(&["licenses", "bans", "sources"])?;
    ensure!(answer.status.success(), "cargo deny: {}", String::from_utf8_lossy(&answer.stderr));
    let answer = deny(&["advisories"])?;
    let said = String::from_utf8_lossy(&answer.stderr).into_owned();
    ensure!(answer.status.success() || said.contains("failed to fetch"), "cargo deny: {said}");
    println!("cargo deny: {}", if answer.status.success() { "nothing to say" } else { "no database of known holes" });
    Ok(())
}

/// Queries npm for advisories of the page's packages, if the registry supports it.
fn ask_npm(root: &Path) -> Result<()> {
    let answer = machine::node_command(root, "npm")?
        .args(["audit", "--json", "--audit-level=high"])
        .current_dir(root.join("web"))
        .output()
        .context("npm cannot be run")?;
    let said: Value = serde_json::from_slice(&answer.stdout).unwrap_or_default();
    if said["auditReportVersion"].is_null() {
        println!("npm audit: the registry does not answer; known holes of the page's packages were not looked up");
        return Ok(());
    }
    ensure!(answer.status.success(), "npm audit: {}", said["vulnerabilities"]);
    println!("npm audit: nothing to say");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rules() -> Rules {
        Rules::read(
            "[licenses]\nallow = [\n  \"MIT\", # fine\n  \"Apache-2.0 WITH LLVM-exception\",\n]\n[bans]\nwildcards = \
             \"allow\"\ndeny = [\"bincode\"]\nskip = [\"syn\"]\n[sources]\nallow-registry = [\"https://r\"]\n",
        )
        .expect("the rules are TOML")
    }

    #[test]
    fn licences_are_read_as_expressions() {
        let rules = rules();
        for good in
            ["MIT", "GPL-3.0 OR MIT", "MIT/GPL-3.0", "(GPL-3.0 OR MIT) AND MIT", "Apache-2.0 WITH LLVM-exception"]
        {
            assert!(rules.permits(good, &[]), "{good}");
        }
        for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT", "Apache-2.0", "MIT MIT"] {
            assert!(!rules.permits(bad, &[]), "{bad}");
        }
        assert!(rules.permits("CC0-1.0", &["CC0-1.0"]));
    }

    #[test]
    fn every_kind_of_fault_is_found() {
        let package = |name: &str, version: &str, licence: &str, source: &str| json!({"name": name, "version": version, "license": licence, "source": source});
        let metadata = json!({"packages": [
            package("a", "1.0.0", "GPL-3.0", "registry+https://r"),
            package("b", "1.0.0", "MIT", "git+https://elsewhere"),
            package("bincode", "1.0.0", "MIT", "registry+https://r"),
            package("twice", "1.0.0", "MIT", "registry+https://r"),
            package("twice", "2.0.0", "MIT", "registry+https://r"),
            package("syn", "1.0.0", "MIT", "registry+https://r"),
            package("syn", "2.0.0", "MIT", "registry+https://r"),
            {"name": "ours", "version": "0.1.0", "license": null, "source": null},
        ]});
        let faults = crates(&metadata, &rules()).unwrap();
        assert_eq!(faults.len(), 4, "{faults:?}");
        let lock = "[[package]]\nname = \"a\"\nsource = \"x\"\n\n[[package]]\nname = \"b\"\nsource = \"x\"\nchecksum = \"1\"\n";
        assert_eq!(checksums(lock), ["a has no checksum in Cargo.lock"]);
        let page = json!({"packages": {
            "": {},
            "node_modules/good": {"integrity": "sha512-1", "license": "MIT"},
            "node_modules/bad": {"integrity": "sha1-1", "resolved": "http://x", "license": "UNKNOWN", "hasInstallScript": true},
        }});
        assert_eq!(packages(&page, &rules()).len(), 4);
    }
}
