//! Cleaning of word vectors: removal of the mean and of the strongest common directions
//! (Mu and Viswanath, "All-but-the-Top", 2018).

/// Subtracts the mean and the first `directions` principal components, computed over the first
/// `sample` vectors, from all; returns mean and components.
pub fn all_but_the_top(vectors: &mut [Vec<f32>], sample: usize, directions: usize) -> Vec<Vec<f32>> {
    let dim = vectors[0].len();
    let sample = sample.min(vectors.len());
    let mut mean = vec![0f64; dim];
    for v in &vectors[..sample] {
        v.iter().zip(&mut mean).for_each(|(x, m)| *m += f64::from(*x) / sample as f64);
    }
    let mean: Vec<f32> = mean.into_iter().map(|m| m as f32).collect();
    for v in vectors.iter_mut() {
        v.iter_mut().zip(&mean).for_each(|(x, m)| *x -= m);
    }
    let mut covariance = vec![0f64; dim * dim];
    for v in &vectors[..sample] {
        for i in 0..dim {
            let x = f64::from(v[i]);
            let row = &mut covariance[i * dim..(i + 1) * dim];
            row.iter_mut().zip(v).for_each(|(c, y)| *c += x * f64::from(*y));
        }
    }
    let mut common = vec![mean];
    for _ in 0..directions {
        let component = leading(&covariance, dim);
        let along: f64 = quadratic(&covariance, &component);
        for i in 0..dim {
            for j in 0..dim {
                covariance[i * dim + j] -= along * component[i] * component[j];
            }
        }
        let component: Vec<f32> = component.into_iter().map(|c| c as f32).collect();
        for v in vectors.iter_mut() {
            let along: f32 = v.iter().zip(&component).map(|(x, c)| x * c).sum();
            v.iter_mut().zip(&component).for_each(|(x, c)| *x -= along * c);
        }
        common.push(component);
    }
    common
}

fn product(matrix: &[f64], v: &[f64]) -> Vec<f64> {
    matrix.chunks_exact(v.len()).map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()).collect()
}

fn quadratic(matrix: &[f64], v: &[f64]) -> f64 {
    product(matrix, v).iter().zip(v).map(|(a, b)| a * b).sum()
}

/// Leading eigenvector by power iteration.
fn leading(matrix: &[f64], dim: usize) -> Vec<f64> {
    let mut v: Vec<f64> = (0..dim).map(|i| 1.0 + (i as f64 * 0.7).sin()).collect();
    for _ in 0..200 {
        v = product(matrix, &v);
        let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        v.iter_mut().for_each(|x| *x /= length);
    }
    v
}
