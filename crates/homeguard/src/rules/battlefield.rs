//! A map with precomputed neighbour, separation and damage tables.

use super::fire::{self, Damage, FireLine};
use super::geometry::{Floor, GridSquare};
use super::map::Map;

/// The order of one soldier for one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// Keep the cell.
    Stay,
    /// One cell up and left.
    NorthWest,
    /// One cell up and right.
    NorthEast,
    /// One cell down and left.
    SouthWest,
    /// One cell down and right.
    SouthEast,
    /// Through the portal on this cell.
    Portal,
}

impl Order {
    /// All orders in the order of their numbers.
    pub const ALL: [Order; 6] =
        [Order::Stay, Order::NorthWest, Order::NorthEast, Order::SouthWest, Order::SouthEast, Order::Portal];

    /// The number of an order, 0 to 5, as stored in tree files.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The order with a number.
    pub fn from_index(index: usize) -> Option<Order> {
        Order::ALL.get(index).copied()
    }

    /// Column and row step of the four walking orders.
    fn step(self) -> Option<(i32, i32)> {
        match self {
            Order::NorthWest => Some((-1, -1)),
            Order::NorthEast => Some((1, -1)),
            Order::SouthWest => Some((-1, 1)),
            Order::SouthEast => Some((1, 1)),
            Order::Stay | Order::Portal => None,
        }
    }
}

/// A set of orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderSet(pub(crate) u8);

impl OrderSet {
    /// Whether an order is in the set.
    pub fn contains(self, order: Order) -> bool {
        self.0 >> order.index() & 1 == 1
    }

    /// The orders in the set, by number.
    pub fn iter(self) -> impl Iterator<Item = Order> {
        Order::ALL.into_iter().filter(move |order| self.contains(*order))
    }

    /// Number of orders in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True if the set is empty (never for legal orders).
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

pub(crate) const STAY: usize = 0;
/// Marks an order that leads nowhere in [`Battlefield::targets`].
pub(crate) const NOWHERE: u8 = u8::MAX;
const CELLS: usize = 128;
const PAIRS: usize = CELLS * CELLS;

/// A map with precomputed tables: order targets, separation, damage, distances.
#[derive(Clone)]
pub struct Battlefield {
    map: Map,
    /// Rows of the pair tables are 64 or 128 cells apart, whichever is enough: small boards stay in the first cache.
    shift: u32,
    targets: Box<[[u8; 8]; CELLS]>,
    damage: Box<[u8; PAIRS]>,
    close: Box<[u8; PAIRS]>,
    distance: Box<[u16; PAIRS]>,
    /// Cells by (steps from the side's corner, scan order): where its fallen come back.
    respawns: [Vec<u8>; 2],
}

/// The tables follow from the map.
impl PartialEq for Battlefield {
    fn eq(&self, other: &Self) -> bool {
        self.map == other.map
    }
}

impl std::fmt::Debug for Battlefield {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Battlefield").field("map", &self.map).finish()
    }
}

impl Battlefield {
    /// Prepares a map.
    pub fn new(map: Map) -> Self {
        let mut board = Battlefield {
            map: Map::empty(map.size()),
            shift: 0,
            targets: Box::new([[NOWHERE; 8]; CELLS]),
            damage: Box::new([0; PAIRS]),
            close: Box::new([0; PAIRS]),
            distance: Box::new([0; PAIRS]),
            respawns: Default::default(),
        };
        board.prepare(map);
        board
    }

    /// Prepares another map in the same memory.
    pub fn prepare(&mut self, map: Map) {
        let size = map.size();
        self.shift = if size.floors() <= 64 { 6 } else { 7 };
        let used = (size.floors() << self.shift).min(PAIRS);
        self.damage[..used].fill(0);
        self.close[..used].fill(0);
        self.targets.fill([NOWHERE; 8]);
        for from in size.all_floors() {
            let square = size.floor_square(from);
            let row = &mut self.targets[from.index()];
            row[STAY] = from.0;
            for order in Order::ALL {
                let Some((dx, dy)) = order.step() else {
                    continue;
                };
                let next = size.square(i32::from(square.x) + dx, i32::from(square.y) + dy);
                if let Some(to) = next.and_then(|square| size.floor_at(square)) {
                    row[order.index()] = to.0;
                }
            }
        }
        for &[a, b] in map.portals() {
            self.targets[a.index()][Order::Portal.index()] = b.0;
            self.targets[b.index()][Order::Portal.index()] = a.0;
        }
        for from in size.all_floors() {
            for order in Order::ALL {
                let to = self.targets[from.index()][order.index()];
                if to != NOWHERE {
                    self.close[self.pair(from.0, to)] = 1;
                }
            }
            let square = size.floor_square(from);
            for to in size.all_floors() {
                self.distance[self.pair(from.0, to.0)] = square.distance_squared(size.floor_square(to)) as u16;
            }
        }
        for (side, corner) in map.respawns().into_iter().enumerate() {
            let mut order = std::mem::take(&mut self.respawns[side]);
            self.walk_from(corner.0, &mut order);
            self.respawns[side] = order;
        }
        let shift = self.shift;
        let damage = &mut self.damage;
        fire::damage_pairs(&map, |from, to, value| {
            damage[(from.index() << shift | to.index()) & (PAIRS - 1)] = value.points();
        });
        self.map = map;
    }

    /// All cells by steps from a cell, equals in scan order.
    fn walk_from(&self, from: u8, order: &mut Vec<u8>) {
        order.clear();
        order.push(from);
        let mut seen = 1u128 << from;
        let mut ring = 0;
        while ring < order.len() {
            let end = order.len();
            for i in ring..end {
                for &to in &self.targets[usize::from(order[i])][1..6] {
                    if to != NOWHERE && seen >> to & 1 == 0 {
                        seen |= 1 << to;
                        order.push(to);
                    }
                }
            }
            order[end..].sort_unstable();
            ring = end;
        }
    }

    /// The map behind the tables.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Where an order leads from a cell, if anywhere.
    pub fn target(&self, from: Floor, order: Order) -> Option<Floor> {
        let to = self.targets[from.index()][order.index()];
        (to != NOWHERE).then_some(Floor(to))
    }

    /// Damage of a shot from one cell to another, before any clamping at remaining hit points.
    pub fn damage(&self, from: Floor, to: Floor) -> Damage {
        match self.damage_points(from.0, to.0) {
            0 => Damage::None,
            5 => Damage::Half,
            _ => Damage::Full,
        }
    }

    /// Equal or neighbouring cells (portals included), which the separation rule keeps apart.
    pub fn too_close(&self, a: Floor, b: Floor) -> bool {
        self.is_close(a.0, b.0)
    }

    /// The line of fire between two cells, explained.
    pub fn fire_line(&self, from: Floor, to: Floor) -> FireLine {
        fire::line(&self.map, from, to)
    }

    /// The square of a floor cell.
    pub fn square(&self, floor: Floor) -> GridSquare {
        self.map.size().floor_square(floor)
    }

    #[inline(always)]
    fn pair(&self, a: u8, b: u8) -> usize {
        (usize::from(a) << self.shift | usize::from(b)) & (PAIRS - 1)
    }

    #[inline(always)]
    pub(crate) fn targets_of(&self, from: u8) -> &[u8; 8] {
        &self.targets[usize::from(from) & (CELLS - 1)]
    }

    #[inline(always)]
    pub(crate) fn damage_points(&self, from: u8, to: u8) -> u8 {
        self.damage[self.pair(from, to)]
    }

    #[inline(always)]
    pub(crate) fn is_close(&self, a: u8, b: u8) -> bool {
        self.close[self.pair(a, b)] != 0
    }

    /// Whether one diagonal step leads from a cell to another.
    pub(crate) fn walks(&self, from: u8, to: u8) -> bool {
        self.targets_of(from)[1..5].contains(&to)
    }

    #[inline(always)]
    pub(crate) fn distance_squared(&self, a: u8, b: u8) -> u16 {
        self.distance[self.pair(a, b)]
    }

    #[inline(always)]
    pub(crate) fn respawn_order(&self, side: usize) -> &[u8] {
        &self.respawns[side]
    }

    /// Orders that lead from a cell to one not too close to any of `others`; staying is always in.
    #[inline(always)]
    pub(crate) fn free_orders<const N: usize>(&self, from: u8, others: [u8; N]) -> OrderSet {
        let targets = self.targets_of(from);
        let mut set = 1u8;
        for (order, &to) in targets.iter().enumerate().take(6).skip(1) {
            let mut free = to != NOWHERE;
            for other in others {
                free &= !self.is_close(to & 127, other);
            }
            set |= u8::from(free) << order;
        }
        OrderSet(set)
    }
}
