//! A game looked at afterwards: every turn with the move, what greedy, weighted and the strong player (before it tries
//! anything) would have ranked, and what it cost.

use crate::engine::simulation::{KnownPosition, equity_ranking, positional_equity, ranked_moves};
use crate::engine::{MoveSort, OnePlyPlayer};
use crate::formats::notation::{parse_play, play_text, tile_text};
use crate::players::{LetterTerms, Weighted};
use crate::rules::{Layout, Play, PlayerMove, TileBoard, rack_value, unseen};
use crate::table::GameLanguage;
use crate::with_graph;
use serde::{Deserialize, Serialize};
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
    /// In points, as the ranking's player values it.
    pub value: f64,
}

/// One turn of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TurnReport {
    pub number: u32,
    pub seat: u8,
    pub kind: String,
    #[serde(rename = "move")]
    pub text: String,
    pub score: i32,
    pub total: i32,
    pub rack: Option<String>,
    /// The board before the turn, row by row; a space where nothing lies, lower case for blanks.
    pub board: Vec<Vec<String>>,
    /// Squares (row, column) that the turn covered.
    pub squares: Vec<(u8, u8)>,
    /// Rankings; empty where the rack is not known.
    pub best: Vec<RankingEntry>,
    pub greedy: Vec<RankingEntry>,
    pub weighted: Vec<RankingEntry>,
    /// Equity of the move made, and how much less it is than the best.
    pub equity: Option<f64>,
    pub loss: Option<f64>,
    /// Chance to win after the best move and after the one made.
    pub win_best: Option<f64>,
    pub win: Option<f64>,
    /// What could not be followed.
    pub problem: Option<String>,
}

/// A whole game looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameReport {
    pub language: String,
    pub players: Vec<String>,
    pub scores: Vec<i32>,
    pub turns: Vec<TurnReport>,
    /// Points given away in all, per player, where racks are known.
    pub lost: Vec<f64>,
    /// Two sentences on where the game turned.
    pub summary: String,
}

/// Moves shown per ranking.
const SHOWN: usize = 6;

/// Looks at every turn of a game.
pub fn report_game(
    language: &GameLanguage,
    layout: &Layout,
    players: Vec<String>,
    turns: &[ReportedTurn],
    scores: &[i32],
) -> GameReport {
    let dictionary = &language.dictionary;
    let mut board = TileBoard::new(layout);
    let mut totals = vec![0; players.len().max(1)];
    let mut reports = Vec::new();
    for turn in turns.iter().filter(|t| matches!(t.kind.as_str(), "play" | "exchange" | "pass")) {
        let mut report = look(language, layout, &board, turn, reports.len() as u32 + 1, &totals, players.len());
        if turn.kind == "play" {
            let parsed = parse_play(
                dictionary.alphabet(),
                &board,
                turn.at.as_deref().unwrap_or(""),
                turn.word.as_deref().unwrap_or(""),
            );
            match parsed {
                Ok(play) => {
                    report.squares = play.laid_tiles().map(|(r, c, _)| (r as u8, c as u8)).collect();
                    report.text = play_text(dictionary.alphabet(), &board, &play);
                    if !turn.undone {
                        with_graph!(dictionary, graph => { board.place(graph, dictionary.values(), &play); });
                    }
                }
                Err(error) => report.problem = Some(error.to_string()),
            }
        }
        if let Some(total) = totals.get_mut(turn.seat) {
            *total = if turn.undone { turn.total - turn.score } else { turn.total };
        }
        reports.push(report);
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

fn look(
    language: &GameLanguage,
    layout: &Layout,
    board: &TileBoard,
    turn: &ReportedTurn,
    number: u32,
    totals: &[i32],
    players: usize,
) -> TurnReport {
    let dictionary = &language.dictionary;
    let alphabet = dictionary.alphabet();
    let side = board.side();
    let cell = |r: usize, c: usize| match board.at(r, c) {
        0 => " ".to_owned(),
        t => tile_text(alphabet, t),
    };
    let text = match turn.kind.as_str() {
        "exchange" => format!("exchange {}", turn.word.as_deref().unwrap_or("")),
        other => other.to_owned(),
    };
    let mut report = TurnReport {
        number,
        seat: turn.seat as u8,
        kind: turn.kind.clone(),
        text,
        score: turn.score,
        total: turn.total,
        rack: turn.rack.clone(),
        board: (0..side).map(|r| (0..side).map(|c| cell(r, c)).collect()).collect(),
        squares: Vec::new(),
        best: Vec::new(),
        greedy: Vec::new(),
        weighted: Vec::new(),
        equity: None,
        loss: None,
        win_best: None,
        win: None,
        problem: None,
    };
    let Some(rack) =
        turn.rack.as_deref().and_then(|r| alphabet.encode_rack(r).ok()).filter(|r| !r.is_empty() && r.len() <= 7)
    else {
        return report;
    };
    let Some(hidden) = unseen(dictionary, board, &rack) else {
        report.problem = Some("more tiles than a set has".into());
        return report;
    };
    let others = (players.max(2) - 1) * 7;
    let bag = hidden.len().saturating_sub(others);
    let own = totals.get(turn.seat).copied().unwrap_or(0);
    let rival = totals.iter().enumerate().filter(|(i, _)| *i != turn.seat).map(|(_, &t)| t).max().unwrap_or(0);
    let one_ply = OnePlyPlayer { dictionary, layout, leaves: &language.leaves, sort: MoveSort::Equity };
    let known_position = KnownPosition {
        board,
        rack: &rack,
        unseen: &hidden,
        opponent_tiles: hidden.len() - bag,
        lead: own - rival,
        inference: None,
        positional: Some(&language.positional),
    };
    let ranked = equity_ranking(&one_ply, &known_position, 4000);
    let choice = |turn: &PlayerMove, score: i32, value: f64| {
        let text = match turn {
            PlayerMove::Play(play) => play_text(alphabet, board, play),
            PlayerMove::Exchange(tiles) => format!("exchange {}", alphabet.decode(tiles)),
            PlayerMove::Pass => "pass".into(),
        };
        RankingEntry { text, score, value }
    };
    let positional_equity = ranked_moves(&one_ply, &known_position, SHOWN);
    report.best = positional_equity.iter().map(|(t, s, e)| choice(t, *s, *e as f64 / 1000.0)).collect();
    let plays: Vec<&Play> =
        ranked.iter().filter_map(|(t, ..)| if let PlayerMove::Play(p) = t { Some(p) } else { None }).collect();
    let mut by_score = plays.clone();
    by_score.sort_by_key(|p| std::cmp::Reverse(p.score));
    report.greedy =
        by_score.iter().take(SHOWN).map(|p| choice(&PlayerMove::Play(**p), p.score.into(), p.score.into())).collect();
    let weighted = Weighted::new(dictionary, layout, language.weights.clone(), LetterTerms::Learned(&language.leaves));
    let mut by_weight: Vec<(f64, &Play)> = plays.iter().map(|p| (weighted.value(board, &rack, bag, p), *p)).collect();
    by_weight.sort_by(|a, b| b.0.total_cmp(&a.0));
    report.weighted =
        by_weight.iter().take(SHOWN).map(|(v, p)| choice(&PlayerMove::Play(**p), p.score.into(), *v)).collect();
    let made = equity_made(&one_ply, &known_position, turn);
    let win = |equity: f64| 1.0 - language.win.chance(-((own - rival) as f64 + equity), hidden.len());
    if let Some(best) = report.best.first() {
        report.win_best = Some(win(best.value));
        if let Some(equity) = made {
            report.equity = Some(equity);
            report.loss = Some((best.value - equity).max(0.0));
            report.win = Some(win(equity));
        }
    }
    report
}

/// Equity of the move that was made, as the ranking has it, whether or not its words exist.
fn equity_made(one_ply: &OnePlyPlayer<'_>, known_position: &KnownPosition<'_>, turn: &ReportedTurn) -> Option<f64> {
    let alphabet = one_ply.dictionary.alphabet();
    let bag = known_position.unseen.len() - known_position.opponent_tiles;
    let rack = one_ply.rack(known_position.rack, bag, rack_value(one_ply.dictionary, known_position.unseen));
    let (play, given) = match turn.kind.as_str() {
        // a play that was taken back is a turn that lays nothing
        "play" if !turn.undone => (
            Some(parse_play(alphabet, known_position.board, turn.at.as_deref()?, turn.word.as_deref()?).ok()?),
            Vec::new(),
        ),
        "exchange" => (None, alphabet.encode_rack(turn.word.as_deref()?).ok()?),
        _ => (None, Vec::new()),
    };
    let used = play.iter().flat_map(Play::rack_tiles).chain(given);
    let score = if play.is_some() { turn.score } else { 0 };
    let equity = score * 1000 + rack.keep_value(rack.remaining(used)?);
    Some(positional_equity(one_ply, known_position, play.as_ref(), score, equity) as f64 / 1000.0)
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
        Some(_) => out += " No turn gave away more than a few points.",
        None => {
            let best = scores.iter().max().copied().unwrap_or(0);
            out += &format!(" The winning score was {best}; without racks nothing more can be said.");
        }
    }
    out
}
