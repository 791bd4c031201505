//! The features of many maps, as work for the queue.

use std::path::Path;

use homeguard::engine::preference::features::measure;
use homeguard::engine::tree::TreeMaker;
use homeguard::formats::{MapRecord, MapRecordFile};
use jobs::{Batch, Flow, Task, Work, WorkError};

use super::dataset::Dataset;
use super::trees::{TreesError, write_atomically};
use crate::job_submitter::{JobSubmitter, SubmitError, answer, file, read};

/// Maps of one job.
const CHUNK: u64 = 25;

/// Measures maps of a file; the numbers of the maps are the seeds, the result is a row of features for each.
pub struct MeasureWork;

impl Work for MeasureWork {
    fn kind(&self) -> &'static str {
        "homeguard.measure"
    }

    fn version(&self) -> u32 {
        1
    }

    fn run(&self, task: &Task<'_>) -> Result<Vec<u8>, WorkError> {
        let text = String::from_utf8_lossy(&read(file(task, 0)?)?).into_owned();
        let maps = MapRecordFile::from_text(&text).map_err(|error| WorkError::Refused(error.to_string()))?;
        let some = maps.records.get(task.seeds.start as usize..task.seeds.end as usize);
        let some = some.ok_or_else(|| WorkError::Refused(format!("the file has {} maps", maps.records.len())))?;
        let mut maker = TreeMaker::new();
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for record in some {
            if task.control.is_cancelled() {
                return Err(WorkError::Cancelled);
            }
            rows.push(measure(&record.map, &mut maker).features.0.to_vec());
            task.control.progress(rows.len() as u64, some.len() as u64);
        }
        Ok(answer(&rows))
    }
}

/// The statistics of the maps of all test trees. The maps go into a file of the run's folder.
pub(super) fn statistics(
    submitter: JobSubmitter<'_>,
    folder: &Path,
    data: &Dataset,
) -> Result<Vec<Vec<f64>>, TreesError> {
    let record =
        |item: &super::dataset::TreeItem| MapRecord { map: item.map.clone(), embeddings: Vec::new(), class: 0 };
    let maps =
        MapRecordFile { header: "maps to measure\n".to_owned(), records: data.test_items().map(record).collect() };
    let path = folder.join("test_maps.txt");
    write_atomically(&path, maps.to_text().as_bytes())?;
    let all = data.test.len() as u64;
    let mut batch = Batch::new(format!("homeguard: measuring {all} maps"));
    let file = batch.file(&path).map_err(|error| TreesError::File { path: path.clone(), error })?;
    for start in (0..all).step_by(CHUNK as usize) {
        batch.jobs.push(submitter.job(&MeasureWork, &(), start..all.min(start + CHUNK), vec![file]));
    }
    let mut rows = Vec::new();
    submitter.values(&batch, &mut |_, some: Vec<Vec<f64>>| {
        rows.extend(some);
        Flow::Continue
    })?;
    if rows.len() != data.test.len() {
        return Err(SubmitError::Answer(format!("{} rows of {all} maps", rows.len())).into());
    }
    std::fs::remove_file(&path).map_err(|error| TreesError::File { path, error })?;
    Ok(rows)
}
