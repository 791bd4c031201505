//! An external Gomocup program ("brain" in the protocol) as a process, with a clock on every answer.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use arena::FaultKind;

use super::split;

/// How an external program lost its game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{note}")]
pub struct BrainFault {
    pub kind: FaultKind,
    pub note: String,
}

impl BrainFault {
    /// A fault of the given kind with what happened.
    pub fn new(kind: FaultKind, note: impl Into<String>) -> Self {
        Self { kind, note: note.into() }
    }
}

/// A running external program. Dropping it sends END, and kills the process if it does not exit.
pub struct Brain {
    child: Child,
    input: ChildStdin,
    lines: Receiver<(Instant, String)>,
}

impl Brain {
    /// Starts the program of a command line.
    pub fn start(command_line: &str) -> Result<Self, BrainFault> {
        let crash = |note: String| BrainFault::new(FaultKind::Crash, note);
        let words = split(command_line).map_err(crash)?;
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| crash(format!("{} does not start: {error}", words[0])))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(crash(format!("{} has no pipes", words[0])));
        };
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut bytes = Vec::new();
            while output.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
                let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                bytes.clear();
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, lines })
    }

    /// Processor time that the program has used, where the system tells it (Linux).
    pub fn cpu_time(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // user and system time are fields 14 and 15, counted behind the name in brackets, in hundredths of a second
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        Some(Duration::from_millis(ticks * 10))
    }

    /// Sends lines, each ended as the protocol says.
    pub fn tell(&mut self, lines: &[String]) -> Result<(), BrainFault> {
        let text: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
        self.input
            .write_all(text.as_bytes())
            .and_then(|()| self.input.flush())
            .map_err(|error| BrainFault::new(FaultKind::Crash, format!("it does not listen any more: {error}")))
    }

    /// The next answer that is not a message, and its delay after `asked`.
    pub fn answer(&mut self, asked: Instant, limit: Duration) -> Result<(String, Duration), BrainFault> {
        loop {
            let left = (asked + limit).saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((_, line)) if line.is_empty() || line.starts_with("MESSAGE") || line.starts_with("DEBUG") => {}
                Ok((_, line)) if line.starts_with("SUGGEST") => {
                    let point = line["SUGGEST".len()..].trim().to_owned();
                    self.tell(&[format!("PLAY {point}")])?;
                }
                Ok((came, line)) => return Ok((line, came.saturating_duration_since(asked))),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(BrainFault::new(FaultKind::Time, format!("no answer within {} ms", limit.as_millis())));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(BrainFault::new(FaultKind::Crash, "it ended in the middle of the game"));
                }
            }
        }
    }
}

impl Drop for Brain {
    fn drop(&mut self) {
        let _ = self.tell(&["END".to_owned()]);
        let until = Instant::now() + Duration::from_secs(1);
        while Instant::now() < until {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
