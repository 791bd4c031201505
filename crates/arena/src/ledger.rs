//! A match while it is played: what is done, what is missing, whether a test has decided.

use crate::stats::Pentanomial;
use crate::{GamePair, MatchPlan, Results, ResultsError, Sprt, SprtVerdict};

/// The results of a plan while they come in, kept in the plan's file.
pub struct Ledger<'p> {
    plan: &'p MatchPlan,
    results: Results,
}

impl<'p> Ledger<'p> {
    /// Begins a match, or goes on with what is in the plan's file.
    pub fn open(plan: &'p MatchPlan) -> Result<Self, ResultsError> {
        let results = match &plan.file {
            Some(path) => Results::open(path, &plan.title)?,
            None => Results::new(&plan.title),
        };
        Ok(Self { plan, results })
    }

    /// What has been played so far.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The pairs that are still to play.
    pub fn missing(&self) -> Vec<u64> {
        (0..self.plan.pairs).filter(|number| !self.results.pairs.contains_key(number)).collect()
    }

    /// Takes a pair, writes the file, and answers whether the match is decided.
    pub fn add(&mut self, number: u64, pair: GamePair) -> Result<bool, ResultsError> {
        self.results.pairs.insert(number, pair);
        if let Some(path) = &self.plan.file {
            self.results.save(path)?;
        }
        Ok(self.is_decided())
    }

    /// Whether a test is decided by the pairs without a gap.
    pub fn is_decided(&self) -> bool {
        deciding_pair(&self.results, self.plan.sprt).is_some()
    }

    /// The results, without what was played beyond the pair that decided, so that the number of workers does not show.
    pub fn finish(mut self) -> Results {
        if let Some(last) = deciding_pair(&self.results, self.plan.sprt) {
            self.results.pairs.retain(|&number, _| number <= last);
        }
        self.results
    }
}

/// The pair with which a test is decided, looking at the pairs in their order.
fn deciding_pair(results: &Results, sprt: Option<Sprt>) -> Option<u64> {
    let test = sprt?;
    let mut pairs = Pentanomial::default();
    let decided = results.prefix().position(|pair| {
        pairs.add(pair.points());
        test.verdict(&pairs) != SprtVerdict::Undecided
    });
    decided.map(|position| position as u64)
}
