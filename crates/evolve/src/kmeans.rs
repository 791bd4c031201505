//! k-means (Lloyd) on real vectors.

use rand::RngExt;

/// Clusters of a set of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters {
    /// Centres, one after another.
    pub centres: Vec<Vec<f64>>,
    /// The cluster of every point.
    pub of_point: Vec<usize>,
}

impl Clusters {
    /// For each cluster the point nearest to its centre.
    pub fn representatives(&self, points: &[Vec<f64>]) -> Vec<usize> {
        (0..self.centres.len())
            .filter_map(|cluster| {
                (0..points.len()).filter(|point| self.of_point[*point] == cluster).min_by(|a, b| {
                    let centre = &self.centres[cluster];
                    squared(&points[*a], centre).total_cmp(&squared(&points[*b], centre))
                })
            })
            .collect()
    }
}

/// Squared Euclidean distance.
pub fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// At most `k` clusters after at most `rounds` rounds, started from points drawn far apart (k-means++, Arthur and
/// Vassilvitskii 2007).
pub fn kmeans(points: &[Vec<f64>], k: usize, rounds: usize, rng: &mut impl rand::Rng) -> Clusters {
    let mut centres: Vec<Vec<f64>> = Vec::new();
    let mut nearest = vec![f64::INFINITY; points.len()];
    while centres.len() < k.min(points.len()) {
        let total: f64 = nearest.iter().filter(|d| d.is_finite()).sum();
        let next = if centres.is_empty() {
            rng.random_range(0..points.len())
        } else if total > 0.0 {
            let mut left = rng.random::<f64>() * total;
            nearest
                .iter()
                .position(|d| {
                    left -= d;
                    left < 0.0
                })
                .unwrap_or(points.len() - 1)
        } else {
            break;
        };
        centres.push(points[next].clone());
        for (point, best) in points.iter().zip(&mut nearest) {
            *best = best.min(squared(point, &points[next]));
        }
    }
    let mut of_point = vec![usize::MAX; points.len()];
    for _ in 0..rounds.max(1) {
        let mut moved = false;
        for (point, cluster) in points.iter().zip(&mut of_point) {
            let closest = (0..centres.len())
                .min_by(|a, b| squared(point, &centres[*a]).total_cmp(&squared(point, &centres[*b])))
                .unwrap_or(0);
            moved |= *cluster != closest;
            *cluster = closest;
        }
        if !moved {
            break;
        }
        for (cluster, centre) in centres.iter_mut().enumerate() {
            let members: Vec<&Vec<f64>> =
                points.iter().zip(&of_point).filter(|(_, c)| **c == cluster).map(|(point, _)| point).collect();
            if members.is_empty() {
                continue;
            }
            for (i, value) in centre.iter_mut().enumerate() {
                *value = members.iter().map(|m| m[i]).sum::<f64>() / members.len() as f64;
            }
        }
    }
    Clusters { centres, of_point }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn separate_heaps_become_separate_clusters() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let points: Vec<Vec<f64>> = (0..60)
            .map(|i| {
                let heap = f64::from(i % 3) * 10.0;
                vec![heap + rng.random::<f64>(), -heap + rng.random::<f64>()]
            })
            .collect();
        let clusters = kmeans(&points, 3, 20, &mut rng);
        for i in 0..60 {
            for j in 0..60 {
                assert_eq!(clusters.of_point[i] == clusters.of_point[j], i % 3 == j % 3);
            }
        }
        assert_eq!(clusters.representatives(&points).len(), 3);
    }

    #[test]
    fn fewer_different_points_than_clusters_is_fine() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let points = vec![vec![1.0], vec![1.0], vec![2.0]];
        assert_eq!(kmeans(&points, 5, 5, &mut rng).centres.len(), 2);
        assert!(kmeans(&[], 3, 5, &mut rng).centres.is_empty());
    }
}
