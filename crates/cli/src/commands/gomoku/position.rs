//! A position given on the command line: rule, size, stones.

use anyhow::{Context, Result};
use gomoku::formats::plain;
use gomoku::rules::{Color, Point, Rule};

/// Options that describe a position.
#[derive(clap::Args)]
pub struct PositionArgs {
    /// Rule: freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    pub rule: String,
    /// Board size in points
    #[arg(long, default_value_t = 15)]
    pub size: u8,
    /// Stones in the order they were placed, black first, as in `h8i9` or "H8 I9" (A1 is bottom left)
    #[arg(long, default_value = "")]
    pub stones: String,
    /// Side to move: 1 black, 2 white; by default the side whose turn follows
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub side: Option<u8>,
}

/// A position ready for the engine.
pub struct Given {
    pub rule: Rule,
    pub size: u8,
    pub stones: Vec<(Point, Color)>,
    pub mover: Color,
}

impl PositionArgs {
    /// Reads the position.
    pub fn read(&self) -> Result<Given> {
        let rule: Rule = self.rule.parse().with_context(|| format!("--rule {}", self.rule))?;
        let points = plain::read(&self.stones, self.size).context("--stones")?;
        let stones: Vec<(Point, Color)> =
            points.into_iter().enumerate().map(|(i, point)| (point, Color::of_stone(i))).collect();
        let mover = match self.side {
            Some(1) => Color::Black,
            Some(_) => Color::White,
            None if stones.len().is_multiple_of(2) => Color::Black,
            None => Color::White,
        };
        Ok(Given { rule, size: self.size, stones, mover })
    }
}

/// Names of points on a board.
pub fn names(points: &[Point], size: u8) -> Vec<String> {
    points.iter().map(|p| p.name(size).to_string()).collect()
}
