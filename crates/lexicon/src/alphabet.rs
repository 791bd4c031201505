//! Alphabets: the letters of a language with their tile counts and values.

use std::collections::HashMap;

/// A letter as a small number: 0 is the blank (and the turning point in a GADDAG), 1.. are letters in order.
pub type Tile = u8;

/// Maximum number of letters.
pub const MAX_LETTERS: usize = 255;

/// Codes of the alphabets that come with the program.
pub const SHIPPED: [&str; 4] = ["en", "cs", "pl", "sk"];

/// One letter of an alphabet with its tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// How the letter is written on a tile, upper case; several characters for tiles such as `CH`.
    pub text: String,
    /// How many tiles of it are in a full bag.
    pub count: u16,
    /// Value of one tile.
    pub value: i16,
}

/// Why a tile file or a word could not be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum AlphabetError {
    #[error("tiles, line {line}: {reason}")]
    Line { line: usize, reason: String },
    #[error("tiles: {0}")]
    Whole(String),
    #[error("no alphabet is called {0:?}; known are en, cs, pl, sk, or give a tile file")]
    Unknown(String),
    #[error("{word:?}: no tile for {rest:?}")]
    Letter { word: String, rest: String },
}

/// A language's letters in order, with tile counts and values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    name: String,
    code: String,
    blanks: u16,
    letters: Vec<Letter>,
    /// Every spelling (upper and lower case) that stands for one tile.
    spellings: HashMap<String, Tile>,
    longest: usize,
}

impl Alphabet {
    /// The alphabet shipped under a code (`en`, `cs`, `pl`, `sk`).
    pub fn shipped(code: &str) -> Result<Self, AlphabetError> {
        let text = match code {
            "en" => include_str!("../alphabets/en.txt"),
            "cs" => include_str!("../alphabets/cs.txt"),
            "pl" => include_str!("../alphabets/pl.txt"),
            "sk" => include_str!("../alphabets/sk.txt"),
            other => return Err(AlphabetError::Unknown(other.to_owned())),
        };
        Self::parse(text)
    }

    /// Reads a tile file: `name …`, `code …`, then one line `LETTER COUNT VALUE` per letter in alphabetical order.
    pub fn parse(text: &str) -> Result<Self, AlphabetError> {
        let (mut name, mut code, mut blanks, mut letters) = (String::new(), String::new(), 0, Vec::new());
        for (i, raw) in text.lines().enumerate() {
            let at = |reason: String| AlphabetError::Line { line: i + 1, reason };
            let line = raw.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(' ').unwrap_or((line, "")) {
                ("name", rest) => {
                    name = rest.trim().to_owned();
                    continue;
                }
                ("code", rest) => {
                    code = rest.trim().to_owned();
                    continue;
                }
                _ => {}
            }
            let fields: Vec<&str> = line.split_whitespace().collect();
            let [letter, count, value] = fields[..] else {
                return Err(at(format!("expected `LETTER COUNT VALUE`, found {line:?}")));
            };
            let count: u16 = count.parse().map_err(|_| at(format!("{count:?} is not a number of tiles")))?;
            let value: i16 = value.parse().map_err(|_| at(format!("{value:?} is not a tile value")))?;
            if !(-100..=100).contains(&value) || count > 1000 {
                return Err(at("counts go to 1000 and values from -100 to 100".into()));
            }
            if letter == "?" {
                blanks = count;
                continue;
            }
            if letter.chars().any(|c| c.is_ascii_digit() || c.is_ascii_punctuation()) {
                return Err(at(format!("{letter:?}: digits and punctuation have other meanings in records of games")));
            }
            letters.push(Letter { text: letter.to_uppercase(), count, value });
        }
        Self::new(name, code, blanks, letters)
    }

    /// An alphabet of these letters, in this order.
    pub fn new(name: String, code: String, blanks: u16, letters: Vec<Letter>) -> Result<Self, AlphabetError> {
        if letters.is_empty() || letters.len() > MAX_LETTERS {
            let found = letters.len();
            return Err(AlphabetError::Whole(format!("an alphabet has 1 to {MAX_LETTERS} letters, this one {found}")));
        }
        let mut spellings = HashMap::new();
        let mut longest = 1;
        for (i, letter) in letters.iter().enumerate() {
            let tile = (i + 1) as Tile;
            longest = longest.max(letter.text.chars().count());
            let mut forms = vec![letter.text.clone(), letter.text.to_lowercase()];
            if letter.text.chars().count() > 1 {
                let mut chars = letter.text.chars();
                let first: String = chars.next().into_iter().collect();
                forms.push(first.clone() + &chars.as_str().to_lowercase());
                forms.push(first.to_lowercase() + chars.as_str());
            }
            forms.sort();
            forms.dedup();
            for form in forms {
                if spellings.insert(form, tile).is_some() {
                    return Err(AlphabetError::Whole(format!("the letter {} appears twice", letter.text)));
                }
            }
        }
        Ok(Self { name, code, blanks, letters, spellings, longest })
    }

    /// The language's name in itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The short code, such as `cs`.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Number of letters, without the blank.
    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// Never true: an alphabet has letters.
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// The letters in order; tile `t` is entry `t - 1`.
    pub fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// Number of blanks in a full bag.
    pub fn blanks(&self) -> u16 {
        self.blanks
    }

    /// How many tiles a full bag has of this tile (0 is the blank).
    pub fn count(&self, tile: Tile) -> u16 {
        if tile == 0 { self.blanks } else { self.letters[tile as usize - 1].count }
    }

    /// Value of a tile; 0 for the blank.
    pub fn value(&self, tile: Tile) -> i16 {
        if tile == 0 { 0 } else { self.letters[tile as usize - 1].value }
    }

    /// Number of tiles in a full bag.
    pub fn tiles(&self) -> usize {
        self.blanks as usize + self.letters.iter().map(|l| l.count as usize).sum::<usize>()
    }

    /// How a tile is written: `?` for the blank.
    pub fn text(&self, tile: Tile) -> &str {
        if tile == 0 { "?" } else { &self.letters[tile as usize - 1].text }
    }

    /// A letter in lower case, as records of games write a blank that stands for it.
    pub fn lower(&self, tile: Tile) -> String {
        self.text(tile).to_lowercase()
    }

    /// The tile whose spelling starts `text`, the longest if several do, and the number of bytes it takes.
    pub fn tile_at(&self, text: &str) -> Option<(Tile, usize)> {
        let mut ends = [0usize; 8];
        let mut n = 0;
        for (i, c) in text.char_indices().take(self.longest.min(8)) {
            ends[n] = i + c.len_utf8();
            n += 1;
        }
        ends[..n].iter().rev().find_map(|&end| self.spellings.get(&text[..end]).map(|&tile| (tile, end)))
    }

    /// A word as tiles, whatever its case.
    pub fn encode(&self, word: &str) -> Result<Vec<Tile>, AlphabetError> {
        let mut tiles = Vec::with_capacity(word.len());
        let mut rest = word;
        while !rest.is_empty() {
            let inner = rest.strip_prefix('[').and_then(|r| r.split_once(']'));
            let (spelling, after) = match inner {
                Some((inside, after)) => (inside, Some(after)),
                None => (rest, None),
            };
            match self.tile_at(spelling) {
                Some((tile, used)) if after.is_none() || used == spelling.len() => {
                    tiles.push(tile);
                    rest = after.unwrap_or(&rest[used..]);
                }
                _ => return Err(AlphabetError::Letter { word: word.to_owned(), rest: rest.to_owned() }),
            }
        }
        Ok(tiles)
    }

    /// A rack as tiles: letters in any case, `?` for blanks.
    pub fn encode_rack(&self, rack: &str) -> Result<Vec<Tile>, AlphabetError> {
        let mut tiles = Vec::with_capacity(rack.len());
        for (i, part) in rack.split('?').enumerate() {
            if i > 0 {
                tiles.push(0);
            }
            tiles.extend(self.encode(part)?);
        }
        Ok(tiles)
    }

    /// Tiles as upper-case text; every letter is bracketed where plain text would be misread.
    pub fn decode(&self, tiles: &[Tile]) -> String {
        let plain: String = tiles.iter().map(|&t| self.text(t)).collect();
        if self.longest == 1 || self.encode_rack(&plain).is_ok_and(|back| back == tiles) {
            return plain;
        }
        tiles.iter().map(|&t| if t == 0 { "?".to_owned() } else { format!("[{}]", self.text(t)) }).collect()
    }

    /// The alphabet as a tile file that [`Alphabet::parse`] reads back.
    pub fn to_text(&self) -> String {
        let mut out = format!("name {}\ncode {}\n? {} 0\n", self.name, self.code, self.blanks);
        for letter in &self.letters {
            out += &format!("{} {} {}\n", letter.text, letter.count, letter.value);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_alphabets_have_a_hundred_tiles() {
        for code in SHIPPED {
            let a = Alphabet::shipped(code).unwrap();
            assert_eq!(a.tiles(), 100, "{code}");
            assert_eq!(Alphabet::parse(&a.to_text()).unwrap(), a);
        }
    }

    #[test]
    fn multi_character_tiles_are_read_longest_first() {
        let a = Alphabet::parse("name X\ncode x\n? 2 0\nC 3 1\nCH 1 5\nH 2 3\nO 3 1\n").unwrap();
        assert_eq!(a.encode("choch").unwrap(), [2, 4, 2]);
        assert_eq!(a.encode("c[h]o").unwrap(), [1, 3, 4]);
        assert_eq!(a.decode(&[1, 3, 4]), "[C][H][O]");
        assert_eq!(a.decode(&[2, 4]), "CHO");
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = Alphabet::parse("name X\nA one 1\n").unwrap_err();
        assert_eq!(error.to_string(), "tiles, line 2: \"one\" is not a number of tiles");
    }

    #[test]
    fn any_text_parses_or_is_refused() {
        bolero::check!().with_type::<String>().for_each(|text| {
            if let Ok(a) = Alphabet::parse(text) {
                assert_eq!(Alphabet::parse(&a.to_text()).unwrap().letters(), a.letters());
            }
        });
    }
}
