//! The position of a command: a CGP with an optional rack, in a lexicon.

use super::player_kit::PlayerKit;
use anyhow::{Result, bail};
use lexicon::Tile;
use scrabble::engine::simulation::KnownPosition;
use scrabble::formats::{Cgp, notation};
use scrabble::{Layout, PlayerMove, unseen};

#[derive(clap::Args)]
pub struct PositionArgs {
    /// The position as CGP: board, racks (side to move first), scores, turns without a score
    #[arg(long)]
    cgp: String,
    /// Rack of the side to move, instead of the one in the position
    #[arg(long)]
    rack: Option<String>,
    /// Lexicon file or name
    #[arg(long, default_value = "en")]
    lexicon: String,
}

/// A position read from the command line.
pub struct CommandPosition {
    pub kit: PlayerKit,
    pub cgp: Cgp,
    /// Tiles that are neither on the board nor on the rack of the side to move.
    pub unseen: Vec<Tile>,
}

impl PositionArgs {
    pub fn load(&self) -> Result<CommandPosition> {
        let mut kit = PlayerKit::load(&self.lexicon)?;
        kit.layout = Layout::named(Cgp::board_name(&self.cgp)?).expect("board_name names a shipped board");
        let mut cgp = Cgp::parse(&self.cgp, &kit.language.dictionary, &kit.layout)?;
        if let Some(named) = cgp.option("lex").filter(|named| !named.eq_ignore_ascii_case(&self.lexicon)) {
            eprintln!("the position names the lexicon {named}; the lexicon used is {}", self.lexicon);
        }
        if let Some(rack) = &self.rack {
            cgp.racks[0] = kit.language.dictionary.alphabet().encode_rack(rack)?;
        }
        if cgp.racks[0].is_empty() || cgp.racks[0].len() > 7 {
            bail!("the side to move needs a rack of one to seven tiles");
        }
        let Some(hidden) = unseen(&kit.language.dictionary, &cgp.board, &cgp.racks[0]) else {
            bail!("the position has more tiles than a set");
        };
        Ok(CommandPosition { kit, cgp, unseen: hidden })
    }
}

impl CommandPosition {
    /// What the side to move knows; `opponent_known` are tiles known to be on the opponent's rack.
    pub fn known<'p>(&'p self, opponent_known: &'p [Tile]) -> KnownPosition<'p> {
        KnownPosition {
            board: &self.cgp.board,
            rack: &self.cgp.racks[0],
            unseen: &self.unseen,
            opponent_tiles: self.unseen.len().min(7),
            opponent_known,
            lead: self.cgp.scores[0] - self.cgp.scores[1],
            inference: None,
            positional: Some(&self.kit.language.positional),
        }
    }

    /// A move in notation.
    pub fn text(&self, turn: &PlayerMove) -> String {
        let alphabet = self.kit.language.dictionary.alphabet();
        match turn {
            PlayerMove::Play(play) => notation::play_text(alphabet, &self.cgp.board, play),
            PlayerMove::Exchange(tiles) => format!("exchange {}", alphabet.decode(tiles)),
            PlayerMove::Pass => "pass".into(),
        }
    }
}
