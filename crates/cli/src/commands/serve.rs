//! `parlour serve`: serves the page, the API and the sockets.

use super::operator;
use anyhow::{Context, Result};
use qrcode::QrCode;
use qrcode::render::unicode;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use store::Secret;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour serve --listen 0.0.0.0:8080 --store sqlite:parlour.db")]
pub struct Args {
    /// Address and port to listen on; 0.0.0.0:8080 is reachable from the network
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// URL under which people reach the server, if it differs from the listen address (behind a proxy, for instance)
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Store of games: sqlite:PATH or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS", default_value = "sqlite:parlour.db")]
    store: String,
    /// File with the address of the store, instead of --store: a password in it shows in no process list
    #[arg(long, value_name = "FILE", conflicts_with = "store")]
    store_file: Option<PathBuf>,
    /// Folder with the data files; searched beside the program and above it if not given
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Processors for bots and heavy services; one less than the machine has if not given
    #[arg(long, value_name = "NUMBER")]
    thinkers: Option<usize>,
    /// Days after which finished games are deleted; 0 keeps them for ever
    #[arg(long, value_name = "DAYS", default_value_t = 365)]
    keep_finished: u32,
    /// File with the operator's token for /ops and /metrics; created with a fresh token if it does not exist. Without the
    /// flag, a server in a terminal shows a token of its own, and a server elsewhere has no operator
    #[arg(long, value_name = "FILE")]
    operator_token_file: Option<PathBuf>,
    /// Address or network of a trusted proxy, whose X-Forwarded-For names the caller; may be given several times
    #[arg(long, value_name = "NETWORK")]
    proxy: Vec<Network>,
    /// Log filter: error, warn, info, debug, or a filter such as server=debug
    #[arg(long, value_name = "FILTER", default_value = "warn")]
    log: String,
    /// Log as JSON lines
    #[arg(long)]
    log_json: bool,
}

/// An address, or a network such as 10.0.0.0/8.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Network(ipnet::IpNet);

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let network = text.parse::<ipnet::IpNet>().or_else(|_| text.parse::<IpAddr>().map(ipnet::IpNet::from));
        network.map(Self).map_err(|_| format!("{text}: an address, or a network such as 10.0.0.0/8"))
    }
}

pub fn run(args: Args) -> Result<()> {
    let filter = server::log_filter(&args.log).with_context(|| format!("--log {}", args.log))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if args.log_json {
        log.json().init()
    } else {
        log.init()
    }
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(args))
}

async fn serve(args: Args) -> Result<()> {
    let files = raise_file_limit();
    let listener = tokio::net::TcpListener::bind(args.listen).await.with_context(|| {
        format!("--listen {}: the address cannot be used (is another server running?)", args.listen)
    })?;
    let address = listener.local_addr()?;
    let data = catalog::data::find(args.data.as_deref()).map_err(anyhow::Error::msg)?;
    let loading = tokio::task::spawn_blocking(move || catalog::Catalog::load(data.as_deref()));
    let store = store::Store::open(&store_address(&args)?).await?;
    let catalog = loading.await.context("the games cannot be loaded")?;
    for missing in catalog.missing() {
        eprintln!("left out: {}: {}", missing.id, missing.reason);
    }

    let outside = reachable(address);
    let local_only = args.public_url.is_none() && outside.ip().is_loopback();
    let url = args.public_url.unwrap_or_else(|| format!("http://{outside}"));
    let mut config = server::ServerConfig::local(&url);
    config.limits.fit_to_files(files);
    config.local_only = local_only;
    config.proxies = args.proxy.iter().map(|proxy| proxy.0).collect();
    let operator = operator::token(args.operator_token_file.as_deref())?;
    config.operator = operator.as_ref().map(Secret::hash);
    config.thinkers = args.thinkers.unwrap_or(config.thinkers);
    let days = u64::from(args.keep_finished);
    config.retention.finished_for = (days > 0).then(|| Duration::from_secs(days * 86_400));

    let server = server::Server::start(config, catalog, store, listener).await?;
    println!("Parlour serves {url}/ (the API at {url}/api); Ctrl-C stops it.");
    match (&args.operator_token_file, operator) {
        (Some(file), _) => println!("The operator page is at {url}/ops with the token in {}.", file.display()),
        (None, Some(token)) => println!("The operator page is at {url}/ops; today's token: {}", token.reveal()),
        (None, None) => {}
    }
    if !local_only {
        print_code(&url);
    }
    wait_for_the_end().await?;
    eprintln!("Closing…");
    server.stop().await;
    Ok(())
}

/// The address of the store: the flag, or the first line of the file.
fn store_address(args: &Args) -> Result<String> {
    let Some(file) = &args.store_file else { return Ok(args.store.clone()) };
    let text = std::fs::read_to_string(file).with_context(|| format!("--store-file {}", file.display()))?;
    Ok(text.lines().next().unwrap_or_default().trim().to_owned())
}

/// Raises the soft limit on open files to the hard one; returns the limit that holds.
fn raise_file_limit() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: both calls read or write only `limit`, which lives until they return.
    unsafe {
        if libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) != 0 {
            return 1_024;
        }
        let raised = libc::rlimit { rlim_cur: limit.rlim_max, ..limit };
        if libc::setrlimit(libc::RLIMIT_NOFILE, &raw const raised) == 0 {
            limit = raised;
        }
    }
    limit.rlim_cur
}

/// The address that others use for one that we listen on: `0.0.0.0` is no address to send somebody to.
fn reachable(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    SocketAddr::new(own_address(address.ip()).unwrap_or(address.ip()), address.port())
}

/// The address of this machine in its network: the one that packets to the outside would carry. Nothing is sent.
fn own_address(unspecified: IpAddr) -> Option<IpAddr> {
    let (from, to) = if unspecified.is_ipv4() { ("0.0.0.0:0", "192.0.2.1:9") } else { ("[::]:0", "[2001:db8::1]:9") };
    let socket = UdpSocket::bind(from).ok()?;
    socket.connect(to).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

fn print_code(url: &str) {
    if let Ok(code) = QrCode::new(url.as_bytes()) {
        println!("{}", code.render::<unicode::Dense1x2>().quiet_zone(true).build());
    }
}

async fn wait_for_the_end() -> Result<()> {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted?,
        _ = terminate.recv() => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_addresses_or_networks() {
        assert_eq!("10.1.2.3".parse(), "10.1.2.3/32".parse::<Network>());
        assert!("10.1.2.3/33".parse::<Network>().is_err() && "proxy".parse::<Network>().is_err());
    }

    #[test]
    fn an_address_to_send_people_to_is_never_unspecified_here() {
        let loopback: SocketAddr = "127.0.0.1:8080".parse().expect("an address");
        assert_eq!(reachable(loopback), loopback);
        assert_eq!(reachable("0.0.0.0:81".parse().expect("an address")).port(), 81);
    }
}
