//! Scrabble, crosswords, Homeguard and Gomoku over real connections: with other hidden data at the same table, every
//! byte that reaches those who may not know it is the same, and so is every line of the log. Codenames is in `keys`.

#[path = "../../../crossword/tests/common/mod.rs"]
pub mod puzzle;
#[path = "../../../scrabble/tests/common/tiny.rs"]
pub mod tiny;

use crate::common::{Occupant, StoredTable, TABLE, TestServer};
use crate::indistinguishable::Indistinguishable;
use crate::logs::Caught;
use crate::viewpoint::{Probes, Viewpoint, assert_same, received};
use catalog::Catalog;
use game::{Cost, Game, Seat, Seed, Setup, Viewer};
use serde_json::{Value, json};
use server::Rate;
use std::sync::Arc;
use store::Secret;

/// Scrabble on the tiny lexicon.
pub fn tiny_scrabble() -> scrabble::table::Scrabble {
    tiny::game_with(scrabble::engine::PositionalModel::default())
}

/// A game, what differs at its two tables, and what is played there.
struct Scenario<'a> {
    game: &'a str,
    /// The settings of the one table and of the other.
    settings: [Value; 2],
    seats: u8,
    /// Which seat looks on besides spectators.
    viewer: Seat,
    /// Who does what at the one table and at the other, in order, in the game's notation; a number is the legal action
    /// of that number, `resign` gives up.
    play: Vec<(u8, [&'static str; 2])>,
    formats: &'static [&'static str],
}

/// What everybody was received, and the log.
async fn scenario(
    scenario: &Scenario<'_>,
    catalog: Catalog,
    seeds: [u64; 2],
    which: usize,
) -> (Vec<Vec<String>>, String) {
    let seed = seeds[which];
    let (caught, _guard) = Caught::begin();
    let secrets: Vec<Secret> = (0..scenario.seats).map(|_| Secret::generate()).collect();
    let names = ["ada", "bob", "cyd", "dan"];
    let seats: Vec<Occupant<'_>> =
        secrets.iter().zip(names).map(|(secret, name)| Occupant::Person(name, Some(secret))).collect();
    let mut host = TestServer::closed();
    let often = Rate { per_second: 1_000_000, burst: 1_000_000 };
    let limits = &mut host.config.limits;
    (limits.per_caller, limits.per_address, limits.per_socket) = (often, often, often);
    let terms = json!({ "size": scenario.seats });
    let settings = scenario.settings[which].clone();
    host.store_table(StoredTable { game: scenario.game, settings, terms, seed, seats: &seats }).await;
    let (guest, cookie) = (names[scenario.viewer.index()], Secret::generate());
    host.store_guest(guest, &cookie).await;
    // heavy services search against the clock: what they answer follows from the view, which is compared
    let curious = catalog.game(scenario.game).expect("it is listed");
    let light = |service: &catalog::ServiceInfo| service.cost == Cost::Light || service.name == "export";
    let probes_of = Probes { formats: scenario.formats, ..Probes::about(&**curious, light) };
    host.start(catalog).await;
    let mut viewpoints = Vec::new();
    let own = host.stranger().holding(&secrets[scenario.viewer.index()]).with_guest(&cookie);
    viewpoints.push(Viewpoint::of_guest(own).await);
    for client in [host.guest().await, host.stranger()] {
        viewpoints.push(Viewpoint::new(client).await);
    }
    for viewpoint in &mut viewpoints {
        viewpoint.receive(0).await;
        viewpoint.probe_everything(&probes_of).await;
    }
    for (ply, (seat, texts)) in (1..).zip(&scenario.play) {
        let actor = host.stranger().holding(&secrets[usize::from(*seat)]);
        if texts[which] == "resign" {
            assert_eq!(actor.post(&format!("/tables/{TABLE}/resign"), json!({})).await.status, 200);
            for viewpoint in &mut viewpoints {
                viewpoint.receive_end().await;
                viewpoint.probe_everything(&probes_of).await;
            }
            continue;
        }
        let mut act = json!({ "text": texts[which] });
        if let Ok(number) = texts[which].parse::<usize>() {
            act = json!({ "action": actor.see(TABLE).await["legal"][number]["action"] });
        }
        let answer = actor.post(&format!("/tables/{TABLE}/actions"), act).await;
        assert_eq!(answer.status, 200, "{}", received(&answer));
        for viewpoint in &mut viewpoints {
            viewpoint.receive(ply).await;
            viewpoint.received.push(received(&answer));
            viewpoint.probe_everything(&probes_of).await;
        }
    }
    host.stop().await;
    (viewpoints.into_iter().map(|viewpoint| viewpoint.received).collect(), untimed(&caught.text()))
}

/// The log without how long things took and which port they came from.
fn untimed(log: &str) -> String {
    let line = |line: &str| {
        let mut value: Value = serde_json::from_str(line).expect("a log line is JSON");
        if let Some(fields) = value["fields"].as_object_mut() {
            fields.remove("ms");
        }
        value.to_string()
    };
    // tasks of several connections take turns as they come: the order of lines is not the table's
    let mut lines: Vec<String> = log.lines().map(line).collect();
    lines.sort_unstable();
    lines.join("\n")
}

fn indistinguishable<G: Game>(inner: G, viewer: Seat) -> Catalog {
    let seats = inner.seats(&G::Settings::default()).expect("the default settings are good").min;
    Indistinguishable::new(inner, Viewer::Seat(viewer), seats, Arc::default()).catalog()
}

async fn compare(scenario_of: &Scenario<'_>, catalog: impl Fn() -> Catalog, seeds: [u64; 2]) {
    let (first, log) = scenario(scenario_of, catalog(), seeds, 0).await;
    let (second, other_log) = scenario(scenario_of, catalog(), seeds, 1).await;
    assert!(first.iter().all(|received| received.len() > 40), "{:?}", first.iter().map(Vec::len).collect::<Vec<_>>());
    assert!(log.lines().count() > 100, "the log is not caught: {log}");
    assert_same(&first, &second);
    assert_eq!(log, other_log, "{}: the log differs", scenario_of.game);
}

/// What a seat sees at the start.
fn seen(catalog: &Catalog, scenario: &Scenario<'_>, seed: u64, viewer: Viewer) -> Value {
    let game = catalog.game(scenario.game).expect("it is listed");
    let (settings, _) = game.settings(&scenario.settings[0]).expect("good settings");
    let setup = Setup { rules_version: game.info().rules_version, settings, seats: scenario.seats, seed: Seed(seed) };
    game.open(&setup, &[]).expect("it starts").view(viewer)
}

#[tokio::test]
async fn other_racks_change_no_byte_of_what_others_receive() {
    let pass = ["pass"; 2];
    for (viewer, seeds) in [(Seat(0), [1, 2]), (Seat(1), [3, 4])] {
        let scenario = Scenario {
            game: "scrabble",
            settings: [json!({}), json!({})],
            seats: 2,
            viewer,
            play: vec![(0, pass), (1, pass), (0, pass)],
            formats: &["gcg", "cgp", "no"],
        };
        let game = || indistinguishable(tiny_scrabble(), viewer);
        let rack = |seed| seen(&game(), &scenario, seed, Viewer::Seat(Seat(1 - viewer.0)))["rack"].clone();
        assert!(!rack(seeds[0]).is_null() && rack(seeds[0]) != rack(seeds[1]), "the racks differ: {}", rack(seeds[0]));
        compare(&scenario, game, seeds).await;
    }
}

/// The small puzzle with another word in its first row.
fn another_solution() -> String {
    let one = puzzle::small(true);
    let other = one.replacen("\"A\"", "\"O\"", 1);
    assert_ne!(one, other, "the solution is in the file: {one}");
    other
}

#[tokio::test]
async fn another_solution_changes_no_byte_of_what_solvers_receive() {
    let scenario = Scenario {
        game: "crossword",
        settings: [puzzle::small(true), another_solution()].map(|file| json!({ "file": file })),
        seats: 1,
        viewer: Seat(0),
        play: vec![(0, ["1=X"; 2]), (0, ["1="; 2])],
        formats: &["ipuz", "no"],
    };
    for seeds in [[1, 2], [5, 9]] {
        compare(&scenario, || indistinguishable(puzzle::game(), Seat(0)), seeds).await;
    }
}

#[tokio::test]
async fn orders_that_are_not_carried_out_yet_show_nowhere() {
    let scenario = Scenario {
        game: "homeguard",
        settings: [json!({}), json!({})],
        seats: 2,
        viewer: Seat(1),
        play: vec![(0, ["0", "3"])],
        formats: &["no"],
    };
    compare(&scenario, || indistinguishable(homeguard::Homeguard::new(), Seat(1)), [1, 1]).await;
}

/// Somebody gives up, which an agreed undo takes back: until then nobody is received the seed or what the computer meant.
#[tokio::test]
async fn a_game_that_was_given_up_keeps_its_seed() {
    let scenario = Scenario {
        game: "homeguard",
        settings: [json!({}), json!({})],
        seats: 2,
        viewer: Seat(1),
        play: vec![(0, ["0", "3"]), (0, ["resign"; 2])],
        formats: &["no"],
    };
    compare(&scenario, || indistinguishable(homeguard::Homeguard::new(), Seat(1)), [1, 2]).await;
}

/// Gomoku hides nothing: the seed decides nothing, spectators and seats are shown the same position.
#[tokio::test]
async fn gomoku_has_nothing_to_hide() {
    let scenario = Scenario {
        game: "gomoku",
        settings: [json!({}), json!({})],
        seats: 2,
        viewer: Seat(0),
        play: vec![(0, ["h8"; 2]), (1, ["i9"; 2])],
        formats: &["no"],
    };
    let catalog = || indistinguishable(gomoku::Gomoku::new(), Seat(0));
    let views = [Viewer::Spectator, Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1))];
    let views = views.map(|viewer| {
        let mut view = seen(&catalog(), &scenario, 1, viewer);
        // follows from the seat and from who has black
        view.as_object_mut().expect("an object").remove("my_color");
        view
    });
    assert!(views[0] == views[1] && views[1] == views[2]);
    compare(&scenario, catalog, [1, 2]).await;
}

#[tokio::test]
async fn a_difference_that_one_may_know_is_noticed() {
    let scenario_of = |viewer| Scenario {
        game: "scrabble",
        settings: [json!({}), json!({})],
        seats: 2,
        viewer,
        play: vec![(0, ["pass"; 2])],
        formats: &["gcg"],
    };
    // the racks of seat 1 differ, and seat 1 looks
    let game = || indistinguishable(tiny_scrabble(), Seat(0));
    let (first, _) = scenario(&scenario_of(Seat(1)), game(), [1, 2], 0).await;
    let (second, _) = scenario(&scenario_of(Seat(1)), game(), [1, 2], 1).await;
    assert_ne!(first[0], second[0], "one's own rack is no secret: the comparison is not blind");
    assert_eq!(first[1..], second[1..], "to spectators it is");
}
