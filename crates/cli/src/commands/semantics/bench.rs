//! `parlour semantics bench`: how quickly packs open and queries are answered.

use super::PackArgs;
use semantics::{Assoc, WordFlags, WordId};
use std::time::Instant;

/// Median duration of several runs, in milliseconds.
fn median_ms(runs: usize, mut work: impl FnMut()) -> f64 {
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

pub fn run(packs: &PackArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let language = packs.open()?;
    let first_ms = started.elapsed().as_secs_f64() * 1000.0;
    let mut again = Ok(());
    let open_ms = median_ms(9, || {
        if let Err(e) = packs.open() {
            again = Err(e);
        }
    });
    again?;
    let vectors = language.vectors();
    let content = |w: &WordId| {
        let flags = language.words().flags(*w);
        flags.has(WordFlags::LEMMA) && !flags.has(WordFlags::STOP) && vectors.has(*w)
    };
    let words: Vec<WordId> = (0..language.words().len() as u32).map(WordId).filter(content).take(2000).collect();
    let mut queries = words.iter().cycle().copied();
    let mut next = || queries.next().unwrap_or(WordId(0));
    let neighbours_ms = median_ms(301, || {
        let word = next();
        std::hint::black_box(vectors.nearest(&vectors.query(&vectors.get(word)), 10, |w| w != word));
    });
    let model = Assoc::new(&language);
    let text = |w: WordId| language.words().text(w);
    let board: Vec<_> = words.iter().step_by(80).take(25).map(|&w| model.profile(text(w))).collect();
    let clues: Vec<_> = words.iter().step_by(37).take(50).map(|&w| model.profile(text(w))).collect();
    let mut clue = clues.iter().cycle();
    let assoc_us = 1000.0
        * median_ms(301, || {
            if let Some(clue) = clue.next() {
                std::hint::black_box(model.scores(clue, &board));
            }
        });
    let (count, lemmas) = (language.words().len(), language.words().lemmas());
    if packs.json {
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
