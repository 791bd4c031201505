//! The computer levels, from beginner to full strength.

use super::action::Action;
use super::game::Scrabble;
use super::knowledge::SeatKnowledge;
use super::language::GameLanguage;
use super::settings::Challenge;
use super::view::View;
use crate::engine::movegen::{MoveGenerator, NoLeaves, Rack};
use crate::engine::{MoveSort, rank_moves};
use crate::formats::notation::{coordinate, play_text, word_text};
use crate::players::{LetterTerms, MoveBudget, Strong, Weighted, endgame_turn};
use crate::rules::{Play, PlayerMove, check_play, rack_value};
use crate::with_graph;
use game::{Bot, BotError, Budget, Choice, Control, Level, Seat, Thought};
use rand::RngExt;
use std::time::Duration;

/// How a level plays.
pub(super) enum Kind {
    /// Words of at least this Zipf frequency, at most this many tiles, at this quantile of the plays by score.
    People {
        zipf: f32,
        most_tiles: u8,
        rank: f64,
    },
    Greedy,
    /// The weighted player of Dvořák 2006.
    Weighted,
    Static,
    Full,
}

/// One level.
pub(super) struct LevelSpec {
    pub id: &'static str,
    name: &'static str,
    description: &'static str,
    kind: Kind,
    budget: Budget,
}

impl LevelSpec {
    pub(super) fn level(&self) -> Level {
        Level { id: self.id.into(), name: self.name.into(), description: self.description.into(), budget: self.budget }
    }
}

const QUICK: Budget = Budget::Nodes(500);

/// The levels, weakest first.
pub(super) const LEVELS: [LevelSpec; 7] = [
    LevelSpec {
        id: "beginner",
        name: "Beginner",
        description: "Lays short, common words and misses most chances.",
        kind: Kind::People { zipf: 4.0, most_tiles: 4, rank: 0.5 },
        budget: QUICK,
    },
    LevelSpec {
        id: "learner",
        name: "Learner",
        description: "Knows everyday words and likes a good score.",
        kind: Kind::People { zipf: 3.5, most_tiles: 5, rank: 0.8 },
        budget: QUICK,
    },
    LevelSpec {
        id: "casual",
        name: "Casual",
        description: "Takes the highest score among words most people know.",
        kind: Kind::People { zipf: 2.8, most_tiles: 7, rank: 1.0 },
        budget: QUICK,
    },
    LevelSpec {
        id: "club",
        name: "Club",
        description: "Knows the whole lexicon and takes the highest score.",
        kind: Kind::Greedy,
        budget: QUICK,
    },
    LevelSpec {
        id: "dvorak",
        name: "Dvořák 2006",
        description: "The weighted player of the thesis: five functions of a move with evolved weights.",
        kind: Kind::Weighted,
        budget: QUICK,
    },
    LevelSpec {
        id: "expert",
        name: "Expert",
        description: "Weighs the score against the tiles it keeps and plays endgames well.",
        kind: Kind::Static,
        budget: Budget::Nodes(2_000),
    },
    LevelSpec {
        id: "master",
        name: "Master",
        description: "Simulates the replies, infers your rack and solves the end exactly.",
        kind: Kind::Full,
        budget: Budget::Time(Duration::from_secs(2)),
    },
];

/// A computer player of one level.
pub(super) struct TableBot {
    pub spec: &'static LevelSpec,
}

impl Bot<Scrabble> for TableBot {
    fn choose(
        &mut self,
        game: &Scrabble,
        seat: Seat,
        view: &View,
        budget: Budget,
        seed: u64,
        control: &Control,
    ) -> Result<Choice<Action>, BotError> {
        if view.to_move != Some(seat) || view.viewer != Some(seat) {
            return Err(BotError::NotToAct(seat));
        }
        let language = game.languages.get(&view.language).map_err(BotError::Other)?;
        if let Some(choice) = answer_last_play(&language, view) {
            return Ok(choice);
        }
        let known = SeatKnowledge::new(&language, view, seat).map_err(BotError::Other)?;
        let (turn, thought) = match &self.spec.kind {
            Kind::People { zipf, most_tiles, rank } => people(&language, &known, *zipf, *most_tiles, *rank, view, seed),
            Kind::Greedy => quick(&language, &known, MoveSort::Score),
            Kind::Weighted => weighted(&language, &known),
            Kind::Static => expert(&language, &known, view),
            Kind::Full => full(&language, &known, view, budget, seed, control),
        };
        let (turn, thought) = match turn {
            PlayerMove::Exchange(_) if scoreless(view) >= 2 * view.scores.len() => unstick(&language, &known),
            turn => (turn, thought),
        };
        Ok(Choice { action: action(&language, &turn), thought })
    }
}

/// Number of consecutive scoreless turns up to now.
fn scoreless(view: &View) -> usize {
    view.history.iter().rev().take_while(|turn| turn.kind == "exchange" || turn.kind == "pass").count()
}

/// Breaks an endless series of exchanges with the highest-scoring play or a pass.
fn unstick(language: &GameLanguage, known: &SeatKnowledge) -> (PlayerMove, Thought) {
    match all_plays(language, known).into_iter().max_by_key(|play| play.score) {
        Some(play) => (PlayerMove::Play(play), note("Enough tiles were exchanged.")),
        None => (PlayerMove::Pass, note("Nothing fits.")),
    }
}

/// A turn as an action of the table.
pub(super) fn action(language: &GameLanguage, turn: &PlayerMove) -> Action {
    let alphabet = language.dictionary.alphabet();
    match turn {
        PlayerMove::Play(play) => Action::Play { at: coordinate(play), word: word_text(alphabet, play) },
        PlayerMove::Exchange(tiles) => Action::Exchange { tiles: alphabet.decode(tiles) },
        PlayerMove::Pass => Action::Pass,
    }
}

/// Challenges a phony; accepts the last play of the game otherwise.
fn answer_last_play(language: &GameLanguage, view: &View) -> Option<Choice<Action>> {
    if view.can_challenge && view.challenge != Challenge::Void {
        let last = view.history.iter().rev().find(|t| t.kind == "play" && !t.undone)?;
        if let Some(word) = last.words.iter().find(|w| !language.dictionary.lexicon().contains_text(w)) {
            let thought = Thought { note: format!("{word} is not a word"), ..Thought::default() };
            return Some(Choice { action: Action::Challenge, thought });
        }
    }
    view.last_call.then(|| Choice { action: Action::Accept, thought: Thought::default() })
}

fn all_plays(language: &GameLanguage, known: &SeatKnowledge) -> Vec<Play> {
    let mut plays = Vec::new();
    let rack = Rack::new(&known.rack, &NoLeaves);
    with_graph!(language.dictionary, graph => {
        MoveGenerator::new(graph, language.dictionary.values(), &known.layout).all(&known.board, &rack, &mut plays);
    });
    plays
}

fn people(
    language: &GameLanguage,
    known: &SeatKnowledge,
    zipf: f32,
    most: u8,
    rank: f64,
    view: &View,
    seed: u64,
) -> (PlayerMove, Thought) {
    let dictionary = &language.dictionary;
    let mut plays = all_plays(language, known);
    plays.retain(|play| {
        play.laid <= most
            && check_play(&known.board, &known.layout, dictionary.values(), play, 7).is_ok_and(|scored| {
                scored.words.iter().all(|w| language.frequencies.zipf(w).is_some_and(|z| z >= zipf))
            })
    });
    if plays.is_empty() {
        // no known word fits: exchange tiles if allowed, otherwise take the lowest-scoring play
        if view.can_exchange && scoreless(view) == 0 {
            let mut tiles = known.rack.clone();
            tiles.retain(|&t| t != 0);
            tiles.sort_unstable_by_key(|&t| std::cmp::Reverse(dictionary.values()[t as usize]));
            tiles.truncate(4);
            if !tiles.is_empty() {
                return (PlayerMove::Exchange(tiles), note("No word comes to mind: some tiles go back."));
            }
        }
        plays = all_plays(language, known);
        plays.sort_by_key(|p| p.score);
        return match plays.first() {
            Some(&play) => (PlayerMove::Play(play), note("A small word that just fits.")),
            None => (PlayerMove::Pass, note("Nothing fits.")),
        };
    }
    plays.sort_by_key(|p| (p.score, p.direction, p.lane, p.start, p.length));
    let mut rng = game::Seed(seed).rng(1);
    let wobble = if rank < 1.0 { rng.random_range(-0.2..0.2) } else { 0.0 };
    let place = ((plays.len() - 1) as f64 * (rank + wobble).clamp(0.0, 1.0)).round() as usize;
    let play = plays[place];
    (PlayerMove::Play(play), note(&play_text(dictionary.alphabet(), &known.board, &play)))
}

fn note(text: &str) -> Thought {
    Thought { note: text.to_owned(), ..Thought::default() }
}

fn quick(language: &GameLanguage, known: &SeatKnowledge, sort: MoveSort) -> (PlayerMove, Thought) {
    let player = known.one_ply(language, sort);
    let turn = player.choose(&known.board, &known.rack, known.bag, rack_value(&language.dictionary, &known.unseen));
    let thought = note(&move_text(language, known, &turn));
    (turn, thought)
}

/// Dvořák's weighted player with his own functions.
fn weighted(language: &GameLanguage, known: &SeatKnowledge) -> (PlayerMove, Thought) {
    let weights = language.dvorak_weights.clone();
    let mut player = Weighted::new(&language.dictionary, &known.layout, weights, LetterTerms::Printed);
    player.players = known.seats;
    let turn = player.choose_move(&known.board, &known.rack, known.bag);
    let thought = note(&move_text(language, known, &turn));
    (turn, thought)
}

/// A move in notation, with its score.
pub(crate) fn move_text(language: &GameLanguage, known: &SeatKnowledge, turn: &PlayerMove) -> String {
    let alphabet = language.dictionary.alphabet();
    match turn {
        PlayerMove::Play(play) => format!("{} for {}", play_text(alphabet, &known.board, play), play.score),
        PlayerMove::Exchange(tiles) => format!("exchange {}", tiles.len()),
        PlayerMove::Pass => "pass".into(),
    }
}

fn expert(language: &GameLanguage, known: &SeatKnowledge, view: &View) -> (PlayerMove, Thought) {
    if known.bag == 0 && known.seats == 2 {
        let player = known.one_ply(language, MoveSort::Equity);
        let limits = crate::engine::endgame::EndgameLimits { nodes: Some(4_000), ..Default::default() };
        let (turn, _) = endgame_turn(&player, &known.board, &known.rack, &known.unseen, view.passes > 0, limits);
        let thought = note(&move_text(language, known, &turn));
        return (turn, thought);
    }
    let player = known.one_ply(language, MoveSort::Equity);
    let best = rank_moves(&player, &known.known_position(language, None), 1).into_iter().next();
    let turn = best.map_or(PlayerMove::Pass, |ranked| ranked.turn);
    let thought = note(&move_text(language, known, &turn));
    (turn, thought)
}

fn full(
    language: &GameLanguage,
    known: &SeatKnowledge,
    view: &View,
    budget: Budget,
    seed: u64,
    control: &Control,
) -> (PlayerMove, Thought) {
    if known.seats > 2 {
        return expert(language, known, view);
    }
    let move_budget = match budget {
        Budget::Nodes(nodes) => MoveBudget::Iterations(nodes),
        Budget::Time(time) => MoveBudget::Time(time),
    };
    let player = known.one_ply(language, MoveSort::Equity);
    if known.bag == 0 {
        let (turn, solution) = endgame_turn(
            &player,
            &known.board,
            &known.rack,
            &known.unseen,
            view.passes > 0,
            move_budget.endgame_limits(),
        );
        let proved = if solution.status == crate::engine::endgame::ProofStatus::Proved { "proved" } else { "searched" };
        let end = known.lead + solution.value;
        let win = match end.signum() {
            1 => 1.0,
            0 => 0.5,
            _ => 0.0,
        };
        let note = format!("{}; {proved}: the game ends {end:+}", move_text(language, known, &turn));
        return (turn, Thought { note, win_probability: Some(win), detail: serde_json::Value::Null });
    }
    let inference = known.inference();
    let known_position = known.known_position(language, inference.as_ref());
    let strong = Strong {
        one_ply: player,
        win: &language.win,
        positional: Some(&language.positional),
        budget: move_budget,
        candidates: 15,
        parallel: false,
        infer: true,
        before: None,
    };
    let stop = control.stop_flag();
    if known.bag == 1
        && let Some(best) = strong.one_in_bag(&known_position, seed, &stop)
    {
        let proved = if best.bound { "searched" } else { "solved for every tile in the bag" };
        let note = format!("{}; {proved}", move_text(language, known, &best.turn));
        return (best.turn, Thought { note, win_probability: Some(best.win), detail: serde_json::Value::Null });
    }
    let simulated = strong.simulate(&known_position, seed, &stop);
    match simulated.candidates.into_iter().next() {
        Some(best) => {
            let note = format!("{}; {} iterations", move_text(language, known, &best.turn), best.iterations);
            (best.turn, Thought { note, win_probability: Some(best.win), detail: serde_json::Value::Null })
        }
        None => (PlayerMove::Pass, Thought::default()),
    }
}
