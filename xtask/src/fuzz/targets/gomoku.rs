//! Gomoku: files of games and openings, the tournament protocol, nets.

use super::{FuzzTarget, target, text, texts, told};
use gomoku::engine::net::Net;
use gomoku::engine::pattern_tables::PatternTables;
use gomoku::formats::{openings, plain, psq, renlib, sgf, sgf_tree};
use gomoku::protocol::{Session, Step, ThinkRequest};
use lab::gomoku::train_net;
use lab::gomoku::training_games::TrainingGame;
use std::time::Duration;

/// All fuzz targets of the game.
pub fn targets() -> Vec<FuzzTarget> {
    vec![
        renlib_target(),
        sgf_tree_target(),
        psq_target(),
        sgf_target(),
        plain_target(),
        openings_target(),
        any_target(),
        protocol_target(),
        net_target(),
        records_target(),
        contender_target(),
    ]
}

fn psq_target() -> FuzzTarget {
    target!(
        "gomoku.psq",
        "games of Piskvorky",
        texts(&["Piskvorky 15x15, 11:11, 0\n8,8,0\n8,9,120\n9,9,40\nblack\nwhite\n-1\n", "Piskvorky 20x20, 0:0, 1\n"]),
        |bytes| {
            let read = psq::read(&text(bytes));
            if let Ok(record) = &read {
                let again = psq::read(&psq::write(record)).expect("what was written can be read");
                assert_eq!(again.stones, record.stones);
            }
            told(read, |record| record.stones.len())
        }
    )
}

fn sgf_target() -> FuzzTarget {
    target!(
        "gomoku.sgf",
        "games as SGF",
        texts(&["(;GM[4]FF[4]SZ[15]PB[a]PW[b]RE[B+];B[hh];W[hi](;B[ii])(;B[ij]))", "(;SZ[9]AB[aa][bb]AW[cc];B[ee])"]),
        |bytes| {
            let read = sgf::read(&text(bytes));
            if let Ok(record) = &read {
                assert_eq!(sgf::read(&sgf::write(record)).expect("readable").stones, record.stones);
            }
            told(read, |record| record.stones.len())
        }
    )
}

fn plain_target() -> FuzzTarget {
    target!("gomoku.plain", "games as lists of points", texts(&["H8 I9\nj10", "h8h9g7"]), |bytes| {
        let size = 5 + bytes.first().map_or(10, |byte| byte % 18);
        let read = plain::read(&text(bytes), size);
        if let Ok(points) = &read {
            assert_eq!(plain::read(&plain::write(points, size), size).as_ref(), Ok(points));
        }
        told(read, Vec::len)
    })
}

fn openings_target() -> FuzzTarget {
    target!(
        "gomoku.openings",
        "lists of openings by offsets",
        texts(&["# three stones\n0,0, 1,-1, 1,3\n\n-7,7\n", "0,0"]),
        |bytes| {
            let read = openings::read(&text(bytes), 15);
            if let Ok(all) = &read {
                let full = all.iter().filter(|opening| !opening.is_empty()).count();
                assert_eq!(openings::read(&openings::write(all, 15), 15).expect("readable").len(), full);
            }
            told(read, Vec::len)
        }
    )
}

fn any_target() -> FuzzTarget {
    target!(
        "gomoku.any",
        "games in any of the formats, told apart by their beginning",
        texts(&["Piskvorky 15x15, 11:11, 0\n8,8,0\n", "(;GM[4]SZ[15];B[hh])", "h8 i9"]),
        |bytes| told(gomoku::formats::read(&text(bytes), 15), |record| record.stones.len())
    )
}

fn protocol_target() -> FuzzTarget {
    target!(
        "gomoku.protocol",
        "conversations with a tournament manager",
        texts(&[
            "START 15\nINFO timeout_turn 100\nINFO rule 1\nBEGIN\nTURN 1,2\nTAKEBACK 1,2\nEND",
            "START 20\nBOARD\n10,10,1\n11,11,2\nDONE\nABOUT\nRESTART",
            "START 15\nSWAP2BOARD\nDONE\nSUGGEST 3,3\nRECTSTART 8,9\nFOO",
            "START 15\nYXSHOWINFO\nINFO rule 2\nYXBOARD\nh8,1\n-1,-1,2\nDONE\nYXSHOWFORBID\nYXNBEST 2\nYXBALANCETWO 0",
        ]),
        |bytes| {
            let mut session = Session::new("name=\"Parlour\"");
            let mut last = "silent".to_owned();
            for line in text(bytes).lines().take(200) {
                match session.line(line) {
                    Step::Say(words) | Step::ClearHash(words) => last = words,
                    Step::Think(request) => {
                        last = "thinks".to_owned();
                        if let ThinkRequest::Move { position, .. } = *request
                            && let Some(point) = position.legal_points().next()
                        {
                            session.played(point, Duration::ZERO);
                        }
                    }
                    Step::Nothing => {}
                    Step::Exit => return "left".to_owned(),
                }
            }
            last
        }
    )
}

fn net_target() -> FuzzTarget {
    target!("gomoku.net", "weights of nets", vec![b"PARLNET".to_vec(), vec![0; 64]], |bytes| {
        told(Net::from_bytes(bytes), |_| 1)
    })
}

fn records_target() -> FuzzTarget {
    target!(
        "gomoku.records",
        "recorded games of self-play",
        vec![
            // a game of two stones and a move; a position of two stones with its best move and one compared with it
            vec![15, 0, 2, 2, 3, 0, 7, 7, 0, 0, 8, 8, 0, 0, 6, 8, 40, 0],
            vec![9, 0, 2, 3, 4, 0, 4, 4, 0, 0, 5, 5, 0, 0, 3, 5, 40, 0, 5, 3, 9, 0],
        ],
        |bytes| {
            let games = TrainingGame::read_all(bytes);
            let mut examples = Vec::new();
            for game in games.iter().filter(|game| game.is_possible()) {
                train_net::training_examples(game, PatternTables::of(game.rule), 0.5, &mut examples);
            }
            let possible = games.iter().all(TrainingGame::is_possible);
            told(if possible { Ok(examples) } else { Err("impossible") }, Vec::len)
        }
    )
}

fn contender_target() -> FuzzTarget {
    target!("gomoku.contender", "weights of patterns and net together", vec![vec![0; 100]], |bytes| {
        told(lab::gomoku::candidate::TrainingCandidate::from_bytes(bytes), |_| 1)
    })
}

fn renlib_target() -> FuzzTarget {
    target!("gomoku.renlib", "RenLib libraries", vec![library()], |bytes| {
        told(renlib::read(bytes), |tree| tree.nodes.len())
    })
}

fn sgf_tree_target() -> FuzzTarget {
    target!(
        "gomoku.sgf_tree",
        "SGF with variations",
        texts(&["(;GM[4]SZ[15]AB[hh][ii];B[gg](;W[ff]C[a])(;W[ee]LB[aa:1]))"]),
        |bytes| told(sgf_tree::read(&text(bytes)), |tree| tree.nodes.len())
    )
}

/// A root, a move with a comment and two answers.
fn library() -> Vec<u8> {
    let mut library = b"\xffRenLib\xff\x03\x04".to_vec();
    library.resize(20, 0xff);
    library.extend([0x00, 0x00, 0x78, 0x08, b'a', b'b', 0, 0, 0x69, 0xc0, 0x68, 0x40]);
    library
}
