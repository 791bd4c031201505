//! The state of a conversation with a manager, and the step that each line demands.

use std::time::Duration;

use super::{Command, InfoKey, TimeControl};
use crate::players::swap2::Swap2Reply;
use crate::players::{Clock, Resources};
use crate::rules::{Color, MAX_SIZE, MIN_SIZE, Point, Position, PositionSetup, Rule, Status, Stone};

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
    /// Exit at once, without output.
    Exit,
}

/// What to think about.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one question at a time, and it is handed over in a box")]
pub enum ThinkRequest {
    /// The next move.
    Move { position: Position, clock: Clock, resources: Resources },
    /// The opening's negotiation with the stones placed so far.
    Swap2 { rule: Rule, size: u8, stones: Vec<Point>, clock: Clock, resources: Resources },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Commands,
    Board,
    Swap2,
}

/// One conversation with a manager.
#[derive(Clone, Debug)]
pub struct Session {
    about: String,
    size: Option<u8>,
    rule_bits: u32,
    time: TimeControl,
    stones: Vec<(Point, Owner)>,
    /// My colour, once the first move or the board told it.
    color: Option<Color>,
    reading: Reading,
    /// Stones between `BOARD` or `SWAP2BOARD` and `DONE`, and the first thing wrong with them.
    listed: Vec<(Point, u32)>,
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
            stones: Vec::new(),
            color: None,
            reading: Reading::Commands,
            listed: Vec::new(),
            fault: None,
        }
    }

    /// The rule set in force.
    pub const fn rule(&self) -> Rule {
        Rule::from_gomocup_bits(self.rule_bits)
    }

    /// The board's size, once it is known, with the memory and threads to play on it.
    pub fn board(&self) -> Option<(u8, Resources)> {
        self.size.map(|size| (size, self.time.resources()))
    }

    /// Takes a line from the manager.
    pub fn line(&mut self, line: &str) -> Step {
        let command = Command::parse(line);
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
            Command::Stone { .. } | Command::Done => say_error("stones and DONE belong after BOARD or SWAP2BOARD"),
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
            Command::Board => self.begin_list(Reading::Board),
            Command::Swap2Board => self.begin_list(Reading::Swap2),
        }
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
        self.time.tell(info);
    }

    fn begin_list(&mut self, reading: Reading) -> Step {
        self.reading = reading;
        self.listed.clear();
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
                let fits = if self.reading == Reading::Board { (1..=3).contains(&who) } else { true };
                let on = self.size.is_some_and(|size| point.on(size));
                let fresh = self.listed.iter().all(|&(at, _)| at != point);
                if fits && on && fresh {
                    self.listed.push((point, who));
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
        self.think()
    }

    /// My colour on a board that is mine to move: by the first stone where the order counts, else by the numbers.
    fn color_of_board(&self) -> Color {
        if self.rule() == Rule::Renju
            && let Some((_, first)) = self.stones.first()
        {
            return if *first == Owner::Mine { Color::Black } else { Color::White };
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
        match self.position() {
            Err(reason) => say_error(reason),
            Ok(position) if *position.status() == Status::Drawn => say_error("no point is left to play"),
            Ok(position) => Step::Think(Box::new(ThinkRequest::Move {
                position,
                clock: self.time.clock(),
                resources: self.time.resources(),
            })),
        }
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
