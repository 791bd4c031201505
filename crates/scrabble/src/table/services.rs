//! Requests beside the table: check a tentative move, hint, analyse, heat map, report, files.

use super::bot::turn_text;
use super::export;
use super::game_impl::Scrabble;
use super::known::Known;
use super::language::Language;
use super::view::View;
use crate::analysis::GameReport;
use crate::formats::gcg::Gcg;
use crate::formats::notation::{coordinate, parse_play, word_text};
use crate::formats::{Cgp, notation};
use crate::players::Style;
use crate::players::simulate::{Effort, judged_ranking, simulate};
use crate::rules::{Layout, Turn, check_play, unseen};
use game::{Cost, Needs, RuleError, Service, ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// A move that is being laid.
#[derive(Deserialize, ToSchema)]
struct CheckRequest {
    /// Square and direction: `8D` across, `D8` down.
    at: String,
    /// The word, lower case for blanks, `.` for tiles already there.
    word: String,
}

#[derive(Serialize, ToSchema)]
struct WordCheck {
    word: String,
    valid: bool,
}

#[derive(Serialize, ToSchema)]
struct CheckAnswer {
    /// Whether the tiles may lie there and the rack has them.
    fits: bool,
    /// Whether all words exist.
    valid: bool,
    score: i32,
    words: Vec<WordCheck>,
    /// Why it does not fit.
    reason: Option<String>,
}

#[derive(Deserialize, ToSchema)]
struct HintRequest {
    /// 1 where, 2 which tiles, 3 the move.
    depth: u8,
}

#[derive(Serialize, ToSchema)]
struct HintAnswer {
    depth: u8,
    /// Squares (row, column) of the move.
    squares: Vec<(u8, u8)>,
    /// Tiles of the rack it uses, from depth 2 on.
    tiles: Option<Vec<String>>,
    /// The move, at depth 3.
    at: Option<String>,
    word: Option<String>,
    score: Option<i32>,
    /// `exchange` or `pass` when that is better than any play.
    instead: Option<String>,
}

#[derive(Deserialize, ToSchema)]
struct AnalyseRequest {
    /// How many moves.
    #[serde(default = "ten")]
    n: usize,
    /// Milliseconds of simulation; 0 ranks by static equity only.
    #[serde(default)]
    ms: u64,
}

fn ten() -> usize {
    10
}

/// One ranked move.
#[derive(Serialize, ToSchema)]
struct RankedMove {
    #[serde(rename = "move")]
    text: String,
    at: Option<String>,
    word: Option<String>,
    score: i32,
    /// Points: score and worth of the tiles kept, or the mean of the simulation.
    equity: f64,
    win_probability: f64,
    /// Tries of the simulation behind it.
    tries: u64,
}

#[derive(Serialize, ToSchema)]
struct AnalyseAnswer {
    moves: Vec<RankedMove>,
    /// Row by row, 0 to 1: where the strong player would lay tiles.
    heat: Vec<f64>,
    /// `static` or `simulated`.
    method: String,
}

#[derive(Deserialize, ToSchema)]
struct PositionRequest {
    language: String,
    /// The position as CGP; the first rack is the one to move.
    cgp: String,
    #[serde(default = "ten")]
    n: usize,
    #[serde(default)]
    ms: u64,
}

#[derive(Deserialize, ToSchema)]
struct ImportRequest {
    language: String,
    /// The record as GCG text.
    gcg: String,
}

#[derive(Deserialize, ToSchema)]
struct WordRequest {
    language: String,
    word: String,
}

#[derive(Serialize, ToSchema)]
struct WordAnswer {
    word: String,
    valid: bool,
    front: Vec<String>,
    back: Vec<String>,
}

#[derive(Deserialize, ToSchema)]
struct Nothing {}

pub(super) fn all() -> Vec<Service<Scrabble>> {
    let example = serde_json::json!({ "at": "8D", "word": "WORD" });
    let empty_board = format!("{} AEINRST/ 0/0 0", ["15"; 15].join("/"));
    vec![
        Service::new(
            "check",
            "Whether a tentative move fits, its words and its score.",
            Cost::Light,
            Needs::View,
            example,
            check,
        ),
        Service::new(
            "hint",
            "A hint in three depths: where, which tiles, the move.",
            Cost::Light,
            Needs::View,
            serde_json::json!({ "depth": 1 }),
            hint,
        ),
        Service::new(
            "analyse",
            "Ranked moves with equity and win probability, and a heat map of where they go.",
            Cost::Heavy,
            Needs::View,
            serde_json::json!({ "n": 10, "ms": 1000 }),
            analyse_view,
        ),
        Service::new(
            "report",
            "A finished game turn by turn: the move, the best move, what it cost, where the game turned.",
            Cost::Heavy,
            Needs::View,
            serde_json::json!({}),
            report_view,
        ),
        Service::new(
            "export",
            "The game as a file: a GCG record, or a report as one HTML page.",
            Cost::Heavy,
            Needs::View,
            serde_json::json!({ "format": "gcg", "players": ["Anna", "Bob"] }),
            export::export,
        ),
        Service::new(
            "position",
            "Ranked moves of any position given as CGP.",
            Cost::Heavy,
            Needs::Nothing,
            serde_json::json!({ "language": "en", "cgp": empty_board, "n": 5 }),
            position,
        ),
        Service::new(
            "import",
            "A GCG record as a report to step through.",
            Cost::Heavy,
            Needs::Nothing,
            serde_json::json!({ "language": "en", "gcg": "#player1 A A\n#player2 B B\n>A: AEINRST 8D STAINER +66 66\n" }),
            import,
        ),
        Service::new(
            "word",
            "Whether a word exists and what hooks onto it.",
            Cost::Light,
            Needs::Nothing,
            serde_json::json!({ "language": "en", "word": "rate" }),
            word,
        ),
    ]
}

pub(super) type Call<'a> = ServiceCall<'a, Scrabble>;

pub(super) fn language(game: &Scrabble, code: &str) -> Result<Arc<Language>, ServiceError> {
    game.languages.get(code).map_err(ServiceError::Unavailable)
}

pub(super) fn view<'a>(call: &Call<'a>) -> Result<&'a View, ServiceError> {
    call.view.ok_or_else(|| ServiceError::BadRequest("this is about a table".into()))
}

/// The view and what its own seat knows.
fn known(game: &Scrabble, call: &Call<'_>) -> Result<(Arc<Language>, Known), ServiceError> {
    let view = view(call)?;
    let language = language(game, &view.language)?;
    let seat = call.viewer.seat().filter(|_| view.rack.is_some());
    let seat = seat.ok_or_else(|| ServiceError::BadRequest("only somebody who plays has a rack to look at".into()))?;
    let known = Known::new(&language, view, seat).map_err(ServiceError::BadRequest)?;
    Ok((language, known))
}

fn check(game: &Scrabble, request: CheckRequest, call: Call<'_>) -> Result<CheckAnswer, ServiceError> {
    let (language, known) = known(game, &call)?;
    let dictionary = &language.dictionary;
    let refuse =
        |reason: String| CheckAnswer { fits: false, valid: false, score: 0, words: Vec::new(), reason: Some(reason) };
    let play = match parse_play(dictionary.alphabet(), &known.board, &request.at, &request.word) {
        Ok(play) => play,
        Err(error) => return Ok(refuse(error.to_string())),
    };
    let scored = match check_play(&known.board, &known.layout, dictionary.values(), &play, 7) {
        Ok(scored) => scored,
        Err(error) => return Ok(refuse(error.to_string())),
    };
    let mut left = known.rack.clone();
    for tile in play.rack_tiles() {
        match left.iter().position(|&t| t == tile) {
            Some(i) => {
                left.swap_remove(i);
            }
            None => return Ok(refuse(format!("the rack has no further {}", dictionary.alphabet().text(tile)))),
        }
    }
    let words: Vec<WordCheck> = scored
        .words
        .iter()
        .map(|w| WordCheck { word: dictionary.alphabet().decode(w), valid: dictionary.lexicon().contains(w) })
        .collect();
    let valid = words.iter().all(|w| w.valid);
    Ok(CheckAnswer { fits: true, valid, score: scored.score, words, reason: None })
}

fn hint(game: &Scrabble, request: HintRequest, call: Call<'_>) -> Result<HintAnswer, ServiceError> {
    let (language, known) = known(game, &call)?;
    if !(1..=3).contains(&request.depth) {
        return Err(ServiceError::Rule(RuleError::new("scrabble.hint", "hints have depth 1, 2 or 3")));
    }
    let player = known.quick(&language, Style::Static);
    let best = judged_ranking(&player, &known.situation(&language, None), 1).into_iter().next();
    let alphabet = language.dictionary.alphabet();
    let mut answer = HintAnswer {
        depth: request.depth,
        squares: Vec::new(),
        tiles: None,
        at: None,
        word: None,
        score: None,
        instead: None,
    };
    match best.map(|b| b.0) {
        Some(Turn::Play(play)) => {
            answer.squares = play.laid_tiles().map(|(r, c, _)| (r as u8, c as u8)).collect();
            if request.depth >= 2 {
                let mut tiles: Vec<u8> = play.rack_tiles().collect();
                tiles.sort_unstable();
                answer.tiles = Some(tiles.iter().map(|&t| alphabet.text(t).to_owned()).collect());
            }
            if request.depth == 3 {
                answer.at = Some(coordinate(&play));
                answer.word = Some(word_text(alphabet, &play));
                answer.score = Some(play.score.into());
            }
        }
        Some(Turn::Exchange(tiles)) => {
            answer.instead = Some("exchange".into());
            if request.depth >= 2 {
                answer.tiles = Some(tiles.iter().map(|&t| alphabet.text(t).to_owned()).collect());
            }
        }
        _ => answer.instead = Some("pass".into()),
    }
    Ok(answer)
}

fn analyse(language: &Language, known: &Known, n: usize, ms: u64, call: &Call<'_>) -> AnalyseAnswer {
    let player = known.quick(language, Style::Static);
    let inference = if ms > 0 { known.inference() } else { None };
    let situation = known.situation(language, inference.as_ref());
    let side = known.board.side();
    let mut heat = vec![0.0; side * side];
    let alphabet = language.dictionary.alphabet();
    let mut moves = Vec::new();
    let ranked = judged_ranking(&player, &situation, n.clamp(1, 200).max(15));
    let top = ranked.first().map_or(0, |r| r.2);
    for (turn, _, equity) in &ranked {
        if let Turn::Play(play) = turn {
            let weight = ((equity - top) as f64 / 8000.0).exp();
            play.laid_tiles().for_each(|(r, c, _)| heat[r * side + c] += weight);
        }
    }
    let most = heat.iter().copied().fold(0.0, f64::max);
    if most > 0.0 {
        heat.iter_mut().for_each(|h| *h /= most);
    }
    let mut push = |turn: &Turn, score: i32, equity: f64, win: f64, tries: u64| {
        let (at, word, text) = match turn {
            Turn::Play(play) => (
                Some(coordinate(play)),
                Some(word_text(alphabet, play)),
                notation::play_text(alphabet, &known.board, play),
            ),
            Turn::Exchange(tiles) => (None, None, format!("exchange {}", alphabet.decode(tiles))),
            Turn::Pass => (None, None, turn_text(language, known, turn)),
        };
        moves.push(RankedMove { text, at, word, score, equity, win_probability: win, tries });
    };
    let simulated = ms > 0 && known.seats == 2 && known.bag > 0;
    if simulated {
        let time = Some(Duration::from_millis(ms.min(60_000)));
        let effort =
            Effort { candidates: n.clamp(2, 40), iterations: u64::MAX, time, seed: call.seed, parallel: false };
        let result = simulate(&player, &language.win, &situation, effort, &call.control.stop_flag());
        for c in result.candidates.iter().take(n) {
            push(&c.turn, c.score, c.mean, c.win, c.tries);
        }
    } else {
        for (turn, score, equity) in ranked.iter().take(n) {
            let points = *equity as f64 / 1000.0;
            let win = 1.0 - language.win.chance(-(known.lead as f64 + points), situation.unseen.len());
            push(turn, *score, points, win, 0);
        }
    }
    AnalyseAnswer { moves, heat, method: if simulated { "simulated" } else { "static" }.into() }
}

fn analyse_view(game: &Scrabble, request: AnalyseRequest, call: Call<'_>) -> Result<AnalyseAnswer, ServiceError> {
    let (language, known) = known(game, &call)?;
    Ok(analyse(&language, &known, request.n, request.ms, &call))
}

fn position(game: &Scrabble, request: PositionRequest, call: Call<'_>) -> Result<AnalyseAnswer, ServiceError> {
    let language = language(game, &request.language)?;
    let bad = |e: String| ServiceError::BadRequest(e);
    let layout = Layout::named("standard").ok_or_else(|| bad("no standard board".into()))?;
    let cgp = Cgp::parse(&request.cgp, &language.dictionary, &layout).map_err(|e| bad(e.to_string()))?;
    let hidden = unseen(&language.dictionary, &cgp.board, &cgp.racks[0])
        .ok_or_else(|| bad("more tiles than a set has".into()))?;
    let other_rack = if cgp.racks[1].is_empty() { hidden.len().min(7) } else { cgp.racks[1].len() };
    let known = Known {
        layout,
        board: cgp.board,
        rack: cgp.racks[0].clone(),
        bag: hidden.len() - other_rack,
        unseen: hidden,
        other_rack,
        lead: cgp.scores[0] - cgp.scores[1],
        seats: 2,
        last: None,
    };
    Ok(analyse(&language, &known, request.n, request.ms, &call))
}

fn report_view(game: &Scrabble, _: Nothing, call: Call<'_>) -> Result<GameReport, ServiceError> {
    let view = view(&call)?;
    export::report(&*language(game, &view.language)?, view, &[])
}

fn import(game: &Scrabble, request: ImportRequest, _: Call<'_>) -> Result<GameReport, ServiceError> {
    let language = language(game, &request.language)?;
    let layout = Layout::named("standard").ok_or_else(|| ServiceError::BadRequest("no standard board".into()))?;
    let gcg = Gcg::parse(request.gcg.as_bytes()).map_err(|e| ServiceError::BadRequest(e.to_string()))?;
    Ok(gcg.report(&language, &layout))
}

fn word(game: &Scrabble, request: WordRequest, _: Call<'_>) -> Result<WordAnswer, ServiceError> {
    let language = language(game, &request.language)?;
    let alphabet = language.dictionary.alphabet();
    let tiles = alphabet.encode(&request.word).map_err(|e| ServiceError::BadRequest(e.to_string()))?;
    let hooks = language.dictionary.lexicon().hooks(&tiles);
    let texts = |tiles: &[u8]| tiles.iter().map(|&t| alphabet.text(t).to_owned()).collect();
    Ok(WordAnswer {
        word: alphabet.decode(&tiles),
        valid: language.dictionary.lexicon().contains(&tiles),
        front: texts(&hooks.front),
        back: texts(&hooks.back),
    })
}
