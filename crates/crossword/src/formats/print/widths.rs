//! How wide letters of Helvetica are, to break lines; accented letters are as wide as their plain ones.

/// Thousandths of the size, from the blank to the tilde.
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// Bold letters are wider by about this factor.
const BOLD: f64 = 1.07;

/// Width of a text in points.
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    let thousandths: f64 = text.chars().map(letter).sum();
    thousandths / 1000.0 * size * if bold { BOLD } else { 1.0 }
}

fn letter(c: char) -> f64 {
    let plain = super::pdf::base_letter(c).unwrap_or(c);
    let known = (plain as usize).checked_sub(32).and_then(|at| ASCII.get(at));
    f64::from(known.copied().unwrap_or(if c == '—' { 1000 } else { 600 }))
}

/// The text in lines that are at most so wide; a single word that is wider is broken.
pub fn lines(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is always a line");
        let with = if last.is_empty() { word.to_owned() } else { format!("{last} {word}") };
        if width(&with, size, false) <= most {
            *last = with;
            continue;
        }
        if !last.is_empty() {
            lines.push(String::new());
        }
        for c in word.chars() {
            let last = lines.last_mut().expect("there is always a line");
            if !last.is_empty() && width(&format!("{last}{c}"), size, false) > most {
                lines.push(c.to_string());
            } else {
                last.push(c);
            }
        }
    }
    lines
}
