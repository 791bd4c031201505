//! Non-interference: what a viewer may not know changes nothing that reaches it, whichever way it comes.
//!
//! A pair is a state and a twin of it that differs in what one viewer may not know. Everything that the house hands
//! to that viewer is compared to the byte: view, history, outcome, drawing and who is to act in every pair; in every
//! tenth what it may do, how its attempts are refused and how notation is read; in every hundredth what services
//! answer and what a computer on its seat thinks.

use super::start;
use crate::{Budget, Control, Cost, Game, GameRng, Needs, Seat, ServiceCall, Table, Viewer};
use rand::{RngExt, SeedableRng};

/// Longest random game, in actions.
const MAX_PLIES: u32 = 300;
/// Every how many pairs a seat tries things too: listing all its actions may take long.
const ATTEMPTS_EVERY: usize = 10;
/// Every how many pairs services and computers are asked too: their answers follow from the view, which is compared
/// in every pair.
const TALK_EVERY: usize = 100;
/// What nobody's notation means.
const NONSENSE: [&str; 3] = ["", "no such thing", "\u{0}=\u{1f600}"];

/// Compares at least `pairs` pairs of a game that hides something; answers how many were compared.
pub fn pairs_look_alike<G: Game>(game: &G, settings: &[G::Settings], pairs: usize) -> usize {
    let mut compared: usize = 0;
    for seed in 0.. {
        for settings in settings {
            let before = compared;
            along_a_game(game, settings, seed, |table, rng, place| {
                for viewer in Viewer::all(usize::from(table.setup().seats)) {
                    let truth = table.state();
                    let twins =
                        game.indistinguishable_states(truth, viewer, rng).into_iter().filter(|twin| twin != truth);
                    for twin in twins.collect::<Vec<_>>() {
                        compare(game, (truth, &twin), viewer, (compared, rng.random()), place);
                        compared += 1;
                    }
                }
            });
            assert!(compared > before || seed < 50, "{}: no pairs with these settings", game.info().id);
        }
        if compared >= pairs {
            break;
        }
    }
    compared
}

/// Compares what two viewers see in at least `pairs` states of a game that hides nothing: everybody sees the same,
/// except the fields `own` of a view, which say who looks and follow from the seat and what everybody sees.
pub fn everybody_sees_the_same<G: Game>(game: &G, settings: &[G::Settings], own: &[&str], pairs: usize) -> usize {
    assert!(!game.info().hidden, "{} hides something", game.info().id);
    let seen = |state: &G::State, viewer| {
        let mut view = serde_json::to_value(game.view(state, viewer)).expect("views can be written");
        if let Some(fields) = view.as_object_mut() {
            fields.retain(|name, _| !own.contains(&name.as_str()));
        }
        (view, game.history(state, viewer), game.outcome(state))
    };
    let mut compared = 0;
    for seed in 0.. {
        for settings in settings {
            along_a_game(game, settings, seed, |table, rng, place| {
                let state = table.state();
                let public = seen(state, Viewer::Spectator);
                for viewer in Viewer::all(usize::from(table.setup().seats)) {
                    assert!(
                        game.indistinguishable_states(state, viewer, rng).is_empty(),
                        "{place}: twins where nothing is hidden"
                    );
                    if viewer != Viewer::Spectator {
                        assert_eq!(public, seen(state, viewer), "{place}: {viewer:?} sees something else");
                        compared += 1;
                    }
                }
            });
        }
        if compared >= pairs {
            break;
        }
    }
    compared
}

/// Plays a random game and shows every moment of it.
fn along_a_game<G: Game>(
    game: &G,
    settings: &G::Settings,
    seed: u64,
    mut look: impl FnMut(&Table<G>, &mut GameRng, &str),
) {
    let mut rng = GameRng::seed_from_u64(seed ^ 0x5ec2_e75e);
    let mut table = start(game, settings, seed);
    loop {
        let place = format!("{} seed {seed} ply {}", game.info().id, table.ply());
        look(&table, &mut rng, &place);
        if table.is_over(game) || table.ply() >= MAX_PLIES {
            return;
        }
        let seat = super::pick(table.to_act(game), &mut rng);
        let action = game.random_action(table.state(), seat, &mut rng).expect("whoever may act has an action");
        table.apply(game, &crate::Event::Action { seat, action }).expect("a random action is legal");
    }
}

fn compare<G: Game>(
    game: &G,
    (truth, twin): (&G::State, &G::State),
    viewer: Viewer,
    (number, seed): (usize, u64),
    place: &str,
) {
    // what services and computers get is the view itself, with fields that are never written
    assert!(game.view(truth, viewer) == game.view(twin, viewer), "{place}: {viewer:?} gets another view");
    assert_eq!(shown(game, truth, viewer), shown(game, twin, viewer), "{place}: {viewer:?} is shown something else");
    assert_eq!(game.to_act(truth), game.to_act(twin), "{place}: others are to act");
    if let Some(seat) = viewer.seat().filter(|_| number.is_multiple_of(ATTEMPTS_EVERY)) {
        let attempts = |state: &G::State| attempts(game, (truth, state), seat, seed);
        assert_eq!(attempts(truth), attempts(twin), "{place}: {viewer:?} is answered otherwise");
    }
    if number.is_multiple_of(TALK_EVERY) {
        let told = |state: &G::State| told(game, state, viewer, seed);
        assert_eq!(told(truth), told(twin), "{place}: {viewer:?} is told something else");
    }
}

/// What is drawn on the page and in the terminal, and written into files.
fn shown<G: Game>(game: &G, state: &G::State, viewer: Viewer) -> String {
    let view = game.view(state, viewer);
    let everything = (&view, game.history(state, viewer), game.outcome(state), game.render_text(&view));
    serde_json::to_string(&everything).expect("views can be written")
}

/// What a seat may do, and how it is refused what it may not; the attempts come from the truth, whoever is asked.
fn attempts<G: Game>(game: &G, (truth, asked): (&G::State, &G::State), seat: Seat, seed: u64) -> Vec<String> {
    let mut rng = GameRng::seed_from_u64(seed);
    let mut answers = vec![format!("{:?}", game.legal_actions(asked, seat))];
    for text in NONSENSE {
        answers.push(format!("{:?}", game.read_action(asked, seat, text)));
    }
    // whatever somebody may do now, tried by this seat
    for actor in game.to_act(truth).iter() {
        let Some(action) = game.random_action(truth, actor, &mut rng) else { continue };
        let text = game.write_action(truth, actor, &action);
        answers.push(format!("{:?}", game.read_action(asked, seat, &text)));
        answers.push(format!("{:?}", game.apply(&mut asked.clone(), seat, &action)));
    }
    answers
}

/// What quick services answer, and what the weakest computer on this seat does and thinks.
fn told<G: Game>(game: &G, state: &G::State, viewer: Viewer, seed: u64) -> Vec<String> {
    let view = game.view(state, viewer);
    let control = Control::new();
    let mut answers = Vec::new();
    for service in game.services().iter().filter(|service| service.needs == Needs::View && service.cost == Cost::Light)
    {
        let call = ServiceCall { view: Some(&view), viewer, control: &control, seed };
        answers.push(format!("{}: {:?}", service.name, service.call(game, service.example.clone(), call)));
    }
    if let Some(seat) = viewer.seat().filter(|&seat| game.to_act(state).contains(seat)) {
        let level = game.levels().remove(0);
        let mut bot = game.bot(&level.id).expect("a listed level has a player");
        let choice = bot.choose(game, seat, &view, Budget::Nodes(50), seed, &control);
        answers.push(match choice {
            Ok(choice) => format!("{:?} {:?}", choice.action, choice.thought),
            Err(error) => format!("{error:?}"),
        });
    }
    answers
}
