//! Rendering of SVG pictures to PNG.

use anyhow::Result;

/// Renders an SVG to PNG at twice its size, so that small text stays readable.
#[cfg(feature = "picture")]
pub fn png(svg: &str) -> Result<Vec<u8>> {
    use anyhow::Context;
    use resvg::{tiny_skia, usvg};

    let mut options = usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    let tree = usvg::Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size().scale_by(2.0).context("an empty picture")?;
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).context("a picture too large")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(2.0, 2.0), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}

/// The build without the feature `picture` cannot write PNG.
#[cfg(not(feature = "picture"))]
pub fn png(_: &str) -> Result<Vec<u8>> {
    anyhow::bail!("this build makes no PNG pictures; write an .svg instead")
}
