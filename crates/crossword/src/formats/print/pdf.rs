//! Pages as a PDF file with the fonts that every reader has; letters beyond ASCII get codes of their own by name.

use super::shapes::{Anchor, PAGE, Page, PageElement};
use super::widths::width;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Accented letters: the character, its plain letter, the name of its accent.
const ACCENTS: &[(&str, &str)] = &[
    ("acute", "ÁáÉéÍíÓóÚúÝýĆćŃńŚśŹźĹĺŔŕ"),
    ("caron", "ČčĎďĚěŇňŘřŠšŤťŽžĽľ"),
    ("ring", "ŮůÅå"),
    ("ogonek", "ĄąĘęĮįŲų"),
    ("dieresis", "ÄäËëÏïÖöÜüŸÿ"),
    ("circumflex", "ÂâÊêÎîÔôÛû"),
    ("grave", "ÀàÈèÌìÒòÙù"),
    ("tilde", "ÃãÑñÕõ"),
    ("cedilla", "ÇçŞş"),
    ("dotaccent", "Żż"),
    ("slash", "ŁłØø"),
    ("hungarumlaut", "ŐőŰű"),
    ("breve", "ĂăĞğ"),
];

/// The plain letters of [`ACCENTS`], in the same order.
const PLAIN: &[&str] = &[
    "AaEeIiOoUuYyCcNnSsZzLlRr",
    "CcDdEeNnRrSsTtZzLl",
    "UuAa",
    "AaEeIiUu",
    "AaEeIiOoUuYy",
    "AaEeIiOoUu",
    "AaEeIiOoUu",
    "AaNnOo",
    "CcSs",
    "Zz",
    "LlOo",
    "OoUu",
    "AaGg",
];

/// Other characters by the names that fonts know them by.
const NAMED: &[(char, &str)] = &[
    ('–', "endash"),
    ('—', "emdash"),
    ('…', "ellipsis"),
    ('‘', "quoteleft"),
    ('’', "quoteright"),
    ('“', "quotedblleft"),
    ('”', "quotedblright"),
    ('„', "quotedblbase"),
    ('‚', "quotesinglbase"),
    ('«', "guillemotleft"),
    ('»', "guillemotright"),
    ('ß', "germandbls"),
    ('æ', "ae"),
    ('Æ', "AE"),
    ('°', "degree"),
    ('§', "section"),
    ('£', "sterling"),
    ('€', "Euro"),
    ('½', "onehalf"),
    ('·', "periodcentered"),
    ('×', "multiply"),
];

fn accented(c: char) -> Option<(char, &'static str)> {
    ACCENTS.iter().zip(PLAIN).find_map(|((name, letters), plain)| {
        let at = letters.chars().position(|letter| letter == c)?;
        Some((plain.chars().nth(at)?, *name))
    })
}

/// The plain letter of an accented one.
pub fn base_letter(c: char) -> Option<char> {
    accented(c).map(|(plain, _)| plain)
}

/// The name that fonts know a character beyond ASCII by.
fn glyph(c: char) -> String {
    if let Some((plain, accent)) = accented(c) {
        return format!("{plain}{accent}");
    }
    let named = NAMED.iter().find(|(known, _)| *known == c);
    named.map_or_else(|| format!("uni{:04X}", u32::from(c) & 0xffff), |(_, name)| (*name).to_owned())
}

/// Codes of the characters of one document.
#[derive(Default)]
struct Codes {
    beyond: BTreeMap<char, u8>,
}

impl Codes {
    /// The bytes of a text inside a PDF string; characters for which there is no code left become question marks.
    fn text(&mut self, text: &str) -> String {
        let mut out = String::new();
        for c in text.chars().filter(|c| !c.is_control()) {
            match c {
                '(' | ')' | '\\' => {
                    out.push('\\');
                    out.push(c);
                }
                ' '..='~' => out.push(c),
                c => match self.code(c) {
                    Some(code) => _ = write!(out, "\\{code:03o}"),
                    None => out.push('?'),
                },
            }
        }
        out
    }

    fn code(&mut self, c: char) -> Option<u8> {
        let next = u8::try_from(128 + self.beyond.len()).ok();
        if let Some(&known) = self.beyond.get(&c) {
            return Some(known);
        }
        let code = next?;
        self.beyond.insert(c, code);
        Some(code)
    }

    fn encoding(&self) -> String {
        let mut by_code: Vec<(u8, char)> = self.beyond.iter().map(|(&c, &code)| (code, c)).collect();
        by_code.sort_unstable();
        let names: String = by_code.iter().map(|&(_, c)| format!(" /{}", glyph(c))).collect();
        let differences = if names.is_empty() { String::new() } else { format!(" /Differences [128{names}]") };
        format!("<< /Type /Encoding /BaseEncoding /WinAnsiEncoding{differences} >>")
    }
}

/// The pages as a file.
pub fn write(title: &str, pages: &[Page]) -> Vec<u8> {
    let mut codes = Codes::default();
    let contents: Vec<String> = pages.iter().map(|page| content(page, &mut codes)).collect();
    // Objects: 1 catalog, 2 page tree, 3 encoding, 4 and 5 fonts, 6 title, then two per page.
    let kids: Vec<String> = (0..pages.len()).map(|number| format!("{} 0 R", 7 + 2 * number)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
        codes.encoding(),
        font("Helvetica"),
        font("Helvetica-Bold"),
        format!("<< /Title <FEFF{}> >>", title.encode_utf16().map(|unit| format!("{unit:04X}")).collect::<String>()),
    ];
    for (number, content) in contents.into_iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents {} 0 R /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>",
            PAGE.0,
            PAGE.1,
            8 + 2 * number
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}endstream", content.len()));
    }
    let mut out = String::from("%PDF-1.4\n");
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(out.len());
        let _ = write!(out, "{} 0 obj\n{object}\nendobj\n", number + 1);
    }
    let start = out.len();
    let _ = write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    places.iter().for_each(|place| _ = writeln!(out, "{place:010} 00000 n "));
    let _ =
        write!(out, "trailer\n<< /Size {} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1);
    out.into_bytes()
}

fn font(name: &str) -> String {
    format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding 3 0 R >>")
}

/// The drawing commands of a page; PDF measures from the lower left corner.
fn content(page: &Page, codes: &mut Codes) -> String {
    let mut out = String::from("0.6 w\n");
    let up = |y: f64| PAGE.1 - y;
    for mark in page {
        let _ = match mark {
            PageElement::Filled { x, y, width, height, grey } => {
                writeln!(out, "{grey} g {x:.2} {:.2} {width:.2} {height:.2} re f 0 g", up(y + height))
            }
            PageElement::Framed { x, y, width, height } => {
                writeln!(out, "{x:.2} {:.2} {width:.2} {height:.2} re S", up(y + height))
            }
            PageElement::Line { from, to, thick } => {
                writeln!(out, "{thick} w {:.2} {:.2} m {:.2} {:.2} l S 0.6 w", from.0, up(from.1), to.0, up(to.1))
            }
            PageElement::Circle { centre, radius } => writeln!(out, "{}", circle((centre.0, up(centre.1)), *radius)),
            PageElement::Text { x, y, size, bold, anchor, text } => {
                let x = if *anchor == Anchor::Middle { x - width(text, *size, *bold) / 2.0 } else { *x };
                let font = if *bold { "F2" } else { "F1" };
                let text = codes.text(text);
                writeln!(out, "BT /{font} {size:.2} Tf {x:.2} {:.2} Td ({text}) Tj ET", up(*y))
            }
        };
    }
    out
}

/// A circle of four curves.
fn circle((x, y): (f64, f64), r: f64) -> String {
    let k = 0.5523 * r;
    let quarter = |a: (f64, f64), b: (f64, f64), end: (f64, f64)| {
        format!("{:.2} {:.2} {:.2} {:.2} {:.2} {:.2} c ", x + a.0, y + a.1, x + b.0, y + b.1, x + end.0, y + end.1)
    };
    format!("{:.2} {y:.2} m ", x + r)
        + &quarter((r, k), (k, r), (0.0, r))
        + &quarter((-k, r), (-r, k), (-r, 0.0))
        + &quarter((-r, -k), (-k, -r), (0.0, -r))
        + &quarter((k, -r), (r, -k), (r, 0.0))
        + "S"
}
