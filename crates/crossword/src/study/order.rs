//! In which order holes are filled (the study's figure 3.1).

use super::Hole;

/// How many of a hole's best words break ties.
const TIE_BREAK_WORDS: usize = 5;

/// Indices of the holes: first the one that crosses most others, then always the one that crosses most of those already
/// chosen; ties go to the larger sum of the five best similarities, then to the earlier hole.
pub fn order_holes(holes: &[Hole]) -> Vec<usize> {
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
    use super::super::Ranked;
    use super::*;

    #[test]
    fn the_most_crossed_hole_comes_first_and_ties_go_to_similarity() {
        let hole = |cells: &[usize], rank: f64| Hole {
            cells: cells.to_vec(),
            words: vec![Ranked { word: vec!['a'; cells.len()], rank }],
        };
        // Hole 0 crosses 1 and 2; hole 3 crosses 1 only; 1 and 2 tie, 2 has the better word.
        let holes = [hole(&[0, 1, 2], 0.5), hole(&[0, 3], 0.4), hole(&[2, 5], 0.6), hole(&[3, 4], 0.9)];
        assert_eq!(order_holes(&holes), [0, 2, 1, 3]);
    }
}
