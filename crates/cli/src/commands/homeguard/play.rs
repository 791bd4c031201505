//! `parlour homeguard play`: a game in the terminal.

use std::io::{BufRead, Write};

use anyhow::{Context, Result, bail};
use homeguard::formats::{Blank, map_to_text};
use homeguard::players::Strength;
use homeguard::rules::{Board, Order, Orders, PlayRules, Round, Side, Size, Soldier, Troops};
use homeguard::taste::plain_map;
use rand::SeedableRng;

use super::files::read_map;

#[derive(clap::Args)]
pub struct Args {
    /// The computer's strength: recruit, private, greedy, maximin, deep, captain, major, hard
    #[arg(long, default_value = "greedy")]
    level: String,
    /// Let a computer of this strength play your side too
    #[arg(long, value_name = "LEVEL")]
    watch: Option<String>,
    /// The map: a file, its text, or - for standard input; a random one if not given
    #[arg(long)]
    map: Option<String>,
    /// The study's rules without sudden death
    #[arg(long)]
    study_rules: bool,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn strength(id: &str) -> Result<&'static Strength> {
    Strength::find(id).with_context(|| {
        let known: Vec<&str> = homeguard::players::LEVELS.iter().map(|l| l.id).collect();
        format!("there is no level '{id}'; there are {}", known.join(", "))
    })
}

pub fn run(args: Args) -> Result<()> {
    let map = match &args.map {
        Some(given) => read_map(given)?,
        None => plain_map(Size::DEFAULT, &mut rand_chacha::ChaCha8Rng::seed_from_u64(args.seed)),
    };
    let board = Board::new(map);
    let away = strength(&args.level)?;
    let home = args.watch.as_deref().map(strength).transpose()?;
    let rules = if args.study_rules { PlayRules::STUDY } else { PlayRules::SUDDEN };
    let mut troops = Troops::start(&board);
    let mut rounds = 0u16;
    println!(
        "You are 1 and 2, they are 3 and 4. # rock, ^ tree, letters are portals. Orders: stay nw ne sw se portal."
    );
    loop {
        draw(&board, &troops);
        if let Some(ending) = rules.ending(&board, &troops, rounds) {
            match ending.winner {
                Some(Side::Home) => println!("you win after {rounds} rounds ({:?})", ending.reason),
                Some(Side::Away) => println!("you lose after {rounds} rounds ({:?})", ending.reason),
                None => println!("a draw after {rounds} rounds"),
            }
            return Ok(());
        }
        let think = |who: &Strength, side: Side| {
            let seed = args.seed.wrapping_mul(1_000).wrapping_add(2 * u64::from(rounds) + side.index() as u64);
            who.play(&board, &troops, side, &rules, rounds, who.effort, seed, None).orders
        };
        let own = match home {
            Some(who) => think(who, Side::Home),
            None => match ask(&board, &troops)? {
                Some(orders) => orders,
                None => return Ok(()),
            },
        };
        let round = troops.play(&board, Orders::of(own, think(away, Side::Away)));
        rounds += 1;
        tell(&board, &round, rounds);
    }
}

fn ask(board: &Board, troops: &Troops) -> Result<Option<[Order; 2]>> {
    loop {
        print!("orders for 1 and 2: ");
        std::io::stdout().flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match read_orders(&line) {
            Ok(orders) if troops.order_pairs(board, Side::Home).contains(&orders) => return Ok(Some(orders)),
            Ok(_) => println!("not possible: off the board, no portal there, or too close to somebody"),
            Err(error) => println!("{error}"),
        }
    }
}

fn read_orders(line: &str) -> Result<[Order; 2]> {
    let read = |word: &str| -> Result<Order> {
        Ok(match word.to_lowercase().as_str() {
            "stay" | "s" | "-" => Order::Stay,
            "nw" => Order::NorthWest,
            "ne" => Order::NorthEast,
            "sw" => Order::SouthWest,
            "se" => Order::SouthEast,
            "portal" | "p" => Order::Portal,
            other => bail!("'{other}' is no order: use stay, nw, ne, sw, se or portal"),
        })
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [a, b] => Ok([read(a)?, read(b)?]),
        _ => bail!("two orders are needed, for instance: se stay"),
    }
}

fn draw(board: &Board, troops: &Troops) {
    let text = map_to_text(board.map(), Blank::Dot);
    let mut rows: Vec<Vec<char>> = text
        .split('\n')
        .map(|row| {
            row.chars()
                .map(|c| match c {
                    '0' => '#',
                    '1' => '^',
                    '2' | '3' => '.',
                    other => other,
                })
                .collect()
        })
        .collect();
    for (soldier, mark) in Soldier::ALL.into_iter().zip('1'..='4') {
        let square = board.square(troops.at(soldier));
        rows[usize::from(square.y)][usize::from(square.x)] = mark;
    }
    for row in rows {
        println!("  {}", row.into_iter().map(String::from).collect::<Vec<_>>().join(" "));
    }
    let hp: Vec<String> = Soldier::ALL.iter().map(|s| format!("{}: {}", s.index() + 1, troops.hp(*s))).collect();
    println!(
        "  hit points {}; kills {}–{}; score {:+}",
        hp.join(", "),
        troops.kills(Side::Home),
        troops.kills(Side::Away),
        troops.score()
    );
}

fn tell(board: &Board, round: &Round, number: u16) {
    println!("round {number}");
    for step in round.moves.iter().filter(|m| m.from != m.to || m.blocked) {
        if step.blocked {
            println!("  {} is blocked", step.soldier.index() + 1);
        } else {
            println!("  {} goes to {}", step.soldier.index() + 1, board.square(step.to));
        }
    }
    for shot in &round.shots {
        println!("  {} hits {} for {}", shot.shooter.index() + 1, shot.target.index() + 1, shot.damage.points());
    }
    for fall in &round.falls {
        println!("  {} falls and comes back at {}", fall.soldier.index() + 1, board.square(fall.back_at));
    }
}
