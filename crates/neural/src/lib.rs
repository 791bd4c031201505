//! Small neural networks trained on the CPU: matrices, layers with hand-written backward passes, Adam, weights as bytes.
//!
//! A layer keeps what its backward pass needs from the last forward pass. A network is a struct of layers that calls
//! them in order, forward and back. All gradients are checked against numerical ones.
//!
//! ```
//! use neural::{Adam, Linear, Matrix, Trainable};
//! use rand::SeedableRng;
//!
//! let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
//! let mut layer = Linear::new(2, 1, &mut rng);
//! let mut adam = Adam::new(0.05);
//! let x = Matrix::new(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
//! let target = [1.0, 3.0, 4.0, 6.0]; // 1 + 3·x₀ + 2·x₁
//! let mut loss = f32::INFINITY;
//! for _ in 0..1000 {
//!     let y = layer.forward(&x);
//!     let error: Vec<f32> = y.data.iter().zip(target).map(|(y, t)| y - t).collect();
//!     loss = error.iter().map(|e| e * e).sum();
//!     layer.backward(&Matrix::new(4, 1, error));
//!     adam.step(&mut layer);
//! }
//! assert!(loss < 1e-3, "{loss}");
//! let weights = neural::save(&mut layer);
//! neural::load(&mut Linear::new(2, 1, &mut rng), &weights).unwrap();
//! ```
//!
//! - [`Matrix`]: row-major f32, products by the crate `matrixmultiply`.
//! - [`Linear`], [`BatchNorm`], [`LinBlock`], [`Attention`], [`AttBlock`], [`max_pool`]: layers of set transformers.
//! - [`Conv`], [`ConvBlock`], [`pool_squares`]: layers of board networks.
//! - [`Param`], [`Adam`]: parameters and their optimiser.
//! - [`onnx`]: inference of networks in ONNX format.

mod attention;
mod conv;
mod lanes;
mod layers;
mod matrix;
mod norm;
pub mod onnx;
mod param;
mod product;

pub use attention::{AttBlock, Attention, Groups};
pub use conv::{BoardShape, Conv, ConvBlock, pool_squares};
pub use layers::{LinBlock, Linear, max_pool, max_pool_back};
pub use matrix::Matrix;
pub use norm::BatchNorm;
pub use param::{Adam, Param, Trainable, load, load_training, save, save_training};
