//! Features to leave out, to measure what they add.

use anyhow::bail;
use semantics::assoc::features::NAMES;

#[derive(clap::Args)]
pub struct Without {
    /// Leave these features of the association model out (comma-separated)
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
}

impl Without {
    /// The names, or an error for an unknown one.
    pub fn checked(&self) -> anyhow::Result<&[String]> {
        match self.without.iter().find(|name| !NAMES.contains(&name.as_str())) {
            Some(name) => bail!("--without {name}: no such feature; there are {}", NAMES.join(", ")),
            None => Ok(&self.without),
        }
    }
}
