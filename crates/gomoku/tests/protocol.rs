//! Conversations with a manager, from files: `<` is what the manager says, `>` what the brain answers.
//!
//! `> move` stands for any point that is free; everything else is compared word for word. The brain here is the
//! heuristic player, so that the files do not change with the engine.

use std::time::Duration;

use game::Control;
use gomoku::players::swap2::{Swap2Reply, balancing_stones, reply};
use gomoku::players::{Clock, Nets, Resources, player};
use gomoku::protocol::{Session, Step, ThinkRequest};
use gomoku::rules::Color;

const ABOUT: &str = "name=\"Parlour\", version=\"0\"";

/// Runs a file's conversation and writes it down with the answers that were given.
fn converse(script: &str) -> String {
    let mut session = Session::new(ABOUT);
    let mut brain = player("heuristic", &Nets::default(), Resources::default()).unwrap();
    let mut written = String::new();
    for line in script.lines() {
        if line.starts_with('#') || line.trim().is_empty() {
            written += &format!("{line}\n");
            continue;
        }
        let Some(said) = line.strip_prefix("< ") else { continue };
        written += &format!("< {said}\n");
        let answer = match session.line(said) {
            Step::Nothing => continue,
            Step::Exit => "(leaves)".to_owned(),
            Step::Say(line) | Step::ClearHash(line) => line.replace('\n', "\n> "),
            Step::Think(question) => match *question {
                ThinkRequest::Move { position, clock, .. } => {
                    let decision = brain.choose(&position, &clock, 1, &Control::new()).unwrap();
                    assert!(position.check(decision.point).is_ok());
                    let color = if position.to_move() == Color::Black { "black" } else { "white" };
                    format!("{} ({color}, {})", session.played(decision.point, Duration::ZERO), position.rule())
                }
                ThinkRequest::Balance { position, stones, .. } => {
                    let mut player = player("pattern", &Nets::default(), Resources::default()).unwrap();
                    let found = balancing_stones(&mut *player, &position, stones, 1, &Control::new()).unwrap();
                    session.balanced(&found, Duration::ZERO)
                }
                ThinkRequest::Swap2 { rule, size, stones, clock, .. } => {
                    let found = reply(&mut *brain, rule, size, &stones, &clock, 1, &Control::new()).unwrap();
                    session.opened(&found, Duration::ZERO)
                }
            },
        };
        written += &format!("> {answer}\n");
    }
    written
}

#[test]
fn conversations_go_as_written() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/gomoku/protocol");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    assert!(files.len() >= 6, "conversations are missing from {folder}");
    for file in files {
        let script = std::fs::read_to_string(&file).unwrap();
        game::conformance::golden::assert_file(&file, &converse(&script));
    }
}

#[test]
fn a_swap2_answer_is_one_of_the_three_kinds() {
    let mut brain = player("foundation", &Nets::default(), Resources::default()).unwrap();
    let clock = Clock { nodes: Some(200), ..Clock::default() };
    let mut ask = |stones: &[gomoku::rules::Point]| {
        reply(&mut *brain, gomoku::rules::Rule::Standard, 15, stones, &clock, 3, &Control::new())
    };
    let Ok(Swap2Reply::Three(stones)) = ask(&[]) else { panic!("three stones were asked for") };
    assert!(matches!(ask(&stones), Ok(Swap2Reply::Stone(_) | Swap2Reply::Swap)));
    assert!(ask(&stones[..2]).is_err());
}

#[test]
fn any_conversation_is_survived() {
    bolero::check!().with_type::<Vec<(u8, String)>>().for_each(|lines| {
        let mut session = Session::new(ABOUT);
        session.line("START 8");
        for (kind, text) in lines {
            let word = [
                "",
                "BOARD",
                "DONE",
                "TURN 1,2",
                "BEGIN",
                "SWAP2BOARD",
                "TAKEBACK 1,2",
                "3,3,1",
                "4,4,2",
                "INFO rule 4",
                "YXBOARD",
                "YXSHOWFORBID",
                "YXNBEST 2",
                "-1,-1,2",
            ];
            let line = word.get(usize::from(*kind)).map_or(text.as_str(), |word| word);
            if let Step::Think(question) = session.line(line)
                && let ThinkRequest::Move { position, .. } = *question
                && let Some(point) = position.legal_points().next()
            {
                session.played(point, Duration::ZERO);
            }
        }
    });
}
