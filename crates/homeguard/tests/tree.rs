//! Trees against plain replay of their branches.

use homeguard::engine::tree::{
    Enemy, Iteration, PlaythroughTree, Selector, TreeError, TreeMaker, TreeSettings, equal_branches,
};
use homeguard::players::{GreedyPolicy, MaximinPolicy, OneRoundPolicy};
use homeguard::rules::maps::{CheckersGenerator, GeneWeights, PortalRules, random_map};
use homeguard::rules::{Battlefield, Faction, Order, Orders, Size, Troops};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn board(seed: u64) -> Battlefield {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let size = Size::ALL[seed as usize % 3];
    Battlefield::new(random_map(size, &CheckersGenerator, GeneWeights::default(), PortalRules::default(), &mut rng))
}

/// Every branch replayed with the ordinary round function gives the scores it carries.
fn check_replay(board: &Battlefield, tree: &PlaythroughTree, enemy: Enemy) {
    for branch in 0..tree.branches() {
        let mut troops = Troops::start(board);
        for (orders, scores) in tree.actions(branch).chunks(2).zip(tree.scores(branch).chunks(2)) {
            let home = [0, 1].map(|i| Order::ALL[usize::from(orders[i])]);
            assert!(troops.order_pairs(board, Faction::Home).contains(&home));
            let away = match enemy {
                Enemy::GreedyPolicy => GreedyPolicy.orders(board, &troops, Faction::Away),
                Enemy::MaximinPolicy => MaximinPolicy.orders(board, &troops, Faction::Away),
            };
            assert_eq!(scores[0], troops.score());
            troops.play(board, Orders::of(home, away));
            assert_eq!(scores[1], troops.score());
        }
    }
}

/// Best reachable score by definition: the maximum over all branches with the same prefix.
fn check_best(tree: &PlaythroughTree) {
    for branch in (0..tree.branches()).step_by(7) {
        for layer in 0..tree.layers() {
            let best = (0..tree.branches())
                .filter(|other| tree.actions(*other)[..=layer] == tree.actions(branch)[..=layer])
                .map(|other| *tree.scores(other).last().unwrap())
                .max()
                .unwrap();
            assert_eq!(tree.best(branch)[layer], best);
        }
    }
}

#[test]
fn branches_replay_and_best_scores_follow_the_definition() {
    let mut maker = TreeMaker::new();
    for seed in 0..4 {
        let board = board(seed);
        for enemy in [Enemy::GreedyPolicy, Enemy::MaximinPolicy] {
            let settings = TreeSettings::sindelar(4, 60, 0.1).against(enemy);
            let tree = maker.make(&board, &settings, seed).unwrap();
            assert_eq!((tree.layers(), tree.branches()), (16, 60));
            check_replay(&board, &tree, enemy);
            check_best(&tree);
            let unique: std::collections::HashSet<_> = (0..tree.branches()).map(|b| tree.actions(b).to_vec()).collect();
            assert_eq!(unique.len(), tree.branches());
            assert_eq!(maker.make(&board, &settings, seed).unwrap(), tree, "same seed, same tree");
        }
    }
}

#[test]
fn without_pruning_every_playthrough_is_there() {
    let board = board(1);
    let tree = TreeMaker::new().make(&board, &TreeSettings::sindelar(1, 0, 0.5), 0).unwrap();
    // count playthroughs of two rounds the slow way
    let start = Troops::start(&board);
    let mut count = 0;
    for first in start.order_pairs(&board, Faction::Home) {
        let mut troops = start;
        let away = GreedyPolicy.orders(&board, &troops, Faction::Away);
        troops.play(&board, Orders::of(first, away));
        count += troops.order_pairs(&board, Faction::Home).len();
    }
    assert_eq!(tree.branches(), count);
    check_replay(&board, &tree, Enemy::GreedyPolicy);
}

#[test]
fn iterations_may_be_exempt_from_pruning_and_differ() {
    let board = board(2);
    let settings = TreeSettings::sindelar(2, 10, 0.0).keep_all(1, 0);
    assert_eq!(settings.iterations[0].keep, None);
    let tree = TreeMaker::new().make(&board, &settings, 0).unwrap();
    assert_eq!(tree.branches(), 10);
    let uneven = TreeSettings {
        selector: Selector::Score,
        enemy: Enemy::GreedyPolicy,
        iterations: vec![
            Iteration { rounds: 1, keep: Some(5), dropout: 0.0 },
            Iteration { rounds: 3, keep: Some(20), dropout: 0.3 },
        ],
    };
    let tree = TreeMaker::new().make(&board, &uneven, 0).unwrap();
    assert_eq!((tree.layers(), tree.branches()), (8, 20));
    check_replay(&board, &tree, Enemy::GreedyPolicy);
}

#[test]
fn a_tree_that_does_not_fit_is_refused() {
    let error = TreeMaker::new().make(&board(2), &TreeSettings::sindelar(6, 0, 0.0), 0);
    assert!(matches!(error, Err(TreeError::TooManyLeaves { .. })));
}

#[test]
fn dropout_makes_smaller_trees() {
    let board = board(2);
    let nodes = |dropout| TreeMaker::new().make(&board, &TreeSettings::sindelar(3, 100, dropout), 0).unwrap().nodes();
    assert!(nodes(0.5) * 3 < nodes(0.0));
}

#[test]
fn rows_are_padded_or_dropped_to_the_eightieth_percentile() {
    assert_eq!(equal_branches(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), 8);
    assert_eq!(equal_branches(&[5]), 5);
    assert_eq!(equal_branches(&[]), 0);
    let tree = TreeMaker::new().make(&board(0), &TreeSettings::sindelar(1, 6, 0.0), 0).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let [actions, scores, best] = tree.rows(8, &mut rng);
    assert_eq!([actions.len(), scores.len(), best.len()], [32; 3]);
    assert!(actions[24..].iter().all(|v| *v == homeguard::formats::PADDING));
    assert_eq!(tree.rows(4, &mut rng)[0].len(), 16);
}

#[test]
fn clusters_stand_for_all_branches_they_replace() {
    let board = board(3);
    let mut maker = TreeMaker::new();
    let everything = maker.make(&board, &TreeSettings::sindelar(1, 0, 0.0), 1).unwrap();
    for selector in [Selector::States { covers: false }, Selector::States { covers: true }, Selector::Orders] {
        let settings = TreeSettings::sindelar(1, 12, 0.0).selected_by(selector);
        let tree = maker.make(&board, &settings, 1).unwrap();
        check_replay(&board, &tree, Enemy::GreedyPolicy);
        check_best(&tree);
        assert!((1..=12).contains(&tree.branches()), "{selector:?}");
        let stood_for: u32 = (0..tree.branches()).map(|b| tree.weight(b)).sum();
        assert_eq!(stood_for as usize, everything.branches(), "{selector:?}");
        assert_eq!(maker.make(&board, &settings, 1).unwrap(), tree);
        let deeper = maker.make(&board, &TreeSettings::sindelar(2, 8, 0.0).selected_by(selector), 1).unwrap();
        check_replay(&board, &deeper, Enemy::GreedyPolicy);
        assert!((0..deeper.branches()).any(|b| deeper.weight(b) > 1));
    }
    // clusters leave no state behind in the tree maker
    assert_eq!(maker.make(&board, &TreeSettings::sindelar(1, 0, 0.0), 1).unwrap(), everything);
}
