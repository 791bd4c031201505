//! Recipes and guides run end to end on small inputs.

use std::path::Path;
use std::process::{Command, Stdio};

fn succeed(folder: &Path, line: &str) -> String {
    let answer = Command::new(env!("CARGO_BIN_EXE_parlour"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert!(answer.status.success(), "{line}: {}", String::from_utf8_lossy(&answer.stderr));
    String::from_utf8_lossy(&answer.stdout).into_owned()
}

#[test]
fn a_gomoku_recipe_trains_and_averages_nets() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recipe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/recipes/gomoku-small.json");
    std::fs::copy(recipe, folder.path().join("recipe.json")).expect("the recipe is here");
    let said = succeed(folder.path(), "gomoku train --recipe recipe.json");
    assert!(said.contains("step 3 of 3"), "{said}");
    let read = |file: &str| std::fs::read(folder.path().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let (a, b, mean) = (read("a/gen-000/net.bin"), read("b/gen-000/net.bin"), read("mean.net"));
    assert!(a != b && mean != a && mean != b);
}

#[test]
fn the_guide_to_a_scrabble_language_works_on_a_few_words() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let letters = ["a", "e", "n", "s", "t"];
    let pairs = letters.iter().flat_map(|a| letters.iter().map(move |b| format!("{a}{b}")));
    let words: Vec<String> = pairs.flat_map(|pair| [pair.clone(), format!("{pair}e"), format!("t{pair}")]).collect();
    std::fs::write(folder.path().join("words.txt"), words.join("\n")).expect("written");
    succeed(folder.path(), "lexicon build words.txt --tiles en --out my.lex");
    let info = succeed(folder.path(), "lexicon info --lexicon my.lex");
    assert!(info.contains("my.lex") || info.contains("words"), "{info}");
    succeed(folder.path(), "scrabble play --lexicon my.lex --level beginner --seed 1");
}
