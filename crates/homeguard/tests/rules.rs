//! The rules against slow, obvious oracles and the invariants of the specification.

use homeguard::rules::maps::{CheckersGenerator, GeneWeights, PortalRules, random_map};
use homeguard::rules::{
    Battlefield, Cover, EndReason, Faction, Floor, GridSquare, HIT_POINTS, Map, Order, Orders, PlayRules, Size,
    Soldier, SuddenDeath, Troops, middle_points, oracle,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn any_map(rng: &mut ChaCha8Rng) -> Map {
    let size = Size::ALL[rng.random_range(0..Size::ALL.len())];
    let weights = GeneWeights([rng.random::<f64>() + 0.1, rng.random(), rng.random()]);
    let portals = PortalRules { pairs: rng.random_range(0..6), reach: rng.random_range(1..5) };
    random_map(size, &CheckersGenerator, weights, portals, rng)
}

#[test]
fn damage_table_equals_the_oracle() {
    compare_damage(300);
}

fn compare_damage(maps: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(20);
    for _ in 0..maps {
        let board = Battlefield::new(any_map(&mut rng));
        let size = board.map().size();
        if let Some(wrong) = oracle::compare(&board).wrong {
            panic!("{wrong:?} in {:?}", board.map());
        }
        for from in size.all_floors() {
            let near = |to: &Floor| size.floor_square(from).distance_squared(size.floor_square(*to)) <= 25;
            for to in size.all_floors().filter(near) {
                assert_eq!(board.fire_line(from, to).damage, board.damage(from, to));
            }
        }
    }
}

#[test]
fn shooting_over_ones_own_rock_is_not_mutual() {
    // shooter (2,4), rock (3,4), target (6,4): the rock is beside the shooter and three cells from the target
    let size = Size::DEFAULT;
    let mut covers = vec![Cover::None; size.sites()];
    covers[size.site_at(GridSquare { x: 3, y: 4 }).unwrap().index()] = Cover::Short;
    let board = Battlefield::new(Map::with_covers(size, covers).unwrap());
    let at = |x, y| size.floor_at(GridSquare { x, y }).unwrap();
    assert_eq!(board.damage(at(2, 4), at(6, 4)).points(), 10);
    assert_eq!(board.damage(at(6, 4), at(2, 4)).points(), 5);
}

/// The cell that an order leads to, from the words of the specification.
fn oracle_target(board: &Battlefield, from: Floor, order: Order) -> Option<Floor> {
    let size = board.map().size();
    let square = size.floor_square(from);
    let (x, y) = (i32::from(square.x), i32::from(square.y));
    let (x, y) = match order {
        Order::Stay => (x, y),
        Order::NorthWest => (x - 1, y - 1),
        Order::NorthEast => (x + 1, y - 1),
        Order::SouthWest => (x - 1, y + 1),
        Order::SouthEast => (x + 1, y + 1),
        Order::Portal => {
            let ends = board.map().portals().iter().find(|pair| pair.contains(&from));
            return ends.map(|[a, b]| if *a == from { *b } else { *a });
        }
    };
    size.square(x, y).and_then(|square| size.floor_at(square))
}

/// Plays one round the slow way, from the words of the specification.
fn oracle_round(board: &Battlefield, troops: &Troops, orders: Orders) -> ([Floor; 4], [u8; 4], [u8; 2], i16) {
    let size = board.map().size();
    let portal = |a: Floor, b: Floor| board.map().portals().iter().any(|p| *p == [a, b] || *p == [b, a]);
    let close = |a: Floor, b: Floor| {
        let (sa, sb) = (size.floor_square(a), size.floor_square(b));
        a == b || (sa.x.abs_diff(sb.x) == 1 && sa.y.abs_diff(sb.y) == 1) || portal(a, b)
    };
    let mut at = Soldier::ALL.map(|s| troops.at(s));
    for i in 0..4 {
        if let Some(to) = oracle_target(board, at[i], orders.0[i])
            && (0..4).filter(|j| *j != i).all(|j| !close(to, at[j]))
        {
            at[i] = to;
        }
    }
    let mut hits = [0u8; 4];
    for i in 0..4 {
        let foes = if i < 2 { [2, 3] } else { [0, 1] };
        let damage = foes.map(|foe| oracle::damage(board.map(), size.floor_square(at[i]), size.floor_square(at[foe])));
        if damage[0] > 0 && damage[0] >= damage[1] {
            hits[foes[0]] += damage[0];
        } else if damage[1] > 0 {
            hits[foes[1]] += damage[1];
        }
    }
    let mut hp = Soldier::ALL.map(|s| troops.hp(s));
    let mut score = troops.score();
    let mut kills = Faction::BOTH.map(|side| troops.kills(side));
    let mut dead = Vec::new();
    for i in 0..4 {
        let dealt = hits[i].min(hp[i]);
        score += if i < 2 { -i16::from(dealt) } else { i16::from(dealt) };
        hp[i] -= dealt;
        if hp[i] == 0 {
            dead.push(i);
        }
    }
    let mut placed: Vec<usize> = (0..4).filter(|i| !dead.contains(i)).collect();
    for i in dead {
        kills[usize::from(i < 2)] += 1;
        hp[i] = HIT_POINTS;
        // distances by relaxation, then the least (distance, scan order) that is free
        let far = usize::MAX;
        let mut steps = vec![far; size.floors()];
        steps[board.map().respawns()[i / 2].index()] = 0;
        for _ in 0..size.floors() {
            for a in size.all_floors() {
                for b in size.all_floors() {
                    if close(a, b) && steps[a.index()] != far {
                        steps[b.index()] = steps[b.index()].min(steps[a.index()] + 1);
                    }
                }
            }
            if steps.iter().all(|s| *s != far) {
                break;
            }
        }
        at[i] = size
            .all_floors()
            .filter(|cell| placed.iter().all(|j| !close(*cell, at[*j])))
            .min_by_key(|cell| (steps[cell.index()], cell.index()))
            .unwrap();
        placed.push(i);
    }
    (at, hp, kills, score)
}

fn any_orders(rng: &mut ChaCha8Rng) -> Orders {
    Orders(std::array::from_fn(|_| Order::ALL[rng.random_range(0..6)]))
}

#[test]
fn rounds_equal_the_oracle_and_keep_the_invariants() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut deaths = 0;
    for _ in 0..60 {
        let map = any_map(&mut rng);
        let board = Battlefield::new(map);
        let mut troops = Troops::start(&board);
        for _ in 0..120 {
            let orders = any_orders(&mut rng);
            let expected = oracle_round(&board, &troops, orders);
            let round = troops.play(&board, orders);
            deaths += round.falls.len();
            let got = (
                Soldier::ALL.map(|s| troops.at(s)),
                Soldier::ALL.map(|s| troops.hp(s)),
                Faction::BOTH.map(|s| troops.kills(s)),
                troops.score(),
            );
            assert_eq!(got, expected);
            let hp = |side: Faction| -> i16 { side.soldiers().iter().map(|s| i16::from(troops.hp(*s))).sum() };
            let kills = i16::from(troops.kills(Faction::Home)) - i16::from(troops.kills(Faction::Away));
            assert_eq!(troops.score(), 40 * kills + hp(Faction::Home) - hp(Faction::Away));
            for a in Soldier::ALL {
                for b in Soldier::ALL {
                    assert!(a == b || !board.too_close(troops.at(a), troops.at(b)));
                }
            }
        }
    }
    assert!(deaths > 20, "the test saw only {deaths} deaths");
}

#[test]
fn legal_orders_never_depend_on_hidden_orders_and_always_include_staying() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..50 {
        let board = Battlefield::new(any_map(&mut rng));
        let mut troops = Troops::start(&board);
        for _ in 0..30 {
            for side in Faction::BOTH {
                let pairs = troops.order_pairs(&board, side);
                assert!(pairs.contains(&[Order::Stay, Order::Stay]));
                // with the other side staying, every legal pair is carried out in full
                for pair in pairs {
                    let stay = [Order::Stay; 2];
                    let orders = match side {
                        Faction::Home => Orders::of(pair, stay),
                        Faction::Away => Orders::of(stay, pair),
                    };
                    let mut copy = troops;
                    let round = copy.play(&board, orders);
                    assert!(round.moves.iter().all(|m| !m.blocked));
                }
            }
            troops.play(&board, any_orders(&mut rng));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn replay_gives_the_same_troops(seed in any::<u64>(), orders in prop::collection::vec([0usize..6, 0usize..6, 0usize..6, 0usize..6], 1..80)) {
        let board = Battlefield::new(any_map(&mut ChaCha8Rng::seed_from_u64(seed)));
        let run = || {
            let mut troops = Troops::start(&board);
            for four in &orders {
                troops.play(&board, Orders(four.map(|i| Order::ALL[i])));
            }
            troops
        };
        prop_assert_eq!(run(), run());
    }
}

#[test]
fn games_end_by_kills_by_cap_or_by_sudden_death() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let sudden = PlayRules { round_cap: 60, sudden_death: Some(SuddenDeath { from_round: 20 }), middle_control: None };
    let mut reasons = std::collections::HashSet::new();
    for _ in 0..300 {
        let board = Battlefield::new(any_map(&mut rng));
        let mut troops = Troops::start(&board);
        let rules = [PlayRules::SINDELAR, PlayRules::CONTROL, sudden][rng.random_range(0..3)];
        let (mut rounds, mut control) = (0, 0);
        let ending = loop {
            if let Some(ending) = rules.ending(&board, &troops, rounds, control) {
                break ending;
            }
            troops.play(&board, any_orders(&mut rng));
            rounds += 1;
            control += middle_points(&board, &troops);
        };
        assert!(rounds <= 60);
        reasons.insert(ending.reason);
        match ending.reason {
            EndReason::Kills => {
                let winner = ending.winner.unwrap();
                assert!(troops.kills(winner) >= 2 && troops.kills(!winner) < 2);
            }
            EndReason::ScoreAfterKills => assert!(Faction::BOTH.iter().all(|s| troops.kills(*s) >= 2)),
            EndReason::RoundCap | EndReason::Middle => assert_eq!(rounds, 60),
            EndReason::Control => {
                assert_eq!(control.abs(), 6);
                assert_eq!(ending.winner, Some(if control > 0 { Faction::Home } else { Faction::Away }));
            }
            EndReason::SuddenDeath => assert!(rounds >= 20 && troops.score() != 0),
        }
    }
    assert!(reasons.len() >= 2, "{reasons:?}");
}
