//! `parlour arena homeguard`: matches between strengths on random maps, sides exchanged.

use anyhow::{Context, Result, bail};
use arena::{Contest, Played};
use homeguard::players::{Effort, LEVELS, Strength};
use homeguard::rules::{Board, Orders, PlayRules, Side, Size, Troops};
use homeguard::taste::plain_map;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::report::{MatchArgs, play};

#[derive(clap::Args)]
pub struct Args {
    /// First player: recruit, private, greedy, maximin, deep, captain, major or hard
    #[arg(long)]
    p1: String,
    /// Second player
    #[arg(long)]
    p2: String,
    /// study (two kills win, 60 rounds, then the score) or sudden (sudden death)
    #[arg(long, default_value = "study")]
    rules: String,
    /// Limit per round in milliseconds instead of the levels' own node budgets
    #[arg(long)]
    time_ms: Option<u64>,
    /// Side of the board
    #[arg(long, default_value_t = 11)]
    size: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    games: MatchArgs,
}

struct Match {
    players: [&'static Strength; 2],
    rules: PlayRules,
    effort: Option<Effort>,
    size: Size,
    seed: u64,
}

impl Contest for Match {
    fn play(&self, pair: u64, swapped: bool) -> Played {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(pair);
        let board = Board::new(plain_map(self.size, &mut rng));
        let mut troops = Troops::start(&board);
        let mut rounds = 0u16;
        let ending = loop {
            if let Some(ending) = self.rules.ending(&board, &troops, rounds) {
                break ending;
            }
            let orders = Side::BOTH.map(|side| {
                let who = self.players[side.index() ^ usize::from(swapped)];
                let seed = (self.seed ^ pair.wrapping_mul(0x9E37_79B9_7F4A_7C15))
                    .wrapping_add(u64::from(rounds) * 4 + side.index() as u64 * 2 + u64::from(swapped));
                let effort = self.effort.unwrap_or(who.effort);
                who.play(&board, &troops, side, &self.rules, rounds, effort, seed, None).orders
            });
            troops.play(&board, Orders::of(orders[0], orders[1]));
            rounds += 1;
        };
        let points = match ending.winner {
            None => 0.5,
            Some(side) => f64::from(u8::from((side == Side::Home) != swapped)),
        };
        Played { points, plies: 2 * u32::from(rounds), fault: None }
    }
}

pub fn run(args: Args) -> Result<()> {
    let find = |id: &str| {
        let known: Vec<&str> = LEVELS.iter().map(|level| level.id).collect();
        Strength::find(id).with_context(|| format!("there is no player '{id}'; there are {}", known.join(", ")))
    };
    let rules = match args.rules.as_str() {
        "study" => PlayRules::STUDY,
        "sudden" => PlayRules::SUDDEN,
        other => bail!("--rules {other}: use study or sudden"),
    };
    let contest = Match {
        players: [find(&args.p1)?, find(&args.p2)?],
        rules,
        effort: args.time_ms.map(|ms| Effort::Time(std::time::Duration::from_millis(ms))),
        size: Size::new(args.size)?,
        seed: args.seed,
    };
    let title = format!(
        "homeguard {} p1 {} p2 {} rules {} time {:?} seed {}",
        args.size, args.p1, args.p2, args.rules, args.time_ms, args.seed
    );
    play(&contest, &args.games, title)
}
