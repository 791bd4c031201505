//! Tuning of search constants by matches: SPSA (simultaneous perturbation stochastic approximation, Spall 1992).
//!
//! Every step perturbs all constants at random, plays a pair of games between the perturbed and the oppositely
//! perturbed constants, and moves the constants towards the winner. The state is one
//! file, written every few steps; an interrupted run resumes from it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io};

use gomoku::engine::{Config, Engine, Evaluation, SearchLimits, Tuning};
use gomoku::rules::Rule;

use super::match_play::{self, MoveChoice};
use super::openings::{OpeningStyle, balanced};
use super::train::write_whole;
use numerics::SplitMix64;

/// Parameters of a run.
#[derive(Clone)]
pub struct TunePlan {
    /// The file of the run's state.
    pub state: PathBuf,
    pub rule: Rule,
    /// Evaluation of both sides; its constants start a new run.
    pub evaluation: Evaluation,
    /// Board sizes, taken in turn.
    pub sizes: Vec<u8>,
    /// Number of game pairs.
    pub pairs: usize,
    /// Nodes per move.
    pub nodes: u64,
    pub threads: usize,
    pub seed: u64,
}

/// A constant with its bounds and its perturbation.
struct Knob {
    name: &'static str,
    low: f64,
    high: f64,
    trial: f64,
}

const fn knob(name: &'static str, low: f64, high: f64, trial: f64) -> Knob {
    Knob { name, low, high, trial }
}

/// Constants that change the quality of a node, not its cost: pairs are played at equal nodes.
const KNOBS: [Knob; 14] = [
    knob("razor", 80.0, 700.0, 45.0),
    knob("futility", 30.0, 300.0, 18.0),
    knob("futility_move", 20.0, 300.0, 16.0),
    knob("limit_base", 2.0, 18.0, 1.6),
    knob("limit_linear", 1.0, 12.0, 1.1),
    knob("limit_square", 0.0, 12.0, 1.1),
    knob("reduce_base", 0.0, 160.0, 14.0),
    knob("reduce_divisor", 110.0, 450.0, 24.0),
    knob("reduce_urgency", 60.0, 2000.0, 130.0),
    knob("history", 12.0, 250.0, 14.0),
    knob("killer", 0.0, 200.0, 14.0),
    knob("countermove", 0.0, 200.0, 14.0),
    knob("singular_margin", 1.0, 40.0, 2.5),
    knob("window", 12.0, 200.0, 12.0),
];

/// Step per won pair, as a share of the perturbation, at the first step.
const PACE: f64 = 0.025;
/// The step halves after this many steps.
const HALVED: f64 = 4000.0;

type Values = [f64; KNOBS.len()];

struct State {
    steps: usize,
    values: Values,
}

/// Runs the plan; reports the constants to `say` from time to time. Returns them as text for `Tuning::apply`.
pub fn run(plan: &TunePlan, say: &(dyn Fn(&str) + Sync)) -> io::Result<String> {
    let state = Mutex::new(read(&plan.state, plan.evaluation.tuning())?);
    let next = AtomicUsize::new(state.lock().expect("nobody panics with it").steps);
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let step = next.fetch_add(1, Ordering::Relaxed);
                    if step >= plan.pairs || failed.lock().expect("nobody panics with it").is_some() {
                        return;
                    }
                    let values = state.lock().expect("nobody panics with it").values;
                    let mut rng = SplitMix64::new(plan.seed ^ (step as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
                    let signs: Values = std::array::from_fn(|_| if rng.next_u64() & 1 == 0 { 1.0 } else { -1.0 });
                    let points = pair(plan, &values, &signs, step, &mut rng);
                    let mut state = state.lock().expect("nobody panics with it");
                    let pace = PACE / (1.0 + step as f64 / HALVED);
                    for (i, knob) in KNOBS.iter().enumerate() {
                        let moved = state.values[i] + pace * knob.trial * signs[i] * (points - 1.0);
                        state.values[i] = moved.clamp(knob.low, knob.high);
                    }
                    state.steps += 1;
                    if state.steps.is_multiple_of(50) || state.steps == plan.pairs {
                        if let Err(error) = write_whole(&plan.state, text(&state).as_bytes()) {
                            *failed.lock().expect("nobody panics with it") = Some(error);
                        }
                        say(&format!("{} of {} pairs: {}", state.steps, plan.pairs, changes(&state.values)));
                    }
                }
            });
        }
    });
    match failed.into_inner().expect("nobody panics with it") {
        Some(error) => Err(error),
        None => Ok(changes(&state.into_inner().expect("nobody panics with it").values)),
    }
}

/// Points, 0 to 2, of the constants perturbed along `signs` against those perturbed the other way.
fn pair(plan: &TunePlan, values: &Values, signs: &Values, step: usize, rng: &mut SplitMix64) -> f64 {
    let size = plan.sizes[step % plan.sizes.len()];
    let engine = |direction: f64, rng: &mut SplitMix64| {
        let mut tuning = plan.evaluation.tuning();
        for (i, knob) in KNOBS.iter().enumerate() {
            let tried = (values[i] + direction * signs[i] * knob.trial).clamp(knob.low, knob.high);
            // stochastic rounding, so that a small perturbation counts
            let whole = (tried + f64::from(rng.unit())).floor() as i32;
            *tuning.constant(knob.name).expect("a constant of the search") = whole;
        }
        let evaluation = plan.evaluation.clone();
        let config = Config { table_mb: 4, evaluation, tuning, ..Config::new(plan.rule, size) };
        Engine::new(config).expect("sizes were checked by the caller")
    };
    let (mut up, mut down) = (engine(1.0, rng), engine(-1.0, rng));
    let style = OpeningStyle { nodes: plan.nodes / 2, margin: 200, stones: (3, 7) };
    let opening = balanced(&mut up, &style, rng);
    match_play::pair(&mut up, &mut down, MoveChoice::Search(&SearchLimits::nodes(plan.nodes)), &opening)
}

/// The constants rounded, as `name=value,…`.
fn changes(values: &Values) -> String {
    let parts: Vec<String> = KNOBS.iter().zip(values).map(|(k, v)| format!("{}={}", k.name, v.round())).collect();
    parts.join(",")
}

fn text(state: &State) -> String {
    let mut text = format!("steps\t{}\n", state.steps);
    for (knob, value) in KNOBS.iter().zip(&state.values) {
        let _ = writeln!(text, "{}\t{value}", knob.name);
    }
    text
}

fn read(path: &Path, mut tuning: Tuning) -> io::Result<State> {
    let values = std::array::from_fn(|i| f64::from(*tuning.constant(KNOBS[i].name).expect("a constant of the search")));
    let mut state = State { steps: 0, values };
    let stored = match fs::read_to_string(path) {
        Ok(stored) => stored,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(state),
        Err(error) => return Err(error),
    };
    for (n, line) in stored.lines().enumerate() {
        let wrong = || {
            let place = format!("{}, line {}", path.display(), n + 1);
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("{place}: {line:?} is not a constant, a tab and a number"),
            )
        };
        let (name, value) = line.split_once('\t').ok_or_else(wrong)?;
        // the name of version 0.1
        let name = if name == "answer" { "countermove" } else { name };
        let value: f64 = value.parse().map_err(|_| wrong())?;
        if name == "steps" {
            state.steps = value as usize;
        } else {
            let i = KNOBS.iter().position(|k| k.name == name).ok_or_else(wrong)?;
            state.values[i] = value;
        }
    }
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_was_stopped_ends_where_a_whole_one_does() {
        let folder = std::env::temp_dir().join(format!("gomoku-tune-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let plan = |name: &str, pairs| TunePlan {
            state: folder.join(name),
            rule: Rule::Freestyle,
            evaluation: Evaluation::Pattern,
            sizes: vec![15],
            pairs,
            nodes: 60,
            threads: 1,
            seed: 3,
        };
        let quiet = |_: &str| {};
        let whole = run(&plan("whole", 6), &quiet).expect("a run");
        run(&plan("parts", 3), &quiet).expect("half a run");
        let parts = run(&plan("parts", 6), &quiet).expect("the rest");
        assert_eq!(whole, parts);
        let (whole, parts) =
            (fs::read(folder.join("whole")).expect("a state"), fs::read(folder.join("parts")).expect("a state"));
        assert_eq!(whole, parts);
        let mut tuning = Tuning::default();
        assert_eq!(tuning.apply(&run(&plan("parts", 6), &quiet).expect("nothing left to do")), Ok(()));
        fs::write(folder.join("parts"), "killer 3\n").expect("a file");
        let error = run(&plan("parts", 6), &quiet).expect_err("not a state");
        assert!(error.to_string().contains("line 1"), "{error}");
        fs::remove_dir_all(folder).expect("it is ours");
    }
}
