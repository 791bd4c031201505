//! Quantised weights and their byte format.

use super::reader::Reader;
use super::windows::WINDOWS;
use super::{CHANNELS, CONTEXT, DEEP, HIDDEN, MIXED, REGIONS, TAPS};

/// Fixed-point ones of embeddings and features.
pub const ONE: f32 = 512.0;
/// Convolution weights are fractions of this range, in 1/65536 (so at most half of it).
pub const CONV_RANGE: f32 = 4.0;

const MAGIC: &[u8; 8] = b"PLGNET05";

/// What a version of the format holds; what an older one lacks is read as parts that say nothing.
struct Version {
    magic: &'static [u8; 8],
    /// Points of the policy's convolution.
    taps: usize,
    /// Whether the policy has hidden units.
    units: bool,
    /// Whether the value head has a second layer and the policy hears of the whole board.
    deep: bool,
    /// Whether a reader follows.
    reader: bool,
}

const VERSIONS: [Version; 4] = [
    Version { magic: MAGIC, taps: TAPS, units: true, deep: true, reader: true },
    WITHOUT_READER,
    Version { magic: b"PLGNET03", taps: 9, units: true, deep: false, reader: false },
    Version { magic: b"PLGNET02", taps: 9, units: false, deep: false, reader: false },
];

/// The version that is written where there is no reader.
const WITHOUT_READER: Version = Version { magic: b"PLGNET04", taps: TAPS, units: true, deep: true, reader: false };

impl Version {
    fn ints(&self) -> usize {
        (WINDOWS + self.taps + 1) * CHANNELS
    }

    fn floats(&self) -> usize {
        let plain = 2 * CHANNELS + REGIONS * CHANNELS * HIDDEN + HIDDEN + HIDDEN * 3 + 3 + 2;
        let units = (2 * CHANNELS + 2) * MIXED;
        let context = (REGIONS * CHANNELS + 1) * CONTEXT + CONTEXT * MIXED;
        let deep = (HIDDEN + 1) * DEEP + DEEP * 3;
        plain + if self.units { units } else { 0 } + if self.deep { context + deep } else { 0 }
    }

    fn bytes(&self) -> usize {
        8 + 2 * self.ints() + 4 * self.floats() + if self.reader { Reader::BYTES } else { 0 }
    }
}

/// Why bytes are not a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetError {
    /// The file does not begin as a net of this version.
    Header,
    /// The file has this many bytes instead of that many.
    Length { found: usize, wanted: usize },
}

impl std::fmt::Display for NetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Header => write!(f, "not a line-table net of versions 2 to 5 (it should begin with PLGNET05)"),
            Self::Length { found, wanted } => write!(f, "a net of {found} bytes; it should have {wanted}"),
        }
    }
}

impl std::error::Error for NetError {}

/// An embedding: one line of cache.
#[derive(Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [i16; CHANNELS]);

/// A line-table net as it is played.
#[derive(Clone, PartialEq)]
pub struct Net {
    /// One embedding per window.
    pub(super) table: Vec<Row>,
    /// Convolution by point of [`super::STAR`] and channel.
    pub(super) conv: [[i16; CHANNELS]; TAPS],
    pub(super) conv_bias: [i16; CHANNELS],
    /// Policy weights of convolved features and of plain ones.
    pub(super) policy: [[f32; CHANNELS]; 2],
    /// Hidden units of the policy by convolved features, then plain ones; their bias and what they say.
    pub(super) mix: Vec<[f32; MIXED]>,
    pub(super) mix_bias: [f32; MIXED],
    pub(super) mix_out: [f32; MIXED],
    pub(super) hidden: Vec<[f32; HIDDEN]>,
    pub(super) hidden_bias: [f32; HIDDEN],
    pub(super) value: [[f32; 3]; HIDDEN],
    pub(super) value_bias: [f32; 3],
    /// How much the patterns' value and urgency count.
    pub(super) trust: [f32; 2],
    /// Units of the whole board by sums, their bias, and what the policy's hidden units hear of them.
    pub(super) context: Vec<[f32; CONTEXT]>,
    pub(super) context_bias: [f32; CONTEXT],
    pub(super) heard: [[f32; MIXED]; CONTEXT],
    /// The value head's second layer by the first, its bias and what it says.
    pub(super) deep: [[f32; DEEP]; HIDDEN],
    pub(super) deep_bias: [f32; DEEP],
    pub(super) deep_value: [[f32; 3]; DEEP],
    /// The policy where it is asked for the moves of a position, if there is one.
    pub(super) reader: Option<Reader>,
}

impl Net {
    /// The net as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let version = if self.reader.is_some() { &VERSIONS[0] } else { &WITHOUT_READER };
        let mut out = Vec::with_capacity(version.bytes());
        out.extend(version.magic);
        let ints = self.table.iter().flat_map(|row| &row.0).chain(self.conv.iter().flatten()).chain(&self.conv_bias);
        out.extend(ints.flat_map(|v| v.to_le_bytes()));
        let floats = self
            .policy
            .iter()
            .flatten()
            .chain(self.mix.iter().flatten())
            .chain(&self.mix_bias)
            .chain(&self.mix_out)
            .chain(self.hidden.iter().flatten())
            .chain(&self.hidden_bias)
            .chain(self.value.iter().flatten())
            .chain(&self.value_bias)
            .chain(&self.trust)
            .chain(self.context.iter().flatten())
            .chain(&self.context_bias)
            .chain(self.heard.iter().flatten())
            .chain(self.deep.iter().flatten())
            .chain(&self.deep_bias)
            .chain(self.deep_value.iter().flatten());
        out.extend(floats.flat_map(|v| v.to_le_bytes()));
        if let Some(reader) = &self.reader {
            reader.write(&mut out);
        }
        out
    }

    /// A net from its bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let version = VERSIONS.iter().find(|version| bytes.starts_with(version.magic)).ok_or(NetError::Header)?;
        let wanted = version.bytes();
        if bytes.len() != wanted {
            return Err(NetError::Length { found: bytes.len(), wanted });
        }
        let (ints, floats) = bytes[8..].split_at(2 * version.ints());
        let (floats, reader) = floats.split_at(4 * version.floats());
        let mut ints = ints.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]]));
        let mut int = || ints.next().unwrap_or(0);
        let mut floats = floats.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let mut float = || floats.next().unwrap_or(0.0);
        Ok(Self {
            table: (0..WINDOWS).map(|_| Row(std::array::from_fn(|_| int()))).collect(),
            conv: std::array::from_fn(|tap| std::array::from_fn(|_| if tap < version.taps { int() } else { 0 })),
            conv_bias: std::array::from_fn(|_| int()),
            policy: std::array::from_fn(|_| std::array::from_fn(|_| float())),
            mix: (0..2 * CHANNELS)
                .map(|_| std::array::from_fn(|_| if version.units { float() } else { 0.0 }))
                .collect(),
            mix_bias: std::array::from_fn(|_| if version.units { float() } else { 0.0 }),
            mix_out: std::array::from_fn(|_| if version.units { float() } else { 0.0 }),
            hidden: (0..REGIONS * CHANNELS).map(|_| std::array::from_fn(|_| float())).collect(),
            hidden_bias: std::array::from_fn(|_| float()),
            value: std::array::from_fn(|_| std::array::from_fn(|_| float())),
            value_bias: std::array::from_fn(|_| float()),
            trust: std::array::from_fn(|_| float()),
            // where an older version ends, all further floats are 0
            context: (0..REGIONS * CHANNELS).map(|_| std::array::from_fn(|_| float())).collect(),
            context_bias: std::array::from_fn(|_| float()),
            heard: std::array::from_fn(|_| std::array::from_fn(|_| float())),
            deep: std::array::from_fn(|_| std::array::from_fn(|_| float())),
            deep_bias: std::array::from_fn(|_| float()),
            deep_value: std::array::from_fn(|_| std::array::from_fn(|_| float())),
            reader: version.reader.then(|| Reader::parse(reader)),
        })
    }

    /// The policy where it is asked for the moves of a position, if there is one.
    pub fn reader(&self) -> Option<&Reader> {
        self.reader.as_ref()
    }

    /// The same net with this reader.
    pub fn with_reader(self, reader: Option<Reader>) -> Self {
        Self { reader, ..self }
    }
}

/// Fixed point with rounding, kept within bounds that cannot overflow in sums of four.
pub fn quantise(value: f32, one: f32) -> i16 {
    (value * one).round().clamp(-7000.0, 7000.0) as i16
}
