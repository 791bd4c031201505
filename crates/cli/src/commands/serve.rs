//! `parlour serve`: opens the house to browsers and programs.

use anyhow::{Context, Result};
use qrcode::QrCode;
use qrcode::render::unicode;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// Address and port to listen on; 0.0.0.0:8080 lets others in the network in
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Where people reach the server, if it is not the address it listens on (behind a proxy, for instance)
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Where games are kept: sqlite:PATH or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS", default_value = "sqlite:parlour.db")]
    store: String,
    /// Folder with the data packs; sought beside the program and above it if not given
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Threads in which the computer thinks; one less than the machine has if not given
    #[arg(long, value_name = "NUMBER")]
    thinkers: Option<usize>,
    /// Remove finished games after so many days; 0 keeps them for ever
    #[arg(long, value_name = "DAYS", default_value_t = 365)]
    keep_finished: u32,
    /// What to log: error, warn, info, debug, or a filter such as server=debug
    #[arg(long, value_name = "FILTER", default_value = "warn")]
    log: String,
    /// Log as JSON lines
    #[arg(long)]
    log_json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let filter = tracing_subscriber::EnvFilter::try_new(&args.log).with_context(|| format!("--log {}", args.log))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if args.log_json {
        log.json().init()
    } else {
        log.init()
    }
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(args))
}

async fn serve(args: Args) -> Result<()> {
    let listener = tokio::net::TcpListener::bind(args.listen).await.with_context(|| {
        format!("--listen {}: the address cannot be used (is another server running?)", args.listen)
    })?;
    let address = listener.local_addr()?;
    let data = catalog::data::find(args.data.as_deref()).map_err(anyhow::Error::msg)?;
    let loading = tokio::task::spawn_blocking(move || catalog::Catalog::load(data.as_deref()));
    let store = store::Store::open(&args.store).await?;
    let catalog = loading.await.context("the games cannot be loaded")?;
    for missing in catalog.missing() {
        eprintln!("left out: {}: {}", missing.id, missing.reason);
    }

    let outside = reachable(address);
    let local_only = args.public_url.is_none() && outside.ip().is_loopback();
    let url = args.public_url.unwrap_or_else(|| format!("http://{outside}"));
    let mut config = server::Config::local(&url);
    config.local_only = local_only;
    config.thinkers = args.thinkers.unwrap_or(config.thinkers);
    let days = u64::from(args.keep_finished);
    config.keeping.finished_for = (days > 0).then(|| Duration::from_secs(days * 86_400));

    let server = server::Server::start(config, catalog, store, listener).await?;
    println!("Parlour is open at {url}/ (the API at {url}/api); Ctrl-C closes it.");
    if !local_only {
        print_code(&url);
    }
    wait_for_the_end().await?;
    eprintln!("Closing…");
    server.stop().await;
    Ok(())
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
    fn an_address_to_send_people_to_is_never_unspecified_here() {
        let loopback: SocketAddr = "127.0.0.1:8080".parse().expect("an address");
        assert_eq!(reachable(loopback), loopback);
        assert_eq!(reachable("0.0.0.0:81".parse().expect("an address")).port(), 81);
    }
}
