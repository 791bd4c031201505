//! `parlour lexicon`: build, check and question word graphs.

use super::scrabble::lexicons;
use anyhow::{Context, Result, bail};
use lexicon::{Alphabet, Lexicon, LexiconBuilder, Pattern, Tile};
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Make a lexicon file from a word list, one word a line
    Build(Build),
    /// Read a lexicon and, with --words, compare it with its list word for word
    Check(Check),
    /// Say what a lexicon holds
    Info(Ask),
    /// Words that fit a pattern: letters, ? for one, * for any number, [AEI] or [^AEI] for one of
    Words(Words),
    /// Words that a rack spells; ? is a blank
    Anagram(Anagram),
    /// Letters that make another word before or after a word
    Hooks(Hooks),
}

#[derive(clap::Args)]
struct Build {
    /// Word list in UTF-8, one word a line; case does not matter
    file: PathBuf,
    /// Tiles: en, cs, pl, sk or a tile file; without it counts and values are proposed from the list
    #[arg(long)]
    tiles: Option<String>,
    /// Where to write the lexicon
    #[arg(long)]
    out: PathBuf,
    /// Leave out longer words (8 makes the light variant)
    #[arg(long)]
    max_length: Option<usize>,
    /// Name of a proposed language
    #[arg(long, default_value = "Own")]
    name: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Check {
    /// Lexicon file or name
    lexicon: String,
    /// The word list it should hold
    #[arg(long)]
    words: Option<PathBuf>,
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Ask {
    /// Lexicon file or name (en, cs, pl, sk)
    #[arg(long, default_value = "en")]
    lexicon: String,
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Words {
    pattern: String,
    #[command(flatten)]
    ask: Ask,
    /// Most words to print
    #[arg(long, default_value_t = usize::MAX)]
    limit: usize,
}

#[derive(clap::Args)]
struct Anagram {
    rack: String,
    #[command(flatten)]
    ask: Ask,
    /// Also words that use only some of the tiles
    #[arg(long)]
    partial: bool,
}

#[derive(clap::Args)]
struct Hooks {
    word: String,
    #[command(flatten)]
    ask: Ask,
}

pub fn run(args: Args) -> Result<()> {
    match args.command {
        Command::Build(args) => build(args),
        Command::Check(args) => check(args),
        Command::Info(args) => info(args),
        Command::Words(args) => {
            let lexicon = lexicons::open(&args.ask.lexicon)?;
            let pattern = Pattern::parse(&args.pattern, &lexicon)?;
            print_words(&lexicon, lexicon.matching(&pattern, args.limit), args.ask.json)
        }
        Command::Anagram(args) => {
            let lexicon = lexicons::open(&args.ask.lexicon)?;
            let rack = lexicon.alphabet().encode_rack(&args.rack)?;
            print_words(&lexicon, lexicon.anagrams(&rack, args.partial), args.ask.json)
        }
        Command::Hooks(args) => hooks(args),
    }
}

fn build(args: Build) -> Result<()> {
    let started = Instant::now();
    let bytes = std::fs::read(&args.file).with_context(|| format!("{}", args.file.display()))?;
    let text = String::from_utf8(bytes)
        .map_err(|e| anyhow::anyhow!("{}: not UTF-8 at byte {}", args.file.display(), e.utf8_error().valid_up_to()))?;
    let alphabet = match &args.tiles {
        Some(tiles) => lexicons::tiles(tiles)?,
        None => lexicon::propose_tiles(&text, &args.name, "own")?,
    };
    let mut builder = LexiconBuilder::new(alphabet);
    if let Some(letters) = args.max_length {
        builder = builder.max_length(letters);
    }
    builder.add_text(&text);
    let report = builder.report().clone();
    let lexicon = builder.build()?;
    let bytes = lexicon.save(&args.out)?;
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        let answer = serde_json::json!({
            "words": lexicon.word_count(), "nodes": lexicon.node_count(), "bytes": bytes, "seconds": seconds,
            "left_out": { "without_tile": report.without_tile, "wrong_length": report.wrong_length },
        });
        println!("{answer}");
    } else {
        println!("{} words, {} nodes, {bytes} bytes in {seconds:.2} s", lexicon.word_count(), lexicon.node_count());
        if report.without_tile > 0 {
            let some = report.first_without_tile.join(", ");
            println!("{} lines have letters without a tile and were left out: {some} …", report.without_tile);
        }
        if report.wrong_length > 0 {
            println!("{} words are too short or too long and were left out", report.wrong_length);
        }
        if args.tiles.is_none() {
            println!("proposed tiles:\n{}", lexicon.alphabet().to_text());
        }
    }
    Ok(())
}

fn check(args: Check) -> Result<()> {
    let lexicon = lexicons::open(&args.lexicon)?;
    let mut words: Vec<Vec<Tile>> = lexicon.words().collect();
    let sorted = words.is_sorted();
    if words.len() as u64 != lexicon.word_count() || !sorted {
        bail!("{}: enumerates {} words, its header says {}", args.lexicon, words.len(), lexicon.word_count());
    }
    if let Some(path) = &args.words {
        let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
        let mut wanted: Vec<Vec<Tile>> =
            text.lines().filter_map(|l| lexicon.alphabet().encode(l.trim()).ok()).collect();
        wanted.retain(|w| w.len() >= 2 && w.len() <= lexicon.longest_word());
        wanted.sort();
        wanted.dedup();
        words.sort();
        if let Some(missing) = wanted.iter().find(|w| words.binary_search(w).is_err()) {
            bail!("{} is in the list but not in the lexicon", lexicon.alphabet().decode(missing));
        }
        if let Some(extra) = words.iter().find(|w| wanted.binary_search(w).is_err()) {
            bail!("{} is in the lexicon but not in the list", lexicon.alphabet().decode(extra));
        }
    }
    if args.json {
        println!("{}", serde_json::json!({ "ok": true, "words": words.len() }));
    } else {
        println!("{}: {} words, in order", args.lexicon, words.len());
    }
    Ok(())
}

fn info(args: Ask) -> Result<()> {
    let lexicon = lexicons::open(&args.lexicon)?;
    let alphabet = lexicon.alphabet();
    if args.json {
        let letter = |l: &lexicon::Letter| serde_json::json!({ "letter": l.text, "count": l.count, "value": l.value });
        let answer = serde_json::json!({
            "language": alphabet.name(), "code": alphabet.code(), "words": lexicon.word_count(),
            "nodes": lexicon.node_count(), "node_bits": lexicon.node_bits(), "longest": lexicon.longest_word(),
            "blanks": alphabet.blanks(), "letters": alphabet.letters().iter().map(letter).collect::<Vec<_>>(),
        });
        println!("{answer}");
    } else {
        println!("{} ({})", alphabet.name(), alphabet.code());
        println!("{} words, the longest of {} letters", lexicon.word_count(), lexicon.longest_word());
        println!("{} nodes of {} bits", lexicon.node_count(), lexicon.node_bits());
        print!("{} tiles: ? {}×0", alphabet.tiles(), alphabet.blanks());
        for l in alphabet.letters() {
            print!("  {} {}×{}", l.text, l.count, l.value);
        }
        println!();
    }
    Ok(())
}

fn print_words(lexicon: &Lexicon, words: Vec<Vec<Tile>>, json: bool) -> Result<()> {
    let alphabet: &Alphabet = lexicon.alphabet();
    let words: Vec<String> = words.iter().map(|w| alphabet.decode(w)).collect();
    if json {
        println!("{}", serde_json::to_string(&words)?);
    } else {
        for word in words {
            println!("{word}");
        }
    }
    Ok(())
}

fn hooks(args: Hooks) -> Result<()> {
    let lexicon = lexicons::open(&args.ask.lexicon)?;
    let alphabet = lexicon.alphabet();
    let word = alphabet.encode(&args.word)?;
    let hooks = lexicon.hooks(&word);
    let texts = |tiles: &[Tile]| tiles.iter().map(|&t| alphabet.text(t).to_owned()).collect::<Vec<_>>();
    let (front, back) = (texts(&hooks.front), texts(&hooks.back));
    let valid = lexicon.contains(&word);
    if args.ask.json {
        println!(
            "{}",
            serde_json::json!({ "word": alphabet.decode(&word), "valid": valid, "front": front, "back": back })
        );
    } else {
        let note = if valid { "" } else { " (not a word itself)" };
        println!("{}{} {}{note}", prefix(&front.concat()), alphabet.decode(&word), back.concat());
    }
    Ok(())
}

fn prefix(front: &str) -> String {
    if front.is_empty() { String::new() } else { format!("{front} ") }
}
