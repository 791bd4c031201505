//! One round as a matrix game: the joint orders of both sides and the score change of each combination.

use crate::rules::{Battlefield, Faction, Order, SOLDIERS, Troops};

/// A pair of orders with the cells it leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) orders: [u8; 2],
    pub(crate) cells: [u8; 2],
}

impl Candidate {
    pub(crate) fn orders(self) -> [Order; 2] {
        self.orders.map(|index| Order::from_index(usize::from(index)).unwrap_or(Order::Stay))
    }
}

/// All pairs of orders one side may give: at most 36, on the stack.
#[derive(Clone, Copy)]
pub(crate) struct Candidates {
    pairs: [Candidate; 36],
    len: usize,
}

impl Candidates {
    #[inline]
    pub(crate) fn of(board: &Battlefield, troops: &Troops, side: Faction) -> Self {
        let [home, away] = [[troops.at[0], troops.at[1]], [troops.at[2], troops.at[3]]];
        let (own, foes) = match side {
            Faction::Home => (home, away),
            Faction::Away => (away, home),
        };
        let mut candidates = Candidates { pairs: [Candidate::default(); 36], len: 0 };
        // the separation of the second soldier from the foes does not depend on the first
        let mut seconds = board.free_orders(own[1], foes).0;
        let second_targets = board.targets_of(own[1]);
        if seconds == 0 {
            seconds = 1;
        }
        let mut firsts = board.free_orders(own[0], [own[1], foes[0], foes[1]]).0;
        let first_targets = board.targets_of(own[0]);
        while firsts != 0 {
            let a = firsts.trailing_zeros() as usize;
            firsts &= firsts - 1;
            let first = first_targets[a];
            let mut rest = seconds;
            while rest != 0 {
                let b = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let second = second_targets[b];
                // staying is always possible: the first soldier was checked against this cell
                if b == 0 || !board.is_close(second, first) {
                    candidates.pairs[candidates.len] = Candidate { orders: [a as u8, b as u8], cells: [first, second] };
                    candidates.len += 1;
                }
            }
        }
        candidates
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[Candidate] {
        &self.pairs[..self.len]
    }
}

/// Where all four stand when home goes to `home` and away wants to go to `away` (both legal on current cells).
#[inline(always)]
pub(crate) fn settle_cells(board: &Battlefield, troops: &Troops, home: [u8; 2], away: [u8; 2]) -> [u8; SOLDIERS] {
    let free = !(board.is_close(away[0], home[0])
        | board.is_close(away[0], home[1])
        | board.is_close(away[1], home[0])
        | board.is_close(away[1], home[1]));
    if free {
        return [home[0], home[1], away[0], away[1]];
    }
    collide(board, troops, home, away)
}

/// The same when a soldier of the away side must stay.
#[inline(never)]
fn collide(board: &Battlefield, troops: &Troops, home: [u8; 2], away: [u8; 2]) -> [u8; SOLDIERS] {
    let mut cells = [home[0], home[1], troops.at[2], troops.at[3]];
    let near = |to: u8, others: [u8; 3]| others.iter().any(|&cell| board.is_close(to, cell));
    if !near(away[0], [cells[0], cells[1], cells[3]]) {
        cells[2] = away[0];
    }
    if !near(away[1], [cells[0], cells[1], cells[2]]) {
        cells[3] = away[1];
    }
    cells
}

/// The effect of one soldier's order against two foes on known cells.
#[derive(Clone, Copy, Default)]
pub(crate) struct OrderOutcome {
    pub(crate) order: u8,
    pub(crate) cell: u8,
    /// Too close to a foe's cell.
    pub(crate) clash: bool,
    /// Damage to the first foe in the low byte, to the second in the high byte.
    hits: u16,
    /// Damage of each foe to this soldier.
    fears: [u8; 2],
}

/// The outcomes of one soldier for a set of orders.
pub(crate) struct OrderOutcomes {
    outcomes: [OrderOutcome; 6],
    len: usize,
}

impl OrderOutcomes {
    #[inline(always)]
    pub(crate) fn of(board: &Battlefield, from: u8, mut orders: u8, foes: [u8; 2]) -> Self {
        let mut outcomes = OrderOutcomes { outcomes: [OrderOutcome::default(); 6], len: 0 };
        let targets = board.targets_of(from);
        while orders != 0 {
            let order = orders.trailing_zeros() as usize & 7;
            orders &= orders - 1;
            let cell = targets[order];
            let (one, two) = (board.damage_points(cell, foes[0]), board.damage_points(cell, foes[1]));
            // ties go to enemy number one
            let hits = if one >= two { u16::from(one) } else { u16::from(two) << 8 };
            outcomes.outcomes[outcomes.len] = OrderOutcome {
                order: order as u8,
                cell,
                clash: board.is_close(cell, foes[0]) | board.is_close(cell, foes[1]),
                hits,
                fears: [board.damage_points(foes[0], cell), board.damage_points(foes[1], cell)],
            };
            outcomes.len += 1;
        }
        outcomes
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[OrderOutcome] {
        &self.outcomes[..self.len]
    }
}

/// Damage in one volley, a byte per soldier: first and second of the owner's side in the low half, foes in the high.
#[derive(Clone, Copy)]
pub(crate) struct VolleyDamage(u32);

impl VolleyDamage {
    /// The volley when the owner's soldiers take the outcomes `a` and `b`.
    #[inline(always)]
    pub(crate) fn of(a: &OrderOutcome, b: &OrderOutcome) -> Self {
        let aim = |foe: usize| {
            let (one, two) = (a.fears[foe], b.fears[foe]);
            if one >= two { u32::from(one) } else { u32::from(two) << 8 }
        };
        VolleyDamage(aim(0) + aim(1) + (u32::from(a.hits + b.hits) << 16))
    }

    /// Hit points after the volley and the owner's gain, or `None` if a soldier dies.
    #[inline(always)]
    pub(crate) fn harmless(self, hp: u32) -> Option<(u32, i16)> {
        const HIGH: u32 = 0x8080_8080;
        // a byte keeps its high bit exactly if the hit points exceed the damage
        let survives = ((hp | HIGH) - self.0 - 0x0101_0101) & HIGH == HIGH;
        survives.then(|| (hp - self.0, self.gain()))
    }

    /// The owner's gain when nothing is clamped.
    #[inline(always)]
    fn gain(self) -> i16 {
        let [a, b, c, d] = self.0.to_le_bytes().map(i16::from);
        c + d - a - b
    }

    /// The owner's gain with damage clamped at the hit points left.
    #[inline(always)]
    pub(crate) fn clamped_gain(self, hp: u32) -> i16 {
        if let Some((_, gain)) = self.harmless(hp) {
            return gain;
        }
        let (hp, taken) = (hp.to_le_bytes(), self.0.to_le_bytes());
        let loss = |i: usize| i16::from(taken[i].min(hp[i]));
        loss(2) + loss(3) - loss(0) - loss(1)
    }
}

/// Damage each soldier takes when all fire from the given cells.
#[inline(always)]
pub(crate) fn taken(board: &Battlefield, at: [u8; SOLDIERS]) -> [u8; SOLDIERS] {
    let shot = |me: usize, one: usize, two: usize| {
        let (one, two) = (board.damage_points(at[me], at[one]), board.damage_points(at[me], at[two]));
        // ties go to enemy number one
        if one >= two { (one, 0) } else { (0, two) }
    };
    let (a, b, c, d) = (shot(0, 2, 3), shot(1, 2, 3), shot(2, 0, 1), shot(3, 0, 1));
    [c.0 + d.0, c.1 + d.1, a.0 + b.0, a.1 + b.1]
}

/// Change of the home side's score by a volley from the given cells.
#[inline(always)]
pub(crate) fn exchange(board: &Battlefield, at: [u8; SOLDIERS], hp: [u8; SOLDIERS]) -> i16 {
    let taken = taken(board, at);
    let loss = |i: usize| i16::from(taken[i].min(hp[i]));
    loss(2) + loss(3) - loss(0) - loss(1)
}

/// The troops after a round in which `own` and `other` are the cells both sides want to reach.
#[inline]
pub(crate) fn after(board: &Battlefield, troops: &Troops, side: Faction, own: [u8; 2], other: [u8; 2]) -> Troops {
    let at = match side {
        Faction::Home => settle_cells(board, troops, own, other),
        Faction::Away => settle_cells(board, troops, other, own),
    };
    let mut next = Troops { at, ..*troops };
    let fallen = next.suffer(taken(board, at));
    if fallen != 0 {
        next.respawn(board, fallen);
    }
    next
}
