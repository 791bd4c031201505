//! Inference of networks in ONNX format, by the pure-Rust runtime rten (ADR 0010).

use rten::{Model, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::prelude::*;
use rten_tensor::{Tensor, TensorView};
use std::sync::Arc;

/// Why a network cannot be loaded or run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnnxError {
    /// The file is not a network that the runtime supports.
    Load(String),
    /// An input or output does not fit the network.
    Port(String),
    /// The run failed.
    Run(String),
}

impl std::fmt::Display for OnnxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OnnxError::Load(why) => write!(f, "not a network that can be loaded: {why}"),
            OnnxError::Port(why) => write!(f, "{why}"),
            OnnxError::Run(why) => write!(f, "the network cannot be run: {why}"),
        }
    }
}

impl std::error::Error for OnnxError {}

/// An input tensor: its shape and its elements in row-major order.
#[derive(Clone, Copy, Debug)]
pub enum OnnxInput<'a> {
    Float(&'a [usize], &'a [f32]),
    /// Integers of any width; ids and masks of text networks.
    Int(&'a [usize], &'a [i32]),
}

/// An output tensor of floats.
#[derive(Clone, Debug, PartialEq)]
pub struct OnnxOutput {
    pub shape: Vec<usize>,
    /// Elements in row-major order.
    pub data: Vec<f32>,
}

/// A network in ONNX format.
///
/// Each calling thread runs the network on one thread of its own, so that the result does not depend on the number of
/// cores and callers can run in parallel.
pub struct OnnxModel {
    model: Model,
}

thread_local! {
    static POOL: Arc<ThreadPool> = Arc::new(ThreadPool::with_num_threads(1));
}

impl OnnxModel {
    /// Loads a network from the bytes of an `.onnx` file.
    ///
    /// # Errors
    /// If the bytes are no network or use an operator that the runtime lacks.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<OnnxModel, OnnxError> {
        Model::load(bytes).map(|model| OnnxModel { model }).map_err(|error| OnnxError::Load(error.to_string()))
    }

    /// Names of the inputs.
    pub fn inputs(&self) -> Vec<String> {
        let name = |id: &rten::NodeId| self.model.node_info(*id)?.name().map(str::to_owned);
        self.model.input_ids().iter().filter_map(name).collect()
    }

    /// Runs the network and returns one output.
    ///
    /// # Errors
    /// If an input is missing or of the wrong shape, or the output is not a tensor of floats.
    pub fn run(&self, inputs: &[(&str, OnnxInput<'_>)], output: &str) -> Result<OnnxOutput, OnnxError> {
        let node = |name: &str| {
            self.model
                .node_id(name)
                .map_err(|_| OnnxError::Port(format!("the network has no input or output {name:?}")))
        };
        let output = node(output)?;
        let mut values: Vec<(rten::NodeId, ValueOrView<'_>)> = Vec::with_capacity(inputs.len());
        for &(name, input) in inputs {
            let (shape, length) = match input {
                OnnxInput::Float(shape, data) => (shape, data.len()),
                OnnxInput::Int(shape, data) => (shape, data.len()),
            };
            if shape.iter().product::<usize>() != length {
                return Err(OnnxError::Port(format!(
                    "input {name:?}: {length} elements do not fit the shape {shape:?}"
                )));
            }
            let value = match input {
                OnnxInput::Float(shape, data) => TensorView::from_data(shape, data).into(),
                OnnxInput::Int(shape, data) => TensorView::from_data(shape, data).into(),
            };
            values.push((node(name)?, value));
        }
        let mut options = RunOptions::default();
        options.thread_pool = Some(POOL.with(Arc::clone));
        let run =
            self.model.run(values, &[output], Some(options)).map_err(|error| OnnxError::Run(error.to_string()))?;
        let value: Value = run.into_iter().next().ok_or_else(|| OnnxError::Run("no output".to_owned()))?;
        let tensor: Tensor<f32> =
            value.try_into().map_err(|_| OnnxError::Port("the output is not floats".to_owned()))?;
        Ok(OnnxOutput { shape: tensor.shape().to_vec(), data: tensor.to_vec() })
    }
}
