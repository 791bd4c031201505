//! The container: header, section table, sections.

use memmap2::Mmap;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"PARLSEM\n";
/// Raised whenever a reader of the old layout could misread the new one.
const VERSION: u32 = 2;
const HEADER: usize = 16;
const NAME: usize = 24;
const ENTRY: usize = NAME + 16;
const ALIGN: usize = 64;
const MAX_SECTIONS: u32 = 4096;

/// Why a pack could not be opened or one of its sections not be read.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The file could not be read at all.
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    /// The file is no pack, of another version, cut short or damaged.
    #[error("{path}: {what}")]
    Damaged { path: PathBuf, what: String },
    /// A section that the reader needs is not there.
    #[error("{path}: section `{section}` is missing; rebuild the pack with `cargo xtask data`")]
    Missing { path: PathBuf, section: String },
}

enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u64>, usize),
}

impl Bytes {
    fn get(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(words, len) => &bytemuck::cast_slice(words)[..*len],
        }
    }
}

/// An opened pack: named sections of a memory-mapped file.
#[derive(Clone)]
pub struct Pack {
    path: Arc<Path>,
    bytes: Arc<Bytes>,
    sections: Arc<BTreeMap<String, Range<usize>>>,
}

impl std::fmt::Debug for Pack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pack").field("path", &self.path).field("sections", &self.sections.len()).finish()
    }
}

impl Pack {
    /// Opens a file by mapping it into memory and checks header and section table.
    pub fn open(path: &Path) -> Result<Pack, PackError> {
        let io = |source| PackError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(io)?;
        // SAFETY: packs are written to a temporary name and renamed, never changed in place.
        let map = unsafe { Mmap::map(&file) }.map_err(io)?;
        Pack::new(path, Bytes::Mapped(map))
    }

    /// Reads a pack that is already in memory; `name` stands for the path in messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Pack, PackError> {
        let mut words = vec![0u64; bytes.len().div_ceil(8)];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Pack::new(Path::new(name), Bytes::Owned(words, bytes.len()))
    }

    fn new(path: &Path, bytes: Bytes) -> Result<Pack, PackError> {
        let damaged = |what: String| PackError::Damaged { path: path.to_owned(), what };
        let all = bytes.get();
        if all.len() < HEADER || all[..8] != MAGIC {
            return Err(damaged("not a language pack (its first eight bytes are not `PARLSEM\\n`)".into()));
        }
        let version = u32::from_le_bytes(all[8..12].try_into().expect("four bytes"));
        if version != VERSION {
            return Err(damaged(format!("pack version {version}, this program reads version {VERSION}")));
        }
        let count = u32::from_le_bytes(all[12..16].try_into().expect("four bytes"));
        if count > MAX_SECTIONS || all.len() < HEADER + count as usize * ENTRY {
            return Err(damaged(format!("section table of {count} entries does not fit the file")));
        }
        let mut sections = BTreeMap::new();
        for i in 0..count as usize {
            let entry = &all[HEADER + i * ENTRY..][..ENTRY];
            let name = std::str::from_utf8(&entry[..NAME])
                .map_err(|_| damaged(format!("name of section {i} is not UTF-8")))?
                .trim_end_matches('\0');
            let start = u64::from_le_bytes(entry[NAME..NAME + 8].try_into().expect("eight bytes"));
            let len = u64::from_le_bytes(entry[NAME + 8..].try_into().expect("eight bytes"));
            let end = start.checked_add(len).filter(|&end| end <= all.len() as u64);
            let Some(end) = end.filter(|_| start % ALIGN as u64 == 0) else {
                return Err(damaged(format!("section `{name}` lies outside the file of {} bytes", all.len())));
            };
            sections.insert(name.to_owned(), start as usize..end as usize);
        }
        Ok(Pack { path: path.into(), bytes: Arc::new(bytes), sections: Arc::new(sections) })
    }

    /// Where the pack came from, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names of all sections, sorted.
    pub fn sections(&self) -> impl Iterator<Item = (&str, usize)> {
        self.sections.iter().map(|(name, range)| (name.as_str(), range.len()))
    }

    /// Whether the pack has a section of that name.
    pub fn has(&self, section: &str) -> bool {
        self.sections.contains_key(section)
    }

    /// Bytes of a section.
    pub fn bytes(&self, section: &str) -> Result<&[u8], PackError> {
        let range = self
            .sections
            .get(section)
            .ok_or_else(|| PackError::Missing { path: self.path.to_path_buf(), section: section.to_owned() })?;
        Ok(&self.bytes.get()[range.clone()])
    }

    /// A section as numbers of one type.
    pub fn slice<T: bytemuck::AnyBitPattern>(&self, section: &str) -> Result<&[T], PackError> {
        bytemuck::try_cast_slice(self.bytes(section)?)
            .map_err(|e| self.damaged(format!("section `{section}` cannot be read as numbers: {e}")))
    }

    /// A section as text.
    pub fn text(&self, section: &str) -> Result<&str, PackError> {
        std::str::from_utf8(self.bytes(section)?)
            .map_err(|e| self.damaged(format!("section `{section}` is not UTF-8: {e}")))
    }

    /// An error about the content of this pack.
    pub fn damaged(&self, what: String) -> PackError {
        PackError::Damaged { path: self.path.to_path_buf(), what }
    }

    /// A handle to a section that keeps the file mapped and can be stored beside other handles.
    pub fn column<T: bytemuck::AnyBitPattern>(&self, section: &str) -> Result<Column<T>, PackError> {
        self.slice::<T>(section)?;
        let range = self.sections[section].clone();
        Ok(Column { bytes: self.bytes.clone(), range, kind: std::marker::PhantomData })
    }
}

/// One section read as a slice of numbers; it keeps its file mapped.
#[derive(Clone)]
pub struct Column<T> {
    bytes: Arc<Bytes>,
    range: Range<usize>,
    kind: std::marker::PhantomData<T>,
}

impl<T: bytemuck::AnyBitPattern> std::ops::Deref for Column<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.bytes.get()[self.range.clone()])
    }
}

impl<T> std::fmt::Debug for Column<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Column({:?})", self.range)
    }
}

/// Content of a section that is written without being collected first.
#[derive(Clone, Copy, Debug)]
pub enum PackPart<'a> {
    /// The bytes themselves.
    Bytes(&'a [u8]),
    /// A file that holds them.
    File(&'a Path),
}

/// Writes a pack of sections that may be larger than memory, under a temporary name, and renames it
/// into place. The names must rise.
///
/// # Errors
/// If a file cannot be read or written.
///
/// # Panics
/// If the names do not rise: section names are constants of the program.
pub fn write_parts(path: &Path, parts: &[(&str, PackPart<'_>)]) -> Result<(), PackError> {
    assert!(parts.windows(2).all(|w| w[0].0 < w[1].0), "section names must rise");
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| PackError::Io { path, source }
    };
    let mut sizes = Vec::with_capacity(parts.len());
    for (_, part) in parts {
        sizes.push(match part {
            PackPart::Bytes(bytes) => bytes.len(),
            PackPart::File(file) => std::fs::metadata(file).map_err(io(file))?.len() as usize,
        });
    }
    let temporary = path.with_extension("pack.tmp");
    let mut file = std::io::BufWriter::new(File::create(&temporary).map_err(io(&temporary))?);
    let mut at = 0;
    let head = header(parts.iter().map(|p| p.0).zip(sizes.iter().copied()));
    let mut put = |bytes: &[u8]| {
        at += bytes.len();
        file.write_all(bytes).map(|()| at)
    };
    let mut end = put(&head).map_err(io(&temporary))?;
    for (_, part) in parts {
        put(&vec![0; end.next_multiple_of(ALIGN) - end]).map_err(io(&temporary))?;
        end = match part {
            PackPart::Bytes(bytes) => put(bytes).map_err(io(&temporary))?,
            PackPart::File(source) => {
                let mut source_file = File::open(source).map_err(io(source))?;
                let mut buffer = vec![0; 1 << 16];
                loop {
                    let n = source_file.read(&mut buffer).map_err(io(source))?;
                    let reached = put(&buffer[..n]).map_err(io(&temporary))?;
                    if n == 0 {
                        break reached;
                    }
                }
            }
        };
    }
    let file = file.into_inner().map_err(|e| io(&temporary)(e.into_error()))?;
    file.sync_all().map_err(io(&temporary))?;
    std::fs::rename(&temporary, path).map_err(io(path))
}

/// Header and section table for sections of the given names and sizes.
fn header<'a>(sections: impl ExactSizeIterator<Item = (&'a str, usize)>) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(sections.len() as u32).to_le_bytes());
    let mut at = (HEADER + sections.len() * ENTRY).next_multiple_of(ALIGN);
    for (name, size) in sections {
        let mut padded = [0u8; NAME];
        padded[..name.len()].copy_from_slice(name.as_bytes());
        out.extend_from_slice(&padded);
        out.extend_from_slice(&(at as u64).to_le_bytes());
        out.extend_from_slice(&(size as u64).to_le_bytes());
        at = (at + size).next_multiple_of(ALIGN);
    }
    out
}

/// Collects sections and writes them as one pack; equal sections give equal bytes.
#[derive(Default)]
pub struct Writer {
    sections: BTreeMap<String, Vec<u8>>,
}

impl Writer {
    /// An empty pack.
    pub fn new() -> Writer {
        Writer::default()
    }

    /// Adds a section of numbers or bytes.
    ///
    /// # Panics
    /// If the name is longer than 24 bytes or already taken: section names are constants of the program.
    pub fn add<T: bytemuck::NoUninit>(&mut self, name: &str, data: &[T]) {
        assert!(name.len() <= NAME && !name.is_empty(), "section name `{name}` must have 1 to {NAME} bytes");
        let old = self.sections.insert(name.to_owned(), bytemuck::cast_slice(data).to_vec());
        assert!(old.is_none(), "section `{name}` was added twice");
    }

    /// The pack as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = header(self.sections.iter().map(|(name, data)| (name.as_str(), data.len())));
        for data in self.sections.values() {
            out.resize(out.len().next_multiple_of(ALIGN), 0);
            out.extend_from_slice(data);
        }
        out
    }

    /// Writes the pack under a temporary name and renames it into place.
    pub fn write(&self, path: &Path) -> Result<(), PackError> {
        let parts: Vec<(&str, PackPart<'_>)> =
            self.sections.iter().map(|(n, d)| (n.as_str(), PackPart::Bytes(d))).collect();
        write_parts(path, &parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_come_back_as_they_went_in() {
        let mut w = Writer::new();
        w.add("numbers", &[1.5f32, -2.0, 3.25]);
        w.add("text", "dům".as_bytes());
        w.add("empty", &[] as &[u32]);
        let pack = Pack::from_bytes("test", &w.to_bytes()).unwrap();
        assert_eq!(pack.slice::<f32>("numbers").unwrap(), [1.5, -2.0, 3.25]);
        assert_eq!(pack.text("text").unwrap(), "dům");
        assert!(pack.slice::<u32>("empty").unwrap().is_empty());
        assert!(matches!(pack.bytes("other"), Err(PackError::Missing { .. })));
    }

    #[test]
    fn foreign_files_are_refused_by_name() {
        let e = Pack::from_bytes("x.pack", b"GIF89a whatever it is").unwrap_err().to_string();
        assert!(e.starts_with("x.pack: not a language pack"), "{e}");
        let mut w = Writer::new().to_bytes();
        w[8] = 9;
        let e = Pack::from_bytes("x.pack", &w).unwrap_err().to_string();
        assert!(e.contains("version 9"), "{e}");
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let mut w = Writer::new();
        w.add("a", &[1u32, 2, 3]);
        w.add("b", b"hello");
        let good = w.to_bytes();
        bolero::check!().with_type::<(Vec<(u16, u8)>, u16)>().for_each(|(edits, cut)| {
            let mut bytes = good.clone();
            for &(at, value) in edits {
                let at = at as usize % bytes.len();
                bytes[at] = value;
            }
            bytes.truncate(bytes.len() - (*cut as usize % bytes.len()));
            if let Ok(pack) = Pack::from_bytes("fuzz", &bytes) {
                for (name, _) in pack.sections() {
                    let _ = pack.slice::<u32>(name);
                    let _ = pack.text(name);
                }
            }
        });
    }
}
