//! A lexicon made ready for play: the graph unfolded, tile values at hand.

use lexicon::{Alphabet, Arc32, Arc64, Lexicon, Tile, TooBig, WalkGraph};

/// The unfolded word graph in the width its alphabet needs.
pub enum Graph {
    Narrow(WalkGraph<Arc32>),
    Wide(WalkGraph<Arc64>),
}

/// A lexicon with everything move generation and scoring look up.
pub struct Dictionary {
    lexicon: Lexicon,
    graph: Graph,
    values: [i32; 64],
}

/// Runs an expression with the graph in whichever width it has.
#[macro_export]
macro_rules! with_graph {
    ($dictionary:expr, $graph:ident => $body:expr) => {
        match $dictionary.graph() {
            $crate::Graph::Narrow($graph) => $body,
            $crate::Graph::Wide($graph) => $body,
        }
    };
}

impl Dictionary {
    /// Unfolds a lexicon of up to 63 letters.
    pub fn new(lexicon: Lexicon) -> Result<Self, TooBig> {
        let graph = if lexicon.alphabet().len() <= 31 {
            Graph::Narrow(WalkGraph::new(&lexicon)?)
        } else {
            Graph::Wide(WalkGraph::new(&lexicon)?)
        };
        let mut values = [0; 64];
        for tile in 0..=lexicon.alphabet().len() {
            values[tile] = lexicon.alphabet().value(tile as Tile).into();
        }
        Ok(Self { lexicon, graph, values })
    }

    /// The words.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The letters and tiles.
    pub fn alphabet(&self) -> &Alphabet {
        self.lexicon.alphabet()
    }

    /// The graph to search.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Tile values; 0 for the blank.
    pub fn values(&self) -> &[i32; 64] {
        &self.values
    }
}
