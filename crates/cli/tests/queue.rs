//! Work distributed over worker processes that are killed, with a NATS server that is killed: end-to-end tests.
#![cfg(feature = "queue")]

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A process that ends with the test.
struct Running(Child);

impl Running {
    fn kill(&mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn nats_server(port: u16, folder: &Path) -> Running {
    let places = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"];
    let program = places.into_iter().find(|path| Path::new(path).exists());
    let program = program.expect("nats-server is not installed: `apt-get install nats-server` (./test does it)");
    let mut command = Command::new(program);
    command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder.join("streams"));
    let running = Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("nats-server starts"));
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        std::thread::sleep(Duration::from_millis(20));
    }
    running
}

struct TestCluster {
    folder: tempfile::TempDir,
    queue: String,
    store: String,
}

impl TestCluster {
    fn parlour(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlour"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Starts a server. Its first line holds its address.
    fn serve(&self) -> (Running, String) {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let mut command = self.parlour(&["serve", "--listen", "127.0.0.1:0", "--store", &self.store, "--data"]);
        let mut child = command.arg(data).stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it prints")).read_line(&mut line).expect("a line");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
        (Running(child), format!("http://{address}"))
    }

    fn worker(&self, name: &str, server: &str) -> Running {
        let cache = self.folder.path().join("cache");
        let mut command =
            self.parlour(&["worker", "--queue", &self.queue, "--server", server, "--threads", "1", "--name", name]);
        Running(command.arg("--cache").arg(cache).stderr(Stdio::null()).spawn().expect("a worker starts"))
    }

    fn games(&self, out: &str) -> Command {
        self.parlour(&["gomoku", "selfplay", "--games", "40", "--nodes", "300", "--chunk", "2", "--out", out])
    }

    fn read(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.folder.path().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Number of finished jobs of the only run.
    fn done(&self) -> u64 {
        let answer = self.parlour(&["jobs", "list", "--json", "--store", &self.store]).output().expect("it runs");
        let line: serde_json::Value = serde_json::from_slice(&answer.stdout).unwrap_or_default();
        line["done"].as_u64().unwrap_or(0)
    }

    fn wait_for(&self, done: u64) {
        while self.done() < done {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// A cluster without processes, and the port of its NATS server.
fn test_cluster() -> (TestCluster, u16) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    let queue = format!("nats://127.0.0.1:{port}");
    let store = format!("sqlite:{}", folder.path().join("house.db").display());
    (TestCluster { folder, queue, store }, port)
}

/// A configuration of Homeguard's lab that runs in seconds.
const LAB: &str = r#"{"experiment_name":"t","eliminator_known":[2],"eliminator_iters":2,"perc_bad":[25],"max_epochs":1,
"batch_size":4,"embedding_dim":4,"hidden_sizes":[8]}"#;

/// Command lines and the files they write. OUT is another name when the work is distributed.
const COMMANDS: [(&str, &str); 5] = [
    ("scrabble leaves --lexicon words.lex --turns 60,120 --chunk 2 --out OUT", "OUT"),
    (
        "scrabble evolve --lexicon words.lex --study --population 3 --games 2 --chunk 1 --generations 1 --run OUT.run \
         --out OUT.weights",
        "OUT.run OUT.weights",
    ),
    (
        "scrabble evolve --lexicon words.lex --study --population 3 --regret 4 --chunk 1 --generations 2 --run OUT.run \
         --out OUT.weights",
        "OUT.run OUT.weights",
    ),
    (
        "homeguard trees OUT 9 1 20 0 --per-map 3 --size 7",
        "OUT OUT.treeLAInds.iwonformat OUT.treeScores.iwonformat OUT.treeMinmaxes.iwonformat",
    ),
    (
        "homeguard lab -m 3-local -d --num-splits 2 --max-val 9 --sample-branches 8 --config-filename lab.json --out OUT",
        "OUT/results.json OUT/maps.txt OUT/models/t_0.bin OUT/models/t_1.bin",
    ),
];

#[test]
fn distributed_commands_write_the_same_files_as_local_ones() {
    let (cluster, port) = test_cluster();
    let letters = ["a", "e", "n", "s", "t"];
    let pairs = letters.iter().flat_map(|a| letters.iter().map(move |b| format!("{a}{b}")));
    let words: Vec<String> = pairs.flat_map(|pair| [pair.clone(), format!("{pair}e"), format!("t{pair}")]).collect();
    std::fs::write(cluster.folder.path().join("words.txt"), words.join("\n")).expect("written");
    std::fs::write(cluster.folder.path().join("lab.json"), LAB).expect("written");
    let succeed = |command: &mut Command| assert!(command.status().expect("it runs").success(), "{command:?}");
    succeed(&mut cluster.parlour(&["lexicon", "build", "words.txt", "--tiles", "en", "--out", "words.lex"]));
    let _nats = nats_server(port, cluster.folder.path());
    let (_serving, address) = cluster.serve();
    let _workers = [cluster.worker("first", &address), cluster.worker("second", &address)];
    for (number, (line, files)) in COMMANDS.into_iter().enumerate() {
        let named = |text: &str, place: &str| text.replace("OUT", &format!("{number}-{place}"));
        let command = |place: &str| cluster.parlour(&named(line, place).split_whitespace().collect::<Vec<_>>());
        succeed(&mut command("local"));
        succeed(command("spread").args(["--queue", &cluster.queue, "--store", &cluster.store]));
        for file in files.split_whitespace() {
            let (local, spread) = (cluster.read(&named(file, "local")), cluster.read(&named(file, "spread")));
            assert!(!local.is_empty() && local == spread, "{line}: {file} differs");
        }
    }
}

#[test]
fn killed_workers_and_a_killed_queue_change_nothing() {
    let (cluster, port) = test_cluster();
    assert!(cluster.games("local.bin").status().expect("it runs").success());

    let mut nats = nats_server(port, cluster.folder.path());
    let (_serving, address) = cluster.serve();
    let mut first = cluster.worker("first", &address);
    let _second = cluster.worker("second", &address);
    let spread = |cluster: &TestCluster| {
        let mut command = cluster.games("spread.bin");
        Running(command.args(["--queue", &cluster.queue, "--store", &cluster.store]).spawn().expect("it starts"))
    };
    let mut submitter = spread(&cluster);
    cluster.wait_for(3);
    first.kill();
    cluster.wait_for(6);
    nats.kill();
    nats = nats_server(port, cluster.folder.path());
    cluster.wait_for(10);
    submitter.kill();
    submitter = spread(&cluster);
    assert!(submitter.0.wait().expect("it ends").success());
    drop(nats);
    assert!(cluster.read("spread.bin") == cluster.read("local.bin"), "the games differ");
    let cached: Vec<PathBuf> = std::fs::read_dir(cluster.folder.path().join("cache"))
        .expect("workers keep files")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert_eq!(cached.len(), 1, "the weights, whole and once: {cached:?}");
    let answer = cluster.parlour(&["jobs", "list", "--json", "--store", &cluster.store]).output().expect("it runs");
    let run: serde_json::Value = serde_json::from_slice(&answer.stdout).expect("one run");
    assert_eq!((run["state"].as_str(), run["jobs"].as_u64(), run["done"].as_u64()), (Some("done"), Some(20), Some(20)));
}
