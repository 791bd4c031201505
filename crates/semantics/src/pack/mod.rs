//! Files of language data: a versioned header, a table of named sections, and the sections
//! themselves, each aligned to 64 bytes so that a memory map can be read in place.
//!
//! One file holds one licence group of one language (`en.permissive.pack`); nothing in the
//! format depends on what the sections mean. [`Pack`] opens and checks a file, [`Writer`] makes one.

mod coding;
mod container;
mod ragged;
mod texts;

pub use coding::{numbers, pack_sorted, unpack_sorted};
pub use container::{Column, Pack, PackError, PackPart, Writer, write_parts};
pub use ragged::{ByteRows, Ends, Lists, put_number};
pub use texts::{BLOCK as TEXTS_TOGETHER, Texts, write_texts};
