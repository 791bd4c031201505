//! Watches over a target's process: what it was reading when it died or hung is on a slate that outlives it.

use super::{Crash, FuzzReport, corpus};
use anyhow::{Context, Result};
use memmap2::MmapMut;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long one input may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Kilobytes of address space; what wants more is refused, which ends the process.
const MEMORY: u64 = 6 << 20;
/// Bytes of the slate: how often it was written, how long the input is, the input.
const SIZE: usize = 16 + (64 << 10);

/// The input that is being read, in a file that is mapped: writing it costs nothing, and it is there when the process
/// has died.
pub struct Slate(MmapMut);

impl Slate {
    pub fn path(target: &str) -> PathBuf {
        std::env::temp_dir().join(format!("parlour-fuzz-{target}.slate"))
    }

    pub fn open(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        file.set_len(SIZE as u64)?;
        // SAFETY: nobody shortens the file while it is mapped; the two processes that map it only write whole bytes.
        Ok(Self(unsafe { MmapMut::map_mut(&file) }.with_context(|| path.display().to_string())?))
    }

    pub fn write(&mut self, input: &[u8]) {
        let input = &input[..input.len().min(SIZE - 16)];
        let count = self.count() + 1;
        self.0[8..16].copy_from_slice(&(input.len() as u64).to_le_bytes());
        self.0[16..16 + input.len()].copy_from_slice(input);
        self.0[..8].copy_from_slice(&count.to_le_bytes());
    }

    /// How many inputs were written.
    pub fn count(&self) -> u64 {
        u64::from_le_bytes(self.0[..8].try_into().expect("eight bytes"))
    }

    fn input(&self) -> Vec<u8> {
        let length = u64::from_le_bytes(self.0[8..16].try_into().expect("eight bytes")) as usize;
        self.0[16..16 + length.min(SIZE - 16)].to_vec()
    }
}

/// Runs a target in a process of its own. A process that dies or hangs is started again for the rest of the time.
pub fn run(target: &str, root: &Path, seconds: u64, seed: u64) -> Result<FuzzReport> {
    let folder = corpus::folder(root, target);
    let path = Slate::path(target);
    let mut whole =
        FuzzReport { target: target.to_owned(), executions: 0, outcomes: 0, corpus: 0, crashes: Vec::new() };
    let begun = Instant::now();
    let mut round = 0;
    while begun.elapsed().as_secs() < seconds {
        let _ = std::fs::remove_file(&path);
        let slate = Slate::open(&path)?;
        let left = seconds - begun.elapsed().as_secs();
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -v {MEMORY}; ulimit -c 0; exec \"$@\""), "sh"])
            .arg(std::env::current_exe()?)
            .args(["fuzz", "--inside", target, "--seconds", &left.to_string()])
            .args(["--seed", &(seed + round).to_string()])
            .current_dir(root)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (mut count, mut changed) = (0, Instant::now());
        let ended = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if slate.count() != count {
                (count, changed) = (slate.count(), Instant::now());
            } else if count > 0 && changed.elapsed() > PATIENCE {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(100));
        };
        let answer = child.wait_with_output()?;
        if ended.is_some_and(|status| status.success()) {
            let report: FuzzReport = serde_json::from_slice(&answer.stdout).context("a target's report")?;
            whole.executions += report.executions;
            whole.outcomes = report.outcomes;
            whole.corpus = report.corpus;
            whole.crashes.extend(report.crashes);
            break;
        }
        whole.executions += slate.count();
        let what = match ended {
            Some(status) => format!("the process ended with {status}"),
            None => format!("no answer within {} s", PATIENCE.as_secs()),
        };
        let file = corpus::keep(&folder, "crash-", &slate.input())?;
        whole.crashes.push(Crash { what, file: file.display().to_string() });
        round += 1;
        if round >= 5 {
            break;
        }
    }
    let _ = std::fs::remove_file(&path);
    Ok(whole)
}
