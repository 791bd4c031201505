//! A closed pipe (`parlour … | head`) ends every command quietly.

use std::process::{Command, Stdio};

/// Command lines that print much or at once; none needs data.
const COMMANDS: [&str; 8] = [
    "version --json",
    "completions bash",
    "--help",
    "gomoku --help",
    "gomoku perft --depth 2",
    "play gomoku --levels",
    "play gomoku --seat 0 --level beginner --seed 1",
    "doctor --json",
];

#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for line in COMMANDS {
        let mut child = Command::new(env!("CARGO_BIN_EXE_parlour"))
            .args(line.split(' '))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let ended = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(!said.contains("panicked") && !said.contains("Broken pipe"), "{line}: {said}");
    }
}
