//! The configuration file of Šindelář 2024 (section 6.6): scalars may be lists, which expand to all combinations.

use serde_json::{Map, Value, json};

/// One fully expanded run.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentConfig {
    pub learning_rate: f64,
    pub learning_rate_decay: f64,
    pub embedding_dim: usize,
    pub experiment_name: String,
    pub device: String,
    pub actions_range: usize,
    pub batch_size: usize,
    pub batch_size_val: usize,
    pub max_epochs: usize,
    pub reference_embeddings: bool,
    pub print_every_n: usize,
    pub eliminator_known: Vec<usize>,
    pub eliminator_iters: usize,
    pub eliminator_combinations: usize,
    pub hidden_sizes: Vec<usize>,
    pub dropouts_enc: Vec<f64>,
    pub dropouts_dec: Vec<f64>,
    /// In percent, whether written as percent or as a fraction.
    pub perc_bad: Vec<f64>,
    /// Steps between validations; 0 means every two batches.
    pub validate_every_n: usize,
    pub resume_ckpt: String,
}

impl Default for ExperimentConfig {
    fn default() -> Self {
        ExperimentConfig {
            learning_rate: 0.001,
            learning_rate_decay: 0.25,
            embedding_dim: 64,
            experiment_name: "1".to_owned(),
            device: "cpu".to_owned(),
            actions_range: 6,
            batch_size: 64,
            batch_size_val: 4,
            max_epochs: 3,
            reference_embeddings: false,
            print_every_n: 10,
            eliminator_known: vec![10],
            eliminator_iters: 1,
            eliminator_combinations: 1,
            hidden_sizes: vec![128],
            dropouts_enc: vec![0.0; 2],
            dropouts_dec: vec![0.0; 3],
            perc_bad: vec![25.0, 40.0],
            validate_every_n: 0,
            resume_ckpt: String::new(),
        }
    }
}

/// Keys whose value is a list; they expand only as a list of lists.
const LISTS: [&str; 5] = ["eliminator_known", "hidden_sizes", "dropouts_enc", "dropouts_dec", "perc_bad"];

impl ExperimentConfig {
    /// The runs a configuration file asks for. Missing or invalid values take their defaults.
    pub fn expand(file: &Value) -> Vec<ExperimentConfig> {
        let empty = Map::new();
        let entries = file.as_object().unwrap_or(&empty);
        let mut runs = vec![Map::new()];
        for (key, value) in entries {
            let choices: Vec<Value> = match value {
                Value::Array(list) if LISTS.contains(&key.as_str()) => {
                    if !list.is_empty() && list.iter().all(Value::is_array) {
                        list.clone()
                    } else {
                        vec![value.clone()]
                    }
                }
                Value::Array(list) if !list.is_empty() => list.clone(),
                other => vec![other.clone()],
            };
            runs = runs
                .into_iter()
                .flat_map(|run| {
                    choices.iter().map(move |choice| {
                        let mut next = run.clone();
                        next.insert(key.clone(), choice.clone());
                        next
                    })
                })
                .collect();
        }
        runs.iter().map(ExperimentConfig::read).collect()
    }

    fn read(run: &Map<String, Value>) -> ExperimentConfig {
        let d = ExperimentConfig::default();
        let number = |key: &str, default: f64| run.get(key).and_then(Value::as_f64).unwrap_or(default);
        let whole = |key: &str, default: usize| {
            run.get(key).and_then(Value::as_u64).and_then(|v| usize::try_from(v).ok()).unwrap_or(default)
        };
        let text = |key: &str, default: &str| run.get(key).and_then(Value::as_str).unwrap_or(default).to_owned();
        let numbers = |key: &str, default: &[f64]| -> Vec<f64> {
            let list = run.get(key).and_then(Value::as_array);
            list.and_then(|l| l.iter().map(Value::as_f64).collect()).unwrap_or_else(|| default.to_vec())
        };
        let wholes = |key: &str, default: &[usize]| -> Vec<usize> {
            let list = run.get(key).and_then(Value::as_array);
            let read = |v: &Value| v.as_u64().and_then(|v| usize::try_from(v).ok());
            list.and_then(|l| l.iter().map(read).collect()).unwrap_or_else(|| default.to_vec())
        };
        let percent = |v: f64| if v < 1.0 { v * 100.0 } else { v };
        ExperimentConfig {
            learning_rate: number("learning_rate", d.learning_rate),
            learning_rate_decay: number("learning_rate_decay", d.learning_rate_decay),
            embedding_dim: whole("embedding_dim", d.embedding_dim),
            experiment_name: text("experiment_name", &d.experiment_name),
            device: text("device", &d.device),
            // the published samples spell it actionsRange
            actions_range: whole("actionsRange", whole("actions_range", d.actions_range)),
            batch_size: whole("batch_size", d.batch_size),
            batch_size_val: whole("batch_size_val", d.batch_size_val),
            max_epochs: whole("max_epochs", d.max_epochs),
            reference_embeddings: run.get("reference_embeddings").and_then(Value::as_bool).unwrap_or(false),
            print_every_n: whole("print_every_n", d.print_every_n),
            eliminator_known: wholes("eliminator_known", &d.eliminator_known),
            eliminator_iters: whole("eliminator_iters", d.eliminator_iters),
            eliminator_combinations: whole("eliminator_combinations", d.eliminator_combinations),
            hidden_sizes: wholes("hidden_sizes", &d.hidden_sizes),
            dropouts_enc: numbers("dropouts_enc", &d.dropouts_enc),
            dropouts_dec: numbers("dropouts_dec", &d.dropouts_dec),
            perc_bad: numbers("perc_bad", &d.perc_bad).into_iter().map(percent).collect(),
            validate_every_n: whole("validate_every_n", d.validate_every_n),
            resume_ckpt: text("resume_ckpt", &d.resume_ckpt),
        }
    }

    /// Rejects unsupported values, because a silently ignored value would invalidate a comparison.
    pub fn check(&self) -> Result<(), String> {
        if self.dropouts_enc.iter().chain(&self.dropouts_dec).any(|p| *p != 0.0) {
            return Err("dropouts_enc and dropouts_dec must be 0: the network here has no dropout".to_owned());
        }
        if self.hidden_sizes.len() != 1 {
            return Err(format!("hidden_sizes has {} values: the network here takes one", self.hidden_sizes.len()));
        }
        if self.actions_range != 6 {
            return Err(format!("actions_range is {}: soldiers have 6 orders", self.actions_range));
        }
        if self.eliminator_combinations != 1 {
            return Err("eliminator_combinations must be 1: known bad trees are drawn from all five kinds".to_owned());
        }
        Ok(())
    }

    /// The run as a configuration file of its own.
    pub fn to_json(&self) -> Value {
        json!({
            "learning_rate": self.learning_rate, "learning_rate_decay": self.learning_rate_decay,
            "embedding_dim": self.embedding_dim, "experiment_name": self.experiment_name, "device": self.device,
            "actions_range": self.actions_range, "batch_size": self.batch_size, "batch_size_val": self.batch_size_val,
            "max_epochs": self.max_epochs, "reference_embeddings": self.reference_embeddings,
            "print_every_n": self.print_every_n, "eliminator_known": self.eliminator_known,
            "eliminator_iters": self.eliminator_iters, "eliminator_combinations": self.eliminator_combinations,
            "hidden_sizes": self.hidden_sizes, "dropouts_enc": self.dropouts_enc, "dropouts_dec": self.dropouts_dec,
            "perc_bad": self.perc_bad, "validate_every_n": self.validate_every_n, "resume_ckpt": self.resume_ckpt,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_expand_and_lists_need_lists_of_lists() {
        let file = json!({ "learning_rate": [0.1, 0.2], "perc_bad": [15, 25], "eliminator_known": [[40], [80]], "actionsRange": 6 });
        let runs = ExperimentConfig::expand(&file);
        assert_eq!(runs.len(), 4);
        assert!(runs.iter().all(|r| r.perc_bad == [15.0, 25.0] && r.actions_range == 6));
        assert_eq!(runs.iter().filter(|r| r.eliminator_known == [80]).count(), 2);
    }

    #[test]
    fn fractions_are_percent_and_nonsense_is_default() {
        let runs = ExperimentConfig::expand(&json!({ "perc_bad": [0.15, 25], "max_epochs": "many" }));
        assert_eq!((runs[0].perc_bad.clone(), runs[0].max_epochs), (vec![15.0, 25.0], 3));
        assert_eq!(ExperimentConfig::expand(&json!(null)), vec![ExperimentConfig::default()]);
        let again = ExperimentConfig::expand(&runs[0].to_json());
        assert_eq!(again, runs);
    }
}
