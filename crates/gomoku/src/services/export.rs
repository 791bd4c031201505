//! `export`: writes the game of a table as a file.

use game::{Cost, Needs, Service, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::request::table_position;
use crate::Gomoku;
use crate::formats::{self, Format, Record, RecordResult};
use crate::rules::{Color, Position, Status};

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

pub(super) fn services() -> Vec<Service<Gomoku>> {
    vec![Service::new(
        "export",
        "Writes the table's game as psq, SGF or plain notation.",
        Cost::Light,
        Needs::View,
        json!({ "format": "psq" }),
        |_: &Gomoku, request: ExportRequest, call| export(&table_position(&call)?, &request),
    )]
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
