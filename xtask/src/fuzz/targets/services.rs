//! The server's inputs: settings, actions and services of every game as the API passes them on, jobs of the queue,
//! messages of workers, and a whole server over real connections.

use super::super::FuzzFn;
use super::{FuzzTarget, target, text, texts, told};
use catalog::{Catalog, ErasedGame, ServiceRequest};
use game::{Seat, Seed, Setup, Viewer};
use lab::job_submitter::{Programs, registry};
use serde_json::Value;
use std::sync::Arc;

/// A game with its data files.
fn game(id: &str) -> Option<Arc<dyn ErasedGame>> {
    let catalog = Catalog::load(Some(&crate::root().join("data")));
    catalog.games().iter().find(|game| game.info().id == id).cloned()
}

/// Its own settings with as few seats as they allow.
fn setup(game: &dyn ErasedGame) -> Setup<Value> {
    let info = game.info();
    let with =
        |seats| Setup { rules_version: info.rules_version, settings: game.default_settings(), seats, seed: Seed(1) };
    (info.min_seats..info.max_seats)
        .map(with)
        .find(|setup| game.open(setup, &[]).is_ok())
        .unwrap_or(with(info.max_seats))
}

/// Good requests: settings, an action, an action as people type it, every service with its example.
fn requests(id: &str) -> Vec<Vec<u8>> {
    let game = game(id).expect("every game is in the catalog");
    let mut inputs = vec![format!("settings\n{}", game.default_settings())];
    if let Ok(table) = game.open(&setup(&*game), &[]) {
        for seed in 0..3 {
            let seat = table.to_act().iter().next().unwrap_or(Seat(0));
            inputs.extend(table.random_action(seat, seed).map(|action| format!("action\n{action}")));
        }
        let typed = table.legal(Seat(0), 500).unwrap_or_default();
        inputs.extend(typed.iter().take(3).map(|action| format!("text\n{}", action.text)));
    }
    inputs.extend(game.services().iter().map(|service| format!("{}\n{}", service.name, service.example)));
    inputs.into_iter().map(String::into_bytes).collect()
}

/// What a game does with a request. Services are cancelled before they begin: only reading counts here.
fn at_table(id: &str) -> FuzzFn {
    let game = game(id).expect("every game is in the catalog");
    let start = setup(&*game);
    let Ok(table) = game.open(&start, &[]) else { panic!("no table of {id} with its own settings") };
    let view = table.view_for(Viewer::Seat(Seat(0)));
    Box::new(move |bytes| {
        let words = text(bytes);
        let (what, body) = words.split_once('\n').unwrap_or(("settings", &words));
        if what == "text" {
            return told(table.read_action(Seat(0), body), |_| 1);
        }
        let value: Value = match serde_json::from_str(body) {
            Ok(value) => value,
            Err(error) => return error.to_string(),
        };
        match what {
            "settings" => told(game.settings(&value), |_| 1),
            "action" => told(table.canonical(&value), |_| 1),
            name => {
                let control = game::Control::new();
                control.stop();
                let request =
                    ServiceRequest { name, body: value, view: Some(&view), viewer: Viewer::Seat(Seat(0)), seed: 1 };
                format!("{name}: {}", told(game.call(request, &control), |_| 1))
            }
        }
    })
}

/// One job of every kind as a worker reads it, cancelled before it begins.
fn jobs_of_all_kinds() -> FuzzFn {
    let registry = registry(Programs::Refused);
    let kinds: Vec<&'static str> = registry.kinds().collect();
    let folder = std::env::temp_dir();
    let file = folder.join("parlour-fuzz-artifact");
    Box::new(move |bytes| {
        let [kind, rest @ ..] = bytes else { return "nothing".to_owned() };
        let kind = kinds[usize::from(*kind) % kinds.len()];
        let (params, content) = rest.split_at(rest.len() / 2);
        if let Err(error) = std::fs::write(&file, content) {
            return error.to_string();
        }
        let control = jobs::TaskControl::new();
        control.cancel();
        let artifacts = [file.clone(), file.clone()];
        let task = jobs::Task { params, seeds: 0..1, artifacts: &artifacts, control: &control };
        let work = (0..9).find_map(|version| registry.find(kind, version).ok()).expect("a kind has a version");
        format!("{kind}: {}", told(work.run(&task), Vec::len))
    })
}

fn job() -> Vec<u8> {
    let job = jobs::Job {
        program: "parlour".to_owned(),
        kind: "gomoku.selfplay".to_owned(),
        version: 1,
        params: vec![1, 2, 3],
        seeds: 0..10,
        artifacts: vec![jobs::Hash::of(b"file")],
    };
    postcard::to_stdvec(&job).expect("plain data has a form")
}

/// A small backup, sound except for its sum.
const BACKUP: &str = "{\"parlour-backup\":1,\"schema\":4}\n\
    {\"table\":\"rated\",\"columns\":[{\"name\":\"at_ms\",\"kind\":\"integer\"},{\"name\":\"game_id\",\"kind\":\"text\"}]}\n\
    [1,\"a\"]\n\
    {\"table\":\"results\",\"columns\":[{\"name\":\"bytes\",\"kind\":\"bytes\"},{\"name\":\"share\",\"kind\":\"real\"}]}\n\
    [\"AAEC\",0.5]\n[null,null]\n{\"rows\":3,\"sha256\":\"00\"}\n";

/// A target for the table of one game.
macro_rules! table {
    ($name:literal, $id:literal) => {
        FuzzTarget {
            name: $name,
            about: "settings, actions and services, as bodies of the API and messages of sockets bring them",
            seeds: || requests($id),
            reader: || at_table($id),
        }
    };
}

pub fn targets() -> Vec<FuzzTarget> {
    vec![
        table!("table.gomoku", "gomoku"),
        table!("table.scrabble", "scrabble"),
        table!("table.codenames", "codenames"),
        table!("table.crossword", "crossword"),
        table!("table.homeguard", "homeguard"),
        target!("jobs.job", "jobs as they travel", vec![job()], |bytes| {
            match postcard::from_bytes::<jobs::Job>(bytes) {
                Ok(job) => {
                    format!("read {} bytes of parameters, id {}", job.params.len().min(3), job.id().short().len())
                }
                Err(error) => error.to_string(),
            }
        }),
        target!("jobs.messages", "messages between submitter and workers", jobs::nats::examples(), |bytes| {
            jobs::nats::describe(bytes)
        }),
        FuzzTarget {
            name: "jobs.work",
            about: "parameters and files of jobs of every kind",
            seeds: || (0..16).map(|kind| [&[kind][..], &job(), &[0; 40]].concat()).collect(),
            reader: jobs_of_all_kinds,
        },
        target!(
            "jobs.artifact",
            "hashes of files in addresses",
            vec![jobs::Hash::of(b"file").to_string().into_bytes()],
            |bytes| jobs::Hash::parse(&text(bytes)).map_or("refused".to_owned(), |_| "read".to_owned())
        ),
        target!("store.backup", "backups of a store", texts(&[BACKUP]), |bytes| {
            told(store::backup::check(bytes), |contents| contents.rows as usize)
        }),
        super::server::requests(),
        super::server::socket(),
    ]
}
