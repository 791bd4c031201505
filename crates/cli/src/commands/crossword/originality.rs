//! `parlour crossword originality`: clue collections and lexicons must not repeat evaluation data.

use super::puzzle_files;
use anyhow::{Context, Result, bail};
use crossword::engine::clue_database::clue_text;
use crossword::engine::maker::ClueCollection;
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// Folder with evaluation data: puzzles and pairs of answer and clue
    folder: PathBuf,
    /// Data folder with clue collections and association lexicons; the nearest `data` if absent
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The set of content words of a clue.
type Content = BTreeSet<String>;

fn content(clue: &str) -> Content {
    clue_text::words(clue).into_iter().filter(|word| word.chars().count() > 2).collect()
}

pub fn run(args: Args) -> Result<()> {
    let mut theirs: HashMap<String, Vec<Content>> = HashMap::new();
    let mut files = 0usize;
    collect(
        &args.folder,
        &mut |answer, clue| {
            theirs.entry(clue_text::grid_form(answer)).or_default().push(content(clue));
        },
        &mut files,
    )?;
    let data = super::super::semantics::data::find(args.data.as_deref())?;
    let mut compared = 0usize;
    let mut same: Vec<String> = Vec::new();
    let mut check = |place: &str, answer: &str, clue: &str| {
        compared += 1;
        let own = content(clue);
        let known = theirs.get(&clue_text::grid_form(answer));
        if !own.is_empty() && known.is_some_and(|clues| clues.contains(&own)) {
            same.push(format!("{place}: {answer}: {clue}"));
        }
    };
    for lang in ["en", "cs", "pl"] {
        if let Ok(text) = std::fs::read_to_string(data.join("clues").join(format!("{lang}.tsv"))) {
            let book = ClueCollection::parse(lang, &text).map_err(anyhow::Error::msg)?;
            book.pairs().for_each(|(answer, clue)| check(&format!("clues/{lang}.tsv"), answer, clue));
        }
        if let Ok(text) = std::fs::read_to_string(data.join("associations").join(format!("{lang}.txt"))) {
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                let mut fields = line.splitn(3, '\t');
                if let (Some(head), Some(_), Some(list)) = (fields.next(), fields.next(), fields.next()) {
                    check(&format!("associations/{lang}.txt"), head, list);
                }
            }
        }
    }
    if args.json {
        println!("{}", json!({"files": files, "compared": compared, "same": same}));
    } else {
        println!("{compared} lines compared with {files} files: {} matches", same.len());
        same.iter().for_each(|line| println!("{line}"));
    }
    if !same.is_empty() {
        bail!("{} lines match evaluation data in answer and content words: remove them", same.len());
    }
    Ok(())
}

/// Collects the pairs of answer and clue below a folder: puzzles of any format, JSON lines, tab-separated pairs.
fn collect(folder: &Path, take: &mut impl FnMut(&str, &str), files: &mut usize) -> Result<()> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, take, files)?;
        } else if path.extension().is_some_and(|ending| ending == "tsv") {
            let text = String::from_utf8_lossy(&puzzle_files::bytes(&path)?).into_owned();
            for (answer, clue) in text.lines().filter_map(|line| line.split_once('\t')) {
                take(answer, clue);
            }
            *files += 1;
        } else if let Ok(puzzles) = puzzle_files::read(&path) {
            // Files that are no puzzles have no clues.
            for puzzle in puzzles {
                for entry in &puzzle.entries {
                    take(&puzzle.answer(entry).unwrap_or_default(), &entry.clue);
                }
            }
            *files += 1;
        }
    }
    Ok(())
}
