//! Players by name.

use super::external::ExternalPlayer;
use anyhow::{Result, bail};
use scrabble::engine::{MoveSort, OnePlyPlayer};
use scrabble::players::{EnginePlayer, LetterTerms, MoveBudget, PlayerView, StaticPlayer, Strong, Weighted};
use scrabble::table::GameLanguage;
use scrabble::{Layout, PlayerMove, TileBoard, with_graph};
use std::time::Duration;

/// Everything a player needs: a language with its learned values, and a board layout.
pub struct PlayerKit {
    pub language: GameLanguage,
    pub layout: Layout,
}

/// Search budget of the strong player.
#[derive(clap::Args, Clone, Copy)]
pub struct SearchBudget {
    /// Milliseconds per move of the strong player
    #[arg(long, default_value_t = 2000)]
    pub ms: u64,
    /// Iterations per move of the strong player instead of time; the same seed then gives the same games
    #[arg(long, alias = "tries")]
    pub iterations: Option<u64>,
}

impl SearchBudget {
    pub fn move_budget(self) -> MoveBudget {
        self.iterations.map_or(MoveBudget::Time(Duration::from_millis(self.ms)), MoveBudget::Iterations)
    }
}

impl std::fmt::Display for SearchBudget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.iterations {
            Some(iterations) => write!(f, "{iterations} iterations"),
            None => write!(f, "{} ms", self.ms),
        }
    }
}

/// Endgame nodes of the static player.
pub const STATIC_ENDGAME_NODES: u64 = 600;

impl PlayerKit {
    /// Loads a language by name or file.
    pub fn load(lexicon: &str) -> Result<Self> {
        let language = super::lexicons::language(lexicon)?;
        let layout = Layout::named("standard").expect("the standard board is shipped");
        Ok(Self { language, layout })
    }

    pub fn one_ply(&self, sort: MoveSort) -> OnePlyPlayer<'_> {
        OnePlyPlayer {
            dictionary: &self.language.dictionary,
            layout: &self.layout,
            leaves: &self.language.leaves,
            sort,
        }
    }

    pub fn static_player(&self) -> StaticPlayer<'_> {
        StaticPlayer {
            one_ply: self.one_ply(MoveSort::Equity),
            positional: &self.language.positional,
            nodes: STATIC_ENDGAME_NODES,
        }
    }

    pub fn player(&self, name: &str, budget: SearchBudget) -> Result<Box<dyn EnginePlayer + '_>> {
        Ok(match name {
            "greedy" => Box::new(self.one_ply(MoveSort::Score)),
            "static" => Box::new(self.static_player()),
            "leaves" => Box::new(self.one_ply(MoveSort::Equity)),
            "weighted" => {
                let letters = LetterTerms::Learned(&self.language.leaves);
                Box::new(Weighted::new(&self.language.dictionary, &self.layout, self.language.weights.clone(), letters))
            }
            "dvorak" | "study" => {
                let weights = self.language.dvorak_weights.clone();
                Box::new(Weighted::new(&self.language.dictionary, &self.layout, weights, LetterTerms::Printed))
            }
            "strong" => Box::new(InferringPlayer {
                strong: Strong {
                    one_ply: self.one_ply(MoveSort::Equity),
                    win: &self.language.win,
                    positional: Some(&self.language.positional),
                    budget: budget.move_budget(),
                    candidates: 15,
                    parallel: false,
                    infer: true,
                    before: None,
                },
            }),
            other => match other.strip_prefix("external:") {
                Some(command) => {
                    let go = match budget.iterations {
                        Some(iterations) => format!("go iterations {iterations}"),
                        None => format!("go movetime {}", budget.ms),
                    };
                    Box::new(ExternalPlayer::start(command, go, &self.language, &self.layout)?)
                }
                None => bail!(
                    "no player called {other:?}: greedy, dvorak, weighted, leaves, static, strong, or external:COMMAND"
                ),
            },
        })
    }
}

/// A strong player that reconstructs the board before the opponent's last move, for inference.
struct InferringPlayer<'a> {
    strong: Strong<'a>,
}

impl EnginePlayer for InferringPlayer<'_> {
    fn choose(&mut self, seen: &PlayerView<'_>) -> PlayerMove {
        self.strong.before = match seen.last {
            Some(PlayerMove::Play(play)) => {
                let mut board: TileBoard = seen.board.clone();
                play.laid_tiles().for_each(|(r, c, _)| board.put(r, c, 0));
                let dictionary = self.strong.one_ply.dictionary;
                with_graph!(dictionary, graph => board.refresh(graph, dictionary.values()));
                Some(board)
            }
            _ => None,
        };
        self.strong.choose(seen)
    }
}
