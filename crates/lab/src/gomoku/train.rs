//! The training pipeline: self-play, fit, promotion match, next generation. An interrupted run resumes.
//!
//! Everything is a file in one folder: `gen-NNN/games.bin` grows game by game, then
//! `patterns.bin` or `net.checkpoint`, `policy_net.checkpoint` and `net.bin` appear, then `gate.tsv` grows pair by
//! pair,
//! then `result.tsv` ends the generation. A run that was interrupted anywhere resumes from its files.
//!
//! The first generations fit patterns; the later ones train a net on top of the patterns of the last of them.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gomoku::engine::net::{Net, NetTrainer};
use gomoku::engine::weights::PatternWeights;
use gomoku::rules::Rule;

use super::candidate::{TrainingCandidate, tables};
use super::chart::{self, Series};
use super::fit_patterns::{self, Blend};
use super::match_play::PairTally;
use super::promotion::{PromotionMatch, PromotionWork};
use super::selfplay_work::{self, SelfPlay};
use super::train_net::{self, Means};
use super::train_policy;
use super::training_games::TrainingGame;
use crate::job_submitter::JobSubmitter;
use jobs::{Batch, Flow};
use numerics::SplitMix64;

/// Parameters of a run.
#[derive(Clone)]
pub struct TrainPlan {
    pub folder: PathBuf,
    pub rule: Rule,
    /// Board sizes, taken in turn.
    pub sizes: Vec<u8>,
    pub generations: usize,
    /// Generations that fit patterns; with none, nets are trained on top of the built-in patterns.
    pub pattern_generations: usize,
    /// Games per generation.
    pub games: usize,
    /// Nodes per move of self-play and of promotion matches.
    pub nodes: u64,
    /// Probability, per move, of an off-trajectory position.
    pub off_trajectory: f32,
    /// Mean number of policy-only games per game.
    pub policy_games: f32,
    /// Epochs over the games of the last generations when fitting the net.
    pub epochs: usize,
    /// Epochs of the policy network.
    pub policy_epochs: usize,
    /// Maximum number of game pairs of a promotion match.
    pub pairs: usize,
    /// A net that plays the first games and that the first generation starts from, instead of patterns and random
    /// weights.
    pub from: Option<Arc<Net>>,
    /// Files of games of earlier runs that the policy network rehearses, each once.
    pub rehearsed: Vec<PathBuf>,
    pub seed: u64,
}

/// Weight of the game result in value targets of patterns and of nets; the rest is the search score.
const PATTERN_RESULT: f32 = 0.7;
const NET_RESULT: f32 = 0.5;
/// Generations of games in a fit (replay window).
const WINDOW: usize = 3;
/// SPRT bounds of the promotion match in Elo, both errors 5 %.
const ELO0: f64 = 0.0;
const ELO1: f64 = 20.0;
const LLR_BOUND: f64 = 2.94;

/// Quality of a fit on held-out games.
struct Fit {
    /// Log-loss of the value; top-1 and top-5 accuracy of the policy.
    loss: f64,
    first: f64,
    five: f64,
}

/// Runs the plan; reports one line at a time to `say`.
pub fn run(plan: &TrainPlan, submitter: JobSubmitter<'_>, say: &mut dyn FnMut(&str)) -> io::Result<()> {
    // checked before hours of games, not after them
    plan.rehearsed.iter().try_for_each(|path| read_games(path, plan.rule).map(drop))?;
    fs::create_dir_all(&plan.folder)?;
    let tunes = plan.pattern_generations > 0;
    let patterns = if tunes { beginner() } else { PatternWeights::default() };
    let mut champion = TrainingCandidate { patterns, net: plan.from.clone() };
    for generation in 0..plan.generations {
        let folder = plan.folder.join(format!("gen-{generation:03}"));
        fs::create_dir_all(&folder)?;
        let result = folder.join("result.tsv");
        let of_patterns = generation < plan.pattern_generations;
        if !result.is_file() {
            // untrained patterns cannot recognise balanced openings
            let margin = if tunes && generation == 0 { 2000 } else { 200 };
            play_games(plan, submitter, generation, &folder, &champion, margin, say)?;
            let games = recent_games(plan, generation)?;
            let (candidate, fit) = if of_patterns {
                fit_patterns(&folder, &games, plan, say)?
            } else {
                fit_net(plan, generation, &folder, &games, &champion, say)?
            };
            let (tally, passed) = gate(plan, submitter, generation, &folder, &candidate, say)?;
            let (elo, low, high) = tally.elo();
            let line = format!(
                "{generation}\t{}\t{}\t{:.4}\t{:.4}\t{:.4}\t{}\t{elo:.1}\t{low:.1}\t{high:.1}\t{}\n",
                u8::from(!of_patterns),
                TrainingGame::games(&games),
                fit.loss,
                fit.first,
                fit.five,
                tally.games(),
                u8::from(passed)
            );
            write_whole(&result, line.as_bytes())?;
            say(&format!(
                "generation {generation}: {elo:+.0} Elo [{low:.0}, {high:.0}] in {} games, {}",
                tally.games(),
                if passed { "accepted" } else { "rejected" }
            ));
        }
        if fs::read_to_string(&result)?.trim_end().ends_with("\t1") {
            if of_patterns {
                champion.patterns = read_patterns(&folder)?;
            } else {
                champion.net = Some(read_net(&folder)?);
            }
        }
        plot(plan, generation)?;
    }
    if tunes {
        let source = fit_patterns::source(&champion.patterns, "the champion of the last generation");
        write_whole(&plan.folder.join("fitted.rs"), source.as_bytes())?;
    }
    if let Some(net) = champion.net {
        write_whole(&plan.folder.join(format!("{}.net", plan.rule)), &net.to_bytes())?;
    }
    Ok(())
}

fn broken(path: &Path) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("{}: not what a fit writes; remove it to fit anew", path.display()),
    )
}

fn read_patterns(folder: &Path) -> io::Result<PatternWeights> {
    let path = folder.join("patterns.bin");
    fit_patterns::from_bytes(&fs::read(&path)?).ok_or_else(|| broken(&path))
}

fn read_net(folder: &Path) -> io::Result<Arc<Net>> {
    let path = folder.join("net.bin");
    Net::from_bytes(&fs::read(&path)?).map(Arc::new).map_err(|_| broken(&path))
}

/// Writes to a temporary file and renames it, so that nobody reads a partial file.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("part");
    fs::write(&beside, bytes)?;
    fs::rename(beside, path)
}

/// Initial weights: stones count by how far their lines are built up.
pub fn beginner() -> PatternWeights {
    let shape = [0i16, 0, 3, 12, 18, 42, 54, 66, 72, 120, 144, 150, 180, 180, 0];
    let urgency = [0i16, 0, 2, 6, 10, 34, 40, 50, 48, 110, 120, 120, 700, 900, 4000];
    let mut weights = PatternWeights::default();
    let fill = |side: &mut [i16], by_shape: &[i16; 15], part: i16| {
        side.fill(0);
        for (w, s) in side.iter_mut().zip(by_shape) {
            *w = s / part;
        }
    };
    fill(&mut weights.mine, &shape, 1);
    fill(&mut weights.theirs, &shape, 2);
    fill(&mut weights.attack, &urgency, 1);
    fill(&mut weights.defend, &urgency, 2);
    weights.threat.fill(0);
    weights
}

/// Games per job of self-play.
const GAMES_A_JOB: u64 = 10;
/// Pairs per job of a promotion match.
const PAIRS_A_JOB: u64 = 2;

/// The best player so far, which plays the games of a generation and the promotion match, as a file.
const BEFORE: &str = "before.bin";
/// The generation's candidate as a file.
const CANDIDATE: &str = "candidate.bin";

fn play_games(
    plan: &TrainPlan,
    submitter: JobSubmitter<'_>,
    generation: usize,
    folder: &Path,
    champion: &TrainingCandidate,
    margin: i32,
    say: &mut dyn FnMut(&str),
) -> io::Result<()> {
    let before = folder.join(BEFORE);
    write_whole(&before, &champion.to_bytes())?;
    let path = folder.join("games.bin");
    let mut have = fs::read(&path).map(|bytes| TrainingGame::read_all(&bytes)).unwrap_or_default();
    let whole = TrainingGame::games(&have);
    if whole >= plan.games {
        return Ok(());
    }
    // rewritten without a partial tail, to the end of a job
    let begun = whole - whole % GAMES_A_JOB as usize;
    TrainingGame::keep_games(&mut have, begun);
    let mut bytes = Vec::new();
    have.iter().for_each(|game| game.write(&mut bytes));
    write_whole(&path, &bytes)?;
    let mut file = fs::OpenOptions::new().append(true).open(&path)?;
    let asked = SelfPlay {
        rule: plan.rule.to_string(),
        sizes: plan.sizes.clone(),
        nodes: plan.nodes,
        margin,
        exploration: 0.03,
        off_trajectory: plan.off_trajectory,
        policy_games: plan.policy_games,
        seed: plan.seed ^ (generation as u64) << 40,
    };
    let start = std::time::Instant::now();
    let mut done = begun;
    selfplay_work::run(submitter, &asked, &before, plan.games as u64, begun as u64, GAMES_A_JOB, &mut |records| {
        file.write_all(records)?;
        let before = done;
        done += TrainingGame::games(&TrainingGame::read_all(records));
        if before / 100 != done / 100 || done == plan.games {
            let pace = start.elapsed().as_secs_f64() / (done - begun) as f64;
            let left = pace * (plan.games - done) as f64;
            say(&format!("generation {generation}: {done} of {} games, {left:.0} s left", plan.games));
        }
        Ok(())
    })
}

fn recent_games(plan: &TrainPlan, generation: usize) -> io::Result<Vec<TrainingGame>> {
    let mut games = Vec::new();
    for g in (generation + 1).saturating_sub(WINDOW)..=generation {
        let path = plan.folder.join(format!("gen-{g:03}/games.bin"));
        games.extend(read_games(&path, plan.rule)?);
    }
    Ok(games)
}

/// Reads a file of games and validates it.
fn read_games(path: &Path, rule: Rule) -> io::Result<Vec<TrainingGame>> {
    let named = |text: String| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {text}", path.display()));
    let bytes = fs::read(path).map_err(|error| named(error.to_string()))?;
    let games = TrainingGame::read_all(&bytes);
    if games.is_empty() {
        return Err(named("no games; a run keeps them in gen-NNN/games.bin".into()));
    }
    if let Some(other) = games.iter().find(|game| game.rule != rule) {
        return Err(named(format!("games of {}, this run is of {rule}", other.rule)));
    }
    match games.iter().position(|game| !game.is_possible()) {
        Some(number) => Err(named(format!("record {} has stones off the board or on each other", number + 1))),
        None => Ok(games),
    }
}

fn fit_patterns(
    folder: &Path,
    games: &[TrainingGame],
    plan: &TrainPlan,
    say: &mut dyn FnMut(&str),
) -> io::Result<(TrainingCandidate, Fit)> {
    let fit = fit_patterns::fit(games, &Blend { result: PATTERN_RESULT }, 12, plan.seed);
    say(&format!(
        "patterns: log-loss {:.4} (a constant: {:.4}), top-1 {:.1}%, top-5 {:.1}%, {} positions",
        fit.log_loss.0,
        fit.log_loss.1,
        100.0 * fit.top.0,
        100.0 * fit.top.1,
        fit.positions
    ));
    write_whole(&folder.join("patterns.bin"), &fit_patterns::to_bytes(&fit.weights()))?;
    let [loss, first, five] = [fit.log_loss.0, fit.top.0, fit.top.1].map(f64::from);
    Ok((TrainingCandidate { patterns: fit.weights(), net: None }, Fit { loss, first, five }))
}

fn fit_net(
    plan: &TrainPlan,
    generation: usize,
    folder: &Path,
    games: &[TrainingGame],
    champion: &TrainingCandidate,
    say: &mut dyn FnMut(&str),
) -> io::Result<(TrainingCandidate, Fit)> {
    let tables = tables(plan.rule, &champion.patterns);
    let (mut learn, mut held) = (Vec::new(), Vec::new());
    let mut held_games = Vec::new();
    for (held_out, record) in TrainingGame::held_out(games, 20) {
        if !held_out {
            train_net::training_examples(record, tables, NET_RESULT, &mut learn);
        } else if !record.is_off_trajectory() {
            train_net::training_examples(record, tables, NET_RESULT, &mut held);
            held_games.push(record);
        }
    }
    let checkpoint = folder.join("net.checkpoint");
    let done_path = folder.join("net.epochs");
    let before = generation.checked_sub(1).map(|g| plan.folder.join(format!("gen-{g:03}/net.checkpoint")));
    let (mut trainer, mut done) = match fs::read(&checkpoint).ok().and_then(|b| NetTrainer::from_bytes(&b)) {
        Some(trainer) => {
            let done = fs::read_to_string(&done_path).ok().and_then(|t| t.trim().parse().ok()).unwrap_or(0);
            (trainer, done)
        }
        None => {
            let earlier = before.and_then(|path| fs::read(path).ok()).and_then(|b| NetTrainer::from_bytes(&b));
            let begun = || plan.from.as_ref().map(|net| NetTrainer::resume(net, plan.seed));
            let mut trainer = earlier.or_else(begun).unwrap_or_else(|| NetTrainer::new(plan.seed));
            trainer.refresh(0.25);
            (trainer, 0)
        }
    };
    while done < plan.epochs {
        // a lower rate preserves what earlier generations learned
        let continued = 2 * i32::from(generation > plan.pattern_generations || plan.from.is_some());
        trainer.rate = 0.02 * 0.6f32.powi(done as i32 + continued);
        let mut rng = SplitMix64::new(plan.seed ^ (generation * 100 + done) as u64);
        let total = learn.len();
        train_net::epoch(&mut trainer, &learn, &mut rng, &mut |n, means| {
            say(&format!(
                "net: epoch {done}, {n} of {total} positions, value {:.4}, policy {:.4}",
                means.value, means.policy
            ));
        });
        done += 1;
        write_whole(&checkpoint, &trainer.to_bytes())?;
        write_whole(&done_path, done.to_string().as_bytes())?;
    }
    let Means { value, policy, mut first, mut five } = train_net::measure(&trainer, &held);
    let before = champion.net.as_ref().and_then(|net| net.policy_net().cloned());
    let mut net = trainer.quantised().with_policy_net(before);
    if plan.policy_epochs > 0 {
        let recent = learn.len();
        for path in &plan.rehearsed {
            let games = read_games(path, plan.rule)?;
            games.iter().for_each(|game| train_net::training_examples(game, tables, NET_RESULT, &mut learn));
        }
        let policy_net = train_policy::fit(plan, generation, folder, &net, &learn, recent, say)?;
        net = net.with_policy_net(Some(policy_net.policy_net()));
        Means { first, five, .. } = train_net::measure(&policy_net, &held);
        say(&format!("policy network: top-1 {:.1}%, top-5 {:.1}%", 100.0 * first, 100.0 * five));
    }
    let net = Arc::new(net);
    write_whole(&folder.join("net.bin"), &net.to_bytes())?;
    let losses = train_net::value_losses(&held_games, tables, Arc::clone(&net));
    say(&format!(
        "net on {} held-out positions: value {value:.4}, policy {policy:.4}, top-1 {:.1}%, top-5 {:.1}%; \
         log-loss of the result {:.4}, by patterns {:.4}, by a constant {:.4}",
        losses.positions,
        100.0 * first,
        100.0 * five,
        losses.net,
        losses.patterns,
        losses.constant,
    ));
    Ok((TrainingCandidate { patterns: champion.patterns.clone(), net: Some(net) }, Fit { loss: value, first, five }))
}

/// Plays the promotion match until the SPRT decides; results of later jobs are ignored.
fn gate(
    plan: &TrainPlan,
    submitter: JobSubmitter<'_>,
    generation: usize,
    folder: &Path,
    candidate: &TrainingCandidate,
    say: &mut dyn FnMut(&str),
) -> io::Result<(PairTally, bool)> {
    let path = folder.join("gate.tsv");
    let earlier = fs::read_to_string(&path).unwrap_or_default();
    let mut earlier: Vec<f64> = earlier.lines().filter_map(|line| line.parse().ok()).collect();
    let tally_of = |points: &[f64]| {
        let mut tally = PairTally::default();
        points.iter().for_each(|&points| tally.add(points));
        tally
    };
    let mut tally = tally_of(&earlier);
    let decided =
        |tally: &PairTally| tally.llr(ELO0, ELO1).abs() >= LLR_BOUND || tally.games() as usize / 2 >= plan.pairs;
    if !decided(&tally) {
        // rewritten to the end of a job
        earlier.truncate(earlier.len() - earlier.len() % PAIRS_A_JOB as usize);
        tally = tally_of(&earlier);
        let text: String = earlier.iter().map(|points| format!("{points}\n")).collect();
        write_whole(&path, text.as_bytes())?;
        let mut file = fs::OpenOptions::new().append(true).open(&path)?;
        let asked = PromotionMatch {
            rule: plan.rule.to_string(),
            sizes: plan.sizes.clone(),
            nodes: plan.nodes,
            seed: plan.seed ^ 0x6A7E ^ (generation as u64) << 32,
        };
        let mut batch = Batch::new(format!("gomoku gate, generation {generation}, seed {}", plan.seed));
        write_whole(&folder.join(CANDIDATE), &candidate.to_bytes())?;
        let files = vec![batch.file(&folder.join(CANDIDATE))?, batch.file(&folder.join(BEFORE))?];
        for start in (0..plan.pairs as u64).step_by(PAIRS_A_JOB as usize) {
            if start < earlier.len() as u64 {
                batch.already_done.insert(batch.jobs.len());
            }
            let seeds = start..(start + PAIRS_A_JOB).min(plan.pairs as u64);
            batch.jobs.push(submitter.job(&PromotionWork, &asked, seeds, files.clone()));
        }
        let mut failure = None;
        let mut take = |halves: &[u8]| -> io::Result<bool> {
            for &halves in halves {
                let points = f64::from(halves) / 2.0;
                tally.add(points);
                writeln!(file, "{points}")?;
                if tally.games() % 40 == 0 {
                    let (elo, low, high) = tally.elo();
                    let llr = tally.llr(ELO0, ELO1);
                    say(&format!("gate: {} games, {elo:+.0} Elo [{low:.0}, {high:.0}], LLR {llr:.2}", tally.games()));
                }
                if decided(&tally) {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let ended = submitter.run(&batch, &mut |_, halves: Vec<u8>| match take(&halves) {
            Ok(false) => Flow::Continue,
            Ok(true) => Flow::Stop,
            Err(error) => {
                failure = Some(error);
                Flow::Stop
            }
        });
        failure.map_or(Ok(()), Err)?;
        ended.map_err(|error| io::Error::other(error.to_string()))?;
    }
    let passed = tally.llr(ELO0, ELO1) >= LLR_BOUND;
    Ok((tally, passed))
}

/// Loss, accuracy and Elo by generation, as SVG.
fn plot(plan: &TrainPlan, last: usize) -> io::Result<()> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for g in 0..=last {
        let Ok(text) = fs::read_to_string(plan.folder.join(format!("gen-{g:03}/result.tsv"))) else { continue };
        let row: Vec<f64> = text.trim().split('\t').filter_map(|v| v.parse().ok()).collect();
        if row.len() == 11 {
            rows.push(row);
        }
    }
    // generation, net or patterns, games, log-loss, top-1, top-5, match games, elo, low, high, passed
    let series = |name, kind: f64, column: usize| {
        let points = rows.iter().filter(|r| r[1] == kind).map(|r| (r[0], r[column])).collect();
        Series { name, points }
    };
    let mut total = 0.0;
    let climbed = rows
        .iter()
        .map(|r| {
            total += if r[10] == 1.0 { r[7] } else { 0.0 };
            (r[0], total)
        })
        .collect();
    let write = |name: &str, text: String| write_whole(&plan.folder.join(name), text.as_bytes());
    let loss = [series("patterns", 0.0, 3), series("net", 1.0, 3)];
    write("loss.svg", chart::lines("Log-loss on held-out games", "generation", &loss))?;
    let accuracy = [
        series("patterns, first", 0.0, 4),
        series("patterns, five", 0.0, 5),
        series("net, first", 1.0, 4),
        series("net, five", 1.0, 5),
    ];
    write("accuracy.svg", chart::lines("The search's move among the first", "generation", &accuracy))?;
    let climb = [Series { name: "accepted generations", points: climbed }];
    write("elo.svg", chart::lines("Elo above the beginning", "generation", &climb))
}
