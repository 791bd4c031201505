//! Evolving the weighted player against greedy (Dvořák 2006, section 6.4): resumable, with a plot.
//!
//! Dvořák counts wins in 30 games per player, a noisy measure. Here all players of a generation draw the same tiles,
//! mean spread may replace wins, and successive halving gives the better half more games. Alternatively no games are
//! played: weights are scored by their static regret ([`super::regret`]).

use super::autoplay::MatchRecord;
use super::fitness::{FitnessSetup, play};
use super::regret::RegretPositions;
use crate::job_submitter::{JobSubmitter, SubmitError};
use evolve::genetic::Generation;
pub use evolve::genetic::GeneticSettings;
use game::Seed;
use plotters::prelude::*;
use scrabble::players::{PHASES, PhaseWeights, TERMS};

/// Fitness of a generation, for the plot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GenerationFitness {
    pub generation: u32,
    pub best: f64,
    pub mean: f64,
}

/// A run: the current generation and its history.
#[derive(Clone, Debug, PartialEq)]
pub struct EvolutionRun {
    pub settings: GeneticSettings,
    pub seed: u64,
    pub generation: Generation,
    pub history: Vec<GenerationFitness>,
    /// With fitness from games, the mean of the last elite, which is less noisy than its best member. With fitness
    /// from regret, which is deterministic, the best of all generations.
    pub champion: Vec<f64>,
}

/// What a game against greedy contributes to fitness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Win or loss, as in Dvořák 2006.
    Wins,
    /// Spread in points.
    Spread,
}

/// How the fitness of a generation is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judging {
    pub measure: Measure,
    /// Games of every player in the first round.
    pub games: u64,
    /// Successive-halving rounds: after each but the last the better half doubles its games.
    pub rounds: u32,
}

/// Mean spread that maps to a fitness of 1.
const WHOLE_GAME: f64 = 200.0;
/// Prior games: the shrinkage of a result towards the mean of its generation.
const DOUBT: f64 = 100.0;

/// Mean spread mapped to the interval from 0 to 1.
fn share_of(spread: f64) -> f64 {
    (0.5 + spread / (2.0 * WHOLE_GAME)).clamp(0.0, 1.0)
}

impl Judging {
    /// A record as a share of the games, from 0 to 1.
    fn share(&self, record: &MatchRecord) -> f64 {
        match self.measure {
            Measure::Wins => record.win_rate(),
            Measure::Spread => share_of(record.mean_spread()),
        }
    }

    /// The share of every player; `play` plays pairs of games from the first to before the second number with each of
    /// some players.
    fn measure<E>(
        &self,
        players: usize,
        mut play: impl FnMut(&[usize], std::ops::Range<u64>) -> Result<Vec<MatchRecord>, E>,
    ) -> Result<Vec<f64>, E> {
        let mut records = vec![MatchRecord::default(); players];
        let mut live: Vec<usize> = (0..players).collect();
        let mut pairs = 0..self.games.div_ceil(2).max(1);
        for round in 0..self.rounds.max(1) {
            if round > 0 {
                live.sort_by(|&a, &b| self.share(&records[b]).total_cmp(&self.share(&records[a])).then(a.cmp(&b)));
                live.truncate(live.len().div_ceil(2));
                pairs = pairs.end..2 * pairs.end;
            }
            let played = play(&live, pairs.clone())?;
            live.iter().zip(&played).for_each(|(&i, record)| records[i].add(record));
        }
        let mean = records.iter().map(|r| self.share(r)).sum::<f64>() / players.max(1) as f64;
        let certain = |r: &MatchRecord| if self.rounds > 1 { r.games as f64 / (r.games as f64 + DOUBT) } else { 1.0 };
        Ok(records.iter().map(|r| mean + (self.share(r) - mean) * certain(r)).collect())
    }
}

/// The scale of each function.
const SCALE: [f64; TERMS] = [0.5, 6.0, 1.5, 0.5];

/// A genome as weights.
pub fn weights(genome: &[f64]) -> PhaseWeights {
    let mut weights = PhaseWeights::GREEDY;
    for phase in 0..PHASES {
        for term in 0..TERMS {
            weights.0[phase][term] = genome[phase * TERMS + term] * SCALE[term];
        }
    }
    weights
}

/// Weights as a genome.
pub fn genome(weights: &PhaseWeights) -> Vec<f64> {
    weights.0.iter().flat_map(|row| row.iter().zip(SCALE).map(|(weight, scale)| weight / scale)).collect()
}

impl EvolutionRun {
    /// A fresh run.
    pub fn new(settings: GeneticSettings, seed: u64) -> Self {
        let generation = Generation::random(&settings, PHASES * TERMS, &mut Seed(seed).rng(0));
        Self { settings, seed, generation, history: Vec::new(), champion: vec![0.0; PHASES * TERMS] }
    }

    /// A run whose first generation is scattered around these weights.
    pub fn around(settings: GeneticSettings, seed: u64, centre: &PhaseWeights) -> Self {
        let mut run = Self::new(settings, seed);
        run.champion = genome(centre);
        run.generation = Generation::around(&settings, &run.champion, &mut Seed(seed).rng(0));
        run
    }

    /// Measures the fitness of the current generation by games against greedy and breeds the next.
    pub fn step(
        &mut self,
        submitter: JobSubmitter<'_>,
        setup: &FitnessSetup,
        judging: Judging,
    ) -> Result<(), SubmitError> {
        let seed = Seed(self.seed.wrapping_mul(7919).wrapping_add(self.generation.number as u64));
        let players: Vec<PhaseWeights> = self.generation.genomes.iter().map(|genome| weights(genome)).collect();
        self.generation.fitness = judging.measure(players.len(), |some, pairs| {
            let some: Vec<&PhaseWeights> = some.iter().map(|&player| &players[player]).collect();
            play(submitter, setup, &some, seed, pairs)
        })?;
        let order = self.generation.ranking();
        let elite = (order.len() / 10).max(1);
        for (i, number) in self.champion.iter_mut().enumerate() {
            *number = order[..elite].iter().map(|&g| self.generation.genomes[g][i]).sum::<f64>() / elite as f64;
        }
        self.advance();
        Ok(())
    }

    /// Measures the fitness of the current generation by static regret and breeds the next. The fitness is the regret
    /// saved compared with greedy, in points a game, mapped like a mean spread.
    pub fn step_by_regret(&mut self, cases: &RegretPositions) {
        let greedy = cases.regret(&PhaseWeights::GREEDY);
        let fitness = |genome: &Vec<f64>| share_of(greedy - cases.regret(&weights(genome)));
        self.generation.fitness = self.generation.genomes.iter().map(fitness).collect();
        let best = self.generation.ranking()[0];
        if self.history.iter().all(|p| p.best < self.generation.fitness[best]) {
            self.champion = self.generation.genomes[best].clone();
        }
        self.advance();
    }

    /// Records the fitness and breeds the next generation.
    fn advance(&mut self) {
        let order = self.generation.ranking();
        let mean = self.generation.fitness.iter().sum::<f64>() / order.len() as f64;
        let best = self.generation.fitness[order[0]];
        self.history.push(GenerationFitness { generation: self.generation.number, best, mean });
        let mut rng = Seed(self.seed).rng(1 + self.generation.number as u64);
        self.generation = self.generation.next(&self.settings, &mut rng);
    }

    /// The run as text that [`EvolutionRun::parse`] reads.
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
        let mut run = Self::new(GeneticSettings::default(), 0);
        run.generation.genomes.clear();
        for (i, line) in text.lines().enumerate() {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            let numbers: Result<Vec<f64>, _> = rest.split_whitespace().map(str::parse).collect();
            let numbers = numbers.map_err(|e| format!("run, line {}: {e}", i + 1))?;
            let short = || format!("run, line {}: {key} with {} numbers", i + 1, numbers.len());
            match (key, &numbers[..]) {
                ("settings", &[population, group, by_fitness, elite, mutation, step]) => {
                    run.settings = GeneticSettings {
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
                    run.history.push(GenerationFitness { generation: generation as u32, best, mean });
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
                .caption("Weighted players against greedy", ("sans-serif", 20))
                .margin(12)
                .x_label_area_size(36)
                .y_label_area_size(44)
                .build_cartesian_2d(0..last, 0.3f64..0.8)
                .map_err(fail)?;
            chart.configure_mesh().x_desc("generation").y_desc("fitness, as a share of games").draw().map_err(fail)?;
            let best: Vec<_> = self.history.iter().map(|p| (p.generation, p.best)).collect();
            let mean: Vec<_> = self.history.iter().map(|p| (p.generation, p.mean)).collect();
            let lines = [("best", RGBColor(180, 70, 40), best), ("mean", RGBColor(40, 90, 160), mean)];
            for (name, color, points) in lines {
                let series = chart.draw_series(LineSeries::new(points, color.stroke_width(2))).map_err(fail)?;
                series.label(name).legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 16, y)], color));
            }
            chart.configure_series_labels().border_style(BLACK).draw().map_err(fail)?;
            area.present().map_err(fail)?;
        }
        Ok(svg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Players of known strength: the wins of player `i` in a hundred games.
    fn fixed(players: &[usize], pairs: std::ops::Range<u64>) -> Result<Vec<MatchRecord>, std::convert::Infallible> {
        let record = |&player: &usize| {
            let mut record = MatchRecord::default();
            for pair in pairs.clone() {
                let wins = (0..2).filter(|g| (pair * 2 + g) % 10 < player as u64).count() as u64;
                record.add(&MatchRecord::of_pair(wins, 0, 40 * wins as i64 - 40, 40, 700));
            }
            record
        };
        Ok(players.iter().map(record).collect())
    }

    #[test]
    fn the_better_half_plays_on_and_ranks_first() {
        for measure in [Measure::Wins, Measure::Spread] {
            let mut played = [0; 8];
            let judging = Judging { measure, games: 20, rounds: 3 };
            let shares = judging.measure(8, |players, pairs| {
                players.iter().for_each(|&player| played[player] += 2 * (pairs.end - pairs.start));
                fixed(players, pairs)
            });
            let shares = shares.expect("nothing fails here");
            assert_eq!(played, [20, 20, 20, 20, 40, 40, 80, 80]);
            assert!(shares.windows(2).all(|w| w[0] < w[1]), "{shares:?}");
        }
    }

    #[test]
    fn one_round_of_wins_is_dvoraks_fitness() {
        let judging = Judging { measure: Measure::Wins, games: 30, rounds: 1 };
        let shares = judging.measure(3, fixed);
        assert_eq!(shares, Ok(vec![0.0, 0.1, 0.2]));
    }

    #[test]
    fn the_best_of_all_generations_is_champion_where_nothing_is_left_to_chance() {
        let cases = RegretPositions::example();
        let mut run = EvolutionRun::new(GeneticSettings { population: 30, ..GeneticSettings::default() }, 9);
        for _ in 0..30 {
            run.step_by_regret(&cases);
        }
        let best = run.history.iter().map(|p| p.best).fold(0.0, f64::max);
        assert_eq!(share_of(cases.regret(&PhaseWeights::GREEDY) - cases.regret(&weights(&run.champion))), best);
        assert_eq!(cases.regret(&weights(&run.champion)), 0.0, "what greedy regrets is avoided");
    }

    #[test]
    fn a_run_is_read_back_and_starts_where_it_is_told() {
        let centre = PhaseWeights([[0.25, 12.0, -3.0, -0.5]; PHASES]);
        let run = EvolutionRun::around(GeneticSettings { population: 6, ..GeneticSettings::default() }, 5, &centre);
        assert_eq!(weights(&run.champion), centre);
        let again = EvolutionRun::parse(&run.to_text()).expect("a run");
        assert_eq!((again.generation.genomes, again.champion), (run.generation.genomes, run.champion));
    }
}
