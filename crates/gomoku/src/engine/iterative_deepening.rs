//! Iterative deepening, search threads and time management.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::api::{Score, SearchInfo, SearchLimits, SearchReport, Variation};
use super::evaluator::Evaluator;
use super::geometry::Cell;
use super::pattern_board::PatternBoard;
use super::pattern_tables::Class;
use super::search::{FORCED, MATE, Searcher, SharedState};
use super::transposition::SharedTable;
use super::tuning::Tuning;
use super::vcf::{Vcf, Verdict};
use super::vct::Vct;
use crate::rules::{Color, Point};

/// Deepest iteration.
const MAX_DEPTH: u32 = 100;
/// Attacking moves of the VCF search before the tree search.
const ROOT_VCF: u64 = 30_000;

/// Depth of the VCT search before the tree search, in threes.
const VCT_DEPTH: i32 = 12;
const LONGEST_VCT: Duration = Duration::from_secs(3);

/// The time budget of one move.
struct TimeManager {
    start: Instant,
    /// The search ends here.
    hard: Option<Duration>,
    /// No new iteration starts after this.
    soft: Option<Duration>,
}

impl TimeManager {
    fn new(limits: &SearchLimits, stones: usize, area: usize) -> Self {
        let start = Instant::now();
        let turn = limits.turn.map(|turn| turn.saturating_sub(Duration::from_millis(8) + turn / 64));
        let share = limits.match_left.map(|left| {
            let coming = (area.saturating_sub(stones) / 2).clamp(4, 22) as u32;
            left / coming
        });
        let (hard, soft) = match (turn, share) {
            (turn, None) => (turn, turn),
            (None, Some(share)) => (Some(share * 2), Some(share * 7 / 10)),
            (Some(turn), Some(share)) => (Some(turn.min(share * 2)), Some(turn.min(share * 7 / 10))),
        };
        Self { start, hard, soft }
    }
}

/// One request to the search.
pub struct SearchRequest<'a> {
    pub position: &'a mut PatternBoard,
    pub mover: Color,
    pub limits: &'a SearchLimits,
    pub stop: &'a AtomicBool,
    pub table: &'a mut SharedTable,
    pub threads: usize,
    pub tuning: &'a Tuning,
}

/// Runs a request. `None`: the side to move has no legal move.
pub fn answer<J: Evaluator + Clone + Send>(
    question: SearchRequest<'_>,
    evaluator: J,
    on_info: &mut dyn FnMut(&SearchInfo<'_>),
) -> Option<SearchReport> {
    let SearchRequest { position, mover, limits, stop, table, threads, tuning } = question;
    let area = position.size() * position.size();
    let clock = TimeManager::new(limits, position.moves().len(), area);
    let single = limits.multi_pv <= 1;
    let mut vcf = Vcf::default();
    if single && let Some(line) = at_once(position, mover, &mut vcf) {
        let forced = position.count(mover.opponent(), Class::Five) == 1 && line.score.forced_in().is_none();
        if limits.value_forced && forced {
            let request = SearchRequest { position, mover, limits, stop, table, threads, tuning };
            return Some(behind_forced_reply(request, evaluator, &line, &clock, on_info));
        }
        return Some(finish(vec![line], 0, vcf.nodes, &clock, on_info));
    }
    let mut legal = legal_moves(position, mover);
    if legal.is_empty() {
        return None;
    }
    let mut solver_nodes = vcf.nodes;
    if single {
        let mut vct = Vct::default();
        let found = win_by_threats(position, mover, limits, &clock, tuning.root_vct, &mut vct);
        solver_nodes += vct.nodes();
        if let Some(line) = found {
            return Some(finish(vec![line], 0, solver_nodes, &clock, on_info));
        }
    }
    table.next_generation();
    let shared = SharedState {
        table,
        stop,
        ended: AtomicBool::new(false),
        deadline: clock.hard.map(|hard| clock.start + hard),
        node_limit: limits.nodes.unwrap_or(u64::MAX),
        helper_nodes: AtomicU64::new(0),
    };
    let mut searcher = Searcher::new(position.clone(), evaluator.clone(), &shared, tuning.clone(), limits.seed);
    let lines = std::thread::scope(|scope| {
        for helper in 1..threads.max(1) {
            let (position, evaluator, shared, tuning) = (position.clone(), evaluator.clone(), &shared, tuning.clone());
            let seed = limits.seed ^ helper as u64 ^ 0x5EED;
            scope.spawn(move || help(Searcher::new(position, evaluator, shared, tuning, seed), mover, helper));
        }
        let lines = deepen(&mut searcher, mover, limits, &clock, (legal.len(), tuning.window), on_info);
        shared.ended.store(true, Ordering::Relaxed);
        lines
    });
    solver_nodes += searcher.vcf.nodes;
    let nodes = searcher.nodes + shared.helper_nodes.load(Ordering::Relaxed);
    let mut lines = lines;
    if lines.is_empty() {
        // the first iteration did not finish: the legal move with the best ordering score
        legal.sort_by_key(|&cell| {
            let own = position.urgency(cell, mover).attack;
            let theirs = position.urgency(cell, mover.opponent()).defend;
            std::cmp::Reverse(i32::from(own) + i32::from(theirs))
        });
        lines.push(line(position.evaluate(mover), 0, &legal[..1]));
    }
    Some(finish(lines, nodes, solver_nodes, &clock, &mut |_| {}))
}

fn line(score: i32, depth: u32, moves: &[Cell]) -> Variation {
    let score = Score(score);
    Variation {
        score,
        win_probability: score.win_probability(),
        depth,
        moves: moves.iter().map(|c| c.point()).collect(),
    }
}

fn finish(
    lines: Vec<Variation>,
    nodes: u64,
    solver_nodes: u64,
    clock: &TimeManager,
    on_info: &mut dyn FnMut(&SearchInfo<'_>),
) -> SearchReport {
    let elapsed = clock.start.elapsed();
    on_info(&SearchInfo { index: 0, line: &lines[0], nodes, elapsed });
    SearchReport { best: lines[0].moves[0], depth: lines[0].depth, lines, nodes, solver_nodes, elapsed }
}

/// Moves that need no search: a five, the only defence, the centre of an empty board, a VCF win.
fn at_once(position: &mut PatternBoard, me: Color, vcf: &mut Vcf) -> Option<Variation> {
    let you = me.opponent();
    if position.moves().is_empty() {
        let middle = (position.size() / 2) as u8;
        return Some(line(0, 0, &[Cell::of(Point { x: middle, y: middle })]));
    }
    if let Some(cell) = position.find(me, Class::Five) {
        return Some(line(MATE - 1, 1, &[cell]));
    }
    if let Some(cell) = position.find(you, Class::Five) {
        if position.count(you, Class::Five) == 1 && position.is_allowed(cell, me) {
            return Some(line(position.evaluate(me), 1, &[cell]));
        }
        if position.is_allowed(cell, me) {
            return Some(line(-(MATE - 2), 1, &[cell]));
        }
        return None;
    }
    if vcf.search(position, me, ROOT_VCF) == Verdict::Win {
        let moves = vcf.line();
        return Some(line(MATE - moves.len() as i32 - 2, moves.len() as u32, moves));
    }
    None
}

/// The report of a forced reply: the search behind it, seen from the side that replies.
fn behind_forced_reply<J: Evaluator + Clone + Send>(
    request: SearchRequest<'_>,
    evaluator: J,
    reply: &Variation,
    clock: &TimeManager,
    on_info: &mut dyn FnMut(&SearchInfo<'_>),
) -> SearchReport {
    let SearchRequest { position, mover, limits, stop, table, threads, tuning } = request;
    let before = |found: &Variation| {
        let score = match found.score.0 {
            value if value >= FORCED => 1 - value,
            value if value <= -FORCED => -value - 1,
            value => -value,
        };
        let mut moves = reply.moves.clone();
        moves.extend(&found.moves);
        let score = Score(score);
        Variation { score, win_probability: score.win_probability(), depth: found.depth + 1, moves }
    };
    position.place(Cell::of(reply.moves[0]), mover);
    let inner = SearchRequest { position, mover: mover.opponent(), limits, stop, table, threads, tuning };
    let found = answer(inner, evaluator, &mut |info: &SearchInfo<'_>| {
        on_info(&SearchInfo { line: &before(info.line), ..info.clone() });
    });
    position.undo();
    match found {
        Some(report) => SearchReport {
            best: reply.moves[0],
            lines: report.lines.iter().map(before).collect(),
            depth: report.depth + 1,
            ..report
        },
        None => finish(vec![reply.clone()], 0, 0, clock, on_info),
    }
}

/// A VCT win, with a share of the budget.
fn win_by_threats(
    position: &mut PatternBoard,
    me: Color,
    limits: &SearchLimits,
    clock: &TimeManager,
    percent: i32,
    vct: &mut Vct,
) -> Option<Variation> {
    let percent = percent.max(0) as u32;
    let nodes = limits.nodes.map_or(u64::MAX / 2, |nodes| nodes * u64::from(percent) / 100);
    let deadline = clock.hard.map(|hard| clock.start + (hard * percent / 100).min(LONGEST_VCT));
    if percent == 0 || (limits.nodes.is_none() && deadline.is_none()) {
        return None;
    }
    let verdict = vct.search(position, me, VCT_DEPTH, nodes, deadline);
    let moves = vct.line();
    (verdict == Verdict::Win && !moves.is_empty()).then(|| line(MATE - moves.len() as i32, moves.len() as u32, moves))
}

/// Every legal cell.
pub fn legal_moves(position: &mut PatternBoard, me: Color) -> Vec<Cell> {
    let mut cells = position.empties().to_vec();
    cells.retain(|&cell| position.is_allowed(cell, me));
    cells
}

fn help<J: Evaluator>(mut searcher: Searcher<'_, J>, mover: Color, helper: usize) {
    let mut depth = 1 + (helper % 2) as i32;
    while depth <= MAX_DEPTH as i32 && !searcher.is_stopped() {
        searcher.root_depth = depth;
        searcher.root(mover, -MATE, MATE, depth);
        depth += 1;
    }
    searcher.shared.helper_nodes.fetch_add(searcher.nodes, Ordering::Relaxed);
}

fn deepen<J: Evaluator>(
    searcher: &mut Searcher<'_, J>,
    mover: Color,
    limits: &SearchLimits,
    clock: &TimeManager,
    (legal, window): (usize, i32),
    on_info: &mut dyn FnMut(&SearchInfo<'_>),
) -> Vec<Variation> {
    let wanted = limits.multi_pv.max(1).min(legal);
    let mut lines: Vec<Variation> = Vec::new();
    let mut steady = 0;
    for depth in 1..=limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) {
        let mut found: Vec<Variation> = Vec::new();
        searcher.root_excluded.clear();
        searcher.root_depth = depth as i32;
        for index in 0..wanted {
            let before = lines.get(index).map(|l| l.score.0);
            let Some(next) = aspire(searcher, mover, depth, before, window) else { break };
            let info = SearchInfo { index, line: &next, nodes: searcher.nodes, elapsed: clock.start.elapsed() };
            on_info(&info);
            searcher.root_excluded.push(Cell::of(next.moves[0]));
            found.push(next);
        }
        if searcher.is_stopped() {
            // the first line of an unfinished iteration has been searched at least as deep as before
            let complete = found.len() == wanted || wanted == 1 || lines.is_empty();
            if complete && !found.is_empty() {
                lines = found;
            }
            break;
        }
        // In renju every point near the stones may be forbidden to black.
        if found.is_empty() {
            break;
        }
        found.sort_by_key(|l| std::cmp::Reverse(l.score));
        steady = match lines.first() {
            Some(last) if last.moves[0] == found[0].moves[0] => steady + 1,
            _ => 0,
        };
        lines = found;
        let score = lines[0].score.0;
        let decided = score.abs() >= FORCED && lines.len() == 1 && depth as i32 > MATE - score.abs();
        if decided || (legal == 1 && depth >= 2) {
            break;
        }
        if let (Some(soft), Some(_)) = (clock.soft, limits.match_left) {
            let factor = if steady >= 4 {
                70
            } else if steady == 0 {
                130
            } else {
                100
            };
            if clock.start.elapsed() * 100 >= soft * factor {
                break;
            }
        } else if let Some(soft) = clock.soft
            && clock.start.elapsed() * 10 >= soft * 9
        {
            break;
        }
    }
    lines
}

/// One iteration with an aspiration window around the last value.
fn aspire<J: Evaluator>(
    searcher: &mut Searcher<'_, J>,
    mover: Color,
    depth: u32,
    before: Option<i32>,
    window: i32,
) -> Option<Variation> {
    let mut width = window;
    let (mut alpha, mut beta) = match before {
        Some(value) if depth >= 4 && value.abs() < FORCED => (value - width, value + width),
        _ => (-MATE, MATE),
    };
    let mut partial: Option<Variation> = None;
    loop {
        let value = searcher.root(mover, alpha, beta, depth as i32);
        let moves = searcher.line().to_vec();
        if searcher.is_stopped() {
            // a move that beat alpha before time ran out is a verified improvement
            if !moves.is_empty() && value > alpha {
                return Some(line(value, depth, &moves));
            }
            return partial;
        }
        if value <= alpha && alpha > -MATE {
            beta = (alpha + beta) / 2;
            alpha = (value - width).max(-MATE);
        } else if value >= beta && beta < MATE {
            if !moves.is_empty() {
                partial = Some(line(value, depth, &moves));
            }
            beta = (value + width).min(MATE);
        } else {
            if moves.is_empty() {
                return None;
            }
            return Some(line(value, depth, &moves));
        }
        width *= 3;
        if width > 1500 {
            (alpha, beta) = (-MATE, MATE);
        }
    }
}
