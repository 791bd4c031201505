//! The semantics part of data/SOURCES.md and the licence file beside each pack.

use super::super::fetch::Cache;
use super::super::sources::{self, PackageRegistry, PackageSource};
use anyhow::Result;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Which packages went into which pack.
const PACKS: [(&str, &[PackageSource]); 16] = [
    ("en.permissive.pack", &[sources::WINK, sources::WORDNET, sources::SCOWL, sources::MOBY, sources::CLDR]),
    ("en.gpl.pack", &[sources::GCIDE, sources::WORDNET]),
    ("en.by-sa.pack", &[sources::WORDFREQ]),
    ("en.odbl.pack", &[sources::SIMPLEMMA]),
    ("cs.gpl.pack", &[sources::ENG_CES, sources::MYTHES_CS, sources::CZECH_FOREIGN, sources::WINK, sources::WORDNET]),
    ("cs.permissive.pack", &[sources::CLDR]),
    ("cs.by-sa.pack", &[sources::WORDFREQ]),
    ("cs.odbl.pack", &[sources::SIMPLEMMA]),
    ("pl.gpl.pack", &[sources::POL_ENG, sources::ENG_POL, sources::MYTHES_PL, sources::WINK, sources::WORDNET]),
    ("pl.permissive.pack", &[sources::CLDR]),
    ("pl.by-sa.pack", &[sources::WORDFREQ]),
    ("pl.odbl.pack", &[sources::SIMPLEMMA]),
    ("sk.gpl.pack", &[sources::SLK_ENG, sources::MYTHES_SK, sources::ENG_CES, sources::MYTHES_CS, sources::WINK]),
    ("sk.permissive.pack", &[sources::CLDR]),
    ("sk.by-sa.pack", &[sources::WORDFREQ]),
    ("sk.odbl.pack", &[sources::SIMPLEMMA]),
];

/// The same of the names and phrases for crosswords.
const NAMES: [(&str, &[PackageSource]); 2] = [
    ("en.permissive.pack", &[sources::WINK, sources::WORDNET, sources::MOBY]),
    ("en.by-sa.pack", &[sources::WORDFREQ]),
];

const READINGS: [(&str, &[PackageSource]); 3] =
    [("cs.txt", &[sources::HUNSPELL_CS]), ("pl.txt", &[sources::MORFEUSZ]), ("sk.txt", &[sources::HUNSPELL_SK])];

/// Writes `NAME.LICENCE` beside every pack of word meaning and their table in SOURCES.md.
pub fn write(cache: &Cache, root: &Path, folder: &Path) -> Result<()> {
    let end = "\nThe fitted weights of the association model and of the clue scorer are part of the program.\n";
    section(cache, root, folder, "semantics", "data/semantics", &PACKS, end)
}

/// The same for the names and phrases of crosswords.
pub fn names(cache: &Cache, root: &Path, folder: &Path) -> Result<()> {
    section(cache, root, folder, "names", "data/crossword/names", &NAMES, "")
}

/// The same for ambiguous forms.
pub fn readings(cache: &Cache, root: &Path, folder: &Path) -> Result<()> {
    let last = "\nWhich case or tense a form is comes from Morfeusz in Polish; in Czech and Slovak from rules written here over the classes and endings of the spelling dictionaries.\n";
    section(cache, root, folder, "readings", "data/readings", &READINGS, last)
}

fn section(
    cache: &Cache,
    root: &Path,
    folder: &Path,
    kind: &str,
    title: &str,
    packs: &[(&str, &[PackageSource])],
    last: &str,
) -> Result<()> {
    let begin = format!("<!-- {kind}: written by cargo xtask data {kind} -->");
    let end = format!("<!-- end of {kind} -->");
    let mut table =
        format!("{begin}\n## {title}\n\n| file | package | version | licence | used for |\n|---|---|---|---|---|\n");
    for (pack, list) in packs {
        let mut text = format!("{pack} is made of the packages below and keeps their licences.\n");
        for s in *list {
            let (registry, package, version) = (s.registry.name(), s.package, s.version);
            writeln!(table, "| {pack} | {registry} {package} | {version} | {} | {} |", s.licence, s.used_for)?;
            writeln!(text, "\n== {registry} {package} {version}: {} ({})\n", s.used_for, s.licence)?;
            text.push_str(&notice(cache, s)?);
        }
        std::fs::write(folder.join(pack).with_extension("LICENCE"), text)?;
    }
    table.push_str(last);
    table.push_str(&end);
    let path = root.join("data/SOURCES.md");
    let old = std::fs::read_to_string(&path).unwrap_or_else(|_| "# Where the data comes from\n".into());
    let new = match (old.find(&begin), old.find(&end)) {
        (Some(from), Some(to)) => format!("{}{table}{}", &old[..from], &old[to + end.len()..]),
        _ => format!("{}\n\n{table}\n", old.trim_end()),
    };
    Ok(std::fs::write(path, new)?)
}

/// The copyright notice a package carries; common licence texts are named, not repeated.
fn notice(cache: &Cache, source: &PackageSource) -> Result<String> {
    let folder = cache.get(source)?;
    let candidates: Vec<PathBuf> = match source.registry {
        PackageRegistry::Npm => vec![folder.join("package/LICENSE"), folder.join("package/README.md")],
        PackageRegistry::Debian => vec![folder.join("usr/share/doc").join(source.package).join("copyright")],
        PackageRegistry::PyPi => vec![
            folder.join(format!("{}-{}.dist-info/licenses/LICENSE", source.package, source.version)),
            folder.join(format!("{}-{}.dist-info/LICENSE.txt", source.package, source.version)),
        ],
    };
    let found = candidates.iter().find(|p| p.is_file());
    Ok(found.map_or(Ok(String::new()), std::fs::read_to_string)?)
}
