//! Scrabble's commands on a language built from a word list.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const WORDS: &str =
    "alma\nkert\nasztal\nkutya\nmacska\nablak\nkapu\nviz\nkor\nrak\nkar\nmak\ntak\nat\nta\nka\nak\nal\nla\nam\nma\n";
const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

fn parlour(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlour"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("written");
    child.wait_with_output().expect("it ends")
}

fn json(args: &[&str]) -> Value {
    let output = parlour(args, "");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON value")
}

/// Builds the language in a folder of this test.
fn language(folder: &Path) -> PathBuf {
    std::fs::write(folder.join("words.txt"), WORDS).expect("written");
    let lexicon = folder.join("hu.lex");
    let words = folder.join("words.txt");
    json(&["lexicon", "build", words.to_str().unwrap(), "--name", "hu", "--out", lexicon.to_str().unwrap(), "--json"]);
    lexicon
}

#[test]
fn a_word_list_becomes_a_language_that_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let lexicon = language(folder.path());
    let lexicon = lexicon.to_str().unwrap();
    let games = ["--games", "4", "--seed", "1", "--json"];
    let result = json(
        &[&["scrabble", "autoplay", "--lexicon", lexicon, "--p1", "static", "--p2", "dvorak"], &games[..]].concat(),
    );
    assert_eq!(result["games"], 4);
    let play =
        parlour(&["scrabble", "play", "--lexicon", lexicon, "--seed", "3"], "help\nunseen\nhint\nhistory\nquit\n");
    let text = String::from_utf8_lossy(&play.stdout);
    assert!(play.status.success() && text.contains("exchange tiles") && text.contains("squares:"), "{text}");
}

#[test]
fn a_simulation_does_what_was_asked_and_says_why_it_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let lexicon = language(folder.path());
    let cgp = format!("{EMPTY} ALMAKTR/ 0/0 0");
    let position = ["--cgp", &cgp, "--lexicon", lexicon.to_str().unwrap()];
    let run = |threads: &str| {
        json(
            &[
                &["scrabble", "sim", "--iterations", "30", "--plies", "3", "--json", "--threads", threads],
                &position[..],
            ]
            .concat(),
        )
    };
    let answer = run("1");
    assert_eq!(answer["stopped"], "iterations");
    let moves = answer["moves"].as_array().expect("moves");
    assert!(moves.len() > 3);
    for entry in moves {
        assert_eq!((entry["iterations"].as_u64(), entry["plies"].as_f64()), (Some(30), Some(3.0)), "{entry}");
        let (win, low, high) = (&entry["win"], &entry["win_ci"][0], &entry["win_ci"][1]);
        assert!(low.as_f64() <= win.as_f64() && win.as_f64() <= high.as_f64(), "{entry}");
        assert_eq!(entry["per_ply"].as_array().map(Vec::len), Some(3));
    }
    assert_eq!(run("2")["moves"], answer["moves"], "threads make no difference");
}

#[test]
fn a_full_bag_is_no_endgame_and_no_pre_endgame() {
    let folder = tempfile::tempdir().expect("a folder");
    let lexicon = language(folder.path());
    let cgp = format!("{EMPTY} ALMAKTR/ABC 0/0 0");
    for command in ["endgame", "preendgame"] {
        let output = parlour(&["scrabble", command, "--cgp", &cgp, "--lexicon", lexicon.to_str().unwrap()], "");
        assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("bag"), "{command}");
    }
}

#[test]
fn every_go_of_the_protocol_ends_with_one_best_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let lexicon = language(folder.path());
    let session = format!(
        "ucgi\nsetoption name Threads value 2\nisready\nposition cgp {EMPTY} ALMAKTR/ 0/0 0\ngo static\n\
         position cgp {EMPTY} ALMAKTR/ 0/0 0\ngo sim iterations 20 stopcondition 95\nposition cgp nonsense\ngo\nstop\nquit\n"
    );
    let output = parlour(&["scrabble", "protocol", "--lexicon", lexicon.to_str().unwrap()], &session);
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.contains(&"ucgiok") && lines.contains(&"readyok"), "{text}");
    let best: Vec<&&str> = lines.iter().filter(|l| l.starts_with("bestmove")).collect();
    assert_eq!(best.len(), 3, "{text}");
    assert!(best[0].contains('.') && *best[2] == "bestmove none", "{text}");
    assert!(lines.contains(&"info string ignored stopcondition"), "{text}");
}

#[test]
fn an_external_engine_plays_through_the_protocol() {
    let folder = tempfile::tempdir().expect("a folder");
    let lexicon = language(folder.path());
    let lexicon = lexicon.to_str().unwrap();
    let engine = format!("external:{} scrabble protocol --lexicon {lexicon}", env!("CARGO_BIN_EXE_parlour"));
    let result = json(&[
        "scrabble",
        "referee",
        "--p1",
        &engine,
        "--p2",
        "greedy",
        "--lexicon",
        lexicon,
        "--games",
        "2",
        "--iterations",
        "5",
        "--json",
    ]);
    assert_eq!(result["games"], 2);
}
