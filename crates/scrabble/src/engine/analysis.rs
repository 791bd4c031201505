//! Analysis of a played game: every turn with the move made, the best moves and what the move cost.
//!
//! Turns are evaluated by the best method the position and the options allow: exact endgame search once the bag is
//! empty, rollouts where requested, static equity otherwise. Each turn names its method.

use super::endgame::{Endgame, EndgameLimits, EndgameSolution, ProofStatus};
use super::ranking::{RankedTurn, move_equity, rank_moves};
use super::simulation::{Allocation, KnownPosition, SimulationBudget, simulate_turns};
use super::{MoveSort, OnePlyPlayer};
use crate::formats::notation::{parse_play, play_text, tile_text};
use crate::players::{LetterTerms, Weighted};
use crate::rules::{Layout, Play, PlayerMove, TileBoard, check_play, unseen};
use crate::table::GameLanguage;
use crate::with_graph;
use lexicon::Tile;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use utoipa::ToSchema;

/// A turn as it comes from a table or a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportedTurn {
    pub seat: usize,
    /// play, exchange, pass, or something that is no turn.
    pub kind: String,
    pub at: Option<String>,
    /// The word of a play, the tiles of an exchange.
    pub word: Option<String>,
    pub rack: Option<String>,
    pub score: i32,
    pub total: i32,
    pub undone: bool,
}

/// A move in a ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RankingEntry {
    #[serde(rename = "move")]
    pub text: String,
    pub score: i32,
    /// Value in points under the ranking's estimator.
    pub value: f64,
}

/// One turn of a report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TurnReport {
    pub number: u32,
    pub seat: u8,
    pub kind: String,
    #[serde(rename = "move")]
    pub text: String,
    pub score: i32,
    pub total: i32,
    pub rack: Option<String>,
    /// The board before the turn, row by row; a space for an empty square, lower case for blanks.
    pub board: Vec<Vec<String>>,
    /// Squares (row, column) that the turn covered.
    pub squares: Vec<(u8, u8)>,
    /// Rankings; empty where the rack is not known.
    pub best: Vec<RankingEntry>,
    pub greedy: Vec<RankingEntry>,
    /// Ranking of the weighted player with Dvořák's functions.
    pub weighted: Vec<RankingEntry>,
    /// Equity of the move made, and how much less it is than the best.
    pub equity: Option<f64>,
    pub loss: Option<f64>,
    /// Win probability after the best move and after the move made.
    pub win_best: Option<f64>,
    pub win: Option<f64>,
    /// How the turn was evaluated: `static`, `simulated` or `endgame`.
    #[serde(default)]
    pub method: String,
    /// Whether equity and loss are exact: both endgames were proved.
    #[serde(default)]
    pub exact: bool,
    /// Words of the play that are not in the lexicon. A challenge would have taken the score back.
    #[serde(default)]
    pub phonies: Vec<String>,
    /// Why the turn could not be evaluated.
    pub problem: Option<String>,
}

/// Report of a whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameReport {
    pub language: String,
    pub players: Vec<String>,
    pub scores: Vec<i32>,
    pub turns: Vec<TurnReport>,
    /// Total loss in points per player, over the turns with known racks.
    pub lost: Vec<f64>,
    /// Two sentences on where the game turned.
    pub summary: String,
}

/// How much work a report takes.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisOptions {
    /// Entries per ranking.
    pub shown: usize,
    /// Rollouts per candidate and turn; 0 for static equity.
    pub iterations: u64,
    /// Time limit of the rollouts of one turn.
    pub time: Option<Duration>,
    /// Nodes per endgame search; 0 for static equity.
    pub endgame_nodes: u64,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self { shown: 6, iterations: 0, time: None, endgame_nodes: 20_000 }
    }
}

/// Candidates simulated per turn.
const CANDIDATES: usize = 10;

/// Reports on every turn of a game.
pub fn report_game(
    language: &GameLanguage,
    layout: &Layout,
    players: Vec<String>,
    turns: &[ReportedTurn],
    scores: &[i32],
    options: AnalysisOptions,
) -> GameReport {
    let dictionary = &language.dictionary;
    let mut board = TileBoard::new(layout);
    let mut totals = vec![0; players.len().max(1)];
    let mut reports = Vec::new();
    let mut passed = false;
    for turn in turns.iter().filter(|t| matches!(t.kind.as_str(), "play" | "exchange" | "pass")) {
        if game::cancelled() {
            break;
        }
        let context = TurnContext {
            language,
            layout,
            board: &board,
            turn,
            totals: &totals,
            seats: players.len(),
            passed,
            options,
        };
        reports.push(context.report(reports.len() as u32 + 1));
        if let Some(play) = context.parsed_play()
            && !turn.undone
        {
            with_graph!(dictionary, graph => { board.place(graph, dictionary.values(), &play); });
        }
        passed = turn.kind == "pass" || turn.undone;
        if let Some(total) = totals.get_mut(turn.seat) {
            *total = if turn.undone { turn.total - turn.score } else { turn.total };
        }
    }
    let mut lost = vec![0.0; players.len()];
    for report in &reports {
        if let (Some(loss), Some(sum)) = (report.loss, lost.get_mut(report.seat as usize)) {
            *sum += loss;
        }
    }
    let summary = summary(&players, &reports, scores);
    GameReport { language: language.code.clone(), players, scores: scores.to_vec(), turns: reports, lost, summary }
}

/// A turn with everything its evaluation needs.
struct TurnContext<'t> {
    language: &'t GameLanguage,
    layout: &'t Layout,
    board: &'t TileBoard,
    turn: &'t ReportedTurn,
    totals: &'t [i32],
    seats: usize,
    /// Whether the previous turn was a pass.
    passed: bool,
    options: AnalysisOptions,
}

impl TurnContext<'_> {
    /// The play on the board before the turn; none for other turns and unreadable plays.
    fn parsed_play(&self) -> Option<Play> {
        self.read_play().and_then(Result::ok)
    }

    fn read_play(&self) -> Option<Result<Play, String>> {
        let turn = self.turn;
        let (at, word) = (turn.at.as_deref().unwrap_or(""), turn.word.as_deref().unwrap_or(""));
        let parse = || parse_play(self.language.dictionary.alphabet(), self.board, at, word).map_err(|e| e.to_string());
        (turn.kind == "play").then(parse)
    }

    fn report(&self, number: u32) -> TurnReport {
        let (turn, alphabet) = (self.turn, self.language.dictionary.alphabet());
        let mut report = TurnReport {
            number,
            seat: turn.seat as u8,
            kind: turn.kind.clone(),
            text: match turn.kind.as_str() {
                "exchange" => format!("exchange {}", turn.word.as_deref().unwrap_or("")),
                other => other.to_owned(),
            },
            score: turn.score,
            total: turn.total,
            rack: turn.rack.clone(),
            board: self.board_rows(),
            ..TurnReport::default()
        };
        match self.read_play() {
            Some(Ok(play)) => {
                report.squares = play.laid_tiles().map(|(r, c, _)| (r as u8, c as u8)).collect();
                report.text = play_text(alphabet, self.board, &play);
                report.phonies = self.phonies(&play);
            }
            Some(Err(error)) => report.problem = Some(error),
            None => {}
        }
        let rack = turn.rack.as_deref().and_then(|r| alphabet.encode_rack(r).ok());
        if let Some(rack) = rack.filter(|r| !r.is_empty() && r.len() <= 7) {
            match unseen(&self.language.dictionary, self.board, &rack) {
                Some(hidden) => self.evaluate(&rack, &hidden, &mut report),
                None => report.problem = Some("more tiles than a set has".into()),
            }
        }
        report
    }

    fn board_rows(&self) -> Vec<Vec<String>> {
        let side = self.board.side();
        let cell = |r: usize, c: usize| match self.board.at(r, c) {
            0 => " ".to_owned(),
            t => tile_text(self.language.dictionary.alphabet(), t),
        };
        (0..side).map(|r| (0..side).map(|c| cell(r, c)).collect()).collect()
    }

    /// Words of a play that are not in the lexicon.
    fn phonies(&self, play: &Play) -> Vec<String> {
        let dictionary = &self.language.dictionary;
        let words = check_play(self.board, self.layout, dictionary.values(), play, 7).map_or(Vec::new(), |s| s.words);
        let phony = |w: &Vec<Tile>| (!dictionary.lexicon().contains(w)).then(|| dictionary.alphabet().decode(w));
        words.iter().filter_map(phony).collect()
    }

    fn one_ply(&self) -> OnePlyPlayer<'_> {
        let (dictionary, leaves) = (&self.language.dictionary, &self.language.leaves);
        OnePlyPlayer { dictionary, layout: self.layout, leaves, sort: MoveSort::Equity }
    }

    /// The move that was made: a play that was taken back counts as a pass; none if it cannot be read.
    fn made(&self) -> Option<PlayerMove> {
        let alphabet = self.language.dictionary.alphabet();
        Some(match self.turn.kind.as_str() {
            "play" if !self.turn.undone => PlayerMove::Play(self.parsed_play()?),
            "exchange" => PlayerMove::Exchange(alphabet.encode_rack(self.turn.word.as_deref()?).ok()?),
            _ => PlayerMove::Pass,
        })
    }

    fn entry(&self, turn: &PlayerMove, score: i32, value: f64) -> RankingEntry {
        let alphabet = self.language.dictionary.alphabet();
        let text = match turn {
            PlayerMove::Play(play) => play_text(alphabet, self.board, play),
            PlayerMove::Exchange(tiles) => format!("exchange {}", alphabet.decode(tiles)),
            PlayerMove::Pass => "pass".into(),
        };
        RankingEntry { text, score, value }
    }

    /// Fills in rankings, equity, loss and win probabilities.
    fn evaluate(&self, rack: &[Tile], hidden: &[Tile], report: &mut TurnReport) {
        let bag = hidden.len().saturating_sub((self.seats.max(2) - 1) * 7);
        let own = self.totals.get(self.turn.seat).copied().unwrap_or(0);
        let others = self.totals.iter().enumerate().filter(|(i, _)| *i != self.turn.seat);
        let lead = own - others.map(|(_, &t)| t).max().unwrap_or(0);
        let position = KnownPosition {
            board: self.board,
            rack,
            unseen: hidden,
            opponent_tiles: hidden.len() - bag,
            opponent_known: &[],
            lead,
            inference: None,
            positional: Some(&self.language.positional),
        };
        let player = self.one_ply();
        let ranked = rank_moves(&player, &position, usize::MAX);
        self.rank_by_other_players(rack, bag, &ranked, report);
        let made = self.made();
        let score = if self.turn.undone { 0 } else { self.turn.score };
        let exact = bag == 0 && self.seats <= 2 && hidden.len() <= 7 && self.options.endgame_nodes > 0;
        if exact && self.evaluate_endgame(&position, &ranked, made.as_ref(), report) {
            return;
        }
        if self.options.iterations > 0 && self.seats <= 2 && bag > 0 {
            self.evaluate_by_rollouts(&position, &ranked, made.as_ref().map(|m| (m, score)), report);
            return;
        }
        report.method = "static".into();
        report.best =
            ranked.iter().take(self.options.shown).map(|t| self.entry(&t.turn, t.score, t.points())).collect();
        let win = |points: f64| 1.0 - self.language.win.chance(-(f64::from(lead) + points), hidden.len());
        let equity = made.and_then(|made| move_equity(&player, &position, &made, score));
        self.fill(report, ranked.first().map(|t| (t.points(), win(t.points()))), equity.map(|e| (e, win(e))));
    }

    /// Rankings by score and by Dvořák's weighted player.
    fn rank_by_other_players(&self, rack: &[Tile], bag: usize, ranked: &[RankedTurn], report: &mut TurnReport) {
        let language = self.language;
        let plays: Vec<&Play> =
            ranked.iter().filter_map(|t| if let PlayerMove::Play(p) = &t.turn { Some(p) } else { None }).collect();
        let entry = |play: &Play, value: f64| self.entry(&PlayerMove::Play(*play), play.score.into(), value);
        let mut by_score = plays.clone();
        by_score.sort_by_key(|p| std::cmp::Reverse(p.score));
        report.greedy = by_score.iter().take(self.options.shown).map(|p| entry(p, p.score.into())).collect();
        let weights = language.dvorak_weights.clone();
        let mut weighted = Weighted::new(&language.dictionary, self.layout, weights, LetterTerms::Printed);
        weighted.players = self.seats.max(2);
        let mut by_weight: Vec<(f64, &Play)> =
            plays.iter().map(|p| (weighted.value(self.board, rack, bag, p), *p)).collect();
        by_weight.sort_by(|a, b| b.0.total_cmp(&a.0));
        report.weighted = by_weight.iter().take(self.options.shown).map(|(v, p)| entry(p, *v)).collect();
    }

    fn solve(&self, board: &TileBoard, racks: [Vec<Tile>; 2], passed: bool) -> EndgameSolution {
        let dictionary = &self.language.dictionary;
        let limits = EndgameLimits { nodes: Some(self.options.endgame_nodes), ..EndgameLimits::default() };
        Endgame { dictionary, layout: self.layout, board: board.clone(), racks, passed }.solve(limits)
    }

    /// Exact values of the best move and of the move made; false where the move made has no such value.
    fn evaluate_endgame(
        &self,
        position: &KnownPosition<'_>,
        ranked: &[RankedTurn],
        made: Option<&PlayerMove>,
        report: &mut TurnReport,
    ) -> bool {
        let dictionary = &self.language.dictionary;
        let opponent = position.unseen.to_vec();
        let best = self.solve(position.board, [position.rack.to_vec(), opponent.clone()], self.passed);
        let (value, proved) = match made {
            Some(PlayerMove::Play(play)) if report.phonies.is_empty() => {
                let Some(kept) = without(position.rack, play.rack_tiles()) else { return false };
                let score = self.turn.score;
                if kept.is_empty() {
                    (score + 2 * crate::rules::rack_value(dictionary, &opponent), true)
                } else {
                    let mut board = position.board.clone();
                    with_graph!(dictionary, graph => { board.place(graph, dictionary.values(), play); });
                    let after = self.solve(&board, [opponent, kept], false);
                    (score - after.value, after.status == ProofStatus::Proved)
                }
            }
            Some(PlayerMove::Pass) if !self.passed => {
                let after = self.solve(position.board, [opponent, position.rack.to_vec()], true);
                (-after.value, after.status == ProofStatus::Proved)
            }
            _ => return false,
        };
        report.method = "endgame".into();
        report.exact = proved && best.status == ProofStatus::Proved;
        let first = best.line.first().map(|step| step.as_ref().map_or(PlayerMove::Pass, |p| PlayerMove::Play(*p)));
        let score = |turn: &PlayerMove| if let PlayerMove::Play(p) = turn { p.score.into() } else { 0 };
        // only the best move has an exact value: the list ends with it
        report.best = first.iter().map(|t| self.entry(t, score(t), best.value.into())).collect();
        if report.best.is_empty() {
            report.best = ranked.iter().take(1).map(|t| self.entry(&t.turn, t.score, best.value.into())).collect();
        }
        let won = |value: i32| match (position.lead + value).signum() {
            1 => 1.0,
            0 => 0.5,
            _ => 0.0,
        };
        let top = best.value.max(value);
        self.fill(report, Some((top.into(), won(top))), Some((value.into(), won(value))));
        true
    }

    /// Mean spread and win probability of the best candidates and of the move made, by rollouts.
    fn evaluate_by_rollouts(
        &self,
        position: &KnownPosition<'_>,
        ranked: &[RankedTurn],
        made: Option<(&PlayerMove, i32)>,
        report: &mut TurnReport,
    ) {
        let player = self.one_ply();
        let mut turns: Vec<RankedTurn> = ranked.iter().take(CANDIDATES).cloned().collect();
        if let Some((turn, score)) = made
            && !turns.iter().any(|t| same_move(&t.turn, turn))
            && let Some(equity) = move_equity(&player, position, turn, score)
        {
            turns.push(RankedTurn { turn: turn.clone(), score, equity: (equity * 1000.0) as i32 });
        }
        let budget = SimulationBudget {
            candidates: turns.len(),
            iterations: self.options.iterations,
            time: self.options.time,
            plies: None,
            allocation: Allocation::Uniform,
            seed: u64::from(report.number),
            parallel: false,
        };
        let stop = AtomicBool::new(false);
        let result = simulate_turns(&player, &self.language.win, position, turns, budget, &stop);
        report.method = "simulated".into();
        let shown = result.candidates.iter().take(self.options.shown);
        report.best = shown.map(|c| self.entry(&c.turn, c.score, c.mean)).collect();
        let value = |c: &super::simulation::CandidateMove| (c.mean, c.win);
        let made = made.and_then(|(turn, _)| result.candidates.iter().find(|c| same_move(&c.turn, turn)).map(value));
        self.fill(report, result.candidates.first().map(value), made);
    }

    /// Equity, loss and win probabilities from (points, win probability) of the best move and of the move made.
    fn fill(&self, report: &mut TurnReport, best: Option<(f64, f64)>, made: Option<(f64, f64)>) {
        let Some((best, win_best)) = best else { return };
        report.win_best = Some(win_best);
        if let Some((equity, win)) = made {
            report.equity = Some(equity);
            report.loss = Some((best - equity).max(0.0));
            report.win = Some(win);
        }
    }
}

/// A rack without these tiles; none if it lacks one.
fn without(rack: &[Tile], tiles: impl Iterator<Item = Tile>) -> Option<Vec<Tile>> {
    let mut kept = rack.to_vec();
    for tile in tiles {
        let at = kept.iter().position(|&t| t == tile)?;
        kept.swap_remove(at);
    }
    Some(kept)
}

/// Whether two moves are the same, whatever score is written on them.
fn same_move(a: &PlayerMove, b: &PlayerMove) -> bool {
    match (a, b) {
        (PlayerMove::Play(a), PlayerMove::Play(b)) => {
            (a.direction, a.lane, a.start, a.tiles()) == (b.direction, b.lane, b.start, b.tiles())
        }
        (PlayerMove::Exchange(a), PlayerMove::Exchange(b)) => {
            let (mut a, mut b) = (a.clone(), b.clone());
            a.sort_unstable();
            b.sort_unstable();
            a == b
        }
        (a, b) => a == b,
    }
}

fn summary(players: &[String], turns: &[TurnReport], scores: &[i32]) -> String {
    let name = |seat: u8| players.get(seat as usize).map_or("?", String::as_str);
    let worst = turns.iter().filter(|t| t.loss.is_some()).max_by(|a, b| {
        let swing = |t: &TurnReport| t.win_best.unwrap_or(0.0) - t.win.unwrap_or(0.0) + t.loss.unwrap_or(0.0) * 0.001;
        swing(a).total_cmp(&swing(b))
    });
    let biggest = turns.iter().max_by_key(|t| t.score);
    let mut out = String::new();
    if let Some(turn) = biggest {
        out += &format!(
            "The highest score was {} by {} in turn {} ({} points).",
            turn.text,
            name(turn.seat),
            turn.number,
            turn.score
        );
    }
    match worst {
        Some(turn) if turn.loss.unwrap_or(0.0) >= 3.0 => {
            let best = turn.best.first().map_or("", |b| b.text.as_str());
            out += &format!(
                " The game turned most in turn {}, where {} played {} and {best} was worth {:.0} points more.",
                turn.number,
                name(turn.seat),
                turn.text,
                turn.loss.unwrap_or(0.0)
            );
        }
        Some(_) => out += " No turn lost more than a few points.",
        None => {
            let best = scores.iter().max().copied().unwrap_or(0);
            out += &format!(" The winning score was {best}; without racks no turn could be evaluated.");
        }
    }
    out
}
