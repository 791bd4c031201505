//! Win probability from the lead and the number of unseen tiles, learned from self-play.
//!
//! For every number of unseen tiles (bag and opponent's rack) the model holds the mean and standard deviation of the
//! final spread less the current lead; the win probability is the normal tail beyond zero.

const MAGIC: &[u8; 8] = b"PARWINP\n";

/// Largest number of unseen tiles with its own row.
pub const MAX_UNSEEN: usize = 100;

/// Mean and deviation of the remaining change of spread, in points, by number of unseen tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct WinModel {
    rows: Vec<(f32, f32)>,
}

impl Default for WinModel {
    /// The untrained model: a deviation that grows with the square root of the unseen tiles.
    fn default() -> Self {
        let row = |unseen: usize| (0.0, 4.0 + 9.0 * (unseen as f32).sqrt());
        Self { rows: (0..=MAX_UNSEEN).map(row).collect() }
    }
}

impl WinModel {
    /// A model from sums per number of unseen tiles: count, sum, sum of squares of (final spread − lead).
    pub fn from_sums(sums: &[(f64, f64, f64)]) -> Self {
        let mut model = Self::default();
        for (unseen, &(n, sum, squares)) in sums.iter().enumerate().take(MAX_UNSEEN + 1) {
            if n < 30.0 {
                continue;
            }
            let mean = sum / n;
            model.rows[unseen] = (mean as f32, (squares / n - mean * mean).max(1.0).sqrt() as f32);
        }
        model
    }

    /// Win probability of the player to move at this lead with this many unseen tiles.
    pub fn chance(&self, lead: f64, unseen: usize) -> f64 {
        let (mean, deviation) = self.rows[unseen.min(MAX_UNSEEN)];
        normal((lead + mean as f64) / deviation as f64)
    }

    /// The model as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        for (mean, deviation) in &self.rows {
            out.extend_from_slice(&mean.to_le_bytes());
            out.extend_from_slice(&deviation.to_le_bytes());
        }
        out
    }

    /// Reads a model; `None` when the bytes are not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let body = bytes.strip_prefix(MAGIC)?;
        if body.len() != (MAX_UNSEEN + 1) * 8 {
            return None;
        }
        let number = |b: &[u8]| f32::from_le_bytes(b.try_into().expect("four bytes"));
        let rows: Vec<_> = body.chunks_exact(8).map(|c| (number(&c[..4]), number(&c[4..]))).collect();
        rows.iter().all(|(m, d)| m.is_finite() && *d > 0.0).then_some(Self { rows })
    }
}

/// The normal distribution function (Abramowitz & Stegun 26.2.17, error below 1e-7).
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let poly =
        t * (0.319_381_530 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

/// Unit normal loss: the expected excess of a standard normal variable over `z`.
pub(super) fn unit_loss(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (density - z * (1.0 - normal(z))).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_symmetric_and_grow_with_the_lead() {
        let model = WinModel::default();
        assert!((model.chance(0.0, 40) - 0.5).abs() < 1e-6);
        assert!((model.chance(30.0, 20) + model.chance(-30.0, 20) - 1.0).abs() < 1e-6);
        assert!(model.chance(30.0, 20) > model.chance(30.0, 60));
        assert_eq!(WinModel::from_bytes(&model.to_bytes()), Some(model));
        assert_eq!(WinModel::from_bytes(b"x"), None);
    }

    #[test]
    fn the_loss_is_known_at_some_places_and_falls() {
        assert!((unit_loss(0.0) - 0.398_942_3).abs() < 1e-6);
        assert!((unit_loss(1.0) - 0.083_315_5).abs() < 1e-6);
        assert!((unit_loss(-2.0) - 2.008_490_7).abs() < 1e-6);
        assert!((0..60).all(|i| unit_loss(i as f64 / 10.0) >= unit_loss((i + 1) as f64 / 10.0)));
    }
}
