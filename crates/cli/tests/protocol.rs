//! The program as a tournament manager meets it: pipes, line ends, END, other working directories and names.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Brain {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Brain {
    fn start(program: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(args)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("it has an input");
        let output = BufReader::new(child.stdout.take().expect("it has an output"));
        Self { child, input, output }
    }

    fn tell(&mut self, line: &str) {
        write!(self.input, "{line}\r\n").and_then(|()| self.input.flush()).expect("it listens");
    }

    fn ask(&mut self, line: &str) -> String {
        self.tell(line);
        loop {
            let mut answer = String::new();
            assert!(self.output.read_line(&mut answer).expect("it answers") > 0, "it ended");
            if !answer.starts_with("MESSAGE") && !answer.starts_with("INFO") {
                return answer.trim_end().to_owned();
            }
        }
    }

    /// Sends END and waits. Returns what was still said.
    fn end(mut self) -> String {
        self.tell("END");
        let mut rest = String::new();
        let mut line = String::new();
        while self.output.read_line(&mut line).is_ok_and(|count| count > 0) {
            if !line.starts_with("MESSAGE") {
                rest.push_str(&line);
            }
            line.clear();
        }
        assert!(self.child.wait().expect("it ends").success());
        rest
    }
}

fn is_move(answer: &str) -> bool {
    answer.split(',').filter(|part| part.parse::<u8>().is_ok()).count() == 2
}

#[test]
fn a_session_in_another_folder() {
    let mut brain = Brain::start(Path::new(env!("CARGO_BIN_EXE_parlour")), &["gomoku", "protocol"]);
    assert_eq!(brain.ask("START 15"), "OK");
    brain.tell("INFO timeout_turn 200");
    brain.tell("INFO folder /nowhere");
    brain.tell("INFO no_such_key 1");
    assert!(is_move(&brain.ask("BEGIN")));
    assert!(is_move(&brain.ask("TURN 0,0")));
    assert!(brain.ask("FOO").starts_with("UNKNOWN"));
    assert!(brain.ask("TURN 99,99").starts_with("ERROR"));
    assert!(brain.ask("ABOUT").contains("name=\"Parlour\""));
    assert_eq!(brain.end(), "");
}

/// What the program says to a script that is written at once.
fn piped(script: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlour"))
        .args(["gomoku", "protocol", "--nodes", "300"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("it has an input").write_all(script.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_piped_script_that_ends_in_end_gets_every_answer_in_order() {
    let out = piped("START 15\nBEGIN\nTURN a1\nABOUT\nEND\n");
    let answers: Vec<&str> = out.lines().filter(|line| !line.starts_with("MESSAGE")).collect();
    assert_eq!(answers.len(), 4, "{out}");
    assert_eq!(answers[0], "OK");
    assert!(is_move(answers[1]) && is_move(answers[2]) && answers[3].starts_with("name="), "{out}");
    assert!(out.lines().any(|line| line.starts_with("MESSAGE depth 1 ")), "no message during thought: {out}");
}

#[test]
fn the_yixin_extension_is_spoken() {
    let out = piped(
        "START 15\nINFO rule 4\nINFO show_detail 3\nYXSHOWINFO\nYXBOARD\nf8,1\na1,2\ng8,1\na3,2\nh6,1\na5,2\nh7,1\na7,2\nDONE\n\
         YXSHOWFORBID\nYXHASHCLEAR\nYXNBEST 2\nYXBALANCEONE 0\nEND\n",
    );
    assert!(out.contains("\nFORBID 0707.\n"), "{out}");
    assert!(out.contains("\nINFO NUMPV 2\n") && out.contains("\nMESSAGE REALTIME BEST "), "{out}");
    assert!(!out.contains("UNKNOWN") && !out.contains("ERROR"), "{out}");
    assert_eq!(out.lines().filter(|line| is_move(line)).count(), 2, "{out}");
}

#[test]
fn yxstop_ends_a_thought_with_its_best_move() {
    let mut brain = Brain::start(Path::new(env!("CARGO_BIN_EXE_parlour")), &["gomoku", "protocol"]);
    assert_eq!(brain.ask("START 15"), "OK");
    brain.tell("INFO timeout_turn 600000");
    brain.tell("BOARD");
    for stone in ["7,7,1", "8,8,2", "7,8,1", "9,8,2", "DONE"] {
        brain.tell(stone);
    }
    // the first message says that the thought has begun
    let mut line = String::new();
    brain.output.read_line(&mut line).expect("a message");
    assert!(line.starts_with("MESSAGE depth"), "{line}");
    assert!(is_move(&brain.ask("YXSTOP")));
    brain.end();
}

#[test]
fn end_is_obeyed_in_the_middle_of_a_thought() {
    let mut brain = Brain::start(Path::new(env!("CARGO_BIN_EXE_parlour")), &["gomoku", "protocol"]);
    assert_eq!(brain.ask("START 20"), "OK");
    brain.tell("INFO timeout_turn 60000");
    brain.tell("BOARD");
    for stone in ["10,10,1", "11,10,2", "11,11,1", "12,12,2", "DONE"] {
        brain.tell(stone);
    }
    // an END within a tenth of a second of the line before it belongs to a script and waits for the move
    for _ in 0..8 {
        let mut line = String::new();
        brain.output.read_line(&mut line).expect("a message");
        assert!(line.starts_with("MESSAGE"), "{line}");
    }
    // a brain that thought on would say its move after a minute
    assert_eq!(brain.end(), "", "nothing is said after END");
}

#[test]
fn pondering_stops_for_every_line_and_for_the_end() {
    let mut brain = Brain::start(Path::new(env!("CARGO_BIN_EXE_parlour")), &["gomoku", "protocol", "--ponder"]);
    assert_eq!(brain.ask("START 15"), "OK");
    brain.tell("INFO timeout_turn 100");
    assert!(is_move(&brain.ask("BEGIN")));
    assert!(is_move(&brain.ask("TURN 0,0")));
    assert!(brain.ask("ABOUT").contains("name=\"Parlour\""));
    assert!(is_move(&brain.ask("TURN 0,2")));
    assert_eq!(brain.ask("RESTART"), "OK");
    assert!(is_move(&brain.ask("TURN 7,7")));
    assert_eq!(brain.end(), "");
}

#[cfg(unix)]
#[test]
fn under_a_brains_name_it_speaks_the_protocol() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let brain = folder.path().join("pbrain-parlour64");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_parlour"), &brain).expect("a link");
    let mut brain = Brain::start(&brain, &[]);
    assert_eq!(brain.ask("START 15"), "OK");
    brain.tell("INFO timeout_turn 0");
    assert!(is_move(&brain.ask("BEGIN")));
    brain.end();
}
