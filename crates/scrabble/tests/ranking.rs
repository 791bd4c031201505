//! One ranking: `rank_moves`, hints, the expert level, the position service and reports agree on the best move.

#[path = "common/tiny.rs"]
mod tiny;

use game::{Budget, Control, Game, Seat, Seed, ServiceCall, Setup, Viewer};
use rand::RngExt;
use scrabble::engine::analysis::{AnalysisOptions, ReportedTurn, report_game};
use scrabble::engine::simulation::KnownPosition;
use scrabble::engine::{MoveSort, OnePlyPlayer, PositionalModel, rank_moves};
use scrabble::formats::{Cgp, notation};
use scrabble::table::{Action, GameLanguage, HistoryTurn, Settings, View};
use scrabble::{BLANK, Layout, PlayerMove, TileBoard, unseen, with_graph};
use tiny::{game_with, language};

const POSITIONS: usize = 200;

/// The board of a view.
fn board(view: &View, layout: &Layout, d: &scrabble::Dictionary) -> TileBoard {
    let mut board = TileBoard::new(layout);
    for (i, tile) in view.tiles.iter().enumerate() {
        if let Some(tile) = tile {
            let letter = d.alphabet().tile_at(&tile.letter).unwrap().0;
            board.put(i / 15, i % 15, letter | if tile.blank { BLANK } else { 0 });
        }
    }
    with_graph!(d, graph => board.refresh(graph, d.values()));
    board
}

#[test]
fn best_hint_bot_report_and_service_agree_on_the_best_move() {
    let mut positional = PositionalModel::default();
    positional.0.iter_mut().enumerate().for_each(|(i, weight)| *weight = (i * 7 % 11) as f64 / 4.0 - 1.25);
    let game = game_with(positional.clone());
    let language = language("en", &positional).unwrap();
    let layout = Layout::named("standard").unwrap();
    let d = &language.dictionary;
    let mut rng = Seed(5).rng(0);
    let mut seen = 0;
    for seed in 0.. {
        let mut expected = Vec::new();
        let mut state =
            game.start(&Setup { rules_version: 1, settings: Settings::default(), seats: 2, seed: Seed(seed) }).unwrap();
        while let Some(seat) = game.to_act(&state).iter().next() {
            let view = game.view(&state, Viewer::Seat(seat));
            if view.bag == 0 {
                break;
            }
            let board = board(&view, &layout, d);
            let rack = d.alphabet().encode_rack(&view.rack.clone().unwrap().concat()).unwrap();
            let hidden = unseen(d, &board, &rack).unwrap();
            let player =
                OnePlyPlayer { dictionary: d, layout: &layout, leaves: &language.leaves, sort: MoveSort::Equity };
            let position = KnownPosition {
                board: &board,
                rack: &rack,
                unseen: &hidden,
                opponent_tiles: 7,
                opponent_known: &[],
                lead: 0,
                inference: None,
                positional: Some(&language.positional),
            };
            let best = rank_moves(&player, &position, 1).remove(0);
            let text = match &best.turn {
                PlayerMove::Play(play) => notation::play_text(d.alphabet(), &board, play),
                PlayerMove::Exchange(tiles) => format!("exchange {}", d.alphabet().decode(tiles)),
                PlayerMove::Pass => "pass".into(),
            };
            let action = action_of(&best.turn, d);
            let ask = |name: &str, request: serde_json::Value| {
                let call =
                    ServiceCall { view: Some(&view), viewer: Viewer::Seat(seat), control: &Control::new(), seed: 1 };
                game.services().into_iter().find(|s| s.name == name).unwrap().call(&game, request, call).unwrap()
            };
            let hint = ask("hint", serde_json::json!({ "depth": 3 }));
            match &action {
                Action::Play { at, word } => {
                    assert_eq!((&hint["at"], &hint["word"]), (&at[..].into(), &word[..].into()))
                }
                Action::Exchange { .. } => assert_eq!(hint["instead"], "exchange"),
                _ => assert_eq!(hint["instead"], "pass"),
            }
            let cgp =
                Cgp { board: board.clone(), racks: [rack.clone(), vec![]], scores: [0; 2], idle: 0, options: vec![] };
            let answer =
                ask("position", serde_json::json!({ "language": "en", "cgp": cgp.write(d.alphabet()), "n": 1 }));
            assert_eq!(answer["moves"][0]["move"], text);
            expected.push(text);
            let mut bot = game.bot("expert").unwrap();
            let chosen = bot.choose(&game, seat, &view, Budget::Nodes(10), 1, &Control::new()).unwrap().action;
            // an expert stops exchanging when nobody scores
            let stuck = view.history.iter().rev().take_while(|t| t.kind == "exchange" || t.kind == "pass").count() >= 4;
            assert!(chosen == action || stuck, "{chosen:?} is not {action:?}");
            seen += 1;
            let next = game.random_action(&state, seat, &mut rng).filter(|_| rng.random_range(0..4) == 0);
            game.apply(&mut state, seat, &next.unwrap_or(chosen)).unwrap();
        }
        for seat in [Seat(0), Seat(1)] {
            let view = game.view(&state, Viewer::Seat(seat));
            assert_report_agrees(&language, &layout, &view, &expected);
        }
        if seen >= POSITIONS {
            return;
        }
    }
}

/// The action of a table that makes a move.
fn action_of(turn: &PlayerMove, d: &scrabble::Dictionary) -> Action {
    match turn {
        PlayerMove::Play(play) => {
            Action::Play { at: notation::coordinate(play), word: notation::word_text(d.alphabet(), play) }
        }
        PlayerMove::Exchange(tiles) => Action::Exchange { tiles: d.alphabet().decode(tiles) },
        PlayerMove::Pass => Action::Pass,
    }
}

/// The best move of every turn of the viewer in a report is the expected one.
fn assert_report_agrees(language: &GameLanguage, layout: &Layout, view: &View, expected: &[String]) {
    let turns: Vec<ReportedTurn> = view.history.iter().map(reported).collect();
    let names = vec!["A".into(), "B".into()];
    let report = report_game(language, layout, names, &turns, &view.scores, AnalysisOptions::default());
    for (turn, text) in report.turns.iter().zip(expected).filter(|(turn, _)| turn.rack.is_some()) {
        assert_eq!(&turn.best[0].text, text, "turn {}", turn.number);
    }
}

/// A turn of a view's history as a report takes it.
fn reported(turn: &HistoryTurn) -> ReportedTurn {
    ReportedTurn {
        seat: turn.seat.index(),
        kind: turn.kind.clone(),
        at: turn.at.clone(),
        word: turn.word.clone().or_else(|| turn.exchanged_tiles.clone()),
        rack: turn.rack.clone(),
        score: turn.score,
        total: turn.total,
        undone: turn.undone,
    }
}
