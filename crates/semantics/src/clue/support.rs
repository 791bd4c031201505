//! Features that combine the evidence of all words of a clue for one candidate.

use super::evidence::COUNT;
use super::shape::Shape;
use crate::language::Language;
use crate::relations::Relation;
use crate::words::WordId;
use std::collections::HashMap;

/// Words of a clue that are evaluated one by one; the rest count through the clue's vector only.
const TOKENS: usize = 8;
/// Glosses of a candidate that are compared word by word, per dictionary.
const GLOSSES: usize = 6;
/// Number of the first feature made here.
pub(super) const FIRST: usize = 33;

/// One content word of the clue and its links to every word.
struct Token {
    /// Its part in the clue; all parts sum to 1.
    share: f32,
    /// The strongest link of any kind with every word, from 0 to 1.
    support: Vec<f32>,
    /// Whether some gloss of the word uses the token.
    explains: Vec<bool>,
}

/// The combined evidence of the words of a clue.
pub(super) struct Support<'a> {
    language: &'a Language,
    tokens: Vec<Token>,
    /// Of every word the cosines with the tokens, 0 beyond their number.
    near: Vec<[f32; TOKENS]>,
    /// Which of the tokens the clue is about.
    head: usize,
    shape: Shape,
    /// How alike the thesaurus groups of a word and of the clue's words are.
    alike: Vec<f32>,
    /// How common the meanings are that a word has in common with the clue's words.
    senses: Vec<f32>,
}

/// How strongly a kind of link ties two words.
fn strength(kind: Relation) -> f32 {
    match kind {
        Relation::Synonym | Relation::Thesaurus => 1.0,
        Relation::Hypernym | Relation::Hyponym => 0.8,
        Relation::PhraseNext | Relation::PhraseBefore => 0.4,
        _ => 0.6,
    }
}

fn raise(slot: &mut f32, value: f32) {
    *slot = slot.max(value);
}

impl<'a> Support<'a> {
    /// Looks up the content words of a clue.
    pub(super) fn new(language: &'a Language, clue: &str, content: &[WordId]) -> Support<'a> {
        let content = &content[..content.len().min(TOKENS)];
        let telling = |t: WordId| ((7.6 - language.zipf(t)) / 4.0).clamp(0.1, 1.2);
        let total: f32 = content.iter().map(|&t| telling(t)).sum();
        let shape = Shape::of(language, clue);
        let head = shape.head.and_then(|h| content.iter().position(|&t| t == h)).unwrap_or(0);
        let mut near = vec![[0.0; TOKENS]; language.words().len()];
        let mut tokens = Vec::with_capacity(content.len());
        for (at, &t) in content.iter().enumerate() {
            let (token, cosines) = Token::new(language, t, telling(t) / total);
            tokens.push(token);
            near.iter_mut().zip(cosines).for_each(|(row, cosine)| row[at] = cosine);
        }
        let words = language.words().len();
        let (mut alike, mut senses) = (vec![0.0; words], vec![0.0; words]);
        for &t in content {
            add_senses(language, t, (telling(t) / total).sqrt(), &mut senses);
        }
        if content.len() <= 3 {
            for &t in content {
                add_alike(language, t, (telling(t) / total).sqrt(), &mut alike);
            }
        }
        Support { language, tokens, near, head, shape, alike, senses }
    }

    /// Fills in the features of a candidate; `clue` holds the clue's cosine with every word.
    pub(super) fn fill(&self, clue: &[f32], word: WordId, lemma: WordId, f: &mut [f32; COUNT]) {
        let f = &mut f[FIRST..];
        let forms = [word, lemma];
        let forms = if word == lemma { &forms[..1] } else { &forms[..] };
        let most = |of: &dyn Fn(WordId) -> f32| forms.iter().map(|&w| of(w)).fold(0.0, f32::max);
        let mut least = f32::INFINITY;
        for token in &self.tokens {
            let support = most(&|w| token.support[w.index()]);
            f[2] += token.share * f32::from(u8::from(forms.iter().any(|w| token.explains[w.index()])));
            f[3] += token.share * support;
            least = least.min(support);
        }
        f[4] = if least.is_finite() { least } else { 0.0 };
        self.align(forms, f);
        f[5] = most(&|w| self.alike[w.index()]);
        let fit = self.shape.agreement(self.language, word);
        let (agrees, against) = if self.shape.alone { (6, 7) } else { (12, 13) };
        f[agrees] = fit;
        f[against] = f32::from(u8::from(fit < 0.05));
        f[14] = most(&|w| self.senses[w.index()]);
        f[8] = self.around(clue, lemma, Relation::Synonym);
        f[9] = self.around(clue, lemma, Relation::Hypernym);
        if let Some(head) = self.tokens.get(self.head) {
            f[10] = most(&|w| self.near[w.index()][self.head]);
            f[11] = most(&|w| head.support[w.index()]);
        }
    }

    /// Compares the glosses of a candidate with the clue word by word: how well the clue is covered
    /// by the gloss, and the gloss by the clue.
    fn align(&self, forms: &[WordId], f: &mut [f32]) {
        for glosses in self.language.glosses() {
            for &form in forms {
                for (rank, &gloss) in glosses.of(form).iter().take(GLOSSES).enumerate() {
                    let common = 1.0 / (1.0 + 0.1 * rank as f32);
                    let mut best = [0f32; TOKENS];
                    let (mut covering, mut all) = (0.0, 1e-6);
                    for &t in glosses.defining(gloss) {
                        let near = &self.near[t as usize];
                        best.iter_mut().zip(near).for_each(|(best, &near)| raise(best, near));
                        let nearest = near.iter().fold(0f32, |most, &near| most.max(near));
                        let idf = glosses.idf(WordId(t));
                        covering += idf * nearest;
                        all += idf;
                    }
                    let covered: f32 = self.tokens.iter().zip(&best).map(|(token, b)| token.share * b).sum();
                    raise(&mut f[0], covered * common);
                    raise(&mut f[1], covering / all * common);
                }
            }
        }
    }

    /// Mean cosine with the clue of the three words nearest to it that a link leads to.
    fn around(&self, clue: &[f32], word: WordId, kind: Relation) -> f32 {
        let mut near = [0f32; 3];
        for other in self.language.relations().of(word, kind).take(24) {
            let mut x = clue[other.index()];
            for best in &mut near {
                if x > *best {
                    std::mem::swap(&mut x, best);
                }
            }
        }
        near.iter().sum::<f32>() / 3.0
    }
}

impl Token {
    /// What a word of the clue says, and its cosine with every word.
    fn new(language: &Language, token: WordId, share: f32) -> (Token, Vec<f32>) {
        let lemma = language.lemma(token);
        let forms = [token, lemma];
        let forms = if token == lemma { &forms[..1] } else { &forms[..] };
        let vectors = language.vectors();
        let mut near = Vec::new();
        vectors.compare_all(&vectors.query(&vectors.get(token)), &mut near);
        let mut support: Vec<f32> = near.iter().map(|x| x.max(0.0)).collect();
        let mut explains = vec![false; near.len()];
        for &form in forms {
            for kind in Relation::ALL {
                for other in language.relations().of(form, kind) {
                    raise(&mut support[other.index()], strength(kind));
                }
            }
            for glosses in language.glosses() {
                for gloss in glosses.using(form) {
                    for &word in glosses.words(gloss) {
                        explains[word as usize] = true;
                        raise(&mut support[word as usize], 0.7);
                    }
                }
                for &gloss in glosses.of(form).iter().take(GLOSSES) {
                    for &word in glosses.defining(gloss) {
                        raise(&mut support[word as usize], 0.5);
                    }
                }
            }
        }
        if let Some(counts) = language.cooccurrence() {
            for (other, n) in counts.row(lemma) {
                raise(&mut support[other.index()], counts.measures_of(lemma, other, n).npmi as f32);
            }
        }
        for &form in forms {
            (near[form.index()], support[form.index()]) = (1.0, 1.0);
        }
        (Token { share, support, explains }, near)
    }
}

/// Adds for every word how many thesaurus groups it shares with a word of the clue, as a cosine.
fn add_alike(language: &Language, token: WordId, weight: f32, alike: &mut [f32]) {
    let relations = language.relations();
    let group = |w: WordId| relations.of(w, Relation::Thesaurus).chain(relations.of(w, Relation::Synonym));
    let mut shared: HashMap<u32, u32> = HashMap::new();
    let mut own = 0;
    for other in group(language.lemma(token)).take(400) {
        own += 1;
        for far in group(other).take(400) {
            *shared.entry(far.0).or_default() += 1;
        }
    }
    for (far, n) in shared.into_iter().filter(|s| s.1 > 2) {
        let size = group(WordId(far)).count().max(1);
        let cosine = n as f32 / ((own * size) as f32).sqrt();
        raise(&mut alike[far as usize], weight * cosine);
    }
}

/// Adds the words that share a meaning with a word of the clue: the more, the commoner the meaning is for both.
fn add_senses(language: &Language, token: WordId, weight: f32, senses: &mut [f32]) {
    for glosses in language.glosses().iter().take(1) {
        for (rank, &gloss) in glosses.of(language.lemma(token)).iter().enumerate() {
            for &word in glosses.words(gloss) {
                let there = glosses.of(WordId(word)).iter().position(|g| *g == gloss).unwrap_or(9);
                let common = 1.0 / ((1.0 + 0.5 * rank as f32) * (1.0 + 0.5 * there as f32));
                raise(&mut senses[word as usize], weight * common);
            }
        }
    }
}
