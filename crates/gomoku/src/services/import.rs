//! `import`: reads a game from a file.

use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::Gomoku;
use crate::formats::{self, Format, RecordResult};
use crate::rules::Rule;
use crate::table::StoneView;

/// A file to read; its format is recognised.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    #[schema(max_length = 1_048_576)]
    pub text: String,
    /// Points per side for plain notation, which does not state them; 15 if not given.
    #[serde(default)]
    pub size: Option<u8>,
}

/// A game read from a file.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Imported {
    pub size: u8,
    pub rule: Option<Rule>,
    pub stones: Vec<StoneView>,
    /// The stones in plain notation, ready for settings; absent where they do not alternate from black.
    pub plain: Option<String>,
    pub black: String,
    pub white: String,
    /// `black`, `white` or `draw`, where the file says so.
    pub winner: Option<String>,
}

pub(super) fn services() -> Vec<Service<Gomoku>> {
    vec![Service::new(
        "import",
        "Reads a game from psq, SGF or plain notation.",
        Cost::Light,
        Needs::Nothing,
        json!({ "text": "h8i9h9h10" }),
        |_: &Gomoku, request: ImportRequest, _| import(&request),
    )]
}

/// The largest accepted file, in bytes: far more than any game.
const MOST_BYTES: usize = 1 << 20;

fn import(request: &ImportRequest) -> Result<Imported, ServiceError> {
    let size = request.size.unwrap_or(15);
    if request.text.len() > MOST_BYTES {
        return Err(ServiceError::BadRequest(format!("the file has more than {MOST_BYTES} bytes")));
    }
    if !(crate::rules::MIN_SIZE..=crate::rules::MAX_SIZE).contains(&size) {
        return Err(ServiceError::BadRequest(format!("a board of {size} is not played; sizes run from 5 to 22")));
    }
    let record = formats::read(&request.text, size).map_err(|error| ServiceError::BadRequest(error.to_string()))?;
    record.position(Rule::Freestyle).map_err(|error| ServiceError::BadRequest(error.to_string()))?;
    Ok(Imported {
        size: record.size,
        rule: record.rule,
        plain: record.alternates().then(|| formats::write(&record, Format::Plain)),
        stones: record
            .stones
            .iter()
            .map(|stone| StoneView { x: stone.point.x, y: stone.point.y, color: stone.color })
            .collect(),
        winner: record.result.map(|result| match result {
            RecordResult::Won(color) => color.to_string(),
            RecordResult::Drawn => "draw".to_owned(),
        }),
        black: record.black,
        white: record.white,
    })
}
