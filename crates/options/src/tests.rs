use super::*;
use proptest::prelude::*;

fn with(text: &str) -> Result<Values, String> {
    let mut options = Values::default();
    options.apply(text).map(|()| options)
}

#[test]
fn defaults_are_valid_and_described() {
    for key in KEYS {
        assert_eq!((key.set)(&mut Values::default(), key.default), Ok(()), "{}", key.name);
        assert!(!key.help.is_empty() && help().contains(key.help));
    }
    let options = Values::default();
    assert!(options.check_store && options.check_branch && !options.check_load && !options.resume);
}

#[test]
fn the_documentation_lists_them_all() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/options.md");
    let document = std::fs::read_to_string(path).unwrap();
    for key in KEYS {
        let default = if key.default.is_empty() { "none".to_owned() } else { format!("`{}`", key.default) };
        let row = format!("| `{}` | {default} | {} |", key.name, key.help);
        assert!(document.contains(&row), "{path} lacks\n{row}");
    }
}

#[test]
fn keys_are_set() {
    let options = with("threshold=digits=6:report='/tmp/a b:c.json':exitcode=7 check_load=1:\tcolor=always:").unwrap();
    assert_eq!(options.threshold, Threshold::Digits(6.0));
    assert_eq!(options.report, Some(PathBuf::from("/tmp/a b:c.json")));
    assert_eq!((options.exitcode, options.check_load, options.color), (Some(7), true, Color::Always));
}

#[test]
fn an_oracle_has_its_precision() {
    use nonius_oracle::Spec;
    assert_eq!(with("oracle=mpfr:512:halt=1").unwrap().oracle, Some(Spec::Mpfr { bits: 512 }));
    assert_eq!(with("oracle='mpfr:64'").unwrap().oracle, Some(Spec::Mpfr { bits: 64 }));
    assert_eq!(with("oracle=").unwrap().oracle, None);
    assert!(with("oracle=mpfr:1").unwrap_err().contains("bits"));
    assert!(with("oracle=magic").is_err() && with("halt=1:256").is_err());
}

#[test]
fn mistakes_are_explained() {
    let cases = [
        ("thresold=1", "there is no option 'thresold': did you mean 'threshold'?"),
        ("halt", "'halt' has no value: write 'halt=1'"),
        ("halt=maybe", "'halt=maybe': expected 0 or 1"),
        ("resume=2", "'resume=2': expected 0 or 1"),
        ("resume=", "'resume=': expected 0 or 1"),
        ("resume=-1", "'resume=-1': expected 0 or 1"),
        ("resume=value", "'resume=value': expected 0 or 1"),
        ("exitcode=256", "'exitcode=256': expected a status from 0 to 255"),
        ("report='a", "the quote ' is not closed"),
        ("max_findings=-1", "'max_findings=-1': expected"),
        ("threshold=0", "'threshold=0': expected"),
        ("reexecutions=0", "'reexecutions=0': expected a number of executions, 1 or more"),
        ("color=red", "'color=red': expected auto, always or never"),
        ("constants=1", "'constants=1': expected rounded or exact"),
    ];
    for (text, start) in cases {
        let error = with(text).unwrap_err();
        assert!(error.starts_with(start), "{text:?} gave {error:?}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text: String) {
        let _ = with(&text);
    }

    #[test]
    fn every_value_comes_back(value: String, near in "[a:' \"=%\\\\]{0,12}") {
        for value in [value, near] {
            let text = format!("halt=1:report={}:stats=1", quoted(&value));
            let read = with(&text).unwrap();
            prop_assert_eq!(read.report, (!value.is_empty()).then(|| PathBuf::from(&value)));
            prop_assert!(read.halt && read.stats);
        }
    }

    #[test]
    fn nothing_near_options_makes_it_panic(text in "([a-z_]{0,8}[=:' \"]{0,2}[0-9^.e-]{0,4}){0,4}") {
        let _ = with(&text);
    }
}
