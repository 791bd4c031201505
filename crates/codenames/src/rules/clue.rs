//! A clue: one word and a number.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use utoipa::ToSchema;

/// How many words a clue is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// So many; 0 says that none of the team's words fit, and allows any number of guesses.
    Of(u8),
    /// Any number of guesses, nothing said of how many fit.
    Unlimited,
}

impl Number {
    /// The largest number that can be said.
    pub const MAX: u8 = 9;

    /// The most guesses a turn with this number allows.
    pub const fn guesses(self) -> Option<u8> {
        match self {
            Number::Of(0) | Number::Unlimited => None,
            Number::Of(n) => Some(n + 1),
        }
    }

    /// How many words are meant, as far as it is said.
    pub const fn meant(self) -> Option<u8> {
        match self {
            Number::Of(n) => Some(n),
            Number::Unlimited => None,
        }
    }

    /// Reads `3`, `0`, `inf`, `unlimited` or `∞`.
    pub fn parse(text: &str) -> Option<Number> {
        match text.trim() {
            "inf" | "unlimited" | "∞" | "-1" => Some(Number::Unlimited),
            digits => digits.parse().ok().filter(|n| *n <= Self::MAX).map(Number::Of),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Of(n) => write!(f, "{n}"),
            Number::Unlimited => f.write_str("∞"),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Number::Of(n) => serializer.serialize_u8(*n),
            Number::Unlimited => serializer.serialize_str("unlimited"),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let text = match &value {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        Number::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(format!("`{text}` is not a number of words: 0 to 9, or `unlimited`"))
        })
    }
}

/// A clue as it was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Clue {
    pub word: String,
    /// 0 to 9, or `unlimited`.
    #[schema(value_type = Object)]
    pub number: Number,
}

impl fmt::Display for Clue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.word, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_and_write() {
        for (text, number) in [("3", Number::Of(3)), ("0", Number::Of(0)), ("∞", Number::Unlimited)] {
            assert_eq!(Number::parse(text), Some(number));
            let json = serde_json::to_string(&number).unwrap();
            assert_eq!(serde_json::from_str::<Number>(&json).unwrap(), number);
        }
        assert_eq!(Number::parse("10"), None);
        assert_eq!(Number::Of(2).guesses(), Some(3));
        assert_eq!(Number::Of(0).guesses(), None);
    }
}
