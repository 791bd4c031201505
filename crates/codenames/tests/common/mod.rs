//! A made-up language, small enough for tests: themes of words whose vectors lie together.

use codenames::{Codenames, LanguageModel};
use semantics::pack::{Pack, Writer};
use semantics::{Language, Vectors, Vocabulary, WordFlags};
use std::path::Path;
use std::sync::Arc;

const THEMES: [&str; 8] = [
    "sailor whale harbour anchor sponge tide coral lagoon reef",
    "violin drum opera trumpet ballet chorus melody tempo flute",
    "knife oven pepper butter recipe spoon flour kettle pan",
    "goal referee medal sprint tennis boxer helmet league net",
    "judge prison lawyer thief police verdict crime witness oath",
    "rocket comet planet orbit moon galaxy eclipse meteor void",
    "lion zebra camel falcon spider beetle goose puma fox",
    "castle queen sword armour dragon tower banner crown moat",
];

/// A language of 72 words; of each theme the last two are clues only.
pub fn language_model() -> LanguageModel {
    let mut words = Vec::new();
    let mut vectors = Vec::new();
    let mut boards = String::new();
    let mut state = 1u64;
    for (theme, line) in THEMES.iter().enumerate() {
        let list: Vec<&str> = line.split(' ').collect();
        for (k, word) in list.iter().enumerate() {
            let mut vector = vec![0.0f32; 24];
            vector[theme] = 1.0;
            for x in &mut vector {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *x += ((state >> 40) as f32 / (1u64 << 24) as f32 - 0.5) * 0.6;
            }
            words.push(((*word).to_owned(), WordFlags(WordFlags::LEMMA | WordFlags::NOUN)));
            vectors.push(vector);
            if k + 2 < list.len() {
                boards += word;
                boards.push('\n');
            }
        }
    }
    let mut writer = Writer::new();
    Vocabulary::write(&mut writer, &words);
    Vectors::write(&mut writer, 24, &vectors, &[]);
    let pack = Pack::from_bytes("made up", &writer.to_bytes()).expect("the pack is sound");
    let language = Language::from_packs(Path::new("made up"), "en", &[pack], "").expect("the language is sound");
    LanguageModel::new(language, &boards, "")
}

/// The game in that language.
#[allow(dead_code, reason = "not every test plays at a table")]
pub fn game() -> Codenames {
    Codenames::new(vec![Arc::new(language_model())])
}
