use super::*;
use semantics::pack::{Writer, pack_sorted};
use std::path::Path;

/// A language of four words and a pack of one name and one phrase.
fn small() -> (Language, Pack, Pack) {
    let mut w = Writer::new();
    let plain = |word: &str| (word.to_owned(), WordFlags(WordFlags::LEMMA));
    Vocabulary::write(&mut w, &["dessert", "frozen", "writer", "sea"].map(plain));
    let unit = |at: usize| (0..4).map(|i| f32::from(u8::from(i == at))).collect::<Vec<f32>>();
    Vectors::write(&mut w, 4, &[unit(0), unit(1), unit(2), unit(3)], &[]);
    let pack = Pack::from_bytes("words", &w.to_bytes()).expect("fresh packs open");
    let language = Language::from_packs(Path::new("."), "en", &[pack], "").expect("it fits together");
    let mut w = Writer::new();
    w.add("vocabulary", &[language.words().fingerprint()]);
    Vocabulary::write(&mut w, &[("austen".into(), WordFlags(WordFlags::NAME)), ("ice lol".into(), WordFlags(0))]);
    Vectors::write(&mut w, 4, &[unit(2), unit(0)], &[]);
    let mut row = Vec::new();
    pack_sorted(&[1], &mut row);
    ByteRows::write(&mut w, "links", &[row, Vec::new(), Vec::new(), Vec::new()]);
    let names = Pack::from_bytes("names", &w.to_bytes()).expect("fresh packs open");
    let mut w = Writer::new();
    w.add("freq.zipf", &[75u8, 50]);
    (language, names, Pack::from_bytes("frequencies", &w.to_bytes()).expect("fresh packs open"))
}

#[test]
fn names_and_phrases_answer_clues_near_them() {
    let (language, names, frequencies) = small();
    let names = NameIndex::open(&language, &names, &frequencies).expect("they belong together");
    let found = names.evidence(&language, "Writer", 6);
    assert_eq!(found.iter().map(|c| c.text).collect::<Vec<_>>(), ["AUSTEN", "ICELOL"]);
    let at = |name: &str| NAME_FEATURES.iter().position(|known| *known == name).expect("a known name");
    assert!(found[0].features[at("name-vectors")] > 0.9 && found[1].features[at("phrase-vectors")] < 0.1);
    let found = names.evidence(&language, "Frozen dessert", 6);
    assert!((found[1].features[at("linked")] - 0.5).abs() < 1e-6, "one of two words leads to it");
    assert!(names.evidence(&language, "Writer", 9).is_empty());
    assert!(names.evidence(&language, "", 6).iter().all(|c| c.features[at("linked")] == 0.0));
}

#[test]
fn packs_of_another_vocabulary_are_refused() {
    let (_, names, frequencies) = small();
    let mut w = Writer::new();
    Vocabulary::write(&mut w, &[("other".to_owned(), WordFlags(0))]);
    Vectors::write(&mut w, 4, &[vec![1.0, 0.0, 0.0, 0.0]], &[]);
    let pack = Pack::from_bytes("words", &w.to_bytes()).expect("fresh packs open");
    let other = Language::from_packs(Path::new("."), "en", &[pack], "").expect("it fits together");
    assert!(NameIndex::open(&other, &names, &frequencies).is_err_and(|e| e.to_string().contains("another vocabulary")));
}
