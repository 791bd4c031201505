//! Features of a map: statistics of its layout, of its playthrough trees and of quick games.

use super::play_features::measure_play;
use crate::engine::tree::{Enemy, PlaythroughTree, TreeMaker, TreeMetrics, TreeSettings};
use crate::rules::{Battlefield, Cover, Floor, GridSquare, Map, Order};

/// One number about a map, with words for explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapFeature {
    /// Stable id.
    pub id: &'static str,
    /// Words for a high value, to follow "you like maps with".
    pub high: &'static str,
    /// Words for a low value.
    pub low: &'static str,
}

const fn feature(id: &'static str, high: &'static str, low: &'static str) -> MapFeature {
    MapFeature { id, high, low }
}

/// Number of features.
pub const COUNT: usize = 46;

/// Changes whenever a feature is computed differently, so that stored numbers are measured again.
pub const VERSION: u32 = 3;

/// All features in the order of [`MapFeatures`].
pub const FEATURES: [MapFeature; COUNT] = [
    feature("rocks", "many rocks", "few rocks"),
    feature("trees", "many trees", "few trees"),
    feature("cover", "much cover", "little cover"),
    feature("centre_cover", "a crowded middle", "an open middle"),
    feature("mirror", "a mirrored layout", "an irregular layout"),
    feature("turn", "a layout that looks the same turned round", "a layout that differs when turned round"),
    feature("clumps", "covers in clumps", "scattered covers"),
    feature("clear_shots", "clear lines of fire", "blocked lines of fire"),
    feature("half_shots", "shots over rocks", "few shots over rocks"),
    feature("uneven_shots", "good ambush places", "few ambush places"),
    feature("nooks", "sheltered corners", "no sheltered corners"),
    feature("home_cover", "cover near your start", "an open start for you"),
    feature("away_cover", "cover near the enemy's start", "an open start for the enemy"),
    feature("portal_span", "long portals", "short portals"),
    feature("portal_reach", "portals that shorten the way to the enemy", "portals that do not help to reach the enemy"),
    feature("advantage", "a good outlook for you", "a hard fight for you"),
    feature("balance", "an even fight", "a one-sided fight"),
    feature("spread", "very different outcomes", "similar outcomes"),
    feature("best", "a big win within reach", "only small wins within reach"),
    feature("wins", "many ways to win", "few ways to win"),
    feature("level", "many level endings", "few level endings"),
    feature("calm", "a long approach", "early contact"),
    feature("damage", "hard exchanges", "few shots"),
    feature("finale", "a late decision", "an early decision"),
    feature("drama", "comebacks", "no comebacks"),
    feature("uncertainty", "an uncertain course", "a steady course"),
    feature("lead_change", "changes of the lead", "a steady lead"),
    feature("hope_change", "hopes that rise and fall", "steady hopes"),
    feature("opening", "an opening that matters", "an opening that matters little"),
    feature("maximin_advantage", "a good outlook against a careful enemy", "a hard fight against a careful enemy"),
    feature("game_length", "long games", "short games"),
    feature("length_spread", "games of very different length", "games of similar length"),
    feature("first_hit", "a late first hit", "an early first hit"),
    feature("portals_home", "portals that you use", "portals that you hardly use"),
    feature("portals_away", "portals that the enemy uses", "portals that the enemy hardly uses"),
    feature("portals_both", "portals that both sides use", "portals that do not serve both sides"),
    feature("cells_visited", "fights all over the board", "fights in one place"),
    feature("lead_swings", "leads that change in play", "leads that stay in play"),
    feature("result_spread", "results that vary from game to game", "results that repeat"),
    feature("result", "maps that favour you in play", "maps that favour the enemy in play"),
    feature("pace", "much damage per round", "little damage per round"),
    feature("waiting", "waiting for the right moment", "constant movement"),
    feature("deficit", "winners that were behind", "winners that lead from the start"),
    feature("kills", "many kills", "few kills"),
    feature("late_hits", "damage late in the game", "damage early in the game"),
    feature("free_opening", "many good openings", "few good openings"),
];

/// Mean length of quick games, as a share of their cap, above which a map is dull.
const DULL_LENGTH: f64 = 0.9;
/// Hits per round of quick games below which a map is dull.
const DULL_PACE: f64 = 0.1;

/// The features of one map, in the order of [`FEATURES`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapFeatures(pub [f64; COUNT]);

impl MapFeatures {
    /// The value of a feature by id.
    pub fn get(&self, id: &str) -> Option<f64> {
        FEATURES.iter().position(|feature| feature.id == id).map(|i| self.0[i])
    }

    /// Whether quick games on the map rarely end or rarely see a hit.
    pub fn is_dull(&self) -> bool {
        let value = |id: &str| self.get(id).unwrap_or(0.0);
        value("game_length") > DULL_LENGTH || value("pace") < DULL_PACE
    }

    pub(super) fn set(&mut self, id: &str, value: f64) {
        let index = FEATURES.iter().position(|feature| feature.id == id);
        debug_assert!(index.is_some(), "{id} is not a feature");
        if let Some(index) = index {
            self.0[index] = if value.is_finite() { value } else { 0.0 };
        }
    }
}

/// Everything measured about a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// Features of the preference model.
    pub features: MapFeatures,
    /// The five metrics of the tree against the greedy enemy (Šindelář 2024, section 4.5).
    pub metrics: TreeMetrics,
}

/// Branches kept in the tree against each enemy: the careful one costs twice as much per state.
const BRANCHES: [(Enemy, i64); 2] = [(Enemy::GreedyPolicy, 150), (Enemy::MaximinPolicy, 100)];

/// Measures a map: layout, one tree against the greedy and one against the maximin enemy, and quick games.
///
/// The seeds are fixed, so that the same map always gives the same numbers.
pub fn measure(map: &Map, maker: &mut TreeMaker) -> Measurement {
    let board = Battlefield::new(map.clone());
    let mut features = layout(&board);
    let mut sums = TreeSums::default();
    let mut metrics = TreeMetrics::default();
    let mut tree = PlaythroughTree::default();
    for (seed, (enemy, branches)) in BRANCHES.into_iter().enumerate() {
        let settings = TreeSettings::sindelar(4, branches, 0.0).against(enemy);
        if maker.make_into(&board, &settings, seed as u64, &mut tree).is_err() || tree.branches() == 0 {
            continue;
        }
        sums.add(&tree);
        match enemy {
            Enemy::GreedyPolicy => metrics = TreeMetrics::of(&tree),
            Enemy::MaximinPolicy => {
                let ends = (0..tree.branches()).map(|b| f64::from(tree.scores(b)[tree.layers() - 1]));
                features.set("maximin_advantage", ends.sum::<f64>() / tree.branches() as f64 / 40.0);
            }
        }
    }
    sums.write(&mut features);
    measure_play(&board, &mut features);
    Measurement { features, metrics }
}

/// Number of features without simulation, which come first in [`FEATURES`].
pub(crate) const LAYOUT: usize = 15;
/// Number of features of layout and trees; the features of quick games follow.
pub(crate) const BEFORE_PLAY: usize = 30;

/// The layout features of a map; those of its trees are left 0.
pub(crate) fn layout_only(map: &Map) -> MapFeatures {
    layout(&Battlefield::new(map.clone()))
}

fn layout(board: &Battlefield) -> MapFeatures {
    let mut features = MapFeatures([0.0; COUNT]);
    let map = board.map();
    let size = map.size();
    let side = size.side() as u8;
    let middle = (f64::from(side) - 1.0) / 2.0;
    let sites = size.sites() as f64;
    let (mut rocks, mut trees) = (0.0, 0.0);
    let (mut inner, mut inner_covered) = (0.0, 0.0);
    let (mut mirror, mut turn) = (0.0, 0.0);
    let (mut pairs, mut alike) = (0.0, 0.0);
    let mut starts = [[0.0; 2]; 2];
    let covered = |square: GridSquare| map.cover_at(square) != Cover::None;
    for site in size.all_sites() {
        let square = size.site_square(site);
        let cover = map.cover(site);
        let here = f64::from(u8::from(cover != Cover::None));
        rocks += f64::from(u8::from(cover == Cover::Short));
        trees += f64::from(u8::from(cover == Cover::Long));
        let (dx, dy) = (f64::from(square.x) - middle, f64::from(square.y) - middle);
        if dx.hypot(dy) <= middle * 0.7 {
            inner += 1.0;
            inner_covered += here;
        }
        let same = |x: u8, y: u8| f64::from(u8::from(map.cover_at(GridSquare { x, y }) == cover));
        mirror += same(square.y, square.x);
        turn += same(side - 1 - square.x, side - 1 - square.y);
        for (dx, dy) in [(1, 1), (1, -1)] {
            if let Some(next) = size.square(i32::from(square.x) + dx, i32::from(square.y) + dy) {
                pairs += 1.0;
                alike += f64::from(u8::from(here > 0.0 && covered(next)));
            }
        }
        for (counts, cells) in starts.iter_mut().zip(map.starts()) {
            let close = cells.iter().any(|cell| size.floor_square(*cell).chebyshev(square) <= 3);
            if close {
                counts[0] += here;
                counts[1] += 1.0;
            }
        }
    }
    let cover = (rocks + trees) / sites;
    features.set("rocks", rocks / sites);
    features.set("trees", trees / sites);
    features.set("cover", cover);
    features.set("centre_cover", inner_covered / f64::max(inner, 1.0) - cover);
    features.set("mirror", mirror / sites);
    features.set("turn", turn / sites);
    features.set("clumps", alike / f64::max(pairs, 1.0) - cover * cover);
    features.set("home_cover", starts[0][0] / f64::max(starts[0][1], 1.0) - cover);
    features.set("away_cover", starts[1][0] / f64::max(starts[1][1], 1.0) - cover);
    shots(board, &mut features);
    let nooks = size
        .all_floors()
        .filter(|floor| {
            let square = size.floor_square(*floor);
            let sides = [(0, -1), (0, 1), (-1, 0), (1, 0)];
            let hidden = sides.iter().filter(|(dx, dy)| {
                size.square(i32::from(square.x) + dx, i32::from(square.y) + dy).is_some_and(covered)
            });
            hidden.count() >= 3
        })
        .count();
    features.set("nooks", nooks as f64 / size.floors() as f64);
    let span: u32 =
        map.portals().iter().map(|[a, b]| u32::from(size.floor_square(*a).chebyshev(size.floor_square(*b)))).sum();
    features.set("portal_span", f64::from(span) / f64::from(side));
    let plain = Battlefield::new(map.with_portals(Vec::new()).unwrap_or_else(|_| map.clone()));
    let shortened = approach(&plain) - approach(board);
    features.set("portal_reach", shortened / f64::from(side));
    features
}

fn shots(board: &Battlefield, features: &mut MapFeatures) {
    let size = board.map().size();
    let (mut all, mut clear, mut half, mut uneven) = (0.0, 0.0, 0.0, 0.0);
    for from in size.all_floors() {
        for to in size.all_floors() {
            if from == to || board.distance_squared(from.0, to.0) > 20 {
                continue;
            }
            let (there, back) = (board.damage_points(from.0, to.0), board.damage_points(to.0, from.0));
            all += 1.0;
            clear += f64::from(u8::from(there == 10));
            half += f64::from(u8::from(there == 5));
            uneven += f64::from(u8::from(there > back));
        }
    }
    features.set("clear_shots", clear / all);
    features.set("half_shots", half / all);
    features.set("uneven_shots", uneven / all);
}

/// Mean steps from a home start to the nearest away start.
fn approach(board: &Battlefield) -> f64 {
    let [home, away] = board.map().starts();
    let steps = |from: Floor| -> f64 {
        let mut distance = vec![u32::MAX; board.map().size().floors()];
        distance[from.index()] = 0;
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(cell) = queue.pop_front() {
            for order in Order::ALL {
                if let Some(next) = board.target(cell, order)
                    && distance[next.index()] == u32::MAX
                {
                    distance[next.index()] = distance[cell.index()] + 1;
                    queue.push_back(next);
                }
            }
        }
        let nearest = away.iter().map(|goal| distance[goal.index()]).min();
        f64::from(nearest.unwrap_or(0))
    };
    home.iter().map(|cell| steps(*cell)).sum::<f64>() / 2.0
}

/// Running means over trees.
#[derive(Default)]
struct TreeSums {
    trees: f64,
    ends: f64,
    spread: f64,
    best: f64,
    wins: f64,
    level: f64,
    calm: f64,
    damage: f64,
    finale: f64,
    opening: f64,
    metrics: [f64; 5],
}

impl TreeSums {
    fn add(&mut self, tree: &PlaythroughTree) {
        let (branches, layers) = (tree.branches(), tree.layers());
        if branches == 0 {
            return;
        }
        let share = 1.0 / branches as f64;
        let end = |branch: usize| f64::from(tree.scores(branch)[layers - 1]) / 40.0;
        let mean = (0..branches).map(end).sum::<f64>() * share;
        self.ends += mean;
        let variance = (0..branches).map(|b| (end(b) - mean).powi(2)).sum::<f64>() * share;
        self.spread += variance.sqrt();
        self.best += (0..branches).map(end).fold(f64::MIN, f64::max);
        let (mut group, mut group_sum, mut group_count, mut between) = ([0u8; 2], 0.0, 0.0, 0.0);
        let mut close_group = |sum: &mut f64, count: &mut f64| {
            if *count > 0.0 {
                between += *count * (*sum / *count - mean).powi(2);
            }
            (*sum, *count) = (0.0, 0.0);
        };
        for branch in 0..branches {
            let scores = tree.scores(branch);
            self.wins += share * f64::from(u8::from(end(branch) > 0.0));
            self.level += share * f64::from(u8::from(end(branch) == 0.0));
            let first = scores.iter().position(|s| *s != 0).unwrap_or(layers);
            self.calm += share * first as f64 / layers as f64;
            let moved = |part: &[i16]| -> f64 { part.windows(2).map(|w| f64::from((w[1] - w[0]).abs())).sum() };
            let whole = moved(scores);
            self.damage += share * whole / 40.0;
            if whole > 0.0 {
                self.finale += share * moved(&scores[layers * 5 / 8..]) / whole;
            }
            // branches are sorted by actions: equal first pairs lie together
            let opening = [tree.actions(branch)[0], tree.actions(branch)[1]];
            if opening != group {
                close_group(&mut group_sum, &mut group_count);
                group = opening;
            }
            group_sum += end(branch);
            group_count += 1.0;
        }
        close_group(&mut group_sum, &mut group_count);
        self.opening += (between * share).sqrt();
        for (sum, value) in self.metrics.iter_mut().zip(TreeMetrics::of(tree).values()) {
            *sum += value;
        }
        self.trees += 1.0;
    }

    fn write(&self, features: &mut MapFeatures) {
        let share = 1.0 / f64::max(self.trees, 1.0);
        let [drama, uncertainty, _, lead, hope] = self.metrics.map(|sum| sum * share);
        let advantage = self.ends * share;
        features.set("advantage", advantage);
        features.set("balance", -advantage.abs());
        features.set("spread", self.spread * share);
        features.set("best", self.best * share);
        features.set("wins", self.wins * share);
        features.set("level", self.level * share);
        features.set("calm", self.calm * share);
        features.set("damage", self.damage * share);
        features.set("finale", self.finale * share);
        features.set("drama", drama);
        features.set("uncertainty", (1.0 + uncertainty).ln());
        features.set("lead_change", lead);
        features.set("hope_change", hope);
        features.set("opening", self.opening * share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Size;
    use crate::rules::maps::{CheckersGenerator, GeneWeights, PortalRules, random_map};
    use rand::SeedableRng;

    #[test]
    fn ids_are_unique_and_measuring_repeats() {
        let ids: std::collections::HashSet<_> = FEATURES.iter().map(|f| f.id).collect();
        assert_eq!(ids.len(), COUNT);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut maker = TreeMaker::new();
        for size in [Size::ALL[0], Size::DEFAULT] {
            let map = random_map(size, &CheckersGenerator, GeneWeights::default(), PortalRules::default(), &mut rng);
            let one = measure(&map, &mut maker);
            assert_eq!(measure(&map, &mut maker), one);
            assert!(one.features.0.iter().all(|v| v.is_finite()));
        }
    }

    #[test]
    fn an_empty_map_has_only_clear_shots_and_perfect_symmetry() {
        let measured = measure(&Map::empty(Size::DEFAULT), &mut TreeMaker::new()).features;
        for (id, value) in [("cover", 0.0), ("clear_shots", 1.0), ("mirror", 1.0), ("nooks", 0.0)] {
            assert_eq!(measured.get(id), Some(value), "{id}");
        }
    }
}
