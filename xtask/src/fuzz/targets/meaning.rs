//! Meaning and Codenames: language packs, vectors of other programs, test sets, boards and turns.

use super::{FuzzTarget, target, text, texts, told};
use codenames::engine::meaning::{ScoreColumn, ScoreMatrix};
use codenames::formats::{BoardFile, read_cnwa, read_turns, write_cnwa};
use semantics::pack::Writer;
use semantics::{Language, Pack, Relation, Relations, Vectors, Vocabulary, WordFlags};
use std::path::Path;

/// A language of three words, with vectors and one relation.
fn pack() -> Vec<u8> {
    let mut writer = Writer::new();
    let words = ["dog", "cat", "animal"].map(|word| (word.to_owned(), WordFlags::default()));
    Vocabulary::write(&mut writer, &words);
    let vectors = [vec![1.0, 0.0], vec![0.5, 0.5], vec![0.0, 1.0]];
    Vectors::write(&mut writer, 2, &vectors, &[]);
    Relations::write(&mut writer, 3, &[(Relation::ALL[0], vec![vec![1], vec![0], vec![]])]);
    semantics::lemmas::Lemmas::write(&mut writer, &[0, 1, 2], &[("dogs".to_owned(), "dog".to_owned())]);
    semantics::cooccurrence::Cooccurrence::write(&mut writer, &[vec![(1, 2)], vec![(0, 2)], vec![]], &[2, 2, 0], 2);
    writer.to_bytes()
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(crate::root().join("fixtures/semantics").join(name)).unwrap_or_default()
}

const BOARD: &str = r#"{"lang":"en","words":[{"word":"dog","role":"red"},{"word":"ice","role":"blue","revealed":true},
{"word":"king","role":"neutral"},{"word":"bomb","role":"assassin"}]}"#;

pub fn targets() -> Vec<FuzzTarget> {
    vec![
        target!("semantics.pack", "language packs: damaged ones are refused", vec![pack()], |bytes| {
            let read = Pack::from_bytes("it", bytes);
            let Ok(pack) = &read else { return told(read, |_| 1) };
            for (name, _) in pack.sections() {
                let _ = (pack.slice::<u32>(name), pack.text(name));
            }
            let language = Language::from_packs(Path::new("it"), "en", std::slice::from_ref(pack), "dog: cat\n");
            if let Ok(language) = &language {
                for word in ["dog", "cats", "nothing"] {
                    let _ = language.find(word);
                }
            }
            told(language, |language| language.words().len())
        }),
        target!(
            "semantics.vectors",
            "word vectors of word2vec and fastText",
            ["gensim.txt", "gensim.bin", "fasttext.bin", "fasttext.ftz", "fasttext.vec"].map(fixture).to_vec(),
            |bytes| {
                let read = semantics::files::read(bytes);
                if let Ok(vectors) = &read {
                    let _ = vectors.vector("anything");
                }
                told(read, |vectors| vectors.words().len())
            }
        ),
        target!(
            "semantics.tests",
            "test sets: pairs, associations, separations",
            texts(&["dog\tcat\t7.5\n", "dog\tcat,bone\n", "dog\tcat\n", "king queen 8.1\n"]),
            |bytes| {
                let words = text(bytes);
                let pairs = told(semantics::eval::pairs::read(&words), Vec::len);
                let cues = told(semantics::eval::associations::read(&words), Vec::len);
                format!("{pairs}; {cues}; {}", told(semantics::eval::separation::read(&words), Vec::len))
            }
        ),
        target!("codenames.board", "boards as JSON", texts(&[BOARD]), |bytes| {
            match serde_json::from_slice::<BoardFile>(bytes) {
                Ok(board) => told(board.position(), |position| position.cards.len()),
                Err(error) => error.to_string(),
            }
        }),
        target!(
            "codenames.cnwa",
            "turns as .cnwa",
            texts(&["a 2\tab*\tdog cat bone\n", "hory 2\tas\tsníh skála\n"]),
            |bytes| {
                let read = read_cnwa(&text(bytes));
                if let Ok(turns) = &read {
                    let _ = write_cnwa(turns);
                }
                told(read, Vec::len)
            }
        ),
        target!(
            "codenames.turns",
            "turns of people as JSON lines",
            texts(&["{\"hint\":\"animal\",\"board\":[\"dog\",\"ice\"],\"guesses\":[\"dog\"],\"targets\":[\"dog\"]}\n"]),
            |bytes| told(read_turns(&text(bytes)), Vec::len)
        ),
        target!(
            "codenames.matrix",
            "kept nearness of clues and words",
            vec![
                ScoreMatrix::new(1, 2, &[("a".to_owned(), std::array::from_fn(|_| ScoreColumn::new(&[1.0, 2.0])))])
                    .to_bytes()
            ],
            |bytes| told(ScoreMatrix::from_bytes(bytes, 1), |_| 1)
        ),
    ]
}
