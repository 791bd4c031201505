//! Whole matches: resumed, spread over workers, ended by a test.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arena::{Contest, Fault, FaultKind, MatchPlan, PlayedGame, Results, Side, Sprt, SprtVerdict, Summary, run};

/// A game whose result is a fixed function of pair and side: the first player wins `percent` of the games.
struct Coin {
    percent: u64,
    played: AtomicU64,
}

impl Contest for Coin {
    fn play(&self, pair: u64, swapped: bool) -> PlayedGame {
        self.played.fetch_add(1, Ordering::Relaxed);
        let roll = (pair * 2 + u64::from(swapped)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        let points = f64::from(u8::from(roll % 100 < self.percent));
        let fault = (pair == 3 && swapped).then(|| Fault { by: Side::P2, kind: FaultKind::Time, note: "slow".into() });
        PlayedGame { points, plies: 9, fault }
    }
}

fn coin(percent: u64) -> Coin {
    Coin { percent, played: AtomicU64::new(0) }
}

fn plan(pairs: u64, workers: usize) -> MatchPlan {
    MatchPlan { pairs, workers, sprt: None, file: None, title: "coins".to_owned() }
}

#[test]
fn workers_change_nothing() {
    let play = |workers| run(&coin(60), &plan(50, workers), &AtomicBool::new(false), |_| {}).unwrap();
    assert_eq!(play(1), play(3));
    let summary = Summary::of(&play(2), None);
    assert_eq!((summary.games, summary.time_losses, summary.p2_faults), (100, 1, [1, 0, 0]));
    assert!(summary.interval95[0] < summary.elo && summary.elo < summary.interval95[1]);
}

#[test]
fn an_interrupted_match_goes_on_and_a_foreign_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = Some(folder.path().join("match.json"));
    let whole = run(&coin(60), &plan(20, 1), &AtomicBool::new(false), |_| {}).unwrap();
    let stop = AtomicBool::new(false);
    let first = coin(60);
    let part = run(&first, &MatchPlan { file: file.clone(), ..plan(20, 1) }, &stop, |results: &Results| {
        if results.pairs.len() == 7 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(part.unwrap().pairs.len(), 7);
    let second = coin(60);
    let rest = run(&second, &MatchPlan { file: file.clone(), ..plan(20, 2) }, &AtomicBool::new(false), |_| {}).unwrap();
    assert_eq!(rest, whole);
    assert_eq!(second.played.into_inner(), 26);
    let other = MatchPlan { file, title: "dice".to_owned(), ..plan(20, 1) };
    let error = run(&coin(60), &other, &AtomicBool::new(false), |_| {}).unwrap_err().to_string();
    assert!(error.contains("holds another match (coins); this one is dice"), "{error}");
}

#[test]
fn a_test_ends_the_match_at_the_same_pair_with_any_number_of_workers() {
    let sprt = Some(Sprt::new(0.0, 50.0));
    let play = |workers| {
        let plan = MatchPlan { sprt, ..plan(5_000, workers) };
        run(&coin(70), &plan, &AtomicBool::new(false), |_| {}).unwrap()
    };
    let (one, four) = (play(1), play(4));
    assert_eq!(one, four);
    let summary = Summary::of(&one, sprt);
    assert!(summary.games < 1_000);
    assert_eq!(summary.sprt.unwrap().verdict, SprtVerdict::AcceptedSecond);
}
