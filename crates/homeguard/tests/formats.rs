//! The file formats: round trips, the examples of the thesis, and readers that never panic.

use homeguard::formats::{Blank, MapJson, MapRecord, MapRecordFile, Tensor, TensorError, map_from_text, map_to_text};
use homeguard::rules::maps::{CheckersGenerator, GeneWeights, PortalRules, random_map};
use homeguard::rules::{Map, Size};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn a_map(seed: u64) -> Map {
    let size = Size::ALL[seed as usize % Size::ALL.len()];
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    random_map(size, &CheckersGenerator, GeneWeights::default(), PortalRules::default(), &mut rng)
}

#[test]
fn the_empty_board_looks_like_this() {
    let text = map_to_text(&Map::empty(Size::new(7).unwrap()), Blank::Dot);
    assert_eq!(text, "..2...3\n.......\n2......\n.......\n.......\n.......\n3......");
}

#[test]
fn mistakes_are_named_with_their_place() {
    let wrong = |text: &str| map_from_text(text).unwrap_err().to_string();
    assert!(wrong("..2").contains("1 rows"));
    let good = "..2...3\n.......\n2......\n.......\n.......\n.......\n3......";
    assert!(wrong(&good.replacen("..2", ".02", 1).replacen(".02", "0.2", 1)).contains("row 1, column 1"));
    assert!(wrong(&good.replacen('3', ".", 1)).contains("'3' occurs 1 times"));
    assert!(wrong(&good.replacen("2......", "2.A....", 1)).contains("portal A has 1 ends"));
    assert!(wrong(&good.replacen("2......", "2.x....", 1)).contains("'x' means nothing"));
    assert!(map_from_text(&format!("{good}\n")).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn maps_round_trip_as_text_and_json(seed in any::<u64>()) {
        let map = a_map(seed);
        for blank in [Blank::Space, Blank::Dot] {
            prop_assert_eq!(&map_from_text(&map_to_text(&map, blank)).unwrap(), &map);
        }
        let json = serde_json::to_string(&MapJson::from(&map)).unwrap();
        let back: MapJson = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(Map::try_from(&back).unwrap(), map);
    }

    #[test]
    fn record_files_round_trip(
        seeds in prop::collection::vec(any::<u64>(), 0..4),
        ticks in prop::collection::vec(prop::collection::vec(-99_999_999i32..=99_999_999, 1..5), 0..3),
        class in any::<i64>(),
        header in "[a-z ]{0,10}",
    ) {
        let embeddings: Vec<Vec<f64>> = ticks.iter()
            .map(|row| row.iter().map(|t| f64::from(*t) / 10_000.0).collect())
            .collect();
        let file = MapRecordFile {
            header: if header.is_empty() { header } else { format!("{header}\n") },
            records: seeds.iter().map(|seed| MapRecord {
                map: a_map(*seed), embeddings: embeddings.clone(), class,
            }).collect(),
        };
        prop_assert_eq!(MapRecordFile::from_text(&file.to_text()).unwrap(), file);
    }

    #[test]
    fn tensors_round_trip(a in 0usize..4, b in 0usize..5, c in 0usize..6, fill in any::<i16>()) {
        let data: Vec<i16> = (0..a * b * c).map(|i| fill.wrapping_add(i as i16)).collect();
        let tensor = Tensor::new([a, b, c], data).unwrap();
        prop_assert_eq!(Tensor::from_bytes(&tensor.to_bytes()).unwrap(), tensor);
    }
}

#[test]
fn numbers_have_a_sign_four_digits_a_comma_and_four_digits() {
    let record = |value: f64| MapRecordFile {
        header: String::new(),
        records: vec![MapRecord { map: a_map(0), embeddings: vec![vec![value, -value]], class: 3 }],
    };
    assert!(record(1.25).to_text().contains("+0001,2500;-0001,2500\n\n3"));
    assert!(record(123_456.0).to_text().contains("+9999,9999;-9999,9999"));
}

#[test]
fn a_record_without_embeddings_is_four_line_feeds() {
    let file = MapRecordFile {
        header: "made by hand\n".into(),
        records: vec![
            MapRecord { map: a_map(2), embeddings: vec![], class: 0 },
            MapRecord { map: a_map(4), embeddings: vec![], class: 1 },
        ],
    };
    let text = file.to_text();
    assert!(text.contains("\n\n\n\n0\n\n\n"));
    assert_eq!(MapRecordFile::from_text(&text).unwrap(), file);
}

#[test]
fn tensors_that_lie_about_their_length_are_refused() {
    assert_eq!(Tensor::from_bytes(&[1, 2]), Err(TensorError::NoShape(2)));
    let mut bytes = Tensor::new([1, 1, 2], vec![1, 2]).unwrap().to_bytes();
    bytes.pop();
    assert!(matches!(Tensor::from_bytes(&bytes), Err(TensorError::Length { given: 3, .. })));
    let huge = [0xff; 12];
    assert!(matches!(Tensor::from_bytes(&huge), Err(TensorError::Length { given: 0, .. })));
}

#[test]
fn readers_never_panic() {
    bolero::check!().with_iterations(2_000).for_each(|bytes: &[u8]| {
        let _ = Tensor::from_bytes(bytes);
        let text = String::from_utf8_lossy(bytes);
        let _ = map_from_text(&text);
        let _ = MapRecordFile::from_text(&text);
        let _ = MapRecordFile::from_text(&format!("----\n{text}"));
    });
}

#[test]
fn readers_never_panic_on_damaged_files() {
    let good = MapRecordFile {
        header: String::new(),
        records: (0..2).map(|seed| MapRecord { map: a_map(seed), embeddings: vec![vec![1.0; 2]], class: 1 }).collect(),
    }
    .to_text();
    bolero::check!().with_iterations(2_000).with_type::<(u16, u8)>().for_each(|(at, byte)| {
        let mut bytes = good.clone().into_bytes();
        let at = usize::from(*at) % bytes.len();
        bytes[at] = *byte;
        let _ = MapRecordFile::from_text(&String::from_utf8_lossy(&bytes));
        let _ = MapRecordFile::from_text(&String::from_utf8_lossy(&bytes[..at]));
    });
}
