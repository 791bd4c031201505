//! The levels that people choose, and their blunder models.
//!
//! A weaker level is a stronger player with lapses: on some moves it plays the heuristic move and overlooks whole
//! lines.
//! Levels differ in the frequency of lapses, in what a lapse overlooks and in the node budget. The constants were set
//! by
//! matches (docs/results/gomoku-levels.md).

use game::{BotError, Budget, Control, Level};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::heuristic::BlunderModel;
use super::named::{BaselinePlayer, EngineMode, EnginePlayer, Heuristic};
use super::{Clock, Decision, Nets, Player, Resources};
use crate::rules::{Position, Rule};

/// The level of *Play now*.
pub const DEFAULT_LEVEL: &str = "casual";

/// The level that uses all the time it is given.
const FULL: &str = "full";

/// The player behind a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Heuristic,
    Baseline,
    /// The engine with patterns: its strength per node does not change when a net is trained.
    Engine,
    /// The engine with the strongest evaluation available.
    Best,
}

/// One level.
#[derive(Clone, Copy)]
struct Spec {
    id: &'static str,
    name: &'static str,
    description: &'static str,
    base: Base,
    nodes: u64,
    /// Probability of a lapse, per move.
    lapse: f64,
    blunders: BlunderModel,
}

/// The blunder model of a lapse.
const fn blunders(overlook_other: f64, overlook_own: f64) -> BlunderModel {
    BlunderModel { overlook_other, overlook_own, slant: 1.5, blur: 0.4 }
}

const SPECS: [Spec; 13] = [
    Spec {
        id: "beginner",
        name: "Beginner",
        description: "Plays what lies before it and overlooks two lines in five.",
        base: Base::Heuristic,
        nodes: 1,
        lapse: 1.0,
        blunders: blunders(0.40, 0.25),
    },
    Spec {
        id: "casual",
        name: "Casual",
        description: "Plays for fours and threes and overlooks a line in five.",
        base: Base::Heuristic,
        nodes: 1,
        lapse: 1.0,
        blunders: blunders(0.22, 0.14),
    },
    Spec {
        id: "careful",
        name: "Careful",
        description: "Watches most lines but does not look ahead.",
        base: Base::Heuristic,
        nodes: 1,
        lapse: 1.0,
        blunders: blunders(0.11, 0.07),
    },
    Spec {
        id: "steady",
        name: "Steady",
        description: "Misses hardly anything on the board, and still does not look ahead.",
        base: Base::Heuristic,
        nodes: 1,
        lapse: 1.0,
        blunders: blunders(0.03, 0.02),
    },
    Spec {
        id: "club",
        name: "Club player",
        description: "Looks a few moves ahead on every third move, and plays the others at a glance.",
        base: Base::Engine,
        nodes: 300,
        lapse: 0.65,
        blunders: blunders(0.03, 0.02),
    },
    Spec {
        id: "strong",
        name: "Strong",
        description: "Looks ahead on two moves of three and finds wins by fours.",
        base: Base::Engine,
        nodes: 300,
        lapse: 0.32,
        blunders: blunders(0.03, 0.02),
    },
    Spec {
        id: "expert",
        name: "Expert",
        description: "Looks ahead on nearly every move; a glance now and then decides its games.",
        base: Base::Engine,
        nodes: 300,
        lapse: 0.13,
        blunders: blunders(0.03, 0.02),
    },
    Spec {
        id: "master",
        name: "Master",
        description: "Sees further and seldom nods.",
        base: Base::Engine,
        nodes: 750,
        lapse: 0.065,
        blunders: blunders(0.03, 0.02),
    },
    Spec {
        id: "grandmaster",
        name: "Grandmaster",
        description: "Sees deep and rarely nods.",
        base: Base::Engine,
        nodes: 1_700,
        lapse: 0.035,
        blunders: blunders(0.03, 0.02),
    },
    Spec {
        id: "champion",
        name: "Champion",
        description: "Sees deeper still and hardly ever nods.",
        base: Base::Engine,
        nodes: 4_200,
        lapse: 0.015,
        blunders: blunders(0.03, 0.02),
    },
    Spec {
        id: "quick",
        name: "Quick engine",
        description: "The engine at a glance, without a lapse.",
        base: Base::Engine,
        nodes: 13_500,
        lapse: 0.0,
        blunders: BlunderModel::FULL,
    },
    Spec {
        id: "patient",
        name: "Patient engine",
        description: "The engine with a little time.",
        base: Base::Engine,
        nodes: 45_000,
        lapse: 0.0,
        blunders: BlunderModel::FULL,
    },
    Spec {
        id: FULL,
        name: "Full strength",
        description: "Everything the engine has; it uses all the time that a clock gives.",
        base: Base::Best,
        nodes: 150_000,
        lapse: 0.0,
        blunders: BlunderModel::FULL,
    },
];

fn spec(id: &str) -> Option<Spec> {
    SPECS.iter().find(|spec| spec.id == id).copied().or_else(|| custom(id))
}

/// A level with explicit constants, for calibration matches: `custom(base,nodes,lapse,overlook_other,overlook_own)`.
fn custom(text: &str) -> Option<Spec> {
    let fields: Vec<&str> = text.strip_prefix("custom(")?.strip_suffix(')')?.split(',').map(str::trim).collect();
    let [base, nodes, lapse, other, own] = fields[..] else { return None };
    let base = match base {
        "heuristic" => Base::Heuristic,
        "baseline" | "foundation" => Base::Baseline,
        "engine" => Base::Engine,
        "best" => Base::Best,
        _ => return None,
    };
    let share = |text: &str| text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    Some(Spec {
        id: "custom",
        name: "Custom",
        description: "",
        base,
        nodes: nodes.parse().ok()?,
        lapse: share(lapse)?,
        blunders: blunders(share(other)?, share(own)?),
    })
}

/// The levels, weakest first.
pub fn levels() -> Vec<Level> {
    SPECS
        .iter()
        .map(|spec| Level {
            id: spec.id.to_owned(),
            name: spec.name.to_owned(),
            description: spec.description.to_owned(),
            budget: Budget::Nodes(spec.nodes),
        })
        .collect()
}

/// A player of the given level.
pub fn player(level: &str, nets: &Nets, resources: Resources) -> Option<Box<dyn Player>> {
    let spec = spec(level)?;
    let base: Box<dyn Player> = match spec.base {
        Base::Heuristic => Box::new(Heuristic(spec.blunders)),
        Base::Baseline => Box::new(BaselinePlayer::default()),
        Base::Engine => Box::new(EnginePlayer::new(EngineMode::Pattern, nets, resources)),
        Base::Best => Box::new(EnginePlayer::new(EngineMode::Best, nets, resources)),
    };
    Some(Box::new(WithLapses { spec, base, hasty: Heuristic(spec.blunders) }))
}

/// A player with lapses.
struct WithLapses {
    spec: Spec,
    base: Box<dyn Player>,
    hasty: Heuristic,
}

impl Player for WithLapses {
    fn choose(
        &mut self,
        position: &Position,
        clock: &Clock,
        seed: u64,
        control: &Control,
    ) -> Result<Decision, BotError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // More time does not make a level stronger: a level never exceeds its own node budget. Only full strength uses
        // all its time.
        let most = if self.spec.id != FULL || clock.turn.is_none() { self.spec.nodes } else { u64::MAX };
        let nodes = clock.nodes.unwrap_or(u64::MAX).min(most);
        let clock = Clock { nodes: (nodes < u64::MAX).then_some(nodes), ..*clock };
        if rng.random::<f64>() < self.spec.lapse {
            self.hasty.choose(position, &clock, rng.random(), control)
        } else {
            self.base.choose(position, &clock, rng.random(), control)
        }
    }

    fn prepare(&mut self, rule: Rule, size: u8) {
        self.base.prepare(rule, size);
    }

    fn reset(&mut self) {
        self.base.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names_of_their_own_and_players() {
        for (i, spec) in SPECS.iter().enumerate() {
            assert!(SPECS[..i].iter().all(|other| other.id != spec.id));
            assert!(player(spec.id, &Nets::default(), Resources::default()).is_some());
        }
        assert!(spec(DEFAULT_LEVEL).is_some() && spec("custom(heuristic,1,1,0.1,0.1)").is_some());
        assert!(spec("custom(heuristic,1,2,0.1,0.1)").is_none() && spec("custom(queen,1,1,0,0)").is_none());
    }

    #[test]
    fn the_same_seed_gives_the_same_move() {
        let position = Position::new(Rule::Freestyle, 15).unwrap();
        let ask = |level: &str| {
            let mut player = player(level, &Nets::default(), Resources::default()).unwrap();
            let clock = Clock { nodes: Some(200), ..Clock::default() };
            player.choose(&position, &clock, 5, &Control::new()).unwrap().point
        };
        for level in ["beginner", "club", "full"] {
            assert_eq!(ask(level), ask(level), "{level}");
        }
    }
}
