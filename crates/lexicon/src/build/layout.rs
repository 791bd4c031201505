//! Laying the child lists out in one array: a list that is the tail of a longer one lives inside it.

use super::BuildError;
use super::minimise::{Minimiser, parts};
use crate::graph::{NARROW_INDEX_BITS, Node, Nodes};

/// A lexicon's graph holds fewer nodes than this.
const WIDE_LIMIT: u64 = u32::MAX as u64;

/// The nodes of all lists reachable from the roots, and where the roots' lists start.
pub(super) fn lay_out(
    register: &Minimiser,
    roots: [u32; 2],
    letters: usize,
    words: u64,
) -> Result<(Nodes, [u32; 2]), BuildError> {
    let host = hosts(register);
    let places = places(register, &host, roots, words)?;
    let total = places.total;
    let root = |id: u32| places.start[id as usize];
    let roots = [root(roots[0]), root(roots[1])];
    if letters < 64 && total <= 1 << NARROW_INDEX_BITS {
        let mut nodes = vec![0u32; total as usize];
        fill(register, &places, |at, node| nodes[at] = node.narrow());
        Ok((Nodes::Narrow(nodes), roots))
    } else {
        let mut nodes = vec![0u64; total as usize];
        fill(register, &places, |at, node| nodes[at] = node.wide());
        Ok((Nodes::Wide(nodes), roots))
    }
}

/// For every list, the longer list whose tail it is (itself when there is none).
fn hosts(register: &Minimiser) -> Vec<u32> {
    let mut host: Vec<u32> = (0..register.lists() as u32).collect();
    for id in 1..register.lists() as u32 {
        let arcs = register.list(id);
        let mut hash = 0u64;
        for from in (1..arcs.len()).rev() {
            hash = super::minimise::hash_step(hash, arcs[from]);
            if let Some(tail) = register.find(&arcs[from..], hash) {
                let known = host[tail as usize];
                if known == tail || register.list(known).len() < arcs.len() {
                    host[tail as usize] = id;
                }
            }
        }
    }
    host
}

struct Places {
    /// Where each list starts in the array, 0 for lists that nothing leads to.
    start: Vec<u32>,
    /// Lists that have a place of their own, in order.
    order: Vec<u32>,
    total: u64,
}

/// Gives places breadth first from the roots, so that what is visited together lies together.
fn places(register: &Minimiser, host: &[u32], roots: [u32; 2], words: u64) -> Result<Places, BuildError> {
    let mut start = vec![0u32; register.lists()];
    let mut order = Vec::new();
    // node 0 is never the start of a list
    let mut total = 1u64;
    let mut queue = std::collections::VecDeque::from(roots);
    while let Some(id) = queue.pop_front() {
        if id == 0 || start[id as usize] != 0 {
            continue;
        }
        let mut top = id;
        while host[top as usize] != top {
            top = host[top as usize];
        }
        if start[top as usize] == 0 {
            start[top as usize] = total as u32;
            order.push(top);
            let arcs = register.list(top);
            total += arcs.len() as u64;
            if total >= WIDE_LIMIT {
                return Err(BuildError::TooLarge { words, nodes: total, limit: WIDE_LIMIT });
            }
            queue.extend(arcs.iter().map(|&a| parts(a).2));
        }
        let end = start[top as usize] + register.list(top).len() as u32;
        start[id as usize] = end - register.list(id).len() as u32;
    }
    Ok(Places { start, order, total })
}

fn fill(register: &Minimiser, places: &Places, mut set: impl FnMut(usize, Node)) {
    for &id in &places.order {
        let arcs = register.list(id);
        for (i, &arc) in arcs.iter().enumerate() {
            let (letter, accepts, target) = parts(arc);
            let last = i + 1 == arcs.len();
            let target = places.start[target as usize];
            set(places.start[id as usize] as usize + i, Node { letter, accepts, last, target });
        }
    }
}
