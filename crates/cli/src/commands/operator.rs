//! The operator's token: kept in a file that only its owner reads, or made for one evening.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use store::Secret;

/// The token of a file, which is made if it is not there; without a file a fresh one where somebody sees it.
pub fn token(file: Option<&Path>) -> Result<Option<Secret>> {
    let Some(file) = file else {
        return Ok(std::io::stdout().is_terminal().then(Secret::generate));
    };
    let place = || format!("--operator-token-file {}", file.display());
    match std::fs::read_to_string(file) {
        Ok(text) => {
            let mode = std::fs::metadata(file).with_context(place)?.permissions().mode();
            if mode & 0o077 != 0 {
                bail!("{}: others may read it (mode {:03o}): chmod 600 it", place(), mode & 0o777);
            }
            let token = Secret::parse(text.trim());
            token.map(Some).with_context(|| format!("{}: a token is 64 hexadecimal digits", place()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let token = Secret::generate();
            let mut made = File::options().write(true).create_new(true).mode(0o600).open(file).with_context(place)?;
            writeln!(made, "{}", token.reveal()).and_then(|()| made.sync_all()).with_context(place)?;
            Ok(Some(token))
        }
        Err(error) => Err(error).with_context(place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("operator");
        let first = token(Some(&file)).expect("it is made").expect("a token");
        assert_eq!(token(Some(&file)).expect("it is read").expect("a token"), first);
        assert_eq!(std::fs::metadata(&file).expect("it is there").permissions().mode() & 0o777, 0o600);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("it is ours");
        assert!(token(Some(&file)).unwrap_err().to_string().contains("chmod 600"));
        std::fs::write(&file, "short").expect("it is ours");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("it is ours");
        assert!(token(Some(&file)).unwrap_err().to_string().contains("64 hexadecimal digits"));
    }
}
