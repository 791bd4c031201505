//! The order in which slots are filled (Gdowski 2019, figure 3.1).

use super::Slot;

/// Number of best words whose similarities break ties.
const TIE_BREAK_WORDS: usize = 5;

/// Indices of the slots: first the one with most crossings, then always the one with most crossings into chosen slots;
/// ties go to the larger sum of the five best similarities, then to the earlier slot.
pub fn order_holes(holes: &[Slot]) -> Vec<usize> {
    let crosses = |a: usize, b: usize| a != b && holes[a].cells.iter().any(|cell| holes[b].cells.contains(cell));
    let tie_break = |hole: usize| -> f64 { holes[hole].words.iter().take(TIE_BREAK_WORDS).map(|word| word.rank).sum() };
    let mut left: Vec<usize> = (0..holes.len()).collect();
    let mut chosen: Vec<usize> = Vec::with_capacity(holes.len());
    while !left.is_empty() {
        let count = |hole: usize| {
            if chosen.is_empty() {
                (0..holes.len()).filter(|&other| crosses(hole, other)).count()
            } else {
                chosen.iter().filter(|&&other| crosses(hole, other)).count()
            }
        };
        let better = |&(_, &a): &(usize, &usize), &(_, &b): &(usize, &usize)| {
            count(a).cmp(&count(b)).then(tie_break(a).total_cmp(&tie_break(b))).then(b.cmp(&a))
        };
        let (at, _) = left.iter().enumerate().max_by(better).expect("some hole is left");
        chosen.push(left.remove(at));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::RankedWord;
    use super::*;

    #[test]
    fn the_most_crossed_hole_comes_first_and_ties_go_to_similarity() {
        let hole = |cells: &[usize], rank: f64| Slot {
            cells: cells.to_vec(),
            words: vec![RankedWord { word: vec!['a'; cells.len()], rank }],
        };
        // Slot 0 crosses 1 and 2; slot 3 crosses 1 only; 1 and 2 tie, 2 has the better word.
        let holes = [hole(&[0, 1, 2], 0.5), hole(&[0, 3], 0.4), hole(&[2, 5], 0.6), hole(&[3, 4], 0.9)];
        assert_eq!(order_holes(&holes), [0, 2, 1, 3]);
    }
}
