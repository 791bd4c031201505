//! Backward passes against numerical gradients, and a network that learns.

use neural::{Adam, AttBlock, Groups, LinBlock, Linear, Matrix, Param, Trainable, load, max_pool, max_pool_back, save};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// A little of everything: block, cross attention over groups, pooling, linear.
struct Net {
    first: LinBlock,
    keys: LinBlock,
    attention: AttBlock,
    last: Linear,
    from: Vec<usize>,
}

const GROUPS: Groups = Groups { count: 2, queries: 3, keys: 4 };

impl Net {
    fn new(rng: &mut ChaCha8Rng) -> Self {
        Net {
            first: LinBlock::new(5, 4, rng),
            keys: LinBlock::new(3, 4, rng),
            attention: AttBlock::new(4, 2, rng),
            last: Linear::new(4, 2, rng),
            from: Vec::new(),
        }
    }

    fn forward(&mut self, x: &Matrix, k: &Matrix) -> Matrix {
        let q = self.first.forward(x, true);
        let k = self.keys.forward(k, true);
        let a = self.attention.forward(&q, &k, GROUPS, true);
        let (pooled, from) = max_pool(&a, GROUPS.queries);
        self.from = from;
        self.last.forward(&pooled)
    }

    fn backward(&mut self, dy: &Matrix) -> (Matrix, Matrix) {
        let d = self.last.backward(dy);
        let d = max_pool_back(&d, &self.from, GROUPS.count * GROUPS.queries);
        let (dq, dk) = self.attention.backward(&d);
        (self.first.backward(&dq), self.keys.backward(&dk))
    }
}

impl Trainable for Net {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        self.first.visit(visit);
        self.keys.visit(visit);
        self.attention.visit(visit);
        self.last.visit(visit);
    }
}

fn loss(y: &Matrix) -> f32 {
    y.data.iter().enumerate().map(|(i, v)| (v - i as f32 * 0.3).powi(2)).sum()
}

fn loss_gradient(y: &Matrix) -> Matrix {
    Matrix::new(y.rows, y.cols, y.data.iter().enumerate().map(|(i, v)| 2.0 * (v - i as f32 * 0.3)).collect())
}

#[test]
fn backward_is_the_numerical_gradient() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut net = Net::new(&mut rng);
    let x = Matrix::glorot(6, 5, &mut rng);
    let k = Matrix::glorot(8, 3, &mut rng);
    let y = net.forward(&x, &k);
    let (dx, _) = net.backward(&loss_gradient(&y));
    let step = 2e-3;
    let numeric = |net: &mut Net, x: &Matrix| loss(&net.forward(x, &k));
    let mut checked = 0;
    for i in 0..x.data.len() {
        let mut moved = x.clone();
        moved.data[i] += step;
        let up = numeric(&mut net, &moved);
        moved.data[i] -= 2.0 * step;
        let slope = (up - numeric(&mut net, &moved)) / (2.0 * step);
        let close = (slope - dx.data[i]).abs() < 0.05 + 0.05 * slope.abs();
        checked += usize::from(close);
    }
    // kinks of ReLU and maximum may spoil single ones
    assert!(checked + 2 >= x.data.len(), "only {checked} of {} slopes agree", x.data.len());
    let mut grads = Vec::new();
    net.visit(&mut |param| grads.push(param.grad.clone()));
    let mut agreed = (0, 0);
    for (index, grad) in grads.iter().enumerate() {
        for i in 0..grad.data.len() {
            let mut at = |shift: f32| {
                let mut number = 0;
                net.visit(&mut |param| {
                    if number == index {
                        param.value.data[i] += shift;
                    }
                    number += 1;
                });
                loss(&net.forward(&x, &k))
            };
            let up = at(step);
            let down = at(-2.0 * step);
            at(step);
            let slope = (up - down) / (2.0 * step);
            agreed.0 += usize::from((slope - grad.data[i]).abs() < 0.05 + 0.05 * slope.abs());
            agreed.1 += 1;
        }
    }
    assert!(agreed.0 * 100 >= agreed.1 * 97, "{} of {} parameter slopes agree", agreed.0, agreed.1);
}

#[test]
fn adam_learns_and_weights_round_trip() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut net = Net::new(&mut rng);
    let x = Matrix::glorot(6, 5, &mut rng);
    let k = Matrix::glorot(8, 3, &mut rng);
    let before = loss(&net.forward(&x, &k));
    let mut adam = Adam::new(0.01);
    for _ in 0..150 {
        let y = net.forward(&x, &k);
        net.backward(&loss_gradient(&y));
        adam.step(&mut net);
    }
    let after = loss(&net.forward(&x, &k));
    assert!(after < before * 0.1, "{before} to {after}");
    let bytes = save(&mut net);
    let mut copy = Net::new(&mut rng);
    load(&mut copy, &bytes).unwrap();
    assert_eq!(copy.forward(&x, &k), net.forward(&x, &k));
    assert!(load(&mut copy, &bytes[..bytes.len() - 1]).is_err());
    assert!(load(&mut copy, b"nothing").is_err());
}
