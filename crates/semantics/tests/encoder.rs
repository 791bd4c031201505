//! The shipped sentence encoder against reference outputs (`scripts/minilm_golden.py`).

use semantics::encoder::{EncodedWords, EncoderError, FOLDER, SentenceEncoder, TextEncoder};
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

fn encoder() -> SentenceEncoder {
    SentenceEncoder::open(&data().join(FOLDER)).expect("the encoder is shipped")
}

#[test]
fn a_thousand_texts_have_the_reference_tokens_and_vectors() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/semantics/minilm-golden.tsv");
    let golden = std::fs::read_to_string(golden).expect("the fixture is there");
    let rows: Vec<Vec<&str>> = golden.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 1000);
    let encoder = encoder();
    let numbers = |field: &str| field.split(' ').map(|n| n.parse().expect("a number")).collect::<Vec<i32>>();
    for row in &rows {
        assert_eq!(encoder.tokenizer().encode(row[0], 128), numbers(row[1]), "{}", row[0]);
    }
    let texts: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    let vectors = encoder.encode_batch(&texts, &|| false).expect("every text can be encoded");
    for (row, vector) in rows.iter().zip(&vectors) {
        assert_eq!(vector.len(), 384);
        assert!((vector.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-4, "{}", row[0]);
        for (own, reference) in vector.iter().zip(numbers(row[2])) {
            assert!((own - reference as f32 * 1e-5).abs() < 1e-3, "{}: {own} {reference}", row[0]);
        }
    }
}

#[test]
fn a_batch_can_be_stopped() {
    let stopped = encoder().encode_batch(&["a", "b"], &|| true);
    assert!(matches!(stopped, Err(EncoderError::Cancelled)));
}

#[test]
fn listed_words_agree_with_the_encoder() {
    let (encoder, words) = (encoder(), EncodedWords::new(&data()));
    for word in ["ocean", "castle", "zebra crossing"] {
        let (own, listed) = (encoder.encode(word).expect("a word"), words.vector(word).expect("a word"));
        let cosine: f32 = own.iter().zip(&listed).map(|(a, b)| a * b).sum();
        assert!(cosine > 0.999, "{word}: {cosine}");
    }
}
