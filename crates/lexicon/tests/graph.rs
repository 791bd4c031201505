//! The graph against the plain list it was built from.

use lexicon::{Alphabet, Arc32, Arc64, Lexicon, LexiconBuilder, LoadError, Pattern, Tile, WalkArc, WalkGraph};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn small_alphabet() -> Alphabet {
    Alphabet::parse("name Small\ncode xx\n? 2 0\nA 9 1\nB 3 2\nC 3 3\nD 1 9\n").unwrap()
}

fn build(words: &BTreeSet<Vec<Tile>>) -> Lexicon {
    let mut builder = LexiconBuilder::new(small_alphabet());
    words.iter().for_each(|w| builder.add(w));
    builder.build().unwrap()
}

/// Every string over letters and the turning point that a GADDAG of these words accepts, by definition.
fn gaddag_strings(words: &BTreeSet<Vec<Tile>>) -> BTreeSet<Vec<Tile>> {
    let mut strings = BTreeSet::new();
    for word in words {
        for split in 1..=word.len() {
            let mut s: Vec<Tile> = word[..split].iter().rev().copied().collect();
            if split < word.len() {
                s.push(0);
                s.extend(&word[split..]);
            }
            strings.insert(s);
        }
    }
    strings
}

fn walk<A: WalkArc>(graph: &WalkGraph<A>, arc: A, word: &mut Vec<Tile>, found: &mut BTreeSet<Vec<Tile>>) {
    for letter in 0..8 {
        if let Some(next) = graph.step(arc, letter) {
            word.push(letter);
            if next.accepts() {
                assert!(found.insert(word.clone()), "{word:?} twice");
            }
            walk(graph, next, word, found);
            word.pop();
        }
    }
}

fn words() -> impl Strategy<Value = BTreeSet<Vec<Tile>>> {
    prop::collection::btree_set(prop::collection::vec(1u8..=4, 2..7), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn words_come_back_word_for_word(words in words()) {
        let lexicon = build(&words);
        prop_assert_eq!(lexicon.words().collect::<BTreeSet<_>>(), words.clone());
        prop_assert!(lexicon.words().is_sorted());
        let again = Lexicon::from_bytes(&lexicon.to_bytes(), "test").unwrap();
        prop_assert_eq!(again.words().collect::<BTreeSet<_>>(), words);
    }

    #[test]
    fn the_gaddag_accepts_exactly_the_rotations(words in words()) {
        let lexicon = build(&words);
        let wanted = gaddag_strings(&words);
        let narrow = WalkGraph::<Arc32>::new(&lexicon).unwrap();
        let mut found = BTreeSet::new();
        walk(&narrow, narrow.gaddag(), &mut Vec::new(), &mut found);
        prop_assert_eq!(&found, &wanted);
        let wide = WalkGraph::<Arc64>::new(&lexicon).unwrap();
        found.clear();
        walk(&wide, wide.gaddag(), &mut Vec::new(), &mut found);
        prop_assert_eq!(&found, &wanted);
    }

    #[test]
    fn long_words_take_the_general_way_to_the_same_graph(words in words(), long in prop::collection::vec(1u8..=4, 16..20)) {
        let mut all = words;
        all.insert(long);
        let lexicon = build(&all);
        prop_assert_eq!(lexicon.words().collect::<BTreeSet<_>>(), all.clone());
        let graph = WalkGraph::<Arc32>::new(&lexicon).unwrap();
        let mut found = BTreeSet::new();
        walk(&graph, graph.gaddag(), &mut Vec::new(), &mut found);
        prop_assert_eq!(found, gaddag_strings(&all));
    }

    #[test]
    fn anagrams_and_hooks_agree_with_a_search_of_the_list(words in words(), rack in prop::collection::vec(0u8..=4, 2..6)) {
        let lexicon = build(&words);
        let spells = |word: &Vec<Tile>| {
            let mut left = rack.clone();
            word.len() == rack.len() && word.iter().all(|t| {
                let at = left.iter().position(|r| r == t).or_else(|| left.iter().position(|&r| r == 0));
                at.map(|at| left.swap_remove(at)).is_some()
            })
        };
        let wanted: Vec<_> = words.iter().filter(|w| spells(w)).cloned().collect();
        prop_assert_eq!(lexicon.anagrams(&rack, false), wanted);
        let stem: Vec<Tile> = rack.iter().map(|&t| t.max(1)).collect();
        let hooks = lexicon.hooks(&stem);
        for letter in 1..=4 {
            let back = [&stem[..], &[letter]].concat();
            let front = [&[letter], &stem[..]].concat();
            prop_assert_eq!(hooks.back.contains(&letter), words.contains(&back));
            prop_assert_eq!(hooks.front.contains(&letter), words.contains(&front));
        }
    }
}

#[test]
fn an_alphabet_of_two_hundred_letters_uses_wide_nodes() {
    let letters: String = (0..200u32).map(|i| format!("{} 1 1\n", char::from_u32(0x4E00 + i).unwrap())).collect();
    let alphabet = Alphabet::parse(&format!("name Many\ncode xx\n? 2 0\n{letters}")).unwrap();
    let mut builder = LexiconBuilder::new(alphabet);
    builder.add(&[1, 200, 130]);
    builder.add(&[200, 3]);
    let lexicon = builder.build().unwrap();
    assert_eq!(lexicon.node_bits(), 64);
    let again = Lexicon::from_bytes(&lexicon.to_bytes(), "test").unwrap();
    assert_eq!(again.words().collect::<Vec<_>>(), [vec![1, 200, 130], vec![200, 3]]);
    assert!(WalkGraph::<Arc64>::new(&again).is_err());
}

#[test]
fn patterns_find_what_they_say() {
    let mut builder = LexiconBuilder::new(Alphabet::shipped("cs").unwrap());
    builder.add_text("kůň\nkoně\nkoňům\npřítel\npříteli\n");
    let lexicon = builder.build().unwrap();
    let find = |pattern: &str| {
        let words = lexicon.matching(&Pattern::parse(pattern, &lexicon).unwrap(), 10);
        words.iter().map(|w| lexicon.alphabet().decode(w)).collect::<Vec<_>>()
    };
    assert_eq!(find("k??"), ["KŮŇ"]);
    assert_eq!(find("př*"), ["PŘÍTEL", "PŘÍTELI"]);
    assert_eq!(find("ko[nň]*"), ["KONĚ", "KOŇŮM"]);
    assert_eq!(find("*e[^l]*"), Vec::<String>::new());
}

#[test]
fn words_are_listed_by_the_ways_to_draw_their_tiles() {
    // 9 A, 3 B, 3 C, 1 D and two blanks
    let lexicon = build(&BTreeSet::from([vec![1, 2], vec![4, 4], vec![1, 1], vec![2, 3, 4]]));
    // two letters: both natural, one of them a blank, both blanks
    assert_eq!(lexicon.combinations(&[1, 2]), 27.0 + 2.0 * (9.0 + 3.0) + 1.0);
    assert_eq!(lexicon.combinations(&[4, 4]), 0.0 + 2.0 + 1.0);
    let list = lexicon.by_probability(2);
    assert_eq!(list.iter().map(|(word, _)| word.clone()).collect::<Vec<_>>(), [vec![1, 1], vec![1, 2], vec![4, 4]]);
}

#[test]
fn damage_is_found() {
    let lexicon = build(&BTreeSet::from([vec![1, 2], vec![1, 2, 3]]));
    let mut bytes = lexicon.to_bytes();
    let last = bytes.len() - 3;
    bytes[last] ^= 4;
    assert!(matches!(Lexicon::from_bytes(&bytes, "x"), Err(LoadError::Damaged { .. })));
    assert!(matches!(Lexicon::from_bytes(b"short", "x"), Err(LoadError::NotALexicon(_))));
    bolero::check!().with_type::<Vec<u8>>().for_each(|garbage| {
        let _ = Lexicon::from_bytes(garbage, "garbage");
        let mut damaged = lexicon.to_bytes();
        for (i, byte) in garbage.iter().enumerate() {
            let at = (i * 7 + *byte as usize) % damaged.len();
            damaged[at] = damaged[at].wrapping_add(*byte);
        }
        if let Ok(read) = Lexicon::from_bytes(&damaged, "damaged") {
            let _ = read.contains(&[1, 2]);
        }
    });
}

#[test]
fn a_file_opens_as_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.lex");
    let words = BTreeSet::from([vec![1, 2], vec![1, 2, 3], vec![4, 4, 1]]);
    build(&words).save(&path).unwrap();
    assert_eq!(Lexicon::open(&path).unwrap().words().collect::<BTreeSet<_>>(), words);
}
