//! Simulated raters: fixed utility functions over maps that measure any preference model from outside.
//!
//! The utilities were written down before the features of the model were chosen. They read a map through their own
//! instruments ([`RaterFeatures`]: own seeds, own enemy, own ways of counting), and none of them is linear in what it reads:
//! they have sweet spots, thresholds, products and saturations.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::engine::tree::{Enemy, TreeMaker, TreeSettings};
use crate::rules::{Battlefield, Cover, GridSquare, Map};

/// The measurements that simulated raters base their utility on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RaterFeatures {
    rocks: f64,
    trees: f64,
    centre_rocks: f64,
    centre_trees: f64,
    /// Share of cover sites equal to their mirror image across the main diagonal.
    mirrored: f64,
    /// Mean number of covered orthogonal neighbours of a floor cell, squared.
    huddle: f64,
    /// Floor cells with at least three covered sides.
    nooks: f64,
    /// Share of clear shots among all shots within range.
    clear: f64,
    /// Shots that hurt the target more than the answer would hurt the shooter.
    ambush: f64,
    portal_span: f64,
    /// Mean end score, per hit points of a soldier.
    advantage: f64,
    /// Standard deviation of the end score, same unit.
    spread: f64,
    /// Share of branches that end ahead.
    wins: f64,
    /// Share of branches that were behind by ten and end ahead.
    comebacks: f64,
    /// Mean changes of the lead.
    swings: f64,
    /// Mean share of the game before the first hit.
    calm: f64,
    /// Share of damage that falls in the last quarter.
    finale: f64,
    /// How much the first round decides: spread of mean end scores between first pairs of orders.
    opening: f64,
}

impl RaterFeatures {
    /// Measures a map.
    pub fn of(map: &Map, maker: &mut TreeMaker) -> Self {
        let board = Battlefield::new(map.clone());
        let mut features = RaterFeatures::default();
        features.measure_layout(&board);
        features.measure_trees(&board, maker);
        features
    }

    fn measure_layout(&mut self, board: &Battlefield) {
        let map = board.map();
        let size = map.size();
        let middle = (size.side() as f64 - 1.0) / 2.0;
        let (mut centre, mut mirrored) = (0.0, 0.0);
        for site in size.all_sites() {
            let square = size.site_square(site);
            let away = (f64::from(square.x) - middle).abs().max((f64::from(square.y) - middle).abs());
            let central = away <= middle / 2.0;
            centre += f64::from(u8::from(central));
            let cover = map.cover(site);
            match cover {
                Cover::None => {}
                Cover::Short => {
                    self.rocks += 1.0;
                    self.centre_rocks += f64::from(u8::from(central));
                }
                Cover::Long => {
                    self.trees += 1.0;
                    self.centre_trees += f64::from(u8::from(central));
                }
            }
            let image = GridSquare { x: square.y, y: square.x };
            mirrored += f64::from(u8::from(map.cover_at(image) == cover));
        }
        let sites = size.sites() as f64;
        self.rocks /= sites;
        self.trees /= sites;
        self.centre_rocks /= centre;
        self.centre_trees /= centre;
        self.mirrored = mirrored / sites;
        for floor in size.all_floors() {
            let square = size.floor_square(floor);
            let sides = [(0, -1), (0, 1), (-1, 0), (1, 0)]
                .iter()
                .filter_map(|(dx, dy)| size.square(i32::from(square.x) + dx, i32::from(square.y) + dy))
                .filter(|square| map.cover_at(*square) != Cover::None)
                .count();
            self.huddle += (sides * sides) as f64;
            self.nooks += f64::from(u8::from(sides >= 3));
        }
        let floors = size.floors() as f64;
        self.huddle /= floors;
        self.nooks /= floors;
        let (mut shots, mut clear, mut ambush) = (0.0, 0.0, 0.0);
        for from in size.all_floors() {
            for to in size.all_floors() {
                let near = size.floor_square(from).distance_squared(size.floor_square(to));
                if from == to || near > 20 {
                    continue;
                }
                let (there, back) = (board.damage(from, to), board.damage(to, from));
                shots += 1.0;
                clear += f64::from(u8::from(there.points() == 10));
                ambush += f64::from(u8::from(there > back));
            }
        }
        self.clear = clear / shots;
        self.ambush = ambush / shots;
        let spans = map
            .portals()
            .iter()
            .map(|[a, b]| f64::from(size.floor_square(*a).chebyshev(size.floor_square(*b))) / size.side() as f64);
        self.portal_span = spans.sum();
    }

    fn measure_trees(&mut self, board: &Battlefield, maker: &mut TreeMaker) {
        let settings = TreeSettings::sindelar(4, 150, 0.0);
        let kinds = [(Enemy::MaximinPolicy, 0x5EED_0001), (Enemy::GreedyPolicy, 0x5EED_0002)];
        for (enemy, seed) in kinds {
            let tree = maker.make(board, &settings.clone().against(enemy), seed).expect("pruned trees fit");
            let share = 1.0 / (tree.branches() * kinds.len()) as f64;
            let mut ends = Vec::with_capacity(tree.branches());
            let mut openings: std::collections::BTreeMap<[u8; 2], (f64, f64)> = std::collections::BTreeMap::new();
            for branch in 0..tree.branches() {
                let scores = tree.scores(branch);
                let end = f64::from(*scores.last().unwrap_or(&0)) / 40.0;
                ends.push(end);
                let lowest = scores.iter().min().copied().unwrap_or(0);
                self.wins += share * f64::from(u8::from(end > 0.0));
                self.comebacks += share * f64::from(u8::from(end > 0.0 && lowest <= -10));
                let signs: Vec<i16> = scores.iter().map(|s| s.signum()).filter(|s| *s != 0).collect();
                self.swings += share * signs.windows(2).filter(|w| w[0] != w[1]).count() as f64;
                let first = scores.iter().position(|s| *s != 0).unwrap_or(scores.len());
                self.calm += share * first as f64 / scores.len() as f64;
                let moved = |part: &[i16]| -> f64 { part.windows(2).map(|w| f64::from((w[1] - w[0]).abs())).sum() };
                let whole = moved(scores);
                if whole > 0.0 {
                    self.finale += share * moved(&scores[scores.len() * 3 / 4 - 1..]) / whole;
                }
                let actions = tree.actions(branch);
                let entry = openings.entry([actions[0], actions[1]]).or_default();
                entry.0 += end;
                entry.1 += 1.0;
            }
            let mean = ends.iter().sum::<f64>() / ends.len() as f64;
            let variance = ends.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / ends.len() as f64;
            let halves = 1.0 / kinds.len() as f64;
            self.advantage += halves * mean;
            self.spread += halves * variance.sqrt();
            let between: f64 =
                openings.values().map(|(sum, n)| n * (sum / n - mean).powi(2)).sum::<f64>() / ends.len() as f64;
            self.opening += halves * between.sqrt();
        }
    }
}

/// One simulated player.
#[derive(Clone, Copy)]
pub struct SimulatedRater {
    /// A name for tables.
    pub name: &'static str,
    /// Its preference in words.
    pub likes: &'static str,
    utility: fn(&RaterFeatures) -> f64,
}

impl SimulatedRater {
    /// True liking, on an arbitrary scale.
    pub fn utility(&self, features: &RaterFeatures) -> f64 {
        (self.utility)(features)
    }
}

impl std::fmt::Debug for SimulatedRater {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A sweet spot: 1 at `centre`, falling off over `width`.
fn near(value: f64, centre: f64, width: f64) -> f64 {
    (-((value - centre) / width).powi(2)).exp()
}

/// A soft threshold: 0 well below `at`, 1 well above.
fn above(value: f64, at: f64, softness: f64) -> f64 {
    1.0 / (1.0 + (-(value - at) / softness).exp())
}

/// The raters. Utilities are fixed: changing one changes every published figure.
pub const PLAYERS: [SimulatedRater; 16] = [
    SimulatedRater {
        name: "marksman",
        likes: "open fields, as long as there is at least something to hide behind",
        utility: |a| above(a.clear, 0.62, 0.05) * above(a.rocks + a.trees, 0.15, 0.05),
    },
    SimulatedRater {
        name: "gardener",
        likes: "rocks and trees in equal measure",
        utility: |a| a.rocks.min(a.trees).sqrt() - (a.rocks - a.trees).abs(),
    },
    SimulatedRater { name: "umpire", likes: "fair fights and nothing else", utility: |a| near(a.advantage, 0.4, 0.5) },
    SimulatedRater {
        name: "underdog",
        likes: "hard maps that can still be won",
        utility: |a| (1.2 - a.advantage).max(0.0).sqrt() * above(a.wins, 0.3, 0.1),
    },
    SimulatedRater {
        name: "dramatist",
        likes: "being behind and winning after all",
        utility: |a| a.comebacks.sqrt() + 0.3 * (1.0 + a.swings).ln(),
    },
    SimulatedRater {
        name: "brawler",
        likes: "early contact and hard exchanges",
        utility: |a| (1.0 - a.calm).powi(2) * (0.3 + a.spread),
    },
    SimulatedRater {
        name: "stalker",
        likes: "long calm and a decision at the very end",
        utility: |a| a.calm * above(a.finale, 0.35, 0.08),
    },
    SimulatedRater {
        name: "architect",
        likes: "mirrored maps, the more the better",
        utility: |a| (4.0 * a.mirrored).exp() / 20.0,
    },
    SimulatedRater {
        name: "hermit",
        likes: "nooks, but not a board full of them",
        utility: |a| near(a.nooks, 0.22, 0.1) + 0.4 * a.huddle.sqrt(),
    },
    SimulatedRater {
        name: "forester",
        likes: "trees at the rim and an empty middle",
        utility: |a| a.trees.sqrt() * near(a.centre_trees + a.centre_rocks, 0.1, 0.3),
    },
    SimulatedRater {
        name: "trapper",
        likes: "places from which one shoots better than one is shot at",
        utility: |a| (a.ambush * 12.0).tanh() + 0.2 * a.rocks,
    },
    SimulatedRater {
        name: "opener",
        likes: "a first round that matters",
        utility: |a| a.opening.sqrt() - 0.3 * near(a.calm, 0.5, 0.1),
    },
    SimulatedRater {
        name: "contrarian",
        likes: "dense and fair, or sparse and lopsided",
        utility: |a| {
            let dense = 2.0 * above(a.rocks + a.trees, 0.4, 0.05) - 1.0;
            let lopsided = 2.0 * above((a.advantage - 0.5).abs(), 0.5, 0.2) - 1.0;
            -dense * lopsided
        },
    },
    SimulatedRater {
        name: "traveller",
        likes: "long portals across a board that is not too open",
        utility: |a| a.portal_span.powi(2) * (0.4 + above(0.7, a.clear, 0.1)),
    },
    SimulatedRater {
        name: "conqueror",
        likes: "winning big",
        utility: |a| (a.advantage * 0.8).tanh() + 0.5 * a.wins.powi(3),
    },
    SimulatedRater {
        name: "moody",
        likes: "either few rocks or many, never the usual number",
        utility: |a| (a.rocks - 0.2).abs().sqrt() + 0.2 * near(a.spread, 0.9, 0.3),
    },
];

/// Turns true utility into noisy ratings from −2 to 2, relative to random maps.
#[derive(Clone, Debug)]
pub struct NoisyRater {
    mean: f64,
    deviation: f64,
    noise: f64,
}

impl NoisyRater {
    /// A rater that knows the utilities of random maps.
    pub fn new(reference: &[f64], noise: f64) -> Self {
        let n = reference.len().max(1) as f64;
        let mean = reference.iter().sum::<f64>() / n;
        let variance = reference.iter().map(|u| (u - mean).powi(2)).sum::<f64>() / n;
        NoisyRater { mean, deviation: variance.sqrt().max(1e-12), noise }
    }

    /// True liking in standard deviations of random maps.
    pub fn standard(&self, utility: f64) -> f64 {
        (utility - self.mean) / self.deviation
    }

    /// A rating: whole standard deviations with noise, −2 to 2.
    pub fn rate(&self, utility: f64, rng: &mut impl Rng) -> i8 {
        let noisy = self.standard(utility) + self.noise * normal(rng);
        noisy.round().clamp(-2.0, 2.0) as i8
    }
}

/// A standard normal number (Box and Muller).
pub(crate) fn normal(rng: &mut impl Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
}

/// A generator for one simulated player in one repetition.
pub fn player_rng(seed: u64, player: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(player as u64 + 1);
    rng
}
