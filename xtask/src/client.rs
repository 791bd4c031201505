//! A small client of the API for the load generators: JSON over HTTP, and a running server of our own.

use anyhow::{Context, Result, bail};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::{HeaderMap, Method, Request};
use hyper_util::client::legacy::Client as Hyper;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use numerics::SplitMix64;
use serde_json::Value;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What a server said.
pub struct HttpAnswer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
}

/// Somebody who calls the API.
#[derive(Clone)]
pub struct Client {
    http: Hyper<HttpConnector, Full<Bytes>>,
    /// The servers that may be asked, and the one that is.
    addresses: Arc<[String]>,
    asked: Arc<AtomicUsize>,
    pub cookie: Option<String>,
    pub token: Option<String>,
}

/// How long an answer may take before it counts as none.
const PATIENCE: Duration = Duration::from_secs(10);

impl Client {
    pub fn new(address: &str) -> Self {
        Self::of(&[address.to_owned()], 0)
    }

    /// Somebody who may ask several servers and begins with one of them.
    pub fn of(addresses: &[String], first: usize) -> Self {
        let http = Hyper::builder(TokioExecutor::new()).build_http();
        Self { http, addresses: addresses.into(), asked: Arc::new(AtomicUsize::new(first)), cookie: None, token: None }
    }

    /// Asks the next server from now on, if there is another.
    pub fn turn_elsewhere(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    /// Becomes a guest.
    pub async fn sign_in(&mut self) -> Result<()> {
        let answer = self.call(Method::POST, "/api/v1/guest", None).await?;
        let cookie = answer.headers.get("set-cookie").and_then(|value| value.to_str().ok()).context("no cookie")?;
        self.cookie = cookie.split(';').next().map(str::to_owned);
        Ok(())
    }

    /// One request; an error where no answer came.
    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Result<HttpAnswer> {
        let address = &self.addresses[self.asked.load(Ordering::Relaxed) % self.addresses.len()];
        let mut request = Request::builder().method(method).uri(format!("http://{address}{path}"));
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = request.body(Full::new(Bytes::from(body)))?;
        let whole = async {
            let (parts, body) = self.http.request(request).await?.into_parts();
            let bytes = body.collect().await?.to_bytes();
            let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
            anyhow::Ok(HttpAnswer { status: parts.status.as_u16(), headers: parts.headers, body })
        };
        tokio::time::timeout(PATIENCE, whole).await.context("no answer in time")?
    }

    pub async fn get(&self, path: &str) -> Result<HttpAnswer> {
        self.call(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Result<HttpAnswer> {
        self.call(Method::POST, path, Some(body)).await
    }
}

/// The program under test, built if it is not given.
pub fn program(given: Option<PathBuf>, root: &Path) -> Result<PathBuf> {
    if let Some(path) = given {
        return path.canonicalize().with_context(|| format!("--program {}", path.display()));
    }
    let build = ["build", "--release", "--quiet", "--package", "parlour-cli"];
    let status = Command::new(env!("CARGO")).args(build).current_dir(root).status()?;
    if !status.success() {
        bail!("parlour does not build");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release/parlour"))
}

/// How to start the server under test, again and again on the same port.
pub struct TestServer {
    pub program: PathBuf,
    pub address: String,
    pub store: String,
    pub data: PathBuf,
    pub thinkers: usize,
}

impl TestServer {
    pub fn new(program: PathBuf, store: String, root: &Path, thinkers: usize) -> Result<Self> {
        let address = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.to_string();
        Ok(Self { program, address, store, data: root.join("data"), thinkers })
    }

    /// Starts the server; it may not answer yet.
    pub fn start(&self) -> Result<Running> {
        let child = Command::new(&self.program)
            .args(["serve", "--listen", &self.address, "--store", &self.store, "--log", "error"])
            .args(["--thinkers", &self.thinkers.to_string(), "--data"])
            .arg(&self.data)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be started", self.program.display()))?;
        Ok(Running(child))
    }

    /// Waits until the server answers; how long that took.
    pub async fn ready(&self) -> Result<Duration> {
        let begun = Instant::now();
        loop {
            let answer = Client::new(&self.address).get("/readyz").await;
            if answer.is_ok_and(|answer| answer.status == 200) {
                return Ok(begun.elapsed());
            }
            if begun.elapsed() > Duration::from_secs(60) {
                bail!("the server does not come up");
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// A running server; killed when dropped.
pub struct Running(Child);

impl Running {
    /// kill -9, and waits until it is gone.
    pub fn kill(&mut self) -> Result<()> {
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }

    /// SIGTERM, and waits until it is gone.
    pub fn terminate(&mut self) -> Result<()> {
        let status = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status()?;
        if !status.success() {
            bail!("the server cannot be told to stop");
        }
        self.0.wait()?;
        Ok(())
    }

    /// SIGSTOP: the process stays, with its connections, and does nothing.
    pub fn pause(&self) -> Result<()> {
        self.signal("-STOP")
    }

    /// SIGCONT.
    pub fn resume(&self) -> Result<()> {
        self.signal("-CONT")
    }

    fn signal(&self, name: &str) -> Result<()> {
        let status = Command::new("kill").args([name, &self.0.id().to_string()]).status()?;
        if !status.success() {
            bail!("the server cannot be sent {name}");
        }
        Ok(())
    }

    /// The processor time it has taken, in seconds.
    pub fn cpu_seconds(&self) -> Result<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id()))?;
        cpu_seconds(&stat).context("no times in /proc")
    }

    /// The most memory it had at once, in megabytes, as the system counts it.
    pub fn peak_memory(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM in /proc")?;
        let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok((kilobytes / 102.4).round() / 10.0)
    }
}

/// The processor time a process has taken, in seconds; fields 14 and 15 of its line are hundredths of one.
fn cpu_seconds(stat: &str) -> Option<f64> {
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at - 3)?.parse::<f64>().ok();
    Some((ticks(14)? + ticks(15)?) / 100.0)
}

/// The given quantile in milliseconds, to a hundredth.
pub fn quantile(times: &mut [Duration], q: f64) -> f64 {
    times.sort_unstable();
    let seconds: Vec<f64> = times.iter().map(Duration::as_secs_f64).collect();
    (numerics::quantile_sorted(&seconds, q) * 1e5).round() / 100.0
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// A random number below a limit.
pub fn below(random: &mut SplitMix64, limit: u64) -> u64 {
    random.next_u64() % limit.max(1)
}
