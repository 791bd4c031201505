//! Homeguard: maps, records, tensors, profiles, configurations.

use super::{FuzzTarget, target, text, texts, told};
use homeguard::engine::preference::PreferenceProfile;
use homeguard::formats::{MapJson, MapRecordFile, Tensor, map_from_text};
use homeguard::rules::Map;
use lab::homeguard::config::ExperimentConfig;

fn shipped(name: &str) -> Vec<u8> {
    let all = std::fs::read(crate::root().join("data/homeguard").join(name)).unwrap_or_default();
    all[..all.len().min(4000)].to_vec()
}

const MAP: &str = ".......\n.2...3.\n..0.1..\n.......\n..1.0..\n.2...3.\n.......";

pub fn targets() -> Vec<FuzzTarget> {
    vec![
        target!("homeguard.map", "maps as text", texts(&[MAP]), |bytes| told(map_from_text(&text(bytes)), |_| 1)),
        target!(
            "homeguard.json",
            "maps as JSON",
            texts(&[r#"{"size":7,"rows":[".......",".2...3.","..0.1..",".......","..1.0..",".2...3.","......."]}"#]),
            |bytes| match serde_json::from_slice::<MapJson>(bytes) {
                Ok(json) => told(Map::try_from(&json), |_| 1),
                Err(error) => error.to_string(),
            }
        ),
        target!(
            "homeguard.records",
            "files of many maps",
            vec![shipped("maps.txt"), format!("head\n----\n{MAP}\n\n1;2\n\n3").into_bytes()],
            |bytes| {
                let read = MapRecordFile::from_text(&text(bytes));
                if let Ok(file) = &read {
                    let again = MapRecordFile::from_text(&file.to_text()).expect("what was written can be read");
                    assert_eq!(again.records.len(), file.records.len());
                }
                told(read, |file| file.records.len())
            }
        ),
        target!(
            "homeguard.tensor",
            "tensors of trees",
            vec![Tensor::new([1, 2, 2], vec![1, 2, 3, 4]).map(|tensor| tensor.to_bytes()).unwrap_or_default()],
            |bytes| told(Tensor::from_bytes(bytes), |_| 1)
        ),
        target!(
            "homeguard.profile",
            "preference profiles",
            vec![br#"{"version":1,"ratings":[]}"#.to_vec(), shipped("shared.json")],
            |bytes| told(serde_json::from_slice::<PreferenceProfile>(bytes), |profile| profile.ratings.len())
        ),
        target!(
            "homeguard.config",
            "configurations of the lab",
            texts(&[r#"{"learning_rate":[0.1,0.2],"hidden_sizes":[[8],[16]],"perc_bad":[0.25],"max_epochs":2}"#]),
            |bytes| match serde_json::from_slice::<serde_json::Value>(bytes) {
                Ok(value) => {
                    let runs = ExperimentConfig::expand(&value);
                    runs.first().map_or("no run".to_owned(), |run| told(run.check(), |_| 1))
                }
                Err(error) => error.to_string(),
            }
        ),
    ]
}
