//! The clocks of a table. Pure: times come from outside, in milliseconds.
//!
//! The log keeps what each action cost (`spent_ms`), so that clocks replay exactly, and when it was written, so that
//! every server has a running clock at the same place. Time in which no server runs is not charged: a running clock
//! then goes on from what the log says was left. Time is not given back by an undo.

use crate::api::{ClockSeat, ClockTerms, ClockView};
use game::{Seat, SeatSet};

/// The clocks of all seats.
#[derive(Clone, Debug)]
pub struct TableClock {
    terms: ClockTerms,
    left: Vec<u64>,
    since: [Option<i64>; Seat::MAX],
}

impl TableClock {
    pub fn new(terms: ClockTerms, seats: usize) -> Self {
        Self { terms, left: vec![terms.per_game_ms.unwrap_or(0); seats], since: [None; Seat::MAX] }
    }

    /// What the running action of `seat` has cost up to `now`.
    pub fn spent(&self, seat: Seat, now: i64) -> u64 {
        self.since[seat.index()].map_or(0, |since| now.saturating_sub(since).max(0).cast_unsigned())
    }

    /// Charges an action.
    pub fn charge(&mut self, seat: Seat, spent: u64) {
        if self.terms.per_game_ms.is_some()
            && let Some(left) = self.left.get_mut(seat.index())
        {
            *left = left.saturating_sub(spent).saturating_add(self.terms.increment_ms.unwrap_or(0));
        }
    }

    /// Lets the clocks of `acting` run and stops the others. Who has just acted starts afresh; `restart` starts all
    /// afresh.
    pub fn run(&mut self, acting: SeatSet, acted: Option<Seat>, restart: bool, now: i64) {
        for seat in Seat::all(Seat::MAX) {
            let since = &mut self.since[seat.index()];
            if !acting.contains(seat) {
                *since = None;
            } else if since.is_none() || acted == Some(seat) || restart {
                *since = Some(now);
            }
        }
    }

    /// Nothing before `opened` counts: no server was running then.
    pub fn exclude_downtime(&mut self, opened: i64) {
        for since in self.since.iter_mut().flatten() {
            *since = (*since).max(opened);
        }
    }

    /// How long `seat` may still think at `now`; `None` without limit.
    pub fn left(&self, seat: Seat, now: i64) -> Option<u64> {
        let spent = self.spent(seat, now);
        let game =
            self.terms.per_game_ms.map(|_| self.left.get(seat.index()).copied().unwrap_or(0).saturating_sub(spent));
        let this_move = self.terms.per_move_ms.map(|limit| limit.saturating_sub(spent));
        match (game, this_move) {
            (Some(game), Some(this_move)) => Some(game.min(this_move)),
            (game, this_move) => game.or(this_move),
        }
    }

    /// The running clock that falls first and the moment it does.
    pub fn next_flag(&self, now: i64) -> Option<(Seat, i64)> {
        Seat::all(Seat::MAX)
            .filter(|seat| self.since[seat.index()].is_some())
            .filter_map(|seat| Some((seat, now.saturating_add_unsigned(self.left(seat, now)?))))
            .min_by_key(|&(seat, at)| (at, seat))
    }

    /// What a computer player should spend at the most on its next action.
    pub fn bot_budget(&self, seat: Seat, now: i64) -> Option<u64> {
        let game = self.terms.per_game_ms.map(|_| {
            let left = self.left.get(seat.index()).copied().unwrap_or(0).saturating_sub(self.spent(seat, now));
            left / 25 + self.terms.increment_ms.unwrap_or(0) * 3 / 4
        });
        let this_move = self.terms.per_move_ms.map(|limit| limit.saturating_sub(self.spent(seat, now)) * 4 / 5);
        match (game, this_move) {
            (Some(game), Some(this_move)) => Some(game.min(this_move)),
            (game, this_move) => game.or(this_move),
        }
    }

    /// The clocks as everybody may see them.
    pub fn view(&self, now: i64) -> ClockView {
        let seats = (0..self.left.len() as u8).map(Seat);
        let line = |seat: Seat| ClockSeat {
            left_ms: self.terms.per_game_ms.map(|_| self.left[seat.index()].saturating_sub(self.spent(seat, now))),
            move_left_ms: self
                .terms
                .per_move_ms
                .filter(|_| self.since[seat.index()].is_some())
                .map(|limit| limit.saturating_sub(self.spent(seat, now))),
        };
        let running: Vec<Seat> = seats.clone().filter(|seat| self.since[seat.index()].is_some()).collect();
        let seats: Vec<ClockSeat> = seats.map(line).collect();
        let per_move_left_ms = seats.iter().filter_map(|seat| seat.move_left_ms).min();
        ClockView { terms: self.terms, seats, running, per_move_left_ms }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: ClockTerms =
        ClockTerms { per_move_ms: Some(5_000), per_game_ms: Some(8_000), increment_ms: Some(1_000) };

    #[test]
    fn an_action_costs_its_time_and_earns_the_increment() {
        let mut clock = TableClock::new(BOTH, 2);
        clock.run(SeatSet::only(Seat(0)), None, false, 0);
        assert_eq!(clock.spent(Seat(0), 3_000), 3_000);
        assert_eq!(clock.left(Seat(0), 3_000), Some(2_000), "the limit of the action is nearer");
        clock.charge(Seat(0), 3_000);
        clock.run(SeatSet::only(Seat(1)), Some(Seat(0)), false, 3_000);
        assert_eq!(clock.view(3_000).seats[0].left_ms, Some(6_000));
        assert_eq!(clock.next_flag(3_000), Some((Seat(1), 8_000)));
    }

    #[test]
    fn the_earliest_flag_of_simultaneous_seats_falls_first() {
        let terms = ClockTerms { per_game_ms: Some(1_000), ..ClockTerms::default() };
        let mut clock = TableClock::new(terms, 2);
        clock.charge(Seat(1), 400);
        clock.run(SeatSet::first(2), None, false, 10);
        assert_eq!(clock.next_flag(10), Some((Seat(1), 610)));
        clock.run(SeatSet::only(Seat(0)), Some(Seat(1)), false, 300);
        assert_eq!(clock.next_flag(300), Some((Seat(0), 1_010)), "who has not acted goes on running");
    }

    #[test]
    fn time_in_which_no_server_runs_is_not_charged() {
        let mut clock = TableClock::new(BOTH, 2);
        clock.run(SeatSet::only(Seat(0)), None, false, 1_000);
        clock.exclude_downtime(61_000);
        assert_eq!(clock.spent(Seat(0), 61_500), 500);
        clock.exclude_downtime(0);
        assert_eq!(clock.spent(Seat(0), 61_500), 500, "a app that was open all the time changes nothing");
    }

    #[test]
    fn without_limits_nothing_falls() {
        let mut clock = TableClock::new(ClockTerms::default(), 2);
        clock.run(SeatSet::first(2), None, false, 0);
        assert_eq!(clock.next_flag(1 << 40), None);
        assert_eq!(clock.bot_budget(Seat(0), 0), None);
    }

    #[test]
    fn a_bot_leaves_time_for_the_rest_of_the_game() {
        let mut clock = TableClock::new(BOTH, 2);
        clock.run(SeatSet::only(Seat(0)), None, false, 0);
        assert_eq!(clock.bot_budget(Seat(0), 0), Some(320 + 750));
    }
}
