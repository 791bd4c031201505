//! Evolving the weighted player against greedy (the study's section 6.4): resumable, with a plot.

use super::autoplay::{Record, play_pair};
use evolve::genetic::Generation;
pub use evolve::genetic::GeneticSettings as Settings;
use game::Seed;
use plotters::prelude::*;
use scrabble::players::{PHASES, Quick, Style, TERMS, Weighted, Weights};
use scrabble::{Dictionary, Layout, LeaveModel};

/// A generation's result for the plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    pub generation: u32,
    pub best: f64,
    pub mean: f64,
}

/// A run: the current generation and what came before.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub settings: Settings,
    pub seed: u64,
    pub generation: Generation,
    pub history: Vec<Progress>,
    /// Mean of the elite after each generation: the average of several good players is steadier than the luckiest.
    pub champion: Vec<f64>,
}

/// A genome as weights; every function has a scale of its own.
pub fn weights(genome: &[f64]) -> Weights {
    const SCALE: [f64; TERMS] = [0.5, 6.0, 1.5, 0.3];
    let mut weights = Weights::GREEDY;
    for phase in 0..PHASES {
        for term in 0..TERMS {
            weights.0[phase][term] = genome[phase * TERMS + term] * SCALE[term];
        }
    }
    weights
}

impl Run {
    /// A fresh run.
    pub fn new(settings: Settings, seed: u64) -> Self {
        let generation = Generation::random(&settings, PHASES * TERMS, &mut Seed(seed).rng(0));
        Self { settings, seed, generation, history: Vec::new(), champion: vec![0.0; PHASES * TERMS] }
    }

    /// Judges the current generation by wins against greedy, and makes the next one.
    pub fn step(&mut self, dictionary: &Dictionary, layout: &Layout, games: u64, mut progress: impl FnMut(usize)) {
        let leaves = LeaveModel::zero(dictionary.alphabet().len());
        let mut greedy = Quick { dictionary, layout, leaves: &leaves, style: Style::Greedy };
        let seed = Seed(self.seed.wrapping_mul(7919).wrapping_add(self.generation.number as u64));
        let mut fitness = Vec::with_capacity(self.generation.genomes.len());
        for (i, genome) in self.generation.genomes.iter().enumerate() {
            progress(i);
            let mut player = Weighted::new(dictionary, layout, weights(genome));
            let mut record = Record::default();
            for pair in 0..games.div_ceil(2) {
                record.add(&play_pair(dictionary, layout, &mut player, &mut greedy, seed, pair));
            }
            fitness.push(record.wins as f64 + record.draws as f64 / 2.0);
        }
        self.generation.fitness = fitness;
        let order = self.generation.ranking();
        let elite = (order.len() / 10).max(1);
        for (i, number) in self.champion.iter_mut().enumerate() {
            *number = order[..elite].iter().map(|&g| self.generation.genomes[g][i]).sum::<f64>() / elite as f64;
        }
        let share = |f: f64| f / games.max(1) as f64;
        let mean = self.generation.fitness.iter().sum::<f64>() / order.len() as f64;
        let best = self.generation.fitness[order[0]];
        self.history.push(Progress { generation: self.generation.number, best: share(best), mean: share(mean) });
        let mut rng = Seed(self.seed).rng(1 + self.generation.number as u64);
        self.generation = self.generation.next(&self.settings, &mut rng);
    }

    /// The run as text that [`Run::parse`] reads.
    pub fn to_text(&self) -> String {
        let s = &self.settings;
        let mut out = format!(
            "settings {} {} {} {} {} {}\nseed {}\ngeneration {}\n",
            s.population, s.group, s.by_fitness, s.elite, s.mutation, s.step, self.seed, self.generation.number
        );
        let numbers = |v: &[f64]| v.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        for p in &self.history {
            out += &format!("history {} {} {}\n", p.generation, p.best, p.mean);
        }
        out += &format!("champion {}\n", numbers(&self.champion));
        for genome in &self.generation.genomes {
            out += &format!("genome {}\n", numbers(genome));
        }
        out
    }

    /// Reads a saved run.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut run = Self::new(Settings::default(), 0);
        run.generation.genomes.clear();
        for (i, line) in text.lines().enumerate() {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            let numbers: Result<Vec<f64>, _> = rest.split_whitespace().map(str::parse).collect();
            let numbers = numbers.map_err(|e| format!("run, line {}: {e}", i + 1))?;
            let short = || format!("run, line {}: {key} with {} numbers", i + 1, numbers.len());
            match (key, &numbers[..]) {
                ("settings", &[population, group, by_fitness, elite, mutation, step]) => {
                    run.settings = Settings {
                        population: population as usize,
                        group: group as usize,
                        by_fitness,
                        elite,
                        mutation,
                        step,
                    };
                }
                ("seed", &[seed]) => run.seed = seed as u64,
                ("generation", &[number]) => run.generation.number = number as u32,
                ("history", &[generation, best, mean]) => {
                    run.history.push(Progress { generation: generation as u32, best, mean });
                }
                ("champion", c) if c.len() == PHASES * TERMS => run.champion = c.to_vec(),
                ("genome", g) if g.len() == PHASES * TERMS => run.generation.genomes.push(g.to_vec()),
                _ => return Err(short()),
            }
        }
        if run.generation.genomes.len() == run.settings.population {
            Ok(run)
        } else {
            Err("run: genomes are missing".into())
        }
    }

    /// The fitness over generations as an SVG picture.
    pub fn plot(&self) -> Result<String, String> {
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (720, 420)).into_drawing_area();
            let fail = |e: DrawingAreaErrorKind<std::io::Error>| e.to_string();
            area.fill(&WHITE).map_err(fail)?;
            let last = self.history.last().map_or(1, |p| p.generation.max(1));
            let mut chart = ChartBuilder::on(&area)
                .caption("Wins against greedy", ("sans-serif", 20))
                .margin(12)
                .x_label_area_size(36)
                .y_label_area_size(44)
                .build_cartesian_2d(0..last, 0.3f64..0.9)
                .map_err(fail)?;
            chart.configure_mesh().x_desc("generation").y_desc("share of games").draw().map_err(fail)?;
            let lines: [(&str, RGBColor, fn(&Progress) -> f64); 2] =
                [("best", RGBColor(180, 70, 40), |p| p.best), ("mean", RGBColor(40, 90, 160), |p| p.mean)];
            for (name, color, value) in lines {
                let points = self.history.iter().map(|p| (p.generation, value(p)));
                let series = chart.draw_series(LineSeries::new(points, color.stroke_width(2))).map_err(fail)?;
                series.label(name).legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 16, y)], color));
            }
            chart.configure_series_labels().border_style(BLACK).draw().map_err(fail)?;
            area.present().map_err(fail)?;
        }
        Ok(svg)
    }
}
