//! The lab: everything long. What can be cut into jobs goes through the queue ([`job_submitter`]).

pub mod corpus_counting;
pub mod crossword;
pub mod external;
pub mod gomoku;
pub mod homeguard;
pub mod job_submitter;
pub mod queued_match;
pub mod scrabble;
