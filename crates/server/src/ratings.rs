//! Ratings: the result of a finished rated game changes the ratings of its players (Glicko-2, Glickman 2013).

use crate::app_state::AppState;
use crate::log_record::SeatPlayer;
use crate::table::StoredSummary;
use crate::time;
use arena::Glicko;
use game::SeatResult;
use std::collections::BTreeMap;
use store::{Rating, StoreError};

/// People and levels of the computer are rated in one pool.
const POOL: &str = "all";
/// A game counts after so many actions per player: nobody gives ratings away by resigning at once.
const ACTIONS_PER_PLAYER: u32 = 2;
/// How often a write is retried when other games of the same players ended meanwhile.
const TRIES: usize = 8;
/// Levels begin this far apart; games move them.
const BETWEEN_LEVELS: f64 = 120.0;
const LEVEL_DEVIATION: f64 = 200.0;

/// One player of a finished game: every opponent with the points made against it.
type Opponents = BTreeMap<String, Vec<(String, f64)>>;

/// Writes the ratings after a game that is over; a second time changes nothing. A game that was too short changes none.
pub async fn settle(app: &AppState, id: &str, game: &str, summary: &StoredSummary) -> Result<(), StoreError> {
    let too_short = summary.ply < ACTIONS_PER_PLAYER * summary.seats.len() as u32;
    let opponents = if too_short { Opponents::new() } else { opponents(summary) };
    for _ in 0..TRIES {
        let mut before = BTreeMap::new();
        for player in opponents.keys() {
            let stored = app.store.ratings(player).await?;
            let stored = stored.into_iter().find(|rating| rating.game == game && rating.pool == POOL);
            let glicko = stored.as_ref().map_or_else(|| start(app, game, player), belief);
            before.insert(player.as_str(), (glicko, stored.map_or(0, |rating| rating.games)));
        }
        let now = time::now_ms();
        let after = |player: &str, games: &[(String, f64)]| {
            let (glicko, count) = before[player];
            let games: Vec<(Glicko, f64)> =
                games.iter().map(|(other, points)| (before[other.as_str()].0, *points)).collect();
            let Glicko { rating, deviation, volatility } = glicko.after(&games);
            let (player, game, pool) = (player.to_owned(), game.to_owned(), POOL.to_owned());
            Rating { player, game, pool, rating, deviation, volatility, games: count + 1, updated_ms: now }
        };
        let ratings = opponents.iter().map(|(player, games)| after(player, games)).collect();
        match app.store.rate(id, ratings, now).await {
            Err(StoreError::Conflict { .. }) => {}
            answer => return answer,
        }
    }
    Err(StoreError::Busy)
}

fn belief(rating: &Rating) -> Glicko {
    Glicko { rating: rating.rating, deviation: rating.deviation, volatility: rating.volatility }
}

fn level_key(level: &str) -> String {
    format!("level:{level}")
}

/// The rating of a player without a game: a level's by its place, a person's the default.
fn start(app: &AppState, game: &str, player: &str) -> Glicko {
    let Some(game) = app.catalog.game(game) else { return Glicko::default() };
    let levels = game.levels();
    let place = |id: &str| levels.iter().position(|level| level.id == id).map(|place| place as f64);
    let level = levels.iter().find(|level| level_key(&level.id) == player);
    match (level.and_then(|level| place(&level.id)), place(game.default_level())) {
        (Some(place), Some(usual)) => Glicko {
            rating: Glicko::default().rating + BETWEEN_LEVELS * (place - usual),
            deviation: LEVEL_DEVIATION,
            ..Glicko::default()
        },
        _ => Glicko::default(),
    }
}

/// Every player's opponents: other players on seats of other teams.
fn opponents(summary: &StoredSummary) -> Opponents {
    let Some(outcome) = &summary.outcome else { return Opponents::new() };
    let seats: Vec<(String, u8, SeatResult)> = summary
        .seats
        .iter()
        .zip(&outcome.results)
        .filter_map(|(line, result)| {
            let player = match line.who.as_ref()? {
                SeatPlayer::Person { guest } => guest.clone(),
                SeatPlayer::Bot { level } => level_key(level),
            };
            Some((player, line.team, *result))
        })
        .collect();
    let mut found = Opponents::new();
    for (player, team, result) in &seats {
        for (other, other_team, other_result) in &seats {
            if team != other_team && player != other {
                let points = 0.5 + (result.points() - other_result.points()) / 2.0;
                found.entry(player.clone()).or_default().push((other.clone(), points));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::StoredSeat;
    use game::Outcome;

    fn summary(seats: &[(Option<SeatPlayer>, u8)], results: Vec<SeatResult>) -> StoredSummary {
        let line = |(who, team): &(Option<SeatPlayer>, u8)| StoredSeat {
            name_id: String::new(),
            team: *team,
            who: who.clone(),
        };
        let outcome = Some(Outcome { results, scores: Vec::new(), reason: "test".into() });
        StoredSummary { seats: seats.iter().map(line).collect(), ply: 1, to_act: Vec::new(), outcome }
    }

    fn person(guest: &str) -> Option<SeatPlayer> {
        Some(SeatPlayer::Person { guest: guest.into() })
    }

    #[test]
    fn points_are_made_against_other_teams_and_other_people() {
        use SeatResult::{Drew, Lost, Won};
        let bot = Some(SeatPlayer::Bot { level: "club".into() });
        let two = opponents(&summary(&[(person("a"), 0), (bot, 1)], vec![Won, Lost]));
        assert_eq!(two["a"], [("level:club".to_owned(), 1.0)]);
        assert_eq!(two["level:club"], [("a".to_owned(), 0.0)]);
        let teams = [(person("a"), 0), (person("b"), 0), (person("c"), 1), (person("a"), 1)];
        let four = opponents(&summary(&teams, vec![Lost, Lost, Won, Won]));
        assert_eq!(four["b"], [("c".to_owned(), 0.0), ("a".to_owned(), 0.0)]);
        assert_eq!(four["a"], [("c".to_owned(), 0.0), ("b".to_owned(), 1.0)], "nobody plays against himself");
        let drawn = opponents(&summary(&[(person("a"), 0), (person("b"), 1)], vec![Drew, Drew]));
        assert_eq!(drawn["a"], [("b".to_owned(), 0.5)]);
        let together = opponents(&summary(&[(person("a"), 0), (person("b"), 0)], vec![Won, Won]));
        assert!(together.is_empty());
    }
}
