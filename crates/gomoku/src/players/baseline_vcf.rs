//! VCF (victory by continuous fours) on the row counts of the baseline player.

use std::collections::HashSet;

use super::row_counts::{Index, RowCounts};
use crate::rules::Color;

/// A VCF search with a limit on its moves.
pub struct BaselineVcf {
    nodes_left: u32,
    /// Positions known to hold no such win.
    failed: HashSet<u64>,
}

impl BaselineVcf {
    /// A search that tries at most `nodes` fours.
    pub fn new(nodes: u32) -> Self {
        Self { nodes_left: nodes, failed: HashSet::new() }
    }

    /// The winning line of the side to move (its moves and the forced answers), if one is found.
    ///
    /// `None` means that none was found within the limit, not that there is none.
    pub fn win(&mut self, grid: &mut RowCounts) -> Option<Vec<Index>> {
        let mut line = Vec::new();
        self.attack(grid, &mut line).then_some(line)
    }

    fn attack(&mut self, grid: &mut RowCounts, line: &mut Vec<Index>) -> bool {
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

    /// Plays one four and its forced answer, then searches on.
    fn follow(&mut self, grid: &mut RowCounts, four: Index, me: Color, line: &mut Vec<Index>) -> bool {
        if grid.forbidden(four, me) {
            return false;
        }
        grid.make(four);
        let depth = line.len();
        line.push(four);
        // The row may not be completable after all (six where five is asked for, both ends taken in caro), and the other
        // side may complete five first: then the attack is too slow.
        let threatens = grid.winning_cells(me).next().is_some();
        let late = grid.winning_cells(me.opponent()).next().is_some();
        let won = threatens
            && !late
            && match grid.defences(me)[..] {
                [] => true,
                [answer] => {
                    line.push(answer);
                    grid.make(answer);
                    let won = self.attack(grid, line);
                    grid.unmake(answer);
                    won
                }
                // Several ways to answer (caro): not forced.
                _ => false,
            };
        grid.unmake(four);
        if !won {
            line.truncate(depth);
        }
        won
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::crowded_setup;
    use crate::formats::{Record, plain};
    use crate::rules::{Board, Position, PositionSetup, Rule, Status};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Plays a claimed line by the rules: every answer must be the only one that does not lose at once.
    fn holds(setup: &PositionSetup, line: &[Index]) -> bool {
        let mut position = setup.position().unwrap();
        for (i, &index) in line.iter().enumerate() {
            let point = Board::point(index);
            if i % 2 == 1 {
                let others_lose = position.legal_points().filter(|&other| other != point).all(|other| {
                    let mut after = position.clone();
                    after.play(other).unwrap();
                    !after.is_over() && wins_at_once(&after)
                });
                if !others_lose {
                    return false;
                }
            }
            if position.play(point).is_err() {
                return false;
            }
        }
        // Either five stands, or five follows every answer.
        match position.status() {
            Status::Won { by, .. } => *by == setup.to_move,
            Status::Drawn => false,
            Status::Running => position.legal_points().all(|answer| {
                let mut after = position.clone();
                after.play(answer).unwrap();
                !after.is_over() && wins_at_once(&after)
            }),
        }
    }

    fn wins_at_once(position: &Position) -> bool {
        position.legal_points().any(|point| {
            let mut after = position.clone();
            after.play(point).unwrap();
            matches!(after.status(), Status::Won { .. })
        })
    }

    #[test]
    fn every_claimed_win_can_be_played_out() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut found = 0;
        for round in 0..400 {
            let mut setup = crowded_setup(&mut rng);
            setup.stones.retain(|_| rng.random_range(0..3) > 0);
            setup.rule = Rule::ALL[round % 5];
            setup.to_move = if rng.random() { Color::Black } else { Color::White };
            let Ok(position) = setup.position() else { continue };
            if position.is_over() {
                continue;
            }
            if let Some(line) = BaselineVcf::new(2_000).win(&mut RowCounts::new(&position)) {
                assert!(holds(&setup, &line), "{setup:?}: {line:?}");
                found += 1;
            }
        }
        assert!(found >= 50, "{found} wins");
    }

    #[test]
    fn finds_a_four_three_and_no_win_where_there_is_none() {
        let win = |stones: &str| {
            let position = Record::of_points(15, plain::read(stones, 15).unwrap()).position(Rule::Freestyle).unwrap();
            BaselineVcf::new(100).win(&mut RowCounts::new(&position)).is_some()
        };
        // Black has a three on the eighth row, stopped on the left; alone it gives one four and nothing more.
        assert!(!win("i8h8j8a1k8a3"));
        // With two more stones above L8, that four makes an open three as well.
        assert!(win("i8h8j8a1k8a3l9a5l10a7"));
    }
}
