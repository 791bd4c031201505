//! Conditional logit (McFadden 1974): a choice among alternatives by a weighted sum of features.

/// One choice: the features of every alternative and how much of the choice fell on each.
#[derive(Clone, Debug)]
pub struct ChoiceExample {
    /// Features of the alternatives, all of one length.
    pub features: Vec<Vec<f32>>,
    /// Share of the choice per alternative; they sum to 1.
    pub chosen: Vec<f32>,
    /// How many real alternatives a sampled one stands for (1 for all, if none is sampled).
    pub copies: Vec<f32>,
}

/// Numbers that differ less than this are not scaled up further: a few choices would give them any weight.
const LEAST_DEVIATION: f32 = 0.02;

/// Fits weights by gradient ascent on the likelihood (Adam, all choices in every step), with
/// features scaled to unit deviation inside and an L2 penalty; the order of choices does not matter
/// beyond rounding.
pub fn fit(choices: &[ChoiceExample], l2: f32, steps: usize) -> Vec<f32> {
    let Some(width) = choices.iter().find_map(|c| c.features.first()).map(Vec::len) else { return Vec::new() };
    let mut deviation = vec![0f64; width];
    let mut count = 0f64;
    for choice in choices {
        let n = choice.features.len() as f64;
        count += n;
        for k in 0..width {
            let mean = choice.features.iter().map(|f| f64::from(f[k])).sum::<f64>() / n;
            deviation[k] += choice.features.iter().map(|f| (f64::from(f[k]) - mean).powi(2)).sum::<f64>();
        }
    }
    let scale: Vec<f32> = deviation.iter().map(|d| ((d / count.max(1.0)).sqrt() as f32).max(LEAST_DEVIATION)).collect();
    let mut weights = vec![0f32; width];
    let (mut m, mut v) = (vec![0f32; width], vec![0f32; width]);
    let total = choices.len() as f32;
    for step in 1..=steps {
        let mut gradient = vec![0f32; width];
        for choice in choices {
            let scores: Vec<f32> = choice
                .features
                .iter()
                .map(|f| f.iter().zip(&weights).zip(&scale).map(|((x, w), s)| x * w / s).sum())
                .collect();
            let top = scores.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
            let exp: Vec<f32> = scores.iter().zip(&choice.copies).map(|(s, c)| (s - top).exp() * c).collect();
            let sum: f32 = exp.iter().sum();
            for ((f, e), y) in choice.features.iter().zip(&exp).zip(&choice.chosen) {
                let error = y - e / sum;
                if error.abs() > 1e-7 {
                    gradient.iter_mut().zip(f).zip(&scale).for_each(|((g, x), s)| *g += error * x / s);
                }
            }
        }
        let rate = 0.1 * (1.0 - 0.9 * step as f32 / steps as f32);
        for k in 0..width {
            let g = gradient[k] / total - l2 * weights[k];
            m[k] = 0.9 * m[k] + 0.1 * g;
            v[k] = 0.99 * v[k] + 0.01 * g * g;
            let (mh, vh) = (m[k] / (1.0 - 0.9f32.powi(step as i32)), v[k] / (1.0 - 0.99f32.powi(step as i32)));
            weights[k] += rate * mh / (vh.sqrt() + 1e-6);
        }
    }
    weights.iter().zip(&scale).map(|(w, s)| w / s).collect()
}

/// The weighted sum of features.
pub fn score(weights: &[f32], features: &[f32]) -> f32 {
    weights.iter().zip(features).map(|(w, x)| w * x).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_telling_feature_gets_the_weight() {
        let choices: Vec<ChoiceExample> = (0..200)
            .map(|i| {
                let noise = |k: usize| ((i * 7 + k * 13) % 11) as f32 / 11.0;
                let features = (0..4).map(|k| vec![f32::from(u8::from(k == i % 4)), noise(k)]).collect();
                let chosen = (0..4).map(|k| f32::from(u8::from(k == i % 4))).collect();
                ChoiceExample { features, chosen, copies: vec![1.0; 4] }
            })
            .collect();
        let w = fit(&choices, 1e-3, 200);
        assert!(w[0] > 2.0 && w[1].abs() < 1.0, "{w:?}");
    }
}
