//! Curves as SVG and as text, in the published folder layout.

use std::path::Path;

use plotters::prelude::*;

use super::trees::{TreesError, write_atomically};
use numerics::Interval;

/// A curve as a table: percent removed, mean, lower and upper end of the interval.
pub fn table(curve: &[Interval]) -> String {
    let mut text = String::from("percent mean low high\n0 0 0 0\n");
    for (i, point) in curve.iter().enumerate() {
        text += &format!("{} {:.5} {:.5} {:.5}\n", i + 1, point.mean, point.low(), point.high());
    }
    text
}

/// A curve with its interval as a picture.
pub fn picture(title: &str, label: &str, curve: &[Interval]) -> String {
    let points: Vec<(f64, Interval)> = curve.iter().enumerate().map(|(i, v)| (i as f64 + 1.0, *v)).collect();
    let finite = |v: f64| if v.is_finite() { v } else { 0.0 };
    let low = points.iter().map(|(_, v)| finite(v.low())).fold(0.0, f64::min);
    let high = points.iter().map(|(_, v)| finite(v.high())).fold(0.05, f64::max);
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (640, 400)).into_drawing_area();
        let drawn = (|| -> Result<(), Box<dyn std::error::Error>> {
            root.fill(&WHITE)?;
            let mut chart = ChartBuilder::on(&root)
                .caption(title, ("sans-serif", 16))
                .margin(12)
                .x_label_area_size(36)
                .y_label_area_size(52)
                .build_cartesian_2d(0.0..100.0, low..high * 1.05)?;
            chart.configure_mesh().x_desc("trees removed, percent").y_desc(label).light_line_style(WHITE).draw()?;
            let band = points.iter().map(|(x, v)| (*x, finite(v.high())));
            let back = points.iter().rev().map(|(x, v)| (*x, finite(v.low())));
            chart.draw_series([Polygon::new(band.chain(back).collect::<Vec<_>>(), BLUE.mix(0.2))])?;
            let ends = [(0.0, 0.0)].into_iter();
            chart.draw_series(LineSeries::new(ends.chain(points.iter().map(|(x, v)| (*x, v.mean))), &BLUE))?;
            root.present()?;
            Ok(())
        })();
        // drawing into a string fails only on nonsense ranges, and an empty picture says so
        if drawn.is_err() {
            return format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><text y=\"20\">{title}: no data</text></svg>");
        }
    }
    svg
}

/// Writes one curve as `<name>.svg` and `<name>.txt`.
pub fn write_curve(folder: &Path, name: &str, title: &str, label: &str, curve: &[Interval]) -> Result<(), TreesError> {
    std::fs::create_dir_all(folder).map_err(|error| TreesError::File { path: folder.to_owned(), error })?;
    write_atomically(&folder.join(format!("{name}.svg")), picture(title, label, curve).as_bytes())?;
    write_atomically(&folder.join(format!("{name}.txt")), table(curve).as_bytes())
}
