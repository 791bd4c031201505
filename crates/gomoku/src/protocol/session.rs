//! The state of a conversation with a manager, and the step that each line demands.

use std::time::Duration;

use super::clock::MAX_THREADS;
use super::{Command, Detail, InfoKey, TimeControl};
use crate::players::swap2::Swap2Reply;
use crate::players::{Clock, Resources};
use crate::rules::{Color, MAX_SIZE, MIN_SIZE, Point, Position, PositionSetup, Rule, Status, Stone, forbidden_points};

/// Whose a stone is, seen from the brain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Mine,
    Theirs,
    /// Part of a finished line in a game that continues: it belongs to nobody but occupies its point.
    Nobody,
}

/// What the program has to do after a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Nothing,
    /// Send this line.
    Say(String),
    /// Think, then call [`Session::played`] or [`Session::opened`].
    Think(Box<ThinkRequest>),
    /// Clear the memory of the player, then send this line.
    ClearHash(String),
    /// Exit at once, without output.
    Exit,
}

/// What to think about.
#[derive(Clone, Debug, PartialEq)]
pub enum ThinkRequest {
    /// The next move.
    Move { position: Position, clock: Clock, resources: Resources },
    /// Stones that balance the position: how many, and a bias in points (Yixin extension).
    Balance { position: Position, stones: (usize, i32), clock: Clock, resources: Resources },
    /// The opening's negotiation with the stones placed so far.
    Swap2 { rule: Rule, size: u8, stones: Vec<Point>, clock: Clock, resources: Resources },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Commands,
    Board,
    /// As `Board`, without a thought at the end.
    YxBoard,
    Swap2,
}

/// Largest number of lines that `YXNBEST` reports.
const MAX_LINES: u32 = 20;
/// `MAX_HASH_SIZE` of `YXSHOWINFO`: the binary logarithm of the largest table in KiB.
const MAX_HASH_BITS: u32 = 24;

/// One conversation with a manager.
#[derive(Clone, Debug)]
pub struct Session {
    about: String,
    size: Option<u8>,
    rule_bits: u32,
    time: TimeControl,
    /// Whether the manager uses the Yixin extension, whose rule numbers differ.
    yixin: bool,
    detail: Detail,
    pondering: bool,
    stones: Vec<(Point, Owner)>,
    /// My colour, once the first move or the board told it.
    color: Option<Color>,
    reading: Reading,
    /// Stones between `BOARD` or `SWAP2BOARD` and `DONE`, and the first thing wrong with them.
    listed: Vec<(Point, u32)>,
    /// Who placed the first listed stone or passed first: the black player in renju.
    listed_first: Option<u32>,
    fault: Option<String>,
}

impl Session {
    /// A conversation before its first line; `about` answers `ABOUT`.
    pub fn new(about: impl Into<String>) -> Self {
        Self {
            about: about.into(),
            size: None,
            rule_bits: 0,
            time: TimeControl::default(),
            yixin: false,
            detail: Detail::default(),
            pondering: false,
            stones: Vec::new(),
            color: None,
            reading: Reading::Commands,
            listed: Vec::new(),
            listed_first: None,
            fault: None,
        }
    }

    /// The rule set in force.
    pub const fn rule(&self) -> Rule {
        match self.rule_bits {
            // numbers of the Yixin extension: 2 renju, 5 and 6 freestyle with an opening rule
            2 if self.yixin => Rule::Renju,
            5 | 6 if self.yixin => Rule::Freestyle,
            bits => Rule::from_gomocup_bits(bits),
        }
    }

    /// The details that the manager wants during a thought.
    pub const fn detail(&self) -> Detail {
        self.detail
    }

    /// Whether the manager wants the program to think in the opponent's time.
    pub const fn pondering(&self) -> bool {
        self.pondering
    }

    /// The board's size, once it is known, with the memory and threads to play on it.
    pub fn board(&self) -> Option<(u8, Resources)> {
        self.size.map(|size| (size, self.time.resources()))
    }

    /// Takes a line from the manager.
    pub fn line(&mut self, line: &str) -> Step {
        let command = Command::parse_on(line, self.size.unwrap_or(15));
        if self.reading != Reading::Commands {
            return self.listed_line(command, line.trim());
        }
        match command {
            Err(error) => say_error(error),
            Ok(command) => self.obey(command),
        }
    }

    fn obey(&mut self, command: Command) -> Step {
        match command {
            Command::Start(size) => self.start(size, size),
            Command::RectStart(width, height) => self.start(width, height),
            Command::Restart if self.size.is_some() => {
                self.clear();
                Step::Say("OK".to_owned())
            }
            Command::InfoKey(info) => {
                self.tell(&info);
                Step::Nothing
            }
            Command::About => Step::Say(self.about.clone()),
            Command::End => Step::Exit,
            Command::Nothing => Step::Nothing,
            Command::Unknown(word) => Step::Say(format!("UNKNOWN command {word}")),
            Command::YxShowInfo => self.show_info(),
            Command::YxHashClear => {
                self.yixin = true;
                Step::ClearHash("MESSAGE Transposition table cleared.".to_owned())
            }
            Command::YxStop => Step::Nothing,
            Command::Stone { .. } | Command::Pass { .. } | Command::Done => {
                say_error("stones and DONE belong after BOARD or SWAP2BOARD")
            }
            _ if self.size.is_none() => say_error("there is no board yet; send START first"),
            Command::Restart => say_error("there is no board yet; send START first"),
            Command::Begin => {
                self.color.get_or_insert(Color::Black);
                self.think()
            }
            Command::Turn(point) => match self.free(point) {
                Err(reason) => say_error(reason),
                Ok(()) => {
                    self.color.get_or_insert(Color::White);
                    self.stones.push((point, Owner::Theirs));
                    self.think()
                }
            },
            Command::Play(point) => match self.free(point) {
                Err(reason) => say_error(reason),
                Ok(()) => Step::Say(self.played(point, Duration::ZERO)),
            },
            Command::TakeBack(point) => match self.stones.iter().rposition(|&(at, _)| at == point) {
                None => say_error(format!("no stone stands at {},{}", point.x, point.y)),
                Some(at) => {
                    self.stones.remove(at);
                    if self.stones.is_empty() {
                        self.color = None;
                    }
                    Step::Say("OK".to_owned())
                }
            },
            Command::YxBoard => {
                self.yixin = true;
                self.begin_list(Reading::YxBoard)
            }
            Command::YxNBest(lines) => {
                self.yixin = true;
                self.color.get_or_insert(Color::of_stone(self.stones.len()));
                self.think_about(lines.clamp(1, MAX_LINES) as usize)
            }
            Command::YxBalance(count, bias) => {
                self.yixin = true;
                self.color.get_or_insert(Color::of_stone(self.stones.len()));
                self.balance(count, bias)
            }
            Command::YxShowForbid => {
                self.yixin = true;
                self.show_forbidden()
            }
            Command::Board => self.begin_list(Reading::Board),
            Command::Swap2Board => self.begin_list(Reading::Swap2),
        }
    }

    fn show_info(&mut self) -> Step {
        self.yixin = true;
        let name = self.about.split('"').nth(1).unwrap_or("Parlour").to_owned();
        Step::Say(format!(
            "MESSAGE {name}\nMESSAGE INFO MAX_THREAD_NUM {MAX_THREADS}\nMESSAGE INFO MAX_HASH_SIZE {MAX_HASH_BITS}"
        ))
    }

    fn start(&mut self, width: u32, height: u32) -> Step {
        let sizes = u32::from(MIN_SIZE)..=u32::from(MAX_SIZE);
        if width != height {
            return say_error(format!("a board of {width}x{height} is not supported; boards are square"));
        }
        if !sizes.contains(&width) {
            return say_error(format!("a board of {width} is not supported; sizes run from {MIN_SIZE} to {MAX_SIZE}"));
        }
        self.size = Some(width as u8);
        self.clear();
        Step::Say("OK".to_owned())
    }

    fn clear(&mut self) {
        self.stones.clear();
        self.color = None;
        self.time.restart();
    }

    fn tell(&mut self, info: &InfoKey) {
        if let InfoKey::Rule(bits) = info {
            self.rule_bits = *bits;
        }
        match *info {
            InfoKey::ShowDetail(value) => {
                self.yixin = true;
                self.detail = Detail::of(value);
            }
            InfoKey::Pondering(value) => self.pondering = value == 1,
            _ => {}
        }
        self.time.tell(info);
    }

    fn begin_list(&mut self, reading: Reading) -> Step {
        self.reading = reading;
        self.listed.clear();
        self.listed_first = None;
        self.fault = None;
        Step::Nothing
    }

    /// A line between `BOARD` or `SWAP2BOARD` and `DONE`. What is wrong is told once, at the end.
    fn listed_line(&mut self, command: Result<Command, super::CommandError>, line: &str) -> Step {
        match command {
            Ok(Command::End) => return Step::Exit,
            Ok(Command::Nothing) => {}
            Ok(Command::InfoKey(info)) => self.tell(&info),
            Ok(Command::Done) => return self.end_list(),
            Ok(Command::Stone { point, who }) => {
                let who = who.unwrap_or(0);
                let fits = self.reading == Reading::Swap2 || (1..=3).contains(&who);
                let on = self.size.is_some_and(|size| point.on(size));
                let fresh = self.listed.iter().all(|&(at, _)| at != point);
                if fits && on && fresh {
                    self.listed.push((point, who));
                    self.listed_first.get_or_insert(who);
                } else {
                    let reason = if !fits {
                        "is not 1, 2 or 3"
                    } else if on {
                        "occurs twice"
                    } else {
                        "is outside the board"
                    };
                    self.fault.get_or_insert(format!("{},{},{who} {reason}", point.x, point.y));
                }
            }
            Ok(Command::Pass { who }) => {
                self.listed_first.get_or_insert(who);
            }
            Ok(_) => {
                let start: String = line.chars().take(40).collect();
                self.fault.get_or_insert(format!("{start:?} stands among the stones; expected x,y,who or DONE"));
            }
            Err(error) => {
                self.fault.get_or_insert(error.to_string());
            }
        }
        Step::Nothing
    }

    fn end_list(&mut self) -> Step {
        let reading = std::mem::replace(&mut self.reading, Reading::Commands);
        if let Some(fault) = self.fault.take() {
            return say_error(fault);
        }
        let listed = std::mem::take(&mut self.listed);
        let Some(size) = self.size else { return say_error("there is no board yet; send START first") };
        if reading == Reading::Swap2 {
            let stones: Vec<Point> = listed.into_iter().map(|(point, _)| point).collect();
            if ![0, 3, 5].contains(&stones.len()) {
                return say_error(format!("SWAP2BOARD asks after 0, 3 or 5 stones, not {}", stones.len()));
            }
            let (clock, resources) = (self.time.clock(), self.time.resources());
            return Step::Think(Box::new(ThinkRequest::Swap2 { rule: self.rule(), size, stones, clock, resources }));
        }
        self.stones = listed
            .into_iter()
            .map(|(point, who)| (point, [Owner::Mine, Owner::Theirs, Owner::Nobody][who as usize - 1]))
            .collect();
        self.color = Some(self.color_of_board());
        if reading == Reading::YxBoard { Step::Nothing } else { self.think() }
    }

    /// My colour on a board that is mine to move: by the first stone where the order counts, else by the numbers.
    fn color_of_board(&self) -> Color {
        if self.rule() == Rule::Renju
            && let Some(first) = self.listed_first
        {
            return if first == 1 { Color::Black } else { Color::White };
        }
        let count = |owner| self.stones.iter().filter(|(_, o)| *o == owner).count();
        if count(Owner::Mine) < count(Owner::Theirs) { Color::White } else { Color::Black }
    }

    fn free(&self, point: Point) -> Result<(), String> {
        let size = self.size.unwrap_or(0);
        if !point.on(size) {
            return Err(format!("{},{} is outside the board of {size}", point.x, point.y));
        }
        if self.stones.iter().any(|&(at, _)| at == point) {
            return Err(format!("{},{} is already taken", point.x, point.y));
        }
        Ok(())
    }

    fn think(&mut self) -> Step {
        self.think_about(1)
    }

    fn think_about(&mut self, lines: usize) -> Step {
        match self.position() {
            Err(reason) => say_error(reason),
            Ok(position) if *position.status() == Status::Drawn => say_error("no point is left to play"),
            Ok(position) => Step::Think(Box::new(ThinkRequest::Move {
                position,
                clock: Clock { lines, ..self.time.clock() },
                resources: self.time.resources(),
            })),
        }
    }

    fn balance(&mut self, count: usize, bias: i32) -> Step {
        match self.position() {
            Err(reason) => say_error(reason),
            Ok(position) if position.is_over() => say_error("the game is over"),
            Ok(position) => Step::Think(Box::new(ThinkRequest::Balance {
                position,
                stones: (count, bias),
                clock: self.time.clock(),
                resources: self.time.resources(),
            })),
        }
    }

    /// `FORBID` with two digits each for x and y of every point that black may not take, if black is to move in renju.
    fn show_forbidden(&mut self) -> Step {
        let me = self.color.unwrap_or(Color::Black);
        let to_move = match self.stones.last() {
            Some((_, Owner::Mine)) => me.opponent(),
            _ => me,
        };
        let mut list = String::new();
        if self.rule() == Rule::Renju && to_move == Color::Black {
            match self.position() {
                Err(reason) => return say_error(reason),
                Ok(position) => {
                    for (point, _) in forbidden_points(position.board()) {
                        list += &format!("{:02}{:02}", point.x, point.y);
                    }
                }
            }
        }
        Step::Say(format!("FORBID {list}."))
    }

    /// The position before me. Finished lines become nobody's stones: the manager wants to go on, so they no longer count.
    fn position(&mut self) -> Result<Position, String> {
        let me = self.color.unwrap_or(Color::Black);
        let size = self.size.unwrap_or(0);
        loop {
            let stones = self
                .stones
                .iter()
                .map(|&(point, owner)| {
                    let color = match owner {
                        Owner::Mine => me,
                        Owner::Theirs => me.opponent(),
                        Owner::Nobody => neutral(point),
                    };
                    Stone { point, color }
                })
                .collect();
            let setup = PositionSetup { rule: self.rule(), size, stones, to_move: me };
            let position = setup.position().map_err(|error| error.to_string())?;
            let Status::Won { line, .. } = position.status() else { return Ok(position) };
            for (point, owner) in &mut self.stones {
                if line.contains(point) {
                    *owner = Owner::Nobody;
                }
            }
        }
    }

    /// Records the program's own move, which took `time`; returns the line to send.
    pub fn played(&mut self, point: Point, time: Duration) -> String {
        self.time.spend(time);
        self.color.get_or_insert(Color::Black);
        self.stones.push((point, Owner::Mine));
        format!("{},{}", point.x, point.y)
    }

    /// Records balancing stones of both sides in turn, which took `time`; returns the line to send.
    pub fn balanced(&mut self, stones: &[Point], time: Duration) -> String {
        self.time.spend(time);
        for (i, &point) in stones.iter().enumerate() {
            self.stones.push((point, if i % 2 == 0 { Owner::Mine } else { Owner::Theirs }));
        }
        let names: Vec<String> = stones.iter().map(|point| format!("{},{}", point.x, point.y)).collect();
        names.join(" ")
    }

    /// Records the time of the swap2 negotiation; returns the line to send.
    pub fn opened(&mut self, answer: &Swap2Reply, time: Duration) -> String {
        self.time.spend(time);
        match answer {
            Swap2Reply::Three(stones) => {
                let stones: Vec<String> = stones.iter().map(|point| format!("{},{}", point.x, point.y)).collect();
                stones.join(" ")
            }
            Swap2Reply::Stone(point) => format!("{},{}", point.x, point.y),
            Swap2Reply::Swap => "SWAP".to_owned(),
        }
    }
}

fn say_error(reason: impl std::fmt::Display) -> Step {
    Step::Say(format!("ERROR {reason}"))
}

/// A colour for neutral stones: a pattern without more than two alike in a row in any direction.
const fn neutral(point: Point) -> Color {
    if (point.x + 2 * point.y) % 4 < 2 { Color::Black } else { Color::White }
}
