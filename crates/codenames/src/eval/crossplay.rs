//! Games of one team against the board, between a spymaster and an operative that do not think alike.

use super::independent_check::illegal;
use crate::engine::meaning::LanguageModel;
use crate::engine::{BoardPosition, Card, PastTurn};
use crate::players::{Operative, Spymaster};
use crate::rules::{CardSide, Clue, Role, Team, deal_classic, deal_words};
use game::Seed;

/// What a lost game counts, in turns (the published frame).
pub const LOST: usize = 25;

/// One game.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossPlay {
    pub won: bool,
    /// Turns taken; 25 for a loss.
    pub turns: usize,
    pub assassin: bool,
    pub illegal: usize,
    /// The clues with what they were meant for and what was taken.
    pub played: Vec<PastTurn>,
}

/// A dealt board with its key seen by the team that starts.
pub fn random_board(lm: &LanguageModel, seed: u64) -> Vec<Card> {
    let mut rng = Seed(seed).rng(0xb0a4d);
    let words = deal_words(lm.boards(), &mut rng);
    let roles: Vec<Role> = deal_classic(Team::Red, &mut rng);
    words
        .into_iter()
        .zip(roles)
        .map(|(word, role)| Card { word: word.to_lowercase(), side: role.side(Team::Red), open: true })
        .collect()
}

/// Plays one board: nine own words, eight enemy, seven bystanders, one assassin; the enemy passes.
pub fn play_board(lm: &LanguageModel, spymaster: &Spymaster, operative: &Operative, cards: Vec<Card>) -> CrossPlay {
    let mut truth = BoardPosition::of_key(cards, Vec::new());
    let mut game = CrossPlay { won: false, turns: 0, assassin: false, illegal: 0, played: Vec::new() };
    while game.turns < LOST {
        let Some(idea) = spymaster.best_clues(lm, &truth, 1).into_iter().next() else { break };
        game.turns += 1;
        if illegal(&idea.word, &truth.open_words()) {
            game.illegal += 1;
        }
        let clue = Clue { word: idea.word, number: idea.number };
        truth.turns.push(PastTurn { own: true, clue: clue.clone(), guesses: Vec::new(), meant: idea.targets });
        let allowed = clue.number.guesses().map_or(usize::MAX, usize::from);
        for made in 0..allowed {
            let seen = truth.hidden();
            let card = match operative.next(lm, &seen) {
                Some(card) => card,
                None if made == 0 => match operative.rank(lm, &seen, &clue).first() {
                    Some(first) => first.card,
                    None => break,
                },
                None => break,
            };
            let side = truth.cards[card].side;
            let turns = std::mem::take(&mut truth.turns);
            let mut cards = std::mem::take(&mut truth.cards);
            cards[card].open = false;
            truth = BoardPosition::of_key(cards, turns);
            if let Some(turn) = truth.turns.last_mut() {
                turn.guesses.push((card, side));
            }
            if side != CardSide::Own || truth.own_left == 0 {
                game.assassin |= side == CardSide::Assassin;
                break;
            }
        }
        if truth.own_left == 0 {
            game.won = true;
            break;
        }
        if game.assassin || truth.enemy_left == 0 {
            break;
        }
    }
    if !game.won {
        game.turns = LOST;
    }
    game.played = truth.turns;
    game
}

/// Plays boards with the given seeds, one after the other.
pub fn crossplay(
    lm: &LanguageModel,
    spymaster: &Spymaster,
    operative: &Operative,
    seeds: impl Iterator<Item = u64>,
    mut heard: impl FnMut(u64, &CrossPlay),
) -> Vec<CrossPlay> {
    let play = |seed: u64| {
        let game = play_board(lm, spymaster, operative, random_board(lm, seed));
        heard(seed, &game);
        game
    };
    seeds.map(play).collect()
}
