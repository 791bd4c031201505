//! The lab: long-running work. Training, tuning, experiments and matches, cut into jobs for the queue where possible.
//!
//! ```
//! use lab::job_submitter::{JobSubmitter, Programs, registry};
//!
//! // all kinds of work that this program can run for others
//! let registry = registry(Programs::Refused);
//! assert!(registry.kinds().any(|kind| kind == "gomoku.selfplay"));
//!
//! // a submitter hands jobs to a queue: here threads of this process
//! let queue = jobs::LocalQueue::new(registry, 2);
//! let submitter = JobSubmitter { queue: &queue, program: "example", note: &|text| eprintln!("{text}") };
//! submitter.run(&jobs::Batch::new("nothing to do"), &mut |_, _| jobs::Flow::Continue).unwrap();
//! ```
//!
//! One folder per game; [`external`] runs other programs as players, [`queued_match`] plays matches through the queue.

pub mod corpus_counting;
pub mod crossword;
pub mod external;
pub mod gomoku;
pub mod homeguard;
pub mod job_submitter;
pub mod queued_match;
pub mod scrabble;
