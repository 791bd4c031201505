//! Learning the win model from self-play of the static player.

use game::Seed;
use scrabble::engine::movegen::MoveGenerator;
use scrabble::engine::{MAX_UNSEEN, OnePlyPlayer, WinModel};
use scrabble::{TwoPlayerGame, rack_value, with_graph};

/// Plays games and records, for every number of unseen tiles, the change of the lead until the end.
pub fn learn(player: &OnePlyPlayer<'_>, games: u64, seed: Seed, mut progress: impl FnMut(u64)) -> WinModel {
    let mut sums = vec![(0.0, 0.0, 0.0); MAX_UNSEEN + 1];
    let dictionary = player.dictionary;
    with_graph!(dictionary, graph => {
        let generator = MoveGenerator::new(graph, dictionary.values(), player.layout);
        for number in 0..games {
            progress(number);
            let mut rng = seed.rng(number);
            let mut position = TwoPlayerGame::new(dictionary, player.layout, &mut rng);
            let mut seen: Vec<(usize, usize, i32)> = Vec::new();
            while !position.over {
                let me = position.to_move;
                let unseen = position.bag.len() + position.racks[1 - me].len();
                seen.push((me, unseen, position.lead()));
                let other = rack_value(dictionary, &position.racks[1 - me]);
                let (turn, _) = player.choose_with(&generator, &position.board, position.rack(), position.bag.len(), other);
                position.apply(dictionary, turn, &mut rng);
            }
            for (me, unseen, lead) in seen {
                let change = (position.scores[me] - position.scores[1 - me] - lead) as f64;
                let cell = &mut sums[unseen.min(MAX_UNSEEN)];
                cell.0 += 1.0;
                cell.1 += change;
                cell.2 += change * change;
            }
        }
    });
    WinModel::from_sums(&sums)
}
