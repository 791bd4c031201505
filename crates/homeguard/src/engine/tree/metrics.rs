//! The five simulated preferences (Šindelář 2024, section 4.5; after Browne and Maire 2010), averaged over branches (7.5).
//!
//! Only one score is stored, so with the winner's sign `w` of the last score the winner's advantage is `w·A` and the
//! loser's `−w·A`. Branches with a level end have no winner and count as 0 in the winner-based metrics.

use super::data::PlaythroughTree;

/// The five measures of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TreeMetrics {
    /// How far the later winner was behind.
    pub drama: f64,
    /// How far the course of the score was from a straight line to its end.
    pub uncertainty: f64,
    /// The same in the second half only.
    pub late_uncertainty: f64,
    /// Number of lead changes.
    pub lead_change: f64,
    /// How often it changed whether the player could still come out ahead.
    pub lead_possibility_change: f64,
}

impl TreeMetrics {
    /// Names in the order of [`TreeMetrics::values`].
    pub const NAMES: [&str; 5] = ["drama", "uncertainty", "late_uncertainty", "lead_change", "lead_possibility_change"];

    /// The five values in the order of the thesis.
    pub fn values(&self) -> [f64; 5] {
        [self.drama, self.uncertainty, self.late_uncertainty, self.lead_change, self.lead_possibility_change]
    }

    /// Measures a tree over all its branches.
    pub fn of(tree: &PlaythroughTree) -> Self {
        TreeMetrics::over(tree, 0..tree.branches())
    }

    /// Measures a tree over its important branches: those whose best reachable score in the middle of the game is
    /// above the median.
    pub fn of_important(tree: &PlaythroughTree) -> Self {
        if tree.branches() == 0 {
            return TreeMetrics::default();
        }
        let middle = tree.layers() / 2;
        let mut hopes: Vec<i16> = (0..tree.branches()).map(|b| tree.best(b)[middle.min(tree.layers() - 1)]).collect();
        let of_branch = hopes.clone();
        hopes.sort_unstable();
        let median = hopes[hopes.len() / 2];
        TreeMetrics::over(tree, (0..tree.branches()).filter(|b| of_branch[*b] > median))
    }

    fn over(tree: &PlaythroughTree, branches: impl Iterator<Item = usize>) -> Self {
        let mut sum = TreeMetrics::default();
        let mut count = 0usize;
        for branch in branches {
            let scores = tree.scores(branch);
            let (one, two, three) = winner_based(scores);
            sum.drama += one;
            sum.uncertainty += two;
            sum.late_uncertainty += three;
            sum.lead_change += f64::from(sign_changes(scores));
            sum.lead_possibility_change += f64::from(sign_changes(tree.best(branch)));
            count += 1;
        }
        let share = if count == 0 { 0.0 } else { 1.0 / count as f64 };
        TreeMetrics {
            drama: sum.drama * share,
            uncertainty: sum.uncertainty * share,
            late_uncertainty: sum.late_uncertainty * share,
            lead_change: sum.lead_change * share,
            lead_possibility_change: sum.lead_possibility_change * share,
        }
    }
}

/// Drama, uncertainty and late uncertainty of one branch.
fn winner_based(scores: &[i16]) -> (f64, f64, f64) {
    let last = f64::from(scores.last().copied().unwrap_or(0));
    if last == 0.0 {
        return (0.0, 0.0, 0.0);
    }
    let layers = scores.len();
    let winner = last.signum();
    let (mut drama, mut behind) = (0.0, 0usize);
    let (mut whole, mut late, mut late_count) = (0.0, 0.0, 0usize);
    for (i, score) in scores.iter().enumerate() {
        let advantage = winner * f64::from(*score);
        if advantage < 0.0 {
            // the loser's advantage less the winner's is twice the deficit
            drama += (-2.0 * advantage).sqrt();
            behind += 1;
        }
        let course = advantage / (winner * last) - (i + 1) as f64 / layers as f64;
        whole += course * course;
        if 2 * (i + 1) > layers {
            late += course * course;
            late_count += 1;
        }
    }
    (
        if behind > 0 { drama / behind as f64 } else { 0.0 },
        whole / layers as f64,
        if late_count > 0 { late / late_count as f64 } else { 0.0 },
    )
}

/// Changes of sign along a course; a zero inherits the sign before it.
fn sign_changes(values: &[i16]) -> u32 {
    let mut sign = 0;
    let mut changes = 0;
    for value in values {
        let now = value.signum();
        if now != 0 {
            changes += u32::from(sign != 0 && now != sign);
            sign = now;
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(branches: &[&[i16]]) -> PlaythroughTree {
        let layers = branches[0].len();
        let mut tree = PlaythroughTree {
            layers,
            actions: (0..branches.len()).flat_map(|b| vec![b as u8; layers]).collect(),
            scores: branches.concat(),
            ..PlaythroughTree::default()
        };
        tree.fill_best();
        tree
    }

    #[test]
    fn drama_is_the_mean_root_of_the_winners_deficit() {
        // behind by 10 twice: E^l − E^w = 20 both times
        let metrics = TreeMetrics::of(&tree(&[&[-10, -10, 0, 10]]));
        assert!((metrics.drama - 20f64.sqrt()).abs() < 1e-12);
        assert_eq!(metrics.lead_change, 1.0);
        assert_eq!(TreeMetrics::of(&tree(&[&[5, 10, 15, 20]])).drama, 0.0);
    }

    #[test]
    fn a_straight_course_has_no_uncertainty() {
        let straight = TreeMetrics::of(&tree(&[&[5, 10, 15, 20]]));
        assert!(straight.uncertainty < 1e-12 && straight.late_uncertainty < 1e-12);
        // 0, 0, 0, 20 differs from 1/4, 1/2, 3/4, 1 by those shares
        let late = TreeMetrics::of(&tree(&[&[0, 0, 0, 20]]));
        let expected = (0.0625 + 0.25 + 0.5625) / 4.0;
        assert!((late.uncertainty - expected).abs() < 1e-12);
        assert!((late.late_uncertainty - 0.5625 / 2.0).abs() < 1e-12);
    }

    #[test]
    fn level_ends_add_nothing_to_winner_based_measures_but_count_as_branches() {
        let metrics = TreeMetrics::of(&tree(&[&[-10, 10], &[-10, 0]]));
        assert!((metrics.drama - 20f64.sqrt() / 2.0).abs() < 1e-12);
        assert_eq!(metrics.lead_change, 0.5);
    }

    #[test]
    fn zeros_inherit_the_sign() {
        assert_eq!(sign_changes(&[0, 5, 0, 5]), 0);
        assert_eq!(sign_changes(&[0, 5, 0, -5, 5]), 2);
        assert_eq!(sign_changes(&[]), 0);
    }
}
