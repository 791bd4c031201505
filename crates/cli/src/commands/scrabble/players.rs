//! Players by name.

use anyhow::{Result, bail};
use scrabble::players::{
    Letters, Outlook, Player, Quick, Seen, StaticPlayer, Strong, Style, Think, Weighted, Weights, WinModel,
};
use scrabble::{Board, Dictionary, Layout, LeaveModel, Turn, with_graph};
use std::time::Duration;

/// Everything players are made of.
pub struct Kit {
    pub dictionary: Dictionary,
    pub layout: Layout,
    pub leaves: LeaveModel,
    pub win: WinModel,
    pub outlook: Outlook,
    /// Of the weighted player, with learned letters and with the study's own functions.
    pub weights: Weights,
    pub study_weights: Weights,
}

/// How long strong players think.
#[derive(clap::Args, Clone, Copy)]
pub struct Thinking {
    /// Milliseconds a move for strong players
    #[arg(long, default_value_t = 2000)]
    pub ms: u64,
    /// Tries a move for strong players, instead of time: the same seed then gives the same games
    #[arg(long)]
    pub tries: Option<u64>,
}

impl Thinking {
    pub fn think(self) -> Think {
        self.tries.map_or(Think::Time(Duration::from_millis(self.ms)), Think::Tries)
    }
}

impl std::fmt::Display for Thinking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.tries {
            Some(tries) => write!(f, "{tries} tries"),
            None => write!(f, "{} ms", self.ms),
        }
    }
}

/// Nodes of the endgame search of the static player.
pub const STATIC_ENDGAME_NODES: u64 = 600;

impl Kit {
    pub fn load(lexicon: &str) -> Result<Self> {
        let dictionary = super::lexicons::dictionary(lexicon)?;
        let layout = Layout::named("standard").expect("the standard board is shipped");
        let leaves = super::lexicons::leaves(&dictionary)?;
        let code = dictionary.alphabet().code().to_owned();
        let win = match super::lexicons::pack(&format!("lexicon/{code}.winprob")) {
            Some(path) => WinModel::from_bytes(&std::fs::read(path)?).unwrap_or_default(),
            None => WinModel::default(),
        };
        let weights = |name: &str| -> Result<Weights> {
            match super::lexicons::pack(&format!("lexicon/{code}.{name}")) {
                Some(path) => Weights::parse(&std::fs::read_to_string(path)?).map_err(anyhow::Error::msg),
                None => Ok(Weights::GREEDY),
            }
        };
        let (weights, study_weights) = (weights("weights")?, weights("study.weights")?);
        let outlook = match super::lexicons::pack(&format!("lexicon/{code}.outlook")) {
            Some(path) => Outlook::parse(&std::fs::read_to_string(path)?).map_err(anyhow::Error::msg)?,
            None => Outlook::default(),
        };
        Ok(Self { dictionary, layout, leaves, win, outlook, weights, study_weights })
    }

    pub fn quick(&self, style: Style) -> Quick<'_> {
        Quick { dictionary: &self.dictionary, layout: &self.layout, leaves: &self.leaves, style }
    }

    pub fn static_player(&self) -> StaticPlayer<'_> {
        StaticPlayer { quick: self.quick(Style::Static), outlook: &self.outlook, nodes: STATIC_ENDGAME_NODES }
    }

    pub fn player(&self, name: &str, thinking: Thinking) -> Result<Box<dyn Player + '_>> {
        Ok(match name {
            "greedy" => Box::new(self.quick(Style::Greedy)),
            "static" => Box::new(self.static_player()),
            "leaves" => Box::new(self.quick(Style::Static)),
            "weighted" => {
                let letters = Letters::Learned(&self.leaves);
                Box::new(Weighted::new(&self.dictionary, &self.layout, self.weights.clone(), letters))
            }
            "study" => {
                let weights = self.study_weights.clone();
                Box::new(Weighted::new(&self.dictionary, &self.layout, weights, Letters::Points))
            }
            "strong" => Box::new(Remembering {
                strong: Strong {
                    quick: self.quick(Style::Static),
                    win: &self.win,
                    outlook: Some(&self.outlook),
                    think: thinking.think(),
                    candidates: 15,
                    parallel: false,
                    infer: true,
                    before: None,
                },
            }),
            other => bail!("no player called {other:?}: greedy, study, weighted, leaves, static, strong"),
        })
    }
}

/// A strong player that works out the board before the other's last move, for looking back.
struct Remembering<'a> {
    strong: Strong<'a>,
}

impl Player for Remembering<'_> {
    fn choose(&mut self, seen: &Seen<'_>) -> Turn {
        self.strong.before = match seen.last {
            Some(Turn::Play(play)) => {
                let mut board: Board = seen.board.clone();
                play.laid_tiles().for_each(|(r, c, _)| board.put(r, c, 0));
                let dictionary = self.strong.quick.dictionary;
                with_graph!(dictionary, graph => board.refresh(graph, dictionary.values()));
                Some(board)
            }
            _ => None,
        };
        self.strong.choose(seen)
    }
}
