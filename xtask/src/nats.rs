//! A throw-away NATS server on loopback, from Debian's package; gone when dropped.

use crate::machine;
use anyhow::{Context, Result, bail};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server with JetStream, which can be killed and started again on its port and with its streams.
pub struct NatsServer {
    program: PathBuf,
    folder: PathBuf,
    port: u16,
    child: Option<Child>,
}

impl NatsServer {
    /// Starts a server whose streams are in a folder.
    pub fn start(folder: &Path) -> Result<Self> {
        let program = machine::nats_program().context("Debian's nats-server package is not installed")?;
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let mut nats = Self { program, folder: folder.join("streams"), port, child: None };
        nats.restart()?;
        Ok(nats)
    }

    /// Where clients connect.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// kill -9, and waits until it is gone.
    pub fn kill(&mut self) -> Result<()> {
        if let Some(mut child) = self.child.take() {
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }

    /// Starts it again and waits until it listens.
    pub fn restart(&mut self) -> Result<()> {
        let child = Command::new(&self.program)
            .args(["-js", "-a", "127.0.0.1", "-p", &self.port.to_string(), "-sd"])
            .arg(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be started", self.program.display()))?;
        self.child = Some(child);
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            if begun.elapsed() > Duration::from_secs(20) {
                bail!("nats-server does not come up");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}
