//! External engines as players: any process that speaks UCGI.

use anyhow::{Context, Result, bail};
use scrabble::formats::{Cgp, ucgi};
use scrabble::players::{EnginePlayer, PlayerView};
use scrabble::table::GameLanguage;
use scrabble::{Layout, PlayerMove};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A process that plays by UCGI.
pub struct ExternalPlayer<'a> {
    language: &'a GameLanguage,
    layout: &'a Layout,
    /// The limits of every search: `go` and what follows.
    go: String,
    name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl<'a> ExternalPlayer<'a> {
    /// Starts a command line, split at spaces, and waits for its handshake.
    pub fn start(command: &str, go: String, language: &'a GameLanguage, layout: &'a Layout) -> Result<Self> {
        let mut words = command.split_whitespace();
        let Some(program) = words.next() else { bail!("external: needs a command") };
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{program} cannot be started"))?;
        let input = child.stdin.take().context("the engine has no input")?;
        let output = BufReader::new(child.stdout.take().context("the engine has no output")?);
        let mut player = Self { language, layout, go, name: program.to_owned(), child, input, output };
        player.send("ucgi")?;
        player.wait_for("ucgiok")?;
        player.send("isready")?;
        player.wait_for("readyok")?;
        Ok(player)
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .with_context(|| format!("{}: {line}", self.name))
    }

    /// Reads until a line begins with this word; the rest of that line.
    fn wait_for(&mut self, word: &str) -> Result<String> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                bail!("{} ended before {word}", self.name);
            }
            if let Some(rest) = line.trim().strip_prefix(word) {
                return Ok(rest.trim().to_owned());
            }
        }
    }

    fn search(&mut self, seen: &PlayerView<'_>) -> Result<PlayerMove> {
        let dictionary = &self.language.dictionary;
        let racks = [seen.rack.to_vec(), Vec::new()];
        let cgp = Cgp { board: seen.board.clone(), racks, scores: seen.scores, idle: seen.idle, options: Vec::new() };
        self.send(&format!("position cgp {}", cgp.write(dictionary.alphabet())))?;
        let go = self.go.clone();
        self.send(&go)?;
        let best = self.wait_for("bestmove")?;
        let turn = ucgi::parse_move(dictionary, self.layout, seen.board, &best).map_err(anyhow::Error::msg)?;
        self.check(seen, &turn).with_context(|| best)?;
        Ok(turn)
    }

    /// The rack has the tiles, the words exist and the bag allows an exchange.
    fn check(&self, seen: &PlayerView<'_>, turn: &PlayerMove) -> Result<()> {
        let dictionary = &self.language.dictionary;
        let mut rack = seen.rack.to_vec();
        let used = match turn {
            PlayerMove::Play(play) => play.rack_tiles().collect(),
            PlayerMove::Exchange(tiles) => tiles.clone(),
            PlayerMove::Pass => Vec::new(),
        };
        for tile in used {
            match rack.iter().position(|&t| t == tile) {
                Some(at) => rack.swap_remove(at),
                None => bail!("the rack has no further {}", dictionary.alphabet().text(tile)),
            };
        }
        match turn {
            PlayerMove::Play(play) => {
                let scored = scrabble::check_play(seen.board, self.layout, dictionary.values(), play, 7)?;
                match scored.words.iter().find(|w| !dictionary.lexicon().contains(w)) {
                    Some(word) => bail!("{} is not in the lexicon", dictionary.alphabet().decode(word)),
                    None => Ok(()),
                }
            }
            PlayerMove::Exchange(_) if seen.bag < scrabble::MIN_BAG_FOR_EXCHANGE => {
                bail!("an exchange needs {} tiles in the bag", scrabble::MIN_BAG_FOR_EXCHANGE)
            }
            _ => Ok(()),
        }
    }
}

impl EnginePlayer for ExternalPlayer<'_> {
    /// The engine's move; an illegal move or a broken engine counts as a pass and is reported.
    fn choose(&mut self, seen: &PlayerView<'_>) -> PlayerMove {
        self.search(seen).unwrap_or_else(|error| {
            eprintln!("{}: {error:#}; counted as a pass", self.name);
            PlayerMove::Pass
        })
    }
}

impl Drop for ExternalPlayer<'_> {
    fn drop(&mut self) {
        let _ = self.send("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
