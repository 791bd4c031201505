//! PUCT tree search (Rosin 2011; Silver et al. 2016, AlphaGo): a policy gives priors, a value evaluates leaves, and the most
//! visited move is the best.

/// A game with a policy and a value.
pub trait PolicyValueGame {
    /// A move, small and comparable.
    type Move: Copy + Eq;

    /// Value for the side to move if the game is over: 0 lost, ½ drawn.
    fn end(&self) -> Option<f32>;

    /// Moves with their prior probabilities, and the winning probability of the side to move.
    fn predict(&mut self) -> (Vec<(Self::Move, f32)>, f32);

    /// Plays a move that [`PolicyValueGame::predict`] gave.
    fn make(&mut self, chosen: Self::Move);

    /// Unmakes the last move.
    fn unmake(&mut self, chosen: Self::Move);
}

/// Statistics of a root move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove<M> {
    pub chosen: M,
    pub visits: u32,
    /// Mean winning probability of the side that plays it; ½ if it has no visits.
    pub value: f32,
}

/// A move out of a node. The child node is created on the first visit.
struct Edge<M> {
    chosen: M,
    prior: f32,
    visits: u32,
    wins: f32,
    to: Option<usize>,
}

struct Node<M> {
    edges: Vec<Edge<M>>,
}

/// Runs `simulations` simulations. Returns the root moves, most visited first.
pub fn puct<G: PolicyValueGame>(game: &mut G, simulations: usize, exploration: f32) -> Vec<RootMove<G::Move>> {
    if game.end().is_some() {
        return Vec::new();
    }
    let mut nodes = Vec::new();
    expand(game, &mut nodes);
    let mut path: Vec<(usize, usize)> = Vec::new();
    for _ in 1..simulations {
        path.clear();
        let mut at = 0;
        // the value of the leaf for its side to move
        let value = loop {
            let Some(edge) = select(&nodes[at], exploration) else { break 0.5 };
            path.push((at, edge));
            game.make(nodes[at].edges[edge].chosen);
            if let Some(end) = game.end() {
                break end;
            }
            match nodes[at].edges[edge].to {
                Some(next) => at = next,
                None => {
                    nodes[at].edges[edge].to = Some(nodes.len());
                    break expand(game, &mut nodes);
                }
            }
        };
        let mut value = value;
        for &(node, edge) in path.iter().rev() {
            let edge = &mut nodes[node].edges[edge];
            game.unmake(edge.chosen);
            value = 1.0 - value;
            edge.visits += 1;
            edge.wins += value;
        }
    }
    let mut tried: Vec<RootMove<G::Move>> = nodes[0]
        .edges
        .iter()
        .map(|edge| RootMove { chosen: edge.chosen, visits: edge.visits, value: mean(edge) })
        .collect();
    tried.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)));
    tried
}

/// Expands a leaf. Returns its value.
fn expand<G: PolicyValueGame>(game: &mut G, nodes: &mut Vec<Node<G::Move>>) -> f32 {
    let (moves, value) = game.predict();
    let edges =
        moves.into_iter().map(|(chosen, prior)| Edge { chosen, prior, visits: 0, wins: 0.0, to: None }).collect();
    nodes.push(Node { edges });
    value
}

fn mean<M>(edge: &Edge<M>) -> f32 {
    if edge.visits == 0 { 0.5 } else { edge.wins / edge.visits as f32 }
}

/// The move with the largest sum of value and exploration bonus; ties go to the larger prior.
fn select<M>(node: &Node<M>, exploration: f32) -> Option<usize> {
    let visits: u32 = node.edges.iter().map(|edge| edge.visits).sum();
    let bonus = exploration * (visits.max(1) as f32).sqrt();
    let score = |edge: &Edge<M>| mean(edge) + bonus * edge.prior / (1.0 + edge.visits as f32);
    (0..node.edges.len()).max_by(|&a, &b| score(&node.edges[a]).total_cmp(&score(&node.edges[b])).then(b.cmp(&a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One-pile Nim: take one to three matches, whoever takes the last one wins. Uniform policy and value.
    struct Matches(u32);

    impl PolicyValueGame for Matches {
        type Move = u32;

        fn end(&self) -> Option<f32> {
            (self.0 == 0).then_some(0.0)
        }

        fn predict(&mut self) -> (Vec<(u32, f32)>, f32) {
            let most = self.0.min(3);
            ((1..=most).map(|take| (take, 1.0 / most as f32)).collect(), 0.5)
        }

        fn make(&mut self, chosen: u32) {
            self.0 -= chosen;
        }

        fn unmake(&mut self, chosen: u32) {
            self.0 += chosen;
        }
    }

    #[test]
    fn the_winning_move_is_tried_most() {
        for matches in [5, 6, 7, 9, 10, 11] {
            let mut game = Matches(matches);
            let tried = puct(&mut game, 3_000, 1.4);
            assert_eq!(tried[0].chosen, matches % 4, "{tried:?}");
            assert!(tried[0].value > 0.8, "{tried:?}");
            assert_eq!(game.0, matches, "everything was taken back");
            assert_eq!(tried.iter().map(|t| t.visits).sum::<u32>(), 2_999);
        }
    }

    #[test]
    fn a_lost_position_is_seen_as_lost_and_a_finished_one_has_no_moves() {
        let tried = puct(&mut Matches(8), 4_000, 1.4);
        assert!(tried.iter().all(|t| t.value < 0.25), "{tried:?}");
        assert!(puct(&mut Matches(0), 10, 1.4).is_empty());
    }
}
