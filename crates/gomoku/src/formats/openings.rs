//! Opening lists as tournaments use them: one opening a line, stones as `x,y` offsets from the middle, black first.

use super::FormatError;
use crate::rules::Point;

/// Reads a list for a board of `size`; empty lines and lines that begin with `#` are skipped.
pub fn read(text: &str, size: u8) -> Result<Vec<Vec<Point>>, FormatError> {
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fail = |reason: String| FormatError { line: number + 1, column: 1, reason };
        let numbers: Vec<i32> = line
            .split(|c: char| c == ',' || c.is_whitespace())
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().map_err(|_| fail(format!("{part:?} is no number"))))
            .collect::<Result<_, _>>()?;
        if !numbers.len().is_multiple_of(2) {
            return Err(fail(format!("{} numbers do not make pairs x,y", numbers.len())));
        }
        let mut points: Vec<Point> = Vec::new();
        for pair in numbers.chunks_exact(2) {
            let place =
                |offset: i32| u8::try_from(offset.saturating_add(i32::from(size / 2))).ok().filter(|&v| v < size);
            let (Some(x), Some(y)) = (place(pair[0]), place(pair[1])) else {
                return Err(fail(format!("{},{} from the middle is outside the board of {size}", pair[0], pair[1])));
            };
            let point = Point { x, y };
            if points.contains(&point) {
                return Err(fail(format!("{},{} occurs twice", pair[0], pair[1])));
            }
            points.push(point);
        }
        openings.push(points);
    }
    Ok(openings)
}

/// Writes a list that [`read`] reads.
pub fn write(openings: &[Vec<Point>], size: u8) -> String {
    let middle = i32::from(size / 2);
    openings
        .iter()
        .map(|points| {
            let pairs: Vec<String> = points
                .iter()
                .map(|point| format!("{},{}", i32::from(point.x) - middle, i32::from(point.y) - middle))
                .collect();
            pairs.join(", ") + "\n"
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_from_the_middle() {
        let openings = read("# three stones\n0,0, 1,-1, 1,3\n\n-7,7\n", 15).unwrap();
        assert_eq!(openings, [vec![Point::new(7, 7), Point::new(8, 6), Point::new(8, 10)], vec![Point::new(0, 14)]]);
        assert_eq!(read(&write(&openings, 15), 15), Ok(openings));
        assert_eq!(read("0,0\n8,0", 15).unwrap_err().line, 2);
    }

    #[test]
    fn any_text_is_read_or_refused() {
        bolero::check!().with_type::<String>().for_each(|text| {
            if let Ok(openings) = read(text, 15) {
                assert_eq!(
                    read(&write(&openings, 15), 15).unwrap().len(),
                    openings.iter().filter(|o| !o.is_empty()).count()
                );
            }
        });
    }
}
