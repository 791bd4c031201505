//! Derivational families: whether two words share a root, by suffix stripping with consonant and vowel alternations, and
//! whether one is a part of the other as a compound. Spelling proposes, meaning decides: *carpet* contains *car*, and
//! *kolik* begins like *kolo*, but their vectors are not alike.

use super::fold;
use semantics::{Language, Relation};

/// Derivational and inflectional suffixes of one language, in folded spelling.
struct Morphology {
    suffixes: &'static [&'static str],
    /// Spellings that count as one sound in a root: the first of each group replaces the others.
    sounds: &'static [&'static [&'static str]],
    /// Least cosine of two words whose roots are alike, and of a word and its part.
    root_cosine: f32,
    part_cosine: f32,
}

/// Fewest sounds of a root.
const MIN_ROOT: usize = 2;
/// Fewest letters of a part of a compound.
const MIN_PART: usize = 3;

const ENGLISH: Morphology = Morphology {
    suffixes: &[
        "s", "es", "ed", "d", "ing", "er", "or", "ar", "ers", "est", "ly", "y", "ness", "ment", "ship", "hood", "dom",
        "ful", "less", "able", "ible", "al", "ial", "ic", "ical", "ian", "ician", "ist", "ism", "ity", "ty", "ion",
        "ation", "tion", "sion", "ive", "ous", "th", "t", "en", "ern", "ish", "like", "ward", "age", "ery", "ry",
        "let", "ling", "ess", "ette", "ize", "ise", "ify", "ifier", "ant", "ent", "ance", "ence", "e",
    ],
    sounds: &[&["f", "v", "ph"], &["k", "c", "ck", "ch", "q"], &["s", "z"], &["i", "y"]],
    root_cosine: 0.12,
    part_cosine: 0.2,
};

const CZECH: Morphology = Morphology {
    suffixes: &[
        "a", "e", "i", "o", "u", "y", "ek", "ik", "ak", "ka", "ko", "ce", "ec", "ice", "nik", "nice", "nicka", "inka",
        "enka", "icka", "icko", "ecek", "icek", "acek", "ny", "ni", "i", "ovy", "ovni", "sky", "cky", "ovsky", "ovna",
        "ovni", "ar", "arna", "ir", "yr", "tel", "itel", "atel", "ac", "ak", "ista", "ost", "stvi", "ctvi", "isko",
        "iste", "adlo", "idlo", "tko", "ivo", "eni", "ani", "eny", "any", "ity", "aty", "it", "at", "et", "ovat",
        "nout", "t", "ec", "vec", "ebnice", "our", "ulak", "yne", "ynsky", "eno", "aci", "esni", "ni", "ci", "ovi",
        "in", "uv", "ek", "atko", "nost", "ne", "ive",
    ],
    sounds: &[&["h", "z", "g"], &["k", "c"], &["x", "ch"]],
    root_cosine: 0.2,
    part_cosine: 0.25,
};

const POLISH: Morphology = Morphology {
    suffixes: &[
        "a", "e", "i", "o", "u", "y", "ek", "ik", "yk", "ak", "ka", "ko", "ce", "ec", "ica", "nik", "nica", "nia",
        "alnia", "arnia", "enko", "uszko", "eczko", "eczka", "iczka", "ny", "ni", "ne", "owy", "owa", "owe", "ski",
        "cki", "owski", "owna", "arz", "erz", "ciel", "tel", "acz", "ista", "osc", "stwo", "ctwo", "isko", "sko",
        "adlo", "dlo", "ivo", "ywo", "enie", "anie", "ony", "any", "ity", "aty", "ic", "yc", "ac", "ec", "owac", "nac",
        "c", "ec", "iec", "owiec", "anka", "lnia", "ynia", "enny", "iany", "iny", "in", "ow", "atko", "stwo", "arstwo",
        "zny", "zek", "zka", "onko", "lek", "tek", "nek",
    ],
    sounds: &[&["x", "ch", "sz", "h"], &["r", "rz"], &["k", "cz", "c"], &["g", "dz", "z"], &["l"]],
    root_cosine: 0.2,
    part_cosine: 0.25,
};

const SLOVAK: Morphology = Morphology {
    suffixes: &[
        "a", "e", "i", "o", "u", "y", "ek", "ok", "ik", "ak", "ka", "ko", "ce", "ec", "ica", "nik", "nica", "nicka",
        "inka", "enka", "icka", "icko", "ecko", "cek", "ocek", "icek", "ny", "ni", "ovy", "ovny", "sky", "cky",
        "ovsky", "ovna", "ar", "aren", "ier", "tel", "itel", "atel", "ac", "ista", "ost", "stvo", "ctvo", "isko",
        "iste", "adlo", "idlo", "ivo", "enie", "anie", "eny", "any", "ity", "aty", "it", "at", "et", "ovat", "nut",
        "t", "ec", "vec", "ebnica", "uliak", "iak", "yna", "ynsky", "aci", "esny", "ci", "in", "ov", "atko", "iatko",
        "nost", "cek", "ienok", "ne", "ovy", "ive", "i",
    ],
    sounds: &[&["h", "z", "g"], &["k", "c"], &["x", "ch"]],
    root_cosine: 0.2,
    part_cosine: 0.25,
};

fn morphology(code: &str) -> &'static Morphology {
    match code {
        "cs" => &CZECH,
        "pl" => &POLISH,
        "sk" => &SLOVAK,
        _ => &ENGLISH,
    }
}

/// The consonants of a stem as sounds, without repetitions; an initial vowel counts as a sound, other vowels alternate and
/// are left out.
fn root(m: &Morphology, stem: &str) -> String {
    let mut sounds = String::new();
    let mut rest = stem;
    while let Some(first) = rest.chars().next() {
        let spellings = m.sounds.iter().flat_map(|group| group.iter().map(|s| (*s, group[0])));
        let longest = spellings.filter(|(s, _)| rest.starts_with(s)).max_by_key(|(s, _)| s.len());
        let (length, sound) = longest.map_or((first.len_utf8(), None), |(s, sound)| (s.len(), sound.chars().next()));
        let sound = match sound.unwrap_or(first) {
            'a' | 'e' | 'i' | 'o' | 'u' | 'y' if sounds.is_empty() => Some('a'),
            'a' | 'e' | 'i' | 'o' | 'u' | 'y' => None,
            sound => Some(sound),
        };
        sounds.extend(sound.filter(|&s| !sounds.ends_with(s)));
        rest = &rest[length..];
    }
    sounds
}

/// The roots that a word may have: of itself and of what is left without a suffix, or without two.
fn roots(m: &Morphology, word: &str) -> Vec<String> {
    let mut stems = vec![word.to_owned()];
    for depth in 0..2 {
        let first = if depth == 0 { 0 } else { 1 };
        for at in first..stems.len() {
            for suffix in m.suffixes {
                let Some(stem) = stems[at].strip_suffix(suffix) else { continue };
                if stem.chars().count() >= 2 && !stems.iter().any(|s| s == stem) {
                    stems.push(stem.to_owned());
                }
            }
            if stems.len() > 60 {
                break;
            }
        }
    }
    let mut roots: Vec<String> =
        stems.iter().map(|stem| root(m, stem)).filter(|r| r.chars().count() >= MIN_ROOT).collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// Whether the vectors of two words are at least so alike; true if one has none.
fn alike(language: &Language, a: &str, b: &str, least: f32) -> bool {
    language.similarity(a, b).is_none_or(|cosine| cosine >= least)
}

/// Whether two words in lower case belong to one derivational family.
pub(super) fn related(language: &Language, a: &str, b: &str) -> bool {
    if let (Some(x), Some(y)) = (language.find_form(a), language.find_form(b)) {
        let (x, y) = (language.lemma(x), language.lemma(y));
        if language.relations().holds(x, Relation::Derived, y) || language.relations().holds(y, Relation::Derived, x) {
            return true;
        }
    }
    let m = morphology(language.code());
    let (first, second) = (roots(m, &fold(a)), roots(m, &fold(b)));
    first.iter().any(|root| second.binary_search(root).is_ok()) && alike(language, a, b, m.root_cosine)
}

/// Whether a word is a part of the other, a compound or a derivation: the rest is a word or a suffix, and the two are
/// alike in meaning.
pub(super) fn part_of(language: &Language, part: &str, whole: &str) -> bool {
    let m = morphology(language.code());
    let (short, long) = (fold(part), fold(whole));
    if short.chars().count() < MIN_PART || short == long {
        return false;
    }
    let word = |rest: &str| rest.chars().count() >= MIN_PART && language.find_form(rest).is_some();
    let after = long.strip_prefix(short.as_str());
    let before = long.strip_suffix(short.as_str());
    let compound = after.is_some_and(|rest| word(rest) || m.suffixes.contains(&rest)) || before.is_some_and(word);
    compound && alike(language, part, whole, m.part_cosine)
}
