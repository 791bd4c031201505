//! A part of a corpus in memory, and its rows of the matrix: the occurrences of every word are visited in turn, and its
//! neighbours are summed in one row that stays in the cache.

use super::CorpusError;
use super::count::PairScope;

/// Stands before, between and after the sentences.
const END: u32 = u32::MAX;
/// Bytes per word of the vocabulary: where its places begin, its sum, and whether it was met.
const PER_WORD: usize = 3 * size_of::<u32>();
/// Bytes per word of the text: the word and its place in the list of places.
const PER_PLACE: usize = 2 * size_of::<u32>();

/// Sentences of numbered words.
pub struct Chunk {
    tokens: Vec<u32>,
    capacity: usize,
    words: usize,
    together: PairScope,
}

impl Chunk {
    /// A chunk over `words` words that takes at most `room` bytes, its rows included.
    pub fn new(words: usize, together: PairScope, room: usize) -> Chunk {
        let capacity = (room.saturating_sub(words * PER_WORD) / PER_PLACE).min(END as usize);
        Chunk { tokens: vec![END], capacity, words, together }
    }

    /// Whether the chunk holds no sentence.
    pub fn is_empty(&self) -> bool {
        self.tokens.len() == 1
    }

    /// Adds a sentence; `false` if there is no room left for it.
    pub fn add(&mut self, sentence: &mut Vec<u32>) -> bool {
        if self.together == PairScope::Sentence {
            sentence.sort_unstable();
            sentence.dedup();
        }
        if self.tokens.len() + sentence.len() + 1 > self.capacity {
            return false;
        }
        if sentence.len() > 1 {
            self.tokens.extend_from_slice(sentence);
            self.tokens.push(END);
        }
        true
    }

    /// Removes all sentences.
    pub fn clear(&mut self) {
        self.tokens.truncate(1);
    }

    /// The places of every word, one list after another, and where the lists begin.
    fn places(&self) -> (Vec<u32>, Vec<u32>) {
        let mut starts = vec![0u32; self.words + 1];
        let known = |t: &&u32| **t != END;
        self.tokens.iter().filter(known).for_each(|&t| starts[t as usize + 1] += 1);
        for i in 0..self.words {
            starts[i + 1] += starts[i];
        }
        let mut places = vec![0; starts[self.words] as usize];
        for (place, &t) in self.tokens.iter().enumerate().filter(|(_, t)| **t != END) {
            let start = &mut starts[t as usize];
            places[*start as usize] = place as u32;
            *start += 1;
        }
        // every start has moved on to the end of its list
        starts.rotate_right(1);
        starts[0] = 0;
        (places, starts)
    }

    /// Hands every entry of the matrix to `each`, rows and columns rising.
    pub fn rows(&self, mut each: impl FnMut(u32, u32, f32) -> Result<(), CorpusError>) -> Result<(), CorpusError> {
        let (places, starts) = self.places();
        let mut sums = vec![0f32; self.words];
        let mut met: Vec<u32> = Vec::new();
        for row in 0..self.words {
            for &place in &places[starts[row] as usize..starts[row + 1] as usize] {
                self.neighbours(row as u32, place as usize, &mut sums, &mut met);
            }
            // for a dense row a scan is quicker than a sort
            if met.len() > self.words / 8 {
                met.clear();
                met.extend((0..self.words as u32).filter(|&w| sums[w as usize] != 0.0));
            } else {
                met.sort_unstable();
            }
            for column in met.drain(..) {
                each(row as u32, column, std::mem::take(&mut sums[column as usize]))?;
            }
        }
        Ok(())
    }

    /// Adds up the neighbours of one place.
    #[inline]
    fn neighbours(&self, own: u32, place: usize, sums: &mut [f32], met: &mut Vec<u32>) {
        let mut add = |word: u32, weight: f32| {
            let sum = &mut sums[word as usize];
            if *sum == 0.0 {
                met.push(word);
            }
            *sum += weight;
        };
        let (before, after) = (self.tokens[..place].iter().rev(), self.tokens[place + 1..].iter());
        match self.together {
            PairScope::Sentence => {
                before.take_while(|t| **t != END).for_each(|&t| add(t, 1.0));
                after.take_while(|t| **t != END).for_each(|&t| add(t, 1.0));
            }
            PairScope::Window { words, by_distance } => {
                let weight = |d: usize| if by_distance { 1.0 / (d + 1) as f32 } else { 1.0 };
                let near = |(d, &t): (usize, &u32)| (t != END).then_some((d, t));
                let left = before.take(words).enumerate().map_while(near);
                let right = after.take(words).enumerate().map_while(near);
                left.chain(right).filter(|&(_, t)| t != own).for_each(|(d, t)| add(t, weight(d)));
            }
        }
    }
}
