//! Cache of job files on a worker's machine. Files are fetched from the server by hash and verified.

use crate::Hash;
use crate::hash::Hasher;
use crate::job_store::LARGEST_FILE;
use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::{Request, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::sync::Mutex;

/// Read timeout.
const QUIET: Duration = Duration::from_secs(30);

/// A folder of fetched files, each named by its hash.
pub(super) struct ArtifactCache {
    folder: PathBuf,
    /// Source of files: `http://HOST:PORT`.
    server: Option<String>,
    http: Client<HttpConnector, Empty<Bytes>>,
    /// Files verified by this process. The lock is held during a fetch, so that each file is fetched once.
    checked: Mutex<BTreeSet<Hash>>,
}

impl ArtifactCache {
    pub(super) fn new(folder: PathBuf, server: Option<String>) -> Self {
        let server = server.map(|server| server.trim_end_matches('/').to_owned());
        let http = Client::builder(TokioExecutor::new()).build_http();
        Self { folder, server, http, checked: Mutex::default() }
    }

    /// Path of a file. Fetches the file if it is missing.
    pub(super) async fn get(&self, hash: &Hash) -> Result<PathBuf, String> {
        let path = self.folder.join(hash.to_string());
        let mut checked = self.checked.lock().await;
        if checked.contains(hash) && path.is_file() {
            return Ok(path);
        }
        let found = path.clone();
        let here = tokio::task::spawn_blocking(move || Hash::of_file(&found).ok()).await.unwrap_or_default();
        if here != Some(*hash) {
            self.fetch(hash, &path).await?;
        }
        checked.insert(*hash);
        Ok(path)
    }

    async fn fetch(&self, hash: &Hash, path: &Path) -> Result<(), String> {
        let Some(server) = &self.server else {
            return Err(format!("the job reads file {hash}; start the worker with --server, the source of files"));
        };
        std::fs::create_dir_all(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        // The name contains the process id: two workers may share the folder.
        let part = self.folder.join(format!("{hash}.{}.part", std::process::id()));
        let fetched = self.receive(&format!("{server}/api/v1/artifacts/{hash}"), hash, &part).await;
        if fetched.is_err() {
            let _ = std::fs::remove_file(&part);
        }
        fetched?;
        std::fs::rename(&part, path).map_err(|error| format!("{}: {error}", path.display()))
    }

    async fn receive(&self, address: &str, hash: &Hash, part: &Path) -> Result<(), String> {
        let failed = |error: &dyn std::fmt::Display| format!("{address}: {error}");
        let request = Request::get(address).body(Empty::new()).map_err(|error| failed(&error))?;
        let answer = tokio::time::timeout(QUIET, self.http.request(request))
            .await
            .map_err(|_| failed(&"no answer"))?
            .map_err(|error| failed(&error))?;
        if answer.status() != StatusCode::OK {
            return Err(failed(&format!("the server answered {}", answer.status())));
        }
        let mut file = tokio::fs::File::create(part).await.map_err(|error| failed(&error))?;
        let (mut body, mut hasher, mut size) = (answer.into_body(), Hasher::default(), 0);
        while let Some(frame) =
            tokio::time::timeout(QUIET, body.frame()).await.map_err(|_| failed(&"no data from the server"))?
        {
            let Ok(bytes) = frame.map_err(|error| failed(&error))?.into_data() else { continue };
            size += bytes.len() as u64;
            if size > LARGEST_FILE {
                return Err(failed(&format!("more than {LARGEST_FILE} bytes")));
            }
            hasher.add(&bytes);
            file.write_all(&bytes).await.map_err(|error| failed(&error))?;
        }
        file.sync_all().await.map_err(|error| failed(&error))?;
        let found = hasher.finish();
        if found != *hash {
            return Err(failed(&format!("the received file has the hash {found}")));
        }
        Ok(())
    }
}
