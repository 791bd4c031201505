//! Words and Scrabble: tiles, lexicons, frequencies, queries, games, positions, what was learned.

use super::{FuzzTarget, target, text, texts, told};
use lexicon::{Alphabet, Frequencies, Lexicon, LexiconBuilder, Pattern};
use scrabble::engine::{PositionalModel, WinModel};
use scrabble::formats::{Cgp, gcg::Gcg, notation};
use scrabble::players::PhaseWeights;
use scrabble::{Dictionary, Layout, LeaveModel, TileBoard};

fn english() -> Alphabet {
    Alphabet::shipped("en").expect("English tiles are shipped")
}

/// A few words that fit each other.
fn lexicon() -> Lexicon {
    let mut builder = LexiconBuilder::new(english());
    builder.add_text("ab\nabs\nat\nate\ntea\nteas\nsea\neat\nseat\nrate\nstare\nquiz\nzoo\n");
    builder.build().expect("few words")
}

const GCG: &str = "#character-encoding UTF-8\n#player1 a Ann\n#player2 b Ben\n>a: AETSRQZ 8D STARE +12 12\n>b: EATZOO? \
                   E5 TEA. +6 6\n>a: QZ - +0 12\n>b: ZOO -OO +0 6\n>a: (EA) +4 16\n#note all\n";

const CGP: &str = "15/15/15/15/15/15/15/3STARE7/15/15/15/15/15/15/15 AETQZ/EAT 12/6 0 lex x;";

pub fn targets() -> Vec<FuzzTarget> {
    [lexicons(), games(), learned_files()].into_iter().flatten().collect()
}

fn lexicons() -> Vec<FuzzTarget> {
    vec![
        target!(
            "lexicon.alphabet",
            "tiles of a language",
            texts(&[
                "name English\nblank 2\nA 9 1\nB 2 3\nQ 1 10\n",
                include_str!("../../../../crates/lexicon/src/lib.rs")
            ]),
            |bytes| {
                let read = Alphabet::parse(&text(bytes));
                if let Ok(alphabet) = &read {
                    let again = Alphabet::parse(&alphabet.to_text()).expect("what was written can be read");
                    assert_eq!(again.letters(), alphabet.letters());
                }
                told(read, |alphabet| alphabet.letters().len())
            }
        ),
        target!(
            "lexicon.file",
            "lexicon files (.lex): damaged ones are refused",
            vec![lexicon().to_bytes()],
            |bytes| {
                let read = Lexicon::from_bytes(bytes, "it");
                if let Ok(lexicon) = &read {
                    lexicon.words().take(1000).for_each(drop);
                    let _ = lexicon.contains(&[1, 2]);
                }
                told(read, |lexicon| lexicon.word_count() as usize)
            }
        ),
        target!(
            "lexicon.frequencies",
            "frequencies of words",
            texts(&["tea 4.5\neat 3.25\n", "tea\t4.5\n"]),
            |bytes| { told(Frequencies::parse(&text(bytes), &english()), |_| 1) }
        ),
        FuzzTarget {
            name: "lexicon.query",
            about: "patterns of words",
            seeds: || texts(&["te?", "[ae]*t", "*e[^l]*", "ST??E"]),
            reader: || {
                let lexicon = lexicon();
                Box::new(move |bytes| told(Pattern::parse(&text(bytes), &lexicon), |_| 1))
            },
        },
        target!("lexicon.words", "word lists", texts(&["tea\neat\nSEA\n# no\nčaj\n"]), |bytes| {
            let mut builder = LexiconBuilder::new(english());
            builder.add_text(&text(bytes));
            told(builder.build(), |lexicon| lexicon.word_count() as usize)
        }),
    ]
}

fn games() -> Vec<FuzzTarget> {
    vec![
        target!("scrabble.gcg", "games as GCG", texts(&[GCG]), |bytes| {
            let read = Gcg::parse(bytes);
            if let Ok(game) = &read {
                let again = Gcg::parse(game.write().as_bytes()).map(|game| game.lines.len());
                assert_eq!(again, Ok(game.lines.len()));
            }
            told(read, |game| game.lines.len())
        }),
        FuzzTarget {
            name: "scrabble.cgp",
            about: "positions as CGP",
            seeds: || texts(&[CGP]),
            reader: || {
                let dictionary = Dictionary::new(lexicon()).expect("few words");
                let layout = Layout::named("standard").expect("it is shipped");
                Box::new(move |bytes| told(Cgp::parse(&text(bytes), &dictionary, &layout), |_| 1))
            },
        },
        FuzzTarget {
            name: "scrabble.notation",
            about: "moves as people type them",
            seeds: || texts(&["8D STARE", "E5 TEA.", "H8 sEaT"]),
            reader: || {
                let (alphabet, layout) = (english(), Layout::named("standard").expect("it is shipped"));
                let board = TileBoard::new(&layout);
                Box::new(move |bytes| {
                    let line = text(bytes);
                    let (at, word) = line.split_once(' ').unwrap_or((&line, ""));
                    told(notation::parse_play(&alphabet, &board, at, word), |_| 1)
                })
            },
        },
        target!("scrabble.board", "boards as text", texts(&["=..'\n.-.\"\n*...\n....\n", "t..d\n"]), |bytes| {
            told(Layout::parse("any", &text(bytes)), Layout::side)
        }),
    ]
}

fn learned_files() -> Vec<FuzzTarget> {
    vec![
        target!("scrabble.leaves", "leave values", vec![LeaveModel::zero(26).to_bytes()], |bytes| {
            told(LeaveModel::from_bytes(bytes, 26), |_| 1)
        }),
        target!("scrabble.weights", "weights of players", texts(&[&PhaseWeights::GREEDY.to_text()]), |bytes| {
            told(PhaseWeights::parse(&text(bytes)), |_| 1)
        }),
        target!("scrabble.outlook", "positional models", texts(&[&PositionalModel::default().to_text()]), |bytes| {
            told(PositionalModel::parse(&text(bytes)), |_| 1)
        }),
        target!("scrabble.chances", "win models", vec![WinModel::default().to_bytes()], |bytes| {
            WinModel::from_bytes(bytes).map_or("refused", |_| "read").to_owned()
        }),
        target!(
            "scrabble.results",
            "files of matches and of evolution",
            texts(&["match x\npair 0 2 0 35 44 801\npair 3 1 1 -2 40 777\n", &run()]),
            |bytes| {
                let words = text(bytes);
                let results =
                    told(lab::scrabble::autoplay::MatchResults::parse(&words, "x"), |results| results.pairs.len());
                format!("{results}; {}", told(lab::scrabble::evolve::EvolutionRun::parse(&words), |_| 1))
            }
        ),
    ]
}

/// A run of evolution as its file has it.
fn run() -> String {
    let settings = lab::scrabble::evolve::GeneticSettings { population: 3, ..Default::default() };
    lab::scrabble::evolve::EvolutionRun::new(settings, 1).to_text()
}
