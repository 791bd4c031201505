//! Small networks trained on the processor: matrices, layers with their own backward pass, Adam, weights as bytes.
//!
//! Layers remember what their last forward pass needs for the backward pass; a network is a struct of layers that
//! calls them in order and back. Everything is checked against numerical gradients.
//!
//! - [`Matrix`]: rows of f32, multiplied with `matrixmultiply`.
//! - [`Linear`], [`BatchNorm`], [`LinBlock`], [`Attention`], [`AttBlock`], [`max_pool`]: what set transformers need.
//! - [`Conv`], [`ConvBlock`], [`pool_squares`]: what networks over boards need.
//! - [`Param`], [`Adam`]: learning.

mod attention;
mod conv;
mod lanes;
mod layers;
mod matrix;
mod norm;
mod param;
mod product;

pub use attention::{AttBlock, Attention, Groups};
pub use conv::{BoardShape, Conv, ConvBlock, pool_squares};
pub use layers::{LinBlock, Linear, max_pool, max_pool_back};
pub use matrix::Matrix;
pub use norm::BatchNorm;
pub use param::{Adam, Param, Trainable, load, load_training, save, save_training};
