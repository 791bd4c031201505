//! The rules of a table, as the house asks for them.

use super::bot::{LEVELS, TableBot};
use super::language::Languages;
use super::state::{Action, Challenge, Pending, Record, Settings, State, What};
use super::view::{View, view};
use crate::formats::notation::{coordinate, parse_play, word_text};
use crate::movegen::{Generator, MAX_RACK, NoLeaves, Rack};
use crate::rules::{Bag, Board, Layout, Play, check_play, remove};
use crate::with_graph;
use game::{
    Bot, Game, GameInfo, GameRng, HistoryEntry, Level, Outcome, RuleError, Seat, SeatPlan, SeatSet, Service, Setup,
    Viewer,
};
use lexicon::Tile;
use rand::RngExt;
use std::sync::Arc;

/// Scrabble for two to four, in the languages of an installation.
pub struct Scrabble {
    pub(super) languages: Languages,
}

/// Moves a random player gives tiles back or passes instead of playing, one in so many.
const IDLE_ONE_IN: usize = 12;

impl Scrabble {
    /// The game with these languages.
    pub fn new(languages: Languages) -> Self {
        Self { languages }
    }

    fn layout(&self, settings: &Settings) -> Result<Layout, RuleError> {
        Layout::named(&settings.board).ok_or_else(|| {
            RuleError::new("scrabble.board", format!("no board called {:?}: standard, super", settings.board))
        })
    }

    fn plays(&self, state: &State, seat: Seat) -> Vec<Play> {
        let dictionary = &state.language.dictionary;
        let mut plays = Vec::new();
        let rack = Rack::new(&state.racks[seat.index()], &NoLeaves);
        with_graph!(dictionary, graph => {
            Generator::new(graph, dictionary.values(), &state.layout).all(&state.board, &rack, &mut plays);
        });
        plays
    }

    fn can_exchange(&self, state: &State) -> bool {
        !state.last_call && state.bag.len() >= state.settings.exchange_needs.max(1) as usize
    }
}

pub(super) fn play_action(state: &State, play: &Play) -> Action {
    let alphabet = state.language.dictionary.alphabet();
    Action::Play { at: coordinate(play), word: word_text(alphabet, play) }
}

/// Every tile everybody draws to see who begins; only those who tie draw again.
fn draw_for_start(bag: &mut Bag, seats: usize, rng: &mut GameRng) -> (u8, Vec<(u8, Tile)>) {
    let mut draws = Vec::new();
    let mut tied: Vec<u8> = (0..seats as u8).collect();
    loop {
        let mut drawn = Vec::new();
        for &seat in &tied {
            let mut one = Vec::new();
            bag.fill(&mut one, 1);
            drawn.push((seat, one.first().copied().unwrap_or(0)));
        }
        let best = drawn.iter().map(|d| d.1).min().unwrap_or(0);
        draws.extend(&drawn);
        tied = drawn.iter().filter(|d| d.1 == best).map(|d| d.0).collect();
        bag.put_back(&drawn.iter().map(|d| d.1).collect::<Vec<_>>(), rng);
        bag.shuffle(rng);
        if tied.len() == 1 || draws.len() > 200 {
            return (tied[0], draws);
        }
    }
}

impl Game for Scrabble {
    type Settings = Settings;
    type State = State;
    type Action = Action;
    type View = View;

    fn info(&self) -> GameInfo {
        GameInfo {
            id: "scrabble",
            rules_version: 1,
            min_seats: 2,
            max_seats: 4,
            hidden: true,
            chance: true,
            simultaneous: false,
            turns: true,
            undo: false,
            join_during_play: false,
        }
    }

    fn seats(&self, settings: &Settings) -> Result<SeatPlan, RuleError> {
        self.layout(settings)?;
        if !self.languages.codes().contains(&settings.language) {
            let known = self.languages.codes().join(", ");
            return Err(RuleError::new(
                "scrabble.language",
                format!("no language {:?} here: {known}", settings.language),
            ));
        }
        if settings.exchange_needs == 0 || settings.pass_rounds == 0 || settings.pass_rounds > 6 {
            return Err(RuleError::new(
                "scrabble.settings",
                "exchanges need a tile in the bag, and 1 to 6 rounds of passes end a game",
            ));
        }
        let names = ["first", "second", "third", "fourth"].map(str::to_owned).to_vec();
        Ok(SeatPlan { min: 2, max: 4, teams: Vec::new(), names })
    }

    fn start(&self, setup: &Setup<Settings>) -> Result<State, RuleError> {
        if setup.rules_version != 1 {
            return Err(RuleError::new(
                "scrabble.version",
                format!("rules version {} is not known here", setup.rules_version),
            ));
        }
        let plan = self.seats(&setup.settings)?;
        if setup.seats < plan.min || setup.seats > plan.max {
            return Err(RuleError::new("scrabble.seats", format!("{} seats; two to four play", setup.seats)));
        }
        let language =
            self.languages.get(&setup.settings.language).map_err(|e| RuleError::new("scrabble.language", e))?;
        let layout = self.layout(&setup.settings)?;
        let seats = setup.seats as usize;
        let mut rng = setup.seed.rng(0);
        let mut bag = Bag::full(language.dictionary.alphabet(), &mut rng);
        let (first, draws) = draw_for_start(&mut bag, seats, &mut rng);
        let mut racks = vec![Vec::with_capacity(MAX_RACK); seats];
        for i in 0..seats {
            bag.fill(&mut racks[(first as usize + i) % seats], MAX_RACK);
        }
        Ok(State {
            settings: setup.settings.clone(),
            board: Board::new(&layout),
            layout: Arc::new(layout),
            language,
            racks,
            bag,
            scores: vec![0; seats],
            to_move: first,
            passes: 0,
            records: Vec::new(),
            pending: None,
            last_call: false,
            draws,
            over: None,
            adjustments: vec![0; seats],
            rng,
        })
    }

    fn to_act(&self, state: &State) -> SeatSet {
        if state.over.is_some() { SeatSet::NONE } else { SeatSet::only(Seat(state.to_move)) }
    }

    fn legal_actions(&self, state: &State, seat: Seat) -> Option<Vec<Action>> {
        if state.over.is_some() || seat.0 != state.to_move {
            return Some(Vec::new());
        }
        if state.last_call {
            return Some(vec![Action::Accept, Action::Challenge]);
        }
        // Plays are not listed: finding them is the game, and whoever may ask for help has a service for that.
        None
    }

    fn random_action(&self, state: &State, seat: Seat, rng: &mut GameRng) -> Option<Action> {
        if state.over.is_some() || seat.0 != state.to_move {
            return None;
        }
        if state.last_call {
            return Some(if rng.random_range(0..2) == 0 { Action::Accept } else { Action::Challenge });
        }
        if state.pending.is_some() && rng.random_range(0..6) == 0 {
            return Some(Action::Challenge);
        }
        let plays = self.plays(state, seat);
        if !plays.is_empty() && rng.random_range(0..IDLE_ONE_IN) != 0 {
            return Some(play_action(state, &plays[rng.random_range(0..plays.len())]));
        }
        if self.can_exchange(state) && rng.random_range(0..2) == 0 {
            let tiles = &state.racks[seat.index()];
            let count = rng.random_range(1..=tiles.len().min(state.bag.len()));
            let mut given = tiles[..count].to_vec();
            given.sort_unstable();
            return Some(Action::Exchange { tiles: state.language.dictionary.alphabet().decode(&given) });
        }
        Some(Action::Pass)
    }

    fn apply(&self, state: &mut State, seat: Seat, action: &Action) -> Result<(), RuleError> {
        if state.over.is_some() {
            return Err(RuleError::new("scrabble.over", "the game is over"));
        }
        if seat.0 != state.to_move {
            return Err(RuleError::new("scrabble.turn", format!("it is not {seat}'s turn")));
        }
        if state.last_call && !matches!(action, Action::Challenge | Action::Accept) {
            return Err(RuleError::new("scrabble.last_call", "the last play can only be challenged or accepted"));
        }
        match action {
            Action::Play { at, word } => lay(state, seat, at, word),
            Action::Exchange { tiles } => exchange(self, state, seat, tiles),
            Action::Pass => {
                record(state, seat, What::Pass, 0);
                state.passes += 1;
                finish_turn(state);
                Ok(())
            }
            Action::Challenge => challenge(state, seat),
            Action::Accept if state.last_call => {
                record(state, seat, What::Accept, 0);
                state.pending = None;
                state.last_call = false;
                end_by_going_out(state);
                Ok(())
            }
            Action::Accept => {
                Err(RuleError::new("scrabble.nothing_to_accept", "only the last play of a game is accepted"))
            }
        }
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        view(state, viewer)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.over.map(|reason| Outcome::by_score(state.scores.clone(), reason))
    }

    fn history(&self, state: &State, viewer: Viewer) -> Vec<HistoryEntry> {
        let entry = |(i, turn): (usize, super::HistoryTurn)| {
            let mut text = match turn.kind.as_str() {
                "play" => format!("{} {} +{}", turn.at.unwrap_or_default(), turn.word.unwrap_or_default(), turn.score),
                "exchange" => match turn.exchanged_tiles {
                    Some(tiles) => format!("-{tiles}"),
                    None => format!("-{}", turn.exchanged),
                },
                "challenge" => {
                    if turn.right == Some(true) { "challenge, upheld" } else { "challenge, refused" }.to_owned()
                }
                other => other.to_owned(),
            };
            if turn.undone {
                text += " (taken back)";
            }
            HistoryEntry { ply: i as u32 + 1, seat: turn.seat, text }
        };
        view(state, viewer).history.into_iter().enumerate().map(entry).collect()
    }

    fn write_action(&self, _: &State, _: Seat, action: &Action) -> String {
        match action {
            Action::Play { at, word } => format!("{at} {word}"),
            Action::Exchange { tiles } => format!("-{tiles}"),
            Action::Pass => "pass".into(),
            Action::Challenge => "challenge".into(),
            Action::Accept => "accept".into(),
        }
    }

    fn read_action(&self, state: &State, _: Seat, text: &str) -> Result<Action, RuleError> {
        let text = text.trim();
        match text.to_lowercase().as_str() {
            "pass" => return Ok(Action::Pass),
            "challenge" => return Ok(Action::Challenge),
            "accept" => return Ok(Action::Accept),
            _ => {}
        }
        let alphabet = state.language.dictionary.alphabet();
        let given = text.strip_prefix('-').or_else(|| text.strip_prefix("exchange "));
        if let Some(tiles) = given {
            let tiles =
                alphabet.encode_rack(tiles.trim()).map_err(|e| RuleError::new("scrabble.letter", e.to_string()))?;
            return Ok(Action::Exchange { tiles: alphabet.decode(&tiles) });
        }
        let (at, word) = text.split_once(' ').ok_or_else(|| {
            RuleError::new("scrabble.notation", format!("{text:?}: write `8D WORD`, `-TILES`, `pass` or `challenge`"))
        })?;
        let play = parse_play(alphabet, &state.board, at, word.trim())
            .map_err(|e| RuleError::new("scrabble.notation", e.to_string()))?;
        Ok(play_action(state, &play))
    }

    fn render_text(&self, view: &View) -> String {
        draw(view)
    }

    fn indistinguishable_states(&self, state: &State, viewer: Viewer, rng: &mut GameRng) -> Vec<State> {
        if state.over.is_some() {
            return Vec::new();
        }
        let own = viewer.seat().map(Seat::index);
        let mut pool: Vec<Tile> = state.bag.tiles().to_vec();
        for (i, rack) in state.racks.iter().enumerate().filter(|(i, _)| Some(*i) != own) {
            debug_assert!(Some(i) != own);
            pool.extend(rack);
        }
        let mut twin = state.clone();
        let mut mixed = Bag::of(pool);
        mixed.shuffle(rng);
        for i in (0..twin.racks.len()).filter(|&i| Some(i) != own) {
            let size = twin.racks[i].len();
            twin.racks[i].clear();
            mixed.fill(&mut twin.racks[i], size);
        }
        twin.bag = mixed;
        for record in twin.records.iter_mut().filter(|r| Some(r.seat as usize) != own) {
            record.rack.reverse();
            record.rack.truncate(3);
        }
        vec![twin]
    }

    fn levels(&self) -> Vec<Level> {
        LEVELS.iter().map(super::bot::LevelSpec::level).collect()
    }

    fn default_level(&self) -> &'static str {
        "casual"
    }

    fn bot(&self, level: &str) -> Option<Box<dyn Bot<Self>>> {
        LEVELS.iter().find(|l| l.id == level).map(|spec| Box::new(TableBot { spec }) as Box<dyn Bot<Self>>)
    }

    fn services(&self) -> Vec<Service<Self>> {
        super::services::all()
    }
}

fn record(state: &mut State, seat: Seat, what: What, score: i32) {
    let i = seat.index();
    state.scores[i] += score;
    let (rack, total) = (state.racks[i].clone(), state.scores[i]);
    state.records.push(Record { seat: seat.0, rack, what, score, total, undone: false });
}

fn lay(state: &mut State, seat: Seat, at: &str, word: &str) -> Result<(), RuleError> {
    let language = Arc::clone(&state.language);
    let dictionary = &language.dictionary;
    let mut play = parse_play(dictionary.alphabet(), &state.board, at, word)
        .map_err(|e| RuleError::new("scrabble.notation", e.to_string()))?;
    let scored = check_play(&state.board, &state.layout, dictionary.values(), &play, MAX_RACK)
        .map_err(|e| RuleError::new("scrabble.placing", e.to_string()))?;
    let mut kept = state.racks[seat.index()].clone();
    for tile in play.rack_tiles() {
        let Some(i) = kept.iter().position(|&t| t == tile) else {
            let missing = dictionary.alphabet().text(tile);
            return Err(RuleError::new("scrabble.rack", format!("the rack has no further {missing}")));
        };
        kept.swap_remove(i);
    }
    let wrong: Vec<String> = scored
        .words
        .iter()
        .filter(|w| !dictionary.lexicon().contains(w))
        .map(|w| dictionary.alphabet().decode(w))
        .collect();
    if !wrong.is_empty() && state.settings.challenge == Challenge::Void {
        return Err(RuleError::new("scrabble.not_a_word", format!("{} is not in the lexicon", wrong.join(", "))));
    }
    play.score = scored.score as i16;
    let pending = (state.settings.challenge != Challenge::Void).then(|| Pending {
        seat: seat.0,
        record: state.records.len(),
        board: state.board.clone(),
        rack: state.racks[seat.index()].clone(),
        bag: state.bag.clone(),
        score: scored.score,
        valid: wrong.is_empty(),
    });
    record(state, seat, What::Play { play, words: scored.words }, scored.score);
    with_graph!(dictionary, graph => { state.board.place(graph, dictionary.values(), &play); });
    state.racks[seat.index()] = kept;
    state.bag.fill(&mut state.racks[seat.index()], MAX_RACK);
    state.passes = 0;
    let out = state.racks[seat.index()].is_empty();
    if out && pending.is_none() {
        end_by_going_out(state);
        return Ok(());
    }
    finish_turn(state);
    state.pending = pending;
    state.last_call = out;
    Ok(())
}

fn exchange(game: &Scrabble, state: &mut State, seat: Seat, tiles: &str) -> Result<(), RuleError> {
    let alphabet = state.language.dictionary.alphabet();
    let given = alphabet.encode_rack(tiles).map_err(|e| RuleError::new("scrabble.letter", e.to_string()))?;
    if !game.can_exchange(state) {
        let needs = state.settings.exchange_needs;
        return Err(RuleError::new(
            "scrabble.exchange",
            format!("an exchange needs {needs} tiles in the bag, it has {}", state.bag.len()),
        ));
    }
    if given.is_empty() || given.len() > state.bag.len() {
        return Err(RuleError::new("scrabble.exchange", "give back at least one tile and no more than the bag holds"));
    }
    let mut left = state.racks[seat.index()].clone();
    for &tile in &given {
        let Some(i) = left.iter().position(|&t| t == tile) else {
            return Err(RuleError::new("scrabble.rack", format!("the rack has no further {}", alphabet.text(tile))));
        };
        left.swap_remove(i);
    }
    record(state, seat, What::Exchange { tiles: given.clone() }, 0);
    remove(&mut state.racks[seat.index()], given.iter().copied());
    state.bag.fill(&mut state.racks[seat.index()], MAX_RACK);
    let mut rng = state.rng.clone();
    state.bag.put_back(&given, &mut rng);
    state.rng = rng;
    state.passes = 0;
    finish_turn(state);
    Ok(())
}

fn challenge(state: &mut State, seat: Seat) -> Result<(), RuleError> {
    let Some(pending) = state.pending.take() else {
        return Err(RuleError::new("scrabble.challenge", "there is no play to challenge"));
    };
    record(state, seat, What::Challenge { right: !pending.valid, against: pending.seat }, 0);
    let was_last_call = std::mem::take(&mut state.last_call);
    if !pending.valid {
        let i = pending.seat as usize;
        state.records[pending.record].undone = true;
        state.scores[i] -= pending.score;
        state.board = pending.board;
        state.racks[i] = pending.rack;
        state.bag = pending.bag;
        // the bag is mixed again, so that what was drawn and given back is not known to lie on top
        let mut rng = state.rng.clone();
        state.bag.shuffle(&mut rng);
        state.rng = rng;
        return Ok(());
    }
    if was_last_call {
        end_by_going_out(state);
    } else if state.settings.challenge == Challenge::Double {
        state.passes += 1;
        finish_turn(state);
    }
    Ok(())
}

/// Passes the turn on, and ends the game after the agreed rounds of passes.
fn finish_turn(state: &mut State) {
    state.pending = None;
    state.to_move = (state.to_move + 1) % state.seats() as u8;
    if state.passes >= u32::from(state.settings.pass_rounds) * state.seats() as u32 {
        for i in 0..state.seats() {
            state.adjustments[i] = -state.worth(&state.racks[i]);
            state.scores[i] += state.adjustments[i];
        }
        state.over = Some("passes");
    }
}

/// Everybody loses what is left on the rack; who has nothing left gains it.
fn end_by_going_out(state: &mut State) {
    let left: Vec<i32> = state.racks.iter().map(|r| state.worth(r)).collect();
    let total: i32 = left.iter().sum();
    for (i, &own) in left.iter().enumerate() {
        state.adjustments[i] = if state.racks[i].is_empty() { total } else { -own };
        state.scores[i] += state.adjustments[i];
    }
    state.over = Some("out");
}

fn draw(view: &View) -> String {
    let side = view.side as usize;
    let mut out = String::from("   ");
    for c in 0..side {
        out.push((b'A' + c as u8) as char);
        out.push(' ');
    }
    out.push('\n');
    for r in 0..side {
        out += &format!("{:>2} ", r + 1);
        let signs: Vec<char> = view.squares[r].chars().collect();
        for c in 0..side {
            let text = match &view.tiles[r * side + c] {
                Some(tile) if tile.blank => tile.letter.to_lowercase(),
                Some(tile) => tile.letter.clone(),
                None => signs[c].to_string(),
            };
            out += &text;
            if text.chars().count() < 2 {
                out.push(' ');
            }
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    for (i, score) in view.scores.iter().enumerate() {
        let mark = if view.to_move == Some(Seat(i as u8)) { '*' } else { ' ' };
        out += &format!("{mark} seat {}: {score} points, {} tiles\n", i + 1, view.rack_counts[i]);
    }
    if let Some(rack) = &view.rack {
        out += &format!("rack {}\n", rack.join(" "));
    }
    out += &format!("bag {}\n", view.bag);
    if let Some(over) = &view.over {
        out += &format!("over: {over}\n");
    }
    out
}
