//! Experiments of the Gomoku thesis: its networks, searches and tables, on its board of 19 × 19.
//!
//! Everything is a file in one folder: games, weights, results of matches. An interrupted run resumes from its files;
//! [`run`] ends with the report.

mod bars;
pub mod games;
mod matches;
mod pictures;
mod players;
mod policy;
mod report;
mod samples;
mod training;
mod value;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use gomoku::engine::net::LabelledPosition;
use serde::{Deserialize, Serialize};

use self::games::{Start, Variety, variety};
use self::matches::{Maker, MatchScore, Opponent, match_against};
use self::players::{PolicyPlayer, PuctPlayer, RolloutPlayer};
use self::policy::{Architecture, KERNELS, LAYERS, ThesisPolicyNet};
use self::samples::Moves;
use self::training::{Flipped, train};
use self::value::ThesisValueNet;
use super::train::write_whole;
use super::training_games::TrainingGame;

/// Parameters of a run.
#[derive(Clone, Debug)]
pub struct ThesisPlan {
    /// The command as it is named in the report.
    pub command: String,
    pub folder: PathBuf,
    /// Games from random openings, and from the empty board.
    pub games: usize,
    pub empty_games: usize,
    /// Training positions, and epochs over them.
    pub positions: usize,
    pub passes: usize,
    /// Test positions, from held-out games.
    pub test_positions: usize,
    /// Games of a network without search against each opponent, of the rollout search, and of the searches with value.
    pub match_games: usize,
    pub sampled_games: usize,
    pub search_games: usize,
    pub threads: usize,
    pub seed: u64,
}

/// Accuracy of a policy network.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Accuracy {
    name: String,
    field: usize,
    moves: String,
    /// Top-1 and top-5 accuracy on training positions and on other games.
    train: [f64; 2],
    test: [f64; 2],
}

/// Quality of the value network.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Values {
    loss: f64,
    constant: f64,
    /// Mean value of finished boards for the side that has five, and for the other.
    winner: f64,
    loser: f64,
    boards: usize,
}

/// Number of training and test positions.
#[derive(Clone, Copy, Debug, Serialize)]
struct Sizes {
    positions: usize,
    winners: usize,
    passes: usize,
    test_positions: usize,
}

/// All results.
#[derive(Clone, Debug, Serialize)]
pub struct ThesisReport {
    command: String,
    sizes: Sizes,
    random: Variety,
    empty: Variety,
    accuracy: Vec<Accuracy>,
    kernels: Vec<Accuracy>,
    flipped: Accuracy,
    values: Values,
    matches: Vec<MatchScore>,
}

impl ThesisReport {
    fn played(&self, player: &str, opponent: Opponent) -> Option<&MatchScore> {
        self.matches.iter().find(|m| m.player == player && m.opponent == opponent.label())
    }

    /// Share of points of a player, if it played.
    fn score(&self, player: &str, opponent: Opponent) -> Option<f64> {
        self.played(player, opponent).map(|m| m.score)
    }
}

/// Every tenth game is held out.
const HELD_BACK: usize = 10;
/// Games per write.
const PORTION: usize = 100;

/// Training and test positions.
struct Data {
    all: Vec<LabelledPosition>,
    winners: Vec<LabelledPosition>,
    test: Vec<LabelledPosition>,
    finished: Vec<LabelledPosition>,
    finished_test: Vec<LabelledPosition>,
}

/// Runs what is left of the plan and writes the report; reports one line at a time to `say`.
pub fn run(plan: &ThesisPlan, say: &(dyn Fn(&str) + Sync)) -> io::Result<ThesisReport> {
    fs::create_dir_all(&plan.folder)?;
    let random = all_games(plan, Start::Random, plan.games, say)?;
    let empty = all_games(plan, Start::Empty, plan.empty_games, say)?;
    let data = data(plan, &random);
    say(&format!(
        "{} positions to learn from, {} of winners, {} to test",
        data.all.len(),
        data.winners.len(),
        data.test.len()
    ));
    train_all(plan, &data, say)?;
    let accuracy_of = |architecture: &Architecture, moves: Moves| accuracy(plan, &data, architecture, moves);
    let mut accuracies = Vec::new();
    for architecture in &LAYERS {
        accuracies.push(accuracy_of(architecture, Moves::All)?);
        accuracies.push(accuracy_of(architecture, Moves::Winners)?);
    }
    let kernels = KERNELS.iter().map(|a| accuracy_of(a, Moves::All)).collect::<io::Result<Vec<_>>>()?;
    let report = ThesisReport {
        command: plan.command.clone(),
        sizes: Sizes {
            positions: data.all.len(),
            winners: data.winners.len(),
            passes: plan.passes,
            test_positions: data.test.len(),
        },
        random: variety(&random),
        empty: variety(&empty),
        accuracy: accuracies,
        kernels,
        flipped: flipped_accuracy(plan, &data)?,
        values: values(plan, &data)?,
        matches: matches(plan, say)?,
    };
    report::write(&plan.folder, &report)?;
    Ok(report)
}

fn all_games(
    plan: &ThesisPlan,
    start: Start,
    count: usize,
    say: &(dyn Fn(&str) + Sync),
) -> io::Result<Vec<TrainingGame>> {
    let (name, salt) = match start {
        Start::Random => ("games", 1),
        Start::Empty => ("empty-games", 2),
    };
    let path = plan.folder.join(format!("{name}.bin"));
    let mut have = fs::read(&path).map(|bytes| TrainingGame::read_all(&bytes)).unwrap_or_default();
    have.truncate(count);
    while have.len() < count {
        let portion = (count - have.len()).min(PORTION);
        have.extend(games::generate(start, have.len(), portion, plan.seed ^ salt, plan.threads));
        let mut bytes = Vec::new();
        have.iter().for_each(|game| game.write(&mut bytes));
        write_whole(&path, &bytes)?;
        say(&format!("{name}: {} of {count}", have.len()));
    }
    Ok(have)
}

fn data(plan: &ThesisPlan, games: &[TrainingGame]) -> Data {
    let held_back = |number: usize| number.is_multiple_of(HELD_BACK);
    let part = |test: bool| -> Vec<TrainingGame> {
        games.iter().enumerate().filter(|(n, _)| held_back(*n) == test).map(|(_, game)| game.clone()).collect()
    };
    let (learn, test) = (part(false), part(true));
    Data {
        all: samples::drawn(&learn, Moves::All, plan.positions, plan.seed),
        winners: samples::drawn(&learn, Moves::Winners, plan.positions, plan.seed),
        test: samples::drawn(&test, Moves::All, plan.test_positions, plan.seed),
        finished: learn.iter().flat_map(samples::finished).collect(),
        finished_test: test.iter().flat_map(samples::finished).take(plan.test_positions).collect(),
    }
}

fn label(moves: Moves) -> &'static str {
    match moves {
        Moves::All => "all",
        Moves::Winners => "winners",
    }
}

fn weights(plan: &ThesisPlan, name: &str) -> PathBuf {
    plan.folder.join(format!("{name}.bin"))
}

fn policy_name(architecture: &Architecture, moves: Moves) -> String {
    format!("policy-{}-{}", architecture.name, label(moves))
}

const FLIPPED: &str = "policy-L4-flipped";
const VALUE: &str = "value";
/// Epochs of the (small) value network per epoch of the others.
const VALUE_PASSES: usize = 4;

/// The training of one network.
type Job<'p> = Box<dyn FnOnce(&dyn Fn(&str)) -> io::Result<()> + Send + 'p>;

/// Trains every missing network, one per thread at a time.
fn train_all(plan: &ThesisPlan, data: &Data, say: &(dyn Fn(&str) + Sync)) -> io::Result<()> {
    let mut jobs: Vec<Job<'_>> = Vec::new();
    let with_moves = LAYERS.iter().flat_map(|a| [(a, Moves::All), (a, Moves::Winners)]);
    for (architecture, moves) in with_moves.chain(KERNELS.iter().map(|a| (a, Moves::All))) {
        let learned = if moves == Moves::All { &data.all } else { &data.winners };
        jobs.push(Box::new(move |say| {
            let mut net = ThesisPolicyNet::new(architecture, plan.seed);
            let file = weights(plan, &policy_name(architecture, moves));
            train(&mut net, learned, plan.passes, &file, plan.seed, say)
        }));
    }
    jobs.push(Box::new(|say| {
        let mut net = Flipped(ThesisPolicyNet::new(&LAYERS[2], plan.seed));
        train(&mut net, &data.all, plan.passes, &weights(plan, FLIPPED), plan.seed, say)
    }));
    jobs.push(Box::new(|say| {
        // finished boards, each under several symmetries, are one in three training positions of the value network:
        // with one in
        // eight it predicts only 0.76 for a side that has five
        let finished = data.finished.iter().cycle().take(data.all.len() / 2);
        let learned: Vec<LabelledPosition> = data.all.iter().chain(finished).cloned().collect();
        let passes = VALUE_PASSES * plan.passes;
        train(&mut ThesisValueNet::new(plan.seed), &learned, passes, &weights(plan, VALUE), plan.seed, say)
    }));
    jobs.reverse();
    let jobs = Mutex::new(jobs);
    let next = || jobs.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.threads.max(1))
            .map(|_| {
                scope.spawn(|| {
                    while let Some(job) = next() {
                        job(say)?;
                    }
                    io::Result::Ok(())
                })
            })
            .collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn loaded(plan: &ThesisPlan, architecture: &Architecture, name: &str) -> io::Result<ThesisPolicyNet> {
    let mut net = ThesisPolicyNet::new(architecture, plan.seed);
    read_weights(&mut net, &weights(plan, name))?;
    Ok(net)
}

fn loaded_value(plan: &ThesisPlan) -> io::Result<ThesisValueNet> {
    let mut net = ThesisValueNet::new(plan.seed);
    read_weights(&mut net, &weights(plan, VALUE))?;
    Ok(net)
}

fn read_weights(net: &mut dyn neural::Trainable, file: &Path) -> io::Result<()> {
    neural::load(net, &fs::read(file)?).map_err(|problem| io::Error::other(format!("{}: {problem}", file.display())))
}

/// A result that is computed once and then read from its file.
fn kept<T: Serialize + for<'a> Deserialize<'a>>(
    plan: &ThesisPlan,
    name: &str,
    make: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    let path = plan.folder.join(format!("{name}.json"));
    if let Ok(bytes) = fs::read(&path)
        && let Ok(found) = serde_json::from_slice(&bytes)
    {
        return Ok(found);
    }
    let made = make()?;
    write_whole(&path, &serde_json::to_vec_pretty(&made)?)?;
    Ok(made)
}

fn accuracy(plan: &ThesisPlan, data: &Data, architecture: &Architecture, moves: Moves) -> io::Result<Accuracy> {
    let name = policy_name(architecture, moves);
    kept(plan, &format!("{name}.accuracy"), || {
        let mut net = loaded(plan, architecture, &name)?;
        let learned = if moves == Moves::All { &data.all } else { &data.winners };
        let train = net.accuracy(&learned[..learned.len().min(plan.test_positions)]);
        let test = net.accuracy(&data.test);
        Ok(Accuracy {
            name: architecture.name.into(),
            field: architecture.field(),
            moves: label(moves).into(),
            train,
            test,
        })
    })
}

fn flipped_accuracy(plan: &ThesisPlan, data: &Data) -> io::Result<Accuracy> {
    kept(plan, &format!("{FLIPPED}.accuracy"), || {
        let mut net = loaded(plan, &LAYERS[2], FLIPPED)?;
        let train = net.accuracy(&data.all[..data.all.len().min(plan.test_positions)]);
        let test = net.accuracy(&data.test);
        Ok(Accuracy { name: LAYERS[2].name.into(), field: LAYERS[2].field(), moves: "sign turned".into(), train, test })
    })
}

fn values(plan: &ThesisPlan, data: &Data) -> io::Result<Values> {
    kept(plan, "value.result", || {
        let mut net = loaded_value(plan)?;
        let part = data.test.iter().map(|s| f64::from(value::truth(s))).sum::<f64>() / data.test.len().max(1) as f64;
        let part = part.clamp(1e-6, 1.0 - 1e-6);
        let mean = |won: bool, net: &mut ThesisValueNet| {
            let boards: Vec<LabelledPosition> =
                data.finished_test.iter().filter(|s| (s.outcome[0] > 0.0) == won).cloned().collect();
            let told: f32 = net.values(&boards).iter().sum();
            f64::from(told) / boards.len().max(1) as f64
        };
        Ok(Values {
            loss: net.loss(&data.test),
            constant: -(part * part.ln() + (1.0 - part) * (1.0 - part).ln()),
            winner: mean(true, &mut net),
            loser: mean(false, &mut net),
            boards: data.finished_test.len(),
        })
    })
}

/// Plays all matches.
fn matches(plan: &ThesisPlan, say: &(dyn Fn(&str) + Sync)) -> io::Result<Vec<MatchScore>> {
    let mut scored = Vec::new();
    let mut add = |name: &str, opponent: Opponent, games: usize, player: Maker<'_>| {
        let file = format!("match-{}-{}", name.replace(' ', "-"), opponent.label().replace(' ', "-"));
        let result = kept(plan, &file, || {
            say(&format!("match: {name} against {}", opponent.label()));
            match_against(name, player, opponent, games, plan.seed, plan.threads)
        })?;
        scored.push(result);
        io::Result::Ok(())
    };
    let alone = |architecture: &'static Architecture, name: String| {
        move || Ok(games::BudgetedPlayer::free(Box::new(PolicyPlayer(loaded(plan, architecture, &name)?))))
    };
    for architecture in &LAYERS {
        for moves in [Moves::All, Moves::Winners] {
            let name = format!("{} {}", architecture.name, label(moves));
            for opponent in Opponent::ALL {
                add(&name, opponent, plan.match_games, &alone(architecture, policy_name(architecture, moves)))?;
            }
        }
    }
    add("L4 sign turned", Opponent::Heuristic, plan.match_games, &alone(&LAYERS[2], FLIPPED.into()))?;
    let best = &LAYERS[4];
    let best_name = policy_name(best, Moves::All);
    let sampler = |value: Option<ThesisValueNet>| -> io::Result<games::BudgetedPlayer> {
        let policy = loaded(plan, best, &best_name)?;
        Ok(games::BudgetedPlayer::free(Box::new(RolloutPlayer { policy, value, first_moves: 5, games: 32, depth: 6 })))
    };
    add("L6 5x32 to the end", Opponent::Heuristic, plan.sampled_games, &|| sampler(None))?;
    add("L6 5x32 to depth 6", Opponent::Heuristic, plan.search_games, &|| sampler(Some(loaded_value(plan)?)))?;
    for opponent in Opponent::ALL {
        add("L6 tree search 200", opponent, plan.search_games, &|| {
            let (policy, value) = (loaded(plan, best, &best_name)?, loaded_value(plan)?);
            Ok(games::BudgetedPlayer::free(Box::new(PuctPlayer { policy, value, simulations: 200 })))
        })?;
    }
    Ok(scored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_run_ends_with_its_report_and_a_second_one_reads_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let plan = ThesisPlan {
            command: "parlour gomoku lab".into(),
            folder: folder.path().to_owned(),
            games: 10,
            empty_games: 4,
            positions: 16,
            passes: 1,
            test_positions: 4,
            match_games: 0,
            sampled_games: 0,
            search_games: 0,
            threads: 2,
            seed: 1,
        };
        let first = run(&plan, &|_| {}).expect("it runs");
        assert_eq!((first.random.games, first.empty.games), (10, 4));
        assert_eq!((first.accuracy.len(), first.kernels.len()), (2 * LAYERS.len(), KERNELS.len()));
        let told = fs::read_to_string(folder.path().join("report.md")).expect("a report");
        assert!(told.contains("| L6 | 13×13 | winners |") && told.contains("Mentat (thesis)"), "{told}");
        for picture in ["accuracy", "kernels", "matches", "lengths", "repetitions"] {
            let picture = fs::read_to_string(folder.path().join(format!("{picture}.svg"))).expect("a picture");
            assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
        }
        let again = run(&plan, &|line| assert!(!line.contains("batches"), "{line}")).expect("it reads what is there");
        assert_eq!(serde_json::to_value(&first).expect("JSON"), serde_json::to_value(&again).expect("JSON"));
    }
}
