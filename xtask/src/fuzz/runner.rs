//! One target in this process: damages, reads, keeps what is new, until the time is over.

use super::watch::Slate;
use super::{Crash, FuzzReport, FuzzTarget, corpus, mutate};
use anyhow::Result;
use numerics::SplitMix64;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The random choices of the damage.
pub struct Dice(pub SplitMix64);

impl Dice {
    pub fn below(&mut self, limit: usize) -> usize {
        (self.0.next_u64() % limit.max(1) as u64) as usize
    }
}

/// Most inputs that damage starts from.
const POOL: usize = 4096;

/// What panics of any thread have said since it was asked for last.
static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn said() -> Vec<String> {
    std::mem::take(&mut *SAID.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Runs a target and prints its report as JSON.
pub fn run(target: &FuzzTarget, folder: &Path, seconds: u64, seed: u64) -> Result<()> {
    // a target that cannot be set up says so in the usual way
    let mut read = (target.reader)();
    let seeds = (target.seeds)();
    std::panic::set_hook(Box::new(|panic| {
        SAID.lock().unwrap_or_else(PoisonError::into_inner).push(panic.to_string());
    }));
    let mut slate = Slate::open(&Slate::path(target.name))?;
    let kept = corpus::read(folder)?;
    let mut room = corpus::MOST.saturating_sub(kept.len());
    let mut inputs = kept.clone();
    inputs.extend(seeds);
    let name = target.name.bytes().fold(0u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let mut dice = Dice(SplitMix64::new(seed ^ name));
    let (mut outcomes, mut crashes, mut known) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
    let mut executions = 0u64;
    let begun = Instant::now();
    let first = inputs.len();
    while begun.elapsed() < Duration::from_secs(seconds) {
        // Everything that is kept is read first, as it is.
        let fresh = executions as usize >= first;
        let input = if fresh { mutate::damaged(&mut dice, &inputs) } else { inputs[executions as usize].clone() };
        slate.write(&input);
        let outcome = catch_unwind(AssertUnwindSafe(|| read(&input)));
        executions += 1;
        let mut wrong = said();
        if outcome.is_err() && wrong.is_empty() {
            wrong.push("a panic without words".to_owned());
        }
        for what in wrong {
            if known.insert(shape(&what)) {
                let file = corpus::keep(folder, "crash-", &input)?;
                crashes.push(Crash { what, file: file.display().to_string() });
            }
        }
        let Ok(outcome) = outcome else {
            // What panicked may be half changed.
            read = (target.reader)();
            continue;
        };
        if outcomes.insert(shape(&outcome)) && fresh {
            if room > 0 && input.len() <= corpus::LONGEST {
                corpus::keep(folder, "", &input)?;
                room -= 1;
            }
            if inputs.len() < POOL {
                inputs.push(input);
            } else {
                let place = first + dice.below(POOL - first);
                inputs[place] = input;
            }
        }
    }
    let corpus = corpus::read(folder)?.len();
    let report = FuzzReport { target: target.name.to_owned(), executions, outcomes: outcomes.len(), corpus, crashes };
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

/// An outcome without what differs from input to input: numbers and what is quoted.
fn shape(outcome: &str) -> String {
    let mut out = String::new();
    let mut quoted = None;
    for letter in outcome.chars() {
        match quoted {
            Some(end) if letter == end => quoted = None,
            Some(_) => {}
            None if letter == '"' || letter == '`' => {
                quoted = Some(letter);
                out.push(letter);
            }
            None if letter.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            None => out.push(letter),
        }
        if out.len() > 100 {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_alike_but_for_numbers_and_quotes() {
        assert_eq!(shape("line 12: \"abc\" is not 7"), shape("line 3: \"\" is not 99"));
        assert_ne!(shape("line 12: no stone"), shape("line 12: no board"));
    }
}
