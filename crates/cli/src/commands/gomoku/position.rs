//! A position given on the command line: rule, size, stones.

use anyhow::{Context, Result};
use gomoku::rules::{Color, Point, Rule};

/// Options that describe a position.
#[derive(clap::Args)]
pub struct PositionArgs {
    /// freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle")]
    pub rule: String,
    /// Points along a side of the board
    #[arg(long, default_value_t = 15)]
    pub size: u8,
    /// Stones in the order they were placed, black first: "H8 H9 …" (A1 is bottom left)
    #[arg(long, default_value = "")]
    pub stones: String,
    /// Whose move it is: 1 black, 2 white (otherwise from the number of stones)
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
        let mut stones = Vec::new();
        for (i, name) in self.stones.split_whitespace().enumerate() {
            let point = Point::parse(name, self.size).with_context(|| format!("--stones: stone {}", i + 1))?;
            stones.push((point, if i % 2 == 0 { Color::Black } else { Color::White }));
        }
        let mover = match self.side {
            Some(1) => Color::Black,
            Some(_) => Color::White,
            None if stones.len() % 2 == 0 => Color::Black,
            None => Color::White,
        };
        Ok(Given { rule, size: self.size, stones, mover })
    }
}

/// Names of points on a board.
pub fn names(points: &[Point], size: u8) -> Vec<String> {
    points.iter().map(|p| p.name(size).to_string()).collect()
}
