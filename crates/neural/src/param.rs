//! Parameters, the Adam optimiser, and weights as bytes.

use crate::matrix::Matrix;

/// A parameter with its gradient and Adam's moments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Param {
    pub value: Matrix,
    pub grad: Matrix,
    first: Matrix,
    second: Matrix,
}

impl Param {
    /// A parameter with its initial value.
    pub fn new(value: Matrix) -> Self {
        let zero = Matrix::zeros(value.rows, value.cols);
        Param { value, grad: zero.clone(), first: zero.clone(), second: zero }
    }
}

/// A layer or network with parameters.
pub trait Trainable {
    /// Calls `visit` with every parameter, always in the same order.
    fn visit(&mut self, visit: &mut dyn FnMut(&mut Param));
}

/// The Adam optimiser (Kingma & Ba 2015).
#[derive(Clone, Debug)]
pub struct Adam {
    pub learning_rate: f32,
    steps: i32,
}

impl Adam {
    /// With the usual decay rates 0.9 and 0.999.
    pub fn new(learning_rate: f32) -> Self {
        Adam { learning_rate, steps: 0 }
    }

    /// Takes one step and clears the gradients.
    pub fn step(&mut self, network: &mut dyn Trainable) {
        self.steps += 1;
        let (one, two) = (1.0 - 0.9f32.powi(self.steps), 1.0 - 0.999f32.powi(self.steps));
        let rate = self.learning_rate;
        network.visit(&mut |param| {
            for i in 0..param.value.data.len() {
                let g = param.grad.data[i];
                let m = 0.9 * param.first.data[i] + 0.1 * g;
                let v = 0.999 * param.second.data[i] + 0.001 * g * g;
                param.first.data[i] = m;
                param.second.data[i] = v;
                param.value.data[i] -= rate * (m / one) / ((v / two).sqrt() + 1e-8);
                param.grad.data[i] = 0.0;
            }
        });
    }
}

/// Serialises parameters, Adam's moments and its step count: a training checkpoint.
pub fn save_training(network: &mut dyn Trainable, adam: &Adam) -> Vec<u8> {
    let mut bytes = b"PNT1".to_vec();
    bytes.extend(adam.steps.to_le_bytes());
    bytes.extend(adam.learning_rate.to_le_bytes());
    network.visit(&mut |param| {
        bytes.extend((param.value.data.len() as u32).to_le_bytes());
        for value in param.value.data.iter().chain(&param.first.data).chain(&param.second.data) {
            bytes.extend(value.to_le_bytes());
        }
    });
    bytes
}

/// Loads a checkpoint of [`save_training`] into a network of the same shape.
pub fn load_training(network: &mut dyn Trainable, adam: &mut Adam, bytes: &[u8]) -> Result<(), String> {
    let rest = bytes.strip_prefix(b"PNT1").ok_or("not a training file: it must start with PNT1")?;
    let (head, mut rest) = rest.split_at_checked(8).ok_or("the training file ends too early")?;
    let number = |four: &[u8]| [four[0], four[1], four[2], four[3]];
    let mut problem = None;
    network.visit(&mut |param| {
        let length = param.value.data.len();
        let stored = rest.first_chunk::<4>().map(|head| u32::from_le_bytes(*head) as usize);
        let body = rest.get(4..4 + 12 * length);
        let (Some(body), true, None) = (body, stored == Some(length), &problem) else {
            problem.get_or_insert_with(|| format!("a layer has {length} weights, the file holds {stored:?}"));
            return;
        };
        let parts = param.value.data.iter_mut().chain(&mut param.first.data).chain(&mut param.second.data);
        for (value, four) in parts.zip(body.chunks_exact(4)) {
            *value = f32::from_le_bytes(number(four));
        }
        rest = &rest[4 + 12 * length..];
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    if !rest.is_empty() {
        return Err(format!("{} bytes too many", rest.len()));
    }
    adam.steps = i32::from_le_bytes(number(&head[..4]));
    adam.learning_rate = f32::from_le_bytes(number(&head[4..]));
    Ok(())
}

/// Serialises all parameters, each with its length.
pub fn save(network: &mut dyn Trainable) -> Vec<u8> {
    let mut bytes = b"PNN1".to_vec();
    network.visit(&mut |param| {
        bytes.extend((param.value.data.len() as u32).to_le_bytes());
        for value in &param.value.data {
            bytes.extend(value.to_le_bytes());
        }
    });
    bytes
}

/// Loads the bytes of [`save`] into a network of the same shape, or says what does not fit.
pub fn load(network: &mut dyn Trainable, bytes: &[u8]) -> Result<(), String> {
    let mut rest = bytes.strip_prefix(b"PNN1").ok_or("not a weights file: it must start with PNN1")?;
    let mut problem = None;
    network.visit(&mut |param| {
        if problem.is_some() {
            return;
        }
        let length = param.value.data.len();
        let Some((head, body)) = rest.split_at_checked(4) else {
            problem = Some("the weights end too early".to_owned());
            return;
        };
        let stored = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        if stored != length || body.len() < 4 * length {
            problem = Some(format!("a layer has {length} weights, the file holds {stored}"));
            return;
        }
        for (value, four) in param.value.data.iter_mut().zip(body.chunks_exact(4)) {
            *value = f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        }
        rest = &body[4 * length..];
    });
    match problem {
        Some(problem) => Err(problem),
        None if !rest.is_empty() => Err(format!("{} bytes too many", rest.len())),
        None => Ok(()),
    }
}
