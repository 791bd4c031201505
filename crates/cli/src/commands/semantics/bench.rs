//! `parlour semantics bench`: how quickly packs open and questions are answered.

use super::Source;
use semantics::{Assoc, WordFlags, WordId};
use std::time::Instant;

/// Milliseconds of the middle one of several runs.
fn middle(runs: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let started = Instant::now();
            work();
            started.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}

pub fn run(source: &Source) -> anyhow::Result<()> {
    let started = Instant::now();
    let language = source.open()?;
    let first_ms = started.elapsed().as_secs_f64() * 1000.0;
    let mut again = Ok(());
    let open_ms = middle(9, || {
        if let Err(e) = source.open() {
            again = Err(e);
        }
    });
    again?;
    let vectors = language.vectors();
    let telling = |w: &WordId| {
        let flags = language.words().flags(*w);
        flags.has(WordFlags::LEMMA) && !flags.has(WordFlags::STOP) && vectors.has(*w)
    };
    let words: Vec<WordId> = (0..language.words().len() as u32).map(WordId).filter(telling).take(2000).collect();
    let mut asked = words.iter().cycle().copied();
    let mut next = || asked.next().unwrap_or(WordId(0));
    let neighbours_ms = middle(301, || {
        let word = next();
        std::hint::black_box(vectors.nearest(&vectors.query(&vectors.get(word)), 10, |w| w != word));
    });
    let model = Assoc::new(&language);
    let text = |w: WordId| language.words().text(w);
    let board: Vec<_> = words.iter().step_by(80).take(25).map(|&w| model.profile(text(w))).collect();
    let clues: Vec<_> = words.iter().step_by(37).take(50).map(|&w| model.profile(text(w))).collect();
    let mut clue = clues.iter().cycle();
    let assoc_us = 1000.0
        * middle(301, || {
            if let Some(clue) = clue.next() {
                std::hint::black_box(model.scores(clue, &board));
            }
        });
    let (count, lemmas) = (language.words().len(), language.words().lemmas());
    if source.json {
        println!(
            "{}",
            serde_json::json!({"words": count, "lemmas": lemmas, "first_open_ms": first_ms, "open_ms": open_ms,
                "neighbours_ms": neighbours_ms, "assoc_25_us": assoc_us})
        );
    } else {
        println!(
            "{count} words, {lemmas} base forms\nopening     {open_ms:.1} ms (first time {first_ms:.1})\n\
             neighbours  {neighbours_ms:.2} ms a query\nassociation {assoc_us:.0} µs against 25 words"
        );
    }
    Ok(())
}
