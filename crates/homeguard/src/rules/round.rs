//! One round: orders, separation, movement, fire, deaths and respawns, and the score (Šindelář 2024, sections 1.2 and 9.4).

use std::ops::Not;

use super::battlefield::{Battlefield, NOWHERE, Order, OrderSet};
use super::fire::Damage;
use super::geometry::Floor;

/// Hit points of a fresh soldier.
pub const HIT_POINTS: u8 = 40;
/// Soldiers on the board, two a side.
pub const SOLDIERS: usize = 4;
/// Advantage of the home side: damage it dealt less damage it took, each clamped at the hit points left.
pub type Advantage = i16;

/// The two sides. Home is the player of the thesis, away its enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Faction {
    /// Starts near (0, 0) and moves first in initiative.
    Home,
    /// Starts in the corners of the anti-diagonal.
    Away,
}

impl Faction {
    /// Both sides, home first.
    pub const BOTH: [Faction; 2] = [Faction::Home, Faction::Away];

    /// 0 for home, 1 for away.
    pub fn index(self) -> usize {
        self as usize
    }

    /// +1 for home, −1 for away: the sign that turns a score into this side's advantage.
    pub fn sign(self) -> i16 {
        match self {
            Faction::Home => 1,
            Faction::Away => -1,
        }
    }

    /// The two soldiers of this side.
    pub fn soldiers(self) -> [Soldier; 2] {
        let first = 2 * self.index() as u8;
        [Soldier(first), Soldier(first + 1)]
    }
}

impl Not for Faction {
    type Output = Faction;
    fn not(self) -> Faction {
        match self {
            Faction::Home => Faction::Away,
            Faction::Away => Faction::Home,
        }
    }
}

/// One of the four soldiers, numbered in initiative order: home 1, home 2, away 1, away 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Soldier(u8);

impl Soldier {
    /// All four in initiative order.
    pub const ALL: [Soldier; SOLDIERS] = [Soldier(0), Soldier(1), Soldier(2), Soldier(3)];

    /// 0 to 3.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The side it fights for.
    pub fn side(self) -> Faction {
        if self.0 < 2 { Faction::Home } else { Faction::Away }
    }

    /// 0 for the first soldier of its side, 1 for the second.
    pub fn number(self) -> usize {
        usize::from(self.0 & 1)
    }
}

/// The orders of all four soldiers, in initiative order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Orders(pub [Order; SOLDIERS]);

impl Orders {
    /// Joins the orders of both sides.
    pub fn of(home: [Order; 2], away: [Order; 2]) -> Self {
        Orders([home[0], home[1], away[0], away[1]])
    }
}

/// Where the soldiers stand, their hit points, kills and the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Troops {
    pub(crate) at: [u8; SOLDIERS],
    pub(crate) hp: [u8; SOLDIERS],
    pub(crate) kills: [u8; 2],
    pub(crate) score: Advantage,
}

/// The result of one soldier's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoldierMove {
    /// The soldier.
    pub soldier: Soldier,
    /// The order.
    pub order: Order,
    /// Where it stood.
    pub from: Floor,
    /// Where it stands after the movement.
    pub to: Floor,
    /// True if the order led nowhere or too close to another soldier, so that the soldier stayed.
    pub blocked: bool,
}

/// One shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shot {
    /// The shooter.
    pub shooter: Soldier,
    /// The target.
    pub target: Soldier,
    /// Damage of the shot before clamping.
    pub damage: Damage,
}

/// A soldier that fell and came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fall {
    /// The soldier.
    pub soldier: Soldier,
    /// Where it fell.
    pub at: Floor,
    /// Where it came back.
    pub back_at: Floor,
}

/// Everything that happened in one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Movements in initiative order.
    pub moves: [SoldierMove; SOLDIERS],
    /// Shots in initiative order of the shooters.
    pub shots: Vec<Shot>,
    /// Deaths in initiative order.
    pub falls: Vec<Fall>,
}

impl Troops {
    /// The troops at the start of a game on a board.
    pub fn start(board: &Battlefield) -> Self {
        let [home, away] = board.map().starts();
        Troops { at: [home[0].0, home[1].0, away[0].0, away[1].0], hp: [HIT_POINTS; SOLDIERS], kills: [0; 2], score: 0 }
    }

    /// Where a soldier stands.
    pub fn at(&self, soldier: Soldier) -> Floor {
        Floor(self.at[soldier.index()])
    }

    /// Hit points left, 5 to 40.
    pub fn hp(&self, soldier: Soldier) -> u8 {
        self.hp[soldier.index()]
    }

    /// Soldiers a side has brought down.
    pub fn kills(&self, side: Faction) -> u8 {
        self.kills[side.index()]
    }

    /// The home side's advantage.
    pub fn score(&self) -> Advantage {
        self.score
    }

    /// Orders a side may give its first soldier: checked against current cells only, so that hidden orders do not leak.
    pub fn first_orders(&self, board: &Battlefield, side: Faction) -> OrderSet {
        let (me, mate, foes) = self.cells(side);
        board.free_orders(me, [mate, foes[0], foes[1]])
    }

    /// Orders a side may give its second soldier once the first one is to go to `first_target`.
    pub fn second_orders(&self, board: &Battlefield, side: Faction, first_target: Floor) -> OrderSet {
        let (_, mate, foes) = self.cells(side);
        board.free_orders(mate, [first_target.0, foes[0], foes[1]])
    }

    /// The pairs of orders a side may give.
    pub fn order_pairs(&self, board: &Battlefield, side: Faction) -> Vec<[Order; 2]> {
        let [first, _] = side.soldiers();
        let mut pairs = Vec::with_capacity(36);
        for a in self.first_orders(board, side).iter() {
            let target = board.target(self.at(first), a).expect("a free order leads somewhere");
            pairs.extend(self.second_orders(board, side, target).iter().map(|b| [a, b]));
        }
        pairs
    }

    fn cells(&self, side: Faction) -> (u8, u8, [u8; 2]) {
        match side {
            Faction::Home => (self.at[0], self.at[1], [self.at[2], self.at[3]]),
            Faction::Away => (self.at[2], self.at[3], [self.at[0], self.at[1]]),
        }
    }

    /// Plays one round and returns its events. Impossible orders become "stay".
    pub fn play(&mut self, board: &Battlefield, orders: Orders) -> Round {
        let before = self.at;
        let after = self.movement(board, orders);
        let moves = std::array::from_fn(|i| SoldierMove {
            soldier: Soldier(i as u8),
            order: orders.0[i],
            from: Floor(before[i]),
            to: Floor(after[i]),
            blocked: orders.0[i] != Order::Stay && before[i] == after[i],
        });
        self.at = after;
        let volley = Volley::fire(board, after);
        let shots = Soldier::ALL
            .into_iter()
            .filter_map(|shooter| {
                let (target, points) = volley.shots[shooter.index()];
                let damage = match points {
                    0 => return None,
                    5 => Damage::Half,
                    _ => Damage::Full,
                };
                Some(Shot { shooter, target: Soldier(target), damage })
            })
            .collect();
        let fallen = self.suffer(volley.taken());
        let mut falls = Vec::new();
        if fallen != 0 {
            self.respawn(board, fallen);
            for soldier in Soldier::ALL {
                if fallen >> soldier.index() & 1 == 1 {
                    falls.push(Fall { soldier, at: Floor(after[soldier.index()]), back_at: self.at(soldier) });
                }
            }
        }
        Round { moves, shots, falls }
    }

    /// All positions after the movement: the separation rule, in initiative order.
    fn movement(&self, board: &Battlefield, orders: Orders) -> [u8; SOLDIERS] {
        let mut cells = self.at;
        for i in 0..SOLDIERS {
            let to = board.targets_of(cells[i])[orders.0[i].index()];
            if to == NOWHERE {
                continue;
            }
            // earlier soldiers are in `cells` with their targets, later ones with their current cells
            let conflict = (0..SOLDIERS).any(|j| j != i && board.is_close(to, cells[j]));
            if !conflict {
                cells[i] = to;
            }
        }
        cells
    }

    /// Takes damage off hit points, books it into the score; returns a bit set of the fallen.
    #[inline(always)]
    pub(crate) fn suffer(&mut self, taken: [u8; SOLDIERS]) -> u8 {
        let mut fallen = 0;
        let mut dealt = [0i16; SOLDIERS];
        for i in 0..SOLDIERS {
            let loss = taken[i].min(self.hp[i]);
            self.hp[i] -= loss;
            dealt[i] = i16::from(loss);
            fallen |= u8::from(self.hp[i] == 0) << i;
        }
        self.score += dealt[2] + dealt[3] - dealt[0] - dealt[1];
        fallen
    }

    /// Brings the fallen back on their side's corner, or on the nearest cell that keeps the separation.
    #[inline]
    pub(crate) fn respawn(&mut self, board: &Battlefield, fallen: u8) {
        let mut missing = fallen;
        for i in 0..SOLDIERS {
            if fallen >> i & 1 == 0 {
                continue;
            }
            let side = i / 2;
            self.kills[1 - side] = self.kills[1 - side].saturating_add(1);
            self.hp[i] = HIT_POINTS;
            let free = |cell: &&u8| (0..SOLDIERS).all(|j| missing >> j & 1 == 1 || !board.is_close(**cell, self.at[j]));
            // three soldiers keep at most 18 cells busy and the smallest board has 25: some cell is free
            if let Some(&cell) = board.respawn_order(side).iter().find(free) {
                self.at[i] = cell;
            }
            missing &= !(1 << i);
        }
    }
}

/// Targets and damage when all four soldiers fire at once.
pub(crate) struct Volley {
    /// For each soldier the number of its target and the damage; 0 damage is no shot.
    pub(crate) shots: [(u8, u8); SOLDIERS],
}

impl Volley {
    pub(crate) fn fire(board: &Battlefield, at: [u8; SOLDIERS]) -> Self {
        Volley {
            shots: std::array::from_fn(|i| {
                let first_foe = if i < 2 { 2 } else { 0 };
                let one = board.damage_points(at[i], at[first_foe]);
                let two = board.damage_points(at[i], at[first_foe + 1]);
                if one >= two { (first_foe as u8, one) } else { (first_foe as u8 + 1, two) }
            }),
        }
    }

    pub(crate) fn taken(&self) -> [u8; SOLDIERS] {
        let mut taken = [0; SOLDIERS];
        for (target, damage) in self.shots {
            taken[usize::from(target)] += damage;
        }
        taken
    }
}
