//! Case and tense of Czech forms, by the classes of the spelling dictionary and by endings.

use semantics::readings::ReadingKind;

const VOWELS: &str = "aáeéěiíoóuúůyý";

/// What a form is that a flag makes of a word (without a flag: the word as it is listed); nothing if it is not a form of
/// it but a word derived from it.
pub fn kind(word: &str, flags: &str, (flag, form): (Option<char>, &str)) -> Option<ReadingKind> {
    let has = |set: &str| flags.chars().any(|f| set.contains(f));
    let infinitive = word.ends_with(['t']) || word.ends_with("ci");
    let conjugated = has("B") || infinitive && has("AJT") || infinitive && has("I") && has("N");
    let adjective = has("Y") && word.ends_with(['ý', 'í']);
    match flag {
        // the word itself: a noun that is also an infinitive is listed once (stát/HRIN)
        None if conjugated && !has("HSZKMPU") => Some(verb(word, form)),
        None if has("HLSZKMPUY") => Some(ReadingKind::FirstCase),
        None if flags.is_empty() => Some(ReadingKind::Fixed),
        None => None,
        Some('A' | 'J' | 'B' | 'T' | 'X') => Some(verb(word, form)),
        Some('I' | 'C') if conjugated => Some(verb(word, form)),
        Some('O') if word.ends_with(['l', 'n', 't']) && !adjective => Some(ReadingKind::Tense),
        Some('Y') if adjective => Some(case(form.ends_with(['ý', 'á', 'é', 'í']))),
        _ if adjective || conjugated && !has("HSZKMPU") => None,
        Some(flag @ ('H' | 'L' | 'S' | 'Z' | 'K' | 'M' | 'P' | 'U' | 'D' | 'V' | 'I' | 'Q' | 'R' | 'C')) => {
            Some(case(plural(word, flag, form)))
        }
        _ => None,
    }
}

fn case(first: bool) -> ReadingKind {
    if first { ReadingKind::FirstCase } else { ReadingKind::OtherCase }
}

/// Whether a form is the first case of the plural (the singular's is the word itself).
fn plural(word: &str, flag: char, form: &str) -> bool {
    let ends = |endings: &[&str]| endings.iter().any(|e| form.ends_with(e));
    match flag {
        // hrad, les
        'H' | 'L' => ends(&["y"]),
        // stroj; stavení is the same in both
        'S' => !word.ends_with('í') && ends(&["e", "ě"]),
        // pán, muž, and the classes with the endings of their plural alone
        'P' | 'U' | 'I' | 'V' | 'D' => ends(&["i", "ové", "é"]) && !ends(&["ovi"]),
        // žena; růže and píseň
        'Z' if word.ends_with('a') => ends(&["y"]),
        'Z' => ends(&["e", "ě"]),
        // kost; kuře
        'K' if word.ends_with(['e', 'ě']) => ends(&["ata"]),
        'K' => ends(&["i"]),
        // město, muzeum; moře is the same in both
        'M' => !word.ends_with(['e', 'ě']) && ends(&["a"]),
        _ => false,
    }
}

/// Whether a form of a verb has a tense: all but the infinitive and the imperative.
fn verb(word: &str, form: &str) -> ReadingKind {
    let ends = |endings: &[&str]| endings.iter().any(|e| form.ends_with(e));
    let infinitive =
        (form == word || form.strip_suffix('i') == Some(word)) && (word.ends_with('t') || word.ends_with("ci"));
    // tiskni, nes, dělej, and with -me and -te (neseme and tisknete are present)
    let present = ends(&["áme", "áte", "íme", "íte", "eme", "ete"]);
    let several = ends(&["me", "te"]) && !present;
    let finished = ends(&["l", "n", "t", "áš", "íš", "eš", "ám", "ím", "v", "íc", "ouc"]);
    let bare = !finished && form.chars().next_back().is_some_and(|c| !VOWELS.contains(c));
    let asking = form.ends_with('i') && !ends(&["ji", "ši", "či", "ži", "ři", "li", "ni", "ti"]);
    // -ni after a consonant is tiskni, after a vowel děláni
    let before = form.strip_suffix("ni").and_then(|stem| stem.chars().next_back());
    let asking = asking || before.is_some_and(|c| !VOWELS.contains(c));
    if infinitive || several || bare || asking { ReadingKind::Tenseless } else { ReadingKind::Tense }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_follow_the_declension() {
        // the study's example: triky is the first case of trik and the seventh of triko
        assert_eq!(kind("trik", "H", (Some('H'), "triky")), Some(ReadingKind::FirstCase));
        assert_eq!(kind("triko", "MQ", (Some('M'), "triky")), Some(ReadingKind::OtherCase));
        assert_eq!(kind("číslo", "MQR", (Some('M'), "čísla")), Some(ReadingKind::FirstCase));
        assert_eq!(kind("pán", "PIV", (Some('P'), "pány")), Some(ReadingKind::OtherCase));
        assert_eq!(kind("pán", "PIV", (Some('I'), "páni")), Some(ReadingKind::FirstCase));
        assert_eq!(kind("pán", "PIV", (Some('P'), "pánovi")), Some(ReadingKind::OtherCase));
        assert_eq!(kind("žena", "ZQ", (Some('Z'), "ženy")), Some(ReadingKind::FirstCase));
        assert_eq!(kind("žena", "ZQ", (Some('Z'), "ženě")), Some(ReadingKind::OtherCase));
        assert_eq!(kind("růže", "Z", (Some('Z'), "růži")), Some(ReadingKind::OtherCase));
        assert_eq!(kind("kost", "K", (Some('K'), "kosti")), Some(ReadingKind::FirstCase));
        assert_eq!(kind("kuře", "K", (Some('K'), "kuřata")), Some(ReadingKind::FirstCase));
        assert_eq!(kind("mladý", "YKRN", (Some('Y'), "mladé")), Some(ReadingKind::FirstCase));
        assert_eq!(kind("mladý", "YKRN", (Some('Y'), "mladého")), Some(ReadingKind::OtherCase));
        assert_eq!(kind("mladý", "YKRN", (Some('K'), "mladost")), None, "a word of its own");
    }

    #[test]
    fn infinitive_and_imperative_have_no_tense() {
        for form in ["strojit", "strojiti", "stroj", "strojme", "strojte"] {
            assert_eq!(kind("strojit", "ATN", (Some('A'), form)), Some(ReadingKind::Tenseless), "{form}");
        }
        for form in
            ["strojím", "strojíš", "strojí", "strojíme", "strojíte", "strojil", "strojila", "strojili", "strojen"]
        {
            assert_eq!(kind("strojit", "ATN", (Some('A'), form)), Some(ReadingKind::Tense), "{form}");
        }
        for (word, form, wanted) in [
            ("tisknout", "tiskni", ReadingKind::Tenseless),
            ("tisknout", "tiskneme", ReadingKind::Tense),
            ("tisknout", "tiskněme", ReadingKind::Tenseless),
            ("dělat", "dělej", ReadingKind::Tenseless),
            ("dělat", "děláni", ReadingKind::Tense),
            ("nést", "nes", ReadingKind::Tenseless),
            ("kupovat", "kupuji", ReadingKind::Tense),
        ] {
            assert_eq!(kind(word, "JTN", (Some('J'), form)), Some(wanted), "{form}");
        }
        assert_eq!(kind("teku", "BN", (Some('B'), "teče")), Some(ReadingKind::Tense));
        assert_eq!(kind("strojit", "ATN", (None, "strojit")), Some(ReadingKind::Tenseless));
    }
}
