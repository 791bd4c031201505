//! A word-level model of unlisted answers: phrases, compounds and affixed words, generated from the beliefs of the grid.
//!
//! An unlisted answer is usually a phrase of known words written without spaces (OLYMPICFLAG) or a known word with an affix
//! (RETAG). [`PhraseModel::generate`] searches the segmentations of an entry into such pieces that agree best with the
//! letters the crossing entries suggest (n-best Viterbi search over a trie, compare Ginsberg 2011, section 4.2).

use crate::engine::inference::LetterIndex;

/// Lengths with a computed total.
const LONGEST: usize = 30;
/// Probability that another piece follows.
const CONTINUE: f64 = 0.5;
/// Exponent of word frequencies: phrases use rare words more often than running text does.
const FLATTEN: f64 = 0.6;
/// Hypotheses kept per boundary.
const BEAM: usize = 40;
/// A path is cut if its letters are this much less probable (natural log) than the best letters of its cells.
const CUT: f64 = 8.0;
/// Productive English affixes; a prefix starts an answer, a suffix follows a word.
const PREFIXES: [&str; 14] =
    ["RE", "UN", "NON", "PRE", "OUT", "OVER", "ANTI", "MIS", "SUB", "DE", "CO", "EX", "BE", "EN"];
const SUFFIXES: [&str; 19] = [
    "S", "D", "R", "RS", "ED", "ER", "ERS", "EST", "ING", "LY", "NESS", "LESS", "ISH", "ISM", "IST", "ISTS", "ABLE",
    "LIKE", "ES",
];
/// Probability of a particular affix, relative to the words.
const AFFIX: f64 = 2e-3;

/// What a piece may stand next to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Word,
    Prefix,
    Suffix,
}

/// A node of the trie of pieces.
#[derive(Clone, Debug)]
struct Node {
    letter: LetterIndex,
    /// Children, contiguous in the node list.
    children: (u32, u32),
    /// Log-probabilities of the pieces that end here.
    pieces: [f32; 3],
}

/// The model.
#[derive(Debug)]
pub struct PhraseModel {
    nodes: Vec<Node>,
    log_totals: Vec<f64>,
}

/// A partial segmentation that ends at a boundary.
#[derive(Clone)]
struct Hypothesis {
    /// Log-probability of the pieces plus log-evidence of the letters.
    score: f64,
    prior: f64,
    last: Piece,
    letters: Vec<LetterIndex>,
}

impl PhraseModel {
    /// Builds the model from words in grid form with their Zipf frequencies; `letters` maps a word to letter indices.
    pub fn new<'w>(
        words: impl IntoIterator<Item = (&'w str, f32)>,
        english: bool,
        letters: impl Fn(&str) -> Option<Vec<LetterIndex>>,
    ) -> Self {
        let mut pieces: Vec<(Vec<LetterIndex>, Piece, f64)> = Vec::new();
        for (word, zipf) in words {
            let length = word.chars().count();
            // Short rare words are mostly abbreviations, which phrases do not contain.
            let least = match length {
                0 => continue,
                1 => 6.0,
                2 => 4.6,
                3 => 3.0,
                _ => 0.0,
            };
            if zipf >= least
                && length <= LONGEST
                && let Some(word) = letters(word)
            {
                pieces.push((word, Piece::Word, 10f64.powf(f64::from(zipf.max(1.0)) * FLATTEN)));
            }
        }
        let total: f64 = pieces.iter().map(|(.., weight)| weight).sum::<f64>().max(1.0);
        pieces.iter_mut().for_each(|(.., weight)| *weight /= total);
        if english {
            for (list, piece) in [(&PREFIXES[..], Piece::Prefix), (&SUFFIXES[..], Piece::Suffix)] {
                pieces.extend(list.iter().filter_map(|affix| Some((letters(affix)?, piece, AFFIX))));
            }
        }
        pieces.sort_by(|a, b| a.0.cmp(&b.0));
        let mut model = Self { nodes: vec![Node::new(0)], log_totals: Vec::new() };
        model.grow(0, &pieces, 0);
        model.log_totals = totals(&pieces);
        model
    }

    /// Adds the subtree of `pieces`, which share their first `depth` letters, below a node.
    fn grow(&mut self, node: usize, pieces: &[(Vec<LetterIndex>, Piece, f64)], depth: usize) {
        let here = pieces.partition_point(|(word, ..)| word.len() <= depth);
        for (_, piece, weight) in &pieces[..here] {
            let slot = &mut self.nodes[node].pieces[*piece as usize];
            *slot = (f64::from(slot.exp()) + weight).ln() as f32;
        }
        let groups: Vec<&[_]> = pieces[here..].chunk_by(|a, b| a.0[depth] == b.0[depth]).collect();
        let first = self.nodes.len();
        self.nodes.extend(groups.iter().map(|group| Node::new(group[0].0[depth])));
        self.nodes[node].children = (first as u32, self.nodes.len() as u32);
        for (at, group) in groups.into_iter().enumerate() {
            self.grow(first + at, group, depth + 1);
        }
    }

    /// The segmentable strings that agree best with the evidence of the cells (`heard[at * letters + letter]`), with their
    /// log-probability among all segmentable strings of the length.
    pub fn generate(&self, heard: &[f64], letters: usize, length: usize, most: usize) -> Vec<(Vec<LetterIndex>, f64)> {
        if length >= self.log_totals.len() || !self.log_totals[length].is_finite() {
            return Vec::new();
        }
        let logs: Vec<f64> = heard.chunks(letters).flat_map(relative_logs).collect();
        let empty = Hypothesis { score: 0.0, prior: 0.0, last: Piece::Prefix, letters: Vec::new() };
        let mut boundaries: Vec<Vec<Hypothesis>> = vec![Vec::new(); length + 1];
        boundaries[0].push(empty);
        for start in 0..length {
            let hypotheses = keep_best(&mut boundaries[start], BEAM);
            if hypotheses.is_empty() {
                continue;
            }
            let mut found = Vec::new();
            self.walk(&Cells { logs: &logs, letters, length }, 0, start, 0.0, &mut Vec::new(), &mut found);
            for (piece, word, prior, score) in found {
                for hypothesis in &hypotheses {
                    let fits = match piece {
                        Piece::Word => true,
                        Piece::Prefix => start == 0,
                        Piece::Suffix => start > 0 && hypothesis.last == Piece::Word,
                    };
                    let end = start + word.len();
                    if !fits || (end == length && piece == Piece::Prefix) {
                        continue;
                    }
                    let more = if start == 0 { 0.0 } else { CONTINUE.ln() };
                    boundaries[end].push(Hypothesis {
                        score: hypothesis.score + score + prior + more,
                        prior: hypothesis.prior + prior + more,
                        last: piece,
                        letters: [hypothesis.letters.as_slice(), &word].concat(),
                    });
                }
                let end = start + word.len();
                if boundaries[end].len() > 50 * BEAM {
                    boundaries[end] = keep_best(&mut boundaries[end], BEAM);
                }
            }
        }
        let mut seen = std::collections::HashSet::new();
        let mut best = keep_best(&mut boundaries[length], 4 * most);
        best.retain(|hypothesis| seen.insert(hypothesis.letters.clone()));
        best.truncate(most);
        best.into_iter().map(|found| (found.letters, found.prior - self.log_totals[length])).collect()
    }

    /// Collects the pieces below a node that fit from cell `at` on.
    fn walk(
        &self,
        cells: &Cells<'_>,
        node: usize,
        at: usize,
        score: f64,
        path: &mut Vec<LetterIndex>,
        found: &mut Vec<(Piece, Vec<LetterIndex>, f64, f64)>,
    ) {
        for (piece, &prior) in [Piece::Word, Piece::Prefix, Piece::Suffix].into_iter().zip(&self.nodes[node].pieces) {
            if prior.is_finite() {
                found.push((piece, path.clone(), f64::from(prior), score));
            }
        }
        if at == cells.length {
            return;
        }
        let (first, end) = self.nodes[node].children;
        for child in first as usize..end as usize {
            let letter = self.nodes[child].letter;
            let next = score + cells.logs[at * cells.letters + usize::from(letter)];
            if next > -CUT {
                path.push(letter);
                self.walk(cells, child, at + 1, next, path, found);
                path.pop();
            }
        }
    }
}

/// The evidence of an entry's cells as logs, relative to the best letter of each cell.
struct Cells<'c> {
    logs: &'c [f64],
    letters: usize,
    length: usize,
}

impl Node {
    fn new(letter: LetterIndex) -> Self {
        Self { letter, children: (0, 0), pieces: [f32::NEG_INFINITY; 3] }
    }
}

fn relative_logs(cell: &[f64]) -> Vec<f64> {
    let top = cell.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    cell.iter().map(|weight| (weight / top).max(1e-12).ln()).collect()
}

/// Takes the best hypotheses out of a list, best first.
fn keep_best(list: &mut Vec<Hypothesis>, most: usize) -> Vec<Hypothesis> {
    let mut all = std::mem::take(list);
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.letters.cmp(&b.letters)));
    all.truncate(most);
    all
}

/// Log of the total probability of all segmentations, by length.
fn totals(pieces: &[(Vec<LetterIndex>, Piece, f64)]) -> Vec<f64> {
    let mut by_length = [[0.0f64; LONGEST + 1]; 3];
    for (word, piece, weight) in pieces.iter().filter(|(word, ..)| word.len() <= LONGEST) {
        by_length[*piece as usize][word.len()] += weight;
    }
    let [words, prefixes, suffixes] = by_length;
    // Totals of segmentations that end in a word, and in anything.
    let mut in_word = [0.0f64; LONGEST + 1];
    let mut all = [0.0f64; LONGEST + 1];
    for length in 1..=LONGEST {
        in_word[length] = words[length]
            + (1..length)
                .map(|last| (all[length - last] + prefixes[length - last]) * words[last] * CONTINUE)
                .sum::<f64>();
        let suffixed: f64 = (1..length).map(|last| in_word[length - last] * suffixes[last] * CONTINUE).sum();
        all[length] = in_word[length] + suffixed;
    }
    all.iter().map(|total| total.ln()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Option<Vec<LetterIndex>> {
        Some(text.bytes().map(|byte| byte - b'A').collect())
    }

    fn evidence(best: &str) -> Vec<f64> {
        best.bytes().flat_map(|byte| (b'A'..=b'Z').map(move |c| if c == byte { 0.4 } else { 0.024 })).collect()
    }

    #[test]
    fn phrases_and_affixed_words_are_generated() {
        let words = [("OLYMPIC", 4.5), ("FLAG", 4.5), ("TAG", 4.5), ("ROD", 4.0), ("IN", 7.0)];
        let model = PhraseModel::new(words, true, code);
        let phrase = model.generate(&evidence("OLYMPICILAS"), 26, 11, 3);
        assert_eq!(phrase[0].0, code("OLYMPICFLAG").expect("letters"));
        let affixed = model.generate(&evidence("RDTOG"), 26, 5, 5);
        assert!(affixed.iter().any(|(word, _)| *word == code("RETAG").expect("letters")), "{affixed:?}");
    }

    #[test]
    fn probabilities_of_all_strings_sum_to_one() {
        let model = PhraseModel::new([("ABC", 4.0), ("CAB", 3.5), ("ABCCAB", 2.0)], true, code);
        let total: f64 = model.generate(&[1.0 / 26.0; 26 * 6], 26, 6, 10_000).iter().map(|(_, log)| log.exp()).sum();
        assert!(total <= 1.0 + 1e-9 && total > 0.5, "{total}");
    }
}
