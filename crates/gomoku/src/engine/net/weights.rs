//! Quantised weights and their byte format.

use super::policy_net::PolicyNet;
use super::windows::WINDOWS;
use super::{CHANNELS, CONTEXT, HIDDEN, POLICY_HIDDEN, REGIONS, TAPS, VALUE_HIDDEN};

/// Fixed-point scale of embeddings and features.
pub const ONE: f32 = 512.0;
/// Convolution weights are stored as fractions of this range in 1/65536, so their absolute value is at most half of it.
pub const CONV_RANGE: f32 = 4.0;

const MAGIC: &[u8; 8] = b"PLGNET05";

/// Parts of one version of the format; parts that a version lacks are read as zero.
struct Version {
    magic: &'static [u8; 8],
    /// Taps of the policy convolution.
    taps: usize,
    /// Whether the policy has hidden units.
    units: bool,
    /// Whether the value head has a second layer and the policy head has board context.
    deep: bool,
    /// Whether a policy network follows.
    policy_net: bool,
}

const VERSIONS: [Version; 4] = [
    Version { magic: MAGIC, taps: TAPS, units: true, deep: true, policy_net: true },
    WITHOUT_READER,
    Version { magic: b"PLGNET03", taps: 9, units: true, deep: false, policy_net: false },
    Version { magic: b"PLGNET02", taps: 9, units: false, deep: false, policy_net: false },
];

/// The version written where there is no policy network.
const WITHOUT_READER: Version = Version { magic: b"PLGNET04", taps: TAPS, units: true, deep: true, policy_net: false };

impl Version {
    const fn ints(&self) -> usize {
        (WINDOWS + self.taps + 1) * CHANNELS
    }

    const fn floats(&self) -> usize {
        let plain = 2 * CHANNELS + REGIONS * CHANNELS * HIDDEN + HIDDEN + HIDDEN * 3 + 3 + 2;
        let units = (2 * CHANNELS + 2) * POLICY_HIDDEN;
        let context = (REGIONS * CHANNELS + 1) * CONTEXT + CONTEXT * POLICY_HIDDEN;
        let deep = (HIDDEN + 1) * VALUE_HIDDEN + VALUE_HIDDEN * 3;
        plain + if self.units { units } else { 0 } + if self.deep { context + deep } else { 0 }
    }

    fn bytes(&self) -> usize {
        8 + 2 * self.ints() + 4 * self.floats() + if self.policy_net { PolicyNet::BYTES } else { 0 }
    }
}

/// Why bytes are not a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetError {
    /// The file does not begin with a known magic number.
    Header,
    /// The length of the file does not fit its version.
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

/// An embedding: one cache line.
#[derive(Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [i16; CHANNELS]);

/// A line-table net for play.
#[derive(Clone, PartialEq)]
pub struct Net {
    /// One embedding per window.
    pub(super) table: Vec<Row>,
    /// Convolution by point of [`super::STAR`] and channel.
    pub(super) conv: [[i16; CHANNELS]; TAPS],
    pub(super) conv_bias: [i16; CHANNELS],
    /// Policy weights of convolved features and of plain ones.
    pub(super) policy: [[f32; CHANNELS]; 2],
    /// Hidden units of the policy by convolved features, then plain ones; their bias and output weights.
    pub(super) mix: Vec<[f32; POLICY_HIDDEN]>,
    pub(super) mix_bias: [f32; POLICY_HIDDEN],
    pub(super) mix_out: [f32; POLICY_HIDDEN],
    pub(super) hidden: Vec<[f32; HIDDEN]>,
    pub(super) hidden_bias: [f32; HIDDEN],
    pub(super) value: [[f32; 3]; HIDDEN],
    pub(super) value_bias: [f32; 3],
    /// Weights of the pattern prior in value and policy.
    pub(super) prior_weight: [f32; 2],
    /// Board-context units by region sums, their bias, and their weights to the hidden units of the policy.
    pub(super) context: Vec<[f32; CONTEXT]>,
    pub(super) context_bias: [f32; CONTEXT],
    pub(super) context_mix: [[f32; POLICY_HIDDEN]; CONTEXT],
    /// Second layer of the value head by the first, its bias and output weights.
    pub(super) deep: [[f32; VALUE_HIDDEN]; HIDDEN],
    pub(super) deep_bias: [f32; VALUE_HIDDEN],
    pub(super) deep_value: [[f32; 3]; VALUE_HIDDEN],
    /// The policy network for whole positions, if there is one.
    pub(super) policy_net: Option<PolicyNet>,
}

impl Net {
    /// Bytes before the weights, and numbers of integers and floats of the current version, for [`Net::average`].
    pub(super) const HEADER_BYTES: usize = MAGIC.len();
    pub(super) const INTS: usize = VERSIONS[0].ints();
    pub(super) const FLOATS: usize = VERSIONS[0].floats();

    /// The net as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let version = if self.policy_net.is_some() { &VERSIONS[0] } else { &WITHOUT_READER };
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
            .chain(&self.prior_weight)
            .chain(self.context.iter().flatten())
            .chain(&self.context_bias)
            .chain(self.context_mix.iter().flatten())
            .chain(self.deep.iter().flatten())
            .chain(&self.deep_bias)
            .chain(self.deep_value.iter().flatten());
        out.extend(floats.flat_map(|v| v.to_le_bytes()));
        if let Some(policy_net) = &self.policy_net {
            policy_net.write(&mut out);
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
        let (floats, policy_net) = floats.split_at(4 * version.floats());
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
            prior_weight: std::array::from_fn(|_| float()),
            // where an older version ends, all further floats are 0
            context: (0..REGIONS * CHANNELS).map(|_| std::array::from_fn(|_| float())).collect(),
            context_bias: std::array::from_fn(|_| float()),
            context_mix: std::array::from_fn(|_| std::array::from_fn(|_| float())),
            deep: std::array::from_fn(|_| std::array::from_fn(|_| float())),
            deep_bias: std::array::from_fn(|_| float()),
            deep_value: std::array::from_fn(|_| std::array::from_fn(|_| float())),
            policy_net: version.policy_net.then(|| PolicyNet::parse(policy_net)),
        })
    }

    /// The policy network for whole positions, if there is one.
    pub fn policy_net(&self) -> Option<&PolicyNet> {
        self.policy_net.as_ref()
    }

    /// The same net with this policy network.
    pub fn with_policy_net(self, policy_net: Option<PolicyNet>) -> Self {
        Self { policy_net, ..self }
    }
}

/// Rounds to fixed point, within bounds that cannot overflow in sums of four.
pub fn quantise(value: f32, one: f32) -> i16 {
    (value * one).round().clamp(-7000.0, 7000.0) as i16
}
