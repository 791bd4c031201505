//! A language prepared for play, and the registry that loads languages on demand.

use crate::LeaveModel;
use crate::engine::{PositionalModel, WinModel};
use crate::players::PhaseWeights;
use crate::rules::Dictionary;
use lexicon::Frequencies;

/// Lexicon and learned values of one language.
pub struct GameLanguage {
    pub code: String,
    pub dictionary: Dictionary,
    pub leaves: LeaveModel,
    pub win: WinModel,
    pub positional: PositionalModel,
    pub frequencies: Frequencies,
    /// Weights of the weighted player with learned letter values, and with Dvořák's functions.
    pub weights: PhaseWeights,
    pub dvorak_weights: PhaseWeights,
}

/// The languages of an installation, loaded on first use.
pub type LanguageRegistry = game::LanguageCache<GameLanguage>;
