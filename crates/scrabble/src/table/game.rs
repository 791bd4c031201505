//! `impl Game`: starting a table, the actions of a seat, views and outcome.

use super::action::{self, Action};
use super::bots::{LEVELS, TableBot};
use super::language::LanguageRegistry;
use super::settings::Settings;
use super::state::{State, TurnKind};
use super::view::{View, render_text, view};
use crate::engine::movegen::{MAX_RACK, MoveGenerator, NoLeaves, Rack};
use crate::formats::notation::{coordinate, parse_play, word_text};
use crate::rules::{Bag, Layout, Play, TileBoard};
use crate::with_graph;
use game::{
    Bot, Game, GameInfo, GameRng, HistoryEntry, Level, Outcome, RuleError, Seat, SeatPlan, SeatSet, Service, Setup,
    Viewer,
};
use lexicon::Tile;
use rand::RngExt;
use std::sync::Arc;

/// Scrabble for two to four players, in the languages of an installation.
pub struct Scrabble {
    pub(crate) languages: LanguageRegistry,
}

/// A random player exchanges or passes once in this many turns.
const IDLE_ONE_IN: usize = 12;

impl Scrabble {
    /// A game that offers these languages.
    pub fn new(languages: LanguageRegistry) -> Self {
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
            MoveGenerator::new(graph, dictionary.values(), &state.layout).all(&state.board, &rack, &mut plays);
        });
        plays
    }

    pub(super) fn can_exchange(&self, state: &State) -> bool {
        !state.last_call && state.bag.len() >= state.settings.exchange_needs.max(1) as usize
    }
}

fn play_action(state: &State, play: &Play) -> Action {
    let alphabet = state.language.dictionary.alphabet();
    Action::Play { at: coordinate(play), word: word_text(alphabet, play) }
}

/// Draws a tile per seat to decide who begins; only tied seats draw again.
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
            let cache = self.languages.codes().join(", ");
            return Err(RuleError::new(
                "scrabble.language",
                format!("no language {:?} here: {cache}", settings.language),
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
            board: TileBoard::new(&layout),
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
        // plays are not listed: finding them is the game, and the hint service gives help where it is allowed
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
            Action::Play { at, word } => action::lay(state, seat, at, word),
            Action::Exchange { tiles } => action::exchange(self, state, seat, tiles),
            Action::Pass => {
                action::record(state, seat, TurnKind::Pass, 0);
                state.passes += 1;
                action::finish_turn(state);
                Ok(())
            }
            Action::Challenge => action::challenge(state, seat),
            Action::Accept if state.last_call => {
                action::record(state, seat, TurnKind::Accept, 0);
                state.pending = None;
                state.last_call = false;
                action::end_by_going_out(state);
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
        render_text(view)
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
        LEVELS.iter().map(super::bots::LevelSpec::level).collect()
    }

    fn default_level(&self) -> &'static str {
        "casual"
    }

    fn bot(&self, level: &str) -> Option<Box<dyn Bot<Self>>> {
        LEVELS.iter().find(|l| l.id == level).map(|spec| Box::new(TableBot { spec }) as Box<dyn Bot<Self>>)
    }

    fn services(&self) -> Vec<Service<Self>> {
        crate::services::all()
    }
}
