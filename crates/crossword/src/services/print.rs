//! `print`: the puzzle as SVG or PDF, with the written letters or empty.

use super::view;
use crate::formats::print::{PrintedLetters, pdf, svg};
use crate::table::Crossword;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use game::{Cost, Needs, Service, ServiceCall, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Which file.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PrintFormat {
    Svg,
    Pdf,
}

/// What is printed.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrintRequest {
    pub format: PrintFormat,
    /// Whether the written letters are printed; an empty grid if absent.
    #[serde(default)]
    pub letters: bool,
}

/// A printable file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PrintAnswer {
    /// Its media type.
    #[schema(value_type = String)]
    pub media: &'static str,
    /// Its bytes in base64.
    pub base64: String,
}

pub(super) fn service() -> Service<Crossword> {
    Service::new(
        "print",
        "The puzzle as SVG or PDF for printing: grid and clues, with the written letters or empty.",
        Cost::Light,
        Needs::View,
        json!({"format": "pdf", "letters": false}),
        |_: &Crossword, request: PrintRequest, call: ServiceCall<'_, Crossword>| {
            let puzzle = view(&call)?.puzzle(|_| true).map_err(ServiceError::BadRequest)?;
            let letters = if request.letters { PrintedLetters::Written } else { PrintedLetters::Given };
            let (media, bytes) = match request.format {
                PrintFormat::Svg => ("image/svg+xml", svg(&puzzle, letters).into_bytes()),
                PrintFormat::Pdf => ("application/pdf", pdf(&puzzle, letters)),
            };
            Ok(PrintAnswer { media, base64: STANDARD.encode(bytes) })
        },
    )
}
