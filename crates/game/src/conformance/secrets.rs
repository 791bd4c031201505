//! Non-interference (Goguen & Meseguer 1982): hidden information changes nothing that reaches a viewer.
//!
//! A pair is a state and an alternative that differs only in what one viewer may not know. Everything that the viewer
//! receives is compared byte for byte: view, history, outcome, text and the seats to act in every pair; legal actions,
//! refusals and parsed notation in every tenth; answers of services and decisions of a bot in every hundredth.

use super::start;
use crate::{Budget, Control, Cost, Game, GameRng, Needs, Seat, ServiceCall, Table, Viewer};
use rand::{RngExt, SeedableRng};

/// Maximum length of a random game in actions.
const MAX_PLIES: u32 = 300;
/// Attempted actions are compared in every so many pairs: enumerating legal actions may be slow.
const ATTEMPTS_EVERY: usize = 10;
/// Services and bots are called in every so many pairs: their answers follow from the view, which is compared in
/// every pair.
const TALK_EVERY: usize = 100;
/// Texts that are valid in no game's notation.
const NONSENSE: [&str; 3] = ["", "no such thing", "\u{0}=\u{1f600}"];

/// Compares at least `pairs` pairs of a game with hidden information. Returns the number of compared pairs.
pub fn pairs_look_alike<G: Game>(game: &G, settings: &[G::Settings], pairs: usize) -> usize {
    let mut compared: usize = 0;
    for seed in 0.. {
        for settings in settings {
            let before = compared;
            along_a_game(game, settings, seed, |table, rng, place| {
                for viewer in Viewer::all(usize::from(table.setup().seats)) {
                    let truth = table.state();
                    let alternatives = game
                        .indistinguishable_states(truth, viewer, rng)
                        .into_iter()
                        .filter(|alternative| alternative != truth);
                    for alternative in alternatives.collect::<Vec<_>>() {
                        compare(game, (truth, &alternative), viewer, (compared, rng.random()), place);
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

/// Compares the views of two viewers in at least `pairs` states of a game without hidden information. They are equal
/// except for the fields `own`, which depend on the viewer's seat and public information only.
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
                        "{place}: indistinguishable states without hidden information"
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

/// Plays a random game and calls `look` in every position.
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
    (truth, alternative): (&G::State, &G::State),
    viewer: Viewer,
    (number, seed): (usize, u64),
    place: &str,
) {
    // services and bots get the view itself, with fields that are never serialised
    assert!(game.view(truth, viewer) == game.view(alternative, viewer), "{place}: {viewer:?} gets another view");
    assert_eq!(
        shown(game, truth, viewer),
        shown(game, alternative, viewer),
        "{place}: {viewer:?} is shown something else"
    );
    assert_eq!(game.to_act(truth), game.to_act(alternative), "{place}: others are to act");
    if let Some(seat) = viewer.seat().filter(|_| number.is_multiple_of(ATTEMPTS_EVERY)) {
        let attempts = |state: &G::State| attempts(game, (truth, state), seat, seed);
        assert_eq!(attempts(truth), attempts(alternative), "{place}: {viewer:?} is answered otherwise");
    }
    if number.is_multiple_of(TALK_EVERY) {
        let told = |state: &G::State| told(game, state, viewer, seed);
        assert_eq!(told(truth), told(alternative), "{place}: {viewer:?} is told something else");
    }
}

/// What the page, the terminal and files show.
fn shown<G: Game>(game: &G, state: &G::State, viewer: Viewer) -> String {
    let view = game.view(state, viewer);
    let everything = (&view, game.history(state, viewer), game.outcome(state), game.render_text(&view));
    serde_json::to_string(&everything).expect("views can be written")
}

/// Legal actions of a seat and refusals of others. The attempted actions always come from the true state.
fn attempts<G: Game>(game: &G, (truth, asked): (&G::State, &G::State), seat: Seat, seed: u64) -> Vec<String> {
    let mut rng = GameRng::seed_from_u64(seed);
    let mut answers = vec![format!("{:?}", game.legal_actions(asked, seat))];
    for text in NONSENSE {
        answers.push(format!("{:?}", game.read_action(asked, seat, text)));
    }
    // every legal action of the seats to act, attempted by this seat
    for actor in game.to_act(truth).iter() {
        let Some(action) = game.random_action(truth, actor, &mut rng) else { continue };
        let text = game.write_action(truth, actor, &action);
        answers.push(format!("{:?}", game.read_action(asked, seat, &text)));
        answers.push(format!("{:?}", game.apply(&mut asked.clone(), seat, &action)));
    }
    answers
}

/// Answers of the light services, and the decision of the weakest bot on this seat.
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
