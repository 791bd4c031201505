//! The convolution block of the Gomoku thesis's networks.

use rand::Rng;

use super::{BoardShape, Conv};
use crate::matrix::Matrix;
use crate::norm::BatchNorm;
use crate::param::{Param, Trainable};

/// Convolution, ReLU, batch normalisation, in the order of the Gomoku thesis.
#[derive(Clone, Debug)]
pub struct ConvBlock {
    conv: Conv,
    norm: BatchNorm,
}

impl ConvBlock {
    /// See [`Conv::new`].
    pub fn new(shape: BoardShape, kernel: usize, channels: [usize; 2], edge: f32, rng: &mut impl Rng) -> Self {
        let norm = BatchNorm::new(channels[1]);
        ConvBlock { conv: Conv::new(shape, kernel, channels, edge, rng), norm }
    }

    /// Forward.
    pub fn forward(&mut self, x: Matrix, train: bool) -> Matrix {
        let mut y = self.conv.forward(x);
        y.data.iter_mut().for_each(|v| *v = v.max(0.0));
        self.norm.forward(y, train)
    }

    /// Backward.
    pub fn backward(&mut self, dy: Matrix) -> Matrix {
        let dy = self.before_conv(dy);
        self.conv.backward(&dy)
    }

    /// Backward of the first block of a network.
    pub fn backward_first(&mut self, dy: Matrix) {
        let dy = self.before_conv(dy);
        self.conv.backward_first(&dy);
    }

    fn before_conv(&mut self, dy: Matrix) -> Matrix {
        let mut dy = self.norm.backward(dy);
        let rectified = &self.norm.input().data;
        dy.data.iter_mut().zip(rectified).for_each(|(dy, y)| *dy = if *y > 0.0 { *dy } else { 0.0 });
        dy
    }
}

impl Trainable for ConvBlock {
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param)) {
        self.conv.visit(visit);
        self.norm.visit(visit);
    }
}
