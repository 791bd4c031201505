//! The best play: anchors from the most promising down, and what is known of them kept for boards that differ from
//! the first in a few lanes only.

use super::bound::{Bounds, RackBound};
use super::found::{Best, BestSink};
use super::rack::Rack;
use super::search::{Core, Generator, State};
use crate::rules::{Board, Direction, LaneSet, MAX_SIDE};
use lexicon::WalkArc;

/// A core with what is known about its plays.
#[derive(Clone, Copy)]
struct Anchor {
    direction: Direction,
    lane: u8,
    core: Core,
    bounds: Bounds,
    /// No play is worth more, as far as is known.
    most: i32,
    /// The best play, once it is known.
    best: Option<Best>,
}

impl Anchor {
    /// The order in which anchors are searched, the highest first; of equal plays the first one found counts.
    fn rank(&self) -> u64 {
        let bound = (self.bounds.best as u32 ^ 1 << 31) as u64;
        bound << 32 | (self.direction as u64) << 16 | (self.lane as u64) << 8 | self.core.first as u64
    }
}

/// What has been found out about a rack's plays on a board. Lanes of other boards that look the same as on this one
/// are not searched again.
pub struct Known<'r> {
    rack: &'r Rack,
    shadow: RackBound<'r>,
    /// The anchors of the lanes seen so far, then those of the board that is being searched.
    anchors: Vec<Anchor>,
    /// Where the anchors of a lane are.
    lanes: [[Option<(usize, usize)>; MAX_SIDE]; 2],
    /// The anchors of the board that is being searched, with their ranks.
    queue: Vec<(u64, u16)>,
}

impl<'r> Known<'r> {
    /// The rack it is about.
    pub fn rack(&self) -> &'r Rack {
        self.rack
    }
}

impl<'a, A: WalkArc> Generator<'a, A> {
    /// The play with the highest equity (score plus worth of the tiles kept), if any exceeds `floor`.
    pub fn best(&self, board: &Board, rack: &Rack, floor: i32) -> Option<Best> {
        self.best_known(board, LaneSet::ALL, &mut self.known(rack), floor)
    }

    /// Nothing known yet about the plays of a rack.
    pub fn known<'r>(&self, rack: &'r Rack) -> Known<'r>
    where
        'a: 'r,
    {
        Known {
            rack,
            shadow: RackBound::new(rack, self.values, self.full_rack, self.graph),
            anchors: Vec::with_capacity(128),
            lanes: [[None; MAX_SIDE]; 2],
            queue: Vec::with_capacity(128),
        }
    }

    /// The same answer as [`Generator::best`] for one of several boards: `changed` are the lanes in which it may
    /// differ from the board that all calls with `known` have in common.
    pub fn best_known(&self, board: &Board, changed: LaneSet, known: &mut Known<'_>, floor: i32) -> Option<Best> {
        let mut state = self.state(board, known.rack);
        let directions = if board.placed() == 0 && self.layout.is_symmetric() { 1 } else { 2 };
        let Known { rack, shadow, anchors, lanes, queue } = known;
        queue.clear();
        let mut look = |direction: Direction, lane: usize, anchors: &mut Vec<Anchor>| {
            let from = anchors.len();
            let mut loaded = false;
            self.for_cores(board, direction, lane, |core| {
                if !loaded {
                    self.load(board, direction, lane, &mut state);
                    loaded = true;
                }
                let bounds = shadow.core(&state.lane, core, state.side);
                anchors.push(Anchor { direction, lane: lane as u8, core, bounds, most: bounds.best, best: None });
            });
            (from, anchors.len())
        };
        let lanes_where = |wanted: bool| {
            let lane = move |direction| (0..board.side()).map(move |lane| (direction, lane));
            let all = Direction::BOTH[..directions].iter().copied().flat_map(lane);
            all.filter(move |&(direction, lane)| changed.has(direction, lane) == wanted)
        };
        for (direction, lane) in lanes_where(false) {
            let seen = &mut lanes[direction as usize][lane];
            let (from, to) = *seen.get_or_insert_with(|| look(direction, lane, anchors));
            queue.extend((from..to).map(|i| (anchors[i].rank(), i as u16)));
        }
        let kept = anchors.len();
        for (direction, lane) in lanes_where(true) {
            let (from, to) = look(direction, lane, anchors);
            queue.extend((from..to).map(|i| (anchors[i].rank(), i as u16)));
        }
        let mut sink = BestSink::new(rack, &shadow.keep_after);
        let best = self.best_of(board, &mut state, &mut sink, anchors, queue, floor);
        anchors.truncate(kept);
        best
    }

    /// The best play of the anchors in the queue, if any exceeds `floor`.
    fn best_of(
        &self,
        board: &Board,
        state: &mut State<'_>,
        sink: &mut BestSink<'_>,
        anchors: &mut [Anchor],
        queue: &mut Vec<(u64, u16)>,
        floor: i32,
    ) -> Option<Best> {
        let mut best: Option<(Best, u64)> = None;
        let least = |best: &Option<(Best, u64)>, rank: u64| match best {
            // of equal plays that of the higher rank counts
            Some((best, other)) => best.equity - (rank > *other) as i32,
            None => floor,
        };
        // what is known needs no search and cuts the others short
        queue.retain(|&(rank, i)| {
            let anchor = &anchors[i as usize];
            if let Some(found) = anchor.best.filter(|found| found.equity > least(&best, rank)) {
                best = Some((found, rank));
            }
            anchor.best.is_none() && anchor.most > floor
        });
        queue.sort_unstable_by_key(|&(rank, _)| std::cmp::Reverse(rank));
        for &(rank, i) in queue.iter() {
            let anchor = &mut anchors[i as usize];
            let threshold = least(&best, rank);
            if anchor.most <= threshold {
                continue;
            }
            self.load(board, anchor.direction, anchor.lane as usize, state);
            state.bounds = anchor.bounds;
            sink.begin(threshold);
            self.search(state, anchor.core, sink);
            anchor.best = sink.best();
            anchor.most = anchor.best.map_or(threshold, |found| found.equity);
            best = anchor.best.map(|found| (found, rank)).or(best);
        }
        best.map(|(best, _)| best)
    }
}
