//! `parlour homeguard play`: a game in the terminal.

use std::io::{BufRead, Write};

use anyhow::{Context, Result, bail};
use homeguard::engine::preference::plain_map;
use homeguard::engine::search::RoundContext;
use homeguard::formats::{Blank, map_to_text};
use homeguard::players::SkillLevel;
use homeguard::rules::{Battlefield, Faction, Order, Orders, PlayRules, Round, Size, Soldier, Troops, middle_points};
use rand::SeedableRng;

use super::map_files::read_map;

#[derive(clap::Args)]
#[command(after_help = "Example: parlour homeguard play --level maximin")]
pub struct Args {
    /// Level of the opponent: recruit, private, greedy, maximin, deep, captain, major, hard
    #[arg(long, default_value = "greedy")]
    level: String,
    /// Let this level play your side too
    #[arg(long, value_name = "LEVEL")]
    watch: Option<String>,
    /// Map: a file, its text, or - for standard input; random if absent
    #[arg(long)]
    map: Option<String>,
    /// End of the game: control (middle control), sudden (sudden death) or sindelar (thesis)
    #[arg(long, default_value = "sudden")]
    rules: String,
    /// Rules of the thesis
    #[arg(long, hide = true, alias = "study-rules")]
    thesis_rules: bool,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn strength(id: &str) -> Result<&'static SkillLevel> {
    SkillLevel::find(id).with_context(|| {
        let known: Vec<&str> = homeguard::players::LEVELS.iter().map(|l| l.id).collect();
        format!("there is no level '{id}'; there are {}", known.join(", "))
    })
}

pub fn run(args: Args) -> Result<()> {
    let map = match &args.map {
        Some(given) => read_map(given)?,
        None => plain_map(Size::DEFAULT, &mut rand_chacha::ChaCha8Rng::seed_from_u64(args.seed)),
    };
    let board = Battlefield::new(map);
    let away = strength(&args.level)?;
    let home = args.watch.as_deref().map(strength).transpose()?;
    let rules = match args.rules.as_str() {
        _ if args.thesis_rules => PlayRules::SINDELAR,
        "control" => PlayRules::CONTROL,
        "sudden" => PlayRules::SUDDEN,
        "sindelar" => PlayRules::SINDELAR,
        other => bail!("--rules {other}: use control, sudden or sindelar"),
    };
    let mut troops = Troops::start(&board);
    let (mut rounds, mut control) = (0u16, 0i16);
    println!(
        "You are 1 and 2, they are 3 and 4. # rock, ^ tree, letters are portals. Orders: stay nw ne sw se portal."
    );
    loop {
        print_board(&board, &troops);
        if let Some(ending) = rules.ending(&board, &troops, rounds, control) {
            match ending.winner {
                Some(Faction::Home) => println!("you win after {rounds} rounds ({:?})", ending.reason),
                Some(Faction::Away) => println!("you lose after {rounds} rounds ({:?})", ending.reason),
                None => println!("a draw after {rounds} rounds"),
            }
            return Ok(());
        }
        let decide = |who: &SkillLevel, side: Faction| {
            let seed = args.seed.wrapping_mul(1_000).wrapping_add(2 * u64::from(rounds) + side.index() as u64);
            let (board, troops, rules) = (&board, &troops, &rules);
            let context = RoundContext { board, troops, side, rules, rounds_played: rounds, control };
            who.play(&context, who.budget, seed, None).orders
        };
        let own = match home {
            Some(who) => decide(who, Faction::Home),
            None => match read_own_orders(&board, &troops)? {
                Some(orders) => orders,
                None => return Ok(()),
            },
        };
        let round = troops.play(&board, Orders::of(own, decide(away, Faction::Away)));
        rounds += 1;
        control += middle_points(&board, &troops);
        print_round(&board, &round, rounds);
    }
}

fn read_own_orders(board: &Battlefield, troops: &Troops) -> Result<Option<[Order; 2]>> {
    loop {
        print!("orders for 1 and 2: ");
        std::io::stdout().flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match read_orders(&line) {
            Ok(orders) if troops.order_pairs(board, Faction::Home).contains(&orders) => return Ok(Some(orders)),
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

fn print_board(board: &Battlefield, troops: &Troops) {
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
        troops.kills(Faction::Home),
        troops.kills(Faction::Away),
        troops.score()
    );
}

fn print_round(board: &Battlefield, round: &Round, number: u16) {
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
