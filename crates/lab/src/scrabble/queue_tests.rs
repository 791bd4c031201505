//! Learning through the queue gives the same on any number of threads and with jobs of any size.

use super::evolve::{EvolutionRun, GeneticSettings, Judging, Measure};
use super::fitness::{FitnessSetup, collect};
use super::language_files::Sources;
use super::leaves::LeaveTraining;
use crate::job_submitter::{JobSubmitter, Programs, SubmitError, registry};
use game::Seed;
use jobs::LocalQueue;
use lexicon::{Alphabet, LexiconBuilder};
use scrabble::LeaveModel;

/// A lexicon of some short words, on disk, and leaves that like an S.
struct Words {
    folder: tempfile::TempDir,
    letters: usize,
}

impl Words {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let alphabet = Alphabet::shipped("en").unwrap();
        let letters = alphabet.len();
        let mut builder = LexiconBuilder::new(alphabet);
        builder.add_text(text);
        builder.build().unwrap().save(&folder.path().join("words.lex")).unwrap();
        let parts = LeaveModel::zero(letters);
        std::fs::write(folder.path().join("leaves"), parts.to_bytes()).unwrap();
        Self { folder, letters }
    }

    fn sources(&self) -> Sources {
        let path = |name: &str| self.folder.path().join(name);
        Sources { lexicon: path("words.lex"), leaves: Some(path("leaves")), positional: None }
    }
}

/// Words that fit each other: two and three letters of five.
fn short_words() -> String {
    let letters = ["a", "e", "n", "s", "t"];
    let pairs = letters.iter().flat_map(|a| letters.iter().map(move |b| format!("{a}{b}")));
    let words: Vec<String> = pairs.flat_map(|pair| [pair.clone(), format!("{pair}e"), format!("t{pair}")]).collect();
    words.join("\n")
}

fn at_desk<T>(threads: usize, work: impl FnOnce(JobSubmitter<'_>) -> T) -> T {
    let queue = LocalQueue::new(registry(Programs::Refused), threads);
    work(JobSubmitter { queue: &queue, program: "test", note: &|_| {} })
}

#[test]
fn leaves_do_not_depend_on_threads_or_the_size_of_jobs() {
    let words = Words::new(&short_words());
    let sources = words.sources();
    let learn = |threads: usize, chunk: u64| {
        let generation = LeaveTraining { sources: &sources, letters: words.letters, seed: Seed(3), turns: 400, chunk };
        let mut heard = Vec::new();
        let evidence = at_desk(threads, |submitter| generation.run(submitter, |done| heard.push(done)).unwrap());
        assert!(heard.is_sorted() && heard.last() == Some(&evidence.turns()));
        assert!((400..430).contains(&evidence.turns()), "{}", evidence.turns());
        evidence.model().to_bytes()
    };
    let alone = learn(1, 1);
    assert_ne!(alone, LeaveModel::zero(words.letters).to_bytes(), "something was learned");
    assert!(learn(1, 7) == alone && learn(2, 3) == alone && learn(2, 1000) == alone);
}

#[test]
fn a_lexicon_with_which_nothing_can_be_laid_is_named() {
    let words = Words::new("zzzzzzzz");
    let sources = words.sources();
    let generation = LeaveTraining { sources: &sources, letters: words.letters, seed: Seed(3), turns: 50, chunk: 5 };
    let error = at_desk(1, |submitter| generation.run(submitter, |_| {}).err().expect("no turn can be seen"));
    assert!(matches!(&error, SubmitError::Answer(text) if text.contains("no word could be laid")), "{error}");
}

#[test]
fn evolution_does_not_depend_on_threads_or_the_size_of_jobs() {
    let words = Words::new(&short_words());
    let evolve = |threads: usize, chunk: u64, dvorak: bool| {
        let setup = FitnessSetup { sources: words.sources(), dvorak, chunk };
        let judging = Judging { measure: Measure::Spread, games: 2, rounds: 2 };
        let mut run = EvolutionRun::new(GeneticSettings { population: 3, ..GeneticSettings::default() }, 4);
        at_desk(threads, |submitter| run.step(submitter, &setup, judging).unwrap());
        run.to_text()
    };
    let alone = evolve(1, 1, false);
    assert!(evolve(2, 1, false) == alone && evolve(1, 100, false) == alone);
    assert_ne!(evolve(1, 100, true), alone, "Dvořák's functions differ");
}

#[test]
fn positions_do_not_depend_on_threads_or_the_size_of_jobs() {
    let words = Words::new(&short_words());
    let gather = |threads: usize, chunk: u64| {
        let setup = FitnessSetup { sources: words.sources(), dvorak: false, chunk };
        let mut heard = 0;
        let cases = at_desk(threads, |submitter| collect(submitter, &setup, 3, Seed(2), |done| heard = done).unwrap());
        assert_eq!(heard, 3);
        cases
    };
    let alone = gather(1, 3);
    assert!(alone.phases().iter().sum::<usize>() > 10);
    assert!(gather(2, 1) == alone && gather(1, 2) == alone);
}
