//! Case and tense of Slovak forms, by what the spelling dictionary says of a word and by endings.

use semantics::readings::ReadingKind;

const VOWELS: &str = "aáäeéiíoóôuúyý";

/// What a form is of a word, of which the dictionary remarks `po:noun is:feminine` and the like.
pub fn kind(word: &str, remarks: &str, (flag, form): (Option<char>, &str)) -> Option<ReadingKind> {
    let is = |remark: &str| remarks.split_whitespace().any(|r| r == remark);
    let case = |first: bool| Some(if first || form == word { ReadingKind::FirstCase } else { ReadingKind::OtherCase });
    if is("po:noun") {
        case(plural(word, is("is:masculine"), flag, form))
    } else if is("po:adjective") {
        case(form.ends_with(['ý', 'á', 'é', 'í', 'y', 'a', 'e', 'i']))
    } else if word.ends_with('ť') && (flag.is_some() || remarks.is_empty()) {
        Some(verb(word, form))
    } else if flag.is_none() && !remarks.is_empty() {
        Some(ReadingKind::Fixed)
    } else {
        None
    }
}

/// Whether a form is the first case of the plural.
fn plural(word: &str, masculine: bool, flag: Option<char>, form: &str) -> bool {
    let ends = |endings: &[&str]| endings.iter().any(|e| form.ends_with(e));
    match word.chars().next_back() {
        // chlap, hrdina
        _ if masculine && (flag == Some('C') || word.ends_with('a')) => ends(&["i", "ia", "ovia"]) && !ends(&["ovi"]),
        // dub, stroj
        _ if masculine => ends(&["y", "e"]),
        // mesto, múzeum
        Some('o' | 'm') => ends(&["á", "a"]),
        // srdce, vysvedčenie
        Some('e') => ends(&["ia", "a"]),
        // dievča; žena, ulica
        Some('a') => ends(&["atá", "y", "e"]),
        // dlaň, kosť
        _ => ends(&["e", "i"]),
    }
}

/// Whether a form of a verb has a tense: all but the infinitive and the imperative.
fn verb(word: &str, form: &str) -> ReadingKind {
    let ends = |endings: &[&str]| endings.iter().any(|e| form.ends_with(e));
    let vowel = |c: Option<char>| c.is_some_and(|c| VOWELS.contains(c));
    let several = form.strip_suffix("me").or_else(|| form.strip_suffix("te"));
    let asked = several.is_some_and(|stem| !vowel(stem.chars().next_back()));
    let bare = !vowel(form.chars().next_back()) && !ends(&["l", "m", "š", "c", "n", "t"]);
    if form == word || asked || bare { ReadingKind::Tenseless } else { ReadingKind::Tense }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_follow_the_declension() {
        let noun = |word, gender: &str, flag, form| kind(word, &format!("po:noun is:{gender}"), (Some(flag), form));
        assert_eq!(noun("žena", "feminine", 'Z', "ženy"), Some(ReadingKind::FirstCase));
        assert_eq!(noun("žena", "feminine", 'Z', "ženu"), Some(ReadingKind::OtherCase));
        assert_eq!(noun("kosť", "feminine", 'K', "kosti"), Some(ReadingKind::FirstCase));
        assert_eq!(noun("mesto", "neuter", 'M', "mestá"), Some(ReadingKind::FirstCase));
        assert_eq!(noun("mesto", "neuter", 'M', "mestu"), Some(ReadingKind::OtherCase));
        assert_eq!(noun("dub", "masculine", 'B', "duby"), Some(ReadingKind::FirstCase));
        assert_eq!(noun("chlap", "masculine", 'C', "chlapi"), Some(ReadingKind::FirstCase));
        assert_eq!(noun("chlap", "masculine", 'C', "chlapovi"), Some(ReadingKind::OtherCase));
        assert_eq!(kind("pekný", "po:adjective", (Some('Y'), "pekného")), Some(ReadingKind::OtherCase));
    }

    #[test]
    fn infinitive_and_imperative_have_no_tense() {
        for form in ["robiť", "rob", "robme", "robte"] {
            assert_eq!(kind("robiť", "", (Some('E'), form)), Some(ReadingKind::Tenseless), "{form}");
        }
        for form in ["robím", "robíš", "robí", "robíme", "robíte", "robia", "robil", "robila"] {
            assert_eq!(kind("robiť", "", (Some('E'), form)), Some(ReadingKind::Tense), "{form}");
        }
    }
}
