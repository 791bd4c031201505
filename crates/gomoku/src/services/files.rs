//! `import`, `export`, `picture`, `opening`: games in and out, pictures, balanced first stones.

use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::question::{PositionRequest, table_position};
use crate::Gomoku;
use crate::formats::{self, Format, Record, RecordResult, svg};
use crate::players::{Resources, player, three_stones};
use crate::rules::{Color, Position, Rule, Status};
use crate::table::{Spot, StoneView};

/// The file formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileFormat {
    /// The Piskvork manager's format.
    Psq,
    Sgf,
    /// `h8i9g7`.
    Plain,
}

impl From<FileFormat> for Format {
    fn from(format: FileFormat) -> Self {
        match format {
            FileFormat::Psq => Self::Psq,
            FileFormat::Sgf => Self::Sgf,
            FileFormat::Plain => Self::Plain,
        }
    }
}

/// A file to read; its format is recognised.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    pub text: String,
    /// The board of plain notation, which names none; 15 if not given.
    #[serde(default)]
    pub size: Option<u8>,
}

/// A game read from a file.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Imported {
    pub size: u8,
    pub rule: Option<Rule>,
    pub stones: Vec<StoneView>,
    /// The stones in plain notation, ready for settings, where they alternate from black.
    pub plain: Option<String>,
    pub black: String,
    pub white: String,
    /// `black`, `white` or `draw`, where the file says so.
    pub winner: Option<String>,
}

/// Which format to write.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    pub format: FileFormat,
    #[serde(default)]
    pub black: String,
    #[serde(default)]
    pub white: String,
}

/// A written file.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct File {
    /// A name to save it under.
    pub name: String,
    pub media_type: String,
    pub text: String,
}

/// What the picture shows.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct PictureRequest {
    /// Stone numbers; on if not given.
    pub numbers: Option<bool>,
    /// Letters and numbers along the edges; on if not given.
    pub coordinates: Option<bool>,
}

/// A picture of a stated position.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PicturePositionRequest {
    #[serde(flatten)]
    pub position: PositionRequest,
    pub numbers: Option<bool>,
    pub coordinates: Option<bool>,
}

/// For which board and rule to find an opening.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningRequest {
    pub size: Option<u8>,
    #[serde(default)]
    pub rule: Rule,
}

/// Three stones after which both sides are about equally well off.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BalancedOpening {
    pub stones: Vec<Spot>,
    /// The stones in plain notation, ready for settings.
    pub plain: String,
}

pub(super) fn services() -> Vec<Service<Gomoku>> {
    vec![
        Service::new(
            "import",
            "Reads a game from psq, SGF or plain notation.",
            Cost::Light,
            Needs::Nothing,
            json!({ "text": "h8i9h9h10" }),
            |_: &Gomoku, request: ImportRequest, _| import(&request),
        ),
        Service::new(
            "export",
            "Writes the table's game as psq, SGF or plain notation.",
            Cost::Light,
            Needs::View,
            json!({ "format": "psq" }),
            |_: &Gomoku, request: ExportRequest, call| export(&table_position(&call)?, &request),
        ),
        Service::new(
            "picture",
            "The table's position as an SVG picture.",
            Cost::Light,
            Needs::View,
            json!({ "numbers": true }),
            |_: &Gomoku, request: PictureRequest, call| Ok(picture(&table_position(&call)?, request)),
        ),
        Service::new(
            "picture_position",
            "Any position as an SVG picture.",
            Cost::Light,
            Needs::Nothing,
            json!({ "stones": "h8i9" }),
            |_: &Gomoku, request: PicturePositionRequest, _| {
                let style = PictureRequest { numbers: request.numbers, coordinates: request.coordinates };
                Ok(picture(&request.position.position()?, style))
            },
        ),
        Service::new(
            "opening",
            "Three balanced stones to begin with.",
            Cost::Heavy,
            Needs::Nothing,
            json!({ "size": 15, "rule": "freestyle" }),
            |game: &Gomoku, request: OpeningRequest, call| {
                let size = request.size.unwrap_or(15);
                let mut player = player("full", &game.nets, Resources { table_mb: 8, threads: 1 })
                    .ok_or_else(|| ServiceError::Unavailable("no engine".to_owned()))?;
                let stones = three_stones(&mut *player, request.rule, size, call.seed, call.control)
                    .map_err(|error| ServiceError::BadRequest(error.to_string()))?;
                Ok(BalancedOpening {
                    stones: stones.iter().map(|&point| Spot::new(point, size)).collect(),
                    plain: formats::plain::write(&stones, size),
                })
            },
        ),
    ]
}

/// The largest file that is read: far more than any game.
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

fn export(position: &Position, request: &ExportRequest) -> Result<File, ServiceError> {
    let result = match position.status() {
        Status::Won { by, .. } => Some(RecordResult::Won(*by)),
        Status::Drawn => Some(RecordResult::Drawn),
        Status::Running => None,
    };
    let record = Record {
        rule: Some(position.rule()),
        stones: position.stones().to_vec(),
        black: request.black.clone(),
        white: request.white.clone(),
        result,
        ..Record::of_points(position.size(), [])
    };
    if request.format != FileFormat::Sgf && !record.alternates() {
        let first = record.stones.iter().enumerate().find(|(i, stone)| stone.color != Color::of_stone(*i));
        let number = first.map_or(0, |(i, _)| i + 1);
        let message = format!("stone {number} is out of turn, which only SGF can write");
        return Err(ServiceError::BadRequest(message));
    }
    let (name, media_type) = match request.format {
        FileFormat::Psq => ("game.psq", "text/plain"),
        FileFormat::Sgf => ("game.sgf", "application/x-go-sgf"),
        FileFormat::Plain => ("game.txt", "text/plain"),
    };
    let text = formats::write(&record, request.format.into());
    Ok(File { name: name.to_owned(), media_type: media_type.to_owned(), text })
}

fn picture(position: &Position, request: PictureRequest) -> File {
    let style = svg::Style {
        numbers: request.numbers.unwrap_or(true),
        coordinates: request.coordinates.unwrap_or(true),
        ..svg::Style::default()
    };
    let text = svg::write(position, style);
    File { name: "gomoku.svg".to_owned(), media_type: "image/svg+xml".to_owned(), text }
}
