//! Tournaments of named players and external Gomocup programs: round robin, gauntlet and Swiss.
//!
//! A tournament is a TOML file. Every game is a line of `games.jsonl` in its folder, written when the game ends, so that an
//! interrupted tournament resumes; with `records` every game is also a psq file. Pairings of two players play each opening
//! twice with colours exchanged.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use arena::{PairScore, PlayerRating, Side, ratings};
use gomoku::players::Nets;
use gomoku::rules::{Point, Rule};
use serde::{Deserialize, Serialize};

use crate::external::gomoku::{Competitor, EngineMatch};

/// How opponents are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentKind {
    /// Everyone plays everyone.
    #[default]
    RoundRobin,
    /// The first player plays everyone.
    Gauntlet,
    /// In each round players of similar score meet who have not met before.
    Swiss,
}

/// Which clock measures external programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentClock {
    #[default]
    Wall,
    /// Processor time (Linux).
    Cpu,
}

/// A tournament file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentPlan {
    #[serde(default)]
    pub kind: TournamentKind,
    #[serde(default)]
    pub rule: Rule,
    #[serde(default = "usual_size")]
    pub size: u8,
    /// Games of each pairing, rounded up to pairs.
    #[serde(default = "usual_games")]
    pub games: u64,
    /// Rounds of a Swiss tournament.
    #[serde(default = "usual_rounds")]
    pub rounds: usize,
    /// Milliseconds per move.
    #[serde(default = "usual_time")]
    pub time_ms: u64,
    /// Milliseconds per game and side; 0 is no limit.
    #[serde(default)]
    pub match_ms: u64,
    /// Milliseconds that an answer may be late.
    #[serde(default = "usual_tolerance")]
    pub tolerance_ms: u64,
    #[serde(default)]
    pub clock: TournamentClock,
    /// Nodes per move of named players instead of the clock.
    pub nodes: Option<u64>,
    #[serde(default = "usual_seed")]
    pub seed: u64,
    /// Opening list, relative to the tournament file; balanced openings are generated if not given.
    pub openings: Option<PathBuf>,
    /// Whether every game is kept as a psq file.
    #[serde(default)]
    pub records: bool,
    pub players: Vec<TournamentPlayer>,
}

/// One player of a tournament: either `player` or `command`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentPlayer {
    pub name: String,
    /// A named player, with its own nodes as `NAME:nodes=N`.
    pub player: Option<String>,
    /// The command line of a Gomocup program.
    pub command: Option<String>,
    /// Memory limit of the program in MiB, set by the shell's `ulimit`.
    pub memory_mb: Option<u64>,
}

const fn usual_size() -> u8 {
    15
}
const fn usual_games() -> u64 {
    2
}
const fn usual_rounds() -> usize {
    5
}
const fn usual_time() -> u64 {
    1000
}
const fn usual_tolerance() -> u64 {
    100
}
const fn usual_seed() -> u64 {
    1
}

/// A finished game, as a line of `games.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentGame {
    pub black: String,
    pub white: String,
    /// Number of the opening; both players have black once on it.
    pub pair: u64,
    /// Points of black: 1, 0.5 or 0.
    pub points: f64,
    pub plies: u32,
    /// Who lost by a fault (a late or illegal move, a crash), and which.
    pub fault: Option<(String, String)>,
}

/// One row of the result.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentRow {
    pub name: String,
    pub games: u32,
    /// Share of the points, 0 to 1.
    pub score: f64,
    pub elo: f64,
    /// 95 % interval.
    pub elo_ci: [f64; 2],
    pub faults: u32,
}

/// The result of a tournament, best player first.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentReport {
    pub players: Vec<TournamentRow>,
    pub games: usize,
    /// Points of each player against each other, as `[points, games]` in the order of `players`.
    pub crosstable: Vec<Vec<[f64; 2]>>,
}

/// Games of one pairing on one opening: the index of both players and of the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Pairing {
    a: usize,
    b: usize,
    pair: u64,
}

/// What a run needs besides the plan.
pub struct TournamentRun<'a> {
    /// Folder of the results.
    pub folder: &'a Path,
    pub openings: Vec<Vec<Point>>,
    pub nets: Nets,
    /// Games at the same time.
    pub workers: usize,
    pub stop: &'a AtomicBool,
}

impl TournamentPlan {
    /// Checks the plan and parses its players.
    pub fn competitors(&self) -> Result<Vec<Competitor>, String> {
        if self.players.len() < 2 {
            return Err("a tournament needs at least two [[players]]".to_owned());
        }
        let mut names = HashSet::new();
        self.players
            .iter()
            .map(|player| {
                let name = &player.name;
                if !names.insert(name) {
                    return Err(format!("two players are called {name:?}"));
                }
                match (&player.player, &player.command) {
                    (Some(text), None) => match Competitor::parse(text) {
                        Ok(named @ Competitor::Named { .. }) => Ok(named),
                        _ => Err(format!("{name}: {text:?} is no named player; programs are given as `command`")),
                    },
                    (None, Some(command)) => {
                        let limited = match player.memory_mb {
                            Some(mb) => {
                                format!("sh -c {}", quoted(&format!("ulimit -v {}; exec {command}", mb * 1024)))
                            }
                            None => command.clone(),
                        };
                        Ok(Competitor::Brain { command: limited })
                    }
                    _ => Err(format!("{name}: either `player` or `command` is needed")),
                }
            })
            .collect()
    }

    fn pairs(&self) -> u64 {
        self.games.div_ceil(2).max(1)
    }

    /// All pairings of a tournament that do not depend on results.
    fn fixed_pairings(&self) -> Vec<Pairing> {
        let n = self.players.len();
        let first = if self.kind == TournamentKind::Gauntlet { 1 } else { n };
        // openings first, so that an interrupted tournament has met everyone
        (0..self.pairs())
            .flat_map(|pair| (0..first).flat_map(move |a| (a + 1..n).map(move |b| Pairing { a, b, pair })))
            .collect()
    }
}

/// A word that a shell and our own splitting take as one.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Plays what is left of a tournament; reports every finished game to `on_game`. Stops early when `stop` is set.
pub fn run(
    plan: &TournamentPlan,
    run: &TournamentRun<'_>,
    on_game: &(dyn Fn(&TournamentGame, usize) + Sync),
) -> io::Result<TournamentReport> {
    let competitors = plan.competitors().map_err(io::Error::other)?;
    fs::create_dir_all(run.folder)?;
    let path = run.folder.join("games.jsonl");
    let games = read_games(&path)?;
    let state = Mutex::new((games, fs::OpenOptions::new().create(true).append(true).open(&path)?));
    let hall = Hall { plan, run, competitors, state, on_game };
    if plan.kind == TournamentKind::Swiss {
        for round in 0..plan.rounds {
            let pairings = swiss_round(plan, &hall.games(), round);
            hall.play(&pairings)?;
            if run.stop.load(Ordering::Relaxed) {
                break;
            }
        }
    } else {
        hall.play(&plan.fixed_pairings())?;
    }
    Ok(report(plan, &hall.games()))
}

/// The games of a file, without a partial last line.
fn read_games(path: &Path) -> io::Result<Vec<TournamentGame>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    if whole.len() != text.len() {
        fs::write(path, whole)?;
    }
    let parse = |(number, line): (usize, &str)| {
        serde_json::from_str(line)
            .map_err(|error| io::Error::other(format!("{}, line {}: {error}", path.display(), number + 1)))
    };
    whole.lines().enumerate().map(parse).collect()
}

/// A tournament in play.
struct Hall<'a> {
    plan: &'a TournamentPlan,
    run: &'a TournamentRun<'a>,
    competitors: Vec<Competitor>,
    state: Mutex<(Vec<TournamentGame>, fs::File)>,
    on_game: &'a (dyn Fn(&TournamentGame, usize) + Sync),
}

impl Hall<'_> {
    fn games(&self) -> Vec<TournamentGame> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    fn name(&self, player: usize) -> &str {
        &self.plan.players[player].name
    }

    /// Plays both games of every pairing, except those that are in the results.
    fn play(&self, pairings: &[Pairing]) -> io::Result<()> {
        let done: HashSet<(String, String, u64)> =
            self.games().into_iter().map(|game| (game.black, game.white, game.pair)).collect();
        let todo: Vec<(Pairing, bool)> = pairings
            .iter()
            .flat_map(|&pairing| [(pairing, false), (pairing, true)])
            .filter(|&(Pairing { a, b, pair }, swapped)| {
                let (black, white) = if swapped { (b, a) } else { (a, b) };
                !done.contains(&(self.name(black).to_owned(), self.name(white).to_owned(), pair))
            })
            .collect();
        let next = AtomicUsize::new(0);
        let failed = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.run.workers.max(1) {
                scope.spawn(|| {
                    while let Some(&(pairing, swapped)) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if self.run.stop.load(Ordering::Relaxed) {
                            return;
                        }
                        if let Err(error) = self.game(pairing, swapped) {
                            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                            return;
                        }
                    }
                });
            }
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn game(&self, pairing: Pairing, swapped: bool) -> io::Result<()> {
        let Pairing { a, b, pair } = pairing;
        let plan = self.plan;
        let contest = EngineMatch {
            rule: plan.rule,
            size: plan.size,
            players: [self.competitors[a].clone(), self.competitors[b].clone()],
            openings: self.run.openings.clone(),
            turn: Duration::from_millis(plan.time_ms),
            whole: (plan.match_ms > 0).then(|| Duration::from_millis(plan.match_ms)),
            tolerance: Duration::from_millis(plan.tolerance_ms),
            nodes: plan.nodes,
            seed: plan.seed ^ (a as u64) << 40 ^ (b as u64) << 50,
            nets: self.run.nets.clone(),
            cpu_clock: plan.clock == TournamentClock::Cpu,
        };
        let (played, record) = contest.played(pair, swapped);
        let (black, white) = if swapped { (b, a) } else { (a, b) };
        let side = |side: Side| self.name(if side == Side::P1 { a } else { b }).to_owned();
        let game = TournamentGame {
            black: self.name(black).to_owned(),
            white: self.name(white).to_owned(),
            pair,
            points: if swapped { 1.0 - played.points } else { played.points },
            plies: played.plies,
            fault: played.fault.map(|fault| (side(fault.by), format!("{:?}: {}", fault.kind, fault.note))),
        };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if plan.records {
            let folder = self.run.folder.join("games");
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(format!("{:05}.psq", state.0.len() + 1)), record)?;
        }
        writeln!(state.1, "{}", serde_json::to_string(&game)?)?;
        state.0.push(game);
        (self.on_game)(&state.0[state.0.len() - 1], state.0.len());
        Ok(())
    }
}

/// Pairings of a Swiss round: players in the order of their scores each meet the next one whom they have met least often.
/// A single player left over has a bye.
fn swiss_round(plan: &TournamentPlan, games: &[TournamentGame], round: usize) -> Vec<Pairing> {
    let n = plan.players.len();
    let place = |name: &str| plan.players.iter().position(|player| player.name == name);
    let first = round as u64 * plan.pairs();
    let (mut points, mut met) = (vec![0.0; n], vec![vec![0u32; n]; n]);
    for game in games.iter().filter(|game| game.pair < first) {
        if let (Some(black), Some(white)) = (place(&game.black), place(&game.white)) {
            points[black] += game.points;
            points[white] += 1.0 - game.points;
            met[black][white] += 1;
            met[white][black] += 1;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| points[b].total_cmp(&points[a]).then(a.cmp(&b)));
    let mut pairings = Vec::new();
    while order.len() > 1 {
        let a = order.remove(0);
        let at = (0..order.len()).min_by_key(|&i| (met[a][order[i]], i)).unwrap_or(0);
        let b = order.remove(at);
        let (a, b) = (a.min(b), a.max(b));
        pairings.extend((first..first + plan.pairs()).map(|pair| Pairing { a, b, pair }));
    }
    pairings
}

/// The table of a tournament from its games.
pub fn report(plan: &TournamentPlan, games: &[TournamentGame]) -> TournamentReport {
    let n = plan.players.len();
    let place = |name: &str| plan.players.iter().position(|player| player.name == name);
    let mut cross = vec![vec![[0.0f64; 2]; n]; n];
    let mut faults = vec![0u32; n];
    let mut counted = 0;
    for game in games {
        let (Some(black), Some(white)) = (place(&game.black), place(&game.white)) else { continue };
        counted += 1;
        cross[black][white][0] += game.points;
        cross[white][black][0] += 1.0 - game.points;
        cross[black][white][1] += 1.0;
        cross[white][black][1] += 1.0;
        if let Some(by) = game.fault.as_ref().and_then(|(name, _)| place(name)) {
            faults[by] += 1;
        }
    }
    let scores: Vec<PairScore> = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .map(|(a, b)| PairScore { a, b, points: cross[a][b][0], games: cross[a][b][1] })
        .filter(|score| score.games > 0.0)
        .collect();
    let rated: Vec<PlayerRating> = ratings(n, &scores);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| rated[b].elo.total_cmp(&rated[a].elo).then(a.cmp(&b)));
    let row = |&i: &usize| {
        let [points, games] = cross[i].iter().fold([0.0, 0.0], |sum, cell| [sum[0] + cell[0], sum[1] + cell[1]]);
        TournamentRow {
            name: plan.players[i].name.clone(),
            games: games as u32,
            score: points / games.max(1.0),
            elo: rated[i].elo,
            elo_ci: rated[i].interval95,
            faults: faults[i],
        }
    };
    TournamentReport {
        players: order.iter().map(row).collect(),
        games: counted,
        crosstable: order.iter().map(|&i| order.iter().map(|&j| cross[i][j]).collect()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(kind: TournamentKind, players: &[&str]) -> TournamentPlan {
        let players = players
            .iter()
            .map(|name| TournamentPlayer {
                name: (*name).to_owned(),
                player: Some((*name).to_owned()),
                command: None,
                memory_mb: None,
            })
            .collect();
        TournamentPlan {
            kind,
            rule: Rule::Freestyle,
            size: 15,
            games: 2,
            rounds: 2,
            time_ms: 500,
            match_ms: 0,
            tolerance_ms: 100,
            clock: TournamentClock::Wall,
            nodes: Some(20),
            seed: 1,
            openings: None,
            records: true,
            players,
        }
    }

    fn played(plan: &TournamentPlan, folder: &Path, workers: usize, stop: &AtomicBool) -> TournamentReport {
        let openings = vec![vec![Point::new(7, 7), Point::new(8, 8), Point::new(6, 8)]];
        let tournament = TournamentRun { folder, openings, nets: Nets::default(), workers, stop };
        run(plan, &tournament, &|_, _| {}).expect("it is played")
    }

    #[test]
    fn an_interrupted_tournament_resumes_with_the_same_result() {
        let folder = tempfile::tempdir().unwrap();
        let plan = plan(TournamentKind::RoundRobin, &["random", "heuristic", "beginner", "baseline:nodes=20"]);
        let go = AtomicBool::new(false);
        let whole = played(&plan, &folder.path().join("whole"), 2, &go);
        assert_eq!((whole.games, whole.players.len()), (12, 4));
        assert_eq!(whole.players[3].name, "random");
        assert!(whole.players.iter().all(|row| row.games == 6 && row.elo_ci[0] < row.elo && row.elo < row.elo_ci[1]));
        assert_eq!(fs::read_dir(folder.path().join("whole/games")).unwrap().count(), 12);
        // half of the games, and a line that was cut off
        let parts = folder.path().join("parts");
        fs::create_dir_all(&parts).unwrap();
        let text = fs::read_to_string(folder.path().join("whole/games.jsonl")).unwrap();
        let half: String = text.lines().take(5).map(|line| format!("{line}\n")).collect();
        fs::write(parts.join("games.jsonl"), half + "{\"black\":\"ran").unwrap();
        let resumed = played(&plan, &parts, 1, &go);
        assert_eq!(serde_json::to_value(&resumed).unwrap(), serde_json::to_value(&whole).unwrap());
    }

    #[test]
    fn swiss_and_gauntlet_pair_as_they_should() {
        let swiss = plan(TournamentKind::Swiss, &["random", "heuristic", "beginner", "one-ply", "steady"]);
        let folder = tempfile::tempdir().unwrap();
        let report = played(&swiss, folder.path(), 2, &AtomicBool::new(false));
        // two rounds of two pairings of two games, one bye each
        assert_eq!(report.games, 8);
        let games = read_games(&folder.path().join("games.jsonl")).unwrap();
        let mut meetings: Vec<(String, String)> = games
            .iter()
            .map(|g| (g.black.clone().min(g.white.clone()), g.black.clone().max(g.white.clone())))
            .collect();
        meetings.sort();
        meetings.dedup();
        assert_eq!(meetings.len(), 4, "nobody meets twice: {meetings:?}");
        let gauntlet = plan(TournamentKind::Gauntlet, &["heuristic", "random", "beginner"]);
        assert!(gauntlet.fixed_pairings().iter().all(|pairing| pairing.a == 0));
        assert_eq!(gauntlet.fixed_pairings().len(), 2);
    }

    #[test]
    fn plans_say_what_is_wrong_with_them() {
        let mut wrong = plan(TournamentKind::RoundRobin, &["heuristic", "heuristic"]);
        assert!(wrong.competitors().unwrap_err().contains("two players"));
        wrong.players.truncate(1);
        assert!(wrong.competitors().is_err());
        let unknown = plan(TournamentKind::RoundRobin, &["heuristic", "nobody"]);
        assert!(unknown.competitors().unwrap_err().contains("no named player"));
    }
}
