//! Tables and columns as a backup sees them.

use serde::{Deserialize, Serialize};

/// What a column holds; every one may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Text,
    Integer,
    Real,
    Bytes,
}

impl Kind {
    /// The kind of a column by the type it was declared with, in the words of either database.
    pub(crate) fn of(declared: &str) -> Option<Self> {
        match declared.to_ascii_lowercase().as_str() {
            "text" => Some(Self::Text),
            "bigint" | "integer" => Some(Self::Integer),
            "double precision" => Some(Self::Real),
            "bytea" | "blob" => Some(Self::Bytes),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) table: String,
    pub(crate) columns: Vec<Column>,
}

/// Tables that others refer to, before those others.
const FIRST: [&str; 3] = ["guests", "games", "runs"];

/// What is true of running servers only, and not of what they keep.
pub(crate) const PASSING: [&str; 1] = ["house"];

/// The order in which rows may be put: what is referred to comes first.
pub(crate) fn order(tables: &mut [Table]) {
    let rank = |table: &Table| FIRST.iter().position(|first| *first == table.table).unwrap_or(FIRST.len());
    tables.sort_by(|one, other| rank(one).cmp(&rank(other)).then_with(|| one.table.cmp(&other.table)));
}

/// Whether a name can stand in a statement as it is; those of our tables and columns can.
pub(crate) fn is_plain(name: &str) -> bool {
    (1..=60).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}
