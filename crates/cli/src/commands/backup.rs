//! `parlour backup` and `parlour restore`: everything a store holds, in one file that either database reads.

use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use store::Store;

#[derive(clap::Args)]
pub struct BackupArgs {
    /// The store: sqlite:PATH or postgres://USER@HOST/DATABASE; servers may go on using it
    #[arg(long, value_name = "ADDRESS", default_value = "sqlite:parlour.db")]
    store: String,
    /// The file to write; it appears when it is whole
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file of that name
    #[arg(long)]
    overwrite: bool,
}

#[derive(clap::Args)]
pub struct RestoreArgs {
    /// The store to fill; stop its servers first
    #[arg(long, value_name = "ADDRESS")]
    store: String,
    /// The backup
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// Let everything go that is in the store
    #[arg(long)]
    overwrite: bool,
}

pub fn backup(args: BackupArgs) -> Result<()> {
    let out = args.out;
    ensure!(args.overwrite || !out.exists(), "--out {}: there is such a file; --overwrite replaces it", out.display());
    if let Some(path) = args.store.strip_prefix("sqlite:") {
        ensure!(Path::new(path).exists(), "--store {}: there is no such file", args.store);
    }
    runtime()?.block_on(async {
        let store = Store::open(&args.store).await?;
        let part = out.with_added_extension("part");
        let cannot = || format!("{} cannot be written", part.display());
        let mut file = BufWriter::new(private(&part).with_context(cannot)?);
        let contents = store.backup(&mut file).await?;
        file.flush().with_context(cannot)?;
        let file = file.into_inner().with_context(cannot)?;
        file.sync_all().with_context(cannot)?;
        std::fs::rename(&part, &out).with_context(|| format!("{} cannot be written", out.display()))?;
        store.close().await;
        println!("{}: {} rows of {} tables", out.display(), contents.rows, contents.tables);
        Ok(())
    })
}

/// A new file that nobody else may read: it holds the hashes of passwords.
fn private(path: &Path) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().write(true).create(true).truncate(true).mode(0o600).open(path)
}

pub fn restore(args: RestoreArgs) -> Result<()> {
    let file = File::open(&args.from).with_context(|| format!("--from {}", args.from.display()))?;
    runtime()?.block_on(async {
        let store = Store::open(&args.store).await?;
        let restored = store.restore(BufReader::new(file), args.overwrite).await;
        store.close().await;
        let contents = restored.with_context(|| format!("{} was not restored", args.from.display()))?;
        println!("{}: {} rows of {} tables", args.store_shown(), contents.rows, contents.tables);
        Ok(())
    })
}

impl RestoreArgs {
    /// The address without a password.
    fn store_shown(&self) -> String {
        match (self.store.split_once("://"), self.store.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
            _ => self.store.clone(),
        }
    }
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}
