//! A contest between bots of any game. The bots exchange seats within a pair.

use game::{Bot, Budget, Control, Ending, Event, Game, Seat, Seed, Setup, Table, Viewer};

use crate::{Contest, Fault, FaultKind, PlayedGame, Side};

/// A player of a match: makes fresh bots.
pub struct Entrant<G: Game> {
    /// Makes a fresh bot.
    pub make: Box<dyn Fn() -> Box<dyn Bot<G>> + Send + Sync>,
    pub budget: Budget,
}

/// Games between two players, each on every other seat or on the seats of one team.
///
/// Both games of a pair have the same seed, hence the same hidden information, with the seats exchanged. With teams, the
/// first player has the even teams in the first game. The result is the mean over a player's seats.
pub struct BotContest<'g, G: Game> {
    pub game: &'g G,
    pub settings: G::Settings,
    /// Number of seats.
    pub seats: u8,
    pub players: [Entrant<G>; 2],
    pub seed: u64,
    /// Maximum length of a game in actions. Longer games are draws.
    pub max_plies: u32,
}

impl<G: Game> Contest for BotContest<'_, G> {
    fn play(&self, pair: u64, swapped: bool) -> PlayedGame {
        let seed = mix(self.seed, pair);
        let setup = Setup {
            rules_version: self.game.info().rules_version,
            settings: self.settings.clone(),
            seats: self.seats,
            seed: Seed(seed),
        };
        let mut table = match Table::new(self.game, setup) {
            Ok(table) => table,
            Err(error) => return draw(0, Some(format!("no table: {error}"))),
        };
        let side = |seat: Seat| {
            let team = table.plan().teams.get(seat.index()).copied().unwrap_or(seat.0);
            if team.is_multiple_of(2) == swapped { Side::P2 } else { Side::P1 }
        };
        let sides: Vec<Side> = Seat::all(usize::from(self.seats)).map(side).collect();
        let mut bots: Vec<Box<dyn Bot<G>>> =
            sides.iter().map(|side| (self.players[usize::from(*side == Side::P2)].make)()).collect();
        while !table.is_over(self.game) && table.ply() < self.max_plies {
            let Some(seat) = table.to_act(self.game).iter().next() else { break };
            let side = sides[seat.index()];
            let view = table.view(self.game, Viewer::Seat(seat));
            let budget = self.players[usize::from(side == Side::P2)].budget;
            let move_seed = mix(mix(seed, u64::from(table.ply())), u64::from(swapped) * 31 + u64::from(seat.0));
            let chosen = bots[seat.index()].choose(self.game, seat, &view, budget, move_seed, &Control::new());
            let fault = match chosen {
                Err(error) => Some((FaultKind::Crash, error.to_string())),
                Ok(choice) => {
                    let event = Event::Action { seat, action: choice.action };
                    table.apply(self.game, &event).err().map(|error| (FaultKind::Illegal, error.to_string()))
                }
            };
            if let Some((kind, note)) = fault {
                let points = if side == Side::P1 { 0.0 } else { 1.0 };
                return PlayedGame { points, plies: table.ply(), fault: Some(Fault { by: side, kind, note }) };
            }
        }
        let Some(Ending::Outcome(outcome)) = table.ending(self.game) else { return draw(table.ply(), None) };
        let own: Vec<f64> = sides
            .iter()
            .zip(&outcome.results)
            .filter(|(side, _)| **side == Side::P1)
            .map(|(_, result)| result.points())
            .collect();
        let points = own.iter().sum::<f64>() / own.len().max(1) as f64;
        PlayedGame { points: (points * 2.0).round() / 2.0, plies: table.ply(), fault: None }
    }
}

fn draw(plies: u32, note: Option<String>) -> PlayedGame {
    let fault = note.map(|note| Fault { by: Side::P1, kind: FaultKind::Crash, note });
    PlayedGame { points: 0.5, plies, fault }
}

/// The seed of one part: the finaliser of SplitMix64 (Steele, Lea & Flood 2014).
pub(crate) fn mix(seed: u64, part: u64) -> u64 {
    numerics::mix64(seed ^ part.wrapping_add(1).wrapping_mul(numerics::GOLDEN_GAMMA))
}
