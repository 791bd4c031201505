//! Gradients of the trainer against finite differences of its loss.

use super::{CHANNELS, Lesson, Losses, Sample, Trainer};

fn lesson(n: u16) -> Lesson {
    let sample = Sample {
        size: 9,
        own: vec![40, 41, 50 + n],
        other: vec![31, 22, 60 + n],
        played: Some(42),
        outcome: [0.6, 0.1, 0.3],
    };
    let candidates = (30..34).chain(42..48).map(|at| (at, (at as i16 * 37) % 90)).collect();
    Lesson { sample, value: 0.4, candidates }
}

fn loss(trainer: &Trainer, lessons: &[Lesson]) -> f64 {
    let mut losses = Losses::default();
    let mut batch = trainer.batch();
    for lesson in lessons {
        trainer.learn(lesson, &mut batch, &mut losses, true);
    }
    losses.value + losses.policy
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let lessons: Vec<Lesson> = (0..4).map(lesson).collect();
    let mut trainer = Trainer::new(9);
    let mut batch = trainer.batch();
    let mut losses = Losses::default();
    for lesson in &lessons {
        trainer.learn(lesson, &mut batch, &mut losses, false);
    }
    let step = 2e-3f32;
    let mut check = |name: &str, found: f32, mut weight: Box<dyn FnMut(&mut Trainer) -> &mut f32>| {
        let before = *weight(&mut trainer);
        *weight(&mut trainer) = before + step;
        let above = loss(&trainer, &lessons);
        *weight(&mut trainer) = before - step;
        let below = loss(&trainer, &lessons);
        *weight(&mut trainer) = before;
        let wanted = ((above - below) / (2.0 * f64::from(step))) as f32;
        // a rectifier may turn on within the step: a small difference is allowed
        assert!((found - wanted).abs() <= 0.02 + 0.1 * wanted.abs(), "{name}: {found}, by differences {wanted}");
    };
    let mut seen = 0;
    for i in (0..batch.dense.len()).filter(|i| i % 97 == 0 || i + 40 >= batch.dense.len()) {
        seen += usize::from(batch.dense[i].abs() > 0.02);
        check(&format!("dense {i}"), batch.dense[i], Box::new(move |t| &mut t.dense[i]));
    }
    for &w in batch.touched.iter().step_by(3) {
        for c in [0, 5, 13, 22, 31] {
            let place = usize::from(w) * CHANNELS + c;
            seen += usize::from(batch.rows[place].abs() > 0.02);
            check(&format!("window {w}, {c}"), batch.rows[place], Box::new(move |t| &mut t.exact[place]));
        }
    }
    assert!(seen > 30, "only {seen} gradients are large enough to mean anything");
}
