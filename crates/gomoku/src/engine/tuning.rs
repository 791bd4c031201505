//! The search's constants in one place, so that matches can compare settings.

/// Constants of the tree search; the defaults are the ones found best for patterns by matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Attacking moves of the win-by-fours search at leaves.
    pub leaf_vcf: i32,
    /// The same at inner nodes, per unit of depth.
    pub node_vcf: i32,
    /// Margin below alpha that ends a node of depth 1 (more with depth).
    pub razor: i32,
    pub razor_depth: i32,
    /// Margin above beta per unit of depth that ends a node.
    pub futility: i32,
    pub futility_depth: i32,
    /// Margin below alpha per unit of depth at which quiet moves are left out.
    pub futility_move: i32,
    /// Moves tried at a node: `limit_base + limit_linear·d + limit_square·d²/4`.
    pub limit_base: i32,
    pub limit_linear: i32,
    pub limit_square: i32,
    /// Late-move reductions in hundredths: `reduce_base + ln d · ln n / reduce_divisor`.
    pub reduce_base: i32,
    pub reduce_divisor: i32,
    /// Extra reduction per this many points of urgency below the best move.
    pub reduce_urgency: i32,
    /// History points per point of ordering.
    pub history: i32,
    /// The same for moves that did well as countermoves to the last one.
    pub continuation: i32,
    pub killer: i32,
    pub countermove: i32,
    pub singular_depth: i32,
    pub singular_margin: i32,
    /// Half-width of the first aspiration window.
    pub window: i32,
    /// Share of the budget, in hundredths, for the search for a win by threats before the tree search.
    pub root_vct: i32,
    /// Nodes of at least this depth are ordered by the net, if there is one.
    pub guide_depth: i32,
    /// Where patterns are this far outside the window, a net that judges is not asked.
    pub certain: i32,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            leaf_vcf: 4,
            node_vcf: 2,
            razor: 224,
            razor_depth: 3,
            futility: 93,
            futility_depth: 7,
            futility_move: 87,
            limit_base: 3,
            limit_linear: 1,
            limit_square: 2,
            reduce_base: 80,
            reduce_divisor: 206,
            reduce_urgency: 1018,
            history: 73,
            continuation: 6,
            killer: 41,
            countermove: 27,
            singular_depth: 7,
            singular_margin: 6,
            window: 56,
            root_vct: 10,
            guide_depth: 3,
            certain: 300,
        }
    }
}

impl Tuning {
    /// Constants for a search that judges by a net: the patterns', but a net knows better which moves are unlikely.
    pub fn with_net() -> Self {
        Self { reduce_urgency: 350, ..Self::default() }
    }

    /// Changes constants by name: `futility=90,killer=30`.
    pub fn apply(&mut self, changes: &str) -> Result<(), String> {
        for change in changes.split(',').filter(|c| !c.is_empty()) {
            let (name, value) = change.split_once('=').ok_or_else(|| format!("{change}: should be name=value"))?;
            let value: i32 = value.parse().map_err(|_| format!("{change}: the value should be a whole number"))?;
            *self.constant(name).ok_or_else(|| format!("{name}: no such constant"))? = value;
        }
        Ok(())
    }

    /// The constant of this name.
    pub fn constant(&mut self, name: &str) -> Option<&mut i32> {
        Some(match name {
            "leaf_vcf" => &mut self.leaf_vcf,
            "node_vcf" => &mut self.node_vcf,
            "razor" => &mut self.razor,
            "razor_depth" => &mut self.razor_depth,
            "futility" => &mut self.futility,
            "futility_depth" => &mut self.futility_depth,
            "futility_move" => &mut self.futility_move,
            "limit_base" => &mut self.limit_base,
            "limit_linear" => &mut self.limit_linear,
            "limit_square" => &mut self.limit_square,
            "reduce_base" => &mut self.reduce_base,
            "reduce_divisor" => &mut self.reduce_divisor,
            "reduce_urgency" => &mut self.reduce_urgency,
            "history" => &mut self.history,
            "continuation" | "follow" => &mut self.continuation,
            "killer" => &mut self.killer,
            "countermove" | "answer" => &mut self.countermove,
            "singular_depth" => &mut self.singular_depth,
            "singular_margin" => &mut self.singular_margin,
            "window" => &mut self.window,
            "certain" => &mut self.certain,
            "guide_depth" => &mut self.guide_depth,
            "root_vct" => &mut self.root_vct,
            _ => return None,
        })
    }
}
