//! A report as one HTML page that needs nothing else.

use crate::engine::analysis::{GameReport, RankingEntry, TurnReport};
use crate::rules::Layout;
use std::fmt::Write;

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "
:root{color-scheme:light dark;--bg:#faf8f3;--fg:#23201b;--soft:#6d665b;--card:#fff;--line:#ddd6c8;--tile:#f1dfb4;--tiletext:#3a2c10;--new:#e7b24c;
--dl:#cfe3ee;--tl:#8fbfd8;--dw:#f3d3cf;--tw:#df8e86;--plain:#eee9dd}
@media (prefers-color-scheme:dark){:root{--bg:#1b1a18;--fg:#eee8dc;--soft:#a79f90;--card:#262421;--line:#3b3833;--tile:#c9b07a;--tiletext:#211a0a;--new:#e7b24c;
--dl:#2f4753;--tl:#2b6480;--dw:#5a3431;--tw:#83413a;--plain:#2f2c28}}
body{margin:0 auto;max-width:64rem;padding:1.5rem 1rem 4rem;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;margin:0 0 .25rem}.lead{color:var(--soft);margin:0 0 1rem}
table.sum{border-collapse:collapse;width:100%;margin:1rem 0}table.sum td,table.sum th{padding:.25rem .5rem;border-bottom:1px solid var(--line);text-align:left}
td.n,th.n{text-align:right!important;font-variant-numeric:tabular-nums}
section{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem;margin:1rem 0}
section h2{font-size:1.05rem;margin:0 0 .5rem}.row{display:flex;flex-wrap:wrap;gap:1.25rem}
.board{display:grid;gap:1px;background:var(--line);border:1px solid var(--line);width:min(100%,22rem);aspect-ratio:1;align-self:flex-start}
.board i{font-style:normal;display:flex;align-items:center;justify-content:center;font-size:.72rem;font-weight:600;background:var(--plain);min-width:0}
.board .dl{background:var(--dl)}.board .tl{background:var(--tl)}.board .dw{background:var(--dw)}.board .tw{background:var(--tw)}
.board .t{background:var(--tile);color:var(--tiletext)}.board .t.new{background:var(--new)}.board .b{color:#9a2f1e}
.lists{flex:1;min-width:17rem;display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:.75rem}
.lists h3{font-size:.8rem;margin:0;color:var(--soft);font-weight:600}.lists ol{margin:.2rem 0 0;padding:0;list-style:none}
.lists li{display:flex;justify-content:space-between;gap:.5rem;border-bottom:1px dotted var(--line);padding:.1rem 0}
.lists li.me{font-weight:700}.rack{letter-spacing:.15em;font-weight:600}.bad{color:#b4382a}.ok{color:#3d7d3d}
a{color:inherit}";

/// Writes the page.
pub fn page(report: &GameReport, layout: &Layout, title: &str) -> String {
    let mut out = String::new();
    let names: Vec<String> =
        report.players.iter().zip(&report.scores).map(|(n, s)| format!("{} {s}", escape(n))).collect();
    let _ = write!(
        out,
        "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{}</title><style>{STYLE}</style><h1>{}</h1><p class=\"lead\">{}</p><p>{}</p>",
        escape(&report.language),
        escape(title),
        escape(title),
        names.join(" : "),
        escape(&report.summary)
    );
    out += "<table class=\"sum\"><tr><th>Turn<th>Player<th>Rack<th>Move<th class=\"n\">Score<th class=\"n\">Total<th>Best<th class=\"n\">Lost</tr>";
    for turn in &report.turns {
        let best = turn.best.first().map_or("", |b| b.text.as_str());
        let _ = write!(
            out,
            "<tr><td><a href=\"#t{n}\">{n}</a><td>{}<td class=\"rack\">{}<td>{}<td class=\"n\">{}<td class=\"n\">{}<td>{}<td class=\"n\">{}</tr>",
            escape(report.players.get(turn.seat as usize).map_or("", String::as_str)),
            escape(turn.rack.as_deref().unwrap_or("")),
            escape(&turn.text),
            turn.score,
            turn.total,
            escape(best),
            turn.loss.map_or(String::new(), |l| format!("{l:.1}")),
            n = turn.number
        );
    }
    out += "</table>";
    for turn in &report.turns {
        section(&mut out, report, turn, layout);
    }
    out += "</html>\n";
    out
}

fn section(out: &mut String, report: &GameReport, turn: &TurnReport, layout: &Layout) {
    let name = report.players.get(turn.seat as usize).map_or("", String::as_str);
    let _ = write!(
        out,
        "<section id=\"t{}\"><h2>{}. {}: {} <span class=\"lead\">{:+}, total {}</span></h2>",
        turn.number,
        turn.number,
        escape(name),
        escape(&turn.text),
        turn.score,
        turn.total
    );
    if let Some(rack) = &turn.rack {
        let _ = write!(out, "<p>Rack <span class=\"rack\">{}</span>", escape(rack));
        if let (Some(loss), Some(win), Some(best)) = (turn.loss, turn.win, turn.win_best) {
            let class = if loss >= 5.0 { "bad" } else { "ok" };
            let exact = if turn.exact { " (exact)" } else { "" };
            let _ = write!(
                out,
                " · <span class=\"{class}\">{loss:.1} points lost{exact}</span> · win probability {:.0}% (best {:.0}%)",
                win * 100.0,
                best * 100.0
            );
        }
        *out += "</p>";
    }
    if !turn.phonies.is_empty() {
        let words = turn.phonies.join(", ");
        let verb = if turn.phonies.len() == 1 { "is" } else { "are" };
        let _ = write!(
            out,
            "<p class=\"bad\">{} {verb} not in the lexicon: a challenge takes {} points back</p>",
            escape(&words),
            turn.score
        );
    }
    if let Some(problem) = &turn.problem {
        let _ = write!(out, "<p class=\"bad\">{}</p>", escape(problem));
    }
    let side = turn.board.len();
    let _ = write!(out, "<div class=\"row\"><div class=\"board\" style=\"grid-template-columns:repeat({side},1fr)\">");
    for (r, row) in turn.board.iter().enumerate() {
        for (c, tile) in row.iter().enumerate() {
            let premium = layout.premium(r * side + c);
            let new = turn.squares.contains(&(r as u8, c as u8));
            let class = match (premium.letter, premium.word) {
                _ if new => "t new",
                _ if tile != " " => "t",
                (2, _) => "dl",
                (3.., _) => "tl",
                (_, 2) => "dw",
                (_, 3..) => "tw",
                _ => "",
            };
            let blank = if tile.chars().any(char::is_lowercase) { " b" } else { "" };
            let _ = write!(out, "<i class=\"{class}{blank}\">{}</i>", escape(tile.trim()));
        }
    }
    *out += "</div><div class=\"lists\">";
    for (title, list, digits) in [
        (best_title(&turn.method), &turn.best, 1),
        ("Greedy (score)", &turn.greedy, 0),
        ("Weighted (Dvořák 2006)", &turn.weighted, 1),
    ] {
        ranking(out, title, list, digits, &turn.text);
    }
    *out += "</div></div></section>";
}

/// Moves a page lists per ranking and turn: all of an ordinary turn. A turn with two blanks has up to 100,000.
pub const MOVES_PER_TURN: usize = 2_000;
/// Entries of a ranking before the rest is folded.
const UNFOLDED: usize = 10;

/// The estimator behind the list of best moves.
fn best_title(method: &str) -> &'static str {
    match method {
        "endgame" => "Best (endgame search)",
        "simulated" => "Best (simulated spread)",
        _ => "Best (static equity)",
    }
}

fn ranking(out: &mut String, title: &str, list: &[RankingEntry], digits: usize, made: &str) {
    let _ = write!(out, "<div><h3>{title}</h3><ol>");
    for (i, choice) in list.iter().enumerate() {
        if i == UNFOLDED {
            let _ = write!(out, "</ol><details><summary>{} more</summary><ol>", list.len() - UNFOLDED);
        }
        let me = if choice.text == made { " class=\"me\"" } else { "" };
        let _ = write!(out, "<li{me}><span>{}</span><span>{:.digits$}</span></li>", escape(&choice.text), choice.value);
    }
    *out += if list.len() > UNFOLDED { "</ol></details></div>" } else { "</ol></div>" };
}
