//! An adjective clue agrees in gender when all targets are feminine (Jareš 2019, section 5.5). Gender is read from
//! endings, because the packs do not contain it: nouns such as *píseň* or *noc* count as not feminine.

use semantics::{Language, WordFlags};

/// Endings of feminine nouns, by language.
fn endings(lang: &str) -> &'static [&'static str] {
    match lang {
        "cs" => &["a", "ost", "yně", "ice", "ště"],
        "sk" => &["a", "osť", "yňa", "ica"],
        "pl" => &["a", "ość", "yni"],
        _ => &[],
    }
}

/// Whether a noun is feminine by its ending; some masculine nouns end in -a too.
fn feminine(lang: &str, noun: &str) -> bool {
    let masculine = ["ista", "asta", "ita"].iter().any(|e| noun.ends_with(e));
    // Czech -iště is neuter
    !masculine && !noun.ends_with("iště") && endings(lang).iter().any(|e| noun.ends_with(e))
}

/// The feminine form of an adjective, if it differs from the base form.
fn agreeing(lang: &str, adjective: &str) -> Option<String> {
    let cut = |ending: &str| adjective.strip_suffix(ending);
    match lang {
        "cs" => cut("ý").map(|stem| format!("{stem}á")),
        "sk" => cut("ý").map(|stem| format!("{stem}á")).or_else(|| cut("y").map(|stem| format!("{stem}a"))),
        "pl" => cut("y").map(|stem| format!("{stem}a")).or_else(|| {
            cut("i").map(|stem| if stem.ends_with(['k', 'g']) { format!("{stem}a") } else { format!("{stem}ia") })
        }),
        _ => None,
    }
}

/// The clue in the form for its targets: feminine where the word is an adjective only and all targets are feminine.
pub(super) fn agree(language: &Language, clue: &str, targets: &[&str]) -> String {
    let lang = language.code();
    let only_adjective = language.find(clue).is_some_and(|id| {
        let flags = language.words().flags(id);
        flags.has(WordFlags::ADJECTIVE) && !flags.has(WordFlags::NOUN)
    });
    if !only_adjective || targets.is_empty() || !targets.iter().all(|t| feminine(lang, t)) {
        return clue.to_owned();
    }
    agreeing(lang, clue).unwrap_or_else(|| clue.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjectives_and_nouns_by_hand() {
        assert_eq!(agreeing("cs", "melounový").as_deref(), Some("melounová"));
        assert_eq!(agreeing("cs", "jarní"), None);
        assert_eq!(agreeing("pl", "wysoki").as_deref(), Some("wysoka"));
        assert_eq!(agreeing("pl", "tani").as_deref(), Some("tania"));
        assert_eq!(agreeing("sk", "krásny").as_deref(), Some("krásna"));
        assert_eq!(agreeing("en", "sunny"), None);
        assert!(feminine("cs", "žena") && feminine("cs", "radost") && !feminine("cs", "hrad"));
        assert!(!feminine("cs", "houslista") && !feminine("cs", "letiště") && feminine("pl", "miłość"));
    }
}
