//! Gomoku with the nets that are in the data folder: `gomoku/<rule>.net`, any or none.

use std::path::Path;
use std::sync::Arc;

use gomoku::Gomoku;
use gomoku::engine::Evaluation;
use gomoku::engine::net::Net;
use gomoku::players::Nets;
use gomoku::rules::Rule;

/// The game; a net that is there but cannot be read is an error, a missing one is not.
pub(super) fn load(data: Option<&Path>) -> Result<Gomoku, String> {
    let mut nets = Nets::default();
    for rule in Rule::ALL {
        let Some(path) = data.map(|folder| folder.join(format!("gomoku/{rule}.net"))) else { continue };
        match std::fs::read(&path) {
            Ok(bytes) => {
                let net = Net::from_bytes(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
                nets.insert(rule, Evaluation::Net(Arc::new(net)));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{}: {error}", path.display())),
        }
    }
    Ok(Gomoku::with_nets(nets))
}
