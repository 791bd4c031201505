//! Rows of the queue's runs and jobs.

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    Running,
    Done,
    /// A job failed.
    Failed,
    Cancelled,
}

/// State of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JobState {
    #[default]
    Queued,
    Running,
    Done,
    /// Failed for good; the row says why.
    Dead,
    Cancelled,
}

impl RunState {
    /// The name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    pub(crate) fn parse(text: &str) -> Self {
        match text {
            "running" => Self::Running,
            "done" => Self::Done,
            "failed" => Self::Failed,
            _ => Self::Cancelled,
        }
    }
}

impl JobState {
    /// The name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Dead => "dead",
            Self::Cancelled => "cancelled",
        }
    }

    pub(crate) fn parse(text: &str) -> Self {
        match text {
            "queued" => Self::Queued,
            "running" => Self::Running,
            "done" => Self::Done,
            "dead" => Self::Dead,
            _ => Self::Cancelled,
        }
    }
}

/// A run with its jobs and the files they read.
#[derive(Clone, Debug)]
pub struct NewRun {
    pub id: String,
    pub title: String,
    pub kind: String,
    pub program: String,
    /// The queue: `local` or an address without secrets.
    pub queue: String,
    /// The ids of the jobs, in their order.
    pub jobs: Vec<String>,
    /// The hashes of files.
    pub files: Vec<String>,
    pub at_ms: i64,
}

/// A stored run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    pub id: String,
    pub title: String,
    pub kind: String,
    pub program: String,
    pub queue: String,
    pub state: RunState,
    pub created_ms: i64,
    pub updated_ms: i64,
}

/// A stored job.
#[derive(Clone, Debug, PartialEq)]
pub struct JobRow {
    /// Position in the run.
    pub number: i64,
    pub id: String,
    pub state: JobState,
    /// Completed share, 0 to 1.
    pub share: f64,
    pub attempts: u32,
    /// The worker that has or had it last.
    pub worker: String,
    /// Reason of a failure.
    pub why: String,
    pub updated_ms: i64,
}

/// New state of a job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobUpdate {
    pub state: JobState,
    pub share: f64,
    pub attempts: u32,
    pub worker: String,
    pub why: String,
}

/// One write of the queue.
#[derive(Debug)]
pub(crate) enum JobWrite {
    Open(NewRun),
    Update { run: String, jobs: Vec<(i64, JobUpdate)>, at_ms: i64 },
    Result { run: String, number: i64, job: String, bytes: Vec<u8>, at_ms: i64 },
    End { run: String, state: RunState, at_ms: i64 },
    Retry { run: String, at_ms: i64 },
    Forget { run: String },
    Part { hash: String, part: i64, bytes: Vec<u8> },
    Artifact { hash: String, size: i64, at_ms: i64 },
}
