//! Best-move generation: anchors in order of their bound (the shadow pass of MAGPIE and wolges), with results cached
//! for boards that differ in a few lanes only.

use super::bound::{Bounds, RackBound};
use super::rack::Rack;
use super::search::{Anchor, MoveGenerator, State};
use super::sink::{Best, BestSink};
use crate::rules::{LaneSet, MAX_SIDE, Orientation, TileBoard};
use lexicon::WalkArc;

/// An anchor with its bounds and, once searched, its best play.
#[derive(Clone, Copy)]
struct BoundedAnchor {
    direction: Orientation,
    lane: u8,
    anchor: Anchor,
    bounds: Bounds,
    /// Upper bound of the equity, tightened by searches.
    most: i32,
    /// The best play, once the anchor is searched.
    best: Option<Best>,
}

impl BoundedAnchor {
    /// The order in which anchors are searched, the highest first; of equal plays the first one found counts.
    fn rank(&self) -> u64 {
        let bound = (self.bounds.best as u32 ^ 1 << 31) as u64;
        bound << 32 | (self.direction as u64) << 16 | (self.lane as u64) << 8 | self.anchor.first as u64
    }
}

/// Search results of one rack on a board. Equal lanes of other boards are not searched again.
pub struct AnchorCache<'r> {
    rack: &'r Rack,
    shadow: RackBound<'r>,
    /// The anchors of the lanes seen so far, then those of the board that is being searched.
    anchors: Vec<BoundedAnchor>,
    /// Where the anchors of a lane are.
    lanes: [[Option<(usize, usize)>; MAX_SIDE]; 2],
    /// The anchors of the board that is being searched, with their ranks.
    queue: Vec<(u64, u16)>,
}

impl<'r> AnchorCache<'r> {
    /// The rack of the results.
    pub fn rack(&self) -> &'r Rack {
        self.rack
    }
}

impl<'a, A: WalkArc> MoveGenerator<'a, A> {
    /// The play with the highest equity (score plus leave value), if any exceeds `floor`.
    pub fn best(&self, board: &TileBoard, rack: &Rack, floor: i32) -> Option<Best> {
        self.best_cached(board, LaneSet::ALL, &mut self.cache(rack), floor)
    }

    /// An empty cache for a rack.
    pub fn cache<'r>(&self, rack: &'r Rack) -> AnchorCache<'r>
    where
        'a: 'r,
    {
        AnchorCache {
            rack,
            shadow: RackBound::new(rack, self.values, self.full_rack, self.graph),
            anchors: Vec::with_capacity(128),
            lanes: [[None; MAX_SIDE]; 2],
            queue: Vec::with_capacity(128),
        }
    }

    /// The same answer as [`MoveGenerator::best`] for one of several boards: `changed` are the lanes in which it may
    /// differ from the board that all calls with `known` have in common.
    pub fn best_cached(
        &self,
        board: &TileBoard,
        changed: LaneSet,
        cache: &mut AnchorCache<'_>,
        floor: i32,
    ) -> Option<Best> {
        let mut state = self.state(board, cache.rack);
        let directions = if board.placed() == 0 && self.layout.is_symmetric() { 1 } else { 2 };
        let AnchorCache { rack, shadow, anchors, lanes, queue } = cache;
        queue.clear();
        let mut scan = |direction: Orientation, lane: usize, anchors: &mut Vec<BoundedAnchor>| {
            let from = anchors.len();
            let mut loaded = false;
            self.for_anchors(board, direction, lane, |anchor| {
                if !loaded {
                    self.load(board, direction, lane, &mut state);
                    loaded = true;
                }
                let bounds = shadow.anchor_bounds(&state.lane, anchor, state.side);
                anchors.push(BoundedAnchor {
                    direction,
                    lane: lane as u8,
                    anchor,
                    bounds,
                    most: bounds.best,
                    best: None,
                });
            });
            (from, anchors.len())
        };
        let lanes_where = |wanted: bool| {
            let lane = move |direction| (0..board.side()).map(move |lane| (direction, lane));
            let all = Orientation::BOTH[..directions].iter().copied().flat_map(lane);
            all.filter(move |&(direction, lane)| changed.has(direction, lane) == wanted)
        };
        for (direction, lane) in lanes_where(false) {
            let seen = &mut lanes[direction as usize][lane];
            let (from, to) = *seen.get_or_insert_with(|| scan(direction, lane, anchors));
            queue.extend((from..to).map(|i| (anchors[i].rank(), i as u16)));
        }
        let kept = anchors.len();
        for (direction, lane) in lanes_where(true) {
            let (from, to) = scan(direction, lane, anchors);
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
        board: &TileBoard,
        state: &mut State<'_>,
        sink: &mut BestSink<'_>,
        anchors: &mut [BoundedAnchor],
        queue: &mut Vec<(u64, u16)>,
        floor: i32,
    ) -> Option<Best> {
        let mut best: Option<(Best, u64)> = None;
        let least = |best: &Option<(Best, u64)>, rank: u64| match best {
            // of equal plays that of the higher rank counts
            Some((best, other)) => best.equity - (rank > *other) as i32,
            None => floor,
        };
        // cached results need no search and raise the threshold
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
            self.search(state, anchor.anchor, sink);
            anchor.best = sink.best();
            anchor.most = anchor.best.map_or(threshold, |found| found.equity);
            best = anchor.best.map(|found| (found, rank)).or(best);
        }
        best.map(|(best, _)| best)
    }
}
