//! A map as JSON: the size and the rows of the text format.

use serde::{Deserialize, Serialize};

use super::map_text::{Blank, MapTextError, map_from_text, map_to_text};
use crate::rules::Map;

/// The JSON form of a map, for the API and for other programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct MapJson {
    /// Side of the board.
    pub size: usize,
    /// Rows from the top: `.` empty, `0` rock, `1` tree, `2` home start, `3` away start, letters portals.
    pub rows: Vec<String>,
}

impl From<&Map> for MapJson {
    fn from(map: &Map) -> Self {
        MapJson { size: map.size().side(), rows: map_to_text(map, Blank::Dot).split('\n').map(str::to_owned).collect() }
    }
}

impl TryFrom<&MapJson> for Map {
    type Error = MapTextError;

    fn try_from(json: &MapJson) -> Result<Map, MapTextError> {
        if json.rows.len() != json.size {
            return Err(MapTextError::Rows(json.rows.len()));
        }
        map_from_text(&json.rows.join("\n"))
    }
}
