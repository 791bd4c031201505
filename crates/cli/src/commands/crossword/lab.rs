//! `parlour crossword lab`: the tables of Gdowski 2019 for given puzzles.

use super::puzzle_files;
use ::lab::crossword::gdowski_tables::{GdowskiTables, GuessedWord, tables};
use anyhow::{Result, bail};
use crossword::engine::gdowski::GdowskiLimits;
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// Puzzles with solutions, such as .crossword files with their .solution beside them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, default_value = "en")]
    lang: String,
    /// Maximum number of iterations of the search; the thesis has no limit
    #[arg(long, default_value_t = 2_000_000)]
    iterations: u64,
    /// Data folder; the nearest `data` if absent
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut named = Vec::new();
    for path in &args.paths {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        for puzzle in puzzle_files::read(path)? {
            if !puzzle.has_solution() {
                bail!("{}: has no solution to compare with", path.display());
            }
            named.push((name.clone(), puzzle));
        }
    }
    let begun = Instant::now();
    let folder = super::super::semantics::data::find(args.data.as_deref())?;
    let language = semantics::Language::open(&folder, &args.lang)?;
    let load = begun.elapsed().as_secs_f64();
    let limits = GdowskiLimits { iterations: args.iterations, ..GdowskiLimits::default() };
    let all = tables(&named, &language, load, limits);
    if args.json {
        println!("{}", serde_json::to_string(&all)?);
    } else {
        show(&all);
    }
    Ok(())
}

fn show(all: &GdowskiTables) {
    println!("Table 2.2: similarity of answers to their clues\n");
    println!("| clue | answer | Average | Ban100 | FreqLog | Mixed |\n|---|---|---|---|---|---|");
    for line in &all.table_2_2 {
        let told = match line.similarity {
            Some(each) => each.map(|value| format!("{value:.4}")).join(" | "),
            None => "– | – | – | –".to_owned(),
        };
        println!("| {} | {} | {told} |", line.clue, line.answer);
    }
    println!("| mean | | {} |", all.table_2_2_means.map(|value| format!("{value:.4}")).join(" | "));
    println!("\nTable 2.3: words for clues\n");
    for list in &all.table_2_3 {
        let words: Vec<String> = list.words.iter().map(|(word, value)| format!("{word} {value:.2}")).collect();
        println!("- {}: {}", list.clue, words.join(", "));
    }
    println!("\nTables 4.1 and 4.2\n");
    let columns = &all.table_4_1_and_4_2;
    let row = |name: &str, of: &dyn Fn(&::lab::crossword::gdowski_tables::PuzzleColumn) -> String| {
        println!("| {name} | {} |", columns.iter().map(of).collect::<Vec<_>>().join(" | "));
    };
    row("", &|c| c.name.clone());
    println!("|---|{}", "---|".repeat(columns.len()));
    row("size", &|c| format!("{}x{}", c.rows, c.columns));
    row("words", &|c| c.words.to_string());
    row("cells", &|c| c.cells.to_string());
    row("words in clues", &|c| c.clue_words.to_string());
    row("MRR", &|c| format!("{:.3}", c.mrr));
    row("mean rank of answers (without a vector)", &|c| format!("{:.1} ({})", c.mean_rank, c.unranked));
    row("mean similarity of answers", &|c| format!("{:.4}", c.mean_similarity));
    row("words right", &|c| c.words_right.to_string());
    row("iterations", &|c| c.iterations.to_string());
    row("best found at", &|c| c.found_at.to_string());
    row("value", &|c| format!("{:.4}", c.value));
    row("loading vectors, s", &|c| format!("{:.2}", c.load_seconds));
    row("solving, s", &|c| format!("{:.2}", c.solve_seconds));
    guesses("Table 4.3: right", &all.table_4_3);
    guesses("Table 4.4: wrong", &all.table_4_4);
}

fn guesses(title: &str, list: &[GuessedWord]) {
    println!("\n{title}\n\n| clue | guessed | rank | right | rank |\n|---|---|---|---|---|");
    for guess in list {
        let own = guess.answer_similarity.map_or("–".to_owned(), |value| format!("{value:.3}"));
        println!("| {} | {} | {:.3} | {} | {own} |", guess.clue, guess.guessed, guess.guessed_similarity, guess.answer);
    }
}
