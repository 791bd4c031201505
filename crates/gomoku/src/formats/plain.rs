//! Plain notation: points one after another, `h8i9g7`, with or without spaces.

use super::FormatError;
use crate::rules::Point;

/// Reads points of a board of `size`; spaces, commas and line breaks between them are skipped. No point may occur twice.
pub fn read(text: &str, size: u8) -> Result<Vec<Point>, FormatError> {
    let mut points: Vec<Point> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() || bytes[at] == b',' {
            at += 1;
            continue;
        }
        let start = at;
        // The first character, whatever it is, then the digits after it.
        at = text.ceil_char_boundary(at + 1);
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        let word = &text[start..at];
        let point = Point::parse(word, size).map_err(|error| FormatError::at(text, start, error.to_string()))?;
        if let Some(earlier) = points.iter().position(|&other| other == point) {
            let reason = format!("{} was already played as stone {}", point.name(size), earlier + 1);
            return Err(FormatError::at(text, start, reason));
        }
        points.push(point);
    }
    Ok(points)
}

/// Writes points in lower case without spaces.
pub fn write(points: &[Point], size: u8) -> String {
    points.iter().map(|point| point.name(size).to_string().to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_tight_and_loose_notation() {
        let expected = vec![Point::new(7, 7), Point::new(8, 6), Point::new(0, 0)];
        assert_eq!(read("h8i9a15", 15), Ok(expected.clone()));
        assert_eq!(read(" H8, I9\nA15 ", 15), Ok(expected.clone()));
        assert_eq!(write(&expected, 15), "h8i9a15");
    }

    #[test]
    fn errors_name_the_place() {
        let error = read("h8\nh8", 15).unwrap_err();
        assert_eq!(error.to_string(), "line 2, column 1: H8 was already played as stone 1");
        assert_eq!(read("h8 z9", 15).unwrap_err().column, 4);
        assert!(read("ěščř", 15).is_err());
    }

    #[test]
    fn any_text_is_read_or_refused_and_what_is_read_round_trips() {
        bolero::check!().with_type::<(String, u8)>().for_each(|(text, size)| {
            let size = 5 + size % 18;
            if let Ok(points) = read(text, size) {
                assert_eq!(read(&write(&points, size), size), Ok(points));
            }
        });
    }
}
