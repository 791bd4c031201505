//! Convolutions forward and back against the plain way (copies of what the kernel sees, one large product), in one run.
//!
//! `cargo bench -p parlour-neural --bench convolution` prints billions of the definition's operations per second of
//! processor time.

use std::time::Instant;

use neural::{BoardShape, Conv, Matrix};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const SHAPE: BoardShape = BoardShape { height: 19, width: 19 };
const BOARDS: usize = 16;
const ROUNDS: usize = 20;

/// Calls `visit` with every cell, the place in the kernel and the cell seen there.
fn each(kernel: usize, mut visit: impl FnMut(usize, usize, Option<usize>)) {
    let (height, width, reach) = (SHAPE.height as isize, SHAPE.width as isize, kernel as isize / 2);
    for cell in 0..SHAPE.cells() {
        for place in 0..kernel * kernel {
            let y = (cell / SHAPE.width) as isize + (place / kernel) as isize - reach;
            let x = (cell % SHAPE.width) as isize + (place % kernel) as isize - reach;
            let on = (0..height).contains(&y) && (0..width).contains(&x);
            visit(cell, place, on.then(|| (y * width + x) as usize));
        }
    }
}

/// Forward and back, board by board.
fn plainly(kernel: usize, weight: &Matrix, x: &Matrix, dy: &Matrix, first: bool) -> (Matrix, Matrix, Matrix) {
    let (cells, inputs) = (SHAPE.cells(), x.cols);
    let mut columns = Matrix::zeros(cells, kernel * kernel * inputs);
    let (mut y, mut dx) = (Matrix::zeros(x.rows, dy.cols), Matrix::zeros(x.rows, inputs));
    let mut gradient = Matrix::zeros(weight.rows, weight.cols);
    for board in 0..BOARDS {
        each(kernel, |cell, place, seen| {
            let to = &mut columns.row_mut(cell)[place * inputs..(place + 1) * inputs];
            match seen {
                Some(seen) => to.copy_from_slice(x.row(board * cells + seen)),
                None => to.fill(0.0),
            }
        });
        y.add_block(board * cells, 0, &columns.dot(weight));
        let here = dy.block(board * cells..(board + 1) * cells, 0..dy.cols);
        gradient.add(&columns.transposed_dot(&here));
        if first {
            continue;
        }
        let back = here.dot_transposed(weight);
        each(kernel, |cell, place, seen| {
            let Some(seen) = seen else { return };
            let from = &back.row(cell)[place * inputs..(place + 1) * inputs];
            dx.row_mut(board * cells + seen).iter_mut().zip(from).for_each(|(to, from)| *to += from);
        });
    }
    (y, dx, gradient)
}

/// Seconds of processor time that this thread used, where the system tells it: other work does not count.
fn seconds(since: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next().and_then(|first| first.parse::<f64>().ok()));
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |n| n / 1e9)
}

fn mean_time(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let before = seconds(start);
    (0..ROUNDS).for_each(|_| work());
    (seconds(start) - before) / ROUNDS as f64
}

fn main() {
    println!("{:>6} {:>4} {:>4}  {:>7} {:>7}  {:>5}", "kernel", "in", "out", "plain", "here", "ratio");
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (kernel, inputs, outputs) in [
        (5, 2, 256),
        (3, 256, 1),
        (3, 2, 64),
        (3, 64, 128),
        (5, 64, 64),
        (5, 64, 32),
        (3, 64, 64),
        (3, 32, 32),
        (7, 32, 32),
    ] {
        let rows = BOARDS * SHAPE.cells();
        let (x, dy) = (Matrix::glorot(rows, inputs, &mut rng), Matrix::glorot(rows, outputs, &mut rng));
        let weight = Matrix::glorot(kernel * kernel * inputs, outputs, &mut rng);
        let mut conv = Conv::new(SHAPE, kernel, [inputs, outputs], 0.0, &mut rng);
        // nothing before a first layer learns
        let first = inputs == 2;
        let operations = (if first { 4 } else { 6 } * rows * kernel * kernel * inputs * outputs) as f64;
        let plain = operations / mean_time(|| drop(plainly(kernel, &weight, &x, &dy, first))) / 1e9;
        let here = operations
            / mean_time(|| {
                conv.forward(x.clone());
                if first {
                    conv.backward_first(&dy);
                } else {
                    conv.backward(&dy);
                }
            })
            / 1e9;
        println!("{kernel:>6} {inputs:>4} {outputs:>4}  {plain:>7.1} {here:>7.1}  {:>5.2}", here / plain);
    }
}
