//! Secrets of guests and seats: 256 random bits. Only the hash is stored.

use sha2::{Digest, Sha256};
use std::fmt;

/// A secret in the hands of its owner. It is shown once and never printed in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

/// The stored hash of a secret.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SecretHash(String);

impl Secret {
    /// A fresh secret from the machine's generator.
    pub fn generate() -> Self {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the machine gives random bytes");
        Self(bytes)
    }

    /// Parses the output of [`Secret::reveal`]: 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |c: u8| (c as char).to_digit(16).filter(|_| !c.is_ascii_uppercase());
            *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
        }
        Some(Self(bytes))
    }

    /// The secret as text, for its owner only.
    pub fn reveal(&self) -> String {
        hex(&self.0)
    }

    /// The stored form. SHA-256 without salt suffices: the secret has 256 random bits.
    pub fn hash(&self) -> SecretHash {
        SecretHash(hex(&Sha256::digest(self.0)))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(hidden)")
    }
}

impl SecretHash {
    /// The hash as 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A hash read back from the database.
    pub(crate) fn stored(text: String) -> Self {
        Self(text)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_survives_its_text_and_hides_in_logs() {
        let secret = Secret::generate();
        assert_eq!(Secret::parse(&secret.reveal()), Some(secret.clone()));
        assert_eq!(format!("{secret:?}"), "Secret(hidden)");
        assert_ne!(secret.hash().as_str(), secret.reveal());
        assert_ne!(Secret::generate(), secret);
    }

    #[test]
    fn other_texts_are_no_secrets() {
        for text in ["", "abc", &"g".repeat(64), &"A".repeat(64), &"é".repeat(32)] {
            assert_eq!(Secret::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_hash_is_sha_256() {
        // FIPS 180-4 test vectors do not cover 32 zero bytes; this value is from coreutils' sha256sum.
        let expected = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
        assert_eq!(Secret([0; 32]).hash().as_str(), expected);
    }
}
