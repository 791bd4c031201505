//! Bar charts as SVG files.

use std::fmt::Write as _;

/// One series of bars: a share between 0 and 1 for every group, none where it is unknown.
pub struct Bars<'a> {
    pub name: &'a str,
    pub shares: Vec<Option<f64>>,
}

const COLOURS: [&str; 6] = ["#1f6fb2", "#c0392b", "#2e8b57", "#8e44ad", "#d08a1d", "#6b7280"];
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 76.0;
const BOTTOM: f64 = 44.0;

/// A chart of shares in percent, one group of bars for each name.
pub fn bars(title: &str, axis: &str, groups: &[String], series: &[Bars<'_>]) -> String {
    let highest = series.iter().flat_map(|s| s.shares.iter().flatten()).copied().fold(0.0, f64::max);
    // steps of whole tens, or twenties
    let unit = if highest > 0.5 { 1.0 } else { 2.0 };
    let top = (highest * unit).ceil().max(1.0) / unit;
    let y = |share: f64| HEIGHT - BOTTOM - share / top * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{title}</text>\n"
    );
    for step in 0..=5 {
        let share = top * f64::from(step) / 5.0;
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#ddd\"/><text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{4:.0}%</text>",
            WIDTH - RIGHT,
            y(share),
            LEFT - 6.0,
            y(share) + 4.0,
            share * 100.0
        );
    }
    let room = (WIDTH - LEFT - RIGHT) / groups.len().max(1) as f64;
    let width = room * 0.8 / series.len().max(1) as f64;
    for (g, group) in groups.iter().enumerate() {
        let start = LEFT + room * (g as f64 + 0.1);
        for (s, bars) in series.iter().enumerate() {
            let Some(share) = bars.shares.get(g).copied().flatten() else { continue };
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"><title>{}, {group}: {:.1}%</title></rect>",
                start + width * s as f64,
                y(share),
                (width - 1.0).max(1.0),
                y(0.0) - y(share),
                COLOURS[s % COLOURS.len()],
                bars.name,
                share * 100.0
            );
        }
        let middle = LEFT + room * (g as f64 + 0.5);
        let _ =
            writeln!(svg, "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{group}</text>", y(0.0) + 16.0);
    }
    let across = (WIDTH - LEFT - RIGHT) / 3.0;
    for (s, bars) in series.iter().enumerate() {
        let (x, y) = (LEFT + across * (s % 3) as f64, 36.0 + 16.0 * (s / 3) as f64);
        let colour = COLOURS[s % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 14.0,
            y + 9.0,
            bars.name
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{axis}</text>\n</svg>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 8.0
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_shares_are_bars_under_their_names() {
        let groups = ["L2".to_owned(), "L3".to_owned()];
        let series = [
            Bars { name: "first", shares: vec![Some(0.25), Some(0.5)] },
            Bars { name: "thesis", shares: vec![None, Some(0.1)] },
        ];
        let svg = bars("Accuracy", "layers", &groups, &series);
        assert_eq!(svg.matches("<title>").count(), 3);
        assert!(svg.contains("first, L3: 50.0%") && svg.contains(">L2</text>") && svg.contains(">50%</text>"), "{svg}");
    }
}
