//! `picture`: a position as an SVG picture.

use game::{Cost, Needs, Service};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::export::File;
use super::request::{PositionRequest, table_position};
use crate::Gomoku;
use crate::formats::svg;
use crate::rules::Position;

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

pub(super) fn services() -> Vec<Service<Gomoku>> {
    vec![
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
    ]
}

fn picture(position: &Position, request: PictureRequest) -> File {
    let style = svg::PictureStyle {
        numbers: request.numbers.unwrap_or(true),
        coordinates: request.coordinates.unwrap_or(true),
        ..svg::PictureStyle::default()
    };
    let text = svg::write(position, style);
    File { name: "gomoku.svg".to_owned(), media_type: "image/svg+xml".to_owned(), text }
}
