//! Players by name.

use anyhow::{Result, bail};
use scrabble::engine::{MoveSort, OnePlyPlayer, PositionalModel, WinModel};
use scrabble::players::{EnginePlayer, LetterTerms, PhaseWeights, PlayerView, StaticPlayer, Strong, Think, Weighted};
use scrabble::{Dictionary, Layout, LeaveModel, PlayerMove, TileBoard, with_graph};
use std::time::Duration;

/// Everything a player needs: lexicon, layout and learned values.
pub struct PlayerKit {
    pub dictionary: Dictionary,
    pub layout: Layout,
    pub leaves: LeaveModel,
    pub win: WinModel,
    pub positional: PositionalModel,
    /// Weights of the weighted player with learned letter values, and with Dvořák's own functions.
    pub weights: PhaseWeights,
    pub dvorak_weights: PhaseWeights,
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
    pub fn think(self) -> Think {
        self.iterations.map_or(Think::Time(Duration::from_millis(self.ms)), Think::Iterations)
    }
}

impl std::fmt::Display for SearchBudget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.iterations {
            Some(iterations) => write!(f, "{iterations} tries"),
            None => write!(f, "{} ms", self.ms),
        }
    }
}

/// Endgame nodes of the static player.
pub const STATIC_ENDGAME_NODES: u64 = 600;

impl PlayerKit {
    pub fn load(lexicon: &str) -> Result<Self> {
        let dictionary = super::lexicons::dictionary(lexicon)?;
        let layout = Layout::named("standard").expect("the standard board is shipped");
        let leaves = super::lexicons::leaves(&dictionary)?;
        let code = dictionary.alphabet().code().to_owned();
        let win = match super::lexicons::pack(&format!("lexicon/{code}.winprob")) {
            Some(path) => WinModel::from_bytes(&std::fs::read(path)?).unwrap_or_default(),
            None => WinModel::default(),
        };
        let weights = |name: &str| -> Result<PhaseWeights> {
            match super::lexicons::pack(&format!("lexicon/{code}.{name}")) {
                Some(path) => PhaseWeights::parse(&std::fs::read_to_string(path)?).map_err(anyhow::Error::msg),
                None => Ok(PhaseWeights::GREEDY),
            }
        };
        let (weights, dvorak_weights) = (weights("weights")?, weights("study.weights")?);
        let positional = match super::lexicons::pack(&format!("lexicon/{code}.outlook")) {
            Some(path) => PositionalModel::parse(&std::fs::read_to_string(path)?).map_err(anyhow::Error::msg)?,
            None => PositionalModel::default(),
        };
        Ok(Self { dictionary, layout, leaves, win, positional, weights, dvorak_weights })
    }

    pub fn one_ply(&self, sort: MoveSort) -> OnePlyPlayer<'_> {
        OnePlyPlayer { dictionary: &self.dictionary, layout: &self.layout, leaves: &self.leaves, sort }
    }

    pub fn static_player(&self) -> StaticPlayer<'_> {
        StaticPlayer {
            one_ply: self.one_ply(MoveSort::Equity),
            positional: &self.positional,
            nodes: STATIC_ENDGAME_NODES,
        }
    }

    pub fn player(&self, name: &str, budget: SearchBudget) -> Result<Box<dyn EnginePlayer + '_>> {
        Ok(match name {
            "greedy" => Box::new(self.one_ply(MoveSort::Score)),
            "static" => Box::new(self.static_player()),
            "leaves" => Box::new(self.one_ply(MoveSort::Equity)),
            "weighted" => {
                let letters = LetterTerms::Learned(&self.leaves);
                Box::new(Weighted::new(&self.dictionary, &self.layout, self.weights.clone(), letters))
            }
            "dvorak" | "study" => {
                let weights = self.dvorak_weights.clone();
                Box::new(Weighted::new(&self.dictionary, &self.layout, weights, LetterTerms::Points))
            }
            "strong" => Box::new(InferringPlayer {
                strong: Strong {
                    one_ply: self.one_ply(MoveSort::Equity),
                    win: &self.win,
                    positional: Some(&self.positional),
                    think: budget.think(),
                    candidates: 15,
                    parallel: false,
                    infer: true,
                    before: None,
                },
            }),
            other => bail!("no player called {other:?}: greedy, dvorak, weighted, leaves, static, strong"),
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
