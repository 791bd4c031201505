//! Clues in languages that were placed into the English space, with the shipped packs.

use codenames::LanguageModel;
use codenames::engine::meaning::{LinkTrust, ScoringModel};
use semantics::{Language, Readings};
use std::path::Path;

fn language_model(lang: &str) -> LanguageModel {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let list = |folder: &str| std::fs::read_to_string(data.join(folder).join(format!("{lang}.txt"))).unwrap();
    LanguageModel::new(Language::open(&data, lang).unwrap(), &list("boards"), &list("unsaid"))
        .with_readings(Readings::open(&data, lang).unwrap())
}

#[test]
fn clues_are_everyday_words_of_the_language() {
    let cases = [
        ("cs", ["voda", "zloděj", "hudba"], ["usa", "country", "line", "vyloženě", "hajzl"]),
        ("pl", ["woda", "złodziej", "muzyka"], ["usa", "song", "google", "dopóki", "kurwa"]),
        ("sk", ["voda", "vlak", "kôň"], ["usa", "line", "bratislava", "kurva", "windows"]),
    ];
    for (lang, said, unsaid) in cases {
        let lm = language_model(lang);
        assert!(lm.clue_count() > 4_000, "{lang} has {} clues", lm.clue_count());
        said.iter().for_each(|word| assert!(lm.place(word).is_some(), "{lang}: {word}"));
        unsaid.iter().for_each(|word| assert!(lm.place(word).is_none(), "{lang}: {word}"));
    }
    let english = language_model("en");
    assert!(english.place("water").is_some() && english.place("shit").is_none());
}

#[test]
fn links_that_only_english_has_are_doubted() {
    // a word, somebody's clue by its own sense, and one by way of a common English word
    let cases =
        [("cs", "kůl", "plot", "polák"), ("pl", "zapałka", "ogień", "mecz"), ("pl", "piła", "drewno", "widzieć")];
    for (lang, word, own, foreign) in cases {
        let lm = language_model(lang);
        let score = |clue: &str| lm.scores(ScoringModel::Strong, clue, &[word])[0];
        let link_trust = lm.link_trust(word).unwrap();
        let trust = |clue: &str| lm.place(clue).map(|at| link_trust[at]);
        assert_eq!(
            (trust(own), trust(foreign).unwrap_or(LinkTrust::EnglishOnly)),
            (Some(LinkTrust::Trusted), LinkTrust::EnglishOnly),
            "{lang} {word}"
        );
        let undoubted = |clue: &str| lm.assoc().score(&lm.assoc().profile(clue), &lm.assoc().profile(word));
        assert!(undoubted(foreign) - score(foreign) > 4.0, "{lang}: {foreign} for {word} is not doubted");
        assert!((undoubted(own) - score(own)).abs() < 1e-4, "{lang}: {own} for {word} is doubted");
    }
}

#[test]
fn columns_and_single_scores_agree() {
    let lm = language_model("pl");
    let column = lm.column(ScoringModel::Strong, "zapałka");
    for at in [0, 100, 2_000] {
        let single = lm.scores(ScoringModel::Strong, lm.clue(at), &["zapałka"])[0];
        assert!((column[at] - single).abs() < 1e-3, "{}: {} {single}", lm.clue(at), column[at]);
    }
}

#[test]
fn ambiguous_forms_are_read_by_the_rules_of_the_study() {
    // a form, the word it is read as, and one it could be as well; the first two are the study's examples
    let cases = [
        ("cs", "triky", "trik", "triko"),
        ("cs", "stroj", "stroj", "strojit"),
        ("cs", "archu", "archa", "kotva"),
        ("pl", "dam", "dać", "dama"),
        ("pl", "para", "para", "par"),
        ("sk", "banka", "banka", "bank"),
    ];
    let words = ["hrad", "kino", "voda", "papír", "papier"];
    for (lang, form, read, other) in cases {
        let lm = language_model(lang);
        let study = |clue: &str| lm.scores(ScoringModel::Jares, clue, &words);
        let best = |a: Vec<f32>, b: Vec<f32>| a.iter().zip(b).map(|(x, y)| x.max(y)).collect::<Vec<f32>>();
        if form == "archu" {
            // neither is a first case: both readings count, the better one for each word
            assert_eq!(study(form), best(study("arch"), study("archa")), "{lang} {form}");
        } else {
            assert_eq!(study(form), study(read), "{lang}: {form} is read as {read}, not {other}");
        }
    }
}
