//! The program as a tournament manager meets it: pipes, line ends, END, other working directories and names.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

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
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("it answers");
        answer.trim_end().to_owned()
    }

    /// Sends END and waits; gives what was still said and how long it took.
    fn end(mut self) -> (String, Duration) {
        let asked = Instant::now();
        self.tell("END");
        let mut rest = String::new();
        while self.output.read_line(&mut rest).is_ok_and(|count| count > 0) {}
        assert!(self.child.wait().expect("it ends").success());
        (rest, asked.elapsed())
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
    let (rest, _) = brain.end();
    assert_eq!(rest, "");
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
    std::thread::sleep(Duration::from_millis(300));
    let (rest, time) = brain.end();
    assert_eq!(rest, "", "nothing is said after END");
    // A tenth of a second is asked for; a loaded machine may take longer to schedule the end.
    assert!(time < Duration::from_secs(2), "{time:?}");
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
    let (rest, _) = brain.end();
    assert_eq!(rest, "");
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
