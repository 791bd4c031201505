//! codenames
