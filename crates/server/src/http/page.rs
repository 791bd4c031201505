//! The page for browsers, embedded in the binary, and the small page that shows the API.

use super::HttpState;
use super::identity::{credentials, fresh_cookie};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Page;

/// Shown where the page was not built.
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Parlour</title>\
    <h1>Parlour</h1><p>The page was not built into this program; the API is at <a href=\"/api\">/api</a>.</p></html>";

/// Whether the page was there when the program was built.
pub fn is_built() -> bool {
    Page::get("index.html").is_some()
}

/// A file of the page, or the page itself for its own routes; with it a browser gets its cookie.
pub async fn page(State(http): State<HttpState>, uri: Uri, request: Request) -> Response {
    let path = uri.path().trim_start_matches('/');
    let seen = request.headers();
    if let Some(file) = Page::get(path).filter(|_| !path.is_empty()) {
        return serve(path, file, seen);
    }
    let route = matches!(path, "" | "me" | "me/" | "ops" | "ops/" | "codenames" | "codenames/")
        || path.starts_with("t/")
        || path.starts_with("g/");
    // A browser gets the page with status 404, so that an unknown address is explained in the reader's language.
    let browser = seen
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"));
    if !route && !browser {
        return (StatusCode::NOT_FOUND, "not found\n").into_response();
    }
    let mut answer = match Page::get("index.html") {
        Some(file) => serve("index.html", file, seen),
        None => ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], NOT_BUILT).into_response(),
    };
    if !route {
        *answer.status_mut() = StatusCode::NOT_FOUND;
        return answer;
    }
    if credentials(seen).0.is_none() {
        answer.headers_mut().extend(fresh_cookie(&http).1);
    }
    answer
}

fn serve(path: &str, file: EmbeddedFile, seen: &HeaderMap) -> Response {
    let hash: String = file.metadata.sha256_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    // Files under assets/ carry a hash in their name and never change.
    let caching = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [
        (header::CONTENT_TYPE, content_type(path).to_owned()),
        (header::CACHE_CONTROL, caching.to_owned()),
        (header::ETAG, tag.clone()),
    ];
    if seen.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, file.data.into_owned()).into_response()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "wav" => "audio/wav",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// The API page.
pub async fn api_page() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], include_str!("../../assets/api.html"))
}

/// The script of the API page.
pub async fn api_script() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("../../assets/browse.js"))
}

/// The style of the API page.
pub async fn api_style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("../../assets/browse.css"))
}
