//! A strong spymaster that knows people take its clues reckons with people.

mod common;

use codenames::engine::meaning::ScoringModel;
use codenames::engine::{Ensemble, Objective};
use codenames::players::{Spymaster, SpymasterKind};
use codenames::rules::Number;
use codenames::table::{Action, Settings};
use game::conformance::start;
use game::{Budget, Control, Game, Seat, SeatSet, Viewer};

/// The first clue of a level at the table of a seed, by somebody who was told who sits beside it.
fn clue(level: &str, seed: u64, meetings: &[SeatSet]) -> (String, Number) {
    let game = common::game();
    let table = start(&game, &Settings::default(), seed);
    let seat = table.to_act(&game).iter().next().expect("somebody begins");
    let view = table.view(&game, Viewer::Seat(seat));
    let mut bot = game.bot(level).expect("the level exists");
    meetings.iter().for_each(|people| bot.set_human_partners(*people));
    match bot.choose(&game, seat, &view, Budget::Nodes(1), 1, &Control::new()).expect("it decides").action {
        Action::Clue { word, number, .. } => (word, number),
        other => panic!("{other:?} is no clue"),
    }
}

/// The first idea of a spymaster with the largest number of the level *strong*.
fn idea(spymaster: Spymaster, seed: u64) -> (String, Number) {
    let game = common::game();
    let table = start(&game, &Settings::default(), seed);
    let seat = table.to_act(&game).iter().next().expect("somebody begins");
    let position = table.view(&game, Viewer::Seat(seat)).position(true);
    let spymaster = Spymaster { most: 4, ..spymaster };
    let idea = spymaster.best_clues(game.language_model("en").expect("it is there"), &position, 4).swap_remove(0);
    (idea.word, idea.number)
}

#[test]
fn who_is_told_of_people_gives_the_clue_for_people() {
    let (people, nobody) = (SeatSet::only(Seat(1)), SeatSet::NONE);
    let mut differ = 0;
    for seed in 0..12 {
        let (for_people, for_programs) = (idea(Spymaster::for_people(), seed), idea(Spymaster::for_programs(), seed));
        assert_eq!(clue("strong", seed, &[people]), for_people, "seed {seed}");
        assert_eq!(clue("strong", seed, &[]), for_programs, "seed {seed}");
        assert_eq!(clue("strong", seed, &[nobody]), for_programs, "seed {seed}");
        assert_eq!(clue("strong", seed, &[people, nobody]), for_programs, "what it was told last counts");
        differ += usize::from(for_people != for_programs);
    }
    assert!(differ > 0, "the two are never different: the test is blind");
}

#[test]
fn levels_with_a_mind_of_their_own_take_no_notice() {
    for level in ["novice", "casual", "friend", "plain", "study", "daring"] {
        assert_eq!(clue(level, 5, &[SeatSet::only(Seat(1))]), clue(level, 5, &[]), "{level}");
    }
}

#[test]
fn the_mixture_for_people_is_whole_and_less_sharp() {
    let (people, strangers) = (Ensemble::people(), Ensemble::unknown_operatives());
    assert!((people.members.iter().map(|m| m.weight).sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!((people.objective, strangers.objective), (Objective::NextTurn, Objective::WholeGame));
    let sharp = |ensemble: &Ensemble| {
        let strong = ensemble.members.iter().find(|m| m.model == ScoringModel::Strong);
        strong.expect("both reckon with the whole association model").sharpness
    };
    assert!(sharp(&people) < sharp(&strangers), "people keep less to their best word than programs");
    assert_eq!(Spymaster::for_people().kind, SpymasterKind::ExpectedValue { ensemble: people });
}
