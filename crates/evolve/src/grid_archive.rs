//! A grid archive: the best item per cell of a few behaviour axes (MAP-Elites, Mouret and Clune 2015).

/// One behaviour axis with its cuts.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviourAxis {
    /// Name of the measured quantity.
    pub name: String,
    /// Borders between the steps, ascending: `cuts.len() + 1` steps.
    pub cuts: Vec<f64>,
}

impl BehaviourAxis {
    /// An axis cut at the quantiles of observed values, so that each step holds about the same share.
    pub fn quantiles(name: &str, values: &[f64], steps: usize) -> Self {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let cuts = (1..steps).filter_map(|i| sorted.get(sorted.len() * i / steps.max(1)).copied()).collect();
        BehaviourAxis { name: name.to_owned(), cuts }
    }

    /// The step a value falls into.
    pub fn step(&self, value: f64) -> usize {
        self.cuts.iter().filter(|cut| value >= **cut).count()
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.cuts.len() + 1
    }
}

/// The best item per cell of a grid of axes.
#[derive(Clone, Debug)]
pub struct GridArchive<T> {
    axes: Vec<BehaviourAxis>,
    cells: Vec<Option<(f64, T)>>,
}

impl<T> GridArchive<T> {
    /// An empty archive.
    pub fn new(axes: Vec<BehaviourAxis>) -> Self {
        let count = axes.iter().map(BehaviourAxis::steps).product();
        GridArchive { axes, cells: std::iter::repeat_with(|| None).take(count).collect() }
    }

    /// The axes.
    pub fn axes(&self) -> &[BehaviourAxis] {
        &self.axes
    }

    /// The cell of a behaviour.
    pub fn cell(&self, behaviour: &[f64]) -> usize {
        self.axes.iter().zip(behaviour).fold(0, |cell, (axis, value)| cell * axis.steps() + axis.step(*value))
    }

    /// Offers an item; it stays if its cell is empty or holds something worse. Returns whether it stayed.
    pub fn offer(&mut self, behaviour: &[f64], fitness: f64, item: T) -> bool {
        let cell = self.cell(behaviour);
        let better = self.cells[cell].as_ref().is_none_or(|(old, _)| fitness > *old);
        if better {
            self.cells[cell] = Some((fitness, item));
        }
        better
    }

    /// Filled cells with fitness and item.
    pub fn iter(&self) -> impl Iterator<Item = (usize, f64, &T)> {
        self.cells
            .iter()
            .enumerate()
            .filter_map(|(cell, held)| held.as_ref().map(|(fitness, item)| (cell, *fitness, item)))
    }

    /// Number of filled cells.
    pub fn filled(&self) -> usize {
        self.cells.iter().flatten().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_keeps_its_best() {
        let axis = BehaviourAxis { name: "a".into(), cuts: vec![0.0, 1.0] };
        let mut niches = GridArchive::new(vec![axis.clone(), axis]);
        assert!(niches.offer(&[-1.0, 0.5], 1.0, "first"));
        assert!(!niches.offer(&[-2.0, 0.9], 0.5, "worse"));
        assert!(niches.offer(&[-2.0, 0.0], 2.0, "better"));
        assert!(niches.offer(&[7.0, 7.0], 0.0, "elsewhere"));
        let held: Vec<_> = niches.iter().collect();
        assert_eq!(held, [(1, 2.0, &"better"), (8, 0.0, &"elsewhere")]);
    }

    #[test]
    fn quantile_cuts_share_the_values_out() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let axis = BehaviourAxis::quantiles("x", &values, 4);
        assert_eq!(axis.cuts, [25.0, 50.0, 75.0]);
        assert_eq!([0.0, 25.0, 60.0, 99.0].map(|v| axis.step(v)), [0, 1, 2, 3]);
    }
}
