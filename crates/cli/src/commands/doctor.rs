//! `parlour doctor`: checks this installation, and says what is wrong and how to repair it.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::json;

#[derive(clap::Args)]
pub struct Args {
    /// Listen address of `parlour serve`
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Store: sqlite:PATH or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS", default_value = "sqlite:parlour.db")]
    store: String,
    /// Data folder (default: data/ beside the program or above it)
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Queue of long work: local, or nats://HOST:PORT
    #[arg(long, value_name = "QUEUE", default_value = "local")]
    queue: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Result of one check: what was found, or the problem and its remedy.
struct Finding {
    what: String,
    result: Result<String, String>,
}

fn finding(what: impl Into<String>, result: Result<String, String>) -> Finding {
    Finding { what: what.into(), result }
}

/// Timeout of the NATS check.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(3);
/// Timeout of the store check.
const STORE_PATIENCE: std::time::Duration = std::time::Duration::from_secs(15);
/// Minimum available memory in MB for tables in several languages.
const LEAST_MEMORY: u64 = 500;

pub fn run(args: Args) -> Result<()> {
    let mut findings = Vec::new();
    let data = catalog::data::find(args.data.as_deref());
    let folder = data.as_ref().ok().cloned().flatten();
    let absent =
        || "there is no data folder beside the program or above it: start it in its folder or name --data".to_owned();
    let told = data.and_then(|data| data.map(|data| data.display().to_string()).ok_or_else(absent));
    findings.push(finding("data folder", told));
    findings.extend(games(folder.as_deref()));
    if let Some(folder) = &folder {
        findings.push(learned(folder));
        findings.extend(lexicon::SHIPPED.map(|code| meaning(folder, code)));
        findings.extend(lexicon::SHIPPED.iter().map(|code| words(folder, code)));
    }
    let built = server::page_is_built();
    let no_page = "the page was not built into this program: build it with ./run".to_owned();
    findings.push(finding("page", if built { Ok("built in".into()) } else { Err(no_page) }));
    findings.push(finding(format!("store {}", without_password(&args.store)), store(&args.store)));
    let bound = TcpListener::bind(args.listen).map(|_| "free".to_owned());
    let taken = |error| format!("cannot be used ({error}): stop what listens there or name another --listen");
    findings.push(finding(format!("address {}", args.listen), bound.map_err(taken)));
    if args.queue != "local" {
        findings.push(finding(format!("queue {}", without_password(&args.queue)), queue(&args.queue)));
    }
    findings.push(finding("memory", memory(std::fs::read_to_string("/proc/meminfo").ok().as_deref())));
    report(&findings, args.json)
}

fn games(folder: Option<&Path>) -> Vec<Finding> {
    let catalog = catalog::Catalog::load(folder);
    let there = catalog.games().iter().map(|game| finding(format!("game {}", game.info().id), Ok("ready".into())));
    let missing =
        catalog.missing().iter().map(|missing| finding(format!("game {}", missing.id), Err(missing.reason.clone())));
    there.chain(missing).collect()
}

/// Verifies the hashes of all learned parameters.
fn learned(folder: &Path) -> Finding {
    let verify = || -> Result<String, String> {
        let models = catalog::models::list(folder)?;
        for model in &models {
            model.verify(folder)?;
        }
        Ok(format!("{} files match their manifests", models.len()))
    };
    finding("learned parameters", verify())
}

fn meaning(folder: &Path, code: &str) -> Finding {
    let opened = semantics::Language::open(folder, code);
    let told = opened.map(|language| format!("{} words", language.words().len())).map_err(|error| error.to_string());
    finding(format!("word meaning {code}"), told)
}

/// Reads a whole lexicon with its learned values: only this detects damage.
fn words(folder: &Path, code: &str) -> Finding {
    let read = || -> Result<String, String> {
        let path = folder.join(format!("lexicon/{code}.lex"));
        let again = |error: String| format!("{error}: put the file back, or build it with `cargo xtask data`");
        let at = |error: std::io::Error| again(format!("{}: {error}", path.display()));
        let bytes = std::fs::read(&path).map_err(at)?;
        let name = path.display().to_string();
        let lexicon = lexicon::Lexicon::from_bytes(&bytes, &name).map_err(|error| again(error.to_string()))?;
        let leaves = folder.join(format!("lexicon/{code}.leaves"));
        if leaves.exists() {
            let told = |error: String| again(format!("{}: {error}", leaves.display()));
            let bytes = std::fs::read(&leaves).map_err(|error| told(error.to_string()))?;
            let letters = lexicon.alphabet().len();
            scrabble::LeaveModel::from_bytes(&bytes, letters).map_err(|error| told(error.to_string()))?;
        }
        Ok(format!("{} words", lexicon.word_count()))
    };
    finding(format!("lexicon {code}"), read())
}

/// Checks a NATS server by its first line: `INFO {…}`.
fn queue(address: &str) -> Result<String, String> {
    use std::io::{BufRead, BufReader};
    use std::net::{TcpStream, ToSocketAddrs};
    let wrong = |error: String| format!("{error}: start `nats-server -js`, or name another --queue");
    let place = address.strip_prefix("nats://").ok_or("use local or nats://HOST:PORT")?;
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
    let place = if place.contains(':') { place.to_owned() } else { format!("{place}:4222") };
    let mut found = place.to_socket_addrs().map_err(|error| wrong(format!("no such host ({error})")))?;
    let found = found.next().ok_or_else(|| wrong("no such host".to_owned()))?;
    let line =
        TcpStream::connect_timeout(&found, PATIENCE).map_err(|error| wrong(format!("out of reach ({error})")))?;
    line.set_read_timeout(Some(PATIENCE)).map_err(|error| error.to_string())?;
    let mut said = String::new();
    let silent = |error| wrong(format!("something listens there and says nothing ({error})"));
    BufReader::new(std::io::Read::take(line, 64 << 10)).read_line(&mut said).map_err(silent)?;
    let about = said.strip_prefix("INFO ").and_then(|json| serde_json::from_str::<serde_json::Value>(json.trim()).ok());
    let about = about.ok_or_else(|| wrong("what listens there is no NATS server".to_owned()))?;
    let version = about["version"].as_str().unwrap_or("?");
    if about["jetstream"] != true {
        return Err(format!("NATS {version} runs without JetStream: start it with -js"));
    }
    Ok(format!("NATS {version} with JetStream"))
}

/// Checks that a folder is writable by creating a file; permissions do not show a full disk or a read-only mount.
fn writable(folder: &Path) -> Result<(), String> {
    let probe = folder.join(format!(".parlour-doctor-{}", std::process::id()));
    let told = |error| format!("{} cannot be written to ({error}): choose another --store", folder.display());
    std::fs::write(&probe, "x").map_err(told)?;
    std::fs::remove_file(&probe).map_err(told)
}

/// Opens an existing store. For a missing SQLite file it checks only the folder.
fn store(address: &str) -> Result<String, String> {
    if let Some(path) = address.strip_prefix("sqlite:").map(|path| Path::new(path.strip_prefix("//").unwrap_or(path)))
        && !path.exists()
    {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        return writable(parent).map(|()| "will be created by `parlour serve`".into());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
    let opened = runtime.block_on(async { tokio::time::timeout(STORE_PATIENCE, store::Store::open(address)).await });
    match opened {
        Err(_) => Err(format!(
            "no answer within {} s: does the database run, and may this machine reach it?",
            STORE_PATIENCE.as_secs()
        )),
        Ok(Ok(_)) => Ok("opens".into()),
        Ok(Err(error)) => Err(error.to_string()),
    }
}

/// The address without its password.
fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let Some((person, place)) = rest.rsplit_once('@') else { return address.to_owned() };
    let name = person.split(':').next().unwrap_or_default();
    format!("{scheme}://{name}@{place}")
}

/// Available memory by `/proc/meminfo`. Unknown on machines without it.
fn memory(meminfo: Option<&str>) -> Result<String, String> {
    let line = meminfo.and_then(|text| text.lines().find_map(|line| line.strip_prefix("MemAvailable:")));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    match kilobytes.map(|kilobytes| kilobytes / 1024) {
        None => Ok("not known on this machine".into()),
        Some(megabytes) if megabytes < LEAST_MEMORY => {
            Err(format!("{megabytes} MB are free, {LEAST_MEMORY} should be"))
        }
        Some(megabytes) => Ok(format!("{megabytes} MB free")),
    }
}

fn report(findings: &[Finding], json: bool) -> Result<()> {
    let wrong = findings.iter().filter(|finding| finding.result.is_err()).count();
    if json {
        let told: Vec<_> = findings
            .iter()
            .map(|f| {
                let said = f.result.as_ref().unwrap_or_else(|problem| problem);
                json!({"what": f.what, "ok": f.result.is_ok(), "said": said})
            })
            .collect();
        println!("{}", json!({"problems": wrong, "findings": told}));
    } else {
        for Finding { what, result } in findings {
            match result {
                Ok(said) => println!("ok       {what}: {said}"),
                Err(problem) => println!("PROBLEM  {what}: {problem}"),
            }
        }
    }
    match wrong {
        0 => Ok(()),
        1 => bail!("one thing is wrong with this installation"),
        _ => bail!("{wrong} things are wrong with this installation"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(without_password("postgres://ada:s3cret@db/parlour"), "postgres://ada@db/parlour");
        assert_eq!(without_password("postgres://db/parlour"), "postgres://db/parlour");
        assert_eq!(without_password("sqlite:parlour.db"), "sqlite:parlour.db");
    }

    #[test]
    fn a_store_that_would_be_made_is_not_made_and_one_that_cannot_be_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new.db");
        assert!(store(&format!("sqlite:{}", path.display())).is_ok());
        assert!(!path.exists());
        assert!(store(&format!("sqlite:{}", folder.path().join("no/such/new.db").display())).is_err());
        std::fs::write(&path, "this is no database, whatever its name says").expect("written");
        assert!(store(&format!("sqlite:{}", path.display())).is_err());
        assert!(store("somewhere").is_err());
    }

    #[test]
    fn a_damaged_or_missing_lexicon_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let told = |code| words(folder.path(), code).result.expect_err("there is nothing");
        assert!(told("en").contains("en.lex") && told("en").contains("put the file back"));
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        assert!(words(&shipped, "sk").result.is_ok());
        let mut bytes = std::fs::read(shipped.join("lexicon/sk.lex")).expect("it is shipped");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::create_dir(folder.path().join("lexicon")).expect("made");
        std::fs::write(folder.path().join("lexicon/sk.lex"), bytes).expect("written");
        assert!(told("sk").contains("sk.lex"), "{}", told("sk"));
    }

    #[test]
    fn a_queue_is_asked_who_it_is() {
        use std::io::Write;
        assert!(queue("http://x").is_err());
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("nats://user:secret@{}", listener.local_addr().expect("an address"));
        let greeting = |words: &'static str| {
            let listener = listener.try_clone().expect("a second handle");
            let server = std::thread::spawn(move || {
                let (mut line, _) = listener.accept().expect("somebody comes");
                line.write_all(words.as_bytes()).expect("said");
            });
            let told = queue(&address);
            server.join().expect("it ends");
            told
        };
        let good = greeting("INFO {\"version\":\"2.9.10\",\"jetstream\":true}\r\n");
        assert_eq!(good, Ok("NATS 2.9.10 with JetStream".into()));
        assert!(greeting("INFO {\"version\":\"2.9.10\"}\r\n").expect_err("no streams").contains("-js"));
        assert!(greeting("SSH-2.0\r\n").expect_err("another program").contains("no NATS server"));
        drop(listener);
        assert!(queue(&address).expect_err("nobody").contains("out of reach"));
    }

    #[test]
    fn little_memory_is_a_problem() {
        assert!(memory(Some("MemTotal: 9 kB\nMemAvailable:   100000 kB\n")).is_err());
        assert_eq!(memory(Some("MemAvailable: 2048000 kB")), Ok("2000 MB free".into()));
        assert!(memory(None).is_ok());
    }
}
