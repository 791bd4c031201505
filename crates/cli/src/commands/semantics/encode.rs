//! `parlour semantics encode`.

use super::{PackArgs, data};
use anyhow::{Context, bail};
use semantics::encoder::{FOLDER, SentenceEncoder, TextEncoder};
use std::io::Read;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour semantics encode \"king of the jungle\" lion --json")]
pub struct Args {
    /// Texts to encode
    texts: Vec<String>,
    /// Read texts from this file, one a line; `-` for standard input
    #[arg(long)]
    file: Option<PathBuf>,
}

impl Args {
    fn texts(&self) -> anyhow::Result<Vec<String>> {
        let mut texts = self.texts.clone();
        if let Some(path) = &self.file {
            let mut text = String::new();
            if path.as_os_str() == "-" {
                std::io::stdin().read_to_string(&mut text).context("standard input")?;
            } else {
                text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            }
            texts.extend(text.lines().map(str::to_owned));
        }
        if texts.is_empty() {
            bail!("no text to encode; name one or a --file");
        }
        Ok(texts)
    }
}

pub fn run(args: &Args, packs: &PackArgs) -> anyhow::Result<()> {
    let texts = args.texts()?;
    let folder = data::find(packs.data.as_deref())?.join(FOLDER);
    let encoder = SentenceEncoder::open(&folder).context("`cargo xtask data encoders` makes the encoder")?;
    let list: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = encoder.encode_batch(&list, &|| false)?;
    if packs.json {
        println!("{}", serde_json::json!({"dim": encoder.dim(), "vectors": vectors}));
        return Ok(());
    }
    for (text, vector) in texts.iter().zip(&vectors) {
        let near = vectors.iter().map(|v| format!("{:.3}", semantics::vectors::cosine(vector, v)));
        println!("{}  {text}", near.collect::<Vec<_>>().join(" "));
    }
    Ok(())
}
