//! A throw-away PostgreSQL cluster on loopback, from Debian's packages; gone when dropped.

use crate::machine;
use anyhow::{Context, Result, bail};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A running cluster with trust authentication on 127.0.0.1.
pub struct Cluster {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
}

impl Cluster {
    /// Makes a cluster in a fresh temporary folder and starts it on a free port.
    pub fn start() -> Result<Self> {
        let programs = machine::postgres_folder().context("Debian's postgresql package is not installed")?;
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let folder = std::env::temp_dir().join(format!("parlour-postgres-{}-{port}", std::process::id()));
        let cluster = Self { programs, folder, port };
        cluster.make()?;
        Ok(cluster)
    }

    fn make(&self) -> Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        if machine::is_root() {
            run(Command::new("chown").arg("postgres").arg(&self.folder))?;
        }
        let data = self.folder.join("data");
        run(self.server_program("initdb").arg("-D").arg(&data).args(["-U", "parlour", "--auth=trust", "-E", "UTF8"]))?;
        let options = format!("-p {} -c listen_addresses=127.0.0.1 -k {}", self.port, self.folder.display());
        run(self
            .server_program("pg_ctl")
            .arg("-D")
            .arg(&data)
            .args(["-w", "-t", "30", "-o", &options, "-l"])
            .arg(self.folder.join("log"))
            .arg("start"))
    }

    /// Where clients connect.
    pub fn url(&self) -> String {
        format!("postgres://parlour@127.0.0.1:{}/postgres", self.port)
    }

    /// A server program; it refuses to run as root, so root lends it the user that Debian made for it.
    fn server_program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let mut command = if machine::is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(Path::new("/"));
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let data = self.folder.join("data");
        let stopped = run(self.server_program("pg_ctl").arg("-D").arg(&data).args(["-m", "immediate", "stop"]));
        if let Err(error) = stopped {
            eprintln!("the throw-away PostgreSQL did not stop: {error}");
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn run(command: &mut Command) -> Result<()> {
    let answer = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{:?} cannot be started", command.get_program()))?
        .wait_with_output()?;
    if !answer.status.success() {
        bail!("{command:?} ended with {}: {}", answer.status, String::from_utf8_lossy(&answer.stderr).trim());
    }
    Ok(())
}
