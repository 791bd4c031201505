//! Line charts as SVG files.

use std::fmt::Write as _;

/// One line of a chart.
pub struct Series<'a> {
    pub name: &'a str,
    pub points: Vec<(f64, f64)>,
}

const COLOURS: [&str; 4] = ["#1f6fb2", "#c0392b", "#2e8b57", "#8e44ad"];
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const EDGE: f64 = 48.0;

/// A chart of several series over a common axis.
pub fn lines(title: &str, x_label: &str, series: &[Series<'_>]) -> String {
    let all = || series.iter().flat_map(|s| &s.points);
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let low = all().map(pick).fold(f64::INFINITY, f64::min);
        let high = all().map(pick).fold(f64::NEG_INFINITY, f64::max);
        if low.is_finite() && high > low { (low, high) } else { (low.min(0.0), low.max(0.0) + 1.0) }
    };
    let ((x0, x1), (y0, y1)) = (range(|p| p.0), range(|p| p.1));
    let x = |v: f64| EDGE + (v - x0) / (x1 - x0) * (WIDTH - 2.0 * EDGE);
    let y = |v: f64| HEIGHT - EDGE - (v - y0) / (y1 - y0) * (HEIGHT - 2.0 * EDGE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{EDGE}\" y=\"24\" font-size=\"15\">{title}</text>\n"
    );
    for step in 0..=4 {
        let v = y0 + (y1 - y0) * f64::from(step) / 4.0;
        let _ = writeln!(
            svg,
            "<line x1=\"{EDGE}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#ddd\"/><text x=\"4\" y=\"{1:.1}\">{v:.3}</text>",
            WIDTH - EDGE,
            y(v)
        );
    }
    for (i, s) in series.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let path: Vec<String> = s.points.iter().map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1))).collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
            path.join(" ")
        );
        for p in &s.points {
            let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>", x(p.0), y(p.1));
        }
        let at = 40.0 + 16.0 * i as f64;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{at}\" fill=\"{colour}\" text-anchor=\"end\">{}</text>",
            WIDTH - EDGE,
            s.name
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{x_label}</text>\n</svg>",
        WIDTH - EDGE,
        HEIGHT - 12.0
    );
    svg
}
