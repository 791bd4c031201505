//! The table on a small lexicon: conformance, challenges, endings, bots, services.

#[path = "common/tiny.rs"]
mod tiny;

use game::conformance::secrets::pairs_look_alike;
use game::conformance::{Effort, check, golden, playthrough};
use game::{Budget, Control, Game, Seat, Seed, ServiceCall, Setup, Viewer};
use scrabble::engine::analysis::{AnalysisOptions, ReportedTurn, report_game};
use scrabble::engine::{PositionalModel, positional_features};
use scrabble::formats::gcg::Gcg;
use scrabble::table::{Action, Challenge, Scrabble, Settings};
use scrabble::{Layout, TileBoard};
use tiny::{WORDS, game_with, language};

fn game() -> Scrabble {
    game_with(PositionalModel::default())
}

fn settings(challenge: Challenge) -> Settings {
    Settings { challenge, ..Settings::default() }
}

fn start(game: &Scrabble, settings: Settings, seed: u64) -> <Scrabble as Game>::State {
    game.start(&Setup { rules_version: 1, settings, seats: 2, seed: Seed(seed) }).unwrap()
}

#[test]
fn ten_thousand_pairs_with_other_racks_and_bags_look_the_same_to_those_who_may_not_know() {
    let all = [settings(Challenge::Void), settings(Challenge::Double)];
    assert!(pairs_look_alike(&game(), &all, 10_000) >= 10_000);
}

#[test]
fn the_kit_passes() {
    let all = [
        settings(Challenge::Void),
        settings(Challenge::Double),
        Settings { board: "super".into(), ..settings(Challenge::Single) },
    ];
    check(&game(), &all, Effort { games: 3, max_plies: 120, stride: 9 });
}

#[test]
fn playthroughs_are_as_reviewed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/playthroughs");
    let cases = [("void", settings(Challenge::Void)), ("double", settings(Challenge::Double))];
    for (name, settings) in cases {
        golden::assert_file(format!("{folder}/scrabble-{name}.txt"), &playthrough(&game(), &settings, 5, 14));
    }
}

#[test]
fn a_phony_is_refused_or_can_be_challenged() {
    let game = game();
    for seed in 0..40 {
        let mut state = start(&game, settings(Challenge::Double), seed);
        let first = game.to_act(&state).iter().next().unwrap();
        let view = game.view(&state, Viewer::Seat(first));
        let rack: Vec<String> = view.rack.unwrap().into_iter().filter(|t| t != "?").collect();
        let word: String = rack.iter().take(5).cloned().collect();
        if WORDS.split(' ').any(|w| w.eq_ignore_ascii_case(&word)) || rack.len() < 5 {
            continue;
        }
        let play = Action::Play { at: "8F".into(), word: word.clone() };
        let mut strict = start(&game, settings(Challenge::Void), seed);
        let refused = game.apply(&mut strict, first, &play).unwrap_err();
        assert_eq!(refused.code, "scrabble.not_a_word");
        game.apply(&mut state, first, &play).unwrap();
        let second = game.to_act(&state).iter().next().unwrap();
        assert_ne!(first, second);
        let view = game.view(&state, Viewer::Seat(second));
        let mut bot = game.bot("club").unwrap();
        let choice = bot.choose(&game, second, &view, Budget::Nodes(100), 1, &Control::new()).unwrap();
        assert_eq!(choice.action, Action::Challenge, "{word} is not a word");
        game.apply(&mut state, second, &Action::Challenge).unwrap();
        let view = game.view(&state, Viewer::Seat(first));
        assert_eq!(view.scores, [0, 0]);
        assert!(view.tiles.iter().all(Option::is_none));
        assert!(view.history[0].undone);
        assert_eq!(game.to_act(&state).iter().next(), Some(second), "the challenger then takes its own turn");
    }
}

#[test]
fn two_rounds_of_passes_end_the_game() {
    let game = game();
    let mut state = start(&game, Settings::default(), 3);
    for _ in 0..4 {
        let seat = game.to_act(&state).iter().next().unwrap();
        game.apply(&mut state, seat, &Action::Pass).unwrap();
    }
    let outcome = game.outcome(&state).unwrap();
    assert_eq!(outcome.reason, "passes");
    assert!(outcome.scores.iter().all(|&s| s <= 0), "everybody loses what is left");
}

#[test]
fn every_level_plays_a_legal_game_and_the_report_follows_it() {
    let game = game();
    for level in game.levels() {
        let mut state = start(&game, Settings::default(), 11);
        let mut bot = game.bot(&level.id).unwrap();
        let mut turns = 0;
        while let Some(seat) = game.to_act(&state).iter().next() {
            let view = game.view(&state, Viewer::Seat(seat));
            let choice = bot.choose(&game, seat, &view, Budget::Nodes(40), turns, &Control::new()).unwrap();
            game.apply(&mut state, seat, &choice.action)
                .unwrap_or_else(|e| panic!("{}: {:?}: {e}", level.id, choice.action));
            turns += 1;
            assert!(turns < 200, "{} does not come to an end", level.id);
        }
        let view = game.view(&state, Viewer::Spectator);
        let services = game.services();
        let report = services.iter().find(|s| s.name == "report").unwrap();
        let control = Control::new();
        let call = || ServiceCall { view: Some(&view), viewer: Viewer::Spectator, control: &control, seed: 1 };
        let answer = report.call(&game, serde_json::json!({}), call()).unwrap();
        let export = services.iter().find(|s| s.name == "export").unwrap();
        let file = export.call(&game, serde_json::json!({ "format": "gcg" }), call()).unwrap();
        let record = Gcg::parse(file["text"].as_str().unwrap().as_bytes()).unwrap();
        assert_eq!(record.turns().len(), answer["turns"].as_array().unwrap().len());
        let page = export.call(&game, serde_json::json!({ "format": "html", "players": ["<Anna>"] }), call()).unwrap();
        assert!(page["text"].as_str().unwrap().contains("&lt;Anna&gt;"));
        assert!(answer["summary"].as_str().unwrap().len() > 20);
    }
}

#[test]
fn strong_levels_hints_and_analysis_use_the_positional_model() {
    // an exchange has one feature, that no tile was laid: a weight of a thousand outweighs all else
    let layout = Layout::named("standard").unwrap();
    let exchanged = positional_features(&TileBoard::new(&layout), &layout, None, 0.0, 86);
    let swayed = game_with(PositionalModel(exchanged.map(|feature| 1000.0 * feature)));
    for (game, wanted) in [(game(), "play"), (swayed, "exchange")] {
        let state = start(&game, Settings::default(), 11);
        let seat = game.to_act(&state).iter().next().unwrap();
        let view = game.view(&state, Viewer::Seat(seat));
        for level in ["expert", "master"] {
            let mut bot = game.bot(level).unwrap();
            let choice = bot.choose(&game, seat, &view, Budget::Nodes(60), 1, &Control::new()).unwrap();
            let kind = if matches!(choice.action, Action::Exchange { .. }) { "exchange" } else { "play" };
            assert_eq!(kind, wanted, "{level}: {:?}", choice.action);
        }
        let ask = |name: &str, request: serde_json::Value| {
            let call = ServiceCall { view: Some(&view), viewer: Viewer::Seat(seat), control: &Control::new(), seed: 1 };
            game.services().into_iter().find(|s| s.name == name).unwrap().call(&game, request, call).unwrap()
        };
        let hint = ask("hint", serde_json::json!({ "depth": 3 }));
        assert_eq!(hint["instead"].as_str().unwrap_or("play"), wanted);
        let analysis = ask("analyse", serde_json::json!({ "n": 5, "ms": 0 }));
        assert_eq!(analysis["moves"][0]["word"].is_null(), wanted == "exchange", "{analysis}");
    }
}

#[test]
fn a_report_judges_the_move_made_as_it_judges_the_others() {
    let layout = Layout::named("standard").unwrap();
    let exchanged = positional_features(&TileBoard::new(&layout), &layout, None, 0.0, 86);
    for (weight, wanted) in [(0.0, "play"), (1.0, "play"), (1000.0, "exchange")] {
        let language = language("en", &PositionalModel(exchanged.map(|feature| weight * feature))).unwrap();
        let look = |kind: &str, at: Option<&str>, word: &str, score: i32| {
            let (at, word, rack) = (at.map(str::to_owned), Some(word.to_owned()), Some("QVVCCJI".to_owned()));
            let kind = kind.to_owned();
            let turn = ReportedTurn { seat: 0, kind, at, word, rack, score, total: score, undone: false };
            report_game(
                &language,
                &layout,
                vec!["Anna".into(), "Ben".into()],
                &[turn],
                &[score, 0],
                AnalysisOptions::default(),
            )
            .turns
            .remove(0)
        };
        let best = look("pass", None, "", 0).best.remove(0);
        let (first, word) = best.text.split_once(' ').unwrap();
        let made = match first {
            "exchange" => look("exchange", None, word, 0),
            at => look("play", Some(at), word, best.score),
        };
        assert_eq!(made.kind, wanted);
        assert_eq!((made.equity, made.loss), (Some(best.value), Some(0.0)), "{best:?}");
    }
}

#[test]
fn services_answer_their_examples() {
    let game = game();
    let state = start(&game, Settings::default(), 2);
    let seat = game.to_act(&state).iter().next().unwrap();
    let view = game.view(&state, Viewer::Seat(seat));
    for service in game.services() {
        let call = ServiceCall { view: Some(&view), viewer: Viewer::Seat(seat), control: &Control::new(), seed: 1 };
        let mut example = service.example.clone();
        if service.name == "analyse" {
            example["ms"] = 30.into();
        }
        service.call(&game, example, call).unwrap_or_else(|e| panic!("{}: {e}", service.name));
    }
    let best = game.services().into_iter().find(|s| s.name == "hint").unwrap();
    let call = ServiceCall { view: Some(&view), viewer: Viewer::Seat(seat), control: &Control::new(), seed: 1 };
    let hint = best.call(&game, serde_json::json!({ "depth": 3 }), call).unwrap();
    if let (Some(at), Some(word)) = (hint["at"].as_str(), hint["word"].as_str()) {
        let mut next = state.clone();
        game.apply(&mut next, seat, &Action::Play { at: at.into(), word: word.into() }).unwrap();
        assert_eq!(
            i64::from(game.view(&next, Viewer::Seat(Seat(seat.0))).scores[seat.index()]),
            hint["score"].as_i64().unwrap()
        );
    }
}
