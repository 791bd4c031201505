//! Win by fours: every move makes a four, every answer is forced, until two fours or a five cannot both be met.

use std::collections::HashSet;

use super::grid::{Grid, Index};
use crate::rules::Color;

/// A search for a win by fours, with a limit on its moves.
pub struct Fours {
    nodes_left: u32,
    /// Positions known to hold no such win.
    failed: HashSet<u64>,
}

impl Fours {
    /// A search that tries at most `nodes` fours.
    pub fn new(nodes: u32) -> Self {
        Self { nodes_left: nodes, failed: HashSet::new() }
    }

    /// The winning line of the side to move (its moves and the forced answers), if one is found.
    ///
    /// `None` means that none was found within the limit, not that there is none.
    pub fn win(&mut self, grid: &mut Grid) -> Option<Vec<Index>> {
        let mut line = Vec::new();
        self.attack(grid, &mut line).then_some(line)
    }

    fn attack(&mut self, grid: &mut Grid, line: &mut Vec<Index>) -> bool {
        let me = grid.to_move();
        if let Some(five) = grid.winning_cells(me).next() {
            line.push(five);
            return true;
        }
        if !grid.has_row(me, 3) || self.failed.contains(&grid.key()) {
            return false;
        }
        let threat = grid.winning_cells(me.opponent()).next();
        let tries: Vec<Index> = match threat {
            // Only a four that also stops the other side's five keeps the attack.
            Some(block) => grid.four_cells(me).filter(|&index| index == block).collect(),
            None => grid.four_cells(me).collect(),
        };
        for four in tries {
            if self.nodes_left == 0 {
                return false;
            }
            self.nodes_left -= 1;
            if self.follow(grid, four, me, line) {
                return true;
            }
        }
        self.failed.insert(grid.key());
        false
    }

    /// Plays one four and its forced answer, and goes on from there.
    fn follow(&mut self, grid: &mut Grid, four: Index, me: Color, line: &mut Vec<Index>) -> bool {
        if grid.forbidden(four, me) {
            return false;
        }
        grid.make(four);
        let depth = line.len();
        line.push(four);
        let fives: Vec<Index> = grid.winning_cells(me).take(2).collect();
        let won = match fives[..] {
            // The row cannot be completed after all (six where five is asked for, or both ends taken in caro).
            [] => false,
            // The answer may itself complete five: then the attack came too late.
            _ if grid.winning_cells(me.opponent()).next().is_some() => false,
            [answer] if !grid.forbidden(answer, me.opponent()) => {
                line.push(answer);
                grid.make(answer);
                let won = self.attack(grid, line);
                grid.unmake(answer);
                won
            }
            // Two points to stop, or one that the rule forbids.
            _ => true,
        };
        grid.unmake(four);
        if !won {
            line.truncate(depth);
        }
        won
    }
}
