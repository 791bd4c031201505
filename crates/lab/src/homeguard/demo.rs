//! The demonstration of section 4.7 (Šindelář 2024): 1,000 points, 200 bad points in two opposite
//! quadrants, 20 known, and the first points that the four algorithms remove.

use homeguard::engine::preference::elimination::{Elimination, EmbeddedItems, KnownBad};
use plotters::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Recall of one algorithm.
#[derive(Clone, Debug, PartialEq)]
pub struct DemoResult {
    /// Name of the algorithm.
    pub name: &'static str,
    /// Share of the bad points among the first 100, 200 and 400 removed.
    pub found: [f64; 3],
}

const STAGES: [usize; 3] = [100, 200, 400];

/// Runs the demonstration; returns the numbers and the picture.
pub fn run(seed: u64) -> (Vec<DemoResult>, String) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let points: Vec<Vec<f32>> = (0..1_000).map(|_| vec![rng.random::<f32>(), rng.random::<f32>()]).collect();
    // bad points lie in the upper right and the lower left quadrant
    let mut candidates: Vec<usize> = (0..1_000).filter(|i| (points[*i][0] > 0.5) == (points[*i][1] > 0.5)).collect();
    candidates.sort_by(|a, b| {
        let depth = |i: usize| (points[i][0] - 0.5).abs().min((points[i][1] - 0.5).abs());
        depth(*b).total_cmp(&depth(*a))
    });
    candidates.truncate(200);
    let bad: Vec<bool> = (0..1_000).map(|i| candidates.contains(&i)).collect();
    candidates.shuffle(&mut rng);
    let known: Vec<KnownBad> = candidates[..20].iter().map(|i| KnownBad::plain(*i)).collect();
    let algorithms = [
        ("1 mean distance", Elimination::MeanDistance),
        ("2 round robin", Elimination::RoundRobin),
        ("3 softmin", Elimination::Softmin { temperature: 1.0 }),
        ("4 epidemic", Elimination::Epidemic { recovery: 5 }),
    ];
    let orders: Vec<(&'static str, Vec<usize>)> =
        algorithms.into_iter().map(|(name, a)| (name, a.order(&EmbeddedItems(&points), &known, &mut rng))).collect();
    let results = orders
        .iter()
        .map(|(name, order)| DemoResult {
            name,
            found: STAGES.map(|stage| order[..stage].iter().filter(|i| bad[**i]).count() as f64 / 200.0),
        })
        .collect();
    (results, draw(&points, &bad, &known, &orders))
}

fn draw(points: &[Vec<f32>], bad: &[bool], known: &[KnownBad], orders: &[(&'static str, Vec<usize>)]) -> String {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (780, 1_060)).into_drawing_area();
        let drawn = (|| -> Result<(), Box<dyn std::error::Error>> {
            root.fill(&WHITE)?;
            for (area, (index, stage)) in
                root.split_evenly((4, 3)).iter().zip((0..4).flat_map(|a| STAGES.into_iter().map(move |s| (a, s))))
            {
                let (name, order) = &orders[index];
                let mut chart = ChartBuilder::on(area)
                    .caption(format!("{name}: {stage} removed"), ("sans-serif", 14))
                    .margin(8)
                    .build_cartesian_2d(0f32..1f32, 0f32..1f32)?;
                for (place, item) in order.iter().enumerate() {
                    let at = (points[*item][0], points[*item][1]);
                    let color = if bad[*item] { RED } else { BLUE };
                    let style = if place < stage { color.filled() } else { color.mix(0.25).stroke_width(1) };
                    chart.draw_series([Circle::new(at, 2, style)])?;
                }
                chart
                    .draw_series(known.iter().map(|k| Cross::new((points[k.item][0], points[k.item][1]), 3, BLACK)))?;
            }
            root.present()?;
            Ok(())
        })();
        if drawn.is_err() {
            return "<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_owned();
        }
    }
    svg
}
