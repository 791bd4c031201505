//! Random ids.

/// How many letters and digits an id has.
const LENGTH: usize = 12;

/// A fresh random id of 60 bits, in letters and digits that are hard to confuse.
pub fn fresh() -> String {
    spell(&random::<LENGTH>())
}

/// The id of the rematch of a table: the same on every server, however often it is computed.
pub fn following(id: &str) -> String {
    use sha2::{Digest, Sha256};
    spell(&Sha256::digest(format!("after {id}").as_bytes())[..LENGTH])
}

fn spell(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz123456789";
    bytes.iter().map(|byte| char::from(DIGITS[usize::from(byte % 32)])).collect()
}

/// A random number from the operating system.
pub fn random_u64() -> u64 {
    u64::from_le_bytes(random())
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_are_short_and_differ() {
        let (a, b) = (super::fresh(), super::fresh());
        assert_eq!(a.len(), 12);
        assert_ne!(a, b);
        assert_eq!(super::following(&a), super::following(&a));
        assert_eq!(super::following(&a).len(), 12);
        assert_ne!(super::following(&a), super::following(&b));
    }
}
