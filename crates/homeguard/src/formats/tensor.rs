//! `*.iwonformat`: three dimensions as little-endian u32, then int16 values row by row (Šindelář 2024, section 6.4).

/// Marks rows that pad a tree with fewer branches (Šindelář 2024, section 8.3).
pub const PADDING: i16 = i16::MAX;

/// A three-dimensional table of 16-bit numbers: trees × branches × layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    shape: [usize; 3],
    data: Vec<i16>,
}

/// Why bytes are not a tensor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TensorError {
    /// The twelve bytes of the shape are not there.
    #[error("an iwonformat file starts with twelve bytes of shape, but there are only {0} bytes")]
    NoShape(usize),
    /// The data do not fit the shape.
    #[error("the shape {shape:?} needs {expected} bytes of data, but {given} follow")]
    Length {
        /// Trees, branches, layers.
        shape: [usize; 3],
        /// Bytes needed.
        expected: u128,
        /// Bytes there.
        given: usize,
    },
    /// A dimension does not fit 32 bits.
    #[error("the dimension {0} does not fit the 32 bits of the format")]
    TooLarge(usize),
}

impl Tensor {
    /// A tensor from its parts.
    pub fn new(shape: [usize; 3], data: Vec<i16>) -> Result<Self, TensorError> {
        if let Some(large) = shape.into_iter().find(|d| u32::try_from(*d).is_err()) {
            return Err(TensorError::TooLarge(large));
        }
        let cells = shape.iter().map(|d| *d as u128).product::<u128>();
        if cells != data.len() as u128 {
            return Err(TensorError::Length { shape, expected: cells * 2, given: data.len() * 2 });
        }
        Ok(Tensor { shape, data })
    }

    /// Trees, branches, layers.
    pub fn shape(&self) -> [usize; 3] {
        self.shape
    }

    /// All values, row by row.
    pub fn data(&self) -> &[i16] {
        &self.data
    }

    /// The branches of one tree.
    pub fn tree(&self, index: usize) -> &[i16] {
        let cells = self.shape[1] * self.shape[2];
        &self.data[index * cells..(index + 1) * cells]
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(12 + 2 * self.data.len());
        for dimension in self.shape {
            bytes.extend((dimension as u32).to_le_bytes());
        }
        for value in &self.data {
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TensorError> {
        let Some((head, rest)) = bytes.split_at_checked(12) else {
            return Err(TensorError::NoShape(bytes.len()));
        };
        let shape: [usize; 3] = std::array::from_fn(|i| {
            u32::from_le_bytes(head[4 * i..4 * i + 4].try_into().expect("four bytes")) as usize
        });
        let expected = shape.iter().map(|d| *d as u128).product::<u128>() * 2;
        if expected != rest.len() as u128 {
            return Err(TensorError::Length { shape, expected, given: rest.len() });
        }
        let data = rest.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        Ok(Tensor { shape, data })
    }
}
