use homeguard::maps::*;
use homeguard::players::*;
use homeguard::rules::*;
use rand::SeedableRng;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let (p, q) = (Strength::find(&a[0]).unwrap(), Strength::find(&a[1]).unwrap());
    let n: u64 = a[2].parse().unwrap();
    let sudden: Option<u16> = a.get(3).map(|s| s.parse().unwrap());
    let rules = PlayRules { round_cap: if sudden.is_some() { 40 } else { 60 }, sudden_death: sudden.map(|from_round| SuddenDeath { from_round }) };
    let (mut s, mut draws, mut rounds, mut caps, mut w, mut l) = (0.0, 0, 0u64, 0, 0, 0);
    let t = std::time::Instant::now();
    for g in 0..n {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(g / 2);
        let board =
            Board::new(random_map(Size::DEFAULT, &Checkers, GeneWeights::default(), PortalRules::default(), &mut rng));
        let mut tr = Troops::start(&board);
        let sides = if g % 2 == 0 { [p, q] } else { [q, p] };
        let mut r = 0;
        let e = loop {
            if let Some(e) = rules.ending(&board, &tr, r) {
                break e;
            }
            let o: Vec<_> = Side::BOTH
                .iter()
                .map(|&sd| {
                    sides[sd.index()]
                        .play(
                            &board,
                            &tr,
                            sd,
                            &rules,
                            r,
                            sides[sd.index()].effort,
                            g * 1000 + r as u64 * 2 + sd.index() as u64,
                            None,
                        )
                        .orders
                })
                .collect();
            tr.play(&board, Orders::of(o[0], o[1]));
            r += 1;
        };
        rounds += r as u64;
        caps += u64::from(e.reason == Reason::RoundCap);
        match e.winner {
            None => {
                draws += 1;
                s += 0.5
            }
            Some(x) => {
                if (x == Side::Home) == (g % 2 == 0) {
                    s += 1.0;
                    w += 1
                } else {
                    l += 1
                }
            }
        }
    }
    println!(
        "{} v {}: {:.3} (+{w} ={draws} -{l}) caps {caps} rounds {:.1} ms/round {:.2}",
        p.id,
        q.id,
        s / n as f64,
        rounds as f64 / n as f64,
        t.elapsed().as_secs_f64() * 1e3 / rounds as f64
    );
}
