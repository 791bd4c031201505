//! State of a match in progress: played pairs, missing pairs, and whether the SPRT has decided.

use crate::stats::Pentanomial;
use crate::{GamePair, MatchPlan, Results, ResultsError, Sprt, SprtVerdict};

/// The results of a plan in progress, saved to the plan's file.
pub struct Ledger<'p> {
    plan: &'p MatchPlan,
    results: Results,
}

impl<'p> Ledger<'p> {
    /// Starts a match, or resumes it from the plan's file.
    pub fn open(plan: &'p MatchPlan) -> Result<Self, ResultsError> {
        let results = match &plan.file {
            Some(path) => Results::open(path, &plan.title)?,
            None => Results::new(&plan.title),
        };
        Ok(Self { plan, results })
    }

    /// The results so far.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The pairs that are not played yet.
    pub fn missing(&self) -> Vec<u64> {
        (0..self.plan.pairs).filter(|number| !self.results.pairs.contains_key(number)).collect()
    }

    /// Adds a pair and writes the file. Returns whether the match is decided.
    pub fn add(&mut self, number: u64, pair: GamePair) -> Result<bool, ResultsError> {
        self.results.pairs.insert(number, pair);
        if let Some(path) = &self.plan.file {
            self.results.save(path)?;
        }
        Ok(self.is_decided())
    }

    /// Whether the SPRT is decided by the gapless prefix of pairs.
    pub fn is_decided(&self) -> bool {
        deciding_pair(&self.results, self.plan.sprt).is_some()
    }

    /// The results without pairs after the deciding one, so that they do not depend on the number of workers.
    pub fn finish(mut self) -> Results {
        if let Some(last) = deciding_pair(&self.results, self.plan.sprt) {
            self.results.pairs.retain(|&number, _| number <= last);
        }
        self.results
    }
}

/// The pair that decides the SPRT, with pairs in order.
fn deciding_pair(results: &Results, sprt: Option<Sprt>) -> Option<u64> {
    let test = sprt?;
    let mut pairs = Pentanomial::default();
    let decided = results.prefix().position(|pair| {
        pairs.add(pair.points());
        test.verdict(&pairs) != SprtVerdict::Undecided
    });
    decided.map(|position| position as u64)
}
