use homeguard::taste::eval::*;
use homeguard::taste::simulated::PLAYERS;
use homeguard::taste::*;
use homeguard::tree::TreeMaker;
fn main() {
    let a: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let mut maker = TreeMaker::new();
    let t = std::time::Instant::now();
    let path = "/tmp/hg_pool.txt";
    let pool = match std::fs::read_to_string(path) {
        Ok(text) => Pool::from_records(&homeguard::formats::RecordFile::from_text(&text).unwrap()).unwrap(),
        Err(_) => {
            let pool = Pool::generate(homeguard::rules::Size::DEFAULT, 400, 1100, 1, &mut maker, |_| {});
            std::fs::write(path, pool.to_records().to_text()).unwrap();
            pool
        }
    };
    println!("pool {:?}", t.elapsed());
    let reference = Reference::new(&pool, 1, &mut maker);
    println!("ref {:?} cells {}", t.elapsed(), reference.cells(&pool));
    let mut sums = [0.0; 6];
    for p in 0..PLAYERS.len() {
        let mut s = [0.0; 6];
        for r in 0..a[0] {
            let x = session(&pool, &reference, p, a[1] + r, &mut maker);
            for i in 0..4 {
                s[i] += x.lift[i] / a[0] as f64;
            }
            s[4] += x.elimination / a[0] as f64;
            s[5] += x.cells as f64 / a[0] as f64;
        }
        println!("{:12} {:.2?}", PLAYERS[p].name, s);
        for i in 0..6 {
            sums[i] += s[i] / PLAYERS.len() as f64;
        }
    }
    println!("mean {:.3?} {:?}", sums, t.elapsed());
}
