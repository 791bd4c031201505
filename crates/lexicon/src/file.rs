//! The lexicon file: a versioned header, the alphabet as text, then the node array as it lies in memory.
//!
//! Little-endian. Bytes 0..8 magic, 8 version, 12 node bits, 16 nodes, 24 words, 32 DAWG root, 36 GADDAG root,
//! 40 longest word, 44 bytes of alphabet text, 48 checksum of everything after the header, 56 zero; at 64 the
//! alphabet text, padded with zeros to a multiple of eight, then the nodes.

use crate::alphabet::{Alphabet, AlphabetError};
use crate::graph::{Lexicon, Node, NodeIndex, Nodes};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"PARLEX\r\n";
const VERSION: u32 = 1;
const HEADER: usize = 64;

/// Why a lexicon file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{0} is not a lexicon file (make one with `parlour lexicon build`)")]
    NotALexicon(String),
    #[error("{path}: lexicon format {found}, this program reads {VERSION}; build it again from its word list")]
    Version { path: String, found: u32 },
    #[error("{path}: damaged, {reason}")]
    Damaged { path: String, reason: String },
    #[error("{path}: {source}")]
    Alphabet { path: String, source: AlphabetError },
}

struct Header {
    bits: u32,
    nodes: u64,
    words: u64,
    dawg: u32,
    gaddag: u32,
    longest: u32,
    text: u32,
    checksum: u64,
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

impl Header {
    fn write(&self) -> [u8; HEADER] {
        let mut out = [0; HEADER];
        out[..8].copy_from_slice(MAGIC);
        let words32 =
            [(8, VERSION), (12, self.bits), (32, self.dawg), (36, self.gaddag), (40, self.longest), (44, self.text)];
        for (at, value) in words32 {
            out[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        for (at, value) in [(16, self.nodes), (24, self.words), (48, self.checksum)] {
            out[at..at + 8].copy_from_slice(&value.to_le_bytes());
        }
        out
    }

    fn read(bytes: &[u8], path: &str) -> Result<Self, LoadError> {
        if bytes.len() < HEADER || &bytes[..8] != MAGIC {
            return Err(LoadError::NotALexicon(path.to_owned()));
        }
        let found = u32_at(bytes, 8);
        if found != VERSION {
            return Err(LoadError::Version { path: path.to_owned(), found });
        }
        Ok(Self {
            bits: u32_at(bytes, 12),
            nodes: u64_at(bytes, 16),
            words: u64_at(bytes, 24),
            dawg: u32_at(bytes, 32),
            gaddag: u32_at(bytes, 36),
            longest: u32_at(bytes, 40),
            text: u32_at(bytes, 44),
            checksum: u64_at(bytes, 48),
        })
    }

    fn nodes_start(&self) -> usize {
        HEADER + (self.text as usize).next_multiple_of(8)
    }
}

/// A quick 64-bit checksum over whole words; catches damage, not malice.
fn checksum(bytes: &[u8]) -> u64 {
    let mut lanes = [1u64, 2, 3, 4];
    let mut chunks = bytes.chunks_exact(32);
    for chunk in &mut chunks {
        for (i, lane) in lanes.iter_mut().enumerate() {
            *lane = (lane.rotate_left(29) ^ u64_at(chunk, i * 8)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }
    for &byte in chunks.remainder() {
        lanes[0] = (lanes[0].rotate_left(29) ^ byte as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    lanes.iter().fold(bytes.len() as u64, |h, &l| (h.rotate_left(31) ^ l).wrapping_mul(0xD6E8_FEB8_6659_FD93))
}

impl Lexicon {
    /// The lexicon as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = self.alphabet.to_text().into_bytes();
        let text = body.len() as u32;
        body.resize(body.len().next_multiple_of(8), 0);
        match (self.nodes.narrow(), self.nodes.wide()) {
            (Some(nodes), _) => nodes.iter().for_each(|n| body.extend_from_slice(&n.to_le_bytes())),
            (_, Some(nodes)) => nodes.iter().for_each(|n| body.extend_from_slice(&n.to_le_bytes())),
            _ => unreachable!("nodes are narrow or wide"),
        }
        let header = Header {
            bits: self.node_bits(),
            nodes: self.nodes.len() as u64,
            words: self.words,
            dawg: self.dawg_root.0,
            gaddag: self.gaddag_root.0,
            longest: self.longest,
            text,
            checksum: checksum(&body),
        };
        let mut out = header.write().to_vec();
        out.append(&mut body);
        out
    }

    /// Writes the file beside its place and moves it there when complete.
    pub fn save(&self, path: &Path) -> Result<u64, LoadError> {
        let io = |source| LoadError::Io { path: path.to_owned(), source };
        let bytes = self.to_bytes();
        let part = path.with_extension("part");
        let mut file = File::create(&part).map_err(io)?;
        file.write_all(&bytes).and_then(|()| file.sync_all()).map_err(io)?;
        std::fs::rename(&part, path).map_err(io)?;
        Ok(bytes.len() as u64)
    }

    /// Opens a lexicon file; the nodes stay in the file and are mapped into memory.
    pub fn open(path: &Path) -> Result<Self, LoadError> {
        let io = |source| LoadError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(io)?;
        if file.metadata().map_err(io)?.len() < HEADER as u64 {
            return Err(LoadError::NotALexicon(path.display().to_string()));
        }
        // SAFETY: files are replaced by renaming, never rewritten in place, so a mapped file does not change.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(io)?;
        let name = path.display().to_string();
        if cfg!(target_endian = "big") {
            return Self::from_bytes(&map, &name);
        }
        let header = Header::read(&map, &name)?;
        let alphabet = check(&header, &map, &name)?;
        let (start, len) = (header.nodes_start(), header.nodes as usize);
        let nodes = match header.bits {
            32 => Nodes::MappedNarrow { map, start, len },
            _ => Nodes::MappedWide { map, start, len },
        };
        Self::assemble(header, alphabet, nodes, &name)
    }

    /// Reads a lexicon from the bytes of a file; `name` is what errors call it.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<Self, LoadError> {
        let header = Header::read(bytes, name)?;
        let alphabet = check(&header, bytes, name)?;
        let body = &bytes[header.nodes_start()..];
        let nodes = match header.bits {
            32 => Nodes::Narrow(body.chunks_exact(4).map(|c| u32_at(c, 0)).collect()),
            _ => Nodes::Wide(body.chunks_exact(8).map(|c| u64_at(c, 0)).collect()),
        };
        Self::assemble(header, alphabet, nodes, name)
    }

    fn assemble(header: Header, alphabet: Alphabet, nodes: Nodes, name: &str) -> Result<Self, LoadError> {
        let damaged = |reason: String| LoadError::Damaged { path: name.to_owned(), reason };
        let (len, letters) = (nodes.len(), alphabet.len());
        let bad = |node: Node| node.target as usize >= len || node.letter as usize > letters;
        let wrong = match nodes.narrow() {
            Some(narrow) => narrow.iter().skip(1).position(|&n| bad(Node::from_narrow(n))),
            None => nodes.wide().unwrap_or(&[]).iter().skip(1).position(|&n| bad(Node::from_wide(n))),
        };
        if let Some(at) = wrong {
            return Err(damaged(format!("node {} leads nowhere or has a letter outside the alphabet", at + 1)));
        }
        if len < 2 || !nodes.get(len - 1).last || header.dawg as usize >= len || header.gaddag as usize >= len {
            return Err(damaged("the node array has no end or no root".into()));
        }
        let (dawg_root, gaddag_root) = (NodeIndex(header.dawg), NodeIndex(header.gaddag));
        Ok(Self { alphabet, nodes, dawg_root, gaddag_root, words: header.words, longest: header.longest })
    }
}

/// Sizes and checksum; the answer is the alphabet.
fn check(header: &Header, bytes: &[u8], name: &str) -> Result<Alphabet, LoadError> {
    let damaged = |reason: String| LoadError::Damaged { path: name.to_owned(), reason };
    if header.bits != 32 && header.bits != 64 {
        return Err(damaged(format!("{} bits a node (32 or 64 would be right)", header.bits)));
    }
    let start = header.nodes_start() as u64;
    let wanted = header.nodes.checked_mul(header.bits as u64 / 8).and_then(|n| n.checked_add(start));
    if wanted != Some(bytes.len() as u64) {
        return Err(damaged(format!("{} bytes long, its header promises {wanted:?}", bytes.len())));
    }
    if checksum(&bytes[HEADER..]) != header.checksum {
        return Err(damaged("its checksum does not fit its contents".into()));
    }
    let text = std::str::from_utf8(&bytes[HEADER..HEADER + header.text as usize])
        .map_err(|_| damaged("its alphabet is not UTF-8".into()))?;
    Alphabet::parse(text).map_err(|source| LoadError::Alphabet { path: name.to_owned(), source })
}
