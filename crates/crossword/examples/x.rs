use crossword::formats::{ipuz, study};
use crossword::maker::*;
use crossword::memory::*;
use crossword::puzzle::*;
use crossword::solver::*;
use std::time::*;
#[path = "../../lab/src/crossword/fit.rs"]
#[allow(dead_code)]
mod fit;
use rand::{RngExt, SeedableRng};

fn jsonl(path: &str) -> Vec<Puzzle> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|l| {
        let v: serde_json::Value = serde_json::from_str(l).unwrap();
        let rows: Vec<Vec<char>> = v["grid"].as_str().unwrap().split('|').map(|r| r.chars().collect()).collect();
        let w = rows[0].len();
        let cells = rows.into_iter().flatten().map(|c| if c == '.' { Cell { kind: CellKind::Block, ..Cell::default() } } else { Cell { solution: Some(c.to_uppercase().collect()), ..Cell::default() } }).collect();
        let mut grid = Grid::new(w, cells).unwrap();
        let mut entries = grid.number_runs();
        for e in &mut entries {
            let (r, c) = ((e.cells[0] / w + 1) as u64, (e.cells[0] % w + 1) as u64);
            for t in v["entries"].as_array().unwrap() {
                if t["row"].as_u64() == Some(r) && t["col"].as_u64() == Some(c) && (t["dir"] == "Across") == (e.direction == Direction::Across) { e.clue = t["clue"].as_str().unwrap().to_owned(); }
            }
        }
        entries.sort_by_key(|e| e.direction);
        Puzzle { meta: Meta::default(), grid, entries, extras: Default::default() }
    }).collect()
}
fn sample(total: usize, n: usize, seed: u64) -> Vec<usize> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut left: Vec<usize> = (0..total).collect();
    let mut out = Vec::new();
    for _ in 0..n.min(total) { let at = rng.random_range(0..left.len()); out.push(left.swap_remove(at)); }
    out.sort_unstable(); out
}
fn knowns(ps: &[&Puzzle]) -> Vec<fit::Known> {
    ps.iter().flat_map(|p| p.entries.iter().filter_map(|e| Some(fit::Known { clue: e.clue.clone(), answer: p.answer(e)? }))).collect()
}
fn take(mut k: Vec<fit::Known>, n: usize, seed: u64) -> Vec<fit::Known> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut out = Vec::new();
    while out.len() < n && !k.is_empty() { let at = rng.random_range(0..k.len()); out.push(k.swap_remove(at)); }
    out
}
fn thesis() -> Vec<Puzzle> {
    ["easy", "med", "hard", "guardian14256"].iter().map(|n| {
        let d = "/work/shared/data/crossword/thesis";
        let mut p = study::read(&std::fs::read_to_string(format!("{d}/{n}.crossword")).unwrap()).unwrap();
        study::read_solution(&mut p, &std::fs::read_to_string(format!("{d}/{n}.solution")).unwrap()).unwrap();
        p
    }).collect()
}
fn run(name: &str, ps: &[&Puzzle], k: &Knowledge, time: f64, verbose: bool) {
    let (mut w, mut wr, mut l, mut lr, mut perfect) = (0, 0, 0, 0, 0);
    let mut secs = 0.0;
    let mut bins = [(0usize, 0.0f64, 0usize); 10];
    let mut lbins = [(0usize, 0.0f64, 0usize); 10];
    let mut who = std::collections::BTreeMap::new();
    for p in ps {
        let t = Instant::now();
        let s = solve(p, k, Duration::from_secs_f64(time)).unwrap();
        secs += t.elapsed().as_secs_f64();
        *who.entry(s.calibration).or_insert(0) += 1;
        let mut right = 0;
        for (e, b) in p.entries.iter().zip(&s.entries) {
            let ok = p.answer(e).unwrap() == b.answer;
            right += ok as usize;
            if verbose && !ok { println!("  {} want {} got {} {:.2}", e.clue, p.answer(e).unwrap(), b.answer, b.probability); }
            let bin = &mut bins[((b.probability * 10.0) as usize).min(9)];
            bin.0 += 1; bin.1 += b.probability; bin.2 += ok as usize;
        }
        w += p.entries.len(); wr += right; perfect += (right == p.entries.len()) as usize;
        for (c, b) in p.grid.cells().iter().zip(&s.cells) {
            if let (Some(x), Some(b)) = (&c.solution, b) {
                let ok = x.starts_with(b.letter); l += 1; lr += ok as usize;
                let bin = &mut lbins[((b.probability * 10.0) as usize).min(9)];
                bin.0 += 1; bin.1 += b.probability; bin.2 += ok as usize;
            }
        }
    }
    let ece = |b: &[(usize, f64, usize)]| b.iter().map(|&(_, s, r)| (s - r as f64).abs()).sum::<f64>() / b.iter().map(|x| x.0).sum::<usize>() as f64;
    println!("{name}: words {wr}/{w} {:.3} letters {lr}/{l} {:.3} perfect {perfect}/{} {secs:.1}s ece {:.3} {:.3} {who:?}", wr as f64 / w as f64, lr as f64 / l as f64, ps.len(), ece(&bins), ece(&lbins));
    if verbose { for b in bins.iter().chain(&lbins) { println!("   n {} stated {:.2} right {:.2}", b.0, b.1 / b.0.max(1) as f64, b.2 as f64 / b.0.max(1) as f64); } }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let data = std::path::Path::new("data");
    match args[1].as_str() {
        "ship" => {
            for lang in ["en", "cs", "pl"] {
                let book = ClueBook::parse(lang, &std::fs::read_to_string(format!("data/clues/{lang}.tsv")).unwrap()).unwrap();
                let bank = Bank::new(&book, None);
                std::fs::create_dir_all(format!("data/crossword/{lang}")).unwrap();
                let plan: [(usize, u8); 14] = [(5, 1), (5, 1), (9, 1), (9, 1), (9, 1), (11, 1), (5, 2), (9, 2), (11, 2), (11, 2), (13, 2), (9, 3), (11, 3), (11, 3)];
                for (i, (size, difficulty)) in plan.into_iter().enumerate() {
                    let title = match lang { "en" => format!("Parlour {}", i + 1), "cs" => format!("Salon {}", i + 1), _ => format!("Salonik {}", i + 1) };
                    let mut done = false;
                    for seed in 0..8 { let size = if seed > 3 && size > 11 { 11 } else if seed > 5 && size > 9 { 9 } else { size };
                        let wish = Wish { size, difficulty, seed: 1000 + i as u64 + 100 * seed, title: title.clone(), author: "Parlour".into() };
                        match make(&wish, &book, &bank, None) {
                            Ok(p) => { let t = ipuz::write(&p).unwrap(); assert_eq!(ipuz::read(&t).unwrap(), p);
                                std::fs::write(format!("data/crossword/{lang}/{:02}.ipuz", i + 1), t + "\n").unwrap(); println!("{lang} {size} {} words", p.entries.len());
                                for row in p.grid.rows() { println!("   {}", row.iter().map(|c| c.solution.clone().unwrap_or("·".into())).collect::<String>()); } done = true; break; }
                            Err(e) => println!("{lang} {size}: {e}"),
                        }
                    }
                    if !done { println!("{lang} {size} FAILED"); }
                }
            }
        }
        _ => {
            let language = semantics::Language::open(data, "en").unwrap();
            let t = Instant::now();
            let weights = args.iter().position(|a| a == "--weights").map(|i| serde_json::from_str(&std::fs::read_to_string(&args[i + 1]).unwrap()).unwrap()).unwrap_or(semantics::clue::ClueWeights::shipped());
            let scorer = semantics::ClueScorer::with(&language, &weights);
            println!("open {:.2}", t.elapsed().as_secs_f64());
            let num = |name: &str, d: usize| args.iter().position(|a| a == name).map(|i| args[i + 1].parse().unwrap()).unwrap_or(d);
            let ps = jsonl("/work/team/t/crossword/american.jsonl");
            let test = sample(ps.len(), 100, 1);
            let rest: Vec<usize> = (0..ps.len()).filter(|i| !test.contains(i)).collect();
            let hold: Vec<usize> = rest.iter().copied().step_by(10).collect();
            let with_memory = args.iter().any(|a| a == "--memory");
            let memory = with_memory.then(|| {
                let mut b = Builder::default();
                let dev = args.iter().any(|a| a == "--dev");
                for &i in &rest { if dev && hold.contains(&i) { continue; } let p = &ps[i]; for e in &p.entries { b.add(&p.answer(e).unwrap(), &e.clue).unwrap(); } }
                ClueMemory::open(std::sync::Arc::new(b.finish())).unwrap()
            });
            let mut k = Knowledge::new(&scorer, memory.as_ref(), &[]);
            if let Some(i) = args.iter().position(|a| a == "--cal") {
                let cals: Vec<Calibration> = args[i + 1].split(',').map(|f| { let mut c: Calibration = serde_json::from_str(&std::fs::read_to_string(f).unwrap()).unwrap(); c.name = Box::leak(f.to_owned().into_boxed_str()); c }).collect();
                k = k.with_calibrations(cals);
            }
            match args[1].as_str() {
                "thesis" => { let t = thesis(); run("thesis", &t.iter().collect::<Vec<_>>(), &k, 10.0, true); }
                "test" => { let n = num("-n", 10); let s: Vec<&Puzzle> = test.iter().take(n).map(|&i| &ps[i]).collect(); run("test", &s, &k, 10.0, args.iter().any(|a| a == "-v")); }
                "dev" => { let n = num("-n", 10); let s: Vec<&Puzzle> = hold.iter().take(n).map(|&i| &ps[i]).collect(); run("dev", &s, &k, 10.0, args.iter().any(|a| a == "-v")); }
                "meaning" => {
                    let n = num("-n", 1000);
                    let book = ClueBook::parse("en", &std::fs::read_to_string("data/clues/en.tsv").unwrap()).unwrap();
                    let bk: Vec<fit::Known> = book.pairs().map(|(a, c)| fit::Known { clue: c.to_owned(), answer: a.to_owned() }).collect();
                    let bk = take(bk, n + 300, 1);
                    let (bk, check) = bk.split_at(n);
                    let am = take(knowns(&rest.iter().map(|&i| &ps[i]).collect::<Vec<_>>()), num("-a", 1000), 1);
                    let mut all = bk.to_vec(); all.extend(am);
                    let w = fit::meaning(&scorer, &weights.ordered(), &all, 1);
                    let named: std::collections::BTreeMap<String, f32> = semantics::clue::FEATURES.iter().map(|s| s.to_string()).zip(w.iter().copied()).collect();
                    println!("{}", serde_json::to_string(&named).unwrap());
                    std::fs::write(&args[2], serde_json::to_string(&named).unwrap()).unwrap();
                    let ev = |name: &str, c: &[fit::Known]| {
                        let ca: Vec<_> = c.iter().map(|k| semantics::eval::clues::ClueAnswer { clue: k.clue.clone(), answer: k.answer.to_lowercase() }).collect();
                        for (n, w) in [("old", weights.ordered()), ("new", w.clone())] { println!("{name} {n} {:?}", semantics::eval::clues::evaluate(&scorer, &w, &ca).0.mrr); }
                    };
                    ev("book", check);
                    let t = thesis();
                    ev("hints", &knowns(&t[..3].iter().collect::<Vec<_>>()));
                }
                "evidence" => {
                    let c = take(knowns(&hold.iter().map(|&i| &ps[i]).collect::<Vec<_>>()), num("-n", 800), 1);
                    let f = fit::evidence(&k, &c, 1);
                    println!("{:?}", FEATURES.iter().zip(&f.weights).collect::<Vec<_>>());
                    println!("{}", serde_json::json!({"weights": f.weights, "unlisted": f.unlisted, "word_power": 1.0, "letter_power": 1.0}));
                }
                _ => {}
            }
        }
    }
}
