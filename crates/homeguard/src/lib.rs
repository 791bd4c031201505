//! homeguard
