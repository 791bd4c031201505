//! Files: map text, map records and tensors of Šindelář 2024 (section 6.4), and maps as JSON.

mod map_json;
mod map_text;
mod records;
mod tensor;

pub use map_json::MapJson;
pub use map_text::{Blank, MapTextError, map_from_text, map_to_text};
pub use records::{MapRecord, MapRecordFile, RecordError};
pub use tensor::{PADDING, Tensor, TensorError};
