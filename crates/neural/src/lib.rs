//! neural
