//! A candidate player of a training run: pattern weights and, if there is one, the net on top of them.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use gomoku::engine::net::Net;
use gomoku::engine::pattern_tables::PatternTables;
use gomoku::engine::weights::PatternWeights;
use gomoku::engine::{Config, Engine, Evaluation};
use gomoku::rules::Rule;
use jobs::WorkError;

use super::fit_patterns;
use crate::job_submitter::read;

/// Pattern weights and a net.
#[derive(Clone)]
pub struct TrainingCandidate {
    pub patterns: PatternWeights,
    pub net: Option<Arc<Net>>,
}

impl TrainingCandidate {
    /// Both as bytes: pattern weights, then the net.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = fit_patterns::to_bytes(&self.patterns);
        bytes.extend(self.net.iter().flat_map(|net| net.to_bytes()));
        bytes
    }

    /// A candidate from its bytes, or what is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (patterns, net) = bytes.split_at_checked(fit_patterns::BYTES).ok_or("too short for weights of patterns")?;
        let patterns = fit_patterns::from_bytes(patterns).ok_or("not weights of patterns")?;
        let net = match net {
            [] => None,
            net => Some(Arc::new(Net::from_bytes(net).map_err(|error| error.to_string())?)),
        };
        Ok(Self { patterns, net })
    }

    /// The candidate in the file of a job.
    pub(super) fn read(path: &Path) -> Result<Self, WorkError> {
        Self::from_bytes(&read(path)?).map_err(|error| WorkError::Refused(format!("the file of weights: {error}")))
    }

    /// Whether both search alike: they differ in the policy network alone.
    pub(super) fn same_search_as(&self, other: &Self) -> bool {
        let without_reader = |candidate: &Self| candidate.net.as_ref().map(|net| Net::clone(net).with_policy_net(None));
        self.patterns == other.patterns && without_reader(self) == without_reader(other)
    }

    /// An engine that plays as this candidate.
    pub fn engine(&self, rule: Rule, size: u8) -> Engine {
        let evaluation = self.net.clone().map_or(Evaluation::Pattern, Evaluation::Net);
        let tables = Some(tables(rule, &self.patterns));
        let config = Config { table_mb: 4, tables, ..Config::new(rule, size).with_evaluation(evaluation) };
        Engine::new(config).expect("sizes were checked by the caller")
    }
}

/// Look-up tables for given weights. They live as long as the program, once for each pair of rule and weights: a run
/// makes one or two sets per generation.
pub fn tables(rule: Rule, weights: &PatternWeights) -> &'static PatternTables {
    static MADE: Mutex<Vec<(Rule, Vec<u8>, &'static PatternTables)>> = Mutex::new(Vec::new());
    let bytes = fit_patterns::to_bytes(weights);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, _, tables)) = made.iter().find(|(of, by, _)| *of == rule && *by == bytes) {
        return tables;
    }
    let tables: &'static PatternTables = Box::leak(Box::new(PatternTables::build(rule, weights)));
    made.push((rule, bytes, tables));
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use gomoku::engine::net::{NetTrainer, PolicyTrainer};

    #[test]
    fn bytes_come_back_with_and_without_a_net() {
        let plain = TrainingCandidate { patterns: PatternWeights::default(), net: None };
        let bytes = plain.to_bytes();
        let back = TrainingCandidate::from_bytes(&bytes).expect("its own bytes");
        assert!(back.net.is_none() && back.patterns == plain.patterns);
        let net = Arc::new(NetTrainer::new(2).quantised());
        let bytes = TrainingCandidate { net: Some(Arc::clone(&net)), ..plain }.to_bytes();
        let back = TrainingCandidate::from_bytes(&bytes).expect("its own bytes");
        assert!(back.net.is_some_and(|found| found == net));
        assert!(TrainingCandidate::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        assert!(TrainingCandidate::from_bytes(&bytes[..7]).is_err());
    }

    #[test]
    fn a_reader_makes_no_other_search() {
        let patterns = PatternWeights::default();
        let of = |net: Option<Net>| TrainingCandidate { patterns: patterns.clone(), net: net.map(Arc::new) };
        let net = NetTrainer::new(2).quantised();
        let policy_net = PolicyTrainer::from_net(&net, 1).policy_net();
        let read = net.clone().with_policy_net(Some(policy_net));
        assert!(of(Some(read.clone())).same_search_as(&of(Some(net))));
        assert!(!of(Some(read.clone())).same_search_as(&of(None)));
        assert!(!of(Some(read)).same_search_as(&of(Some(NetTrainer::new(3).quantised()))));
    }
}
