//! Names of players with options, parsed in one place: `NAME[:key=value,…]`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A named player with options, as the command line, the arena, protocols and the API accept it.
///
/// ```
/// use game::PlayerSpec;
///
/// let spec: PlayerSpec = "pattern:nodes=5000,table_mb=64".parse().unwrap();
/// assert_eq!(spec.name(), "pattern");
/// assert_eq!(spec.option::<u64>("nodes"), Ok(Some(5000)));
/// assert_eq!(spec.option::<u64>("ms"), Ok(None));
/// assert!(spec.allow(&["nodes"]).is_err()); // table_mb is unknown there
/// assert_eq!("full:800".parse::<PlayerSpec>().unwrap().to_string(), "full:nodes=800");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PlayerSpec {
    name: String,
    options: BTreeMap<String, String>,
}

/// Why a text is not a player specification, or an option is not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerSpecError {
    #[error("{0:?} is not NAME or NAME:key=value,…")]
    Form(String),
    #[error("{player} has {key} twice")]
    Duplicate { player: String, key: String },
    #[error("{player} has no option {key:?}; its options are: {known}")]
    Unknown { player: String, key: String, known: String },
    #[error("{player}:{key}={value} is not a valid value")]
    Value { player: String, key: String, value: String },
}

impl PlayerSpec {
    /// A player without options.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), options: BTreeMap::new() }
    }

    /// The same with an option.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.options.insert(key.to_owned(), value.to_string());
        self
    }

    /// The player's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value of an option, if it is given.
    pub fn option<T: FromStr>(&self, key: &str) -> Result<Option<T>, PlayerSpecError> {
        let Some(value) = self.options.get(key) else { return Ok(None) };
        let invalid =
            |_| PlayerSpecError::Value { player: self.name.clone(), key: key.to_owned(), value: value.clone() };
        value.parse().map(Some).map_err(invalid)
    }

    /// Refuses options that are not in `known`.
    pub fn allow(&self, known: &[&str]) -> Result<(), PlayerSpecError> {
        match self.options.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => Err(PlayerSpecError::Unknown {
                player: self.name.clone(),
                key: key.clone(),
                known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
            }),
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    /// Parses `NAME` or `NAME:key=value,…`. `NAME:NUMBER` is the older form of `NAME:nodes=NUMBER`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = || PlayerSpecError::Form(text.to_owned());
        let is_word =
            |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || ['-', '_', '.'].contains(&c));
        let (name, options) = text.split_once(':').map_or((text, None), |(name, options)| (name, Some(options)));
        if !is_word(name) {
            return Err(form());
        }
        let mut spec = Self::new(name);
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            let (key, value) = match option.split_once('=') {
                Some(pair) => pair,
                None if option.parse::<u64>().is_ok() => ("nodes", option),
                None => return Err(form()),
            };
            if !is_word(key) || value.is_empty() {
                return Err(form());
            }
            if spec.options.insert(key.to_owned(), value.to_owned()).is_some() {
                return Err(PlayerSpecError::Duplicate { player: name.to_owned(), key: key.to_owned() });
            }
        }
        Ok(spec)
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (number, (key, value)) in self.options.iter().enumerate() {
            write!(f, "{}{key}={value}", if number == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = PlayerSpecError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<PlayerSpec> for String {
    fn from(spec: PlayerSpec) -> Self {
        spec.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_survive_their_text() {
        for text in ["full", "one-ply", "pattern:nodes=5", "strong:iterations=800,ms=20", "net:file=a/b.net"] {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            let json = serde_json::to_string(&spec).unwrap();
            assert_eq!(json, format!("{text:?}"));
            assert_eq!(serde_json::from_str::<PlayerSpec>(&json).unwrap(), spec);
        }
        assert_eq!(PlayerSpec::new("full").with("nodes", 8).to_string(), "full:nodes=8");
    }

    #[test]
    fn other_texts_are_refused_with_a_reason() {
        for text in ["", ":", "a:", "a:b", "a:=1", "a:b=", "a b", "a:b=1,,c=2", "/bin/brain"] {
            assert!(text.parse::<PlayerSpec>().is_err(), "{text}");
        }
        let twice = "a:b=1,b=2".parse::<PlayerSpec>().unwrap_err();
        assert_eq!(twice.to_string(), "a has b twice");
        let spec: PlayerSpec = "a:nodes=many".parse().unwrap();
        assert_eq!(spec.option::<u64>("nodes").unwrap_err().to_string(), "a:nodes=many is not a valid value");
        assert_eq!(spec.allow(&["ms"]).unwrap_err().to_string(), "a has no option \"nodes\"; its options are: ms");
    }
}
